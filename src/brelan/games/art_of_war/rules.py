"""The rules of Art of War, in the order of the rulebook.

Chapters with a file of their own: `zones.py` (§2), `battle.py` (§3, §7, §16.6), `conscription.py`
(§8), `scoring.py` (§9), `development.py` (§10). `conscript` (§8) is here all the same: a battle
calls conscripts up, and goes on once they stand.
"""

from __future__ import annotations

from brelan.rules import TABLE, add_move, random_below, rule, shuffle

from .battle import (
    add_attacks,
    add_blocks,
    attack,
    give_support,
    go_on_attacking,
    go_on_sweeping,
    land,
)
from .cards import (
    ANY_KING,
    DEAL,
    DEPLOY,
    END,
    FRONT,
    KNOBS,
    MOVES,
    NO_CARD,
    NOTHING,
    NOWHERE,
    OPENING_HAND,
    PREPARE,
    RESERVE,
    SLOTS,
    STOP,
    STRIKE,
    Action,
    Card,
    Reserve,
)
from .conscription import add_conscriptions, take_conscript
from .development import add_demobilisations, demobilise, develop, end_turn
from .scoring import end_war
from .state import Phase, Posture, State, notice_to_hand
from .zones import (
    add_citizen,
    add_to_hand,
    add_to_reserve,
    draw,
    holds,
    opponent,
    other_king,
    place_unit,
    take_back,
    take_from_hand,
    take_from_reserve,
    top_card,
)

VERSION = 1
LONGEST = 346  # §13 decisions in a match with default knobs

KingDeal = KNOBS.choice("king_deal")
FirstPlayer = KNOBS.choice("first_player")


# ---------------------------------------------------------------- §4 set-up


@rule
def start(state: State, cards, stacked):
    """§4 The Kings lie in the box, the decks before their players; the table will deal."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    size = state.copies_S + state.copies_G + state.copies_A
    kings = len(cards) - 2 * size
    for seat in range(2):
        state.box[seat, 0] = cards[seat]
        if state.king_deal == KingDeal.INDEPENDENT:
            state.box[seat, 1] = other_king(cards[seat])
        for place in range(size):
            card = cards[kings + seat * size + place]
            state.pile[seat, place] = card
            state.unseen[seat, card] += 1
        state.pile_size[seat] = size


@rule
def deal(state: State):
    """§4 Shuffle, unless the cards were stacked by hand; each takes a hand and a first citizen."""
    if not state.stacked:
        shuffle_kings(state)
        for seat in range(2):
            shuffle(state.luck, state.pile[seat], state.pile_size[seat])
    state.first = first_player(state)
    state.stacked = False
    if state.king_deal == KingDeal.FIXED:
        state.box[state.first, 0] = Card.K1
        state.box[opponent(state.first), 0] = Card.K2
    for seat in range(2):
        take_king(state, seat)
        for _ in range(OPENING_HAND):
            draw(state, seat)
        lay_first_citizen(state, seat)
    state.attacker = state.target = NOWHERE
    state.active = state.turn = state.first
    state.phase = Phase.OPENING


@rule
def shuffle_kings(state: State):
    """§4.2 One King for each player, at random; §16.2 by option each is drawn on its own."""
    if state.king_deal == KingDeal.INDEPENDENT:
        for seat in range(2):
            if random_below(state.luck, 2):
                state.box[seat, 0], state.box[seat, 1] = state.box[seat, 1], state.box[seat, 0]
    elif random_below(state.luck, 2):
        state.box[0, 0], state.box[1, 0] = state.box[1, 0], state.box[0, 0]


@rule
def first_player(state: State):
    """§4 J1 is seat 0, unless lots are drawn; with stacked cards seat 0 begins in any case."""
    if state.first_player == FirstPlayer.RANDOM and not state.stacked:
        return random_below(state.luck, 2)
    return 0


@rule
def take_king(state: State, seat):
    """§4.3 A player's King comes to hand; §12 everybody knows which, unless drawn on his own."""
    king = state.box[seat, 0]
    state.box[seat, 0] = NO_CARD
    state.king[seat] = king
    add_to_hand(state, seat, king)
    if state.king_deal != KingDeal.INDEPENDENT:
        state.king_seen[seat] = king
        notice_to_hand(state, seat, king)


@rule
def lay_first_citizen(state: State, seat):
    """§4.4 The next card of the deck lies face up in the Kingdom."""
    card = top_card(state, seat)
    state.unseen[seat, card] -= 1
    add_citizen(state, seat, card)


@rule
def add_openings(state: State, scratch):
    """§4.5 Any card of the hand, on any slot of the Front."""
    for kind in range(Card.S, ANY_KING + 1):
        if holds(state, state.turn, kind):
            for slot in range(FRONT):
                add_move(scratch, DEPLOY + SLOTS * kind + slot)


@rule
def open_with(state: State, kind, slot):
    """§4.5 A card of the hand stands on the Front."""
    me = state.active
    place_unit(state, me, slot, take_from_hand(state, me, kind))
    go_on_opening(state)


@rule
def go_on_opening(state: State):
    """§4.5 J2 does what J1 did; §16.5 then each puts a card in the reserve; then J1 begins."""
    state.active = state.turn = opponent(state.active)
    if state.active == state.first:
        if state.reserve == Reserve.ON and state.phase == Phase.OPENING:
            state.phase = Phase.RESERVE_OPENING
        else:
            state.turn = TABLE
            state.phase = Phase.PREPARATION


# ---------------------------------------------------------------- §5 the turn


