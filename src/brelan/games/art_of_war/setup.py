"""What follows from a position of Art of War that is set up by hand, and what cannot be."""

from __future__ import annotations

from typing import Any

from brelan.errors import Refused

from .battle import KingCaptureEnds, Support
from .cards import DEFENCE, FRONT, KNOBS, NOWHERE, SLOTS, UNITS, Card, Reserve, Slot
from .conscription import Conscription
from .development import cards_too_many
from .state import Phase, Posture

KINGS = (int(Card.K1), int(Card.K2))
OPENINGS = (Phase.OPENING, Phase.RESERVE_OPENING)
ANSWERS = (Phase.CONSCRIPTION, Phase.BLOCK)  # decided by the opponent of the active player
OF_THE_TABLE = (Phase.DEAL, Phase.PREPARATION, Phase.SWEEP, Phase.OVER)


def arrange(state: Any, given: dict[str, Any]) -> None:
    """Work out the rest: decks, the Kings, what is known, whose turn it is.

    Cards that were put in no place (`rest="pile"`) are dealt to both decks in turn. A King who was
    put in none stays in the box.
    """
    if "phase" not in given:
        state.phase = Phase.ACTION
    state.active = 1 - state.turn if state.phase in ANSWERS else state.turn
    if state.phase == Phase.CONSCRIPTION and "to_conscript" not in given:
        state.to_conscript = 1
    if state.phase == Phase.FORCED and "must_demobilise" not in given:
        state.must_demobilise = cards_too_many(state, state.held[state.turn])
    for name in ("attacker", "target"):
        if name not in given:
            state[name] = NOWHERE
    if "kills" not in given:
        for seat in range(2):
            state.kills[seat] = state.graveyard[1 - seat].sum()
    left = _deal_piles(state, given)
    _refuse_kings(state)
    _name_kings(state, given)
    _box_kings(state, left)
    _work_out_knowledge(state)
    state.first = _first_player(state)
    _refuse_phase(state)
    for seat in range(2):
        _refuse_hidden(state, seat, "pile" in given)
        _refuse_side(state, seat)
        _refuse_field(state, seat)


def _deal_piles(state: Any, given: dict[str, Any]) -> list[int]:
    """Split the cards that were put nowhere between the decks; return the Kings among them."""
    cards = [int(card) for card in state.pile.reshape(-1) if card]
    if "pile" not in given:
        units = [card for card in cards if card not in KINGS]
        state.pile[:] = 0
        for seat in range(2):  # the one who has just drawn may have a card less
            mine = units[int(seat == state.active) :: 2]
            state.pile[seat, : len(mine)] = mine
    else:
        rows = [row or [] for row in given["pile"]]
        if any(card in (None, "K1", "K2") for row in rows for card in row):
            raise Refused("pile has Soldiers, Guards and Archers only, and no gap")
        if len(cards) != sum(map(len, rows)):
            raise Refused("with both piles given by hand, the rest must stay out: rest=None")
    for seat in range(2):
        state.top[seat], state.pile_size[seat] = 0, int((state.pile[seat] != 0).sum())
    return [card for card in cards if card in KINGS]


def _name_kings(state: Any, given: dict[str, Any]) -> None:
    """Name each seat's King: the one it has somewhere, otherwise the one the other has not."""
    found = [_kings_of(state, seat) for seat in range(2)]
    for seat in range(2):
        if "king" not in given:
            others = [king for king in KINGS[:: 1 - 2 * seat] if king not in found[1 - seat]]
            state.king[seat] = (found[seat] or others or KINGS)[0]
        is_hidden = _is_independent(state) and state.hand[seat, state.king[seat]] > 0
        if "king_seen" not in given and not is_hidden:
            state.king_seen[seat] = state.king[seat]


def _kings_of(state: Any, seat: int) -> list[int]:
    """The Kings that a player has somewhere."""
    open_places = ("unit", "kingdom", "reserves")
    return [
        king
        for king in KINGS
        if state.hand[seat, king] > 0 or any(king in state[name][seat] for name in open_places)
    ]


def _is_independent(state: Any) -> bool:
    return KNOBS["king_deal"].value(int(state.king_deal)) == "independent"


