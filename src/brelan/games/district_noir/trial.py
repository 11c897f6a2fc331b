# mypy: allow-untyped-defs, allow-untyped-calls
"""Trying a move on a table of District Noir and taking it back, for bots that look ahead."""

from __future__ import annotations

from brelan.rules import rule

from .cards import NO_CARD
from .rules import can_take, cards_to_take, has_all_cities, place_in_hand
from .state import State


@rule
def try_take(table, seat):
    """Take; return how many cards, for `undo_take`. They stay in the row, past its end."""
    count = cards_to_take(table, seat)
    for _ in range(count):
        table.row_size -= 1
        table.collection[seat, table.row[table.row_size]] += 1
    table.has_taken[seat] = True
    return count


@rule
def undo_take(table, seat, count):
    """Put the cards back where they lay."""
    table.has_taken[seat] = False
    for _ in range(count):
        table.collection[seat, table.row[table.row_size]] -= 1
        table.row_size += 1


@rule
def try_play(table, seat, place):
    """Play the card at a place of the hand; return what lay past the row, for `undo_play`."""
    table.held[seat] -= 1
    last = table.held[seat]
    card, under = table.hand[seat, place], table.row[table.row_size]
    table.hand[seat, place], table.hand[seat, last] = table.hand[seat, last], card
    table.row[table.row_size] = card
    table.row_size += 1
    return under


@rule
def undo_play(table, seat, place, under):
    """Take the card back to its place in the hand."""
    last = table.held[seat]
    card = table.hand[seat, last]
    table.row_size -= 1
    table.row[table.row_size] = under
    table.hand[seat, last], table.hand[seat, place] = table.hand[seat, place], card
    table.held[seat] += 1


@rule
def try_move(table, seat, card):
    """Play a card, or take, if it is none; return what is needed to undo it."""
    if card == NO_CARD:
        return try_take(table, seat), NO_CARD
    place = place_in_hand(table, seat, card)
    return place, try_play(table, seat, place)


@rule
def undo_move(table, seat, card, place, under):
    """Take a move back; a take gave the number of its cards as the place."""
    if card == NO_CARD:
        undo_take(table, seat, place)
    else:
        undo_play(table, seat, place, under)


@rule
def would_win(view: State, seat):
    """Whether a take now would win by cities, as far as can be seen."""
    if not can_take(view, seat):
        return False
    count = try_take(view, seat)
    wins = has_all_cities(view, seat)
    undo_take(view, seat, count)
    return wins
