"""Draw the icons of the web app from the mark: src/brelan/web/public/icons and its favicon.

uv run tools/icons.py

The mark is polygons, written with the commands M, L (which may be left out) and Z of SVG.
"""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import numpy as np

WEB = Path(__file__).resolve().parent.parent / "src" / "brelan" / "web"
PAPER, INK = "#F1EFE8", "#1B1A20"  # of the look; the icon has one theme wherever it hangs
DARK_PAPER = "#EFEBE1"  # ink of the dark theme, in which browsers have dark tabs
FINE = 8  # a pixel is the mean of so many squares in both directions
PICTURES = {  # name: pixels, and how much of them the mark takes
    "icon-192": (192, 0.72),
    "icon-512": (512, 0.72),
    "maskable-512": (512, 0.54),  # a mask may cut off all but a circle of 0.8
    "apple-touch-icon": (180, 0.66),
}


def mark() -> tuple[str, float]:
    """Return the path of the mark, and how wide its square is."""
    text = (WEB / "art" / "mark.svg").read_text(encoding="utf-8")
    (path,) = re.findall(r' d="([^"]+)"', text)
    (width,) = re.findall(r'viewBox="0 0 (\S+) \S+"', text)
    return path, float(width)


def polygons(path: str) -> list[np.ndarray]:
    """Return the corners of each polygon of a path."""
    rest = re.sub(r"[MLZ\d\s.,-]", "", path)
    if rest:
        raise ValueError(f"{rest!r} of the path is no straight line")
    numbers = [re.findall(r"-?[\d.]+", part) for part in path.split("Z") if part.strip()]
    return [np.array(each, dtype=float).reshape(-1, 2) for each in numbers]


def coverage(size: int, share: float) -> np.ndarray:
    """Return how much of each pixel of a square the mark covers, in its middle."""
    path, width = mark()
    corners = polygons(path)
    low, high = np.vstack(corners).min(axis=0), np.vstack(corners).max(axis=0)
    scale = width / share / size
    line = (np.arange(size * FINE) + 0.5) / FINE * scale
    x, y = np.meshgrid(line, line)
    x, y = (
        at + middle - size * scale / 2 for at, middle in zip((x, y), (low + high) / 2, strict=True)
    )
    inside = np.zeros(x.shape, dtype=bool)
    for polygon in corners:
        within = np.zeros(x.shape, dtype=bool)
        for (ax, ay), (bx, by) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            if ay != by:  # an odd number of edges to the right: inside
                within ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
        inside |= within
    return inside.reshape(size, FINE, size, FINE).mean(axis=(1, 3))


def picture(size: int, share: float) -> bytes:
    """Return the mark in ink on paper, as a PNG."""
    paper, ink = (np.array(list(bytes.fromhex(each[1:])), dtype=float) for each in (PAPER, INK))
    covered = coverage(size, share)[..., None]
    pixels = np.rint(paper + (ink - paper) * covered).astype(np.uint8)
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )


def favicon() -> str:
    """Return the mark alone, in ink that is read in light and dark tabs."""
    path, width = mark()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {width:g}">'
        f"<style>path{{fill:{INK}}}"
        f"@media(prefers-color-scheme:dark){{path{{fill:{DARK_PAPER}}}}}</style>"
        f'<path d="{path}"/></svg>\n'
    )


def drawn() -> dict[str, bytes]:
    """Return the content of each file, by its name in the folder `public`."""
    pictures = {f"icons/{name}.png": picture(*given) for name, given in PICTURES.items()}
    return {"favicon.svg": favicon().encode(), **pictures}


if __name__ == "__main__":
    for name, content in drawn().items():
        file = WEB / "public" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        print(f"{name}: {len(content)} bytes")  # noqa: T201
