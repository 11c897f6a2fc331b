"""The learning curve as an SVG that stands alone, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from brelan.bots.learned.network import Curve
from brelan.envs.learning.train import MEASURED
from brelan.lab.estimates import Estimate, proportion

WIDE, HIGH, LEFT, TOP = 640, 240, 52, 34
STYLE = """text{font:13px system-ui,sans-serif;fill:#3b3a40}.grid{stroke:#d8d5cf}
.fair{stroke:#77747d;stroke-dasharray:4 4}
.s0{stroke:#9a5b00;fill:#9a5b00}.s1{stroke:#2457a8;fill:#2457a8}
polyline{fill:none!important;stroke-width:2.5}polygon{stroke:none!important;opacity:.18}
@media(prefers-color-scheme:dark){text{fill:#dedbe3}.grid{stroke:#45424d}.fair{stroke:#a5a1ad}
.s0{stroke:#eab04d;fill:#eab04d}.s1{stroke:#86b2ff;fill:#86b2ff}}"""


def drawn(curve: Curve, opponents: Sequence[str]) -> str:
    """Return the share of matches won against each opponent, by iterations, with 95 % intervals.

    A row of the curve has the number of iterations, and a share for each opponent.
    """
    title = "Share of matches won, by iterations of training"
    parts = [f"<title>{title}</title><style>{STYLE}</style>", *_axes(float(curve[-1, 0]))]
    parts += [f'<text x="{LEFT}" y="18">{title}</text>']
    for number, name in enumerate(opponents):
        parts += _line(curve, number, name)
    box = f"0 0 {LEFT + WIDE + 150} {TOP + HIGH + 34}"
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">\n{inside}\n</svg>\n'
    )


def _axes(last: float) -> Iterator[str]:
    for share in (0, 25, 50, 75, 100):
        y = _y(share / 100)
        kind = "fair" if share == 50 else "grid"
        yield f'<line class="{kind}" x1="{LEFT}" x2="{LEFT + WIDE}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share} %</text>'
    for part in range(5):
        x, label = LEFT + WIDE * part / 4, f"{last * part / 4:.0f}"
        yield f'<text x="{x:.1f}" y="{TOP + HIGH + 22}" text-anchor="middle">{label}</text>'


def _line(curve: Curve, number: int, name: str) -> Iterator[str]:
    last = float(curve[-1, 0])
    places = [LEFT + WIDE * float(each) / last for each in curve[:, 0]]
    found = [_estimate(float(share)) for share in curve[:, 1 + number]]
    low = [f"{x:.1f},{_y(each.low):.1f}" for x, each in zip(places, found, strict=True)]
    high = [f"{x:.1f},{_y(each.high):.1f}" for x, each in zip(places, found, strict=True)]
    mean = [f"{x:.1f},{_y(each.mean):.1f}" for x, each in zip(places, found, strict=True)]
    yield f'<polygon class="s{number}" points="{" ".join(low + high[::-1])}"/>'
    yield f'<polyline class="s{number}" points="{" ".join(mean)}"/>'
    end = _y(found[-1].mean)
    yield f'<text x="{LEFT + WIDE + 8}" y="{end + 4:.1f}">against {name}</text>'


def _estimate(share: float) -> Estimate:
    won = round(share * MEASURED)
    return proportion(np.repeat([1.0, 0.0], [won, MEASURED - won]))


def _y(share: float) -> float:
    return TOP + HIGH * (1 - share)
