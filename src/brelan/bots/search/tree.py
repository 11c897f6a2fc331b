"""The search tree: a node for each information set of the searcher, an edge for each legal move.

An information set is identified by the hash of the view that the searcher has there, so all worlds
that look alike to it share one node. Opponents and the table (the chance player) have no nodes.
Only this module changes a tree.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from brelan.bots.search.stats import MoveStats
from brelan.engine.driver import write_view
from brelan.rules import (
    GOLDEN_GAMMA,
    MAX_MOVES,
    hash64,
    record_type,
    rule,
    shuffle,
    splitmix64,
)
from brelan.rules.hooks import choose, legal_moves

ROOT = 0  # the node of the present view; its edges come first
MAX_NODES = 1 << 17  # slots of the hash table; half of them are used at most
MAX_EDGES = 1 << 20
MAX_DEPTH = 512  # nodes on the path of one simulation

C_PUCT = 1.0
PRIOR_WEIGHT = 0.3  # prior mass on the move of the game's own bot; the rest is uniform


TREE = record_type(
    [
        # for each node
        ("keys", np.uint64, (MAX_NODES,)),  # 0: the slot is free
        ("first_edge", np.int32, (MAX_NODES,)),
        ("edge_count", np.int32, (MAX_NODES,)),
        ("prior_edge", np.int32, (MAX_NODES,)),  # the move of the game's own bot
        ("node_visits", np.int32, (MAX_NODES,)),
        # for each edge
        ("moves", np.int16, (MAX_EDGES,)),
        ("visits", np.int32, (MAX_EDGES,)),
        ("value_sum", np.float64, (MAX_EDGES,)),
        ("value_sq_sum", np.float64, (MAX_MOVES,)),  # edges of the root only
        ("nodes_used", np.int64),
        ("edges_used", np.int64),
        # sequential halving at the root
        ("candidates", np.int32, (MAX_MOVES,)),  # edges that are still simulated
        ("candidate_count", np.int64),
        # the simulation that is being played
        ("candidate", np.int64),  # its edge of the root
        ("path", np.int32, (MAX_DEPTH, 2)),  # its nodes and edges
        ("depth", np.int64),
        # all simulations
        ("steps", np.int64),  # moves played
        ("min_value", np.float64),
        ("max_value", np.float64),
    ]
)


def new_tree() -> Any:
    """Return a tree; `clear` it before use."""
    return np.zeros(1, TREE)[0]


def clear(tree: Any) -> None:
    """Remove all nodes and statistics."""
    tree.keys[:] = 0
    tree.value_sq_sum[:] = 0.0
    tree.nodes_used = tree.edges_used = tree.candidate_count = tree.steps = 0
    tree.min_value, tree.max_value = np.inf, -np.inf


# ---------------------------------------------------------------- the root


def root_stats(tree: Any) -> dict[int, MoveStats]:
    """Return the statistics of each legal move, by its id."""
    return {int(tree.moves[edge]): _stats(tree, edge) for edge in range(tree.edge_count[ROOT])}


def halve(tree: Any, keep: int | None = None) -> None:
    """Remove the worse half of the candidates, by the lower bounds of their values.

    The move `keep` stays, in place of the worst of those that do.
    """
    best = _by_lower_bound(tree, tree.candidates[: tree.candidate_count])
    left, removed = best[: math.ceil(len(best) / 2)], best[math.ceil(len(best) / 2) :]
    kept = [edge for edge in removed if tree.moves[edge] == keep]
    if kept:
        left = [*(left[:-1] or left), *kept]
    _set_candidates(tree, left)


def reopen(tree: Any, min_improvement: float, fallback: int) -> bool:
    """Make candidates of the best move and of those that may be better; False: there are none.

    A move may be better if the expected improvement of knowing it exactly exceeds
    `min_improvement`. If that holds for none, the `fallback` next best moves are taken.
    """
    best, *others = _by_lower_bound(tree, range(tree.edge_count[ROOT]))
    stats = _stats(tree, best)
    uncertain = [
        edge for edge in others if stats.expected_improvement(_stats(tree, edge)) > min_improvement
    ]
    uncertain = uncertain or others[:fallback]
    _set_candidates(tree, [best, *uncertain])
    return bool(uncertain)


def _stats(tree: Any, edge: int) -> MoveStats:
    return MoveStats(
        int(tree.visits[edge]), float(tree.value_sum[edge]), float(tree.value_sq_sum[edge])
    )


def _by_lower_bound(tree: Any, edges: Any) -> list[int]:
    return sorted(edges, key=lambda edge: -_stats(tree, edge).lower_bound)


def _set_candidates(tree: Any, edges: list[int]) -> None:
    tree.candidate_count = len(edges)
    tree.candidates[: len(edges)] = edges


@rule
def expand_root(view, scratch, tree, seat):
    """Make the root from the searcher's present view; all its edges become candidates."""
    legal_moves(view, scratch)
    expand(view, scratch, tree, seat, ROOT, np.uint64(1))
    tree.candidate_count = tree.edges_used
    for edge in range(tree.candidate_count):
        tree.candidates[edge] = edge
    shuffle(scratch.luck, tree.candidates, tree.candidate_count)  # there may be time for a few only


