"""The workspace of `imagine` in La cour du Roi: what a seat knows of each card (§11).

The exchanges of the Jacks cut a game into *segments*. Within a segment a card stays with the seat
that holds it until it is laid. The workspace holds facts for each segment, as sets of cards:

    facts[seat]   cards that this seat cannot have held: it passed while they could be laid
    facts[OUT]    nothing: a card that is in no hand could be any
    facts[OWN]    cards that I held
    facts[ROLE]   0 if I know the cards of the exchange that ends the segment, otherwise the bit
                  that stands for the card given; the next bit stands for the card drawn

That a game went on is a fact too: when the end was looked at, enough players could play. Such a
fact is about several hands at once; it is written down as a *check*.
"""

from __future__ import annotations

import numpy as np

from .cards import KINDS, SEATS, SLOTS
from .draft import OUT
from .state import JACKS, LOGGED

OWN, ROLE = OUT + 1, OUT + 2
SEGMENTS = JACKS + 1
WHEN, WHO = 0, 1  # the columns of laid: the segment, the seat
NEVER = 99
AT, ROLES = 0, 1  # the columns of paths: the seat that holds the card, the roles it has played
AFTER, PLAYABLE, LEAST, MOST = 0, 1, 2, 3  # the columns of checks: entries read, cards, seats able

SPOTS = 52  # where a card can be dealt: a place in a packet, or as a King
CARD, BEGIN, END, SPOT, SEAT = range(5)  # the columns of heaps: a card, its options, a spot
START, PLAYED = 0, 1  # the columns of options: with whom a card began, the roles it played
MOST_PATHS = 64  # of a card from one seat: 55 if one player gives to another four times
MOST_OPTIONS = SPOTS * 96  # 92 of a card, from any seat
OPTION, NUMBER = 0, 1  # the columns of parts: an option, by which of the vacant spots of its seat

WORKSPACE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("me", np.int64),
                ("facts", np.int64, (ROLE + 1, SEGMENTS)),
                ("touched", np.int64),  # the cards of which the log tells anything
                ("checks", np.int64, (LOGGED, 4)),
                ("check_count", np.int64),
                ("hands", np.int64, (SEATS,)),  # as sets, in the world that is imagined
                ("laid", np.int16, (KINDS, 2)),
                ("court", np.int16, (SLOTS,)),
                ("left", np.int16, (SEATS,)),  # cards in each hand
                ("paths", np.int16, (MOST_PATHS, 2)),
                ("heaps", np.int16, (SPOTS, 5)),
                ("heap_end", np.int16, (SPOTS,)),  # the row after the last of each heap
                ("heap_count", np.int64),
                ("settled", np.int16, (SPOTS,)),  # the row after the last settled card of each
                ("special", np.int16, (SPOTS,)),  # the row after the last special card of each
                ("options", np.int16, (MOST_OPTIONS, 2)),
                ("option_count", np.int64),
                ("common", np.int16, (OUT + 2,)),  # the first option of common cards, by seat
                ("casts", np.int64),  # how many casts there are
                ("layer", np.int64, (SPOTS,)),  # where the ways of each heap are counted
                ("width", np.int64, (SPOTS,)),  # of a layer
                ("spots_of", np.int16, (SPOTS, OUT + 1)),  # spots that settled cards leave
                ("most", np.int16, (SPOTS,)),  # the seat that has the most of them
                ("shift", np.int16, (SPOTS, OUT + 2)),  # where a filling has the bits of each seat
                ("vacant", np.int64, (OUT + 1,)),  # spots of each seat that a filling leaves
                ("filling", np.int64),  # what is still to be drawn back to
                ("cast", np.int64),
                ("lot", np.float64),
                ("begun", np.int16, (SPOTS,)),  # with whom the card of each row began
                ("parts", np.int16, (2 * JACKS, 2)),  # roles played by spots
                ("part_count", np.int64),
                ("actor", np.int16, (2 * JACKS,)),  # the card that plays each role
                ("dealt", np.int16, (SPOTS,)),  # the card on each spot
            ]
        ),
    )
)

SET = np.array([0, *(1 << card for card in range(1, KINDS))], np.int64)  # of one card
