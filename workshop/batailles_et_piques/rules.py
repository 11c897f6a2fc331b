"""The rules of Batailles et piques, in the order of the rulebook; §6.1 is in `combat.py`."""

from __future__ import annotations

from brelan.words import NOBODY, TABLE, add_move, below, clear, rule, shuffle

from .cards import (
    ALL_SLOTS,
    ATTACK,
    BIT,
    BURY,
    DEAL,
    DECLINE,
    FIRST,
    FIRST_EMPTY,
    KILL,
    KINDS,
    KNOBS,
    MOVES,
    NO_CARD,
    PEEK,
    PLACE,
    REVEAL,
    SCORE,
    SECOND,
    SETS_OF_SLOTS,
    SIZE,
    SLACK,
    SLOTS,
    STOP,
    Act,
    Card,
)
from .combat import RESULTS, results
from .deduction import (
    deduce,
    expect_anything,
    expect_no_mine,
    is_single,
    narrow,
    strike,
)
from .scoring import score_match, worth_of
from .sight import (
    ATTACKERS,
    DEFENDERS,
    Phase,
    Reason,
    Status,
    card_seen,
    forget,
    notice_exchange,
    notice_placed,
    notice_shown,
    see,
    see_in_hand,
)

VERSION = 1
LONGEST = 216  # §9.5 decisions in a match of six players with default knobs

Nature = KNOBS.choice("nature_1")
Credit = KNOBS.choice("credit")
PeekTiming = KNOBS.choice("peek_timing")
PeekScope = KNOBS.choice("peek_scope")
FirstPlayer = KNOBS.choice("first_player")
EndRule = KNOBS.choice("end_rule")
PublicSurvivors = KNOBS.choice("public_survivors")


# ---------------------------------------------------------------- §2, §3 setting up


@rule
def start(state, cards, stacked):
    """§3 The armies lie there, one after another; they have been stacked by hand or not."""
    state.turn = TABLE
    state.phase = Phase.DEAL
    state.stacked = stacked
    state.army_size = len(cards) // state.players
    for seat in range(state.players):
        for place in range(state.army_size):
            card = cards[seat * state.army_size + place]
            state.pile[seat, place] = card
            state.living[seat, card] += 1
        state.pile_size[seat] = state.army_size
        state.teamwork_left[seat] = state.teamwork
        state.slacker_left[seat] = state.slacker
    tell_natures(state)


@rule
def tell_natures(state):
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
def deal(state):
    """§3.1 Each army is shuffled by itself, and each player draws a hand."""
    for seat in range(state.players):
        if not state.stacked:
            shuffle(state.luck, state.pile[seat], state.army_size)
        draw(state, seat)
    let_place(state)


@rule
def draw(state, seat):
    """§8.1 Draw back up to a full hand while the draw pile lasts."""
    while state.held[seat] < state.hand_size and state.pile_size[seat] > 0:
        top = state.army_size - state.pile_size[seat]
        state.hand[seat, state.pile[seat, top]] += 1
        state.held[seat] += 1
        state.pile[seat, top] = NO_CARD
        state.pile_size[seat] -= 1


@rule
def first_player(state):
    """§3.5 Lots are drawn for the first player; seat 0 starts by option, or with stacked armies."""
    if state.stacked or state.first_player == FirstPlayer.FIXED:
        return 0
    return below(state.luck, state.players)


# ---------------------------------------------------------------- §5 the turn


@rule
def begin_turn(state, seat):
    """§5 A player has the turn."""
    state.turn_no += 1
    state.turn = seat
    state.mover = 1 + seat
    state.phase = Phase.TURN


