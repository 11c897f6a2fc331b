"""The tree of one seat's own decisions: a node for each view, an edge for each legal move."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from brelan.engine.driver import write_view
from brelan.rules import (
    GOLDEN_GAMMA,
    MAX_MOVES,
    copy_cards,
    hash64,
    record_type,
    rule,
    shuffle,
    splitmix64,
)
from brelan.rules.hooks import choose, legal_moves

ROOT = 0  # the node of the view that the seat has now; its edges come first
MAX_NODES = 1 << 17  # nodes of a tree; it grows no further when it is full
MAX_EDGES = 1 << 20  # moves of all nodes together
MAX_DEPTH = 512  # own decisions of one simulation that are remembered

C_PUCT = 1.0  # how eagerly moves are tried that were tried little
PRIOR_WEIGHT = 0.3  # how much more a move is tried that the game's own bot would make


TREE = record_type(
    [
        ("keys", np.uint64, (MAX_NODES,)),  # the hash of the view; 0: no node
        ("first", np.int32, (MAX_NODES,)),  # its first edge
        ("count", np.int32, (MAX_NODES,)),  # how many edges it has
        ("prior_edge", np.int32, (MAX_NODES,)),  # the edge of the bot's own move
        ("node_visits", np.int32, (MAX_NODES,)),
        ("moves", np.int16, (MAX_EDGES,)),
        ("visits", np.int32, (MAX_EDGES,)),
        ("value_sum", np.float64, (MAX_EDGES,)),
        ("path", np.int32, (MAX_DEPTH, 2)),  # nodes and edges of this simulation
        ("depth", np.int64),
        ("candidates", np.int32, (MAX_MOVES,)),  # edges of the root that are still tried
        ("candidate_count", np.int64),  # how many they are
        ("candidate", np.int64),  # the one that this simulation tries
        ("value_sq_sum", np.float64, (MAX_MOVES,)),  # of what came of each edge of the root
        ("nodes", np.int64),
        ("edges", np.int64),
        ("min_value", np.float64),  # the least and the most that came out so far
        ("max_value", np.float64),
    ]
)


def new_tree() -> Any:
    """Return a tree, to be cleared before it is used."""
    return np.zeros(1, TREE)[0]


def clear(tree: Any) -> None:
    """Clear a tree."""
    tree.keys[:] = 0
    tree.value_sq_sum[:] = 0.0
    tree.nodes = tree.edges = tree.candidate_count = 0
    tree.min_value, tree.max_value = np.inf, -np.inf


@rule
def expand_root(view, raw, scratch, tree, seat):
    """Let the tree begin with the view that the seat has now."""
    copy_cards(raw.seen, raw.blank)
    legal_moves(view, scratch)
    expand(view, scratch, tree, seat, ROOT, np.uint64(1))
    tree.candidate_count = tree.edges
    for edge in range(tree.candidate_count):
        tree.candidates[edge] = edge
    shuffle(
        scratch.luck, tree.candidates, tree.candidate_count
    )  # if there is no time to try all, these are any


@rule
def next_candidate(tree):
    """Return the move of those in question that was tried least.

    In the first batch each is tried in the same worlds with the same luck, one after another, so
    that what comes out differs by the moves more than by the worlds. Who is taken up again later
    catches up, in the worlds of then.
    """
    least = tree.candidates[0]
    for place in range(1, tree.candidate_count):
        if tree.visits[tree.candidates[place]] < tree.visits[least]:
            least = tree.candidates[place]
    return least


@rule
def select_own_move(view, raw, scratch, tree, seat):
    """Return the seat's own move, as the tree chooses it; a view that is new becomes a node.

    Each move of the root has nodes of its own. If they were shared, a move that is tried after
    another in the same world would profit from what was just learnt of how this world goes on.
    """
    if tree.depth == 0:
        return follow_edge(tree, ROOT, tree.candidate)
    write_view(raw, seat)
    legal_moves(view, scratch)
    if scratch.count == 1:
        return scratch.moves[0]
    key = (hash64(raw.seen) ^ splitmix64(GOLDEN_GAMMA * np.uint64(tree.candidate))) | np.uint64(1)
    node = np.int64(key >> np.uint64(8)) % MAX_NODES
    while tree.keys[node] != key:
        if tree.keys[node] == 0:
            if tree.nodes > MAX_NODES // 2 or tree.edges + scratch.count > MAX_EDGES:
                return choose(scratch.bots[seat] - 1, view, scratch)
            expand(view, scratch, tree, seat, node, key)
            break
        node = (node + 1) % MAX_NODES
    return follow_edge(tree, node, select_puct(tree, node))


@rule
def follow_edge(tree, node, edge):
    """Go along an edge; return its move."""
    tree.path[tree.depth, 0] = node
    tree.path[tree.depth, 1] = edge
    tree.depth += 1
    return tree.moves[edge]


@rule
def expand(view, scratch, tree, seat, node, key):
    """Make a node of the legal moves in the scratch record."""
    tree.keys[node] = key
    tree.first[node] = tree.edges
    tree.count[node] = scratch.count
    tree.node_visits[node] = 0
    for place in range(scratch.count):
        tree.moves[tree.edges + place] = scratch.moves[place]
        tree.visits[tree.edges + place] = 0
        tree.value_sum[tree.edges + place] = 0.0
    preferred = choose(scratch.bots[seat] - 1, view, scratch)
    for edge in range(tree.edges, tree.edges + tree.count[node]):
        if tree.moves[edge] == preferred:
            tree.prior_edge[node] = edge
    tree.edges += tree.count[node]
    tree.nodes += 1


@rule
def select_puct(tree, node):
    """Return the edge to try next: good so far, liked by the bot, or tried little."""
    first, count = tree.first[node], tree.count[node]
    span = max(
        tree.max_value - tree.min_value, 1e-6
    )  # so that games of all kinds of values are alike
    reach = C_PUCT * math.sqrt(tree.node_visits[node] + 1.0)
    gains = 0.0
    for edge in range(first, first + count):
        gains += tree.value_sum[edge]
    usual = (
        (gains / tree.node_visits[node] - tree.min_value) / span
        if tree.node_visits[node] > 0
        else 0.5
    )
    best, most = first, -1.0
    for edge in range(first, first + count):
        tries = tree.visits[edge]
        worth = (tree.value_sum[edge] / tries - tree.min_value) / span if tries > 0 else usual
        prior = (1 - PRIOR_WEIGHT) / count + (
            PRIOR_WEIGHT if edge == tree.prior_edge[node] else 0.0
        )
        worth += reach * prior / (1 + tries)
        if worth > most:
            best, most = edge, worth
    return best


@rule
def backpropagate(tree, value):
    """Add what came out to every decision on the way."""
    tree.min_value, tree.max_value = min(tree.min_value, value), max(tree.max_value, value)
    for depth in range(tree.depth):
        tree.node_visits[tree.path[depth, 0]] += 1
        tree.visits[tree.path[depth, 1]] += 1
        tree.value_sum[tree.path[depth, 1]] += value
    tree.value_sq_sum[tree.candidate] += value * value
