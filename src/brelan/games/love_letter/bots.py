"""Bots of Love Letter: `careful`, `shrewd` and `eager` (§10). They see views, nothing else."""

from __future__ import annotations

import numpy as np

from brelan.rules import NOBODY, add_move, clear, random_below, random_unit, rule

from .cards import IS_AIMED, KINDS, KNOBS, MOVES, NAMING, NO_CARD, PLAY, TUCK, UNAIMED, Card
from .imagine import count_unseen, has_hidden_hand
from .rules import can_be_chosen, must_play_countess, players_left
from .shrewd import shrewd
from .state import Phase, State

BOTS = ("careful", "shrewd", "eager")
FORMER_NAMES = {"seed": "eager"}
CAREFUL, SHREWD = 0, 1

BotMode = KNOBS.choice("bot_mode")
PrinceVsHandmaid = KNOBS.choice("prince_vs_handmaid")

# §10 How eager the bot `eager` is to play each card, in the order of Card.
EAGERNESS = np.array([0, 100, 80, 90, 50, 70, 60, 40, 30, 20, 0], np.int16)


@rule
def choose(bot, view: State, scratch):
    """Return the move that one of these bots makes."""
    if bot == CAREFUL:
        return careful(view, scratch)
    if bot == SHREWD:
        return shrewd(view, scratch)
    return eager(view, scratch.luck)


@rule
def careful(view: State, scratch):
    """Any move, but none that surely knocks me out while there is another one."""
    leave_safe(view, scratch)
    return scratch.moves[random_below(scratch.luck, scratch.count)]


@rule
def leave_safe(view: State, scratch):
    """Cross out the moves that surely knock me out, unless all of them do."""
    legal = scratch.count
    scratch.count = 0
    for place in range(legal):
        move = MOVES[scratch.moves[place]]
        known = NO_CARD if move.target == NOBODY else view.known[view.turn, move.target]
        if view.phase != Phase.CHOOSE_PLAY or not loses_surely(view, move.card, move.target, known):
            add_move(scratch, scratch.moves[place])
    if scratch.count == 0:
        scratch.count = legal


@rule
def other_card(view: State, card):
    """The card I would keep."""
    me = view.turn
    return view.drew[me, 0] if view.hand[me] == card else view.hand[me]


@rule
def loses_surely(view: State, card, target, known):
    """§10 The Princess, a Prince on my own Princess, a Baron on a card known to be higher."""
    me = view.turn
    other = other_card(view, card)
    if card == Card.PRINCESS:
        return True
    if card == Card.PRINCE:
        return target == me and other == Card.PRINCESS
    return card == Card.BARON and target != NOBODY and other < known


# ---------------------------------------------------------------- §10 the bot `eager`


@rule
def seen_card(view: State, other):
    """§6.1 The card that I was shown, as long as it is kept; not one I tucked and saw drawn."""
    return view.known[view.turn, other] if view.saw[view.turn, other] else NO_CARD


@rule
def eager(view: State, luck):
    """§10 Play by the table of eagerness and the rules around it."""
    if view.phase == Phase.CHOOSE_CHANCELLOR:
        return eager_tuck(view)
    mark = choose_mark(view)
    card = eager_card(view, mark, luck)
    name = eager_name(view, mark, luck) if card == Card.GUARD and mark != NOBODY else NO_CARD
    return eager_play(view, card, mark, name)


@rule
def eager_play(view: State, card, mark, name):
    """§10 How a card is played: at the mark, if it is aimed and there is one."""
    target = prince_target(view, card, mark)
    if target == NOBODY or not IS_AIMED[card]:
        return PLAY[card, UNAIMED]
    return PLAY[card, target] + NAMING[name]


@rule
def choose_mark(view: State):
    """§10 Whom to aim at: a hand I know first, then the player with most tokens."""
    mark, best = NOBODY, -1
    for step in range(1, view.players):
        seat = (view.turn + step) % view.players
        if can_be_chosen(view, seat):
            worth = view.tokens[seat] + (1000 if seen_card(view, seat) else 0)
            if worth > best:
                mark, best = seat, worth
    return mark


@rule
def eager_card(view: State, mark, luck):
    """§10 Which card to play."""
    low = min(view.hand[view.turn], view.drew[view.turn, 0])
    high = max(view.hand[view.turn], view.drew[view.turn, 0])
    return low if random_unit(luck) < liking_for_low(view, mark, low, high) else high


@rule
def liking_for_low(view: State, mark, low, high):
    """§10 How likely the lower card is played, rule by rule."""
    if low == high or must_play_countess(low, high):
        return 0.0
    known = seen_card(view, mark) if mark != NOBODY else NO_CARD
    winning = winning_card(view, low, high, known)
    if winning != NO_CARD:
        return 1.0 * (winning == low)
    if loses_surely(view, high, prince_target(view, high, mark), known):
        if not loses_surely(view, low, prince_target(view, low, mark), known):
            return 1.0
    elif loses_surely(view, low, prince_target(view, low, mark), known):
        return 0.0
    elif is_threat(known) and low == Card.HANDMAID:
        return 1.0
    elif (is_threat(known) and high == Card.HANDMAID) or known == Card.BARON:
        return 1.0 * (high != Card.HANDMAID)
    return eagerness_for_low(view, low, high)


