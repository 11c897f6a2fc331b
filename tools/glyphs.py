"""Draw the letters of `rgb_array` pictures: `uv run --with pillow tools/glyphs.py FONT`.

FONT is a monospaced TrueType file; the repository's are drawn with DejaVu Sans Mono, whose licence
allows it. The letters are written to `src/brelan/envs/glyphs.npz`, so that nobody else needs a
font.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont  # type: ignore[import-not-found,unused-ignore]

FILE = Path(__file__).resolve().parents[1] / "src" / "brelan" / "envs" / "glyphs.npz"
WIDTH, HEIGHT, POINTS, BASELINE = 10, 20, 16, 15
CODES = [
    *range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2045), *range(0x2190, 0x21D6),
    *range(0x2200, 0x2270), *range(0x2500, 0x2670), *range(0x2713, 0x2719),
]  # fmt: skip


def main(font_file: str) -> None:
    """Draw every letter that the font has into a cell of its own."""
    font = ImageFont.truetype(font_file, POINTS, layout_engine=ImageFont.Layout.BASIC)
    missing = np.array(font.getmask("\uffff"))
    codes, pixels = [], []
    for code in CODES:
        if np.array_equal(np.array(font.getmask(chr(code))), missing):
            continue
        cell = Image.new("L", (WIDTH, HEIGHT))
        ImageDraw.Draw(cell).text((0, BASELINE), chr(code), 255, font, anchor="ls")
        codes.append(code)
        pixels.append(np.array(cell))
    np.savez_compressed(FILE, codes=np.array(codes, np.uint16), pixels=np.array(pixels))


if __name__ == "__main__":
    main(sys.argv[1])
