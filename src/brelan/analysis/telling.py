"""A review as plain data and as sentences, in French or English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brelan.analysis.beliefs import Chances, Observation, PlaceBelief
from brelan.analysis.review import Decision, Moment, Review, thousandths
from brelan.engine.game import Game
from brelan.i18n import Message, Texts, seat_word
from brelan.rules import Cards, CountOf

SENTENCES = 3  # that tell a moment
NO_BREAK = "\u00a0"  # between a number and its unit


def percent(chance: int, lang: str) -> str:
    """Return a chance in thousandths as a percentage.

    >>> percent(531, "en")
    '53.1%'
    """
    return f"{_tenths(chance, lang)}{NO_BREAK if lang == 'fr' else ''}%"


def points(change: int, lang: str) -> str:
    """Return a change in thousandths with its sign, in points.

    >>> points(-62, "en"), points(0, "en")
    ('−6.2', '±0.0')
    """
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    return f"{sign}{_tenths(abs(change), lang)}"


def _tenths(number: int, lang: str) -> str:
    return f"{number / 10:.1f}".replace(".", "," if lang == "fr" else ".")


class Teller:
    """What a review says in one language."""

    def __init__(self, review: Review, lang: str) -> None:
        self.review, self.lang = review, lang
        self.game: Game = review.view.game
        self.texts: Texts = self.game.folder.texts(lang)

    # ------------------------------------------------------------ plain data

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain data; chances are whole thousandths."""
        review, reading = self.review, self.review.reading
        return {
            "game": self.game.id,
            "variant": self.game.variant,
            "seat": review.seat,
            "level": review.level,
            "over": review.result is not None,
            "start": review.start,
            "decisions": [self.decision(each) for each in review.decisions],
            "last_luck": review.last_luck,
            "given_up": review.given_up,
            "chance": review.chance,
            "result": review.result,
            "score": review.score,
            "reading": {
                "guesses": reading.guesses,
                "share": reading.share,
                "truth": reading.truth,
                "counting": reading.counting,
            },
            "moments": [self._moment(each) for each in review.moments],
        }

    def decision(self, decision: Decision) -> dict[str, Any]:
        """Return one decision as plain data."""
        found = decision.assessment
        return {
            "ply": decision.ply,
            "luck": decision.luck,
            "chance": decision.chance,
            "made": found.made,
            "best": found.best.move.id,
            "loss": decision.loss,
            "loss_error": thousandths(found.loss_error),
            "verdict": decision.verdict,
            "kind": decision.kind,
            "kind_label": kind_label(self.texts, decision.kind),
            "solved": found.is_solved,
            "moves": [
                {
                    "id": each.move.id,
                    "notation": each.move.notation,
                    "label": each.move.label(self.lang),
                    "chance": thousandths(each.chance),
                    "error": thousandths(each.error),
                    "simulations": each.simulations,
                }
                for each in found.moves
            ],
            "belief": [self._place(each) for each in decision.belief],
            "observations": [self._observation(each) for each in decision.observations],
            "why": self.why(decision),
        }

    def _place(self, belief: PlaceBelief) -> dict[str, Any]:
        name = belief.place
        return {
            "place": name,
            "seat": belief.seat,
            "slots": [
                {"slot": slot, "cards": self._chances(name, chances)}
                for slot, chances in belief.slots
            ],
            "holds": self._chances(name, belief.holds),
        }

    def _chances(self, place: str, chances: Chances) -> list[dict[str, Any]]:
        return [
            {**self._card(place, card), "chance": thousandths(chance)}
            for card, chance in chances.items()
        ]

    def _card(self, place: str, card: int) -> dict[str, Any]:
        of = self.game.folder.layout.places[place].of
        cards = of.cards if isinstance(of, CountOf) else of
        assert isinstance(cards, type)
        assert issubclass(cards, Cards)
        return {"card": card, "printed": cards(card).printed, "name": self.card(card)}

    def _observation(self, observation: Observation) -> dict[str, Any]:
        return {
            "ply": observation.ply,
            "text": self.said(observation.told),
            "place": observation.place,
            "seat": observation.seat,
            **self._card(observation.place, observation.card),
            "before": thousandths(observation.before),
            "after": thousandths(observation.after),
        }

    def _moment(self, moment: Moment) -> dict[str, Any]:
        kind = "choice" if moment.is_choice else "luck"
        text = self.moment(moment)
        return {"ply": moment.ply, "kind": kind, "points": moment.points, "text": text}

    # ------------------------------------------------------------ sentences

    def say(self, key: str, **args: Any) -> str:
        """Return a text of the analysis."""
        return self.texts(f"analysis.{key}", args)

    def said(self, told: Sequence[Message]) -> str:
        """Return several sentences of a story."""
        return " ".join(self.texts(key, args) for key, args in told)

    def card(self, card: int) -> str:
        """Return the name of a card."""
        word = getattr(self.game.folder.story, "card_word", None)
        return str(card) if word is None else self.say("card", card=word(card))

    def choice(self, decision: Decision) -> str:
        """Return a decision in a line."""
        return self.say(
            "choice",
            ply=decision.ply,
            chance=percent(decision.chance, self.lang),
            luck=f" ({points(decision.luck, self.lang)})",
            move=self.made(decision),
            verdict=self.say(decision.verdict),
        )

    def better(self, decision: Decision) -> str:
        """Return the move that was better, and what it was worth."""
        best = decision.assessment.best
        return self.say(
            "better",
            move=best.move.label(self.lang),
            chance=percent(decision.chance, self.lang),
            error=_tenths(thousandths(best.error), self.lang),
            loss=points(-decision.loss, self.lang),
        )

    def made(self, decision: Decision) -> str:
        """Return the move that was made, in words."""
        made = decision.assessment.made
        assert made is not None
        return decision.assessment.of(made).move.label(self.lang)

    def why(self, decision: Decision) -> str | None:
        """Return why the best move is better, in a line; None if nothing explains it."""
        reason = decision.reason
        if reason is None:
            return None
        return self.say(
            "why",
            better=decision.assessment.best.move.label(self.lang),
            event=self.texts(*reason.event),
            more=_whole_percent(reason.better, self.lang),
            made=self.made(decision),
            less=_whole_percent(reason.made, self.lang),
        )

    def beliefs(self, decision: Decision, most: int = 5) -> list[str]:
        """Return what was to be believed of each hidden place, the likeliest cards first."""
        return [
            self.say(
                "believed",
                where=self._where(each.place, each.seat),
                cards=", ".join(
                    f"{self.card(card)} {_whole_percent(chance, self.lang)}"
                    for card, chance in list(each.holds.items())[:most]
                ),
            )
            for each in decision.belief
        ]

    def observed(self, decision: Decision) -> list[str]:
        """Return the observations that changed the belief most."""
        return [
            self.say(
                "observed",
                told=self.said(each.told),
                where=self._where(each.place, each.seat),
                card=self.card(each.card),
                before=_whole_percent(each.before, self.lang),
                after=_whole_percent(each.after, self.lang),
            )
            for each in decision.observations
        ]

    def moment(self, moment: Moment) -> str:
        """Return a moment worth looking at, in a line."""
        change = points(moment.points, self.lang)
        if not moment.is_choice:
            told = self.said(self.most_telling(moment.told))
            return self.say("moment_luck", ply=moment.ply, points=change, told=told)
        decision = next(each for each in self.review.decisions if each.ply == moment.ply)
        return self.say(
            "moment_choice",
            ply=moment.ply,
            move=self.made(decision),
            points=points(-moment.points, self.lang).removeprefix("+"),
            best=decision.assessment.best.move.label(self.lang),
        )

    def most_telling(self, told: Sequence[Message]) -> list[Message]:
        """Return three sentences of a story: those that tell an event, then the last."""
        events = [
            each for each in told if each[0].replace("story.", "event.", 1) in self.texts.entries
        ]
        others = [each for each in told if each not in events]
        left = SENTENCES - len(events)
        chosen = [*events[:SENTENCES], *(others[-left:] if left > 0 else [])]
        return [each for each in told if each in chosen]

    def sum(self) -> str:
        """Return the parts, which add up to the result."""
        review = self.review
        return self.say(
            "sum",
            start=percent(review.start, self.lang),
            luck=points(review.luck, self.lang),
            loss=points(-review.loss, self.lang),
            given_up="yes" if review.given_up else "no",
            resigned=points(-review.given_up, self.lang),
            chance=percent(review.chance, self.lang),
            end="over" if review.result is not None else "running",
        )

    def scores(self) -> list[str]:
        """Return the score of the match, and those of reading the others."""
        review, reading = self.review, self.review.reading
        if review.score is None:
            lines = [self.say("no_score")]
        else:
            counts = {
                verdict: sum(each.verdict == verdict for each in review.decisions)
                for verdict in ("best", "good", "inaccuracy", "mistake")
            }
            lines = [self.say("score", score=review.score, **counts)]
        if reading.share is not None:
            share = _whole_percent(reading.share, self.lang)
            lines.append(self.say("guesses", count=reading.guesses, share=share))
        if reading.truth is not None and reading.counting is not None:
            truth, counting = (
                _whole_percent(each, self.lang) for each in (reading.truth, reading.counting)
            )
            lines.append(self.say("truth", truth=truth, counting=counting))
        return lines

    def _where(self, place: str, seat: int | None) -> str:
        name = place_label(self.texts, place)
        if seat is None:
            return name
        return self.say("of_seat", who=seat_word(seat, self.review.seat), place=name)


def kind_label(texts: Texts, kind: str) -> str:
    """Return the name of a kind of decision."""
    return str(texts.entries.get(f"kind.{kind}", kind))


def place_label(texts: Texts, place: str) -> str:
    """Return the name of a place."""
    return str(texts.entries.get(f"place.{place}", place))


def _whole_percent(chance: float, lang: str) -> str:
    return f"{round(100 * chance)}{NO_BREAK if lang == 'fr' else ''}%"
