"""Exact inference: all worlds that a match can have led to, each with how likely it is.

A hypothesis is a world in which a card that nobody has looked at is blank: they are few. From the
deal on, each is gone on from in every way, from one decision of the seat to its next: a card gets
a face when somebody looks at it, and the other player moves as any of the bots may. A way in which
the seat would have seen something else comes to nothing. It needs a game with two seats that says
what faces blank cards may have, and how likely its bots make a move.
"""

from __future__ import annotations

from brelan.bots.belief.opponents import is_legal
from brelan.bots.belief.record import EPSILON
from brelan.engine.driver import RANDOM, public_equals, view_equals, write_view
from brelan.rules import (
    TABLE,
    branch,
    clear,
    copy_cards,
    first_branch,
    hash64,
    next_branch,
    random_unit,
    rule,
)
from brelan.rules.hooks import legal_moves, move_probability, play, reveal_seen

TABLE_BRANCHES = 8  # lucks of which one is the table's, where it needs any


@rule
def enumerate_worlds(state, view, raw, scratch, belief, seat):
    """Find all hypotheses, from the deal that is observed first until now; none if too many.

    Then fill the worlds that are believed in with them.
    """
    copy_cards(belief.hypotheses[0], belief.observations[0])
    copy_cards(belief.joint[0], belief.model_posterior[1 - seat])
    belief.hypothesis_count = 1
    first = 0
    for ply in range(belief.plies + 1):
        copy_cards(raw.seen, belief.observations[ply])
        if view.turn == seat or ply == 0 or ply == belief.plies:
            if not extend(state, view, raw, scratch, belief, seat, first, ply):
                belief.hypothesis_count = 0
                return
            first = ply
    systematic_resample(scratch, belief, seat)


@rule
def extend(state, view, raw, scratch, belief, seat, first, last):
    """Extend each hypothesis, in every way, to what the seat saw later; False: too many."""
    before = belief.hypothesis_count
    for hypothesis in range(before):
        copy_cards(belief.previous[hypothesis], belief.hypotheses[hypothesis])
        copy_cards(belief.previous_joint[hypothesis], belief.joint[hypothesis])
    belief.hypothesis_count = 0
    for hypothesis in range(before):
        first_branch(scratch)
        more = True
        while more:
            copy_cards(raw.state, belief.previous[hypothesis])
            copy_cards(belief.path_joint, belief.previous_joint[hypothesis])
            is_so = reproduces(state, view, raw, scratch, belief, seat, first, last)
            if (is_so and not add_hypothesis(raw, belief)) or belief.steps >= belief.budget:
                return False
            more = next_branch(scratch)
    return True


@rule
def reproduces(state, view, raw, scratch, belief, seat, first, last):
    """Whether the seat sees the same again, move by move."""
    for ply in range(first, last + 1):
        odds = reveal_probability(state, view, raw, scratch, belief, seat, ply)
        if odds == 0.0:
            return False
        for bot in range(len(belief.path_joint)):
            belief.path_joint[bot] *= odds
        if ply < last:
            number = belief.moves[ply]
            if state.turn != seat:
                number = actual_move(state, scratch, number)
                if state.turn != TABLE:
                    condition_on_move(state, view, raw, scratch, belief, number)
            make_move(state, scratch, belief, number)
    return True


@rule
def reveal_probability(state, view, raw, scratch, belief, seat, ply):
    """Give cards that are looked at a face; return how likely they have it, 0: it was not so."""
    if not public_equals(raw, belief.observations[ply]):
        return 0.0
    copy_cards(raw.seen, belief.observations[ply])
    odds = reveal_seen(state, view, seat, scratch)
    return odds if view_equals(raw, seat, belief.observations[ply]) else 0.0


@rule
def make_move(state, scratch, belief, number):
    """Make a move; the table's may need luck."""
    if state.turn == TABLE:
        state.luck[0] = branch(scratch, TABLE_BRANCHES)
    play(state, number)
    state.luck[0] = 0
    belief.steps += 1


@rule
def actual_move(state, scratch, shown):
    """Return the move that was shown; if it was made face down, any."""
    if is_legal(state, scratch, shown):
        return shown
    return scratch.moves[branch(scratch, scratch.count)]


@rule
def condition_on_move(state, view, raw, scratch, belief, number):
    """Count in how likely each bot makes a move."""
    legal = scratch.count
    write_view(raw, state.turn)
    for bot in range(len(belief.path_joint)):
        if belief.path_joint[bot] > 0.0:
            belief.path_joint[bot] *= mixed_probability(bot, view, scratch, number, legal)


@rule
def mixed_probability(bot, view, scratch, number, legal):
    """Return how likely a bot makes a move that is one of so many, on a whim or not."""
    odds = 1.0 / legal
    if bot == RANDOM or legal == 1:
        return odds
    legal_moves(view, scratch)
    return EPSILON / 1000 * odds + (1 - EPSILON / 1000) * move_probability(
        bot - 1, view, number, scratch
    )


@rule
def add_hypothesis(raw, belief):
    """Write down the hypothesis that was come to, once; False: there is no room."""
    key = hash64(raw.state)
    hypothesis = 0
    while hypothesis < belief.hypothesis_count and belief.hashes[hypothesis] != key:
        hypothesis += 1
    if hypothesis == belief.hypothesis_count:
        if hypothesis == len(belief.hypotheses):
            return False
        copy_cards(belief.hypotheses[hypothesis], raw.state)
        belief.hashes[hypothesis] = key
        clear(belief.joint[hypothesis])
        belief.hypothesis_count += 1
    for bot in range(len(belief.path_joint)):
        belief.joint[hypothesis, bot] += belief.path_joint[bot]
    return True


@rule
def systematic_resample(scratch, belief, seat):
    """Fill all particles with hypotheses, each as often as it is likely."""
    total = 0.0
    for hypothesis in range(belief.hypothesis_count):
        for bot in range(len(belief.path_joint)):
            total += belief.joint[hypothesis, bot]
    if total == 0.0:
        return
    lot, step = (
        random_unit(scratch.luck) * total / len(belief.particles),
        total / len(belief.particles),
    )
    for hypothesis in range(belief.hypothesis_count):
        for bot in range(len(belief.path_joint)):
            lot -= belief.joint[hypothesis, bot]
            while lot < 0 and belief.particle_count < len(belief.particles):
                copy_cards(belief.particles[belief.particle_count], belief.hypotheses[hypothesis])
                copy_cards(belief.models[belief.particle_count], scratch.bots)
                belief.models[belief.particle_count, 1 - seat] = bot
                belief.particle_count += 1
                lot += step
