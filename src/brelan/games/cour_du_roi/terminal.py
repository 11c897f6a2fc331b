"""The table of La cour du Roi in a terminal: the Court as a wall of bricks, and what goes where.

Every brick says what it takes: the ranks that may cover its card or, if it is empty, the families
of its supports. That answers both where a card may go and why it may not go elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brelan.paper import Paper, Room, glue
from brelan.texts import seat_word

from .cards import (
    COVERED_BY,
    FAMILIES,
    FAMILY,
    KING,
    MOVES,
    OTHERS,
    RANK,
    RANKS,
    ROW,
    SEATS,
    SLOTS,
    SUPPORT,
    Card,
    Kind,
)
from .court import slots_for
from .draft import (
    FIRST_TAKEN,
    KEEP_AND_BURN,
    TAKEN_AT,
    direction,
    draft_style,
    is_burned,
)
from .sight import BY_SEAT, DRAWN, GIVEN, PACKET, Phase
from .story import Telling, card_word, family_word, label, points, rank_word, slot_name

COLOURS = ("bright_red", "dark_orange", "green", "bright_blue")  # of ♥ ♦ ♣ ♠
DRAFTING = (Phase.KEEP, Phase.BURN, Phase.HAND_ON, Phase.PACKETS)
COUNTED = (Phase.SCORE, Phase.DEAL, Phase.OVER)
BURNED, ASIDE = SEATS, SEATS + 1  # where a card may be besides with a seat
INDENT = 2
BRICK = 10  # columns from one brick to the next; half of it from one row to the next
CELL = 14  # the same when there is room for one line a row only
NOTHING = Text("·", "dim")


# ---------------------------------------------------------------- choices


def path(record: Any, number: int) -> list[Telling]:
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
            (_, facts), other = _slot_step(move.slot), _slot_step(move.other)
            return [("face.swap", {}), ("face.slot_of", facts | {"card": card}), other]
        case Kind.GIVE:
            facts = {"target": seat_word(int(move.seat), int(record.turn)), "order": int(move.seat)}
            return [("face.give", {}), ("face.target", facts), _card_step(move.card)]
        case Kind.DECLINE:
            key, facts = label(record, number)
            return [(key, facts | {"order": 1})]  # after all that may be done
    return []


def _lay_steps(record: Any, move: Any) -> list[Telling]:
    """The card, then the slot; the other way round if that makes a smaller table."""
    steps = [_card_step(move.card), _slot_step(move.slot)]
    held = [int(card) for card in record.hand[record.turn] if card]
    slots = set().union(*(_slots(record, card) for card in held))
    return steps[::-1] if len(held) > len(slots) else steps


def _card_step(card: int) -> Telling:
    return "face.card", {"card": card_word(int(card)), "order": int(card)}


def _slot_step(slot: int) -> Telling:
    return "face.slot", {"slot": slot_name(slot), "order": int(slot)}


def _slots(record: Any, card: int) -> set[int]:
    """The slots where a card may be laid now."""
    slots = int(slots_for(record, card))
    return {slot for slot in range(SLOTS) if slots >> slot & 1}


# ---------------------------------------------------------------- the table


def draw(view: Any, names: Sequence[str], paper: Paper) -> RenderableType:
    """Draw the table as a seat sees it: the draft, or the Court and the hand."""
    record = view.record
    is_draft = record.phase in DRAFTING
    parts = [_title(record, paper)]
    parts += _draft(view, names, paper) if is_draft else _play(view, names, paper)
    if paper.room == Room.ROOMY:
        parts = [part for each in parts for part in (each, Text())][:-1]
    return Group(*parts)


def _title(record: Any, paper: Paper) -> RenderableType:
    words = []
    if record.games > 1:
        facts = {"game": int(record.game_no), "games": int(record.games)}
        words.append(paper.say("face.game", facts))
    words.append(_stage(record, paper))
    title = Text.assemble((paper.say("game.name"), "bold"), *(f" · {word}" for word in words))
    return Rule(title, align="left", style="dim")


def _stage(record: Any, paper: Paper) -> str:
    match record.phase:
        case Phase.OVER:
            return paper.say("face.over")
        case Phase.DEAL | Phase.SCORE if record.game_no:
            return paper.say("face.counted")
        case Phase.DEAL | Phase.BEGIN:
            return paper.say("face.setting_up")
    if record.phase in DRAFTING:
        facts = {"deal": int(record.deal_no), "deals": _deals(record)}
        return paper.say("face.draft", facts)
    return paper.say("face.round", {"round": int(record.round_no)})


def _deals(record: Any) -> int:
    drafted = len(OTHERS) - int((record.removed > 0).sum())
    return drafted // (PACKET * int(record.players))


def _seats(view: Any, names: Sequence[str], paper: Paper) -> RenderableType:
    """Everybody in the order of play, you last, next to your hand."""
    record, players = view.record, int(view.record.players)
    first = 0 if view.seat is None else view.seat + 1
    seats = [(first + place) % players for place in range(players)]
    if paper.room == Room.TIGHT and record.phase not in COUNTED:
        return _seats_in_line(view, seats, names, paper)
    grid = Table.grid(padding=(0, 2, 0, 0))
    for seat in seats:
        held = _held(record, seat, paper)
        grid.add_row(_name(view, seat, names), *_seat_notes(view, seat, held, paper))
    return grid


def _name(view: Any, seat: int, names: Sequence[str]) -> Text:
    """A name, marked if the seat has the turn, has won, or is the first player."""
    won = view.record.phase == Phase.OVER and view.record.match_won[seat]
    mark = "★ " if won else "▸ " if view.turn == seat else "  "
    name = Text.assemble((mark, "bold"), (names[seat], "bold" if seat == view.seat else ""))
    if view.record.first == 1 + seat:
        name.append(glue("\u00a0◆"), "not bold dim")
    return name


def _seat_notes(view: Any, seat: int, held: str, paper: Paper) -> Iterator[Text]:
    """What a seat holds, whether it passed, and its total if there are several games."""
    words = [held, paper.say("face.passes")] if _has_passed(view, seat) else [held]
    yield Text(" · ").join(map(Text, words))
    if view.record.games > 1:
        yield Text(paper.say("face.total", {"total": int(view.record.total[seat])}), "dim")


def _held(record: Any, seat: int, paper: Paper) -> str:
    facts = {"count": int(record.held[seat]), "packet": int(record.packet_size[seat])}
    return paper.say("face.with_packet" if facts["packet"] else "face.cards", facts)


def _seats_in_line(
    view: Any, seats: Sequence[int], names: Sequence[str], paper: Paper
) -> RenderableType:
    """The same in a line that is broken between seats only, with the number of cards."""
    line = []
    for seat in seats:
        notes = _seat_notes(view, seat, str(view.record.held[seat]), paper)
        words = Text(" ").join((_name(view, seat, names), *notes))
        words.plain = glue(words.plain.replace(" ", "\u00a0"))
        line.append(words if view.turn == seat else words[INDENT:])  # without its empty mark
    return Padding(Text("   ").join(line), (0, 0, 0, INDENT))


def _has_passed(view: Any, seat: int) -> bool:
    """Whether the last turn of a seat in this game was a pass."""
    for move in reversed(view.history):
        kind = MOVES[move.id].kind
        if kind == Kind.BEGIN:
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


# ---------------------------------------------------------------- cards


def _colour(card: int) -> str:
    return COLOURS[FAMILY[card]]


def _card(card: int, paper: Paper) -> Text:
    return Text(paper.say("card.short", card_word(int(card)).facts), _colour(card))


def _cards(cards: Any, paper: Paper) -> Text:
    """Cards whose order means nothing, family after family."""
    ordered = sorted(int(card) for card in cards if card)
    return Text(" ").join(_card(card, paper) for card in ordered) or NOTHING


def _by_family(cards: Any, paper: Paper) -> Text:
    """Cards with the symbol of each family once."""
    ordered = sorted(int(card) for card in cards if card)
    heaps = []
    for family in range(FAMILIES):
        ranks = [_rank(int(RANK[card]), paper) for card in ordered if FAMILY[card] == family]
        if ranks:
            words = glue("\u00a0".join((_symbol(family, paper), *ranks)))
            heaps.append(Text(words, COLOURS[family]))
    return Text("   ").join(heaps) or NOTHING


def _rank(rank: int, paper: Paper) -> str:
    word = rank_word(rank)
    return paper.say(f"{word.key}.short", word.facts)


def _symbol(family: int, paper: Paper) -> str:
    return paper.say(f"{family_word(family).key}.symbol")


# ---------------------------------------------------------------- §5 the draft


def _draft(view: Any, names: Sequence[str], paper: Paper) -> list[RenderableType]:
    record, me = view.record, view.seat
    parts = [_seats(view, names, paper)]
    if me is None:
        return parts
    family = int(FAMILY[record.serves[me]])
    facts = {"king": card_word(int(record.serves[me])), "family": family_word(family)}
    serves = Text(paper.say("face.serves", facts), COLOURS[family])
    lines: list[tuple[str, RenderableType]] = [(paper.say("face.serve"), serves)]
    lines += _shown_aside(record, paper)
    if record.held[me]:
        lines.append((paper.say("face.hand"), _by_family(record.hand[me], paper)))
    parts.append(_labelled(lines, _label_width(paper)))
    if any(_taken(record, me, deal, 1) for deal in range(1, 1 + record.deal_no)):
        parts.append(_past_deals(record, me, paper))
    parts.append(_packet(record, me, paper))
    return parts


def _shown_aside(record: Any, paper: Paper) -> list[tuple[str, RenderableType]]:
    if not record.shown_aside.any():
        return []
    return [(paper.say("face.aside"), _cards(record.shown_aside, paper))]


def _packet(record: Any, me: int, paper: Paper) -> RenderableType:
    """The cards to choose from, in frames if there is room, and those chosen already."""
    cards = [int(card) for card in record.packet[me] if card]
    line: RenderableType = _cards(cards, paper)
    if paper.room != Room.TIGHT and cards:
        line = Table.grid(padding=(0, 1, 0, 0))
        line.add_row(*(Panel(_card(card, paper), style=_colour(card)) for card in cards))
    lines = [(paper.say("face.packet"), line)]
    if record.chosen[me].any():
        lines.append((paper.say("face.chosen"), _cards(record.chosen[me], paper)))
    return _labelled(lines, _label_width(paper))


def _label_width(paper: Paper) -> int:
    """So that what is said of the draft stands in line."""
    labels = [paper.say(f"face.{name}") for name in ("serve", "aside", "hand", "packet", "chosen")]
    return max(len(label) for label in (*labels, paper.say("face.deal", {"number": 1})))


def _past_deals(record: Any, me: int, paper: Paper) -> RenderableType:
    """What the seat remembers of each deal: what it kept, burned and passed."""
    burns = draft_style(record) == KEEP_AND_BURN
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("", min_width=_label_width(paper))
    table.add_column(paper.say("face.kept"))
    if burns:
        table.add_column(paper.say("face.burned"))
    table.add_column(_passed_heading(record, me, paper))
    for deal in range(1, 1 + record.deal_no):
        if not _taken(record, me, deal, 1):
            break
        steps = range(1, 1 + PACKET)
        taken = [card for step in steps for card in _taken(record, me, deal, step)]
        kept = [card for card, burned in taken if not burned]
        cells = [_cards(kept, paper)]
        if burns:
            cells.append(_cards([card for card, burned in taken if burned], paper))
        passed = [_passed(record, me, deal, step) for step in steps]
        heaps = [_cards(cards, paper) for cards in passed if cards]
        cells.append(Text(" │ ").join(heaps) or NOTHING)
        table.add_row(Text(paper.say("face.deal", {"number": deal}), "dim"), *cells)
    return Padding(table, (0, 0, 0, INDENT), expand=False)


def _passed_heading(record: Any, me: int, paper: Paper) -> str:
    """To whom packets go; with another direction in every deal only that they go."""
    ways = {int(direction(record, deal)) for deal in (1, 2)}
    if len(ways) > 1 and record.players > 2:
        return paper.say("face.passed_on")
    after = seat_word((me + 1) % int(record.players), me)
    return paper.say("face.passed", {"next": after})


def _row(record: Any, me: int, deal: int, step: int) -> Any:
    """What a seat remembers of the packet that lay before it at a step of a deal."""
    moved = int(direction(record, deal)) * (step - 1)
    players = int(record.players)
    return record.remembered[me, (deal - 1) * players + (me - moved) % players]


def _taken(record: Any, me: int, deal: int, step: int) -> list[tuple[int, bool]]:
    """The cards a seat took at a step of a deal, each with whether it was burned."""
    style, row = draft_style(record), _row(record, me, deal, step)
    places = range(FIRST_TAKEN[style, step - 1], FIRST_TAKEN[style, step])
    return [(int(row[place]), is_burned(style, place)) for place in places if row[place]]


def _passed(record: Any, me: int, deal: int, step: int) -> list[int]:
    """The cards a seat passed on after a step of a deal."""
    if not _taken(record, me, deal, step):
        return []
    row = _row(record, me, deal, step)
    return [int(card) for card in row[FIRST_TAKEN[draft_style(record), step] :] if card]


# ---------------------------------------------------------------- the Court


def _play(view: Any, names: Sequence[str], paper: Paper) -> list[RenderableType]:
    record, me = view.record, view.seat
    parts = _court(view, names, paper)
    if record.phase == Phase.DEAL and not record.game_no:
        return parts
    lines = [] if record.phase in COUNTED else _shown_aside(record, paper)
    if me is not None and record.held[me]:
        lines.append((paper.say("face.hand"), _by_family(record.hand[me], paper)))
    if record.phase not in COUNTED:
        lines += _memory(record, me, paper)
    return [*parts, _labelled(lines)] if lines else parts


def _court(view: Any, names: Sequence[str], paper: Paper) -> list[RenderableType]:
    """The Court, beside it the families and, where it is wide enough, the seats."""
    record = view.record
    is_tight = paper.room == Room.TIGHT
    court = _cells(view, paper) if is_tight else _bricks(view, paper)
    width = max(line.cell_len for line in court) + INDENT + 3
    families, seats = _families(view, names, paper), _seats(view, names, paper)
    left = Group(*court)
    below = [] if is_tight and record.round_no > 1 else [_legend(record, paper)]
    side = Group(families, Text(), seats)
    if not is_tight and width + _width(side, paper) <= paper.width:
        return [_beside(left, side, width, paper), *below]
    if width + _width(families, paper) <= paper.width:
        return [_beside(left, families, width, paper), seats, *below]
    return [Padding(left, (0, 0, 0, INDENT)), _families_in_line(view, paper), seats, *below]


def _width(part: RenderableType, paper: Paper) -> int:
    """How many columns something would like to have."""
    unbounded = paper.console.options.update(width=sys.maxsize)
    return Measurement.get(paper.console, unbounded, part).maximum


def _beside(
    left: RenderableType, right: RenderableType, width: int, paper: Paper
) -> RenderableType:
    grid = Table.grid()
    grid.add_column(width=width - INDENT)
    grid.add_column(width=_width(right, paper))
    grid.add_row(left, right)
    return Padding(grid, (0, 0, 0, INDENT), expand=False)


def _bricks(view: Any, paper: Paper) -> list[Text]:
    """The Court as a wall, each row half a brick aside of the one below."""
    lines = []
    for row in range(4, 0, -1):
        slots = [slot for slot in range(SLOTS) if ROW[slot] == row]
        margin = " " * ((row - 1) * BRICK // 2)
        tops = [_top(view, slot) for slot in slots]
        fills = [_fill(view, slot, paper) for slot in slots]
        lines.append(_course(margin, tops, "┌┬┐"))
        lines.append(_course(margin, fills, "│││"))
    lines.append(_course("", [Text("─" * (BRICK - 1), "dim")] * len(slots), "└┴┘"))
    return lines


def _course(margin: str, bricks: Sequence[Text], joints: str) -> Text:
    first, between, last = (Text(joint, "dim") for joint in joints)
    return Text.assemble(margin, first, between.join(bricks), last)


def _top(view: Any, slot: int) -> Text:
    """The upper edge of a brick: the name of its slot, and how many cards of the hand go there."""
    count = _fitting(view, slot)
    joint = "─" if slot == 0 else "┴"
    mark = f"+{count}" if count else ""
    return Text.assemble(
        (slot_name(slot), "bold green" if count else "dim"),
        (f"─{joint}", "dim"),
        ("─" * (BRICK - 6 - len(mark)), "dim"),
        (mark, "bold green"),
    )


def _fill(view: Any, slot: int, paper: Paper) -> Text:
    """The inside of a brick: its card and what may cover it, or what it waits for."""
    card = int(view.record.court[slot])
    detail = _detail(view.record, slot, paper)
    if not card:
        detail.align("center", BRICK - 1)
        return detail
    line = Text.assemble(" ", _courtier(view, card, paper), detail)
    line.pad_right(BRICK - 1 - line.cell_len)
    return line


def _cells(view: Any, paper: Paper) -> list[Text]:
    """The Court with one line a row."""
    lines = []
    for row in range(4, 0, -1):
        line = Text(" " * ((row - 1) * CELL // 2))
        for slot in (slot for slot in range(SLOTS) if ROW[slot] == row):
            cell = _cell(view, slot, paper)
            cell.pad_right(CELL - cell.cell_len)
            line.append_text(cell)
        line.rstrip()
        lines.append(line)
    return lines


def _cell(view: Any, slot: int, paper: Paper) -> Text:
    card, count = int(view.record.court[slot]), _fitting(view, slot)
    shown = _courtier(view, card, paper) if card else Text()
    style = "bold green" if count else "dim"
    mark = "+" if count else " "
    return Text.assemble((slot_name(slot) + mark, style), shown, _detail(view.record, slot, paper))


def _courtier(view: Any, card: int, paper: Paper) -> Text:
    """A card of the Court; those of the reader's own family stand out."""
    record, me = view.record, view.seat
    shown = _card(card, paper)
    if me is not None and record.serves[me] and FAMILY[record.serves[me]] == FAMILY[card]:
        shown.stylize("bold reverse")
    shown.pad_right(4 - shown.cell_len)
    return shown


