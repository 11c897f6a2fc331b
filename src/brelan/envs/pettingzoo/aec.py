"""A match as a PettingZoo environment: the seats are agents that move one after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from brelan.encoding import Actions, Encoder
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.numbers import whole_number
from brelan.envs import outcome
from brelan.envs.pettingzoo.names import environment_name
from brelan.envs.rendering import RENDER_MODES, check_render_mode, rendered
from brelan.envs.variant import as_game
from brelan.errors import IllegalMove, Refused

Observation = dict[str, np.ndarray[Any, Any]]
SPECTATOR, TURN = "spectator", "turn"


def env(game: str | Game, **options: Any) -> AECEnv[str, Observation, int | None]:
    """Return the environment of a game as PettingZoo's own are; see `MatchEnv`.

    An illegal action ends the match: its agent gets -1, all others 0. One beyond the space is an
    AssertionError. Both are as PettingZoo's wrappers do it, but need no layers that slow each step.
    """
    made = raw_env(game, **options)
    made.is_strict = False
    return wrappers.OrderEnforcingWrapper(made)


def raw_env(
    game: str | Game,
    render_mode: str | None = None,
    *,
    lang: str = "en",
    seen_by: int | str = TURN,
    max_cycles: int | None = None,
    encode_knobs: bool = False,
    preset: str | None = None,
    **knobs: Any,
) -> MatchEnv:
    """Return the environment of a game without wrappers; an illegal action raises IllegalMove.

    `game` is an id such as `love-letter`, and `knobs` its options, `players` among them. See
    `MatchEnv` for the rest.
    """
    return MatchEnv(
        as_game(game, preset, knobs),
        render_mode,
        lang=lang,
        seen_by=seen_by,
        max_cycles=max_cycles,
        encode_knobs=encode_knobs,
    )


class MatchEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A match of one variant; agent `player_0` sits at seat 0.

    An observation is the seat's view as a flat tensor (`brelan.encoding`) and the mask of its legal
    moves, all 0 out of its turn. An action is the number of a move. Rewards come at the end and
    add up to 0: 1 for the winner, -1 for a loser, or their shares with more seats.

    `reset(seed=…)` deals what `game.deal(seed=…)` deals; later resets without a seed follow from
    it. `render` shows what the seat in turn sees, or always `seen_by`: a seat, or "spectator". A
    seat that has acted `max_cycles` times and has the turn again truncates the match.
    `match` is the match itself, with its story, its views and its save.
    """

    match: Match
    is_strict = True  # an illegal action raises IllegalMove, and nothing changes

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        *,
        lang: str = "en",
        seen_by: int | str = TURN,
        max_cycles: int | None = None,
        encode_knobs: bool = False,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        if seen_by not in (TURN, SPECTATOR, *range(game.players)):
            raise Refused(f"seen_by is {TURN!r}, {SPECTATOR!r} or a seat, not {seen_by!r}")
        if max_cycles is not None and max_cycles < 1:
            raise Refused("max_cycles is 1 or more")
        game.folder.texts(lang)  # refuses an unknown language
        self.game, self.render_mode, self.lang = game, render_mode, lang
        self.seen_by, self.max_cycles = seen_by, max_cycles
        self.encoder, self.actions = Encoder(game, knobs=encode_knobs), Actions(game)
        self.metadata: dict[str, Any] = {
            "name": environment_name(game.folder),
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = self.encoder.bounds
        count = self.actions.size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new match; `options={"cards": […]}` gives the order of all cards."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        luck = int(self._seeds.integers(2**63)) if seed is None else seed
        self.match = self.game.deal(seed=luck, cards=(options or {}).get("cards"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._give_turn()
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and what it may do."""
        seat = self._seats[agent]
        legal = self.match.legal_numbers() if self.match.turn == seat and self.agents else []
        tensor = self.encoder.encode_record(self.match.record(seat), seat)
        return {"observation": tensor, "action_mask": self.actions.mask_of(legal)}

    def step(self, action: int | None) -> None:
        """Make a move of the agent in turn; the table's moves follow by themselves."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number, legal = whole_number(action), self.match.legal_numbers()
        if number is None or number not in legal:
            self._refuse(action, legal)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.play_unchecked(number)
        self._acted[agent] += 1
        if self.match.turn is None:
            self.rewards = dict(zip(self.agents, outcome.rewards(self.match), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._give_turn()
        self._accumulate_rewards()
        self._show()

    def _refuse(self, action: Any, legal: Sequence[int]) -> None:
        """Raise what is wrong with an action, or end the match as TerminateIllegalWrapper does."""
        agent = self.agent_selection
        if self.is_strict:
            allowed = ", ".join(map(str, legal))
            raise IllegalMove(f"{action!r} is not allowed now; {agent} may play: {allowed}")
        if not self.action_spaces[agent].contains(action):
            raise AssertionError("action is not in action space")
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {**dict.fromkeys(self.agents, 0.0), agent: outcome.LOST}
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def _give_turn(self) -> None:
        turn = self.match.turn
        self.agent_selection = self.possible_agents[0 if turn is None else turn]
        if turn is not None and self._acted[self.agent_selection] == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> str | np.ndarray[Any, Any] | None:
        """Return the table as text or as pixels, or print it, by the render mode."""
        seat: int | str | None = self.match.turn if self.seen_by == TURN else self.seen_by
        view = self.match.view(seat if isinstance(seat, int) else None)
        return rendered(view, self.render_mode, self.lang)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing has to be closed."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
