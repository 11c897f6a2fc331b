"""Positions of a match as OpenSpiel walks through them: decisions of seats, and nodes of chance.

A position never changes; a move leads to another one, and they share their past. The table moves
by itself.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

import numpy as np

from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.envs.openspiel.chance import SCRIPT, Awaited, Outcome, is_listed, scripted_hooks
from brelan.rules import TABLE, new_scratch

START = -1  # in place of a move: the match is set up
SAMPLED = Outcome(0, 1.0)  # a node of chance whose outcome is drawn when it is applied
DIGEST = 16  # bytes


SeatMoves = tuple[tuple[int, int], ...]  # who moved, and the move as the reader saw it made


class Memory(NamedTuple):
    """What a seat (None: a spectator) has seen up to a move: the moves, and a digest of it all."""

    moves: str
    digest: bytes
    numbers: SeatMoves


NOTHING_SEEN = Memory("", b"", ())


class Ply:
    """A move that was made, after those before it; and what each reader has seen until then."""

    __slots__ = ("before", "memories", "number", "past")

    def __init__(self, past: Ply | None, before: bytes, number: int) -> None:
        self.past, self.before, self.number = past, before, number
        self.memories: dict[int | None, Memory] = {}


class Drawing(NamedTuple):
    """A move in the midst of which chance draws: what was drawn so far, and what may be next."""

    number: int
    drawn: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    is_card: bool


class Rules:
    """The rules of a variant as positions use them, with explicit chance or with sampled."""

    def __init__(self, game: Game, *, is_explicit: bool) -> None:
        self.game = Game(game.folder, game.knobs, mode="compiled")
        self.is_explicit = is_explicit and is_listed(game.folder)
        self._scripted = scripted_hooks(game.folder) if self.is_explicit else None
        self._pack = np.array(game.pack, np.int16)
        self._scratch = new_scratch()

    @functools.cached_property
    def initial(self) -> Position:
        """The position before anything is drawn."""
        return self._made(Position(self, self.game.blank(), None, {}), START)

    def __reduce__(self) -> tuple[Any, ...]:
        folder, knobs = self.game.folder, tuple(self.game.knobs.items())
        return _rules_of, (folder.id, str(folder.path), knobs, self.is_explicit)

    def legal(self, record: Any) -> list[int]:
        """Return the numbers of the legal moves, of a seat or of the table, in ascending order."""
        self.game.hooks.legal_moves(record, self._scratch)
        numbers: list[int] = self._scratch.moves[: self._scratch.count].tolist()
        return sorted(numbers)

    def _made(self, position: Position, number: int) -> Position:
        """Return the position after a move; it is one of chance if luck is drawn meanwhile."""
        record = position.record.copy()
        self._run(self.game.hooks, record, number)
        if record.luck[0] == 0:
            return self._after(position, number, record)
        if self.is_explicit:
            return self._drawn(position, number, ())
        return position.replaced(Drawing(number, (), (SAMPLED,), is_card=False))

    def _drawn(self, position: Position, number: int, drawn: tuple[int, ...]) -> Position:
        """Return the position after a move in which these outcomes are drawn."""
        record = position.record.copy()
        SCRIPT.follow(drawn)
        try:
            self._run(self._scripted, record, number)
        except Awaited as awaited:
            outcomes = tuple(awaited.outcomes)
            return position.replaced(Drawing(number, drawn, outcomes, awaited.is_card))
        return self._after(position, number, record)

    def sampled(self, position: Position, number: int, luck: int) -> Position:
        """Return the position after a move that draws this luck."""
        record = position.record.copy()
        record.luck[0] = luck
        self._run(self.game.hooks, record, number)
        record.luck[0] = 0
        return self._after(position, number, record)

    def _run(self, hooks: Any, record: Any, number: int) -> None:
        if number == START:
            hooks.start(record, self._pack, False)
        else:
            hooks.play(record, number)

    def _after(self, position: Position, number: int, record: Any) -> Position:
        past = position.past
        if number != START:
            past = Ply(past, position.record.tobytes(), number)
        reached = Position(self, record, past, position.begun)
        if record.turn != TABLE:
            return reached
        legal = self.legal(record)
        return self._made(reached, legal[0]) if legal else reached

    def played(self, position: Position, number: int) -> Position:
        """Return the position after a legal move of the seat in turn."""
        return self._made(position, number)

    def chosen(self, position: Position, outcome: int) -> Position:
        """Return the position after one more outcome is drawn, where chance is explicit."""
        assert position.drawing is not None
        drawing = position.drawing
        return self._drawn(position, drawing.number, (*drawing.drawn, outcome))


@functools.lru_cache(maxsize=64)
def _rules_of(
    game: str, path: str, knobs: tuple[tuple[str, int | str], ...], is_explicit: bool
) -> Rules:
    from brelan.games import ids

    folder = open_folder(game if game in ids() else path)
    return Rules(Game(folder, dict(knobs)), is_explicit=is_explicit)


class Position:
    """A state of a match, how it was reached, and what chance is about to draw (`drawing`).

    `begun` is what each reader had seen before the past begins; it is empty, but in positions that
    were imagined.
    """

    __slots__ = ("_legal", "_plain", "begun", "drawing", "past", "record", "rules")

    def __init__(
        self,
        rules: Rules,
        record: Any,
        past: Ply | None,
        begun: dict[int | None, Memory],
        drawing: Drawing | None = None,
    ) -> None:
        self.rules, self.record, self.past, self.begun = rules, record, past, begun
        self.drawing = drawing
        self._legal: list[int] | None = None
        self._plain: dict[int | None, dict[str, Any]] = {}

    def replaced(self, drawing: Drawing | None) -> Position:
        """Return the same position, in which chance is about to draw."""
        position = Position(self.rules, self.record, self.past, self.begun, drawing)
        position._plain = self._plain
        return position

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        plies = [(ply.before, ply.number) for ply in self.plies()]
        return _restored, (self.rules, self.record.tobytes(), plies, self.begun, self.drawing)

    @property
    def turn(self) -> int | None:
        """The seat that must decide; None where chance draws, or at the end."""
        turn = int(self.record.turn)
        return None if self.drawing is not None or turn == TABLE else turn

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.drawing is None and int(self.record.turn) == TABLE

    def legal(self) -> list[int]:
        """Return what the seat in turn may do, in ascending order."""
        if self._legal is None:
            self._legal = [] if self.turn is None else self.rules.legal(self.record)
        return list(self._legal)

    def plies(self) -> list[Ply]:
        """Return the moves of the past, the first one first."""
        found, ply = [], self.past
        while ply is not None:
            found.append(ply)
            ply = ply.past
        return found[::-1]

    def seen(self, seat: int | None) -> Any:
        """Return the record of what a seat, or a spectator, sees."""
        return self.rules.game.folder.layout.view(self.record.tobytes(), seat)

    def plain(self, seat: int | None) -> dict[str, Any]:
        """Return what a seat, or a spectator, sees as plain data, place by place."""
        if seat not in self._plain:
            found = View(self.rules.game, seat, self.seen(seat)).as_dict()
            del found["seat"], found["knobs"]
            self._plain[seat] = found
        return self._plain[seat]

    def memory(self, seat: int | None) -> Memory:
        """Return what a seat has seen before now."""
        todo, ply = [], self.past
        while ply is not None and seat not in ply.memories:
            todo.append(ply)
            ply = ply.past
        known = self.begun.get(seat, NOTHING_SEEN) if ply is None else ply.memories[seat]
        for each in reversed(todo):
            before = self.rules.game.folder.layout.view(each.before, seat)
            number = self.rules.game.shown(before, each.number, seat)
            known = each.memories[seat] = extended(self.rules.game, known, before, number)
        return known

    def information(self, seat: int | None) -> str:
        """Return all that a seat has seen as one line: the moves, and a digest of its views."""
        memory = self.memory(seat)
        all_seen = memory.digest + self.seen(seat).tobytes()
        return f"{memory.moves} | {hashlib.blake2b(all_seen, digest_size=DIGEST).hexdigest()}"

    def view(self, seat: int | None) -> View:
        """Return a seat's view with its history, as the bots of the house read it."""
        game, layout = self.rules.game, self.rules.game.folder.layout
        before = [(layout.view(ply.before, seat), ply.number) for ply in self.plies()]
        history = [Move(game, seen, game.shown(seen, number, seat)) for seen, number in before]
        observations = tuple(seen.tobytes() for seen, _ in before)
        return View(game, seat, self.seen(seat), tuple(history), observations, is_over=self.is_over)

    def imagined(self, seat: int, luck: int) -> Position:
        """Return a position that looks to a seat like this one, all it has seen included.

        Of the others it is not imagined what they saw before: they remember what everybody saw.
        """
        public = self.memory(None)
        begun: dict[int | None, Memory] = dict.fromkeys(range(self.rules.game.players), public)
        begun |= {None: public, seat: self.memory(seat)}
        return imagined(self.rules, self.seen(seat), seat, luck, begun)


