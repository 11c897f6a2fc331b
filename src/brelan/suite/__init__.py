"""The suite that every game must pass, written once for all of them."""

from brelan.suite.checks import all_checks
from brelan.suite.effort import often
from brelan.suite.golden import goldens

__all__ = ["all_checks", "goldens", "often"]
