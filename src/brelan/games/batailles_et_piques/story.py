"""What a reader is told of a match of Batailles et piques: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from brelan.i18n import Message, Word, listed, seat_word
from brelan.rules import NOBODY

from .cards import FIRST, FIRST_EMPTY, ROWS, SIZE, SLOTS, Act, Card, Row, foe_of, letters
from .scoring import buried_strength
from .state import ATTACKERS, DEFENDERS, Phase, Reason, Status

BOTH = 3  # the set of the left and the right slot
SIDES = (ATTACKERS, DEFENDERS)


# ---------------------------------------------------------------- facts


@functools.cache  # so that two tellings of the same cards are equal
def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    if card < Card.KING:
        return Word("card.unit" if card else "card.unknown", value=card)
    return Word(f"card.{Card(card).name.lower()}")


def cards_word(cards: Iterable[int], form: str = "short") -> Word:
    """Return cards as one fact of a text: 4, 6 as a list, or a 4 and a 6 in a sentence."""
    return listed(f"cards.{form}", [{"card": card_word(card)} for card in cards])


def seats_word(seats: Iterable[int], reader: int | None) -> Word:
    """Return several seats as one fact of a text."""
    return listed("seats", [{"who": seat_word(seat, reader)} for seat in seats])


def slots_word(view: Any, slots: int) -> Word:
    """Return a set of slots as a fact of a text; with two slots in all, two are simply both."""
    is_both = view.slots == 2 and slots == BOTH
    return Word("slot.both" if is_both else f"slot.{letters(slots).lower()}")


def whose_word(view: Any, seat: int, slots: int, reader: int | None) -> Word:
    """Return cards in play by where they stand, and whose they are."""
    key = "stand.one" if SIZE[slots] == 1 else "stand.two"
    return Word(key, who=seat_word(seat, reader), slot=slots_word(view, slots))


def seen_word(view: Any, seat: int, slots: int, reader: int | None) -> Word:
    """Return cards in play by where they stand, with those that the reader can tell."""
    stand = whose_word(view, seat, slots, reader)
    return _with_cards(stand, told_cards(view, seat, slots, reader))


def _with_cards(stand: Word, cards: tuple[int, ...]) -> Word:
    if any(cards):
        return Word("stand.seen", stand=stand, cards=cards_word(cards))
    return stand


def told_cards(view: Any, seat: int, slots: int, reader: int | None) -> tuple[int, ...]:
    """Return the cards in a set of slots as far as the reader can tell; 0 is one it cannot."""
    return tuple(sure_card(view, seat, slot, reader) for slot in members(slots))


def sure_card(view: Any, seat: int, slot: int, reader: int | None) -> int:
    """Return a card in play that is the reader's own, that it has seen, or that all are sure of."""
    if reader is not None:
        seen = view.in_play[seat, slot] if seat == reader else view.known[reader, seat, slot]
        if seen:
            return int(seen)
    kinds = int(view.can_be[seat, slot])
    return kinds.bit_length() - 1 if kinds.bit_count() == 1 else 0


def members(slots: int) -> list[int]:
    """Return the slots of a set, in their order."""
    return [slot for slot in range(SLOTS) if slots >> slot & 1]


# ---------------------------------------------------------------- moves


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    move, me = ROWS[number], int(view.turn)
    match move.act:
        case Act.PLACE:
            at = slots_word(view, 1 << _place_for(view, me))
            key = "move.place" if move.card else "move.place_hidden"
            return key, {"card": card_word(move.card), "slot": at}
        case Act.ATTACK:
            key = "move.attack" if SIZE[move.own] == 1 else "move.teamwork"
            theirs = seen_word(view, move.target, move.at, me)
            return key, {"mine": _own_word(view, me, move.own), "theirs": theirs}
        case Act.SLACK:
            key = "move.slack" if move.card else "move.slack_hidden"
            mine = _own_word(view, me, move.own)
            return key, {"mine": mine, "card": card_word(move.card)}
        case Act.KILL if move.at:
            return "move.kill", {"theirs": seen_word(view, foe_of(view), move.at, me)}
        case Act.KILL:
            return "move.spare", {}
        case Act.PEEK:
            return _label_look(view, move, me)
    return f"move.{Act(move.act).name.lower()}", {}


