"""The suite that every game must pass, written once for all of them."""

from brelan.suite.checks import CHECKS
from brelan.suite.golden import goldens

__all__ = ["CHECKS", "goldens"]
