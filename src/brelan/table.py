"""The table: a game with its knobs set, a match of it, and what each seat sees of that match."""

from __future__ import annotations

import functools
import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from brelan import verbs
from brelan.catalogue import Folder, open_folder, opened
from brelan.errors import BadSave, IllegalMove, Refused
from brelan.games import ids as games
from brelan.knobs import Value
from brelan.places import named
from brelan.texts import Telling, seat_word
from brelan.words import TABLE, Cards, desk

SAVE_FORMAT = 1


class Result(NamedTuple):
    """How a match ended."""

    scores: list[int]
    winners: list[int]
    reason: str


class Move:
    """A move: its id for bots, its notation for logs, its label for people.

    It is described from the view it was made in, when somebody asks.
    """

    def __init__(self, game: Game, record: Any, number: int) -> None:
        self.id = number
        self.seat = None if record.turn == TABLE else int(record.turn)  # None: the table
        self._folder = game.folder
        self._record = record

    @functools.cached_property
    def notation(self) -> str:
        """The move as it is written down."""
        notation: str = self._folder.cards.notation(self._record, self.id)
        return notation

    @functools.cached_property
    def words(self) -> Telling:
        """The key of the text that says the move, and its facts."""
        words: Telling = self._folder.story.label(self._record, self.id)
        return words

    def label(self, language: str = "en") -> str:
        """Return the move in words."""
        return self._folder.texts(language)(*self.words)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.id == other.id
            and self._folder is other._folder
            and self.notation == other.notation
        )

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Move {self.id}: {self.notation}>"

    def __str__(self) -> str:
        return self.notation


class View:
    """What a seat sees of a match (seat None: a spectator), and all it has seen so far."""

    def __init__(
        self,
        game: Game,
        seat: int | None,
        record: Any,
        history: tuple[Move, ...] = (),
        past: tuple[bytes, ...] = (),
        *,
        is_over: bool = False,
    ) -> None:
        self.game = game
        self.seat = seat
        self.record = record
        self.history = history  # every move so far, as this seat saw it made
        self.past = past  # what this seat saw before each of them
        self.is_over = is_over

    @property
    def turn(self) -> int | None:
        """The seat that must decide, or None."""
        return None if self.is_over or self.record.turn == TABLE else int(self.record.turn)

    def legal(self) -> list[Move]:
        """Return what this seat may do now; nothing if it is not its turn."""
        if self.seat is None or self.turn != self.seat:
            return []
        return self.game.legal(self.record)

    def as_dict(self) -> dict[str, Any]:
        """Return the view as plain data, in the rulebook's own numbers; hidden is None."""
        return named(self.record, self.seat, self.game.folder.layout, self.game.folder.knobs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.game.variant, self.seat) == (other.game.variant, other.seat)
            and self.record.tobytes() == other.record.tobytes()
            and (self.history, self.past) == (other.history, other.past)
        )

    __hash__ = None  # type: ignore[assignment]


