# mypy: allow-untyped-defs, allow-untyped-calls
"""The last round of District Noir, solved exactly.

In the last round the pile is empty, so all that a seat does not know is which of the unseen cards
the other one holds: at the start of the fourth round there are 56 deals. For each legal move this
gives its expected result, every deal being equally likely, when from then on **both play
perfectly with all cards open**: in each deal the other one answers as well as can be, and so do I.
Against an opponent who sees all cards nobody can expect more; `WORST` is the result in the worst
of the deals.
"""

from __future__ import annotations

import numpy as np

from brelan.rules import rule

from .cards import KNOBS, LARGEST, NO_CARD, PLAY
from .imagine import gather_unseen
from .rules import can_take, count_points, has_all_cities, more_supports
from .state import Phase, State, fits
from .trial import try_move, try_play, try_take, undo_move, undo_play, undo_take

FinalTie = KNOBS.choice("final_tie")

MOST_CARDS = 10  # in both hands
MOST_DEALS = 56
WIN, DRAW, LOSS = 1, 0, -1
EXPECTED, WORST = 0, 1  # the columns of values
LOW, HIGH, BEST, NEXT, TRIED, UNDO = 0, 1, 2, 3, 4, 5  # the columns of the stack
DEEPEST = MOST_CARDS + 3  # both hands and two takes


@rule
def is_solvable(view: State):
    """Whether this is the last round, and few enough cards are unseen."""
    if view.phase != Phase.ACT or view.round_no != view.rounds:
        return False
    other = 1 - view.turn
    if view.held[0] + view.held[1] > MOST_CARDS:
        return False
    unseen = np.empty(LARGEST, np.int16)
    return ways(gather_unseen(view, view.turn, unseen), view.held[other]) <= MOST_DEALS


@rule
def ways(count, chosen):
    """In how many ways so many cards can be chosen."""
    number = 1
    for place in range(chosen):
        number = number * (count - place) // (place + 1)
    return number


@rule
def solve(view: State, scratch, values):
    """Write the value of each legal move: the mean of its results, and the worst.

    The view serves as the table on which the round is played out; it is left as it was.
    """
    me, other = view.turn, 1 - view.turn
    unseen = np.empty(LARGEST, np.int16)
    count = gather_unseen(view, me, unseen)
    for place in range(scratch.count):
        values[place, EXPECTED] = 0
        values[place, WORST] = WIN
    total, chosen = 0, (1 << view.held[other]) - 1
    for _ in range(ways(count, view.held[other])):
        weight = deal_hand(view, other, unseen, count, chosen)
        chosen = next_choice(chosen)
        if weight > 0 and fits(view, other):
            total += weight
            for place in range(scratch.count):
                result = value_of(view, me, scratch.moves[place] - PLAY)
                values[place, EXPECTED] += weight * result
                values[place, WORST] = min(values[place, WORST], result)
    for place in range(scratch.count):
        values[place, EXPECTED] /= total
    for place in range(view.held[other]):
        view.hand[other, place] = NO_CARD
    count_points(view)


@rule
def next_choice(chosen):
    """The next larger number with as many bits set, which chooses as many cards."""
    if chosen == 0:
        return 0
    lowest = chosen & -chosen
    carried = chosen + lowest
    return carried | (((chosen ^ carried) >> 2) // lowest)


@rule
def deal_hand(view: State, other, unseen, count, chosen):
    """Deal the cards whose bits are set; return in how many ways, 0 if it was dealt before.

    Equal cards lie together: only the first of them are dealt, for all ways to choose so many.
    """
    size, weight, place = 0, 1, 0
    while place < count:
        copies = picked = 0
        card = unseen[place]
        while place < count and unseen[place] == card:
            if (chosen >> place) & 1:
                if picked < copies:
                    return 0
                view.hand[other, size] = card
                size += 1
                picked += 1
            copies += 1
            place += 1
        weight *= ways(copies, picked)
    return weight


@rule
def value_of(world: State, seat, card):
    """What a move is worth to the seat that makes it, all cards being open."""
    place, under = try_move(world, seat, card)
    has_won = card == NO_CARD and has_all_cities(world, seat)
    value = WIN if has_won else -best_value(world, 1 - seat)
    undo_move(world, seat, card, place, under)
    return value


@rule
def best_value(world: State, seat):
    """What the round is worth to the seat in turn, by alpha and beta (here LOW and HIGH).

    A rule that called itself could not be kept as machine code, so the stack is written out.
    """
    stack = np.empty((DEEPEST, 6), np.int64)
    begin_level(stack, 0, LOSS, WIN)
    depth = 0
    while True:
        player = seat if depth % 2 == 0 else 1 - seat
        if world.has_taken[0] and world.has_taken[1]:
            value = outcome(world, player)
        elif try_next(world, player, stack, depth):
            better = max(stack[depth, LOW], stack[depth, BEST])
            begin_level(stack, depth + 1, -stack[depth, HIGH], -better)
            depth += 1
            continue
        else:
            value = stack[depth, BEST]
        if depth == 0:
            return value
        depth -= 1
        undo_last(world, 1 - player, stack, depth)
        stack[depth, BEST] = max(stack[depth, BEST], -value)


@rule
def begin_level(stack, depth, low, high):
    """Nothing is tried yet at this depth."""
    stack[depth, LOW] = low
    stack[depth, HIGH] = high
    stack[depth, BEST] = LOSS
    stack[depth, NEXT] = stack[depth, TRIED] = 0


@rule
def try_next(world: State, player, stack, depth):
    """Make the next move that is worth trying, the take first; False if there is none left."""
    while stack[depth, NEXT] <= world.held[player] and stack[depth, BEST] < stack[depth, HIGH]:
        option = stack[depth, NEXT]
        stack[depth, NEXT] += 1
        if option > 0:
            card = world.hand[player, option - 1]
            if (stack[depth, TRIED] >> card) & 1 == 0:
                stack[depth, TRIED] |= 1 << card
                stack[depth, UNDO] = try_play(world, player, option - 1)
                return True
        elif can_take(world, player):
            stack[depth, UNDO] = try_take(world, player)
            if not has_all_cities(world, player):
                return True
            undo_take(world, player, stack[depth, UNDO])
            stack[depth, BEST] = WIN
    return False


@rule
def undo_last(world: State, player, stack, depth):
    """Take back the move that was tried last at this depth."""
    option = stack[depth, NEXT] - 1
    if option > 0:
        undo_play(world, player, option - 1, stack[depth, UNDO])
    else:
        undo_take(world, player, stack[depth, UNDO])


@rule
def outcome(world: State, seat):
    """§7 The result for a seat when both have taken."""
    count_points(world)
    more = world.points[seat] - world.points[1 - seat]
    if more == 0:
        more = more_supports(world) if seat == 0 else -more_supports(world)
    if more == 0 and world.final_tie == FinalTie.SECOND_PLAYER_WINS:
        return LOSS if seat == world.opener else WIN
    return WIN if more > 0 else LOSS if more < 0 else DRAW
