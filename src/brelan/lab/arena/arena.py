"""The arena: bots meet each other in turn, on paired deals, from every seat."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from brelan import bots as house
from brelan.bots.registry import close, fast_bot
from brelan.compiler.warmup import Progress
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver
from brelan.engine.numbers import whole_number
from brelan.errors import Refused
from brelan.lab.arena.ledger import Ledger
from brelan.lab.arena.matches import MatchRecord
from brelan.lab.arena.standings import Pairing, Standings
from brelan.lab.arena.workers import Job, Order, begin, work

MOVE_TIME = 30.0  # seconds that a bot from outside may take for a decision
LEAST_DEALS = 30  # before an interval is trusted
CHUNK = 250  # deals that bots of machine code play at a time
AHEAD = 3  # jobs for each worker that wait in line


def arena(
    game: Game,
    bots: Sequence[str],
    matches: int = 1000,
    seed: int = 1,
    *,
    gauntlet: str | None = None,
    opponent: str | None = None,
    precision: float | None = None,
    results: Path | None = None,
    move_time: float = MOVE_TIME,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Standings:
    """Let every bot meet every other one in so many matches, and return how they stand.

    With two seats each pair meets; with more, each bot sits alone among bots that are all of
    another kind. With a `gauntlet` only that bot meets the others; with more than two seats it
    is the one who sits alone. With an `opponent` the bots meet only that one, on the same deals.
    Every deal is played from all seats. With `precision` the arena closes as soon as all win rates
    are known to within that margin. `results` names a file that keeps finished matches, and from
    which the arena resumes. Results do not depend on the workers.
    """
    bots = [house.current_name(game, bot) for bot in bots]
    gauntlet, opponent = (
        bot if bot is None else house.current_name(game, bot) for bot in (gauntlet, opponent)
    )
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise Refused("an arena needs two bots or more, each named once")
    if whole_number(matches) is None or matches < 1:
        raise Refused(f"matches = {matches} is not allowed; it may be 1 or more")
    pairings = _pairings(game, bots, gauntlet, opponent)
    deals = -(-matches // game.players)
    prepare_bots(game, bots)
    ledger = Ledger(game, bots, seed, results, pairings)
    rows = {row.key: row for row in ledger.rows if row.deal < deals}
    is_quick = set(bots) <= set(house.names(game))
    jobs = [j for j in map(ledger.missing, _jobs(len(pairings), deals, is_quick)) if j.deals]
    total = deals * game.players * len(pairings)
    asked = Order(_path(game), game.knobs, bots, pairings, seed, move_time, is_quick)
    with ledger, contextlib.closing(_played(asked, jobs, workers or os.cpu_count() or 1)) as done:
        for finished in done:
            ledger.add(finished)
            rows |= {row.key: row for row in finished}
            if progress is not None:
                progress(len(rows), total)
            standings = Standings(game, bots, seed, pairings, list(rows.values()))
            if precision is not None and _is_known(standings, precision):
                break
    return Standings(game, bots, seed, pairings, [rows[key] for key in sorted(rows)])


def _pairings(
    game: Game, bots: list[str], gauntlet: str | None, opponent: str | None
) -> list[Pairing]:
    """Return who meets whom."""
    order = itertools.combinations if game.players == 2 else itertools.permutations
    pairings = [Pairing(*pair) for pair in order(range(len(bots)), 2)]
    if gauntlet is not None and opponent is not None:
        raise Refused("an arena has a gauntlet or an opponent, not both")
    if gauntlet is not None:
        number = _place(bots, gauntlet, "the gauntlet")
        sides = 2 if game.players == 2 else 1
        return [pairing for pairing in pairings if number in pairing[:sides]]
    if opponent is not None:
        number = _place(bots, opponent, "the opponent")
        return [Pairing(bot, number) for bot in range(len(bots)) if bot != number]
    return pairings


def _place(bots: list[str], bot: str, role: str) -> int:
    if bot not in bots:
        raise Refused(f"{role} {bot!r} is none of the bots: {', '.join(bots)}")
    return bots.index(bot)


def prepare_bots(game: Game, bots: Sequence[str], progress: Progress | None = None) -> None:
    """Try bots before the first match: refuse one that is none, compile the built-in ones."""
    for name in (house.current_name(game, bot) for bot in bots):
        bot = fast_bot(name, game, seed=0)
        if name in house.names(game):
            Driver(game).prepare(progress)
        if isinstance(bot, house.RuleBot | house.SearchBot):
            bot.prepare(progress)
        close(bot)


def _jobs(pairings: int, deals: int, is_quick: bool) -> Iterator[Job]:
    """Yield what is to be played, so that all pairings get on alike."""
    step = CHUNK if is_quick else 1
    for first in range(0, deals, step):
        chunk = tuple(range(first, min(first + step, deals)))
        yield from (Job(number, chunk) for number in range(pairings))


def _path(game: Game) -> str:
    """Return by what another process opens the game's folder."""
    from brelan.games import ids

    return game.id if game.id in ids() else str(game.folder.path)


def _played(order: Order, jobs: Sequence[Job], workers: int) -> Generator[list[MatchRecord]]:
    """Play jobs in processes of their own; yield their matches, in the order of the jobs."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(workers, max(len(jobs), 1)), context, initializer=begin, initargs=(order,)
    )
    waiting: deque[Future[list[MatchRecord]]] = deque()
    try:
        for job in jobs:
            waiting.append(pool.submit(work, job))
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _is_known(standings: Standings, precision: float) -> bool:
    """Whether every win rate is known to within a margin, after some deals at least."""
    fewest = LEAST_DEALS * standings.game.players * len(standings.pairings)
    rows = len(standings.rows)
    is_time = rows >= fewest and rows % 20 < standings.game.players  # it takes a while to see
    return is_time and all(figure.margin <= precision for figure in standings.win_rates.values())
