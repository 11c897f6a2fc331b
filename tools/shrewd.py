"""Fit the taste of a game's bot `shrewd` to what another bot chooses, and print it.

uv run tools/shrewd.py GAME [BOT] [MATCHES]

GAME is love-letter or district-noir. Each legal move has traits, and how likely it is made goes up
or down with each of them: a conditional logit, fitted by Newton's method. In Love Letter it looks
at single rounds of two players, without the Spy's bonus, and not at what a Chancellor keeps; in
District Noir not at who can win by cities at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import brelan
from brelan.engine.view import View
from brelan.games.district_noir.cards import TAKE
from brelan.games.district_noir.shrewd import prospect as brings_and_leaves
from brelan.games.district_noir.trial import would_win
from brelan.games.love_letter.cards import KINDS, MOVES, Card
from brelan.games.love_letter.shrewd import guess_hand, prospect, whom_it_meets
from brelan.games.love_letter.state import Phase

CAUTION = 1e-3  # pulls a taste that nothing is known of to nothing

Table = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """What is looked at in a game."""

    traits: Callable[[View], Iterator[list[float]]]  # of each legal move
    names: list[str]  # of the traits
    opponents: tuple[str, ...]  # besides the bot itself
    knobs: dict[str, Any] = field(default_factory=dict)
    cards: int = 0  # traits that come first, of which only the differences tell


def traits_in_love_letter(view: View) -> Iterator[list[float]]:
    """Which card a move plays, and how much likelier it wins at once than it loses."""
    if view.record.phase != Phase.CHOOSE_PLAY:
        return
    for legal in view.legal():
        move, odds = MOVES[legal.id], np.empty(KINDS)
        met = whom_it_meets(view.record, move.target)
        guess_hand(view.record, met, odds)
        yield [*np.eye(KINDS)[move.card][1:], prospect(view.record, move, met, odds)]


def traits_in_district_noir(view: View) -> Iterator[list[float]]:
    """What a move gains and leaves to the other; and if it is a take, how good and how late."""
    record = view.record.copy()
    if would_win(record, view.seat):
        return
    for legal in view.legal():
        gain, threat = brings_and_leaves(record, legal.id)
        take = float(legal.id == TAKE)
        yield [gain, -threat, take * gain, -take, take * record.action_no]


FITS = {
    "love-letter": Fit(
        traits_in_love_letter, [*(card.name.lower() for card in list(Card)[1:]), "stake"],
        ("eager", "careful"), {"tokens_to_win": 1, "spy_bonus": "off"}, KINDS - 1,
    ),
    "district-noir": Fit(
        traits_in_district_noir, ["gain", "threat", "profit", "patience", "hurry"], ("greedy",)
    ),
}  # fmt: skip


def choices(game: str, fit: Fit, bot: str, matches: int) -> list[tuple[Table, int]]:
    """Return what a bot could choose from, and which it chose, in many matches."""
    table, found, names = brelan.game(game, **fit.knobs), [], (bot, *fit.opponents)
    players = {name: brelan.bot(name, table) for name in names}
    for seed in range(matches):
        match, other = table.deal(seed=seed), names[seed % len(names)]
        while match.turn is not None:
            view = match.view(match.turn)
            name = bot if view.seat == seed // len(names) % 2 else other
            move = players[name].choose(view)
            rows = list(fit.traits(view)) if name == bot else []
            if len(rows) > 1:
                found.append((np.array(rows), view.legal().index(move)))
            match.play(move)
    return found


def fitted(found: list[tuple[Table, int]]) -> tuple[Table, float]:
    """Return the taste that explains the choices best, and how well: in nats for a choice."""
    traits = found[0][0].shape[1]
    taste, surprise = np.zeros(traits), 0.0
    for _ in range(20):
        slope, bend, surprise = -CAUTION * taste, CAUTION * np.eye(traits), 0.0
        for rows, chosen in found:
            odds = np.exp(rows @ taste)
            odds /= odds.sum()
            mean = odds @ rows
            slope += rows[chosen] - mean
            bend += (rows * odds[:, None]).T @ rows - np.outer(mean, mean)
            surprise -= np.log(odds[chosen]) / len(found)
        taste = taste + np.linalg.solve(bend, slope)
    return taste, surprise


def main(game: str, bot: str = "club", matches: str = "3000") -> None:
    """Print the taste of a bot."""
    fit = FITS[game]
    found = choices(game, fit, bot, int(matches))
    taste, surprise = fitted(found)
    if fit.cards:
        taste[: fit.cards] -= taste[: fit.cards - 1].mean()  # the Princess aside
    for name, each in zip(fit.names, taste, strict=True):
        sys.stdout.write(f"{name:12}{each:6.2f}\n")
    even = np.mean([np.log(len(rows)) for rows, _ in found])
    sys.stdout.write(f"{len(found)} choices; surprise {surprise:.3f}, of a random one {even:.3f}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
