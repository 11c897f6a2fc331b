"""The protocol of a bot; `random`, and the rule bots that each game's folder brings."""

from __future__ import annotations

import hashlib
from typing import Protocol

from brelan.compiler.warmup import Call, Progress, warm_up
from brelan.engine.driver import RANDOM
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.errors import Refused
from brelan.rules import new_scratch, random_below


class Bot(Protocol):
    """Anything that chooses a move from a view."""

    name: str

    def choose(self, view: View) -> Move:
        """Return one of the view's legal moves."""


class RuleBot:
    """A bot written as a rule: `random`, or one of the game's own.

    Its luck follows from its seed and the view alone, so equal views get equal moves. It runs as
    Python, or as machine code if the game declares it COMPILED_ONLY.
    """

    def __init__(self, name: str, game: Game, seed: int = 0) -> None:
        self.name = name
        self.game = game
        self.seed = seed
        self.number = names(game).index(name)
        self.run_in("compiled" if is_compiled_only(game, name) else "interpreted")

    def run_in(self, mode: str) -> None:
        """Set the mode in which it chooses: `compiled`, `checked` or `interpreted`."""
        self.mode = mode
        self._hooks = self.game.folder.hooks(mode)
        self._random_below = self.game.folder.library(mode)(random_below)

    def prepare(self, progress: Progress | None = None) -> None:
        """Compile or load the machine code that `choose` needs."""
        record, scratch = self.game.blank(), new_scratch()
        calls: list[Call] = [(self._hooks.legal_moves, (record, scratch))]
        if self.number == RANDOM:
            calls.append((self._random_below, (scratch.luck, 1)))
        else:
            calls.append((self._hooks.choose, (self.number - 1, record, scratch)))
        warm_up(calls, progress)

    def choose(self, view: View) -> Move:
        """Return the bot's move in a view of its own turn; another view is `Refused`."""
        check_view(view, self.game)
        scratch = new_scratch(decision_seed(self.seed, view))
        record = view.record.copy()  # which a bot may overwrite
        self._hooks.legal_moves(record, scratch)
        if self.number == RANDOM:
            number = scratch.moves[self._random_below(scratch.luck, int(scratch.count))]
        else:
            number = self._hooks.choose(self.number - 1, record, scratch)
        return Move(self.game, view.record, int(number))


def check_view(view: View, game: Game) -> None:
    """Refuse a view of another game, or of a seat that is not in turn."""
    if view.game.folder is not game.folder:
        raise Refused(f"this bot plays {game.id}, not {view.game.id}")
    if view.seat is None or view.turn != view.seat:
        raise Refused("a bot can only choose in a view of the seat whose turn it is")


def decision_seed(seed: int, view: View) -> int:
    """Return the luck of a bot in a view: a hash of its seed, its seat and what it sees."""
    moment = f"{seed} {view.seat} {len(view.history)} ".encode() + view.record.tobytes()
    return int.from_bytes(hashlib.blake2b(moment, digest_size=8).digest(), "little")


def names(game: Game) -> list[str]:
    """Return the names of the rule bots that can play a game; a bot's number is its place here.

    >>> import brelan
    >>> names(brelan.game("love-letter"))
    ['random', 'careful', 'shrewd', 'eager']
    """
    return ["random", *game.folder.bots.BOTS]


def current_name(game: Game, name: str) -> str:
    """Return a bot's present name, given that or one of the game's `FORMER_NAMES`."""
    former: dict[str, str] = getattr(game.folder.bots, "FORMER_NAMES", {})
    return former.get(name, name)


def is_compiled_only(game: Game, name: str) -> bool:
    """Whether a bot is too slow to run as Python; then no opponent is modelled by it either."""
    return name in getattr(game.folder.bots, "COMPILED_ONLY", ())
