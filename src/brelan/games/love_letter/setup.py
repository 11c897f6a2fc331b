"""What follows from a position of Love Letter that is set up by hand, and what cannot be."""

from __future__ import annotations

from typing import Any

from brelan.errors import Refused

from .cards import PACK_SIZE, Card
from .state import How, Phase

DECIDING = (Phase.CHOOSE_PLAY, Phase.CHOOSE_CHANCELLOR)


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: the deck below the cards named, the sums of the areas, the phase."""
    state.round_no = max(1, state.round_no)
    state.turn_no = max(1, state.turn_no)
    if "in_round" not in given:
        state.in_round[: state.players] = True
    state.drew_size = (state.drew[state.turn] != 0).sum()
    if state.drew_size == 2 or state.phase not in DECIDING:
        state.phase = Phase.CHOOSE_CHANCELLOR if state.drew_size == 2 else Phase.CHOOSE_PLAY
    state.burned_left = state.burned != 0
    _lay_deck(state, given)
    state.area_sum[:] = state.spies[:] = 0
    state.out[:] = 0
    for seat in range(state.players):
        for place in range(state.area_size[seat]):
            card = state.area[seat, place]
            state.area_how[seat, place] = state.area_how[seat, place] or How.PLAYED
            if state.area_how[seat, place] == How.PLAYED or state.tie_sum_counts == 0:
                state.area_sum[seat] += card - Card.SPY
            state.spies[seat] += card == Card.SPY
            state.out[card] += 1
    for card in state.face_up:
        if card:
            state.out[card] += 1
    if "saw" not in given:
        state.saw[:] = state.known != 0
    _refuse_round(state)
    for seat in range(state.players):
        _refuse_seat(state, seat)
        _refuse_knowledge(state, seat)


def _lay_deck(state: Any, given: dict[str, Any]) -> None:
    """The deck ends where cards will be put under it."""
    if None in given.get("pile", []):
        raise Refused("pile has a gap: a row is written without None")
    cards = [card for card in state.pile if card]
    state.packed = PACK_SIZE[state.deck]
    state.deck_size = len(cards)
    state.top = state.packed - len(cards)
    state.pile[:] = 0
    state.pile[state.top : state.packed] = cards


# ---------------------------------------------------------------- what cannot be


def _refuse_round(state: Any) -> None:
    """§4 Two players at least are in a round, the one in turn has drawn, the others have not."""
    me = state.turn
    if not state.in_round[me]:
        raise Refused(f"seat {me} has the turn and is out of the round")
    if state.in_round[: state.players].sum() < 2:
        raise Refused("a round that goes on has two players in it at least")
    if not state.drew[me, 0]:
        raise Refused(f"seat {me} has the turn: drew has the card that it has drawn")
    if state.revealed.any() or state.round_won.any() or state.match_won.any() or state.reason:
        raise Refused("a round that goes on has no winner, no reason and no hand revealed")
    if state.phase == Phase.CHOOSE_CHANCELLOR and state.drew_size == 1 and state.deck_size:
        raise Refused("a Chancellor draws one card only if that was the last of the deck")
    for name in ("starter", "to_start"):
        if state[name] not in range(state.players):
            raise Refused(f"{name} = {state[name]} is no seat of {state.players}")
    holds_prince = Card.PRINCE in (state.hand[me], state.drew[me, 0])
    if not state.deck_size and not state.burned and holds_prince:
        raise Refused("a Prince on an empty deck gives the burned card: name it (burned)")


def _refuse_seat(state: Any, seat: int) -> None:
    """§4 Who is in the round holds one card; who is out holds none, and all see how they fell."""
    for name in ("in_round", "protected"):
        if state[name][seat] not in (0, 1):
            raise Refused(f"{name} of seat {seat} is 1 or 0, not {state[name][seat]}")
    if state.tokens[seat] < 0:
        raise Refused(f"seat {seat} has {state.tokens[seat]} tokens; 0 is the least")
    how = list(state.area_how[seat, : state.area_size[seat]])
    if state.in_round[seat]:
        if not state.hand[seat]:
            raise Refused(f"seat {seat} is in the round and holds no card: hand has one for each")
        if How.KNOCKOUT in how:
            raise Refused(f"seat {seat} is in the round and was knocked out")
    elif state.hand[seat]:
        raise Refused(f"seat {seat} is out of the round and holds a card")
    elif state.protected[seat]:
        raise Refused(f"seat {seat} is out of the round and protected")
    if seat != state.turn and state.drew[seat].any():
        raise Refused(f"seat {seat} has drawn, and seat {state.turn} has the turn")
    if seat == state.turn and state.protected[seat]:
        raise Refused(f"seat {seat} has the turn: its protection has ended")


def _refuse_knowledge(state: Any, me: int) -> None:
    """§6 What a seat knows is true; no card lies under the deck of a position yet."""
    if state.tucked_known[me].any() or state.known_drew[me].any() or state.lost[me].any():
        raise Refused("in a position nobody has put a card under the deck yet")
    for other in range(state.players):
        card = state.hand[other]
        if state.known[me, other] not in (0, card) or (state.not_held[me, other] >> card) & 1:
            raise Refused(f"seat {me} cannot know of seat {other} what is not so")
        if (state.known[me, other] or state.not_held[me, other]) and other == me:
            raise Refused(f"known and not_held of seat {me} are of the other seats")
        if state.saw[me, other] and not state.known[me, other]:
            raise Refused(f"seat {me} saw a card of seat {other} that known does not name")
