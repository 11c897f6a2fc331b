"""A new game: the template, copied under another name."""

from __future__ import annotations

import dataclasses
import importlib.util
import keyword
import shutil
import sys
import tempfile
from pathlib import Path

from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.games import FOLDER_NAME, id_of, ids

TEMPLATE = Path(__file__).parent / "template_game"
LONGEST_NAME = 40  # letters
COMMANDS = ("compiler", "environments", "server")  # what stands in place of a game after `bench`
DEVICES = ("aux", "con", "nul", "prn")  # no folder of Windows has such a name
LEFT_OUT = ("__pycache__", ".*")


def write_game(name: str, where: Path) -> Path:
    """Write the folder of a new game into `where`, and return it.

    It is the template, complete and playable, under its own name. Refused for a name that cannot
    be, or where something of that name exists; then nothing is written.
    """
    folder = where / checked_name(name)
    if folder.exists():
        raise Refused(f"{folder} exists; give the game another name, or another --folder")
    game = id_of(folder.name)
    if game in ids():
        raise Refused(f"there is a game {game!r} already; give yours another name")
    try:
        where.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=where, prefix=".new-") as scratch:
            made = Path(scratch, folder.name)
            shutil.copytree(TEMPLATE, made, ignore=shutil.ignore_patterns(*LEFT_OUT))
            _rename(made)
            made.rename(folder)
    except OSError as error:
        raise Refused(f"cannot write {folder}: {error.strerror}; name another --folder") from None
    return folder


def checked_name(name: str) -> str:
    """Return how the folder of a game of this name is called; refuse a name that cannot be."""
    folder = name.replace("-", "_")
    if not FOLDER_NAME.fullmatch(folder) or len(folder) > LONGEST_NAME:
        raise Refused(
            f"a game cannot be called {name[:LONGEST_NAME]!r}; a name has up to {LONGEST_NAME} "
            "letters and digits, all small, with - between words, such as my-game"
        )
    if keyword.iskeyword(folder) or folder in DEVICES or name in COMMANDS:
        raise Refused(f"{name!r} is a reserved word; give the game another name, such as my-{name}")
    if folder in sys.stdlib_module_names or _is_module(folder):
        raise Refused(
            f"{name!r} is a module of Python, which a folder of that name would hide; give the "
            f"game another name, such as my-{name}"
        )
    return folder


def _is_module(name: str) -> bool:
    """Whether a package of that name is installed; a bare folder is none."""
    found = importlib.util.find_spec(name)
    return found is not None and found.origin is not None


def _rename(folder: Path) -> None:
    """Call a copy of the template by the name of its folder, in all its files."""
    title = folder.name.replace("_", " ").capitalize()
    template = open_folder(str(TEMPLATE))
    renamed = dataclasses.replace(template, id=id_of(folder.name))
    old, new = (Game(each, each.knobs.settle({})).variant for each in (template, renamed))
    words = {
        old: new,
        "`src/brelan/kit/template_game`": f"`{folder.name}`",
        template.id: renamed.id,
        " The smallest complete game, to be copied.": "",
        "Kuhn poker": title,
        "Poker de Kuhn": title,
    }
    for file in folder.rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            for word, instead in words.items():
                text = text.replace(word, instead)
            file.write_text(text, encoding="utf-8")
