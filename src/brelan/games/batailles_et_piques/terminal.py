"""The table of Batailles et piques in a terminal: who has what, and what can stand where."""

from __future__ import annotations

import enum
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import HEAVY, ROUNDED
from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.i18n import Message, seat_word
from brelan.rules import NOBODY
from brelan.terminal.screen import Room, Screen, glue

from .cards import (
    FIRST_EMPTY,
    HAND,
    KNOBS,
    LETTERS,
    NO_CARD,
    ROWS,
    SIZE,
    SLOTS,
    Act,
    Card,
    Row,
    letters,
)
from .state import Phase, Status
from .story import card_word, members, slots_word, sure_card

Sure = Callable[[Any, int, int, int | None], int]  # which card surely stands in a slot, or none

EndRule = KNOBS.choice("end_rule")
CARDS = list(Card)[1:]
COLOURS = {
    "plain": "",
    "spy": "bright_magenta",
    "sapper": "bright_cyan",
    "both": "bright_blue",
    "king": "bright_yellow",
    "mine": "bright_red",
}
LABELS = tuple(f"face.{name}" for name in ("in_play", "hand", "yours", "known", "graves"))
PHASES = {
    Phase.TURN: "face.turn",
    Phase.KILL: "face.choice",
    Phase.REFILL: "face.refill",
    Phase.PEEK: "face.look",
    Phase.SCORE: "face.over",
    Phase.OVER: "face.over",
}
INDENT = 2
WIDE = 76  # columns from which on there is more air, and special cards are named
SHORTEST_RUN = 3  # kinds in a row that are written as the first and the last
FEW = 3  # kinds that are written out though they are all that there can be
NOTHING = Text("·", "dim")
UNKNOWN = "?"
COUNTED = -1  # a card in play that has been taken for one known to be in the hand
FRAMES = ((True, 1), (True, 0), (False, 1), (False, 0))  # with cards in play, with padding


# ---------------------------------------------------------------- moves


class Listed(enum.IntEnum):
    """The order in which the choices of a turn are listed."""

    ATTACK = 0
    TEAMWORK = 1
    SLACKER = 2
    STOP = 3
    PASS = 4


def path(record: Any, number: int) -> list[Message]:
    """Return a move from the general to the particular: what to do, to whom, with which cards."""
    move, me = ROWS[number], int(record.turn)
    match move.act:
        case Act.PLACE:
            slot = 1 << int(FIRST_EMPTY[record.filled[me] | record.placed[me]])
            place: Message = ("face.place", {"slot": slots_word(record, slot)})
            return [place, _named(record, move.card)]
        case Act.ATTACK:
            return _path_of_attack(record, move, me)
        case Act.SLACK:
            mine: Message = ("face.for", {"mine": _mine(record, me, move.own)})
            return [("face.slack", {"order": Listed.SLACKER}), mine, _words(_printed(move.card))]
        case Act.STOP:
            return [("move.stop", {"order": Listed.STOP})]
        case Act.PASS:
            return [("move.pass", {"order": Listed.PASS})]
        case Act.PEEK if move.target != NOBODY:
            return [("face.peek", {}), _seat(move, me), _words(letters(move.at) or HAND)]
    return []


def _path_of_attack(record: Any, move: Row, me: int) -> list[Message]:
    """Whom, and which card at which; with three slots, two together have a table of their own."""
    how = _words(f"{_mine(record, me, move.own)}→{letters(move.at)}")
    if SIZE[move.own] == 2 < record.slots:
        return [("face.team", {"order": Listed.TEAMWORK}), _seat(move, me), how]
    units = [card for card in record.in_play[me] if card not in (0, Card.MINE)]
    is_team = len(units) == 2 == record.slots and record.teamwork_left[me] > 0
    heading = "face.attack_or_team" if is_team else "face.attack"
    return [(heading, {"order": Listed.ATTACK}), _seat(move, me), how]


def _mine(record: Any, me: int, slots: int) -> str:
    """Write own cards in play; where that could mean another slot as well, with their slots."""
    kinds = [int(card) for card in record.in_play[me] if card]
    cards = "+".join(_printed(record.in_play[me, slot]) for slot in members(slots))
    return cards if len(set(kinds)) == len(kinds) else f"{letters(slots)}:{cards}"


def _seat(move: Row, me: int) -> Message:
    return "face.target", {"target": seat_word(move.target, me)}


def _words(words: str) -> Message:
    return "face.words", {"words": words}


def _named(record: Any, card: int) -> Message:
    """A card with what it is: Spy, Sapper, King, mine."""
    return f"nature.{_nature(record, card)}", {"card": _printed(card)}


def _printed(card: int) -> str:
    return str(Card(card).printed)


