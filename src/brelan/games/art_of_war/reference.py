"""The reference engine: a plain Python engine of Art of War, for two players.

Written only from the rules (the § below are theirs), to be compared with the fast engine at every
ply and to serve as its plain-Python baseline. Cards are written as the rules print them: S, G, A,
K1, K2; a move writes either King as K. J1 is the seat that begins.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

FRONT = ["F1", "F2", "F3"]
REAR = ["A1", "A2", "A3"]
SLOTS = FRONT + REAR
KINGS = ["K1", "K2"]

ATTACK = {"G": 1, "A": 1, "K1": 1, "K2": 1}  # §3; a Soldier counts the hand
DEFENCE = {  # §3: in the Defensive and in the Offensive posture
    "S": (2, 1),
    "G": (3, 2),
    "A": (2, 1),
    "K1": (4, 4),
    "K2": (5, 4),
}
RANGE = {  # §3: steps sideways and forward
    "S": [(0, 1)],
    "G": [(0, 1)],
    "A": [(-1, 2), (1, 2), (-2, 1), (2, 1)],
    "K1": [(-1, 1), (0, 1), (1, 1), (0, 2)],
    "K2": [(-1, 1), (0, 1), (1, 1)],
}
HAND_LIMIT = 6  # §10
OPENING_HAND = 3  # §4: cards from the deck, beside the King
COPIES = {"S": 9, "G": 6, "A": 5}  # §2: in each deck
MOST_COPIES = 10
SMALLEST_DECK = 4  # §4: a hand of three and the first citizen

OPTIONS = {  # §16, default first
    "capture_rule": ["clean", "printed", "remaining"],
    "king_row": ["relative", "whole"],
    "king_sweep": ["off", "on"],
    "king_deal": ["shuffle", "independent", "fixed"],
    "king_citizen": ["on", "off"],
    "king_capture_ends": ["on", "off"],
    "hand_rule": ["literal", "program", "handout"],
    "demobilise_max": ["any", "1"],
    "free_part": ["always", "unless_forced"],
    "conscription": ["one", "two"],
    "reserve": ["off", "on"],
    "support": ["off", "on"],
    "end_of_war": ["larger_kingdom", "draw"],
    "war_tie": ["draw", "kills"],
    "first_player": ["J1", "random"],
    "deck": ["standard", "custom"],
}


@dataclass(eq=False)
class Unit:
    """A card on the battlefield (§2)."""

    card: str
    posture: str = "defensive"
    damage: int = 0

    @property
    def defence(self) -> int:
        """The defence printed for its posture (§3)."""
        upright, turned = DEFENCE[self.card]
        return upright if self.posture == "defensive" else turned


@dataclass
class Side:
    """What belongs to one seat (§2); queues and decks have their next card first."""

    king: str
    deck: list[str]
    hand: list[str] = field(default_factory=list)
    units: dict[str, Unit] = field(default_factory=dict)
    kingdom: list[str] = field(default_factory=list)
    reserve: list[str] = field(default_factory=list)
    graveyard: list[str] = field(default_factory=list)
    kills: int = 0
    known: list[str] = field(default_factory=list)  # in the hand, and both know it (§12)
    king_shown: bool = True


class Reference:
    """A match: `deal`, then `legal` and `play` until `is_over`."""

    def __init__(self, **knobs: str | int) -> None:
        if knobs.pop("players", 2) != 2:
            raise ValueError("players: 2")
        self.copies = {}
        for card, usual in COPIES.items():
            number = knobs.pop(f"copies_{card}", usual)
            if not isinstance(number, int) or not 0 <= number <= MOST_COPIES:
                raise ValueError(f"copies_{card}: 0 to {MOST_COPIES}")
            self.copies[card] = number
        self.options = {name: values[0] for name, values in OPTIONS.items()}
        for name, value in knobs.items():
            if value not in OPTIONS.get(name, []):
                raise ValueError(f"{name}: {value}")
            self.options[name] = str(value)
        if self.options["deck"] == "standard" and self.copies != COPIES:
            raise ValueError("other copies need deck = custom")
        if sum(self.copies.values()) < SMALLEST_DECK:
            raise ValueError(f"a deck needs at least {SMALLEST_DECK} cards")
        self.sides: list[Side] = []
        self.box: list[str] = []  # Kings nobody plays with (king_deal = independent)
        self.first = 0
        self.active = 0  # whose turn it is (§5)
        self.turn: int | None = None  # who decides
        self.turn_number = 0
        self.phase = "before"
        self.reason: str | None = None
        self.winners: list[int] = []
        self.bonus = 0  # support of Soldiers in this turn
        self.declared: tuple[str, str | None] | None = None  # an attack that may be blocked
        self.to_conscript = 0
        self.must_demobilise = 0
        self.demobilised = 0

    def is_on(self, option: str) -> bool:
        """Whether an option that is on or off is on."""
        return self.options[option] == "on"

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == "over"

    # ---------------------------------------------------------------- §4 set-up

    def packs(self) -> list[list[str]]:
        """The Kings, the deck of seat 0 and the deck of seat 1, unshuffled (§2, §4)."""
        kings = sorted(KINGS * 2) if self.options["king_deal"] == "independent" else KINGS
        deck = [card for card, number in self.copies.items() for _ in range(number)]
        return [kings, deck, deck]

    def shuffled(self, rng: random.Random) -> list[str]:
        """The packs as §4 shuffles them, one after the other."""
        kings = rng.sample(KINGS, 2)
        if self.options["king_deal"] == "independent":
            kings = [rng.choice(KINGS), rng.choice(KINGS)]
            kings += (Counter(KINGS * 2) - Counter(kings)).elements()
        deck = self.packs()[1]
        return kings + rng.sample(deck, len(deck)) + rng.sample(deck, len(deck))

    def deal(self, cards: list[str], first: int = 0) -> None:
        """Set up the match with the packs in this order (§4); seat `first` is J1."""
        if self.phase != "before":
            raise ValueError("the cards are dealt already")
        packs: list[list[str]] = []
        for pack in self.packs():
            begin = sum(map(len, packs))
            packs.append(cards[begin : begin + len(pack)])
            if sorted(packs[-1]) != sorted(pack):
                raise ValueError(f"not a complete pack: {packs[-1]}")
        if sum(map(len, packs)) != len(cards):
            raise ValueError(f"too many cards: {len(cards)}")
        if first not in ([0, 1] if self.options["first_player"] == "random" else [0]):
            raise ValueError(f"first: {first}")
        kings, *decks = packs
        if self.options["king_deal"] == "fixed":
            kings = KINGS if first == 0 else KINGS[::-1]
        self.box = kings[2:]
        self.sides = [Side(king, deck) for king, deck in zip(kings[:2], decks, strict=True)]
        for side in self.sides:
            side.hand = [side.king, *side.deck[:OPENING_HAND]]
            side.kingdom = [side.deck[OPENING_HAND]]
            del side.deck[: OPENING_HAND + 1]
            side.known = [side.king]
            side.king_shown = self.options["king_deal"] != "independent"
        self.first = self.active = self.turn = first
        self.phase = "opening"

    def _open(self, card: str, slot: str) -> None:
        """§4.5 J1 places a card on the Front, then J2."""
        self._place(self.active, self._from_hand(self.active, card), slot)
        self._next_opening("reserve_opening" if self.is_on("reserve") else "action")

    def _open_reserve(self, card: str) -> None:
        """§16 With a reserve, J1 puts a card there, then J2."""
        self.sides[self.active].reserve.append(self._from_hand(self.active, card))
        self._next_opening("action")

    def _next_opening(self, phase: str) -> None:
        """The other seat does the same; after J2, the next phase is J1's."""
        self.active = self.turn = 1 - self.active
        if self.active == self.first:
            self.phase = phase
            if phase == "action":
                self._prepare()

    # ---------------------------------------------------------------- §5 the turn

    def legal(self) -> list[str]:
        """The notations of all legal moves, sorted."""
        return sorted(self.moves())

    def moves(self) -> list[str]:
        """All legal moves of the seat that decides (§13)."""
        if self.turn is None:
            return []
        me = self.sides[self.turn]
        match self.phase:
            case "opening":
                return [f"deploy {card} {slot}" for card in _kinds(me.hand) for slot in FRONT]
            case "reserve_opening":
                return [f"reserve {card}" for card in _kinds(me.hand)]
            case "action":
                return ["nothing", *self._deployments(), *self._assaults(), *self._reservations()]
            case "attack":
                return ["stop", *self._assaults()]
            case "block":
                return ["pass", *self._blocks()]
            case "conscription":
                return self._conscriptions()
            case "forced":
                return [f"demobilise {card}" for card in self._citizens_to_be()]
        return ["end", *(f"demobilise {card}" for card in self._citizens_to_be())]

    def play(self, notation: str) -> None:
        """Make a legal move."""
        if notation not in self.moves():
            raise ValueError(f"not legal: {notation}")
        self.apply(notation)

    def apply(self, move: str) -> None:
        """Make a move known to be legal, and let everything happen that follows from it."""
        match move.split():
            case ["deploy", card, slot] if self.phase == "opening":
                self._open(card, slot)
            case ["reserve", card] if self.phase == "reserve_opening":
                self._open_reserve(card)
            case ["nothing" | "stop"]:
                self._develop()
            case ["deploy", card, slot]:
                self._deploy(card, slot)
                self._develop()
            case ["reserve", card]:
                self.sides[self.active].reserve.append(self._from_hand(self.active, card))
                self._develop()
            case ["attack", slot, target]:
                self._declare(slot, target)
            case ["sweep", slot]:
                self._declare(slot, None)
            case ["support", "G"] | ["support", "K", "G"]:
                self._spend(move.split()[1])
                self._go_on()
            case ["pass"]:
                self._land()
            case ["support", card, *effect]:
                self._support(card, effect)
            case ["conscript", slot]:
                self._conscript_next(slot)
            case ["conscript", card, slot]:
                self._conscript_chosen(card, slot)
            case ["demobilise", card]:
                self._demobilise(card)
            case ["end"]:
                self._end_turn()

    def _prepare(self) -> None:
        """§5.1 Stand the units up, heal them, draw; an empty deck ends the war."""
        me = self.sides[self.active]
        for unit in me.units.values():
            unit.posture = "defensive"
            unit.damage = 0
        self.bonus = self.demobilised = 0
        if not me.deck:
            self._end_war()
            return
        me.hand.append(me.deck.pop(0))
        self.turn_number += 1
        self.turn = self.active
        self.phase = "action"

    def _end_turn(self) -> None:
        """§5.4 The opponent becomes the active player."""
        self.active = 1 - self.active
        self._prepare()

    # ---------------------------------------------------------------- §6 deploying

    def _deployments(self) -> list[str]:
        """§6 The Front always, the Rear only behind a unit; a reserve is used from its head."""
        me = self.sides[self.active]
        cards = _kinds(me.reserve[:1] or me.hand)
        slots = FRONT + [_behind(slot) for slot in FRONT if slot in me.units]
        return [f"deploy {card} {slot}" for card in cards for slot in slots]

    def _deploy(self, card: str, slot: str) -> None:
        """§6 Place a unit; who stood there returns to the hand, or to the end of the reserve."""
        me = self.sides[self.active]
        new = me.reserve.pop(0) if me.reserve else self._from_hand(self.active, card)
        old = me.units.get(slot)
        self._place(self.active, new, slot)
        if old is None:
            return
        if self.is_on("reserve"):
            me.reserve.append(old.card)
        else:
            me.hand.append(old.card)
            me.known.append(old.card)

    def _reservations(self) -> list[str]:
        """§16 With a reserve, one may put a hand card at its end instead."""
        if not self.is_on("reserve"):
            return []
        return [f"reserve {card}" for card in _kinds(self.sides[self.active].hand)]

    def _place(self, seat: int, card: str, slot: str) -> None:
        """§6 A new unit stands Defensive and unhurt."""
        self.sides[seat].units[slot] = Unit(card)

    # ---------------------------------------------------------------- §7 attacking

    def targets(self, seat: int, slot: str) -> list[str]:
        """§3 The occupied enemy slots that the unit on a slot reaches, from F1 to A3."""
        card = self.sides[seat].units[slot].card
        reached = reach(card, slot, self.options["king_row"] == "whole")
        return [target for target in reached if target in self.sides[1 - seat].units]

    def _assaults(self) -> list[str]:
        """§5.2 Attacks, and support for them as long as there is an attack to choose."""
        attacks: list[str] = []
        for slot, unit in self.sides[self.active].units.items():
            if unit.posture != "defensive":
                continue
            targets = self.targets(self.active, slot)
            if unit.card in KINGS and self.is_on("king_sweep"):
                attacks += [f"sweep {slot}"] if targets else []
            else:
                attacks += [f"attack {slot} {target}" for target in targets]
        return attacks + self._supports() if attacks else []

    def _supports(self) -> list[str]:
        """§16 Support by a Soldier, an Archer, or the King as either of them."""
        if not self.is_on("support"):
            return []
        hand = _kinds(self.sides[self.active].hand)
        shots = [f"A {slot}" for slot in self.sides[1 - self.active].units]
        supports = ["support S"] if "S" in hand else []
        if "A" in hand:
            supports += [f"support {shot}" for shot in shots]
        if "K" in hand and self.is_on("reserve"):
            supports += [f"support K {effect}" for effect in ["S", *shots]]
        return supports

    def _blocks(self) -> list[str]:
        """§16 Support by a Guard, or the King as one, against an attack just declared."""
        hand = self.sides[1 - self.active].hand
        blocks = ["support G"] if "G" in hand else []
        if "K" in _kinds(hand) and self.is_on("reserve"):
            blocks.append("support K G")
        return blocks

    def _spend(self, card: str) -> None:
        """§16 A card used for support goes to the end of the reserve, or to the graveyard."""
        assert self.turn is not None
        side = self.sides[self.turn]
        (side.reserve if self.is_on("reserve") else side.graveyard).append(
            self._from_hand(self.turn, card)
        )

    def _support(self, card: str, effect: list[str]) -> None:
        """§16 A Soldier adds 1 to the attacks of this turn; an Archer shoots at any unit."""
        self._spend(card)
        match [card, *effect] if card != "K" else effect:
            case ["S"]:
                self.bonus += 1
            case ["A", slot]:
                self._hit(self.sides[1 - self.active].units[slot], 1, can_capture=False)
        self._after_blows()

    def _declare(self, slot: str, target: str | None) -> None:
        """§7 The attacker turns; with support, the defender may block. No target is a sweep."""
        self.sides[self.active].units[slot].posture = "offensive"
        self.declared = (slot, target)
        if self.is_on("support") and self.sides[1 - self.active].hand:
            self.phase = "block"
            self.turn = 1 - self.active
        else:
            self._land()

    def _land(self) -> None:
        """§7 The attack hits its target, or a King's sweep every enemy in range."""
        assert self.declared is not None
        slot, target = self.declared
        me, other = self.sides[self.active], self.sides[1 - self.active]
        slots = [target] if target is not None else self.targets(self.active, slot)
        for struck in [other.units[place] for place in slots]:
            attacker = me.units[slot].card
            value = ATTACK.get(attacker, len(me.hand)) + self.bonus
            self._hit(struck, value, can_capture=True)
            if self.is_over:
                return
        self._after_blows()

    def _hit(self, struck: Unit, value: int, can_capture: bool) -> None:
        """§7 One blow: wounded, captured or dead; a fallen King is an Execution."""
        me, other = self.sides[self.active], self.sides[1 - self.active]
        if can_capture and self._is_captured(struck, value):
            me.kingdom.append(struck.card)
            self._remove(struck)
            if struck.card in KINGS and self.is_on("king_capture_ends"):
                self._finish("execution", [self.active])
        elif struck.damage + value >= struck.defence:
            other.graveyard.append(struck.card)
            me.kills += 1
            self._remove(struck)
            if struck.card in KINGS:
                self._finish("execution", [self.active])
        else:
            struck.damage += value

    def _is_captured(self, struck: Unit, value: int) -> bool:
        """§7 What a capture needs."""
        match self.options["capture_rule"]:
            case "clean":
                return struck.damage == 0 and value == struck.defence
            case "printed":
                return value == struck.defence
        return value == struck.defence - struck.damage

    def _remove(self, fallen: Unit) -> None:
        """§7 The unit leaves its slot, and the one behind it advances as it is."""
        battlefield = self.sides[1 - self.active].units
        slot = next(slot for slot, unit in battlefield.items() if unit is fallen)
        del battlefield[slot]
        if slot in FRONT and _behind(slot) in battlefield:
            battlefield[slot] = battlefield.pop(_behind(slot))

    def _after_blows(self) -> None:
        """§7 Conscription if the opponent has no unit left, otherwise the attack goes on."""
        if self.is_over:
            return
        if self.sides[1 - self.active].units:
            self._go_on()
        else:
            self._call_up()

    def _go_on(self) -> None:
        """§5.2 Further attacks, as long as there is one to choose."""
        self.declared = None
        self.turn = self.active
        self.phase = "attack"
        if not self._assaults():
            self._develop()

    # ---------------------------------------------------------------- §8 conscription

    def _call_up(self) -> None:
        """§8 The opponent must conscript, or collapses."""
        other = self.sides[1 - self.active]
        called, sources = 1, len(other.reserve) + len(other.kingdom) + len(other.hand)
        if self.options["conscription"] == "two":
            called, sources = 2, len(other.reserve) + len(other.kingdom)
        if sources < called:
            self._finish("collapse", [self.active])
            return
        self.declared = None
        self.to_conscript = called
        self.phase = "conscription"
        self.turn = 1 - self.active

    def _conscriptions(self) -> list[str]:
        """§8 The next of the reserve or the Kingdom, or a chosen card, on a free Front slot."""
        other = self.sides[1 - self.active]
        slots = [slot for slot in FRONT if slot not in other.units]
        is_two = self.options["conscription"] == "two"
        if other.reserve or (other.kingdom and not is_two):
            return [f"conscript {slot}" for slot in slots]
        cards = _kinds(other.kingdom if is_two else other.hand)
        return [f"conscript {card} {slot}" for card in cards for slot in slots]

    def _conscript_next(self, slot: str) -> None:
        """§8 The first of the reserve, otherwise the oldest citizen."""
        other = self.sides[1 - self.active]
        self._conscript((other.reserve or other.kingdom).pop(0), slot)

    def _conscript_chosen(self, kind: str, slot: str) -> None:
        """§8 A card chosen from the hand; from the Kingdom if two are conscripted."""
        seat = 1 - self.active
        if self.options["conscription"] == "two":
            other = self.sides[seat]
            card = _named(kind, other.kingdom, other.king)
            other.kingdom.remove(card)
        else:
            card = self._from_hand(seat, kind)
        self._conscript(card, slot)

    def _conscript(self, card: str, slot: str) -> None:
        self._place(1 - self.active, card, slot)
        self.to_conscript -= 1
        if self.to_conscript == 0:
            self._go_on()

    # ---------------------------------------------------------------- §9 the end

    def _finish(self, reason: str, winners: list[int]) -> None:
        self.phase = "over"
        self.turn = None
        self.declared = None
        self.reason = reason
        self.winners = winners

    def _end_war(self) -> None:
        """§9.3 The larger Kingdom wins; equal is a draw, unless kills decide; or always a draw."""
        if self.options["end_of_war"] == "draw":
            self._finish("war", [])
            return
        tallies = [self.scores()]
        if self.options["war_tie"] == "kills":
            tallies.append([side.kills for side in self.sides])
        for one, two in tallies:
            if one != two:
                self._finish("war", [0 if one > two else 1])
                return
        self._finish("war", [])

    def scores(self) -> list[int]:
        """The citizens of each seat (§9)."""
        return [len(side.kingdom) for side in self.sides]

    # ---------------------------------------------------------------- §10 development

    def _develop(self) -> None:
        """§10 First the cards that must go, then those that may."""
        size = len(self.sides[self.active].hand)
        self.must_demobilise = 0
        match self.options["hand_rule"]:
            case "handout" if size >= HAND_LIMIT:
                self.must_demobilise = 1
            case "program" if size > HAND_LIMIT:
                self.must_demobilise = size - HAND_LIMIT
            case "literal" if size > HAND_LIMIT:
                self.must_demobilise = size - HAND_LIMIT + 1
        self.turn = self.active
        self._go_on_developing()

    def _go_on_developing(self) -> None:
        """§10 The turn ends by itself once nothing more may be demobilised."""
        is_enough = self.options["demobilise_max"] == "1" and self.demobilised > 0
        if self.must_demobilise:
            self.phase = "forced"
        elif is_enough or not self._citizens_to_be():
            self._end_turn()
        else:
            self.phase = "development"

    def _citizens_to_be(self) -> list[str]:
        """§10 The kinds of hand cards that may be demobilised."""
        kinds = _kinds(self.sides[self.active].hand)
        return [kind for kind in kinds if kind != "K" or self.is_on("king_citizen")]

    def _demobilise(self, card: str) -> None:
        """§10 A hand card becomes the last citizen of the Kingdom."""
        self.sides[self.active].kingdom.append(self._from_hand(self.active, card))
        self.demobilised += 1
        is_last_forced = self.must_demobilise == 1
        self.must_demobilise = max(0, self.must_demobilise - 1)
        if is_last_forced and self.options["free_part"] == "unless_forced":
            self._end_turn()
        else:
            self._go_on_developing()

    # ---------------------------------------------------------------- §12 who knows what

    def _from_hand(self, seat: int, kind: str) -> str:
        """Take a card from a hand, for all to see."""
        side = self.sides[seat]
        card = _named(kind, side.hand, side.king)
        side.hand.remove(card)
        if card in side.known:
            side.known.remove(card)
        if card == side.king:
            side.king_shown = True
        return card

    def view(self, seat: int | None) -> dict[str, Any]:
        """Everything that a seat, or a spectator (None), may see (§12)."""
        return {
            "first": self.first,
            "active": self.active,
            "turn": self.turn,
            "turn_number": self.turn_number,
            "phase": self.phase,
            "reason": self.reason,
            "winners": list(self.winners),
            "battlefields": [_shown(side.units) for side in self.sides],
            "kingdoms": [list(side.kingdom) for side in self.sides],
            "reserves": [list(side.reserve) for side in self.sides],
            "graveyards": [list(side.graveyard) for side in self.sides],
            "kills": [side.kills for side in self.sides],
            "hand_sizes": [len(side.hand) for side in self.sides],
            "deck_sizes": [len(side.deck) for side in self.sides],
            "kings": [self._king_seen(owner, seat) for owner in (0, 1)],
            "known_in_hands": [self._known_seen(owner, seat) for owner in (0, 1)],
            "declared": None if self.declared is None else list(self.declared),
            "bonus": self.bonus,
            "to_conscript": self.to_conscript,
            "must_demobilise": self.must_demobilise,
            "demobilised": self.demobilised,
            "hand": [] if seat is None else sorted(self.sides[seat].hand),
        }

    def _king_seen(self, owner: int, reader: int | None) -> str | None:
        """The King a seat was dealt, if the reader knows which it is."""
        side = self.sides[owner]
        return side.king if side.king_shown or owner == reader else None

    def _known_seen(self, owner: int, reader: int | None) -> list[str]:
        """The cards known to be in a hand; a King whose number the reader does not know is K."""
        side = self.sides[owner]
        known = list(side.known)
        if self._king_seen(owner, reader) is None:
            known[known.index(side.king)] = "K"
        return sorted(known)


