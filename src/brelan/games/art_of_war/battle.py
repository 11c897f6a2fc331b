# mypy: allow-untyped-defs, allow-untyped-calls
"""A battle of Art of War (§7): who reaches whom, what comes of a blow, and support (§16.6)."""

from __future__ import annotations

from brelan.rules import TABLE, add_move, rule

from .cards import (
    ANY_KING,
    AS_KING,
    ATTACK,
    BLOW,
    DEFENCE,
    FRONT,
    KNOBS,
    NO_CARD,
    NOWHERE,
    PASS,
    REACH,
    SLOTS,
    SUPPORT,
    SUPPORT_A,
    SUPPORT_G,
    SUPPORT_S,
    SWEEP,
    Card,
    Reserve,
)
from .conscription import call_up
from .development import develop
from .scoring import finish
from .state import Outcome, Phase, Posture, Reason, State
from .zones import add_citizen, add_to_reserve, holds, opponent, remove_unit, take_from_hand

CaptureRule = KNOBS.choice("capture_rule")
KingCaptureEnds = KNOBS.choice("king_capture_ends")
KingSweep = KNOBS.choice("king_sweep")
Support = KNOBS.choice("support")


# ---------------------------------------------------------------- §3 who reaches whom


@rule
def occupied(state: State, seat):
    """§2 The slots where a player has units, as a set."""
    slots = 0
    for slot in range(SLOTS):
        slots |= (state.unit[seat, slot] != NO_CARD) << slot
    return slots


@rule
def in_range(state: State, slot):
    """§3 The slots that a unit of the active player reaches, as a set; an empty slot: none."""
    return REACH[state.king_row, state.unit[state.active, slot], slot]


@rule
def targets(state: State, slot, enemies):
    """§5.2 Which of these enemies a unit may attack: none once it has turned."""
    if state.posture[state.active, slot] == Posture.OFFENSIVE:
        return 0
    return in_range(state, slot) & enemies


@rule
def can_attack(state: State):
    """§5.2 Whether the active player has anything to attack."""
    reached, enemies = 0, occupied(state, opponent(state.active))
    for slot in range(SLOTS):
        reached |= targets(state, slot, enemies)
    return reached != 0


@rule
def add_attacks(state: State, scratch):
    """§5.2 Each unit in the Defensive posture, each enemy in its range; §16.6 and support."""
    before, enemies = scratch.count, occupied(state, opponent(state.active))
    for slot in range(SLOTS):
        reached = targets(state, slot, enemies)
        if reached != 0 and sweeps(state, slot):
            add_move(scratch, SWEEP + slot)
            continue
        for target in range(SLOTS):
            if (reached >> target) & 1:
                add_move(scratch, ATTACK + SLOTS * slot + target)
    if scratch.count > before and state.support == Support.ON:
        add_supports(state, scratch, enemies)


@rule
def sweeps(state: State, slot):
    """§16.2 By option a King strikes every enemy in range."""
    return state.king_sweep == KingSweep.ON and state.unit[state.active, slot] >= Card.K1


# ---------------------------------------------------------------- §7 attacking


@rule
def attack(state: State, slot, target):
    """§7.1 The attacker turns; §16.6 with support, the opponent may stop the blow."""
    state.posture[state.active, slot] = Posture.OFFENSIVE
    state.attacker, state.target = slot, target
    state.outcome = Outcome.NONE
    if state.support == Support.ON and state.held[opponent(state.active)] > 0:
        state.turn = opponent(state.active)
        state.phase = Phase.BLOCK
    else:
        land(state)


@rule
def land(state: State):
    """§7.2 The blow falls on its target; §16.2 or on each enemy in range, one after the other."""
    if state.target == NOWHERE:
        state.sweep_left = in_range(state, state.attacker) & occupied(state, opponent(state.active))
        state.turn = TABLE
        state.phase = Phase.SWEEP
    else:
        strike(state, state.target, strength(state, state.attacker), True)
        look_at_battlefield(state)


@rule
def go_on_sweeping(state: State):
    """§16.2 The next unit is struck, wherever it has advanced to."""
    slot = 0
    while (state.sweep_left >> slot) & 1 == 0:
        slot += 1
    state.sweep_left ^= 1 << slot
    if state.unit[opponent(state.active), slot] == NO_CARD:
        slot -= FRONT
    strike(state, slot, strength(state, state.attacker), True)
    if state.sweep_left == 0:
        look_at_battlefield(state)


@rule
def strength(state: State, slot):
    """§7.2 What a blow is worth; a Soldier's is the size of the hand now."""
    me = state.active
    return state.bonus + (state.held[me] if state.unit[me, slot] == Card.S else BLOW)


