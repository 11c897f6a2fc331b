"""What the play of the others may tell in Love Letter: which cards they hold."""

from __future__ import annotations

from brelan.words import rule

from .cards import KINDS

FEW = 3  # players whose hands can be told apart in a number


@rule
def secret(world, seat):
    """The hands of the others; with many of them too much to count."""
    if world.players > FEW:
        return 0
    hands = 0
    for other in range(world.players):
        if other != seat:
            hands = hands * KINDS + world.hand[other]
    return hands
