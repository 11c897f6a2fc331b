"""`brelan new`: the folder of a new game, complete and playable."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def new(
    game: str | None = None,
    /,
    *,
    folder: Annotated[Path, Parameter(metavar="FOLDER", show_default=False)] = Path(),
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
) -> int:
    """Write the folder of a new game: a small poker, complete and playable, to be changed.

    Parameters
    ----------
    game
        Its name, such as `my-game`: small letters and digits, with - between words.
    folder
        Where its folder is made; otherwise here.
    lang
        The language to read in; otherwise that of your environment.
    """
    from brelan import i18n
    from brelan.errors import Refused
    from brelan.kit.new import write_game
    from brelan.terminal.screen import lang_of_environment

    if game is None:
        raise Refused("which name? `brelan new my-game` writes the folder my_game")
    texts = i18n.load(Path(i18n.__file__).parent, lang or lang_of_environment())
    made = write_game(game, Path(os.path.expanduser(folder)))  # noqa: PTH111 - which never raises
    path, shelf = (shlex.quote(_shown(each)) for each in (made, made.parent))
    commands = {
        "check": f"brelan check {path}",
        "play": f"brelan play {path}",
        "sim": f"brelan sim {path}",
        "page": f"brelan --games {shelf}",
    }
    width = max(map(len, commands.values()))
    lines = [f"  {line:{width}}  {texts(f'new.{key}')}" for key, line in commands.items()]
    told = [texts("new.made", {"path": path}), *lines, texts("new.more")]
    sys.stdout.write("\n".join(told) + "\n")
    return 0


def _shown(path: Path) -> str:
    """Return a path as it is typed: one that is given to a command has a slash, or is `.`."""
    return str(path) if path.is_absolute() or path == Path() else f"./{path.as_posix()}"
