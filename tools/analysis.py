"""Measure the analysis of matches: its calibration, the mistakes of the levels, its speed.

    uv run tools/analysis.py calibration love-letter --matches 40
    uv run tools/analysis.py levels love-letter --matches 20
    uv run tools/analysis.py speed love-letter

Each prints a table for docs/analysis.md. `--keep FILE` adds what was measured to a file of JSON
lines, and goes on after what stands there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import brelan
from brelan.analysis.assessor import Assessor
from brelan.analysis.verdicts import verdict
from brelan.engine.game import Game
from brelan.lab.estimates import Estimate, proportion
from brelan.rules.payoff import payoffs

BINS = 5
ASSESSED = 5  # decisions of a match that are assessed, besides a random one
LEVELS = ("novice", "club", "expert")
Row = dict[str, Any]


# ---------------------------------------------------------------- calibration


def calibration_rows(game: Game, seed: int, level: str) -> list[Row]:
    """Play a match of `expert` with one random move; return chances of moves, and who won.

    Chances are assessed at the random move and at some decisions after it: before it, the match
    goes on otherwise than as `expert` would play it.
    """
    choice, match = random.Random(seed), game.deal(seed=seed)  # noqa: S311
    bots = [brelan.bot("expert", game, seed=seed + seat) for seat in range(game.players)]
    assessor = Assessor(game, level)
    strange = choice.randrange(game.folder.rules.LONGEST // 4)
    decisions: list[tuple[Any, Any]] = []
    while match.turn is not None:
        view = match.view(match.turn)
        legal = view.legal()
        move = legal[0]
        if len(legal) > 1:
            is_strange = strange == 0
            strange -= 1
            move = choice.choice(legal) if is_strange else bots[match.turn].choose(view)
            if is_strange:
                decisions = []
            decisions.append((view, move))
        match.play_unchecked(move.id)
    won = _won(match)
    chosen = choice.sample(decisions[1:], min(ASSESSED, len(decisions) - 1))
    rows = []
    for view, move in [*decisions[:1], *chosen]:
        found = assessor.assess(view, move.id).of(move.id)
        rows.append({"match": seed, "chance": found.chance, "won": won[view.seat]})
    return rows


def print_calibration(rows: list[Row]) -> None:
    """Print the share of wins by what was expected; intervals count matches."""
    say("| expected | moves | mean expected | won | 95 % interval |")
    say("|---|---:|---:|---:|---:|")
    for low in range(BINS):
        inside = [row for row in rows if min(int(row["chance"] * BINS), BINS - 1) == low]
        if inside:
            mean = sum(row["chance"] for row in inside) / len(inside)
            won = _by_match(inside, "won")
            say(
                f"| {100 * low // BINS} – {100 * (low + 1) // BINS} % | {len(inside)} | "
                f"{mean:.1%} | {won.mean:.1%} | {won.low:.1%} – {won.high:.1%} |"
            )
    error = sum((row["chance"] - row["won"]) ** 2 for row in rows) / len(rows)
    base = sum(row["won"] for row in rows) / len(rows)
    without = sum((base - row["won"]) ** 2 for row in rows) / len(rows)
    say(f"\nBrier score {error:.3f}; {without:.3f} for whoever always expects {base:.1%}.")


# ---------------------------------------------------------------- levels


def level_rows(game: Game, seed: int, level: str) -> list[Row]:
    """Play a match between levels, each seat another one; return what their moves lost."""
    choice, match = random.Random(seed), game.deal(seed=seed)  # noqa: S311
    names = [LEVELS[(seed + seat) % len(LEVELS)] for seat in range(game.players)]
    bots = [brelan.bot(name, game, seed=seed) for name in names]
    assessor = Assessor(game, level)
    decisions = []
    while match.turn is not None:
        view = match.view(match.turn)
        move = bots[match.turn].choose(view)
        if len(view.legal()) > 1:
            decisions.append((view, move))
        match.play_unchecked(move.id)
    rows = []
    for view, move in choice.sample(decisions, min(2 * ASSESSED, len(decisions))):
        found = assessor.assess(view, move.id)
        loss = found.loss if found.is_certain else 0.0
        rows.append({"match": seed, "level": names[view.seat], "loss": loss})
    return rows


def print_levels(rows: list[Row]) -> None:
    """Print how often each level's moves get each verdict."""
    say("| level | decisions | lost by a decision | best | good | inaccuracy | mistake |")
    say("|---|---:|---:|---:|---:|---:|---:|")
    for level in LEVELS:
        own = [row for row in rows if row["level"] == level]
        if own:
            lost = sum(row["loss"] for row in own) / len(own)
            cells = [f"{_verdicts(own, name):.1%}" for name in ("best", "good", "inaccuracy")]
            rate = _by_match([{**row, "is": _is(row, "mistake")} for row in own], "is")
            mistakes = f"{rate.mean:.1%} ({rate.low:.1%} – {rate.high:.1%})"
            cells = [level, str(len(own)), f"{100 * lost:.2f} points", *cells, mistakes]
            say(f"| {' | '.join(cells)} |")


