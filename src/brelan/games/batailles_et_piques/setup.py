"""What follows from a position of Batailles et piques that is set up by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from brelan.errors import Refused

from .battle import Credit
from .cards import SLOTS, Card, army
from .public_inference import expect_anything, narrow
from .refill import update_status
from .rules import tell_natures
from .scoring import worth_of
from .state import Phase
from .unreachable import unreachable

Army = Counter[Card]


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: slots, draw piles, what is alive, the lists of §11, points, the turn."""
    tell_natures(state)
    whole = Counter(army({name: state[name] for name in state.dtype.names}))
    state.army_size = whole.total()
    for seat in _seats(state):
        cards = [slot for slot in range(SLOTS) if state.in_play[seat, slot]]
        state.filled[seat] = sum(1 << slot for slot in cards)
        state.held[seat] = state.hand[seat].sum()
    named = _named_piles(state, given)
    _lay_piles(state, whole, named)
    _fill_open(state, given)
    for seat in _seats(state):
        if "can_be" not in given:
            for slot in range(SLOTS):
                if state.filled[seat] >> slot & 1:
                    expect_anything(state, seat, slot)
        narrow(state, seat)
    update_status(state)
    for why in unreachable(state, [len(pile) for pile in named]):
        raise Refused(why)


def _seats(state: Any) -> range:
    return range(int(state.players))


# ---------------------------------------------------------------- armies, alive and dead


def _named_piles(state: Any, given: dict[str, Any]) -> list[list[Card]]:
    """The cards named for each draw pile."""
    by_print = {card.printed: card for card in Card if card}
    named = [[by_print[card] for card in row] for row in given.get("pile", [])]
    return named + [[] for _ in range(state.players - len(named))]


def _lay_piles(state: Any, whole: Army, named: Sequence[list[Card]]) -> None:
    """Each pile has the cards named for it, then those of the army that lie nowhere else."""
    is_rest_there = (state.pile != 0).sum() > sum(map(len, named))
    owned = [_owned(state, seat, named[seat]) for seat in _seats(state)]
    for seat, has_named in enumerate(owned):
        for card, count in has_named.items():
            if count > whole[card]:
                has = f"an army has {whole[card]}"
                raise Refused(f"seat {seat} has {count} cards {card.printed}: {has} (§2)")
    dead = _dead(state, [whole - has_named for has_named in owned])
    state.pile[:] = 0
    for seat, pile in enumerate(named):
        rest = whole - owned[seat] - dead[seat] if is_rest_there else Army()
        cards = [*pile, *sorted(rest.elements())]
        state.pile_size[seat] = len(cards)
        state.pile[seat, state.army_size - len(cards) : state.army_size] = cards
        for card, count in (owned[seat] + rest).items():
            state.living[seat, card] = count


def _owned(state: Any, seat: int, pile: list[Card]) -> Army:
    """The cards of a player that are named."""
    cards = [Card(card) for card in state.in_play[seat] if card]
    cards += [card for card in Card for _ in range(state.hand[seat, card])]
    return Counter([*cards, *pile])


def _dead(state: Any, missing: Sequence[Army]) -> list[Army]:
    """Whose the cards in the graveyards were: the next player's clockwise who may have had it.

    Nobody kills their own cards; with `credit = attacker` they may lie in the own graveyard.
    """
    dead = [Army() for _ in missing]
    own_too = state.credit == Credit.ATTACKER
    for card in list(Card)[1:]:
        taken = [int(state.graveyard[taker, card]) for taker in _seats(state)]
        left = [army[card] for army in missing]
        if not _can_be_shared(taken, left, own_too):
            whose = "of any army" if own_too else "of the other armies"
            raise Refused(
                f"there are too many cards {card.printed} in the graveyards: a player may have"
                f" those {whose} that are not alive (§7)"
            )
        for taker in _seats(state):
            for _ in range(taken[taker]):
                taken[taker] -= 1
                owner = _next_owner(taker, taken, left, own_too)
                dead[owner][card] += 1
    return dead


def _next_owner(taker: int, taken: list[int], left: list[int], own_too: bool) -> int:
    """Take a card from the next player clockwise, so that all other takers find theirs too."""
    for step in range(1, len(left) + own_too):
        owner = (taker + step) % len(left)
        left[owner] -= 1
        if left[owner] >= 0 and _can_be_shared(taken, left, own_too):
            return owner
        left[owner] += 1
    raise AssertionError("they could be shared before")


def _can_be_shared(taken: Sequence[int], left: Sequence[int], own_too: bool) -> bool:
    """Whether cards that are left can be taken so, by all, and by each from the others."""
    others = [sum(left) if own_too else sum(left) - own for own in left]
    fit = all(count <= most for count, most in zip(taken, others, strict=True))
    return fit and sum(taken) <= sum(left)


# ---------------------------------------------------------------- what follows


def _fill_open(state: Any, given: dict[str, Any]) -> None:
    """What everybody sees: special cards, points, who has seen what, whose turn it is."""
    for seat in _seats(state):
        if "teamwork_left" not in given:
            state.teamwork_left[seat] = state.teamwork
        if "slacker_left" not in given:
            state.slacker_left[seat] = state.slacker
        if "points" not in given:
            worths = [state.graveyard[seat, card] * worth_of(state, card) for card in Card if card]
            state.points[seat] = sum(worths)
        for other in _seats(state):
            for slot in range(SLOTS):
                if state.known[other, seat, slot]:
                    state.seen_by[seat, slot] |= 1 << other
    state.phase = Phase.TURN
    state.mover = 1 + state.turn
    state.first = state.first or state.mover
    state.turn_no, state.round_no = max(1, state.turn_no), max(1, state.round_no)