def _nature(record: Any, card: int) -> str:
    if card >= Card.KING:
        return Card(card).name.lower()
    is_spy, is_sapper = record.spies >> card & 1, record.sappers >> card & 1
    return (("plain", "sapper"), ("spy", "both"))[is_spy][is_sapper]


# ---------------------------------------------------------------- the table


def draw(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Draw the table as a seat sees it: every army, its own cards, and what is known of all."""
    record, me = view.record, view.seat
    parts = [_title(view, screen), _seats(view, names, screen)]
    if me is not None and _own(record, me):
        parts.append(_cards(record, me, screen))
    if lines := list(_memory(view, screen)):
        parts.append(_labelled(lines, screen))
    if screen.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


def _title(view: Any, screen: Screen) -> RenderableType:
    record = view.record
    phase = Phase.OVER if view.is_over else Phase(record.phase)
    words = [screen.say(PHASES.get(phase, "face.set_up"), {"turn": int(record.turn_no)})]
    if record.end_rule == EndRule.POINTS and phase != Phase.OVER:
        words.append(screen.say("face.to_points", {"count": int(record.end_points)}))
    if record.end_rule == EndRule.ROUNDS and record.round_no > 0 and phase != Phase.OVER:
        args = {"round": int(record.round_no), "rounds": int(record.end_rounds)}
        words.append(screen.say("face.round", args))
    title = Text.assemble((screen.say("game.name"), "bold"), f" · {' · '.join(words)}")
    return Rule(title, align="left", style="dim")


def _seats(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Everybody in the order of play, you last, next to your cards."""
    record, is_wide = view.record, screen.width >= WIDE
    table = Table(box=None, padding=(0, 1 + is_wide, 0, 0), header_style="dim", pad_edge=False)
    table.add_column(f"  {screen.say('face.seat')}")
    short = "" if is_wide else "_short"
    for name in ("points", "hand", "pile", f"teamwork{short}", f"slacker{short}"):
        table.add_column(screen.say(f"face.{name}"), justify="right", no_wrap=True)
    for slot in range(record.slots):
        table.add_column(LETTERS[slot], no_wrap=True)
    table.add_column(screen.say("face.unseen"))
    players = int(record.players)
    first = 0 if view.seat is None else view.seat + 1
    for place in range(players):
        table.add_row(*_row(view, (first + place) % players, names, screen))
    return table


def _row(view: Any, seat: int, names: Sequence[str], screen: Screen) -> Iterator[RenderableType]:
    """The cells of a seat: its name and points, its cards by where they are, those unseen."""
    record = view.record
    yield _name(view, seat, names)
    yield Text(str(record.points[seat]), "bold")
    counts = (record.held, record.pile_size, record.teamwork_left, record.slacker_left)
    yield from (Text(str(count[seat])) if count[seat] else NOTHING for count in counts)
    for slot in range(record.slots):
        yield _slot(record, seat, slot, view.seat, screen)
    yield _unseen(record, seat, view.seat, screen)


def _name(view: Any, seat: int, names: Sequence[str]) -> Text:
    """A mark for who has the turn or has won, the number of the seat and who sits there."""
    record = view.record
    mark = "★" if record.won[seat] else "▸" if view.turn == seat else " "
    style = "dim" if record.status[seat] != Status.ACTIVE else "bold" if seat == view.seat else ""
    name = re.sub(r"\s*\(.*\)$", "", names[seat])  # in brackets a bot's name has its seat again
    return Text.assemble((f"{mark} ", "bold"), (f"{seat} {name}", style))


def _slot(record: Any, seat: int, slot: int, me: int | None, screen: Screen) -> Text:
    """A card in play: itself if the reader is sure of it, or what it can be."""
    if card := _sure(record, seat, slot, me):
        return _card(record, card)
    if record.filled[seat] >> slot & 1:
        return Text(_possible(record, seat, slot, me, screen))
    return Text("…", "dim") if record.placed[seat] >> slot & 1 else NOTHING


def _card(record: Any, card: int) -> Text:
    return Text(_printed(card), f"bold {COLOURS[_nature(record, card)]}")


# ---------------------------------------------------------------- what cards can be


def _possible(record: Any, seat: int, slot: int, me: int | None, screen: Screen) -> str:
    """§11 What a card in play can be for a reader (None: for all), in as few letters as can be."""
    left = _left_for(record, seat, slot, me)
    kinds = _kinds(record, seat, slot, me)
    if len(kinds) > FEW and kinds == left:
        return UNKNOWN
    listed = "/".join(_runs(dict.fromkeys(kinds, 1), left))
    missing = [_printed(card) for card in left if card not in kinds]
    without = screen.say("face.without", {"cards": "/".join(missing)})
    is_clearer = len(missing) == 1 or len(without) < len(listed)
    return without if len(kinds) > FEW and is_clearer else listed


def _sure(record: Any, seat: int, slot: int, me: int | None) -> int:
    """A card that the reader has seen, or that can be only one for all that the reader knows."""
    kinds = _kinds(record, seat, slot, me)
    return sure_card(record, seat, slot, me) or (kinds[0] if len(kinds) == 1 else 0)


def _kinds(record: Any, seat: int, slot: int, me: int | None) -> list[Card]:
    """The kinds on the open list of a card that are left for it."""
    left = _left_for(record, seat, slot, me)
    return [card for card in left if record.can_be[seat, slot] >> card & 1]


def _left_for(record: Any, seat: int, slot: int, me: int | None) -> list[Card]:
    """§11.3 The kinds of which a living copy is not known to be elsewhere; one mine is enough."""
    others = [other for other in range(record.slots) if other != slot]
    beside = [sure_card(record, seat, other, me) for other in others]
    elsewhere = Counter(beside)
    elsewhere.update(card for card, slots in _minded(record, seat, me, sure_card) if not slots)
    left = [card for card in CARDS if record.living[seat, card] > elsewhere[card]]
    return [card for card in left if card != Card.MINE or card not in beside]


def _runs(counts: Mapping[int, int], among: Iterable[Card]) -> Iterator[str]:
    """Write cards, neighbours among others as a run: 5 6 7 is 5–7. A mine has no neighbours."""
    run: list[Card] = []
    for card in among:
        count = counts.get(card, 0)
        if count == 1 and card != Card.MINE:
            run.append(card)
            continue
        yield from _run(run)
        run = []
        if count > 0:
            yield _times(card, count)
    yield from _run(run)


def _run(run: Sequence[Card]) -> list[str]:
    if len(run) < SHORTEST_RUN:
        return [_printed(card) for card in run]
    return [f"{_printed(run[0])}–{_printed(run[-1])}"]


def _times(card: Card, count: int) -> str:
    return _printed(card) if count == 1 else f"{_printed(card)}×{count}"


def _unseen(record: Any, seat: int, me: int | None, screen: Screen) -> Text:
    """§11 The living cards of an army that the reader has seen nowhere; or why there are none."""
    if record.status[seat] == Status.DEAD:
        return Text(screen.say("face.dead"), "red")
    if record.status[seat] == Status.STOPPED:
        return Text(screen.say("face.stopped"), "yellow")
    counts: Counter[int] = Counter({card: int(record.living[seat, card]) for card in CARDS})
    counts.subtract(_seen(record, seat, me))
    army = [card for card in CARDS if record[_copies(card)]]
    return Text(" ".join(_runs(counts, army))) or NOTHING


def _copies(card: Card) -> str:
    """The knob that says how many copies of a card an army has."""
    return {Card.KING: "kings", Card.MINE: "mines"}.get(card, f"copies_{card.printed}")


def _seen(record: Any, seat: int, me: int | None) -> Iterator[int]:
    """The cards of an army that the reader knows: in play, and in the hand."""
    if seat == me:
        yield from (card for card in CARDS for _ in range(record.hand[seat, card]))
    else:
        yield from (card for card, _ in _minded(record, seat, me, _sure))
    for slot in range(record.slots):
        if card := _sure(record, seat, slot, me):
            yield card


def _minded(record: Any, seat: int, me: int | None, sure: Sure) -> list[tuple[int, int]]:
    """§11 The cards that a hand is known to hold, with the slots in which they may be instead.

    Where a slot surely holds its kind, a card may be that one, and tells nothing more.
    """
    reader = None if me == seat else me
    if reader is None:
        cards, slots = record.open_hand_holds[seat], record.open_unless_in[seat]
    else:
        cards, slots = record.hand_holds[reader, seat], record.unless_in[reader, seat]
    in_play = [sure(record, seat, slot, reader) for slot in range(SLOTS)]
    minded = []
    for card, unless_in in zip(map(int, cards), map(int, slots), strict=True):
        places = [
            slot
            for slot in members(unless_in)
            if record.can_be[seat, slot] >> card & 1 and in_play[slot] in (card, NO_CARD)
        ]
        found = [slot for slot in places if in_play[slot] == card]
        if found:
            in_play[found[0]] = COUNTED
        elif card:
            minded.append((card, sum(1 << slot for slot in places)))
    return minded


# ---------------------------------------------------------------- your cards


def _own(record: Any, me: int) -> bool:
    return bool(record.held[me] or record.in_play[me].any())


def _cards(record: Any, me: int, screen: Screen) -> RenderableType:
    """Your cards, in frames if there is room for them; those in play are in the table as well."""
    unbounded = screen.console.options.update(width=sys.maxsize)
    for with_slots, padding in FRAMES if screen.room > Room.TIGHT else ():
        framed = _framed_cards(record, me, with_slots, padding, screen)
        if Measurement.get(screen.console, unbounded, framed).maximum <= screen.width:
            return framed
    cards = [_named_card(record, card, screen) for card in _hand(record, me)]
    return _labelled([("face.hand", Text("  ").join(cards) or NOTHING)], screen)


def _framed_cards(
    record: Any, me: int, with_slots: bool, padding: int, screen: Screen
) -> RenderableType:
    rows: dict[str, list[RenderableType]] = {}
    if with_slots:
        slots = [(slot, card) for slot, card in enumerate(record.in_play[me]) if card]
        rows["face.in_play"] = [
            _framed(record, card, LETTERS[slot], padding, screen) for slot, card in slots
        ]
    rows["face.hand"] = [_framed(record, card, "", padding, screen) for card in _hand(record, me)]
    grid = Table.grid(padding=(0, 1, 0, 0))
    cells: list[RenderableType] = []
    for label, cards in rows.items():
        if cards:
            cells += [Text(f"\n{screen.say(label)}", "dim"), *cards]
    grid.add_row(*cells)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)


