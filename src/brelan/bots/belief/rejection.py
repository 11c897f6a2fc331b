"""Rejection sampling: play the observed segment in imagined worlds; keep those that fit it.

It needs no likelihoods and no code in a game. A world is accepted as often as its opponent models
make moves that show the observer what it saw.
"""

from __future__ import annotations

from brelan.bots.belief.opponents import is_legal, model_move, sample_opponents
from brelan.bots.belief.record import MAX_PARTICLES
from brelan.engine.driver import view_equals
from brelan.rules import TABLE, copy_cards, next_luck, rule
from brelan.rules.hooks import imagine, legal_moves, play

MAX_REJECTIONS = 2000  # attempts for each particle found so far, and one more, until it gives up


@rule
def rejection_sample(state, view, raw, scratch, belief, seat, max_attempts, budget):
    """Add a particle for each attempt that reproduces the observations.

    It ends after `max_attempts`, when `budget` steps have been played, when there is no room for
    more particles, or when hardly any attempt succeeds.
    """
    for attempt in range(max_attempts):
        is_hopeless = attempt > (belief.particle_count + 1) * MAX_REJECTIONS
        if belief.particle_count == MAX_PARTICLES or belief.steps >= budget or is_hopeless:
            return
        copy_cards(raw.state, belief.observations[0])
        imagine(state, seat, scratch)
        sample_opponents(scratch, belief, seat)
        state.luck[0] = next_luck(scratch.luck)
        if reproduces_observations(state, view, raw, scratch, belief, seat):
            copy_cards(belief.particles[belief.particle_count], raw.state)
            copy_cards(belief.models[belief.particle_count], scratch.bots)
            belief.particle_count += 1


@rule
def reproduces_observations(state, view, raw, scratch, belief, seat):
    """Play the segment in a world; return whether the observer sees the same after every move.

    The observer repeats its own moves; opponents choose as their models do.
    """
    for ply in range(belief.plies):
        belief.steps += 1
        if state.turn == TABLE:
            legal_moves(state, scratch)
            number = scratch.moves[0]
        elif state.turn == seat:
            number = belief.moves[ply]
        else:
            number = model_move(state, view, raw, scratch, seat)
            if number != belief.moves[ply] and is_legal(state, scratch, belief.moves[ply]):
                return False  # the observer would have seen another move
        play(state, number)
        if not view_equals(raw, seat, belief.observations[ply + 1]):
            return False
    return True
