"""Comparisons: two variants on the same deals, or two bots on one variant; what changed."""

from brelan.lab.compare.changes import Change, Comparison, from_dict
from brelan.lab.compare.page import data, html
from brelan.lab.compare.play import compare
from brelan.lab.compare.sides import Side, side

__all__ = ["Change", "Comparison", "Side", "compare", "data", "from_dict", "html", "side"]
