# mypy: allow-untyped-defs, allow-untyped-calls
"""What the log of a game tells a seat (§11): who laid what, and who may have held what."""

from __future__ import annotations

import numpy as np

from brelan.rules import rule

from .cards import (
    BOTTOM,
    COVERED_BY,
    FAMILY,
    KINDS,
    KNOBS,
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
from .scoring import EndCheck
from .state import BY_SEAT, DRAWN, GIVEN, Phase, Reason, State
from .workspace import (
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

JackDraws = KNOBS.choice("jack_draws")

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
def retrace(view: State, workspace):
    """§11 Go through the log of a game, turn by turn, and note what it tells."""
    begin_retracing(view, workspace)
    entry = segment = 0
    seat = view.log[0] // BY_SEAT  # nobody passes before the first card is laid
    turn_no = (seat - view.first + 1) % view.players
    while view.log_size > 0 and not (entry == view.log_size and is_now(view, seat)):
        if entry < view.log_size and view.log[entry] // BY_SEAT == seat:
            note_card(view.log[entry] % BY_SEAT, seat, segment, workspace)
            entry += 1
            if entry < view.log_size and is_power(view.log[entry] % BY_SEAT):
                segment += note_power(view.log[entry] % BY_SEAT, workspace)
                entry += 1
            if entry == view.log_size and is_in_turn(view):
                break
        elif workspace.left[seat] > 0:
            workspace.facts[seat, segment] |= playable(view, workspace)
        turn_no = (turn_no + 1) % view.players
        seat = (seat + 1) % view.players
        if turn_no == 0 or view.end_check == EndCheck.IMMEDIATE:
            if entry == view.log_size and view.reason != Reason.NONE:
                note_end(view, segment, workspace)
                break
            note_check(view, entry, workspace)
    note_own(view, workspace)
    note_touched(view, workspace)
    assign_roles(view, workspace)


@rule
def begin_retracing(view: State, workspace):
    """§11 How many cards each hand had at the start; nothing is laid yet."""
    for seat in range(view.players):
        workspace.left[seat] = view.held[seat]
    for entry in range(view.log_size):
        if not is_power(view.log[entry] % BY_SEAT):
            workspace.left[view.log[entry] // BY_SEAT] += 1
    for card in range(KINDS):
        workspace.laid[card, WHEN] = NEVER


@rule
def is_power(number):
    """§6 Whether an entry is a swap or an exchange."""
    return number < LAY + SLOTS or number >= SWAP


@rule
def is_now(view: State, seat):
    """Whether a seat has to play or to pass now."""
    return view.phase == Phase.PLAY and seat == view.turn


@rule
def is_in_turn(view: State):
    """§6 Whether the turn of whoever laid the last card goes on: there is a power to use."""
    return view.phase == Phase.SWAP or view.phase == Phase.GIVE or view.phase == Phase.DRAW


@rule
def note_card(number, seat, segment, workspace):
    """§6 A card is laid on the Court."""
    card = MOVES[number].card
    workspace.court[MOVES[number].slot] = card
    workspace.laid[card, WHEN], workspace.laid[card, WHO] = segment, seat
    workspace.touched |= SET[card]
    workspace.left[seat] -= 1


@rule
def note_power(number, workspace):
    """§6.4 A Queen swaps two cards: return 0. §6.5 A Jack begins a new segment: return 1."""
    if number < SWAP:
        return 1
    one, two = MOVES[number].slot, MOVES[number].other
    card = workspace.court[one]
    workspace.court[one] = workspace.court[two]
    workspace.court[two] = card
    return 0


@rule
def playable(view: State, workspace):
    """§6 The cards that could be laid somewhere, as a set; on a Court set up by hand, none."""
    if view.deal_no == 0:
        return 0
    cards = 0
    for slot in range(SLOTS - 1, -1, -1):
        card = workspace.court[slot]
        if card != NO_CARD:
            cards |= STRONG_ENOUGH[view.order, RANK[card]]
        elif slot >= BOTTOM:
            return ALL_CARDS
        else:
            cards |= supported(view, workspace, slot)
    return cards


@rule
def supported(view: State, workspace, slot):
    """§6.2 The cards that may be laid on an empty slot above row 1, as a set."""
    cards = supports = 0
    for support in range(SUPPORT[slot], SUPPORT[slot] + 2):
        if workspace.court[support] != NO_CARD:
            cards |= OF_FAMILY[FAMILY[workspace.court[support]]]
            supports += 1
    return cards if supports == 2 or view.single_support == SingleSupport.ON else 0


@rule
def note_check(view: State, entry, workspace):
    """§8 The game went on: two players could play, or one where that is enough."""
    last = workspace.check_count - 1
    if last >= 0 and workspace.checks[last, AFTER] == entry:
        return
    cards = playable(view, workspace)
    if view.deal_no > 0 and cards != ALL_CARDS:
        least = 1 if view.end_check == EndCheck.SOLO_FINISH else 2
        add_check(workspace, entry, cards, least, SEATS)


@rule
def add_check(workspace, entry, cards, least, most):
    """After so many entries, so many players could play one of these cards."""
    check = workspace.check_count
    workspace.checks[check, AFTER], workspace.checks[check, PLAYABLE] = entry, cards
    workspace.checks[check, LEAST], workspace.checks[check, MOST] = least, most
    workspace.check_count += 1


@rule
def note_end(view: State, segment, workspace):
    """§8 The game ended: nobody could play, or just one player."""
    if view.reason == Reason.NOBODY_CAN_PLAY:
        for seat in range(view.players):
            workspace.facts[seat, segment] |= playable(view, workspace)
    elif view.reason == Reason.ONE_CAN_PLAY and view.deal_no > 0:
        add_check(workspace, view.log_size, playable(view, workspace), 1, 1)


@rule
def note_own(view: State, workspace):
    """§11 My own hand in each segment, from the last one back to the first."""
    me, held = workspace.me, 0
    for place in range(view.held[me]):
        held |= SET[view.hand[me, place]]
    for segment in range(view.exchange_no, -1, -1):
        if segment < view.exchange_no and is_done(view, segment):
            given, drawn = view.exchanged[me, segment, GIVEN], view.exchanged[me, segment, DRAWN]
            if view.giver[segment] == 1 + me:
                held = (held & ~SET[drawn]) | SET[given]  # in this order: they may be the same card
            elif view.receiver[segment] == 1 + me:
                held = (held | SET[drawn]) & ~SET[given]
        for card in range(1, KINDS):
            if workspace.laid[card, WHEN] == segment and workspace.laid[card, WHO] == me:
                held |= SET[card]
        workspace.facts[OWN, segment] = held
        workspace.facts[me, segment] = 0


@rule
def note_touched(view: State, workspace):
    """§11 The cards that I held or exchanged, or that somebody cannot have held, or has laid."""
    for exchange in range(view.exchange_no):
        for column in range(2):
            workspace.touched |= SET[view.exchanged[workspace.me, exchange, column]]
    for seat in range(OWN + 1):
        for segment in range(SEGMENTS):
            workspace.touched |= workspace.facts[seat, segment]


@rule
def is_done(view: State, exchange):
    """§6.5 Whether the cards of an exchange have changed hands; those of the last may not have."""
    return exchange < view.exchange_no - 1 or view.phase != Phase.DRAW


@rule
def assign_roles(view: State, workspace):
    """§11 In an exchange of others two cards that I do not know change hands: each is a role."""
    for exchange in range(view.exchange_no):
        if view.giver[exchange] != 1 + workspace.me and view.receiver[exchange] != 1 + workspace.me:
            workspace.facts[ROLE, exchange] = workspace.casts
            workspace.casts <<= 2


# ---------------------------------------------------------------- the paths of a card


@rule
def find_paths(view: State, workspace, card, start):
    """How a card that began with a seat can have gone from hand to hand; return how many ways.

    A path is told by the roles that the card plays in exchanges of others.
    """
    workspace.paths[0, AT], workspace.paths[0, ROLES] = start, 0
    count = keep_fitting(workspace, card, 0, 1)
    for segment in range(view.exchange_no):
        if workspace.laid[card, WHEN] <= segment:
            break
        if workspace.facts[ROLE, segment] == 0:
            follow_known(view, workspace, card, segment, count)
        else:
            count = follow_unknown(view, workspace, segment, count)
        count = keep_fitting(workspace, card, segment + 1, count)
    return count


@rule
def keep_fitting(workspace, card, segment, count):
    """Drop the paths on which a seat holds a card that it cannot have held in a segment."""
    kept = 0
    for path in range(count):
        seat = workspace.paths[path, AT]
        if fits(workspace, card, segment, seat):
            workspace.paths[kept, AT], workspace.paths[kept, ROLES] = (
                seat,
                workspace.paths[path, ROLES],
            )
            kept += 1
    return kept


@rule
def fits(workspace, card, segment, seat):
    """Whether a seat can have held a card in a segment; who laid it there did."""
    if seat == NEVER or ((workspace.facts[OWN, segment] >> card) & 1 == 1) != (
        seat == workspace.me
    ):
        return False
    if workspace.laid[card, WHEN] == segment:
        return seat == workspace.laid[card, WHO]
    return (workspace.facts[seat, segment] >> card) & 1 == 0


@rule
def follow_known(view: State, workspace, card, exchange, count):
    """An exchange that I took part in moves the two cards that I know, and no other."""
    giver, receiver = view.giver[exchange] - 1, view.receiver[exchange] - 1
    is_given = card == view.exchanged[workspace.me, exchange, GIVEN]
    is_drawn = card == view.exchanged[workspace.me, exchange, DRAWN]
    if is_given or is_drawn:
        source, target = giver if is_given else receiver, giver if is_drawn else receiver
        move_card(view, workspace, exchange, count, source, target)


@rule
def move_card(view: State, workspace, exchange, count, source, target):
    """A card must be with one player, and goes to another, or back, when the exchange is done."""
    for path in range(count):
        if workspace.paths[path, AT] != source:
            workspace.paths[path, AT] = NEVER
        elif is_done(view, exchange):
            workspace.paths[path, AT] = target


@rule
def follow_unknown(view: State, workspace, exchange, count):
    """In an exchange of others a card stays, or it is the one given or the one drawn; or both."""
    giver, receiver = view.giver[exchange] - 1, view.receiver[exchange] - 1
    given = workspace.facts[ROLE, exchange]
    drawn = 2 * given
    for path in range(count):
        seat = workspace.paths[path, AT]
        if seat == giver:
            add_path(workspace, path, count, given, receiver if is_done(view, exchange) else giver)
            count += 1
            if view.jack_draws == JackDraws.AFTER_GIFT:
                add_path(workspace, path, count, given | drawn, giver)
                count += 1
        elif seat == receiver:
            add_path(workspace, path, count, drawn, giver if is_done(view, exchange) else receiver)
            count += 1
    return count


@rule
def add_path(workspace, path, other, roles, seat):
    """Add another path that goes on from this one: the card plays roles and comes to a seat."""
    workspace.paths[other, AT] = seat
    workspace.paths[other, ROLES] = workspace.paths[path, ROLES] | roles
