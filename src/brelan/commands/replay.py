"""`brelan replay`: a saved match, told again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from brelan.errors import Refused

if TYPE_CHECKING:
    from rich.text import Text

    from brelan.paper import Paper
    from brelan.table import Match, Move

ALL = "all"
NONE = "none"


def replay(
    file: Path,
    /,
    *,
    seat: Annotated[str, Parameter(metavar="N|all|none")] = "0",
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    step: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False,
) -> None:
    """Tell a saved match again, as a seat saw it.

    Parameters
    ----------
    file
        The saved match.
    seat
        As this seat saw it; `none`: as a spectator did; `all`: with all that any seat was told.
    lang
        The language to read in; otherwise that of your environment.
    step
        Show the table too, and wait for Enter after every move.
    json_
        Print the moves and the result as JSON.
    """
    from brelan.paper import Paper, language_of_environment
    from brelan.saves import read_match

    match = read_match(file)
    reader = _reader(seat, match)
    paper = Paper(match.game.folder.texts(lang or language_of_environment()))
    if json_:
        _print_json(match, seat, reader, paper)
    elif step:
        _step_through(match, seat, reader, paper)
    else:
        paper.print(*_story(match, seat, reader, paper, 0), *_result(match, reader, paper))


def _reader(seat: str, match: Match) -> int | None:
    players = match.game.players
    if seat in (ALL, NONE):
        return None
    if seat not in map(str, range(players)):
        raise Refused(f"there is no seat {seat}; there are: 0 to {players - 1}, all, none")
    return int(seat)


# ---------------------------------------------------------------- as a story


def _story(match: Match, seat: str, reader: int | None, paper: Paper, since: int) -> list[Text]:
    from brelan.terminal import story_lines

    if seat == ALL:
        return list(_whole_story(match, paper, since))
    return story_lines(match, reader, paper, since)


def _whole_story(match: Match, paper: Paper, since: int) -> Iterator[Text]:
    """Tell what everybody saw, and below it what only some seats were told."""
    from rich.text import Text

    from brelan.terminal import tellings
    from brelan.texts import seat_word

    seats = range(match.game.players)
    private = [tellings(match, seat, since) for seat in seats]
    for ply, public in enumerate(tellings(match, None, since)):
        if public:
            yield Text(" ".join(paper.say(*told) for told in public))
        shown = [_content(*told) for told in public]
        for seat in seats:
            extra = [told for told in private[seat][ply] if _content(*told) not in shown]
            if extra:
                words = " ".join(paper.say(*told) for told in extra)
                facts = {"who": seat_word(seat, None), "words": words}
                yield Text("  " + paper.say("terminal.told_to", facts), "dim")
    if match.resigned is not None:
        yield Text(paper.say("table.resigned", {"who": seat_word(match.resigned, None)}))


def _content(key: str, facts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what is told, whoever reads it."""
    from brelan.texts import Word

    return key, {
        name: (fact.key, fact.facts) if isinstance(fact, Word) else fact
        for name, fact in facts.items()
    }


def _result(match: Match, reader: int | None, paper: Paper) -> list[Text]:
    from brelan.terminal import result_line

    return [] if match.result is None else [result_line(match, _names(match, paper), reader, paper)]


def _names(match: Match, paper: Paper) -> list[str]:
    return [paper.say("seat.name", {"number": seat}) for seat in range(match.game.players)]


def _step_through(match: Match, seat: str, reader: int | None, paper: Paper) -> None:
    """Play the match again, and show each position."""
    from rich.text import Text

    from brelan.paper import unglue
    from brelan.terminal import face_of

    again = match.game.deal(seed=match.seed, cards=match.cards)
    face, names, since = face_of(match.game), _names(match, paper), 0
    for move in [move for move in _moves(match, ALL, None) if move.seat is not None]:
        paper.console.clear()
        table = face.draw(again.view(reader), names, paper)
        paper.print(*_story(again, seat, reader, paper, since), Text(), table, Text())
        try:
            input(unglue(paper.say("terminal.step")))
        except EOFError:
            paper.print(Text())
            return
        since = again.ply
        again.play(move.notation)
    paper.console.clear()
    paper.print(*_story(match, seat, reader, paper, since), *_result(match, reader, paper))


# ---------------------------------------------------------------- as data


def _print_json(match: Match, seat: str, reader: int | None, paper: Paper) -> None:
    moves = [
        {"seat": move.seat, "notation": move.notation, "label": move.label(paper.texts.language)}
        for move in _moves(match, seat, reader)
    ]
    content = {
        "game": match.game.id,
        "variant": match.game.variant,
        "knobs": match.game.knobs,
        "moves": moves,
        "resigned": match.resigned,
        "result": None if match.result is None else match.result._asdict(),
    }
    json.dump(content, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _moves(match: Match, seat: str, reader: int | None) -> list[Move]:
    """Return the moves as a seat saw them made, or as their makers did."""
    seen = list(match.view(reader).history)
    if seat == ALL:
        histories = [match.view(maker).history for maker in range(match.game.players)]
        return [
            move if move.seat is None else histories[move.seat][ply]
            for ply, move in enumerate(seen)
        ]
    return seen
