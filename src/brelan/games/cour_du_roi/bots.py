"""Bots of La cour du Roi: `careful` and `greedy`. They see views, nothing else."""

from __future__ import annotations

import numpy as np

from brelan.rules import add_move, random_below, rule

from .cards import (
    COVERED_BY,
    FAMILIES,
    FAMILY,
    KINDS,
    KNOBS,
    MOVES,
    NO_CARD,
    RANK,
    RANKS,
    ROW,
    SLOTS,
    Kind,
)
from .scoring import points_of
from .state import Phase, State
from .workspace import SET

BOTS = ("careful", "greedy")

JackDraws = KNOBS.choice("jack_draws")

CAREFUL, GREEDY = 0, 1
NOTHING, USES, TAKES = 0, 1, 2


@rule
def choose(bot, view: State, scratch):
    """Return the move that one of these bots makes."""
    return careful(view, scratch) if bot == CAREFUL else greedy(view, scratch)


@rule
def try_move(view: State, number):
    """Lay a card or swap two on the Court, as far as it shows; return what it covered."""
    move = MOVES[number]
    covered = view.court[move.slot]
    view.court[move.slot] = view.court[move.other] if move.kind == Kind.SWAP else move.card
    if move.kind == Kind.SWAP:
        view.court[move.other] = covered
    return covered


@rule
def undo_move(view: State, number, covered):
    """Take back what was tried."""
    move = MOVES[number]
    if move.kind == Kind.SWAP:
        view.court[move.other] = view.court[move.slot]
    view.court[move.slot] = covered


# ---------------------------------------------------------------- careful


@rule
def careful(view: State, scratch):
    """Any of the moves that cost my family least."""
    legal, least = scratch.count, TAKES
    for place in range(legal):
        least = min(least, cost(view, scratch.moves[place]))
    scratch.count = 0
    for place in range(legal):
        if cost(view, scratch.moves[place]) == least:
            add_move(scratch, scratch.moves[place])
    return scratch.moves[random_below(scratch.luck, scratch.count)]


@rule
def cost(view: State, number):
    """What a move does to my family: nothing, it uses up a card of it, or it takes points."""
    move, me = MOVES[number], view.turn
    is_mine = move.card != NO_CARD and FAMILY[move.card] == FAMILY[view.serves[me]]
    if move.kind == Kind.KEEP:
        return NOTHING if is_mine else USES
    if move.kind == Kind.LAY or move.kind == Kind.SWAP:
        points = points_of(view, me)
        covered = try_move(view, number)
        points -= points_of(view, me)
        undo_move(view, number, covered)
        if points > 0:
            return TAKES
    return USES if is_mine else NOTHING


# ---------------------------------------------------------------- greedy

# What a card is worth in hand, by its rank: of my own family, and of any other.
OWN = np.array([0, 4, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20], np.float64)
FOREIGN = np.array([0, 6, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 7], np.float64)
DRAWN_CARD = 5.0  # what a card is worth that a Jack draws, on average
PRESSURE = 0.6  # how many of the cards that others hold may be laid on one slot
THRIFT = 4.0  # how much a card in hand counts beside points on the Court
TOO_LITTLE = -1e9


@rule
def greedy(view: State, scratch):
    """The move that is expected to bring my family farthest ahead of its best rival."""
    lasting = np.empty(RANKS + 1)
    expect_lasting(view, lasting)
    best, most, ties = scratch.moves[0], TOO_LITTLE, 0
    for place in range(scratch.count):
        worth = worth_of(view, scratch.moves[place], lasting)
        if worth > most:
            most, ties = worth, 0
        if worth == most:
            ties += 1
            if random_below(scratch.luck, ties) == 0:
                best = scratch.moves[place]
    return best


