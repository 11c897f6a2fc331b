"""Exact inference for two seats: every world that can have led to the observations.

A hypothesis is a world whose unseen cards are blank (`lazy`), with the joint probability of that
world and each opponent model. From the deal on, each hypothesis is extended in every way from one
decision of the observer to its next; extensions that contradict an observation are dropped, and
equal ones are merged. The game must implement `move_probability` and `reveal_seen`.
"""

from __future__ import annotations

from brelan.bots.belief.lazy import actual_move, make_move, reveal_probability
from brelan.bots.belief.opponents import model_move_probability
from brelan.engine.driver import write_view
from brelan.rules import (
    TABLE,
    clear,
    copy_cards,
    first_branch,
    hash64,
    next_branch,
    random_unit,
    rule,
)


@rule
def enumerate_worlds(state, view, raw, scratch, belief, seat, budget):
    """Enumerate the hypotheses that explain the segment, then resample them into particles.

    If they do not fit in the record, or take more than `budget` steps, there are no hypotheses and
    no particles.
    """
    copy_cards(belief.hypotheses[0], belief.observations[0])
    copy_cards(belief.joint[0], belief.model_posterior[1 - seat])
    belief.hypothesis_count = 1
    first = 0
    for ply in range(belief.plies + 1):
        copy_cards(raw.seen, belief.observations[ply])
        if view.turn == seat or ply == 0 or ply == belief.plies:
            if not extend(state, view, raw, scratch, belief, seat, first, ply, budget):
                belief.hypothesis_count = 0
                return
            first = ply
    systematic_resample(scratch, belief, seat)


@rule
def extend(state, view, raw, scratch, belief, seat, first, last, budget):
    """Replace each hypothesis by its extensions from one ply to another.

    Return False if there is no room for them, or if the budget is spent.
    """
    before = belief.hypothesis_count
    for hypothesis in range(before):
        copy_cards(belief.previous[hypothesis], belief.hypotheses[hypothesis])
        copy_cards(belief.previous_joint[hypothesis], belief.joint[hypothesis])
    belief.hypothesis_count = 0
    for hypothesis in range(before):
        first_branch(scratch)
        more = True
        while more:
            copy_cards(raw.state, belief.previous[hypothesis])
            copy_cards(belief.path_joint, belief.previous_joint[hypothesis])
            fits = reproduces(state, view, raw, scratch, belief, seat, first, last)
            if (fits and not add_hypothesis(raw, belief)) or belief.steps >= budget:
                return False
            more = next_branch(scratch)
    return True


@rule
def reproduces(state, view, raw, scratch, belief, seat, first, last):
    """Play one branch from a ply to another; return whether the observer sees what it saw.

    Multiplies `belief.path_joint` by the probability of the branch.
    """
    for ply in range(first, last + 1):
        probability = reveal_probability(state, view, raw, scratch, belief, seat, ply)
        if probability == 0.0:
            return False
        for model in range(len(belief.path_joint)):
            belief.path_joint[model] *= probability
        if ply < last:
            number = belief.moves[ply]
            if state.turn != seat:
                number = actual_move(state, scratch, number)
                if state.turn != TABLE:
                    condition_on_move(state, view, raw, scratch, belief, number)
            make_move(state, scratch, belief, number)
    return True


@rule
def condition_on_move(state, view, raw, scratch, belief, number):
    """Multiply `belief.path_joint` by the probability of a move under each model."""
    count = scratch.count
    write_view(raw, state.turn)
    for model in range(len(belief.path_joint)):
        if belief.path_joint[model] > 0.0:
            belief.path_joint[model] *= model_move_probability(model, view, scratch, number, count)


@rule
def add_hypothesis(raw, belief):
    """Add the probability of the branch to the hypothesis that it led to, which may be new.

    Return False if there is no room for a new one.
    """
    key = hash64(raw.state)
    hypothesis = 0
    while hypothesis < belief.hypothesis_count and belief.hashes[hypothesis] != key:
        hypothesis += 1
    if hypothesis == belief.hypothesis_count:
        if hypothesis == len(belief.hypotheses):
            return False
        copy_cards(belief.hypotheses[hypothesis], raw.state)
        belief.hashes[hypothesis] = key
        clear(belief.joint[hypothesis])
        belief.hypothesis_count += 1
    for model in range(len(belief.path_joint)):
        belief.joint[hypothesis, model] += belief.path_joint[model]
    return True


@rule
def systematic_resample(scratch, belief, seat):
    """Fill all particles with pairs of hypothesis and model, in proportion to their probability."""
    total = 0.0
    for hypothesis in range(belief.hypothesis_count):
        for model in range(len(belief.path_joint)):
            total += belief.joint[hypothesis, model]
    if total == 0.0:
        return
    step = total / len(belief.particles)
    point = random_unit(scratch.luck) * total / len(belief.particles)
    for hypothesis in range(belief.hypothesis_count):
        for model in range(len(belief.path_joint)):
            point -= belief.joint[hypothesis, model]
            while point < 0 and belief.particle_count < len(belief.particles):
                copy_cards(belief.particles[belief.particle_count], belief.hypotheses[hypothesis])
                copy_cards(belief.models[belief.particle_count], scratch.bots)
                belief.models[belief.particle_count, 1 - seat] = model
                belief.particle_count += 1
                point += step
