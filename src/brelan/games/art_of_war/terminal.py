"""The table of Art of War in a terminal: two battlefields face to face, and who reaches whom."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.align import Align
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.i18n import Message
from brelan.terminal.screen import Room, Screen, glue

from .battle import occupied
from .cards import (
    ANY_KING,
    DEFENCE,
    FRONT,
    KNOBS,
    MOVES,
    NO_CARD,
    OPENING_HAND,
    REACH,
    SLOTS,
    UNITS,
    Action,
    Card,
    Reserve,
    letter,
)
from .conscription import can_call, is_next_called
from .state import Phase, Posture, Reason
from .story import called, card_word, expected, kind_word, slot_name
from .zones import holds

WarTie = KNOBS.choice("war_tie")

COLOURS = {
    Card.S: "cyan",
    Card.G: "green",
    Card.A: "yellow",
    Card.K1: "magenta",
    Card.K2: "magenta",
}
MARKS = {Posture.DEFENSIVE: "▮", Posture.OFFENSIVE: "▬"}  # a card upright, a card turned
INDENT = 2
NARROW = 76  # columns below which the zones go above and below the battlefield
MEDIUM, WIDE = 80, 96  # columns from which on slots may have frames, and wider ones
CELL, FRAMED_CELL, WIDE_CELL = 13, 15, 19  # columns of a slot: plain, in a frame, on wide paper
GAP = 3  # columns between zones
FRAME = 5  # columns: the frame of a card in hand, its padding and the gap behind it
WHOLE_FRONT = (1 << FRONT) - 1  # as a set of slots
NOTHING = Text("·", "dim")
Line = tuple[str, Text]  # what a zone is called, and what lies there


def path(record: Any, number: int) -> list[Message]:
    """Return a move from the general to the particular: what to do, with which card, where."""
    move = MOVES[number]
    match move.action:
        case Action.DEPLOY:
            return _path_of_deployment(record, move)
        case Action.ATTACK | Action.SWEEP:
            return [("face.attack", {}), _blow(record, number)]
        case Action.CONSCRIPT:
            return [*_whom(record, "face.conscript", move.card), _place(move.slot)]
        case Action.DEMOBILISE | Action.RESERVE:
            key = "face.demobilise" if move.action == Action.DEMOBILISE else "face.put"
            return [(key, {}), _name(move.card)]
        case Action.SUPPORT if move.effect != Card.G:
            return [("face.support", {}), _support(record, number)]
    return []


def _path_of_deployment(record: Any, move: Any) -> list[Message]:
    if record.phase == Phase.OPENING:
        return [("face.open", {}), _name(move.card), _place(move.slot)]
    old = int(record.unit[record.active, move.slot])
    key, args = _place(move.slot)
    place = ("face.swap", args | {"old": Card(old).printed}) if old else (key, args)
    return [*_whom(record, "face.deploy", move.card), place]


def _whom(record: Any, key: str, kind: int) -> list[Message]:
    """What to do, and with which card: in one step if there is but one kind."""
    if len(_kinds(record)) > 1:
        return [(key, {}), _name(kind)]
    return [(f"{key}_one", {"card": called(record, kind)})]


def _kinds(record: Any) -> list[int]:
    """The kinds of cards that the player in turn may put on the field; the next in a queue: one."""
    me = record.turn
    is_conscription = record.phase == Phase.CONSCRIPTION
    if is_next_called(record, me) if is_conscription else record.reserve_size[me]:
        return [NO_CARD]
    can_choose = can_call if is_conscription else holds
    return [kind for kind in (*UNITS, ANY_KING) if can_choose(record, me, kind)]


def _name(kind: int) -> Message:
    return f"{kind_word(kind).key}.name", {"order": int(kind)}


def _place(slot: int) -> Message:
    return "face.slot", {"slot": slot_name(slot), "order": int(slot)}


def _blow(record: Any, number: int) -> Message:
    """An attack: who strikes whom, and what will come of it."""
    move = MOVES[number]
    card = Card(record.unit[record.active, move.slot])
    args = {"unit": card.printed, "slot": slot_name(move.slot)}
    if move.action == Action.SWEEP:
        slots = _slots(_reached(record, int(record.active), move.slot))
        return "face.sweep", args | {"slots": slots}
    return "face.blow", args | _target(record, number)


def _support(record: Any, number: int) -> Message:
    """Support of an attack: a shot, or more strength; the King as one who can give it."""
    move = MOVES[number]
    helper = letter(move.card)
    if move.card != move.effect:
        helper += f"\u00a0({letter(move.effect)})"
    if move.effect == Card.S:
        return "face.stronger", {"unit": helper}
    return "face.shot", {"unit": helper} | _target(record, number)


def _target(record: Any, number: int) -> dict[str, Any]:
    card = Card(record.unit[1 - record.active, MOVES[number].target])
    return expected(record, number) | {"target": card.printed}


def draw(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Draw the table as a seat sees it: its own side below, the other one above it."""
    record, me = view.record, view.seat
    below = 0 if me is None else me
    parts: list[RenderableType] = [_title(view, screen), *_sides(view, below, names, screen)]
    if me is not None and record.held[me] and screen.room > Room.TIGHT:
        parts.append(_hand(record.hand[me], screen))
    if screen.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


