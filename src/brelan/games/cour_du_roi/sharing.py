# mypy: allow-untyped-defs, allow-untyped-calls
"""Sharing out cards that lie in heaps, every way that fits the facts being equally likely.

A *heap* is a number of cards and as many spots: I know that these cards lie there, not which lies
where. Each spot belongs to a seat, or to none (OUT). A card may begin with a seat if a path leads
from there to where it was seen (`find_paths`); the path says which roles it plays in exchanges of
others. Each role must be played by exactly one card, of any heap. The cards of a heap are sorted:

    settled   it has a single option, and plays no role
    special   something is known of it that leaves several options
    common    nothing is known of it: any spot will do, and any path from there

Ways are counted special card by special card. After some of them it matters only how many spots
of each seat they have taken, and which roles have been played: a *filling* and a *cast*. The
common cards then lie on the spots that are left, in any order; so the spots, one by one, may be
given roles instead of the cards. `ways[layer + filling * casts + cast]` is the number of ways that
lead there, over all heaps so far. Then a way is drawn, from the end back to the beginning.
"""

from __future__ import annotations

import numpy as np

from brelan.words import below, next_luck, rule

from .cards import NO_CARD
from .draft import OUT
from .notes import (
    BEGIN,
    CARD,
    END,
    NUMBER,
    OPTION,
    PLAYED,
    ROLES,
    SEAT,
    SET,
    SPOT,
    SPOTS,
    START,
)
from .retrace import find_paths

BITS = np.array([count.bit_length() for count in range(SPOTS + 1)], np.int16)  # to count so far
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
def swap_cards(notes, row, other):
    """Two rows trade their cards, with their options."""
    for column in range(CARD, END + 1):
        swap_cells(notes, row, other, column)


@rule
def swap_spots(notes, row, other):
    """Two rows trade their spots."""
    for column in range(SPOT, SEAT + 1):
        swap_cells(notes, row, other, column)


# ---------------------------------------------------------------- options


@rule
def list_options(view, notes):
    """Sort the cards; write down with whom they may have begun, and the roles they may play."""
    list_common(view, notes)
    for heap in range(notes.heap_count):
        begin, end = first_row(notes, heap), notes.heap_end[heap]
        seats = seats_of(notes, begin, end)
        notes.settled[heap] = notes.special[heap] = begin
        for row in range(begin, end):
            if notes.touched & SET[notes.heaps[row, CARD]] != 0:
                notes.heaps[row, BEGIN] = notes.option_count
                add_options(view, notes, notes.heaps[row, CARD], seats)
                notes.heaps[row, END] = notes.option_count
                sort_card(notes, heap, row)


@rule
def list_common(view, notes):
    """The options of a card of which nothing is known, by seats; the first is to play no role."""
    for seat in range(OUT + 1):
        notes.common[seat] = notes.option_count
        add_options(view, notes, NO_CARD, 1 << seat)
    notes.common[OUT + 1] = notes.option_count


@rule
def seats_of(notes, begin, end):
    """The seats that have spots in a heap, as a set."""
    seats = 0
    for row in range(begin, end):
        seats |= 1 << notes.heaps[row, SEAT]
    return seats


@rule
def add_options(view, notes, card, seats):
    """Add the options of a card that began with one of these seats."""
    for seat in range(OUT + 1):
        if (seats >> seat) & 1:
            for path in range(find_paths(view, notes, card, seat)):
                option = notes.option_count
                notes.options[option, START] = seat
                notes.options[option, PLAYED] = notes.paths[path, ROLES]
                notes.option_count += 1


@rule
def sort_card(notes, heap, row):
    """Move a card that is not common up: to the special ones, or to the settled ones."""
    other, option = notes.special[heap], notes.heaps[row, BEGIN]
    is_settled = option + 1 == notes.heaps[row, END] and notes.options[option, PLAYED] == 0
    swap_cards(notes, row, other)
    notes.special[heap] += 1
    if is_settled:
        swap_cards(notes, other, notes.settled[heap])
        notes.settled[heap] += 1


# ---------------------------------------------------------------- measuring


@rule
def measure_heap(notes, heap):
    """Count the spots that settled cards leave to each seat, and the fillings of special cards.

    A filling has some bits for each seat: how many of its spots are taken. Only the seat with the
    most spots has none, for it takes the cards that the others do not.
    """
    for row in range(first_row(notes, heap), notes.heap_end[heap]):
        notes.spots_of[heap, notes.heaps[row, SEAT]] += 1
    for row in range(first_row(notes, heap), notes.settled[heap]):
        notes.spots_of[heap, notes.options[notes.heaps[row, BEGIN], START]] -= 1
    most, bits = 0, 0
    for seat in range(OUT + 1):
        if notes.spots_of[heap, seat] > notes.spots_of[heap, most]:
            most = seat
    for seat in range(OUT + 1):
        notes.shift[heap, seat] = bits
        if seat != most:
            bits += BITS[min(notes.spots_of[heap, seat], specials(notes, heap))]
    notes.shift[heap, OUT + 1] = bits
    notes.most[heap], notes.width[heap] = most, notes.casts << bits