@rule
def legal_moves(state, desk):
    """§12 Write down what the player in turn, or the table, may do."""
    desk.count = 0
    match state.phase:
        case Phase.TURN:
            add_attacks(state, state.turn, desk)
            add_slackers(state, state.turn, desk)
            if is_last_active(state):
                add_move(desk, STOP)
        case Phase.REFILL | Phase.SET_UP:
            add_placements(state, state.turn, desk)
        case Phase.BURY:
            add_move(desk, BURY)
        case Phase.REVEAL:
            add_move(desk, REVEAL)
        case Phase.KILL:
            add_kills(state, state.turn, desk)
        case Phase.PEEK:
            add_looks(state, state.turn, desk)
        case Phase.DEAL:
            add_move(desk, DEAL)
        case Phase.SCORE:
            add_move(desk, SCORE)


@rule
def add_attacks(state, me, desk):
    """§5 One of my units attacks one or two cards of an opponent; or two of them attack one."""
    able = state.filled[me] & ~mines_in_play(state, me)
    for target in range(state.players):
        if target == me:
            continue
        for own in range(1, SETS_OF_SLOTS - 1):
            if own & ~able:
                continue
            for at in range(1, SETS_OF_SLOTS - 1):
                if not at & ~state.filled[target] and can_attack(state, me, own, at):
                    add_move(desk, ATTACK[target, own, at])


@rule
def can_attack(state, me, own, at):
    """§5.6 Two units together need a Teamwork card, and attack one card."""
    return SIZE[own] == 1 or (SIZE[at] == 1 and state.teamwork_left[me] > 0)


@rule
def add_slackers(state, me, desk):
    """§5.4 Any card of the hand may take the place of any card in play, but for a second mine."""
    if state.slacker_left[me] == 0:
        return
    mines = mines_in_play(state, me)
    for slot in range(SLOTS):
        if (state.filled[me] >> slot) & 1:
            for card in range(1, KINDS):
                if state.hand[me, card] and (card != Card.MINE or not mines & ~(1 << slot)):
                    add_move(desk, SLACK[slot] + card)


@rule
def mines_in_play(state, seat):
    """§5.2 The slots of a player in which a mine stands: one at most."""
    mines = 0
    for slot in range(SLOTS):
        if state.in_play[seat, slot] == Card.MINE:
            mines |= 1 << slot
    return mines


@rule
def play(state, number):
    """§12 Make a move: of the player in turn, or of the table."""
    move = MOVES[number]
    match move.act:
        case Act.PLACE:
            place(state, state.turn, move.card)
        case Act.ATTACK:
            attack(state, state.turn, move)
        case Act.BURY:
            bury(state)
        case Act.REVEAL:
            reveal(state)
        case Act.SLACK:
            slack(state, state.turn, FIRST[move.own], move.card)
        case Act.KILL:
            kill(state, state.turn, move.at)
        case Act.PEEK:
            peek(state, state.turn, move)
        case Act.STOP:
            end_match(state, Reason.STOP)
        case Act.DEAL:
            deal(state)
        case Act.SCORE:
            score_match(state)


@rule
def slack(state, me, slot, card):
    """§5 Slacker: a card in play and a hand card change places; nothing is drawn."""
    state.slacker_left[me] -= 1
    notice_exchange(state, me, slot, is_single(state.can_be[me, slot]))
    state.hand[me, state.in_play[me, slot]] += 1
    state.hand[me, card] -= 1
    state.in_play[me, slot] = card
    expect_anything(state, me, slot)
    narrow(state, me)
    end_turn(state)


# ---------------------------------------------------------------- §6 combat


@rule
def attack(state, me, move):
    """§6 The attacker names the slots, and the two players look at all cards that take part."""
    state.attacker, state.attacking = 1 + me, move.own
    state.defender, state.attacked = 1 + move.target, move.at
    state.teamwork_left[me] -= SIZE[move.own] == 2
    state.was_choice = False
    for side in range(2):
        clear(state.fallen[side])
    expect_no_mine(state, me, move.own)
    look_at_fighters(state, me, move.own, move.target)
    look_at_fighters(state, move.target, move.at, me)
    possible = results_seen(state, me)
    if is_single(possible):
        for result in range(RESULTS):
            if (possible >> result) & 1:
                decide(state, result)
    else:
        state.phase = Phase.KILL
        state.turn = me if SIZE[move.own] == 1 else move.target


