"""A bot of Batailles et piques: `careful`. It sees a view, nothing else.

It weighs what each card in play can be: the one it has seen, or the kinds of the open list by their
living copies. It attacks where that promises more than it costs: so Sappers go for suspected mines,
Spies for known Kings. Otherwise it uses a Slacker, passes where that is allowed, or makes the least
bad attack.
"""

from __future__ import annotations

from brelan.rules import NOBODY, random_below, rule

from .cards import FIRST, KINDS, KNOBS, MOVES, NO_CARD, SECOND, SIZE, SLOTS, Act, Card
from .combat import (
    FOUR,
    ONE,
    RESULTS,
    THREE,
    TWO,
    is_sapper,
    is_single,
    is_spy,
    only_member,
    results,
    strength_of,
)
from .rules import is_last_pass
from .scoring import is_ahead, worth_of
from .state import MINDED, State, card_seen

BOTS = ("careful",)

Credit = KNOBS.choice("credit")

# Points, or fractions of one.
GIVEN = 1.2  # a point for another, against one for me
STRENGTH = 0.06  # each point of strength of a unit that I lose
TALENT = 0.2  # a Spy or a Sapper that I lose
SPOIL = 0.2  # what a foe loses by its death, besides the point, against what I would
NEXT_TURN = 0.3  # an attack next turn, against the same one now
EXPOSED = 0.2  # to take away a card that others have seen
MINED = 0.6  # a mine
STANDING = 0.01  # each point of strength in play
SHOWN = 0.01  # each point of strength that I let a foe see
TEAMED = 0.15  # a Teamwork card
NEVER = -100.0  # less than any move is worth: an attack on two cards of which I know neither
VICTORY = 100.0  # more than any move is worth


@rule
def choose(bot, view: State, scratch):
    """Return the move of most worth; Slackers only matter where nothing else promises anything."""
    number, worth = best_move(view, scratch, False)
    if worth > 0.0:
        return number
    slacker, slacker_worth = best_move(view, scratch, True)
    return slacker if slacker_worth > worth else number


@rule
def best_move(view: State, scratch, is_slacker):
    """The best of the Slackers, or of all other moves, by lot among equals; and its worth."""
    best, best_worth, alike = scratch.moves[0], 2 * NEVER, 0
    for place in range(scratch.count):
        number = scratch.moves[place]
        if (MOVES[number].act == Act.SLACK) == is_slacker:
            worth = worth_of_move(view, view.turn, number)
            alike = alike + 1 if worth == best_worth else 1
            if worth > best_worth or (
                worth == best_worth and random_below(scratch.luck, alike) == 0
            ):
                best, best_worth = number, worth
    return best, best_worth


@rule
def worth_of_move(view: State, me, number):
    """What a move promises, in points; to stop, to pass, or not to look, promises nothing."""
    move = MOVES[number]
    match move.act:
        case Act.ATTACK:
            return worth_of_attack(view, me, move)
        case Act.SLACK:
            return worth_of_slacker(view, me, FIRST[move.own], move.card)
        case Act.PLACE:
            return worth_in_play(view, me, move.card)
        case Act.KILL:
            return worth_of_kill(view, me, move.at)
        case Act.PEEK:
            return worth_of_look(view, me, move)
        case Act.PASS if is_last_pass(view, me):
            return worth_of_the_end(view, me)
        case _:
            return 0.0


# ---------------------------------------------------------------- what a card can be


@rule
def copies_at(view: State, me, seat, slot, card):
    """How many copies of a card may stand in a slot, as far as I know."""
    seen = view.known[me, seat, slot]
    if seen != NO_CARD or not (view.can_be[seat, slot] >> card) & 1:
        return 1 if seen == card else 0
    copies = view.living[seat, card]
    for other in range(SLOTS):
        copies -= view.known[me, seat, other] == card
    for place in range(MINDED):
        if view.hand_holds[me, seat, place] == NO_CARD:
            break
        if view.hand_holds[me, seat, place] == card:
            copies -= view.unless_in[me, seat, place] == 0
    return max(copies, 0)


@rule
def sure_card(view: State, me, seat, slot):
    """The card in a slot, if I know it."""
    if view.known[me, seat, slot] == NO_CARD and is_single(view.can_be[seat, slot]):
        return only_member(view.can_be[seat, slot])
    return view.known[me, seat, slot]


# ---------------------------------------------------------------- attacks


