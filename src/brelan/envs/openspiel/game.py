"""A variant of a game as a game of OpenSpiel, and its states."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from brelan.encoding import Encoder
from brelan.engine.folder import GameFolder
from brelan.engine.game import Game
from brelan.engine.view import View
from brelan.envs import outcome
from brelan.envs.openspiel.chance import is_listed
from brelan.envs.openspiel.observer import Observer
from brelan.envs.openspiel.position import (
    Memory,
    Position,
    Rules,
    described,
    imagined,
    remembered,
)
from brelan.errors import Refused
from brelan.knobs import Knob
from brelan.rules import payoffs

CHANCE, RETURNS = ("explicit", "sampled"), ("win", "score")
AS_USUAL = "default"  # a text knob that is not turned
NOT_SET = -1
MOST_POINTS = float(2**15)  # a score has 16 bits
OWN: dict[str, int | str] = {  # parameters besides the knobs
    "chance": AS_USUAL,
    "returns": RETURNS[0],
    "longest": NOT_SET,
    "recall": NOT_SET,
    "rng_seed": NOT_SET,
}


def short_name(folder: GameFolder) -> str:
    """Return what OpenSpiel calls a game, such as `brelan_love_letter`."""
    return f"brelan_{folder.id.replace('-', '_')}"


def not_set(knob: Knob) -> int | str:
    """Return the value of a parameter that leaves a knob as it is usually."""
    if isinstance(knob.default, str):
        return AS_USUAL
    numbers = [value for value in knob.values if isinstance(value, int)]
    return min(NOT_SET, min(numbers) - 1)


def game_type(folder: GameFolder, chance: str = AS_USUAL, returns: str = RETURNS[0]) -> Any:
    """Return what OpenSpiel wants to know of a game before it is made."""
    is_explicit = chance != CHANCE[1] and is_listed(folder)
    players = folder.knobs["players"].values
    modes, utilities = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    is_win = returns == RETURNS[0]
    return pyspiel.GameType(
        short_name=short_name(folder),
        long_name=f"Brelan: {folder.texts('en')('game.name')}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if is_explicit else modes.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if is_win else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={
            **OWN,
            **{name: not_set(knob) for name, knob in folder.knobs.items()},
        },
    )


class BrelanGame(pyspiel.Game):  # type: ignore[misc]
    """A variant of a game for OpenSpiel. Its actions are the rows of the game's table of moves.

    Parameters are the knobs of the game, `players` among them, and besides:

    - `chance`: `explicit`, where every draw is a node with its outcomes and probabilities; or
      `sampled`, where a node has one outcome, and luck is drawn when it is applied. By default
      explicit, if the rules draw nothing but numbers and shuffled cards.
    - `returns`: `win`, 1 for the winner and -1 for a loser, adding up to 0; or `score`, points.
    - `longest`: the most decisions in a match; by default that of the rules with usual knobs.
    - `recall`: for how many moves an information-state tensor has room; by default for `longest`.
    - `rng_seed`: the luck of sampled chance; by default another one each time.
    """

    folder: GameFolder  # of the subclass that each game has

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        folder = self.folder
        given = {name: value for name, value in (params or {}).items() if name in OWN}
        own = {**OWN, **given}
        _check("chance", own["chance"], (AS_USUAL, *CHANCE))
        _check("returns", own["returns"], RETURNS)
        knobs = {
            name: value
            for name, value in (params or {}).items()
            if name not in OWN and value != not_set(folder.knobs[name])
        }
        self.variant = Game(folder, folder.knobs.settle(knobs))
        if own["chance"] == CHANCE[0] and not is_listed(folder):
            raise Refused(f"{folder.id} draws luck that cannot be listed; use chance=sampled")
        self.rules = Rules(self.variant, is_explicit=own["chance"] != CHANCE[1])
        self.is_win = own["returns"] == RETURNS[0]
        self.longest = folder.rules.LONGEST if own["longest"] < 0 else int(own["longest"])
        self.recall = self.longest if own["recall"] < 0 else int(own["recall"])
        self.encoder = Encoder(self.variant)
        seed = None if own["rng_seed"] < 0 else own["rng_seed"]
        self.luck = random.Random(seed)  # noqa: S311 - of matches for learning
        players, cards = self.variant.players, self.variant.pack
        worst = -1.0 / (players - 1) if self.is_win else -MOST_POINTS
        super().__init__(
            game_type(folder, str(own["chance"]), str(own["returns"])),
            pyspiel.GameInfo(
                num_distinct_actions=len(folder.cards.MOVES),
                max_chance_outcomes=1 + max(len(cards), *cards, players),
                num_players=players,
                min_utility=worst,
                max_utility=1.0 if self.is_win else MOST_POINTS,
                utility_sum=0.0 if self.is_win else None,
                max_game_length=self.longest,
            ),
            dict(params or {}),
        )

    def new_initial_state(self, text: str | None = None) -> BrelanState:
        """Return the state before anything is dealt."""
        if text is not None:
            raise ValueError("a state cannot be given as text; use deserialize_state")
        return BrelanState(self)

    def state_of(self, view: View, luck: int = 0) -> BrelanState:
        """Return a state that looks to a seat like its view, all that it has seen included.

        What it does not see is imagined with this luck. Its information state is the same as in a
        state of OpenSpiel that has come to this view.
        """
        if view.seat is None or view.game.variant != self.variant.variant:
            raise Refused(f"this is for views of seats in {self.variant.variant}")
        begun: dict[int | None, Memory] = {view.seat: remembered(self.variant, view)}
        state = BrelanState(self)
        state.position = imagined(self.rules, view.record, view.seat, luck, begun)
        return state

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound: all cards are shuffled, and a starter drawn, after every decision."""
        return (self.longest + 1) * (len(self.variant.pack) + 2)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Any = None
    ) -> Observer:
        """Return an observer of one kind of observation; without one, of what a seat sees now."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self, kind, params)


def _check(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise Refused(f"{name} = {value} is not allowed; it may be: {', '.join(allowed)}")


class BrelanState(pyspiel.State):  # type: ignore[misc]
    """A state of a match: `position` is what it stands at."""

    def __init__(self, game: BrelanGame) -> None:
        super().__init__(game)
        self.position: Position = game.rules.initial

    def current_player(self) -> int:
        """Return the seat that decides, or that chance does, or that the match is over."""
        turn = self.position.turn
        if turn is not None:
            return turn
        ids = pyspiel.PlayerId
        return int(ids.TERMINAL if self.position.is_over else ids.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what may be drawn, each with its probability."""
        drawing = self.position.drawing
        assert drawing is not None, "chance has nothing to draw"
        return [(number, probability) for number, probability in drawing.outcomes]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.drawing is None:
            if action not in position.legal():
                allowed = ", ".join(map(str, position.legal())) or "nothing"
                raise Refused(f"{action} is not allowed now; allowed: {allowed}")
            self.position = position.rules.played(position, action)
        elif action not in [number for number, _ in position.drawing.outcomes]:
            allowed = ", ".join(str(number) for number, _ in position.drawing.outcomes)
            raise Refused(f"{action} cannot be drawn now; there are: {allowed}")
        elif position.rules.is_explicit:
            self.position = position.rules.chosen(position, action)
        else:
            luck = self.get_game().luck.getrandbits(64)
            self.position = position.rules.sampled(position, position.drawing.number, luck)

    def _action_to_string(self, player: int, action: int) -> str:
        position, folder = self.position, self.position.rules.game.folder
        if player == pyspiel.PlayerId.CHANCE:
            drawing = position.drawing
            if drawing is not None and drawing.is_card:
                return f"draw {folder.cards.Card(action).printed}"
            return f"draw {action}"
        if player == position.turn and action in position.legal():
            return str(folder.cards.notation(position.seen(player), action))
        row = folder.cards.MOVES[action]
        filled = [f"{name} {row[name]}" for name in row.dtype.names if row[name]]
        return f"move {action}: {', '.join(filled)}" if filled else f"move {action}"

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return what the match is worth to each seat; nothing before its end."""
        game = self.get_game()
        players = game.variant.players
        if not self.position.is_over:
            return [0.0] * players
        scores, winners = np.zeros((2, game.variant.folder.layout.seats), np.int64)
        game.rules.game.hooks.score(self.position.record, scores, winners)
        if game.is_win:
            return [float(x) for x in outcome.from_payoffs(payoffs(winners[:players]))]
        return [float(score) for score in scores[:players]]

    def resample_from_infostate(self, player: int, sampler: Any) -> BrelanState:
        """Return a state that a seat imagines: it has seen the same, and the rest is drawn anew.

        `sampler` returns a fraction from 0 to 1, as OpenSpiel's algorithms give it.
        """
        state = BrelanState(self.get_game())
        state.position = self.position.imagined(player, int(sampler() * 2**53))
        return state

    def view(self, seat: int | None) -> View:
        """Return what a seat (None: a spectator) sees, as the bots of the house read it."""
        return self.position.view(seat)

    def __str__(self) -> str:
        return "\n".join(described(self.position))