def _title(view: Any, screen: Screen) -> RenderableType:
    record = view.record
    title = Text.assemble((screen.say("game.name"), "bold"))
    if record.turn_no:
        turns = 2 * int(record.copies_S + record.copies_G + record.copies_A - OPENING_HAND - 1)
        args = {"turn": int(record.turn_no), "turns": turns}
        title.append(f" · {screen.say('face.turn', args)}")
    title.append(f" · {screen.say(*_phase(view))}")
    if record.bonus:
        title.append(f" · {screen.say('face.bonus', {'bonus': int(record.bonus)})}", "bold")
    return Rule(title, align="left", style="dim")


def _phase(view: Any) -> Message:
    record = view.record
    if record.phase == Phase.OVER:
        return f"end.{Reason(record.reason).name.lower()}", {}
    if view.is_over:
        return "end.resignation", {}
    count = record.to_conscript if record.phase == Phase.CONSCRIPTION else record.must_demobilise
    return f"phase.{Phase(record.phase).name.lower()}", {"count": int(count)}


def _sides(view: Any, below: int, names: Sequence[str], screen: Screen) -> list[RenderableType]:
    """Each battlefield beside its owner's zones; on narrow paper these lie behind it."""
    above = 1 - below
    fields = [_battlefield(view, seat, seat == above, screen) for seat in range(2)]
    zones = [_zones(view, seat, names, screen) for seat in range(2)]
    border = Text("╌" * _field_width(screen), "dim")
    if screen.width < NARROW:
        field = _indented(Group(fields[above], border, fields[below]))
        return [zones[above], field, zones[below]]
    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_column(width=_field_width(screen))
    gap = max(0, screen.height(zones[above]) - screen.height(fields[above]))
    grid.add_row(Padding(fields[above], (gap, 0, 0, 0)), zones[above])
    grid.add_row(border, "")
    grid.add_row(fields[below], zones[below])
    return [_indented(grid)]


def _indented(part: RenderableType) -> RenderableType:
    return Padding(part, (0, 0, 0, INDENT), expand=False)


# ---------------------------------------------------------------- the battlefield


def _is_framed(screen: Screen) -> bool:
    return screen.room == Room.ROOMY and screen.width >= MEDIUM


def _cell_width(screen: Screen) -> int:
    if screen.width < NARROW:
        return (screen.width - INDENT) // FRONT - 1
    if not _is_framed(screen):
        return CELL
    return WIDE_CELL if screen.width >= WIDE else FRAMED_CELL


def _field_width(screen: Screen) -> int:
    return FRONT * (_cell_width(screen) + 1) - 1