@rule
def look_at_fighters(state, seat, slots, foe):
    """§6 The foe sees the fighters of a player; by option, everybody does."""
    for slot in range(SLOTS):
        if (slots >> slot) & 1:
            if state.public_survivors == PublicSurvivors.ON:
                show_all(state, seat, slot)
            else:
                see(state, foe, seat, slot)
    narrow(state, seat)


@rule
def show_all(state, seat, slot):
    """§13 Option: everybody sees a card that takes part in a combat."""
    for me in range(state.players):
        see(state, me, seat, slot)
    notice_shown(state, seat, slot, state.in_play[seat, slot])
    state.can_be[seat, slot] = BIT[state.in_play[seat, slot]]


@rule
def results_seen(state, me):
    """§6.1 What can come of the combat, as one of the two who fight sees it."""
    attacker, defender = state.attacker - 1, state.defender - 1
    return results(
        state,
        card_seen(state, me, attacker, FIRST[state.attacking]) + 0,
        second_seen(state, me, attacker, state.attacking),
        card_seen(state, me, defender, FIRST[state.attacked]) + 0,
        second_seen(state, me, defender, state.attacked),
    )


@rule
def second_seen(state, me, seat, slots):
    """§6 The second fighter of a side, if there is one."""
    return card_seen(state, me, seat, SECOND[slots]) + 0 if SIZE[slots] == 2 else NO_CARD


@rule
def add_kills(state, me, desk):
    """§6.1 The owner of the lone unit chooses among the foes it can pay for."""
    possible = results_seen(state, me)
    for result in range(RESULTS):
        if (possible >> result) & 1:
            add_move(desk, KILL + foes_killed(state, result))


@rule
def foes_killed(state, result):
    """§6.1 The slots of the lone unit's foes that die by a result."""
    if SIZE[state.attacking] == 1:
        return slots_of(state.attacked, result >> 2)
    return slots_of(state.attacking, result & 3)


@rule
def slots_of(slots, picked):
    """§6 The first slot of a set, the second, or both, as 1, 2 or 3 are picked."""
    return (picked & 1) << FIRST[slots] | (picked >> 1) << SECOND[slots]


@rule
def kill(state, me, slots):
    """§6.1 The foes in these slots die of the lone unit's blow."""
    state.was_choice = True
    possible = results_seen(state, me)
    for result in range(RESULTS):
        if (possible >> result) & 1 and foes_killed(state, result) == slots:
            decide(state, result)


@rule
def decide(state, result):
    """§6 It is clear who dies."""
    state.dying[ATTACKERS] = slots_of(state.attacking, result & 3)
    state.dying[DEFENDERS] = slots_of(state.attacked, result >> 2)
    state.turn = TABLE
    state.phase = Phase.BURY


# ---------------------------------------------------------------- §7 deaths and credit


@rule
def bury(state):
    """§7 The dead are shown to all, and go to who killed them; everybody draws conclusions."""
    attacker, defender = state.attacker - 1, state.defender - 1
    for slot in range(SLOTS):
        if (state.dying[ATTACKERS] >> slot) & 1:
            die(state, attacker, slot, ATTACKERS, defender)
        if (state.dying[DEFENDERS] >> slot) & 1:
            die(state, defender, slot, DEFENDERS, attacker)
    narrow(state, attacker)
    narrow(state, defender)
    deduce(state)
    narrow(state, attacker)
    narrow(state, defender)
    state.dying[ATTACKERS] = state.dying[DEFENDERS] = 0
    if state.peek_timing == PeekTiming.AFTER_REFILL or not offer_look(state):
        let_place(state)


