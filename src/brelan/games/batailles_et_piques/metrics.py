"""What a designer measures in a match of Batailles et piques."""

from __future__ import annotations

from brelan.words import NOBODY, rule

from .cards import KINDS, KNOBS, MOVES, NO_CARD, SIZE, SLOTS, Act, Card
from .combat import is_sapper, is_spy
from .scoring import worth_of
from .sight import ATTACKERS, DEFENDERS, Reason, Status

METRICS = (
    "turns",
    "attacks_on_one",
    "attacks_on_two",
    "teamworks",
    "slackers",
    "attacks_on_one_that_pay",  # the attacker takes more points than the defender
    "attacks_on_two_that_pay",
    "teamworks_that_pay",
    "kill_choices",
    "looks",
    "looks_declined",
    "plain_units_killed",
    "spies_killed",
    "sappers_killed",
    "kings_killed",
    "mines_cleared",
    "attackers_lost",
    "defenders_lost",
    "attackers_lost_to_mines",
    "attacks_with_losses_on_both_sides",
    "cards_shown_in_combat",
    "survivors",
    "kinds_ruled_out",  # on the open lists of survivors, just after their combat
    "points",
    "margin",  # between the first and the second
    "spread",  # between the first and the last
    "ties",
    "first_player_wins",
    "stopped_players",
    "cards_left",
    "stops",
    "ends_with_nobody_active",
)

Credit = KNOBS.choice("credit")

ONE, TWO, TEAM = 0, 1, 2  # the shapes of an attack


@rule
def measure(state, number, desk):
    """Count what a move has brought about."""
    match MOVES[number].act:
        case Act.ATTACK:
            desk.metrics[1 + shape_of(state)] += 1
            desk.metrics[20] += SIZE[state.attacking] + SIZE[state.attacked]
        case Act.BURY:
            measure_combat(state, desk)
        case Act.SLACK:
            desk.metrics[4] += 1
        case Act.KILL:
            desk.metrics[8] += 1
        case Act.PEEK:
            desk.metrics[9 if MOVES[number].target != NOBODY else 10] += 1
        case Act.SCORE:
            measure_end(state, desk)


@rule
def shape_of(state):
    """Whether one unit attacked one card, one attacked two, or two attacked one."""
    if SIZE[state.attacking] == 2:
        return TEAM
    return TWO if SIZE[state.attacked] == 2 else ONE


@rule
def measure_combat(state, desk):
    """Count the dead of a combat, what it paid, and what everybody could conclude."""
    lost = measure_dead(state, ATTACKERS, desk)
    won = measure_dead(state, DEFENDERS, desk)
    desk.metrics[5 + shape_of(state)] += won > lost or state.credit == Credit.ATTACKER
    attackers, defenders = count_dead(state, ATTACKERS), count_dead(state, DEFENDERS)
    desk.metrics[16] += attackers
    desk.metrics[17] += defenders
    desk.metrics[18] += attackers * is_lost_to_mine(state)
    desk.metrics[19] += attackers > 0 and defenders > 0
    measure_survivors(state, state.attacker - 1, ATTACKERS, state.attacking, desk)
    measure_survivors(state, state.defender - 1, DEFENDERS, state.attacked, desk)


@rule
def measure_dead(state, side, desk):
    """Count the dead of one side by what they are; return what they are worth."""
    worth = 0
    for slot in range(SLOTS):
        card = state.fallen[side, slot]
        if card != NO_CARD:
            worth += worth_of(state, card)
            desk.metrics[11] += is_plain(state, card)
            desk.metrics[12] += is_spy(state, card)
            desk.metrics[13] += is_sapper(state, card)
            desk.metrics[14] += card == Card.KING
            desk.metrics[15] += card == Card.MINE
    return worth


@rule
def is_plain(state, card):
    """Whether a card is neither Spy nor Sapper, neither King nor mine."""
    return card < Card.KING and not is_spy(state, card) and not is_sapper(state, card)


@rule
def count_dead(state, side):
    """How many of one side died."""
    dead = 0
    for slot in range(SLOTS):
        dead += state.fallen[side, slot] != NO_CARD
    return dead


@rule
def is_lost_to_mine(state):
    """Whether the attackers that died met a mine, and were no Sappers."""
    mines = sappers = 0
    for slot in range(SLOTS):
        is_attacked = (state.attacked >> slot) & 1
        mines += is_attacked and state.in_play[state.defender - 1, slot] == Card.MINE
        mines += state.fallen[DEFENDERS, slot] == Card.MINE
        sappers += is_sapper(state, state.fallen[ATTACKERS, slot])
    return mines > 0 and sappers == 0


@rule
def measure_survivors(state, seat, side, slots, desk):
    """Count who survived, and how many kinds their open lists no longer have."""
    for slot in range(SLOTS):
        if (slots >> slot) & 1 and state.fallen[side, slot] == NO_CARD:
            desk.metrics[21] += 1
            ruled_out = 0
            for card in range(1, KINDS):
                is_listed = (state.can_be[seat, slot] >> card) & 1
                ruled_out += (state.living[seat, card] > 0) & (is_listed == 0)
            desk.metrics[22] += ruled_out


@rule
def measure_end(state, desk):
    """Count how a match ended."""
    first = second = 0  # the highest points, and the next
    last = 1000
    winners = 0
    for seat in range(state.players):
        points = state.points[seat] + 0
        second = max(second, min(first, points))
        first, last = max(first, points), min(last, points)
        winners += state.won[seat]
        desk.metrics[23] += points
        desk.metrics[28] += state.status[seat] == Status.STOPPED
        desk.metrics[29] += SIZE[state.filled[seat]] + state.held[seat] + state.pile_size[seat]
    desk.metrics[0] += state.turn_no
    desk.metrics[24] += first - second
    desk.metrics[25] += first - last
    desk.metrics[26] += winners > 1
    desk.metrics[27] += state.won[state.first - 1]
    desk.metrics[30] += state.reason == Reason.STOP
    desk.metrics[31] += state.reason == Reason.NOBODY_ACTIVE