@rule
def begin_simulation(tree):
    """Begin a simulation of the next candidate; return how often it was simulated before."""
    tree.candidate = next_candidate(tree)
    tree.depth = 0
    return tree.visits[tree.candidate]


@rule
def next_candidate(tree):
    """Return the candidate with the fewest visits, the first of several.

    So in the first batch the candidates take turns, each in the same worlds with the same luck
    (common random numbers). A candidate that is reopened in a later batch catches up first.
    """
    least = tree.candidates[0]
    for place in range(1, tree.candidate_count):
        if tree.visits[tree.candidates[place]] < tree.visits[least]:
            least = tree.candidates[place]
    return least


# ---------------------------------------------------------------- selection and expansion


@rule
def select_own_move(view, raw, scratch, tree, seat):
    """Return the searcher's move in the world that is played; expand the tree if its view is new.

    At the root it is the candidate. Below, each candidate has nodes of its own: with shared nodes,
    a candidate would profit from what the last one has just learnt about this very world. Forced
    moves have no nodes. If the tree is full, a new view is played by the game's own bot.
    """
    if tree.depth == 0:
        return follow_edge(tree, ROOT, tree.candidate)
    write_view(raw, seat)
    legal_moves(view, scratch)
    if scratch.count == 1:
        return scratch.moves[0]
    key = node_key(raw, tree)
    node = first_slot(key)
    while tree.keys[node] != key:
        if tree.keys[node] == 0:
            if tree.nodes_used > MAX_NODES // 2 or tree.edges_used + scratch.count > MAX_EDGES:
                return choose(scratch.bots[seat] - 1, view, scratch)
            expand(view, scratch, tree, seat, node, key)
            break
        node = (node + 1) % MAX_NODES
    return follow_edge(tree, node, select_puct(tree, node))


@rule
def node_key(raw, tree):
    """Return the key of the view in `raw` below the candidate that is simulated; it is never 0."""
    candidate = splitmix64(GOLDEN_GAMMA * np.uint64(tree.candidate))
    return (hash64(raw.seen) ^ candidate) | np.uint64(1)


@rule
def first_slot(key):
    """Return the slot where the search for a key begins."""
    return np.int64(key >> np.uint64(8)) % MAX_NODES


@rule
def follow_edge(tree, node, edge):
    """Add a node and its edge to the path of the simulation; return the move of the edge."""
    tree.path[tree.depth, 0] = node
    tree.path[tree.depth, 1] = edge
    tree.depth += 1
    return tree.moves[edge]


@rule
def expand(view, scratch, tree, seat, node, key):
    """Add a node whose edges are the legal moves in the scratch record."""
    tree.keys[node] = key
    tree.first_edge[node] = tree.edges_used
    tree.edge_count[node] = scratch.count
    tree.node_visits[node] = 0
    for place in range(scratch.count):
        tree.moves[tree.edges_used + place] = scratch.moves[place]
        tree.visits[tree.edges_used + place] = 0
        tree.value_sum[tree.edges_used + place] = 0.0
    preferred = choose(scratch.bots[seat] - 1, view, scratch)
    for edge in range(tree.edges_used, tree.edges_used + tree.edge_count[node]):
        if tree.moves[edge] == preferred:
            tree.prior_edge[node] = edge
    tree.edges_used += tree.edge_count[node]
    tree.nodes_used += 1


@rule
def select_puct(tree, node):
    """Return the edge with the highest PUCT score: its value, and a bonus for prior and few visits.

    Values are scaled to the range seen so far. An edge without visits has the node's mean value.
    """
    first, count = tree.first_edge[node], tree.edge_count[node]
    value_range = max(tree.max_value - tree.min_value, 1e-6)
    exploration = C_PUCT * math.sqrt(tree.node_visits[node] + 1.0)
    value_sum = 0.0
    for edge in range(first, first + count):
        value_sum += tree.value_sum[edge]
    mean = 0.5
    if tree.node_visits[node] > 0:
        mean = (value_sum / tree.node_visits[node] - tree.min_value) / value_range
    best, best_score = first, -1.0
    for edge in range(first, first + count):
        visits, score = tree.visits[edge], mean
        if visits > 0:
            score = (tree.value_sum[edge] / visits - tree.min_value) / value_range
        prior = (1 - PRIOR_WEIGHT) / count
        if edge == tree.prior_edge[node]:
            prior += PRIOR_WEIGHT
        score += exploration * prior / (1 + visits)
        if score > best_score:
            best, best_score = edge, score
    return best


@rule
def backpropagate(tree, value):
    """Add the value of a simulation to all nodes and edges on its path."""
    tree.min_value, tree.max_value = min(tree.min_value, value), max(tree.max_value, value)
    for depth in range(tree.depth):
        tree.node_visits[tree.path[depth, 0]] += 1
        tree.visits[tree.path[depth, 1]] += 1
        tree.value_sum[tree.path[depth, 1]] += value
    tree.value_sq_sum[tree.candidate] += value * value