def _fitting(view: Any, slot: int) -> int:
    """How many cards of the hand may be laid on a slot, while cards are laid."""
    record, me = view.record, view.seat
    if me is None or record.phase != Phase.PLAY:
        return 0
    return sum(slot in _slots(record, int(card)) for card in record.hand[me] if card)


def _detail(record: Any, slot: int, paper: Paper) -> Text:
    """What a slot takes; when points are counted, what its card scores."""
    card = int(record.court[slot])
    if record.phase in COUNTED:
        return Text(str(RANK[card] * ROW[slot]), "dim") if card else NOTHING.copy()
    if card:
        return Text(_covering(record, int(RANK[card]), paper), "dim")
    families = [family for family in range(FAMILIES) if record.opens[family] >> slot & 1]
    if families:
        return Text.assemble(*((_symbol(family, paper), COLOURS[family]) for family in families))
    supports = (int(SUPPORT[slot]), int(SUPPORT[slot]) + 1)
    missing = [support for support in supports if not record.court[support]]
    if len(missing) == 1:
        return Text(paper.say("face.lacks", {"slot": slot_name(missing[0])}), "dim")
    return NOTHING.copy()


def _covering(record: Any, rank: int, paper: Paper) -> str:
    """The ranks that may cover a rank: in every order they follow each other, from itself on."""
    count = int(COVERED_BY[record.order, rank]).bit_count()
    last = (rank + count - 2) % RANKS + 1
    return _rank(rank, paper) if count == 1 else f"{_rank(rank, paper)}–{_rank(last, paper)}"


