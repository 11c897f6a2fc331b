"""Lazy determinization: a hidden card is blank until somebody looks at it.

Exact enumeration and the particle filter play such worlds along the observed segment. Choices that
the observer did not see are branches: `branch` makes them in every way, or in a random one.
"""

from __future__ import annotations

from brelan.bots.belief.opponents import is_legal
from brelan.engine.driver import public_equals, view_equals
from brelan.rules import TABLE, branch, copy_cards, rule
from brelan.rules.hooks import play, reveal_seen

TABLE_BRANCHES = 8  # streams of luck that are tried for a move of the table


@rule
def reveal_probability(state, view, raw, scratch, belief, seat, ply):
    """Reveal the cards that are looked at before a ply; return the probability of their faces.

    Return 0 if the observer would not see what it saw there.
    """
    if not public_equals(raw, belief.observations[ply]):
        return 0.0
    copy_cards(raw.seen, belief.observations[ply])
    probability = reveal_seen(state, view, seat, scratch)
    return probability if view_equals(raw, seat, belief.observations[ply]) else 0.0


@rule
def actual_move(state, scratch, shown):
    """Return the move that was shown, or a branch over all legal moves if it was face down."""
    if is_legal(state, scratch, shown):
        return shown
    return scratch.moves[branch(scratch, scratch.count)]


@rule
def make_move(state, scratch, belief, number):
    """Play a move and count it as a step; the luck of the table's move is a branch."""
    if state.turn == TABLE:
        state.luck[0] = branch(scratch, TABLE_BRANCHES)
    play(state, number)
    state.luck[0] = 0
    belief.steps += 1
