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
    """Return the move that one of the game's own bots chooses among those in `scratch.moves`."""
    raise TypeError("a hook must be linked by a Library")


@_hook("metrics")
def measure(state: Any, number: int, scratch: Any) -> None:
    """Add to `scratch.metrics` what the move just made counts for."""
    raise TypeError("a hook must be linked by a Library")


@_hook("bots")
@rule
def evaluate(state: Any, scratch: Any) -> bool:
    """Return whether a rollout ends here; then write each seat's value to `scratch.values`.

    The search calls it when the table has the turn. A game of many rounds may implement it, to
    end rollouts after each round. By default a rollout ends with the match; its value is 0.8 of the
    share of the win, and between -0.2 and 0.2 for the lead in points.
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
    """Write the log-likelihood ratio of each opponent's moves in a world to `scratch.values`.

    The ratio is of the game's strongest quick bot against random play. `seat` is the observer.
    Overwrites `world`. Without this hook, the belief does not use importance sampling.
    """
    clear(scratch.values)


@_hook("belief")
@rule
def move_probability(bot: Any, view: Any, number: int, scratch: Any) -> float:
    """Return the probability that one of the game's own bots makes one of the legal moves.

    A game with few hidden cards implements this hook and the next two. Then the belief uses exact
    enumeration from the last deal on, or a particle filter.
    """
    return 0.0


@_hook("belief")
@rule
def reveal_seen(world: Any, view: Any, seat: int, scratch: Any) -> float:
    """Draw a face for each blank card that somebody looks at; return the probability of the faces.

    Cards that nobody has looked at are blank. A card of `seat`, the observer, gets the face that
    the view shows; for a card of another seat the face is a branch (`branch`).
    """
    return 0.0


@_hook("belief")
@rule
def deal_unseen(world: Any, scratch: Any) -> None:
    """Deal all cards that nobody has looked at anew, blank or not, by the luck of `scratch`."""


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