def _battlefield(view: Any, seat: int, is_above: bool, screen: Screen) -> Table:
    """A side of the field, its Front towards the other one: slots that face each other meet."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(FRONT):
        grid.add_column(width=_cell_width(screen))
    rows = [list(range(FRONT)), list(range(FRONT, SLOTS))]
    if is_above:
        rows = [row[::-1] for row in rows[::-1]]
    for row in rows:
        grid.add_row(*(_cell(view, seat, slot, screen) for slot in row))
    return grid


def _cell(view: Any, seat: int, slot: int, screen: Screen) -> RenderableType:
    if _is_framed(screen):
        return _framed_cell(view, seat, slot)
    return _plain_cell(view, seat, slot, _cell_width(screen))


def _plain_cell(view: Any, seat: int, slot: int, width: int) -> Text:
    """A slot: its unit, and the enemies in reach; below it unless the cell is wide."""
    cell = _slot(view, seat, slot)
    if not _is_closed(view.record, seat, slot):
        cell = Text.assemble(cell, " ", _unit(view.record, seat, slot))
    if reached := _aims(view, seat, slot):
        is_short = CELL < width >= cell.cell_len + 1 + len(reached)
        cell.append(f" {reached}" if is_short else f"\n   {reached}", "dim")
    return cell


def _framed_cell(view: Any, seat: int, slot: int) -> RenderableType:
    """A slot in a frame, with the enemies that its unit reaches; one that is closed has none."""
    record = view.record
    card, is_turned = record.unit[seat, slot], record.posture[seat, slot]
    if _is_closed(record, seat, slot):
        return Align.center(_slot(view, seat, slot), vertical="middle", height=3)
    return Panel(
        _unit(record, seat, slot) if card else Text(),
        title=_slot(view, seat, slot),
        title_align="left",
        subtitle=Text(_aims(view, seat, slot)) if card else None,
        subtitle_align="right",
        border_style=COLOURS[Card(card)] if card and not is_turned else "dim",
    )


def _is_closed(record: Any, seat: int, slot: int) -> bool:
    """§2 The Rear is closed where there is no Front."""
    return slot >= FRONT and not record.unit[seat, slot - FRONT]


def _slot(view: Any, seat: int, slot: int) -> Text:
    """The name of a slot; it stands out while an attack from it, or on it, may be stopped."""
    record = view.record
    struck = record.attacker if seat == record.active else record.target
    is_struck = record.phase == Phase.BLOCK and struck == slot
    return Text(slot_name(slot), "bold reverse" if is_struck else "dim")


def _unit(record: Any, seat: int, slot: int) -> Text:
    """A unit: upright or turned, its letter, and its defence, or what is left of it."""
    card, posture = Card(record.unit[seat, slot]), Posture(record.posture[seat, slot])
    if not card:
        return NOTHING
    defence, damage = int(DEFENCE[posture, card]), int(record.damage[seat, slot])
    unit = Text.assemble(MARKS[posture], " ", (f"{card.printed:<2}", f"bold {COLOURS[card]}"), " ")
    if damage:
        return unit.append(str(defence - damage), "bold red").append(f"/{defence}", "dim")
    return unit.append(str(defence))


def _aims(view: Any, seat: int, slot: int) -> str:
    """The enemies that a unit reaches; none for one that has attacked, or when all is over."""
    record = view.record
    has_attacked = seat == record.active and record.posture[seat, slot] == Posture.OFFENSIVE
    reached = 0 if view.is_over or has_attacked else _reached(record, seat, slot)
    return f"→{_slots(reached)}" if reached else ""


def _reached(record: Any, seat: int, slot: int) -> int:
    """The enemies in range of a unit, as a set of slots."""
    in_range = int(REACH[record.king_row, record.unit[seat, slot], slot])
    return in_range & int(occupied(record, 1 - seat))


def _slots(slots: int) -> str:
    """Write a set of slots; a whole Front is written short.

    >>> _slots(0b010111), _slots(0b001110)
    ('F1–3 A2', 'F2 F3 A1')
    """
    names = [slot_name(slot) for slot in range(SLOTS) if slots >> slot & 1]
    if slots & WHOLE_FRONT == WHOLE_FRONT:
        names[:FRONT] = ["F1–3"]
    return " ".join(names)


# ---------------------------------------------------------------- the other zones


def _head(view: Any, seat: int, names: Sequence[str]) -> Text:
    """A name; who has the turn, who won, who began."""
    mark = "★" if view.record.winner == 1 + seat else "▸" if view.turn == seat else " "
    name = glue(names[seat].replace(" ", "\u00a0"))
    head = Text.assemble(
        (glue(f"{mark}\u00a0"), "bold"), (name, "bold" if seat == view.seat else "")
    )
    if view.record.first == seat:
        head.append(glue("\u00a0◆"), "dim")
    return head


def _zones(view: Any, seat: int, names: Sequence[str], screen: Screen) -> RenderableType:
    """What a player has beside the battlefield, below the name or, to save lines, behind it."""
    head, lines = _head(view, seat, names), _lines(view, seat, screen)
    if screen.width < NARROW:
        return _packed(head, lines, screen.width, screen)
    if screen.room < Room.ROOMY:
        return _packed(head, lines, screen.width - INDENT - _field_width(screen) - GAP, screen)
    return _listed(head, lines, screen)


def _lines(view: Any, seat: int, screen: Screen) -> Iterator[Line]:
    """The zones of a player; the cards that nobody else has seen are counted."""
    record = view.record
    yield "face.hand", _held(view, seat, screen)
    if seat == view.seat:
        yield "face.deck", _sized(record.pile_size[seat], _counted(_left_in_deck(record, seat)))
    else:
        yield "face.deck", Text(str(record.pile_size[seat]))
        yield "face.unseen", _counts(record.unseen[seat])
    yield "face.kingdom", _queue(record.kingdom[seat], record.citizens[seat])
    if record.reserve == Reserve.ON:
        yield "face.reserve", _queue(record.reserves[seat], record.reserve_size[seat])
    if record.graveyard[seat].any():
        yield "face.graveyard", _counts(record.graveyard[seat])
    if record.war_tie == WarTie.KILLS and record.kills[seat]:
        yield "face.kills", Text(str(record.kills[seat]))


def _held(view: Any, seat: int, screen: Screen) -> Text:
    """The size of a hand, and the cards that everybody knows to be there."""
    record, is_mine = view.record, seat == view.seat
    is_open = is_mine and screen.room == Room.TIGHT
    held = _sized(record.held[seat], _counted(record.hand[seat]) if is_open else [])
    known = _counted(
        record.known[seat], UNITS if is_mine else COLOURS
    )  # my King goes without saying
    if record.phase != Phase.DEAL and not (is_mine or record.king_seen[seat]):
        known.append(Text("K?", f"bold {COLOURS[Card.K1]}"))
    if known:
        said = glue(screen.say("face.shown" if is_mine else "face.known") + "\u00a0")
        held.append(f" · {said}", "dim").append_text(Text(" ").join(known))
    return held


def _left_in_deck(record: Any, seat: int) -> Any:
    """§12 What a player's own deck must hold: the cards not shown, less those in hand."""
    left = record.unseen[seat].copy()
    for card in UNITS:
        left[card] -= record.hand[seat, card] - record.known[seat, card]
    return left


