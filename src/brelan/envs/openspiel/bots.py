"""Bots of OpenSpiel at our tables.

    brelan arena love-letter eager brelan.envs.openspiel.bots:ismcts

A bot of OpenSpiel is asked in a state that looks to its seat like its view; what the seat does not
see is imagined, so a bot that peeks learns nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ChildSelectionPolicy, ISMCTSBot
from open_spiel.python.algorithms.ismcts import ISMCTSFinalPolicyType as FinalPolicy
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from brelan.bots.base import check_view, decision_seed
from brelan.engine.game import Game
from brelan.engine.view import Move, View
from brelan.envs.openspiel import load
from brelan.envs.openspiel.game import BrelanGame

SIMULATIONS = 200
EXPLORATION = 2.0

Maker = Callable[[BrelanGame, int], Any]  # a bot of OpenSpiel for a game and a seat


class OpenSpielBot:
    """A bot of OpenSpiel as a bot of the house.

    `make(game, seat)` returns a `pyspiel.Bot` of that seat, or anything with `step(state)`; it is
    called once for each seat. When a seat begins another match, its `restart` is called, if there
    is one. `inform_action` is not: what others did is in the state.
    """

    def __init__(self, game: Game, make: Maker, name: str = "openspiel", **params: Any) -> None:
        self.name, self.game = name, game
        self._openspiel, self._make = load(game, **params), make
        self._bots: dict[int, Any] = {}
        self._plies: dict[int, int] = {}

    def choose(self, view: View) -> Move:
        """Return the bot's move in a view of its own turn; an illegal one raises ValueError."""
        check_view(view, self.game)
        seat = view.turn
        assert seat is not None
        if seat not in self._bots:
            self._bots[seat] = self._make(self._openspiel, seat)
        elif len(view.history) <= self._plies[seat]:
            getattr(self._bots[seat], "restart", lambda: None)()
        self._plies[seat] = len(view.history)
        state = self._openspiel.state_of(view, decision_seed(0, view))
        number = int(self._bots[seat].step(state))
        for move in view.legal():
            if move.id == number:
                return move
        raise ValueError(f"{self.name} answered {number}, which is no legal move")


def ismcts(game: Game) -> OpenSpielBot:
    """Return OpenSpiel's information-set Monte Carlo tree search, with 200 simulations a move."""

    def make(openspiel: BrelanGame, seat: int) -> Any:
        luck = np.random.RandomState(seat)
        return ISMCTSBot(
            game=openspiel,
            evaluator=RandomRolloutEvaluator(1, luck),
            uct_c=EXPLORATION,
            max_simulations=SIMULATIONS,
            random_state=luck,
            child_selection_policy=ChildSelectionPolicy.UCT,
            final_policy_type=FinalPolicy.MAX_VISIT_COUNT,
        )

    return OpenSpielBot(game, make, "ismcts", chance="sampled")


def uniform(game: Game) -> OpenSpielBot:
    """Return OpenSpiel's uniformly random bot."""
    return OpenSpielBot(
        game, lambda _, seat: pyspiel.make_uniform_random_bot(seat, 1 + seat), "uniform"
    )
