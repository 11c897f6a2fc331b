"""The figures of cards: what becomes of them, and what they are worth."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from brelan.engine.game import Game
from brelan.i18n import LANGUAGES
from brelan.lab.study.figures import CardEvent, CardFigure, Figure, Names
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.intervals import COUNT, SHARE, Values, difference_of, mean_of, ratio_of
from brelan.lab.study.plan import EXCHANGE
from brelan.rules import Cards

if TYPE_CHECKING:
    import polars

GAIN = (-1.0, 1.0)  # between two shares of a win
EVENTS = ("dealt", "held", "played", "targeted")


def card_figures(
    folder: StudyFolder,
    game: Game,
    level: str,
    table: polars.DataFrame,
    deals: int,
    won: Values,
) -> list[CardFigure]:
    """Return the figures of every kind of card; `won` are the wins of all matches and seats."""
    copies = Counter(game.pack)
    values = _values(folder.table(level, EXCHANGE, "exchanges"))
    columns = {name: table[name].to_numpy() for name in table.columns}
    order = np.argsort(columns["card"], kind="stable") if columns else np.zeros(0, np.int64)
    cards = columns["card"][order] if columns else order
    found = []
    for card in sorted(copies):
        rows = order[slice(*np.searchsorted(cards, [card, card + 1]))]
        one = {name: column[rows] for name, column in columns.items()}
        events = {name: _event(one, name, deals, won) for name in EVENTS} if columns else {}
        found.append(
            CardFigure(
                int(card),
                str(card.printed),
                card_names(game, card),
                copies[card],
                dealt=events.get("dealt"),
                held=events.get("held"),
                played=events.get("played"),
                targeted=events.get("targeted"),
                value=values.get(int(card)),
                the=card_names(game, card, "the"),
            )
        )
    return found


def card_names(game: Game, card: Cards, form: str = "name") -> Names:
    """Return what a card is called, in a form of its word; nothing if there is no such form.

    A game whose story has no word for its cards shows what is printed on them.
    """
    word_of = getattr(game.folder.story, "card_word", None)
    if word_of is None:
        return dict.fromkeys(LANGUAGES, str(card.printed)) if form == "name" else {}
    word = word_of(int(card))
    texts = {lang: game.folder.texts(lang) for lang in LANGUAGES}
    key = f"{word.key}.{form}"
    return {lang: each(key, word.args) for lang, each in texts.items() if key in each.entries}


def _event(columns: dict[str, Values], name: str, deals: int, won: Values) -> CardEvent | None:
    """Return what happens to a card, and to the seats that it happens to."""
    times = columns[name].astype(np.float64)
    if not times.any():
        return None
    deal, happened = columns["deal"], times > 0
    players = won.shape[1]
    matches = len(won) / deals
    seats = np.bincount(deal[happened], minlength=deals).astype(np.float64)
    wins = np.bincount(deal[happened], weights=columns["won"][happened], minlength=deals)
    others = np.full(deals, matches * players) - seats
    their_wins = np.full(deals, matches) - wins  # in each match one win is shared
    return CardEvent(
        mean_of(np.bincount(deal, weights=times, minlength=deals) / matches, COUNT),
        float(seats.sum() / (len(won) * players)),
        ratio_of(wins, seats, SHARE),
        difference_of((wins, seats), (their_wins, others)),
    )


def _values(table: polars.DataFrame) -> dict[int, Figure]:
    """Return what each card is worth against another one in its place."""
    if not table.height:
        return {}
    gain = (table["won"] - table["won_other"]).to_numpy()
    pair = np.concatenate([table["pair"].to_numpy()] * 2)
    card = np.concatenate([table["card"].to_numpy(), table["other"].to_numpy()])
    gain = np.concatenate([gain, -gain])
    found = {}
    for each in np.unique(card):
        is_this = card == each
        count = np.bincount(pair[is_this])
        total = np.bincount(pair[is_this], weights=gain[is_this])
        found[int(each)] = mean_of((total / np.maximum(count, 1))[count > 0], GAIN, 0.0)
    return found
