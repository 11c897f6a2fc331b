"""What rules are written with: layouts fail closed, masks hide, luck is the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from brelan import rules
from brelan.compiler.library import Library
from brelan.rules import Seats, everyone_sees, layout, nobody_sees, owner_sees, rule

SEATS = Seats(3)


class Example:
    turn = everyone_sees()
    hand = owner_sees(SEATS, 2)
    deck = nobody_sees(4)


def test_each_field_is_masked_by_its_sight() -> None:
    places = layout(Example, SEATS, ["players"])
    state = places.blank()
    for name in ("players", "turn", "hand", "deck", "luck"):
        state[name] = 7
    whole = np.frombuffer(state.tobytes(), np.uint64)
    for seat in range(4):
        view = (whole & places.masks[seat]).view(places.dtype).view(np.recarray)[0]
        assert (view.players, view.turn) == (7, 7)
        assert view.deck.tolist() == [0] * 4
        assert view.luck.tolist() == [0]
        assert view.hand.tolist() == [[7, 7] if row == seat else [0, 0] for row in range(3)]


def test_a_field_without_sight_is_refused() -> None:
    class Bare:
        turn = everyone_sees()
        hand = 3

    class Annotated:
        turn = everyone_sees()
        hand: int

    class Twice:
        players = nobody_sees()

    for state in (Bare, Annotated):
        with pytest.raises(TypeError, match="hand must say who sees it"):
            layout(state, SEATS)
    with pytest.raises(TypeError, match="players must say who sees it, once"):
        layout(Twice, SEATS, ["players"])
    with pytest.raises(TypeError, match="seats as its first axis"):
        owner_sees(3)  # type: ignore[arg-type]


@rule
def draws(luck, numbers):  # type: ignore[no-untyped-def]
    for place in range(len(numbers)):
        numbers[place] = random_below(luck, 10)
    shuffle(luck, numbers, len(numbers))


random_below, shuffle = rules.random_below, rules.shuffle


def test_luck_is_the_same_in_every_mode() -> None:
    results = []
    for mode in ("compiled", "checked", "interpreted"):
        numbers = np.zeros(200, np.int64)
        Library("words", mode, {})(draws)(np.array([2**64 - 5], np.uint64), numbers)
        results.append(numbers.tolist())
    assert results[0] == results[1] == results[2]
    assert set(results[0]) == set(range(10))


def test_shuffles_are_fair() -> None:
    """Every card comes to lie in every place about equally often (chi-square)."""
    library = Library("words", "compiled", {})
    luck, counts = np.array([1], np.uint64), np.zeros((6, 6))
    for _ in range(12_000):
        cards = np.arange(6)
        library(rules.shuffle)(luck, cards, 6)
        counts[np.arange(6), cards] += 1
    chi = ((counts - 2000) ** 2 / 2000).sum()
    assert chi < 25 + 5 * 50**0.5  # 25 degrees of freedom, five deviations


def test_lots_fall_by_weight() -> None:
    """Each number is drawn as often as it weighs, one that weighs nothing never (chi-square)."""
    library = Library("words", "compiled", {})
    weights = np.array([0.0, 2.0, 0.0, 5.0, 3.0, 9.0])
    luck, counts = np.array([1], np.uint64), np.zeros(5)
    for _ in range(10_000):
        counts[library(rules.weighted_index)(luck, weights, 5)] += 1
    assert counts[[0, 2]].tolist() == [0, 0]
    due = np.array([2000, 5000, 3000])
    chi = ((counts[[1, 3, 4]] - due) ** 2 / due).sum()
    assert chi < 2 + 5 * 4**0.5  # 2 degrees of freedom, five deviations


def test_bounds_are_checked_in_the_checked_mode() -> None:
    with pytest.raises(IndexError):
        Library("words", "checked", {})(rules.shuffle)(np.zeros(1, np.uint64), np.zeros(3), 9)
