"""The rules of Batailles et piques, in the order of the rulebook.

§6 and §7 are in `battle.py` (and who dies, §6.1, in `combat.py`), §8 is in `refill.py`, §10 in
`scoring.py`, and what everybody learns, §11, in `state.py` and `public_inference.py`.
"""

from __future__ import annotations

from brelan.rules import TABLE, add_move, random_below, rule, shuffle

from .battle import add_kills, attack, bury, kill
from .cards import (
    ATTACK,
    BIT,
    BURY,
    DEAL,
    FIRST,
    KINDS,
    KNOBS,
    MOVES,
    PASS,
    REVEAL,
    SCORE,
    SIZE,
    SLACK,
    SLOTS,
    STOP,
    Act,
    Card,
)
from .combat import is_single
from .public_inference import expect_anything, narrow
from .refill import (
    add_looks,
    add_placements,
    draw,
    let_place,
    mines_in_play,
    offer_look,
    peek,
    place_card,
    reveal,
)
from .scoring import score_match
from .state import Phase, Reason, State, Status, notice_exchange

VERSION = 1
LONGEST = 216  # §9.5 decisions in a match of six players with default knobs

Nature = KNOBS.choice("nature_1")
Passing = KNOBS.choice("passing")
PeekTiming = KNOBS.choice("peek_timing")
FirstPlayer = KNOBS.choice("first_player")
EndRule = KNOBS.choice("end_rule")


# ---------------------------------------------------------------- §2, §3 setting up


