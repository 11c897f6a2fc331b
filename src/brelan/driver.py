"""The driver: whole matches between bots, in machine code, for every game."""

from __future__ import annotations

from brelan.verbs import choose, legal_moves, measure, play, score, start
from brelan.words import TABLE, below, clear, next_luck, rule

RANDOM = 0  # the number of the random bot; the game's own bots follow


@rule
def look(words, masks, seat):  # type: ignore[no-untyped-def]
    """Write what a seat sees of the first record into the second."""
    for word in range(words.shape[1]):
        words[1, word] = words[0, word] & masks[seat, word]


@rule
def copy_record(words, target, source):  # type: ignore[no-untyped-def]
    """Copy one record over another."""
    for word in range(words.shape[1]):
        words[target, word] = words[source, word]


@rule
def decide(tables, words, masks, bot, moves, luck):  # type: ignore[no-untyped-def]
    """Return the move of the seat in turn, as its bot chooses it from that seat's view."""
    state, view = tables[0], tables[1]
    if bot == RANDOM:
        return moves[below(luck, legal_moves(state, moves))]
    look(words, masks, state.turn)
    count = legal_moves(view, moves)
    return choose(bot - 1, view, moves, count, luck) if count > 1 else moves[0]


@rule
def play_match(tables, words, masks, bots, moves, luck, metrics):  # type: ignore[no-untyped-def]
    """Play the match in the first record to its end; return how many decisions it took."""
    state = tables[0]
    decisions = 0
    while True:
        if state.turn == TABLE:
            if legal_moves(state, moves) == 0:
                return decisions
            number = moves[0]
        else:
            number = decide(tables, words, masks, bots[state.turn], moves, luck)
            decisions += 1
        play(state, number)
        measure(state, number, metrics)


@rule
def play_matches(  # type: ignore[no-untyped-def]
    tables, words, masks, seatings, seeds, moves, cards, scores, winners, metrics, decisions
):
    """Play one match for each seed, with its own seating of bots; record how each went.

    The first record plays, the second is looked at, the third is a match not yet started.
    """
    luck = seeds[:1].copy()
    for match in range(len(seeds)):
        copy_record(words, 0, 2)
        state = tables[0]
        state.luck[0] = seeds[match]
        luck[0] = ~seeds[match]
        start(state, cards)
        clear(metrics[match])
        decisions[match] = play_match(
            tables, words, masks, seatings[match], moves, luck, metrics[match]
        )
        score(state, scores[match], winners[match])
