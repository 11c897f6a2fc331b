"""Tuning: a search over knobs for variants that are better in several ways at once."""

from brelan.lab.study.plan import known_level
from brelan.lab.tune.objectives import Objective, objectives
from brelan.lab.tune.page import data, html
from brelan.lab.tune.plan import TunePlan, tune_plan
from brelan.lab.tune.points import Front, Point
from brelan.lab.tune.run import tune
from brelan.lab.tune.space import Space, space

__all__ = [
    "Front",
    "Objective",
    "Point",
    "Space",
    "TunePlan",
    "data",
    "html",
    "known_level",
    "objectives",
    "space",
    "tune",
    "tune_plan",
]