def _legend(record: Any, paper: Paper) -> RenderableType:
    key = "face.legend_points" if record.phase in COUNTED else "face.legend_play"
    return Padding(Text(paper.say(key), "dim italic"), (0, 0, 0, INDENT))


# ---------------------------------------------------------------- §9 the families


def _families(view: Any, names: Sequence[str], paper: Paper) -> RenderableType:
    """What each family would score now, and whose it is, as far as the reader knows."""
    scores = [str(points(view.record.court, family)) for family in range(FAMILIES)]
    lines = []
    for family, score in enumerate(scores):
        line = Text(_symbol(family, paper), COLOURS[family])
        line.append(f"  {score:>{max(map(len, scores))}}", "bold default")
        line.append(f"  {_whose(view, family, names, paper)}", "not bold dim default")
        line.rstrip()
        lines.append(line)
    return Group(*lines)


def _families_in_line(view: Any, paper: Paper) -> RenderableType:
    families = []
    for family in range(FAMILIES):
        line = Text(_symbol(family, paper), COLOURS[family])
        line.append(f" {points(view.record.court, family)}", "bold default")
        if whose := _whose(view, family, (), paper):
            line.append(f" {whose}", "not bold dim default")
        families.append(line)
    return Padding(Text("   ").join(families), (0, 0, 0, INDENT))


