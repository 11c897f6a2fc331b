# mypy: allow-untyped-defs, allow-untyped-calls
"""The Court of La cour du Roi: where a card may be laid (§6.2, §6.3), which cards may be swapped.

`opens` and `yields` are kept up to date whenever a slot changes, so that the slots where a card
may go are read off at once: those open to its family, and those that yield to its rank.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import rule

from .cards import BOTTOM, COVERED_BY, FAMILIES, FAMILY, KNOBS, NO_CARD, RANK, RANKS, SLOTS, SUPPORT
from .state import State

SingleSupport = KNOBS.choice("single_support")
QueenNeedsSupport = KNOBS.choice("queen_needs_support")

ROW_1 = sum(1 << slot for slot in range(BOTTOM, SLOTS))
ABOVE = np.array(  # the slots that stand on a slot; SLOTS stands for none
    [
        [upper for upper in range(BOTTOM) if slot in (SUPPORT[upper], SUPPORT[upper] + 1)]
        + [SLOTS] * (2 - sum(slot in (below, below + 1) for below in SUPPORT))
        for slot in range(SLOTS)
    ],
    np.int16,
)
LOWEST = np.array(  # the first slot of a set
    [next((slot for slot in range(SLOTS) if slots >> slot & 1), SLOTS) for slots in range(1 << 10)],
    np.int16,
)


@rule
def clear_court(state: State):
    """§4.7 The Court is empty: row 1 is open to every card."""
    for slot in range(SLOTS):
        state.court[slot] = NO_CARD
    for family in range(FAMILIES):
        state.opens[family] = ROW_1
    for rank in range(RANKS):
        state.yields[rank] = 0


@rule
def slots_for(state: State, card):
    """§6 The slots where a card may be laid, as a set: open to its family, or to be covered."""
    return state.opens[FAMILY[card]] | state.yields[RANK[card] - 1]


@rule
def show(state: State, slot, card):
    """§6 A card lies on top of a slot from now on; what may be laid there and above changes."""
    state.court[slot] = card
    covered_by = COVERED_BY[state.order, RANK[card]] >> 1
    for rank in range(RANKS):
        yields = (covered_by >> rank) & 1
        state.yields[rank] = (state.yields[rank] & ~(1 << slot)) | (yields << slot)
    for family in range(FAMILIES):
        state.opens[family] &= ~(1 << slot)
    for place in range(2):
        upper = ABOVE[slot, place]
        if upper < SLOTS and state.court[upper] == NO_CARD:
            open_slot(state, upper)


@rule
def open_slot(state: State, slot):
    """§6.2 An empty slot above row 1 is open to the families of its supports, if both are there."""
    one, two = state.court[SUPPORT[slot]], state.court[SUPPORT[slot] + 1]
    is_built = one != NO_CARD and two != NO_CARD
    for family in range(FAMILIES):
        state.opens[family] &= ~(1 << slot)
    if is_built or state.single_support == SingleSupport.ON:
        if one != NO_CARD:
            state.opens[FAMILY[one]] |= 1 << slot
        if two != NO_CARD:
            state.opens[FAMILY[two]] |= 1 << slot


@rule
def can_swap(state: State, one, two):
    """§6.4 Any two occupied slots; by option both cards must be supported where they arrive."""
    if state.court[one] == NO_CARD or state.court[two] == NO_CARD:
        return False
    if state.queen_needs_support == QueenNeedsSupport.OFF:
        return True
    return would_stand(state, one, two) and would_stand(state, two, one)


@rule
def would_stand(state: State, slot, other):
    """§14 Whether the card of another slot, swapped to this one, finds its family below."""
    if slot >= BOTTOM:
        return True
    for support in range(SUPPORT[slot], SUPPORT[slot] + 2):
        below = state.court[slot if support == other else support]
        if below != NO_CARD and FAMILY[below] == FAMILY[state.court[other]]:
            return True
    return False


@rule
def swap(state: State, one, two):
    """§6.4 Two cards of the Court trade places."""
    card = state.court[one]
    show(state, one, state.court[two])
    show(state, two, card)
