"""What a reader is told of a match of La cour du Roi: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from brelan.i18n import Message, Word, listed, seat_word

from .cards import FAMILY, JACK, MOVES, QUEEN, RANK, ROW, SLOTS, SUMMIT, Kind, Slot
from .draft import direction
from .state import DRAWN, GIVEN, Phase, Reason

RANKS = {1: "a", 11: "j", 12: "q", 13: "k"}  # those that have a name; the others are numbers
FAMILIES = "hdcs"
ENDS = {
    Reason.HANDS_EMPTY: "story.end_hands",
    Reason.NOBODY_CAN_PLAY: "story.end_nobody",
    Reason.ONE_CAN_PLAY: "story.end_one",
}


# ---------------------------------------------------------------- words
#
# They are cached so that two tellings of the same cards are equal.


@functools.cache
def rank_word(rank: int) -> Word:
    """Return a rank as a fact of a text."""
    return Word(f"rank.{RANKS.get(rank, 'number')}", value=rank)


@functools.cache
def family_word(family: int) -> Word:
    """Return a family as a fact of a text."""
    return Word(f"family.{FAMILIES[family]}")


@functools.cache
def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    return Word("card", rank=rank_word(int(RANK[card])), family=family_word(int(FAMILY[card])))


def cards_word(cards: Iterable[int]) -> Word:
    """Return cards as one fact of a text."""
    return listed("cards", [{"card": card_word(card)} for card in cards])


def sum_word(terms: Iterable[tuple[int, int]]) -> Word:
    """Return a sum of cards, each with its row, as one fact of a text."""
    return listed("sum", [{"card": card_word(card), "row": row} for card, row in terms])


def slot_name(slot: int) -> str:
    """Return a slot as the rulebook writes it (§2)."""
    return str(Slot(slot).name)


def _sorted(cards: Iterable[int]) -> tuple[int, ...]:
    """Cards whose order means nothing, family after family."""
    return tuple(sorted(int(card) for card in cards if card))


# ---------------------------------------------------------------- moves


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    move = MOVES[number]
    kind = Kind(move.kind)
    name = f"move.{kind.name.lower()}"
    match kind:
        case Kind.KEEP | Kind.BURN:
            return _with_card(name, move.card, {})
        case Kind.GIVE:
            return _with_card(name, move.card, {"target": seat_word(int(move.seat), None)})
        case Kind.DRAW:
            drawn = view.exchanged[:, view.exchange_no - 1, DRAWN]
            return _with_card(name, drawn.max(), {})
        case Kind.LAY:
            return _label_lay(view, move)
        case Kind.SWAP:
            slots = {"slot": slot_name(move.slot), "other": slot_name(move.other)}
            one, two = view.court[move.slot], view.court[move.other]
            return name, slots | {"one": card_word(int(one)), "two": card_word(int(two))}
        case Kind.DECLINE:
            return f"move.decline_{'swap' if view.phase == Phase.SWAP else 'exchange'}", {}
    return name, {}


def _with_card(name: str, card: int, args: dict[str, Any]) -> Message:
    """A move with a card, or one that hides it."""
    return (name, args | {"card": card_word(int(card))}) if card else (f"{name}_hidden", args)


def _label_lay(view: Any, move: Any) -> Message:
    args = {"card": card_word(int(move.card)), "slot": slot_name(move.slot)}
    if old := int(view.court[move.slot]):
        return "move.cover", args | {"old": card_word(old)}
    return "move.lay", args


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    match Kind(MOVES[number].kind):
        case Kind.DEAL:
            return _tell_deal(after, reader)
        case Kind.PACKETS:
            return [_tell_packets(after, reader)]
        case Kind.KEEP | Kind.BURN:
            return _tell_choice(before, number, after, reader)
        case Kind.HAND_ON:
            return _tell_hand_on(before, after, reader)
        case Kind.BEGIN:
            return [("story.begins", {"who": seat_word(int(after.first) - 1, reader)})]
        case Kind.SCORE:
            return _tell_score(before, after, reader)
    told = _tell_turn(before, number, after, reader)
    if after.phase == Phase.SCORE:
        told.append((ENDS[Reason(after.reason)], {}))
    return told


# ---------------------------------------------------------------- §4 setting up


def _tell_deal(after: Any, reader: int | None) -> list[Message]:
    told: list[Message] = []
    if after.games > 1:
        told.append(("story.game", {"number": int(after.game_no)}))
    if reader is None:
        told.append(("story.kings", {}))
    else:
        king = int(after.serves[reader])
        args = {"king": card_word(king), "family": family_word(int(FAMILY[king]))}
        told.append(("story.serves", args))
    for king in _sorted(after.shown_aside):
        key = "story.removed" if after.removed.any() else "story.aside"
        args = {"king": card_word(king), "family": family_word(int(FAMILY[king]))}
        told.append((key, args))
    return [*told, _tell_hands(after, reader) if after.step == 0 else _tell_packets(after, reader)]


def _tell_hands(after: Any, reader: int | None) -> Message:
    """§14 Option: whole hands are dealt."""
    if reader is None:
        return "story.hands", {"count": int(after.held[0])}
    return "story.hand", {"cards": cards_word(_sorted(after.hand[reader]))}


# ---------------------------------------------------------------- §5 the draft


def _tell_packets(after: Any, reader: int | None) -> Message:
    args: dict[str, Any] = {"number": int(after.deal_no)}
    if reader is None:
        return "story.packets", args
    return "story.packet", args | {"cards": cards_word(_sorted(after.packet[reader]))}


def _tell_choice(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """A player reads of their own choices only; a spectator, that a choice was made."""
    me, move = int(before.turn), MOVES[number]
    is_last = before.packet_size[me] == after.packet_size[me] + 2  # the other one is burned too
    key = "story.keeps_and_burns" if is_last else f"story.{Kind(move.kind).name.lower()}s"
    if reader == me:
        args = {"card": card_word(int(move.card))}
        if is_last:
            args["other"] = card_word(int(after.chosen[me, 1]))
        return [(key, args)]
    return [(f"{key}_hidden", {"who": seat_word(me, reader)})] if reader is None else []


def _tell_hand_on(before: Any, after: Any, reader: int | None) -> list[Message]:
    """Packets move on; the last card of a packet is kept by itself."""
    if not before.packet_size[0]:
        return [("story.deal_over", {})] if reader is None else []
    is_last = not after.packet_size[0]
    way = int(direction(before, before.deal_no))
    if reader is None:
        key = "story.hands_on_last" if is_last else "story.hands_on"
        return [(key, {"way": "left" if way > 0 else "right"})]
    players = int(before.players)
    args: dict[str, Any] = {
        "passed": cards_word(_sorted(before.packet[reader])),
        "next": seat_word((reader + way) % players, reader),
        "previous": seat_word((reader - way) % players, reader),
    }
    if is_last:
        last = int(after.hand[reader, after.held[reader] - 1])
        return [("story.passes_on_last", args | {"card": card_word(last)})]
    received = cards_word(_sorted(after.packet[reader]))
    return [("story.passes_on", args | {"received": received})]


# ---------------------------------------------------------------- §6 a turn


def _tell_turn(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    move = MOVES[number]
    args: dict[str, Any] = {"who": seat_word(int(before.turn), reader)}
    match Kind(move.kind):
        case Kind.LAY:
            return _tell_lay(before, move, after, args)
        case Kind.SWAP:
            return [_tell_swap(before, move, args)]
        case Kind.GIVE:
            return [_tell_gift(before, move, reader, args)]
        case Kind.DRAW:
            return [_tell_draw(after, reader)]
        case Kind.DECLINE:
            key = "swap" if before.phase == Phase.SWAP else "exchange"
            return [(f"story.declines_{key}", args)]
    return [("story.passes", args)]


def _tell_lay(before: Any, move: Any, after: Any, args: dict[str, Any]) -> list[Message]:
    args |= {"card": card_word(int(move.card)), "slot": slot_name(move.slot)}
    told: list[Message] = [("story.lays", args)]
    if old := int(before.court[move.slot]):
        told = [("story.covers", args | {"old": card_word(old)})]
    elif move.slot == SUMMIT:
        told = [("story.crowns", args)]
    rank = RANK[move.card]
    if rank == QUEEN and after.phase != Phase.SWAP:
        told.append(("story.no_swap", {}))
    if rank == JACK and after.phase != Phase.GIVE:
        told.append(("story.no_exchange", {}))
    return told


def _tell_swap(before: Any, move: Any, args: dict[str, Any]) -> Message:
    """The first slot of a swap is never below the other."""
    args |= {"slot": slot_name(move.slot), "other": slot_name(move.other)}
    args |= {
        "one": card_word(int(before.court[move.slot])),
        "two": card_word(int(before.court[move.other])),
    }
    is_level = ROW[move.slot] == ROW[move.other]
    return "story.swaps_level" if is_level else "story.swaps", args


def _tell_gift(before: Any, move: Any, reader: int | None, args: dict[str, Any]) -> Message:
    args["target"] = seat_word(int(move.seat), reader)
    if not move.card:
        return "story.gives_hidden", args
    key = "story.gives" if reader == before.turn else "story.is_given"
    return key, args | {"card": card_word(int(move.card))}


def _tell_draw(after: Any, reader: int | None) -> Message:
    exchange = int(after.exchange_no) - 1
    giver, target = int(after.giver[exchange]) - 1, int(after.receiver[exchange]) - 1
    args = {"who": seat_word(giver, reader), "target": seat_word(target, reader)}
    if reader not in (giver, target):
        return "story.draws_hidden", args
    cards = after.exchanged[reader, exchange]
    key = "story.draws" if reader == giver else "story.is_drawn"
    if cards[DRAWN] == cards[GIVEN]:
        key += "_back"
    return key, args | {"card": card_word(int(cards[DRAWN]))}


# ---------------------------------------------------------------- §9 the points


def terms(court: Any, family: int) -> tuple[tuple[int, int], ...]:
    """Return the visible cards of a family, each with its row, from the top down."""
    cards = [(int(court[slot]), int(ROW[slot])) for slot in range(SLOTS)]
    return tuple((card, row) for card, row in cards if card and FAMILY[card] == family)


def points(court: Any, family: int) -> int:
    """Return what a family scores on a Court."""
    return sum(int(RANK[card]) * row for card, row in terms(court, family))


def _tell_score(before: Any, after: Any, reader: int | None) -> list[Message]:
    seats = range(int(after.players))
    told = [_tell_points(after, seat, reader) for seat in seats]
    for king in _sorted(set(after.shown_aside) - set(before.shown_aside)):
        told.append(("story.dead", {"family": family_word(int(FAMILY[king]))}))
    if after.games > 1:
        score = " – ".join(str(after.total[seat]) for seat in seats)
        told.append(("story.totals", {"score": score}))
    return told + _tell_winners(after, reader) if after.phase == Phase.OVER else told


def _tell_points(after: Any, seat: int, reader: int | None) -> Message:
    family = int(FAMILY[after.revealed[seat]])
    args = {"who": seat_word(seat, reader), "family": family_word(family)}
    shown = terms(after.court, family)
    if not shown:
        return "story.no_points", args
    return "story.points", args | {"sum": sum_word(shown), "count": int(after.points[seat])}


def _tell_winners(after: Any, reader: int | None) -> list[Message]:
    seats = range(int(after.players))
    winners = [seat for seat in seats if after.match_won[seat]]
    best = after.total[winners[0]]
    beaten = [seat for seat in seats if after.total[seat] == best and seat not in winners]
    told: list[Message] = []
    if beaten:
        is_level = any(_highest(after, seat) == _highest(after, winners[0]) for seat in beaten)
        told.append(("story.tie_count" if is_level else "story.tie_summit", {}))
    key = "story.wins_match" if len(winners) == 1 else "story.shares_match"
    return told + [(key, {"who": seat_word(seat, reader)}) for seat in winners]


def _highest(after: Any, seat: int) -> int:
    """The highest row where a seat's family shows; 0 if it does not."""
    shown = terms(after.court, int(FAMILY[after.revealed[seat]]))
    return max((row for _, row in shown), default=0)


def reason(view: Any) -> str:
    """Return why the last game of the match ended."""
    return Reason(view.reason).name.lower()
