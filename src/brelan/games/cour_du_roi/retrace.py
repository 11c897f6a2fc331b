# mypy: allow-untyped-defs, allow-untyped-calls
"""What the log of a game tells a seat (§11): who laid what, and who may have held what."""

from __future__ import annotations

import numpy as np

from brelan.words import rule

from .cards import (
    BOTTOM,
    COVERED_BY,
    FAMILY,
    KINDS,
    LAY,
    MOVES,
    NO_CARD,
    RANK,
    SEATS,
    SLOTS,
    SUPPORT,
    SWAP,
)
from .court import SingleSupport
from .notes import (
    AFTER,
    AT,
    LEAST,
    MOST,
    NEVER,
    OWN,
    PLAYABLE,
    ROLE,
    ROLES,
    SEGMENTS,
    SET,
    WHEN,
    WHO,
)
from .scoring import EndCheck
from .sight import BY_SEAT, DRAWN, GIVEN, Phase, Reason

ALL_CARDS = int(SET.sum())
OF_FAMILY = np.array([SET[1:][FAMILY[1:] == family].sum() for family in range(4)], np.int64)
STRONG_ENOUGH = np.array(  # for each order and rank, the cards that may cover it
    [
        [
            sum(int(SET[card]) for card in range(1, KINDS) if ranks >> RANK[card] & 1)
            for ranks in row
        ]
        for row in COVERED_BY
    ],
    np.int64,
)


# ---------------------------------------------------------------- reading the log


@rule
def retrace(view, notes):
    """§11 Go through the log of a game, turn by turn, and note what it tells."""
    begin_retracing(view, notes)
    entry = segment = 0
    seat = view.log[0] // BY_SEAT  # nobody passes before the first card is laid
    turn_no = (seat - view.first + 1) % view.players
    while view.log_size > 0 and not (entry == view.log_size and is_now(view, seat)):
        if entry < view.log_size and view.log[entry] // BY_SEAT == seat:
            note_card(view.log[entry] % BY_SEAT, seat, segment, notes)
            entry += 1
            if entry < view.log_size and is_power(view.log[entry] % BY_SEAT):
                segment += note_power(view.log[entry] % BY_SEAT, notes)
                entry += 1
            if entry == view.log_size and is_in_turn(view):
                break
        elif notes.left[seat] > 0:
            notes.facts[seat, segment] |= playable(view, notes)
        turn_no = (turn_no + 1) % view.players
        seat = (seat + 1) % view.players
        if turn_no == 0 or view.end_check == EndCheck.IMMEDIATE:
            if entry == view.log_size and view.reason != Reason.NONE:
                note_end(view, segment, notes)
                break
            note_check(view, entry, notes)
    note_own(view, notes)
    note_touched(view, notes)
    assign_roles(view, notes)


