"""What a seat remembers of a game of La cour du Roi, and what follows for single cards (§11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import FAMILIES, KING, MOVES, RANK, SEATS, Card, Kind
from .draft import FIRST_TAKEN, TAKEN_AT, direction, draft_style, is_burned
from .state import BY_SEAT, DRAWN, GIVEN, PACKET

BURNED, ASIDE = SEATS, SEATS + 1  # where a card may be besides with a seat


# ---------------------------------------------------------------- packets


def taken(record: Any, me: int, deal: int, step: int) -> list[tuple[int, bool]]:
    """Return the cards a seat took at a step of a deal, each with whether it was burned."""
    style, row = draft_style(record), _row(record, me, deal, step)
    places = range(FIRST_TAKEN[style, step - 1], FIRST_TAKEN[style, step])
    return [(int(row[place]), is_burned(style, place)) for place in places if row[place]]


def passed(record: Any, me: int, deal: int, step: int) -> list[int]:
    """Return the cards a seat passed on after a step of a deal."""
    if not taken(record, me, deal, step):
        return []
    row = _row(record, me, deal, step)
    return [int(card) for card in row[FIRST_TAKEN[draft_style(record), step] :] if card]


def _row(record: Any, me: int, deal: int, step: int) -> Any:
    """What a seat remembers of the packet that lay before it at a step of a deal."""
    moved = int(direction(record, deal)) * (step - 1)
    players = int(record.players)
    return record.remembered[me, (deal - 1) * players + (me - moved) % players]


def burned_by(record: Any, me: int) -> list[int]:
    """Return the cards that a seat burned."""
    steps = [(deal, step) for deal in range(1, 1 + record.deal_no) for step in range(1, 1 + PACKET)]
    cards = [card for deal, step in steps for card in taken(record, me, deal, step)]
    return [card for card, burned in cards if burned]


# ---------------------------------------------------------------- whereabouts


@dataclass
class Heap:
    """Cards of which it is known who may have them; if matched, each holder has one of them."""

    cards: set[int]
    holders: list[int]
    is_matched: bool = True


def whereabouts(record: Any, me: int) -> dict[int, frozenset[int]]:
    """Return for each card that a seat does not see who may have it, by what it has seen.

    Cards that were passed on together went to one taker each, so one that is laid tells of the
    others; an exchange that the seat has no part in blurs what it knows of both hands.
    """
    heaps = list(_passed_heaps(record, me))
    exchange = 0
    for entry in record.log[: record.log_size]:
        move, seat = MOVES[entry % BY_SEAT], int(entry // BY_SEAT)
        if move.kind == Kind.LAY:
            _take_out(heaps, int(move.card), seat)
        elif move.kind == Kind.GIVE:
            _exchange(heaps, record, me, exchange)
            exchange += 1
    known = {card: frozenset(heap.holders) for heap in heaps for card in heap.cards}
    empty = {seat for seat in range(int(record.players)) if not record.held[seat]}
    unseen = {card for card in Card if card} - _seen(record, me)
    return {card: known.get(card, _anywhere(record, me, card)) - empty for card in unseen}


def _seen(record: Any, me: int) -> set[int]:
    places = (record.court, record.discard, record.removed, record.shown_aside, record.hand[me])
    seen = {int(card) for place in places for card in place}
    return seen | {int(record.king[me]), *burned_by(record, me)}


def _anywhere(record: Any, me: int, card: int) -> frozenset[int]:
    """Where a card may be of which nothing is known but that it is out of sight."""
    holders = {seat for seat in range(int(record.players)) if seat != me}
    if RANK[card] == KING:
        is_aside = record.players < FAMILIES and not record.shown_aside.any()
        return frozenset(holders | {ASIDE} if is_aside else holders)
    return frozenset(holders | {BURNED} if record.burned_size else holders)


def _passed_heaps(record: Any, me: int) -> Iterator[Heap]:
    """The cards of each packet that a seat passed on, with those who took them after it."""
    style, players = draft_style(record), int(record.players)
    for number, row in enumerate(record.remembered[me]):
        way = int(direction(record, number // players + 1))
        takers = [(number + way * (int(step) - 1)) % players for step in TAKEN_AT[style]]
        mine = [place for place in range(PACKET) if takers[place] == me and row[place]]
        if not mine:
            continue
        holders = [BURNED if is_burned(style, place) else takers[place] for place in range(PACKET)]
        for place in range(mine[0], mine[-1]):
            if takers[place] != me:  # a packet that came back shows what went
                yield Heap({int(row[place])}, [holders[place]])
        after = slice(mine[-1] + 1, PACKET)
        yield Heap({int(card) for card in row[after]}, holders[after])


def _take_out(heaps: Sequence[Heap], card: int, holder: int) -> None:
    """A card comes to light from somebody's hand."""
    for heap in heaps:
        if card in heap.cards:
            heap.cards.remove(card)
            if heap.is_matched:
                heap.holders.remove(holder)


def _exchange(heaps: list[Heap], record: Any, me: int, exchange: int) -> None:
    """A Jack has moved two cards: known to its parties, and a blur to all others."""
    parties = [int(record.giver[exchange]) - 1, int(record.receiver[exchange]) - 1]
    if me in parties:
        mine = parties.index(me)
        other = parties[1 - mine]
        cards = [int(record.exchanged[me, exchange, column]) for column in (GIVEN, DRAWN)]
        if mine == GIVEN and cards[GIVEN] == cards[DRAWN]:
            return  # my own card has come back
        _take_out(heaps, cards[1 - mine], other)
        heaps.append(Heap({cards[mine]}, [other]))
        return
    for heap in heaps:
        if set(parties) & set(heap.holders):
            heap.holders = sorted({*heap.holders, *parties})
            heap.is_matched = False
