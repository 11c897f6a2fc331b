# mypy: allow-untyped-defs, allow-untyped-calls
"""Sharing out cards that lie in heaps, every way that fits the facts being equally likely.

A *heap* is a number of cards and as many spots: I know that these cards lie there, not which lies
where. Each spot belongs to a seat, or to none (OUT). A card may begin with a seat if a path leads
from there to where it was seen (`find_paths`); the path says which roles it plays in exchanges of
others. Each role must be played by exactly one card, of any heap.

Cards with a single option are *settled*; they come first in their heap. If the others may be
anywhere and play no roles, the heap is *loose*: they lie on the spots that are left, in any order.
In other heaps the ways are counted card by card. After some cards of a heap it matters only how
many spots of each seat are taken, and which roles have been played: a *filling* and a *cast*.
`ways[layer + filling * casts + cast]` is the number of ways that lead there, over all heaps so
far. Then a way is drawn from the last card back to the first.
"""

from __future__ import annotations

import numpy as np

from brelan.words import below, next_luck, rule

from .draft import OUT
from .retrace import CARD, ROLES, SEAT, SPOT, SPOTS, all_roles, find_paths

START, PLAYED = 0, 1  # the columns of options: with whom a card began, the roles it played
BEGIN, END = 0, 1  # the columns of notes.options: which options the card of a row has
MOST_OPTIONS = 50 * SPOTS
UNIT = 2.0**-53


# ---------------------------------------------------------------- heaps


@rule
def begin_heap(notes):
    """A new heap, empty so far."""
    heap = notes.heap_count
    notes.heap_end[heap] = first_row(notes, heap)
    notes.heap_count += 1


@rule
def first_row(notes, heap):
    """The first row of a heap."""
    return notes.heap_end[heap - 1] if heap > 0 else 0


@rule
def add_spot(notes, spot, seat):
    """The last heap has one more spot; it belongs to a seat, or to none."""
    row = notes.heap_end[notes.heap_count - 1]
    notes.heaps[row, SPOT], notes.heaps[row, SEAT] = spot, seat
    notes.heap_end[notes.heap_count - 1] += 1


@rule
def add_pair(notes, card, spot, seat):
    """The last heap has one more card and one more spot."""
    notes.heaps[notes.heap_end[notes.heap_count - 1], CARD] = card
    add_spot(notes, spot, seat)


@rule
def swap_cells(notes, row, other, column):
    """Two rows trade what they have in a column."""
    kept = notes.heaps[row, column]
    notes.heaps[row, column] = notes.heaps[other, column]
    notes.heaps[other, column] = kept


@rule
def shuffle_spots(notes, luck, begin, end):
    """Deal the spots of some rows to their cards, at random."""
    for row in range(end - 1, begin, -1):
        other = begin + below(luck, row - begin + 1)
        swap_cells(notes, row, other, SPOT)
        swap_cells(notes, row, other, SEAT)


@rule
def take_spot(notes, row, seat):
    """Lay the card of a row on a spot of a seat; rows before it have taken theirs."""
    other = row
    while notes.heaps[other, SEAT] != seat:
        other += 1
    if other != row:
        swap_cells(notes, row, other, SPOT)
        swap_cells(notes, row, other, SEAT)


# ---------------------------------------------------------------- options


@rule
def list_options(view, notes, options):
    """Write down with whom each card may have begun, and which roles it may have played.

    As long as no card was laid there are no facts, and all heaps are loose.
    """
    count = 0
    for heap in range(notes.heap_count):
        begin, end = first_row(notes, heap), notes.heap_end[heap]
        seats = seats_of(notes, begin, end)
        notes.settled[heap], notes.is_loose[heap] = begin, True
        for row in range(begin, end if view.log_size > 0 else begin):
            notes.options[row, BEGIN] = count
            count, is_free = add_options(view, notes, notes.heaps[row, CARD], seats, options, count)
            notes.options[row, END] = count
            if notes.options[row, BEGIN] + 1 == count and options[count - 1, PLAYED] == 0:
                settle(notes, heap, row)
            elif not is_free:
                notes.is_loose[heap] = False


@rule
def seats_of(notes, begin, end):
    """The seats that have spots in a heap, as a set."""
    seats = 0
    for row in range(begin, end):
        seats |= 1 << notes.heaps[row, SEAT]
    return seats


@rule
def add_options(view, notes, card, seats, options, count):
    """Add the options of a card; return how many there are now, and if it may be anywhere."""
    is_free = True
    for seat in range(OUT + 1):
        if (seats >> seat) & 1:
            paths = find_paths(view, notes, card, seat)
            for path in range(paths):
                options[count, START], options[count, PLAYED] = seat, notes.paths[path, ROLES]
                count += 1
            if paths != 1 or options[count - 1, PLAYED] != 0:
                is_free = False
    return count, is_free


@rule
def settle(notes, heap, row):
    """A card that has a single option goes to the settled ones."""
    other = notes.settled[heap]
    swap_cells(notes, row, other, CARD)
    for column in range(2):
        kept = notes.options[row, column]
        notes.options[row, column] = notes.options[other, column]
        notes.options[other, column] = kept
    notes.settled[heap] += 1


# ---------------------------------------------------------------- counting


@rule
def count_ways(view, notes, options):
    """Return a table of the number of ways, card by card, for all heaps that are not loose."""
    casts = all_roles(view, notes) + 1
    ways = np.zeros(lay_out(notes, options, casts))
    ways[0] = 1.0
    end = 0  # where the ways counted so far stand, cast by cast
    for heap in range(notes.heap_count):
        if notes.is_loose[heap]:
            continue
        fillings = measure_heap(notes, heap, options)
        layer = notes.layer[heap]
        for cast in range(casts):
            ways[layer + cast] = ways[end + cast]
        for row in range(notes.settled[heap], notes.heap_end[heap]):
            add_ways(notes, ways, layer, options, row, casts, fillings)
            layer += fillings * casts
        end = layer + full(notes) * casts
    if ways[end + casts - 1] == 0.0:
        raise ValueError("this view cannot come from a match")
    return ways


