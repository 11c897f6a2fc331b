"""The end of a match of Art of War (§9)."""

from __future__ import annotations

from brelan.rules import TABLE, rule

from .cards import KNOBS
from .state import Phase, Reason, State

EndOfWar = KNOBS.choice("end_of_war")
WarTie = KNOBS.choice("war_tie")


@rule
def finish(state: State, reason, winner):
    """§9 The match is over; a winner is written as 1 + seat, 0 is nobody."""
    state.turn = TABLE
    state.phase = Phase.OVER
    state.reason = reason
    state.winner = winner


@rule
def end_war(state: State):
    """§9.3 More citizens win; by option, if equal, more enemy units destroyed; else a draw."""
    if state.end_of_war == EndOfWar.DRAW:
        finish(state, Reason.DRAW, 0)
        return
    more = state.citizens[0] - state.citizens[1]
    reason = Reason.CITIZENS
    if more == 0 and state.war_tie == WarTie.KILLS:
        more = state.kills[0] - state.kills[1]
        reason = Reason.KILLS
    if more == 0:
        finish(state, Reason.DRAW, 0)
    else:
        finish(state, reason, 1 if more > 0 else 2)
