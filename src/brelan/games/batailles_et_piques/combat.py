# mypy: allow-untyped-defs, allow-untyped-calls
"""One combat of Batailles et piques (§6): who dies, by the one procedure for all shapes.

A result is a set of the dead, held in one number. The results that a combat can have are a set
again: bit n is set when result n is possible. With several, the owner of the lone unit chooses.
"""

from __future__ import annotations

from brelan.rules import rule

from .cards import KNOBS, NO_CARD, Card
from .state import State

MineExplodes = KNOBS.choice("mine_explodes")
AllowWaste = KNOBS.choice("allow_waste")

# Who fights: one and two attack, three and four defend; two or four may be missing.
ONE, TWO, THREE, FOUR = 1, 2, 4, 8
RESULTS = 16
IMPOSSIBLE = 1000  # a price that nobody can pay


@rule
def results(state: State, one, two, three, four):
    """§6.1 First the mine, if there is one among the defenders; then the blows."""
    mines = (three == Card.MINE) * THREE + (four == Card.MINE) * FOUR
    if mines == 0:
        return results_of_blows(state, one, two, three, four)
    if not (is_sapper(state, one) or is_sapper(state, two)):
        dead = ONE + (two != NO_CARD) * TWO
        return 1 << (dead + mines * (state.mine_explodes == MineExplodes.ON))
    if four == NO_CARD:
        return 1 << mines
    if mines == THREE:
        return results_of_blows(state, one, two, NO_CARD, four) << mines
    return results_of_blows(state, one, two, three, NO_CARD) << mines


@rule
def results_of_blows(state: State, one, two, three, four):
    """§6.1 Whom the lone unit kills, and whether it dies; with two attackers it is the defender."""
    if two == NO_CARD:
        dies = falls(state, one, three, four)
        sets = kill_sets(state, one, three, four, dies)
        kills = (sets & 1) + (sets & 2) * 8 + (sets & 4) * 64 + (sets & 8) * 512
        return kills << (dies * ONE)
    dies = falls(state, three, one, two)
    return kill_sets(state, three, one, two, dies) << (dies * THREE)


@rule
def kill_sets(state: State, lone, foe, other, dies):
    """§6.1 The sets of foes that a lone unit may kill, as a set: 0 nobody, 1, 2, or 3 both."""
    strength = strength_of(state, lone)
    price, other_price = price_of(state, lone, foe), price_of(state, lone, other)
    either = (price <= strength) * 2 + (other_price <= strength) * 4
    both = (price + other_price <= strength) * 8
    if state.allow_waste == AllowWaste.ON and foe != NO_CARD and other != NO_CARD:
        return dies + either + both
    if both > 0:
        return both
    return max(either, 1)


@rule
def price_of(state: State, lone, foe):
    """§6.1 A foe's strength; a King cannot kill a Spy, and a King takes a Spy's whole blow."""
    if foe == NO_CARD or (lone == Card.KING and is_spy(state, foe)):
        return IMPOSSIBLE
    return strength_of(state, lone if foe == Card.KING and is_spy(state, lone) else foe)


@rule
def falls(state: State, lone, foe, other):
    """§6.1 A lone unit dies of as much strength as its own; a King, of any Spy."""
    if lone == Card.KING and (is_spy(state, foe) or is_spy(state, other)):
        return True
    return blow_of(state, lone, foe) + blow_of(state, lone, other) >= strength_of(state, lone)


@rule
def blow_of(state: State, lone, foe):
    """§6.1 A foe strikes with its strength; against a Spy, a King counts nothing."""
    if foe == Card.KING and is_spy(state, lone):
        return 0
    return strength_of(state, foe)


@rule
def strength_of(state: State, card):
    """§2 The number on a unit, or the King's strength; 0 if there is no card."""
    if card == Card.KING:
        return state.king_strength
    return card


@rule
def is_spy(state: State, card):
    """§2 Whether a unit is a Spy."""
    return (state.spies >> card) & 1 == 1


@rule
def is_sapper(state: State, card):
    """§2 Whether a unit is a Sapper."""
    return (state.sappers >> card) & 1 == 1


# ---------------------------------------------------------------- sets held in one number


@rule
def is_single(members):
    """§6 Whether a set has just one member: one result, one kind."""
    return members != 0 and members & (members - 1) == 0


@rule
def only_member(members):
    """§6 The one member of a set."""
    member = 0
    while members >> member != 1:
        member += 1
    return member
