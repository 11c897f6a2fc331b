"""The reference engine: a plain Python engine of La cour du Roi for 2 to 4 players.

Written only from the rule specification (the § numbers below are its sections) and from the
meanings that the rulebook's §14 gives to the options, to be compared with the fast engine at every
ply and to serve as its plain-Python baseline. Nothing is drawn by lot in here: `deal` is told the
order of the cards and the first player, and `draw` is told which card a Jack brings.

Cards are their notation (`H7`, `D10`, `SK`), slots too (`2.1` is row 2, first from the left).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

FAMILIES = "HDCS"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]  # values 1 to 13 (§9)
KINGS = [f"{family}K" for family in FAMILIES]
OTHERS = [f"{family}{rank}" for family in FAMILIES for rank in RANKS[:-1]]
SLOTS = ["4.1", "3.1", "3.2", "2.1", "2.2", "2.3", "1.1", "1.2", "1.3", "1.4"]  # read from the top
PACK_SIZE = 4  # cards dealt to each player at a time in the draft (§5)

OPTIONS: dict[str, list[int | str]] = {  # §14, default first
    "players": [2, 3, 4],
    "two_player_draft": ["burn", "full"],
    "dead_family": ["worthless", "removed"],
    "order": ["cycle", "ladder", "cycle_weak_ace"],
    "single_support": ["off", "on"],
    "queen_needs_support": ["off", "on"],
    "jack_draws": ["before_gift", "after_gift"],
    "powers_optional": ["off", "on"],
    "end_check": ["round", "immediate", "solo_finish"],
    "show_unused_king": ["off", "on"],
    "draft": ["pass_left", "random", "alternate"],
    "first_player": ["random", "seat0", "seat1", "seat2", "seat3", "loser"],
    "tie_break": ["shared", "summit"],
    "games": [1, 2, 3, 4, 5, 6, 7, 8, 9],
}

BEATS = {("number", "ace"), ("ace", "head"), ("head", "number")}  # the cycle of §6.3
LADDER = ["J", "Q", "K", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]


def family(card: str) -> str:
    """The letter of a card's family."""
    return card[0]


def rank(card: str) -> str:
    """What is printed on a card beside its family."""
    return card[1:]


def value(card: str) -> int:
    """What a card is worth on row 1 (§9)."""
    return RANKS.index(rank(card)) + 1


def group(card: str) -> str:
    """The group of a card in the cycle (§6.3)."""
    if rank(card) == "A":
        return "ace"
    return "head" if rank(card) in ("J", "Q", "K") else "number"


def row(slot: str) -> int:
    """The row of a slot, 1 at the bottom."""
    return int(slot[0])


def supports(slot: str) -> list[str]:
    """The two slots on which a slot of rows 2 to 4 stands (§2)."""
    below, place = row(slot) - 1, int(slot[2])
    return [f"{below}.{place}", f"{below}.{place + 1}"] if below else []


def can_cover(new: str, old: str, order: str) -> bool:
    """Whether a card is equal to or stronger than the one it would cover (§6.3)."""
    if order == "ladder":
        return LADDER.index(rank(new)) >= LADDER.index(rank(old))
    if order == "cycle_weak_ace" and group(old) == "ace":
        return True
    if group(new) == group(old):
        return value(new) >= value(old)
    return (group(new), group(old)) in BEATS


def in_order(cards: list[str]) -> list[str]:
    """Cards by family, then by value."""
    return sorted(cards, key=lambda card: (FAMILIES.index(family(card)), value(card)))


@dataclass(slots=True)
class Held:
    """A pack that a player held in the draft, and all they remember of it (§5, §11)."""

    deal: int
    step: int
    dealt_to: int  # the seat that held this pack first
    seen: list[str]
    kept: list[str] = field(default_factory=list)
    burned: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    to: int | None = None

    def left(self) -> list[str]:
        """What is neither kept nor burned."""
        return [card for card in self.seen if card not in self.kept + self.burned]

    def recall(self) -> dict[str, Any]:
        """All of it as plain data."""
        cards = {name: in_order(getattr(self, name)) for name in ("seen", "kept", "burned")}
        place = {"deal": self.deal, "step": self.step, "dealt_to": self.dealt_to}
        return place | cards | {"passed": in_order(self.passed), "to": self.to}