@rule
def lay_out(notes, options, casts):
    """Find room for each heap in the table of ways; return how large the table must be."""
    size = casts
    for heap in range(notes.heap_count):
        if not notes.is_loose[heap]:
            notes.layer[heap] = size
            cards = notes.heap_end[heap] - notes.settled[heap]
            size += (cards + 1) * measure_heap(notes, heap, options) * casts
    return size


@rule
def measure_heap(notes, heap, options):
    """Count the spots that settled cards leave to each seat; return the number of fillings.

    The seat with the most spots is not looked at: it takes what the others leave.
    """
    for seat in range(OUT + 1):
        notes.spots_of[seat] = notes.stride[seat] = 0
    begin = first_row(notes, heap)
    for row in range(begin, notes.heap_end[heap]):
        notes.spots_of[notes.heaps[row, SEAT]] += 1
    for row in range(begin, notes.settled[heap]):
        notes.spots_of[options[notes.options[row, BEGIN], START]] -= 1
    most, fillings = 0, 1
    for seat in range(OUT + 1):
        if notes.spots_of[seat] > notes.spots_of[most]:
            most = seat
    for seat in range(OUT + 1):
        if seat != most and notes.spots_of[seat] > 0:
            notes.stride[seat] = fillings
            fillings *= notes.spots_of[seat] + 1
    notes.most = most
    return fillings


@rule
def full(notes):
    """The filling in which every spot of the heap just measured is taken."""
    filling = 0
    for seat in range(OUT + 1):
        filling += notes.spots_of[seat] * notes.stride[seat]
    return filling


@rule
def seats_with(notes, filling, least_taken, least_left):
    """The seats that have so many spots taken, and so many left, as a set."""
    seats = 1 << notes.most
    for seat in range(OUT + 1):
        if notes.stride[seat] > 0:
            taken = (filling // notes.stride[seat]) % (notes.spots_of[seat] + 1)
            if taken >= least_taken and notes.spots_of[seat] - taken >= least_left:
                seats |= 1 << seat
    return seats


@rule
def add_ways(notes, ways, layer, options, row, casts, fillings):
    """From all that can be reached, take one more card by each of its options."""
    after = layer + fillings * casts
    for filling in range(fillings):
        seats = seats_with(notes, filling, 0, 1)
        for cast in range(casts):
            more = ways[layer + filling * casts + cast]
            if more == 0.0:
                continue
            for option in range(notes.options[row, BEGIN], notes.options[row, END]):
                seat, roles = options[option, START], options[option, PLAYED]
                if (seats >> seat) & 1 and cast & roles == 0:
                    target = (filling + notes.stride[seat]) * casts + cast + roles
                    ways[after + target] += more


# ---------------------------------------------------------------- drawing


@rule
def draw_way(view, notes, luck, ways, options):
    """Draw one of the ways, and lay each card on one of the spots of the seat it began with."""
    casts = all_roles(view, notes) + 1
    cast = casts - 1
    for heap in range(notes.heap_count - 1, -1, -1):
        begin, settled, end = first_row(notes, heap), notes.settled[heap], notes.heap_end[heap]
        for row in range(begin, settled):
            notes.begun[row] = options[notes.options[row, BEGIN], START]
        if not notes.is_loose[heap]:
            cast = draw_heap(notes, luck, ways, options, heap, casts, cast)
            settled = end
        if settled > begin:
            shuffle_spots(notes, luck, begin, end)
        for row in range(begin, settled):
            take_spot(notes, row, notes.begun[row])
        shuffle_spots(notes, luck, settled, end)


@rule
def draw_heap(notes, luck, ways, options, heap, casts, cast):
    """Draw with whom each card of a heap began, from the last back; return the cast before it."""
    fillings = measure_heap(notes, heap, options)
    filling = full(notes)
    settled = notes.settled[heap]
    for row in range(notes.heap_end[heap] - 1, settled - 1, -1):
        layer = notes.layer[heap] + (row - settled) * fillings * casts
        option = draw_option(notes, luck, ways, options, layer, filling, cast, casts, row, fillings)
        seat, roles = options[option, START], options[option, PLAYED]
        filling -= notes.stride[seat]
        cast -= roles
        notes.begun[row] = seat
        play_roles(notes, notes.heaps[row, CARD], roles)
    return cast


@rule
def draw_option(notes, luck, ways, options, layer, filling, cast, casts, row, fillings):
    """Draw the option of a card that led here; each way by it is equally likely."""
    total = ways[layer + (fillings + filling) * casts + cast]
    left = total * (np.float64(next_luck(luck) >> np.uint64(11)) * UNIT)
    seats = seats_with(notes, filling, 1, 0)
    chosen = notes.options[row, BEGIN]
    for option in range(chosen, notes.options[row, END]):
        seat, roles = options[option, START], options[option, PLAYED]
        if (seats >> seat) & 1 and cast & roles == roles:
            more = ways[layer + (filling - notes.stride[seat]) * casts + cast - roles]
            if more > 0.0:
                chosen = option
                if left < more:
                    break
                left -= more
    return chosen


@rule
def play_roles(notes, card, roles):
    """Note which card plays a role."""
    for role in range(len(notes.actor)):
        if (roles >> role) & 1:
            notes.actor[role] = card
