"""What a reader is told of a match of Art of War: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from brelan.i18n import Message, Word, listed, seat_word

from .battle import strength, strike
from .cards import (
    ANY_KING,
    BLOW,
    DEFENCE,
    FRONT,
    KNOBS,
    MOVES,
    NO_CARD,
    NOWHERE,
    Action,
    Card,
    Reserve,
    Slot,
)
from .scoring import EndOfWar
from .state import Outcome, Phase, Reason

KING = Word("card.k")  # in a move, which does not say which one


@functools.cache  # so that two tellings of the same cards are equal
def card_word(card: int, count: int = 1) -> Word:
    """Return a card, or several of a kind, as a fact of a text."""
    return Word(f"card.{Card(card).name.lower()}", count=count)


def cards_word(cards: Iterable[tuple[int, int]]) -> Word:
    """Return kinds of cards and their numbers as one fact: one, one and another, one, two and …"""
    return listed("cards", [{"card": card_word(card, count)} for card, count in cards])


def kind_word(kind: int) -> Word:
    """Return a card as a move names it."""
    return KING if kind == ANY_KING else card_word(kind)


def slot_name(slot: int) -> str:
    """Write a slot as everybody does."""
    return Slot(slot).name


# ---------------------------------------------------------------- a move in words


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    move = MOVES[number]
    key = f"move.{Action(move.action).name.lower()}"
    slot = slot_name(move.slot)
    match move.action:
        case Action.DEPLOY:
            return _label_deployment(view, move)
        case Action.ATTACK | Action.SWEEP:
            unit = _unit(view, int(view.active), move.slot)
            return key, expected(view, number) | {"unit": unit, "slot": slot}
        case Action.CONSCRIPT:
            return key, {"card": called(view, move.card), "slot": slot}
        case Action.DEMOBILISE | Action.RESERVE:
            return key, {"card": kind_word(move.card)}
        case Action.SUPPORT:
            effects = {Card.S: "encourage", Card.G: "block", Card.A: "shoot"}
            args = expected(view, number) | {"card": kind_word(move.card)}
            return f"move.{effects[Card(move.effect)]}", args
    return key, {}


def _label_deployment(view: Any, move: Any) -> Message:
    args = {"card": kind_word(move.card), "slot": slot_name(move.slot)}
    if view.phase == Phase.OPENING:
        return "move.open", args
    if view.unit[view.active, move.slot] == NO_CARD:
        return "move.deploy", args
    return "move.swap", args | {"old": _unit(view, int(view.active), move.slot)}


def called(view: Any, kind: int) -> Word:
    """Return whom a conscription calls up: the next in a queue, or the kind that was chosen."""
    if kind != NO_CARD:
        return kind_word(kind)
    me = view.turn
    queue = view.reserves if view.reserve_size[me] else view.kingdom
    return card_word(int(queue[me, 0]))


def _unit(view: Any, seat: int, slot: int) -> Word:
    return card_word(int(view.unit[seat, slot]))


# ---------------------------------------------------------------- a blow in words


def expected(view: Any, number: int) -> dict[str, Any]:
    """Return what will come of a move that strikes one unit, if nobody stops it; else nothing."""
    move, after = MOVES[number], view.copy()
    if move.target == NOWHERE:
        return {}
    is_attack = move.action == Action.ATTACK
    value = strength(view, move.slot) if is_attack else BLOW
    strike(after, move.target, value, is_attack)
    args = landed(view, after, move.target, value)
    return args | ({"outcome": Word("outcome.execution")} if after.phase == Phase.OVER else {})


def landed(before: Any, after: Any, slot: int, value: int) -> dict[str, Any]:
    """Return a blow and what came of it."""
    return blow(before, slot, value) | {"outcome": _outcome(int(after.outcome), int(value))}


def blow(before: Any, slot: int, value: int) -> dict[str, Any]:
    """Return who is struck where, how hard, and against what."""
    foe = 1 - int(before.active)
    card, wounds = int(before.unit[foe, slot]), int(before.damage[foe, slot])
    defence = int(DEFENCE[before.posture[foe, slot], card])
    return {
        "target": card_word(card),
        "at": slot_name(slot),
        "blow": int(value),
        "defence": f"{defence}\u00a0−\u00a0{wounds}" if wounds else str(defence),
    }


def _outcome(outcome: int, value: int) -> Word:
    if outcome == Outcome.WOUNDED and not value:
        return Word("outcome.unhurt")
    return Word(f"outcome.{Outcome(outcome).name.lower()}")


# ---------------------------------------------------------------- what happens


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    told = list(_tell_move(before, number, after, reader))
    if after.phase == Phase.CONSCRIPTION != before.phase:
        called_up = seat_word(int(after.turn), reader)
        told.append(("story.calls_up", {"who": called_up, "count": int(after.to_conscript)}))
    if after.phase == Phase.OVER:
        told += _tell_end(after, reader)
    return told


def _tell_move(
    before: Any, number: int, after: Any, reader: int | None
) -> Iterator[Message] | list[Message]:
    move = MOVES[number]
    match move.action:
        case Action.DEAL:
            return _tell_deal(after, reader)
        case Action.PREPARE:
            return _tell_preparation(before, after, reader)
        case Action.END:
            return []  # the next turn says it
    args: dict[str, Any] = {"who": seat_word(int(before.turn), reader)}
    match move.action:
        case Action.DEPLOY:
            return [_tell_deployment(before, after, move.slot, args)]
        case Action.ATTACK | Action.SWEEP | Action.STRIKE | Action.PASS:
            return _tell_attack(before, number, after, reader)
        case Action.CONSCRIPT:
            return [_tell_conscript(before, number, after, args)]
        case Action.DEMOBILISE:
            return [_tell_demobilised(before, after, args)]
        case Action.RESERVE:
            return [("story.reserves", args | {"card": _last_of_reserve(after, int(before.turn))})]
        case Action.SUPPORT:
            return _tell_support(before, number, after, reader)
    return [("story.nothing" if move.action == Action.NOTHING else "story.stops", args)]


def _tell_deal(after: Any, reader: int | None) -> Iterator[Message]:
    seats = [seat for seat in range(2) if seat != reader]
    if reader is not None:
        yield "story.dealt", {"cards": cards_word(_held(after.hand[reader]))}
    for seat in seats:
        if king := int(after.king_seen[seat]):
            yield "story.king", {"who": seat_word(seat, reader), "card": card_word(king)}
    for seat in range(2):
        args = {"who": seat_word(seat, reader), "card": card_word(int(after.kingdom[seat, 0]))}
        yield "story.first_citizen", args
    yield "story.starts", {"who": seat_word(int(after.first), reader)}


def _held(hand: Any) -> tuple[tuple[int, int], ...]:
    """Return the kinds of a hand and their numbers, the King first."""
    return tuple((card, int(hand[card])) for card in sorted(Card, reverse=True) if hand[card])


def _tell_preparation(before: Any, after: Any, reader: int | None) -> Iterator[Message]:
    if after.phase == Phase.OVER:
        yield "story.war_ends", {}
        return
    yield "story.turn", {"number": int(after.turn_no)}
    if reader == after.turn:
        drawn = (after.hand[reader] - before.hand[reader]).argmax()
        yield "story.drew", {"card": card_word(int(drawn))}
    else:
        yield "story.draws", {"who": seat_word(int(after.turn), reader)}


def _tell_deployment(before: Any, after: Any, slot: int, args: dict[str, Any]) -> Message:
    me = int(before.turn)
    args |= {"card": _unit(after, me, slot), "slot": slot_name(slot)}
    if before.phase == Phase.OPENING:
        return "story.opens", args
    args["source"] = "reserve" if before.reserve_size[me] else "hand"
    if before.unit[me, slot] == NO_CARD:
        return "story.deploys", args
    goes_to = "reserve" if before.reserve == Reserve.ON else "hand"
    return "story.swaps", args | {"old": _unit(before, me, slot), "to": goes_to}


def _tell_conscript(before: Any, number: int, after: Any, args: dict[str, Any]) -> Message:
    me, move = int(before.turn), MOVES[number]
    if after.reserve_size[me] < before.reserve_size[me]:
        source = "reserve"
    elif after.citizens[me] < before.citizens[me]:
        source = "citizen" if move.card else "oldest"
    else:
        source = "hand"
    place = {"card": _unit(after, me, move.slot), "slot": slot_name(move.slot)}
    return "story.conscripts", args | place | {"source": source}


def _tell_demobilised(before: Any, after: Any, args: dict[str, Any]) -> Message:
    me = int(before.turn)
    count = int(after.citizens[me])
    args |= {"card": card_word(int(after.kingdom[me, count - 1])), "count": count}
    return "story.must_demobilise" if before.phase == Phase.FORCED else "story.demobilises", args


def _last_of_reserve(view: Any, seat: int) -> Word:
    return card_word(int(view.reserves[seat, view.reserve_size[seat] - 1]))


# ---------------------------------------------------------------- §7 attacks


def _tell_attack(before: Any, number: int, after: Any, reader: int | None) -> Iterator[Message]:
    """An attack as it is declared, as it is let through, and as it lands."""
    move = MOVES[number]
    if move.action == Action.PASS:
        yield "story.passes", {"who": seat_word(int(before.turn), reader)}
    args = _attacker(before, int(after.attacker), reader)
    if move.action == Action.SWEEP:
        yield "story.sweeps", args
    elif move.action == Action.STRIKE or after.target != NOWHERE:
        slot = _swept(before, after) if move.action == Action.STRIKE else int(after.target)
        value = strength(before, after.attacker)
        if after.phase == Phase.BLOCK:
            yield "story.attacks", args | blow(before, slot, value)
        else:
            yield "story.strikes", args | landed(before, after, slot, value)
            yield from _tell_advance(before, after, slot)


def _attacker(before: Any, slot: int, reader: int | None) -> dict[str, Any]:
    me = int(before.active)
    whose = {"who": seat_word(me, reader), "foe": seat_word(1 - me, reader)}
    return whose | {"unit": _unit(before, me, slot), "slot": slot_name(slot)}


def _swept(before: Any, after: Any) -> int:
    """Return where the unit stood that a sweep has struck."""
    slot = (int(before.sweep_left) ^ int(after.sweep_left)).bit_length() - 1
    return slot if before.unit[1 - before.active, slot] else slot - FRONT


def _tell_advance(before: Any, after: Any, slot: int) -> Iterator[Message]:
    """The unit behind one that fell; nobody looks at it when a King has fallen."""
    foe, behind = 1 - int(before.active), slot + FRONT
    if slot >= FRONT or after.phase == Phase.OVER:
        return
    if before.unit[foe, behind] and not after.unit[foe, behind]:
        yield "story.advances", {"unit": _unit(before, foe, behind), "slot": slot_name(slot)}


def _tell_support(before: Any, number: int, after: Any, reader: int | None) -> Iterator[Message]:
    move, me = MOVES[number], int(before.turn)
    is_king = move.card == ANY_KING
    card = _last_of_reserve(after, me) if is_king else card_word(int(move.card))
    args: dict[str, Any] = {"who": seat_word(me, reader), "card": card}
    match move.effect:
        case Card.S:
            yield "story.encourages", args | {"bonus": int(after.bonus)}
        case Card.G:
            yield "story.blocks", args
        case _:
            args["foe"] = seat_word(1 - me, reader)
            yield "story.shoots", args | landed(before, after, move.target, BLOW)
            yield from _tell_advance(before, after, move.target)


# ---------------------------------------------------------------- §9 the end of the match


def _tell_end(after: Any, reader: int | None) -> Iterator[Message]:
    winner = int(after.winner) - 1
    match after.reason:
        case Reason.EXECUTION:
            yield "story.execution", {}
        case Reason.COLLAPSE:
            yield "story.collapse", {"who": seat_word(1 - winner, reader)}
        case _:
            yield from _tell_count(after, reader)
    if after.winner:
        yield "story.wins_match", {"who": seat_word(winner, reader)}


def _tell_count(after: Any, reader: int | None) -> Iterator[Message]:
    """The citizens when the war is over, and what broke a tie, or that nothing did."""
    for seat in range(2):
        args = {"who": seat_word(seat, reader), "count": int(after.citizens[seat])}
        yield "story.citizens", args
    if after.reason == Reason.KILLS:
        winner = int(after.winner) - 1
        kills = {"more": int(after.kills[winner]), "fewer": int(after.kills[1 - winner])}
        yield "story.kills", kills | {"who": seat_word(winner, reader)}
    elif after.reason == Reason.DRAW:
        if after.end_of_war == EndOfWar.DRAW:
            yield "story.no_winner", {}
        else:
            yield "story.draw", {"tie": KNOBS["war_tie"].value(int(after.war_tie))}


def reason(view: Any) -> str:
    """Return what decided the match."""
    return Reason(view.reason).name.lower()
