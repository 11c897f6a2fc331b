"""`brelan analyse FOLDER`: many matches, where each player loses most, by kind of decision."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from brelan.analysis.assessor import Assessor
from brelan.analysis.review import review_steps, summary
from brelan.analysis.telling import kind_label, points
from brelan.analysis.totals import Played, Player, Total, played, totals
from brelan.cli.progress import progress
from brelan.cli.replay import read_any
from brelan.engine.folder import open_folder
from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.i18n import Texts, load

WIDE = 110  # columns, where no terminal says how many there are


class Wanted(NamedTuple):
    """One seat of one match."""

    file: Path
    match: Match
    seat: int
    player: str


def analyse_folder(
    folder: Path, seat: str | None, level: str, lang: str, results: Path | None, *, is_json: bool
) -> int:
    """Analyse the matches of a folder, and print what each player has lost."""
    if seat is not None and not seat.isdecimal():
        raise Refused(f"there is no seat {seat}; seats are numbers from 0 on")
    house = load(Path(__file__).parents[1], lang)
    wanted = list(_wanted(folder, None if seat is None else int(seat), house))
    kept = Kept(results.expanduser() if results is not None else None, level)
    assessors: dict[str, Assessor] = {}
    found: list[Played] = []
    with progress(house("analysis.working", {"file": folder.name})) as report:
        for each in wanted:
            report(len(found), len(wanted))
            found.append(kept.get(each) or kept.add(each, _analysed(each, level, assessors)))
    players = totals(found)
    if is_json:
        content = [player.as_dict() for player in players]
        sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    else:
        for player in players:
            _print_player(player, lang)
    return 0


def _wanted(folder: Path, seat: int | None, house: Texts) -> Iterator[Wanted]:
    """Yield the seats that are analysed: while a match goes on, not those of bots."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise Refused(f"{folder} holds no saved match: no file there ends in .json")
    is_empty = True
    for file in files:
        try:
            match = read_any(file)
        except Refused as error:
            sys.stderr.write(house("analysis.skipped", {"why": error}) + "\n")
            continue
        for each in range(match.game.players):
            is_hidden = match.turn is not None and each in match.bots
            if seat in (None, each) and not is_hidden:
                is_empty = False
                yield Wanted(file, match, each, match.bots.get(each, house("analysis.player")))
    if is_empty:
        raise Refused(f"{folder} holds no saved match with such a seat")


def _analysed(wanted: Wanted, level: str, assessors: dict[str, Assessor]) -> Played:
    _, match, seat, _ = wanted
    variant = match.game.variant
    if variant not in assessors:
        assessors.clear()  # each takes some tens of MB
        assessors[variant] = Assessor(match.game, level)
    decisions = list(review_steps(match, seat, level, assessors[variant]))
    return played(wanted.file.name, wanted.player, summary(match, seat, level, decisions))


# ---------------------------------------------------------------- what is kept


class Line(msgspec.Struct):
    """A line of the file of results: an analysis, and what it is of."""

    match: str  # the digest of its file
    seat: int
    level: str
    played: Played


class Kept:
    """Analyses that are kept in a file, a line of JSON for each; without a file none is."""

    def __init__(self, file: Path | None, level: str) -> None:
        self._file, self._level = file, level
        self._known: dict[tuple[str, int, str], Played] = {}
        if file is not None:
            self._read(file)

    def _read(self, file: Path) -> None:
        """Read what is kept; half a line, of a program that was killed, is cut off."""
        try:
            with file.open("a+b") as content:
                content.seek(0)
                lines = content.read().splitlines(keepends=True)
                if lines and not lines[-1].endswith(b"\n"):
                    content.truncate(sum(map(len, lines[:-1])))
                    lines.pop()
        except OSError as error:
            raise Refused(f"cannot keep results in {file}: {error.strerror}") from None
        for number, line in enumerate(lines, start=1):
            try:
                found = msgspec.json.decode(line, type=Line)
            except msgspec.MsgspecError:
                raise Refused(f"{file}, line {number}: this is no result of analyses") from None
            self._known[found.match, found.seat, found.level] = found.played

    def get(self, wanted: Wanted) -> Played | None:
        """Return an analysis that is kept, of a match by the name of its file now."""
        found = self._known.get((_digest(wanted), wanted.seat, self._level))
        if found is None:
            return None
        return Played(wanted.file.name, found.game, wanted.player, found.decisions)

    def add(self, wanted: Wanted, found: Played) -> Played:
        """Keep an analysis; return it."""
        if self._file is not None:
            line = Line(_digest(wanted), wanted.seat, self._level, found)
            with self._file.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        return found


def _digest(wanted: Wanted) -> str:
    return hashlib.blake2b(wanted.file.read_bytes(), digest_size=16).hexdigest()


# ---------------------------------------------------------------- what is printed


def _print_player(player: Player, lang: str) -> None:
    texts = open_folder(player.game).texts(lang)

    def lost(loss: float) -> str:
        return points(-round(loss), lang)

    told = {
        "player": f"{texts('game.name')}, {player.name}",
        "matches": player.matches,
        "count": len(player.losses),
        "loss": lost(sum(player.losses) / player.matches),
        "score": "–" if player.score is None else player.score,
    }
    console, table = _console(), _table(texts)
    console.print(texts("analysis.by_player", told))
    for kind, total in player.ranked:
        table.add_row(
            kind_label(texts, kind),
            str(total.decisions),
            lost(total.loss / player.matches),
            lost(total.loss / total.decisions),
            str(total.mistakes),
            _costliest(total, texts, lost(total.costliest[1].loss) if total.costliest else ""),
        )
    console.print(table)
    console.print()


def _costliest(total: Total, texts: Texts, loss: str) -> str:
    """Return where the costliest decision of a kind is: its file, its move, and what it lost."""
    if total.costliest is None:
        return ""
    file, decision = total.costliest
    return str(texts("analysis.where", {"file": file, "ply": decision.ply, "loss": loss}))


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDE)


def _table(texts: Texts) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("kind", "decisions", "lost", "each", "mistakes", "costliest"):
        is_words = name in ("kind", "costliest")
        table.add_column(texts(f"analysis.{name}"), justify="left" if is_words else "right")
    return table
