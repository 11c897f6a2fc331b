"""Simulation: matches between bots on paired deals, with rotated seats, summed up."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from brelan import bots as house
from brelan.bots.registry import close, fast_bot
from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.match_driver import Driver, blank_results
from brelan.engine.numbers import whole_number
from brelan.errors import Refused
from brelan.lab.estimates import Estimate, mean, proportion
from brelan.rules import payoffs

MAX_MATCHES = 10_000_000  # whose results fit in memory
CHUNK = 1000  # matches a thread plays between two reports of progress

Player = str | Callable[[Game], house.Bot]


@dataclass(frozen=True)
class Summary:
    """The results of many matches: `results` has a row for each, the rest are figures of them."""

    game: Game
    bots: list[str]
    seed: int
    results: npt.NDArray[Any]

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return len(self.results)

    @functools.cached_property
    def wins(self) -> list[Estimate]:
        """For each bot, the share of matches it won (a shared win counts in part)."""
        return [proportion(self._by_deal(self._by_bot("won")[:, bot])) for bot in self._players]

    @functools.cached_property
    def scores(self) -> list[Estimate]:
        """For each bot, its mean score."""
        return [mean(self._by_deal(self._by_bot("scores")[:, bot])) for bot in self._players]

    @functools.cached_property
    def seats(self) -> list[Estimate]:
        """For each seat, the share of matches won from it, whoever sat there."""
        return [proportion(self._by_deal(self.results["won"][:, seat])) for seat in self._players]

    @functools.cached_property
    def metrics(self) -> dict[str, Estimate]:
        """What the game measures in a match, on average."""
        names = self.game.folder.metrics.METRICS
        measured = [name for name in names if not np.isnan(self.results[name]).any()]
        return {name: mean(self._by_deal(self.results[name])) for name in measured}

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        return {
            "variant": self.game.variant,
            "matches": self.matches,
            "seed": self.seed,
            "bots": [
                {"bot": bot, "wins": wins.as_dict(), "score": score.as_dict()}
                for bot, wins, score in zip(self.bots, self.wins, self.scores, strict=True)
            ],
            "seats": [figure.as_dict() for figure in self.seats],
            "metrics": {name: figure.as_dict() for name, figure in self.metrics.items()},
            "decisions": int(self.results["decisions"].sum()),
        }

    @property
    def _players(self) -> range:
        return range(self.game.players)

    def _by_bot(self, field: str) -> npt.NDArray[Any]:
        """Return a field that stands by seat, by bot."""
        values = np.empty_like(self.results[field])
        np.put_along_axis(values, self.results["seating"], self.results[field], axis=1)
        return values

    def _by_deal(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the mean of each deal's matches, which share their luck."""
        deals = self.results["deal"]
        return np.bincount(deals, weights=values) / np.bincount(deals)


def simulate(
    game: Game,
    bots: Sequence[Player],
    matches: int = 10_000,
    seed: int = 1,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    preparing: Progress | None = None,
) -> Summary:
    """Let bots play matches against each other; return a summary of the results.

    Every deal is played once with each rotation of the seats. A bot is a built-in one, by
    name, or a function that makes one for a game. Results do not depend on the threads. Bots that
    are no rules of the game play match by match, and nothing is measured then.

    >>> import brelan
    >>> game = brelan.game("love-letter")
    >>> brelan.simulate(game, ["eager", "random"], matches=200, seed=1).wins[0].low > 0.8
    True
    """
    bots = [house.current_name(game, bot) if isinstance(bot, str) else bot for bot in bots]
    check_players(game, bots)
    if whole_number(matches) is None or not 1 <= matches <= MAX_MATCHES:
        raise Refused(f"matches = {matches} is not allowed; it may be 1 or more, to {MAX_MATCHES}")
    if threads is not None and (whole_number(threads) is None or threads < 1):
        raise Refused(f"threads = {threads} is not allowed; it may be 1 or more")
    known = house.names(game)
    results = blank_results(game, matches)
    if all(bot in known for bot in bots):
        numbers = [known.index(str(bot)) for bot in bots]
        Driver(game, numbers, matches=matches).prepare(preparing)
        _play_compiled(game, numbers, results, seed, threads or os.cpu_count() or 1, progress)
    else:
        _play_in_python(game, bots, results, seed, progress)
    names = [bot if isinstance(bot, str) else bot(game).name for bot in bots]
    return Summary(game, names, seed, results)


def check_players(game: Game, bots: Sequence[Player]) -> None:
    """Refuse bots that do not exist, or that are too many or too few."""
    for bot in bots:
        if isinstance(bot, str):
            close(house.bot(bot, game))  # refuses one that does not exist
    if len(bots) != game.players:
        raise Refused(f"{game.players} players need {game.players} bots, not {len(bots)}")


def _play_compiled(
    game: Game, bots: list[int], results: Any, seed: int, threads: int, progress: Progress | None
) -> None:
    """Play on all threads: machine code does not hold Python's lock."""
    drivers = threading.local()

    def play(first: int) -> int:
        if not hasattr(drivers, "own"):
            drivers.own = Driver(game, bots, matches=len(results))
        rows = results[first : first + CHUNK]
        drivers.own.set_up(rows, first, seed)
        drivers.own.play(rows)
        return len(rows)

    done = 0
    with ThreadPoolExecutor(threads) as pool:
        chunks = [pool.submit(play, first) for first in range(0, len(results), CHUNK)]
        try:
            for chunk in as_completed(chunks):
                done += chunk.result()
                if progress is not None:
                    progress(done, len(results))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C nothing more is begun


def _play_in_python(
    game: Game, bots: Sequence[Player], results: Any, seed: int, progress: Progress | None
) -> None:
    """Play match by match, on the same deals, for bots that are no rules; nothing is measured."""
    Driver(game, mode="interpreted").set_up(results, 0, seed)
    players = [fast_bot(bot, game, seed=0) if isinstance(bot, str) else bot(game) for bot in bots]
    for done, row in enumerate(results, start=1):
        match = Match.simulated(game, int(row["luck"]))
        while match.turn is not None:
            match.play(players[row["seating"][match.turn]].choose(match.view(match.turn)))
            row["decisions"] += 1
        assert match.result is not None
        row["scores"] = match.result.scores
        row["winners"][match.result.winners] = 1
        row["won"] = payoffs(row["winners"])
        for name in game.folder.metrics.METRICS:
            row[name] = np.nan
        if progress is not None:
            progress(done, len(results))
    for player in players:
        close(player)
