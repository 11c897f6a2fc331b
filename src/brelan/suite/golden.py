"""Golden files: perft numbers and playthroughs, kept in a game's folder and rewritten on demand."""

from __future__ import annotations

import functools
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from brelan import i18n
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.games import HOME
from brelan.suite.walk import Walk

PERFT_SEEDS = (1, 2)
PERFT_DEPTH = 5
PERFT_ENOUGH = 500  # lines after which it does not go deeper
PLAYTHROUGH_SEED = 7


def perft_file(game: Game) -> Path:
    """Return where the perft numbers of a game are kept."""
    return game.folder.path / "tests" / "perft.txt"


def perft(game: Game) -> str:
    """Count the lines of play from a few deals, with a digest of the positions they lead to."""
    lines = ["# players seed depth: lines of play, digest of the positions reached"]
    for players in game.folder.knobs["players"].values:
        variant = Game(game.folder, game.folder.knobs.settle({"players": players}))
        for seed in PERFT_SEEDS:
            walk = Walk(variant, seed)
            while walk.seat is None:
                walk.play(walk.legal()[0])
            depth = count = 0
            while count < PERFT_ENOUGH and depth < PERFT_DEPTH:
                depth += 1
                digest = hashlib.blake2b(digest_size=8)
                count = _count(walk, depth, digest)
                lines.append(f"{players} {seed} {depth}: {count} {digest.hexdigest()}")
    return "\n".join(lines) + "\n"


def _count(walk: Walk, depth: int, digest: hashlib.blake2b) -> int:
    legal = walk.legal()
    if depth == 0 or not legal:
        digest.update(walk.state.tobytes())
        return 1
    here, count = walk.state, 0
    for number in legal:
        walk.state = here.copy()
        walk.play(number)
        count += _count(walk, depth - (walk.seat is not None), digest)
    walk.state = here
    return count


def playthrough_file(game: Game) -> Path:
    """Return where the playthrough of a game with so many players is kept."""
    return game.folder.path / "tests" / "playthroughs" / f"{game.players}-players.txt"


def playthrough(game: Game) -> str:
    """Write a whole random match down: every move, what each seat sees change, and is told."""
    match = game.deal(seed=PLAYTHROUGH_SEED)
    choice = random.Random(PLAYTHROUGH_SEED)
    lines = [f"variant: {game.variant}", f"seed: {match.seed}"]
    seen: dict[int | None, dict[str, object]] = {}
    ply = 0
    lines += _changes(match, seen, ply)
    while match.turn is not None:
        ply = match.ply
        legal = match.legal()
        move = choice.choice(legal)
        lines += ["", f"seat {match.turn} may play: {', '.join(m.notation for m in legal)}"]
        lines += [
            f"seat {match.turn} plays {move.notation}: {move.label('fr')} / {move.label('en')}"
        ]
        match.play(move)
        lines += _changes(match, seen, ply)
    return "\n".join([*lines, "", f"result: {match.result}"]) + "\n"


def _changes(match: Match, seen: dict[int | None, dict[str, object]], ply: int) -> Iterator[str]:
    for seat in (None, *range(match.game.players)):
        name = "spectator" if seat is None else f"seat {seat}"
        view = match.view(seat).as_dict()
        before = seen.get(seat, {})
        spectator = seen.get(None, {})
        for place, value in view.items():
            if before.get(place) != value and (seat is None or spectator.get(place) != value):
                yield f"  {name} sees {place}: {json.dumps(value)}"
        seen[seat] = view
        for lang in i18n.LANGUAGES:
            public, own = (_read(match, reader, ply, lang) for reader in (None, seat))
            if seat is None or own != public:
                yield from (f"  {name} reads ({lang}) {sentence}" for sentence in own)


def _read(match: Match, seat: int | None, ply: int, lang: str) -> list[str]:
    texts = match.game.folder.texts(lang)
    return [texts(key, args) for key, args in match.tell(seat, since=ply)]


def has_tests(game: Game) -> bool:
    """Whether a game has its golden files and kept matches; where brelan is installed, none has."""
    return game.folder.path.parent != HOME or (game.folder.path / "tests").is_dir()


def goldens(game: Game) -> Iterator[tuple[Path, Callable[[], str]]]:
    """Yield each golden file of a game, and how to write it."""
    if not has_tests(game):
        return
    yield perft_file(game), functools.partial(perft, game)
    seats = game.folder.knobs["players"].values
    for players in sorted({seats[0], seats[-1]}):
        variant = Game(game.folder, game.folder.knobs.settle({"players": players}))
        yield playthrough_file(variant), functools.partial(playthrough, variant)


def compare(file: Path, write: Callable[[], str]) -> None:
    """Fail with the first line in which a golden file differs from what is written now."""
    written = write()
    assert file.is_file(), f"{file.name} is missing; write it with `brelan check GAME --rewrite`"
    kept = file.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(kept, written.splitlines(), strict=False), start=1):
        assert old == new, f"{file.name} line {number}: was {old!r}, is {new!r}"
    assert len(kept) == len(written.splitlines()), f"{file.name} has another length"
