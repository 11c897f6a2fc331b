"""What a designer measures in a match of Batailles et piques."""

from __future__ import annotations

import enum

from brelan.rules import NOBODY, rule

from .cards import KINDS, KNOBS, MOVES, NO_CARD, SIZE, SLOTS, Act, Card
from .combat import is_sapper, is_spy
from .scoring import worth_of
from .state import ATTACKERS, DEFENDERS, Reason, State, Status


class Metric(enum.IntEnum):
    """What is counted in a match; those of one, two and a team stand in that order."""

    TURNS = 0
    ATTACKS_ON_ONE = 1
    ATTACKS_ON_TWO = 2
    TEAMWORKS = 3
    SLACKERS = 4
    ATTACKS_ON_ONE_THAT_PAY = 5  # the attacker takes more points than the defender
    ATTACKS_ON_TWO_THAT_PAY = 6
    TEAMWORKS_THAT_PAY = 7
    KILL_CHOICES = 8
    LOOKS = 9
    LOOKS_DECLINED = 10
    PLAIN_UNITS_KILLED = 11
    SPIES_KILLED = 12
    SAPPERS_KILLED = 13
    KINGS_KILLED = 14
    MINES_DESTROYED = 15
    ATTACKERS_LOST = 16
    DEFENDERS_LOST = 17
    ATTACKERS_LOST_TO_MINES = 18
    ATTACKS_WITH_LOSSES_ON_BOTH_SIDES = 19
    CARDS_SHOWN_IN_COMBAT = 20
    SURVIVORS = 21
    KINDS_RULED_OUT = 22  # on the open lists of survivors, just after their combat
    POINTS = 23
    MARGIN = 24  # between the first and the second
    SPREAD = 25  # between the first and the last
    TIES = 26
    FIRST_PLAYER_WINS = 27
    STOPPED_PLAYERS = 28
    CARDS_LEFT = 29
    STOPS = 30
    ENDS_WITH_NOBODY_ACTIVE = 31


METRICS = tuple(metric.name.lower() for metric in Metric)

Credit = KNOBS.choice("credit")

ONE, TWO, TEAM = 0, 1, 2  # the shapes of an attack


@rule
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    match MOVES[number].act:
        case Act.ATTACK:
            scratch.metrics[Metric.ATTACKS_ON_ONE + shape_of(state)] += 1
            scratch.metrics[Metric.CARDS_SHOWN_IN_COMBAT] += (
                SIZE[state.attacking] + SIZE[state.attacked]
            )
        case Act.BURY:
            measure_combat(state, scratch)
        case Act.SLACK:
            scratch.metrics[Metric.SLACKERS] += 1
        case Act.KILL:
            scratch.metrics[Metric.KILL_CHOICES] += 1
        case Act.PEEK:
            is_look = MOVES[number].target != NOBODY
            scratch.metrics[Metric.LOOKS if is_look else Metric.LOOKS_DECLINED] += 1
        case Act.SCORE:
            measure_end(state, scratch)


@rule
def shape_of(state: State):
    """Whether one unit attacked one card, one attacked two, or two attacked one."""
    if SIZE[state.attacking] == 2:
        return TEAM
    return TWO if SIZE[state.attacked] == 2 else ONE


@rule
def measure_combat(state: State, scratch):
    """Count the dead of a combat, what it paid, and what everybody could conclude."""
    lost = measure_dead(state, ATTACKERS, scratch)
    won = measure_dead(state, DEFENDERS, scratch)
    scratch.metrics[Metric.ATTACKS_ON_ONE_THAT_PAY + shape_of(state)] += (
        won > lost or state.credit == Credit.ATTACKER
    )
    attackers, defenders = count_dead(state, ATTACKERS), count_dead(state, DEFENDERS)
    scratch.metrics[Metric.ATTACKERS_LOST] += attackers
    scratch.metrics[Metric.DEFENDERS_LOST] += defenders
    scratch.metrics[Metric.ATTACKERS_LOST_TO_MINES] += attackers * is_lost_to_mine(state)
    scratch.metrics[Metric.ATTACKS_WITH_LOSSES_ON_BOTH_SIDES] += attackers > 0 and defenders > 0
    measure_survivors(state, state.attacker - 1, ATTACKERS, state.attacking, scratch)
    measure_survivors(state, state.defender - 1, DEFENDERS, state.attacked, scratch)


