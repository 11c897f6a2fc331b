"""The look of a report: its stylesheet, with the faces and the inks of the browser client.

They are taken from the client as it is built, and stand in the page itself. Where the client is not
built, a report uses faces of the reader's machine, and the ink of the house.
"""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import brelan

FOLDER = Path(__file__).parent
CLIENT = Path(brelan.__file__).parent / "static" / "assets"
EB_GARAMOND, IM_FELL, YSABEAU = "EB Garamond Variable", "IM Fell French Canon", "Ysabeau Office"
NOT_FIGURES = "U+0-2F,U+3A-54,U+56-D8,U+DD-24F,U+2000-22FF"  # nor the U, which reads as a small one
FACES = (  # the file's name, the family, weights, and which letters it is for
    ("eb-garamond-latin-wght-normal", EB_GARAMOND, "400 800", ""),
    ("im-fell-french-canon-latin-400-normal", IM_FELL, "400", NOT_FIGURES),
    ("ysabeau-office-latin-wght-normal", YSABEAU, "100 900", ""),
)
HOUSE = {"tint": "#D8D2C4", "tint-ink": "#3A3842", "back": "none", "back-edge": "#26252C"}


def stylesheet(game: str) -> str:
    """Return all styles of a report on a game."""
    inks = "".join(f"--{name}:{value};" for name, value in _inks(game).items())
    sheet = (FOLDER / "page.css").read_text(encoding="utf-8")
    return f"{''.join(_faces())}\n:root{{{inks}}}\n{sheet}"


@functools.cache
def _inks(game: str) -> dict[str, str]:
    """Return the inks of a game, as its stylesheet in the client names them."""
    block = re.compile(rf'\[data-game="?{re.escape(game)}"?\]\{{([^}}]*--tint-ink:[^}}]*)\}}')
    for sheet in sorted(CLIENT.glob("*.css")):
        found = block.search(sheet.read_text(encoding="utf-8"))
        if found:
            given = dict(re.findall(r"--([\w-]+):([^;]+)", found[1]))
            inks = {name: given.get(name, HOUSE[name]) for name in HOUSE}
            return inks | {"back": _paper(inks["back"])}
    return HOUSE


def _paper(address: str) -> str:
    """Return a paper of the client as an address that holds it."""
    if "data:" in address:
        return address
    found = re.search(r"([\w-]+\.svg)", address)
    file = CLIENT / found[1] if found else None
    return _embedded(file, "image/svg+xml") if file is not None and file.is_file() else "none"


def _faces() -> Iterator[str]:
    for name, family, weights, letters in FACES:
        for file in sorted(CLIENT.glob(f"{name}-*.woff2"))[:1]:
            source = _embedded(file, "font/woff2")
            range_ = f"unicode-range:{letters};" if letters else ""
            yield (
                f'@font-face{{font-family:"{family}";src:{source} format("woff2");'
                f"font-weight:{weights};font-display:swap;{range_}}}\n"
            )


@functools.cache
def _embedded(file: Path, kind: str) -> str:
    return f'url("data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}")'
