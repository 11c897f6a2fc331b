"""A particle filter: many worlds go the way that the match went; those live on that explain it.

Where too much may have happened to go through it all, or more than one other seat plays, worlds
are drawn: a card that nobody has looked at is blank, and gets any face when somebody looks at it.
After each move a world counts as much as that move was likely in it; then all worlds are drawn
again by what they count.
"""

from __future__ import annotations

from brelan.bots.belief.exact import actual_move, make_move, mixed_probability, reveal_probability
from brelan.bots.belief.opponents import sample_opponents
from brelan.engine.driver import write_view
from brelan.rules import TABLE, branch_count, copy_cards, random_branch, random_unit, rule

ROUNDING = 1e-9  # so that the last lot falls to a world that counts


@rule
def particle_filter(state, view, raw, scratch, belief, seat):
    """Fill the worlds that are believed in, from the deal that is remembered first until now.

    They are as many as the fewest that a single move left alive, for the others are their copies.
    """
    everyone = len(belief.particles)
    for place in range(everyone):
        copy_cards(belief.particles[place], belief.observations[0])
        sample_opponents(scratch, belief, seat)
        copy_cards(belief.models[place], scratch.bots)
    fewest = everyone
    for ply in range(belief.plies + 1):
        fewest = min(fewest, propagate(state, view, raw, scratch, belief, seat, ply))
        if fewest == 0:
            return
        resample(scratch, belief, everyone if ply < belief.plies else fewest)
    belief.particle_count = fewest


@rule
def propagate(state, view, raw, scratch, belief, seat, ply):
    """Let all worlds go on from a ply, again and again, until as many came to something.

    Return how many did the first time.
    """
    belief.survivors = first_time = attempt = 0
    everyone = len(belief.particles)
    most = max(everyone, belief.budget // (belief.plies + 1))
    while attempt < most and belief.survivors < everyone:
        propagate_particle(state, view, raw, scratch, belief, seat, ply, attempt % everyone)
        attempt += 1
        if attempt <= everyone:
            first_time = belief.survivors
    return first_time


@rule
def propagate_particle(state, view, raw, scratch, belief, seat, ply, place):
    """Let a world go on from a ply in any way; if it comes to what the seat saw, it lives."""
    copy_cards(raw.state, belief.particles[place])
    random_branch(scratch)
    odds = reveal_probability(state, view, raw, scratch, belief, seat, ply)
    if odds == 0.0:
        return
    if ply < belief.plies:
        odds *= make_observed_move(state, view, raw, scratch, belief, seat, ply, place)
    copy_cards(belief.hypotheses[belief.survivors], raw.state)
    copy_cards(belief.resampled_models[belief.survivors], belief.models[place])
    belief.weight[belief.survivors] = odds * branch_count(scratch)
    if (
        ply < belief.plies
        and reveal_probability(state, view, raw, scratch, belief, seat, ply + 1) == 0.0
    ):
        return  # what that would have shown, it shows again when it goes on
    belief.survivors += 1


@rule
def make_observed_move(state, view, raw, scratch, belief, seat, ply, place):
    """Make the move that was made at a ply; return how likely it was."""
    odds, number = 1.0, belief.moves[ply]
    if state.turn != seat:
        number = actual_move(state, scratch, number)
        if state.turn != TABLE:
            legal = scratch.count
            write_view(raw, state.turn)
            odds = mixed_probability(belief.models[place, state.turn], view, scratch, number, legal)
    make_move(state, scratch, belief, number)
    return odds


@rule
def resample(scratch, belief, count):
    """Draw all worlds from the hypotheses, each as often as it counts."""
    total = 0.0
    for hypothesis in range(belief.survivors):
        total += belief.weight[hypothesis]
    step = total * (1 - ROUNDING) / count
    lot, chosen = random_unit(scratch.luck) * step - belief.weight[0], 0
    for place in range(count):
        while lot >= 0.0 and chosen + 1 < belief.survivors:
            chosen += 1
            lot -= belief.weight[chosen]
        copy_cards(belief.particles[place], belief.hypotheses[chosen])
        copy_cards(belief.models[place], belief.resampled_models[chosen])
        lot += step
