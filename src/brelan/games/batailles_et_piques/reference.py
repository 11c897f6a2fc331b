"""The reference engine: a plain Python Batailles et piques engine for 3 to 6 players.

Written only from the rule specification (the § and RULING numbers below refer to it), to be
compared with the fast engine at every ply and to serve as its plain-Python baseline. A card is 1
to 13, "K" (King) or "M" (mine). What is known of hidden cards is not maintained during play:
`Reference.view` learns it from the log of the match.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, NamedTuple

Card = int | str
KING, MINE = "K", "M"
VALUES = range(1, 14)
KINDS: list[Card] = [*VALUES, KING, MINE]
SLOTS = "LRC"  # in the order in which they are filled; the third one is an option of §13
LARGEST_ARMY = 20
NATURES = {1: "spy", 2: "spy", 4: "sapper", 8: "sapper"}  # §2

KNOBS: dict[str, tuple[Sequence[int | str], int | str]] = {  # §13: allowed values, default
    "players": (range(3, 7), 3),
    **{f"copies_{value}": (range(4), 1) for value in VALUES},
    "kings": (range(4), 1),
    "mines": (range(5), 2),
    **{
        f"nature_{value}": (["plain", "spy", "sapper", "both"], NATURES.get(value, "plain"))
        for value in VALUES
    },
    "king_strength": (range(1, 21), 16),
    "king_points": (range(6), 2),
    "mine_points": (range(4), 1),
    "hand_size": (range(3, 9), 6),
    "slots": ([2, 3], 2),
    "teamwork": (range(5), 2),
    "slacker": (range(5), 2),
    "passing": (["never", "one_in_a_row", "until_all_pass"], "never"),
    "mine_explodes": (["off", "on"], "off"),
    "allow_waste": (["off", "on"], "off"),
    "credit": (["killer", "attacker"], "killer"),
    "peek_timing": (["after_refill", "before_refill"], "after_refill"),
    "peek_scope": (["card_in_play", "none", "hand_card"], "card_in_play"),
    "first_player": (["random", "fixed"], "random"),
    "end_rule": (["standard", "points", "rounds"], "standard"),
    "end_points": (range(1, 41), 12),
    "end_rounds": (range(1, 41), 10),
    "tie_break": (["shared", "kings_then_strength"], "shared"),
    "public_survivors": (["off", "on"], "off"),
}


# ---------------------------------------------------------------- one combat (§6)


@dataclass(frozen=True, slots=True)
class Warfare:
    """What the result of a combat depends on, besides the cards."""

    spies: frozenset[Card] = frozenset({1, 2})
    sappers: frozenset[Card] = frozenset({4, 8})
    king_strength: int = 16
    mine_explodes: bool = False
    allow_waste: bool = False

    def strength(self, card: Card) -> int:
        """The strength of a unit (§2)."""
        return self.king_strength if card == KING else int(card)


class Outcome(NamedTuple):
    """Who dies in a combat: the places of the dead among the attackers and the defenders."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]


def combat(
    attackers: Sequence[Card], defenders: Sequence[Card], warfare: Warfare | None = None
) -> list[Outcome]:
    """All results of a combat (§6.1); if there are several, the lone unit's owner chooses.

    The lone unit is the attacker when there is one attacker, otherwise the defender.

    >>> combat([9], [4, 6])
    [Outcome(attackers=(0,), defenders=(0,)), Outcome(attackers=(0,), defenders=(1,))]
    """
    warfare = warfare or Warfare()
    mines = tuple(i for i, card in enumerate(defenders) if card == MINE)
    if mines and warfare.sappers.isdisjoint(attackers):
        exploded = mines if warfare.mine_explodes else ()
        return [Outcome(tuple(range(len(attackers))), exploded)]
    units = [i for i, card in enumerate(defenders) if card != MINE]
    if not units:
        return [Outcome((), mines)]
    if len(attackers) == 1:
        facing = [defenders[i] for i in units]
        dead = (0,) if _dies(attackers[0], facing, warfare) else ()
        return [
            Outcome(dead, tuple(sorted((*mines, *(units[i] for i in kills)))))
            for kills in kill_sets(attackers[0], facing, warfare)
        ]
    lone = defenders[units[0]]
    dead = (units[0],) if _dies(lone, attackers, warfare) else ()
    return [Outcome(kills, dead) for kills in kill_sets(lone, attackers, warfare)]


