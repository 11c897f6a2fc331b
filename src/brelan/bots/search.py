"""Search: a tree of one seat's own decisions over imagined worlds, in machine code, for every game.

A simulation takes a world that fits what the seat sees, and plays it until the match comes to rest.
The seat's own decisions are nodes of the tree, one for each view: what it could know, and no more.
The others choose as the game's own bots, each from its own view, so nobody in the imagined world
learns the searcher's cards. Which of the bots another seat is like is a part of the world.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from brelan.bots.mind import WHIM, WORLDS
from brelan.driver import decide, look, sees
from brelan.verbs import choose, complete, credence, imagine, legal_moves, outlook, play
from brelan.words import (
    MOST_MOVES,
    MOST_SEATS,
    STEP,
    TABLE,
    below,
    by_weight,
    chance,
    copy_cards,
    fingerprint,
    mixed,
    next_luck,
    record_type,
    rule,
    shuffle,
    woven,
)

ROOT = 0  # the node of the view that the seat has now; its edges come first
ROOM = 1 << 17  # nodes of a tree; it grows no further when it is full
EDGES = 1 << 20  # moves of all nodes together
DEPTH = 512  # own decisions of one simulation that are remembered
FEW = 20  # worlds believed in, with which every other one that is searched merely fits
HOPELESS = 2000  # attempts at one world, after which it is given up
SURE = 700.0  # as a logarithm: a larger one would be too large a number

EXPLORING = 1.0  # how eagerly moves are tried that were tried little
TRUST = 0.3  # how much more a move is tried that the game's own bot would make

TREE = record_type(
    [
        ("keys", np.uint64, (ROOM,)),  # the fingerprint of the view; 0: no node
        ("first", np.int32, (ROOM,)),  # its first edge
        ("count", np.int32, (ROOM,)),  # how many edges it has
        ("liked", np.int32, (ROOM,)),  # the edge of the bot's own move
        ("visits", np.int32, (ROOM,)),
        ("moves", np.int16, (EDGES,)),
        ("tries", np.int32, (EDGES,)),
        ("gains", np.float64, (EDGES,)),
        ("path", np.int32, (DEPTH, 2)),  # nodes and edges of this simulation
        ("depth", np.int64),
        ("open", np.int32, (MOST_MOVES,)),  # edges of the root that are still tried
        ("width", np.int64),  # how many they are
        ("next", np.int64),  # the one that this simulation tries
        ("squares", np.float64, (MOST_MOVES,)),  # of what came of each edge of the root
        ("nodes", np.int64),
        ("edges", np.int64),
        ("low", np.float64),  # the least and the most that came out so far
        ("high", np.float64),
    ]
)


def tree() -> Any:
    """Return a tree, to be cleared before it is used."""
    return np.zeros(1, TREE)[0]


def forget(tree: Any) -> None:
    """Clear a tree."""
    tree.keys[:] = 0
    tree.squares[:] = 0.0
    tree.nodes = tree.edges = tree.width = 0
    tree.low, tree.high = np.inf, -np.inf


@rule
def ponder(state, view, raw, desk, tree, mind, seat, count, most_moves):
    """Read, if that is to be done; then simulate, and first plant a tree, if there is none.

    It ends after so many simulations, or when so many moves were made; return how often it was.
    """
    copy_cards(raw.blank, mind.past[mind.plies])
    if mind.attempts > 0:
        recall(state, view, raw, desk, mind, seat)
        mind.attempts = 0
    if mind.toll > 0:
        weigh(state, raw, desk, mind, seat)
        mind.toll = 0
    if count > 0 and tree.width == 0:
        plant(view, raw, desk, tree, seat)
    for done in range(count):
        if mind.moved >= most_moves:
            return done
        tree.next = least_tried(tree)
        desk.luck[0] = mixed(mind.luck[0] + STEP * np.uint64(tree.tries[tree.next]))
        enter_world(state, raw, desk, mind, seat)
        simulate(state, view, raw, desk, tree, mind, seat)
    return count


@rule
def plant(view, raw, desk, tree, seat):
    """Let the tree begin with the view that the seat has now."""
    copy_cards(raw.seen, raw.blank)
    legal_moves(view, desk)
    grow(view, desk, tree, seat, ROOT, np.uint64(1))
    tree.width = tree.edges
    for edge in range(tree.width):
        tree.open[edge] = edge
    shuffle(desk.luck, tree.open, tree.width)  # if there is no time to try all, these are any


@rule
def least_tried(tree):
    """Return the move of those in question that was tried least.

    In the first sitting each is tried in the same worlds with the same luck, one after another, so
    that what comes out differs by the moves more than by the worlds. Who is taken up again later
    catches up, in the worlds of then.
    """
    least = tree.open[0]
    for place in range(1, tree.width):
        if tree.tries[tree.open[place]] < tree.tries[least]:
            least = tree.open[place]
    return least


@rule
def enter_world(state, raw, desk, mind, seat):
    """Take a world that is believed in, or imagine one.

    What nobody has looked at is dealt anew each time: else the tree would learn it by heart.
    """
    if below(desk.luck, mind.believed + FEW) < mind.believed:
        chosen = below(desk.luck, mind.believed)
        copy_cards(raw.state, mind.worlds[chosen])
        copy_cards(desk.bots, mind.casts[chosen])
        complete(state, desk)
    else:
        copy_cards(raw.state, raw.blank)
        imagine(state, seat, desk)
        cast(desk, mind, seat)
    state.luck[0] = next_luck(desk.luck)


@rule
def cast(desk, mind, seat):
    """Draw for each of the others which bot it is like."""
    for other in range(MOST_SEATS):
        if other != seat:
            desk.bots[other] = draw_bot(desk, mind, other)


@rule
def draw_bot(desk, mind, seat):
    """Draw which bot a seat is like."""
    return by_weight(desk.luck, mind.odds[seat], mind.model + 1)


@woven
def simulate(state, view, raw, desk, tree, mind, seat):
    """Play a world until the match comes to rest, and remember what came of the seat's moves."""
    tree.depth = 0
    is_inside = True
    while True:
        if state.turn == TABLE:
            if outlook(state, desk):
                break
            legal_moves(state, desk)
            number = desk.moves[0]
        elif state.turn == seat and is_inside and tree.depth < DEPTH:
            known = tree.nodes
            number = descend(view, raw, desk, tree, seat)
            is_inside = tree.nodes == known
        else:
            number = likely(state, view, raw, desk, seat)
        play(state, number)
        mind.moved += 1
    learn(tree, desk.values[seat])


