"""What a reader is told."""

from __future__ import annotations

from typing import Any

from brelan.i18n import Message, Word

from .cards import DEAL, LAY, SCORE


def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    return Word("card", value=card)


def label(view: Any, number: int) -> Message:
    """Return a move in words."""
    if number in (DEAL, SCORE):
        return ("move.deal", "move.score")[number], {}
    return "move.lay", {"card": card_word(number - LAY)}


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about."""
    return [("story.shown", {})] if number == SCORE else []


def reason(view: Any) -> str:
    """Return how the match ended."""
    return "shown"
