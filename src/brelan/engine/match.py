"""A match: one play of a game, from the deal to the result."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from brelan.engine.numbers import whole_number
from brelan.engine.view import Move, View
from brelan.errors import IllegalMove, Refused
from brelan.i18n import Message, seat_word
from brelan.rules import TABLE, new_scratch

if TYPE_CHECKING:
    from brelan.engine.game import Game


class Result(NamedTuple):
    """How a match ended."""

    scores: list[int]
    winners: list[int]
    reason: str


class Transition(NamedTuple):
    """One move, and the bytes of the state before and after it."""

    before: bytes
    number: int
    after: bytes


class Match:
    """One play of a game, from the deal to the result.

    `bots` may name who sits at which seat; it is saved with the match.
    """

    cards: list[int | str] | None  # in the order given by hand

    def __init__(self, game: Game, seed: int | str | None, cards: Sequence[Any] | None) -> None:
        self._begin(game, secrets.token_hex(32) if seed is None else _seed(seed))
        order = np.array(game.pack, np.int16) if cards is None else game.cards(cards)
        printed = {int(card): card.printed for card in game.pack}
        if cards is not None:
            self.cards = [printed[int(card)] for card in order]
        self._draw_luck()
        game.hooks.start(self._state, order, cards is not None)
        self._first = self._state.tobytes()
        self._let_table_move()

    def _begin(self, game: Game, seed: int | str) -> None:
        self.game, self.seed = game, seed
        self._secret: bytes | None = _secret(seed)
        self.cards = None
        self.resigned: int | None = None
        self.why_resigned = "resignation"
        self.is_drawn = False  # by agreement
        self.bots: dict[int, str] = {}
        self._why_not_saved = ""
        self.is_dealt = True  # False: it begins in a position
        self._state = game.blank()
        self._first = b""  # the state before the first move
        self._numbers: list[int] = []  # every move so far
        self._legal: list[int] | None = None  # what the seat in turn may do, once it was asked for
        self._states: list[bytes] | None = []  # the state before each; None: to be replayed
        self._memories: dict[int | None, tuple[list[Move], list[bytes]]] = {}

    @classmethod
    def from_position(cls, game: Game, state: Any, seed: int | str = 0) -> Match:
        """Return a match that stands in a state set up by hand; it cannot be saved.

        What happens from there on follows from the seed.
        """
        match = cls.__new__(cls)
        match._begin(game, seed)
        match._state, match._why_not_saved = state, "a position set up by hand"
        match.is_dealt = False
        match._first = state.tobytes()
        return match

    @classmethod
    def simulated(cls, game: Game, luck: int, cards: Any = None) -> Match:
        """Return a match of a deal as the driver plays it: one stream of luck, for all plies.

        `cards` is a row of all cards, by their numbers, in an order given by hand. A player who
        sees cards could work out the others from the luck, so it is for simulation only, and
        cannot be saved.
        """
        match = cls.__new__(cls)
        match._begin(game, 0)
        match._secret, match._why_not_saved = None, "a simulated match"
        match._state.luck[0] = luck
        order = np.array(game.pack if cards is None else cards, np.int16)
        game.hooks.start(match._state, order, cards is not None)
        match._first = match._state.tobytes()
        match._let_table_move()
        return match

    def before(self, ply: int) -> Match:
        """Return the match as it stood before a ply; if it goes on alike, its luck is the same."""
        match = type(self).__new__(type(self))
        match._begin(self.game, self.seed)
        match._secret, match.cards, match.is_dealt = self._secret, self.cards, self.is_dealt
        match._why_not_saved = self._why_not_saved
        match._state = np.frombuffer(bytearray(self._first), self._state.dtype)[0]
        match._first = self._first
        for number in self._numbers[:ply]:
            match._play(number)
        return match

    def follow(self, numbers: Iterable[int]) -> None:
        """Make moves of the seats, by number; one that is not legal raises IllegalMove."""
        for number in numbers:
            if number not in self.legal_numbers():
                raise IllegalMove(f"move {number} is not allowed at ply {self.ply}")
            self.play_unchecked(number)

    def release(self) -> None:
        """Drop what can be worked out again: the past states, and what each seat has seen."""
        self._states, self._memories, self._legal = None, {}, None

    @property
    def turn(self) -> int | None:
        """The seat that must decide, or None when the match is over."""
        turn = int(self._state.turn)
        is_over = self.resigned is not None or self.is_drawn or turn == TABLE
        return None if is_over else turn

    def legal(self) -> list[Move]:
        """Return what the seat in turn may do."""
        return [] if self.turn is None else self.game.legal(self._look(self.turn))

    def legal_numbers(self) -> list[int]:
        """Return the ids of what the seat in turn may do."""
        turn = self.turn
        if turn is None:
            return []
        if self._legal is None:
            scratch = new_scratch()
            self.game.hooks.legal_moves(self._look(turn), scratch)
            self._legal = scratch.moves[: scratch.count].tolist()
        return list(self._legal)

    def play(self, move: Move | int | str) -> Move:
        """Make a move, given as a Move, its id or its notation; return it."""
        legal = self.legal()
        for candidate in legal:
            if candidate.is_meant_by(move):
                self.play_unchecked(candidate.id)
                return candidate
        if self.turn is None:
            raise IllegalMove("the match is over; no move is allowed")
        allowed = ", ".join(candidate.notation for candidate in legal)
        meant = str(move) if isinstance(move, Move) else repr(move)[:80]
        raise IllegalMove(f"{meant} is not allowed now; seat {self.turn} may play: {allowed}")

    def play_unchecked(self, number: int) -> None:
        """Make a move known to be legal, by its number; the table's moves follow by themselves."""
        self._play(number)
        self._let_table_move()

    def advance(self, number: int) -> list[Transition]:
        """Make a legal move, and those of the table that follow; return all with what they did."""
        begun, kept = self.ply, self._states
        self._states = []
        try:
            self.play_unchecked(number)
        finally:
            states, self._states = self._states, kept
        if kept is not None:
            kept += states
        states.append(self._state.tobytes())
        return self._paired(states, begun)

    def transitions(self, since: int = 0, until: int | None = None) -> list[Transition]:
        """Return the moves from one ply to another, with the states before and after each."""
        states = [*self._past(), self._state.tobytes()]
        last = self.ply if until is None else until
        return self._paired(states[since : last + 1], since)

    def _paired(self, states: list[bytes], begun: int) -> list[Transition]:
        numbers = self._numbers[begun : begun + len(states) - 1]
        return list(map(Transition, states, numbers, states[1:]))

    def resign(self, seat: int, why: str = "resignation") -> None:
        """Let a seat give up: it loses the match at once, and scores stay as they are."""
        if self.result is not None:
            raise IllegalMove("the match is over; nobody can resign")
        self.resigned, self.why_resigned = self._reader(seat), why

    def agree_draw(self) -> None:
        """End the match without a winner, as its seats have agreed; scores stay as they are."""
        if self.result is not None:
            raise IllegalMove("the match is over; nobody can agree on a draw")
        self.is_drawn = True

    @property
    def why_not_saved(self) -> str:
        """What the match is that cannot be saved; empty if it can be."""
        return "a match that was drawn by agreement" if self.is_drawn else self._why_not_saved

    def view(self, seat: int | None) -> View:
        """Return what a seat sees (None: what a spectator sees)."""
        seat = self._reader(seat)
        history, observations = self._remember(seat)
        over = self.turn is None
        return View(
            self.game, seat, self._look(seat), tuple(history), tuple(observations), is_over=over
        )

    def _reader(self, seat: int | None) -> int | None:
        """Return a seat as a plain number, None for a spectator; anything else is refused."""
        if seat is None:
            return None
        number = whole_number(seat)
        if number not in range(self.game.players):
            raise Refused(f"there is no seat {seat!r}; seats are 0 to {self.game.players - 1}")
        return number

    def story(self, seat: int | None, lang: str = "fr") -> list[str]:
        """Return what has happened, in sentences as that seat may read them."""
        seat, texts = self._reader(seat), self.game.folder.texts(lang)
        told = [texts(key, args) for key, args in self.tell(seat)]
        if self.resigned is not None:
            told.append(texts("table.resigned", {"who": seat_word(self.resigned, seat)}))
        return told

    def tell(self, seat: int | None, since: int = 0, until: int | None = None) -> list[Message]:
        """Return what has happened from one ply to another as keys of texts and their facts."""
        told: list[Message] = []
        seat = self._reader(seat)
        states = [*self._past(), self._state.tobytes()]
        for ply in range(self.ply)[since:until]:
            before, after = self._seen(states[ply], seat), self._seen(states[ply + 1], seat)
            number = self.game.shown(before, self._numbers[ply], seat)
            told += self.game.folder.story.tell(before, number, after, seat)
        return told

    @property
    def ply(self) -> int:
        """How many moves have been made, the table's included."""
        return len(self._numbers)

    @property
    def result(self) -> Result | None:
        """None while the match goes on, then its result."""
        if self.turn is not None:
            return None
        scores, winners = np.zeros((2, self.game.folder.layout.seats), np.int64)
        self.game.hooks.score(self._state, scores, winners)
        seats = range(self.game.players)
        points = [int(scores[seat]) for seat in seats]
        if self.resigned is not None:
            left = [seat for seat in seats if seat != self.resigned]
            best = max(points[seat] for seat in left)
            won = [seat for seat in left if points[seat] == best]
            return Result(points, won, self.why_resigned)
        if self.is_drawn:
            return Result(points, [], "agreement")
        won = [seat for seat in seats if winners[seat]]
        return Result(points, won, self.game.folder.story.reason(self._look(None)))

    def notations(self) -> list[str]:
        """Return the moves of the seats so far, each as its maker writes it."""
        return [
            self._remember(move.seat)[0][ply].notation
            for ply, move in enumerate(self._remember(None)[0])
            if move.seat is not None
        ]

    def save(self) -> str:
        """Return the match as JSON text, from which `brelan.load` replays it."""
        from brelan.engine import saves

        return saves.save(self)

    def _draw_luck(self) -> None:
        """Set the luck of the next move: a keyed hash of the secret and the ply."""
        if self._secret is None:
            return  # simulated: the stream of luck goes on
        self._state.luck[0] = self.luck_of(self.ply)

    def luck_of(self, ply: int) -> int:
        """Return the luck of a move by its number from 1 on, of the deal 0; it tells the cards."""
        assert self._secret is not None
        bits = hashlib.blake2b(ply.to_bytes(8, "little"), key=self._secret, digest_size=8).digest()
        return int.from_bytes(bits, "little")

    def _play(self, number: int) -> None:
        if self._states is not None:
            self._states.append(self._state.tobytes())
        self._numbers.append(number)
        self._draw_luck()
        self._legal = None
        self.game.hooks.play(self._state, number)

    def _past(self) -> list[bytes]:
        """Return the state before each move; what was released is replayed."""
        if self._states is None:
            numbers, now = self._numbers, self._state
            self._state = np.frombuffer(bytearray(self._first), now.dtype)[0]
            self._numbers, self._states = [], []
            for number in numbers:
                self._play(number)
            self._state = now
        return self._states

    def _let_table_move(self) -> None:
        while self._state.turn == TABLE:
            scratch = new_scratch()
            self.game.hooks.legal_moves(self._state, scratch)
            if scratch.count == 0:
                return
            self._play(int(scratch.moves[0]))

    def record(self, seat: int | None) -> Any:
        """Return the record of what a seat sees now (None: what a spectator sees)."""
        return self._seen(self._state.tobytes(), self._reader(seat))

    def _look(self, seat: int | None) -> Any:
        return self._seen(self._state.tobytes(), seat)

    def _seen(self, state: bytes, seat: int | None) -> Any:
        return self.game.folder.layout.view(state, seat)

    def _remember(self, seat: int | None) -> tuple[list[Move], list[bytes]]:
        """Return every move as a seat saw it (a secret one face down), and its view before each."""
        moves, seen = self._memories.setdefault(seat, ([], []))
        past = zip(self._past()[len(moves) :], self._numbers[len(moves) :], strict=True)
        for state, number in past:
            record = self._seen(state, seat)
            moves.append(Move(self.game, record, self.game.shown(record, number, seat)))
            seen.append(record.tobytes())
        return moves, seen


def _secret(seed: int | str) -> bytes:
    """Return the 256-bit secret of a seed: the secret itself, or one made from a number."""
    if isinstance(seed, str):
        try:
            secret = bytes.fromhex(seed)
        except ValueError:
            secret = b""
        if len(secret) != 32:
            raise Refused("a seed is a number, or a secret of 64 hexadecimal digits")
        return secret
    return hashlib.blake2b(f"brelan {seed}".encode(), digest_size=32).digest()


def _seed(seed: int | str) -> int | str:
    """Return a seed as a plain number or text; anything else is refused."""
    number = seed if isinstance(seed, str) else whole_number(seed)
    if number is None:
        raise Refused("a seed is a whole number, or a secret of 64 hexadecimal digits")
    return number