@rule
def worth_of_attack(view: State, me, move):
    """What an attack promises, less what it shows and uses up."""
    one = view.in_play[me, FIRST[move.own]]
    two = view.in_play[me, SECOND[move.own]] if SIZE[move.own] == 2 else NO_CARD
    cost = SHOWN * (strength_of(view, one) + strength_of(view, two)) + TEAMED * (two != NO_CARD)
    first, second = FIRST[move.at], SECOND[move.at]
    if SIZE[move.at] == 1:
        return expected_worth(view, me, one, two, move.target, first, NO_CARD) - cost
    beside = sure_card(view, me, move.target, first)
    if beside != NO_CARD:
        return expected_worth(view, me, one, two, move.target, second, beside) - cost
    beside = sure_card(view, me, move.target, second)
    if beside != NO_CARD:
        return expected_worth(view, me, one, two, move.target, first, beside) - cost
    return NEVER


@rule
def expected_worth(view: State, me, one, two, seat, slot, beside):
    """What an attack on a slot, and on a card that I know beside it, brings on average."""
    total, copies = 0.0, 0
    for card in range(1, KINDS):
        count = copies_at(view, me, seat, slot, card)
        if count > 0 and (card != Card.MINE or beside != Card.MINE):
            copies += count
            total += count * worth_of_combat(view, one, two, card, beside)
    return total / max(copies, 1)


@rule
def worth_of_combat(view: State, one, two, three, four):
    """What a combat brings me, the attacker; whoever has a choice makes the best of it."""
    possible = results(view, one, two, three, four)
    least, most = -NEVER, NEVER
    for result in range(RESULTS):
        if (possible >> result) & 1:
            worth = worth_of_dead(view, result, one, two, three, four)
            least, most = min(least, worth), max(most, worth)
    return most if two == NO_CARD else least


@rule
def worth_of_dead(view: State, result, one, two, three, four):
    """What the dead of a combat bring me, the attacker."""
    worth = 0.0
    if result & THREE:
        worth += gain(view, three)
    if result & FOUR:
        worth += gain(view, four)
    if result & ONE:
        worth -= loss(view, one)
    if result & TWO:
        worth -= loss(view, two)
    return worth


@rule
def gain(view: State, card):
    """What I gain by killing a card."""
    return worth_of(view, card) + SPOIL * esteem(view, card)


@rule
def loss(view: State, card):
    """What I lose with an attacker: by option its point is mine."""
    point = -1.0 if view.credit == Credit.ATTACKER else GIVEN
    return point * worth_of(view, card) + esteem(view, card)


@rule
def esteem(view: State, card):
    """What a card is worth to its owner while it lives."""
    if card == Card.MINE:
        return MINED
    is_talent = is_spy(view, card) or is_sapper(view, card)
    return STRENGTH * strength_of(view, card) + TALENT * is_talent


# ---------------------------------------------------------------- cards put into play


@rule
def best_duel(view: State, me, card):
    """The best that a card of mine could do alone against one card, as things stand."""
    best = NEVER
    for seat in range(view.players):
        for slot in range(SLOTS):
            if seat != me and (view.filled[seat] >> slot) & 1:
                best = max(best, expected_worth(view, me, card, NO_CARD, seat, slot, NO_CARD))
    return best


@rule
def worth_in_play(view: State, me, card):
    """What a card promises in a slot: its best duel, and how well it stands there."""
    if card == Card.MINE:
        return MINED
    return NEXT_TURN * max(best_duel(view, me, card), 0.0) + STANDING * strength_of(view, card)


@rule
def worth_of_slacker(view: State, me, slot, card):
    """What a new card promises more than the old one, and that nobody has seen it."""
    old = view.in_play[me, slot]
    exposed = EXPOSED if view.seen_by[me, slot] else 0.0
    return worth_in_play(view, me, card) - worth_in_play(view, me, old) + exposed


# ---------------------------------------------------------------- kills and looks


@rule
def worth_of_kill(view: State, me, slots):
    """What the foes that my lone unit kills are worth, to me and to them."""
    foe = view.defender - 1 if view.attacker == 1 + me else view.attacker - 1
    worth = 0.0
    for slot in range(SLOTS):
        if (slots >> slot) & 1:
            card = card_seen(view, me, foe, slot)
            worth += worth_of(view, card) + esteem(view, card)
    return worth


@rule
def worth_of_look(view: State, me, move):
    """How many kinds a card can be that I look at; by option, how many cards I do not know."""
    if move.target == NOBODY:
        return 0.0
    if move.at == 0:
        return float(view.held[move.target])
    kinds = 0.0
    for card in range(1, KINDS):
        kinds += copies_at(view, me, move.target, FIRST[move.at], card) > 0
    return kinds


# ---------------------------------------------------------------- the end by passing


@rule
def worth_of_the_end(view: State, me):
    """A match that ends now is won, alone or together, unless somebody is ahead of me."""
    for other in range(view.players):
        if is_ahead(view, other, me):
            return NEVER
    return VICTORY