@dataclass(slots=True)
class Seat:
    """One player's side of the table; the family is fixed at set-up (§4)."""

    family: str
    hand: list[str] = field(default_factory=list)
    packs: list[Held] = field(default_factory=list)  # the last one is in front of them


@dataclass(slots=True)
class Exchange:
    """A Jack's exchange (§6.5); `drawn` is None until the lot has been cast."""

    giver: int
    target: int
    given: str
    drawn: str | None = None

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """Everybody sees who exchanged with whom; the two of them know the cards (§11)."""
        knows = seat in (self.giver, self.target)
        cards = {"given": self.given, "drawn": self.drawn}
        return {"giver": self.giver, "target": self.target} | (
            cards if knows else dict.fromkeys(cards)
        )


@dataclass(slots=True)
class Event:
    """An entry of the log: what `seat` did, what it looks like from outside, and who knows."""

    seat: int
    text: str
    outside: str
    insiders: set[int]


class Reference:
    """A match of La cour du Roi; the caller shuffles, and draws whatever is drawn by lot."""

    def __init__(self, **knobs: int | str) -> None:
        self.options = {name: values[0] for name, values in OPTIONS.items()} | knobs
        for name, chosen in self.options.items():
            if isinstance(chosen, bool) or chosen not in OPTIONS.get(name, []):
                raise ValueError(f"{name}: {chosen}")
        self.players = int(self.options["players"])
        if self.options["first_player"] in [f"seat{seat}" for seat in range(self.players, 4)]:
            raise ValueError(f"first_player: no such seat among {self.players}")
        self.totals: list[list[int]] = []  # of each game that is over
        self.winners: list[int] = []
        self.phase = "game_over"
        self._clear_table()

    def _clear_table(self) -> None:
        self.seats: list[Seat] = []
        self.aside: list[str] = []  # Kings nobody drew
        self.removed: list[str] = []  # the other cards of their families, if taken out
        self.stock: list[str] = []  # cards not dealt yet
        self.burned: list[str] = []
        self.pyramid: dict[str, str] = {}
        self.discard: list[str] = []
        self.deal_no = self.step = self.round_no = 0
        self.first = self.turns_taken = 0
        self.turn: int | None = None
        self.reason: str | None = None
        self.exchanges: list[Exchange] = []
        self.log: list[Event] = []

    # ------------------------------------------------------------ set-up (§3, §4)

    def pack(self) -> list[str]:
        """All 52 cards, unshuffled, as `deal` takes them: the Kings, then the others."""
        return KINGS + OTHERS

    def possible_first(self) -> set[int]:
        """The seats that may be first player of the next game (§4.6, §14)."""
        option = str(self.options["first_player"])
        if option.startswith("seat"):
            return {int(option[4:])}
        everybody = list(range(self.players))
        if option == "loser" and self.totals:
            last = self.totals[-1]
            return set(_highest(everybody, lambda seat: -last[seat]))
        return set(everybody)

    def deal(self, cards: list[str], first: int) -> None:
        """Set up a game from 4 Kings and 48 other cards, each in shuffled order (§4)."""
        if self.phase != "game_over":
            raise ValueError(f"nothing is dealt in phase {self.phase}")
        if sorted(cards[:4]) != sorted(KINGS) or sorted(cards[4:]) != sorted(OTHERS):
            raise ValueError("the cards must be the 4 Kings, then the 48 others")
        if first not in self.possible_first():
            raise ValueError(f"first: {first}")
        self._clear_table()
        self.first = first
        self.seats = [Seat(family(king)) for king in cards[: self.players]]
        self.aside, self.stock = cards[self.players : 4], cards[4:]
        if self.options["dead_family"] == "removed":
            dead = {family(king) for king in self.aside}
            self.removed = [card for card in self.stock if family(card) in dead]
            self.stock = [card for card in self.stock if family(card) not in dead]
        if self.options["draft"] == "random":
            self._deal_hands()
        else:
            self._deal_packs()

    def _steps(self) -> list[tuple[int, int]]:
        """How many cards each player keeps and burns at each step of a deal (§5)."""
        if self.players == 3:
            return [(2, 0), (1, 0), (1, 0)]
        full = self.options["two_player_draft"] == "full"
        if self.players == 4 or full or self.options["dead_family"] == "removed":
            return [(1, 0)] * 4
        return [(1, 1), (1, 1)]

    def _deal_hands(self) -> None:
        """Without a draft everyone is dealt as many cards as the draft would give (§14)."""
        deals = len(self.stock) // (PACK_SIZE * self.players)
        size = deals * sum(keep for keep, _ in self._steps())
        for seat in self.seats:
            seat.hand, self.stock = self.stock[:size], self.stock[size:]
        self.burned, self.stock = self.stock, []
        self._begin_play()

    # ------------------------------------------------------------ the draft (§5)

    def _deal_packs(self) -> None:
        self.deal_no += 1
        self.step = 1
        for number, seat in enumerate(self.seats):
            pack, self.stock = self.stock[:PACK_SIZE], self.stock[PACK_SIZE:]
            seat.packs.append(Held(self.deal_no, 1, number, pack))
        self._ask_next()

    def _ask_next(self) -> None:
        """Let the next seat choose; what leaves no choice is not asked; then the packs move."""
        keep, burn = self._steps()[self.step - 1]
        for number, seat in enumerate(self.seats):
            held = seat.packs[-1]
            for phase, chosen, wanted in (("keep", held.kept, keep), ("burn", held.burned, burn)):
                missing = wanted - len(chosen)
                if missing == len(held.left()):
                    chosen += held.left()
                elif missing:
                    self.turn, self.phase = number, phase
                    return
        self._pass_packs()

    def direction(self) -> int:
        """Packs go to the left (+1), or in turn to the left and to the right (§5, §14)."""
        return -1 if self.options["draft"] == "alternate" and self.deal_no % 2 == 0 else 1

    def _pass_packs(self) -> None:
        """Everybody has chosen: cards kept go to the hand, the others all move one seat."""
        for number, seat in enumerate(self.seats):
            held = seat.packs[-1]
            seat.hand += held.kept
            self.burned += held.burned
            if held.left():
                held.passed, held.to = held.left(), (number + self.direction()) % self.players
        if self.step == len(self._steps()):
            if self.stock:
                self._deal_packs()
            else:
                self._begin_play()
            return
        self.step += 1
        sent = [seat.packs[-1] for seat in self.seats]
        for pack in sent:
            assert pack.to is not None
            new = Held(pack.deal, self.step, pack.dealt_to, list(pack.passed))
            self.seats[pack.to].packs.append(new)
        self._ask_next()

    # ------------------------------------------------------------ the turn (§6)

    def _begin_play(self) -> None:
        for seat in self.seats:
            seat.hand.append(f"{seat.family}K")
        self.round_no = 1
        self.turn, self.phase = self.first, "play"

    def plays(self, number: int) -> list[tuple[str, str]]:
        """All pairs of a card of this seat's hand and a slot where it may go (§6.2, §6.3)."""
        hand = self.seats[number].hand
        return [(card, slot) for slot in SLOTS for card in hand if self._can_go(card, slot)]

    def _can_go(self, card: str, slot: str) -> bool:
        if slot in self.pyramid:
            return can_cover(card, self.pyramid[slot], str(self.options["order"]))
        below = supports(slot)
        if not below:
            return True
        if self.options["single_support"] == "off" and not all(s in self.pyramid for s in below):
            return False
        return self._is_supported(card, slot)

    def _is_supported(self, card: str, slot: str) -> bool:
        """Whether one of the cards below a slot has this card's family."""
        below = [self.pyramid[s] for s in supports(slot) if s in self.pyramid]
        return any(family(card) == family(other) for other in below)

    def swaps(self) -> list[tuple[str, str]]:
        """The pairs of slots a Queen may swap, each read from the top (§6.4)."""
        occupied = [slot for slot in SLOTS if slot in self.pyramid]
        return [pair for pair in combinations(occupied, 2) if self._can_swap(*pair)]

    def _can_swap(self, one: str, two: str) -> bool:
        if self.options["queen_needs_support"] == "off":
            return True
        self._swap(one, two)
        fits = [row(s) == 1 or self._is_supported(self.pyramid[s], s) for s in (one, two)]
        self._swap(one, two)
        return all(fits)

    def _swap(self, one: str, two: str) -> None:
        self.pyramid[one], self.pyramid[two] = self.pyramid[two], self.pyramid[one]

    def gifts(self) -> list[tuple[str, int]]:
        """The pairs of a card to give and a seat to give it to (§6.5)."""
        others = [n for n, seat in enumerate(self.seats) if seat.hand and n != self.turn]
        assert self.turn is not None
        return [(card, other) for card in self.seats[self.turn].hand for other in others]

    def legal(self) -> list[str]:
        """The notations of all that the seat in turn may do, sorted."""
        if self.turn is None:
            return []
        moves: list[str]
        match self.phase:
            case "keep" | "burn":
                moves = [f"{self.phase} {card}" for card in self.seats[self.turn].packs[-1].left()]
            case "swap":
                moves = [f"swap {one} {two}" for one, two in self.swaps()]
            case "give":
                moves = [f"give {card} to {other}" for card, other in self.gifts()]
            case _:
                moves = [f"{card} {slot}" for card, slot in self.plays(self.turn)] or ["pass"]
        if self.phase in ("swap", "give") and self.options["powers_optional"] == "on":
            moves.append("decline")
        return sorted(moves)

    def play(self, notation: str) -> None:
        """Carry out what the seat in turn decides, and everything that follows from it."""
        if self.turn is None or notation not in self.legal():
            raise ValueError(f"not legal: {notation}")
        me = self.seats[self.turn]
        match notation.split():
            case ["keep", card]:
                self._note(notation, "keep ?")
                me.packs[-1].kept.append(card)
                self._ask_next()
            case ["burn", card]:
                self._note(notation, "burn ?")
                me.packs[-1].burned.append(card)
                self._ask_next()
            case ["pass"] | ["decline"]:
                self._note(notation)
                self._end_turn()
            case ["swap", one, two]:
                self._note(notation)
                self._swap(one, two)
                self._end_turn()
            case ["give", card, "to", other]:
                self._note(notation, f"give ? to {other}", int(other))
                self.exchanges.append(Exchange(self.turn, int(other), card))
                self.turn, self.phase = None, "draw"
            case [card, slot]:
                self._note(notation)
                self._lay(card, slot)

    def _note(self, text: str, outside: str | None = None, *others: int) -> None:
        assert self.turn is not None
        self.log.append(Event(self.turn, text, outside or text, {self.turn, *others}))

    def _lay(self, card: str, slot: str) -> None:
        """Place or cover, then see whether the card has a power that can be used (§6)."""
        assert self.turn is not None
        self.seats[self.turn].hand.remove(card)
        if slot in self.pyramid:
            self.discard.append(self.pyramid[slot])
        self.pyramid[slot] = card
        if rank(card) == "Q" and self.swaps():
            self.phase = "swap"
        elif rank(card) == "J" and self.gifts():
            self.phase = "give"
        else:
            self._end_turn()

    def drawable(self) -> list[str]:
        """The cards that the lot may bring: the target's hand as it was before the gift (§6.5).

        By option it is the hand with the gift in it (§14).
        """
        if self.phase != "draw":
            return []
        exchange = self.exchanges[-1]
        hand = self.seats[exchange.target].hand
        if self.options["jack_draws"] == "after_gift":
            return in_order([*hand, exchange.given])
        return in_order(hand)

    def draw(self, card: str) -> None:
        """The lot has fallen on this card: both cards change hands (§6.5)."""
        if card not in self.drawable():
            raise ValueError(f"cannot be drawn: {card}")
        exchange = self.exchanges[-1]
        giver, target = self.seats[exchange.giver], self.seats[exchange.target]
        giver.hand.remove(exchange.given)
        target.hand.append(exchange.given)
        target.hand.remove(card)
        giver.hand.append(card)
        exchange.drawn = card
        self.turn = exchange.giver
        self._note(f"draw {card}", "draw ?", exchange.target)
        self._end_turn()

    # ------------------------------------------------------------ the end (§8, §9)

    def _end_turn(self) -> None:
        """Go on to the next seat that has cards, unless the game is over (§6, §8)."""
        while True:
            self.turns_taken += 1
            is_last = self.turns_taken == self.players
            if is_last or self.options["end_check"] == "immediate":
                self.reason = self._reason_to_end()
                if self.reason is not None:
                    self._end_game()
                    return
            if is_last:
                self.turns_taken = 0
                self.round_no += 1
            number = (self.first + self.turns_taken) % self.players
            if self.seats[number].hand:
                self.turn, self.phase = number, "play"
                return

    def _reason_to_end(self) -> str | None:
        if not any(seat.hand for seat in self.seats):
            return "hands_empty"
        able = [number for number in range(self.players) if self.plays(number)]
        if not able:
            return "nobody_can_play"
        if len(able) == 1 and self.options["end_check"] != "solo_finish":
            return "one_can_play"
        return None

    def _end_game(self) -> None:
        self.turn, self.phase = None, "game_over"
        self.totals.append([self.points(number) for number in range(self.players)])
        if len(self.totals) == self.options["games"]:
            self.phase = "over"
            self.winners = self._best()

    def _own(self, number: int) -> list[str]:
        """The slots that show this player's family."""
        served = self.seats[number].family
        return [slot for slot, card in self.pyramid.items() if family(card) == served]

    def points(self, number: int) -> int:
        """What the pyramid is worth to a player: value times row, own family only (§9)."""
        return sum(value(self.pyramid[slot]) * row(slot) for slot in self._own(number))

    def scores(self) -> list[int]:
        """Each player's points: of all games that are over, and of the pyramid as it stands."""
        scores = [sum(game[number] for game in self.totals) for number in range(self.players)]
        if self.phase in ("game_over", "over"):
            return scores
        return [score + self.points(number) for number, score in enumerate(scores)]

    def _best(self) -> list[int]:
        """Who wins the match, ties included (§9)."""
        scores = self.scores()
        best = _highest(list(range(self.players)), lambda number: scores[number])
        if self.options["tie_break"] == "summit":
            best = _highest(best, lambda number: max(map(row, self._own(number)), default=0))
            best = _highest(best, lambda number: len(self._own(number)))
        return best

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.phase == "over"

    # ------------------------------------------------------------ who knows what (§11)

    def view(self, seat: int | None) -> dict[str, Any]:
        """Everything that a seat, or a spectator (None), sees and has seen in this game."""
        ended = self.phase in ("game_over", "over")
        drafting = self.phase in ("keep", "burn")
        shown = ended or self.options["show_unused_king"] == "on" or bool(self.removed)
        public = {
            "totals": [list(game) for game in self.totals],
            "turn": self.turn,
            "phase": self.phase,
            "reason": self.reason,
            "winners": list(self.winners),
            "deal_no": self.deal_no,
            "step": self.step,
            "pack_sizes": [len(s.packs[-1].seen) if drafting else 0 for s in self.seats],
            "stock_size": len(self.stock),
            "burned_size": len(self.burned),
            "removed": in_order(self.removed),
            "aside": [king if shown else None for king in self.aside],
            "first": None if drafting else self.first,
            "round_no": self.round_no,
            "hand_sizes": [len(s.hand) for s in self.seats],
            "pyramid": {slot: self.pyramid.get(slot) for slot in SLOTS},
            "discard": list(self.discard),
        }
        own = {
            "families": [
                s.family if ended or n == seat else None for n, s in enumerate(self.seats)
            ],
            "hand": in_order(self.seats[seat].hand) if seat is not None else [],
            "packs": [held.recall() for held in self.seats[seat].packs] if seat is not None else [],
            "exchanges": [exchange.seen_by(seat) for exchange in self.exchanges],
            "history": [(e.seat, e.text if seat in e.insiders else e.outside) for e in self.log],
        }
        return public | own


def _highest(seats: list[int], score: Callable[[int], int]) -> list[int]:
    """Those of `seats` that share the highest score."""
    top = max(map(score, seats))
    return [seat for seat in seats if score(seat) == top]


def shuffled(reference: Reference, rng: random.Random) -> list[str]:
    """A random order of all cards, as `Reference.deal` takes them."""
    cards = reference.pack()
    return rng.sample(cards[:4], 4) + rng.sample(cards[4:], 48)


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches of two players; count what was played."""
    rng = random.Random(seed)
    decisions = 0
    for _ in range(count):
        reference = Reference()
        reference.deal(shuffled(reference, rng), rng.randrange(reference.players))
        while not reference.is_over:
            if reference.phase == "draw":
                reference.draw(rng.choice(reference.drawable()))
            else:
                reference.play(rng.choice(reference.legal()))
                decisions += 1
    return {"matches": count, "decisions": decisions}
