"""The checks of the suite: each takes one game, or a number of players of it.

A check plays matches of a game, or of its variants, and fails by an assertion.
"""

from __future__ import annotations

import inspect
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import brelan
from brelan import bots, i18n
from brelan.compiler.library import MODES
from brelan.encoding import Encoder
from brelan.engine.driver import decide
from brelan.engine.game import Game
from brelan.engine.match import Match
from brelan.engine.match_driver import Driver, blank_results
from brelan.errors import IllegalMove
from brelan.rules import hooks, new_scratch
from brelan.suite.golden import has_tests
from brelan.suite.reference import matches_are_as_long_as_in_the_reference
from brelan.suite.texts import (
    both_languages_say_the_same,
    both_rulebooks_have_the_same_sections,
    french_has_its_typography,
    the_page_has_words_for_every_knob,
)
from brelan.suite.walk import Walk, cards_of, variants

ASKED = 12  # states in which bots are asked, at least; SHORT less LONGEST, if that is more
SHORT = 60
EAGER = 10  # comparisons of worlds in one phase of a game, after which every other one is left out


def _quick(game: Game) -> Game:
    """Return the same variant, whose matches run in machine code with its bounds checked."""
    return Game(game.folder, game.knobs, mode="checked")


def legal_moves_need_only_the_view(game: Game, seed: int) -> None:
    """Legal moves on the mover's view are those on the state, and there is always one."""
    for walk in Walk(game, seed).run(random.Random(seed)):
        if walk.seat is not None:
            legal = walk.legal()
            assert legal, "a seat has the turn and no legal move"
            assert walk.legal(walk.view(walk.seat)) == legal
            assert len(set(legal)) == len(legal), "a legal move is listed twice"


def imagined_worlds_look_the_same(game: Game, seed: int) -> None:
    """A world that a seat imagines looks to it like the true one, and holds the same cards."""
    choice = random.Random(seed)
    for walk in Walk(game, seed).run(choice):
        seat, luck = choice.randrange(game.players), choice.getrandbits(60)
        world = walk.imagine(seat, luck)
        assert not (differ := _differing(walk.view(seat), walk.view(seat, world))), (
            f"seat {seat} sees another {differ}"
        )
        found, meant = cards_of(game, world), cards_of(game, walk.state)
        assert found == meant, f"too many: {found - meant}, too few: {meant - found}"
        again = walk.view(seat, world)
        walk.library(hooks.imagine)(again, seat, new_scratch(luck))
        assert again.tobytes() == world.tobytes(), "equal views imagined different worlds"


def _differing(one: Any, other: Any) -> str:
    """Name the places in which two records differ."""
    return ", ".join(name for name in one.dtype.names if not np.array_equal(one[name], other[name]))


def tensors_show_the_view(game: Game, seed: int) -> None:
    """States that look alike to a reader give it the same tensor, and other views give others."""
    choice = random.Random(seed)
    encoder, readers = Encoder(game), (None, *range(game.players))
    tensors: dict[tuple[int | None, bytes], bytes] = {}
    for walk in Walk(game, seed).run(choice):
        reader, luck = choice.choice(readers), choice.getrandbits(60)
        world = walk.imagine(choice.randrange(game.players) if reader is None else reader, luck)
        number = game.players if reader is None else reader
        states = np.array([walk.state, world])
        written = np.ones((2, encoder.size), np.float32)
        encoder.encode_states(states, np.array([number, number]), written, "checked")
        view = walk.view(reader)
        tensor = encoder.encode_record(view, reader)
        assert (written == tensor).all(), "a tensor tells what its reader cannot know"
        tensors[reader, view.tobytes()] = tensor.tobytes()
    assert len(tensors) > 1
    assert len(set(tensors.values())) == len(tensors), "different views have the same tensor"


