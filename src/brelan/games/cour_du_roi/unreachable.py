"""Positions of La cour du Roi that no match can come to when somebody has to decide.

Cards may stay out of play: hands, the discard and the burned cards need not be named in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from .cards import BOTTOM, FAMILIES, FAMILY, JACK, KINGS, OTHERS, QUEEN, RANK, SUPPORT, Card, Slot
from .court import SingleSupport
from .draft import (
    FIRST_TAKEN,
    KEEP_AND_BURN,
    KEPT_OF_A_DEAL,
    ONE_BY_ONE,
    TWO_FIRST,
    DeadFamily,
    Draft,
    draft_style,
    is_burned,
)
from .rules import has_exchange, has_swap
from .scoring import EndCheck, reason_to_end
from .setting_up import ShowUnusedKing
from .state import PACKET, Phase, Reason

STEPS = {ONE_BY_ONE: 3, TWO_FIRST: 2, KEEP_AND_BURN: 2}  # of a deal at which somebody chooses
PHASES = {True: (Phase.KEEP, Phase.BURN), False: (Phase.PLAY, Phase.SWAP, Phase.GIVE)}


def unreachable(state: Any, given: dict[str, Any]) -> Iterator[str]:
    """Yield what no match can come to."""
    is_draft = "packet" in given
    yield from _wrong_phase(state, is_draft)
    yield from _wrong_kings(state)
    yield from _wrong_options(state)
    named = [king for king in given.get("serves", ()) if king is not None]
    yield from _wrong_families(state, len(named) == state.players)
    if is_draft:
        yield from _wrong_draft(state)
        yield from _wrong_packets(state)
        if (state.deal_no > 1 or state.step > 1) and "remembered" not in given:
            yield "packets have moved: say what each seat remembers of them (remembered)"
    else:
        yield from _wrong_court(state)
        yield from _wrong_hands(state)
        yield from _wrong_turn(state)
        yield from _wrong_round(state)


def cards_drafted(state: Any) -> int:
    """Return how many cards are dealt in the draft (§3); by option, those of living families."""
    if state.dead_family == DeadFamily.REMOVED:
        return len(OTHERS) * int(state.players) // FAMILIES
    return len(OTHERS)


def _deals(state: Any) -> int:
    return cards_drafted(state) // (PACKET * int(state.players))


def _printed(cards: Iterable[int]) -> str:
    return " ".join(Card(card).printed for card in sorted(map(int, cards)))


def _cards(*places: Any) -> list[int]:
    return [int(card) for place in places for card in place.reshape(-1) if card]


def _wrong_phase(state: Any, is_draft: bool) -> Iterator[str]:
    """§5, §6 What somebody decides: a card of a packet, or a turn."""
    phases = PHASES[is_draft]
    if state.phase not in phases:
        names = ", ".join(phase.name.lower() for phase in phases)
        has = "packets" if is_draft else "no packets"
        yield f"with {has} the phase is not {Phase(state.phase).name.lower()}: it may be {names}"


# ---------------------------------------------------------------- §4 Kings and families


def _wrong_kings(state: Any) -> Iterator[str]:
    """§4.2, §4.3 Each player serves a King of their own; the others are aside."""
    served, aside = _cards(state.serves), _cards(state.aside, state.shown_aside)
    if wrong := {*served, *aside} - {*map(int, KINGS)}:
        yield f"{_printed(wrong)} is no King: players serve Kings, and Kings are aside (§4)"
    for king, count in Counter(served).items():
        if count > 1:
            yield f"{count} seats serve {_printed([king])}: each seat has a King of its own (§4)"
    if both := {*served} & {*aside}:
        yield f"{_printed(both)} is served and aside: only who is not served is aside (§4)"
    for seat, king in enumerate(state.revealed):
        if king not in (0, state.serves[seat]):
            yield f"seat {seat} reveals {_printed([king])}: it serves {_printed([served[seat]])}"


def _wrong_options(state: Any) -> Iterator[str]:
    """§4, §5, §14 What is there by option only, or never by option."""
    is_removed = state.dead_family == DeadFamily.REMOVED
    is_shown = is_removed or state.show_unused_king == ShowUnusedKing.ON
    if not is_shown and state.shown_aside.any():
        yield "a King aside lies face up: he does with show_unused_king = on only"
    if is_shown and state.aside.any():
        yield "a King aside lies face down: he lies face up by option (shown_aside)"
    if not is_removed and state.removed.any():
        yield "cards are removed: they are with dead_family = removed only"
    if state.burned_size and draft_style(state) != KEEP_AND_BURN:
        yield "cards are burned: they are with two players only, by default (§5)"


def _wrong_families(state: Any, is_named: bool) -> Iterator[str]:
    """§14 Option: dead families have left the game."""
    if state.dead_family != DeadFamily.REMOVED:
        return
    dead = {int(FAMILY[king]) for king in _cards(state.shown_aside)}
    if is_named:
        dead = {*range(FAMILIES)} - {int(FAMILY[king]) for king in _cards(state.serves)}
    there = _cards(state.hand, state.court, state.discard, state.packet, state.chosen)
    if wrong := [card for card in there if FAMILY[card] in dead]:
        yield f"{_printed(wrong)} is of a dead family: those are removed (dead_family = removed)"


# ---------------------------------------------------------------- §5 the draft


def _wrong_draft(state: Any) -> Iterator[str]:
    """§5 How far the draft is, and what cannot be before it is over."""
    deals, steps = _deals(state), STEPS[draft_style(state)]
    if state.draft == Draft.RANDOM:
        yield "packets are not dealt with draft = random"
    if state.deal_no > deals:
        yield f"deal_no is {state.deal_no}: there are {deals} deals (§3)"
    if state.step > steps:
        yield f"step is {state.step}: somebody chooses at steps 1 to {steps} of a deal (§5)"
    if state.phase == Phase.BURN and (draft_style(state) != KEEP_AND_BURN or state.step > 1):
        yield "nobody chooses what to burn: two players do by default, at step 1 of a deal (§5)"
    if _cards(state.court, state.discard):
        yield "cards lie on the Court: the draft comes before (§4)"
    if kings := {*_cards(state.hand, state.packet, state.chosen)} & {*map(int, KINGS)}:
        yield f"{_printed(kings)} is in a hand or a packet: Kings lie apart in the draft (§4)"
    if state.stock_size % (PACKET * state.players):
        yield f"the stock has {state.stock_size} cards: there must be packets of 4 for all (§5)"


def _wrong_packets(state: Any) -> Iterator[str]:
    """§5 How many cards must be in packets and hands, chosen and burned."""
    style = int(draft_style(state))
    if state.step > STEPS[style]:
        return
    first, after = (int(FIRST_TAKEN[style, step]) for step in (state.step - 1, state.step))
    shares = zip(_shares(style, PACKET), _shares(style, first), strict=True)
    kept, burned = (int(state.deal_no - 1) * of_deal + of_steps for of_deal, of_steps in shares)
    for seat in range(state.players):
        chosen = after - first if seat < state.turn else 0
        if seat == state.turn:
            chosen = _chosen_so_far(state, seat, style)
        for name, found, right in (
            ("chosen", len(_cards(state.chosen[seat])), chosen),
            ("in the packet", int(state.packet_size[seat]), PACKET - first - chosen),
            ("in hand", int(state.held[seat]), kept),
        ):
            if found != right:
                yield f"seat {seat} has {found} cards {name}: it must have {right} by now (§5)"
    burned *= int(state.players)
    if state.burned_size != burned:
        yield f"{state.burned_size} cards are burned: there must be {burned} by now (§5)"


def _shares(style: int, taken: int) -> tuple[int, int]:
    """How many of the cards taken from a packet are kept, and how many are burned."""
    burned = sum(bool(is_burned(style, place)) for place in range(taken))
    return taken - burned, burned


def _chosen_so_far(state: Any, seat: int, style: int) -> int:
    """How many cards the seat in turn has chosen: one before it burns, or the first of two."""
    if style == TWO_FIRST and state.step == 1:
        return min(1, len(_cards(state.chosen[seat])))
    return int(style == KEEP_AND_BURN and state.phase == Phase.BURN and state.step == 1)


# ---------------------------------------------------------------- §6 the Court and the turn


def _wrong_court(state: Any) -> Iterator[str]:
    """§7.1 A filled slot has both its supports filled; by option, one is enough."""
    is_one_enough = state.single_support == SingleSupport.ON
    for slot in range(BOTTOM):
        below = [int(SUPPORT[slot]), int(SUPPORT[slot]) + 1]
        filled = [support for support in below if state.court[support]]
        if state.court[slot] and len(filled) < (1 if is_one_enough else 2):
            card, name = Card(state.court[slot]).printed, Slot(slot).name
            names = f" {'or' if is_one_enough else 'and'} ".join(Slot(each).name for each in below)
            yield f"{card} on {name} floats: {names} below it must be filled (§7)"
    if state.discard_size and not state.court.any():
        yield "there is a discard: what has covered those cards must be on the Court (§6.3)"


def _wrong_hands(state: Any) -> Iterator[str]:
    """§3, §7.3 Hands only get smaller, by the cards that are laid."""
    most = _deals(state) * int(KEPT_OF_A_DEAL[draft_style(state)]) + 1
    for seat in range(state.players):
        if state.held[seat] > most:
            yield f"seat {seat} holds {state.held[seat]} cards: a hand has {most} at most (§3)"
    laid, held = len(_cards(state.court, state.discard)), int(state.held.sum())
    if laid + held > most * state.players:
        yield (
            f"{laid} cards are laid and {held} in hand:"
            f" {most * state.players} can be played in all (§3)"
        )


def _wrong_turn(state: Any) -> Iterator[str]:
    """§6 Whoever has the turn has something to decide."""
    seat, ranks = int(state.turn), {int(RANK[card]) for card in _cards(state.court)}
    if state.phase == Phase.PLAY and not state.held[seat]:
        yield f"seat {seat} has the turn and no card: only who has cards has turns (§6)"
    if state.phase == Phase.SWAP and not (QUEEN in ranks and has_swap(state)):
        yield "there is nothing to swap: a Queen and another card must be on the Court (§6.4)"
    if state.phase == Phase.GIVE and not (JACK in ranks and has_exchange(state, seat)):
        yield "there is nothing to exchange: a Jack must be on the Court, cards in two hands (§6.5)"


def _wrong_round(state: Any) -> Iterator[str]:
    """§8 No more cards are laid than there were turns, and the game is not over."""
    laid, turns = len(_cards(state.court, state.discard)), int(state.turn_no)
    turns += int(state.round_no - 1) * int(state.players) + (state.phase != Phase.PLAY)
    if laid > turns:
        yield f"{laid} cards are laid after {turns} turns: one a turn at most (§8)"
    is_checked = state.turn_no == 0 or state.end_check == EndCheck.IMMEDIATE
    if state.phase == Phase.PLAY and laid and is_checked and reason_to_end(state) != Reason.NONE:
        least = "a player" if state.end_check == EndCheck.SOLO_FINISH else "two players"
        yield f"the game would be over: {least} must be able to play when it goes on (§8)"
