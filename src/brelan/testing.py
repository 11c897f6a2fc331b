"""Positions set up by hand: the public name of `brelan.suite.positions.position`."""

from brelan.suite.positions import position as position
