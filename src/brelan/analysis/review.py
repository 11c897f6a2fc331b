"""The review of a match: what was luck and what was the seat's own, decision by decision.

Win chances are whole thousandths of a match, so that the parts add up to the last digit that is
shown: start + luck - own losses - what was given up = result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from brelan.analysis.assessor import Assessment, Assessor
from brelan.analysis.beliefs import (
    WORLDS,
    Observation,
    PlaceBelief,
    observations,
    read_belief,
    view_at,
)
from brelan.analysis.reading import Reading, guessed, read_truth, reading
from brelan.analysis.reasons import Reason, reason
from brelan.analysis.verdicts import INACCURACY, match_score, verdict
from brelan.engine.match import Match
from brelan.engine.view import View
from brelan.errors import Refused
from brelan.i18n import Message
from brelan.rules.payoff import payoffs

WHOLE = 1000  # a match won
MOMENTS = 3

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Decision:
    """One decision of the seat; chances are thousandths."""

    ply: int  # the number of the move in the history
    luck: int  # since the last decision: the deal, the draws, the others' choices
    chance: int  # before the move: that of the best one
    loss: int  # of the move made; 0 where the difference is within the error
    assessment: Assessment
    belief: list[PlaceBelief]
    observations: list[Observation]
    reason: Reason | None
    guess: tuple[float, float] | None  # how likely the card named was right, and the best name
    truth: tuple[float, float] | None  # what belief, and counting alone, gave the true cards

    @property
    def verdict(self) -> str:
        """The word for the move made."""
        return verdict(self.loss)

    @property
    def after(self) -> int:
        """The chance after the move."""
        return self.chance - self.loss

    @property
    def kind(self) -> str:
        """What kind of move was the best."""
        return self.assessment.best.move.message[0].removeprefix("move.")

    @property
    def loss_at_random(self) -> int:
        """What a random move would have lost here."""
        best = self.assessment.best.chance
        lost = [max(best - each.chance, 0.0) for each in self.assessment.moves]
        return thousandths(sum(lost) / len(lost))


@dataclass(frozen=True)
class Moment:
    """A ply worth looking at: a choice that lost much, or luck that changed much."""

    ply: int
    is_choice: bool
    points: int  # thousandths, negative if they were lost
    told: list[Message]  # of luck: what happened last


@dataclass(frozen=True)
class Review:
    """The analysis of a match from one seat's views."""

    view: View  # of the seat, at the end
    level: str
    start: int  # the fair share, before the deal; or the chance in the position that it begins in
    decisions: list[Decision]
    last_luck: int  # after the last decision
    given_up: int  # by resigning
    result: int | None  # None: the match is not over

    @property
    def seat(self) -> int:
        """The seat whose match it is."""
        assert self.view.seat is not None
        return self.view.seat

    @property
    def luck(self) -> int:
        """All luck together."""
        return sum(each.luck for each in self.decisions) + self.last_luck

    @property
    def loss(self) -> int:
        """All own losses together."""
        return sum(each.loss for each in self.decisions)

    @property
    def chance(self) -> int:
        """The chance at the end: the result, if the match is over."""
        return self.start + self.luck - self.loss - self.given_up

    @property
    def score(self) -> int | None:
        """From 0 (as much was lost as random moves lose) to 100 (nothing was)."""
        at_random = [each.loss_at_random for each in self.decisions]
        return match_score([each.loss for each in self.decisions], at_random)

    @property
    def reading(self) -> Reading:
        """How well the seat read the others, and how well they could be read."""
        return reading(
            [each.guess for each in self.decisions], [each.truth for each in self.decisions]
        )

    @property
    def moments(self) -> list[Moment]:
        """Return three moments worth looking at, or fewer; the costliest choice is among them."""
        choices = [
            Moment(each.ply, True, -each.loss, [])
            for each in self.decisions
            if each.loss >= INACCURACY
        ]
        ends = [(each.ply, each.luck) for each in self.decisions[1:]]
        ends.append((len(self.view.history), self.last_luck))
        lucky = [
            Moment(ply, False, luck, self._told(ply)) for ply, luck in ends if luck and ply > 0
        ]
        ranked = sorted([*choices, *lucky], key=lambda each: -abs(each.points))
        choices.sort(key=lambda each: each.points)
        first = choices[:1]
        others = [each for each in ranked if each not in first]
        return sorted([*first, *others[: MOMENTS - len(first)]], key=lambda each: each.ply)

    def as_dict(self, lang: str = "en") -> dict[str, Any]:
        """Return all of it as plain data, with its texts in a language."""
        from brelan.analysis.telling import Teller

        return Teller(self, lang).as_dict()

    def _told(self, ply: int) -> list[Message]:
        """Return what the seat was told between its last move before a ply and that ply."""
        own = [n for n, move in enumerate(self.view.history[:ply]) if move.seat == self.seat]
        told: list[Message] = []
        for number in range(own[-1] if own else 0, ply):
            before, after = view_at(self.view, number).record, view_at(self.view, number + 1).record
            shown = self.view.history[number].id
            told += self.view.game.folder.story.tell(before, shown, after, self.seat)
        return told


