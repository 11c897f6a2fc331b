"""The table of La cour du Roi in a terminal: the draft, or the Court with all that is known."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.i18n import Message, seat_word
from brelan.terminal.screen import Room, Screen, glue

from .cards import FAMILIES, FAMILY, MOVES, OTHERS, RANK, SLOTS, Kind
from .court import slots_for
from .draft import KEEP_AND_BURN, direction, draft_style
from .memory import ASIDE, BURNED, burned_by, passed, taken, whereabouts
from .state import PACKET, Phase
from .story import card_word, family_word, label, points, slot_name
from .wall import (
    COLOURS,
    COUNTED,
    NOTHING,
    bricks,
    card_text,
    cards_text,
    cells,
    rank_text,
    symbol,
)

DRAFTING = (Phase.KEEP, Phase.BURN, Phase.HAND_ON, Phase.PACKETS)
INDENT = 2
FEW_PLAYS = 8  # so many fit on a line


# ---------------------------------------------------------------- choices


def path(record: Any, number: int) -> list[Message]:
    """Return a move from the general to the particular: what to do, with which card, where.

    The fact `order` is for the table of choices: where a step goes among the others.
    """
    move = MOVES[number]
    match Kind(move.kind):
        case Kind.KEEP | Kind.BURN:
            return [(f"face.{Kind(move.kind).name.lower()}", {}), _card_step(move.card)]
        case Kind.LAY:
            return [("face.lay", {}), *_lay_steps(record, move)]
        case Kind.SWAP:
            card = card_word(int(record.court[move.slot]))
            (_, args), other = _slot_step(move.slot), _slot_step(move.other)
            return [("face.swap", {}), ("face.slot_of", args | {"card": card}), other]
        case Kind.GIVE:
            args = {"target": seat_word(int(move.seat), int(record.turn)), "order": int(move.seat)}
            return [("face.give", {}), ("face.target", args), _card_step(move.card)]
        case Kind.DECLINE:
            key, args = label(record, number)
            return [(key, args | {"order": 1})]  # after all that may be done
    return []


def _lay_steps(record: Any, move: Any) -> list[Message]:
    """The card, then the slot; the other way round if that makes a lower table."""
    steps = [_card_step(move.card), _slot_step(move.slot)]
    plays = [_slots(record, int(card)) for card in record.hand[record.turn] if card]
    is_lower = len(plays) > len(set().union(*plays))
    return steps[::-1] if is_lower and sum(map(len, plays)) > FEW_PLAYS else steps


def _card_step(card: int) -> Message:
    return "face.card", {"card": card_word(int(card)), "order": int(card)}


def _slot_step(slot: int) -> Message:
    return "face.slot", {"slot": slot_name(slot), "order": int(slot)}


def _slots(record: Any, card: int) -> set[int]:
    """The slots where a card may be laid now."""
    slots = int(slots_for(record, card))
    return {slot for slot in range(SLOTS) if slots >> slot & 1}


# ---------------------------------------------------------------- the table


def draw(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Draw the table as a seat sees it: the draft, or the Court and the hand."""
    record = view.record
    is_draft = record.phase in DRAFTING
    parts = [_title(record, screen)]
    parts += _draft(view, names, screen) if is_draft else _play(view, names, screen)
    if screen.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


def _title(record: Any, screen: Screen) -> RenderableType:
    words = []
    if record.games > 1:
        args = {"game": int(record.game_no), "games": int(record.games)}
        words.append(screen.say("face.game", args))
    words.append(_stage(record, screen))
    title = Text.assemble((screen.say("game.name"), "bold"), *(f" · {word}" for word in words))
    return Rule(title, align="left", style="dim")


def _stage(record: Any, screen: Screen) -> str:
    match record.phase:
        case Phase.OVER:
            return screen.say("face.over")
        case Phase.DEAL | Phase.SCORE if record.game_no:
            return screen.say("face.counted")
        case Phase.DEAL | Phase.BEGIN:
            return screen.say("face.setting_up")
    if record.phase in DRAFTING:
        args = {"deal": int(record.deal_no), "deals": _deals(record)}
        return screen.say("face.draft", args)
    return screen.say("face.round", {"round": int(record.round_no)})


def _deals(record: Any) -> int:
    drafted = len(OTHERS) - int((record.removed > 0).sum())
    return drafted // (PACKET * int(record.players))


