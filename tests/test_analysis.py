"""The analysis of matches: what adds up, what it may depend on, what it says."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import brelan
from brelan import cli
from brelan.analysis import Assessor, review_steps, summary
from brelan.analysis.beliefs import view_at
from brelan.analysis.hints import HintBot
from brelan.analysis.reasons import reason
from brelan.analysis.review import decision_plies
from brelan.analysis.telling import Teller
from brelan.analysis.verdicts import INACCURACY, MISTAKE
from brelan.analysis.what_if import position_before
from brelan.cli import analyse_folder
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.errors import Refused, Stopped
from brelan.i18n import LANGUAGES
from brelan.suite import often

FEW = "300"  # simulations of a search, for tests
Run = Callable[..., tuple[int, str, str]]
KUHN = brelan.game("template-game")


def played(game: Game, seed: int, bot: str = "random", plies: int = 1000) -> Match:
    """A match of a bot against itself, or its beginning."""
    match = game.deal(seed=seed)
    bots = [brelan.bot(bot, game, seed=seed + seat) for seat in range(game.players)]
    while match.turn is not None and match.ply < plies:
        match.play(bots[match.turn].choose(match.view(match.turn)))
    return match


def adds_up(review: Any) -> bool:
    parts = review.start + sum(each.luck - each.loss for each in review.decisions)
    end = parts + review.last_luck - review.given_up
    return bool(end == review.chance == (end if review.result is None else review.result))


# ---------------------------------------------------------------- what adds up


def test_start_luck_and_losses_are_the_result() -> None:
    for seed in range(often(6)):
        for seat in range(2):
            match = played(KUHN, seed)
            review = brelan.analyse(match, seat, level=FEW)
            assert match.result is not None
            assert adds_up(review)
            assert review.result == 1000 * (seat in match.result.winners)
            for decision in review.decisions:
                assert decision.after == decision.chance - decision.loss
                assert 0 <= decision.loss <= decision.chance
                assert (decision.loss > 0) == (decision.verdict != "best")


def test_a_match_of_three_seats_adds_up_too() -> None:
    game = brelan.game("love-letter", players=3, tokens_to_win=1)
    review = brelan.analyse(played(game, 2), 1, level=FEW)
    assert (review.start, review.result) in ((333, 0), (333, 333), (333, 500), (333, 1000))
    assert adds_up(review)


def test_who_resigns_gives_up_what_was_left() -> None:
    game = brelan.game("love-letter")
    match = played(game, 1, plies=5)
    match.resign(0)
    mine, other = (brelan.analyse(match, seat, level=FEW) for seat in (0, 1))
    assert adds_up(mine)
    assert mine.last_luck == 0
    assert mine.given_up == mine.decisions[-1].after
    assert adds_up(other)
    assert (other.given_up, other.result) == (0, 1000)


def test_a_decision_without_a_choice_is_none() -> None:
    match = dealt(8, 1, 0, 1, 1, 2, 5)  # the Countess must be played beside the Prince
    assert [move.notation for move in match.legal()] == ["8"]
    match.play("8")
    assert decision_plies(match, 0) == []
    assert brelan.analyse(match, 0, level=FEW).chance == 500


def test_a_match_that_goes_on_is_analysed_so_far() -> None:
    match = played(brelan.game("love-letter"), 4, plies=9)
    review = brelan.analyse(match, 0, level=FEW)
    assert review.result is None
    assert review.reading.truth is None, "what is true is not known yet"
    assert adds_up(review)
    assert review.chance == review.decisions[-1].after


# ---------------------------------------------------------------- what it depends on


def dealt(*first: int) -> Match:
    """A match of Love Letter, to one token, whose first cards are given."""
    game = brelan.game("love-letter", first_starter="seat0", tokens_to_win=1)
    rest = [int(card.printed) for card in game.pack]
    for card in first:
        rest.remove(card)
    return game.deal(seed=1, cards=[*first, *rest])


def after_two_moves(hidden: tuple[int, int]) -> Match:
    """Seat 0 is protected, and seat 1 plays its Guard; `hidden` are its hand and the burned card.

    Seat 0 has drawn a Guard.
    """
    match = dealt(4, *hidden, 1, 1, 2, 3, 1, 1)
    for notation in ("4", "1:-"):
        match.play(notation)
    return match


def test_equal_views_give_equal_analyses() -> None:
    """Nothing in the analysis of a running match depends on what the seat cannot know."""
    told = []
    for hidden in ((5, 8), (8, 5)):
        match = after_two_moves(hidden)
        match.play("1:0")
        review = brelan.analyse(match, 0, level=FEW)
        told.append(json.dumps([review.as_dict(lang) for lang in LANGUAGES]))
        assert len(review.decisions) == 2
    assert told[0] == told[1]


def test_every_running_match_of_kuhn_poker_hides_two_cards() -> None:
    for own in "JQK":
        others = [card for card in "JQK" if card != own]
        found = []
        for pair in (others, others[::-1]):
            match = brelan.game("template-game", first_player="seat0").deal(cards=[own, *pair])
            match.play("pass")
            match.play("bet")
            found.append(brelan.analyse(match, 0, level=FEW).as_dict("fr"))
        assert found[0] == found[1]
        assert found[0]["decisions"][0]["belief"], "there is something to believe"


def test_an_assessment_is_the_same_again_and_on_any_assessor() -> None:
    match = played(brelan.game("love-letter"), 5, plies=6)
    assert match.turn is not None
    view, assessor = match.view(match.turn), Assessor(match.game, FEW)
    first = assessor.assess(view, view.legal()[0].id)
    played_since = played(match.game, 6, plies=4)
    assert played_since.turn is not None
    assessor.assess(played_since.view(played_since.turn))
    assert assessor.assess(view, view.legal()[0].id) == first
    assert Assessor(match.game, FEW).assess(view, view.legal()[0].id) == first


# ---------------------------------------------------------------- what it says


def test_a_blunder_is_a_mistake_and_the_reason_says_why() -> None:
    """Whoever plays the Princess is out of the round."""
    match = dealt(9, 1, 5, 1, 1, 2, 4)
    match.play("9")
    (decision,) = review_steps(match, 0, "2000")
    assert decision.verdict == "mistake"
    assert decision.loss >= MISTAKE > INACCURACY
    assert decision.assessment.best.move.notation == "4"
    assert decision.reason is not None
    assert decision.reason.event[0] in ("event.out", "event.wins_round", "event.wins_match")
    teller = Teller(summary(match, 0, "2000", [decision]), "fr")
    assert "Jouer la Servante" in (teller.why(decision) or "")
    assert len(teller.review.moments) <= 3
    assert teller.review.moments[0].is_choice
    assert teller.review.score == 0, "no random move is worse"


def test_a_named_card_is_scored_against_the_best_name() -> None:
    match = after_two_moves((5, 8))
    match.play("1:9")
    decision = list(review_steps(match, 0, FEW))[-1]
    assert decision.guess is not None
    right, best = decision.guess
    assert 0 <= right <= best <= 1
    review = summary(match, 0, FEW, [decision])
    assert review.reading.guesses == 1
    assert review.reading.share == pytest.approx(right / best)


def test_worlds_of_a_belief_fit_the_view() -> None:
    match = played(brelan.game("love-letter"), 8, "careful", plies=7)
    assert match.turn is not None
    view, assessor = match.view(match.turn), Assessor(match.game, FEW)
    assessor.update_belief(view)
    layout = match.game.folder.layout
    for world in assessor.worlds(view, 50):
        assert layout.view(world.tobytes(), view.seat).tobytes() == view.record.tobytes()


def test_equal_moves_need_no_reason() -> None:
    match = played(KUHN, 1, plies=1)
    assert match.turn is not None
    view, assessor = match.view(match.turn), Assessor(KUHN, FEW)
    made = view.legal()[0].id
    assessor.assess(view, made)
    assert reason(assessor, view, made, made) is None


# ---------------------------------------------------------------- what if


def test_hidden_cards_are_drawn_anew_from_what_was_known() -> None:
    match = played(brelan.game("love-letter"), 9, "careful")
    ply = decision_plies(match, 0)[2]
    view = view_at(match.view(0), ply)
    hands = set()
    for _ in range(30):
        again = position_before(match, 0, ply)
        assert again.record(0).tobytes() == view.record.tobytes()
        hands.add(int(again._state.hand[1]))
    assert len(hands) > 1, "the hidden card is always the same"


def test_a_position_is_not_saved_nor_is_what_was_before_a_draw_in_it() -> None:
    game = brelan.game("love-letter")
    dealt = game.deal(seed=1)
    drawn = Match.from_position(game, dealt.before(dealt.ply)._state, "1" * 64)
    for match in (dealt, drawn):
        match.agree_draw()
        with pytest.raises(Refused, match="drawn by agreement"):
            match.save()
    assert dealt.before(dealt.ply).save()
    with pytest.raises(Refused, match="a position set up by hand"):
        drawn.before(0).save()


def test_cards_as_they_were_dealt_are_for_matches_that_are_over() -> None:
    match = played(brelan.game("love-letter"), 9, "careful")
    ply = decision_plies(match, 0)[2]
    again = position_before(match, 0, ply, as_dealt=True)
    assert again._state.tobytes() == match.transitions()[ply].before
    assert brelan.load(again.save()).ply == ply
    running = played(brelan.game("love-letter"), 9, "careful", plies=12)
    with pytest.raises(Refused, match="the match is not over"):
        position_before(running, 0, decision_plies(running, 0)[0], as_dealt=True)


# ---------------------------------------------------------------- the program


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match that is over and one that is not."""
    folder = tmp_path_factory.mktemp("matches")
    for name, plies in (("whole", 1000), ("part", 6)):
        match = played(brelan.game("love-letter", tokens_to_win=1), 2, plies=plies)
        match.bots = {1: "careful"}
        (folder / f"{name}.json").write_text(match.save(), encoding="utf-8")
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the program, and returns its status, its output and its errors."""

    def run_program(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
        return int(ended.value.code or 0), *capsys.readouterr()

    return run_program


def test_the_program_tells_a_match_in_both_languages(saved: Path, run: Run) -> None:
    for lang, words in (("fr", "au départ"), ("en", "at the start")):
        status, out, _ = run("analyse", str(saved / "whole.json"), "--level", FEW, "--lang", lang)
        assert status == 0
        assert words in out
    _, out, _ = run("analyse", str(saved / "whole.json"), "--level", FEW, "--json", "--seat", "1")
    review = json.loads(out)
    parts = review["start"] + sum(each["luck"] - each["loss"] for each in review["decisions"])
    assert parts + review["last_luck"] - review["given_up"] == review["result"]


def test_the_program_sums_up_a_folder(saved: Path, run: Run) -> None:
    _, out, _ = run("analyse", str(saved), "--level", FEW, "--json", "--lang", "en")
    matches = {each["player"]: each["matches"] for each in json.loads(out)}
    assert matches == {"player": 2, "careful": 1}, "a bot of the running match stays hidden"
    _, out, _ = run("analyse", str(saved), "--level", FEW, "--lang", "en")
    assert "best move" in out


def test_a_folder_goes_on_where_it_was_stopped(
    saved: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is not analysed again; half a line, of a program that was killed, is."""
    kept = tmp_path / "kept.jsonl"
    command = ("analyse", str(saved), "--level", FEW, "--lang", "en", "--results", str(kept))
    _, out, _ = run(*command)
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 3
    kept.write_text("".join(lines[:2]) + lines[2][:40], encoding="utf-8")
    analysed: list[int] = []
    steps = analyse_folder.review_steps

    def noted(match: Any, seat: int, *rest: Any) -> Any:
        analysed.append(seat)
        return steps(match, seat, *rest)

    monkeypatch.setattr(analyse_folder, "review_steps", noted)
    assert run(*command)[:2] == (0, out)
    assert len(analysed) == 1
    assert run(*command)[:2] == (0, out)
    assert len(analysed) == 1
    kept.write_text("else\n" + kept.read_text(encoding="utf-8"), encoding="utf-8")
    status, out, err = run(*command)
    assert (status, out) == (2, "")
    assert f"{kept}, line 1: this is no result of analyses" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("analyse", "none.json"), "cannot read none.json"),
        (("analyse", "{whole}", "--results", "kept"), "--results is for a folder"),
        (("analyse", "{whole}", "--seat", "7"), "there is no seat 7; seats are 0 to 1"),
        (("analyse", "{part}", "--seat", "1"), "the match is not over"),
        (("analyse", "{whole}", "--level", "2s"), "is not for an analysis"),
        (("analyse", "{whole}", "--level", "best"), "unknown level"),
        (("play", "--from", "{whole}"), "--from needs --ply N"),
        (("play", "--from", "{whole}", "--ply", "0"), "its decisions are"),
        (("play", "--from", "{part}", "--ply", "1", "--as-dealt"), "the match is not over"),
        (("play", "--from", "{whole}", "--ply", "1", "--seed", "3"), "--seed does not go with"),
        (("play", "love-letter", "--ply", "3"), "--ply goes with --from FILE"),
    ],
)
def test_bad_input_is_told_in_one_line(
    arguments: tuple[str, ...], said: str, saved: Path, run: Run
) -> None:
    files = {name: saved / f"{name}.json" for name in ("whole", "part")}
    status, out, err = run(*(each.format(**files) for each in arguments))
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_play_goes_on_from_a_decision(
    saved: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = brelan.load((saved / "whole.json").read_text(encoding="utf-8"))
    ply = str(decision_plies(match, 0)[0])
    for more in ((), ("--as-dealt",)):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n\n"))
        status, out, _ = run("play", "--from", str(saved / "whole.json"), "--ply", ply, *more)
        assert status == 0
        assert "Love Letter" in out


# ---------------------------------------------------------------- hints


def test_a_hint_is_the_best_move_of_the_analysis() -> None:
    match = played(brelan.game("love-letter"), 5, plies=6)
    assert match.turn is not None
    view, bot = match.view(match.turn), HintBot(match.game, FEW)
    assert len(view.legal()) > 1, "this position shows nothing"
    found = Assessor(match.game, FEW).assess(view)
    assert bot.choose(view) == found.best.move
    bot.seed = 7
    assert bot.choose(view) == found.best.move, "a hint depends on a seed"
    assert bot.stats[found.best.move.id].value == pytest.approx(found.best.chance)


def test_a_hint_that_nobody_wants_is_stopped() -> None:
    match = played(brelan.game("love-letter"), 5, plies=6)
    assert match.turn is not None
    bot = HintBot(match.game, "expert")
    bot.search_while(lambda: False)
    with pytest.raises(Stopped):
        bot.choose(match.view(match.turn))
