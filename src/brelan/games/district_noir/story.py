"""What a reader is told of a match of District Noir: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

from brelan.i18n import Message, Word, listed, seat_word

from .cards import DEAL, MOVES, SCORE, SUPPORTS, TAKE, WORTH, Card
from .rules import cards_to_take, complete_sets
from .state import Phase, Reason


@functools.cache  # so that two tellings of the same cards are equal
def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    return Word(f"card.{Card(card).name.lower()}")


def cards_word(cards: Iterable[int]) -> Word:
    """Return cards as one fact of a text."""
    return listed("cards", [{"card": card_word(card)} for card in cards])


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    if number in (DEAL, SCORE):
        return ("move.deal", "move.score")[number], {}
    if number != TAKE:
        return "move.play", {"card": card_word(int(MOVES[number].card))}
    cards = newest(view, int(view.turn))
    if not cards:
        return "move.take_nothing", {}
    return "move.take", {"count": len(cards), "cards": cards_word(cards)}


def newest(view: Any, seat: int) -> tuple[int, ...]:
    """Return the cards that a take would bring a seat now, the oldest of them first."""
    row = [int(card) for card in view.row[: view.row_size]]
    return tuple(row[len(row) - cards_to_take(view, seat) :])


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    if number == SCORE:
        return _tell_score(before, after, reader)
    if number == DEAL:
        told = _tell_deal(after, reader)
    elif number == TAKE:
        told = _tell_take(before, reader)
    else:
        args = {"who": seat_word(int(before.turn), reader)}
        told = [("story.plays", args | {"card": card_word(int(MOVES[number].card))})]
    if after.reason == Reason.CITIES:
        told.append(("story.cities", {"who": seat_word(int(after.winner) - 1, reader)}))
    return told


def _tell_deal(after: Any, reader: int | None) -> list[Message]:
    told: list[Message] = [("story.round", {"number": int(after.round_no)})]
    if after.round_no == 1 and after.row_size:
        row = tuple(int(card) for card in after.row[: after.row_size])
        told.append(("story.first_row", {"cards": cards_word(row)}))
    if reader is not None:
        told.append(("story.dealt", {"cards": cards_word(_sorted(after.hand[reader]))}))
    told.append(("story.starts", {"who": seat_word(int(after.first), reader)}))
    return told


def _tell_take(before: Any, reader: int | None) -> list[Message]:
    me = int(before.turn)
    args: dict[str, Any] = {"who": seat_word(me, reader)}
    told: list[Message] = [("story.forced", args)] if not before.held[me] else []
    cards = newest(before, me)
    if not cards:
        return [*told, ("story.takes_nothing", args)]
    args |= {"count": len(cards), "cards": cards_word(cards)}
    return [*told, ("story.takes", args)]


# ---------------------------------------------------------------- §7 the end of the match


def _tell_score(before: Any, after: Any, reader: int | None) -> list[Message]:
    told = _tell_laid_open(after, reader)
    if after.reason != Reason.CITIES:
        told += [_tell_points(before, seat, reader) for seat in range(2)]
        told += _tell_tie(before, after, reader)
    if after.winner:
        told.append(("story.wins_match", {"who": seat_word(int(after.winner) - 1, reader)}))
    return told


def _tell_laid_open(after: Any, reader: int | None) -> list[Message]:
    told: list[Message] = []
    if removed := counted(after.shown_aside):
        told.append(("story.removed", {"cards": cards_word(removed)}))
    for seat in range(2):
        if hand := counted(after.shown_hand[seat]):
            args = {"who": seat_word(seat, reader), "cards": cards_word(hand)}
            told.append(("story.left", args))
    return told


class Count(NamedTuple):
    """What a collection scores, by what it scores for."""

    majorities: int
    sets: int
    alliances: int
    betrayals: int


def count(view: Any, seat: int) -> Count:
    """Return what makes up the points of a seat; majorities are what the rest leaves."""
    sets = 5 * int(complete_sets(view, seat))
    worths = [int(worth) for worth in WORTH * view.collection[seat]]
    alliances = sum(worth for worth in worths if worth > 0)
    betrayals = sum(worth for worth in worths if worth < 0)
    majorities = int(view.points[seat]) - sets - alliances - betrayals
    return Count(majorities, sets, alliances, betrayals)


def signed(number: int) -> str:
    """Write a number with its sign, as the cards do."""
    return f"{number:+}".replace("-", "−") if number else "0"


def total(view: Any, seat: int) -> str:
    """Write the points of a seat, which may be negative."""
    return str(view.points[seat]).replace("-", "−")


def _tell_points(before: Any, seat: int, reader: int | None) -> Message:
    args: dict[str, Any] = {"who": seat_word(seat, reader), "points": total(before, seat)}
    parts = count(before, seat)._asdict()
    args |= {name: signed(part) for name, part in parts.items()}
    return "story.points", args | {"count": abs(int(before.points[seat]))}


def _tell_tie(before: Any, after: Any, reader: int | None) -> list[Message]:
    """What broke a tie of points, or that nothing did."""
    if after.phase != Phase.OVER:
        return [("story.replay", {})]
    match after.reason:
        case Reason.SUPPORTS:
            return [_tell_supports(before, int(after.winner) - 1, reader)]
        case Reason.SECOND_PLAYER:
            return [("story.second_player", {})]
        case Reason.DRAW:
            return [("story.draw", {})]
    return []


def _tell_supports(before: Any, winner: int, reader: int | None) -> Message:
    mine, theirs = before.collection[winner], before.collection[1 - winner]
    support = max(card for card in SUPPORTS if mine[card] != theirs[card])
    args = {"more": int(mine[support]), "fewer": int(theirs[support])}
    words = {"who": seat_word(winner, reader), "card": card_word(support)}
    return "story.supports", words | args


def counted(counts: Any) -> tuple[int, ...]:
    """The cards of a heap that is kept as counts."""
    return tuple(card for card, count in enumerate(counts) for _ in range(count))


def _sorted(cards: Any) -> tuple[int, ...]:
    """Cards whose order means nothing, each kind together."""
    return tuple(sorted(int(card) for card in cards if card))


def reason(view: Any) -> str:
    """Return what decided the match."""
    return Reason(view.reason).name.lower()
