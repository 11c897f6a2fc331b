"""Bots: `honest` and `balanced`. They see views, nothing else."""

from __future__ import annotations

from brelan.rules import random_unit, rule

from .cards import BET, PASS, Card
from .rules import is_facing_bet
from .state import State

BOTS = ("honest", "balanced")  # the strongest last
HONEST, BALANCED = 0, 1


@rule
def choose(bot, view: State, scratch):
    """Return the move that one of these bots makes."""
    share = bets_of_honest(view) if bot == HONEST else bets_of_balanced(view)
    return BET if random_unit(scratch.luck) < share else PASS


@rule
def bets_of_honest(view: State):
    """Bet with the King alone; call with the Queen half of the time."""
    match view.hand[view.turn]:
        case Card.KING:
            return 1.0
        case Card.QUEEN:
            return 0.5 if is_facing_bet(view) else 0.0
    return 0.0


@rule
def bets_of_balanced(view: State):
    """How often one bets in an equilibrium: who acts first passes, and so gives nothing away."""
    is_called, is_first = is_facing_bet(view), view.turn == view.first
    match view.hand[view.turn]:
        case Card.KING:
            return 1.0 if is_called or not is_first else 0.0
        case Card.QUEEN:  # the other one shall not gain by a bluff
            return (2.0 - view.bet) / (2.0 + view.bet) if is_called else 0.0
    return 0.0 if is_called or is_first else view.bet / (2.0 + view.bet)  # a bluff