@rule
def descend(view, raw, desk, tree, seat):
    """Return the seat's own move, as the tree chooses it; a view that is new becomes a node.

    Each move of the root has nodes of its own. If they were shared, a move that is tried after
    another in the same world would profit from what was just learnt of how this world goes on.
    """
    if tree.depth == 0:
        return step(tree, ROOT, tree.next)
    look(raw, seat)
    legal_moves(view, desk)
    if desk.count == 1:
        return desk.moves[0]
    key = (fingerprint(raw.seen) ^ mixed(STEP * np.uint64(tree.next))) | np.uint64(1)
    node = np.int64(key >> np.uint64(8)) % ROOM
    while tree.keys[node] != key:
        if tree.keys[node] == 0:
            if tree.nodes > ROOM // 2 or tree.edges + desk.count > EDGES:
                return choose(desk.bots[seat] - 1, view, desk)
            grow(view, desk, tree, seat, node, key)
            break
        node = (node + 1) % ROOM
    return step(tree, node, favourite(tree, node))


@rule
def step(tree, node, edge):
    """Go along an edge; return its move."""
    tree.path[tree.depth, 0] = node
    tree.path[tree.depth, 1] = edge
    tree.depth += 1
    return tree.moves[edge]


@rule
def grow(view, desk, tree, seat, node, key):
    """Make a node of the legal moves on the desk."""
    tree.keys[node] = key
    tree.first[node] = tree.edges
    tree.count[node] = desk.count
    tree.visits[node] = 0
    for place in range(desk.count):
        tree.moves[tree.edges + place] = desk.moves[place]
        tree.tries[tree.edges + place] = 0
        tree.gains[tree.edges + place] = 0.0
    liked = choose(desk.bots[seat] - 1, view, desk)
    for edge in range(tree.edges, tree.edges + tree.count[node]):
        if tree.moves[edge] == liked:
            tree.liked[node] = edge
    tree.edges += tree.count[node]
    tree.nodes += 1


