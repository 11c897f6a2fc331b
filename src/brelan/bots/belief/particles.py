"""A particle filter (sequential importance resampling) along the observed segment.

It serves where exact enumeration is too large, or where there are more than two seats. Unseen cards
of a particle are blank (`lazy`). At each ply every particle is propagated by a random branch,
weighted by the probability of the move that was observed, and all particles are resampled.
"""

from __future__ import annotations

from brelan.bots.belief.lazy import actual_move, make_move, reveal_probability
from brelan.bots.belief.opponents import model_move_probability, sample_opponents
from brelan.engine.driver import write_view
from brelan.rules import TABLE, branch_count, copy_cards, random_branch, random_unit, rule

ROUNDING = 1e-9  # keeps the last point of a resampling below the sum of the weights


@rule
def particle_filter(state, view, raw, scratch, belief, seat, budget):
    """Fill the particles from the first observation to the last; none if no particle survives.

    Keep as many particles as the smallest survivor count; the rest are duplicates. Each ply may
    take its share of `budget` attempts, and at least one for each particle.
    """
    capacity = len(belief.particles)
    for place in range(capacity):
        copy_cards(belief.particles[place], belief.observations[0])
        sample_opponents(scratch, belief, seat)
        copy_cards(belief.models[place], scratch.bots)
    fewest = capacity
    max_attempts = max(capacity, budget // (belief.plies + 1))
    for ply in range(belief.plies + 1):
        survivors = propagate(state, view, raw, scratch, belief, seat, ply, max_attempts)
        fewest = min(fewest, survivors)
        if fewest == 0:
            return
        resample(scratch, belief, capacity if ply < belief.plies else fewest)
    belief.particle_count = fewest


@rule
def propagate(state, view, raw, scratch, belief, seat, ply, max_attempts):
    """Propagate the particles over a ply, round after round, until there are enough survivors.

    Return how many of the first round survived.
    """
    belief.survivors = first_round = attempt = 0
    capacity = len(belief.particles)
    while attempt < max_attempts and belief.survivors < capacity:
        propagate_particle(state, view, raw, scratch, belief, seat, ply, attempt % capacity)
        attempt += 1
        if attempt <= capacity:
            first_round = belief.survivors
    return first_round


@rule
def propagate_particle(state, view, raw, scratch, belief, seat, ply, place):
    """Propagate a particle over a ply by a random branch; add it to the survivors if it fits.

    Its weight is the probability of the observation, divided by that of the branch.
    """
    copy_cards(raw.state, belief.particles[place])
    random_branch(scratch)
    probability = reveal_probability(state, view, raw, scratch, belief, seat, ply)
    if probability == 0.0:
        return
    if ply < belief.plies:
        probability *= make_observed_move(state, view, raw, scratch, belief, seat, ply, place)
    copy_cards(belief.hypotheses[belief.survivors], raw.state)
    copy_cards(belief.resampled_models[belief.survivors], belief.models[place])
    belief.weight[belief.survivors] = probability * branch_count(scratch)
    if (
        ply < belief.plies
        and reveal_probability(state, view, raw, scratch, belief, seat, ply + 1) == 0.0
    ):
        return  # only a test: the next ply reveals these cards again, and weighs them
    belief.survivors += 1


@rule
def make_observed_move(state, view, raw, scratch, belief, seat, ply, place):
    """Play the move that was observed at a ply; return its probability under the seat's model."""
    probability, number = 1.0, belief.moves[ply]
    if state.turn != seat:
        number = actual_move(state, scratch, number)
        if state.turn != TABLE:
            count = scratch.count
            write_view(raw, state.turn)
            model = belief.models[place, state.turn]
            probability = model_move_probability(model, view, scratch, number, count)
    make_move(state, scratch, belief, number)
    return probability


@rule
def resample(scratch, belief, count):
    """Draw `count` particles from the survivors, in proportion to their weights."""
    total = 0.0
    for survivor in range(belief.survivors):
        total += belief.weight[survivor]
    step = total * (1 - ROUNDING) / count
    point, chosen = random_unit(scratch.luck) * step - belief.weight[0], 0
    for place in range(count):
        while point >= 0.0 and chosen + 1 < belief.survivors:
            chosen += 1
            point -= belief.weight[chosen]
        copy_cards(belief.particles[place], belief.hypotheses[chosen])
        copy_cards(belief.models[place], belief.resampled_models[chosen])
        point += step