def analyse(
    match: Match, seat: int, level: str = "expert", progress: Progress | None = None
) -> Review:
    """Return the analysis of a match from one seat's views alone.

    A match that is not over is analysed as far as it went. `progress` is called with the decisions
    done and all of them.

    >>> import brelan
    >>> match = brelan.game("love-letter").deal(seed=7)
    >>> review = brelan.analyse(match, seat=0)
    >>> review.decisions, review.chance
    ([], 500)
    """
    found = []
    plies = decision_plies(match, seat)
    for decision in review_steps(match, seat, level):
        found.append(decision)
        if progress is not None:
            progress(len(found), len(plies))
    return summary(match, seat, level, found)


def review_steps(
    match: Match, seat: int, level: str = "expert", assessor: Assessor | None = None
) -> Iterator[Decision]:
    """Yield the decisions of a seat one after the other, as they are analysed.

    An assessor of the game at this level may be given, to be used again.
    """
    view, plies = match.view(seat), decision_plies(match, seat)
    states = [each.before for each in match.transitions()] if match.turn is None else None
    assessor = assessor or Assessor(match.game, level)
    chance = fair_share(match) if match.is_dealt else None
    for ply in plies:
        decision = _decision(assessor, view_at(view, ply), view.history[ply].id, chance)
        if states is not None:
            decision = read_truth(assessor, view_at(view, ply), states[ply], decision)
        chance = decision.after
        yield decision


def decision_plies(match: Match, seat: int) -> list[int]:
    """Return the plies at which a seat had a choice; a seat that there is not is refused."""
    view = match.view(seat)
    if view.seat is None:
        raise Refused(f"an analysis is of a seat: 0 to {match.game.players - 1}")
    plies = [ply for ply, move in enumerate(view.history) if move.seat == seat]
    return [ply for ply in plies if len(view_at(view, ply).legal()) > 1]


def summary(match: Match, seat: int, level: str, decisions: list[Decision]) -> Review:
    """Return the review that consists of some decisions."""
    start = start_of(match, decisions)
    chance = decisions[-1].after if decisions else start
    result, given_up = _result(match, seat), 0
    if match.resigned == seat:
        assert result is not None
        given_up = chance - result
    luck = 0 if result is None else result - chance + given_up
    return Review(match.view(seat), level, start, decisions, luck, given_up, result)


def start_of(match: Match, decisions: list[Decision]) -> int:
    """Return the chance that a seat begins with: before the deal, its fair share.

    A match that begins in a position begins with the chance at its first decision.
    """
    return fair_share(match) if match.is_dealt or not decisions else decisions[0].chance


def fair_share(match: Match) -> int:
    """Return the chance before the deal: every seat has the same."""
    return thousandths(1 / match.game.players)


def thousandths(chance: float) -> int:
    """Return a chance in whole thousandths."""
    return round(WHOLE * chance)


def _result(match: Match, seat: int) -> int | None:
    """Return what the match was worth to a seat."""
    if match.result is None:
        return None
    winners = [int(each in match.result.winners) for each in range(match.game.players)]
    return thousandths(float(payoffs(winners)[seat]))


def _decision(assessor: Assessor, view: View, made: int, chance: int | None) -> Decision:
    assessment = assessor.assess(view, made)
    now = thousandths(assessment.best.chance)
    loss = min(thousandths(assessment.loss), now) if assessment.is_certain else 0
    why = None
    if loss:
        why = reason(assessor, view, assessment.best.move.id, made)
    worlds = assessor.worlds(view, WORLDS)
    return Decision(
        ply=len(view.history),
        luck=0 if chance is None else now - chance,
        chance=now,
        loss=loss,
        assessment=assessment,
        belief=read_belief(view, worlds),
        guess=guessed(view, worlds, made),
        observations=observations(assessor, view),
        reason=why,
        truth=None,
    )
