"""Belief hook of La cour du Roi: how likely the others' choices are in a world (§11).

An imagined world fits what a seat has seen, but the others may have had no reason to play as they
did in it. Here the game is gone through again: what each of them kept in the draft, and laid or
swapped on the Court, is compared with what else they could have done, in the eyes of `greedy`.
"""

from __future__ import annotations

import math

import numpy as np

from brelan.rules import clear, rule

from .bots import expect_lasting, worth_in_hand, worth_of
from .cards import MOVES, RANKS, Kind
from .court import clear_court, swap
from .draft import OUT, is_taken, seat_of, was_drafted
from .log_facts import is_done
from .replay import has_begun
from .rules import lay, legal_moves, place_in_hand
from .state import BY_SEAT, DRAWN, GIVEN, PACKET, Phase, State

KEEN_TO_KEEP = 2.0  # a card of so much more worth is e times as likely to be kept
KEEN_TO_PLAY = 8.0  # and so are a card laid and a swap, in points


@rule
def log_evidence(world: State, me, scratch):
    """How much likelier `greedy` would have done what each of the others did than `random`."""
    clear(scratch.values)
    if was_drafted(world):
        weigh_draft(world, me, scratch)
    if has_begun(world) and world.deal_no > 0:
        wind_back(world)
        weigh_plays(world, me, scratch)


# ---------------------------------------------------------------- §5 the draft


@rule
def weigh_draft(world: State, me, scratch):
    """§5 What each of the others took from the packets, and what they left."""
    for packet in range(world.deal_no * world.players):
        for place in range(PACKET):
            seat = seat_of(world, packet, place)
            if seat != me and seat != OUT and is_taken(world, packet, place):
                scratch.values[seat] += keenness_to_keep(world, seat, packet, place)


@rule
def keenness_to_keep(world: State, seat, packet, place):
    """§5 How much likelier than by chance a player would have kept just this card of a packet."""
    kept = worth_in_hand(world, seat, world.remembered[seat, packet, place])
    total = 0.0
    for other in range(place, PACKET):
        card = world.remembered[seat, packet, other]
        total += math.exp((worth_in_hand(world, seat, card) - kept) / KEEN_TO_KEEP)
    return math.log((PACKET - place) / total)


# ---------------------------------------------------------------- §6 turn after turn


@rule
def wind_back(world: State):
    """§4.7 Back to the empty Court, with every card in the hand from which it came."""
    exchange = world.exchange_no - 1
    for entry in range(world.log_size - 1, -1, -1):
        number, seat = world.log[entry] % BY_SEAT, world.log[entry] // BY_SEAT
        if MOVES[number].kind == Kind.LAY:
            world.hand[seat, world.held[seat]] = MOVES[number].card
            world.held[seat] += 1
        elif MOVES[number].kind == Kind.GIVE:
            trade(world, exchange, DRAWN, GIVEN)
            exchange -= 1
    clear_court(world)
    world.discard_size = 0


@rule
def trade(world: State, exchange, from_giver, from_receiver):
    """§6.5 Two cards change hands, if the exchange was made."""
    if is_done(world, exchange):
        giver, receiver = world.giver[exchange] - 1, world.receiver[exchange] - 1
        one = world.exchanged[giver, exchange, from_giver]
        two = world.exchanged[giver, exchange, from_receiver]
        if one != two:
            world.hand[giver, place_in_hand(world, giver, one)] = two
            world.hand[receiver, place_in_hand(world, receiver, two)] = one


@rule
def weigh_plays(world: State, me, scratch):
    """§6 What each of the others laid and swapped."""
    exchange = 0
    for entry in range(world.log_size):
        number = world.log[entry] % BY_SEAT
        move = MOVES[number]
        world.turn = world.log[entry] // BY_SEAT
        if move.kind == Kind.GIVE:
            trade(world, exchange, GIVEN, DRAWN)
            exchange += 1
            continue
        world.phase = Phase.SWAP if move.kind == Kind.SWAP else Phase.PLAY
        if world.turn != me:
            scratch.values[world.turn] += keenness_to_play(world, number, scratch)
        if move.kind == Kind.SWAP:
            swap(world, move.slot, move.other)
        else:
            lay(world, world.turn, move.card, move.slot)


@rule
def keenness_to_play(world: State, number, scratch):
    """§6 How much likelier than by chance the player in turn would have made just this move."""
    lasting = np.empty(RANKS + 1)
    expect_lasting(world, lasting)
    legal_moves(world, scratch)
    made, total = worth_of(world, number, lasting), 0.0
    for place in range(scratch.count):
        worth = worth_of(world, scratch.moves[place], lasting)
        total += math.exp(min((worth - made) / KEEN_TO_PLAY, 50.0))
    return math.log(scratch.count / total)