@rule
def start(state: State, cards, stacked):
    """§3 The armies lie there, one after another; they have been stacked by hand or not."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    state.army_size = len(cards) // state.players
    for number in range(len(cards)):
        seat, place = divmod(number, len(cards) // state.players)
        state.pile[seat, place] = cards[number]
        state.living[seat, cards[number]] += 1
    for seat in range(state.players):
        state.pile_size[seat] = state.army_size
        state.teamwork_left[seat] = state.teamwork
        state.slacker_left[seat] = state.slacker
    tell_natures(state)


@rule
def tell_natures(state: State):
    """§2 Which units are Spies and which are Sappers; some may be both."""
    natures = (
        state.nature_1, state.nature_2, state.nature_3, state.nature_4, state.nature_5,
        state.nature_6, state.nature_7, state.nature_8, state.nature_9, state.nature_10,
        state.nature_11, state.nature_12, state.nature_13,
    )  # fmt: skip
    for place in range(len(natures)):
        if natures[place] == Nature.SPY or natures[place] == Nature.BOTH:
            state.spies |= BIT[place + 1]
        if natures[place] == Nature.SAPPER or natures[place] == Nature.BOTH:
            state.sappers |= BIT[place + 1]


@rule
def deal(state: State):
    """§3.1 Each army is shuffled by itself, unless stacked, and each player draws a hand of it."""
    for seat in range(state.players):
        if not state.stacked:
            shuffle(state.luck, state.pile[seat], state.army_size)
        draw(state, seat)


@rule
def open_match(state: State):
    """§3.5 All cards are in play, and the first player has the turn."""
    first = first_player(state)
    state.stacked = False
    state.first = 1 + first
    state.round_no = 1
    begin_turn(state, first)


@rule
def first_player(state: State):
    """§3.5 Lots are drawn for the first player; seat 0 starts by option, or with stacked armies."""
    if state.stacked or state.first_player == FirstPlayer.FIXED:
        return 0
    return random_below(state.luck, state.players)


# ---------------------------------------------------------------- §5 the turn


@rule
def begin_turn(state: State, seat):
    """§5 A player has the turn."""
    state.turn_no += 1
    state.turn = seat
    state.mover = 1 + seat
    state.phase = Phase.TURN


@rule
def legal_moves(state: State, scratch):
    """§12 Write down what the player in turn, or the table, may do."""
    scratch.count = 0
    match state.phase:
        case Phase.TURN:
            add_attacks(state, state.turn, scratch)
            add_slackers(state, state.turn, scratch)
            if is_last_active(state):
                add_move(scratch, STOP)
            elif can_pass(state):
                add_move(scratch, PASS)
        case Phase.REFILL | Phase.SET_UP:
            add_placements(state, state.turn, scratch)
        case Phase.BURY:
            add_move(scratch, BURY)
        case Phase.REVEAL:
            add_move(scratch, REVEAL)
        case Phase.KILL:
            add_kills(state, state.turn, scratch)
        case Phase.PEEK:
            add_looks(state, state.turn, scratch)
        case Phase.DEAL:
            add_move(scratch, DEAL)
        case Phase.SCORE:
            add_move(scratch, SCORE)


@rule
def add_attacks(state: State, me, scratch):
    """§5 One of my units attacks one or two cards of an opponent; or two of them attack one."""
    able = state.filled[me] & ~mines_in_play(state, me)
    for target in range(state.players):
        if target == me:
            continue
        for own in range(1, able + 1):
            if own & ~able:
                continue
            for at in range(1, state.filled[target] + 1):
                if not at & ~state.filled[target] and can_attack(state, me, own, at):
                    add_move(scratch, ATTACK[target, own, at])


@rule
def can_attack(state: State, me, own, at):
    """§5.6 One attacks one or two; two together need a Teamwork card, and attack one."""
    fighters = SIZE[own] + SIZE[at]
    return fighters <= 3 and (SIZE[own] == 1 or state.teamwork_left[me] > 0)


@rule
def add_slackers(state: State, me, scratch):
    """§5.4 Any card of the hand may take the place of any card in play, but for a second mine."""
    if state.slacker_left[me] == 0:
        return
    mines = mines_in_play(state, me)
    for slot in range(SLOTS):
        if (state.filled[me] >> slot) & 1:
            for card in range(1, KINDS):
                if state.hand[me, card] and (card != Card.MINE or not mines & ~(1 << slot)):
                    add_move(scratch, SLACK[slot] + card)


@rule
def can_pass(state: State):
    """§5.1 Nobody passes; by option everybody may, or everybody but who follows on a pass."""
    if state.passing == Passing.ONE_IN_A_ROW:
        return state.first_to_pass == 0
    return state.passing == Passing.UNTIL_ALL_PASS


@rule
def play(state: State, number):
    """§12 Make a move: of the player in turn, or of the table."""
    move = MOVES[number]
    match move.act:
        case Act.PLACE:
            place_card(state, state.turn, move.card)
            let_place(state)
        case Act.ATTACK:
            attack(state, state.turn, move)
        case Act.BURY:
            bury(state)
            follow_deaths(state)
        case Act.REVEAL:
            reveal(state)
            follow_refill(state)
        case Act.SLACK:
            slack(state, state.turn, FIRST[move.own], move.card)
            end_turn(state)
        case Act.KILL:
            kill(state, state.turn, move.at)
        case Act.PEEK:
            peek(state, state.turn, move)
            follow_look(state)
        case Act.STOP:
            end_match(state, Reason.STOP)
        case Act.PASS:
            do_nothing(state, state.turn)
        case Act.DEAL:
            deal(state)
            let_place(state)
        case Act.SCORE:
            score_match(state)


@rule
def slack(state: State, me, slot, card):
    """§5 Slacker: a card in play and a hand card change places; nothing is drawn."""
    state.first_to_pass = 0
    state.slacker_left[me] -= 1
    notice_exchange(state, me, slot, is_single(state.can_be[me, slot]))
    state.hand[me, state.in_play[me, slot]] += 1
    state.hand[me, card] -= 1
    state.in_play[me, slot] = card
    expect_anything(state, me, slot)
    narrow(state, me)


@rule
def do_nothing(state: State, me):
    """§5.1 Option: a player passes; the match ends when all active ones have, one after another."""
    if is_last_pass(state, me):
        end_match(state, Reason.ALL_PASSED)
        return
    if state.first_to_pass == 0:
        state.first_to_pass = 1 + me
    end_turn(state)


@rule
def is_last_pass(state: State, me):
    """§9 Option: all other active players have just passed, so that one more pass is the end."""
    if state.passing != Passing.UNTIL_ALL_PASS or state.first_to_pass == 0:
        return False
    following = (me + 1) % state.players
    while state.status[following] != Status.ACTIVE:
        following = (following + 1) % state.players
    return 1 + following == state.first_to_pass


# ---------------------------------------------------------------- §8 after a combat


@rule
def follow_deaths(state: State):
    """§8 After the deaths come the refill and the looks; by option the looks come first."""
    if state.peek_timing == PeekTiming.AFTER_REFILL or not offer_look(state):
        let_place(state)


@rule
def follow_refill(state: State):
    """§8 After a refill come the looks, and the turn ends; after the set-up, the match begins."""
    if state.turn_no == 0:
        open_match(state)
    elif state.peek_timing == PeekTiming.BEFORE_REFILL or not offer_look(state):
        end_turn(state)


@rule
def follow_look(state: State):
    """§8.3 After a look comes the next one; then the turn ends, by option after the refill."""
    if offer_look(state):
        return
    if state.peek_timing == PeekTiming.BEFORE_REFILL:
        let_place(state)
    else:
        end_turn(state)


# ---------------------------------------------------------------- §9 the end


@rule
def is_last_active(state: State):
    """§9.2 Whether only one player can still attack."""
    return count_active(state) == 1


@rule
def count_active(state: State):
    """§4 How many players are active."""
    active = 0
    for seat in range(state.players):
        active += state.status[seat] == Status.ACTIVE
    return active


@rule
def end_turn(state: State):
    """§9 The match ends, or the next active player clockwise has the turn."""
    active = count_active(state)
    if active == 0:
        end_match(state, Reason.NOBODY_ACTIVE)
    elif active == 1 and not has_target(state):
        end_match(state, Reason.NOTHING_LEFT)
    elif state.end_rule == EndRule.POINTS and most_points(state) >= state.end_points:
        end_match(state, Reason.POINTS)
    else:
        next_turn(state, state.mover - 1)


@rule
def has_target(state: State):
    """§9.3 Whether an opponent of the last active player has a card in play."""
    for seat in range(state.players):
        if state.status[seat] != Status.ACTIVE and state.filled[seat]:
            return True
    return False


@rule
def most_points(state: State):
    """§13 Option: the highest score so far may end the match."""
    most = 0
    for seat in range(state.players):
        most = max(most, state.points[seat])
    return most


@rule
def next_turn(state: State, mover):
    """§9.6 A round is over when the turn comes back to the first player's seat, or passes it."""
    following = mover
    is_new_round = False
    while True:
        following = (following + 1) % state.players
        is_new_round |= 1 + following == state.first
        if state.status[following] == Status.ACTIVE:
            break
    if is_new_round and state.end_rule == EndRule.ROUNDS and state.round_no == state.end_rounds:
        end_match(state, Reason.ROUNDS)
        return
    state.round_no += is_new_round
    begin_turn(state, following)


@rule
def end_match(state: State, reason):
    """§9 The match is over, and the table counts."""
    state.reason = reason
    state.turn = TABLE
    state.phase = Phase.SCORE


# ---------------------------------------------------------------- §10 the result


@rule
def score(state: State, scores, winners):
    """§10 The points of each seat, and who has won."""
    for seat in range(state.players):
        scores[seat] = state.points[seat]
        winners[seat] = state.won[seat]
