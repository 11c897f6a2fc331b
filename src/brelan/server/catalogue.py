"""What a client must know before it plays: games, vocabularies, texts, rulebooks."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import msgspec

from brelan import bots, i18n
from brelan import games as ids
from brelan.engine import vocabulary as words
from brelan.engine.folder import open_folder
from brelan.engine.game import Game
from brelan.errors import Refused
from brelan.server.messages import (
    REACTIONS,
    GameInfo,
    KnobInfo,
    Member,
    PlaceInfo,
    Refusal,
    Vocabulary,
    Worded,
)
from brelan.server.wire import text


def games(compiled: Mapping[str, bool], prepared: Mapping[str, float]) -> list[GameInfo]:
    """Return each game with its knobs, presets and bots, and how far it is compiled."""
    return [
        msgspec.structs.replace(
            _game(name), compiled=compiled.get(name, False), prepared=prepared.get(name, 0.0)
        )
        for name in ids()
    ]


@functools.cache
def _game(name: str) -> GameInfo:
    folder = open_folder(name)
    game = Game(folder, folder.knobs.settle({}))
    players = folder.knobs["players"]
    return GameInfo(
        id=name,
        rules=folder.version,
        players=[int(count) for count in players.values],
        default_players=int(players.default),
        knobs=[
            KnobInfo(
                name=knob.name,
                section=knob.section,
                values=list(knob.values),
                default=knob.default,
                by_players={str(count): value for count, value in knob.by_players.items()},
                only_for={str(value): list(seats) for value, seats in knob.only_for.items()},
            )
            for knob in folder.knobs.values()
        ],
        presets=folder.knobs.presets,
        bots=[name for name in bots.all_names(game) if name != bots.LEARNED],
        draws=bool(getattr(folder.rules, "DRAWS_BY_AGREEMENT", False)),
        reactions=list(REACTIONS),
        compiled=False,
        prepared=0.0,
    )


def vocabulary(name: str, asked: Mapping[str, str]) -> Vocabulary:
    """Return what the numbers of a variant mean; its knobs are given by name."""
    if name not in ids():
        raise Refusal("no_such_game", 404, games=list(ids()))
    folder = open_folder(name)
    try:
        game = Game(folder, folder.knobs.settle(asked))
    except Refused as error:
        raise Refusal("bad_variant", 422, why=str(error)) from None
    return _vocabulary(game.variant, tuple(sorted(game.knobs.items())), name)


@functools.lru_cache(maxsize=64)
def _vocabulary(variant: str, knobs: tuple[tuple[str, Any], ...], name: str) -> Vocabulary:
    folder = open_folder(name)
    game = Game(folder, dict(knobs))
    columns, rows = words.move_rows(game)
    named = words.enumerations(game)
    return Vocabulary(
        variant=variant,
        rules=folder.version,
        places=[PlaceInfo(**place) for place in words.places(game)],
        enumerations={
            kind: [Member(**member) for member in members] for kind, members in named.items()
        },
        columns=columns,
        moves=rows,
        wordings=[_wordings(game, seat) for seat in range(game.players)],
    )


def _wordings(game: Game, seat: int) -> list[Worded | None]:
    """Return how each move of a seat is written and said; None: it follows from the view."""
    known = words.wordings(game)
    found = (known.wording(number, seat) for number in range(len(game.folder.cards.MOVES)))
    return [None if each is None else Worded(each.notation, text(each.label)) for each in found]


@functools.cache
def texts(lang: str, game: str | None = None) -> dict[str, dict[str, str]]:
    """Return the texts of every game, or of one, in a language, those of the house among them."""
    if lang not in i18n.LANGUAGES:
        raise Refusal("no_such_language", 404, languages=list(i18n.LANGUAGES))
    if game is not None and game not in ids():
        raise Refusal("no_such_game", 404, games=list(ids()))
    return {name: open_folder(name).texts(lang).entries for name in ids() if game in (None, name)}


def rulebook(name: str, lang: str) -> str:
    """Return a rulebook."""
    if name not in ids():
        raise Refusal("no_such_game", 404, games=list(ids()))
    if lang not in i18n.LANGUAGES:
        raise Refusal("no_such_language", 404, languages=list(i18n.LANGUAGES))
    return open_folder(name).rulebook(lang)
