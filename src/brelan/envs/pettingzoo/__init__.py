"""The PettingZoo door: every game as an environment whose agents move one after another (AEC).

    from brelan.envs.pettingzoo import love_letter_v1
    env = love_letter_v1.env(players=3, render_mode="ansi")

The same is registered: `pettingzoo.make("aec", "brelan/love_letter_v1", players=3)` after
`import brelan.envs.pettingzoo`. The version is that of the game's rules.
"""

from __future__ import annotations

try:
    import pettingzoo
except ImportError as error:
    raise ImportError("PettingZoo is missing: pip install 'brelan[pettingzoo]'") from error

import functools
from types import ModuleType
from typing import Any

from brelan.engine.folder import open_folder, opened
from brelan.envs.pettingzoo.aec import MatchEnv, env, raw_env
from brelan.envs.pettingzoo.names import environment_name
from brelan.envs.pettingzoo.parallel import MatchParallelEnv, parallel_env
from brelan.games import ids

__all__ = ["MatchEnv", "MatchParallelEnv", "env", "names", "parallel_env", "raw_env", "register"]


def names() -> list[str]:
    """Return the names of the environments of all games, such as `love_letter_v1`."""
    return [environment_name(open_folder(game)) for game in (*ids(), *opened())]


def register(game: str) -> str:
    """Register a game with PettingZoo, also one opened by its path; return the id."""
    name = environment_name(open_folder(game))
    registered = f"brelan/{name}"
    for kind, entry in (("aec", env), ("parallel", parallel_env)):
        registry = pettingzoo.aec_registry if kind == "aec" else pettingzoo.parallel_registry
        if registered not in registry:
            pettingzoo.register(kind, registered, functools.partial(entry, open_folder(game).id))
    return registered


def __getattr__(name: str) -> Any:
    """Return the environment of a game as PettingZoo's own modules have it."""
    for game in (*ids(), *opened()):
        folder = open_folder(game)
        if environment_name(folder) == name:
            module = ModuleType(f"{__name__}.{name}", f"{folder.id} for PettingZoo")
            module.env = functools.partial(env, game)  # type: ignore[attr-defined]
            module.raw_env = functools.partial(raw_env, game)  # type: ignore[attr-defined]
            module.parallel_env = functools.partial(parallel_env, game)  # type: ignore[attr-defined]
            return module
    if name.startswith("_"):
        raise AttributeError(name)
    raise AttributeError(f"there is no environment {name!r}; there are: {', '.join(names())}")


for _game in ids():
    register(_game)
