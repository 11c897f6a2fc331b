"""The standings of an arena: a cross table with intervals, ratings, faults and times."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brelan.engine.game import Game
from brelan.lab.arena.matches import MatchRecord
from brelan.lab.arena.ratings import Met, Rating, ratings
from brelan.lab.estimates import Estimate, mean, proportion

Means = npt.NDArray[np.float64]  # of the matches of a deal: the share of wins, and the lead


class Pairing(NamedTuple):
    """Who meets: one bot, and those at all other seats. Bots are meant by their place."""

    one: int
    others: int


class PairedDifference(NamedTuple):
    """How much better the second of two pairings did than the first, on the same deals."""

    before: Pairing
    after: Pairing
    wins: Estimate  # how much more often the one won
    lead: Estimate  # how much further ahead of the best other its score was, on average


@dataclass(frozen=True)
class Standings:
    """The rows of an arena, and the figures that follow from them."""

    game: Game
    bots: list[str]
    seed: int
    pairings: list[Pairing]
    rows: Sequence[MatchRecord]

    @functools.cached_property
    def _by_deal(self) -> dict[Pairing, dict[int, Means]]:
        """For each pairing that was played, the one's share of wins and its lead, deal by deal."""
        found: dict[Pairing, dict[int, list[tuple[float, int]]]] = {}
        for row in sorted(self.rows, key=lambda row: row.pairing):
            deals = found.setdefault(self.pairings[row.pairing], {})
            deals.setdefault(row.deal, []).append((row.won, row.lead))
        return {
            pairing: {deal: np.mean(seats, axis=0) for deal, seats in deals.items()}
            for pairing, deals in found.items()
        }

    @functools.cached_property
    def win_rates(self) -> dict[Pairing, Estimate]:
        """For each pairing that was played, how often the one won; a win may be shared."""
        return {
            pairing: proportion(np.array([won for won, _ in deals.values()]))
            for pairing, deals in self._by_deal.items()
        }

    @functools.cached_property
    def gains(self) -> list[PairedDifference]:
        """If all met the same bot: how much better each did than those before it, deal by deal.

        Luck of the deal is the same for both: of bots that play alike this is known very well.
        """
        if len({pairing.others for pairing in self.pairings}) > 1:
            return []
        played = Counter((row.pairing, row.deal) for row in self.rows)
        whole = {key for key, seats in played.items() if seats == self.game.players}
        found = []
        for one, other in itertools.combinations(range(len(self.pairings)), 2):
            both = [deal for number, deal in whole if number == one and (other, deal) in whole]
            before, after = self.pairings[one], self.pairings[other]
            if both:
                then, now = self._by_deal[before], self._by_deal[after]
                more = np.array([now[deal] - then[deal] for deal in both])
                found.append(PairedDifference(before, after, mean(more[:, 0]), mean(more[:, 1])))
        return found

    @property
    def fair(self) -> float:
        """The share of wins of one among equals."""
        return 1 / self.game.players

    @functools.cached_property
    def ratings(self) -> list[Rating]:
        """For each bot its rating: Bradley-Terry, over all matches."""
        played = Counter((self.pairings[row.pairing], row.deal) for row in self.rows)
        met = []
        for pairing in self.pairings:
            deals = self._by_deal.get(pairing, {})
            shares = np.array([won for won, _ in deals.values()], np.float64)
            matches = np.array([played[pairing, deal] for deal in deals], np.float64)
            met.append(Met(*pairing, list(deals), shares, matches))
        return ratings(len(self.bots), self.game.players, met)

    @functools.cached_property
    def seconds(self) -> list[float]:
        """For each bot, how long it took for a decision on average."""
        decisions, seconds = np.zeros((2, len(self.bots)))
        for row in self.rows:
            for side, bot in enumerate(self.pairings[row.pairing]):
                decisions[bot] += row.decisions[side]
                seconds[bot] += row.seconds[side]
        return [float(value) for value in seconds / np.maximum(decisions, 1)]

    @property
    def faults(self) -> list[str]:
        """Every match that somebody lost by not playing properly, and why."""
        return [f"deal {row.deal}, {row.fault}" for row in self.rows if row.fault]

    def table(self) -> Iterable[dict[str, Any]]:
        """Yield each pairing as plain data."""
        for pairing, figure in self.win_rates.items():
            number = self.pairings.index(pairing)
            yield {
                "bot": self.bots[pairing.one],
                "others": self.bots[pairing.others],
                "players": self.game.players,
                "matches": sum(row.pairing == number for row in self.rows),
                **figure.as_dict(),
            }

    def as_dict(self) -> dict[str, Any]:
        """Return the standings as plain data."""
        bots = zip(self.bots, self.ratings, self.seconds, strict=True)
        return {
            "variant": self.game.variant,
            "seed": self.seed,
            "matches": len(self.rows),
            "fair_share": self.fair,
            "bots": [
                {"bot": bot, "rating": rating.mu, "uncertainty": rating.sigma, "seconds": seconds}
                for bot, rating, seconds in bots
            ],
            "pairings": list(self.table()),
            "gains": [
                {
                    "bot": self.bots[gain.after.one],
                    "beside": self.bots[gain.before.one],
                    "others": self.bots[gain.after.others],
                    **gain.wins.as_dict(),
                    "lead": gain.lead.as_dict(),
                }
                for gain in self.gains
            ],
            "faults": self.faults,
        }
