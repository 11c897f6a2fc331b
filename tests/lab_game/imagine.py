"""Completing a view: the unseen cards are dealt anew."""

from __future__ import annotations

import numpy as np

from brelan.rules import next_luck, rule, shuffle

from .cards import CARDS, COPIES, Card
from .rules import card_count, cards_of
from .state import HELD, Phase, State


@rule
def imagine(world: State, me, scratch):
    """§2 Deal the cards that I do not see to the other one and the pile."""
    unseen = np.empty(CARDS, np.int16)
    count = gather_unseen(world, me, unseen)
    shuffle(scratch.luck, unseen, count)
    other, used = 1 - me, 0
    if world.phase == Phase.LAY or world.phase == Phase.SCORE:
        has_laid = world.phase == Phase.SCORE or world.turn != world.first
        if has_laid and (world.phase == Phase.SCORE or world.first == other):
            world.laid[other] = unseen[used]
            used += 1
        for place in range(cards_of(world, other) - used):
            world.hand[other, place] = unseen[used]
            used += 1
    for place in range(count - used):
        world.pile[place] = unseen[used + place]
    world.luck[0] = next_luck(scratch.luck)


@rule
def gather_unseen(view: State, me, unseen):
    """§1 Write the cards that I do not see into a row; return how many there are."""
    count = 0
    for card in range(Card.ONE, 1 + card_count(view) // COPIES):
        copies = COPIES - (view.laid[me] == card)
        for seat in range(2):
            copies -= view.open_card[seat] == card
        for place in range(HELD):
            copies -= view.hand[me, place] == card
        for _ in range(copies):
            unseen[count] = card
            count += 1
    return count
