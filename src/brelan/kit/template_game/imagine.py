"""Completing a view into a world that fits it: every deal of the unseen cards is as likely."""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, rule, shuffle

from .cards import Card
from .state import Phase, State


@rule
def imagine(world: State, me, scratch):
    """§2 Deal the cards that I do not see to the other hand and the pile."""
    unseen = np.empty(3, np.int16)
    count = gather_unseen(world, me, unseen)
    shuffle(scratch.luck, unseen, count)
    if world.phase == Phase.DEAL:
        for place in range(3):
            world.pile[place] = unseen[place]
    else:
        world.pile[2] = unseen[count - 1]
        if count == 2:
            world.hand[1 - me] = unseen[0]
    world.luck[0] = next_luck(scratch.luck)


@rule
def gather_unseen(view: State, me, unseen):
    """§1 Write the cards that I do not see into a row; return how many there are."""
    count = 0
    for card in range(Card.JACK, Card.KING + 1):
        if card != view.hand[me] and card != view.shown[0] and card != view.shown[1]:
            unseen[count] = card
            count += 1
    return count
