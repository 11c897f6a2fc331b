"""The table of Love Letter in a terminal: what a seat sees, drawn with words and few colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.i18n import Message, seat_word
from brelan.rules import NOBODY
from brelan.terminal.screen import Room, Screen, glue

from .cards import COPIES, IS_AIMED, KNOBS, MOVES, SEATS, Card, tucked
from .state import How, Phase
from .story import card_word

MemoryAid = KNOBS.choice("memory_aid")
CARDS = list(Card)[1:]
COLOURS = {
    Card.SPY: "cyan",
    Card.GUARD: "red",
    Card.PRIEST: "blue",
    Card.BARON: "yellow",
    Card.HANDMAID: "green",
    Card.PRINCE: "magenta",
    Card.CHANCELLOR: "bright_blue",
    Card.KING: "bright_yellow",
    Card.COUNTESS: "bright_magenta",
    Card.PRINCESS: "bright_red",
}
MOST_HEARTS = 10  # beyond that, tokens are written as a number
CARD_WIDTH = 34
NARROW = 70  # columns below which areas get lines of their own


def path(record: Any, number: int) -> list[Message]:
    """Return a move from the general to the particular: the card, at whom, naming whom."""
    move = MOVES[number]
    if move.keep:
        under = [card_word(card) for card in tucked(record, number)]
        order = "face.under_two" if len(under) == 2 else "face.under_one"
        keep: Message = ("face.keep", {"card": card_word(move.keep)})
        return [keep, (order, {"first": under[0], "last": under[-1]})]
    if not IS_AIMED[move.card] or move.target == NOBODY:
        return []
    target = seat_word(int(move.target), int(record.turn))
    steps: list[Message] = [("face.aim", {"card": card_word(move.card)})]
    steps.append(("face.target", {"target": target}))
    if move.name:
        steps.append((f"{card_word(move.name).key}.name", {}))
    return steps


def draw(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Draw the table as a seat sees it: the deck, everybody's area, the hand, the memory aid."""
    record, me = view.record, view.seat
    parts = [_title(record, screen), _deck(record, screen), _seats(record, me, names, screen)]
    if me is not None and record.in_round[me] and record.phase != Phase.OVER:
        parts.append(_hand(record, me, screen))
        if record.memory_aid == MemoryAid.ON:
            parts.append(_memory(record, me, screen))
    if screen.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


# ---------------------------------------------------------------- the table


def _title(record: Any, screen: Screen) -> RenderableType:
    args = {"round": int(record.round_no), "count": int(record.tokens_to_win)}
    title = Text.assemble((screen.say("game.name"), "bold"), f" · {screen.say('face.title', args)}")
    return Rule(title, align="left", style="dim")


def _deck(record: Any, screen: Screen) -> RenderableType:
    words = [screen.say("face.deck", {"count": int(record.deck_size)})]
    if not record.burned_left:
        words.append(screen.say("face.no_burned"))
    line = Text("   ").join(map(Text, words))
    shown = [card for card in record.face_up if card]
    if shown:
        line.append(f"   {screen.say('face.face_up')} ")
        line.append_text(Text("  ").join(_card(card, screen) for card in shown))
    return Padding(line, (0, 0, 0, 2), expand=False)


def _seats(record: Any, me: int | None, names: Sequence[str], screen: Screen) -> RenderableType:
    """Everybody in the order of play, you last, next to your hand."""
    players = int(record.players)
    first = 0 if me is None else me + 1
    seats = [(first + place) % players for place in range(players)]
    heads = _aligned([_head(record, seat, me, names, screen) for seat in seats])
    areas = [_area(record, seat, screen) for seat in seats]
    if players == 2 or screen.width < NARROW:
        lines: list[RenderableType] = []
        for head, area in zip(heads, areas, strict=True):
            head.rstrip()
            lines += [head, Padding(area, (0, 0, 0, 4), expand=False)] if area else [head]
        return Group(*lines)
    grid = Table.grid(padding=(0, 2, 0, 0))
    for head, area in zip(heads, areas, strict=True):
        grid.add_row(head, area)
    return grid


def _head(
    record: Any, seat: int, me: int | None, names: Sequence[str], screen: Screen
) -> tuple[Text, Text, Text]:
    """A seat's name, its tokens, and whether it is protected or out."""
    mark = "▸ " if record.turn == seat else "  "
    style = "bold" if seat == me else ""
    state = Text()
    if not record.in_round[seat]:
        style, state = "dim", Text(screen.say("face.out"), "red")
    elif record.protected[seat]:
        state = Text(screen.say("face.protected"), "green")
    return Text.assemble((mark, "bold"), (names[seat], style)), _tokens(record, seat), state


def _tokens(record: Any, seat: int) -> Text:
    have, goal = int(record.tokens[seat]), int(record.tokens_to_win)
    if goal > MOST_HEARTS:
        return Text(f"♥ {have}/{goal}", "red")
    return Text.assemble(("♥" * have, "red"), ("·" * (goal - have), "dim"))


def _aligned(heads: list[tuple[Text, Text, Text]]) -> list[Text]:
    widths = [max(cell.cell_len for cell in column) for column in zip(*heads, strict=True)]
    for head in heads:
        for cell, width in zip(head, widths, strict=True):
            cell.pad_right(width - cell.cell_len)
    return [Text("  ").join(head) for head in heads]


