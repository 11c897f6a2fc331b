"""Claims: what a designer would say of the figures of a study, and how sure each one is.

All claims that a report could make are one family, corrected together; those that are significant
become sentences, the strongest effect first. Effects of different kinds are compared on one scale:
roughly, the share of matches whose course they change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from brelan.lab import sequences
from brelan.lab.multiplicity import ALPHA, holm
from brelan.lab.study.figures import CardFigure, Figure, LevelFigures, StudyFigures

HARDLY = 0.02  # of the win chance: what is certainly less hardly matters
MANY_TIES = 0.02  # from here on the thresholds that a figure must surpass to be worth a sentence
MANY_FORCED = 1 / 3
FEW_MATTER = 0.15
MUCH_LUCK = 0.5
EARLY = 0.6
MANY_COMEBACKS = 0.1
IDLE = 0.35  # a card for nothing is worth telling as an effect of this size is
SKILL = 0.1  # of its effect: that a stronger player wins is no surprise
MOST_OF_A_KIND = 2  # sentences
RARE = 0.02  # a rule that comes into play in fewer matches never does, to a reader


@dataclass(frozen=True)
class Claim:
    """Something that may be said: the key of its text, its facts, its effect, its p-value."""

    key: str
    level: str
    effect: float
    p: float
    facts: dict[str, Any] = field(default_factory=dict)
    subject: str = ""  # of two claims of one subject the stronger one is said
    adjusted: float = 1.0  # the p-value, corrected for the family

    @property
    def kind(self) -> str:
        """What kind of thing it is about."""
        return self.subject.partition(":")[0]

    @property
    def is_significant(self) -> bool:
        """Whether it may be said."""
        return self.adjusted <= ALPHA


def claims(study: StudyFigures) -> list[Claim]:
    """Return all claims of a study, corrected for their number, the strongest effect first."""
    found = [claim for level in study.levels for claim in _of_level(level, study.players)]
    corrected = holm([claim.p for claim in found])
    family = [
        Claim(c.key, c.level, c.effect, c.p, c.facts, c.subject, adjusted)
        for c, adjusted in zip(found, corrected, strict=True)
    ]
    return sorted(family, key=lambda claim: -claim.effect)


def worth_saying(study: StudyFigures, family: Sequence[Claim], most: int = 5) -> list[Claim]:
    """Return the strongest significant claims: one for each subject, and at most two of a kind.

    Of several levels of play that say something of a subject, the last one, which is the strongest,
    is heard.
    """
    rank = {level.level: number for number, level in enumerate(study.levels)}
    best: dict[str, Claim] = {}
    for claim in family:
        known = best.get(claim.subject)
        if claim.is_significant and (known is None or rank[claim.level] > rank[known.level]):
            best[claim.subject] = claim
    said: list[Claim] = []
    for claim in sorted(best.values(), key=lambda claim: -claim.effect):
        if sum(other.kind == claim.kind for other in said) < MOST_OF_A_KIND:
            said.append(claim)
    return said[:most]


def _of_level(level: LevelFigures, players: int) -> Iterator[Claim]:
    yield from _fairness(level, players)
    yield from _choices(level)
    yield from _tension(level)
    yield from _cards(level)
    yield from _rules(level)


def _fairness(level: LevelFigures, players: int) -> Iterator[Claim]:
    fair = 1 / players
    groups = (("order", level.fairness.order), ("seat", level.fairness.seats))
    for group, seats in groups:
        for seat in seats:
            wins = seat.wins
            key = group
            if group == "order":
                places = {0: "first", players - 1: "last"}
                key = f"order_{places.get(seat.number, 'place')}"
            facts = {"number": seat.number, "wins": wins, "fair": fair}
            effect = _beyond(wins.mean, fair)
            # Of an advantage that is both of a seat and of a place, the place is said.
            effect *= 1.0 if group == "order" else 0.98
            yield Claim(key, level.level, effect, _unlike(wins, fair), facts, "fairness")
    ties = level.fairness.ties
    surely = _above(ties, MANY_TIES)
    yield Claim("ties", level.level, ties.mean, surely, {"ties": ties}, "ties")


def _choices(level: LevelFigures) -> Iterator[Claim]:
    choices = level.choices
    forced, matters = choices.forced, choices.matters
    yield Claim(
        "forced",
        level.level,
        forced.mean - MANY_FORCED,
        _above(forced, MANY_FORCED),
        {"forced": forced},
        "forced",
    )
    yield Claim(
        "matters",
        level.level,
        FEW_MATTER - matters.mean,
        _below(matters, FEW_MATTER),
        {"matters": matters, "much": choices.is_much},
        "matters",
    )
    if (skill := choices.skill) is None:
        return
    fair = skill.wins.null or 0.0
    facts = {"stronger": skill.stronger, "weaker": skill.weaker, "wins": skill.wins, "fair": fair}
    above = _above(skill.wins, fair)
    gain = SKILL * _beyond(skill.wins.mean, fair)
    yield Claim("skill", level.level, gain, above, facts, "skill")
    within = _within(skill.wins, fair - HARDLY, fair + HARDLY)
    yield Claim("no_skill", level.level, 0.2, within, facts, "skill")
    luck = skill.luck_share
    facts = {"luck": luck, "skill": skill.skill_share}
    yield Claim("luck", level.level, luck.mean - MUCH_LUCK, _above(luck, MUCH_LUCK), facts, "luck")


def _tension(level: LevelFigures) -> Iterator[Claim]:
    if (tension := level.tension) is None:
        return
    decided, back = tension.decided, tension.comebacks
    facts = {"decided": decided, "high": tension.is_high}
    yield Claim(
        "decided", level.level, EARLY - decided.mean, _below(decided, EARLY), facts, "decided"
    )
    yield Claim(
        "comebacks",
        level.level,
        0.5 * back.mean,
        _above(back, MANY_COMEBACKS),
        {"comebacks": back},
        "comebacks",
    )


def _cards(level: LevelFigures) -> Iterator[Claim]:
    valued = [(card, card.value) for card in level.cards if card.value is not None]
    for card, value in valued:
        facts = {"card": card, "value": value, **_played(card, level)}
        key = "card_good" if value.mean > 0 else "card_bad"
        effect = 2 * abs(value.mean)
        p = _unlike(value, 0.0)
        yield Claim(key, level.level, effect, p, facts, f"card:{card.card}")
        others = [other.mean for each, other in valued if each is not card]
        rest = sum(abs(mean) > HARDLY for mean in others)
        if len(others) >= 2 and 2 * rest >= len(
            others
        ):  # else no card matters, and none stands out
            p = _within(value, -HARDLY, HARDLY)
            effect = IDLE - abs(value.mean)
            yield Claim("card_idle", level.level, effect, p, facts, f"idle:{card.card}")


def _played(card: CardFigure, level: LevelFigures) -> dict[str, Any]:
    """Return how often a card is played, in a round if rounds are counted, else in a match."""
    times = card.played.times.mean if card.played is not None else None
    rounds = level.length.rounds
    if times is not None and rounds is not None and rounds.mean > 1.5:
        return {"played": times / rounds.mean, "per": "round"}
    return {"played": times, "per": "match"}


def _rules(level: LevelFigures) -> Iterator[Claim]:
    if (rules := level.rules) is None:
        return
    never = sequences.below(0.0, 0.0, rules.matches, RARE, low=0, high=1)
    for kind, unused in (("section", rules.sections), ("knob", rules.knobs)):
        if unused:
            facts = {"unused": unused, "matches": rules.matches}
            effect = 0.1 if kind == "section" else 0.02
            yield Claim(f"idle_{kind}", level.level, effect, never, facts, f"rules:{kind}")


def _beyond(mean: float, fair: float) -> float:
    """Return how much of what could be gained above, or lost below, a fair share is."""
    return (mean - fair) / (1 - fair) if mean > fair else (fair - mean) / fair * 0.9


def _unlike(figure: Figure, null: float) -> float:
    return _sure(sequences.p_value, figure, null)


def _above(figure: Figure, null: float) -> float:
    return _sure(sequences.above, figure, null)


def _below(figure: Figure, null: float) -> float:
    return _sure(sequences.below, figure, null)


def _within(figure: Figure, low: float, high: float) -> float:
    """Return the p-value of the claim that a mean lies between two values (two one-sided tests)."""
    return max(_above(figure, low), _below(figure, high))


def _sure(test: Callable[..., float], figure: Figure, null: float) -> float:
    if figure.deals < 2 or math.isnan(figure.mean) or math.isnan(figure.sd):
        return 1.0
    low, high = figure.span or (-math.inf, math.inf)
    return test(figure.mean, figure.sd, figure.deals, null, low=low, high=high)
