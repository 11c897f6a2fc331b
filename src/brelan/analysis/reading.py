"""Reading the others: how much there was to know of their cards, and how well it was used."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from brelan.analysis.beliefs import WORLDS, hidden_truth, read_belief
from brelan.engine.view import View

if TYPE_CHECKING:
    from brelan.analysis.assessor import Assessor
    from brelan.analysis.review import Decision

CERTAIN = 0.999  # a card that is known needs no reading


@dataclass(frozen=True)
class Reading:
    """Scores for reading the others, from 0 to 1; None where there is nothing to score."""

    guesses: int  # cards that were named
    share: float | None  # how likely they were right, of how likely the best names were
    truth: float | None  # the mean probability that the belief gave to the true cards
    counting: float | None  # the same for who only counts cards, and reads nothing from moves


def reading(
    guesses: list[tuple[float, float] | None], truths: list[tuple[float, float] | None]
) -> Reading:
    """Return the scores of all decisions together."""
    made = [each for each in guesses if each is not None]
    best = sum(right for _, right in made)
    known = [each for each in truths if each is not None]
    return Reading(
        guesses=len(made),
        share=sum(right for right, _ in made) / best if best else None,
        truth=_mean([belief for belief, _ in known]),
        counting=_mean([counted for _, counted in known]),
    )


def guessed(view: View, worlds: Any, made: int) -> tuple[float, float] | None:
    """Return how likely the card named by a move is right, and the best that could be named.

    None if the move names no card. A game says by `GUESS` in its `cards.py` what moves name: the
    place of the card, and the columns of the seat and of the card.
    """
    guess = getattr(view.game.folder.cards, "GUESS", None)
    if guess is None:
        return None
    place, seat, card = guess
    rows = view.game.folder.cards.MOVES
    if not rows[made][card]:
        return None
    chances = {
        move.id: float((worlds[place][:, rows[move.id][seat]] == rows[move.id][card]).mean())
        for move in view.legal()
        if rows[move.id][card]
    }
    return chances[made], max(chances.values())


def read_truth(assessor: Assessor, view: View, state: bytes, decision: Decision) -> Decision:
    """Return a decision of a match that is over, with what belief gave the true cards.

    Overwrites the belief of the assessor.
    """
    tracker = assessor.searcher.tracker
    tracker.reset(view, 0)
    counted = read_belief(view, assessor.worlds(view, WORLDS))
    true = np.frombuffer(state, view.record.dtype)[0]
    pairs = []
    for place, seat, slot, card in hidden_truth(view, true):
        believed, alone = (
            next(
                (
                    dict(each.slots).get(slot, {})
                    for each in belief
                    if (each.place, each.seat) == (place, seat)
                ),
                {},
            )
            for belief in (decision.belief, counted)
        )
        if max(alone.values(), default=1.0) < CERTAIN:
            pairs.append((believed.get(card, 0.0), alone.get(card, 0.0)))
    if not pairs:
        return decision
    believed_mean, counted_mean = (sum(each) / len(pairs) for each in zip(*pairs, strict=True))
    return dataclasses.replace(decision, truth=(believed_mean, counted_mean))


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
