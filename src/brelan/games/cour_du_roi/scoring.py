"""The end of a game and the points of La cour du Roi (§8, §9)."""

from __future__ import annotations

from brelan.rules import TABLE, rule

from .cards import FAMILIES, FAMILY, KNOBS, NO_CARD, RANK, ROW, SLOTS
from .court import slots_for
from .state import Phase, Reason, State

EndCheck = KNOBS.choice("end_check")
TieBreak = KNOBS.choice("tie_break")


# ---------------------------------------------------------------- §8 end of the game


@rule
def reason_to_end(state: State):
    """§8 All hands are empty, or at most one player can play; by option nobody can."""
    held = able = 0
    for seat in range(state.players):
        held += state.held[seat]
        able += can_play(state, seat)
    if held == 0:
        return Reason.HANDS_EMPTY
    if able == 0:
        return Reason.NOBODY_CAN_PLAY
    if able == 1 and state.end_check != EndCheck.SOLO_FINISH:
        return Reason.ONE_CAN_PLAY
    return Reason.NONE


@rule
def can_play(state: State, seat):
    """§8 Whether a player has a legal play."""
    place = 0
    while place < state.held[seat] and slots_for(state, state.hand[seat, place]) == 0:
        place += 1
    return place < state.held[seat]


@rule
def end_game(state: State, reason):
    """§8 Nobody plays any more; the table will count."""
    state.reason = reason
    state.turn = TABLE
    state.phase = Phase.SCORE


# ---------------------------------------------------------------- §9 counting the points


@rule
def score_game(state: State):
    """§9 The points are counted and everything but the hands is revealed; on to the next game."""
    for seat in range(state.players):
        state.points[seat] = points_of(state, seat)
        state.total[seat] += state.points[seat]
        state.revealed[seat] = state.serves[seat]
    reveal_aside(state)
    if state.game_no < state.games:
        state.phase = Phase.DEAL
    else:
        state.phase = Phase.OVER
        find_winners(state)


@rule
def reveal_aside(state: State):
    """§9 The Kings set aside are turned up."""
    for place in range(FAMILIES - state.players):
        if state.aside[place] != NO_CARD:
            state.shown_aside[place] = state.aside[place]
            state.aside[place] = NO_CARD


@rule
def is_own(state: State, seat, slot):
    """§9 Whether a slot shows a card of a player's family."""
    card = state.court[slot]
    return card != NO_CARD and FAMILY[card] == FAMILY[state.serves[seat]]


@rule
def points_of(state: State, seat):
    """§9 The value of each visible card of the own family, times its row."""
    points = 0
    for slot in range(SLOTS):
        if is_own(state, seat, slot):
            points += RANK[state.court[slot]] * ROW[slot]
    return points


@rule
def find_winners(state: State):
    """§9 The highest total wins; players who share it win together, unless an option decides."""
    best = 0
    for seat in range(state.players):
        best = max(best, rank_of(state, seat))
    for seat in range(state.players):
        state.match_won[seat] = rank_of(state, seat) == best


@rule
def rank_of(state: State, seat):
    """§9 The total; §14 by option then the highest row of the family, then its number of cards."""
    highest = count = 0
    if state.tie_break == TieBreak.SUMMIT:
        for slot in range(SLOTS):
            if is_own(state, seat, slot):
                highest = max(highest, int(ROW[slot]))
                count += 1
    return (int(state.total[seat]) * 8 + highest) * 16 + count
