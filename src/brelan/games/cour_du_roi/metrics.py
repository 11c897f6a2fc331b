"""What a designer measures in a match of La cour du Roi: all its games together."""

from __future__ import annotations

import enum

from brelan.rules import rule

from .cards import DECLINE, FAMILY, MOVES, NO_CARD, PASS, RANK, ROW, SCORE, SLOTS, SUMMIT, Kind
from .scoring import is_own
from .state import BY_SEAT, Phase, Reason, State


class Metric(enum.IntEnum):
    """All that is measured; a player is *best* who has the most points of a game."""

    GAMES = 0
    ROUNDS_OF_TURNS = 1
    FIRST_PLAYER_BEST = 2
    LAST_PLAYER_BEST = 3
    POINTS_OF_FIRST = 4  # the points of the players in the order of their turns
    POINTS_OF_SECOND = 5
    POINTS_OF_THIRD = 6
    POINTS_OF_FOURTH = 7
    HEARTS = 8  # what each family shows on the Court, whoever serves it
    DIAMONDS = 9
    CLUBS = 10
    SPADES = 11
    DEAD_FAMILIES = 12  # what is shown by families that nobody serves
    SUMMIT_FILLED = 13
    SUMMIT_POINTS = 14
    SUMMIT_BEST = 15  # the family at the top has the most points
    CARDS_LAID = 16
    CARDS_COVERED = 17
    CARDS_LEFT = 18
    SLOTS_FILLED = 19
    PASSES = 20
    SWAPS = 21
    EXCHANGES = 22
    DECLINED = 23
    ENDED_HANDS_EMPTY = 24
    ENDED_NOBODY_CAN_PLAY = 25
    ENDED_ONE_CAN_PLAY = 26
    BEST_POINTS = 27
    SHARED_BEST = 28
    SHARED_WINS = 29


METRICS = tuple(metric.name.lower() for metric in Metric)


@rule
def measure(state: State, number, scratch):
    """Count what a move has brought about."""
    if number == SCORE:
        measure_points(state, scratch)
        measure_court(state, scratch)
        measure_log(state, scratch)
        measure_end(state, scratch)
    else:
        scratch.metrics[Metric.PASSES] += number == PASS
        scratch.metrics[Metric.DECLINED] += number == DECLINE


@rule
def best_points(state: State):
    """The most points of the game that is over."""
    best = state.points[0]
    for seat in range(1, state.players):
        best = max(best, state.points[seat])
    return best


@rule
def measure_points(state: State, scratch):
    """Count the points in the order of turns, and who has most."""
    best, shared = best_points(state), -1
    for turn in range(state.players):
        seat = (state.first - 1 + turn) % state.players
        scratch.metrics[Metric.POINTS_OF_FIRST + turn] += state.points[seat]
        shared += state.points[seat] == best
        if state.points[seat] == best:
            scratch.metrics[Metric.FIRST_PLAYER_BEST] += turn == 0
            scratch.metrics[Metric.LAST_PLAYER_BEST] += turn == state.players - 1
            scratch.metrics[Metric.SUMMIT_BEST] += is_own(state, seat, SUMMIT)
        scratch.metrics[Metric.CARDS_LEFT] += state.held[seat]
        scratch.metrics[Metric.DEAD_FAMILIES] -= state.points[
            seat
        ]  # what measure_court adds is left
    scratch.metrics[Metric.BEST_POINTS] += best
    scratch.metrics[Metric.SHARED_BEST] += shared > 0


@rule
def measure_court(state: State, scratch):
    """Count what the Court shows."""
    for slot in range(SLOTS):
        card = state.court[slot]
        if card != NO_CARD:
            points = RANK[card] * ROW[slot]
            scratch.metrics[Metric.SLOTS_FILLED] += 1
            scratch.metrics[Metric.HEARTS + FAMILY[card]] += points
            scratch.metrics[Metric.DEAD_FAMILIES] += points
            if slot == SUMMIT:
                scratch.metrics[Metric.SUMMIT_FILLED] += 1
                scratch.metrics[Metric.SUMMIT_POINTS] += points


@rule
def measure_log(state: State, scratch):
    """Count cards, swaps and exchanges."""
    for entry in range(state.log_size):
        kind = MOVES[state.log[entry] % BY_SEAT].kind
        scratch.metrics[Metric.CARDS_LAID] += kind == Kind.LAY
        scratch.metrics[Metric.SWAPS] += kind == Kind.SWAP
    scratch.metrics[Metric.EXCHANGES] += state.exchange_no
    scratch.metrics[Metric.CARDS_COVERED] += state.discard_size


@rule
def measure_end(state: State, scratch):
    """Count how a game, and the match, ended."""
    scratch.metrics[Metric.GAMES] += 1
    scratch.metrics[Metric.ROUNDS_OF_TURNS] += state.round_no
    scratch.metrics[Metric.ENDED_HANDS_EMPTY] += state.reason == Reason.HANDS_EMPTY
    scratch.metrics[Metric.ENDED_NOBODY_CAN_PLAY] += state.reason == Reason.NOBODY_CAN_PLAY
    scratch.metrics[Metric.ENDED_ONE_CAN_PLAY] += state.reason == Reason.ONE_CAN_PLAY
    if state.phase == Phase.OVER:
        winners = 0
        for seat in range(state.players):
            winners += state.match_won[seat]
        scratch.metrics[Metric.SHARED_WINS] += winners > 1