class Game:
    """A game with its knobs set: a variant."""

    mode = "interpreted"  # how its matches run: one move at a time needs no compiler

    def __init__(self, folder: Folder, knobs: dict[str, Value]) -> None:
        self.folder = folder
        self.knobs = knobs
        objection = folder.objection(knobs)
        if objection is not None:
            raise Refused(objection)

    @property
    def id(self) -> str:
        """The game's id."""
        return self.folder.id

    @property
    def players(self) -> int:
        """How many seats there are."""
        players = self.knobs["players"]
        assert isinstance(players, int)
        return players

    @functools.cached_property
    def variant(self) -> str:
        """A stable name: the game, its rules version, the knobs turned, and a hash of them all."""
        players = self.players
        turned = [
            f"{name}={value}"
            for name, value in self.knobs.items()
            if name != "players" and value != self.folder.knobs[name].default_for(players)
        ]
        content = json.dumps([self.id, self.folder.version, self.knobs], sort_keys=True)
        digest = hashlib.blake2b(content.encode(), digest_size=4).hexdigest()
        return f"{self.id}/{self.folder.version}:{','.join([f'{players}p', *turned])}#{digest}"

    def deal(self, seed: int | str | None = None, cards: Sequence[Any] | None = None) -> Match:
        """Begin a match.

        `seed` is a number, or the 64 hexadecimal digits of a secret; without one a secret is
        drawn. `cards` is the order of all cards, dealt as the rulebook says; where there are
        several packs, one after the other.
        """
        return Match(self, seed, cards)

    def machine(self, word: Any) -> Any:
        """Return a word of this game, as its matches run it."""
        return self.folder.machine(self.mode)(word)

    def blank(self) -> Any:
        """Return the state of a match not yet started: all is blank but the knobs."""
        state = self.folder.layout.blank()
        for name, knob in self.folder.knobs.items():
            state[name] = knob.number(self.knobs[name])
        return state

    def cards(self, printed: Sequence[Any]) -> Any:
        """Return the cards that are meant by what is printed on them; all must be there."""
        packs = self.packs
        named = [str(card) for card in printed]
        by_print = {str(card.printed): card for card in self.pack}
        begin = 0
        for pack in packs:
            wanted = [str(card.printed) for card in pack]
            if sorted(named[begin : begin + len(pack)]) != sorted(wanted):
                first = f"cards {begin + 1} to {begin + len(pack)}" if len(packs) > 1 else "cards"
                raise Refused(
                    f"{first} must be these {len(pack)}, in any order: {' '.join(wanted)}"
                )
            begin += len(pack)
        if len(named) > begin:
            raise Refused(f"there are {begin} cards, not {len(named)}")
        return np.array([by_print[card] for card in named], np.int16)

    @functools.cached_property
    def packs(self) -> list[list[Cards]]:
        """The packs that are shuffled, unshuffled, in the order in which `cards=` lists them."""
        packs: list[list[Cards]] = self.folder.cards.packs(self.knobs)
        return packs

    @property
    def pack(self) -> list[Cards]:
        """Every card of the game."""
        return [card for pack in self.packs for card in pack]

    def shown(self, view: Any, number: int, reader: int | None) -> int:
        """Return the move that a reader sees made: the true one, or a row that hides its secret."""
        if view.turn == reader:
            return number
        shown: int = self.folder.cards.shown(view, number, reader)
        return shown

    def legal(self, record: Any) -> list[Move]:
        """Return what the seat in turn may do, from its view's record."""
        paper = desk()
        self.machine(verbs.legal_moves)(record, paper)
        return [Move(self, record, int(number)) for number in paper.moves[: paper.count]]

    def __repr__(self) -> str:
        return f"<Game {self.variant}>"