def imagined(
    rules: Rules, seen: Any, seat: int, luck: int, begun: dict[int | None, Memory]
) -> Position:
    """Return a position that a seat imagines from the record of its view."""
    world = seen.copy()
    rules.game.hooks.imagine(world, seat, new_scratch(luck))
    world.luck[0] = 0
    return Position(rules, world, None, begun)


def extended(game: Game, memory: Memory, before: Any, number: int) -> Memory:
    """Return what a reader has seen after one more move, made in its view `before`."""
    mover = int(before.turn)
    who = "table" if mover == TABLE else str(mover)
    move = f"{who}:{game.folder.cards.notation(before, number)}"
    moves = f"{memory.moves} {move}" if memory.moves else move
    text = memory.digest + number.to_bytes(4, "little") + before.tobytes()
    digest = hashlib.blake2b(text, digest_size=DIGEST).digest()
    numbers = memory.numbers if mover == TABLE else (*memory.numbers, (mover, number))
    return Memory(moves, digest, numbers)


def remembered(game: Game, view: View) -> Memory:
    """Return what a seat has seen before now, from its view."""
    memory, dtype = NOTHING_SEEN, game.folder.layout.dtype
    for move, seen in zip(view.history, view.observations, strict=True):
        memory = extended(game, memory, np.frombuffer(seen, dtype)[0], move.id)
    return memory


