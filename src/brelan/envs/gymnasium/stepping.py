"""Steps of many matches, as rules: in machine code, each thread on matches of its own."""

from __future__ import annotations

import numpy as np

from brelan.encoding.writing import write_tensor
from brelan.engine.driver import MAX_DECISIONS, decide, luck_of_bots, luck_of_deal
from brelan.rules import (
    MAX_SEATS,
    TABLE,
    clear,
    copy_cards,
    payoff,
    random_below,
    record_type,
    rule,
)
from brelan.rules.hooks import legal_moves, play, score, start

EVERY_SEAT = -1  # the learner plays all seats
DRAWN_SEAT = -2  # another seat in each match

# What is kept of a match beside the words of its state.
MATCH = record_type(
    [
        ("luck", np.uint64, (1,)),  # of the bots
        ("deal", np.int64),  # the number of the match
        ("seat", np.int64),  # who is asked now, or was last
        ("plays", np.int64),  # the learner's seat, or EVERY_SEAT
        ("steps", np.int64),
        ("over", np.int64),
        ("late", np.int64),  # 1 if it was given up
        ("illegal", np.int64),  # 1 if the last action was
        ("choices", np.int64),  # legal moves
    ]
)

# What is the same for all matches.
SETTINGS = record_type(
    [
        ("seed", np.uint64, (1,)),
        ("bots", np.int64, (MAX_SEATS,)),  # at each seat that the learner does not play
        ("seat", np.int64),  # the learner's, EVERY_SEAT or DRAWN_SEAT
        ("apart", np.int64),  # from the number of a match to that of the next in its place
        ("most_steps", np.int64),  # 0: no limit
    ]
)


@rule
def step_matches(
    matches, states, actions, rewards, settings, state, view, raw, scratch, cards, masks
):
    """Make one move in each match that goes on, deal those that are over anew.

    Each match is then where the learner has to decide, or over. `masks` gets the legal moves.
    """
    for number in range(len(matches)):
        match = matches[number]
        clear(rewards[number])
        match.illegal = 0
        for seat in range(state.players):
            scratch.bots[seat] = settings.bots[seat]
        if match.over == 1:
            deal(match, settings, state, raw, scratch, cards)
            advance(match, rewards[number], settings, state, view, raw, scratch)
        else:
            copy_cards(raw.state, states[number])
            scratch.luck[0] = match.luck[0]
            act(match, actions[number], rewards[number], settings, state, view, raw, scratch)
        match.luck[0] = scratch.luck[0]
        copy_cards(states[number], raw.state)
        write_mask(match, scratch, masks[number])


@rule
def deal(match, settings, state, raw, scratch, cards):
    """Deal the next match: it follows from the seed and its number alone."""
    match.deal += settings.apart
    copy_cards(raw.state, raw.blank)
    state.luck[0] = luck_of_deal(settings.seed[0], match.deal)
    scratch.luck[0] = luck_of_bots(state.luck[0], 0)
    match.plays = settings.seat
    if settings.seat == DRAWN_SEAT:
        match.plays = match.deal % state.players
    match.steps, match.over, match.late = 0, 0, 0
    start(state, cards, False)


@rule
def act(match, action, rewards, settings, state, view, raw, scratch):
    """Make the learner's move; a move that is not legal loses the match."""
    me = state.turn
    match.seat = me
    match.steps += 1
    legal_moves(state, scratch)
    place = 0
    while place < scratch.count and scratch.moves[place] != action:
        place += 1
    if place == scratch.count:
        match.illegal, match.over = 1, 1
        rewards[me] = -1.0
        return
    play(state, action)
    advance(match, rewards, settings, state, view, raw, scratch)


@rule
def advance(match, rewards, settings, state, view, raw, scratch):
    """Let the table and the bots move until the learner has to decide, or the match is over."""
    decisions = 0
    while decisions < MAX_DECISIONS:
        if state.turn == TABLE:
            legal_moves(state, scratch)
            if scratch.count == 0:
                finish(match, rewards, state, scratch)
                return
            play(state, scratch.moves[0])
        elif match.plays == EVERY_SEAT or state.turn == match.plays:
            match.seat = state.turn
            legal_moves(state, scratch)
            if settings.most_steps > 0 and match.steps >= settings.most_steps:
                match.over, match.late = 1, 1
            return
        else:
            play(state, decide(state, view, raw, scratch))
            decisions += 1
    match.over, match.late = 1, 1


@rule
def finish(match, rewards, state, scratch):
    """Write what a match that is over is worth to each seat: 0 in all."""
    match.over = 1
    if match.plays != EVERY_SEAT:
        match.seat = match.plays
    score(state, scratch.scores, scratch.winners)
    for seat in range(state.players):
        share = payoff(scratch.winners, seat, state.players)
        rewards[seat] = (share * state.players - 1.0) / (state.players - 1.0)


@rule
def write_mask(match, scratch, mask):
    """Write 1 for each legal move, 0 for all others; nothing is legal when a match is over."""
    clear(mask)
    match.choices = 0
    if match.over == 0:
        match.choices = scratch.count
        for place in range(scratch.count):
            mask[scratch.moves[place]] = 1


@rule
def observe_matches(matches, cells, masks, spans, scales, players, out):
    """Write what the seat of each match sees of it."""
    for number in range(len(matches)):
        seat = matches[number].seat
        write_tensor(cells[number], masks[seat], spans, scales, seat, players, out[number])


@rule
def random_moves(matches, masks, luck, actions):
    """Draw one of the legal moves of each match; 0 where a match is over."""
    for number in range(len(matches)):
        actions[number] = 0
        if matches[number].choices > 0:
            left, mask = random_below(luck, matches[number].choices), masks[number]
            move = 0
            while mask[move] == 0 or left > 0:
                left -= mask[move]
                move += 1
            actions[number] = move