def _hand(record: Any, me: int) -> list[int]:
    return [card for card in CARDS for _ in range(record.hand[me, card])]


def _framed(record: Any, card: int, slot: str, padding: int, screen: Screen) -> Panel:
    return Panel(
        _named_card(record, card, screen),
        title=Text(slot, "bold") if slot else None,
        box=HEAVY if slot else ROUNDED,
        border_style=COLOURS[_nature(record, card)],
        padding=(0, 1 if slot else padding),  # the name of a slot needs room
        expand=False,
    )


def _named_card(record: Any, card: int, screen: Screen) -> Text:
    return Text(screen.say(*_named(record, card)), COLOURS[_nature(record, card)])


# ---------------------------------------------------------------- §11 memory


def _memory(view: Any, screen: Screen) -> Iterator[tuple[str, RenderableType]]:
    """What the others know of your cards in play, what is known of hands, and the dead."""
    record, me = view.record, view.seat
    if not view.is_over and me is not None and (line := _yours(record, me, screen)):
        yield "face.yours", line
    if not view.is_over and (line := _known_hands(record, me, screen)):
        yield "face.known", line
    if screen.room > Room.TIGHT and (line := _graves(record, screen)):
        yield "face.graves", line


def _yours(record: Any, me: int, screen: Screen) -> Text:
    """Your cards in play as the others see them; nothing of those that tell them nothing."""
    words = []
    for slot in members(int(record.filled[me])):
        seats = [
            str(seat) for seat in range(record.players) if record.seen_by[me, slot] >> seat & 1
        ]
        said = _possible(record, me, slot, None, screen)
        if said == UNKNOWN and not seats:
            continue
        if int(record.can_be[me, slot]).bit_count() == 1:
            said = screen.say("face.open")
        elif seats:
            key = "face.seen_by" if said == UNKNOWN else "face.seen_or_guessed"
            said = screen.say(key, {"seats": ", ".join(seats), "list": said})
        whose = screen.say("terminal.heading", {"words": LETTERS[slot]})
        words.append(_kept_together([whose, *said.split(" ")]))
    return Text("  ").join(map(Text, words))


