"""Comparisons: two variants on the same deals, or two bots on one variant; what changed."""

from brelan.lab.compare.changes import Change, Comparison, from_dict
from brelan.lab.compare.course import Course
from brelan.lab.compare.page import data, html
from brelan.lab.compare.play import Table, compare
from brelan.lab.compare.sides import Side, command_of, side

__all__ = [
    "Change", "Comparison", "Course", "Side", "Table", "command_of", "compare", "data",
    "from_dict", "html", "side",
]  # fmt: skip
