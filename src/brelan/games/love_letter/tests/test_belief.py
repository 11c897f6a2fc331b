"""Beliefs that need no chance: how likely a move is, and which hands are (§6.3, §10)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import brelan
from brelan import verbs
from brelan.bots.reading import DEDUCING, UNKNOWN, Reader
from brelan.bots.stretches import deals, stretch
from brelan.games.love_letter.bots import BOTS
from brelan.games.love_letter.cards import MOVES, Card
from brelan.table import Match, View
from brelan.words import desk

BOT_OF = {"random": 0, "careful": 1, "seed": 2}


def random_match(seed: int, plies: int, **knobs: Any) -> Match:
    """A match some random moves on."""
    game = brelan.game("love-letter", **knobs)
    match, luck = game.deal(seed=seed), np.random.default_rng(seed)
    for _ in range(plies):
        if match.turn is not None:
            match.play(int(luck.choice([move.id for move in match.legal()])))
    return match


@pytest.mark.parametrize(
    "knobs",
    [{}, {"bot_mode": "stochastic"}, {"prince_vs_handmaid": "may_fizzle"}, {"players": 3}],
    ids=str,
)
def test_10_a_bot_makes_each_move_as_often_as_is_said(knobs: dict[str, Any]) -> None:
    often, cards = 600, set()
    for seed in range(40):
        match = random_match(seed, 1 + seed % 9, **knobs)
        if match.turn is None:
            continue
        machine, paper = match.game.folder.machine("compiled"), desk(seed)
        record = match.view(match.turn).record
        choose, likelihood = machine(verbs.choose), machine(verbs.likelihood)
        for bot in range(len(BOTS)):
            said = {}
            for move in match.legal():
                machine(verbs.legal_moves)(record, paper)
                said[move.id] = likelihood(bot, record.copy(), move.id, paper)
            assert sum(said.values()) == pytest.approx(1)
            made: Counter[int] = Counter()
            for _ in range(often):
                machine(verbs.legal_moves)(record, paper)
                made[int(choose(bot, record.copy(), paper))] += 1
            for number, odds in said.items():
                margin = 4.5 * np.sqrt(odds * (1 - odds) / often)
                assert abs(made[number] / often - odds) <= margin, (seed, bot, number)
            cards |= {Card(int(MOVES[number].card)) for number in made}
    assert cards >= {Card.GUARD, Card.PRIEST, Card.PRINCE, Card.CHANCELLOR, Card.HANDMAID}


def deduced(view: View) -> dict[tuple[int, int], float]:
    """How likely the other has each hand and is like each bot, when all ways are gone through."""
    reader, seat = Reader(view.game), view.seat
    assert seat is not None
    reader._set_odds(UNKNOWN)
    reader._begin(stretch(view, *deals(view)[-1]), 7, moves=DEDUCING)
    reader._deduce(*reader._board, reader._desk, reader.mind, seat)
    found: Counter[tuple[int, int]] = Counter()
    for guess in range(reader.mind.guessed):
        world = reader.mind.guesses[guess].view(view.game.folder.layout.dtype)[0]
        for bot in BOT_OF.values():
            found[int(world.hand[1 - seat]), bot] += reader.mind.chances[guess, bot]
    total = sum(found.values())
    return {key: odds / total for key, odds in found.items()}


def relived(view: View, luck: int) -> Counter[tuple[int, int]]:
    """How often the other has each hand and is like each bot, in relived worlds."""
    reader, seat = Reader(view.game), view.seat
    assert seat is not None
    reader._set_odds(UNKNOWN)
    reader._begin(stretch(view, *deals(view)[-1]), luck, 10**7, 10**8)
    reader._look_back(view)
    worlds = reader.mind.worlds[: reader.mind.believed].view(view.game.folder.layout.dtype)[:, 0]
    casts = reader.mind.casts[: reader.mind.believed]
    return Counter(
        (int(world.hand[1 - seat]), int(cast[1 - seat]))
        for world, cast in zip(worlds, casts, strict=True)
    )


def test_6_3_beliefs_are_those_that_reliving_comes_to() -> None:
    looked_at, unsure = 0, 0
    for seed in range(60):
        match = random_match(seed, 2 + seed % 7)
        if match.turn is None or match.view(match.turn).history[-1].seat is None:
            continue
        view = match.view(match.turn)
        believed = deduced(view)
        found = relived(view, seed)
        often = found.total()
        if often < 300:
            continue
        looked_at += 1
        unsure += max(believed.values()) < 0.5
        assert set(found) <= {key for key, odds in believed.items() if odds > 0}
        for key, odds in believed.items():
            margin = 4.5 * np.sqrt(odds * (1 - odds) / often) + 4 / often  # for few are not normal
            assert abs(found[key] / often - odds) <= margin, (seed, key)
    assert looked_at > 15
    assert unsure > 10
