"""The figures of a level, from its tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from brelan.engine.game import Game
from brelan.lab.study.card_figures import card_figures
from brelan.lab.study.figures import (
    Choices,
    Fairness,
    Figure,
    Length,
    LevelFigures,
    MetricFigure,
    Scores,
    SeatFigure,
    Skill,
)
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.intervals import (
    COUNT,
    SHARE,
    Values,
    figure,
    mean_of,
    nothing,
    ratio_of,
)
from brelan.lab.study.plan import CONTEST, FEWEST_DEALS, PLAY, SAMPLE, weaker
from brelan.lab.study.sample_figures import move_figures, rule_figures, tension

if TYPE_CHECKING:
    import polars

MUCH = 0.03  # of a match: a decision matters if its best move is ahead by so much
BARS = 24  # of a histogram
PIECES = 30  # of the deals, for a jackknife
OFTEN = 0.9  # a match is seldom longer than so many are shorter


class Matches:
    """The matches of a level, whose values can be averaged by deal."""

    def __init__(self, table: polars.DataFrame, players: int) -> None:
        self.table, self.players = table, players
        self.deal = table["deal"].to_numpy()
        self.deals = int(self.deal.max()) + 1
        self.won = np.stack([self.column(f"won_{seat}") for seat in range(players)], axis=1)
        self.scores = np.stack([self.column(f"score_{seat}") for seat in range(players)], axis=1)

    def column(self, name: str) -> Values:
        """Return a column."""
        return self.table[name].to_numpy()

    def totals(self, values: Values) -> Values:
        """Return the sum of a value over the matches of each deal."""
        return np.bincount(self.deal, weights=values, minlength=self.deals)

    def by_deal(self, values: Values) -> Values:
        """Return the mean of a value over the matches of each deal."""
        return self.totals(values) / np.bincount(self.deal, minlength=self.deals)


def level_figures(
    folder: StudyFolder, game: Game, level: str, batches: int, *, is_settled: bool
) -> LevelFigures:
    """Return the figures of a level, of the first batches of its matches."""
    matches = Matches(folder.table(level, PLAY, "matches", batches), game.players)
    cards = folder.table(level, PLAY, "cards", batches)
    told = matches.table.height
    return LevelFigures(
        level=level,
        matches=told,
        deals=matches.deals,
        precision=folder.plan.budget(level).precision,
        is_settled=is_settled,
        fairness=_fairness(matches),
        length=_length(matches),
        choices=_choices(folder, game, level, matches),
        scores=_scores(matches),
        cards=card_figures(folder, game, level, cards, matches.deals, matches.won),
        metrics=_metrics(matches),
        tension=tension(folder.table(level, SAMPLE, "moments"), game.players),
        moves=move_figures(folder.table(level, SAMPLE, "moves")),
        rules=rule_figures(folder, game, level),
    )


def is_precise(wins: list[Figure], precision: float) -> bool:
    """Whether all shares are known to within a margin, of some deals at least."""
    return all(each.deals >= FEWEST_DEALS and each.margin <= precision for each in wins)


# ---------------------------------------------------------------- fairness, length, scores


def _fairness(matches: Matches) -> Fairness:
    seats = range(matches.players)
    place = (np.array(seats) + matches.column("starter")[:, None]) % matches.players
    won, scores = (
        np.take_along_axis(each, place, axis=1) for each in (matches.won, matches.scores)
    )
    return Fairness(
        [_seat(matches, seat, matches.won, matches.scores) for seat in seats],
        [_seat(matches, number, won, scores) for number in seats],
        mean_of(matches.by_deal(matches.column("winners") != 1), SHARE),
    )


def _seat(matches: Matches, number: int, won: Values, scores: Values) -> SeatFigure:
    return SeatFigure(
        number,
        mean_of(matches.by_deal(won[:, number]), SHARE, 1 / matches.players),
        mean_of(matches.by_deal(scores[:, number])),
    )


def _length(matches: Matches) -> Length:
    rounds, minutes = matches.column("rounds"), matches.column("minutes")
    return Length(
        mean_of(matches.by_deal(matches.column("decisions")), COUNT),
        mean_of(matches.by_deal(matches.column("turns")), COUNT),
        mean_of(matches.by_deal(rounds), COUNT) if rounds.any() else None,
        mean_of(matches.by_deal(minutes), COUNT),
        float(np.quantile(minutes, OFTEN)),
    )


def _scores(matches: Matches) -> Scores:
    scores = matches.scores
    low, high = int(scores.min()), int(scores.max())
    width = max(1, math.ceil((high - low + 1) / BARS))
    edges = np.arange(low, high + 1 + width, width) - 0.5
    ranked = np.sort(scores, axis=1)
    varies = scores.std() > 0 and matches.won.std() > 0
    correlation = float(np.corrcoef(scores.ravel(), matches.won.ravel())[0, 1]) if varies else None
    return Scores(
        edges.tolist(),
        [np.histogram(scores[:, seat], edges)[0].tolist() for seat in range(matches.players)],
        mean_of(matches.by_deal(scores.mean(axis=1))),
        mean_of(matches.by_deal(ranked[:, -1] - ranked[:, 0]), COUNT),
        mean_of(matches.by_deal(ranked[:, -1] - ranked[:, -2]), COUNT),
        correlation,
    )


def _metrics(matches: Matches) -> list[MetricFigure]:
    names = [name for name in matches.table.columns if name.startswith("metric_")]
    return [
        MetricFigure(name.removeprefix("metric_"), mean_of(matches.by_deal(matches.column(name))))
        for name in names
    ]


# ---------------------------------------------------------------- choices


def _choices(folder: StudyFolder, game: Game, level: str, matches: Matches) -> Choices:
    decisions = matches.totals(matches.column("decisions"))
    gaps = folder.table(level, SAMPLE, "gaps")
    gap, matters = nothing(), nothing()
    if gaps.height:
        known = gaps.filter(gaps["gap"].is_finite())
        deal = known["deal"].to_numpy()
        count = np.bincount(deal)
        is_there = count > 0
        sums = [
            np.bincount(deal, weights=values)[is_there]
            for values in (known["gap"].to_numpy(), known["gap_least"].to_numpy() >= MUCH)
        ]
        gap = ratio_of(sums[0], count[is_there], (-1.0, 1.0))
        matters = ratio_of(sums[1], count[is_there], SHARE)
    return Choices(
        ratio_of(matches.totals(matches.column("legal")), decisions, COUNT),
        ratio_of(matches.totals(matches.column("forced")), decisions, SHARE),
        gap,
        matters,
        MUCH,
        _skill(folder.table(level, CONTEST, "contest"), game, level),
    )


def _skill(table: polars.DataFrame, game: Game, level: str) -> Skill | None:
    """Return what skill and luck are worth where one stronger player sits among weaker ones."""
    other = weaker(game, level)
    if other is None or not table.height:
        return None
    players = game.players
    won = np.stack([table[f"won_{seat}"].to_numpy() for seat in range(players)], axis=1)
    won = won.reshape(-1, players, players)  # deal, rotation, seat
    strong = np.einsum("dss->ds", won)  # the stronger one sits at the seat of its rotation
    wins = mean_of(strong.mean(axis=1), SHARE, 1 / players)
    shares = _shares(won)
    pieces = np.array_split(np.arange(len(won)), min(PIECES, len(won)))
    if len(pieces) < 2:
        return Skill(level, other, wins, nothing(), nothing())
    left_out = np.array([_shares(np.delete(won, piece, axis=0)) for piece in pieces])
    count = len(pieces)
    errors = np.sqrt((count - 1) / count * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    luck, skill = (
        figure(share, float(error) * math.sqrt(len(won)), len(won), SHARE, is_bounded=False)
        for share, error in zip(shares, errors, strict=True)
    )
    return Skill(level, other, wins, luck, skill)


def _shares(won: Values) -> tuple[float, float]:
    """Return which shares of the variance of results deal and seat explain, and skill.

    One-way analysis of variance: each seat of each deal is played once by the stronger player and
    otherwise by weaker ones, whose means are taken away first.
    """
    deals, players, _ = won.shape
    fair = 1 / players
    is_strong = np.eye(players, dtype=bool)
    strong, weak = won[:, is_strong].mean(), won[:, ~is_strong].mean()
    centred = won - np.where(is_strong, strong, weak)
    total = float(((won - fair) ** 2).mean())
    if not total or deals < 2:
        return math.nan, math.nan
    middle = centred.mean(axis=1)
    between = players * float((middle**2).mean())
    within = float(((centred - middle[:, None]) ** 2).sum()) / (deals * players * (players - 1))
    luck = (between - within) / players / total
    skill = (fair * (strong - fair) ** 2 + (1 - fair) * (weak - fair) ** 2) / total
    return min(1.0, max(0.0, luck)), float(skill)
