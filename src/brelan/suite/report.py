"""What a game has to show: every check with its topic, and what to do where one fails."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from brelan import i18n
from brelan.engine.folder import line_of
from brelan.engine.game import Game
from brelan.engine.match_driver import Driver
from brelan.lab.bench import all_tasks
from brelan.suite import checks, golden

TOPICS = ("rules", "secrecy", "replay", "speed", "texts")

# The topic of each check, and what to do where it fails.
ADVICE: dict[str, tuple[str, str]] = {
    "matches_end": (
        "rules",
        "raise LONGEST in rules.py to the most decisions there can be, or find the loop",
    ),
    "cards_are_conserved": (
        "rules",
        "in rules.py a card was copied or dropped: move it and clear the place that it left; a "
        "place of what is only known of cards is declared with …_remembers",
    ),
    "only_legal_moves_are_accepted": (
        "rules",
        "in cards.py notation(view, number) must write each legal move of a view differently",
    ),
    "every_knob_value_plays": (
        "rules",
        "play that value: brelan play GAME --set KNOB=VALUE; values that cannot go together are "
        "named by conflict(knobs) in cards.py",
    ),
    "every_rule_is_reached": (
        "rules",
        "delete a rule that nothing calls, cite its § in the docstring, or keep a match that "
        "reaches it in tests/matches (brelan play GAME --save FILE)",
    ),
    "matches_are_as_long_as_in_the_reference": (
        "rules",
        "reference.py and rules.py play different games: read both beside the rulebook",
    ),
    "legal_moves_need_only_the_view": (
        "secrecy",
        "legal_moves in rules.py reads a place that the mover does not see: declare in state.py "
        "who sees it, or keep what the mover knows in a place of its own",
    ),
    "imagined_worlds_look_the_same": (
        "secrecy",
        "imagine.py must fill hidden places only, with the cards that the view leaves over, and "
        "take its luck from scratch.luck",
    ),
    "imagined_worlds_can_be_played": (
        "secrecy",
        "imagine.py makes a world that rules.py cannot play: set every hidden place that it reads",
    ),
    "tensors_show_the_view": (
        "secrecy",
        "say in state.py what the place holds (of=…) so that its numbers stay in their range",
    ),
    "views_hide_what_they_must": (
        "secrecy",
        "shown(view, number, reader) in cards.py must hide what a move tells of hidden cards, and "
        "story.py may use the reader's views alone",
    ),
    "bots_see_only_views": (
        "secrecy",
        "choose in bots.py must follow from the view and scratch.luck, and return a legal move",
    ),
    "search_sees_only_views": (
        "secrecy",
        "a hook of the search (evaluate, belief.py) depends on more than the view and its luck",
    ),
    "modes_agree": (
        "replay",
        "a rule counts beyond 16 bits, divides by 0 or leaves a row: see the table of traps in "
        "CONTRIBUTING.md",
    ),
    "bots_play_alike_in_every_mode": (
        "replay",
        "as for rules: a number or an index in bots.py or metrics.py is out of its range",
    ),
    "matches_are_repeatable": (
        "replay",
        "luck comes from state.luck alone, by shuffle, random_below and the like",
    ),
    "saving_loses_nothing": (
        "replay",
        "a saved match is its moves in notation: each must be read back as the same move",
    ),
    "every_text_is_used": (
        "texts",
        "delete a text that nothing says; where it is rare, keep a match that reaches it in "
        "tests/matches (brelan play GAME --save FILE)",
    ),
    "both_languages_say_the_same": ("texts", "write the text in texts.fr.toml and texts.en.toml"),
    "french_has_its_typography": ("texts", "mend texts.fr.toml or rulebook.fr.md"),
    "the_page_has_words_for_every_knob": (
        "texts",
        "in texts.fr.toml and texts.en.toml each knob has [knob.NAME] with name and says, and "
        "value_VALUE for each value that is a word; each preset has [preset.NAME] with name",
    ),
    "both_rulebooks_have_the_same_sections": (
        "texts",
        "give rulebook.fr.md and rulebook.en.md the same headings `## §1 …`",
    ),
}
# The function of the game that a check is about, where no line of it has failed by itself.
ABOUT = {
    "matches_end": "play",
    "cards_are_conserved": "play",
    "only_legal_moves_are_accepted": "notation",
    "legal_moves_need_only_the_view": "legal_moves",
    "imagined_worlds_look_the_same": "imagine",
    "imagined_worlds_can_be_played": "imagine",
    "views_hide_what_they_must": "shown",
    "bots_see_only_views": "choose",
    "search_sees_only_views": "evaluate",
    "bots_play_alike_in_every_mode": "choose",
}
TEXT_KEY = re.compile(r"\b[a-z]\w*(?:\.\w+)+")
GOLDEN = (
    "if the change is meant, write it anew and read the difference: brelan check GAME --rewrite"
)
COMPILE = "the message names the rule, its line and what is allowed; CONTRIBUTING.md has it all"
COMPILED = "The rules compile, with and without bounds checks."


@dataclass
class Finding:
    """One check of a game: what it says, and what went wrong (empty: it holds)."""

    topic: str
    title: str
    players: int | None  # None: it goes through all variants by itself
    wrong: str = ""
    where: str | None = None  # the line in the game's folder
    advice: str = ""
    seconds: float = 0.0


class Figures(NamedTuple):
    """How fast a game is."""

    matches: float  # random ones, for a second of the processor
    times_reference: float | None
    state_bytes: int


Prepare = Callable[[Game, str], None]


def findings(game: Game, seed: int, prepare: Prepare | None = None) -> Iterator[Finding]:
    """Run every check on a game; where its rules do not compile, nothing else is run."""
    compiled = _tried(
        game, Finding("speed", COMPILED, None, advice=COMPILE), _compiling(game, prepare)
    )
    yield compiled
    if compiled.wrong:
        return
    for check, table in checks.all_checks(game):
        topic, advice = ADVICE.get(check.__name__, ("rules", ""))
        players = table.players if check in checks.BY_PLAYERS else None
        found = Finding(topic, sentence(check), players, advice=advice)
        _tried(game, found, functools.partial(check, table, seed))
        if found.wrong and found.where is None:
            found.where = _about(game, check.__name__) or _line_of_text(game, found.wrong)
        yield found
    for file, write in golden.goldens(game):
        title = f"{file.relative_to(game.folder.path).as_posix()} is as it was."
        found = Finding("replay", title, None, advice=GOLDEN)
        yield _tried(game, found, functools.partial(golden.compare, file, write))


def _about(game: Game, check: str) -> str | None:
    """Return where the function stands that a check is about."""
    name, folder = ABOUT.get(check), game.folder
    hooks = {hook.__name__: rule for hook, rule in folder.implementations.items()}
    function = hooks.get(name or "", getattr(folder.cards, name or "", None))
    code = getattr(function, "__code__", None)
    if code is None or folder.path not in Path(code.co_filename).parents:
        return None
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def _line_of_text(game: Game, wrong: str) -> str | None:
    """Return where the first text stands that a message names."""
    for key in TEXT_KEY.findall(wrong):
        table, _, name = key.rpartition(".")
        for lang in i18n.LANGUAGES:
            file, inside = game.folder.path / f"texts.{lang}.toml", ""
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                inside = line.strip("[] ") if line.startswith("[") else inside
                if inside == table and line.partition("=")[0].strip() == name:
                    return f"{file.name}, line {number}"
    return None


def sentence(check: checks.Check) -> str:
    """Return what a check says: the first paragraph of its docstring."""
    return " ".join((check.__doc__ or "").partition("\n\n")[0].split())


def how_many(game: Game) -> int:
    """Return how many findings there will be."""
    return 1 + len(list(checks.all_checks(game))) + len(list(golden.goldens(game)))


def figures(game: Game, seed: int) -> Figures:
    """Measure how fast random matches are, beside the reference engine."""
    tasks, rates = all_tasks(game, seed), {}
    for name in ("driver", "reference"):
        if name in tasks:
            tasks[name](1)
            rates[name] = tasks[name](0)["matches"]
    ratio = rates["driver"] / rates["reference"] if "reference" in rates else None
    return Figures(rates["driver"], ratio, game.folder.layout.dtype.itemsize)


def _compiling(game: Game, prepare: Prepare | None) -> Callable[[], None]:
    def run() -> None:
        for mode in ("compiled", "checked"):
            if prepare is None:
                Driver(game, mode=mode).prepare()
            else:
                prepare(game, mode)

    return run


def _tried(game: Game, finding: Finding, run: Callable[[], None]) -> Finding:
    begun = time.perf_counter()
    try:
        run()
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the other checks go on
        finding.wrong = f"{type(error).__name__}: {error}"
        finding.where = line_of(error, game.folder.path)
    finding.seconds = time.perf_counter() - begun
    return finding