def imagined_worlds_can_be_played(game: Game, seed: int) -> None:
    """A match can go on from an imagined world to its end."""
    choice = random.Random(seed)
    for walk in Walk(game, seed).run(choice):
        if walk.seat is not None and choice.random() < 0.1:
            other = Walk(game, seed)
            other.state = walk.imagine(walk.seat, choice.getrandbits(60))
            for _ in other.run(choice):
                pass


def cards_are_conserved(game: Game, seed: int) -> None:
    """No card is ever lost or doubled, in any variant."""
    choice = random.Random(seed)
    for variant in variants(game, choice):
        pack = sorted(variant.pack)
        for walk in Walk(variant, choice.getrandbits(60)).run(choice):
            found = sorted(cards_of(variant, walk.state).elements())
            assert found == pack or walk.is_fresh, f"{variant.variant}: {found}"


def matches_end(game: Game, seed: int) -> None:
    """A match ends within the bound of its rules, whoever plays."""
    for bot, name in enumerate(bots.names(game)):
        count = 30 if bots.is_compiled_only(game, name) else 300
        results = blank_results(game, count)
        driver = Driver(game, [bot] * game.players)
        driver.set_up(results, 0, seed + bot)
        driver.play(results)
        assert 0 < results["decisions"].max() <= game.folder.rules.LONGEST


def modes_agree(game: Game, seed: int) -> None:
    """The same luck and moves give the same bytes compiled, bounds-checked and interpreted."""
    walks = [Walk(game, seed, mode) for mode in MODES]
    choice = random.Random(seed)
    while legal := walks[0].legal():
        number, seat, luck = choice.choice(legal), choice.randrange(game.players), choice.random()
        worlds = {walk.imagine(seat, int(luck * 2**60)).tobytes() for walk in walks}
        states = {walk.state.tobytes() for walk in walks}
        assert len(worlds) == len(states) == 1
        for walk in walks:
            assert walk.legal() == legal, walk.library.mode
            walk.play(number)


def bots_play_alike_in_every_mode(game: Game, seed: int) -> None:
    """Whole matches between bots have the same results and metrics in every mode.

    Interpreted they take long, so there only the fewest players sit, and no bot in COMPILED_ONLY.
    """
    names = bots.names(game)
    light = [number for number, name in enumerate(names) if not bots.is_compiled_only(game, name)]
    is_short = game.players == game.folder.knobs["players"].values[0]
    for players, modes in ((range(len(names)), MODES[:2]), (light, MODES[::2])):
        if "interpreted" in modes and not is_short:
            continue
        played = []
        for mode in modes:
            results, driver = blank_results(game, len(players)), Driver(game, players, mode)
            driver.set_up(results, 0, seed)
            for row in range(len(players)):
                results["seating"][row] = (row + np.arange(game.players)) % len(players)
            driver.play(results)
            played.append(results.tobytes())
        assert played[0] == played[1]


def matches_are_repeatable(game: Game, seed: int) -> None:
    """The same seed and moves give the same match, and another seed another one."""
    one, two, three = (game.deal(seed=number) for number in (seed, seed, seed + 1))
    choice = random.Random(seed)
    while one.turn is not None:
        two.play(one.play(choice.choice(one.legal())))
    assert one.save() == two.save()
    views = [
        [match.view(seat).record.tobytes() for seat in range(game.players)]
        for match in (one, three)
    ]
    assert views[0] != views[1]


def saving_loses_nothing(game: Game, seed: int) -> None:
    """A match saved and loaded at any ply is the same match."""
    match = game.deal(seed=seed)
    choice = random.Random(seed)
    while True:
        loaded = brelan.load(match.save())
        assert loaded.save() == match.save()
        for seat in (None, *range(game.players)):
            assert loaded.view(seat) == match.view(seat)
            assert loaded.story(seat) == match.story(seat)
        if match.turn is None:
            break
        for _ in range(choice.randrange(3, 25)):
            if match.turn is not None:
                match.play(choice.choice(match.legal()))


