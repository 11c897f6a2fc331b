"""What a reader is told of a match of Love Letter: keys of texts, and the facts they need.

`before` and `after` are the reader's own views, so nothing can be told that it does not see.
"""

from __future__ import annotations

import functools
from typing import Any

from brelan.i18n import Message, Word, seat_word
from brelan.rules import NOBODY

from .cards import DEAL, FACE_DOWN_TUCK, IS_AIMED, MOVES, NO_CARD, SCORE, Card, tucked
from .state import Phase, Reason


@functools.cache
def card_word(card: int) -> Word:
    """Return a card as a fact of a text."""
    return Word(f"card.{Card(card).name.lower()}", value=Card(card).printed)


def label(view: Any, number: int) -> Message:
    """Return a move in words, for the player who chooses it."""
    move = MOVES[number]
    me = int(view.turn)
    if number in (DEAL, SCORE):
        return ("move.deal", "move.score")[number], {}
    if number == FACE_DOWN_TUCK:
        return "move.tuck_hidden", {}
    if move.keep:
        under = [card_word(card) for card in tucked(view, number)]
        args = {"card": card_word(move.keep), "first": under[0], "last": under[-1]}
        return ("move.tuck_two" if len(under) == 2 else "move.tuck_one"), args
    args = {"card": card_word(move.card)}
    if not IS_AIMED[move.card]:
        return "move.play", args
    if move.target == NOBODY:
        return "move.no_effect", args
    args["target"] = seat_word(int(move.target), me)
    if move.name:
        return "move.name", args | {"named": card_word(move.name)}
    return "move.aim", args