def _area(record: Any, seat: int, screen: Screen) -> Text:
    """What lies before a seat, in order; in brackets what was not played but discarded."""
    laid = range(record.area_size[seat])
    cards = [_card(record.area[seat, place], screen) for place in laid]
    for place in laid:
        if record.area_how[seat, place] != How.PLAYED:
            cards[place] = Text.assemble("(", cards[place], ")")
    if record.revealed[seat]:
        showed = screen.say("face.showed", {"card": ""})
        cards.append(Text.assemble(showed, _card(record.revealed[seat], screen)))
    return Text("  ").join(cards)


# ---------------------------------------------------------------- cards


def _card(card: int, screen: Screen) -> Text:
    """A card in a line of cards: its value and its name."""
    name = screen.say(f"{card_word(card).key}.name")
    return Text.assemble(
        (str(Card(card).printed), f"bold {COLOURS[Card(card)]}"), glue(f"\u00a0{name}")
    )


def _hand(record: Any, me: int, screen: Screen) -> RenderableType:
    cards = sorted(card for card in (record.hand[me], *record.drew[me]) if card)
    if screen.room == Room.TIGHT:
        return _hand_in_lines(cards, screen)
    width = min(CARD_WIDTH, (screen.width - 2) // len(cards) - 1)
    panels = [_card_panel(card, width, screen) for card in cards]
    height = max(screen.height(panel) for panel in panels)
    grid = Table.grid(padding=(0, 1, 0, 0))
    for panel in panels:
        panel.height = height
        grid.add_column()
    grid.add_row(*panels)
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _hand_in_lines(cards: Sequence[int], screen: Screen) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for card in cards:
        grid.add_row(_card(card, screen), Text(screen.say(f"{card_word(card).key}.effect")))
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _card_panel(card: int, width: int, screen: Screen) -> Panel:
    effect = screen.say(f"{card_word(card).key}.effect")
    return Panel(
        Text(effect),
        title=Text.assemble(_card(card, screen), style="bold"),
        title_align="left",
        border_style=COLOURS[Card(card)],
        width=width,
    )


# ---------------------------------------------------------------- §6 the memory aid


def _memory(record: Any, me: int, screen: Screen) -> RenderableType:
    """What the seat legitimately saw in this round, and what it has not seen yet."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    known = [*_known_hands(record, me, screen), *_known_deck(record, me, screen)]
    if known:
        grid.add_row(Text(screen.say("face.memory"), "dim"), Text(" ".join(known)))
    counts = [
        Text.assemble(_card(card, screen), glue(f"\u00a0×{count}"))
        for card, count in _unseen(record, me).items()
    ]
    grid.add_row(Text(screen.say("face.unseen"), "dim"), Text("  ").join(counts))
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _known_hands(record: Any, me: int, screen: Screen) -> Iterator[str]:
    """§6.1 What is known of the other hands, and what the others know of this one."""
    for other in range(record.players):
        if other == me or not record.in_round[other]:
            continue
        args: dict[str, Any] = {"who": seat_word(other, me)}
        if card := record.known[me, other]:
            yield screen.say("face.holds", args | {"card": card_word(card)})
        if bits := record.not_held[me, other]:
            cards = _listed([card for card in CARDS if bits >> card & 1], screen)
            yield screen.say("face.not_held", args | {"cards": cards})
        if record.exposed[me, other]:
            yield screen.say("face.exposed", args | {"card": card_word(record.hand[me])})
        twin = int(record.same_hand[other]) - 1
        if twin > other and twin != me:
            yield screen.say("face.same", args | {"other": seat_word(twin, me)})


def _known_deck(record: Any, me: int, screen: Screen) -> Iterator[str]:
    """§6.2 The cards put under the deck, from the last one up, and those lost sight of."""
    last = record.top + record.deck_size - 1 - record.packed
    bottom = [int(record.tucked_known[me, place]) for place in range(last, -1, -1)]
    while bottom and not bottom[-1]:
        bottom.pop()
    if bottom:
        yield screen.say("face.bottom", {"cards": _listed(bottom, screen)})
    lost = [int(card) for card in record.lost[me] if card]
    if lost:
        seats = [seat for seat in range(SEATS) if record.among[me] >> seat & 1]
        places = [screen.say("face.with", {"who": seat_word(seat, me)}) for seat in seats]
        places += [screen.say("face.under")] if record.among[me] >> SEATS else []
        args = {"cards": _listed(lost, screen), "places": screen.say("face.or").join(places)}
        yield screen.say("face.lost", args)


def _listed(cards: Sequence[int], screen: Screen) -> str:
    """Name cards; one that is not known is a question mark."""
    return ", ".join(screen.say(f"{card_word(card).key}.name") if card else "?" for card in cards)


def _unseen(record: Any, me: int) -> dict[Card, int]:
    """§6.3 How many of each character the seat has not seen in this round."""
    seen = [record.hand[me], *record.drew[me], *record.known[me]]
    seen += [*record.tucked_known[me], *record.lost[me]]
    counts = {
        card: COPIES[record.deck, card] - record.out[card] - seen.count(card) for card in CARDS
    }
    return {card: int(count) for card, count in counts.items() if count > 0}
