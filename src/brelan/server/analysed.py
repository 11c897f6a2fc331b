"""An analysis as it goes onto the wire: numbers, and texts by key."""

from __future__ import annotations

from collections.abc import Iterator

from brelan.analysis import Decision, Review
from brelan.analysis.beliefs import Chances, PlaceBelief
from brelan.analysis.reasons import Reason
from brelan.analysis.review import Moment, thousandths
from brelan.analysis.telling import Teller
from brelan.engine.game import Game
from brelan.server import messages
from brelan.server.messages import (
    AnalysedDecision,
    AnalysedMove,
    AnalysisEnd,
    Belief,
    CardChance,
    Observed,
    SlotBelief,
    Text,
    Why,
)
from brelan.server.wire import text

MOST_MOVES = 12  # of a decision that are told, the best of them; and the move made
LIKELIEST = 3  # cards that are told of a slot


def decision(found: Decision) -> AnalysedDecision:
    """Return one decision."""
    assessment = found.assessment
    told = assessment.moves[:MOST_MOVES]
    told += [each for each in assessment.moves[MOST_MOVES:] if each.move.id == assessment.made]
    assert assessment.made is not None
    return AnalysedDecision(
        ply=found.ply,
        luck=found.luck,
        chance=found.chance,
        made=assessment.made,
        best=assessment.best.move.id,
        loss=found.loss,
        loss_error=thousandths(assessment.loss_error),
        verdict=found.verdict,  # type: ignore[arg-type]
        solved=assessment.is_solved,
        legal=len(assessment.moves),
        moves=[
            AnalysedMove(
                move=each.move.id,
                notation=each.move.notation,
                label=text(each.move.message),
                chance=thousandths(each.chance),
                error=thousandths(each.error),
            )
            for each in told
        ],
        belief=[_belief(each) for each in found.belief],
        observed=[
            Observed(
                each.ply, [text(message) for message in each.told], each.place, each.seat,
                each.card, thousandths(each.before), thousandths(each.after),
            )
            for each in found.observations
        ],
        why=None if found.reason is None else _why(found.reason),
    )  # fmt: skip


def _why(found: Reason) -> Why:
    return Why(text(found.event), thousandths(found.better), thousandths(found.made))


def _belief(found: PlaceBelief) -> Belief:
    slots = [SlotBelief(slot, _cards(chances)[:LIKELIEST]) for slot, chances in found.slots]
    return Belief(found.place, found.seat, slots, _cards(found.holds))


def _cards(chances: Chances) -> list[CardChance]:
    return [CardChance(card, thousandths(chance)) for card, chance in chances.items()]


def names(game: Game, decisions: list[AnalysedDecision]) -> dict[str, dict[str, Text]]:
    """Return what the cards are called that decisions tell of, by place and number."""
    word = getattr(game.folder.story, "card_word", None)
    if word is None:
        return {}
    found: dict[str, dict[str, Text]] = {}
    for each in decisions:
        for place, card in _told_cards(each):
            found.setdefault(place, {})[str(card)] = text(("analysis.card", {"card": word(card)}))
    return found


def _told_cards(found: AnalysedDecision) -> Iterator[tuple[str, int]]:
    for belief in found.belief:
        for cards in (belief.holds, *(slot.cards for slot in belief.slots)):
            for each in cards:
                yield belief.place, each.card
    for observed in found.observed:
        yield observed.place, observed.card


def end(review: Review) -> AnalysisEnd:
    """Return what an analysis says of the whole match."""
    teller, reading = Teller(review, "en"), review.reading
    return AnalysisEnd(
        last_luck=review.last_luck,
        given_up=review.given_up,
        chance=review.chance,
        score=review.score,
        guesses=reading.guesses,
        share=reading.share,
        truth=reading.truth,
        counting=reading.counting,
        moments=[_moment(each, teller) for each in review.moments],
    )


def _moment(found: Moment, teller: Teller) -> messages.Moment:
    told = [text(message) for message in teller.most_telling(found.told)]
    return messages.Moment(found.ply, "choice" if found.is_choice else "luck", found.points, told)