def _whose(view: Any, family: int, names: Sequence[str], paper: Paper) -> str:
    record = view.record
    for seat in range(int(record.players)):
        king = int(record.revealed[seat] or record.serves[seat])
        if king and FAMILY[king] == family:
            if seat == view.seat:
                return paper.say("face.you")
            return names[seat] if names else paper.say("seat.name", {"number": seat})
    is_dead = any(FAMILY[king] == family for king in record.shown_aside if king)
    return paper.say("face.dead") if is_dead else ""


# ---------------------------------------------------------------- §11 the memory


def _memory(record: Any, me: int | None, paper: Paper) -> list[tuple[str, RenderableType]]:
    """The discard and, for a seat, where each card that it does not see may be, or surely is."""
    lines: list[tuple[str, RenderableType]] = []
    is_tight = paper.room == Room.TIGHT
    if record.discard_size and not is_tight:
        discard = [_card(card, paper) for card in record.discard[: record.discard_size]]
        lines.append((paper.say("face.discard"), Text(" ").join(discard)))
    if me is None:
        return lines
    places = whereabouts(record, me)
    heaps: dict[str, list[int]] = {}
    if (burned := _burned_by(record, me)) and not is_tight:
        heaps[_holders(frozenset({BURNED}), paper)] = burned
    for card in sorted(places, key=lambda card: (len(places[card]), sorted(places[card]))):
        if is_tight and len(places[card]) > 1:
            break
        heaps.setdefault(_holders(places[card], paper), []).append(card)
    return lines + [(holders, _by_family(cards, paper)) for holders, cards in heaps.items()]


