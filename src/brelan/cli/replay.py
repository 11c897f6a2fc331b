"""`brelan replay`: a saved match, told again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from brelan.errors import BadSave, Refused

if TYPE_CHECKING:
    from rich.text import Text

    from brelan.engine.match import Match
    from brelan.engine.view import Move
    from brelan.terminal.screen import Screen

ALL = "all"
SPECTATOR = "spectator"


def replay(
    file: Path,
    /,
    *,
    seat: Annotated[str, Parameter(metavar="N|all|spectator")] = "0",
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    step: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False,
) -> None:
    """Tell a match again, as a seat saw it: one that was saved, or exported by a server.

    Parameters
    ----------
    file
        The saved or exported match.
    seat
        As this seat saw it; `spectator`: as a spectator did; `all`: all that any seat was told.
    lang
        The language to read in; otherwise that of your environment.
    step
        Show the table too, and wait for Enter after every move.
    json_
        Print the moves and the result as JSON.
    """
    from brelan.terminal.screen import Screen, lang_of_environment

    match = read_any(file)
    reader = _reader(seat, match)
    screen = Screen(match.game.folder.texts(lang or lang_of_environment()))
    if json_:
        _print_json(match, seat, reader, screen)
    elif step:
        _step_through(match, seat, reader, screen)
    else:
        screen.print(*_story(match, seat, reader, screen, 0), *_result(match, reader, screen))


def read_any(file: Path) -> Match:
    """Return the match of a file, replayed and verified."""
    from brelan.engine.saves import read_file, read_match

    content = read_file(file, "a saved or an exported match")
    if b'"brelan_match"' not in content:
        return read_match(file)
    from brelan.server.history import replayed

    try:
        return replayed(content)[1]
    except BadSave as error:
        raise BadSave(f"{file}: {error}") from None


def _reader(seat: str, match: Match) -> int | None:
    players = match.game.players
    if seat in (ALL, SPECTATOR):
        return None
    if seat not in map(str, range(players)):
        raise Refused(f"there is no seat {seat}; there are: 0 to {players - 1}, all, spectator")
    return int(seat)


# ---------------------------------------------------------------- as a story


def _story(match: Match, seat: str, reader: int | None, screen: Screen, since: int) -> list[Text]:
    from brelan.terminal.session import story_lines

    if seat == ALL:
        return list(_whole_story(match, screen, since))
    return story_lines(match, reader, screen, since)


def _whole_story(match: Match, screen: Screen, since: int) -> Iterator[Text]:
    """Tell what everybody saw, and below it what only some seats were told."""
    from rich.text import Text

    from brelan.i18n import seat_word
    from brelan.terminal.session import messages_by_ply

    seats = range(match.game.players)
    private = [messages_by_ply(match, seat, since) for seat in seats]
    for ply, public in enumerate(messages_by_ply(match, None, since)):
        if public:
            yield Text(" ".join(screen.say(*told) for told in public))
        shown = [_content(*told) for told in public]
        for seat in seats:
            extra = [told for told in private[seat][ply] if _content(*told) not in shown]
            if extra:
                words = " ".join(screen.say(*told) for told in extra)
                args = {"who": seat_word(seat, None), "words": words}
                yield Text("  " + screen.say("terminal.told_to", args), "dim")
    if match.resigned is not None:
        yield Text(screen.say("table.resigned", {"who": seat_word(match.resigned, None)}))


def _content(key: str, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what is told, whoever reads it."""
    from brelan.i18n import Word

    return key, {
        name: (fact.key, fact.args) if isinstance(fact, Word) else fact
        for name, fact in args.items()
    }


def _result(match: Match, reader: int | None, screen: Screen) -> list[Text]:
    from brelan.terminal.session import result_line

    return (
        [] if match.result is None else [result_line(match, _names(match, screen), reader, screen)]
    )


def _names(match: Match, screen: Screen) -> list[str]:
    return [screen.say("seat.name", {"number": seat}) for seat in range(match.game.players)]


def _step_through(match: Match, seat: str, reader: int | None, screen: Screen) -> None:
    """Play the match again, and show each position."""
    from rich.text import Text

    from brelan.terminal.screen import unglue
    from brelan.terminal.session import face_of

    moves = enumerate(_moves(match, ALL, None))
    made = [(ply, move) for ply, move in moves if move.seat is not None]
    again = match.before(made[0][0] if made else match.ply)
    face, names, since = face_of(match.game), _names(match, screen), 0
    for _, move in made:
        screen.console.clear()
        table = face.draw(again.view(reader), names, screen)
        screen.print(*_story(again, seat, reader, screen, since), Text(), table, Text())
        try:
            input(unglue(screen.say("terminal.step")))
        except EOFError:
            screen.print(Text())
            return
        since = again.ply
        again.play(move.notation)
    screen.console.clear()
    screen.print(*_story(match, seat, reader, screen, since), *_result(match, reader, screen))


# ---------------------------------------------------------------- as data


def _print_json(match: Match, seat: str, reader: int | None, screen: Screen) -> None:
    moves = [
        {"seat": move.seat, "notation": move.notation, "label": move.label(screen.texts.lang)}
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
