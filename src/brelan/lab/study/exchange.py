"""What a card is worth: the same deal with two cards exchanged, played again.

Deals are given by hand, for both to be the same in all other cards: see `cards=` of a deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from brelan.engine.driver import luck_of_deal
from brelan.engine.match_driver import luck_of_seed
from brelan.lab.study.table import Rows, StudyTable, row_type
from brelan.lab.study.watch import DEALT

Packs = npt.NDArray[np.int16]


def exchange(table: StudyTable, pairs: range, seed: int) -> dict[str, npt.NDArray[Any]]:
    """Play pairs of deals; return a row for each seat whose first cards differ by one card.

    `won` is the seat's share of the win with the card, `won_other` with the one that lies in its
    place in the other deal of the pair, in which the bots decide anew.
    """
    luck = np.random.default_rng([seed, pairs.start])
    draws = [_draw(table, luck) for _ in pairs]
    packs = np.array([pack for draw in draws for pack in draw], np.int16)
    packs = packs.reshape(len(draws) * 2, len(table.game.pack))
    rows = _rows(table, pairs, seed)
    events, _ = table.play(rows, packs)
    found: list[tuple[Any, ...]] = []
    for number, pair in enumerate(pairs):
        one, other = 2 * number, 2 * number + 1
        for seat in range(table.game.players):
            change = events[one, seat, :, DEALT] - events[other, seat, :, DEALT]
            if change.any() and np.abs(change).sum() == 2:
                won = rows["won"][[one, other], seat]
                found.append((pair, seat, int(change.argmax()), int(change.argmin()), *won))
    names = ("pair", "seat", "card", "other", "won", "won_other")
    types = (np.int64, np.int8, np.int16, np.int16, np.float64, np.float64)
    columns = zip(*found, strict=True) if found else [()] * len(names)
    return {
        name: np.array(values, kind)
        for name, values, kind in zip(names, columns, types, strict=True)
    }


def _draw(table: StudyTable, luck: np.random.Generator) -> tuple[Packs, Packs]:
    """Return two orders of all cards: one of the first cards of a seat is exchanged in one."""
    one = np.concatenate([luck.permutation(np.array(p, np.int16)) for p in table.game.packs])
    dealt, other = table.dealt_places, one.copy()
    for place in luck.permutation(np.array(list(dealt), np.int64)).tolist():
        begin, end = next(span for span in table.spans if span[0] <= place < span[1])
        others = np.flatnonzero(one[begin:end] != one[place]) + begin
        others = others[table.owners[others] != dealt[place]]
        if len(others):
            there = others[luck.integers(len(others))]
            other[place], other[there] = one[there], one[place]
            break
    return one, other


def _rows(table: StudyTable, pairs: range, seed: int) -> Rows:
    """Return two rows for each pair, with the same luck."""
    rows = np.zeros(2 * len(pairs), row_type(table.game))
    luck = table.game.folder.library("interpreted")(luck_of_deal)
    word = luck_of_seed(seed)
    lucks = [int(luck(word, pair)) for pair in pairs]
    rows["luck"] = np.repeat(np.array(lucks, np.uint64), 2)
    rows["deal"] = np.repeat(np.array(list(pairs), np.int64), 2)
    return rows
