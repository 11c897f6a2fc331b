"""Positions of Batailles et piques that no match can come to when a turn begins.

Hands may be named in part. If the cards not named go to the draw piles, these then hold more than
a match would have left there; only a pile that is named as well asks for a full hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .cards import ALL_SLOTS, BIT, SLOTS, Card, Slot
from .refill import mines_in_play
from .rules import EndRule, Passing, count_active, has_target, most_points
from .scoring import worth_of
from .state import MINDED, Status


def unreachable(state: Any, named: Sequence[int]) -> Iterator[str]:
    """Yield what no match can come to; `named` is how many cards of each draw pile were named."""
    for seat in range(state.players):
        yield from _wrong_slots(state, seat)
        yield from _wrong_hand(state, seat, named[seat])
        yield from _wrong_counts(state, seat)
        for other in range(state.players):
            yield from _wrong_knowledge(state, seat, other)
    yield from _wrong_turn(state)
    yield from _wrong_pass(state)


def _wrong_slots(state: Any, seat: int) -> Iterator[str]:
    """§2, §8.1 What stands in the slots: one mine at most, and a unit of whoever has one."""
    filled, units = int(state.filled[seat]), _units_in_play(state, seat)
    if filled & ~ALL_SLOTS[state.slots]:
        slots = " and ".join(Slot(slot).name.lower() for slot in range(state.slots))
        yield f"seat {seat} has a card in the centre: there are {slots} (slots = {state.slots})"
    if filled.bit_count() - units > 1:
        yield f"seat {seat} has two mines in play: there may be one (§8.1)"
    if state.status[seat] == Status.ACTIVE and not units:
        yield f"seat {seat} has units, but none in play: one of them must be there (§4)"


def _units_in_play(state: Any, seat: int) -> int:
    return (int(state.filled[seat]) & ~int(mines_in_play(state, seat))).bit_count()


def _wrong_hand(state: Any, seat: int, named: int) -> Iterator[str]:
    """§8.1 What is in a hand: not too much, and nothing that must have been put into play."""
    held, most = int(state.held[seat]), int(state.hand_size)
    if held > most:
        yield f"seat {seat} holds {held} cards: a hand has {most} at most (hand_size = {most})"
    if held < most and named:
        yield f"seat {seat} holds {held} cards and could draw: it must hold {most} (§8.1)"
    is_full = state.filled[seat] == ALL_SLOTS[state.slots]
    mines = int(state.hand[seat, Card.MINE])
    if not is_full and held > (mines if mines_in_play(state, seat) else 0):
        yield f"seat {seat} has an empty slot and a card for it: a slot must be filled (§8.1)"


def _wrong_counts(state: Any, seat: int) -> Iterator[str]:
    """§5.3, §10.1 Special cards and points."""
    for name in ("teamwork", "slacker"):
        left, most = int(state[f"{name}_left"][seat]), int(state[name])
        if not 0 <= left <= most:
            yield f"seat {seat} has {left} {name.capitalize()} cards: there are {most} at most"
    points = sum(
        int(state.graveyard[seat, card] * worth_of(state, card)) for card in list(Card)[1:]
    )
    if state.points[seat] != points:
        yield f"seat {seat} has {state.points[seat]} points: its graveyard is worth {points} (§10)"


def _wrong_knowledge(state: Any, seat: int, other: int) -> Iterator[str]:
    """§11 What a seat knows of the cards of another one, or all know of its own, must be true."""
    for slot in range(SLOTS):
        card, known = state.in_play[other, slot], state.known[seat, other, slot]
        where = f"the {Slot(slot).name.lower()} slot of seat {other}"
        if known and (seat == other or known != card):
            yield f"seat {seat} knows of a card in {where}: only one of another that stands there"
        if card and not state.can_be[other, slot] & BIT[card]:
            yield f"can_be of {where} lacks its card: the true one is always on the list (§11)"
    held = state.open_hand_holds if seat == other else state.hand_holds[seat]
    unless = state.open_unless_in if seat == other else state.unless_in[seat]
    for place in range(MINDED):
        card, slots = held[other, place], int(unless[other, place])
        stands = [s for s in range(SLOTS) if slots >> s & 1 and state.in_play[other, s] == card]
        if card and not state.hand[other, card] and not stands:
            yield f"seat {seat} knows a card to be in the hand of seat {other}: it must be there"


def _wrong_turn(state: Any) -> Iterator[str]:
    """§5, §9 Whoever has the turn is active, and the match is not over."""
    if state.status[state.turn] != Status.ACTIVE:
        yield f"seat {state.turn} has the turn and no unit: only who is active has turns (§4)"
    elif count_active(state) == 1 and not has_target(state):
        yield "the match would be over: an opponent must have a card in play (§9)"
    if state.end_rule == EndRule.POINTS and most_points(state) >= state.end_points:
        yield f"the match would be over: nobody may have {state.end_points} points (end_points)"
    if state.end_rule == EndRule.ROUNDS and state.round_no > state.end_rounds:
        yield f"the match would be over: it has {state.end_rounds} rounds (end_rounds)"


def _wrong_pass(state: Any) -> Iterator[str]:
    """§13 Who was the first to pass, by option, since the last attack or Slacker."""
    if not state.first_to_pass:
        return
    seat = state.first_to_pass - 1
    if state.passing == Passing.NEVER:
        yield f"seat {seat} has passed: nobody may (passing = never)"
    elif seat == state.turn or state.status[seat] != Status.ACTIVE:
        yield f"seat {seat} has passed: only another active player may have"
