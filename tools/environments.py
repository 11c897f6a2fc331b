"""Write `environment.md` and its picture in the folder of each game, in PettingZoo's manner.

uv run --extra pettingzoo tools/environments.py
"""

from __future__ import annotations

import random
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import brelan
from brelan.encoding import Encoder, Slice
from brelan.engine.folder import GameFolder, open_folder
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.view import Move
from brelan.envs.pettingzoo.names import environment_name
from brelan.envs.picture import Picture, picture

PAGE, PICTURE = "environment.md", "environment.png"
SEED, MOVES, EXAMPLES = 7, 12, 8
ARGUMENTS = (
    "render_mode=None",
    'lang="en"',
    'seen_by="turn"',
    "max_cycles=None",
    "encode_knobs=False",
    "preset=None",
)

HOW = {
    "one_of": "one-hot",
    "seat": "one-hot",
    "set": "1 for each member",
    "counts": "count / copies in the packs",
    "size": "number / room",
    "number": "√number / 4",
}


def page(folder: GameFolder) -> str:
    """Return the page of a game."""
    return "\n".join(_lines(folder)) + "\n"


def _lines(folder: GameFolder) -> Iterator[str]:
    texts, name = folder.texts("en"), environment_name(folder)
    players = [int(each) for each in folder.knobs["players"].values]
    games = [brelan.game(folder.id, players=number) for number in players]
    encoders = [Encoder(game) for game in games]
    count = len(folder.cards.MOVES)
    yield from (f"# {texts('game.name')}", "")
    yield from (f"![{texts('game.name')}, as `rgb_array`]({PICTURE})", "")
    yield from (texts("game.summary"), "")
    many = f"{players[0]}" + (f" to {players[-1]}" if len(players) > 1 else "")
    agents = ", ".join(f"'player_{seat}'" for seat in range(players[0]))
    shapes = ", ".join(
        f"({encoder.size},)" + (f" for {game.players}" if len(games) > 1 else "")
        for game, encoder in zip(games, encoders, strict=True)
    )
    low, high = encoders[0].bounds
    yield from _table(
        ("Import", f"`from brelan.envs.pettingzoo import {name}`"),
        ("Id", f"`brelan/{name}`"),
        ("Actions", "Discrete"),
        ("Parallel API", "Yes, one move in a step"),
        ("Manual control", "No; `brelan play` and the page in the browser are for people"),
        ("Agents", f"`agents = [{agents}]`" + (" and so on" if len(players) > 1 else "")),
        ("Number of agents", f"{many} (`players`)"),
        ("Action shape", f"Discrete({count})"),
        ("Action values", f"[0, {count - 1}]"),
        ("Observation shape", shapes),
        ("Observation values", f"[{low.min():.3g}, {high.max():.3g}]"),
    )
    yield from ("", "## Observation space", "")
    yield (
        "A dictionary: `observation`, the agent's view as float32, and `action_mask`, int8, with 1 "
        f"for each legal action; it is all 0 out of turn. With {players[0]} players the view is:"
    )
    yield from ("", *_table(("entries", "place", "shape", "written as", "members")))
    yield from _rows(_slice_row(each) for each in encoders[0].slices.values())
    yield from (
        "",
        "0 is *nothing you can see*: then all entries of a number are 0. A place that only",
    )
    yield "its owner sees has the agent's own row. `encode_knobs=True` adds the options below."
    yield from ("", "## Action space", "")
    yield f"An action is a row of the game's table of moves. Of the {count}, for example:"
    yield from ("", *_table(("action", "notation", "means")))
    yield from _rows(
        (str(move.id), f"`{move.notation}`", move.label()) for move in _moves(games[0])
    )
    yield from ("", "## Rewards", "", *_rewards(players))
    yield from ("", "## Arguments", "")
    arguments = (f"players={players[-1]}", *ARGUMENTS)
    yield from (
        "```python",
        f"{name}.env(",
        *(f"    {each}," for each in arguments),
        ")",
        "```",
        "",
    )
    yield "and any option of the game:"
    yield from ("", *_table(("argument", "values", "default", "rulebook")))
    yield from _rows(
        (f"`{knob.name}`", knob.allowed, str(knob.default), knob.section)
        for knob in folder.knobs.values()
    )
    yield from ("", "## Version history", "")
    yield f"- v{folder.version}: version {folder.version} of the rules. The version of the"
    yield "  environment is that of the rules: another one plays differently."


def _slice_row(each: Slice) -> tuple[str, ...]:
    last = each.at + each.size - 1
    entries = f"{each.at}" if each.size == 1 else f"{each.at}–{last}"
    members = ", ".join(each.members)
    return entries, f"`{each.name}`", str(each.shape or 1), HOW[each.how], members


def _rewards(players: Sequence[int]) -> Iterator[str]:
    yield "Rewards come at the end and add up to 0; a winner is as the rulebook says."
    yield from ("", *_table(("players", "the only winner", "each loser", "a draw of all")))
    yield from _rows((str(number), "1", f"{-1 / (number - 1):.3g}", "0") for number in players)
    yield from ("", "Several winners share what one would get. An illegal action ends the match:")
    yield "its agent gets -1, all others 0."


def _match(game: Game, moves: int) -> Match:
    match, choice = game.deal(seed=SEED), random.Random(SEED)  # noqa: S311
    while match.turn is not None and match.ply < moves:
        match.play(choice.choice(match.legal()))
    return match


def _moves(game: Game) -> list[Move]:
    """Return some moves, as different as a match has them."""
    match, choice, found = game.deal(seed=SEED), random.Random(SEED), dict[int, Move]()  # noqa: S311
    while match.turn is not None:
        legal = match.legal()
        found |= {move.id: move for move in legal if move.id not in found}
        match.play(choice.choice(legal))
    ordered = [found[number] for number in sorted(found)]
    return ordered[:: max(1, len(ordered) // EXAMPLES)][:EXAMPLES]


def _table(*rows: Sequence[str]) -> Iterator[str]:
    head, *others = rows
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from _rows(others)


def _rows(rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        yield f"| {' | '.join(row)} |"


def png(pixels: Picture) -> bytes:
    """Return a picture as a PNG file."""
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def main() -> None:
    """Write the pages that are not as they should be."""
    for folder in map(open_folder, brelan.games()):
        for name, content in (
            (PAGE, page(folder).encode()),
            (PICTURE, png(_drawn(folder))),
        ):
            file: Path = folder.path / name
            if not file.exists() or file.read_bytes() != content:
                file.write_bytes(content)
                sys.stdout.write(f"{file} written\n")


def _drawn(folder: GameFolder) -> Picture:
    match = _match(brelan.game(folder.id), MOVES)
    return picture(match.view(match.turn))


if __name__ == "__main__":
    main()
