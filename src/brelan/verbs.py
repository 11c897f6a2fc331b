"""The generic words: one vocabulary for all games.

Each game's folder gives them their meaning: a function of the same name. A word means nothing by
itself; in code that a `Machine` has linked for a game, it is that game's own rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brelan.words import clear, rule

WORDS: list[Callable[..., Any]] = []

SHAPING = 0.2  # of what a match is worth, how much lies in the score and not in the win
SPAN = 10.0  # a lead of so many points is half of the greatest
NO_MOVE = -1


def _word(function: Callable[..., Any]) -> Callable[..., Any]:
    WORDS.append(function)
    return function


@_word
def start(state: Any, cards: Any, stacked: bool) -> None:
    """Set up a match with these cards; they lie in an order given by hand (stacked) or in none."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def legal_moves(state: Any, desk: Any) -> None:
    """Write on the desk what the seat in turn may do: `desk.count` numbers in `desk.moves`."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def play(state: Any, number: int) -> None:
    """Make a move of the seat in turn, or of the table."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def imagine(world: Any, seat: int, desk: Any) -> None:
    """Complete a seat's view, in place, into a world that fits all it knows, by the desk's luck."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def score(state: Any, scores: Any, winners: Any) -> None:
    """Write each seat's score so far, and whether it has won (nobody: a draw, or not over)."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def choose(bot: int, view: Any, desk: Any) -> int:
    """Return which of the legal moves on the desk one of the game's own bots makes."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
def measure(state: Any, number: int, desk: Any) -> None:
    """Add what a move has brought about to the metrics on the desk."""
    raise TypeError("a generic word must be linked by a Machine")


@_word
@rule
def outlook(state: Any, desk: Any) -> bool:
    """Say whether the match has come to rest, and what it is then worth to each seat.

    It is asked when the table has the turn. A game whose matches go over many rounds may give the
    word a meaning of its own, and rest after each of them; otherwise a match rests at its end, and
    is worth a win, and a little of how far ahead the seat is. Values lie between 0 and 1, or near.
    """
    legal_moves(state, desk)
    if desk.count > 0:
        return False
    score(state, desk.scores, desk.winners)
    winners = 0
    for seat in range(state.players):
        winners += desk.winners[seat]
    for seat in range(state.players):
        ahead = 1.0 * lead(desk.scores, seat, state.players)
        won = desk.winners[seat] / winners if winners > 0 else 1.0 / state.players
        desk.values[seat] = (1 - SHAPING) * won + SHAPING * ahead / (SPAN + abs(ahead))
    return True


@_word
@rule
def credence(world: Any, seat: int, desk: Any) -> None:
    """Say how well a world explains to a seat what the others did; it is used up by that.

    A game may give the word a meaning of its own, and write in `desk.values` for each of the others
    how much likelier the strongest of its quick bots would have done so than one who plays at
    random, as a logarithm. Without it, the search plays what they did again to see that.
    """
    clear(desk.values)


@_word
@rule
def likelihood(bot: Any, view: Any, number: int, desk: Any) -> float:
    """Return how likely one of the game's own bots makes one of the legal moves on the desk.

    A game with few hidden cards gives this word and the next two a meaning of its own. Then the
    search goes through all that may have happened since the deal, or follows many worlds from it.
    """
    return 0.0


@_word
@rule
def uncover(world: Any, view: Any, seat: int, desk: Any) -> float:
    """Give each blank card that somebody looks at a face; return how likely it has this one.

    What lies in a place that nobody has looked at is blank. A seat's own card has the face that it
    sees in its view, another's any (`one_of`).
    """
    return 0.0


@_word
@rule
def complete(world: Any, desk: Any) -> None:
    """Deal what nobody has looked at anew, blank or not, by the desk's luck."""


TOGETHER = (likelihood, uncover, complete)  # a game gives all of them a meaning of its own, or none


@_word
@rule
def surest(view: Any, desk: Any) -> int:
    """Return the move that the game can prove to be best in a view, or NO_MOVE.

    A game whose end can be solved gives the word a meaning of its own.
    """
    return NO_MOVE


@rule
def lead(scores: Any, seat: int, players: int) -> Any:
    """Return by how much a seat is ahead of the best of the others."""
    best = -(2**31)
    for other in range(players):
        if other != seat:
            best = max(best, scores[other])
    return scores[seat] - best