def _box_kings(state: Any, left: list[int]) -> None:
    """Put Kings that are nowhere into the box: those nobody plays with, then any other."""
    for seat in range(2):
        other = sum(KINGS) - int(state.king[seat])
        if _is_independent(state) and other in left:
            left.remove(other)
            state.box[seat, 1] = other
    for seat, king in enumerate(left):
        state.box[seat, 0] = king


def _work_out_knowledge(state: Any) -> None:
    """Everybody knows where the Kings are; nobody has seen the decks and the rest of the hands."""
    for seat in range(2):
        for king in KINGS:
            is_hidden = state.king_seen[seat] == 0 and king == state.king[seat]
            state.known[seat, king] = state.hand[seat, king] - is_hidden
        for card in UNITS:
            in_pile = int((state.pile[seat] == card).sum())
            state.unseen[seat, card] = in_pile + state.hand[seat, card] - state.known[seat, card]


def _first_player(state: Any) -> int:
    """§4 J1 has drawn a card more than J2 in a turn of J1's; in the opening J1 is first."""
    me, other = int(state.active), 1 - int(state.active)
    match state.phase:
        case Phase.OPENING:
            return other if state.unit[other].any() else me
        case Phase.RESERVE_OPENING:
            return other if state.reserve_size[other] else me
    return me if state.pile_size[other] > state.pile_size[me] else other


# ---------------------------------------------------------------- what cannot be


def _refuse_kings(state: Any) -> None:
    """§9.1 A King who fell has ended the match; a captured one has, unless by option."""
    for seat in range(2):
        if state.graveyard[seat, KINGS[0]] or state.graveyard[seat, KINGS[1]]:
            raise Refused("a King in a graveyard has ended the match")
        if len(_kings_of(state, seat)) > 1 and state.king_capture_ends == KingCaptureEnds.ON:
            raise Refused(f"seat {seat} has both Kings; that needs king_capture_ends = off")


def _refuse_phase(state: Any) -> None:
    """§5 Somebody decides, with as many cards drawn as turns have been, and nobody has won."""
    phase, me = Phase(state.phase), int(state.turn)
    if phase in OF_THE_TABLE:
        raise Refused(f"phase = {phase.name.lower()} is the table's, and seat {me} has the turn")
    if state.winner or state.reason or state.sweep_left:
        raise Refused("a match that goes on has no winner, no reason and no sweep half struck")
    ahead = state.pile_size[1 - state.active] - state.pile_size[state.active]
    if ahead not in ((0,) if phase in OPENINGS else (0, 1)):
        sizes = " and ".join(map(str, state.pile_size))
        raise Refused(
            f"each player draws one card in a turn: with the turn of seat {state.active} "
            f"the decks cannot have {sizes} cards"
        )
    if phase == Phase.ACTION and not state.held[me]:
        raise Refused(f"seat {me} has just drawn: its hand has a card")
    if phase == Phase.RESERVE_OPENING and state.reserve == Reserve.OFF:
        raise Refused("phase = reserve_opening needs reserve = on")
    if phase == Phase.BLOCK:
        _refuse_block(state)
    if state.bonus and state.support == Support.OFF:
        raise Refused("a bonus needs support = on")
    is_forced, must = phase == Phase.FORCED, state.must_demobilise
    if not (1 <= must <= state.held[me] if is_forced else must == 0):
        raise Refused(f"must_demobilise = {must} does not go with phase = {phase.name.lower()}")
    _refuse_conscription(state)


def _refuse_block(state: Any) -> None:
    """§16.6 An attack that may be stopped has been declared: attacker and target stand."""
    if state.support == Support.OFF:
        raise Refused("phase = block needs support = on")
    attacker, target = int(state.attacker), int(state.target)
    if attacker == NOWHERE or state.posture[state.active, attacker] != Posture.OFFENSIVE:
        raise Refused("phase = block needs an attacker, who stands in the offensive posture")
    if target != NOWHERE and not state.unit[state.turn, target]:
        raise Refused(f"phase = block needs a target; nobody stands on {Slot(target).name}")


