# mypy: allow-untyped-defs, allow-untyped-calls
"""What everybody can work out of the cards in play (§11): the open lists `can_be`.

A list names the kinds that a card can be; the true one is always on it. It says less than a perfect
memory would, for it speaks of one card at a time: that one of two cards must be the mine, or that a
card taken back by a Slacker was a 12 or a 13, is not kept.
"""

from __future__ import annotations

from brelan.rules import rule

from .cards import BIT, FIRST, KINDS, NO_CARD, SECOND, SLOTS, Card
from .combat import is_single, only_member, results
from .state import State

FIGHTERS = 4  # two attackers, then two defenders; the second ones may be missing
NO_ONE = 4


@rule
def expect_anything(state: State, seat, slot):
    """§11 A new card can be of every kind of which its owner has a living copy."""
    kinds = 0
    for card in range(1, KINDS):
        if state.living[seat, card] > 0:
            kinds |= BIT[card]
    state.can_be[seat, slot] = kinds


@rule
def expect_no_mine(state: State, seat, slots):
    """§11.1 What attacks is not a mine."""
    for slot in range(SLOTS):
        if (slots >> slot) & 1:
            state.can_be[seat, slot] &= ~BIT[Card.MINE]


@rule
def narrow(state: State, seat):
    """§11.3 Strike what cannot be: kinds with no copy left for this slot, and a second mine."""
    sure = 0  # slots whose kind was sure when the others were last struck
    again = True
    while again:
        again = False
        for slot in range(SLOTS):
            if not (sure >> slot) & 1 and is_single(state.can_be[seat, slot]):
                sure |= 1 << slot
                again = True
                strike_elsewhere(state, seat, only_member(state.can_be[seat, slot]))


@rule
def strike_elsewhere(state: State, seat, card):
    """§11.3, §11.4 If no copy of a kind that is sure somewhere is left, no other slot has it."""
    copies = state.living[seat, card] if card != Card.MINE else 1
    for slot in range(SLOTS):
        copies -= state.can_be[seat, slot] == BIT[card]
    if copies <= 0:
        strike(state, seat, card)


@rule
def strike(state: State, seat, card):
    """§11.3 No slot of a player has a kind, but those that surely have it."""
    for slot in range(SLOTS):
        if state.can_be[seat, slot] != BIT[card]:
            state.can_be[seat, slot] &= ~BIT[card]


# ---------------------------------------------------------------- §11.2 surviving a combat


@rule
def deduce(state: State):
    """§11.2 Of the survivors, only the kinds remain with which the combat could end as it did."""
    result, first, second = 0, NO_ONE, NO_ONE  # of two or three fighters, two survive at most
    for fighter in range(FIGHTERS):
        slot = slot_of(state, fighter)
        if slot != SLOTS and state.fallen[fighter // 2, slot] != NO_CARD:
            result |= 1 << fighter
        elif slot != SLOTS and first == NO_ONE:
            first = fighter
        elif slot != SLOTS:
            second = fighter
    if first != NO_ONE:
        keep_possible(state, result, first, second)


@rule
def keep_possible(state: State, result, first, second):
    """§11.2 Try every kind of one survivor with every kind of the other."""
    kinds, others = list_of(state, first), list_of(state, second)
    possible, possible_others = 0, 0
    for card in range(1, KINDS):
        other = 0
        while (kinds >> card) & 1 and others >> other:
            is_new = not ((possible >> card) & 1 and (possible_others >> other) & 1)
            is_listed = (others >> other) & 1
            if is_listed and is_new and could_end(state, result, first, card, second, other):
                possible |= BIT[card]
                possible_others |= BIT[other]
            other += 1
    state.can_be[seat_of(state, first), slot_of(state, first)] = possible
    if second != NO_ONE:
        state.can_be[seat_of(state, second), slot_of(state, second)] = possible_others


@rule
def could_end(state: State, result, first, card, second, other):
    """§11.2 Whether with these survivors the same cards could have died, with the same choice."""
    if not can_stand(state, first, card, second, other):
        return False
    possible = results(
        state,
        card_of(state, 0, first, card, second, other),
        card_of(state, 1, first, card, second, other),
        card_of(state, 2, first, card, second, other),
        card_of(state, 3, first, card, second, other),
    )
    return (possible >> result) & 1 == 1 and is_single(possible) == (state.was_choice == 0)


@rule
def can_stand(state: State, first, card, second, other):
    """§11.2 Two survivors of one side are not two mines, nor more copies than are alive."""
    if first // 2 != second // 2 or card != other:
        return True
    return card != Card.MINE and state.living[seat_of(state, first), card] > 1


@rule
def card_of(state: State, fighter, first, card, second, other):
    """§11.2 The card of a fighter: what is supposed of a survivor, what all saw of the dead."""
    if fighter == first:
        return card
    if fighter == second:
        return other
    slot = slot_of(state, fighter)
    return state.fallen[fighter // 2, slot] if slot != SLOTS else NO_CARD


@rule
def seat_of(state: State, fighter):
    """§6 Whose card a fighter is."""
    return state.attacker - 1 if fighter < 2 else state.defender - 1


@rule
def slot_of(state: State, fighter):
    """§6 Where a fighter stands, or stood; SLOTS if there is no such fighter."""
    slots = state.attacking if fighter < 2 else state.attacked
    return FIRST[slots] if fighter % 2 == 0 else SECOND[slots]


@rule
def list_of(state: State, fighter):
    """§11 What a survivor can be; nothing, if there is none."""
    if fighter == NO_ONE:
        return BIT[NO_CARD]
    return state.can_be[seat_of(state, fighter), slot_of(state, fighter)]
