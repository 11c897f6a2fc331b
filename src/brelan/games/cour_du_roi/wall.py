"""Cards and the Court of La cour du Roi as a terminal shows them: a wall of bricks.

Every brick says what it takes: the ranks that may cover its card or, if it is empty, the families
of its supports. That answers both where a card may go and why it may not go elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.text import Text

from .cards import COVERED_BY, FAMILIES, FAMILY, RANK, RANKS, ROW, SLOTS, SUPPORT
from .court import slots_for
from .state import Phase
from .story import card_word, family_word, rank_word, slot_name

Say = Callable[..., str]  # a key of texts and its facts, in the reader's language

COLOURS = ("bright_red", "dark_orange", "green", "bright_blue")  # of ♥ ♦ ♣ ♠
COUNTED = (Phase.SCORE, Phase.DEAL, Phase.OVER)
BRICK = 10  # columns from one brick to the next; half of it from one row to the next
CELL = 14  # the same when there is room for one line a row only
NOTHING = Text("·", "dim")


# ---------------------------------------------------------------- cards


def card_text(card: int, say: Say) -> Text:
    """Return a card as symbol and rank, in the colour of its family."""
    return Text(say("card.short", card_word(int(card)).args), COLOURS[FAMILY[card]])


def cards_text(cards: Any, say: Say) -> Text:
    """Return cards whose order means nothing, family after family."""
    ordered = sorted(int(card) for card in cards if card)
    return Text(" ").join(card_text(card, say) for card in ordered) or NOTHING


def rank_text(rank: int, say: Say) -> str:
    """Return the letter or number of a rank."""
    word = rank_word(rank)
    return say(f"{word.key}.short", word.args)


def symbol(family: int, say: Say) -> str:
    """Return the symbol of a family."""
    return say(f"{family_word(family).key}.symbol")


# ---------------------------------------------------------------- the wall


def bricks(view: Any, say: Say) -> list[Text]:
    """Draw the Court as a wall, each row half a brick aside of the one below."""
    lines = []
    for row in range(4, 0, -1):
        slots = [slot for slot in range(SLOTS) if ROW[slot] == row]
        margin = " " * ((row - 1) * BRICK // 2)
        lines.append(_course(margin, [_top(view, slot) for slot in slots], "┌┬┐"))
        lines.append(_course(margin, [_fill(view, slot, say) for slot in slots], "│││"))
    lines.append(_course("", [Text("─" * (BRICK - 1), "dim")] * len(slots), "└┴┘"))
    return lines


def _course(margin: str, parts: Sequence[Text], joints: str) -> Text:
    first, between, last = (Text(joint, "dim") for joint in joints)
    return Text.assemble(margin, first, between.join(parts), last)


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


def _fill(view: Any, slot: int, say: Say) -> Text:
    """The inside of a brick: its card and what may cover it, or what it waits for."""
    card = int(view.record.court[slot])
    detail = _detail(view.record, slot, say)
    if not card:
        detail.align("center", BRICK - 1)
        return detail
    line = Text.assemble(" ", _courtier(view, card, say), detail)
    line.pad_right(BRICK - 1 - line.cell_len)
    return line


def cells(view: Any, say: Say) -> list[Text]:
    """Draw the Court with one line a row."""
    lines = []
    for row in range(4, 0, -1):
        line = Text(" " * ((row - 1) * CELL // 2))
        for slot in (slot for slot in range(SLOTS) if ROW[slot] == row):
            cell = _cell(view, slot, say)
            cell.pad_right(CELL - cell.cell_len)
            line.append_text(cell)
        line.rstrip()
        lines.append(line)
    return lines


def _cell(view: Any, slot: int, say: Say) -> Text:
    card, fits = int(view.record.court[slot]), _fitting(view, slot) > 0
    name = Text(slot_name(slot) + ("+" if fits else " "), "bold green" if fits else "dim")
    shown = _courtier(view, card, say) if card else Text()
    return Text.assemble(name, shown, _detail(view.record, slot, say))


def _courtier(view: Any, card: int, say: Say) -> Text:
    """A card of the Court; those of the reader's own family stand out."""
    record, me = view.record, view.seat
    shown = card_text(card, say)
    if me is not None and record.serves[me] and FAMILY[record.serves[me]] == FAMILY[card]:
        shown.stylize("bold reverse")
    shown.pad_right(4 - shown.cell_len)
    return shown


def _fitting(view: Any, slot: int) -> int:
    """How many cards of the hand may be laid on a slot, while cards are laid."""
    record, me = view.record, view.seat
    if me is None or record.phase != Phase.PLAY:
        return 0
    return sum(int(slots_for(record, card)) >> slot & 1 for card in record.hand[me] if card)


def _detail(record: Any, slot: int, say: Say) -> Text:
    """What a slot takes; when points are counted, what its card scores."""
    card = int(record.court[slot])
    if record.phase in COUNTED:
        return Text(str(RANK[card] * ROW[slot]), "dim") if card else NOTHING.copy()
    if card:
        return Text(_covering(record, int(RANK[card]), say), "dim")
    families = [family for family in range(FAMILIES) if record.opens[family] >> slot & 1]
    if families:
        return Text.assemble(*((symbol(family, say), COLOURS[family]) for family in families))
    supports = (int(SUPPORT[slot]), int(SUPPORT[slot]) + 1)
    missing = [support for support in supports if not record.court[support]]
    if len(missing) == 1:
        return Text(say("face.lacks", {"slot": slot_name(missing[0])}), "dim")
    return NOTHING.copy()


def _covering(record: Any, rank: int, say: Say) -> str:
    """The ranks that may cover a rank: in every order they follow each other, from itself on."""
    count = int(COVERED_BY[record.order, rank]).bit_count()
    last = (rank + count - 2) % RANKS + 1
    return rank_text(rank, say) if count == 1 else f"{rank_text(rank, say)}–{rank_text(last, say)}"
