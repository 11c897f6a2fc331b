"""The table of District Noir in a terminal: the row, what a take would bring, who leads in what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.i18n import Message
from brelan.terminal.screen import Room, Screen, glue

from .cards import CITIES, MOVES, SUPPORTS, TAKE, Card
from .rules import can_take
from .state import Phase, Reason
from .story import card_word, count, counted, newest, signed, total

CARDS = list(Card)[1:]
COLOURS = {
    Card.S5: "bright_blue",
    Card.S6: "bright_magenta",
    Card.S7: "dark_orange",
    Card.S8: "bright_yellow",
    **dict.fromkeys((Card.A2, Card.A3, Card.A4), "green"),
    **dict.fromkeys((Card.T1, Card.T2, Card.T3), "red"),
    **dict.fromkeys(CITIES, "bright_white on grey30"),
}
PARTS = {  # of the points, besides majorities
    "face.sets": "",
    "face.alliances": COLOURS[Card.A2],
    "face.betrayals": COLOURS[Card.T1],
}
LABELS = tuple(
    f"face.{name}" for name in ("pile", "row", "take", "hand", "unseen", "removed", "left")
)
INDENT = 2
FRAME = 5  # columns: the frame of a card, its padding and the gap behind it
MEDIUM, WIDE = 76, 96  # columns from which on there is more air, and cities are named
NOTHING = Text("·", "dim")


def path(record: Any, number: int) -> list[Message]:
    """Return a move from the general to the particular: to play, and which card."""
    if number == TAKE:
        return []
    return [("face.play", {}), (f"{card_word(int(MOVES[number].card)).key}.name", {})]


def draw(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Draw the table as a seat sees it: the row, both collections, the hand, the cards unseen."""
    record = view.record
    parts = [
        _title(record, screen),
        _middle(view, names, screen),
        _collections(view, names, screen),
    ]
    if record.phase == Phase.OVER:
        parts += _laid_open(record, names, screen)
    else:
        parts += _hidden(record, view.seat, screen)
    if screen.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


# ---------------------------------------------------------------- the table


def _title(record: Any, screen: Screen) -> RenderableType:
    args = {
        "round": int(record.round_no),
        "rounds": int(record.rounds),
        "action": int(record.action_no) + 1,
        "actions": 2 * (int(record.hand_size) + 1),
    }
    key = "face.over" if record.phase == Phase.OVER else "face.title"
    title = Text.assemble((screen.say("game.name"), "bold"), f" · {screen.say(key, args)}")
    return Rule(title, align="left", style="dim")


def _middle(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """What lies between the players, and who may still take of it."""
    record = view.record
    args = {"count": int(record.pile_size), "removed": int(record.removed)}
    lines: list[tuple[str, RenderableType]] = [
        ("face.pile", Text(screen.say("face.cards_left", args))),
        ("face.row", _row(record, view.turn, screen)),
    ]
    if view.turn is not None:
        lines.append(("face.take", _takers(record, names, screen)))
    return _labelled(lines, screen)


def _labelled(lines: Sequence[tuple[str, RenderableType]], screen: Screen) -> RenderableType:
    """Put lines below each other, each after its label."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_label_width(screen) - 2)
    grid.add_column()
    for label, line in lines:
        grid.add_row(_label(label, screen), line)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)


def _label(key: str, screen: Screen) -> Text:
    return Text(screen.say(key), "dim")


def _label_width(screen: Screen) -> int:
    return max(len(screen.say(label)) for label in LABELS) + 2


def _row(record: Any, turn: int | None, screen: Screen) -> Text:
    """The row, the oldest card first; in brackets what a take would bring now."""
    cards = [_card(card, screen) for card in record.row[: record.row_size]]
    if not cards:
        return NOTHING
    if taken := _taken(record, turn):
        first = len(cards) - taken
        for older in cards[:first]:
            older.stylize("dim")
        cards[first] = Text.assemble(("[", "bold"), cards[first])
        cards[-1] = Text.assemble(cards[-1], ("]", "bold"))
    return Text("  ").join(cards)


def _taken(record: Any, turn: int | None) -> int:
    """How many cards a take would bring now: to the one in turn, or else to the other."""
    if turn is None:
        return 0
    takers = [seat for seat in (turn, 1 - turn) if can_take(record, seat)]
    return len(newest(record, takers[0])) if takers else 0


def _takers(record: Any, names: Sequence[str], screen: Screen) -> Text:
    left = [names[seat] for seat in range(2) if not record.has_taken[seat]]
    if not left:
        return Text(screen.say("face.all_took"))
    return Text(screen.say("face.still_take", {"names": ", ".join(map(glue, left))}))


# ---------------------------------------------------------------- the collections


def _collections(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Both collections, yours below, next to your hand; a dot marks a majority."""
    gap = 1 + (screen.width >= MEDIUM) + (screen.width >= WIDE)
    table = Table(box=None, padding=(0, gap, 0, 0), header_style="", pad_edge=False)
    table.add_column(Text.assemble(" " * INDENT, _label("face.first", screen)))
    table.add_column(_label("face.held", screen), justify="center", no_wrap=True)
    for card in SUPPORTS:
        table.add_column(_card(card, screen), width=2)
    for heading, style in PARTS.items():
        table.add_column(Text(screen.say(heading), style or "dim"), justify="right", no_wrap=True)
    table.add_column(_label("face.points", screen), justify="right", no_wrap=True)
    table.add_column(_label("face.cities", screen))
    first = 0 if view.seat is None else 1 - view.seat
    for seat in (first, 1 - first):
        table.add_row(*_collection(view, seat, names, screen))
    return table


def _collection(
    view: Any, seat: int, names: Sequence[str], screen: Screen
) -> Iterator[RenderableType]:
    """The cells of a seat: its name, the size of its hand, what it has collected, its points."""
    record = view.record
    yield _name(view, seat, names)
    yield Text(str(record.held[seat])) if record.held[seat] else NOTHING
    for card in SUPPORTS:
        yield _support(record, seat, card)
    if record.reason == Reason.CITIES:  # §5.10 no points are counted
        yield from [NOTHING] * (len(PARTS) + 1)
    else:
        parts = zip(count(record, seat)[1:], PARTS.values(), strict=True)
        yield from (Text(signed(part), style) if part else NOTHING for part, style in parts)
        yield Text(total(record, seat), "bold")
    yield _cities(record, seat, screen)


def _name(view: Any, seat: int, names: Sequence[str]) -> RenderableType:
    """A name, broken before its brackets only; who has the turn, who won, who started."""
    words = glue(names[seat].replace(" ", "\u00a0").replace("\u00a0(", " ("))
    name = Text(words, "bold" if seat == view.seat else "")
    if view.record.first == seat:
        name.append(glue("\u00a0◆"), "not bold dim")
    mark = "★" if view.record.winner == 1 + seat else "▸" if view.turn == seat else " "
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text(mark, "bold"), name)
    return grid


