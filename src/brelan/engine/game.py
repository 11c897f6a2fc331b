"""A game with its knobs set: a variant."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from brelan.engine.folder import GameFolder, open_folder
from brelan.engine.match import Match
from brelan.engine.view import Move
from brelan.errors import Refused
from brelan.knobs import Value
from brelan.rules import Cards, new_scratch


class Game:
    """A game with its knobs set: a variant."""

    def __init__(
        self, folder: GameFolder, knobs: dict[str, Value], mode: str = "interpreted"
    ) -> None:
        self.folder, self.knobs = folder, knobs
        self.hooks = folder.hooks(mode)  # as its matches run: one move at a time needs no compiler
        conflict = folder.conflict(knobs)
        if conflict is not None:
            raise Refused(conflict)

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
        scratch = new_scratch()
        self.hooks.legal_moves(record, scratch)
        return [Move(self, record, int(number)) for number in scratch.moves[: scratch.count]]

    def __repr__(self) -> str:
        return f"<Game {self.variant}>"


def game(name: str, /, *, preset: str | None = None, **knobs: Any) -> Game:
    """Return a game by its id, with knobs set.

    >>> import brelan
    >>> brelan.game("love-letter", players=2, spy_bonus="off").variant
    'love-letter/1:2p,spy_bonus=off#6ebe82f3'
    """
    folder = open_folder(name)
    return Game(folder, folder.knobs.settle(knobs, preset))
