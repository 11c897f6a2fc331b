# mypy: allow-untyped-defs, allow-untyped-calls
"""Trying moves out on a view of Art of War, for bots that look a turn ahead.

A trial changes the battlefields, whose turn it is, and what decides how hard a blow is; `keep` and
`restore` put that back. All of it lies open, so a view is enough.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import rule

from .battle import captures, in_range, is_execution, occupied, outcome_of, strength, targets
from .cards import (
    ANY_KING,
    BLOW,
    DEFENCE,
    FRONT,
    MOVES,
    NO_CARD,
    NOWHERE,
    SLOTS,
    Action,
    Card,
    Reserve,
)
from .conscription import Conscription
from .state import Outcome, Posture, State
from .zones import king_meant, opponent, place_of_citizen, place_unit, remove_unit

EXECUTION = 10_000
WOUND = 1
GAIN = np.array([0, 0, WOUND, 20, 13], np.int16)  # of a blow, by its outcome

# Where `keep` writes what a trial may change: the units of both seats, then all the rest.
POSTURES, DAMAGE, HELD = 2 * SLOTS, 4 * SLOTS, 6 * SLOTS
ACTIVE, BONUS = HELD + 2, HELD + 3
KEPT = HELD + 4


@rule
def keep(view: State, kept):
    """Write down what a trial may change."""
    for slot in range(2 * SLOTS):
        seat, at = slot // SLOTS, slot % SLOTS
        kept[slot] = view.unit[seat, at]
        kept[POSTURES + slot] = view.posture[seat, at]
        kept[DAMAGE + slot] = view.damage[seat, at]
    kept[HELD], kept[HELD + 1] = view.held[0], view.held[1]
    kept[ACTIVE], kept[BONUS] = view.active, view.bonus


@rule
def restore(view: State, kept):
    """Put everything back as it was kept."""
    for slot in range(2 * SLOTS):
        seat, at = slot // SLOTS, slot % SLOTS
        view.unit[seat, at] = kept[slot]
        view.posture[seat, at] = kept[POSTURES + slot]
        view.damage[seat, at] = kept[DAMAGE + slot]
    view.held[0], view.held[1] = kept[HELD], kept[HELD + 1]
    view.active, view.bonus = kept[ACTIVE], kept[BONUS]


# ---------------------------------------------------------------- moves


@rule
def try_move(view: State, number):
    """Make a move of the seat in turn, as far as the battlefields go; return what it gains."""
    me, move = view.turn, MOVES[number]
    match move.action:
        case Action.ATTACK | Action.SWEEP:
            view.posture[me, move.slot] = Posture.OFFENSIVE
            return try_landing(view, move.slot, move.target)
        case Action.DEPLOY:
            try_deployment(view, me, move.card, move.slot)
        case Action.CONSCRIPT:
            place_unit(view, me, move.slot, conscript_of(view, me, move.card))
        case Action.SUPPORT:
            view.held[me] -= 1
            view.bonus += move.effect == Card.S
            if move.effect == Card.A:
                return hit(view, move.target, BLOW, False)
        case Action.PASS:
            return -try_landing(view, view.attacker, view.target)
        case Action.DEMOBILISE | Action.RESERVE:
            view.held[me] -= 1
    return 0


@rule
def try_deployment(view: State, me, kind, slot):
    """Deploy a unit; the one that stood there goes back to the hand, unless there is a reserve."""
    card = king_meant(view, me) if kind == ANY_KING else kind
    if view.reserve_size[me] > 0:
        card = view.reserves[me, 0]
    else:
        view.held[me] -= 1
    if view.unit[me, slot] != NO_CARD and view.reserve == Reserve.OFF:
        view.held[me] += 1
    place_unit(view, me, slot, card)


@rule
def conscript_of(view: State, me, kind):
    """The card that a conscription brings."""
    if view.reserve_size[me] > 0:
        return view.reserves[me, 0]
    if kind == NO_CARD:
        return view.kingdom[me, 0]
    if view.conscription == Conscription.TWO:
        return view.kingdom[me, place_of_citizen(view, me, kind)]
    return king_meant(view, me) if kind == ANY_KING else kind


@rule
def try_landing(view: State, slot, target):
    """Let an attack land on its target, or a sweep on everybody in range."""
    gain, value, enemy = 0, strength(view, slot), opponent(view.active)
    left = 1 << target
    if target == NOWHERE:
        left = in_range(view, slot) & occupied(view, enemy)
    for struck in range(SLOTS):
        if (left >> struck) & 1:
            is_there = view.unit[enemy, struck] != NO_CARD
            gain += hit(view, struck if is_there else struck - FRONT, value, True)
    return gain


@rule
def hit(view: State, slot, value, can_capture):
    """Let a blow fall on an enemy unit; return what it gains."""
    enemy, outcome = opponent(view.active), outcome_of(view, slot, value, can_capture)
    is_king = view.unit[enemy, slot] >= Card.K1
    if outcome == Outcome.WOUNDED:
        view.damage[enemy, slot] += value
    else:
        remove_unit(view, enemy, slot)
        if is_king and is_execution(view, outcome):
            return EXECUTION
    return GAIN[outcome]


# ---------------------------------------------------------------- turns


@rule
def begin_turn(view: State, seat):
    """Let a player stand the units up and draw."""
    for slot in range(SLOTS):
        view.posture[seat, slot] = Posture.DEFENSIVE
        view.damage[seat, slot] = 0
    view.active = seat
    view.held[seat] += 1
    view.bonus = 0


@rule
def prospects(view: State):
    """What the active player gains if each unit strikes where it gains most, no target twice."""
    gain, enemies = 0, occupied(view, opponent(view.active))
    for slot in range(SLOTS):
        best, most = 0, 0
        reached, value = targets(view, slot, enemies), strength(view, slot)
        for target in range(SLOTS):
            if (reached >> target) & 1:
                worth = GAIN[outcome_of(view, target, value, True)]
                if worth > most:
                    best, most = target, worth
        gain += most
        if most > WOUND:
            enemies ^= 1 << best
    return gain


# ---------------------------------------------------------------- Executions


@rule
def can_execute(view: State):
    """Whether the active player can fell an enemy King with the units that have not struck yet."""
    for slot in range(SLOTS):
        if view.unit[opponent(view.active), slot] >= Card.K1:
            for is_bared in range(1 + (slot >= FRONT)):
                if can_fell(view, slot, is_bared):
                    return True
    return False


@rule
def can_fell(view: State, slot, is_bared):
    """Whether a King falls where he stands; or bared, once the unit before him has fallen."""
    front, needed = 0, 0
    if is_bared:
        front = 1 << (slot - FRONT)
        needed = defence_left(view, slot - FRONT)
    weak, soldiers = strikers(view, front, False), strikers(view, front, True)
    all_weak = strikers(view, front | 1 << slot, False)
    all_soldiers = strikers(view, front | 1 << slot, True)
    for first in range(weak + 1):
        for second in range(soldiers + 1):
            if blows(view, first, second) >= needed and falls(
                view, slot, all_weak - first, all_soldiers - second
            ):
                return True
    return False


@rule
def defence_left(view: State, slot):
    """What is left of the defence of an enemy unit."""
    enemy = opponent(view.active)
    defence = DEFENCE[view.posture[enemy, slot], view.unit[enemy, slot]]
    return defence - view.damage[enemy, slot]


@rule
def strikers(view: State, slots, are_soldiers):
    """How many units that may attack, Soldiers or others, reach one of these slots."""
    count = 0
    for slot in range(SLOTS):
        is_soldier = view.unit[view.active, slot] == Card.S
        count += is_soldier == are_soldiers and targets(view, slot, slots) != 0
    return count


@rule
def blows(view: State, weak, soldiers):
    """What so many Soldiers and other units strike together."""
    return weak * (BLOW + view.bonus) + soldiers * (view.held[view.active] + view.bonus)


@rule
def falls(view: State, slot, weak, soldiers):
    """Whether some of these blows execute a King: the last one does, and none before it."""
    wounds, defence = view.damage[opponent(view.active), slot], defence_left(view, slot)
    for first in range(weak + 1):
        for second in range(soldiers + 1):
            struck = blows(view, first, second)
            for is_soldier in range(2):
                left = soldiers - second if is_soldier else weak - first
                last = blows(view, 1 - is_soldier, is_soldier)
                if left > 0 and struck < defence <= struck + last:
                    is_captured = captures(view, last, wounds + defence, wounds + struck)
                    if is_execution(view, Outcome.CAPTURED if is_captured else Outcome.DEAD):
                        return True
    return False


@rule
def is_last_turn(view: State, seat):
    """Whether a player will draw no more."""
    return view.pile_size[seat] == 0
