"""What follows from a position of District Noir that is set up by hand, and what cannot be."""

from __future__ import annotations

from typing import Any

from brelan.errors import Refused

from .cards import Card
from .rules import AlternateFirst, SkipDeadPlays, count_points, has_all_cities, is_dead
from .state import Phase, fits


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: the copies in the pack, the pile below, how far the round has come."""
    for card in list(Card)[1:]:
        state.copies[card] = state[f"copies_{card.name}"]
    state.round_no = max(1, state.round_no)
    _lay_pile(state, given)
    _sort_hands(state)
    count_points(state)
    state.phase = Phase.ACT
    _refuse_round(state)
    made = [_actions_made(state, seat) for seat in range(2)]
    state.action_no = sum(made)
    state.first = (state.turn + state.action_no) % 2
    alternates = state.alternate_first == AlternateFirst.ON and state.round_no % 2 == 0
    state.opener = 1 - state.first if alternates else state.first
    if made[1 - state.turn] - made[state.turn] not in (0, 1):
        raise Refused(
            f"seat 0 has made {made[0]} actions in this round and seat 1 {made[1]}: "
            f"seat {state.turn} cannot have the turn"
        )
    _refuse_end(state)


def _lay_pile(state: Any, given: dict[str, Any]) -> None:
    """The pile has what the rounds to come need; what is set aside does not come back."""
    for name in ("pile", "aside"):
        if None in given.get(name, []):
            raise Refused(f"{name} has a gap: a row is written without None")
    state.pile_size, state.top = (state.pile != 0).sum(), 0
    state.aside_size = (state.aside != 0).sum()
    if state.aside_size > state.removed:
        raise Refused(f"{state.removed} cards were removed, not {state.aside_size} (aside)")


def _sort_hands(state: Any) -> None:
    """§2 A hand is kept in the order of §1."""
    for seat in range(2):
        state.hand[seat, : state.held[seat]].sort()


# ---------------------------------------------------------------- what cannot be


def _refuse_round(state: Any) -> None:
    """§3 There are so many rounds, and so many cards in a hand."""
    if state.round_no > state.rounds:
        raise Refused(f"there are {state.rounds} rounds: this cannot be round {state.round_no}")
    needed = 2 * state.hand_size * (state.rounds - state.round_no)
    if state.pile_size < needed:
        raise Refused(f"the rounds to come need {needed} cards; the pile has {state.pile_size}")
    for seat in range(2):
        if state.has_taken[seat] not in (0, 1):
            raise Refused(f"has_taken of seat {seat} is 1 or 0, not {state.has_taken[seat]}")
        if state.held[seat] > state.hand_size:
            raise Refused(f"a hand has {state.hand_size} cards at most, not {state.held[seat]}")


def _actions_made(state: Any, seat: int) -> int:
    """§3 What a player has done in this round: cards played, and a take."""
    return int(state.hand_size - state.held[seat] + state.has_taken[seat])


def _refuse_end(state: Any) -> None:
    """§5.10 Nobody has won yet, and something may still change the result."""
    if state.winner or state.reason or state.shown_hand.any() or state.shown_aside.any():
        raise Refused("a match that goes on has no winner, no reason and no card laid open")
    for seat in range(2):
        if has_all_cities(state, seat):
            raise Refused(f"seat {seat} has the three cities: the match is over")
        if not fits(state, seat):
            raise Refused(f"never_all: seat {seat} holds cities that would have won")
    if state.skip_dead_plays == SkipDeadPlays.ON and is_dead(state):
        raise Refused("both have taken in the last round, and skip_dead_plays = on ends it there")
