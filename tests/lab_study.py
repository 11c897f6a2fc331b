"""A study whose figures are made up, with all that a report can say; for tests and pictures."""

from __future__ import annotations

import math
from typing import Any

from brelan.lab import sequences
from brelan.lab.study.figures import (
    CardEvent,
    CardFigure,
    Choices,
    Fairness,
    Figure,
    Length,
    LevelFigures,
    MetricFigure,
    Moment,
    MoveFigure,
    Rules,
    Scores,
    SeatFigure,
    Skill,
    StudyFigures,
    Tension,
    Unused,
)

ANY = (-math.inf, math.inf)
SHARE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)


def figure(
    mean: float,
    sd: float = 0.35,
    deals: int = 10_000,
    span: tuple[float, float] | None = SHARE,
    null: float | None = None,
) -> Figure:
    """Return a figure with its confidence sequence."""
    bounds = span or ANY
    low, high = sequences.interval(mean, sd, deals, low=bounds[0], high=bounds[1])
    return Figure(mean, low, high, sd, deals, null, span)


def amount(mean: float, sd: float, deals: int = 10_000) -> Figure:
    return figure(mean, sd, deals, None)


def seats(shares: list[float], score: float) -> list[SeatFigure]:
    fair = 1 / len(shares)
    return [
        SeatFigure(number, figure(share, null=fair), amount(score * share, 3.0))
        for number, share in enumerate(shares)
    ]


def event(wins: float, difference: float, times: float, share: float) -> CardEvent:
    gap = figure(difference, 0.6, 5000, None, 0.0)
    return CardEvent(amount(times, 0.4), share, figure(wins, span=None), gap)


def card(
    number: int, names: tuple[str, str], value: float, sd: float = 0.4, deals: int = 4000
) -> CardFigure:
    named = {"fr": names[0], "en": names[1]}
    worth = figure(value, sd, deals, DIFFERENCE, 0.0)
    events = [
        event(0.5 + value * part, value * part, 1.1 * part, 0.3) for part in (0.4, 0.6, 0.9, 0.2)
    ]
    the = {"fr": names[0] if names[0][0].isdigit() else f"le {names[0]}", "en": f"the {names[1]}"}
    return CardFigure(number, names[1][:1], named, 1 + number % 3, *events, worth, the)


def level(name: str, *, order: list[float], by_seat: list[float], **changes: Any) -> LevelFigures:
    """Return the figures of a level; what is not given is of a game without a fault."""
    curve = [
        Moment(
            n / 10,
            figure(0.5 + 0.045 * n, 0.3, 200),
            figure(min(1.0, 0.55 + 0.043 * n), 0.2, 200),
        )
        for n in range(11)
    ]
    given: dict[str, Any] = {
        "matches": 20_000,
        "deals": 10_000,
        "precision": 0.01,
        "is_settled": True,
        "fairness": Fairness(seats(by_seat, 60), seats(order, 60), figure(0.004, 0.05)),
        "length": Length(amount(38.2, 9), amount(31.0, 8), amount(4.0, 1.2), amount(13.4, 4), 19.0),
        "choices": Choices(
            amount(4.1, 1.1),
            figure(0.12, 0.1),
            figure(0.041, 0.05, 200),
            figure(0.34, 0.2, 200),
            0.05,
            Skill(
                name,
                "random",
                figure(0.5, 0.3, null=0.5),
                figure(0.4, 0.2, 5000),
                figure(0.06, 0.1),
            ),
        ),
        "scores": Scores(
            [float(10 * n) for n in range(13)],
            [
                [60 * n * (12 - n) + 40 * seat * n for n in range(12)]
                for seat in range(len(by_seat))
            ],
            amount(41.3, 12),
            amount(22.0, 9),
            amount(12.5, 8),
            0.81,
        ),
        "cards": [],
        "metrics": [
            MetricFigure("knockouts", amount(2.31, 1)),
            MetricFigure("showdowns", amount(1.66, 1)),
        ],
        "tension": Tension(
            curve, figure(0.74, 0.2, 200), amount(3.2, 2, 200), figure(0.06, 0.2, 200), 0.9
        ),
    }
    return LevelFigures(name, **{**given, **changes})


def study(levels: list[LevelFigures], **changes: Any) -> StudyFigures:
    given: dict[str, Any] = {
        "game": "love-letter",
        "names": {"fr": "Love Letter", "en": "Love Letter"},
        "variant": "love-letter/1:2p#6fa3ef75",
        "rules_version": 1,
        "version": "0.1.0",
        "players": len(levels[0].fairness.seats),
        "knobs": {"players": 2},
        "turned": {},
        "seed": 1,
        "command": "brelan lab report love-letter --level careful,club --seed 1",
        "levels": levels,
    }
    return StudyFigures(**{**given, **changes})


CARDS = [
    card(1, ("Garde", "Guard"), 0.031),
    card(2, ("Prêtre", "Priest"), -0.045),
    card(3, ("Baron", "Baron"), 0.001, 0.2, 20_000),
    card(4, ("Servante", "Handmaid"), 0.052),
    card(8, ("Princesse", "Princess"), -0.183),
]


def faulty(name: str = "careful", **changes: Any) -> LevelFigures:
    """Return a level with something to say of everything."""
    given: dict[str, Any] = {
        "cards": CARDS,
        "fairness": Fairness(
            seats([0.502, 0.498], 60), seats([0.469, 0.531], 60), figure(0.113, 0.2)
        ),
        "moves": [
            MoveFigure(
                "priest",
                {"fr": "jouer le Prêtre", "en": "play the Priest"},
                amount(1.2, 0.6),
                0.11,
                amount(1.93, 0.8, 200),
            ),
            MoveFigure(
                "guard",
                {"fr": "jouer le Garde", "en": "play the Guard"},
                amount(4.6, 1.6),
                0.38,
                amount(0.71, 0.5, 200),
            ),
        ],
        "rules": Rules(
            1000,
            [Unused("§6.1", {"fr": "La pioche est vide", "en": "The deck is empty"})],
            [Unused("spy_bonus", {"fr": "Bonus de l’Espionne", "en": "The Spy’s bonus"})],
            [
                Unused(
                    "story.nobody",
                    {"fr": "{who.the} gagne.", "en": "{n, plural, one {# wins} other {# win}}."},
                )
            ],
        ),
    }
    return level(name, order=[0.5, 0.5], by_seat=[0.5, 0.5], **{**given, **changes})
