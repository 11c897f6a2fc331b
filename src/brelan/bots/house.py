"""The bots of the house: `random`, and those that each game's folder brings."""

from __future__ import annotations

import hashlib
from typing import Protocol

from brelan import verbs
from brelan.driver import RANDOM
from brelan.errors import Refused
from brelan.table import Game, Move, View
from brelan.words import below, desk


class Bot(Protocol):
    """Whoever chooses a move from a view."""

    name: str

    def choose(self, view: View) -> Move:
        """Return one of the view's legal moves."""


class RuleBot:
    """A bot written as a rule: `random`, or one of the game's own.

    Its luck follows from its seed and the view alone, so equal views get equal moves. One that
    thinks hard plays in machine code, which is compiled when it chooses for the first time.
    """

    def __init__(self, name: str, game: Game, seed: int = 0) -> None:
        self.name = name
        self.game = game
        self.seed = seed
        self.number = names(game).index(name)
        self.machine = game.folder.machine("compiled" if is_heavy(game, name) else "interpreted")

    def choose(self, view: View) -> Move:
        """Return the move this bot makes in a view of its own turn."""
        check_view(view, self.game)
        paper = desk(luck_of(self.seed, view))
        record = view.record.copy()  # on which a bot may try moves out
        self.machine(verbs.legal_moves)(record, paper)
        if self.number == RANDOM:
            number = paper.moves[self.machine(below)(paper.luck, int(paper.count))]
        else:
            number = self.machine(verbs.choose)(self.number - 1, record, paper)
        return Move(self.game, view.record, int(number))


def check_view(view: View, game: Game) -> None:
    """Refuse a view in which a bot has nothing to choose."""
    if view.game.folder is not game.folder:
        raise Refused(f"this bot plays {game.id}, not {view.game.id}")
    if view.seat is None or view.turn != view.seat:
        raise Refused("a bot can only choose in a view of the seat whose turn it is")


def luck_of(seed: int, view: View) -> int:
    """Return the luck of a bot in a view, which follows from its seed and what it sees."""
    moment = f"{seed} {view.seat} {len(view.history)} ".encode() + view.record.tobytes()
    return int.from_bytes(hashlib.blake2b(moment, digest_size=8).digest(), "little")


def names(game: Game) -> list[str]:
    """Return the names of the bots that can play a game.

    >>> import brelan
    >>> names(brelan.game("love-letter"))
    ['random', 'careful', 'shrewd', 'seed']
    """
    return ["random", *game.folder.bots.BOTS]


def is_heavy(game: Game, name: str) -> bool:
    """Whether a bot thinks so hard that it plays in machine code only."""
    return name in getattr(game.folder.bots, "HEAVY", ())