@rule
def strike(state: State, slot, value, can_capture):
    """§7.3 A blow lands on an enemy unit; captured, it joins the attacker's Kingdom."""
    me, enemy = state.active, opponent(state.active)
    card = state.unit[enemy, slot]
    state.outcome = outcome_of(state, slot, value, can_capture)
    match state.outcome:
        case Outcome.CAPTURED:
            add_citizen(state, me, card)
        case Outcome.DEAD:
            state.graveyard[enemy, card] += 1
            state.kills[me] += 1
        case _:
            state.damage[enemy, slot] += value
            return
    remove_unit(state, enemy, slot)
    if card >= Card.K1 and is_execution(state, state.outcome):
        finish(state, Reason.EXECUTION, 1 + me)


@rule
def outcome_of(state: State, slot, value, can_capture):
    """§7.3 What a blow does to an enemy unit: captured, dead if it is enough, else wounded."""
    enemy = opponent(state.active)
    wounds = state.damage[enemy, slot]
    defence = DEFENCE[state.posture[enemy, slot], state.unit[enemy, slot]]
    if can_capture and captures(state, value, defence, wounds):
        return Outcome.CAPTURED
    return Outcome.DEAD if wounds + value >= defence else Outcome.WOUNDED


@rule
def captures(state: State, value, defence, wounds):
    """§7.3 A blow equal to the defence of an unwounded target captures it; options differ."""
    match state.capture_rule:
        case CaptureRule.CLEAN:
            return wounds == 0 and value == defence
        case CaptureRule.PRINTED:
            return value == defence
        case _:
            return value == defence - wounds


@rule
def is_execution(state: State, outcome):
    """§7.4 A King who fell ends the match; by option not if he was captured."""
    return outcome == Outcome.DEAD or state.king_capture_ends == KingCaptureEnds.ON


@rule
def look_at_battlefield(state: State):
    """§7.4 An opponent without units must conscript; otherwise the attack goes on."""
    if state.phase == Phase.OVER:
        return
    if occupied(state, opponent(state.active)) == 0:
        call_up(state)
    else:
        go_on_attacking(state)


@rule
def go_on_attacking(state: State):
    """§5.2 Attack again or stop; it ends by itself when there is nothing to attack."""
    if can_attack(state):
        state.turn = state.active
        state.phase = Phase.ATTACK
    else:
        develop(state)


# ---------------------------------------------------------------- §16.6 support


@rule
def add_supports(state: State, scratch, enemies):
    """§16.6 A Soldier, an Archer at any enemy, the King as either of them."""
    me = state.active
    if holds(state, me, Card.S):
        add_move(scratch, SUPPORT + SUPPORT_S)
    if holds(state, me, Card.A):
        add_shots(scratch, enemies, SUPPORT + SUPPORT_A)
    if can_king_support(state, me):
        add_move(scratch, SUPPORT + AS_KING + SUPPORT_S)
        add_shots(scratch, enemies, SUPPORT + AS_KING + SUPPORT_A)


@rule
def add_shots(scratch, enemies, first):
    """§16.6 At any enemy unit, at any distance."""
    for target in range(SLOTS):
        if (enemies >> target) & 1:
            add_move(scratch, first + target)


@rule
def can_king_support(state: State, seat):
    """§16.6 The King does only if there is a reserve for him to go to."""
    return state.reserve == Reserve.ON and holds(state, seat, ANY_KING)


@rule
def add_blocks(state: State, scratch):
    """§16.6 A Guard, or the King as one, stops the attack; or nobody does."""
    add_move(scratch, PASS)
    if holds(state, state.turn, Card.G):
        add_move(scratch, SUPPORT + SUPPORT_G)
    if can_king_support(state, state.turn):
        add_move(scratch, SUPPORT + AS_KING + SUPPORT_G)


@rule
def give_support(state: State, kind, effect, target):
    """§16.6 A card is used for its effect: attacks worth 1 more, a shot, an attack stopped."""
    spend(state, state.turn, kind)
    match effect:
        case Card.S:
            state.bonus += 1
            state.outcome = Outcome.NONE
        case Card.A:
            strike(state, target, BLOW, False)
        case _:
            state.outcome = Outcome.BLOCKED
    look_at_battlefield(state)


@rule
def spend(state: State, seat, kind):
    """§16.6 The card goes to the end of the reserve; without one, to the graveyard."""
    card = take_from_hand(state, seat, kind)
    if state.reserve == Reserve.ON:
        add_to_reserve(state, seat, card)
    else:
        state.graveyard[seat, card] += 1