@rule
def begin_retracing(view, notes):
    """§11 How many cards each hand had at the start; nothing is laid yet."""
    for seat in range(view.players):
        notes.left[seat] = view.held[seat]
    for entry in range(view.log_size):
        if not is_power(view.log[entry] % BY_SEAT):
            notes.left[view.log[entry] // BY_SEAT] += 1
    for card in range(KINDS):
        notes.laid[card, WHEN] = NEVER


@rule
def is_power(number):
    """§6 Whether an entry is a swap or an exchange."""
    return number < LAY + SLOTS or number >= SWAP


@rule
def is_now(view, seat):
    """Whether a seat has to play or to pass now."""
    return view.phase == Phase.PLAY and seat == view.turn


@rule
def is_in_turn(view):
    """§6 Whether the turn of whoever laid the last card goes on: there is a power to use."""
    return view.phase == Phase.SWAP or view.phase == Phase.GIVE or view.phase == Phase.DRAW


@rule
def note_card(number, seat, segment, notes):
    """§6 A card is laid on the Court."""
    card = MOVES[number].card
    notes.court[MOVES[number].slot] = card
    notes.laid[card, WHEN], notes.laid[card, WHO] = segment, seat
    notes.touched |= SET[card]
    notes.left[seat] -= 1


@rule
def note_power(number, notes):
    """§6.4 A Queen swaps two cards: return 0. §6.5 A Jack begins a new segment: return 1."""
    if number < SWAP:
        return 1
    one, two = MOVES[number].slot, MOVES[number].other
    card = notes.court[one]
    notes.court[one] = notes.court[two]
    notes.court[two] = card
    return 0


@rule
def playable(view, notes):
    """§6 The cards that could be laid somewhere, as a set; on a Court set up by hand, none."""
    if view.deal_no == 0:
        return 0
    cards = 0
    for slot in range(SLOTS - 1, -1, -1):
        card = notes.court[slot]
        if card != NO_CARD:
            cards |= STRONG_ENOUGH[view.order, RANK[card]]
        elif slot >= BOTTOM:
            return ALL_CARDS
        else:
            cards |= supported(view, notes, slot)
    return cards


@rule
def supported(view, notes, slot):
    """§6.2 The cards that may be laid on an empty slot above row 1, as a set."""
    cards = supports = 0
    for support in range(SUPPORT[slot], SUPPORT[slot] + 2):
        if notes.court[support] != NO_CARD:
            cards |= OF_FAMILY[FAMILY[notes.court[support]]]
            supports += 1
    return cards if supports == 2 or view.single_support == SingleSupport.ON else 0


@rule
def note_check(view, entry, notes):
    """§8 The game went on: two players could play, or one where that is enough."""
    last = notes.check_count - 1
    if last >= 0 and notes.checks[last, AFTER] == entry:
        return
    cards = playable(view, notes)
    if view.deal_no > 0 and cards != ALL_CARDS:
        least = 1 if view.end_check == EndCheck.SOLO_FINISH else 2
        add_check(notes, entry, cards, least, SEATS)


@rule
def add_check(notes, entry, cards, least, most):
    """After so many entries, so many players could play one of these cards."""
    check = notes.check_count
    notes.checks[check, AFTER], notes.checks[check, PLAYABLE] = entry, cards
    notes.checks[check, LEAST], notes.checks[check, MOST] = least, most
    notes.check_count += 1


@rule
def note_end(view, segment, notes):
    """§8 The game ended: nobody could play, or just one player."""
    if view.reason == Reason.NOBODY_CAN_PLAY:
        for seat in range(view.players):
            notes.facts[seat, segment] |= playable(view, notes)
    elif view.reason == Reason.ONE_CAN_PLAY and view.deal_no > 0:
        add_check(notes, view.log_size, playable(view, notes), 1, 1)


@rule
def note_own(view, notes):
    """§11 My own hand in each segment, from the last one back to the first."""
    me, held = notes.me, 0
    for place in range(view.held[me]):
        held |= SET[view.hand[me, place]]
    for segment in range(view.exchange_no, -1, -1):
        if segment < view.exchange_no and is_done(view, segment):
            given, drawn = view.exchanged[me, segment, GIVEN], view.exchanged[me, segment, DRAWN]
            if view.giver[segment] == 1 + me:
                held = (held | SET[given]) & ~SET[drawn]
            elif view.receiver[segment] == 1 + me:
                held = (held | SET[drawn]) & ~SET[given]
        for card in range(1, KINDS):
            if notes.laid[card, WHEN] == segment and notes.laid[card, WHO] == me:
                held |= SET[card]
        notes.facts[OWN, segment] = held
        notes.facts[me, segment] = 0


@rule
def note_touched(view, notes):
    """§11 The cards that I held or exchanged, or that somebody cannot have held, or has laid."""
    for exchange in range(view.exchange_no):
        for column in range(2):
            notes.touched |= SET[view.exchanged[notes.me, exchange, column]]
    for seat in range(OWN + 1):
        for segment in range(SEGMENTS):
            notes.touched |= notes.facts[seat, segment]


@rule
def is_done(view, exchange):
    """§6.5 Whether the cards of an exchange have changed hands; those of the last may not have."""
    return exchange < view.exchange_no - 1 or view.phase != Phase.DRAW


@rule
def assign_roles(view, notes):
    """§11 In an exchange of others two cards that I do not know change hands: each is a role."""
    for exchange in range(view.exchange_no):
        if view.giver[exchange] != 1 + notes.me and view.receiver[exchange] != 1 + notes.me:
            notes.facts[ROLE, exchange] = notes.casts
            notes.casts <<= 2


# ---------------------------------------------------------------- the paths of a card


@rule
def find_paths(view, notes, card, start):
    """How a card that began with a seat can have gone from hand to hand; return how many ways.

    A path is told by the roles that the card plays in exchanges of others.
    """
    notes.paths[0, AT], notes.paths[0, ROLES] = start, 0
    count = keep_fitting(notes, card, 0, 1)
    for segment in range(view.exchange_no):
        if notes.laid[card, WHEN] <= segment:
            break
        if notes.facts[ROLE, segment] == 0:
            follow_known(view, notes, card, segment, count)
        else:
            count = follow_unknown(view, notes, segment, count)
        count = keep_fitting(notes, card, segment + 1, count)
    return count


@rule
def keep_fitting(notes, card, segment, count):
    """Drop the paths on which a seat holds a card that it cannot have held in a segment."""
    kept = 0
    for path in range(count):
        seat = notes.paths[path, AT]
        if fits(notes, card, segment, seat):
            notes.paths[kept, AT], notes.paths[kept, ROLES] = seat, notes.paths[path, ROLES]
            kept += 1
    return kept


@rule
def fits(notes, card, segment, seat):
    """Whether a seat can have held a card in a segment; who laid it there did."""
    if seat == NEVER or ((notes.facts[OWN, segment] >> card) & 1 == 1) != (seat == notes.me):
        return False
    if notes.laid[card, WHEN] == segment:
        return seat == notes.laid[card, WHO]
    return (notes.facts[seat, segment] >> card) & 1 == 0


@rule
def follow_known(view, notes, card, exchange, count):
    """An exchange that I took part in moves the two cards that I know, and no other."""
    giver, receiver = view.giver[exchange] - 1, view.receiver[exchange] - 1
    if card == view.exchanged[notes.me, exchange, GIVEN]:
        move_card(view, notes, exchange, count, giver, receiver)
    elif card == view.exchanged[notes.me, exchange, DRAWN]:
        move_card(view, notes, exchange, count, receiver, giver)


@rule
def move_card(view, notes, exchange, count, source, target):
    """A card must be with one player, and goes to the other when the exchange is done."""
    for path in range(count):
        if notes.paths[path, AT] != source:
            notes.paths[path, AT] = NEVER
        elif is_done(view, exchange):
            notes.paths[path, AT] = target


@rule
def follow_unknown(view, notes, exchange, count):
    """In an exchange of others a card stays, or it is the one given or the one drawn."""
    giver, receiver = view.giver[exchange] - 1, view.receiver[exchange] - 1
    given = notes.facts[ROLE, exchange]
    for path in range(count):
        seat, role, target = notes.paths[path, AT], 0, 0
        if seat == giver:
            role, target = given, receiver
        elif seat == receiver:
            role, target = 2 * given, giver
        if role != 0:
            notes.paths[count, AT] = target if is_done(view, exchange) else seat
            notes.paths[count, ROLES] = notes.paths[path, ROLES] | role
            count += 1
    return count
