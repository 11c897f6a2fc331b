"""What follows from a position of Batailles et piques that is set up by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .cards import SLOTS, Card, army
from .public_inference import expect_anything, narrow
from .refill import update_status
from .rules import tell_natures
from .scoring import worth_of
from .state import Phase


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: slots, draw piles, what is alive, the lists of §11, points, the turn."""
    tell_natures(state)
    seats = range(state.players)
    whole = Counter(army({name: state[name] for name in state.dtype.names}))
    state.army_size = whole.total()
    for seat in seats:
        cards = [slot for slot in range(SLOTS) if state.in_play[seat, slot]]
        state.filled[seat] = sum(1 << slot for slot in cards)
        state.held[seat] = state.hand[seat].sum()
    _lay_piles(state, whole, given)
    _fill_open(state, given)
    for seat in seats:
        if "can_be" not in given:
            for slot in range(SLOTS):
                if state.filled[seat] >> slot & 1:
                    expect_anything(state, seat, slot)
        narrow(state, seat)
    update_status(state)


def _lay_piles(state: Any, whole: Counter[Card], given: dict[str, Any]) -> None:
    """Each pile has the cards named for it, then those of the army that lie nowhere else."""
    by_print = {card.printed: card for card in Card if card}
    named = [[by_print[card] for card in row] for row in given.get("pile", [])]
    named += [[]] * (state.players - len(named))
    is_rest_there = (state.pile != 0).sum() > sum(map(len, named))
    owned = [_owned(state, seat, named[seat]) for seat in range(state.players)]
    dead = _dead(state, whole, owned)
    state.pile[:] = 0
    for seat, pile in enumerate(named):
        rest = whole - owned[seat] - dead[seat] if is_rest_there else Counter[Card]()
        cards = [*pile, *sorted(rest.elements())]
        state.pile_size[seat] = len(cards)
        state.pile[seat, state.army_size - len(cards) : state.army_size] = cards
        for card, count in (owned[seat] + rest).items():
            state.living[seat, card] = count


def _owned(state: Any, seat: int, pile: list[Card]) -> Counter[Card]:
    """The cards of a player that are named."""
    cards = [Card(card) for card in state.in_play[seat] if card]
    cards += [card for card in Card for _ in range(state.hand[seat, card])]
    return Counter([*cards, *pile])


def _dead(state: Any, whole: Counter[Card], owned: list[Counter[Card]]) -> list[Counter[Card]]:
    """Whose the cards in the graveyards were: the next player's clockwise who may have had it."""
    dead = [Counter[Card]() for _ in owned]
    for taker in range(state.players):
        for card in Card:
            for _ in range(state.graveyard[taker, card]):
                others = [(taker + step) % state.players for step in range(1, state.players + 1)]
                owner = next(s for s in others if (whole - owned[s] - dead[s])[card])
                dead[owner][card] += 1
    return dead


def _fill_open(state: Any, given: dict[str, Any]) -> None:
    """What everybody sees: special cards, points, who has seen what, whose turn it is."""
    for seat in range(state.players):
        if "teamwork_left" not in given:
            state.teamwork_left[seat] = state.teamwork
        if "slacker_left" not in given:
            state.slacker_left[seat] = state.slacker
        if "points" not in given:
            worths = [state.graveyard[seat, card] * worth_of(state, card) for card in Card if card]
            state.points[seat] = sum(worths)
        for other in range(state.players):
            for slot in range(SLOTS):
                if state.known[other, seat, slot]:
                    state.seen_by[seat, slot] |= 1 << other
    state.phase = Phase.TURN
    state.mover = 1 + state.turn
    state.first = state.first or state.mover
    state.turn_no, state.round_no = max(1, state.turn_no), max(1, state.round_no)