def tell(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    """Tell what a move has brought about, as the reader may know it."""
    if number == DEAL:
        return _tell_deal(after, reader)
    if number == SCORE:
        return _tell_score(after, reader)
    me = int(before.turn)
    args: dict[str, Any] = {"who": seat_word(me, reader)}
    if before.phase == Phase.CHOOSE_CHANCELLOR:
        told = [_tell_tuck(before, number, args)]
    else:
        told = _tell_play(before, number, after, reader)
    told += _tell_drawn(after, reader)
    return told


def _tell_deal(after: Any, reader: int | None) -> list[Message]:
    told: list[Message] = [("story.round", {"number": int(after.round_no)})]
    cards = [card_word(card) for card in after.face_up if card]
    if cards:
        names = {f"card{place}": card for place, card in enumerate(cards)}
        told.append(("story.face_up", names))
    if reader is not None:
        told.append(("story.dealt", {"card": card_word(after.hand[reader])}))
    told.append(("story.starts", {"who": seat_word(int(after.starter), reader)}))
    return told + _tell_drawn(after, reader)


def _tell_drawn(after: Any, reader: int | None) -> list[Message]:
    """The reader's own draw, when a turn begins."""
    if after.phase == Phase.CHOOSE_PLAY and after.turn == reader and after.turn_no:
        return [("story.drew", {"card": card_word(after.drew[reader, 0])})]
    return []


def _tell_tuck(before: Any, number: int, args: dict[str, Any]) -> Message:
    if number == FACE_DOWN_TUCK:
        return "story.tuck_hidden", args | {"count": int(before.drew_size)}
    under = [card_word(card) for card in tucked(before, number)]
    args |= {"card": card_word(MOVES[number].keep), "first": under[0], "last": under[-1]}
    return ("story.tuck_two" if len(under) == 2 else "story.tuck_one"), args


def _tell_play(before: Any, number: int, after: Any, reader: int | None) -> list[Message]:
    move = MOVES[number]
    me, target = int(before.turn), int(move.target)
    args: dict[str, Any] = {"who": seat_word(me, reader), "card": card_word(move.card)}
    told: list[Message] = [("story.plays", args)]
    if target == NOBODY:
        told += _tell_unaimed(before, move.card, after, reader, args)
    else:
        args["target"] = seat_word(target, reader)
        match move.card:
            case Card.GUARD:
                args["named"] = card_word(move.name)
                told = [
                    ("story.guard" if not after.in_round[target] else "story.guard_misses", args)
                ]
            case Card.PRIEST:
                told = [_tell_priest(after, me, target, reader, args)]
            case Card.BARON:
                told = _tell_baron(before, after, me, target, reader, args)
            case Card.PRINCE:
                told = _tell_prince(before, after, target, reader, args)
            case Card.KING:
                told = _tell_king(after, me, target, reader, args)
    for seat in range(int(after.players)):
        if before.in_round[seat] and not after.in_round[seat]:
            shown = after.area[seat, after.area_size[seat] - 1]
            told.append(("story.out", {"who": seat_word(seat, reader), "card": card_word(shown)}))
    return told


def _tell_unaimed(
    before: Any, card: int, after: Any, reader: int | None, args: dict[str, Any]
) -> list[Message]:
    if card == Card.HANDMAID:
        return [("story.protected", args)]
    if IS_AIMED[card] or (card == Card.CHANCELLOR and not after.drew_size):
        return [("story.no_effect", args)]
    if card == Card.CHANCELLOR:
        if before.turn != reader:
            return [("story.chancellor", args | {"count": int(after.drew_size)})]
        drawn = [card_word(drawn) for drawn in after.drew[reader] if drawn]
        key = "story.chancellor_two" if len(drawn) == 2 else "story.chancellor_one"
        return [(key, {"first": drawn[0], "last": drawn[-1]})]
    return []


def _tell_priest(
    after: Any, me: int, target: int, reader: int | None, args: dict[str, Any]
) -> Message:
    if reader == me:
        return "story.priest_sees", args | {"seen": card_word(after.known[me, target])}
    return "story.priest", args


def _tell_baron(
    before: Any, after: Any, me: int, target: int, reader: int | None, args: dict[str, Any]
) -> list[Message]:
    told: list[Message] = [("story.baron", args)]
    if reader in (me, target):
        other = target if reader == me else me
        mine = _kept(before, reader, Card.BARON) if reader == me else before.hand[reader]
        theirs = after.known[reader, other]
        if theirs == NO_CARD:  # the other one is out, and their card lies face up
            theirs = after.area[other, after.area_size[other] - 1]
        told.append(("story.baron_cards", {"mine": card_word(mine), "theirs": card_word(theirs)}))
    if after.in_round[me] and after.in_round[target]:
        told.append(("story.baron_tie", {}))
    return told


def _tell_prince(
    before: Any, after: Any, target: int, reader: int | None, args: dict[str, Any]
) -> list[Message]:
    discarded = after.area[target, after.area_size[target] - 1]
    key = "story.prince_self" if target == before.turn else "story.prince"
    told: list[Message] = [(key, args | {"discarded": card_word(discarded)})]
    if before.burned_left and not after.burned_left:
        told.append(("story.takes_burned", {"who": args["target"]}))
    if target == reader and after.in_round[target]:
        told.append(("story.new_card", {"card": card_word(after.hand[target])}))
    return told


def _tell_king(
    after: Any, me: int, target: int, reader: int | None, args: dict[str, Any]
) -> list[Message]:
    told: list[Message] = [("story.king", args)]
    if reader in (me, target):
        other = target if reader == me else me
        given, received = after.known[reader, other], after.hand[reader]
        cards = {"given": card_word(given), "received": card_word(received)}
        told.append(("story.king_cards", cards))
    return told


def _kept(view: Any, seat: int, played: int) -> int:
    """The card that stays in a hand when another is played."""
    return int(view.drew[seat, 0] if view.hand[seat] == played else view.hand[seat])


def _tell_score(after: Any, reader: int | None) -> list[Message]:
    seats = range(int(after.players))
    told: list[Message] = []
    if after.reason == Reason.SHOWDOWN:
        told.append(("story.showdown", {}))
    for seat in seats:
        if after.revealed[seat]:
            args = {"who": seat_word(seat, reader), "card": card_word(after.revealed[seat])}
            told.append(("story.reveals", args))
    if after.burned_shown:
        told.append(("story.burned", {"card": card_word(after.burned_shown)}))
    winners = [seat for seat in seats if after.round_won[seat]]
    told += [("story.wins_round", {"who": seat_word(seat, reader)}) for seat in winners]
    if not winners:
        told.append(("story.nobody_wins", {}))
    for seat in seats:
        if after.spy_won[seat]:
            told.append(("story.spy", {"who": seat_word(seat, reader)}))
    score = " – ".join(str(after.tokens[seat]) for seat in seats)
    told.append(("story.tokens", {"score": score}))
    for seat in seats:
        if after.phase == Phase.OVER and after.match_won[seat]:
            told.append(("story.wins_match", {"who": seat_word(seat, reader)}))
    return told


def reason(view: Any) -> str:
    """Return why the match ended."""
    return "tokens"