def _label_look(view: Any, move: Row, me: int) -> Message:
    if move.target == NOBODY:
        return "move.decline", {}
    if move.at == 0:
        return "move.peek_hand", {"target": seat_word(move.target, me)}
    return "move.peek", {"theirs": seen_word(view, move.target, move.at, me)}


def _own_word(view: Any, me: int, slots: int) -> Word:
    """The mover's own cards in play; another reader of the move may not see them."""
    key = "stand.one_own" if SIZE[slots] == 1 else "stand.two_own"
    return _with_cards(Word(key, slot=slots_word(view, slots)), told_cards(view, me, slots, me))


def _place_for(view: Any, seat: int) -> int:
    """The slot into which the next card goes."""
    return int(FIRST_EMPTY[view.filled[seat] | view.placed[seat]])


# ---------------------------------------------------------------- the story


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    match ROWS[number].act:
        case Act.DEAL:
            return _tell_deal(after, reader)
        case Act.PLACE:
            return _tell_place(before, number, reader)
        case Act.REVEAL:
            return _tell_reveal(before, after, reader)
        case Act.ATTACK:
            return _tell_attack(after, reader)
        case Act.KILL:
            return [_tell_kill(before, number, reader)]
        case Act.BURY:
            return _tell_deaths(before, after, reader)
        case Act.SLACK:
            return [_tell_slack(before, number, reader)]
        case Act.PEEK:
            return [_tell_look(before, number, after, reader)]
        case Act.STOP:
            return [("story.stops", {"who": seat_word(int(before.turn), reader)})]
        case Act.PASS:
            return [("story.passes", {"who": seat_word(int(before.turn), reader)})]
    return _tell_score(after, reader)


def _tell_deal(after: Any, reader: int | None) -> list[Message]:
    if reader is None:
        return [("story.deal", {"count": int(after.held[0])})]
    return [("story.dealt", {"cards": cards_word(_sorted(after.hand[reader]))})]


def _tell_place(before: Any, number: int, reader: int | None) -> list[Message]:
    """Only who places a card is told; the others hear of it when all have chosen."""
    me = int(before.turn)
    if me != reader:
        return []
    slot = slots_word(before, 1 << _place_for(before, me))
    return [("story.places", {"card": card_word(ROWS[number].card), "slot": slot})]


def _tell_reveal(before: Any, after: Any, reader: int | None) -> list[Message]:
    told: list[Message] = []
    if before.turn_no == 0:
        told.append(("story.ready", {}))
    else:
        told += _tell_refills(before, reader)
    if reader is not None and (drawn := _sorted(after.hand[reader] - before.hand[reader])):
        told.append(("story.draws", {"cards": cards_word(drawn, "a")}))
    if before.turn_no == 0:
        told.append(("story.starts", {"who": seat_word(int(after.first) - 1, reader)}))
    return told + _tell_status(before, after, reader)


def _tell_refills(before: Any, reader: int | None) -> Iterator[Message]:
    for seat in _seats(before):
        if before.placed[seat] and seat != reader:
            slot = slots_word(before, int(before.placed[seat]))
            yield "story.refills", {"who": seat_word(seat, reader), "slot": slot}


def _tell_status(before: Any, after: Any, reader: int | None) -> list[Message]:
    """Who can no longer attack, and who alone still can."""
    told: list[Message] = []
    for seat in _seats(after):
        if after.status[seat] != before.status[seat]:
            key = "story.dead" if after.status[seat] == Status.DEAD else "story.stopped"
            told.append((key, {"who": seat_word(seat, reader)}))
    active, were = _active(after), _active(before)
    if len(active) == 1 < len(were) and after.reason == Reason.NONE:
        told.append(("story.alone", {"who": seat_word(active[0], reader)}))
    return told


