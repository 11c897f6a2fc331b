"""The reference engine: a plain Python Love Letter engine for 2 to 6 players.

Written only from the rule specification (the § and LL-R numbers below refer to it), to be compared
with the fast engine at every ply and to serve as its plain-Python baseline. What a seat knows is
not maintained during play: `Reference.view` derives it from the event log of the round.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, NamedTuple

SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS = range(10)

NAMEABLE = [SPY, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS]
COPIES = {  # §1 and the option `deck` of §11: copies of the cards 0 to 9
    "zman21": [2, 6, 2, 2, 2, 2, 2, 1, 1, 1],
    "classic16": [0, 5, 2, 2, 2, 2, 0, 1, 1, 1],
}
TOKENS_TO_WIN = {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}  # §12
OPTIONS = {  # §11, default first; the two numeric options depend on the number of players
    "deck": ["zman21", "classic16"],
    "tie_break": ["sum_of_discards", "both_win"],
    "double_tie": ["both_win", "nobody"],
    "tie_sum_counts": ["played_and_discarded", "played_only"],
    "spy_bonus": ["one_spy_in_play", "only_survivor_with_spy", "off", "one_spy_played"],
    "prince_vs_handmaid": ["must_self", "may_fizzle"],
    "first_starter": ["random", "seat0"],
    "next_starter": ["winner", "loser", "alternate", "random"],
    "simultaneous_match_win": ["shared", "higher_total", "extra_round"],
    "reveal_after_knockout": ["none", "winner_hand", "all"],
    "memory_aid": ["on", "off"],
    "bot_mode": ["argmax", "stochastic"],
}


@dataclass(slots=True)
class Play:
    """The first decision of a turn (§4, D1 to D3); no target means no effect on anybody."""

    card: int
    target: int | None = None
    name: int | None = None


@dataclass(slots=True)
class Keep:
    """The Chancellor's decision (§4.2): the last card of `under` becomes the last of the deck."""

    card: int
    under: list[int]


Action = Play | Keep


@dataclass(slots=True)
class Seat:
    """One player's side of the table in one round; the card of the turn is drawn to hand[-1]."""

    hand: list[int] = field(default_factory=list)
    area: list[tuple[int, str]] = field(default_factory=list)
    in_round: bool = True
    protected: bool = False


class Event(NamedTuple):
    """An entry of the round's log, from which `Knowledge` is derived.

    draw: `seat` drew cards[0] for its turn. play: it played cards[0]. not: its kept card is none of
    `cards`. see: it saw that `other` holds cards[0]. gone: its kept card has left the hand.
    redraw: it drew cards[0] because of a Prince. take: it drew `cards` with the Chancellor.
    under: it put `cards` under the deck. swap: it exchanged hands with `other`. tie: a Baron found
    its card equal to that of `other`.
    """

    kind: str
    seat: int
    cards: tuple[int, ...] = ()
    other: int = -1


