"""Who sees what: the places of the state."""

from __future__ import annotations

import enum

from brelan.rules import Places, Seat, everyone_sees, layout, nobody_sees, owner_sees

from .cards import KNOBS, SEATS, Card


class Phase(enum.IntEnum):
    """What happens next."""

    DEAL = 0
    ACT = 1
    SCORE = 2
    OVER = 3


class Reason(enum.IntEnum):
    """How the match ended."""

    NONE = 0
    FOLD = 1
    SHOWDOWN = 2


class State(Places):
    """A match of Kuhn poker."""

    first_player: int
    bet: int

    turn = everyone_sees()
    phase = everyone_sees(of=Phase)
    stacked = everyone_sees()  # 1 while the pile lies in an order given by hand

    first = everyone_sees()  # who acts first
    chips = everyone_sees(SEATS)  # of each seat, in the pot
    hand = owner_sees(SEATS, of=Card)
    pile = nobody_sees(3, of=Card)  # after the deal only the last card, which nobody gets
    shown = everyone_sees(SEATS, of=Card)  # hands, after a showdown
    winner = everyone_sees(of=Seat)
    reason = everyone_sees(of=Reason)


LAYOUT = layout(State, SEATS, KNOBS)
