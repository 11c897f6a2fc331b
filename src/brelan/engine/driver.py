"""The driver: whole matches between bots, in machine code, for every game."""

from __future__ import annotations

from brelan.rules import TABLE, clear, copy_cards, random_below, rule, woven
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
    """Whether this is just what a seat sees of the state."""
    word = 0
    while word < len(seen) and raw.state[word] & raw.masks[seat, word] == seen[word]:
        word += 1
    return word == len(seen)


@rule
def public_equals(raw, seen):
    """Whether everybody sees the same of the state and of what was seen."""
    everyone, word = len(raw.masks) - 1, 0
    while word < len(seen) and (raw.state[word] ^ seen[word]) & raw.masks[everyone, word] == 0:
        word += 1
    return word == len(seen)


@rule
def decide(state, view, raw, scratch):
    """Return the move of the seat in turn, as its bot chooses it from that seat's view."""
    bot = scratch.bots[state.turn]
    if bot == RANDOM:
        legal_moves(state, scratch)
        return scratch.moves[random_below(scratch.luck, scratch.count)]
    write_view(raw, state.turn)
    legal_moves(view, scratch)
    return choose(bot - 1, view, scratch) if scratch.count > 1 else scratch.moves[0]


@woven
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
def play_matches(
    state, view, raw, scratch, seeds, seatings, cards, scores, winners, metrics, decisions
):
    """Play one match for each seed, with its own seating of bots; record how each went."""
    for match in range(len(seeds)):
        copy_cards(raw.state, raw.blank)
        copy_cards(scratch.bots, seatings[match])
        clear(scratch.metrics)
        state.luck[0] = seeds[match]
        scratch.luck[0] = ~seeds[match]
        start(state, cards, False)
        decisions[match] = play_match(state, view, raw, scratch)
        score(state, scores[match], winners[match])
        for metric in range(metrics.shape[1]):
            metrics[match, metric] = scratch.metrics[metric]


@rule
def imagine_often(view, raw, seat, count, scratch):
    """Complete the blank record, taken as a seat's view, into many worlds, one after another."""
    for _ in range(count):
        copy_cards(raw.seen, raw.blank)
        imagine(view, seat, scratch)
