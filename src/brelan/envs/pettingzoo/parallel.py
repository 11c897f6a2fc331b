"""A match in PettingZoo's parallel API: all agents act in a step, and that of the turn counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from brelan.engine.game import Game
from brelan.envs.pettingzoo.aec import MatchEnv, Observation, env
from brelan.errors import Refused


def parallel_env(
    game: str | Game, *, max_cycles: int | None = None, **options: Any
) -> MatchParallelEnv:
    """Return a game in the parallel API; the options are those of `env`.

    Each step is one move. It is for learners that know this API only: `env` wastes nothing.
    """
    return MatchParallelEnv(game, max_cycles, options)


class MatchParallelEnv(ParallelEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A match in which all agents give an action in each step, and that of the turn is made.

    The actions of all others are not looked at. An illegal action ends the match, as in `env`;
    after `max_cycles` steps it is truncated.
    """

    def __init__(
        self, game: str | Game, max_cycles: int | None, options: Mapping[str, Any]
    ) -> None:
        if max_cycles is not None and max_cycles < 1:
            raise Refused("max_cycles is 1 or more")
        self.aec: Any = env(game, **options)
        self.unwrapped_aec: MatchEnv = self.aec.unwrapped
        self.metadata = {**self.unwrapped_aec.metadata, "is_parallelizable": True}
        self.possible_agents = self.unwrapped_aec.possible_agents
        self.render_mode = self.unwrapped_aec.render_mode
        self.max_cycles = max_cycles

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.aec.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.aec.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal a new match; return what each agent sees."""
        self.aec.reset(seed=seed, options=options)
        self.agents, self._steps = self.possible_agents[:], 0
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int | None]) -> tuple[Any, Any, Any, Any, Any]:
        """Make the move of the agent in turn."""
        self.aec.step(actions[self.aec.agent_selection])
        self._steps += 1
        agents = self.agents
        terminations = {agent: self.aec.terminations[agent] for agent in agents}
        is_late = self._steps == self.max_cycles and not any(terminations.values())
        truncations = {agent: is_late or self.aec.truncations[agent] for agent in agents}
        rewards = {agent: self.aec.rewards[agent] for agent in agents}
        observations = self._observed()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if any(terminations.values()) or any(truncations.values()):
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _observed(self) -> dict[str, Observation]:
        return {agent: self.aec.observe(agent) for agent in self.agents}

    def render(self) -> Any:
        """Return or print the table, as `env` does."""
        return self.aec.render()

    def close(self) -> None:
        """Nothing has to be closed."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
