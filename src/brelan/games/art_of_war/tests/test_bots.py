"""The bots of Art of War, decision by decision."""

from __future__ import annotations

import random
from typing import Any

import pytest

import brelan
from brelan.suite.walk import Walk
from brelan.testing import position

from ..bots import BOTS, worth_of
from ..cards import FRONT, MOVES, Action, Card, Slot
from ..state import Phase, Reason
from ..trial import can_execute

GAME = brelan.game("art-of-war")
SLOTS = [slot.name for slot in Slot][:-1]


def choices(bot: str, game: brelan.Game = GAME, **places: Any) -> set[str]:
    """What a bot may do in a position, by its luck; battlefields are written by slots."""
    units = [[side.get(slot) for slot in SLOTS] for side in places.pop("unit")]
    rest = places.pop("rest", "pile")
    view = position(game, rest=rest, turn=0, unit=units, **places).view(0)
    chosen = brelan.bot(bot, game, seed=1).choose(view).notation
    if view.record.phase == Phase.DEVELOPMENT:
        return {chosen}  # without luck
    worths = {
        move.notation: worth_of(BOTS.index(bot), view.record.copy(), move.id)
        for move in view.legal()
    }
    best = {move for move, worth in worths.items() if worth == max(worths.values())}
    assert chosen in best
    return best


@pytest.mark.parametrize("bot", BOTS)
def test_an_execution_is_never_missed(bot: str) -> None:
    hand = [["S", "S", "G", "A"], ["S"]]
    one_blow: list[dict[str, str]] = [{"F2": "S", "F1": "G"}, {"F2": "K1", "F3": "S"}]
    assert choices(bot, unit=one_blow, hand=hand) == {"attack F2 F2"}
    two_blows: list[dict[str, str]] = [{"F2": "S", "A1": "A", "F1": "G"}, {"F2": "K2", "F3": "S"}]
    assert choices(bot, unit=two_blows, hand=hand) == {"attack F2 F2", "attack A1 F2"}


@pytest.mark.parametrize("bot", BOTS)
def test_a_king_behind_a_unit_is_bared(bot: str) -> None:
    units: list[dict[str, str]] = [{"F2": "S", "F1": "K2", "F3": "G"}, {"F2": "S", "A2": "K1"}]
    units[0] |= {"A1": "A", "A3": "A"}
    hand = [["S", "S", "G", "A"], ["S"]]
    assert choices(bot, unit=units, hand=hand) <= {f"attack {slot} F2" for slot in units[0]}


@pytest.mark.parametrize("bot", BOTS)
def test_a_captured_king_is_no_execution_if_the_option_says_so(bot: str) -> None:
    game = brelan.game("art-of-war", king_capture_ends="off")
    units: list[dict[str, str]] = [{"F2": "S", "A1": "A", "F1": "G"}, {"F2": "K1", "F3": "S"}]
    hand = [["S", "S", "G", "A"], ["S"]]
    assert choices(bot, game, unit=units, hand=hand) == {"attack A1 F2"}  # a wounded King dies


@pytest.mark.parametrize("bot", BOTS)
def test_a_soldier_supports_an_execution_that_needs_it(bot: str) -> None:
    game = brelan.game("art-of-war", support="on")
    places: dict[str, Any] = {
        "unit": [{"F2": "G", "F1": "G"}, {"F2": "K1"}],
        "hand": [["S"], []],
        "damage": [[], [0, 2]],
        "phase": "attack",
    }
    assert choices(bot, game, **places) == {"support S"}
    supported = places | {"hand": [[], []], "bonus": 1}
    assert choices(bot, game, **supported) == {"attack F2 F2"}
    places["damage"] = [[], [0, 3]]
    assert choices(bot, game, **places) == {"attack F2 F2"}  # without it


@pytest.mark.parametrize("bot", BOTS)
def test_the_king_is_not_exposed(bot: str) -> None:
    units: list[dict[str, str]] = [{"F1": "G"}, {"F1": "S", "F2": "S"}]
    made = choices(bot, unit=units, hand=[["K1"], ["S", "G", "A"]])
    assert made.isdisjoint({"deploy K F2", "deploy K F3"})


@pytest.mark.parametrize("bot", BOTS)
def test_an_exposed_king_is_taken_to_safety(bot: str) -> None:
    units: list[dict[str, str]] = [{"F2": "K1"}, {"F2": "S"}]
    made = choices(bot, unit=units, hand=[["G"], ["S", "G", "A"]])
    assert made == {"deploy G F2"}