@rule
def favourite(tree, node):
    """Return the edge to try next: good so far, liked by the bot, or tried little."""
    first, count = tree.first[node], tree.count[node]
    span = max(tree.high - tree.low, 1e-6)  # so that games of all kinds of values are alike
    reach = EXPLORING * math.sqrt(tree.visits[node] + 1.0)
    gains = 0.0
    for edge in range(first, first + count):
        gains += tree.gains[edge]
    usual = (gains / tree.visits[node] - tree.low) / span if tree.visits[node] > 0 else 0.5
    best, most = first, -1.0
    for edge in range(first, first + count):
        tries = tree.tries[edge]
        worth = (tree.gains[edge] / tries - tree.low) / span if tries > 0 else usual
        prior = (1 - TRUST) / count + (TRUST if edge == tree.liked[node] else 0.0)
        worth += reach * prior / (1 + tries)
        if worth > most:
            best, most = edge, worth
    return best


@rule
def likely(state, view, raw, desk, seat):
    """Return what the game's own bot does here; one of the others now and then does anything."""
    if state.turn != seat and below(desk.luck, 1000) < WHIM:
        legal_moves(state, desk)
        return desk.moves[below(desk.luck, desk.count)]
    return decide(state, view, raw, desk)


@rule
def learn(tree, value):
    """Add what came out to every decision on the way."""
    tree.low, tree.high = min(tree.low, value), max(tree.high, value)
    for step in range(tree.depth):
        tree.visits[tree.path[step, 0]] += 1
        tree.tries[tree.path[step, 1]] += 1
        tree.gains[tree.path[step, 1]] += value
    tree.squares[tree.next] += value * value


# ---------------------------------------------------------------- belief


@woven
def recall(state, view, raw, desk, mind, seat):
    """Relive the last moves in many worlds; keep those in which the seat sees what it saw.

    The others choose as the bots would that they are like, so a world in which they would have done
    otherwise is kept less often.
    """
    for attempt in range(mind.attempts):
        is_hopeless = attempt > (mind.believed + 1) * HOPELESS
        if mind.believed == WORLDS or mind.moved >= mind.reading or is_hopeless:
            return
        copy_cards(raw.state, mind.past[0])
        imagine(state, seat, desk)
        cast(desk, mind, seat)
        state.luck[0] = next_luck(desk.luck)
        if relives(state, view, raw, desk, mind, seat):
            copy_cards(mind.worlds[mind.believed], raw.state)
            copy_cards(mind.casts[mind.believed], desk.bots)
            mind.believed += 1


@woven
def relives(state, view, raw, desk, mind, seat):
    """Whether the seat sees the same again, move by move."""
    for ply in range(mind.plies):
        mind.moved += 1
        if state.turn == TABLE:
            legal_moves(state, desk)
            number = desk.moves[0]
        elif state.turn == seat:
            number = mind.moves[ply]
        else:
            number = likely(state, view, raw, desk, seat)
            if number != mind.moves[ply] and is_legal(state, desk, mind.moves[ply]):
                return False  # it would have seen another move
        play(state, number)
        if not sees(raw, seat, mind.past[ply + 1]):
            return False
    return True


@rule
def is_legal(state, desk, number):
    """Whether a move can be made; what is shown of one that is made face down cannot."""
    legal_moves(state, desk)
    place = 0
    while place < desk.count and desk.moves[place] != number:
        place += 1
    return place < desk.count


@rule
def weigh(state, raw, desk, mind, seat):
    """Imagine worlds, and say of each how well it explains what the others did."""
    while mind.believed < WORLDS and mind.moved < mind.reading:
        copy_cards(raw.state, raw.blank)
        imagine(state, seat, desk)
        copy_cards(mind.worlds[mind.believed], raw.state)
        credence(state, seat, desk)
        mind.credence[mind.believed] = 0.0
        for other in range(MOST_SEATS):
            if other != seat:
                mind.credence[mind.believed] += recognise(desk, mind, other)
        copy_cards(mind.casts[mind.believed], desk.bots)
        mind.believed += 1
        mind.moved += mind.toll


@rule
def recognise(desk, mind, seat):
    """Draw which bot a seat is like that did what it did; return how likely it was, logarithmic.

    It is like the bot by which worlds are weighed, or unlike it: then as good as random.
    """
    odds = mind.odds[seat, mind.model]
    like = odds * math.exp(min(desk.values[seat], SURE))
    desk.bots[seat] = mind.model
    if chance(desk.luck) * (like + 1 - odds) >= like:
        while desk.bots[seat] == mind.model:
            desk.bots[seat] = draw_bot(desk, mind, seat)
    return math.log(like + 1 - odds)
