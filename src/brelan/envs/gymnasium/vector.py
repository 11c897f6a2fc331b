"""Thousands of matches at once, in machine code, as a vector environment of Gymnasium."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from brelan.bots.base import names
from brelan.compiler.library import Library
from brelan.encoding import Encoder
from brelan.engine.driver import decide, decide_at_random
from brelan.engine.game import Game
from brelan.engine.match_driver import luck_of_seed
from brelan.envs.gymnasium.single import check_seat
from brelan.envs.gymnasium.stepping import (
    DRAWN_SEAT,
    EVERY_SEAT,
    MATCH,
    SETTINGS,
    observe_matches,
    random_moves,
    step_matches,
)
from brelan.envs.variant import as_game
from brelan.errors import Refused
from brelan.rules import new_scratch

SELF = "self"
SHARE = 64  # matches that are worth a thread of their own

Array = npt.NDArray[Any]
Step = tuple[Array, Array, Array, Array, dict[str, Any]]


class MatchVectorEnv(VectorEnv[Array, Array, Array]):
    """Matches of one variant that are stepped together, by several threads.

    `opponent` is one of the game's own bots (`random` and those of its `bots.py`), which play in
    machine code; or `self`: then the learner plays every seat, and `infos["seat"]` says which one
    each observation is of. `seat` is the learner's; without it match n is played from seat n modulo
    the number of seats. Other options are knobs of the game, `players` among them.

    A match that is over is dealt anew by the next step, whatever its action
    (`AutoresetMode.NEXT_STEP`). An action that is not legal loses the match, one beyond the space
    raises InvalidAction, and then nothing has changed. After `max_episode_steps` moves of the
    learner a match is truncated.

    Observations (float32, a row for each match), masks (int8) and all else are written into the
    same arrays by each step: copy what you keep, or give `copy=True`. `write_into` sets arrays of
    your own. Results depend on the seed alone, not on the number of threads.
    """

    observations: Array
    masks: Array
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        opponent: str | Sequence[str] = "random",
        *,
        seat: int | None = None,
        threads: int | None = None,
        copy: bool = False,
        max_episode_steps: int | None = None,
        encode_knobs: bool = False,
        mode: str = "compiled",
        preset: str | None = None,
        **knobs: Any,
    ) -> None:
        self.game = as_game(game, preset, knobs)
        for name, number in (("num_envs", num_envs), ("threads", threads or 1)):
            if number < 1:
                raise Refused(f"{name} is 1 or more, not {number}")
        check_seat(self.game, seat)
        self.num_envs, self.copy = num_envs, copy
        self.encoder = Encoder(self.game, knobs=encode_knobs)
        self._moves = count = len(self.game.folder.cards.MOVES)
        low, high = self.encoder.bounds
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(count)
        self.action_space = spaces.MultiDiscrete([count] * num_envs)
        self._settings = np.zeros(1, SETTINGS)[0]
        self._settings.apart, self._settings.most_steps = num_envs, max_episode_steps or 0
        self._seat_the_bots(opponent, seat)
        layout = self.game.folder.layout
        self._matches = np.zeros(num_envs, MATCH)
        self._states = np.zeros((num_envs, layout.dtype.itemsize // 8), np.uint64)
        self._rewards = np.zeros((num_envs, self.game.players))
        self._actions = np.zeros(num_envs, np.int64)
        self.write_into(
            np.zeros((num_envs, self.encoder.size), np.float32),
            np.zeros((num_envs, count), np.int8),
        )
        self._workers = _workers(self.game, num_envs, threads)
        self._pool = ThreadPoolExecutor(len(self._workers)) if len(self._workers) > 1 else None
        library = _library(self.game, mode, only_random=not self._settings.bots.any())
        self._step, self._observe = library(step_matches), library(observe_matches)
        self._random_moves = library(random_moves)
        self._is_fresh = True

    def _seat_the_bots(self, opponent: str | Sequence[str], seat: int | None) -> None:
        """Write who plays which seat; a list has one bot for each seat after the learner's."""
        settings, known = self._settings, names(self.game)
        if opponent == SELF:
            if seat is not None:
                raise Refused("with opponent='self' the learner plays every seat; leave out seat")
            settings.seat = EVERY_SEAT
            return
        others = self.game.players - 1
        if isinstance(opponent, str):
            chosen = [opponent] * (others + 1)
        else:
            chosen = list(opponent)
            if seat is None or len(chosen) != others:
                raise Refused(f"a list of opponents needs seat=…, and {others} names")
        for name in chosen:
            if name not in known:
                listed = ", ".join([SELF, *known])
                raise Refused(f"no bot {name!r} plays in machine code; there are: {listed}")
        settings.seat = DRAWN_SEAT if seat is None else seat
        for number, name in enumerate(chosen, 1 + (seat or 0)):
            settings.bots[number % self.game.players] = known.index(name)

    @functools.cached_property
    def observation_space(self) -> spaces.Box:  # type: ignore[override]
        """The space of all observations together; made when somebody asks, for it is large."""
        batched = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        assert isinstance(batched, spaces.Box)
        return batched

    def write_into(self, observations: Array | None = None, masks: Array | None = None) -> None:
        """Let observations, and masks of legal moves, be written into these arrays from now on."""
        for name, given, width, dtype in (
            ("observations", observations, self.encoder.size, np.float32),
            ("masks", masks, self._moves, np.int8),
        ):
            if given is None:
                continue
            shape = (self.num_envs, width)
            if given.shape != shape or given.dtype != dtype or not given.flags.c_contiguous:
                raise Refused(f"{name} are one contiguous array of {shape} {np.dtype(dtype)}")
            setattr(self, name, given)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deal every match anew."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**63))
        self._settings.seed[0] = luck_of_seed(drawn)
        self._luck = np.array([luck_of_seed(drawn + 1)], np.uint64)
        self._matches["over"] = 1
        self._matches["deal"] = np.arange(self.num_envs) - self.num_envs
        self._is_fresh = False
        seen, _, _, _, infos = self._run()
        return seen, infos

    def step(self, actions: Array) -> Step:
        """Make one move in each match."""
        if self._is_fresh:
            raise gymnasium.error.ResetNeeded("call reset before step")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise gymnasium.error.InvalidAction(f"actions are {self.num_envs} whole numbers")
        if given.min() < 0 or given.max() >= self._moves:
            raise gymnasium.error.InvalidAction(f"an action is 0 to {self._moves - 1}")
        self._actions[:] = given
        return self._run()

    def _run(self) -> Step:
        if self._pool is None:
            self._work(self._workers[0])
        else:
            list(self._pool.map(self._work, self._workers))
        matches, numbers = self._matches, np.arange(self.num_envs)
        late = matches["late"] == 1
        rewards = self._rewards[numbers, matches["seat"]]
        infos = {
            "action_mask": self.masks.copy() if self.copy else self.masks,
            "seat": matches["seat"].copy(),
            "rewards": self._rewards.copy(),
            "illegal": matches["illegal"] == 1,
        }
        infos |= {f"_{name}": np.ones(self.num_envs, bool) for name in infos}
        seen = self.observations.copy() if self.copy else self.observations
        return seen, rewards, (matches["over"] == 1) & ~late, late, infos

    def _work(self, worker: _Worker) -> None:
        """Step the matches of one thread. Python's lock is not held meanwhile."""
        part, encoder = worker.part, self.encoder
        states, matches = self._states[part], self._matches[part]
        self._step(
            matches, states, self._actions[part], self._rewards[part], self._settings,
            *worker.records, worker.cards, self.masks[part],
        )  # fmt: skip
        self._observe(
            matches, states.view(np.int16), encoder.masks, encoder.spans, encoder.scales,
            self.game.players, self.observations[part],
        )  # fmt: skip

    def random_actions(self) -> Array:
        """Return a random legal action for each match, drawn in machine code; 0 if it is over."""
        actions = np.empty(self.num_envs, np.int64)
        self._random_moves(self._matches, self.masks, self._luck, actions)
        return actions

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


class _Worker:
    """What one thread works with: its matches, and a table of its own."""

    def __init__(self, game: Game, part: slice) -> None:
        self.part = part
        self.records = (*game.folder.layout.buffers(game.blank().tobytes()), new_scratch())
        self.cards = np.array(game.pack, np.int16)


def _library(game: Game, mode: str, *, only_random: bool) -> Library:
    """Return a library of the rules; compiled ones are for the knobs of this variant alone.

    Where no bot but `random` plays, code of the game's bots is not made.
    """
    folder, hooks = game.folder, dict(game.folder.implementations)
    if only_random:
        hooks[decide] = decide_at_random
    knobs = {name: folder.knobs[name].number(value) for name, value in game.knobs.items()}
    return Library(
        folder.id, mode, hooks, {folder.layout.dtype: knobs} if mode == "compiled" else None
    )


def _workers(game: Game, num_envs: int, threads: int | None) -> list[_Worker]:
    count = max(1, min(threads or os.cpu_count() or 1, num_envs // SHARE))
    ends = np.linspace(0, num_envs, count + 1).astype(int).tolist()
    return [_Worker(game, slice(*pair)) for pair in itertools.pairwise(ends)]
