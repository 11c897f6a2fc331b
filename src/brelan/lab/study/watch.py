"""Matches in machine code, watched: what each seat does, and what becomes of its cards.

The same rules watch bots that play here and matches that were played elsewhere, whose decisions
are given as a script.
"""

from __future__ import annotations

import math

import numpy as np

from brelan.engine.driver import MAX_DECISIONS, decide, luck_of_bots, write_view
from brelan.rules import TABLE, clear, copy_cards, next_luck, payoff, rule, splitmix64
from brelan.rules.hooks import imagine, legal_moves, measure, play, score, start

DEALT, HELD, PLAYED, TARGETED = 0, 1, 2, 3  # what happens to a card: the columns of `events`
CELL, COUNTED, IS_HAND = 0, 1, 2  # the columns of a row of `cells.cards`
NOBODY_YET = -1


@rule
def cell(raw, number):
    """Return what a cell of 16 bits of the state holds; it is never negative here."""
    word = raw.state[number // 4] >> np.uint64(16 * (number % 4))
    return np.int64(word & np.uint64(65535))


# ---------------------------------------------------------------- cards


@rule
def count_cards(raw, cells, counts):
    """Count the cards that only their seat sees: of all, and of those in hand."""
    for seat in range(len(cells)):
        for kind in range(len(counts[seat, 0])):
            counts[seat, 0, kind] = 0
            counts[seat, 1, kind] = 0
        for place in range(len(cells[seat])):
            card, copies = cells[seat, place, COUNTED], 1
            held = cell(raw, cells[seat, place, CELL])
            if card == 0:
                card = held
            else:
                copies = held
            counts[seat, 0, card] += copies
            if cells[seat, place, IS_HAND] == 1:
                counts[seat, 1, card] += copies


@rule
def note_cards(events, before, after, mover):
    """Note what a move has done to the cards of each seat.

    A seat has played a card that has left its hand, or all its own places, by its own move. It
    was targeted if the card left these by another move; but if the table takes cards from every
    seat that has some, that is a new deal or a showdown.
    """
    is_common = mover == TABLE and is_common_loss(before, after)
    for seat in range(len(events)):
        for card in range(1, len(before[seat, 0])):
            change = after[seat, 0, card] - before[seat, 0, card]
            if change > 0:
                events[seat, card, HELD] += change
            if seat == mover:
                from_hand = before[seat, 1, card] - after[seat, 1, card]
                events[seat, card, PLAYED] += max(-change, from_hand, 0)
            elif change < 0 and not is_common:
                events[seat, card, TARGETED] -= change


@rule
def is_common_loss(before, after):
    """Whether every seat that has cards of its own has lost some."""
    for seat in range(len(before)):
        had = lost = 0
        for card in range(1, len(before[seat, 0])):
            had += before[seat, 0, card]
            lost += max(0, before[seat, 0, card] - after[seat, 0, card])
        if had > 0 and lost == 0:
            return False
    return True


# ---------------------------------------------------------------- a match


@rule
def watch_match(state, view, raw, scratch, row, script, cells, counts, events, stop):
    """Play the match on the table to its end, or to its first decision, and note what happens.

    Bots decide, and their moves are written to `script`, as far as there is room; if the row is
    scripted, its moves are made instead.
    """
    last, is_begun = NOBODY_YET, False
    count_cards(raw, cells, counts[0])
    while row.decisions < MAX_DECISIONS:
        legal_moves(state, scratch)
        mover, number, legal = state.turn, scratch.moves[0], scratch.count
        if legal == 0:
            return
        if mover != TABLE:
            if not is_begun:
                begin(state, raw, row, counts[0], events)
                is_begun = True
                if stop:
                    return
            if row.scripted:
                number = script[row.decisions]
            else:
                number = decide(state, view, raw, scratch)
                if row.decisions < len(script):
                    script[row.decisions] = number
            row.decisions += 1
            row.turns += mover != last
            row.legal += legal
            row.forced += legal == 1
            row.bits += math.log(1.0 * legal) / math.log(2.0)
            last = mover
        play(state, number)
        measure(state, number, scratch)
        count_cards(raw, cells, counts[1])
        note_cards(events, counts[0], counts[1], mover)
        take_over(counts)
        note_progress(raw, row)


@rule
def begin(state, raw, row, counts, events):
    """Note, when the first decision is to be made, who makes it and which cards the seats have."""
    for seat in range(len(events)):
        for card in range(1, len(counts[seat, 0])):
            events[seat, card, DEALT] = counts[seat, 0, card]
    if row.starter_cell < 0:
        row.starter = state.turn
    elif row.starter_base == 0:
        row.starter = cell(raw, row.starter_cell)
    note_progress(raw, row)


@rule
def note_progress(raw, row):
    """Note who starts, once a seat is named, and the number of the round."""
    if row.starter < 0 and row.starter_base == 1:
        row.starter = cell(raw, row.starter_cell) - 1
    if row.round_cell >= 0:
        row.rounds = max(row.rounds, cell(raw, row.round_cell))


@rule
def take_over(counts):
    """What was counted last is what lay there before the next move."""
    for seat in range(len(counts[0])):
        for place in range(len(counts[0, seat])):
            for card in range(len(counts[0, seat, place])):
                counts[0, seat, place, card] = counts[1, seat, place, card]


@rule
def watch_matches(
    state, view, raw, scratch, packs, bots, rows, scripts, cells, counts, events, stop
):
    """Play the match of each row, and watch it.

    `packs` has one row of cards for all matches, or one for each, which are then stacked.
    """
    is_stacked = len(packs) > 1
    for match in range(len(rows)):
        row = rows[match]
        copy_cards(raw.state, raw.blank)
        for seat in range(len(row.seating)):
            scratch.bots[seat] = bots[row.seating[seat]]
        clear(scratch.metrics)
        state.luck[0] = row.luck
        scratch.luck[0] = luck_of_bots(row.luck, row.rotation)
        start(state, packs[match if is_stacked else 0], is_stacked)
        watch_match(
            state, view, raw, scratch, row, scripts[match], cells, counts, events[match], stop
        )
        score(state, row.scores, row.winners)
        for seat in range(len(row.won)):
            row.won[seat] = payoff(row.winners, seat, len(row.won))
        for metric in range(len(row.metrics)):
            row.metrics[metric] = scratch.metrics[metric]


# ---------------------------------------------------------------- positions


@rule
def roll_out(state, view, raw, scratch, seen, seat, bots, luck, count, chances):
    """Play worlds that a seat can imagine to the end; add up what each seat wins.

    `seen` are the words of the seat's view. The bots decide for all seats.
    """
    for world in range(count):
        scratch.luck[0] = splitmix64(luck + np.uint64(world))
        imagine_world(state, raw, scratch, seen, seat)
        copy_cards(scratch.bots, bots)
        decisions = 0
        while decisions < MAX_DECISIONS:
            if state.turn == TABLE:
                legal_moves(state, scratch)
                if scratch.count == 0:
                    break
                play(state, scratch.moves[0])
            else:
                play(state, decide(state, view, raw, scratch))
                decisions += 1
        score(state, scratch.scores, scratch.winners)
        for other in range(len(chances)):
            chances[other] += payoff(scratch.winners, other, len(chances))


@rule
def imagine_world(state, raw, scratch, seen, seat):
    """Put a world on the table that fits what a seat sees."""
    copy_cards(raw.state, seen)
    imagine(state, seat, scratch)
    state.luck[0] = next_luck(scratch.luck)


@rule
def choose_with_luck(state, view, raw, scratch, luck):
    """Return what the bot of the seat in turn decides with some luck."""
    scratch.luck[0] = luck
    return decide(state, view, raw, scratch)


@rule
def count_agreeing(state, view, raw, scratch, seen, seat, bots, number, luck, count):
    """Return in how many worlds that a seat can imagine the seat in turn makes the same move.

    Its bot has the same luck in each world, so that only what it sees can make a difference.
    """
    agreeing = 0
    for world in range(count):
        scratch.luck[0] = splitmix64(luck + np.uint64(world))
        imagine_world(state, raw, scratch, seen, seat)
        copy_cards(scratch.bots, bots)
        agreeing += choose_with_luck(state, view, raw, scratch, luck) == number
    return agreeing


__all__ = ["count_agreeing", "roll_out", "watch_matches", "write_view"]