def _refuse_conscription(state: Any) -> None:
    """§8 So many units are still to be called up, and there are cards for them."""
    called, most = int(state.turn), 2 if state.conscription == Conscription.TWO else 1
    if state.phase != Phase.CONSCRIPTION:
        if state.to_conscript:
            raise Refused("to_conscript is for phase = conscription")
        return
    if not 1 <= state.to_conscript <= most:
        raise Refused(f"to_conscript is 1 to {most}, not {state.to_conscript}")
    if (state.unit[called] != 0).sum() != most - state.to_conscript:
        raise Refused(f"seat {called} conscripts: it has no unit but those just called up")
    available = state.reserve_size[called] + state.citizens[called]
    if most == 1:
        available += state.held[called]
    if available < state.to_conscript:
        raise Refused(f"seat {called} has nobody to conscript: that is a Collapse")


def _refuse_hidden(state: Any, seat: int, has_pile: bool) -> None:
    """§2 What nobody has seen of a hand, and a deck that is given, is of the player's own deck."""
    for card in UNITS:
        name, copies, known = card.name, state[f"copies_{card.name}"], state.known[seat, card]
        if not 0 <= known <= state.hand[seat, card]:
            raise Refused(f"known of seat {seat} names a {name} that its hand has not")
        hidden = state.unseen[seat, card] if has_pile else state.hand[seat, card] - known
        if hidden > copies:
            where = "hand and deck" if has_pile else "hand"
            raise Refused(
                f"seat {seat} has {hidden} {name} in its {where}, and a deck has {copies}; "
                f"captives that went to the hand are known"
            )


def _refuse_side(state: Any, seat: int) -> None:
    """§4 A King for each; §16.5 a reserve by option; the dead of one were killed by the other."""
    king, seen, other = state.king[seat], state.king_seen[seat], state.king[1 - seat]
    if king not in KINGS or (king == other and not _is_independent(state)):
        raise Refused("king has King 1 and King 2, one for each seat")
    found = _kings_of(state, seat)
    if found and king not in found and state.king_capture_ends == KingCaptureEnds.ON:
        raise Refused(f"seat {seat} has {Card(found[0]).name}, and was dealt {Card(king).name}")
    if seen != king and (seen or not _is_independent(state) or not state.hand[seat, king]):
        raise Refused(f"king_seen of seat {seat} is {Card(king).name}: everybody has seen him")
    if state.reserve_size[seat] and state.reserve == Reserve.OFF:
        raise Refused(f"seat {seat} has a reserve; that needs reserve = on")
    dead, kills = state.graveyard[1 - seat].sum(), state.kills[seat]
    spends = state.support == Support.ON and state.reserve == Reserve.OFF
    if not (0 <= kills <= dead if spends else kills == dead):
        raise Refused(f"seat {seat} has {kills} kills; the other graveyard has {dead} units")


def _refuse_field(state: Any, seat: int) -> None:
    """§2 The column law; §5.1 units stand up and heal when their owner's turn begins."""
    name, phase, is_active = Phase(state.phase).name.lower(), state.phase, seat == state.active
    stands_up = phase in OPENINGS or (is_active and phase == Phase.ACTION)
    heals = is_active or phase in (*OPENINGS, Phase.ACTION)
    for slot in range(SLOTS):
        unit, posture, damage = (state[n][seat, slot] for n in ("unit", "posture", "damage"))
        where = f"{Slot(slot).name} of seat {seat}"
        if unit and slot >= FRONT and not state.unit[seat, slot - FRONT]:
            raise Refused(f"{where} needs a unit before it, on {Slot(slot - FRONT).name}")
        if not unit and (posture or damage):
            raise Refused(f"{where} is empty: it has no posture and no damage")
        if posture and stands_up:
            raise Refused(f"{where} has not attacked yet in phase = {name}: it is defensive")
        if damage and heals:
            raise Refused(f"{where} has not been struck yet in phase = {name}: it has no damage")
        if not 0 <= damage < max(1, DEFENCE[posture, unit]):
            raise Refused(f"{where} with damage {damage} is dead, or never was hurt so")
    count = int((state.unit[seat] != 0).sum())
    if phase in OPENINGS:
        opened = phase == Phase.RESERVE_OPENING or (seat == state.first != state.turn)
        if count != opened or state.unit[seat, FRONT:].any():
            raise Refused(f"seat {seat} has {count} units in phase = {name}")
    elif not count and not (phase == Phase.CONSCRIPTION and not is_active):
        raise Refused(f"seat {seat} has no unit left: that is a conscription or a Collapse")
