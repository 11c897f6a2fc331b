"""A bot: `plain` lays the best card where one is better than another."""

from __future__ import annotations

from brelan.rules import random_below, rule

from .cards import LAY, Card
from .rules import Defect, Order
from .state import State

BOTS = ("plain",)


@rule
def choose(bot, view: State, scratch):
    """Return the move of the bot."""
    best = scratch.moves[random_below(scratch.luck, scratch.count)]
    for place in range(scratch.count):
        if view.order == Order.LADDER:
            best = max(best, scratch.moves[place])
    for place in range(scratch.count):
        if view.defect == Defect.CHAMPION and scratch.moves[place] == LAY + Card.ONE:
            best = scratch.moves[place]
    return best
