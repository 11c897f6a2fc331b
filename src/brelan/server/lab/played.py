"""A match that people played, measured as a study measures its own: from the log and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.lab.study.cells import ROUND, counts_rounds, starter_of
from brelan.rules import Seat
from brelan.server import fairness
from brelan.server.storage import Stored
from brelan.server.takebacks import standing

AWAY = 180.0  # seconds after which somebody is believed to have gone away; no more are counted


class Played(msgspec.Struct, frozen=True):
    """What a match gives."""

    people: int  # seats of people; the others are bots'
    won: list[float]  # the share of the win of each seat
    scores: list[int]
    starter: int
    decisions: int
    turns: int
    rounds: int  # 0: the game does not count them
    legal: int  # the sum over decisions
    forced: int  # decisions with one move
    minutes: float


def measured(game: Game, stored: Stored) -> Played | None:
    """Return what a match gives; None: no person sat there, or it did not end by its rules.

    A match that somebody gave up, or that a bot played to its end for them, says little of the
    rules.
    """
    people = sum(seat["key"] is not None for seat in stored.seats)
    left = standing(stored.events)
    if not people or any(event.kind != "move" for event in left):
        return None
    nonces = {seat["seat"]: seat["nonce"] for seat in stored.seats if seat["nonce"]}
    match = Match(game, fairness.deal_seed(stored.row["secret"], nonces), None)
    watch = followed(match, [event.number for event in left])
    result = match.result
    if watch is None or result is None:
        return None
    share = 1 / (len(result.winners) or game.players)
    winners = result.winners or range(game.players)
    return Played(
        people=people,
        won=[share if seat in winners else 0.0 for seat in range(game.players)],
        scores=result.scores,
        starter=max(0, watch.starter),
        decisions=watch.decisions,
        turns=watch.turns,
        rounds=watch.rounds,
        legal=watch.legal,
        forced=watch.forced,
        minutes=_minutes(stored.row, (event.at for event in stored.events)),
    )


def followed(match: Match, numbers: Sequence[int | None]) -> Watch | None:
    """Make moves in a match, and count what happens; None: one of them cannot be made."""
    match.release()
    watch = Watch(match)
    for number in numbers:
        if number not in (legal := match.legal_numbers()):
            return None
        watch.decides(match, len(legal))
        match.play_unchecked(number)
        watch.look(match)
    return watch


class Watch:
    """Counts what happens in a match, as `brelan.lab.study.watch` does in machine code."""

    def __init__(self, match: Match) -> None:
        layout = match.game.folder.layout
        name = starter_of(layout)
        place = layout.places.get(name or "")
        self._named = name if place is not None and place.sight == "everyone" else None
        self._base = int(place is not None and place.of is Seat)  # then 0 is nobody, so far
        self._has_rounds = counts_rounds(layout)
        self.decisions = self.turns = self.legal = self.forced = self.rounds = 0
        self.starter = -1
        self._last: int | None = None
        self.look(match)

    def decides(self, match: Match, legal: int) -> None:
        """Note a decision among so many moves."""
        self.decisions += 1
        self.turns += match.turn != self._last
        self.legal += legal
        self.forced += legal == 1
        self._last = match.turn

    def look(self, match: Match) -> None:
        """Note who starts, once that is known, and the number of the round."""
        record = match.record(None)
        if self.starter < 0 and self._named is None:
            self.starter = -1 if match.turn is None else match.turn
        elif self.starter < 0:
            self.starter = int(record[self._named]) - self._base
        if self._has_rounds:
            self.rounds = max(self.rounds, int(record[ROUND]))


def _minutes(row: Mapping[str, Any], times: Iterable[float]) -> float:
    """Return how long a match has taken, but for the time in which somebody had gone away."""
    seconds, before = 0.0, row["started"]
    for at in times:
        seconds += min(AWAY, max(0.0, at - before))
        before = at
    return seconds / 60


def as_text(played: Played | None) -> str | None:
    """Return what is kept of a match."""
    return None if played is None else msgspec.json.encode(played).decode()


def from_text(text: str) -> Played:
    """Return what `as_text` wrote."""
    return msgspec.json.decode(text, type=Played)