def _known_hands(record: Any, me: int | None, screen: Screen) -> Text:
    """The cards that hands are known to hold; of your own, what everybody knows."""
    words = []
    for seat in range(record.players):
        cards = []
        for card, slots in _minded(record, seat, me, _sure):
            args: dict[str, Any] = {"card": card_word(card), "slots": "/".join(letters(slots))}
            cards.append(screen.say("face.or_in" if slots else "face.surely", args))
        if cards:
            args = {"who": seat_word(seat, me), "cards": ", ".join(cards)}
            words.append(screen.say("face.holds", args))
    return Text(" · ").join(map(Text, words))


def _graves(record: Any, screen: Screen) -> Text:
    """§7 The dead, by who has taken them."""
    graves = []
    for seat in range(record.players):
        counts = {card: int(record.graveyard[seat, card]) for card in CARDS}
        if dead := [_times(card, count) for card, count in counts.items() if count]:
            whose = screen.say("terminal.heading", {"words": seat})
            graves.append(Text.assemble((whose, "dim"), _kept_together(["", *dead])))
    return Text("  ").join(graves)


def _kept_together(words: Iterable[str]) -> str:
    """Put words on one line."""
    return glue("\u00a0".join(words))


def _labelled(lines: Sequence[tuple[str, RenderableType]], screen: Screen) -> RenderableType:
    """Put lines below each other, each after its label."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=max(len(screen.say(label)) for label in LABELS))
    grid.add_column()
    for label, line in lines:
        grid.add_row(Text(screen.say(label), "dim"), line)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)