def _is(row: Row, name: str) -> float:
    return float(verdict(round(1000 * row["loss"])) == name)


def _verdicts(rows: list[Row], name: str) -> float:
    return sum(_is(row, name) for row in rows) / len(rows)


# ---------------------------------------------------------------- speed


def print_speed(game: Game, seed: int, level: str, seats: list[int]) -> None:
    """Print how long it takes to analyse a match of `club`, for each of some seats."""
    match, bots = game.deal(seed=seed), [brelan.bot("club", game) for _ in range(game.players)]
    while match.turn is not None:
        match.play_unchecked(bots[match.turn].choose(match.view(match.turn)).id)
    say("| seat | decisions | CPU-seconds | to the first figures |")
    say("|---|---:|---:|---:|")
    for seat in seats:
        begun, first = time.process_time(), 0.0
        count = 0
        for _ in brelan.analysis.review_steps(match, seat, level):
            count += 1
            first = first or time.process_time() - begun
        say(f"| {seat} | {count} | {time.process_time() - begun:.1f} | {first:.1f} |")


# ---------------------------------------------------------------- the program


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def _won(match: brelan.Match) -> list[float]:
    assert match.result is not None
    winners = [int(seat in match.result.winners) for seat in range(match.game.players)]
    return [float(share) for share in payoffs(winners)]


def _by_match(rows: list[Row], name: str) -> Estimate:
    """Return a rate with an interval; rows of one match are one cluster."""
    matches: dict[int, list[float]] = {}
    for row in rows:
        matches.setdefault(row["match"], []).append(row[name])
    estimate = proportion(np.array([sum(each) / len(each) for each in matches.values()]))
    mean = sum(row[name] for row in rows) / len(rows)
    return Estimate(mean, estimate.low, estimate.high)


def _kept(file: Path | None) -> list[Row]:
    if file is None or not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _measured(
    rows_of: Callable[[Game, int, str], list[Row]], game: Game, arguments: argparse.Namespace
) -> Iterator[Row]:
    done = _kept(arguments.keep)
    yield from done
    seen = {row["match"] for row in done}
    for seed in range(arguments.seed, arguments.seed + arguments.matches):
        if seed in seen:
            continue
        rows = rows_of(game, seed, arguments.level)
        if arguments.keep is not None:
            with arguments.keep.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
        yield from rows
        sys.stderr.write(f"match {seed}\n")


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("calibration", "levels", "speed"))
    parser.add_argument("game", choices=brelan.games())
    parser.add_argument("--players", type=int)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seat", type=int, help="for speed: only this one")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    knobs = {} if arguments.players is None else {"players": arguments.players}
    game = brelan.game(arguments.game, **knobs)
    if arguments.what == "calibration":
        print_calibration(list(_measured(calibration_rows, game, arguments)))
    elif arguments.what == "levels":
        print_levels(list(_measured(level_rows, game, arguments)))
    else:
        seats = [arguments.seat] if arguments.seat is not None else list(range(game.players))
        print_speed(game, arguments.seed, arguments.level, seats)


if __name__ == "__main__":
    main()
