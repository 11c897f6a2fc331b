"""The driver: whole matches between bots, in machine code, for every game."""

from __future__ import annotations

import numpy as np

from brelan.rules import (
    GOLDEN_GAMMA,
    TABLE,
    clear,
    copy_cards,
    payoff,
    random_below,
    rule,
    splitmix64,
    wrapping_rule,
)
from brelan.rules.hooks import choose, imagine, legal_moves, measure, play, score, start

MAX_DECISIONS = 100_000  # after which a match is given up
RANDOM = 0  # the number of the random bot; the game's own bots follow


@rule
def write_view(raw, seat):
    """Write what a seat sees of the state into the view."""
    for word in range(len(raw.state)):
        raw.seen[word] = raw.state[word] & raw.masks[seat, word]


@rule
def view_equals(raw, seat, seen):
    """Whether the record `seen` is the seat's view of the state."""
    word = 0
    while word < len(seen) and raw.state[word] & raw.masks[seat, word] == seen[word]:
        word += 1
    return word == len(seen)


@rule
def public_equals(raw, seen):
    """Whether the state and an earlier view show the same to a spectator."""
    everyone, word = len(raw.masks) - 1, 0
    while word < len(seen) and (raw.state[word] ^ seen[word]) & raw.masks[everyone, word] == 0:
        word += 1
    return word == len(seen)


@rule
def decide(state, view, raw, scratch):
    """Return the move of the seat in turn, as its bot chooses it from that seat's view."""
    bot = scratch.bots[state.turn]
    if bot == RANDOM:
        return decide_at_random(state, view, raw, scratch)
    write_view(raw, state.turn)
    legal_moves(view, scratch)
    return choose(bot - 1, view, scratch) if scratch.count > 1 else scratch.moves[0]


@rule
def decide_at_random(state, view, raw, scratch):
    """Return a random legal move; it stands for `decide` where all bots are random."""
    legal_moves(state, scratch)
    return scratch.moves[random_below(scratch.luck, scratch.count)]


@rule
def play_match(state, view, raw, scratch):
    """Play the match on the table to its end; return how many decisions it took."""
    decisions = 0
    while decisions < MAX_DECISIONS:
        if state.turn == TABLE:
            legal_moves(state, scratch)
            if scratch.count == 0:
                return decisions
            number = scratch.moves[0]
        else:
            number = decide(state, view, raw, scratch)
            decisions += 1
        play(state, number)
        measure(state, number, scratch)
    return decisions


@rule
def play_matches(state, view, raw, scratch, cards, bots, results):
    """Play the match of each row of results: with its luck and seating; record how it went."""
    for match in range(len(results)):
        row = results[match]
        copy_cards(raw.state, raw.blank)
        for seat in range(len(row.seating)):
            scratch.bots[seat] = bots[row.seating[seat]]
        clear(scratch.metrics)
        state.luck[0] = row.luck
        scratch.luck[0] = luck_of_bots(row.luck, row.rotation)
        start(state, cards, False)
        row.decisions = play_match(state, view, raw, scratch)
        score(state, row.scores, row.winners)
        for seat in range(len(row.won)):
            row.won[seat] = payoff(row.winners, seat, len(row.won))
        for metric in range(len(row.metrics)):
            row.metrics[metric] = scratch.metrics[metric]


@rule
def set_up_deals(results, first, seed):
    """Give rows of results their deals, each played once with every rotation of the seats."""
    for match in range(len(results)):
        row = results[match]
        players = len(row.seating)
        row.deal, row.rotation = divmod(first + match, players)
        row.luck = luck_of_deal(seed, row.deal)
        for seat in range(players):
            row.seating[seat] = (seat + row.rotation) % players


@wrapping_rule
def luck_of_deal(seed, deal):
    """Return the luck of a deal; its matches depend on nothing else but the luck of the bots."""
    return splitmix64(seed + GOLDEN_GAMMA * np.uint64(deal + 1))


@wrapping_rule
def luck_of_bots(luck, rotation):
    """Return the luck of the bots in a match of a deal: another one in each rotation."""
    return splitmix64(~luck + GOLDEN_GAMMA * np.uint64(rotation))


@rule
def imagine_often(view, raw, seat, count, scratch):
    """Call `imagine` on a blank view `count` times, for `brelan bench`."""
    for _ in range(count):
        copy_cards(raw.seen, raw.blank)
        imagine(view, seat, scratch)