def _burned_by(record: Any, me: int) -> list[int]:
    """The cards that a seat burned."""
    steps = [(deal, step) for deal in range(1, 1 + record.deal_no) for step in range(1, 1 + PACKET)]
    taken = [card for deal, step in steps for card in _taken(record, me, deal, step)]
    return [card for card, burned in taken if burned]


def _holders(holders: frozenset[int], paper: Paper) -> str:
    """Who may have a card, in words."""
    if len(holders) > 2:
        return paper.say("face.elsewhere")
    if holders == {BURNED}:
        return paper.say("face.burned_cards")
    others = {BURNED: "face.or_burned", ASIDE: "face.or_aside"}
    words = [
        paper.say(others.get(holder, "seat.name"), {"number": holder}) for holder in sorted(holders)
    ]
    return paper.say("face.or").join(words)


@dataclass
class Heap:
    """Cards of which it is known who may have them; if matched, each holder has one of them."""

    cards: set[int]
    holders: list[int]
    is_matched: bool = True


def whereabouts(record: Any, me: int) -> dict[int, frozenset[int]]:
    """Return for each card that a seat does not see who may have it, by what it has seen.

    Cards that were passed on together went to one taker each, so one that is laid tells of the
    others; an exchange that the seat has no part in blurs what it knows of both hands.
    """
    heaps = list(_passed_heaps(record, me))
    exchange = 0
    for entry in record.log[: record.log_size]:
        move, seat = MOVES[entry % BY_SEAT], int(entry // BY_SEAT)
        if move.kind == Kind.LAY:
            _take_out(heaps, int(move.card), seat)
        elif move.kind == Kind.GIVE:
            _exchange(heaps, record, me, exchange)
            exchange += 1
    known = {card: frozenset(heap.holders) for heap in heaps for card in heap.cards}
    empty = {seat for seat in range(int(record.players)) if not record.held[seat]}
    unseen = {card for card in Card if card} - _seen(record, me)
    return {card: known.get(card, _anywhere(record, me, card)) - empty for card in unseen}


def _seen(record: Any, me: int) -> set[int]:
    places = (record.court, record.discard, record.removed, record.shown_aside, record.hand[me])
    seen = {int(card) for place in places for card in place}
    return seen | {int(record.king[me]), *_burned_by(record, me)}


def _anywhere(record: Any, me: int, card: int) -> frozenset[int]:
    """Where a card may be of which nothing is known but that it is out of sight."""
    holders = {seat for seat in range(int(record.players)) if seat != me}
    if RANK[card] == KING:
        is_aside = record.players < FAMILIES and not record.shown_aside.any()
        return frozenset(holders | {ASIDE} if is_aside else holders)
    return frozenset(holders | {BURNED} if record.burned_size else holders)


def _passed_heaps(record: Any, me: int) -> Iterator[Heap]:
    """The cards of each packet that a seat passed on, with those who took them after it."""
    style, players = draft_style(record), int(record.players)
    for number, row in enumerate(record.remembered[me]):
        way = int(direction(record, number // players + 1))
        takers = [(number + way * (int(step) - 1)) % players for step in TAKEN_AT[style]]
        mine = [place for place in range(PACKET) if takers[place] == me and row[place]]
        if not mine:
            continue
        holders = [BURNED if is_burned(style, place) else takers[place] for place in range(PACKET)]
        for place in range(mine[0], mine[-1]):
            if takers[place] != me:  # a packet that came back shows what went
                yield Heap({int(row[place])}, [holders[place]])
        after = slice(mine[-1] + 1, PACKET)
        yield Heap({int(card) for card in row[after]}, holders[after])


def _take_out(heaps: Sequence[Heap], card: int, holder: int) -> None:
    """A card comes to light from somebody's hand."""
    for heap in heaps:
        if card in heap.cards:
            heap.cards.remove(card)
            if heap.is_matched:
                heap.holders.remove(holder)


def _exchange(heaps: list[Heap], record: Any, me: int, exchange: int) -> None:
    """A Jack has moved two cards: known to its parties, and a blur to all others."""
    parties = [int(record.giver[exchange]) - 1, int(record.receiver[exchange]) - 1]
    if me in parties:
        mine = parties.index(me)
        other = parties[1 - mine]
        cards = [int(record.exchanged[me, exchange, column]) for column in (GIVEN, DRAWN)]
        _take_out(heaps, cards[1 - mine], other)
        heaps.append(Heap({cards[mine]}, [other]))
        return
    for heap in heaps:
        if set(parties) & set(heap.holders):
            heap.holders = sorted({*heap.holders, *parties})
            heap.is_matched = False
