"""What if: a match that goes on otherwise from a decision of one seat."""

from __future__ import annotations

import secrets
from typing import Any

from brelan.analysis.beliefs import view_at
from brelan.analysis.review import decision_plies
from brelan.engine.match import Match
from brelan.errors import Refused
from brelan.rules import new_scratch


def position_before(match: Match, seat: int, ply: int, *, as_dealt: bool = False) -> Match:
    """Return a match that stands before a decision of a seat.

    Cards that the seat does not see are drawn anew, from all that it knew. `as_dealt` leaves them
    as they lay; that is refused while the match goes on.
    """
    if as_dealt and match.turn is not None:
        raise Refused("the match is not over: its hidden cards can only be drawn anew")
    plies = decision_plies(match, seat)
    if ply not in plies:
        allowed = ", ".join(map(str, plies)) or "none"
        raise Refused(f"seat {seat} decided nothing at ply {ply}; its decisions are: {allowed}")
    if as_dealt:
        return match.before(ply)
    world = drawn_again(match, seat, ply, secrets.randbits(64))
    return Match.from_position(match.game, world, seed=secrets.token_hex(32))


def drawn_again(match: Match, seat: int, ply: int, luck: int) -> Any:
    """Return a state that a seat could not tell from the one before a ply.

    What it did not see is drawn by a number of 64 bits, from all that it knew then.
    """
    view = view_at(match.view(seat), ply)
    world = view.record.copy()
    match.game.hooks.imagine(world, seat, new_scratch(luck))
    return world
