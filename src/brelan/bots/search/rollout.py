"""Simulations: a world is played until the match comes to rest, and its value is backpropagated.

A simulation takes a world that fits what the seat sees, and plays it until the match comes to rest.
The seat's own decisions are nodes of the tree, one for each view: what it could know, and no more.
The others choose as the game's own bots, each from its own view, so nobody in the imagined world
learns the searcher's cards. Which of the bots another seat is like is a part of the world.
"""

from __future__ import annotations

import numpy as np

from brelan.bots.belief.opponents import model_move, sample_opponents
from brelan.bots.belief.record import PRIOR_SAMPLES
from brelan.bots.search.tree import (
    MAX_DEPTH,
    backpropagate,
    expand_root,
    next_candidate,
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


@rule
def run_simulations(state, view, raw, scratch, tree, belief, seat, count, most_steps):
    """Simulate, and first expand the root, if the tree is empty; return how often it was.

    It ends after so many simulations, or when so many steps were made.
    """
    if count > 0 and tree.candidate_count == 0:
        expand_root(view, raw, scratch, tree, seat)
    for done in range(count):
        if belief.steps >= most_steps:
            return done
        tree.candidate = next_candidate(tree)
        scratch.luck[0] = splitmix64(
            belief.luck[0] + GOLDEN_GAMMA * np.uint64(tree.visits[tree.candidate])
        )
        load_world(state, raw, scratch, belief, seat)
        simulate(state, view, raw, scratch, tree, belief, seat)
    return count


@rule
def load_world(state, raw, scratch, belief, seat):
    """Take a world that is believed in, or imagine one.

    What nobody has looked at is dealt anew each time: else the tree would learn it by heart.
    """
    if random_below(scratch.luck, belief.particle_count + PRIOR_SAMPLES) < belief.particle_count:
        chosen = random_below(scratch.luck, belief.particle_count)
        copy_cards(raw.state, belief.particles[chosen])
        copy_cards(scratch.bots, belief.models[chosen])
        deal_unseen(state, scratch)
    else:
        copy_cards(raw.state, raw.blank)
        imagine(state, seat, scratch)
        sample_opponents(scratch, belief, seat)
    state.luck[0] = next_luck(scratch.luck)


@rule
def simulate(state, view, raw, scratch, tree, belief, seat):
    """Play a world until the match comes to rest, and remember what came of the seat's moves."""
    tree.depth = 0
    is_inside = True
    while True:
        if state.turn == TABLE:
            if evaluate(state, scratch):
                break
            legal_moves(state, scratch)
            number = scratch.moves[0]
        elif state.turn == seat and is_inside and tree.depth < MAX_DEPTH:
            known = tree.nodes
            number = select_own_move(view, raw, scratch, tree, seat)
            is_inside = tree.nodes == known
        else:
            number = model_move(state, view, raw, scratch, seat)
        play(state, number)
        belief.steps += 1
    backpropagate(tree, scratch.values[seat])