class Knowledge:
    """What one seat knows about the kept cards of the others and about the deck (§6, §12)."""

    def __init__(self, observer: int, players: int, deck_size: int) -> None:
        self.observer = observer
        self.known: list[int | None] = [None] * players
        self.excluded: list[set[int]] = [set() for _ in range(players)]
        self.deck: list[int | None] = [None] * deck_size  # top first
        self.drawn: int | None = None  # the card just drawn by the seat to move, if known
        self.equal: dict[int, int] = {}  # seats whose kept cards a Baron found equal

    def learn(self, event: Event) -> None:
        """Take one event into account."""
        seat, cards = event.seat, event.cards
        match event.kind:
            case "draw":
                self.drawn = self.deck.pop(0)
            case "play":
                self._played(seat, cards[0])
            case "not":
                for player in (seat, self.equal.get(seat, seat)):
                    self.excluded[player].update(cards)
            case "see":
                if seat == self.observer:
                    for player in (event.other, self.equal.get(event.other, event.other)):
                        self._set(player, cards[0])
            case "gone":
                self._set(seat, None)
                self._part(seat)
            case "redraw":
                self._set(seat, self.deck.pop(0))
            case "take":
                self._set(seat, None)
                del self.deck[: len(cards)]
            case "under":
                self.deck.extend(cards if seat == self.observer else [None] * len(cards))
            case "tie":
                self._part(seat)
                self._part(event.other)
                self.equal |= {seat: event.other, event.other: seat}
                if self.observer not in (seat, event.other):
                    self._equal(seat, event.other)
            case "swap":
                known, excluded, other = self.known, self.excluded, event.other
                known[seat], known[other] = known[other], known[seat]
                excluded[seat], excluded[other] = excluded[other], excluded[seat]
                new = {seat: other, other: seat}
                self.equal = {new.get(a, a): new.get(b, b) for a, b in self.equal.items()}

    def _part(self, seat: int) -> None:
        """The kept card of `seat` need not equal another one any more."""
        self.equal.pop(self.equal.pop(seat, seat), None)

    def _equal(self, seat: int, other: int) -> None:
        """Two hands were found equal: what is known of one is known of the other (§12)."""
        card = self.known[seat] if self.known[seat] is not None else self.known[other]
        excluded = self.excluded[seat] | self.excluded[other]
        for player in (seat, other):
            self.known[player] = card
            self.excluded[player] = set() if card is not None else set(excluded)

    def _set(self, seat: int, card: int | None) -> None:
        """Forget everything about the kept card of `seat` and put `card` (or nothing) instead."""
        self.known[seat] = card
        self.excluded[seat] = set()

    def _played(self, seat: int, card: int) -> None:
        """Work out which of the kept and the drawn card was played (§6.1, §6.2)."""
        kept, drawn = self.known[seat], self.drawn
        if drawn is not None and card != drawn:
            self._set(seat, drawn)
        elif kept is not None:
            if card == kept:
                self._set(seat, drawn)
        elif drawn is None and card not in self.excluded[seat]:
            self._set(seat, None)
        if card in (PRINCE, KING):
            self.excluded[seat].add(COUNTESS)
        self._part(seat)


