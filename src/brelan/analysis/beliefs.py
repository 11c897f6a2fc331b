"""What a seat should believe of hidden cards, and which observations made it believe that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.i18n import Message
from brelan.rules import Cards, CountOf

if TYPE_CHECKING:
    from brelan.analysis.assessor import Assessor

WORLDS = 1000  # that a belief is read from
MOST_SLOTS = 4  # of a place that nobody sees: a longer one is a pile, whose cards nobody looks for
LIKELIEST = 10  # cards that are told of a slot or a place
SHIFT = 0.08  # of a probability, that makes an observation worth telling
MOST_OBSERVATIONS = 3

Chances = dict[int, float]  # by card, the likeliest first


@dataclass(frozen=True)
class PlaceBelief:
    """The cards of one hidden place: of a seat, or of nobody (None)."""

    place: str
    seat: int | None
    slots: list[tuple[int, Chances]]  # what may lie in each slot that holds a card
    holds: Chances  # how likely at least one such card lies there


@dataclass(frozen=True)
class Observation:
    """A move of another seat, as it was told, that changed what is to be believed of a place."""

    ply: int
    told: list[Message]
    place: str
    seat: int | None
    card: int  # whose probability changed most
    before: float
    after: float


def read_belief(view: View, worlds: Any) -> list[PlaceBelief]:
    """Return what worlds hold in each place that a view hides."""
    found = []
    for name, seat, cards in _hidden(view.game, view.seat, worlds):
        kind = view.game.folder.layout.places[name].of
        if isinstance(kind, CountOf):
            held = (cards.reshape(len(cards), -1, cards.shape[-1]).sum(axis=1) > 0).mean(axis=0)
            slots: list[tuple[int, Chances]] = []
        else:
            flat = cards.reshape(len(cards), -1)
            slots = [(slot, _chances(flat[:, slot])) for slot in range(flat.shape[1])]
            slots = [(slot, chances) for slot, chances in slots if chances]
            numbers = range(int(flat.max(initial=0)) + 1)
            held = np.array([(flat == card).any(axis=1).mean() for card in numbers])
        holds = _likeliest({card: float(held[card]) for card in range(1, len(held))})
        if holds:
            found.append(PlaceBelief(name, seat, slots, holds))
    return found


def observations(assessor: Assessor, view: View) -> list[Observation]:
    """Return the observations since the seat's last move that changed its belief most.

    Overwrites the belief of the assessor.
    """
    own = [ply for ply, move in enumerate(view.history) if move.seat == view.seat]
    first = own[-1] + 1 if own else 0
    found: list[Observation] = []
    before: list[PlaceBelief] = []
    for ply in range(first, len(view.history) + 1):
        earlier = view_at(view, ply)
        assessor.update_belief(earlier)
        after = read_belief(view, assessor.worlds(earlier, WORLDS))
        told = _told(view, ply - 1) if before and view.history[ply - 1].seat is not None else []
        if told:
            found += [Observation(ply - 1, told, *changed) for changed in _changes(before, after)]
        before = after
    found.sort(key=lambda each: -abs(each.after - each.before))
    return sorted(found[:MOST_OBSERVATIONS], key=lambda each: each.ply)


def view_at(view: View, ply: int) -> View:
    """Return the view that the seat of a view had before a ply."""
    if ply == len(view.history):
        return view
    record = np.frombuffer(view.observations[ply], view.record.dtype)[0]
    return View(view.game, view.seat, record, view.history[:ply], view.observations[:ply])


def hidden_truth(view: View, state: Any) -> Iterator[tuple[str, int, int, int]]:
    """Yield the true card of each slot of other seats: place, seat, slot, card."""
    one = np.array([state.tobytes()]).view(state.dtype)
    for name, seat, cards in _hidden(view.game, view.seat, one):
        if seat is not None and not isinstance(view.game.folder.layout.places[name].of, CountOf):
            for slot, card in enumerate(cards.reshape(-1)):
                if card:
                    yield name, seat, slot, int(card)


def _hidden(
    game: Game, me: int | None, worlds: Any
) -> Iterator[tuple[str, int | None, npt.NDArray[np.int16]]]:
    """Yield each place that hides cards from a seat, and its part of all worlds."""
    for name, place in game.folder.layout.places.items():
        is_cards = isinstance(place.of, type) and issubclass(place.of, Cards)
        if place.memory or not (is_cards or isinstance(place.of, CountOf)):
            continue
        cards = worlds[name]
        if place.sight == "owner":
            for seat in range(game.players):
                if seat != me:
                    yield name, seat, cards[:, seat]
        elif place.sight == "nobody" and cards[0].size <= MOST_SLOTS:
            yield name, None, cards


def _chances(cards: npt.NDArray[np.int16]) -> Chances:
    numbers, counts = np.unique(cards[cards != 0], return_counts=True)
    shares = counts / len(cards)
    return _likeliest(dict(zip(numbers.tolist(), shares.tolist(), strict=True)))


def _likeliest(chances: Chances) -> Chances:
    ranked = sorted(chances.items(), key=lambda each: (-each[1], each[0]))
    return {card: chance for card, chance in ranked[:LIKELIEST] if chance > 0}


def _changes(
    before: list[PlaceBelief], after: list[PlaceBelief]
) -> Iterator[tuple[str, int | None, int, float, float]]:
    """Yield for each place in both beliefs the card whose probability changed much."""
    past = {(each.place, each.seat): each for each in before}
    for now in after:
        then = past.get((now.place, now.seat))
        if then is None or len(then.slots) != len(now.slots):
            continue
        cards = [*now.holds, *(card for card in then.holds if card not in now.holds)]
        changes = [(card, then.holds.get(card, 0.0), now.holds.get(card, 0.0)) for card in cards]
        card, was, is_now = max(changes, key=lambda each: abs(each[2] - each[1]))
        if abs(is_now - was) >= SHIFT:
            yield now.place, now.seat, card, was, is_now


def _told(view: View, ply: int) -> list[Message]:
    """Return what the seat of a view was told of a ply."""
    before, after = view_at(view, ply).record, view_at(view, ply + 1).record
    told: list[Message] = view.game.folder.story.tell(
        before, view.history[ply].id, after, view.seat
    )
    return told