@rule
def specials(notes, heap):
    """How many special cards a heap has."""
    return notes.special[heap] - notes.settled[heap]


@rule
def spots_to_cast(notes, heap, seat):
    """How many spots of a seat may play roles: none, if common cards never leave that seat."""
    commons = notes.heap_end[heap] - notes.special[heap]
    can_leave = notes.common[seat + 1] - notes.common[seat] > 1
    return min(notes.spots_of[heap, seat], commons) if can_leave else 0


@rule
def one_taken(notes, heap, seat):
    """What one more spot of a seat that is taken adds to a filling, as a step in a layer."""
    return 0 if seat == notes.most[heap] else notes.casts << notes.shift[heap, seat]


@rule
def find_vacant(notes, heap, filling, placed):
    """Find how many spots of each seat are left when so many special cards are placed."""
    most = notes.most[heap]
    left = notes.spots_of[heap, most] - placed
    for seat in range(OUT + 1):
        width = notes.shift[heap, seat + 1] - notes.shift[heap, seat]
        taken = (filling >> notes.shift[heap, seat]) & ((1 << width) - 1)
        notes.vacant[seat] = notes.spots_of[heap, seat] - taken
        left += taken
    notes.vacant[most] = left


# ---------------------------------------------------------------- counting


@rule
def count_ways(notes):
    """Return a table of the number of ways, special card by special card, spot by spot."""
    ways = np.zeros(lay_out(notes))
    ways[0] = 1.0
    end = 0  # where the ways of all heaps so far stand, cast by cast
    for heap in range(notes.heap_count):
        layer, size = notes.layer[heap], notes.width[heap]
        for cast in range(notes.casts):
            ways[layer + cast] = ways[end + cast]
        for row in range(notes.settled[heap], notes.special[heap]):
            add_card(notes, ways, layer, heap, row)
            layer += size
        for seat in range(OUT + 1):
            for spot in range(spots_to_cast(notes, heap, seat)):
                add_spot_roles(notes, ways, layer, heap, seat, spot)
                layer += size
        end = layer + size
        for place in range(size):
            ways[end + (place & (notes.casts - 1))] += ways[layer + place]
    if ways[end + notes.casts - 1] == 0.0:
        raise ValueError("this view cannot come from a match")
    return ways


@rule
def lay_out(notes):
    """Find room for each heap in the table of ways; return how large the table must be."""
    end = notes.casts
    for heap in range(notes.heap_count):
        measure_heap(notes, heap)
        notes.layer[heap] = end
        end = last_layer(notes, heap) + notes.width[heap] + notes.casts
    return end


@rule
def last_layer(notes, heap):
    """Where the ways stand that all special cards and spots of a heap lead to."""
    layers = specials(notes, heap)
    for seat in range(OUT + 1):
        layers += spots_to_cast(notes, heap, seat)
    return notes.layer[heap] + layers * notes.width[heap]


@rule
def add_card(notes, ways, layer, heap, row):
    """From all that can be reached, take one more special card, by each of its options."""
    after = layer + notes.width[heap]
    for begin in range(layer, after, notes.casts):
        if is_reached(notes, ways, begin):
            filling = (begin - layer) // notes.casts
            find_vacant(notes, heap, filling, row - notes.settled[heap])
            for option in range(notes.heaps[row, BEGIN], notes.heaps[row, END]):
                seat = notes.options[option, START]
                if notes.vacant[seat] > 0:
                    target = begin + notes.width[heap] + one_taken(notes, heap, seat)
                    add_ways(notes, ways, begin, target, option, notes.vacant[seat])


