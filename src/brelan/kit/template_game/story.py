"""What a reader is told: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from typing import Any

from brelan.i18n import Message, Word, seat_word

from .cards import BET, DEAL, SCORE, Card
from .rules import is_facing_bet
from .state import Reason


@functools.cache  # so that two tellings of the same card are equal
def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    return Word(f"card.{Card(card).name.lower()}")


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    if number in (DEAL, SCORE):
        return ("move.deal", "move.score")[number], {}
    return f"move.{_kind(view, number)}", {}


def _kind(view: Any, number: int) -> str:
    """Return what a move of a player means: two things, each with or without a bet before it."""
    kinds = ("call", "fold") if is_facing_bet(view) else ("bet", "pass")
    return kinds[0] if number == BET else kinds[1]


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    if number == DEAL:
        first: Message = ("story.starts", {"who": seat_word(int(after.first), reader)})
        if reader is None:
            return [first]
        return [("story.dealt", {"card": card_word(int(after.hand[reader]))}), first]
    if number == SCORE:
        return [*_tell_showdown(after, reader), _tell_winner(after, reader)]
    return [(f"story.{_kind(before, number)}", {"who": seat_word(int(before.turn), reader)})]


def _tell_showdown(after: Any, reader: int | None) -> list[Message]:
    return [
        ("story.shows", {"who": seat_word(seat, reader), "card": card_word(int(after.shown[seat]))})
        for seat in range(2)
        if after.shown[seat]
    ]


def _tell_winner(after: Any, reader: int | None) -> Message:
    winner = int(after.winner) - 1
    chips = int(after.chips[1 - winner])
    return "story.wins", {"who": seat_word(winner, reader), "chips": chips}


def reason(view: Any) -> str:
    """Return how the match ended."""
    return Reason(view.reason).name.lower()