@rule
def measure_dead(state: State, side, scratch):
    """Count the dead of one side by what they are; return what they are worth."""
    worth = 0
    for slot in range(SLOTS):
        card = state.fallen[side, slot]
        if card != NO_CARD:
            worth += worth_of(state, card)
            scratch.metrics[Metric.PLAIN_UNITS_KILLED] += is_plain(state, card)
            scratch.metrics[Metric.SPIES_KILLED] += is_spy(state, card)
            scratch.metrics[Metric.SAPPERS_KILLED] += is_sapper(state, card)
            scratch.metrics[Metric.KINGS_KILLED] += card == Card.KING
            scratch.metrics[Metric.MINES_DESTROYED] += card == Card.MINE
    return worth


@rule
def is_plain(state: State, card):
    """Whether a card is neither Spy nor Sapper, neither King nor mine."""
    return card < Card.KING and not is_spy(state, card) and not is_sapper(state, card)


@rule
def count_dead(state: State, side):
    """How many of one side died."""
    dead = 0
    for slot in range(SLOTS):
        dead += state.fallen[side, slot] != NO_CARD
    return dead


@rule
def is_lost_to_mine(state: State):
    """Whether the attackers that died met a mine, and were no Sappers."""
    mines = sappers = 0
    for slot in range(SLOTS):
        is_attacked = (state.attacked >> slot) & 1
        mines += is_attacked and state.in_play[state.defender - 1, slot] == Card.MINE
        mines += state.fallen[DEFENDERS, slot] == Card.MINE
        sappers += is_sapper(state, state.fallen[ATTACKERS, slot])
    return mines > 0 and sappers == 0


@rule
def measure_survivors(state: State, seat, side, slots, scratch):
    """Count who survived, and how many kinds their open lists no longer have."""
    for slot in range(SLOTS):
        if (slots >> slot) & 1 and state.fallen[side, slot] == NO_CARD:
            scratch.metrics[Metric.SURVIVORS] += 1
            ruled_out = 0
            for card in range(1, KINDS):
                is_listed = (state.can_be[seat, slot] >> card) & 1
                ruled_out += (state.living[seat, card] > 0) & (is_listed == 0)
            scratch.metrics[Metric.KINDS_RULED_OUT] += ruled_out


@rule
def measure_end(state: State, scratch):
    """Count how a match ended."""
    first = second = 0  # the highest points, and the next
    last = 1000
    winners = 0
    for seat in range(state.players):
        points = state.points[seat]
        second = max(second, min(first, points))
        first, last = max(first, points), min(last, points)
        winners += state.won[seat]
        scratch.metrics[Metric.POINTS] += points
        scratch.metrics[Metric.STOPPED_PLAYERS] += state.status[seat] == Status.STOPPED
        scratch.metrics[Metric.CARDS_LEFT] += (
            SIZE[state.filled[seat]] + state.held[seat] + state.pile_size[seat]
        )
    scratch.metrics[Metric.TURNS] += state.turn_no
    scratch.metrics[Metric.MARGIN] += first - second
    scratch.metrics[Metric.SPREAD] += first - last
    scratch.metrics[Metric.TIES] += winners > 1
    scratch.metrics[Metric.FIRST_PLAYER_WINS] += state.won[state.first - 1]
    scratch.metrics[Metric.STOPS] += state.reason == Reason.STOP
    scratch.metrics[Metric.ENDS_WITH_NOBODY_ACTIVE] += state.reason == Reason.NOBODY_ACTIVE