def described(position: Position) -> Iterator[str]:
    """Yield lines that tell a position from others: moves, draws, the open table, a digest."""
    yield f"moves: {position.memory(None).moves or 'none'}"
    if position.drawing is not None:
        yield f"drawn: {' '.join(map(str, position.drawing.drawn)) or 'nothing'}"
    yield f"table: {shown(position, None)}"
    digest = hashlib.blake2b(position.record.tobytes(), digest_size=DIGEST)
    yield f"state: {digest.hexdigest()}"


def shown(position: Position, seat: int | None, places: Container[str] | None = None) -> str:
    """Return what a seat sees in one line, place by place; what is empty is left out."""
    return " ".join(
        f"{name}={_plain(value)}"
        for name, value in position.plain(seat).items()
        if (places is None or name in places) and value not in (None, 0, [])
    )


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_plain, value))}]"
    return "-" if value is None else str(value)


def _restored(
    rules: Rules,
    record: bytes,
    plies: list[tuple[bytes, int]],
    begun: dict[int | None, Memory],
    drawing: Drawing | None,
) -> Position:
    past: Ply | None = None
    for before, number in plies:
        past = Ply(past, before, number)
    dtype = rules.game.folder.layout.dtype
    return Position(rules, np.frombuffer(bytearray(record), dtype)[0], past, begun, drawing)