def only_legal_moves_are_accepted(game: Game, seed: int) -> None:
    """Every legal move is accepted by number and notation; no other is, and nothing changes."""
    match = game.deal(seed=seed)
    choice = random.Random(seed)
    for _ in range(25):
        if match.turn is None:
            break
        before, legal = match.save(), match.legal()
        allowed = {move.id for move in legal}
        numbers = [
            number for number in range(len(game.folder.cards.MOVES)) if number not in allowed
        ]
        nonsense: list[int | str] = [-1, 10**9, "", "?", "deal"]
        for bad in [*nonsense, *choice.sample(numbers, min(10, len(numbers)))]:
            try:
                match.play(bad)
            except IllegalMove as error:
                assert legal[0].notation in str(error)
            else:
                raise AssertionError(f"{bad} was accepted")
        assert match.save() == before
        notations = [move.notation for move in legal]
        assert len(set(notations)) == len(notations), "two legal moves are written alike"
        for move in choice.sample(legal, min(3, len(legal))):
            for form in (move.id, move.notation):
                assert brelan.load(before).play(form) == move
        match.play(choice.choice(legal))


def every_knob_value_plays(game: Game, seed: int) -> None:
    """Every value of every knob can be set, and a match with it comes to a result."""
    choice = random.Random(seed)
    for variant in map(_quick, variants(game, choice)):
        match = variant.deal(seed=seed)
        while match.turn is not None:
            match.play(choice.choice(match.legal()))
        assert match.result is not None
        assert len(match.result.scores) == variant.players


def views_hide_what_they_must(game: Game, seed: int) -> None:
    """What a reader is shown and told of a move fits every world that fits what it sees."""
    choice = random.Random(seed)
    compared, tried = 0, Counter[int]()
    for match in range(6):
        for walk in Walk(_quick(game), seed + match).run(choice):
            phase = int(walk.state.phase)
            is_open = walk.seat is not None and len(walk.legal()) > 1
            if is_open and choice.random() < EAGER / (EAGER + tried[phase]):
                compared += _compare_worlds(walk, choice)
                tried[phase] += 1
    assert compared > 0, "no two worlds stayed alike"


def _compare_worlds(walk: Walk, choice: random.Random) -> int:
    """Make a move in truth and in a world that one of the others imagines; compare its reading."""
    game, number = walk.game, choice.choice(walk.legal())
    reader = choice.choice([seat for seat in range(game.players) if seat != walk.seat])
    view = walk.view(reader)

    def show(move: int) -> int:
        return game.shown(view, move, reader)

    world, truth = walk.imagine(reader, choice.getrandbits(60)), _after(game, walk.state, number)
    worlds = {other: _after(game, world, other) for other in walk.legal(world)}
    same = {m: w for m, w in worlds.items() if _sight(w, reader) == _sight(truth, reader)}
    if same:
        assert show(number) in map(show, same), "a move that is shown tells of hidden cards"
    alike = [after for other, after in same.items() if show(other) == show(number)]
    for after in alike:
        assert _reading(after, reader) == _reading(truth, reader)
    return len(alike)


def _after(game: Game, state: Any, number: int) -> Match:
    """Return the match in which a move has been made in a state."""
    match = Match.from_position(game, state.copy())
    match.play_unchecked(number)
    return match


def _sight(match: Match, reader: int) -> list[bytes]:
    """Return the bare records that a seat has seen."""
    view = match.view(reader)
    return [*view.observations, view.record.tobytes()]


def _reading(match: Match, reader: int) -> list[Any]:
    """Return everything that a seat is given to read of a match."""
    view = match.view(reader)
    moves = [*view.history, *view.legal()]
    labels = [(move.notation, move.id, move.label("fr"), move.label("en")) for move in moves]
    stories = [match.story(reader, lang) for lang in i18n.LANGUAGES]
    return [view, view.as_dict(), labels, stories]


