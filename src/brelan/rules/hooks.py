"""The hooks: functions that each game implements under the same name.

A hook does nothing by itself; in code that a `Library` has linked for a game, it is that game's
own rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brelan.rules.payoff import payoff
from brelan.rules.places import clear
from brelan.rules.rule import rule

Function = Callable[..., Any]

HOOKS: dict[Function, str] = {}  # each hook, and the file of a game's folder that implements it

SHAPING = 0.2  # of what a match is worth, how much lies in the score and not in the win
SPAN = 10.0  # a lead of so many points is half of the greatest
NO_MOVE = -1


def _hook(file: str) -> Callable[[Function], Function]:
    """Declare a hook, and in which file of a game's folder it is implemented."""

    def declare(function: Function) -> Function:
        HOOKS[function] = file
        return function

    return declare


@_hook("rules")
def start(state: Any, cards: Any, stacked: bool) -> None:
    """Set up a match with these cards; they lie in an order given by hand (stacked) or in none."""
    raise TypeError("a hook must be linked by a Library")


@_hook("rules")
def legal_moves(state: Any, scratch: Any) -> None:
    """Write the legal moves: `scratch.count` numbers in `scratch.moves`."""
    raise TypeError("a hook must be linked by a Library")


@_hook("rules")
def play(state: Any, number: int) -> None:
    """Make a move of the seat in turn, or of the table."""
    raise TypeError("a hook must be linked by a Library")


@_hook("imagine")
def imagine(world: Any, seat: int, scratch: Any) -> None:
    """Complete a seat's view, in place, into a world that fits all it knows."""
    raise TypeError("a hook must be linked by a Library")


@_hook("rules")
def score(state: Any, scores: Any, winners: Any) -> None:
    """Write each seat's score so far, and whether it has won (nobody: a draw, or not over)."""
    raise TypeError("a hook must be linked by a Library")


@_hook("bots")
def choose(bot: int, view: Any, scratch: Any) -> int:
    """Return which of the legal moves in the scratch record one of the game's own bots makes."""
    raise TypeError("a hook must be linked by a Library")


@_hook("metrics")
def measure(state: Any, number: int, scratch: Any) -> None:
    """Add what a move has brought about to the metrics in the scratch record."""
    raise TypeError("a hook must be linked by a Library")


@_hook("bots")
@rule
def evaluate(state: Any, scratch: Any) -> bool:
    """Say whether the match has come to rest, and what it is then worth to each seat.

    It is asked when the table has the turn. A game whose matches go over many rounds may
    implement it, and rest after each of them; otherwise a match rests at its end, and
    is worth a win, and a little of how far ahead the seat is. Values lie between 0 and 1, or near.
    """
    legal_moves(state, scratch)
    if scratch.count > 0:
        return False
    score(state, scratch.scores, scratch.winners)
    for seat in range(state.players):
        ahead = 1.0 * lead(scratch.scores, seat, state.players)
        won = payoff(scratch.winners, seat, state.players)
        scratch.values[seat] = (1 - SHAPING) * won + SHAPING * ahead / (SPAN + abs(ahead))
    return True


@_hook("belief")
@rule
def log_evidence(world: Any, seat: int, scratch: Any) -> None:
    """Say how well a world explains to a seat what the others did; it is used up by that.

    A game may implement it, and write in `scratch.values` for each of the others how much likelier
    the strongest of its quick bots would have done so than one who plays at random, as a logarithm.
    Without it, the search plays what they did again to see that.
    """
    clear(scratch.values)


@_hook("belief")
@rule
def move_probability(bot: Any, view: Any, number: int, scratch: Any) -> float:
    """Return how likely one of the game's own bots makes one of the legal moves.

    A game with few hidden cards implements this hook and the next two. Then the search
    goes through all that may have happened since the deal, or follows many worlds from it.
    """
    return 0.0


@_hook("belief")
@rule
def reveal_seen(world: Any, view: Any, seat: int, scratch: Any) -> float:
    """Give each blank card that somebody looks at a face; return how likely it has this one.

    What lies in a place that nobody has looked at is blank. A seat's own card has the face that it
    sees in its view, another's any (`branch`).
    """
    return 0.0


@_hook("belief")
@rule
def deal_unseen(world: Any, scratch: Any) -> None:
    """Deal what nobody has looked at anew, blank or not, by the luck of `scratch`."""


TOGETHER = (move_probability, reveal_seen, deal_unseen)  # a game implements all of them, or none


@_hook("bots")
@rule
def proven_move(view: Any, scratch: Any) -> int:
    """Return the move that the game can prove to be best in a view, or NO_MOVE.

    A game whose end can be solved implements it.
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


class Hooks:
    """A game's own hooks as they run in one mode, each by its name: `hooks.play(state, number)`."""

    start: Function
    legal_moves: Function
    play: Function
    imagine: Function
    score: Function
    choose: Function
    measure: Function
    evaluate: Function
    log_evidence: Function
    move_probability: Function
    reveal_seen: Function
    deal_unseen: Function
    proven_move: Function

    def __init__(self, link: Callable[[Function], Function]) -> None:
        for hook in HOOKS:
            setattr(self, hook.__name__, link(hook))