@rule
def add_spot_roles(notes, ways, layer, heap, seat, spot):
    """From all that can be reached, give roles to one more spot, if it is vacant."""
    for begin in range(layer, layer + notes.width[heap], notes.casts):
        if is_reached(notes, ways, begin):
            find_vacant(notes, heap, (begin - layer) // notes.casts, specials(notes, heap))
            first, last = notes.common[seat], notes.common[seat + 1]
            for option in range(first, last if spot < notes.vacant[seat] else first + 1):
                add_ways(notes, ways, begin, begin + notes.width[heap], option, 1)


@rule
def is_reached(notes, ways, begin):
    """Whether any way leads to a filling."""
    place, end = begin, begin + notes.casts
    while place < end and ways[place] == 0.0:
        place += 1
    return place < end


@rule
def add_ways(notes, ways, begin, target, option, times):
    """Add the ways that lead on from one filling to another by an option."""
    roles = notes.options[option, PLAYED]
    for cast in range(notes.casts):
        if cast & roles == 0:
            ways[target + cast + roles] += times * ways[begin + cast]


# ---------------------------------------------------------------- drawing


@rule
def draw_way(notes, luck, ways):
    """Draw one of the ways, and lay each card on one of the spots of the seat it began with."""
    notes.cast = notes.casts - 1
    for heap in range(notes.heap_count - 1, -1, -1):
        begin, special, end = first_row(notes, heap), notes.special[heap], notes.heap_end[heap]
        for row in range(begin, notes.settled[heap]):
            notes.begun[row] = notes.options[notes.heaps[row, BEGIN], START]
        if specials(notes, heap) > 0 or notes.cast > 0:
            draw_heap(notes, luck, ways, heap)
        if special > begin:
            shuffle_spots(notes, luck, begin, end)
        for row in range(begin, special):
            take_spot(notes, row, notes.begun[row])
        shuffle_spots(notes, luck, special, end)
        cast_common(notes, special)


@rule
def draw_heap(notes, luck, ways, heap):
    """Draw what the spots and the special cards of a heap do, from the last layer back."""
    layer = last_layer(notes, heap)
    draw_filling(notes, luck, ways, heap, layer)
    find_vacant(notes, heap, notes.filling, specials(notes, heap))
    for seat in range(OUT, -1, -1):
        for spot in range(spots_to_cast(notes, heap, seat) - 1, -1, -1):
            layer -= notes.width[heap]
            if spot < notes.vacant[seat]:
                draw_part(notes, luck, ways, layer, seat, spot)
    for row in range(notes.special[heap] - 1, notes.settled[heap] - 1, -1):
        layer -= notes.width[heap]
        find_vacant(notes, heap, notes.filling, row - notes.settled[heap] + 1)
        draw_special(notes, luck, ways, layer, heap, row)


@rule
def draw_lot(notes, luck, total):
    """Draw a number below a total, from which the ways are to be counted down."""
    notes.lot = total * (np.float64(next_luck(luck) >> np.uint64(11)) * UNIT)


@rule
def draw_filling(notes, luck, ways, heap, layer):
    """Draw how many spots of each seat the special cards have taken in the end."""
    draw_lot(notes, luck, ways[layer + notes.width[heap] + notes.cast])
    for place in range(notes.cast, notes.width[heap], notes.casts):
        if ways[layer + place] > 0.0:
            notes.filling = place // notes.casts
            notes.lot -= ways[layer + place]
            if notes.lot < 0.0:
                return


@rule
def ways_by(notes, ways, begin, option):
    """The number of ways to the cast of now by an option of a common card."""
    roles = notes.options[option, PLAYED]
    return ways[begin + notes.cast - roles] if notes.cast & roles == roles else 0.0


@rule
def draw_part(notes, luck, ways, layer, seat, spot):
    """Draw the roles that a spot plays."""
    begin, total = layer + notes.filling * notes.casts, 0.0
    for option in range(notes.common[seat], notes.common[seat + 1]):
        total += ways_by(notes, ways, begin, option)
    draw_lot(notes, luck, total)
    chosen = notes.common[seat]
    for option in range(notes.common[seat], notes.common[seat + 1]):
        more = ways_by(notes, ways, begin, option)
        if more > 0.0:
            chosen = option
            notes.lot -= more
            if notes.lot < 0.0:
                break
    if chosen > notes.common[seat]:
        part = notes.part_count
        notes.parts[part, OPTION], notes.parts[part, NUMBER] = chosen, spot
        notes.part_count += 1
        notes.cast -= notes.options[chosen, PLAYED]


@rule
def draw_special(notes, luck, ways, layer, heap, row):
    """Draw the option of a special card that has led here."""
    begin = layer + notes.filling * notes.casts
    draw_lot(notes, luck, ways[begin + notes.width[heap] + notes.cast])
    chosen = notes.heaps[row, BEGIN]
    for option in range(chosen, notes.heaps[row, END]):
        seat = notes.options[option, START]
        if notes.vacant[seat] < notes.spots_of[heap, seat]:
            source = begin - one_taken(notes, heap, seat)
            more = (notes.vacant[seat] + 1) * ways_by(notes, ways, source, option)
            if more > 0.0:
                chosen = option
                notes.lot -= more
                if notes.lot < 0.0:
                    break
    notes.begun[row] = notes.options[chosen, START]
    notes.filling -= one_taken(notes, heap, notes.begun[row]) // notes.casts
    notes.cast -= notes.options[chosen, PLAYED]
    play_roles(notes, row, chosen)


@rule
def shuffle_spots(notes, luck, begin, end):
    """Deal the spots of some rows to their cards, at random."""
    for row in range(end - 1, begin, -1):
        swap_spots(notes, row, begin + below(luck, row - begin + 1))


@rule
def take_spot(notes, row, seat):
    """Lay the card of a row on a spot of a seat; rows before it have taken theirs."""
    other = row
    while notes.heaps[other, SEAT] != seat:
        other += 1
    if other != row:
        swap_spots(notes, row, other)


@rule
def cast_common(notes, special):
    """The common cards that have come to lie on spots with roles play them."""
    for part in range(notes.part_count):
        option, left = notes.parts[part, OPTION], notes.parts[part, NUMBER]
        row = special - 1
        while left >= 0:
            row += 1
            left -= notes.heaps[row, SEAT] == notes.options[option, START]
        play_roles(notes, row, option)
    notes.part_count = 0


@rule
def play_roles(notes, row, option):
    """Note which roles the card of a row plays."""
    for role in range(len(notes.actor)):
        if (notes.options[option, PLAYED] >> role) & 1:
            notes.actor[role] = notes.heaps[row, CARD]
