"""Tensors, information states and the action space: their layout, worked examples, refusals."""

from __future__ import annotations

import random

import numpy as np
import pytest

import brelan
from brelan.encoding import Actions, Encoder, InformationStates
from brelan.engine.match import Match

KUHN = brelan.game("template-game")


def _played(game: brelan.Game, seed: int, moves: int) -> Match:
    match, choice = game.deal(seed=seed), random.Random(seed)
    for _ in range(moves):
        if match.turn is not None:
            match.play(choice.choice(match.legal()))
    return match


def test_the_tensor_of_the_template_by_hand() -> None:
    encoder = Encoder(KUHN, knobs=True)
    match = KUHN.deal(cards=["Q", "K", "J"])  # seat 0 starts
    match.play("bet")
    tensor = encoder.encode(match.view(1))
    expected = {
        "seat": [0, 1],
        "turn": [0, 1],
        "phase": [1, 0, 0],  # ACT; DEAL is 0 and has no entry
        "hand": [0, 0, 1],
        "shown": [[0, 0, 0], [0, 0, 0]],
        "winner": [0, 0],
        "chips": [np.float32(0.25 * np.sqrt(2)), 0.25],
        "first_player": [1, 0],  # the first of two values
    }
    for name, part in expected.items():
        assert encoder.part(tensor, name).tolist() == np.array(part, np.float32).tolist(), name
    assert "pile" not in encoder.slices
    assert "first_player" not in Encoder(KUHN).slices
    assert encoder.encode(match.view(None))[:2].tolist() == [0, 0]
    assert not encoder.part(encoder.encode(match.view(None)), "hand").any()


def test_slices_fill_the_tensor_and_name_their_entries() -> None:
    for name in ("template-game", *brelan.games()):
        encoder = Encoder(brelan.game(name), knobs=True)
        at = 0
        for each in encoder.slices.values():
            assert each.at == at
            assert each.members == () or each.shape[-1] == len(each.members)
            at += each.size
        assert at == encoder.size


def test_counts_sizes_and_sets_are_scaled_as_documented() -> None:
    game = brelan.game("love-letter", players=2)
    encoder = Encoder(game)
    view = _played(game, 5, 12).view(0)
    tensor, record = encoder.encode(view), view.record
    copies = [max(1, sum(card == kind for card in game.pack)) for kind in range(len(record.out))]
    np.testing.assert_allclose(encoder.part(tensor, "out"), record.out / copies, rtol=1e-6)
    areas = record.area_size[:2] / record.area.shape[1]
    np.testing.assert_allclose(encoder.part(tensor, "area_size"), areas, rtol=1e-6)
    top = 0.25 * np.sqrt(record.top)
    np.testing.assert_allclose(encoder.part(tensor, "top"), top, rtol=1e-6)
    bits = [[number >> bit & 1 for bit in range(11)] for number in record.not_held[0][:2]]
    assert encoder.part(tensor, "not_held").tolist() == bits


@pytest.mark.parametrize("mode", ["compiled", "checked", "interpreted"])
def test_python_and_rules_write_the_same_bytes(mode: str) -> None:
    for game in (KUHN, brelan.game("love-letter", players=3)):
        encoder = Encoder(game, knobs=True)
        match = _played(game, 3, 7 if game is not KUHN else 1)
        readers = (None, *range(game.players))
        views = [match.view(reader) for reader in readers]
        seats = np.array([game.players if reader is None else reader for reader in readers])
        out = np.full((len(views), encoder.size), 7, np.float32)
        encoder.encode_states(np.array([view.record for view in views]), seats, out, mode)
        for row, view in zip(out, views, strict=True):
            assert row.tobytes() == encoder.encode(view).tobytes()
        low, high = encoder.bounds
        assert (low <= out).all()
        assert (out <= high).all()


def test_the_mask_is_what_is_legal() -> None:
    match, actions = _played(KUHN, 1, 1), Actions(KUHN)
    assert match.turn is not None
    assert actions.mask(match.view(match.turn)).tolist() == [0, 0, 1, 1]
    assert not actions.mask(match.view(1 - match.turn)).any()
    assert not actions.mask(match.view(None)).any()
    mine = np.ones(4, np.int8)
    assert actions.mask(match.view(match.turn), mine) is mine
    assert mine.tolist() == [0, 0, 1, 1]


def test_an_information_state_remembers_the_moves_and_the_views() -> None:
    states = InformationStates(Encoder(KUHN))
    match = KUHN.deal(cards=["Q", "K", "J"])
    first = match.view(1)
    match.play("bet")
    view = match.view(1)
    found = states.state(view)
    assert found.movers.tolist() == [-1, 0]
    assert found.moves.tolist() == [0, 3]
    assert found.before[1].tolist() == Encoder(KUHN).encode(first).tolist()
    tensor = states.tensor(view)
    assert len(tensor) == states.size
    rows = tensor[states.encoder.size :].reshape(3, 6)
    assert rows.tolist() == [[1, 0, 0, 0, 0, 1], [0] * 6, [0] * 6]
    assert states.tensor(first)[states.encoder.size :].any() == np.False_


def test_a_short_history_keeps_the_last_moves() -> None:
    game = brelan.game("district-noir")
    states, match = InformationStates(Encoder(game), moves=2), _played(game, 2, 5)
    rows = states.tensor(match.view(0))[states.encoder.size :].reshape(2, -1)
    made = [move for move in match.view(0).history if move.seat is not None][-2:]
    assert [(int(row[:2].argmax()), int(row[2:].argmax())) for row in rows] == [
        (move.seat, move.id) for move in made
    ]
    with pytest.raises(brelan.Refused, match="0 moves or more"):
        InformationStates(Encoder(game), moves=-1)


def test_equal_texts_are_equal_views() -> None:
    """Two deals that differ in the last card alone are the same to nobody who holds it."""
    states = InformationStates(Encoder(KUHN))
    one, two = (KUHN.deal(cards=cards) for cards in (["Q", "K", "J"], ["Q", "J", "K"]))
    assert states.text(one.view(0)) == states.text(two.view(0))
    assert states.text(one.view(1)) != states.text(two.view(1))
    assert states.text(one.view(None)) == states.text(two.view(None))
    assert states.text(one.view(0)).startswith(f"{KUHN.variant} seat 0 | table:deal | ")


def test_what_is_not_allowed_is_said() -> None:
    encoder = Encoder(KUHN)
    with pytest.raises(brelan.Refused, match="there is no slice 'pile'; there are: seat, "):
        encoder.part(np.zeros(encoder.size, np.float32), "pile")
    with pytest.raises(brelan.Refused, match="has 24 entries"):
        encoder.encode(KUHN.deal(seed=1).view(0), np.zeros(3, np.float32))
    other = brelan.game("love-letter").deal(seed=1).view(0)
    with pytest.raises(brelan.Refused, match="this encoder is for template-game"):
        encoder.encode(other)