@rule
def die(state, seat, slot, side, killer):
    """§7.2 A card goes to the graveyard of who killed it; by option, always the attacker's."""
    card = state.in_play[seat, slot]
    state.in_play[seat, slot] = NO_CARD
    state.filled[seat] &= ~(1 << slot)
    state.fallen[side, slot] = card
    taker = state.attacker - 1 if state.credit == Credit.ATTACKER else killer
    state.graveyard[taker, card] += 1
    state.points[taker] += worth_of(state, card)
    state.looks[killer] += card == Card.KING and state.peek_scope != PeekScope.NONE
    notice_death(state, seat, slot, card)


@rule
def notice_death(state, seat, slot, card):
    """§7.1 Everybody sees a dead card, and so which cards its owner still has."""
    state.living[seat, card] -= 1
    state.can_be[seat, slot] = 0
    notice_shown(state, seat, slot, card)
    forget(state, seat, slot)
    if state.living[seat, card] == 0:
        strike(state, seat, card)


# ---------------------------------------------------------------- §8.1 refill


@rule
def let_place(state):
    """§8.1 Whoever can fill an empty slot must, in the order of the seats; then all is revealed."""
    for seat in range(state.players):
        if can_place(state, seat):
            state.turn = seat
            state.phase = Phase.REFILL if state.turn_no > 0 else Phase.SET_UP
            return
    state.turn = TABLE
    state.phase = Phase.REVEAL


@rule
def can_place(state, seat):
    """§8.1 There is an empty slot, and a card in hand that may go there."""
    if state.filled[seat] | state.placed[seat] == ALL_SLOTS[state.slots]:
        return False
    if state.held[seat] > state.hand[seat, Card.MINE]:
        return True
    return state.held[seat] > 0 and not mines_in_play(state, seat)


@rule
def add_placements(state, me, desk):
    """§8.1 Any card of the hand will do, but never a second mine."""
    for card in range(1, Card.MINE):
        if state.hand[me, card] > 0:
            add_move(desk, PLACE + card)
    if state.hand[me, Card.MINE] > 0 and not mines_in_play(state, me):
        add_move(desk, PLACE + Card.MINE)


@rule
def place(state, me, card):
    """§8.1 In secret, a hand card goes to the first empty slot."""
    slot = FIRST_EMPTY[state.filled[me] | state.placed[me]]
    state.hand[me, card] -= 1
    state.held[me] -= 1
    state.in_play[me, slot] = card
    state.placed[me] |= 1 << slot
    let_place(state)


@rule
def reveal(state):
    """§8.1 The cards placed are in play; hands are filled again, and the match goes on."""
    for seat in range(state.players):
        if state.placed[seat]:
            put_in_play(state, seat)
    update_status(state)
    if state.turn_no == 0:
        open_match(state)
    elif state.peek_timing == PeekTiming.BEFORE_REFILL or not offer_look(state):
        end_turn(state)


@rule
def put_in_play(state, seat):
    """§8.1 Everybody sees which slots were filled, and nobody with what; then their owner draws."""
    for slot in range(SLOTS):
        if (state.placed[seat] >> slot) & 1:
            notice_placed(state, seat, slot)
            expect_anything(state, seat, slot)
    state.filled[seat] |= state.placed[seat]
    state.placed[seat] = 0
    narrow(state, seat)
    draw(state, seat)


@rule
def update_status(state):
    """§4 Who has no unit left is stopped, or dead with no card left at all."""
    for seat in range(state.players):
        cards = SIZE[state.filled[seat]] + state.held[seat] + state.pile_size[seat]
        if cards == 0:
            state.status[seat] = Status.DEAD
        elif cards == state.living[seat, Card.MINE]:
            state.status[seat] = Status.STOPPED


@rule
def open_match(state):
    """§3.5 All cards are in play, and the first player has the turn."""
    first = first_player(state)
    state.stacked = False
    state.first = 1 + first
    state.round_no = 1
    begin_turn(state, first)