def kill_sets(lone: Card, foes: Sequence[Card], warfare: Warfare) -> list[tuple[int, ...]]:
    """The sets of foes that a lone unit may kill (§6.1, RULINGS 6 and 7)."""
    sets = [(), *((i,) for i in range(len(foes))), *combinations(range(len(foes)), 2)]
    feasible = [kills for kills in sets if _can_kill(lone, [foes[i] for i in kills], warfare)]
    if warfare.allow_waste and len(foes) == 2:
        return [kills for kills in feasible if kills or _dies(lone, foes, warfare)]
    return [kills for kills in feasible if not any(set(kills) < set(larger) for larger in feasible)]


def _can_kill(lone: Card, victims: Sequence[Card], warfare: Warfare) -> bool:
    if lone == KING and not warfare.spies.isdisjoint(victims):
        return False
    cost = 0
    for victim in victims:
        is_king_slain = lone in warfare.spies and victim == KING
        cost += warfare.strength(lone if is_king_slain else victim)
    return cost <= warfare.strength(lone)


def _dies(lone: Card, foes: Sequence[Card], warfare: Warfare) -> bool:
    if lone == KING and not warfare.spies.isdisjoint(foes):
        return True
    is_spy = lone in warfare.spies
    blows = sum(warfare.strength(foe) for foe in foes if not (is_spy and foe == KING))
    return blows >= warfare.strength(lone)


# ---------------------------------------------------------------- the table


@dataclass(slots=True)
class Player:
    """One player's zones (§2); the graveyard holds what this player killed."""

    pile: list[Card]  # top first
    hand: list[Card] = field(default_factory=list)
    in_play: dict[str, Card] = field(default_factory=dict)  # by slot
    chosen: dict[str, Card] = field(default_factory=dict)  # for empty slots, not yet revealed
    teamwork: int = 0
    slacker: int = 0
    graveyard: list[Card] = field(default_factory=list)
    fallen: list[Card] = field(default_factory=list)  # this player's own dead
    status: str = "active"

    def owns_unit(self) -> bool:
        """Whether there is a non-mine in the slots, the hand or the draw pile (§4)."""
        return any(card != MINE for card in [*self.pile, *self.hand, *self.in_play.values()])

    def has_mine_in_play(self, but_for: str = "") -> bool:
        """Whether a mine stands, or is chosen to stand, in another slot than this one."""
        cards = self.in_play | self.chosen
        return any(card == MINE for slot, card in cards.items() if slot != but_for)


@dataclass(slots=True)
class Fight:
    """An announced combat (§6), and its dead once they are shown: seat, slot, card."""

    attacker: int
    own: str
    defender: int
    at: str
    attackers: list[Card]
    defenders: list[Card]
    dead: list[tuple[int, str, Card]] = field(default_factory=list)


# ---------------------------------------------------------------- who knows what (§11)


class Placed(NamedTuple):
    """A seat filled a slot from its hand."""

    seat: int
    slot: str
    card: Card


class Slacked(NamedTuple):
    """A seat took a card from a slot into its hand and put another one there."""

    seat: int
    slot: str
    old: Card
    new: Card


class Announced(NamedTuple):
    """Two players looked at the cards of a combat; or, if it is shown to all, everybody did."""

    fight: Fight
    is_shown: bool


class Resolved(NamedTuple):
    """The dead of a combat were shown; everybody saw, too, whether somebody chose them."""

    fight: Fight
    outcome: Outcome
    was_choice: bool


class Peeked(NamedTuple):
    """A seat looked at a card of another one, in a slot or, with slot H, in the hand."""

    seat: int
    other: int
    slot: str
    card: Card


Event = Placed | Slacked | Announced | Resolved | Peeked


@dataclass(slots=True)
class Standing:
    """A card in play: what everybody can deduce that it is, and who has seen it there."""

    card: Card
    can_be: set[Card]
    seen_by: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Held:
    """A card that an observer knows to be in a hand, or else in a slot filled since."""

    card: Card
    slots: set[str] = field(default_factory=set)