@rule
def worth_of(view: State, number, lasting):
    """What a move is worth: in points ahead, and by what I keep in hand or leave to others."""
    move, me = MOVES[number], view.turn
    match move.kind:
        case Kind.KEEP:
            return worth_in_hand(view, me, move.card)
        case Kind.BURN:
            return worth_to_others(view, me, move.card)
        case Kind.GIVE:
            return worth_of_gift(view, me, move)
        case Kind.LAY | Kind.SWAP:
            covered = try_move(view, number)
            worth = expected_lead(view, me, lasting)
            undo_move(view, number, covered)
            if move.kind == Kind.LAY:
                worth -= THRIFT * worth_in_hand(view, me, move.card)
            return worth
        case Kind.DECLINE if view.phase == Phase.SWAP:
            return expected_lead(view, me, lasting)
    return 0.0


@rule
def worth_of_gift(view: State, me, move):
    """What a Jack is expected to bring, less what his gift takes; by option it may come back."""
    held = view.held[move.seat]
    gift = worth_in_hand(view, me, move.card) + worth_to_others(view, me, move.card)
    worth = DRAWN_CARD + held / KINDS - gift
    return worth * held / (held + 1) if view.jack_draws == JackDraws.AFTER_GIFT else worth


@rule
def worth_in_hand(view: State, me, card):
    """What a card is worth in my hand."""
    if FAMILY[card] == FAMILY[view.serves[me]]:
        return OWN[RANK[card]]
    return FOREIGN[RANK[card]]


@rule
def worth_to_others(view: State, me, card):
    """What a card is worth in a hand of which I do not know whom it serves."""
    foreign, family = FOREIGN[RANK[card]], FAMILY[card]
    if family == FAMILY[view.serves[me]]:
        return foreign
    return foreign + (OWN[RANK[card]] - foreign) * served(view, family) / (view.players - 1)


@rule
def expect_lasting(view: State, lasting):
    """For each rank, how likely it is that a card on the Court is not covered until the end."""
    unseen = np.zeros(RANKS + 1)
    cards = cards_unseen(view, unseen)
    plays = 0
    for seat in range(view.players):
        plays += view.held[seat] if seat != view.turn else 0
    for rank in range(1, RANKS + 1):
        stronger = 0.0
        for other in range(1, RANKS + 1):
            if (COVERED_BY[view.order, rank] >> other) & 1:
                stronger += unseen[other]
        lasting[rank] = (1.0 - stronger / max(cards, 1.0)) ** (PRESSURE * plays)


@rule
def cards_unseen(view: State, unseen):
    """Count the cards of each rank that are neither in my hand nor open; return how many."""
    seen = 0
    for card in view.court:
        seen |= SET[card]
    for place in range(view.discard_size):
        seen |= SET[view.discard[place]]
    for place in range(view.held[view.turn]):
        seen |= SET[view.hand[view.turn, place]]
    count = 0.0
    for card in range(1, KINDS):
        if seen & SET[card] == 0:
            unseen[RANK[card]] += 1.0
            count += 1.0
    return count


@rule
def expected_lead(view: State, me, lasting):
    """My points on the Court less those of the best rival, as far as both are likely to last."""
    family = FAMILY[view.serves[me]]
    mine, best = expected_points(view, family, lasting), 0.0
    for other in range(FAMILIES):
        if other != family:
            best = max(best, served(view, other) * expected_points(view, other, lasting))
    return mine - best


@rule
def expected_points(view: State, family, lasting):
    """What a family shows, each card by how likely it is to last."""
    points = 0.0
    for slot in range(SLOTS):
        card = view.court[slot]
        if card != NO_CARD and FAMILY[card] == family:
            points += RANK[card] * ROW[slot] * lasting[RANK[card]]
    return points


@rule
def served(view: State, family):
    """How likely it is that one of the others serves a family that is not mine."""
    families = FAMILIES - 1
    for king in view.shown_aside:
        if king != NO_CARD:
            families -= 1
            if FAMILY[king] == family:
                return 0.0
    return (view.players - 1) / families