def _active(view: Any) -> list[int]:
    return [seat for seat in _seats(view) if view.status[seat] == Status.ACTIVE]


def _seats(view: Any) -> range:
    return range(int(view.players))


def _sorted(counts: Any) -> tuple[int, ...]:
    """The cards that are counted, each kind together."""
    return tuple(card for card in range(len(counts)) for _ in range(int(counts[card])))


# ---------------------------------------------------------------- §6, §7 combat and deaths


def _tell_attack(after: Any, reader: int | None) -> list[Message]:
    attacker, defender = int(after.attacker) - 1, int(after.defender) - 1
    mine = seen_word(after, attacker, int(after.attacking), reader)
    theirs = seen_word(after, defender, int(after.attacked), reader)
    key = "story.attack" if SIZE[after.attacking] == 1 else "story.teamwork"
    told: list[Message] = [(key, {"mine": mine, "theirs": theirs})]
    if after.phase == Phase.KILL:
        told.append(("story.must_choose", {"who": seat_word(int(after.turn), reader)}))
    return told


def _tell_kill(before: Any, number: int, reader: int | None) -> Message:
    args: dict[str, Any] = {"who": seat_word(int(before.turn), reader)}
    if not ROWS[number].at:
        return "story.spares", args
    args["theirs"] = seen_word(before, foe_of(before), ROWS[number].at, reader)
    return "story.kills", args


def _tell_deaths(before: Any, after: Any, reader: int | None) -> list[Message]:
    """Who lost which cards to whom; who scores for them, and may look at a card for a King."""
    told = _tell_losses(after, reader)
    for key, place in (("story.scores", "points"), ("story.earns_look", "looks")):
        for seat in _seats(after):
            if gained := int(after[place][seat] - before[place][seat]):
                told.append((key, {"who": seat_word(seat, reader), "count": gained}))
    return told


def _tell_losses(after: Any, reader: int | None) -> list[Message]:
    whose = [seat_word(int(seat) - 1, reader) for seat in (after.attacker, after.defender)]
    dead = [fallen(after, side) for side in SIDES]
    told: list[Message] = []
    if Card.MINE in dead[DEFENDERS] and _is_cleared(after):
        told.append(("story.clears", {"who": whose[ATTACKERS], "target": whose[DEFENDERS]}))
        dead[DEFENDERS].remove(Card.MINE)
    elif _is_stopped_by_mine(after, reader):
        args = {"who": whose[ATTACKERS], "cards": cards_word(tuple(dead[ATTACKERS]), "a")}
        told.append(("story.mine", args))
        if dead[DEFENDERS]:
            told.append(("story.explodes", {}))
        return told
    if all(dead):
        cards, others = (cards_word(tuple(side), "a") for side in dead)
        args = {"who": whose[ATTACKERS], "cards": cards}
        return [*told, ("story.trade", args | {"target": whose[DEFENDERS], "others": others})]
    for side in SIDES:
        if dead[side]:
            by = _slayers_word(after, 1 - side, reader)
            args = {"who": whose[side], "cards": cards_word(tuple(dead[side]), "a"), "by": by}
            told.append(("story.loses", args))
    return told


def fallen(view: Any, side: int) -> list[int]:
    """Return the cards that one side of the last combat has lost, by slot."""
    return [int(card) for card in view.fallen[side] if card]


def _slayers_word(view: Any, side: int, reader: int | None) -> Word:
    """The cards that killed in the last combat, by where they stood; not a mine that died in it."""
    if side == ATTACKERS:
        return whose_word(view, int(view.attacker) - 1, int(view.attacking), reader)
    slots = [slot for slot in members(int(view.attacked)) if view.fallen[side, slot] != Card.MINE]
    return whose_word(view, int(view.defender) - 1, sum(1 << slot for slot in slots), reader)


def _is_cleared(after: Any) -> bool:
    """A mine that has died was cleared by a Sapper, or else it has exploded by option."""
    dead = fallen(after, ATTACKERS)
    is_sapped = any(after.sappers >> card & 1 for card in dead)
    return is_sapped or len(dead) < SIZE[after.attacking]


