"""A match as a Gymnasium environment: one seat learns, bots sit at the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import brelan
from brelan.bots import Bot
from brelan.bots.registry import close
from brelan.encoding import Actions, Encoder
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.numbers import whole_number
from brelan.envs import outcome
from brelan.envs.rendering import RENDER_MODES, check_render_mode, rendered
from brelan.envs.variant import as_game
from brelan.errors import Refused

Opponent = str | Callable[[Game], Bot]
LOSS, ERROR = "loss", "error"


class MatchEnv(gymnasium.Env[np.ndarray[Any, Any], Any]):
    """A match of one variant from one seat; `opponent` says who sits at the others.

    `opponent` is the name of any bot, a function that makes one for a game, or a list with one for
    each other seat, in the order of the seats after the learner's. `seat` is the learner's; without
    it a seat is drawn for each match. Other options are knobs of the game, `players` among them.

    An observation is the seat's view as a flat tensor (`brelan.encoding`), an action the number of
    a move. `info["action_mask"]`, and the method `action_masks`, say which are legal. As Gymnasium
    asks, every action of the space can be taken: one that is not legal loses the match (with
    `illegal="error"` it raises InvalidAction, and nothing changes). A number beyond the space
    raises InvalidAction. The reward comes at the end: 1 for a win, -1 for a loss, 0 for a draw;
    with more seats a loser gets -1 / (n - 1).
    """

    match: Match
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        opponent: Opponent | Sequence[Opponent] = "random",
        render_mode: str | None = None,
        *,
        seat: int | None = None,
        illegal: str = LOSS,
        lang: str = "en",
        encode_knobs: bool = False,
        preset: str | None = None,
        **knobs: Any,
    ) -> None:
        self.game = as_game(game, preset, knobs)
        check_render_mode(render_mode)
        if illegal not in (LOSS, ERROR):
            raise Refused(f"illegal is {LOSS!r} or {ERROR!r}, not {illegal!r}")
        check_seat(self.game, seat)
        self.game.folder.texts(lang)  # refuses an unknown language
        self.render_mode, self.lang = render_mode, lang
        self._illegal, self._fixed_seat = illegal, seat
        self._bots = self._opponents(opponent)
        self.encoder, self.actions = Encoder(self.game, knobs=encode_knobs), Actions(self.game)
        low, high = self.encoder.bounds
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.actions.size)

    def _opponents(self, opponent: Opponent | Sequence[Opponent]) -> list[Bot]:
        count = self.game.players - 1
        is_one = isinstance(opponent, str) or callable(opponent)
        makers: list[Any] = [opponent] * count if is_one else list(opponent)  # type: ignore[arg-type]
        if len(makers) != count:
            raise Refused(f"opponent is one bot, or a list of {count}, not of {len(makers)}")
        return [
            maker(self.game) if callable(maker) else brelan.bot(maker, self.game, seed=number)
            for number, maker in enumerate(makers)
        ]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Deal a new match; `options={"cards": […]}` gives the order of all cards."""
        super().reset(seed=seed)
        luck = int(self.np_random.integers(2**63))
        drawn = int(self.np_random.integers(self.game.players))
        self.seat = drawn if self._fixed_seat is None else self._fixed_seat
        self.match = self.game.deal(seed=luck, cards=(options or {}).get("cards"))
        self._has_lost = False
        self._let_others_play()
        return self._observed()

    def step(self, action: Any) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Make a move, and those of the others up to the next turn of this seat."""
        if not hasattr(self, "match"):
            raise gymnasium.error.ResetNeeded("call reset before step")
        if self.match.turn is None or self._has_lost:
            raise gymnasium.error.ResetNeeded("the match is over; call reset")
        is_one = isinstance(action, np.ndarray) and action.size == 1
        number = whole_number(action.item() if is_one else action)
        if number is None or number not in range(self.actions.size):
            last = self.actions.size - 1
            raise gymnasium.error.InvalidAction(f"an action is 0 to {last}, not {action!r}")
        legal = self.match.legal_numbers()
        if number not in legal:
            if self._illegal == ERROR:
                allowed = ", ".join(map(str, legal))
                message = f"{number} is not allowed now; seat {self.seat} may play: {allowed}"
                raise gymnasium.error.InvalidAction(message)
            self._has_lost = True
            seen, info = self._observed()
            return seen, outcome.LOST, True, False, {**info, "illegal": True}
        self.match.play_unchecked(number)
        self._let_others_play()
        is_over = self.match.turn is None
        reward = outcome.rewards(self.match)[self.seat] if is_over else 0.0
        seen, info = self._observed()
        return seen, reward, is_over, False, info

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Return which actions are legal, as sb3-contrib's MaskablePPO asks for it."""
        return self._mask().astype(bool)

    def _mask(self) -> np.ndarray[Any, Any]:
        is_ours = self.match.turn == self.seat and not self._has_lost
        return self.actions.mask_of(self.match.legal_numbers() if is_ours else [])

    def _let_others_play(self) -> None:
        while (turn := self.match.turn) is not None and turn != self.seat:
            bot = self._bots[(turn - self.seat) % self.game.players - 1]
            self.match.play(bot.choose(self.match.view(turn)))

    def _observed(self) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        tensor = self.encoder.encode_record(self.match.record(self.seat), self.seat)
        return tensor, {"action_mask": self._mask(), "seat": self.seat}

    def render(self) -> Any:
        """Return the table as this seat sees it, as text or as pixels, or print it."""
        return rendered(self.match.view(self.seat), self.render_mode, self.lang)

    def close(self) -> None:
        """End the programs among the bots."""
        for bot in self._bots:
            close(bot)
        self._bots = []


def check_seat(game: Game, seat: int | None) -> None:
    """Refuse a seat that there is not."""
    if seat is not None and whole_number(seat) not in range(game.players):
        raise Refused(f"there is no seat {seat!r}; seats are 0 to {game.players - 1}")