def _listed(head: Text, lines: Iterable[Line], screen: Screen) -> RenderableType:
    """The zones below each other."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for label, cards in lines:
        grid.add_row(Text(screen.say(label), "dim"), cards)
    return Group(head, _indented(grid))


def _packed(head: Text, zones: Iterable[Line], width: int, screen: Screen) -> RenderableType:
    """The zones one after the other, as many in a line as there is room for."""
    lines = [head]
    for label, cards in zones:
        zone = Text.assemble((screen.say(label), "dim"), " ", cards)
        if lines[-1].cell_len + GAP + zone.cell_len <= width - (INDENT if lines[1:] else 0):
            lines[-1].append(" " * GAP).append_text(zone)
        else:
            lines.append(zone)
    return Group(head, *map(_indented, lines[1:]))


# ---------------------------------------------------------------- cards


def _letter(card: int) -> Text:
    return Text(Card(card).printed, f"bold {COLOURS[Card(card)]}")


def _times(card: int, count: int) -> Text:
    return _letter(card).append(f"×{count}" if count > 1 else "", "not bold default")


def _counted(counts: Any, kinds: Iterable[Card] = tuple(COLOURS)) -> list[Text]:
    return [_times(card, int(counts[card])) for card in kinds if counts[card]]


def _counts(counts: Any) -> Text:
    """Cards whose order means nothing."""
    return Text(" ").join(_counted(counts)) or NOTHING


def _queue(cards: Any, size: int) -> Text:
    """Cards in a queue and their number, the oldest first; equal ones in a row are counted."""
    runs = itertools.groupby(int(card) for card in cards[:size])
    return _sized(size, [_times(card, len(list(run))) for card, run in runs])


def _sized(size: int, cards: Sequence[Text]) -> Text:
    """The size of a zone, and the cards there as far as they are to be seen."""
    return Text("  ").join([Text(str(size)), *([Text(" ").join(cards)] if cards else [])])


def _hand(hand: Any, screen: Screen) -> RenderableType:
    """The cards in frames, by name if there is room for it."""
    cards = [card for card in COLOURS for _ in range(int(hand[card]))]
    names = [screen.say(f"{card_word(card).key}.name") for card in cards]
    if sum(len(name) + FRAME for name in names) > screen.width - INDENT:
        names = [card.printed for card in cards]
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(*(_framed(card, name) for card, name in zip(cards, names, strict=True)))
    return _indented(grid)


def _framed(card: Card, name: str) -> Panel:
    return Panel(Text(name), style=COLOURS[card], expand=False)