class Reference:
    """A match of Love Letter; the caller shuffles and chooses the starter of each round."""

    def __init__(self, players: int = 2, **knobs: str | int) -> None:
        if players not in TOKENS_TO_WIN:
            raise ValueError(f"players: {players}")
        self.players = players
        self.tokens_to_win = int(knobs.pop("tokens_to_win", TOKENS_TO_WIN[players]))
        self.face_up_set_aside = int(knobs.pop("face_up_set_aside", 3 if players == 2 else 0))
        self.options = {name: values[0] for name, values in OPTIONS.items()}
        for name, value in knobs.items():
            if value not in OPTIONS.get(name, []):
                raise ValueError(f"{name}: {value}")
            self.options[name] = str(value)
        if self.options["deck"] == "classic16" and players > 4:
            raise ValueError("classic16 is for 2 to 4 players")
        self.tokens = [0] * players
        self.round_no = 0
        self.starter: int | None = None
        self.turn: int | None = None
        self.phase = "round_over"
        self.reason: str | None = None
        self.round_winners: list[int] = []
        self.match_winners: list[int] | None = None
        self.best: list[int] = []  # the round's winners, or those tied when nobody won
        self.seats = [Seat() for _ in range(players)]
        self.deck: list[int] = []  # top first
        self.face_up: list[int] = []
        self.burned = -1
        self.burned_taken = False
        self.log: list[Event] = []

    def pack(self) -> list[int]:
        """The unshuffled pack (§1), lowest values first."""
        copies = COPIES[self.options["deck"]]
        return [card for card, count in enumerate(copies) for _ in range(count)]

    def possible_starters(self) -> set[int]:
        """The seats that may start the next round (§7.4, LL-R1)."""
        everybody = set(range(self.players))
        if self.starter is None:
            return {0} if self.options["first_starter"] == "seat0" else everybody
        match self.options["next_starter"]:
            case "winner":
                return set(self.best)
            case "loser":
                return everybody - set(self.best) or everybody
            case "alternate":
                return {(self.starter + 1) % self.players}
        return everybody

    def start_round(self, pack: list[int], starter: int) -> None:
        """Deal a shuffled pack (§3, LL-R2) and begin the starter's turn."""
        if self.phase != "round_over":
            raise ValueError(f"no round can start in phase {self.phase}")
        if sorted(pack) != self.pack():
            raise ValueError(f"not a complete pack: {pack}")
        if starter not in range(self.players):
            raise ValueError(f"starter: {starter}")
        first, last = self.players + 1, self.players + 1 + self.face_up_set_aside
        self.seats = [Seat(hand=[card]) for card in pack[: self.players]]
        self.burned, self.face_up, self.deck = pack[self.players], pack[first:last], pack[last:]
        self.burned_taken = False
        self.round_no += 1
        self.starter = starter
        self.reason = None
        self.round_winners = []
        self.log = []
        self._begin_turn(starter)

    def actions(self) -> list[Action]:
        """All legal actions of the seat to decide (§4.1, §4.2, §12)."""
        if self.turn is None:
            return []
        hand = self.seats[self.turn].hand
        if self.phase == "choose_chancellor":
            return [Keep(keep, under) for keep, *under in sorted(set(permutations(hand)))]
        if COUNTESS in hand and (KING in hand or PRINCE in hand):
            return [Play(COUNTESS)]
        others = [i for i, s in enumerate(self.seats) if s.in_round and i != self.turn]
        targets = [i for i in others if not self.seats[i].protected]
        actions: list[Action] = []
        for card in sorted(set(hand)):
            if card == PRINCE:
                actions += [Play(PRINCE, target) for target in [*targets, self.turn]]
                may_fizzle = self.options["prince_vs_handmaid"] == "may_fizzle"
                if may_fizzle and len(targets) < len(others):
                    actions.append(Play(PRINCE))
            elif card == GUARD and targets:
                actions += [Play(GUARD, target, name) for target in targets for name in NAMEABLE]
            elif card in (PRIEST, BARON, KING) and targets:
                actions += [Play(card, target) for target in targets]
            else:
                actions.append(Play(card))
        return actions

    def notation(self, action: Action) -> str:
        """The text of an action of the seat to decide (§2); `>` gives the target seat with 3+."""
        if isinstance(action, Keep):
            return f"keep {action.card} under {' '.join(map(str, action.under))}"
        card, target = action.card, action.target
        if card not in (GUARD, PRIEST, BARON, PRINCE, KING):
            return str(card)
        if target is None:
            return f"{card}:-"
        if target == self.turn:
            return f"{card}:s"
        aimed = f"{card}>{target}" if self.players > 2 else str(card)
        if card == GUARD:
            return f"{aimed}:{action.name}"
        return "5:o" if aimed == "5" else aimed

    def legal(self) -> list[str]:
        """The notations of all legal actions, sorted."""
        return sorted(self.notation(action) for action in self.actions())

    def play(self, notation: str) -> None:
        """Carry out the action with this notation."""
        for action in self.actions():
            if self.notation(action) == notation:
                self.apply(action)
                return
        raise ValueError(f"not legal: {notation}")

    def apply(self, action: Action) -> None:
        """Carry out a legal action and everything that follows from it (§4, steps 4 to 6)."""
        assert self.turn is not None
        me = self.seats[self.turn]
        if isinstance(action, Keep):
            me.hand = [action.card]
            self.deck += action.under
            self.log.append(Event("under", self.turn, tuple(action.under)))
        else:
            me.hand.remove(action.card)
            me.area.append((action.card, "played"))
            self.log.append(Event("play", self.turn, (action.card,)))
            if action.card == HANDMAID:
                me.protected = True
            elif action.card == PRINCESS:
                self._knock_out(self.turn)
            elif action.card == CHANCELLOR and self.deck:
                drawn = self.deck[:2]
                del self.deck[:2]
                me.hand += drawn
                self.log.append(Event("take", self.turn, tuple(drawn)))
                self.phase = "choose_chancellor"
                return
            elif action.target is not None:
                self._resolve(self.turn, action.target, action)
        self._end_turn(self.turn)

    def _begin_turn(self, seat: int) -> None:
        """§4, steps 1 and 2."""
        self.turn = seat
        self.phase = "choose_play"
        self.seats[seat].protected = False
        card = self.deck.pop(0)
        self.seats[seat].hand.append(card)
        self.log.append(Event("draw", seat, (card,)))

    def _resolve(self, seat: int, target: int, action: Play) -> None:
        """The effects that need a target (§4, step 5)."""
        me, other = self.seats[seat], self.seats[target]
        if action.card == GUARD:
            if action.name == other.hand[0]:
                self._knock_out(target)
            elif action.name is not None:
                self.log.append(Event("not", target, (action.name,)))
        elif action.card == PRIEST:
            self.log.append(Event("see", seat, (other.hand[0],), target))
        elif action.card == BARON:
            mine, theirs = me.hand[0], other.hand[0]
            self._see_each_other(seat, target)
            if mine == theirs:
                self.log.append(Event("tie", seat, other=target))
            else:
                winner, loser = (seat, target) if mine > theirs else (target, seat)
                self.log.append(Event("not", winner, tuple(range(min(mine, theirs) + 1))))
                self._knock_out(loser)
        elif action.card == PRINCE:
            self._discard_and_draw(target)
        elif action.card == KING:
            me.hand, other.hand = other.hand, me.hand
            self.log.append(Event("swap", seat, other=target))
            self._see_each_other(seat, target)

    def _see_each_other(self, seat: int, other: int) -> None:
        """After a Baron or a King both know what the other one holds (§6)."""
        self.log.append(Event("see", seat, (self.seats[other].hand[0],), other))
        self.log.append(Event("see", other, (self.seats[seat].hand[0],), seat))

    def _discard_and_draw(self, seat: int) -> None:
        """The Prince's effect (§4; §5.2 to §5.6)."""
        target = self.seats[seat]
        card = target.hand.pop()
        target.area.append((card, "prince_discard"))
        self.log.append(Event("gone", seat))
        if card == PRINCESS:
            self._knock_out(seat)
        elif self.deck:
            new = self.deck.pop(0)
            target.hand.append(new)
            self.log.append(Event("redraw", seat, (new,)))
        else:
            target.hand.append(self.burned)
            self.burned_taken = True

    def _knock_out(self, seat: int) -> None:
        """§4, knock-out: the remaining hand card, if any, is laid open without effect."""
        loser = self.seats[seat]
        loser.in_round = False
        loser.area += [(card, "knockout") for card in loser.hand]
        loser.hand = []
        self.log.append(Event("gone", seat))

    def _end_turn(self, seat: int) -> None:
        """§4, step 6: a knock-out comes before the empty deck (§5.19)."""
        survivors = [i for i, s in enumerate(self.seats) if s.in_round]
        if len(survivors) == 1:
            self._end_round("knockout", survivors)
        elif not self.deck:
            self._end_round("showdown", survivors)
        else:
            self._begin_turn(next((i for i in survivors if i > seat), survivors[0]))

    def _end_round(self, reason: str, survivors: list[int]) -> None:
        """§7 and §8: find the winners, give all tokens, then look for the end of the match."""
        self.turn = None
        self.phase = "round_over"
        self.reason = reason
        self.best = self.round_winners = _highest(survivors, lambda i: self.seats[i].hand[0])
        if len(self.best) > 1 and self.options["tie_break"] == "sum_of_discards":
            self.best = self.round_winners = _highest(self.best, self._area_sum)
            if len(self.best) > 1 and self.options["double_tie"] == "nobody":
                self.round_winners = []
        for seat in self.round_winners + self._spy_winner(survivors):
            self.tokens[seat] += 1
        winners = [i for i in range(self.players) if self.tokens[i] >= self.tokens_to_win]
        if len(winners) > 1 and self.options["simultaneous_match_win"] != "shared":
            winners = _highest(winners, lambda i: self.tokens[i])
            if len(winners) > 1 and self.options["simultaneous_match_win"] == "extra_round":
                return
        if winners:
            self.match_winners = winners
            self.phase = "match_over"

    def _area_sum(self, seat: int) -> int:
        """The sum that decides a tie (LL-R7)."""
        played_only = self.options["tie_sum_counts"] == "played_only"
        return sum(c for c, tag in self.seats[seat].area if tag == "played" or not played_only)

    def _spy_winner(self, survivors: list[int]) -> list[int]:
        """The seat that earns the Spy's token, if there is one (§7.3, LL-R9)."""
        spies = [i for i in survivors for card, _ in self.seats[i].area if card == SPY]
        if self.options["spy_bonus"] == "one_spy_played":  # by whomever: the seed, literally
            areas = [(i, entry) for i, s in enumerate(self.seats) for entry in s.area]
            spies = [i for i, (card, tag) in areas if card == SPY and tag != "knockout"]
        if self.options["spy_bonus"] == "only_survivor_with_spy":
            spies = list(set(spies))
        return spies if len(spies) == 1 and self.options["spy_bonus"] != "off" else []

    def view(self, seat: int | None) -> dict[str, Any]:
        """Everything that a seat, or a spectator (None), may see and knows for certain (§6)."""
        knocked_out = self.reason == "knockout"
        reveal = self.options["reveal_after_knockout"]
        shown = self.reason == "showdown" or (knocked_out and reveal != "none")
        public = {
            "tokens": list(self.tokens),
            "round_no": self.round_no,
            "starter": self.starter,
            "turn": self.turn,
            "phase": self.phase,
            "deck_size": len(self.deck),
            "face_up": list(self.face_up),
            "area": [[card for card, _ in s.area] for s in self.seats],
            "area_tags": [[tag for _, tag in s.area] for s in self.seats],
            "in_round": [s.in_round for s in self.seats],
            "protected": [s.protected for s in self.seats],
            "burned_taken": self.burned_taken,
            "revealed": [s.hand[0] if shown and s.hand else None for s in self.seats],
            "burned_shown": self.burned
            if knocked_out and reveal == "all" and not self.burned_taken
            else None,
        }
        return public | self._private_view(seat)

    def _private_view(self, seat: int | None) -> dict[str, Any]:
        """The private part of a view; after the round only an undisclosed hand is left of it."""
        private: dict[str, Any] = {"hand": [], "known": {}, "not_held": {}, "bottom": {}}
        if seat is None:
            return private
        if self.reason != "showdown":
            private["hand"] = sorted(self.seats[seat].hand)
        if self.turn is None:
            return private
        pack_size = sum(COPIES[self.options["deck"]])
        mind = Knowledge(seat, self.players, pack_size - self.players - 1 - len(self.face_up))
        for event in self.log:
            mind.learn(event)
        for i, other in enumerate(self.seats):
            if i == seat or not other.in_round:
                continue
            if mind.known[i] is not None:
                private["known"][i] = mind.known[i]
            elif mind.excluded[i]:
                private["not_held"][i] = sorted(mind.excluded[i])
        places = enumerate(reversed(mind.deck))
        private["bottom"] = {place: card for place, card in places if card is not None}
        return private


def _highest(seats: list[int], score: Callable[[int], int]) -> list[int]:
    """Those of `seats` that share the highest score."""
    top = max(map(score, seats))
    return [i for i in seats if score(i) == top]


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches of two players; count what was played."""
    rng = random.Random(seed)
    rounds = decisions = 0
    for _ in range(count):
        game = Reference()
        while game.phase != "match_over":
            pack = game.pack()
            rng.shuffle(pack)
            game.start_round(pack, rng.choice(sorted(game.possible_starters())))
            while game.turn is not None:
                game.apply(rng.choice(game.actions()))
                decisions += 1
            rounds += 1
    return {"matches": count, "rounds": rounds, "decisions": decisions}