def bots_see_only_views(game: Game, seed: int) -> None:
    """A bot moves legally, and alike in every world that looks the same to it; so in the driver."""
    choice, asked, match = random.Random(seed), 0, 0
    while asked < max(ASKED, SHORT - game.folder.rules.LONGEST):
        asked += _ask_bots(Walk(game, seed + match, "interpreted"), choice)
        match += 1


def _ask_bots(walk: Walk, choice: random.Random) -> int:
    """Ask every bot in some states of a random match, and in worlds that look the same to it."""
    game, asked = walk.game, 0
    for _ in walk.run(choice):
        if walk.seat is None or choice.random() > 0.3:
            continue
        asked += 1
        world = walk.imagine(walk.seat, choice.getrandbits(60))
        for number, name in enumerate(bots.names(game)):
            luck = choice.getrandbits(60)
            chosen = [_decided(game, state, number, luck) for state in (walk.state, world)]
            assert chosen[0] == chosen[1], name
            assert chosen[0] in walk.legal(), name
            view = brelan.View(game, walk.seat, walk.view(walk.seat))
            assert brelan.bot(name, game, seed=luck).choose(view).id in walk.legal(), name
    return asked


def search_sees_only_views(game: Game, seed: int) -> None:
    """The search moves legally, and alike in every world that looks the same to it."""
    choice = random.Random(seed)
    level = "40+steps=4000"
    walk, bot = Walk(game, seed), brelan.bot("search", game, level=level, seed=seed)
    for _ in walk.run(choice):
        if walk.seat is None or choice.random() > 0.2:
            continue
        world = walk.imagine(walk.seat, choice.getrandbits(60))
        views = [
            brelan.View(game, walk.seat, walk.view(walk.seat, state))
            for state in (walk.state, world)
        ]
        moves = [bot.choose(view) for view in views]
        assert moves[0] == moves[1]
        assert moves[0].id in walk.legal()
    match = game.deal(seed=seed)
    for _ in range(3 * game.players + 2):
        if match.turn is not None:  # what was read of the others before changes nothing
            view = match.view(match.turn)
            move = bot.choose(view)
            assert brelan.bot("search", game, level=level, seed=seed).choose(view) == move
            match.play(move)


def _decided(game: Game, state: Any, bot: int, luck: int) -> int:
    """Return what a bot does in a state, as the driver asks it."""
    table, view, raw = game.folder.layout.buffers(state.tobytes())
    scratch = new_scratch(luck)
    scratch.bots[:] = bot
    mode = "compiled" if bots.is_compiled_only(game, bots.names(game)[bot]) else "interpreted"
    return int(game.folder.library(mode)(decide)(table, view, raw, scratch))


def every_text_is_used(game: Game, seed: int) -> None:
    """Every text of moves and story is reached, renders in both languages, and none is missing.

    Other texts, such as those of `knob.*` and `preset.*`, are for the page alone.
    """
    choice = random.Random(seed)
    catalogues = {lang: game.folder.texts(lang) for lang in i18n.LANGUAGES}
    french, english = (set(catalogue.entries) for catalogue in catalogues.values())
    assert french == english, f"in one language only: {sorted(french ^ english)}"
    expected = {key for key in french if key.startswith(("story.", "move."))}
    for file in sorted(game.folder.path.glob("tests/matches/*.json")):
        expected -= _texts_told(brelan.load(file.read_text(encoding="utf-8")))
    for _ in range(4):
        for variant in map(_quick, variants(game, choice)):
            match = variant.deal(seed=choice.getrandbits(60))
            while match.turn is not None:
                legal = match.legal()
                expected -= {move.message[0] for move in legal}
                match.play(choice.choice(legal))
            expected -= _texts_told(match)
            if not expected:
                return
    raise AssertionError(f"never used: {sorted(expected)}; keep a match that does in tests/matches")