# ---------------------------------------------------------------- §8.3 a look at a card


@rule
def offer_look(state):
    """§8.3 Who killed a King may look, the attacker first; a look at nothing is lost."""
    for seat in (state.attacker - 1, state.defender - 1):
        if state.looks[seat] > 0:
            if can_look(state, seat):
                state.turn = seat
                state.phase = Phase.PEEK
                return True
            state.looks[seat] = 0
    return False


@rule
def can_look(state, me):
    """§8.3 Whether an opponent has a card to look at."""
    for seat in range(state.players):
        if seat != me and can_be_looked_at(state, seat):
            return True
    return False


@rule
def can_be_looked_at(state, seat):
    """§8.3 A player with a card in play; by option, with a card in hand."""
    if state.peek_scope == PeekScope.HAND_CARD:
        return state.held[seat] > 0
    return state.filled[seat] != 0


@rule
def add_looks(state, me, desk):
    """§8.3 Any card in play of the others, or none; by option, a card of any hand."""
    add_move(desk, DECLINE)
    for seat in range(state.players):
        if seat == me:
            continue
        if state.peek_scope == PeekScope.HAND_CARD:
            if state.held[seat] > 0:
                add_move(desk, PEEK[seat, 0])
            continue
        for slot in range(SLOTS):
            if (state.filled[seat] >> slot) & 1:
                add_move(desk, PEEK[seat, 1 << slot])


@rule
def peek(state, me, move):
    """§8.3 Everybody sees where a player looks, who alone sees the card."""
    state.looks[me] -= 1
    if move.target != NOBODY and move.at == 0:
        see_in_hand(state, me, move.target, card_of_hand(state, move.target))
    elif move.target != NOBODY:
        slot = FIRST[move.at]
        see(state, me, move.target, slot)
        state.looked_at[me] = state.in_play[move.target, slot]
    if offer_look(state):
        return
    if state.peek_timing == PeekTiming.BEFORE_REFILL:
        let_place(state)
    else:
        end_turn(state)


@rule
def card_of_hand(state, seat):
    """§13 Option: one of the cards in a hand, drawn at random."""
    left = below(state.luck, state.held[seat])
    card = 1
    while left >= state.hand[seat, card]:
        left -= state.hand[seat, card]
        card += 1
    return card


# ---------------------------------------------------------------- §9 the end


@rule
def is_last_active(state):
    """§9.2 Whether only one player can still attack."""
    return count_active(state) == 1


@rule
def count_active(state):
    """§4 How many players are active."""
    active = 0
    for seat in range(state.players):
        active += state.status[seat] == Status.ACTIVE
    return active


@rule
def end_turn(state):
    """§9 The match ends, or the next active player clockwise has the turn."""
    active = count_active(state)
    if active == 0:
        end_match(state, Reason.NOBODY_ACTIVE)
    elif active == 1 and not has_target(state):
        end_match(state, Reason.NOTHING_LEFT)
    elif state.end_rule == EndRule.POINTS and most_points(state) >= state.end_points:
        end_match(state, Reason.POINTS)
    else:
        pass_turn(state, state.mover - 1)


@rule
def has_target(state):
    """§9.3 Whether an opponent of the last active player has a card in play."""
    for seat in range(state.players):
        if state.status[seat] != Status.ACTIVE and state.filled[seat]:
            return True
    return False


@rule
def most_points(state):
    """§13 Option: the highest score so far may end the match."""
    most = 0
    for seat in range(state.players):
        most = max(most, state.points[seat])
    return most


@rule
def pass_turn(state, mover):
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
def end_match(state, reason):
    """§9 The match is over, and the table counts."""
    state.reason = reason
    state.turn = TABLE
    state.phase = Phase.SCORE


@rule
def score(state, scores, winners):
    """§10 The points of each seat, and who has won."""
    for seat in range(state.players):
        scores[seat] = state.points[seat]
        winners[seat] = state.won[seat]