class Match:
    """One play of a game, from the deal to the result."""

    cards: list[int | str] | None  # in the order given by hand

    def __init__(self, game: Game, seed: int | str | None, cards: Sequence[Any] | None) -> None:
        self._begin(game, secrets.token_hex(32) if seed is None else _seed(seed))
        order = np.array(game.pack, np.int16) if cards is None else game.cards(cards)
        printed = {int(card): card.printed for card in game.pack}
        if cards is not None:
            self.cards = [printed[int(card)] for card in order]
        self._state.luck[0] = self._luck()
        game.machine(verbs.start)(self._state, order, cards is not None)
        self._let_table_move()

    def _begin(self, game: Game, seed: int | str) -> None:
        self.game, self.seed, self._secret = game, seed, _secret(seed)
        self.cards = None
        self.resigned: int | None = None
        self._set_up = False  # by hand, not by a deal
        self._state = game.blank()
        self._past: list[tuple[bytes, int]] = []  # each state before a move, and the move
        self._memories: dict[int | None, tuple[list[Move], list[bytes]]] = {}

    @classmethod
    def standing(cls, game: Game, state: Any) -> Match:
        """Return a match that stands in a state set up by hand; it cannot be saved."""
        match = cls.__new__(cls)
        match._begin(game, 0)
        match._state, match._set_up = state, True
        return match

    @property
    def turn(self) -> int | None:
        """The seat that must decide, or None when the match is over."""
        over = self.resigned is not None or self._state.turn == TABLE
        return None if over else int(self._state.turn)

    def legal(self) -> list[Move]:
        """Return what the seat in turn may do."""
        return [] if self.turn is None else self.game.legal(self._look(self.turn))

    def play(self, move: Move | int | str) -> Move:
        """Make a move, given as a Move, its id or its notation; return it."""
        legal = self.legal()
        number = move.id if isinstance(move, Move) else whole_number(move)
        for candidate in legal:
            if candidate.id == number if number is not None else str(candidate) == move:
                self.make(candidate.id)
                return candidate
        if self.turn is None:
            raise IllegalMove("the match is over; no move is allowed")
        allowed = ", ".join(candidate.notation for candidate in legal)
        meant = str(move) if isinstance(move, Move) else repr(move)[:80]
        raise IllegalMove(f"{meant} is not allowed now; seat {self.turn} may play: {allowed}")

    def make(self, number: int) -> None:
        """Make a move known to be legal, by its number; the table's moves follow by themselves."""
        self._play(number)
        self._let_table_move()

    def resign(self, seat: int) -> None:
        """Let a seat give up: it loses the match at once, and scores stay as they are."""
        if self.result is not None:
            raise IllegalMove("the match is over; nobody can resign")
        self.resigned = self._seat(seat)

    def view(self, seat: int | None) -> View:
        """Return what a seat sees (None: what a spectator sees)."""
        seat = self._seat(seat)
        history, past = self._remember(seat)
        over = self.turn is None
        return View(self.game, seat, self._look(seat), tuple(history), tuple(past), is_over=over)

    def _seat(self, seat: int | None) -> int | None:
        """Return a seat as a plain number, None for a spectator; anything else is refused."""
        if seat is None:
            return None
        number = whole_number(seat)
        if number not in range(self.game.players):
            raise Refused(f"there is no seat {seat!r}; seats are 0 to {self.game.players - 1}")
        return number

    def story(self, seat: int | None, lang: str = "fr") -> list[str]:
        """Return what has happened, in sentences as that seat may read them."""
        seat, texts = self._seat(seat), self.game.folder.texts(lang)
        told = [texts(key, facts) for key, facts in self.tell(seat)]
        if self.resigned is not None:
            told.append(texts("table.resigned", {"who": seat_word(self.resigned, seat)}))
        return told

    def tell(self, seat: int | None, since: int = 0, until: int | None = None) -> list[Telling]:
        """Return what has happened from one ply to another as keys of texts and their facts."""
        told: list[Telling] = []
        seat = self._seat(seat)
        states = [state for state, _ in self._past] + [self._state.tobytes()]
        for ply in range(len(self._past))[since:until]:
            before, after = self._seen(states[ply], seat), self._seen(states[ply + 1], seat)
            number = self.game.shown(before, self._past[ply][1], seat)
            told += self.game.folder.story.tell(before, number, after, seat)
        return told

    @property
    def ply(self) -> int:
        """How many moves have been made, the table's included."""
        return len(self._past)

    @property
    def result(self) -> Result | None:
        """None while the match goes on, then its result."""
        if self.turn is not None:
            return None
        scores, winners = np.zeros((2, self.game.folder.layout.seats), np.int64)
        self.game.machine(verbs.score)(self._state, scores, winners)
        seats = range(self.game.players)
        points = [int(scores[seat]) for seat in seats]
        if self.resigned is not None:
            left = [seat for seat in seats if seat != self.resigned]
            best = max(points[seat] for seat in left)
            won = [seat for seat in left if points[seat] == best]
            return Result(points, won, "resignation")
        won = [seat for seat in seats if winners[seat]]
        return Result(points, won, self.game.folder.story.reason(self._look(None)))

    def save(self) -> str:
        """Return the match as JSON text, from which `brelan.load` replays it."""
        if self._set_up:
            raise Refused("a position set up by hand cannot be saved: it was never dealt")
        moves = []
        for ply, shown in enumerate(self._remember(None)[0]):
            if shown.seat is not None:
                moves.append(self._remember(shown.seat)[0][ply].notation)
        content: dict[str, Any] = {
            "brelan": SAVE_FORMAT,
            "game": self.game.id,
            "rules": self.game.folder.version,
            "knobs": self.game.knobs,
            "seed": self.seed,
            "cards": self.cards,
            "moves": moves,
            "resigned": self.resigned,
            "result": self.result,
        }
        content["digest"] = _digest(content)
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def _luck(self) -> int:
        """Return the luck of the next move: a keyed hash of the secret and the ply."""
        ply = len(self._past).to_bytes(8, "little")
        bits = hashlib.blake2b(ply, key=self._secret, digest_size=8).digest()
        return int.from_bytes(bits, "little")

    def _play(self, number: int) -> None:
        self._past.append((self._state.tobytes(), number))
        self._state.luck[0] = self._luck()
        self.game.machine(verbs.play)(self._state, number)

    def _let_table_move(self) -> None:
        paper = desk()
        while self._state.turn == TABLE:
            self.game.machine(verbs.legal_moves)(self._state, paper)
            if paper.count == 0:
                return
            self._play(int(paper.moves[0]))

    def _look(self, seat: int | None) -> Any:
        return self._seen(self._state.tobytes(), seat)

    def _seen(self, state: bytes, seat: int | None) -> Any:
        return self.game.folder.layout.view(state, seat)

    def _remember(self, seat: int | None) -> tuple[list[Move], list[bytes]]:
        """Return every move as a seat saw it (a secret one face down), and its view before each."""
        moves, seen = self._memories.setdefault(seat, ([], []))
        for state, number in self._past[len(moves) :]:
            record = self._seen(state, seat)
            moves.append(Move(self.game, record, self.game.shown(record, number, seat)))
            seen.append(record.tobytes())
        return moves, seen