@pytest.mark.parametrize("bot", BOTS)
def test_what_must_be_done_is_done(bot: str) -> None:
    """With every slot in reach of a Soldier, a King called up is lost wherever he stands."""
    units: list[dict[str, str]] = [{}, {"F1": "S", "F2": "S", "F3": "S"}]
    places: dict[str, Any] = {"unit": units, "hand": [[], ["S"] * 4], "kingdom": [["K1"], []]}
    made = choices(bot, phase="conscription", **places)
    assert made == {"conscript F1", "conscript F2", "conscript F3"}
    places["posture"] = [[], ["offensive", "offensive", "defensive"]]
    assert choices(bot, phase="conscription", **places) == {"conscript F2", "conscript F3"}


@pytest.mark.parametrize("bot", BOTS)
def test_all_become_citizens_at_the_last_turn(bot: str) -> None:
    units: list[dict[str, str]] = [{"F1": "S"}, {"F1": "S"}]
    units_row = [[side.get(slot) for slot in SLOTS] for side in units]
    match = position(
        GAME, rest=None, turn=0, phase="development", unit=units_row, hand=[["S", "G", "A"], []]
    )
    while match.turn == 0:
        chosen = brelan.bot(bot, GAME, seed=1).choose(match.view(0))
        assert chosen.notation.startswith("demobilise")
        match.play(chosen)


def test_aggressive_fears_and_hopes_for_no_turn_after_the_war() -> None:
    """J2's last turn: whoever would strike back next will not."""
    units: list[dict[str, str]] = [{"F2": "S", "F1": "K1"}, {"F3": "S", "F2": "G", "F1": "S"}]
    hand = [["S", "S", "G"], ["S", "G", "A"]]
    assert choices("aggressive", unit=units, hand=hand, rest=None) == {"attack F2 F2"}


def test_aggressive_keeps_its_citizens_at_the_last_turn() -> None:
    """A card put in the reserve, or spent as support, is no citizen when the war ends."""
    game = brelan.game("art-of-war", support="on", reserve="on")
    units: list[dict[str, str]] = [{"F2": "G"}, {"F2": "G"}]
    made = choices("aggressive", game, unit=units, hand=[["S", "A"], ["S"]], rest=None)
    assert made <= {"nothing", "attack F2 F2"}


def test_aggressive_fills_no_reserve_for_nothing() -> None:
    """A card put in the reserve costs what one deployed does; one deployed from there nothing."""
    game = brelan.game("art-of-war", reserve="on")
    units: list[dict[str, str]] = [{"F1": "G"}, {"F1": "G"}]
    places: dict[str, Any] = {"unit": units, "hand": [["A", "A"], ["S"]]}
    assert choices("aggressive", game, **places) == {"nothing"}
    made = choices("aggressive", game, **places, reserves=[["S"], []])
    assert made <= {"deploy S F1", "deploy S F2", "deploy S F3", "deploy S A1"}


@pytest.mark.parametrize("preset", ["handout", "published"])
def test_aggressive_is_the_stronger_in_every_preset(preset: str) -> None:
    game = brelan.game("art-of-war", preset=preset)
    aggressive, _ = brelan.simulate(game, ["aggressive", "careful"], matches=200, seed=1).wins
    assert aggressive.mean > 0.8


def test_aggressive_captures_rather_than_kills() -> None:
    units: list[dict[str, str]] = [{"F2": "S", "F1": "G"}, {"F2": "G", "F3": "S"}]
    made = choices("aggressive", unit=units, hand=[["S", "G", "A"], ["S"]])
    assert made == {"attack F2 F2"}


def test_aggressive_keeps_the_hand_that_captures_next() -> None:
    units: list[dict[str, str]] = [{"F2": "S"}, {"F2": "G", "F1": "G"}]
    hand = [["S", "S", "A", "A"], ["S"]]
    made = choices("aggressive", unit=units, hand=hand, phase="development")
    assert made <= {"demobilise S", "demobilise A"}
    hand = [["S", "A"], ["S"]]
    assert choices("aggressive", unit=units, hand=hand, phase="development") == {"end"}