def _seats(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """Everybody in the order of play, you last, next to your hand."""
    record, players = view.record, int(view.record.players)
    first = 0 if view.seat is None else view.seat + 1
    seats = [(first + place) % players for place in range(players)]
    if screen.room == Room.TIGHT and record.phase not in COUNTED:
        return _seats_in_line(view, seats, names, screen)
    grid = Table.grid(padding=(0, 2, 0, 0))
    for seat in seats:
        held = _held(record, seat, screen)
        grid.add_row(_name(view, seat, names), *_seat_notes(view, seat, held, screen))
    return grid


def _name(view: Any, seat: int, names: Sequence[str]) -> Text:
    """A name, marked if the seat has the turn, has won, or is the first player."""
    won = view.record.phase == Phase.OVER and view.record.match_won[seat]
    mark = "★ " if won else "▸ " if view.turn == seat else "  "
    name = Text.assemble((mark, "bold"), (names[seat], "bold" if seat == view.seat else ""))
    if view.record.first == 1 + seat:
        name.append(glue("\u00a0◆"), "not bold dim")
    return name


def _seat_notes(view: Any, seat: int, held: str, screen: Screen) -> Iterator[Text]:
    """What a seat holds, whether it passed, and its total if there are several games."""
    words = [held, screen.say("face.passes")] if _has_passed(view, seat) else [held]
    yield Text(" · ").join(map(Text, words))
    if view.record.games > 1:
        yield Text(screen.say("face.total", {"total": int(view.record.total[seat])}), "dim")


def _held(record: Any, seat: int, screen: Screen) -> str:
    args = {"count": int(record.held[seat]), "packet": int(record.packet_size[seat])}
    return screen.say("face.with_packet" if args["packet"] else "face.cards", args)


def _seats_in_line(
    view: Any, seats: Sequence[int], names: Sequence[str], screen: Screen
) -> RenderableType:
    """The same in a line that is broken between seats only, with the number of cards."""
    line = []
    for seat in seats:
        notes = _seat_notes(view, seat, str(view.record.held[seat]), screen)
        words = Text(" ").join((_name(view, seat, names), *notes))
        words.plain = glue(words.plain.replace(" ", "\u00a0"))
        line.append(words if view.turn == seat else words[INDENT:])  # without its empty mark
    return Padding(Text("   ").join(line), (0, 0, 0, INDENT))


def _has_passed(view: Any, seat: int) -> bool:
    """Whether the last turn of a seat in this game was a pass."""
    for move in reversed(view.history):
        kind = MOVES[move.id].kind
        if kind == Kind.DEAL:
            return False
        if move.seat == seat:
            return bool(kind == Kind.PASS)
    return False


def _labelled(lines: Sequence[tuple[str, RenderableType]], width: int = 0) -> RenderableType:
    """Put lines below each other, each after its label."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(min_width=width)
    grid.add_column()
    for title, line in lines:
        grid.add_row(Text(title, "dim"), line)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)


def _by_family(cards: Any, screen: Screen) -> Text:
    """Cards with the symbol of each family once."""
    ordered = sorted(int(card) for card in cards if card)
    heaps = []
    for family in range(FAMILIES):
        mine = [card for card in ordered if FAMILY[card] == family]
        if ranks := [rank_text(int(RANK[card]), screen.say) for card in mine]:
            words = glue("\u00a0".join((symbol(family, screen.say), *ranks)))
            heaps.append(Text(words, COLOURS[family]))
    return Text("   ").join(heaps) or NOTHING


# ---------------------------------------------------------------- §5 the draft


def _draft(view: Any, names: Sequence[str], screen: Screen) -> list[RenderableType]:
    record, me = view.record, view.seat
    parts = [_seats(view, names, screen)]
    if me is None:
        return parts
    family = int(FAMILY[record.serves[me]])
    args = {"king": card_word(int(record.serves[me])), "family": family_word(family)}
    serves = Text(screen.say("face.serves", args), COLOURS[family])
    lines: list[tuple[str, RenderableType]] = [(screen.say("face.serve"), serves)]
    lines += _shown_aside(record, screen)
    if record.held[me]:
        lines.append((screen.say("face.hand"), _by_family(record.hand[me], screen)))
    parts.append(_labelled(lines, _label_width(screen)))
    if any(taken(record, me, deal, 1) for deal in range(1, 1 + record.deal_no)):
        parts.append(_past_deals(record, me, screen))
    parts.append(_packet(record, me, screen))
    return parts


def _shown_aside(record: Any, screen: Screen) -> list[tuple[str, RenderableType]]:
    if not record.shown_aside.any():
        return []
    return [(screen.say("face.aside"), cards_text(record.shown_aside, screen.say))]


def _packet(record: Any, me: int, screen: Screen) -> RenderableType:
    """The cards to choose from, in frames if there is room, and those chosen already."""
    cards = [int(card) for card in record.packet[me] if card]
    line: RenderableType = cards_text(cards, screen.say)
    if screen.room != Room.TIGHT and cards:
        line = Table.grid(padding=(0, 1, 0, 0))
        frames = (Panel(card_text(card, screen.say), style=COLOURS[FAMILY[card]]) for card in cards)
        line.add_row(*frames)
    lines = [(screen.say("face.packet"), line)]
    if record.chosen[me].any():
        lines.append((screen.say("face.chosen"), cards_text(record.chosen[me], screen.say)))
    return _labelled(lines, _label_width(screen))


def _label_width(screen: Screen) -> int:
    """So that what is said of the draft stands in line."""
    names = ("serve", "aside", "hand", "packet", "chosen", "deal")
    return max(len(screen.say(f"face.{name}", {"number": 1})) for name in names)


def _past_deals(record: Any, me: int, screen: Screen) -> RenderableType:
    """What the seat remembers of each deal: what it kept, burned and passed."""
    burns = draft_style(record) == KEEP_AND_BURN
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("", min_width=_label_width(screen))
    for name in ("kept", "burned") if burns else ("kept",):
        table.add_column(screen.say(f"face.{name}"))
    table.add_column(_passed_heading(record, me, screen))
    for deal in range(1, 1 + record.deal_no):
        if taken(record, me, deal, 1):
            title = Text(screen.say("face.deal", {"number": deal}), "dim")
            table.add_row(title, *_past_deal(record, me, deal, screen))
    return Padding(table, (0, 0, 0, INDENT), expand=False)


def _past_deal(record: Any, me: int, deal: int, screen: Screen) -> Iterator[Text]:
    """The columns of a deal: cards kept, those burned if any are, and packets passed."""
    steps = range(1, 1 + PACKET)
    chosen = [card for step in steps for card in taken(record, me, deal, step)]
    yield cards_text([card for card, is_out in chosen if not is_out], screen.say)
    if draft_style(record) == KEEP_AND_BURN:
        yield cards_text([card for card, is_out in chosen if is_out], screen.say)
    packets = [passed(record, me, deal, step) for step in steps]
    yield Text(" │ ").join(cards_text(cards, screen.say) for cards in packets if cards) or NOTHING


def _passed_heading(record: Any, me: int, screen: Screen) -> str:
    """To whom packets go; with another direction in every deal only that they go."""
    ways = {int(direction(record, deal)) for deal in (1, 2)}
    if len(ways) > 1 and record.players > 2:
        return screen.say("face.passed_on")
    after = seat_word((me + 1) % int(record.players), me)
    return screen.say("face.passed", {"next": after})


# ---------------------------------------------------------------- the Court


def _play(view: Any, names: Sequence[str], screen: Screen) -> list[RenderableType]:
    record, me = view.record, view.seat
    parts = _court(view, names, screen)
    if record.phase == Phase.DEAL and not record.game_no:
        return parts
    lines = [] if record.phase in COUNTED else _shown_aside(record, screen)
    if me is not None and record.held[me]:
        lines.append((screen.say("face.hand"), _by_family(record.hand[me], screen)))
    if record.phase not in COUNTED:
        lines += _memory(record, me, screen)
    return [*parts, _labelled(lines)] if lines else parts


def _court(view: Any, names: Sequence[str], screen: Screen) -> list[RenderableType]:
    """The Court, beside it the families and, where it is wide enough, the seats."""
    record = view.record
    is_tight = screen.room == Room.TIGHT
    court = cells(view, screen.say) if is_tight else bricks(view, screen.say)
    width = max(line.cell_len for line in court) + INDENT + 3
    families, seats = _families(view, names, screen), _seats(view, names, screen)
    left = Group(*court)
    below = [] if is_tight and record.round_no > 1 else [_legend(record, screen)]
    side = Group(families, Text(), seats)
    if not is_tight and width + _width(side, screen) <= screen.width:
        return [_beside(left, side, width, screen), *below]
    if width + _width(families, screen) <= screen.width:
        return [_beside(left, families, width, screen), seats, *below]
    return [Padding(left, (0, 0, 0, INDENT)), _families_in_line(view, screen), seats, *below]


def _width(part: RenderableType, screen: Screen) -> int:
    """How many columns something would like to have."""
    unbounded = screen.console.options.update(width=sys.maxsize)
    return Measurement.get(screen.console, unbounded, part).maximum


def _beside(
    left: RenderableType, right: RenderableType, width: int, screen: Screen
) -> RenderableType:
    grid = Table.grid()
    grid.add_column(width=width - INDENT)
    grid.add_column(width=_width(right, screen))
    grid.add_row(left, right)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)


def _legend(record: Any, screen: Screen) -> RenderableType:
    if record.phase in COUNTED:
        key = "face.legend_points"
    else:
        key = "face.legend_cells" if screen.room == Room.TIGHT else "face.legend_bricks"
    return Padding(Text(screen.say(key), "dim italic"), (0, 0, 0, INDENT))


# ---------------------------------------------------------------- §9 the families


def _families(view: Any, names: Sequence[str], screen: Screen) -> RenderableType:
    """What each family would score now, and whose it is, as far as the reader knows."""
    scores = [str(points(view.record.court, family)) for family in range(FAMILIES)]
    lines = []
    for family, score in enumerate(scores):
        line = Text(symbol(family, screen.say), COLOURS[family])
        line.append(f"  {score:>{max(map(len, scores))}}", "bold default")
        line.append(f"  {_whose(view, family, names, screen)}", "not bold dim default")
        line.rstrip()
        lines.append(line)
    return Group(*lines)


def _families_in_line(view: Any, screen: Screen) -> RenderableType:
    families = []
    for family in range(FAMILIES):
        line = Text(symbol(family, screen.say), COLOURS[family])
        line.append(f" {points(view.record.court, family)}", "bold default")
        if whose := _whose(view, family, (), screen):
            line.append(f" {whose}", "not bold dim default")
        families.append(line)
    return Padding(Text("   ").join(families), (0, 0, 0, INDENT))


def _whose(view: Any, family: int, names: Sequence[str], screen: Screen) -> str:
    record = view.record
    for seat in range(int(record.players)):
        king = int(record.revealed[seat] or record.serves[seat])
        if king and FAMILY[king] == family:
            if seat == view.seat:
                return screen.say("face.you")
            return names[seat] if names else screen.say("seat.name", {"number": seat})
    is_dead = any(FAMILY[king] == family for king in record.shown_aside if king)
    return screen.say("face.dead") if is_dead else ""


# ---------------------------------------------------------------- §11 the memory


def _memory(record: Any, me: int | None, screen: Screen) -> list[tuple[str, RenderableType]]:
    """The discard and, for a seat, where each card that it does not see may be, or surely is."""
    lines: list[tuple[str, RenderableType]] = []
    is_tight = screen.room == Room.TIGHT
    if record.discard_size and not is_tight:
        discard = [card_text(card, screen.say) for card in record.discard[: record.discard_size]]
        lines.append((screen.say("face.discard"), Text(" ").join(discard)))
    if me is None:
        return lines
    places = whereabouts(record, me)
    heaps: dict[str, list[int]] = {}
    if burned := burned_by(record, me):
        heaps[_holders(frozenset({BURNED}), screen)] = burned
    for card in sorted(places, key=lambda card: (len(places[card]), sorted(places[card]))):
        if is_tight and len(places[card]) > 1:
            break
        heaps.setdefault(_holders(places[card], screen), []).append(card)
    return lines + [(holders, _by_family(cards, screen)) for holders, cards in heaps.items()]


def _holders(holders: frozenset[int], screen: Screen) -> str:
    """Who may have a card, in words."""
    if len(holders) > 2:
        return screen.say("face.elsewhere")
    if holders == {BURNED}:
        return screen.say("face.burned_cards")
    others = {BURNED: "face.or_burned", ASIDE: "face.or_aside"}
    words = [
        screen.say(others.get(holder, "seat.name"), {"number": holder})
        for holder in sorted(holders)
    ]
    return screen.say("face.or").join(words)