@rule
def prince_target(view: State, card, mark):
    """§10 A Prince goes to the mark, or to myself if there is none (§5.7 or nowhere, by option)."""
    if card != Card.PRINCE or mark != NOBODY:
        return mark
    if view.prince_vs_handmaid == PrinceVsHandmaid.MAY_FIZZLE:
        return mark if other_card(view, card) == Card.PRINCESS else view.turn
    return view.turn


@rule
def is_threat(known):
    """§10 Rule 3a: cards that the Handmaid should keep away."""
    return known == Card.GUARD or known == Card.BARON or known == Card.PRINCE or known == Card.KING


@rule
def winning_card(view: State, low, high, known):
    """§10 Rule 1: with a known hand to aim at, the card that wins now."""
    if known == NO_CARD:
        return NO_CARD
    if known != Card.GUARD and (low == Card.GUARD or high == Card.GUARD):
        return Card.GUARD
    if low == Card.BARON and high > known:
        return Card.BARON
    if high == Card.BARON and low > known:
        return Card.BARON
    if known == Card.PRINCESS and (low == Card.PRINCE or high == Card.PRINCE):
        return Card.PRINCE
    if view.deck_size == 0:
        if low == Card.KING and known > high:
            return Card.KING
        if high == Card.KING and known > low:
            return Card.KING
    return NO_CARD


@rule
def eagerness_for_low(view: State, low, high):
    """§10 Rule 4: the card with the highest weight, or a draw by weights."""
    if view.bot_mode == BotMode.ARGMAX:
        return 1.0 * (EAGERNESS[low] > EAGERNESS[high])
    return EAGERNESS[low] / (EAGERNESS[low] + EAGERNESS[high])


@rule
def eager_name(view: State, mark, luck):
    """§10 Name the known card, or the character with the most unseen copies."""
    odds = np.empty(KINDS)
    weigh_names(view, mark, odds)
    lot = random_unit(luck)
    for card in range(1, KINDS):
        lot -= odds[card]
        if lot < 0:
            return card
    return Card.PRINCESS


@rule
def weigh_names(view: State, mark, odds):
    """§10 How likely each character is named, rule by rule."""
    clear(odds)
    known = seen_card(view, mark)
    if known != NO_CARD and known != Card.GUARD:
        odds[known] = 1.0
        return
    left = np.empty(KINDS, np.int16)
    count_unshown(view, left)
    left[Card.GUARD] = 0
    best, total = int(Card.PRINCESS), 0
    for card in range(KINDS - 1, 0, -1):
        total += left[card]
        if left[card] > left[best]:
            best = card
    if view.bot_mode == BotMode.ARGMAX or total == 0:
        odds[best] = 1.0
        return
    for card in range(1, KINDS):
        odds[card] = left[card] / total


@rule
def count_unshown(view: State, left):
    """§6.3 The unseen copies of each character: a card tucked and drawn since is unseen again."""
    count_unseen(view, view.turn, left)
    for seat in range(view.players):
        if has_hidden_hand(view, view.turn, seat) and seen_card(view, seat) == NO_CARD:
            left[view.known[view.turn, seat]] += 1


@rule
def eager_tuck(view: State):
    """§10 Keep the least eager card; the higher of the others goes where I shall draw it."""
    me = view.turn
    cards = (view.hand[me], view.drew[me, 0], view.drew[me, 1])
    keep = 0
    for slot in range(1, 3):
        if cards[slot] != NO_CARD and EAGERNESS[cards[slot]] < EAGERNESS[cards[keep]]:
            keep = slot
    one, two = cards[(keep + 1) % 3], cards[(keep + 2) % 3]
    low, high = min(one, two), max(one, two)
    if low == NO_CARD:
        return TUCK[cards[keep], high]
    is_last_mine = (view.deck_size + 2) % players_left(view) == 0
    return TUCK[cards[keep], low if is_last_mine else high]


# ---------------------------------------------------------------- what a match is worth


@rule
def evaluate(state: State, scratch):
    """A match rests after each round: each seat's chance to win it, if all play equally well."""
    is_scored = state.phase == Phase.OVER or (state.phase == Phase.DEAL and state.round_no > 0)
    if not is_scored:
        return False
    total = 0.0
    for seat in range(state.players):
        scratch.values[seat] = 1.0 * state.match_won[seat]
        if state.phase != Phase.OVER:
            scratch.values[seat] = race(state, seat)
        total += scratch.values[seat]
    for seat in range(state.players):
        scratch.values[seat] /= total
    return True


@rule
def race(state: State, seat):
    """How likely a seat wins its race against each of the others, round by even round."""
    chance = 1.0
    for other in range(state.players):
        if other != seat:
            mine = max(state.tokens_to_win - state.tokens[seat], 1)
            theirs = max(state.tokens_to_win - state.tokens[other], 1)
            chance *= wins_race(mine, theirs)
    return chance


@rule
def wins_race(mine, theirs):
    """The chance to toss so many heads before so many tails."""
    exactly = 0.5**mine  # no tails before the last head
    chance = 0.0
    for tails in range(theirs):
        chance += exactly
        exactly *= 0.5 * (mine + tails) / (tails + 1)
    return chance
