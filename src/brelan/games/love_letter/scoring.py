"""The rules of Love Letter: the end of a round (§7) and of the match (§8)."""

from __future__ import annotations

from brelan.rules import NOBODY, clear, random_below, rule

from .cards import KNOBS, NO_CARD, Card
from .state import How, Phase, Reason, State

TieBreak = KNOBS.choice("tie_break")
DoubleTie = KNOBS.choice("double_tie")
SpyBonus = KNOBS.choice("spy_bonus")
NextStarter = KNOBS.choice("next_starter")
MatchWin = KNOBS.choice("simultaneous_match_win")
Reveal = KNOBS.choice("reveal_after_knockout")

CARD_FIRST = 1000  # a card counts more than any sum of an area


# ---------------------------------------------------------------- §7 the end of a round


@rule
def score_round(state: State):
    """§7 Compare, reveal, award the tokens, then see whether the match is won."""
    find_winners(state)
    choose_next_starter(state)
    void_double_tie(state)
    reveal_hands(state)
    give_tokens(state)
    state.phase = Phase.OVER if settle_match(state) else Phase.DEAL


@rule
def find_winners(state: State):
    """§7.1 The last one in the round, or the strongest of those who are left."""
    best = 0
    for seat in range(state.players):
        best = max(best, strength(state, seat))
    for seat in range(state.players):
        state.round_won[seat] = strength(state, seat) == best


@rule
def strength(state: State, seat):
    """§7.1 What is compared at the end: the card, then the sum of the area."""
    if not state.in_round[seat]:
        return 0
    tie_break = state.area_sum[seat] if state.tie_break == TieBreak.SUM_OF_DISCARDS else 0
    return CARD_FIRST * state.hand[seat] + tie_break


@rule
def void_double_tie(state: State):
    """§7.1 Option: if card and sum are both equal, nobody wins the round."""
    if state.tie_break == TieBreak.BOTH_WIN or state.double_tie == DoubleTie.BOTH_WIN:
        return
    winners = 0
    for seat in range(state.players):
        winners += state.round_won[seat]
    if winners > 1:
        clear(state.round_won)


@rule
def reveal_hands(state: State):
    """§6 A showdown shows the hands; after a knock-out nothing is shown, unless by option."""
    if state.reason == Reason.KNOCKOUT and state.reveal_after_knockout == Reveal.NONE:
        return
    for seat in range(state.players):
        if state.in_round[seat]:
            state.revealed[seat] = state.hand[seat]
            state.hand[seat] = NO_CARD
            state.out[state.revealed[seat]] += 1
    if state.reason == Reason.KNOCKOUT and state.reveal_after_knockout == Reveal.ALL:
        state.burned_shown = state.burned
        state.burned = NO_CARD
        state.burned_left = False
        state.out[state.burned_shown] += 1


@rule
def give_tokens(state: State):
    """§7.2 A token to each winner of the round, §7.3 and one for the Spy."""
    spy = spy_owner(state)
    for seat in range(state.players):
        state.spy_won[seat] = seat == spy
        state.tokens[seat] += state.round_won[seat] + state.spy_won[seat]


@rule
def spy_owner(state: State):
    """§7.3 Who has the only Spy that counts; by option who alone has any, or nobody."""
    owner, owners, spies = NOBODY, 0, 0
    for seat in range(state.players):
        counted = spies_that_count(state, seat)
        if counted > 0:
            owner = seat
            owners += 1
            spies += counted
    match state.spy_bonus:
        case SpyBonus.ONLY_SURVIVOR_WITH_SPY:
            return owner if owners == 1 else NOBODY
        case SpyBonus.OFF:
            return NOBODY
    return owner if spies == 1 else NOBODY


@rule
def spies_that_count(state: State, seat):
    """§7.3 The Spies of those still in the round; by option also those the others had played."""
    if state.in_round[seat]:
        return state.spies[seat]
    played = 0
    if state.spy_bonus == SpyBonus.ONE_SPY_PLAYED:
        for place in range(state.area_size[seat]):
            is_spy = state.area[seat, place] == Card.SPY
            played += is_spy and state.area_how[seat, place] != How.KNOCKOUT
    return played


@rule
def choose_next_starter(state: State):
    """§7.4 The winner starts the next round; one of them at random if there are several."""
    match state.next_starter:
        case NextStarter.WINNER:
            state.to_start = one_who(state, True)
        case NextStarter.LOSER:
            state.to_start = one_who(state, False)
        case NextStarter.ALTERNATE:
            state.to_start = (state.starter + 1) % state.players
        case NextStarter.RANDOM:
            state.to_start = random_below(state.luck, state.players)


@rule
def one_who(state: State, won):
    """§7.4 One of those who won the round, or did not; anyone if there are none."""
    candidates = 0
    for seat in range(state.players):
        candidates += state.round_won[seat] == won
    skip = random_below(state.luck, candidates if candidates > 0 else state.players)
    for seat in range(state.players):
        if candidates == 0 or state.round_won[seat] == won:
            if skip == 0:
                return seat
            skip -= 1
    return NOBODY


# ---------------------------------------------------------------- §8 the end of the match


@rule
def settle_match(state: State):
    """§8 Six tokens win the match; what happens if several get there together is an option."""
    top = winners = 0
    for seat in range(state.players):
        top = max(top, state.tokens[seat])
    if top < state.tokens_to_win:
        return False
    enough = state.tokens_to_win if state.simultaneous_match_win == MatchWin.SHARED else top
    for seat in range(state.players):
        state.match_won[seat] = state.tokens[seat] >= enough
        winners += state.match_won[seat]
    if winners > 1 and state.simultaneous_match_win == MatchWin.EXTRA_ROUND:
        clear(state.match_won)
        return False
    return True
