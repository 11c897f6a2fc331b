# mypy: allow-untyped-defs, allow-untyped-calls
"""Assigning hidden cards to places, uniformly over all assignments that fit the facts.

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

from brelan.rules import random_below, random_unit, rule

from .cards import NO_CARD
from .draft import OUT
from .log_facts import find_paths
from .state import State
from .workspace import (
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

BITS = np.array([count.bit_length() for count in range(SPOTS + 1)], np.int16)  # to count so far


# ---------------------------------------------------------------- heaps


@rule
def begin_heap(workspace):
    """A new heap, empty so far."""
    heap = workspace.heap_count
    workspace.heap_end[heap] = first_row(workspace, heap)
    workspace.heap_count += 1


@rule
def first_row(workspace, heap):
    """The first row of a heap."""
    return workspace.heap_end[heap - 1] if heap > 0 else 0


@rule
def add_spot(workspace, spot, seat):
    """The last heap has one more spot; it belongs to a seat, or to none."""
    row = workspace.heap_end[workspace.heap_count - 1]
    workspace.heaps[row, SPOT], workspace.heaps[row, SEAT] = spot, seat
    workspace.heap_end[workspace.heap_count - 1] += 1


@rule
def add_pair(workspace, card, spot, seat):
    """The last heap has one more card and one more spot."""
    workspace.heaps[workspace.heap_end[workspace.heap_count - 1], CARD] = card
    add_spot(workspace, spot, seat)


@rule
def swap_cells(workspace, row, other, column):
    """Two rows trade what they have in a column."""
    kept = workspace.heaps[row, column]
    workspace.heaps[row, column] = workspace.heaps[other, column]
    workspace.heaps[other, column] = kept


@rule
def swap_cards(workspace, row, other):
    """Two rows trade their cards, with their options."""
    for column in range(CARD, END + 1):
        swap_cells(workspace, row, other, column)


@rule
def swap_spots(workspace, row, other):
    """Two rows trade their spots."""
    for column in range(SPOT, SEAT + 1):
        swap_cells(workspace, row, other, column)


# ---------------------------------------------------------------- options


@rule
def list_options(view: State, workspace):
    """Sort the cards; write down with whom they may have begun, and the roles they may play."""
    list_common(view, workspace)
    for heap in range(workspace.heap_count):
        begin, end = first_row(workspace, heap), workspace.heap_end[heap]
        seats = seats_of(workspace, begin, end)
        workspace.settled[heap] = workspace.special[heap] = begin
        for row in range(begin, end):
            if workspace.touched & SET[workspace.heaps[row, CARD]] != 0:
                workspace.heaps[row, BEGIN] = workspace.option_count
                add_options(view, workspace, workspace.heaps[row, CARD], seats)
                workspace.heaps[row, END] = workspace.option_count
                sort_card(workspace, heap, row)


@rule
def list_common(view: State, workspace):
    """The options of a card of which nothing is known, by seats; the first is to play no role."""
    for seat in range(OUT + 1):
        workspace.common[seat] = workspace.option_count
        add_options(view, workspace, NO_CARD, 1 << seat)
    workspace.common[OUT + 1] = workspace.option_count


@rule
def seats_of(workspace, begin, end):
    """The seats that have spots in a heap, as a set."""
    seats = 0
    for row in range(begin, end):
        seats |= 1 << workspace.heaps[row, SEAT]
    return seats


@rule
def add_options(view: State, workspace, card, seats):
    """Add the options of a card that began with one of these seats."""
    for seat in range(OUT + 1):
        if (seats >> seat) & 1:
            for path in range(find_paths(view, workspace, card, seat)):
                option = workspace.option_count
                workspace.options[option, START] = seat
                workspace.options[option, PLAYED] = workspace.paths[path, ROLES]
                workspace.option_count += 1


@rule
def sort_card(workspace, heap, row):
    """Move a card that is not common up: to the special ones, or to the settled ones."""
    other, option = workspace.special[heap], workspace.heaps[row, BEGIN]
    is_settled = option + 1 == workspace.heaps[row, END] and workspace.options[option, PLAYED] == 0
    swap_cards(workspace, row, other)
    workspace.special[heap] += 1
    if is_settled:
        swap_cards(workspace, other, workspace.settled[heap])
        workspace.settled[heap] += 1


# ---------------------------------------------------------------- measuring


@rule
def measure_heap(workspace, heap):
    """Count the spots that settled cards leave to each seat, and the fillings of special cards.

    A filling has some bits for each seat: how many of its spots are taken. Only the seat with the
    most spots has none, for it takes the cards that the others do not.
    """
    for row in range(first_row(workspace, heap), workspace.heap_end[heap]):
        workspace.spots_of[heap, workspace.heaps[row, SEAT]] += 1
    for row in range(first_row(workspace, heap), workspace.settled[heap]):
        workspace.spots_of[heap, workspace.options[workspace.heaps[row, BEGIN], START]] -= 1
    most, bits = 0, 0
    for seat in range(OUT + 1):
        if workspace.spots_of[heap, seat] > workspace.spots_of[heap, most]:
            most = seat
    for seat in range(OUT + 1):
        workspace.shift[heap, seat] = bits
        if seat != most:
            bits += BITS[min(workspace.spots_of[heap, seat], specials(workspace, heap))]
    workspace.shift[heap, OUT + 1] = bits
    workspace.most[heap], workspace.width[heap] = most, workspace.casts << bits


@rule
def specials(workspace, heap):
    """How many special cards a heap has."""
    return workspace.special[heap] - workspace.settled[heap]


@rule
def spots_to_cast(workspace, heap, seat):
    """How many spots of a seat may play roles: none, if common cards never leave that seat."""
    commons = workspace.heap_end[heap] - workspace.special[heap]
    can_leave = workspace.common[seat + 1] - workspace.common[seat] > 1
    return min(workspace.spots_of[heap, seat], commons) if can_leave else 0


@rule
def one_taken(workspace, heap, seat):
    """What one more spot of a seat that is taken adds to a filling, as a step in a layer."""
    return 0 if seat == workspace.most[heap] else workspace.casts << workspace.shift[heap, seat]


@rule
def find_vacant(workspace, heap, filling, placed):
    """Find how many spots of each seat are left when so many special cards are placed."""
    most = workspace.most[heap]
    left = workspace.spots_of[heap, most] - placed
    for seat in range(OUT + 1):
        width = workspace.shift[heap, seat + 1] - workspace.shift[heap, seat]
        taken = (filling >> workspace.shift[heap, seat]) & ((1 << width) - 1)
        workspace.vacant[seat] = workspace.spots_of[heap, seat] - taken
        left += taken
    workspace.vacant[most] = left


# ---------------------------------------------------------------- counting


@rule
def count_ways(workspace, ways):
    """Fill a table of the number of ways, special card by special card, spot by spot."""
    ways[0] = 1.0
    end = 0  # where the ways of all heaps so far stand, cast by cast
    for heap in range(workspace.heap_count):
        layer, size = workspace.layer[heap], workspace.width[heap]
        for cast in range(workspace.casts):
            ways[layer + cast] = ways[end + cast]
        for row in range(workspace.settled[heap], workspace.special[heap]):
            add_card(workspace, ways, layer, heap, row)
            layer += size
        for seat in range(OUT + 1):
            for spot in range(spots_to_cast(workspace, heap, seat)):
                add_spot_roles(workspace, ways, layer, heap, seat, spot)
                layer += size
        end = layer + size
        for place in range(size):
            ways[end + (place & (workspace.casts - 1))] += ways[layer + place]
    if ways[end + workspace.casts - 1] == 0.0:
        raise ValueError("this view cannot come from a match")


@rule
def lay_out(workspace):
    """Find room for each heap in the table of ways; return how large the table must be."""
    end = workspace.casts
    for heap in range(workspace.heap_count):
        measure_heap(workspace, heap)
        workspace.layer[heap] = end
        end = last_layer(workspace, heap) + workspace.width[heap] + workspace.casts
    return end


@rule
def last_layer(workspace, heap):
    """Where the ways stand that all special cards and spots of a heap lead to."""
    layers = specials(workspace, heap)
    for seat in range(OUT + 1):
        layers += spots_to_cast(workspace, heap, seat)
    return workspace.layer[heap] + layers * workspace.width[heap]


@rule
def add_card(workspace, ways, layer, heap, row):
    """From all that can be reached, take one more special card, by each of its options."""
    after = layer + workspace.width[heap]
    for begin in range(layer, after, workspace.casts):
        if is_reached(workspace, ways, begin):
            filling = (begin - layer) // workspace.casts
            find_vacant(workspace, heap, filling, row - workspace.settled[heap])
            for option in range(workspace.heaps[row, BEGIN], workspace.heaps[row, END]):
                seat = workspace.options[option, START]
                if workspace.vacant[seat] > 0:
                    target = begin + workspace.width[heap] + one_taken(workspace, heap, seat)
                    add_ways(workspace, ways, begin, target, option, workspace.vacant[seat])


@rule
def add_spot_roles(workspace, ways, layer, heap, seat, spot):
    """From all that can be reached, give roles to one more spot, if it is vacant."""
    for begin in range(layer, layer + workspace.width[heap], workspace.casts):
        if is_reached(workspace, ways, begin):
            find_vacant(
                workspace, heap, (begin - layer) // workspace.casts, specials(workspace, heap)
            )
            first, last = workspace.common[seat], workspace.common[seat + 1]
            for option in range(first, last if spot < workspace.vacant[seat] else first + 1):
                add_ways(workspace, ways, begin, begin + workspace.width[heap], option, 1)


@rule
def is_reached(workspace, ways, begin):
    """Whether any way leads to a filling."""
    place, end = begin, begin + workspace.casts
    while place < end and ways[place] == 0.0:
        place += 1
    return place < end


@rule
def add_ways(workspace, ways, begin, target, option, times):
    """Add the ways that lead on from one filling to another by an option."""
    roles = workspace.options[option, PLAYED]
    for cast in range(workspace.casts):
        if cast & roles == 0:
            ways[target + cast + roles] += times * ways[begin + cast]


# ---------------------------------------------------------------- drawing


@rule
def draw_way(workspace, luck, ways):
    """Draw one of the ways, and lay each card on one of the spots of the seat it began with."""
    workspace.cast = workspace.casts - 1
    for heap in range(workspace.heap_count - 1, -1, -1):
        begin, special, end = (
            first_row(workspace, heap),
            workspace.special[heap],
            workspace.heap_end[heap],
        )
        for row in range(begin, workspace.settled[heap]):
            workspace.begun[row] = workspace.options[workspace.heaps[row, BEGIN], START]
        if specials(workspace, heap) > 0 or workspace.cast > 0:
            draw_heap(workspace, luck, ways, heap)
        if special > begin:
            shuffle_spots(workspace, luck, begin, end)
        for row in range(begin, special):
            take_spot(workspace, row, workspace.begun[row])
        shuffle_spots(workspace, luck, special, end)
        cast_common(workspace, special)


@rule
def draw_heap(workspace, luck, ways, heap):
    """Draw what the spots and the special cards of a heap do, from the last layer back."""
    layer = last_layer(workspace, heap)
    draw_filling(workspace, luck, ways, heap, layer)
    find_vacant(workspace, heap, workspace.filling, specials(workspace, heap))
    for seat in range(OUT, -1, -1):
        for spot in range(spots_to_cast(workspace, heap, seat) - 1, -1, -1):
            layer -= workspace.width[heap]
            if spot < workspace.vacant[seat]:
                draw_part(workspace, luck, ways, layer, seat, spot)
    for row in range(workspace.special[heap] - 1, workspace.settled[heap] - 1, -1):
        layer -= workspace.width[heap]
        find_vacant(workspace, heap, workspace.filling, row - workspace.settled[heap] + 1)
        draw_special(workspace, luck, ways, layer, heap, row)


@rule
def draw_lot(workspace, luck, total):
    """Draw a number below a total, from which the ways are to be counted down."""
    workspace.lot = total * random_unit(luck)


@rule
def draw_filling(workspace, luck, ways, heap, layer):
    """Draw how many spots of each seat the special cards have taken in the end."""
    draw_lot(workspace, luck, ways[layer + workspace.width[heap] + workspace.cast])
    for place in range(workspace.cast, workspace.width[heap], workspace.casts):
        if ways[layer + place] > 0.0:
            workspace.filling = place // workspace.casts
            workspace.lot -= ways[layer + place]
            if workspace.lot < 0.0:
                return


@rule
def ways_by(workspace, ways, begin, option):
    """The number of ways to the cast of now by an option of a common card."""
    roles = workspace.options[option, PLAYED]
    return ways[begin + workspace.cast - roles] if workspace.cast & roles == roles else 0.0


@rule
def draw_part(workspace, luck, ways, layer, seat, spot):
    """Draw the roles that a spot plays."""
    begin, total = layer + workspace.filling * workspace.casts, 0.0
    for option in range(workspace.common[seat], workspace.common[seat + 1]):
        total += ways_by(workspace, ways, begin, option)
    draw_lot(workspace, luck, total)
    chosen = workspace.common[seat]
    for option in range(workspace.common[seat], workspace.common[seat + 1]):
        more = ways_by(workspace, ways, begin, option)
        if more > 0.0:
            chosen = option
            workspace.lot -= more
            if workspace.lot < 0.0:
                break
    if chosen > workspace.common[seat]:
        part = workspace.part_count
        workspace.parts[part, OPTION], workspace.parts[part, NUMBER] = chosen, spot
        workspace.part_count += 1
        workspace.cast -= workspace.options[chosen, PLAYED]


@rule
def draw_special(workspace, luck, ways, layer, heap, row):
    """Draw the option of a special card that has led here."""
    begin = layer + workspace.filling * workspace.casts
    draw_lot(workspace, luck, ways[begin + workspace.width[heap] + workspace.cast])
    chosen = workspace.heaps[row, BEGIN]
    for option in range(chosen, workspace.heaps[row, END]):
        seat = workspace.options[option, START]
        if workspace.vacant[seat] < workspace.spots_of[heap, seat]:
            source = begin - one_taken(workspace, heap, seat)
            more = (workspace.vacant[seat] + 1) * ways_by(workspace, ways, source, option)
            if more > 0.0:
                chosen = option
                workspace.lot -= more
                if workspace.lot < 0.0:
                    break
    workspace.begun[row] = workspace.options[chosen, START]
    workspace.filling -= one_taken(workspace, heap, workspace.begun[row]) // workspace.casts
    workspace.cast -= workspace.options[chosen, PLAYED]
    play_roles(workspace, row, chosen)


@rule
def shuffle_spots(workspace, luck, begin, end):
    """Deal the spots of some rows to their cards, at random."""
    for row in range(end - 1, begin, -1):
        swap_spots(workspace, row, begin + random_below(luck, row - begin + 1))


@rule
def take_spot(workspace, row, seat):
    """Lay the card of a row on a spot of a seat; rows before it have taken theirs."""
    other = row
    while workspace.heaps[other, SEAT] != seat:
        other += 1
    if other != row:
        swap_spots(workspace, row, other)


@rule
def cast_common(workspace, special):
    """The common cards that have come to lie on spots with roles play them."""
    for part in range(workspace.part_count):
        option, left = workspace.parts[part, OPTION], workspace.parts[part, NUMBER]
        row = special - 1
        while left >= 0:
            row += 1
            left -= workspace.heaps[row, SEAT] == workspace.options[option, START]
        play_roles(workspace, row, option)
    workspace.part_count = 0


@rule
def play_roles(workspace, row, option):
    """Note which roles the card of a row plays."""
    for role in range(len(workspace.actor)):
        if (workspace.options[option, PLAYED] >> role) & 1:
            workspace.actor[role] = workspace.heaps[row, CARD]