def reach(card: str, slot: str, is_row_whole: bool = False) -> list[str]:
    """The enemy slots that a unit on a slot reaches, occupied or not, from F1 to A3 (§3).

    >>> reach("A", "F1"), reach("K1", "F3"), reach("S", "A2")
    (['F1', 'A2'], ['F1', 'F2', 'A1'], [])
    """
    column = int(slot[1])
    steps = RANGE[card]
    if card in KINGS and is_row_whole:
        steps = [*steps, (-2, 1), (2, 1)]
    reached = set()
    for sideways, forward in steps:
        row = {1: "F", 2: "A"}.get(forward if slot in FRONT else forward - 1)
        facing = 4 - (column + sideways)  # F1 faces F3
        if row is not None and 1 <= facing <= 3:
            reached.add(f"{row}{facing}")
    return [target for target in SLOTS if target in reached]


def _kinds(cards: list[str]) -> list[str]:
    """The different cards as moves write them, either King as K."""
    return sorted({card[0] for card in cards})


def _named(kind: str, cards: list[str], own_king: str) -> str:
    """The first card of this kind; K is one's own King if he is there."""
    if kind == "K" and own_king in cards:
        return own_king
    return next(card for card in cards if card[0] == kind)


def _behind(slot: str) -> str:
    """The Rear slot of the same column."""
    return slot.replace("F", "A")


def _shown(battlefield: dict[str, Unit]) -> dict[str, dict[str, Any]]:
    """A battlefield as plain data, from F1 to A3."""
    units = [(slot, battlefield[slot]) for slot in SLOTS if slot in battlefield]
    return {
        slot: {"unit": unit.card, "posture": unit.posture, "damage": unit.damage}
        for slot, unit in units
    }


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches with the default options; count what was played."""
    rng = random.Random(seed)
    decisions = 0
    for _ in range(count):
        game = Reference()
        game.deal(game.shuffled(rng))
        while not game.is_over:
            game.apply(rng.choice(game.moves()))
            decisions += 1
    return {"matches": count, "decisions": decisions}
