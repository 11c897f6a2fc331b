"""`brelan play`, `brelan rules` and `brelan replay`, as people and pipes use them."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

import brelan
from brelan import cli
from brelan.bots import SearchBot, bot
from brelan.i18n import LANGUAGES, load
from brelan.terminal.menu import Choice, draw, find, numbers
from brelan.terminal.rulebook import sections
from brelan.terminal.screen import Room, Screen, unglue
from brelan.terminal.session import PlainFace, TerminalSession, face_of

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

PROGRAM = [sys.executable, "-c", "from brelan.cli import main; main()"]
GAME = "love-letter"
PATIENCE = 60.0  # seconds without a sign of life
FRENCH_LINE_START = re.compile(r"^\s*[:;!?»]", re.MULTILINE)


def environment(**changes: str) -> dict[str, str]:
    """Return an environment whose language, size and colours are known."""
    unwanted = ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "LESS", "PAGER")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "COLUMNS": "80", "LINES": "24", "TERM": "xterm-256color", **changes}


class Ended(NamedTuple):
    """How a run of the program ended, and what it wrote."""

    status: int
    out: str
    err: str


def run_program(*arguments: str, typed: str = "", **changes: str) -> Ended:
    """Run the real program, with its input from a pipe."""
    ended = subprocess.run(
        [*PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=60,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ended]:
    """Run the same program in this process, which is quicker."""

    def run(*arguments: str, typed: str = "", **changes: str) -> Ended:
        wanted = environment(**changes)
        for name in set(os.environ) - set(wanted):
            monkeypatch.delenv(name)
        for name, value in wanted.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            cli.main(arguments)
        assert isinstance(left.value.code, int)
        return Ended(left.value.code, *capsys.readouterr())

    return run


class Terminal:
    """The real program at a pseudo-terminal."""

    def __init__(self, *arguments: str, **changes: str) -> None:
        self.screen = ""
        leader, follower = pty.openpty()
        self.leader = leader
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment(**changes),
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # even in background
        )
        os.close(follower)

    def wait_for(self, words: str) -> str:
        """Read until some words appear; return what was shown up to then."""
        while words not in self.screen and self._read():
            pass
        assert words in self.screen, self.screen
        shown, self.screen = self.screen.split(words, 1)
        return shown + words

    def type(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def finish(self) -> int:
        """Read to the end; return the exit status, of a program killed if it did not end."""
        while self._read():
            pass
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=PATIENCE)
        os.close(self.leader)
        self.process.kill()
        return self.process.wait()

    def _read(self) -> bool:
        """Read what is there; nothing comes for long when the program waits, or has ended."""
        if not select.select([self.leader], [], [], PATIENCE)[0]:
            return False
        try:
            read = os.read(self.leader, 65536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.screen += read.decode(errors="replace")
        return bool(read)


def choices_of(match: brelan.Match) -> list[str]:
    return [move.notation for move in match.legal()]


def played_by_chance(seed: int, players: int = 2) -> tuple[brelan.Match, list[str]]:
    """Return a match of seat 0, which plays by chance, against seed's bot, and its moves."""
    match = brelan.game(GAME, players=players).deal(seed=seed)
    chance, typed = random.Random(seed), []
    while match.turn is not None:
        if match.turn == 0:
            typed.append(chance.choice(choices_of(match)))
            match.play(typed[-1])
        else:
            match.play(bot("eager", match.game, seed=seed).choose(match.view(match.turn)))
    return match, typed


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Path, brelan.Match]:
    match, _ = played_by_chance(7)
    file = tmp_path / "match.json"
    file.write_text(match.save(), encoding="utf-8")
    return file, match


# ---------------------------------------------------------------- playing through a pipe


@pytest.mark.parametrize(("players", "language"), [(2, "fr"), (4, "en"), (6, "fr")])
def test_a_whole_match_by_notation(
    run: Callable[..., Ended], tmp_path: Path, players: int, language: str
) -> None:
    match, typed = played_by_chance(players, players)
    match.bots = dict.fromkeys(range(1, players), "eager")
    file = tmp_path / "match.json"
    options = [f"--players={players}", f"--seed={players}", f"--lang={language}"]
    ended = run("play", GAME, *options, "--save", str(file), typed="\n".join(typed) + "\n")
    assert ended.status == 0
    assert ended.err == ""
    assert file.read_text(encoding="utf-8") == match.save()
    assert f"brelan replay {file}" in ended.out.replace("\n", "")
    assert "\x1b" not in ended.out
    assert not list(tmp_path.glob("*.part"))