def game(name: str, /, *, preset: str | None = None, **knobs: Any) -> Game:
    """Return a game by its id, with knobs set.

    >>> import brelan
    >>> brelan.game("love-letter", players=2, spy_bonus="off").variant
    'love-letter/1:2p,spy_bonus=off#6ebe82f3'
    """
    folder = open_folder(name)
    return Game(folder, folder.knobs.settle(knobs, preset))


def load(text: str) -> Match:
    """Return a saved match, replayed and verified; a damaged one raises BadSave."""
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSave(f"this is not a saved match: {error}") from None
    try:
        return _replay(saved)
    except BadSave:
        raise
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise BadSave(f"this is not a saved match: {type(error).__name__} {error}") from None
    except ValueError as error:
        raise BadSave(f"this saved match does not replay: {error}") from None


def _replay(saved: Mapping[str, Any]) -> Match:
    if saved["brelan"] is True or saved["brelan"] != SAVE_FORMAT:
        raise BadSave(f"saved in format {saved['brelan']}; this Brelan reads {SAVE_FORMAT}")
    if saved["digest"] != _digest(saved):
        raise BadSave("this saved match was altered: it does not agree with its digest")
    known = [*games(), *opened()]  # a path would import code that the file names
    if saved["game"] not in known:
        raise BadSave(f"unknown game {saved['game']!r}; there are: {', '.join(known)}")
    variant = game(saved["game"], **saved["knobs"])
    if saved["rules"] != variant.folder.version:
        raise BadSave(
            f"played by version {saved['rules']} of the rules of {variant.id}; "
            f"this Brelan has version {variant.folder.version}"
        )
    match = variant.deal(seed=saved["seed"], cards=saved["cards"])
    for move in saved["moves"]:
        match.play(str(move))
    if saved["resigned"] is not None:
        match.resign(saved["resigned"])
    if saved["result"] != (None if match.result is None else list(match.result)):
        raise BadSave("this saved match has another result than its moves lead to")
    return match


def _digest(content: Mapping[str, Any]) -> str:
    """Return a digest of all that a saved match says, by which a change to it is noticed."""
    said = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(said, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


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


def whole_number(value: object) -> int | None:
    """Return a whole number as a plain one; None for everything else, truth values too."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        return None
    return int(value)
