"""The Gymnasium door: a learner against bots, one match at a time or thousands in machine code.

    import gymnasium, brelan.envs.gymnasium
    env = gymnasium.make("brelan/LoveLetter-v1", opponent="club", players=3)
    envs = gymnasium.make_vec("brelan/LoveLetter-v1", num_envs=4096, opponent="eager")

The version is that of the game's rules.
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as error:
    raise ImportError("Gymnasium is missing: pip install 'brelan[gymnasium]'") from error

import functools

from brelan.engine.folder import GameFolder, open_folder
from brelan.envs.gymnasium.single import MatchEnv
from brelan.envs.gymnasium.vector import MatchVectorEnv
from brelan.games import ids

__all__ = ["MatchEnv", "MatchVectorEnv", "environment_id", "register"]


def environment_id(folder: GameFolder) -> str:
    """Return the id of a game's environment, such as `brelan/LoveLetter-v1`."""
    name = "".join(word.capitalize() for word in folder.id.split("-"))
    return f"brelan/{name}-v{folder.version}"


def register(game: str) -> str:
    """Register a game with Gymnasium, also one opened by its path; return the id."""
    folder = open_folder(game)
    name = environment_id(folder)
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point=functools.partial(MatchEnv, folder.id),
            vector_entry_point=functools.partial(MatchVectorEnv, folder.id),
            disable_env_checker=True,  # which does not know that a mask is given
        )
    return name


for _game in ids():
    register(_game)
