"""Fit the taste of Love Letter's bot `shrewd` to what another bot chooses, and print it.

uv run tools/shrewd.py [BOT] [ROUNDS]

It looks at single rounds of two players, without the Spy's bonus, and not at what a Chancellor
keeps. How likely a move is made goes up with how fond one is of playing the card, and with how much
likelier it wins at once than it loses: a conditional logit, fitted by Newton's method.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

import brelan
from brelan.games.love_letter.cards import KINDS, MOVES, Card
from brelan.games.love_letter.shrewd import guess_hand, prospect, whom_it_meets
from brelan.games.love_letter.sight import Phase
from brelan.table import View

OPPONENTS = ("seed", "careful")  # besides the bot itself
CAUTION = 1e-3  # pulls a taste that nothing is known of to nothing

Table = npt.NDArray[np.float64]


def traits(view: View) -> Table:
    """Return a row for each legal move: which card it plays, and what may come of it at once."""
    rows = np.zeros((len(view.legal()), KINDS + 1))
    for row, legal in zip(rows, view.legal(), strict=True):
        move, odds = MOVES[legal.id], np.empty(KINDS)
        met = whom_it_meets(view.record, move.target)
        guess_hand(view.record, met, odds)
        row[move.card], row[KINDS] = 1, prospect(view.record, move, met, odds)
    return rows


def choices(bot: str, rounds: int) -> list[tuple[Table, int]]:
    """Return what a bot could choose from, and which it chose, in many rounds."""
    game, found = brelan.game("love-letter", tokens_to_win=1, spy_bonus="off"), []
    players = {name: brelan.bot(name, game) for name in (bot, *OPPONENTS)}
    for seed in range(rounds):
        match, other = game.deal(seed=seed), (bot, *OPPONENTS)[seed % 3]
        while match.turn is not None:
            view = match.view(match.turn)
            name = bot if view.seat == seed // 3 % 2 else other
            move = players[name].choose(view)
            if name == bot and len(view.legal()) > 1 and view.record.phase == Phase.CHOOSE_PLAY:
                found.append((traits(view), view.legal().index(move)))
            match.play(move)
    return found


def fitted(found: list[tuple[Table, int]]) -> tuple[Table, float]:
    """Return the taste that explains the choices best, and how well: in nats for a choice."""
    taste, surprise = np.zeros(KINDS + 1), 0.0
    for _ in range(20):
        slope, bend, surprise = -CAUTION * taste, CAUTION * np.eye(KINDS + 1), 0.0
        for rows, chosen in found:
            odds = np.exp(rows @ taste)
            odds /= odds.sum()
            mean = odds @ rows
            slope += rows[chosen] - mean
            bend += (rows * odds[:, None]).T @ rows - np.outer(mean, mean)
            surprise -= np.log(odds[chosen]) / len(found)
        taste = taste + np.linalg.solve(bend, slope)
    return taste, surprise


def main(bot: str = "club", rounds: str = "3000") -> None:
    """Print the taste of a bot."""
    found = choices(bot, int(rounds))
    taste, surprise = fitted(found)
    taste[1:KINDS] -= taste[1 : Card.PRINCESS].mean()  # only differences tell
    for card in list(Card)[1:]:
        sys.stdout.write(f"{card.name.lower():12}{taste[card]:6.2f}\n")
    sys.stdout.write(f"{'stake':12}{taste[KINDS]:6.2f}\n")
    even = np.mean([np.log(len(rows)) for rows, _ in found])
    sys.stdout.write(f"{len(found)} choices; surprise {surprise:.3f}, of a random one {even:.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
