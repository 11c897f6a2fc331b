"""Rejection sampling: worlds are kept in which the seat sees the same, move by move."""

from __future__ import annotations

from brelan.bots.belief.opponents import is_legal, model_move, sample_opponents
from brelan.bots.belief.record import MAX_PARTICLES
from brelan.engine.driver import view_equals
from brelan.rules import TABLE, copy_cards, next_luck, rule
from brelan.rules.hooks import imagine, legal_moves, play

MAX_REJECTIONS = 2000  # attempts at one world, after which it is given up


@rule
def rejection_sample(state, view, raw, scratch, belief, seat):
    """Relive the last moves in many worlds; keep those in which the seat sees what it saw.

    The others choose as the bots would that they are like, so a world in which they would have done
    otherwise is kept less often.
    """
    for attempt in range(belief.attempts):
        is_hopeless = attempt > (belief.particle_count + 1) * MAX_REJECTIONS
        if belief.particle_count == MAX_PARTICLES or belief.steps >= belief.budget or is_hopeless:
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
    """Whether the seat sees the same again, move by move."""
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
                return False  # it would have seen another move
        play(state, number)
        if not view_equals(raw, seat, belief.observations[ply + 1]):
            return False
    return True
