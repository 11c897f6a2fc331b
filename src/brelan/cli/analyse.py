"""`brelan analyse`: what was luck in a match, and what was a player's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.analysis.assessor import Assessor
    from brelan.analysis.review import Decision, Review
    from brelan.analysis.telling import Teller
    from brelan.analysis.totals import Player
    from brelan.engine.match import Match


def analyse(
    file: Path,
    /,
    *,
    seat: Annotated[str | None, Parameter(metavar="N")] = None,
    level: str = "expert",
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    all_: Annotated[bool, Parameter(name="--all", negative=(), show_default=False)] = False,
    json_: Annotated[bool, Parameter(name="--json", negative=(), show_default=False)] = False,
) -> int:
    """Tell luck from mistakes in a match, from what one seat could have known.

    Every decision of the seat gets a verdict; start, luck and own losses add up to the result. A
    folder of matches is summed up: where each player loses most, by kind of decision.

    Parameters
    ----------
    file
        A match that was saved, or exported by a server; or a folder of such files.
    seat
        The seat that is analysed; otherwise the first that no bot held. In a folder: only this one.
    level
        How strong the analysis is: `novice`, `club`, `expert`, or as docs/bots.md says.
    lang
        The language to read in; otherwise that of your environment.
    all_
        Show every decision with all its moves and what was to be believed.
    json_
        Print it as JSON; chances are whole thousandths.
    """
    from brelan.terminal.screen import lang_of_environment

    spoken = lang or lang_of_environment()
    if file.expanduser().is_dir():
        return _analyse_folder(file.expanduser(), seat, level, spoken, json_)
    from brelan.cli.replay import read_any

    match = read_any(file)
    chosen = chosen_seat(seat, match)
    if json_:
        review = _reviewed(match, chosen, level, file, spoken)
        sys.stdout.write(json.dumps(review.as_dict(spoken), ensure_ascii=False, indent=1) + "\n")
        return 0
    _print_match(match, chosen, level, file, spoken, all_)
    return 0


def chosen_seat(text: str | None, match: Match) -> int:
    """Return the seat that is meant; while a match goes on, not that of an opponent."""
    seats = range(match.game.players)
    own = [seat for seat in seats if seat not in match.bots]
    if text is None:
        return own[0] if own else 0
    if text not in map(str, seats):
        raise Refused(f"there is no seat {text}; seats are 0 to {match.game.players - 1}")
    if match.turn is not None and int(text) in match.bots:
        allowed = ", ".join(map(str, own)) or "none"
        raise Refused(
            f"the match is not over, and a bot holds seat {text}; until then these may be "
            f"analysed: {allowed}"
        )
    return int(text)


def _prepared(match: Match, level: str, lang: str) -> Assessor:
    """Return what assesses a match; its machine code is made, or loaded."""
    from brelan.analysis.assessor import Assessor
    from brelan.cli.progress import progress

    assessor = Assessor(match.game, level)
    with progress(match.game.folder.texts(lang)("terminal.preparing", {"bot": level})) as report:
        assessor.prepare(report)
    return assessor


# ---------------------------------------------------------------- one match


def _reviewed(match: Match, seat: int, level: str, file: Path, lang: str) -> Review:
    from brelan.analysis.review import analyse as analysed
    from brelan.cli.progress import progress

    texts = match.game.folder.texts(lang)
    with progress(texts("analysis.working", {"file": file.name})) as report:
        return analysed(match, seat, level, progress=report)


def _print_match(
    match: Match, seat: int, level: str, file: Path, lang: str, is_whole: bool
) -> None:
    """Print each decision as soon as it is analysed, then the sum."""
    from brelan.analysis.review import decision_plies, review_steps, summary
    from brelan.analysis.telling import Teller
    from brelan.cli.progress import progress

    plies, assessor = decision_plies(match, seat), _prepared(match, level, lang)
    teller = Teller(summary(match, seat, level, []), lang)
    bot = match.bots.get(seat)
    title = teller.say(
        "title",
        game=teller.texts("game.name"),
        seat=seat,
        name=f" ({bot})" if bot else "",
        count=len(plies),
        level=level,
    )
    _print(title, "")
    decisions: list[Decision] = []
    with progress(teller.say("working", file=file.name)) as report:
        report(0, len(plies))
        for decision in review_steps(match, seat, level, assessor):
            _print(*_lines(teller, decision, is_whole))
            decisions.append(decision)
            report(len(decisions), len(plies))
    teller = Teller(summary(match, seat, level, decisions), lang)
    _print("", teller.sum(), *teller.scores())
    moments = teller.review.moments
    if moments:
        _print(teller.say("moments"), *(f"  {teller.moment(each)}" for each in moments))
    costly = [each.ply for each in moments if each.is_choice]
    if costly:
        _print(teller.say("what_if", file=file, ply=costly[0]))


def _lines(teller: Teller, decision: Decision, is_whole: bool) -> Iterator[str]:
    """Yield what is said of a decision: most of those that lost something."""
    from brelan.analysis.telling import percent
    from brelan.analysis.verdicts import INACCURACY

    yield teller.choice(decision)
    if is_whole:
        for each in decision.assessment.moves:
            chance = percent(round(1000 * each.chance), teller.lang)
            yield f"      {chance:>7}  {each.move.label(teller.lang)}"
    elif decision.loss:
        yield f"      {teller.better(decision)}"
    if is_whole or decision.loss >= INACCURACY:
        why = teller.why(decision)
        told = [why] if why else []
        for line in (*told, *teller.beliefs(decision), *teller.observed(decision)):
            yield f"      {line}"


def _print(*lines: str) -> None:
    """Print lines at once, as wide as they are."""
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


# ---------------------------------------------------------------- a folder of matches


def _analyse_folder(folder: Path, seat: str | None, level: str, lang: str, is_json: bool) -> int:
    from brelan.analysis.totals import totals

    if seat is not None and not seat.isdecimal():
        raise Refused(f"there is no seat {seat}; seats are numbers from 0 on")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise Refused(f"{folder} holds no saved match: no file there ends in .json")
    players = totals(_reviews(files, None if seat is None else int(seat), level, lang))
    if not players:
        raise Refused(f"{folder} holds no saved match with such a seat")
    if is_json:
        content = [player.as_dict() for player in players]
        sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    else:
        for player in players:
            _print_player(player, lang)
    return 0


def _reviews(
    files: list[Path], seat: int | None, level: str, lang: str
) -> Iterator[tuple[str, Review]]:
    """Yield the review of each seat of each match, with the name of who sat there."""
    from brelan.cli.replay import read_any
    from brelan.i18n import load

    house = load(Path(__file__).parents[1], lang)
    for file in files:
        try:
            match = read_any(file)
        except Refused as error:
            sys.stderr.write(house("analysis.skipped", {"why": error}) + "\n")
            continue
        for each in range(match.game.players):
            is_hidden = match.turn is not None and each in match.bots
            if seat in (None, each) and not is_hidden:
                name = match.bots.get(each, house("analysis.player"))
                yield name, _reviewed(match, each, level, file, lang)


def _print_player(player: Player, lang: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from brelan.analysis.telling import kind_label, points
    from brelan.engine.folder import open_folder

    texts = open_folder(player.game).texts(lang)

    def lost(loss: float) -> str:
        return points(-round(loss), lang)

    told = {
        "player": f"{texts('game.name')}, {player.name}",
        "matches": player.matches,
        "count": len(player.losses),
        "loss": lost(sum(player.losses) / player.matches),
        "score": "–" if player.score is None else player.score,
    }
    console = Console(highlight=False)
    console.print(texts("analysis.by_player", told))
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("kind", "decisions", "lost", "each", "mistakes"):
        table.add_column(texts(f"analysis.{name}"), justify="left" if name == "kind" else "right")
    for kind, total in player.ranked:
        table.add_row(
            kind_label(texts, kind),
            str(total.decisions),
            lost(total.loss / player.matches),
            lost(total.loss / total.decisions),
            str(total.mistakes),
        )
    console.print(table)
    console.print()