class Knowledge:
    """What everybody knows of the cards in play, and what each observer knows of the hands."""

    def __init__(self, players: int, army: Iterable[Card], warfare: Warfare) -> None:
        self.warfare = warfare
        self.living = [Counter(army) for _ in range(players)]
        self.in_play: list[dict[str, Standing]] = [{} for _ in range(players)]
        self.observers = [None, *range(players)]  # None is a spectator
        self.held: dict[int | None, list[list[Held]]] = {
            observer: [[] for _ in range(players)] for observer in self.observers
        }
        self.events = 0  # learnt so far

    def learn(self, event: Event) -> None:
        """Take the next event into account."""
        self.events += 1
        match event:
            case Placed(seat, slot, card):
                self._stand(seat, slot, card)
            case Slacked(seat, slot, old, new):
                self._exchange(seat, slot, old, new)
            case Announced(fight, is_shown):
                self._announce(fight, is_shown)
            case Resolved(fight, outcome, was_choice):
                self._mourn(fight)
                self._deduce(fight, outcome, was_choice)
            case Peeked(seat, other, "H", card):
                self._see_in_hand(seat, other, card)
            case Peeked(seat, other, slot, _):
                self._see(seat, other, slot)

    def _stand(self, seat: int, slot: str, card: Card) -> None:
        """A new card stands in a slot; any card known to be in that hand may be the one."""
        self.in_play[seat][slot] = Standing(card, set(self.living[seat]))
        for observer in self.observers:
            for held in self.held[observer][seat]:
                held.slots.add(slot)
        self._narrow(seat)

    def _exchange(self, seat: int, slot: str, old: Card, new: Card) -> None:
        """Whoever knew the card that left a slot knows that it is in the hand now."""
        before = self.in_play[seat][slot]
        is_certain = len(before.can_be) == 1
        knowing = [o for o in self.observers if o in before.seen_by or (is_certain and o != seat)]
        for observer in knowing:
            self._locate(observer, seat, slot, old)
        self._stand(seat, slot, new)
        for observer in knowing:
            self.held[observer][seat].append(Held(old))

    def _announce(self, fight: Fight, is_shown: bool) -> None:
        """The fighters see all cards of the combat, and everybody that no attacker is a mine."""
        for slot in fight.own:
            self.in_play[fight.attacker][slot].can_be.discard(MINE)
        for seat, slots in ((fight.attacker, fight.own), (fight.defender, fight.at)):
            for slot in slots:
                for observer in self.observers if is_shown else (fight.attacker, fight.defender):
                    self._see(observer, seat, slot)
            self._narrow(seat)

    def _mourn(self, fight: Fight) -> None:
        """Everybody sees the dead."""
        for seat, slot, card in fight.dead:
            self.living[seat] -= Counter([card])
            del self.in_play[seat][slot]
            for observer in self.observers:
                self._locate(observer, seat, slot, card)
        for seat in (fight.attacker, fight.defender):
            self._narrow(seat)

    def _deduce(self, fight: Fight, outcome: Outcome, was_choice: bool) -> None:
        """Of the survivors, keep the kinds with which the combat could end as it did."""
        sides = [(fight.attacker, fight.own, fight.attackers)]
        sides += [(fight.defender, fight.at, fight.defenders)]
        cards = [
            self.in_play[seat].get(slot) or Standing(card, {card})
            for seat, slots, values in sides
            for slot, card in zip(slots, values, strict=True)
        ]
        count, possible = len(fight.own), []
        for guess in product(*(card.can_be for card in cards)):
            attackers, defenders = guess[:count], guess[count:]
            outcomes = combat(attackers, defenders, self.warfare)
            if (
                outcome in outcomes
                and was_choice == (len(outcomes) > 1)
                and self._can_survive(fight.attacker, attackers, outcome.attackers)
                and self._can_survive(fight.defender, defenders, outcome.defenders)
            ):
                possible.append(guess)
        for place, card in enumerate(cards):
            card.can_be &= {guess[place] for guess in possible}
        for seat, _, _ in sides:
            self._narrow(seat)

    def _can_survive(self, seat: int, cards: Sequence[Card], dead: Sequence[int]) -> bool:
        """Whether the cards that are not dead may stand side by side."""
        alive = Counter(card for place, card in enumerate(cards) if place not in dead)
        return alive <= self.living[seat] and alive[MINE] < 2

    def _narrow(self, seat: int) -> None:
        """Strike out the kinds whose living copies all stand elsewhere, and a second mine."""
        cards, is_settled = self.in_play[seat], False
        while not is_settled:
            is_settled = True
            for slot, standing in cards.items():
                others = [other.can_be for place, other in cards.items() if place != slot]
                sure = Counter(kind for kinds in others if len(kinds) == 1 for kind in kinds)
                gone = {kind for kind in standing.can_be if self.living[seat][kind] <= sure[kind]}
                if sure[MINE]:
                    gone |= standing.can_be & {MINE}
                standing.can_be -= gone
                is_settled = is_settled and not gone

    def _see(self, observer: int | None, seat: int, slot: str) -> None:
        """An observer sees a card in play; None is everybody."""
        standing = self.in_play[seat][slot]
        if observer is None:
            standing.can_be = {standing.card}
        elif observer != seat:
            standing.seen_by.add(observer)
        self._locate(observer, seat, slot, standing.card)

    def _see_in_hand(self, observer: int, seat: int, card: Card) -> None:
        """An observer sees a hand card; it may be one that it knew of already."""
        mind = self.held[observer][seat]
        for held in reversed(mind):
            if held.card == card:
                held.slots.clear()
                return
        mind.append(Held(card))

    def _locate(self, observer: int | None, seat: int, slot: str, card: Card) -> None:
        """An observer knows what is in a slot: perhaps a card last known to be in that hand."""
        mind = self.held[observer][seat]
        for held in reversed(mind):  # the one held last can be in the fewest places
            if held.card == card and slot in held.slots:
                mind.remove(held)
                break
        for held in mind:
            held.slots.discard(slot)


