"""Simulations: a world is sampled and played to its end, and its value is backpropagated.

Each simulation takes a determinization that fits the searcher's view (`load_world`). The searcher's
own decisions follow the tree until a node is expanded; everything else is the rollout. Opponents
choose as the models of the determinization do, each from its own view (`model_move`), so they
cannot learn the searcher's cards. The rollout ends where the game can `evaluate` it.
"""

from __future__ import annotations

import numpy as np

from brelan.bots.belief.opponents import model_move, sample_opponents
from brelan.bots.belief.record import PRIOR_SAMPLES
from brelan.bots.search.tree import (
    MAX_DEPTH,
    backpropagate,
    begin_simulation,
    expand_root,
    select_own_move,
)
from brelan.rules import (
    GOLDEN_GAMMA,
    TABLE,
    copy_cards,
    next_luck,
    random_below,
    rule,
    splitmix64,
)
from brelan.rules.hooks import deal_unseen, evaluate, imagine, legal_moves, play

NO_PARTICLE = -1  # of a world that `imagine` made


@rule
def run_simulations(state, view, raw, scratch, tree, belief, seat, luck, count, max_steps):
    """Run up to `count` simulations; return how many.

    It ends early when the tree has played `max_steps`. An empty tree gets its root first. The luck
    of a simulation follows from `luck` and the visits of its candidate.
    """
    if tree.nodes_used == 0:
        copy_cards(raw.seen, belief.observations[belief.plies])
        expand_root(view, scratch, tree, seat)
    for done in range(count):
        if tree.steps >= max_steps:
            return done
        visits = begin_simulation(tree)
        scratch.luck[0] = splitmix64(luck + GOLDEN_GAMMA * np.uint64(visits))
        load_world(state, raw, scratch, belief, seat)
        simulate(state, view, raw, scratch, tree, seat)
    return count


@rule
def load_world(state, raw, scratch, belief, seat):
    """Sample a determinization into the state, and the opponents' models into `scratch.bots`.

    It is a particle of the belief whose unseen cards are dealt anew or, with the probability that
    PRIOR_SAMPLES gives, one that `imagine` makes. Without the new deal the tree would learn the
    order of the cards in each particle. Return the number of the particle, or NO_PARTICLE.
    """
    chosen = NO_PARTICLE
    if random_below(scratch.luck, belief.particle_count + PRIOR_SAMPLES) < belief.particle_count:
        chosen = random_below(scratch.luck, belief.particle_count)
        copy_cards(raw.state, belief.particles[chosen])
        copy_cards(scratch.bots, belief.models[chosen])
        deal_unseen(state, scratch)
    else:
        copy_cards(raw.state, belief.observations[belief.plies])
        imagine(state, seat, scratch)
        sample_opponents(scratch, belief, seat)
    state.luck[0] = next_luck(scratch.luck)
    return chosen


@rule
def simulate(state, view, raw, scratch, tree, seat):
    """Play the world in the state until the game evaluates it, and backpropagate its value."""
    in_tree = True
    while True:
        if state.turn == TABLE:
            if evaluate(state, scratch):
                break
            legal_moves(state, scratch)
            number = scratch.moves[0]
        elif state.turn == seat and in_tree and tree.depth < MAX_DEPTH:
            nodes_before = tree.nodes_used
            number = select_own_move(view, raw, scratch, tree, seat)
            in_tree = tree.nodes_used == nodes_before
        else:
            number = model_move(state, view, raw, scratch, seat)
        play(state, number)
        tree.steps += 1
    backpropagate(tree, scratch.values[seat])
