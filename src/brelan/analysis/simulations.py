"""Simulations that measure a move: the win chance if the match is played on from there.

The search has built a tree before. Here the seat plays the move, then its own turn to the end
and its next turn as the tree says; apart from that all seats play like the model that the belief
gives them, with a random move now and then. What a match is worth is the share of the win, without
what the search adds for a lead in points.
"""

from __future__ import annotations

import numpy as np

from brelan.bots.belief.opponents import EPSILON
from brelan.bots.search.rollout import load_world
from brelan.bots.search.tree import MAX_NODES, first_slot, node_key
from brelan.engine.driver import decide, decide_at_random, write_view
from brelan.rules import (
    GOLDEN_GAMMA,
    TABLE,
    copy_cards,
    payoff,
    random_below,
    rule,
    splitmix64,
)
from brelan.rules.hooks import evaluate, legal_moves, play, score

FOLLOWED = 1  # turns after the present one in which the seat plays as the tree says
MIN_VISITS = 10  # of a node whose choice is followed; others are left to the game's own bot


@rule
def measure_move(
    state, view, raw, scratch, tree, belief, seat, luck, edge, first, values, worlds, states, moves
):
    """Simulate an edge of the root in the worlds from the number `first` on.

    Write the value of each simulation and the particle that its world came from. World and luck
    follow from `luck` and the number of the simulation, so moves are compared in the same worlds.
    Write the states before the first moves of the last simulation, these moves, and the state
    after them; return how many there are.
    """
    tree.steps = 0
    tree.candidate = edge
    traced = 0
    for place in range(len(values)):
        scratch.luck[0] = splitmix64(luck + GOLDEN_GAMMA * np.uint64(first + place))
        worlds[place] = load_world(state, raw, scratch, belief, seat)
        traced = play_on(state, view, raw, scratch, tree, seat, states, moves)
        values[place] = worth(state, scratch, seat)
    return traced


@rule
def play_on(state, view, raw, scratch, tree, seat, states, moves):
    """Play the candidate, then on until the match is worth something; write the first plies."""
    number = tree.moves[tree.candidate]
    traced, turns, is_away = 0, 0, False
    while True:
        is_traced = traced < len(moves)
        if is_traced:
            copy_cards(states[traced], raw.state)
            moves[traced] = number
            traced += 1
        play(state, number)
        tree.steps += 1
        if is_traced:
            copy_cards(states[traced], raw.state)
        if state.turn == TABLE:
            if evaluate(state, scratch):
                return traced
            legal_moves(state, scratch)
            number = scratch.moves[0]
            continue
        turns += is_away and state.turn == seat
        is_away = state.turn != seat
        if is_away or turns > FOLLOWED:
            number = bot_move(state, view, raw, scratch)
        else:
            number = tree_move(state, view, raw, scratch, tree, seat)


@rule
def bot_move(state, view, raw, scratch):
    """Return the move of the seat in turn: that of the bot, or now and then a random one."""
    if random_below(scratch.luck, 1000) < EPSILON:
        return decide_at_random(state, view, raw, scratch)
    return decide(state, view, raw, scratch)


@rule
def tree_move(state, view, raw, scratch, tree, seat):
    """Return the move that the search has tried most in this view, or that of the own bot."""
    write_view(raw, seat)
    key = node_key(raw, tree)
    node = first_slot(key)
    while tree.keys[node] != key and tree.keys[node] != 0:
        node = (node + 1) % MAX_NODES
    if tree.keys[node] == 0 or tree.node_visits[node] < MIN_VISITS:
        return decide(state, view, raw, scratch)
    best = tree.first_edge[node]
    for edge in range(best, best + tree.edge_count[node]):
        if tree.visits[edge] > tree.visits[best]:
            best = edge
    return tree.moves[best]


@rule
def worth(state, scratch, seat):
    """Return a seat's share of the win; before the end, what the game says the match is worth."""
    legal_moves(state, scratch)
    if scratch.count > 0:
        return scratch.values[seat]
    score(state, scratch.scores, scratch.winners)
    return payoff(scratch.winners, seat, state.players)


@rule
def sample_worlds(state, raw, scratch, belief, seat, luck, worlds):
    """Write worlds as simulations get them into the rows of `worlds`."""
    for number in range(len(worlds)):
        scratch.luck[0] = splitmix64(luck + GOLDEN_GAMMA * np.uint64(number))
        load_world(state, raw, scratch, belief, seat)
        copy_cards(worlds[number], raw.state)