class Reference:
    """A match of Batailles et piques; the caller shuffles and draws lots."""

    def __init__(self, **knobs: int | str) -> None:
        for name, value in knobs.items():
            if name not in KNOBS:
                raise ValueError(f"unknown knob: {name}")
            if isinstance(value, bool) or value not in KNOBS[name][0]:
                raise ValueError(f"{name}: {value}")
        self.knobs = {name: default for name, (_, default) in KNOBS.items()} | knobs
        self.seats = range(self._number("players"))
        self.slots = SLOTS[: self._number("slots")]
        self.hand_size = self._number("hand_size")
        self.warfare = Warfare(
            frozenset(v for v in VALUES if self.knobs[f"nature_{v}"] in ("spy", "both")),
            frozenset(v for v in VALUES if self.knobs[f"nature_{v}"] in ("sapper", "both")),
            self._number("king_strength"),
            self.knobs["mine_explodes"] == "on",
            self.knobs["allow_waste"] == "on",
        )
        army, mines = len(self.army()), self._number("mines")
        if army > LARGEST_ARMY:
            raise ValueError(f"an army has at most {LARGEST_ARMY} cards, not {army}")
        if army - mines < len(self.slots):
            raise ValueError(f"{len(self.slots)} slots need as many units, not {army - mines}")
        if self.hand_size < mines + len(self.slots) - 1:
            raise ValueError(f"{mines} mines need a hand of {mines + len(self.slots) - 1} cards")
        self.turn: int | None = None
        self.phase = "deal"
        self.is_over = False
        self.winners: list[int] = []
        self.reason = ""
        self.first = 0
        self.mover = 0
        self.round_no = 0  # 0 during set-up
        self.turn_no = 0
        self.passed: list[int] = []  # the seats that have passed since the last attack or Slacker
        self.players: list[Player] = []
        self.fight: Fight | None = None
        self.options: dict[str, Outcome] = {}  # of a kill choice, by notation
        self.agenda: list[tuple[str, int]] = []  # what comes before the end of the turn
        self.log: list[Event] = []
        self.knowledge = Knowledge(len(self.seats), self.army(), self.warfare)

    def _number(self, name: str) -> int:
        return int(self.knobs[name])

    def army(self) -> list[Card]:
        """One player's army (§2), in the order of the kinds."""
        copies = [self._number(f"copies_{value}") for value in VALUES]
        copies += [self._number("kings"), self._number("mines")]
        return [kind for kind, count in zip(KINDS, copies, strict=True) for _ in range(count)]

    def pack(self) -> list[Card]:
        """All cards, unshuffled: one army after another, in the order of the seats."""
        return self.army() * len(self.seats)

    def possible_first(self) -> set[int]:
        """The seats that may start (RULING 2)."""
        return {0} if self.knobs["first_player"] == "fixed" else set(self.seats)

    # ------------------------------------------------------------ set-up (§3)

    def deal(self, cards: Sequence[Card], first: int) -> None:
        """Set up from shuffled armies, each from the top, one seat after another (§3)."""
        if self.phase != "deal":
            raise ValueError("no deal is awaited")
        size = len(self.army())
        armies = [list(cards[seat * size : (seat + 1) * size]) for seat in self.seats]
        if len(cards) != len(self.pack()) or any(_sorted(a) != self.army() for a in armies):
            raise ValueError(f"not an army for each seat: {list(cards)}")
        if first not in self.possible_first():
            raise ValueError(f"first: {first}")
        self.first = first
        self.players = [
            Player(army, teamwork=self._number("teamwork"), slacker=self._number("slacker"))
            for army in armies
        ]
        for player in self.players:
            self._draw(player)
        self.agenda = [("refill", seat) for seat in self.seats] + [("reveal", 0)]
        self._go_on()

    def _draw(self, player: Player) -> None:
        """Draw back up to a full hand while the draw pile lasts (§8.1)."""
        missing = self.hand_size - len(player.hand)
        player.hand += player.pile[:missing]
        del player.pile[:missing]

    # ------------------------------------------------------------ what may be chosen

    def legal(self) -> list[str]:
        """The notations of all legal actions of the seat to decide, sorted."""
        if self.turn is None:
            return []
        match self.phase:
            case "kill":
                return sorted(self.options)
            case "peek":
                return sorted(["peek -", *self._peeks(self.turn)])
            case "turn":
                return sorted(self._turn_actions(self.turn))
        return sorted(f"place {card}" for card in self._placeable(self.players[self.turn]))

    def _turn_actions(self, seat: int) -> list[str]:
        """§5, the actions of an ACTIVE player."""
        me = self.players[seat]
        able = [slot for slot in self.slots if me.in_play.get(slot, MINE) != MINE]
        actions = []
        for other in self.seats:
            if other == seat:
                continue
            targets = [slot for slot in self.slots if slot in self.players[other].in_play]
            pairs = [one + two for one, two in combinations(targets, 2)]
            actions += [f"{own}>{other}{at}" for own in able for at in [*targets, *pairs]]
            if me.teamwork:
                teams = [one + two for one, two in combinations(able, 2)]
                actions += [f"{team}>{other}{at}" for team in teams for at in targets]
        if me.slacker:
            actions += [
                f"slack {slot} {card}"
                for slot in me.in_play
                for card in set(me.hand)
                if card != MINE or not me.has_mine_in_play(but_for=slot)
            ]
        if self._is_solo():
            actions.append("stop")
        elif self._may_pass():
            actions.append("pass")
        return actions

    def _may_pass(self) -> bool:
        """RULING 3: no passing; or by option, never twice in a row, or as often as one likes."""
        match self.knobs["passing"]:
            case "one_in_a_row":
                return not self.passed
            case "until_all_pass":
                return True
        return False

    def _placeable(self, player: Player) -> set[Card]:
        """The hand cards that may go into the first empty slot, if there is one (§8.1)."""
        if len(player.in_play) + len(player.chosen) == len(self.slots):
            return set()
        return set(player.hand) - ({MINE} if player.has_mine_in_play() else set())

    def _peeks(self, seat: int) -> list[str]:
        """What the killer of a King may look at (§8.3)."""
        others = [other for other in self.seats if other != seat]
        match self.knobs["peek_scope"]:
            case "none":
                return []
            case "hand_card":
                return [f"peek {other}H" for other in others if self.players[other].hand]
        return [f"peek {other}{slot}" for other in others for slot in self.players[other].in_play]

    def _is_solo(self) -> bool:
        return sum(player.status == "active" for player in self.players) == 1

    # ------------------------------------------------------------ acting

    def play(self, notation: str, drawn: Card | None = None) -> None:
        """Carry out a legal action; `drawn` is the card that a look into a hand hits upon."""
        if notation not in self.legal():
            raise ValueError(f"not legal: {notation}")
        assert self.turn is not None
        me = self.players[self.turn]
        match self.phase:
            case "kill":
                self._bury(self.options[notation])
            case "peek":
                self._peek(self.turn, notation, drawn)
            case "turn" if notation == "stop":
                self._end("stop")
            case "turn" if notation == "pass":
                self._pass(self.turn)
            case "turn" if notation.startswith("slack"):
                _, slot, card = notation.split()
                self._slack(self.turn, slot, _card(card))
            case "turn":
                own, target = notation.split(">")
                self._attack(self.turn, own, int(target[0]), target[1:])
            case _:
                slot = next(s for s in self.slots if s not in me.in_play and s not in me.chosen)
                chosen = _card(notation.split()[1])
                me.hand.remove(chosen)
                me.chosen[slot] = chosen
                self._go_on()

    def _pass(self, seat: int) -> None:
        """Do nothing; by option the match ends when all who are ACTIVE have done nothing."""
        self.passed.append(seat)
        active = {number for number in self.seats if self.players[number].status == "active"}
        if self.knobs["passing"] == "until_all_pass" and active <= set(self.passed):
            self._end("all_passed")
        else:
            self._end_turn()

    def _slack(self, seat: int, slot: str, card: Card) -> None:
        """Exchange a card in play with a hand card (§5)."""
        self.passed = []
        me = self.players[seat]
        old = me.in_play[slot]
        me.slacker -= 1
        me.hand.remove(card)
        me.hand.append(old)
        me.in_play[slot] = card
        self.log.append(Slacked(seat, slot, old, card))
        self._end_turn()

    def _attack(self, seat: int, own: str, other: int, at: str) -> None:
        """Announce a combat; the two players look at all cards of it (§6)."""
        self.passed = []
        me, foe = self.players[seat], self.players[other]
        attackers = [me.in_play[slot] for slot in own]
        defenders = [foe.in_play[slot] for slot in at]
        self.fight = Fight(seat, own, other, at, attackers, defenders)
        if len(own) == 2:
            me.teamwork -= 1
        self.log.append(Announced(self.fight, self.knobs["public_survivors"] == "on"))
        outcomes = combat(attackers, defenders, self.warfare)
        if len(outcomes) == 1:
            self._bury(outcomes[0])
            return
        self.phase = "kill"
        if len(own) == 1:
            self.turn, foes = seat, list(zip(at, defenders, strict=True))
            kills = [outcome.defenders for outcome in outcomes]
        else:
            self.turn, foes = other, list(zip(own, attackers, strict=True))
            kills = [outcome.attackers for outcome in outcomes]
        written = [_written([foes[i] for i in killed], foes) for killed in kills]
        self.options = dict(zip(written, outcomes, strict=True))

    def _bury(self, outcome: Outcome) -> None:
        """Show the dead, give them to who killed them (§7), and see what must follow (§8)."""
        fight = self.fight
        assert fight is not None
        was_choice, self.options = bool(self.options), {}
        dead = [(fight.attacker, fight.own[i]) for i in outcome.attackers]
        dead += [(fight.defender, fight.at[i]) for i in outcome.defenders]
        crowns: list[int] = []
        for seat, slot in dead:
            card = self.players[seat].in_play.pop(slot)
            fight.dead.append((seat, slot, card))
            self.players[seat].fallen.append(card)
            killer = fight.defender if seat == fight.attacker else fight.attacker
            taker = fight.attacker if self.knobs["credit"] == "attacker" else killer
            self.players[taker].graveyard.append(card)
            crowns += [killer] if card == KING else []
        self.log.append(Resolved(fight, outcome, was_choice))
        peeks = [("peek", seat) for seat in crowns if seat == fight.attacker]
        peeks += [("peek", seat) for seat in crowns if seat == fight.defender]
        refills = [("refill", seat) for seat in sorted({seat for seat, _ in dead})]
        refills.append(("reveal", 0))
        if self.knobs["peek_timing"] == "before_refill":
            self.agenda = peeks + refills
        else:
            self.agenda = refills + peeks
        self._go_on()

    def _go_on(self) -> None:
        """Go through the agenda up to the next decision, or to the end of the turn (§5)."""
        while self.agenda:
            step, seat = self.agenda[0]
            if step == "refill" and self._placeable(self.players[seat]):
                self.turn, self.phase = seat, "refill" if self.turn_no else "set_up"
                return
            if step == "peek" and self._peeks(seat):
                self.turn, self.phase = seat, "peek"
                return
            self.agenda.pop(0)
            if step == "reveal":
                self._reveal()
        if self.turn_no:
            self._end_turn()
        else:
            self._begin_turn(self.first)

    def _reveal(self) -> None:
        """The chosen cards stand in their slots; hands are filled from the draw piles (§8.1)."""
        for seat, player in enumerate(self.players):
            player.in_play |= player.chosen
            self.log += [Placed(seat, slot, card) for slot, card in player.chosen.items()]
            player.chosen = {}
            self._draw(player)
        for player in self.players:
            if not player.owns_unit():
                player.status = "stopped" if player.in_play else "dead"

    def _peek(self, seat: int, notation: str, drawn: Card | None) -> None:
        """Look at a card, or do not (§8.3)."""
        target = notation.split()[1]
        if target != "-":
            other, slot = int(target[0]), target[1]
            seen = drawn if slot == "H" else self.players[other].in_play[slot]
            if seen is None or (slot == "H" and seen not in self.players[other].hand):
                raise ValueError(f"{notation}: name the card drawn from that hand")
            self.log.append(Peeked(seat, other, slot, seen))
        self.agenda.pop(0)
        self._go_on()

    # ------------------------------------------------------------ turns and the end (§9, §10)

    def _begin_turn(self, seat: int) -> None:
        self.phase = "turn"
        self.turn = self.mover = seat
        self.turn_no += 1
        self.round_no = max(self.round_no, 1)

    def _end_turn(self) -> None:
        """Look for the end of the match, or pass the turn on (§9)."""
        active = [seat for seat in self.seats if self.players[seat].status == "active"]
        targets = [seat for seat in self.seats if self.players[seat].in_play]
        if not active:
            self._end("nobody_active")
            return
        if len(active) == 1 and targets == active:
            self._end("nothing_left")
            return
        end_rule = self.knobs["end_rule"]
        if end_rule == "points" and max(self.scores()) >= self._number("end_points"):
            self._end("points")
            return
        count = len(self.seats)
        ahead = min((seat - self.mover - 1) % count for seat in active)
        following = (self.mover + 1 + ahead) % count
        if (following - self.first) % count <= (self.mover - self.first) % count:
            if end_rule == "rounds" and self.round_no == self._number("end_rounds"):
                self._end("rounds")
                return
            self.round_no += 1
        self._begin_turn(following)

    def _end(self, reason: str) -> None:
        """Find the winners (§10, RULING 11)."""
        self.turn, self.phase = None, "over"
        self.is_over, self.reason = True, reason
        ranks: list[tuple[int, ...]] = [(score,) for score in self.scores()]
        if self.knobs["tie_break"] == "kings_then_strength":
            ranks = [
                (*rank, player.graveyard.count(KING), self._strengths(player.graveyard))
                for rank, player in zip(ranks, self.players, strict=True)
            ]
        self.winners = [seat for seat in self.seats if ranks[seat] == max(ranks)]

    def _strengths(self, cards: Iterable[Card]) -> int:
        return sum(self.warfare.strength(card) for card in cards if card != MINE)

    def points(self, cards: Iterable[Card]) -> int:
        """What cards are worth in a graveyard (§2, RULING 1)."""
        worth: dict[Card, int] = dict.fromkeys(VALUES, 1)
        worth |= {KING: self._number("king_points"), MINE: self._number("mine_points")}
        return sum(worth[card] for card in cards)

    def scores(self) -> list[int]:
        """The points of every seat (§10)."""
        return [self.points(player.graveyard) for player in self.players]

    # ------------------------------------------------------------ views (§11)

    def view(self, seat: int | None) -> dict[str, Any]:
        """Everything that a seat, or a spectator (None), may see and knows for certain (§11)."""
        for event in self.log[self.knowledge.events :]:
            self.knowledge.learn(event)
        players, standing = self.players, self.knowledge.in_play
        public = {
            "turn": self.turn,
            "phase": self.phase,
            "first": self.first if self.turn_no else None,
            "mover": self.mover if self.turn_no else None,
            "first_to_pass": self.passed[0] if self.passed else None,
            "turn_no": self.turn_no,
            "round_no": self.round_no,
            "status": [player.status for player in players],
            "scores": self.scores(),
            "hand_size": [len(player.hand) + len(player.chosen) for player in players],
            "pile_size": [len(player.pile) for player in players],
            "teamwork": [player.teamwork for player in players],
            "slacker": [player.slacker for player in players],
            "graveyard": [_sorted(player.graveyard) for player in players],
            "fallen": [_sorted(player.fallen) for player in players],
            "can_be": [
                {slot: _sorted(cards[slot].can_be) for slot in self.slots if slot in cards}
                for cards in standing
            ],
            "seen_by": [
                {slot: sorted(cards[slot].seen_by) for slot in self.slots if slot in cards}
                for cards in standing
            ],
            "fight": self._fight_seen_by(seat),
        }
        return public | self._private_view(seat)

    def _fight_seen_by(self, seat: int | None) -> dict[str, Any] | None:
        """The last combat announced; bystanders see the values of its dead only."""
        fight = self.fight
        if fight is None:
            return None
        sees = seat in (fight.attacker, fight.defender) or self.knobs["public_survivors"] == "on"
        shown = {(owner, slot) for owner, slot, _ in fight.dead}
        sides = [(fight.attacker, fight.own, fight.attackers)]
        sides += [(fight.defender, fight.at, fight.defenders)]
        values = [
            [
                card if sees or (owner, slot) in shown else None
                for slot, card in zip(slots, cards, strict=True)
            ]
            for owner, slots, cards in sides
        ]
        return {
            "attacker": fight.attacker,
            "own": fight.own,
            "defender": fight.defender,
            "at": fight.at,
            "attackers": values[0],
            "defenders": values[1],
            "dead": [list(death) for death in fight.dead],
        }

    def _private_view(self, seat: int | None) -> dict[str, Any]:
        """A seat's own cards, those of others that it has seen, and what it knows of hands."""
        held = {
            other: [[entry.card, _in_order(entry.slots)] for entry in entries]
            for other, entries in enumerate(self.knowledge.held[seat])
            if entries
        }
        if seat is None:
            return {"hand": [], "pile": [], "slots": {}, "chosen": {}, "known": {}, "held": held}
        me = self.players[seat]
        known = {
            other: {slot: card.card for slot, card in cards.items() if seat in card.seen_by}
            for other, cards in enumerate(self.knowledge.in_play)
        }
        return {
            "hand": _sorted(me.hand),
            "pile": _sorted(me.pile),  # which cards they are, not their order
            "slots": dict(me.in_play),
            "chosen": dict(me.chosen),
            "known": {other: cards for other, cards in known.items() if cards},
            "held": held,
        }


def _sorted(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=KINDS.index)


def _in_order(slots: set[str]) -> str:
    return "".join(slot for slot in SLOTS if slot in slots)


def _written(killed: list[tuple[str, Card]], foes: list[tuple[str, Card]]) -> str:
    """Write a kill choice by the cards that die; of two equal ones, with the slot of the dead."""
    (_, one), (_, two) = foes
    if len(killed) == 1 and one == two:
        return f"kill {one} {killed[0][0]}"
    return f"kill {' '.join(str(card) for _, card in killed) or '-'}"


def _card(text: str) -> Card:
    return text if text in (KING, MINE) else int(text)


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches of three players; count what was played."""
    rng = random.Random(seed)
    decisions = 0
    for _ in range(count):
        game = Reference()
        cards = [card for _ in game.seats for card in rng.sample(game.army(), len(game.army()))]
        game.deal(cards, rng.choice(sorted(game.possible_first())))
        while not game.is_over:
            game.play(rng.choice(game.legal()))
            decisions += 1
    return {"matches": count, "decisions": decisions}