def _is_stopped_by_mine(after: Any, reader: int | None) -> bool:
    """Whether the reader can tell that the attackers ran into a mine."""
    defender = int(after.defender) - 1
    told = told_cards(after, defender, int(after.attacked), reader)
    return Card.MINE in told or Card.MINE in fallen(after, DEFENDERS)


# ---------------------------------------------------------------- Slackers and looks


def _tell_slack(before: Any, number: int, reader: int | None) -> Message:
    me, slot = int(before.turn), int(FIRST[ROWS[number].own])
    args = {"who": seat_word(me, reader), "slot": slots_word(before, 1 << slot)}
    old = sure_card(before, me, slot, reader)
    if me == reader:
        cards = {"card": card_word(ROWS[number].card), "old": card_word(old)}
        return "story.slack_own", args | cards
    if old:
        return "story.slack_known", args | {"old": card_word(old)}
    return "story.slack", args


def _tell_look(before: Any, number: int, after: Any, reader: int | None) -> Message:
    move, me = ROWS[number], int(before.turn)
    args: dict[str, Any] = {"who": seat_word(me, reader)}
    if move.target == NOBODY:
        return "story.declines", args
    args["target"] = seat_word(move.target, reader)
    if me == reader:
        args["card"] = card_word(int(after.looked_at[me]))
    if move.at == 0:
        return ("story.peeks_hand_sees" if me == reader else "story.peeks_hand"), args
    if me == reader:
        args["theirs"] = whose_word(before, move.target, move.at, reader)
        return "story.peeks_sees", args
    args["theirs"] = seen_word(before, move.target, move.at, reader)
    return "story.peeks", args


# ---------------------------------------------------------------- §9, §10 the end


def _tell_score(after: Any, reader: int | None) -> list[Message]:
    told = _tell_end(after)
    told.append(("story.points", {"points": _points_word(after, reader)}))
    told += _tell_tie(after)
    winners = tuple(seat for seat in _seats(after) if after.won[seat])
    if len(winners) == 1:
        return [*told, ("story.wins", {"who": seat_word(winners[0], reader)})]
    return [*told, ("story.shared", {"seats": seats_word(winners, reader)})]


def _tell_end(after: Any) -> list[Message]:
    """Why the match ended; who stops it has just been told of."""
    match after.reason:
        case Reason.NOBODY_ACTIVE:
            return [("story.nobody_left", {})]
        case Reason.NOTHING_LEFT:
            return [("story.nothing_left", {})]
        case Reason.POINTS:
            return [("story.points_reached", {"count": int(after.end_points)})]
        case Reason.ROUNDS:
            return [("story.rounds_played", {"count": int(after.end_rounds)})]
        case Reason.ALL_PASSED:
            return [("story.all_passed", {})]
    return []


def _points_word(after: Any, reader: int | None) -> Word:
    """The points of all seats."""
    points = ((seat, int(after.points[seat])) for seat in range(after.players))
    return listed("points", [{"who": seat_word(s, reader), "count": count} for s, count in points])


def _tell_tie(after: Any) -> list[Message]:
    """§10.3 What broke a tie of points, if something did."""
    told: list[Message] = []
    tied = _best([int(points) for points in after.points[: after.players]])
    kings = [int(after.graveyard[seat, Card.KING]) for seat in tied]
    if len(tied) > sum(after.won) and min(kings) < max(kings):
        told.append(("story.tie_kings", {"count": max(kings)}))
        tied = [tied[place] for place in _best(kings)]
    if len(tied) > sum(after.won):
        strongest = max(int(buried_strength(after, seat)) for seat in tied)
        told.append(("story.tie_strength", {"count": strongest}))
    return told


def _best(numbers: list[int]) -> list[int]:
    """Return the places of the largest number."""
    return [place for place, number in enumerate(numbers) if number == max(numbers)]


def reason(view: Any) -> str:
    """Return why the match ended."""
    return Reason(view.reason).name.lower()
