# mypy: allow-untyped-defs, allow-untyped-calls
"""§6 and §7 of the rules of Batailles et piques: attacks, whom to kill, and the dead."""

from __future__ import annotations

from brelan.rules import TABLE, add_move, clear, rule

from .cards import (
    BIT,
    FIRST,
    KILL,
    KNOBS,
    NO_CARD,
    SECOND,
    SIZE,
    SLOTS,
    Card,
)
from .combat import RESULTS, is_single, only_member, results
from .public_inference import deduce, expect_no_mine, narrow, strike
from .scoring import worth_of
from .state import ATTACKERS, DEFENDERS, Phase, State, card_seen, forget, notice_shown, see

Credit = KNOBS.choice("credit")
PeekScope = KNOBS.choice("peek_scope")
PublicSurvivors = KNOBS.choice("public_survivors")


# ---------------------------------------------------------------- §6 combat


@rule
def attack(state: State, me, move):
    """§6 The attacker names the slots, and the two players look at all cards that take part."""
    state.first_to_pass = 0
    state.attacker, state.attacking = 1 + me, move.own
    state.defender, state.attacked = 1 + move.target, move.at
    state.teamwork_left[me] -= SIZE[move.own] == 2
    state.was_choice = False
    for side in range(2):
        clear(state.fallen[side])
    expect_no_mine(state, me, move.own)
    look_at_fighters(state, me, move.own, move.target)
    look_at_fighters(state, move.target, move.at, me)
    possible = results_seen(state, me)
    if is_single(possible):
        decide(state, only_member(possible))
    else:
        state.phase = Phase.KILL
        state.turn = me if SIZE[move.own] == 1 else move.target


@rule
def look_at_fighters(state: State, seat, slots, foe):
    """§6 The foe sees the fighters of a player; by option, everybody does."""
    for slot in range(SLOTS):
        if (slots >> slot) & 1:
            if state.public_survivors == PublicSurvivors.ON:
                show_all(state, seat, slot)
            else:
                see(state, foe, seat, slot)
    narrow(state, seat)


@rule
def show_all(state: State, seat, slot):
    """§13 Option: everybody sees a card that takes part in a combat."""
    for me in range(state.players):
        see(state, me, seat, slot)
    notice_shown(state, seat, slot, state.in_play[seat, slot])
    state.can_be[seat, slot] = BIT[state.in_play[seat, slot]]


@rule
def results_seen(state: State, me):
    """§6.1 What can come of the combat, as one of the two who fight sees it."""
    attacker, defender = state.attacker - 1, state.defender - 1
    return results(
        state,
        card_seen(state, me, attacker, FIRST[state.attacking]),
        second_seen(state, me, attacker, state.attacking),
        card_seen(state, me, defender, FIRST[state.attacked]),
        second_seen(state, me, defender, state.attacked),
    )


@rule
def second_seen(state: State, me, seat, slots):
    """§6 The second fighter of a side, if there is one."""
    return card_seen(state, me, seat, SECOND[slots]) if SIZE[slots] == 2 else NO_CARD


@rule
def add_kills(state: State, me, scratch):
    """§6.1 The owner of the lone unit chooses among the foes it can pay for."""
    possible = results_seen(state, me)
    for result in range(RESULTS):
        if (possible >> result) & 1:
            add_move(scratch, KILL + foes_killed(state, result))


@rule
def foes_killed(state: State, result):
    """§6.1 The slots of the lone unit's foes that die by a result."""
    if SIZE[state.attacking] == 1:
        return slots_of(state.attacked, result >> 2)
    return slots_of(state.attacking, result & 3)


@rule
def slots_of(slots, picked):
    """§6 The first slot of a set, the second, or both, as 1, 2 or 3 are picked."""
    return (picked & 1) << FIRST[slots] | (picked >> 1) << SECOND[slots]


@rule
def kill(state: State, me, slots):
    """§6.1 The foes in these slots die of the lone unit's blow."""
    state.was_choice = True
    possible = results_seen(state, me)
    for result in range(RESULTS):
        if (possible >> result) & 1 and foes_killed(state, result) == slots:
            decide(state, result)


@rule
def decide(state: State, result):
    """§6 It is clear who dies."""
    state.dying[ATTACKERS] = slots_of(state.attacking, result & 3)
    state.dying[DEFENDERS] = slots_of(state.attacked, result >> 2)
    state.turn = TABLE
    state.phase = Phase.BURY


# ---------------------------------------------------------------- §7 deaths and credit


@rule
def bury(state: State):
    """§7 The dead are shown to all, and go to who killed them; everybody draws conclusions."""
    attacker, defender = state.attacker - 1, state.defender - 1
    for slot in range(SLOTS):
        if (state.dying[ATTACKERS] >> slot) & 1:
            die(state, attacker, slot, ATTACKERS, defender)
        if (state.dying[DEFENDERS] >> slot) & 1:
            die(state, defender, slot, DEFENDERS, attacker)
    state.dying[ATTACKERS] = state.dying[DEFENDERS] = 0
    narrow(state, attacker)
    narrow(state, defender)
    deduce(state)
    narrow(state, attacker)
    narrow(state, defender)


@rule
def die(state: State, seat, slot, side, killer):
    """§7.2 A card goes to the graveyard of who killed it; by option, always the attacker's."""
    card = state.in_play[seat, slot]
    state.in_play[seat, slot] = NO_CARD
    state.filled[seat] &= ~(1 << slot)
    state.fallen[side, slot] = card
    taker = state.attacker - 1 if state.credit == Credit.ATTACKER else killer
    state.graveyard[taker, card] += 1
    state.points[taker] += worth_of(state, card)
    state.looks[killer] += card == Card.KING and state.peek_scope != PeekScope.NONE
    notice_death(state, seat, slot, card)


@rule
def notice_death(state: State, seat, slot, card):
    """§7.1 Everybody sees a dead card, and so which cards its owner still has."""
    state.living[seat, card] -= 1
    state.can_be[seat, slot] = 0
    notice_shown(state, seat, slot, card)
    forget(state, seat, slot)
    if state.living[seat, card] == 0:
        strike(state, seat, card)
