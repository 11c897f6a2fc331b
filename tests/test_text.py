"""Text for language models: what is said is what the view says, and answers are understood."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import brelan
from brelan import i18n
from brelan.envs import text
from brelan.envs.picture import picture
from brelan.suite import often
from brelan.suite.walk import Walk, cards_of

GAMES = ("template-game", *brelan.games())


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_that_a_seat_sees_are_in_the_text(name: str) -> None:
    """In a world that another seat imagines a seat sees other cards, and reads another text."""
    game, choice = brelan.game(name), random.Random(3)
    compared = 0
    for seed in range(often(3)):
        for walk in Walk(game, seed, "interpreted").run(choice):
            if walk.seat is None or choice.random() > 0.3:
                continue
            others = [seat for seat in range(game.players) if seat != walk.seat]
            world = walk.imagine(choice.choice(others), choice.getrandbits(60))
            one, other = (walk.view(walk.seat, record) for record in (walk.state, world))
            if cards_of(game, one) != cards_of(game, other):
                views = [brelan.View(game, walk.seat, record) for record in (one, other)]
                assert text.prompt(views[0]) != text.prompt(views[1])
                compared += 1
            if compared == 8 * (seed + 1):
                break
    assert compared


@pytest.mark.parametrize("name", GAMES)
def test_the_text_has_the_story_and_every_legal_move(name: str) -> None:
    game, choice = brelan.game(name), random.Random(4)
    match = game.deal(seed=4)
    for _ in range(6):
        if match.turn is None:
            break
        view = match.view(match.turn)
        for lang in i18n.LANGUAGES:
            told = text.observation(view, lang, whole=True).splitlines()
            sentences = " ".join(match.story(match.turn, lang))
            assert " ".join(text.story(view, lang)) == sentences
            assert set(text.story(view, lang)) <= set(told)
            lines = text.legal_moves(view, lang).splitlines()[1:]
            assert lines == [
                f"{number}. {move.notation} — {move.label(lang)}"
                for number, move in enumerate(match.legal(), 1)
            ]
        match.play(choice.choice(match.legal()))
    assert "\u00a0" in text.prompt(match.view(0), "fr")


def test_a_spectator_reads_too() -> None:
    view = brelan.game("love-letter").deal(seed=1).view(None)
    assert text.observation(view).startswith("You watch Love Letter, with 2 players.")


def test_answers_are_read_by_number_and_notation() -> None:
    view = brelan.game("template-game").deal(cards=["Q", "K", "J"]).view(0)
    legal = view.legal()
    for answer in ("2", " 2.", "I bet, so **2**", "2: bet", "`bet`", "The answer is\nbet."):
        assert text.read(answer, view) == legal[1], answer
    for answer in ("", "3", "raise", "12"):
        with pytest.raises(brelan.Refused, match="none of the numbers 1 to 2"):
            text.read(answer, view)
    with pytest.raises(brelan.Refused, match="n’est pas un numéro de 1 à 2"):
        text.read("passer", view, "fr")


def test_a_chat_function_plays_a_match() -> None:
    game, choice = brelan.game("template-game"), random.Random(1)
    asked: list[str] = []

    def chat(prompt: str) -> str:
        asked.append(prompt)
        return choice.choice(["1", "2", "what?"])

    match, bot = game.deal(seed=1), text.ChatBot(chat, attempts=50)
    while match.turn is not None:
        match.play(bot.choose(match.view(match.turn)))
    assert match.result is not None
    assert any("“what?” is none of the numbers" in prompt for prompt in asked)


def test_a_chat_function_that_only_babbles_is_given_up() -> None:
    view = brelan.game("template-game").deal(seed=1)
    assert view.turn is not None
    answers: Iterator[str] = iter(["a", "b"])
    with pytest.raises(brelan.Refused, match="“b” is none"):
        text.ChatBot(lambda prompt: next(answers), attempts=2).choose(view.view(view.turn))


def test_pictures_have_one_size_and_letters_in_them() -> None:
    sizes = set()
    for name in GAMES:
        game = brelan.game(name)
        match = game.deal(seed=2)
        for _ in range(3):
            if match.turn is not None:
                drawn = picture(match.view(match.turn), "fr")
                sizes.add(drawn.shape)
                assert len(np.unique(drawn)) > 20
                match.play(match.legal()[0])
    assert sizes == {(600, 1000, 3)}