@rule
def prepare(state: State):
    """§5.1 Units stand up and their damage goes; draw a card, or the war ends."""
    me = state.active
    for slot in range(SLOTS):
        state.posture[me, slot] = Posture.DEFENSIVE
        state.damage[me, slot] = 0
    state.bonus = state.demobilised = 0
    if state.pile_size[me] == 0:
        end_war(state)
        return
    draw(state, me)
    state.turn_no += 1
    state.turn = me
    state.phase = Phase.ACTION


@rule
def legal_moves(state: State, scratch):
    """§5 Write down what the player who decides, or the table, may do."""
    scratch.count = 0
    match state.phase:
        case Phase.DEVELOPMENT:
            add_move(scratch, END)
            add_demobilisations(state, scratch)
        case Phase.ACTION:
            add_actions(state, scratch)
        case Phase.ATTACK:
            add_move(scratch, STOP)
            add_attacks(state, scratch)
        case Phase.CONSCRIPTION:
            add_conscriptions(state, scratch)
        case Phase.FORCED:
            add_demobilisations(state, scratch)
        case Phase.PREPARATION:
            add_move(scratch, PREPARE)
        case Phase.OPENING:
            add_openings(state, scratch)
        case Phase.DEAL:
            add_move(scratch, DEAL)
        case Phase.RESERVE_OPENING:
            add_reservations(state, scratch)
        case Phase.BLOCK:
            add_blocks(state, scratch)
        case Phase.SWEEP:
            add_move(scratch, STRIKE)


@rule
def play(state: State, number):
    """§5 Make a move: of the table, or of the player who decides."""
    card, slot = MOVES[number].card, MOVES[number].slot
    match MOVES[number].action:
        case Action.DEMOBILISE:
            demobilise(state, card)
        case Action.END:
            end_turn(state)
        case Action.PREPARE:
            prepare(state)
        case Action.DEPLOY:
            if state.phase == Phase.OPENING:
                open_with(state, card, slot)
            else:
                deploy(state, card, slot)
        case Action.ATTACK | Action.SWEEP:
            attack(state, slot, MOVES[number].target)
        case Action.NOTHING | Action.STOP:
            develop(state)
        case Action.CONSCRIPT:
            conscript(state, card, slot)
        case Action.DEAL:
            deal(state)
        case Action.RESERVE:
            put_in_reserve(state, card)
        case Action.SUPPORT:
            give_support(state, card, MOVES[number].effect, MOVES[number].target)
        case Action.PASS:
            land(state)
        case Action.STRIKE:
            go_on_sweeping(state)


@rule
def add_actions(state: State, scratch):
    """§5.2 Nothing, deploy one unit, or attack; §16.5 or put a card in the reserve."""
    add_move(scratch, NOTHING)
    add_deployments(state, scratch)
    add_attacks(state, scratch)
    if state.reserve == Reserve.ON:
        add_reservations(state, scratch)


# ---------------------------------------------------------------- §6 deploying


@rule
def add_deployments(state: State, scratch):
    """§6 A card of the hand; §16.5 the first of the reserve and no other, if there is one."""
    me = state.active
    if state.reserve_size[me] > 0:
        add_deployments_of(state, scratch, min(state.reserves[me, 0], ANY_KING))
        return
    for kind in range(Card.S, ANY_KING + 1):
        if holds(state, me, kind):
            add_deployments_of(state, scratch, kind)


@rule
def add_deployments_of(state: State, scratch, kind):
    """§6 F1, F2 or F3 always, the slot behind only if that one is occupied."""
    for slot in range(FRONT):
        add_move(scratch, DEPLOY + SLOTS * kind + slot)
        if state.unit[state.active, slot] != NO_CARD:
            add_move(scratch, DEPLOY + SLOTS * kind + slot + FRONT)


@rule
def deploy(state: State, kind, slot):
    """§6 A unit takes a slot, and the one that stood there goes to the hand or the reserve."""
    me = state.active
    if state.reserve_size[me] > 0:
        card = take_from_reserve(state, me)
    else:
        card = take_from_hand(state, me, kind)
    swapped = state.unit[me, slot]
    place_unit(state, me, slot, card)
    if swapped != NO_CARD:
        if state.reserve == Reserve.ON:
            add_to_reserve(state, me, swapped)
        else:
            take_back(state, me, swapped)
    develop(state)


@rule
def add_reservations(state: State, scratch):
    """§16.5 Any card of the hand may go to the reserve."""
    for kind in range(Card.S, ANY_KING + 1):
        if holds(state, state.active, kind):
            add_move(scratch, RESERVE + kind)


@rule
def put_in_reserve(state: State, kind):
    """§16.5 A card of the hand goes to the end of the reserve: in the opening, or as an action."""
    me = state.active
    add_to_reserve(state, me, take_from_hand(state, me, kind))
    if state.phase == Phase.RESERVE_OPENING:
        go_on_opening(state)
    else:
        develop(state)


# ---------------------------------------------------------------- §8 conscription


@rule
def conscript(state: State, kind, slot):
    """§8 A conscript stands on the Front; the attack goes on once all are there."""
    me = state.turn
    place_unit(state, me, slot, take_conscript(state, me, kind))
    state.to_conscript -= 1
    if state.to_conscript == 0:
        go_on_attacking(state)


# ---------------------------------------------------------------- §9 the end of the game


@rule
def score(state: State, scores, winners):
    """§9 The citizens of each seat, and who has won."""
    for seat in range(2):
        scores[seat] = state.citizens[seat]
        winners[seat] = state.winner == 1 + seat