def _support(record: Any, seat: int, card: Card) -> Text:
    mine, theirs = int(record.collection[seat, card]), int(record.collection[1 - seat, card])
    if mine > theirs:
        return Text(f"{mine}●", f"bold {COLOURS[card]}")
    return Text(str(mine)) if mine else NOTHING


def _cities(record: Any, seat: int, screen: Screen) -> Text:
    cities = [city for city in CITIES if record.collection[seat, city]]
    if screen.width < WIDE and cities:
        return Text(f"{len(cities)}/{len(CITIES)}")
    return _cards(cities, screen)


# ---------------------------------------------------------------- cards


def _card(card: int, screen: Screen) -> Text:
    """A card in a line of cards: what is printed on it."""
    return Text(screen.say(f"{card_word(int(card)).key}.short"), COLOURS[Card(card)])


def _cards(cards: Any, screen: Screen) -> Text:
    """Cards whose order means nothing."""
    return Text("  ").join(_card(card, screen) for card in sorted(cards) if card) or NOTHING


def _hidden(record: Any, me: int | None, screen: Screen) -> list[RenderableType]:
    """What the seat holds, and the cards it has not seen yet."""
    parts = []
    if me is not None and record.held[me]:
        parts.append(_labelled([("face.hand", _hand(record.hand[me], screen))], screen))
    counts = [
        Text.assemble(_card(card, screen), glue(f"\u00a0×{number}" if number > 1 else ""))
        for card, number in _unseen(record, me).items()
    ]
    return [*parts, _labelled([("face.unseen", Text("  ").join(counts) or NOTHING)], screen)]


def _hand(hand: Any, screen: Screen) -> RenderableType:
    """The cards side by side, in frames if there is room for them."""
    cards = [Card(card) for card in sorted(hand) if card]
    width = sum(_card(card, screen).cell_len + FRAME for card in cards)
    if screen.room == Room.TIGHT or width > screen.width - INDENT - _label_width(screen):
        return _cards(cards, screen)
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(*(_framed(card, screen) for card in cards))
    return grid


def _framed(card: Card, screen: Screen) -> Panel:
    return Panel(_card(card, screen), style=COLOURS[card], expand=False)


def _unseen(record: Any, me: int | None) -> dict[Card, int]:
    """§6 How many of each card lie neither in the hand, nor in the row, nor in a collection."""
    seen = [*record.row, *(() if me is None else record.hand[me])]
    counts = {
        card: int(record.copies[card] - record.collection[:, card].sum()) - seen.count(card)
        for card in CARDS
    }
    return {card: number for card, number in counts.items() if number > 0}


# ---------------------------------------------------------------- the end


def _laid_open(record: Any, names: Sequence[str], screen: Screen) -> list[RenderableType]:
    """The cards that were removed, and those left in the hands."""
    lines: list[tuple[str, RenderableType]] = []
    if record.shown_aside.any():
        lines.append(("face.removed", _cards(counted(record.shown_aside), screen)))
    for seat in range(2):
        if record.shown_hand[seat].any():
            whose = screen.say("terminal.heading", {"words": names[seat]})
            cards = _cards(counted(record.shown_hand[seat]), screen)
            lines.append(("face.left", Text.assemble(whose, "  ", cards)))
    return [_labelled(lines, screen)] if lines else []