def _texts_told(match: Match) -> set[str]:
    """Return the keys of all texts that somebody reads in a match, after rendering them."""
    keys = set()
    for seat in (None, *range(match.game.players)):
        keys |= {move.message[0] for move in match.view(seat).history}
        for key, args in match.tell(seat):
            keys.add(key)
            for lang in i18n.LANGUAGES:
                match.game.folder.texts(lang)(key, args)
    return keys


def every_rule_is_reached(game: Game, seed: int) -> None:
    """Every rule cites a § that both rulebooks have, and is used in some match."""
    package = game.folder.rules.__package__
    rules = {
        value.__code__: (name, value.__doc__ or "")
        for file in ("rules", "scoring")
        for name, value in vars(sys.modules.get(f"{package}.{file}", game.folder.rules)).items()
        if inspect.isfunction(value) and value.__module__ == f"{package}.{file}"
    }
    books = [game.folder.rulebook(lang) for lang in i18n.LANGUAGES]
    for name, doc in rules.values():
        sections = re.findall(r"§(\d+)(?:\.(\d+))?", doc)
        assert sections, f"{name} does not cite the rulebook"
        for major, minor in sections:
            for book in books:
                assert _has_section(book, major, minor), f"{name}: no §{major}.{minor}"
    unused = set(rules)

    def watch(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            unused.discard(frame.f_code)

    choice = random.Random(seed)
    sys.setprofile(watch)
    try:
        for file in game.folder.path.glob("tests/matches/*.json"):
            brelan.load(file.read_text(encoding="utf-8"))
        for variant in variants(game, choice):
            match = variant.deal(seed=choice.getrandbits(60))
            while match.turn is not None:
                match.play(choice.choice(match.legal()))
            assert match.result is not None
            if not unused:
                break
    finally:
        sys.setprofile(None)
    assert not unused, f"never used: {sorted(rules[code][0] for code in unused)}"


def _has_section(book: str, major: str, minor: str) -> bool:
    """Whether a rulebook has a section: as a heading, or as a numbered case of it."""
    if minor and re.search(rf"^#+ §{major}\.{minor}\b", book, re.MULTILINE):
        return True
    chapter = re.search(rf"^## §{major}\b(.*?)(?=^## |\Z)", book, re.MULTILINE | re.DOTALL)
    if chapter is None or not minor:
        return chapter is not None
    return re.search(rf"^{minor}\. ", chapter.group(1), re.MULTILINE) is not None


def all_checks(game: Game) -> Iterator[tuple[Check, Game]]:
    """Yield every check with the game, or the number of players, to run it on."""
    for players in game.folder.knobs["players"].values:
        variant = Game(game.folder, game.folder.knobs.settle({"players": players}))
        yield from ((check, variant) for check in BY_PLAYERS)
    checks = BY_VARIANTS if has_tests(game) else [c for c in BY_VARIANTS if c not in ONCE]
    yield from ((check, game) for check in checks)


Check = Callable[[Game, int], None]

# Checks to run with each number of players, then those that go through all variants themselves.
BY_PLAYERS: tuple[Check, ...] = (
    legal_moves_need_only_the_view,
    imagined_worlds_look_the_same,
    tensors_show_the_view,
    imagined_worlds_can_be_played,
    views_hide_what_they_must,
    bots_see_only_views,
    search_sees_only_views,
    matches_end,
    modes_agree,
    bots_play_alike_in_every_mode,
    matches_are_repeatable,
    saving_loses_nothing,
    only_legal_moves_are_accepted,
)
BY_VARIANTS: tuple[Check, ...] = (
    cards_are_conserved,
    every_knob_value_plays,
    every_text_is_used,
    every_rule_is_reached,
    matches_are_as_long_as_in_the_reference,
    both_languages_say_the_same,
    french_has_its_typography,
    the_page_has_words_for_every_knob,
    both_rulebooks_have_the_same_sections,
)
ONCE: tuple[Check, ...] = (every_text_is_used, every_rule_is_reached)  # with the matches kept
