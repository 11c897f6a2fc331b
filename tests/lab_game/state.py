"""Who sees what."""

from __future__ import annotations

import enum

from brelan.rules import Places, Seat, everyone_sees, layout, nobody_sees, owner_sees

from .cards import CARDS, KNOBS, SEATS, Card

HELD = 3


class Phase(enum.IntEnum):
    """What happens next."""

    DEAL = 0
    LAY = 1
    SCORE = 2
    OVER = 3


class State(Places):
    """A match."""

    order: int
    defect: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()
    first = everyone_sees()
    hand = owner_sees(SEATS, HELD, of=Card)
    laid = owner_sees(SEATS, of=Card)
    open_card = everyone_sees(SEATS, of=Card)
    pile = nobody_sees(CARDS, of=Card)
    winner = everyone_sees(of=Seat)


LAYOUT = layout(State, SEATS, KNOBS)
