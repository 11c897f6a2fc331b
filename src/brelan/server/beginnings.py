"""How a match begins: with a deal, or in the middle of another match that is over.

A match that goes on from a decision of another one brings that match along, so it needs nothing
else to be played again. Either its cards lie as they lay there, and its luck is that of the other
match; or what the seat did not see was drawn again, by a number that follows from the new secret.
So anybody can work it out again when it is over. But who sits there may know the other match, and
the house knew the secret before anybody saw its hash: it is no deal that was sealed.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import numpy as np

from brelan.analysis.what_if import drawn_again
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.errors import BadSave
from brelan.server.messages import Beginning, Exported, Origin, encode
from brelan.server.takebacks import standing

NUMBER = np.dtype("<i2")  # a position is kept as numbers of 16 bits, as views are sent
MOST_DEEP = 8  # matches that go on from each other


class Named(msgspec.Struct):
    """The other match, by the id of its table."""

    table: str


class Glance(msgspec.Struct):
    """A beginning as lists tell of it."""

    source: Named
    seat: int
    ply: int
    as_dealt: bool


def begun(game: Game, seed: str, beginning: Beginning | None) -> Match:
    """Return a match at its beginning, which was checked; BadSave if it is of other rules."""
    if beginning is None:
        return Match(game, seed, None)
    if beginning.position is not None:
        return Match.from_position(game, _state(game, beginning.position), seed)
    source = beginning.source
    match = begun(game, seed, source.beginning or None)
    for event in standing(source.events):
        if match.ply >= beginning.ply:
            break
        if event.number is not None:
            match.follow([event.number])
    return match


def replayed(game: Game, seed: str, beginning: Beginning | None, numbers: list[int]) -> Match:
    """Return a match after moves of its seats, by number; it keeps no past states."""
    match = begun(game, seed, beginning)
    match.release()
    match.follow(numbers)
    return match


def drawn_position(match: Match, seat: int, ply: int, seed: str) -> dict[str, list[int]]:
    """Return what all places hold before a decision, the seed having drawn what is hidden."""
    key = bytes.fromhex(seed)
    digest = hashlib.blake2b(b"brelan position", key=key, digest_size=8).digest()
    state = drawn_again(match, seat, ply, int.from_bytes(digest, "little"))
    return {name: _numbers(state[name]) for name in _names(match.game)}


def check(file: Exported, beginning: Beginning, seed: str, source: Match) -> None:
    """Refuse a beginning that does not follow from its source and from the seed of the match."""
    there = beginning.source
    if (file.game, file.rules, file.knobs) != (there.game, there.rules, there.knobs):
        raise BadSave("it goes on from a match of another game, or with other knobs")
    if beginning.ply >= source.ply or _mover(source, beginning.ply) != beginning.seat:
        raise BadSave(f"seat {beginning.seat} decided nothing at ply {beginning.ply} of its source")
    if beginning.as_dealt:
        if (file.secret, file.nonces) != (there.secret, there.nonces) or beginning.position:
            raise BadSave("its cards are not those of the match that it goes on from")
    elif beginning.position != drawn_position(source, beginning.seat, beginning.ply, seed):
        raise BadSave("its hidden cards were not drawn by its secret, or by another Brelan")


def depth(file: Exported) -> int:
    """Return how many matches a match goes on from, one before the other."""
    count, beginning = 0, file.beginning
    while beginning:
        count, beginning = count + 1, beginning.source.beginning
    return count


def kept(beginning: Beginning) -> str:
    """Return a beginning as it is stored."""
    return encode(beginning).decode()


def read(text: str | None) -> Beginning | None:
    """Return a beginning that is stored."""
    return None if text is None else msgspec.json.decode(text, type=Beginning)


def glance(text: str | None) -> Glance | None:
    """Return what a list tells of a beginning that is stored; the rest is passed over."""
    return None if text is None else msgspec.json.decode(text, type=Glance)


def origin(found: Beginning | Glance | None, *, is_known: bool) -> Origin | None:
    """Return what is told of a beginning; where it is not known, its table is left out."""
    if found is None:
        return None
    return Origin(found.source.table if is_known else None, found.seat, found.ply, found.as_dealt)


def _mover(match: Match, ply: int) -> int | None:
    return match.view(None).history[ply].seat


def _names(game: Game) -> list[str]:
    """Return the places that a position tells of: all but the knobs."""
    return [name for name in game.folder.layout.places if name not in game.folder.knobs]


def _numbers(value: Any) -> list[int]:
    numbers: list[int] = np.frombuffer(np.ascontiguousarray(value).tobytes(), NUMBER).tolist()
    return numbers


def _state(game: Game, position: dict[str, list[int]]) -> Any:
    """Return the state in which all places hold what a position says."""
    state = game.blank()
    if set(position) != set(_names(game)):
        raise BadSave("the position has other places than these rules")
    for name, numbers in position.items():
        place = state[name]
        content = np.array(numbers, NUMBER).tobytes()
        if len(content) != place.nbytes:
            raise BadSave(f"the position has another place {name} than these rules")
        state[name] = np.frombuffer(content, place.dtype).reshape(place.shape)
    return state