@pytest.mark.parametrize("damage", [0, 1])
def test_aggressive_knows_that_wounds_heal(damage: int) -> None:
    """An Archer is captured by a Soldier of 2 next turn, whatever has hurt it in this one."""
    units: list[dict[str, str]] = [{"F2": "S"}, {"F2": "A"}]
    places: dict[str, Any] = {"hand": [["S", "S", "G"], ["S"]], "damage": [[], [0, damage]]}
    assert choices("aggressive", unit=units, phase="development", **places) == {"demobilise S"}


@pytest.mark.parametrize("bot", BOTS)
def test_a_captive_king_is_taken_for_himself(bot: str) -> None:
    """A blow of 5 kills King 1, my captive; King 2, my own, it would capture, but he is gone."""
    game = brelan.game("art-of-war", king_capture_ends="off", conscription="two")
    places: dict[str, Any] = {"king": ["K2", "K1"], "hand": [["K1"], ["S", "G", "A", "A"]]}
    units: list[dict[str, str]] = [{"F1": "G"}, {"F2": "S"}]
    made = choices(bot, game, unit=units, kingdom=[[], ["K2"]], **places)
    assert "deploy K F2" not in made
    places |= {"phase": "conscription", "to_conscript": 2, "hand": [[], ["A"] * 5]}
    units = [{}, {"F2": "S", "F1": "G"}]
    made = choices(bot, game, unit=units, kingdom=[["G", "K1"], ["K2"]], **places)
    assert "conscript K F2" not in made


@pytest.mark.parametrize("seed", range(3))
def test_no_number_of_a_trial_overflows(seed: int) -> None:
    """Interpreted, a number too large for its place is a warning, and that an error."""
    knobs: dict[str, Any] = {"king_sweep": "on", "king_capture_ends": "off", "support": "on"}
    match = brelan.game("art-of-war", **knobs).deal(seed=seed)
    players = [brelan.bot(bot, match.game, seed=seed) for bot in BOTS]
    while match.turn is not None:
        match.play(players[match.turn].choose(match.view(match.turn)))
    assert match.result is not None


# ---------------------------------------------------------------- what can be felled


def executes_by_search(walk: Walk) -> bool:
    """Whether some order of attacks ends in an Execution, all of them tried out."""
    here = walk.state
    for number in walk.legal():
        if MOVES[number].action == Action.ATTACK:
            walk.state = here.copy()
            walk.play(number)
            is_won = walk.state.reason == Reason.EXECUTION
            goes_on = walk.state.phase == Phase.ATTACK and walk.state.active == here.active
            if is_won or (goes_on and executes_by_search(walk)):
                walk.state = here
                return True
    walk.state = here
    return False


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"king_capture_ends": "off"},
        {"king_capture_ends": "off", "capture_rule": "remaining"},
        {"king_capture_ends": "off", "capture_rule": "printed"},
    ],
)
def test_executions_on_the_board_are_found(knobs: dict[str, Any]) -> None:
    """What the bots work out agrees with trying every order of attacks."""
    game = brelan.game("art-of-war", **knobs)
    choice = random.Random(8)
    found = missing = 0
    for _ in range(80):
        walk = Walk(game, 0)
        walk.state = random_position(game, choice)
        expected = executes_by_search(walk)
        assert can_execute(walk.view(0)) == expected
        found += expected
        missing += not expected
    assert found > 10
    assert missing > 10


def random_position(game: brelan.Game, choice: random.Random) -> Any:
    """Units for seat 0, and the King of seat 1 somewhere among a few others."""
    mine: dict[str, str] = {}
    theirs: dict[str, str] = {}
    for side, share in ((mine, 0.9), (theirs, 0.3)):
        for slot in range(2 * FRONT):
            if choice.random() < share and (slot < FRONT or SLOTS[slot - FRONT] in side):
                side[SLOTS[slot]] = choice.choice(["S", "S", "A"])
    mine.setdefault("F2", "S")
    theirs["F2"] = "G"
    where = choice.choice(["F2", "A2", choice.choice(sorted(theirs))])
    theirs[where] = choice.choice([Card.K1.name, Card.K2.name])
    hand = ["S", "G", "A", "S", "G"][: choice.randint(3, 5)]
    units = [[side.get(slot) for slot in SLOTS] for side in (mine, theirs)]
    damage = [[], [choice.randrange(4) * (slot == where) for slot in SLOTS]]
    places: dict[str, Any] = {"unit": units, "damage": damage, "hand": [hand, ["S"]]}
    match = position(game, rest="pile", turn=0, phase="attack", **places)
    return match._state
