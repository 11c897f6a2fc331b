"""Deduction: all worlds that a match can have led to, each with how likely it is, without chance.

A guess is a world in which a card that nobody has looked at is blank, so guesses are few. From the
deal on, each is gone on from in every way, from one decision of the seat to its next: a card gets
a face when somebody looks at it, and the other player moves as any of the bots may. A way in which
the seat would have seen something else comes to nothing. It needs a game with two seats that says
what faces blank cards may have, and how likely its bots make a move.
"""

from __future__ import annotations

from brelan.bots.mind import WHIM
from brelan.bots.search import is_legal
from brelan.driver import RANDOM, look, looks_alike, sees
from brelan.verbs import legal_moves, likelihood, play, uncover
from brelan.words import (
    TABLE,
    chance,
    copy_cards,
    fingerprint,
    first_way,
    next_way,
    one_of,
    rule,
)

LUCKS = 8  # lucks of which one is the table's, where it needs any


@rule
def deduce(state, view, raw, desk, mind, seat):
    """Find all guesses, from the deal that is remembered first until now; none if it is too much.

    Then fill the worlds that are believed in with them.
    """
    copy_cards(mind.guesses[0], mind.past[0])
    copy_cards(mind.chances[0], mind.odds[1 - seat])
    mind.guessed = 1
    first = 0
    for ply in range(mind.plies + 1):
        copy_cards(raw.seen, mind.past[ply])
        if view.turn == seat or ply == 0 or ply == mind.plies:
            if not go_on(state, view, raw, desk, mind, seat, first, ply):
                mind.guessed = 0
                return
            first = ply
    believe(desk, mind, seat)


@rule
def go_on(state, view, raw, desk, mind, seat, first, last):
    """Go on from each guess, in every way, to what the seat saw later; False: it is too much."""
    before = mind.guessed
    for guess in range(before):
        copy_cards(mind.earlier[guess], mind.guesses[guess])
        copy_cards(mind.hopes[guess], mind.chances[guess])
    mind.guessed = 0
    for guess in range(before):
        first_way(desk)
        more = True
        while more:
            copy_cards(raw.state, mind.earlier[guess])
            copy_cards(mind.path, mind.hopes[guess])
            is_so = comes_to(state, view, raw, desk, mind, seat, first, last)
            if (is_so and not note(raw, mind)) or mind.moved >= mind.reading:
                return False
            more = next_way(desk)
    return True


@rule
def comes_to(state, view, raw, desk, mind, seat, first, last):
    """Whether the seat sees the same again, move by move."""
    for ply in range(first, last + 1):
        odds = shows(state, view, raw, desk, mind, seat, ply)
        if odds == 0.0:
            return False
        for bot in range(len(mind.path)):
            mind.path[bot] *= odds
        if ply < last:
            number = mind.moves[ply]
            if state.turn != seat:
                number = what_was_done(state, desk, number)
                if state.turn != TABLE:
                    count_in(state, view, raw, desk, mind, number)
            make(state, desk, mind, number)
    return True


@rule
def shows(state, view, raw, desk, mind, seat, ply):
    """Give cards that are looked at a face; return how likely they have it, 0: it was not so."""
    if not looks_alike(raw, mind.past[ply]):
        return 0.0
    copy_cards(raw.seen, mind.past[ply])
    odds = uncover(state, view, seat, desk)
    return odds if sees(raw, seat, mind.past[ply]) else 0.0


@rule
def make(state, desk, mind, number):
    """Make a move; the table's may need luck."""
    if state.turn == TABLE:
        state.luck[0] = one_of(desk, LUCKS)
    play(state, number)
    state.luck[0] = 0
    mind.moved += 1


@rule
def what_was_done(state, desk, shown):
    """Return the move that was shown; if it was made face down, any."""
    if is_legal(state, desk, shown):
        return shown
    return desk.moves[one_of(desk, desk.count)]


@rule
def count_in(state, view, raw, desk, mind, number):
    """Count in how likely each bot makes a move."""
    legal = desk.count
    look(raw, state.turn)
    for bot in range(len(mind.path)):
        if mind.path[bot] > 0.0:
            mind.path[bot] *= odds_of(bot, view, desk, number, legal)


@rule
def odds_of(bot, view, desk, number, legal):
    """Return how likely a bot makes a move that is one of so many, on a whim or not."""
    odds = 1.0 / legal
    if bot == RANDOM or legal == 1:
        return odds
    legal_moves(view, desk)
    return WHIM / 1000 * odds + (1 - WHIM / 1000) * likelihood(bot - 1, view, number, desk)


@rule
def note(raw, mind):
    """Write down the guess that was come to, once; False: there is no room."""
    key = fingerprint(raw.state)
    guess = 0
    while guess < mind.guessed and mind.prints[guess] != key:
        guess += 1
    if guess == mind.guessed:
        if guess == len(mind.guesses):
            return False
        copy_cards(mind.guesses[guess], raw.state)
        mind.prints[guess] = key
        mind.chances[guess, :] = 0.0
        mind.guessed += 1
    for bot in range(len(mind.path)):
        mind.chances[guess, bot] += mind.path[bot]
    return True


@rule
def believe(desk, mind, seat):
    """Fill all worlds with guesses, each as often as it is likely."""
    total = 0.0
    for guess in range(mind.guessed):
        for bot in range(len(mind.path)):
            total += mind.chances[guess, bot]
    if total == 0.0:
        return
    lot, step = chance(desk.luck) * total / len(mind.worlds), total / len(mind.worlds)
    for guess in range(mind.guessed):
        for bot in range(len(mind.path)):
            lot -= mind.chances[guess, bot]
            while lot < 0 and mind.believed < len(mind.worlds):
                copy_cards(mind.worlds[mind.believed], mind.guesses[guess])
                copy_cards(mind.casts[mind.believed], desk.bots)
                mind.casts[mind.believed, 1 - seat] = bot
                mind.believed += 1
                lot += step