def test_the_first_choice_is_always_there(run: Callable[..., Ended]) -> None:
    ended = run("play", GAME, "--seed", "5", "--lang", "en", typed="1\n" * 300)
    assert ended.status == 0
    assert re.search(r"wins? the match[!.]\n", ended.out)


def test_an_illegal_move_gets_one_line_and_the_match_goes_on(
    run: Callable[..., Ended], tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    match = brelan.game(GAME).deal(seed=7)
    match.bots = {1: "eager"}
    assert match.turn == 0
    ended = run("play", GAME, "--seed=7", "--lang=en", "--save", str(file), typed="99\nquit\n")
    assert ended.status == 0
    (line,) = [line for line in ended.out.splitlines() if "not allowed" in line]
    assert line.replace("\u00a0", " ") == (
        f"“99” is not allowed; type 1 to {len(match.legal())}, "
        f"a notation such as {choices_of(match)[0]}, or ?"
    )
    assert file.read_text(encoding="utf-8") == match.save()


def test_end_of_input_leaves_politely(run: Callable[..., Ended]) -> None:
    for language, goodbye in (("en", "Goodbye."), ("fr", "Au revoir.")):
        ended = run("play", GAME, f"--lang={language}")
        assert ended.status == 0
        assert ended.out.endswith(f"{goodbye}\n")
        assert ended.err == ""


WORDS = {
    "help": "Type the number before a move",
    "aide": "Type the number before a move",
    "?": "so does Ctrl-D",
    "rules §7.2": "§7.2 Favour tokens",
    "règles 99": "unknown section '99'; there are: §1",
    "story": "You are dealt",
    "save": "Name the file to save in",
    "": "Love Letter · round 1",
    "quitter": "This match is not saved",
}


def test_words_besides_moves(run: Callable[..., Ended]) -> None:
    ended = run("play", GAME, "--seed=7", "--lang=en", typed="\n".join(WORDS) + "\n")
    assert ended.status == 0
    _, *answers = ended.out.split("Your move (? for help) › ")
    for answer, (word, shown) in zip(answers, WORDS.items(), strict=True):
        assert answer.startswith(f"{word}\n")
        assert shown in answer


def test_a_match_can_be_saved_on_leaving_and_resumed(
    run: Callable[..., Ended], tmp_path: Path
) -> None:
    match, typed = played_by_chance(3)
    match.bots = {1: "eager"}
    file = tmp_path / "kept.json"
    first = "\n".join([*typed[:3], "quit", f"save {file}"]) + "\n"
    assert run("play", GAME, "--seed=3", typed=first).status == 0
    half = brelan.load(file.read_text(encoding="utf-8"))
    assert 0 < half.ply < match.ply
    ended = run("play", "--resume", str(file), typed="\n".join(typed[3:]) + "\n")
    assert ended.status == 0
    assert file.read_text(encoding="utf-8") == match.save()


def test_trouble_with_saving_does_not_end_the_match(tmp_path: Path) -> None:
    match = brelan.game(GAME).deal(seed=7)
    session = session_at(match, "en", 80)
    session.file = tmp_path / "gone" / "match.json"
    session._save()
    assert "No such file or directory" in " ".join(shown_by(session).split())
    assert "No such file or directory" not in " ".join(shown_by(session).split())


def test_a_resignation_is_saved(run: Callable[..., Ended], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    run("play", GAME, "--seed=7", "--save", str(file), typed="resign\n\nresign\nyes\n")
    assert brelan.load(file.read_text(encoding="utf-8")).resigned == 0


def test_who_resumes_a_match_meets_the_same_bots(run: Callable[..., Ended], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    run("play", GAME, "--seed=7", "--bot=careful", "--save", str(file), typed="")
    assert "careful" in run("play", "--resume", str(file), "--lang=en", typed="").out
    assert brelan.load(file.read_text(encoding="utf-8")).bots == {1: "careful"}
    run("play", "--resume", str(file), "--bot=random", typed="")
    assert brelan.load(file.read_text(encoding="utf-8")).bots == {1: "random"}


def test_language_follows_the_environment(run: Callable[..., Ended]) -> None:
    assert "manche 1" in run("play", GAME, "--seed=7", LANG="fr_FR.UTF-8").out
    assert "manche 1" in run("play", GAME, "--seed=7", LC_ALL="fr_CH.UTF-8", LANG="en_US.UTF-8").out
    assert "round 1" in run("play", GAME, "--seed=7", LANG="de_DE.UTF-8").out
    assert "round 1" in run("play", GAME, "--seed=7").out


def test_a_narrow_character_set_is_no_reason_to_fail() -> None:
    ended = run_program("play", GAME, "--lang=fr", typed="?\n", PYTHONIOENCODING="ascii")
    assert ended.status == 0
    assert ended.err == ""


def test_nothing_is_compiled_to_play(run: Callable[..., Ended]) -> None:
    check = (
        "import sys; from brelan.cli import main\n"
        "try: main(['play', 'love-letter', '--seed=7'])\n"
        "except SystemExit: pass\n"
        "heavy = [name for name in sys.modules if name.startswith(('llvmlite', 'brelan.lab'))]\n"
        "sys.exit(len(heavy))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", check], input=b"1\n1\n", capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


# ---------------------------------------------------------------- at a terminal


def test_at_a_terminal_the_screen_is_cleared_and_coloured() -> None:
    terminal = Terminal("play", GAME, "--seed=7", "--lang=en")
    shown = terminal.wait_for("Your move")
    assert "\x1b[2J" in shown
    assert re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)
    terminal.type("1\r")
    terminal.wait_for("Your move")
    terminal.type("\x04")
    assert terminal.finish() == 0
    assert "Goodbye." in terminal.screen


def test_without_colour() -> None:
    terminal = Terminal("play", GAME, "--seed=7", "--lang=en", NO_COLOR="1")
    shown = terminal.wait_for("Your move")
    assert not re.search(r"\x1b\[[0-9;]*[39][0-7]m", shown)
    terminal.type("quit\r\r")
    assert terminal.finish() == 0


def test_an_interrupt_leaves_politely(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    terminal = Terminal("play", GAME, "--seed=7", "--lang=en", "--save", str(file))
    terminal.wait_for("Your move")
    time.sleep(2)  # the prompt is there a moment before anybody listens
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.finish() == 130
    assert "Goodbye." in terminal.screen
    assert "--resume" in terminal.screen
    assert "Traceback" not in terminal.screen


def test_a_long_rulebook_is_paged_at_a_terminal() -> None:
    terminal = Terminal("rules", GAME, "--lang=en", PAGER="sed s/Love/Paged/")
    terminal.wait_for("Paged Letter")
    assert terminal.finish() == 0


# ---------------------------------------------------------------- what is not allowed

REFUSED = [
    (["nonsense"], "there are: play, games, serve"),
    (["play"], "there are: love-letter"),
    (["play", "chess"], "there are: love-letter"),
    (["play", GAME, "extra"], "too many arguments: extra"),
    (["play", GAME, "--bto", "eager"], "there are: --bot, --players"),
    (["play", GAME, "--bot", "nobody"], "there are: random, careful, shrewd, eager"),
    (["play", GAME, "--players", "7"], "it may be: 2, 3, 4, 5, 6"),
    (["play", GAME, "--players", "many"], "it may be: 2, 3, 4, 5, 6"),
    (["play", GAME, "--seat", "2"], "seats are 0 to 1"),
    (["play", GAME, "--seat", "first"], "seats are 0 to 1"),
    (["play", GAME, "--seed", "lucky"], "a seed is a number"),
    (["play", GAME, "--set", "deck"], "--set knob=value"),
    (["play", GAME, "--set", "luck=1"], "there are: players, deck"),
    (["play", GAME, "--set", "deck=tarot"], "it may be: zman21, classic16"),
    (["play", GAME, "--set"], "requires an argument"),
    (["play", GAME, "--preset", "old"], "there are: published2019"),
    (["play", GAME, "--lang", "de"], "there are: fr, en"),
    (["play", GAME, "--save", "FOLDER"], "not a file"),
    (["play", GAME, "--save", "FOLDER/none/match.json"], "No such file or directory"),
    (["play", GAME, "--save", "MATCH"], "exists"),
    (["play", "--resume", "FOLDER/none.json"], "No such file or directory"),
    (["play", "--resume", "MATCH", "--seed", "1"], "--seed is for a new match"),
    (["play", "chess", "--resume", "MATCH"], "there are: love-letter"),
    (["rules", "chess"], "there are: love-letter"),
    (["rules", GAME, "--section", "§99"], "there are: §1, §2"),
    (["rules", GAME, "--lang", "de"], "there are: fr, en"),
    (["replay"], "requires an argument"),
    (["replay", "FOLDER"], "Is a directory"),
    (["replay", "MATCH", "--seat", "2"], "there are: 0 to 1, all, spectator"),
    (["replay", "MATCH", "--lang", "de"], "there are: fr, en"),
]


@pytest.mark.parametrize(("arguments", "allowed"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_not_allowed_gets_one_line(
    arguments: list[str],
    allowed: str,
    saved: tuple[Path, brelan.Match],
    run: Callable[..., Ended],
) -> None:
    file, match = saved
    places = {"MATCH": str(file), "FOLDER": str(file.parent)}
    filled = [
        re.sub("MATCH|FOLDER", lambda found: places[found[0]], argument) for argument in arguments
    ]
    shown = run(*filled)
    assert shown.status == 2
    assert shown.out == ""
    assert shown.err.startswith("brelan: ")
    assert shown.err.count("\n") == 1
    assert allowed in shown.err
    assert file.read_text(encoding="utf-8") == match.save()
    assert list(file.parent.iterdir()) == [file]


def damaged(text: str) -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "truncated", text[: len(text) // 2].encode()
    yield "not text", b"\xff\xfe" + text.encode()
    yield "too long", b" " * 2_000_000
    yield "a list", b"[]"
    for field, value in (("seed", 8), ("position", "0" * 32), ("moves", ["9"]), ("rules", 99)):
        yield f"altered {field}", json.dumps({**json.loads(text), field: value}).encode()


@pytest.mark.parametrize("command", [["replay"], ["play", "--resume"]], ids=" ".join)
def test_a_damaged_match_is_refused(
    command: list[str], saved: tuple[Path, brelan.Match], run: Callable[..., Ended]
) -> None:
    file, match = saved
    for damage, content in damaged(match.save()):
        file.write_bytes(content)
        shown = run(*command, str(file))
        assert shown.status == 2, damage
        assert (shown.out, shown.err.count("\n")) == ("", 1), damage
        assert str(file) in shown.err
        assert file.read_bytes() == content


def test_the_real_program_refuses_too() -> None:
    ended = run_program("play", "chess")
    assert ended.status == 2
    assert ended.out == ""
    assert re.fullmatch(r"brelan: unknown game 'chess'; there are: love-letter.*\n", ended.err)


def test_what_nobody_expected_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: list[str]) -> int:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(cli, "_run", fail)
    with pytest.raises(RuntimeError, match="a mistake of ours"):
        cli.main([])


def test_help_and_version(run: Callable[..., Ended]) -> None:
    shown = run("--help").out
    for command, explained in cli.COMMANDS.items():
        assert re.search(rf"{command}\s+{re.escape(explained)}", shown)
    assert re.fullmatch(r"\d+\.\d+\.\d+.*\n", run("--version").out)
    for command in ("play", "rules", "replay"):
        ended = run(command, "--help")
        assert ended.status == 0
        assert f"brelan {command}" in ended.out


# ---------------------------------------------------------------- rules


def test_games_are_listed(run: Callable[..., Ended]) -> None:
    listed = run("games", "--lang=fr").out
    assert run("rules", "--lang=fr").out == listed
    assert listed.startswith(f"{GAME}  Love Letter. ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_of_the_rules(run: Callable[..., Ended], language: str) -> None:
    shown = run("rules", GAME, "--section=§4.2", f"--lang={language}").out
    assert shown.startswith("§4.2 ")
    assert "keep x under a b" in shown
    assert "§5" not in shown
    assert run("rules", GAME, "--section=4.2", f"--lang={language}").out == shown


def test_a_section_holds_its_subsections() -> None:
    book = brelan.game(GAME).folder.rulebook("en")
    parts = sections(book)
    assert parts["4"].endswith(parts["4.2"])
    tops = [part for name, part in parts.items() if "." not in name]
    assert book.endswith("".join(tops))


@pytest.mark.parametrize("width", [47, 60, 80, 100])
def test_no_french_line_begins_with_punctuation(run: Callable[..., Ended], width: int) -> None:
    shown = run("rules", GAME, "--lang=fr", COLUMNS=str(width)).out
    assert not FRENCH_LINE_START.search(shown)
    assert "\u00a0:" in shown
    assert max(map(len, shown.splitlines())) <= width


# ---------------------------------------------------------------- replay


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_replay_tells_the_story(
    run: Callable[..., Ended], saved: tuple[Path, brelan.Match], language: str, seat: int | None
) -> None:
    file, match = saved
    reader = "spectator" if seat is None else str(seat)
    told = run("replay", str(file), f"--seat={reader}", f"--lang={language}").out
    expected = " ".join(match.story(seat, language))
    assert " ".join(told.split()).startswith(" ".join(expected.split()))


def test_a_replay_for_everybody_tells_all(
    run: Callable[..., Ended], saved: tuple[Path, brelan.Match]
) -> None:
    file, match = saved
    told = " ".join(run("replay", str(file), "--seat=all", "--lang=en").out.split())
    for sentence in match.story(None, "en"):
        assert sentence in told
    for seat in (0, 1):
        for sentence in match.story(seat, "en"):
            assert not sentence.startswith("You draw") or sentence in told


def test_a_replay_tells_who_resigned(run: Callable[..., Ended], tmp_path: Path) -> None:
    match = brelan.game("love-letter").deal(seed=2)
    match.resign(1)
    (file := tmp_path / "resigned.json").write_text(match.save(), encoding="utf-8")
    for seat in ("all", "spectator"):
        assert "Seat 1 resigns." in run("replay", str(file), f"--seat={seat}", "--lang=en").out


def test_a_replay_as_data(run: Callable[..., Ended], saved: tuple[Path, brelan.Match]) -> None:
    file, match = saved
    content = json.loads(run("replay", str(file), "--json", "--seat=all").out)
    assert content["variant"] == match.game.variant
    assert match.result is not None
    assert content["result"]["scores"] == match.result.scores
    made = [move["notation"] for move in content["moves"] if move["seat"] is not None]
    assert made == json.loads(match.save())["moves"]
    content = json.loads(run("replay", str(file), "--json", "--seat=1").out)
    seen = [move.notation for move in match.view(1).history]
    assert [move["notation"] for move in content["moves"]] == seen


def test_a_replay_step_by_step(run: Callable[..., Ended], saved: tuple[Path, brelan.Match]) -> None:
    file, match = saved
    moves = len(json.loads(match.save())["moves"])
    told = run("replay", str(file), "--step", "--lang=en", typed="\n" * moves).out
    assert told.count("Enter for the next move") == moves
    assert told.count("Love Letter · round") == moves
    assert run("replay", str(file), "--step", "--lang=en", typed="\n").status == 0


# ---------------------------------------------------------------- choices and faces


def session_at(match: brelan.Match, language: str, width: int, height: int = 24) -> TerminalSession:
    console = Console(
        file=io.StringIO(), force_terminal=True, no_color=True, width=width, height=height
    )
    screen = Screen(match.game.folder.texts(language), console)
    bots = {seat: bot("eager", match.game) for seat in range(1, match.game.players)}
    return TerminalSession(match, 0, bots, screen, None)


def shown_by(session: TerminalSession) -> str:
    stream: Any = session.screen.console.file
    stream.truncate(0)
    stream.seek(0)
    session._show()
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", stream.getvalue())


def positions(players: int, seed: int) -> Iterator[brelan.Match]:
    """Yield a match by chance at each decision of seat 0."""
    match = brelan.game(GAME, players=players).deal(seed=seed)
    chance = random.Random(seed)
    while match.turn is not None:
        if match.turn == 0:
            yield match
        match.play(chance.choice(choices_of(match)))
    yield match


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_number_is_never_another_moves_notation(players: int) -> None:
    for match in positions(players, seed=players):
        notations = choices_of(match)
        given = numbers(notations)
        assert sorted(given) == list(range(1, len(notations) + 1))
        choices = [
            Choice(number, move, ("",)) for number, move in zip(given, match.legal(), strict=True)
        ]
        for choice in choices:
            assert find(choices, str(choice.number)) == choice
            assert find(choices, f" {choice.move.notation} ") == choice


@pytest.mark.parametrize(
    ("language", "players", "width"),
    [("fr", 2, 60), ("fr", 2, 80), ("en", 2, 80), ("en", 4, 80), ("fr", 6, 60), ("fr", 6, 80)],
)
def test_every_screen_fits_and_shows_every_choice(language: str, players: int, width: int) -> None:
    for match in itertools.islice(positions(players, seed=width + players), 20):
        session = session_at(match, language, width)
        shown = shown_by(session)
        lines = [line.rstrip() for line in shown.splitlines()]
        assert max(map(len, lines)) <= width
        assert not FRENCH_LINE_START.search(shown)
        assert "\ue000" not in shown
        if width >= 80 and players == 2:
            assert len(lines) <= 23, shown
        for number in range(1, len(match.legal()) + 1):
            assert re.search(rf"(?<!\d){number}(?!\d)", shown)


def test_the_face_of_love_letter_shows_the_whole_table() -> None:
    """The first worked example of the specification, after its first moves."""
    cards = [2, 8, 0, 3, 2, 9, 4, 1, 1, 1, 1, 4, 3, 7, 1, 0, 6, 5, 5, 6, 1]
    match = brelan.game(GAME).deal(cards=cards)
    for move in ("2", "1:0", "1:0", "1:7"):
        match.play(move)
    shown = shown_by(session_at(match, "en", 80, 40))
    for words in (
        "Deck: 10 cards   Face up: 3\u00a0Baron  2\u00a0Priest  9\u00a0Princess",
        "    1\u00a0Guard  1\u00a0Guard\n",
        "▸ You             ······",
        "─ 1\u00a0Guard ─",
        "─ 4\u00a0Handmaid ─",
        "Protected until your next",
        "Memory  Seat 1 holds the Countess.",
        "0\u00a0Spy\u00a0×2  1\u00a0Guard\u00a0×2",
    ):
        assert words in shown
    for move in ("1:7", "4", "3:-", "8", "1:5", "7", "6", "keep 5 under 0 5", "4"):
        match.play(move)
    shown = " ".join(shown_by(session_at(match, "en", 80, 40)).split())
    assert "eager (seat 1) ······ protected" in shown
    assert "Under the deck, from the bottom up: Prince, Spy." in shown
    shown = " ".join(shown_by(session_at(match, "fr", 80, 40)).split())
    assert "Sous la pioche, en partant du fond : Prince, Espionne." in shown


def test_the_memory_aid_can_be_off() -> None:
    match = brelan.game(GAME, memory_aid="off").deal(seed=7)
    assert "Unseen" not in shown_by(session_at(match, "en", 80))


def test_a_small_screen_leaves_out_the_oldest_news() -> None:
    match = next(position for position in positions(6, seed=6) if position.ply > 20)
    assert shown_by(session_at(match, "en", 80, 20)).startswith("… type story for what happened")
    assert shown_by(session_at(match, "en", 80, 90)).startswith("You play")


def test_a_game_without_a_face_is_listed_plainly() -> None:
    match = brelan.game(GAME).deal(seed=7)
    assert face_of(match.game).__name__ == "brelan.games.love_letter.terminal"  # type: ignore[attr-defined]
    session = session_at(match, "en", 80, 90)
    session.face = PlainFace()
    shown = shown_by(session)
    assert re.search(r"deck_size\s+14\s*\n", shown)
    for move in match.legal():
        assert move.label("en") in shown


def test_choices_with_a_long_beginning_go_below_it() -> None:
    match = brelan.game(GAME).deal(seed=7)
    texts = load(match.game.folder.path, "en")
    stream = io.StringIO()
    screen = Screen(texts, Console(file=stream, width=40))
    moves = match.legal()[:3]
    choices = [
        Choice(number, move, ("A rather long beginning that goes on", f"number {number}"))
        for number, move in enumerate(moves, 1)
    ]
    screen.print(draw(choices, screen))
    assert unglue(stream.getvalue()).splitlines()[1].split(")")[0].strip() == "1"
    assert screen.room == Room.ROOMY


def test_both_languages_have_the_same_texts() -> None:
    texts: Sequence[set[str]] = [
        set(load(brelan.game(GAME).folder.path, language).entries) for language in LANGUAGES
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("game", ["love-letter"])
def test_a_bot_that_thinks_is_prepared_in_the_players_language(game: str) -> None:

    SearchBot(brelan.game(game), "novice").prepare()  # which the program then finds compiled
    ended = run_program(
        "play", game, "--bot", "novice", "--lang", "fr", "--seed", "3", typed="1\n1\n"
    )
    assert ended.status == 0, ended.err
    assert "Préparation du bot novice …" in ended.err
    assert "novice (siège" in unglue(ended.out)
