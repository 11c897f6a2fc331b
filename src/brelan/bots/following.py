"""Following: many worlds go the way that the match went, and those live on that explain it.

Where too much may have happened to go through it all, or more than one other seat plays, worlds
are drawn: a card that nobody has looked at is blank, and gets any face when somebody looks at it.
After each move a world counts as much as that move was likely in it; then all worlds are drawn
again by what they count. (Elsewhere this is called a particle filter.)
"""

from __future__ import annotations

from brelan.bots.deduction import make, odds_of, shows, what_was_done
from brelan.bots.search import cast
from brelan.driver import look
from brelan.words import TABLE, any_way, chance, copy_cards, count_ways, rule

ROUNDING = 1e-9  # so that the last lot falls to a world that counts


@rule
def follow(state, view, raw, desk, mind, seat):
    """Fill the worlds that are believed in, from the deal that is remembered first until now.

    They are as many as the fewest that a single move left alive, for the others are their copies.
    """
    everyone = len(mind.worlds)
    for place in range(everyone):
        copy_cards(mind.worlds[place], mind.past[0])
        cast(desk, mind, seat)
        copy_cards(mind.casts[place], desk.bots)
    fewest = everyone
    for ply in range(mind.plies + 1):
        fewest = min(fewest, go_on_all(state, view, raw, desk, mind, seat, ply))
        if fewest == 0:
            return
        live_on(desk, mind, everyone if ply < mind.plies else fewest)
    mind.believed = fewest


@rule
def go_on_all(state, view, raw, desk, mind, seat, ply):
    """Let all worlds go on from a ply, again and again, until as many came to something.

    Return how many did the first time.
    """
    mind.alive = first_time = attempt = 0
    everyone = len(mind.worlds)
    most = max(everyone, mind.reading // (mind.plies + 1))
    while attempt < most and mind.alive < everyone:
        try_on(state, view, raw, desk, mind, seat, ply, attempt % everyone)
        attempt += 1
        if attempt <= everyone:
            first_time = mind.alive
    return first_time


@rule
def try_on(state, view, raw, desk, mind, seat, ply, place):
    """Let a world go on from a ply in any way; if it comes to what the seat saw, it lives."""
    copy_cards(raw.state, mind.worlds[place])
    any_way(desk)
    odds = shows(state, view, raw, desk, mind, seat, ply)
    if odds == 0.0:
        return
    if ply < mind.plies:
        odds *= goes_on(state, view, raw, desk, mind, seat, ply, place)
    copy_cards(mind.guesses[mind.alive], raw.state)
    copy_cards(mind.roles[mind.alive], mind.casts[place])
    mind.credence[mind.alive] = odds * count_ways(desk)
    if ply < mind.plies and shows(state, view, raw, desk, mind, seat, ply + 1) == 0.0:
        return  # what that would have shown, it shows again when it goes on
    mind.alive += 1


@rule
def goes_on(state, view, raw, desk, mind, seat, ply, place):
    """Make the move that was made at a ply; return how likely it was."""
    odds, number = 1.0, mind.moves[ply]
    if state.turn != seat:
        number = what_was_done(state, desk, number)
        if state.turn != TABLE:
            legal = desk.count
            look(raw, state.turn)
            odds = odds_of(mind.casts[place, state.turn], view, desk, number, legal)
    make(state, desk, mind, number)
    return odds


@rule
def live_on(desk, mind, count):
    """Draw all worlds from the guesses, each as often as it counts."""
    total = 0.0
    for guess in range(mind.alive):
        total += mind.credence[guess]
    step = total * (1 - ROUNDING) / count
    lot, chosen = chance(desk.luck) * step - mind.credence[0], 0
    for place in range(count):
        while lot >= 0.0 and chosen + 1 < mind.alive:
            chosen += 1
            lot -= mind.credence[chosen]
        copy_cards(mind.worlds[place], mind.guesses[chosen])
        copy_cards(mind.casts[place], mind.roles[chosen])
        lot += step
