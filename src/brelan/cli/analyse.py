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
    from brelan.engine.match import Match


def analyse(
    file: Path,
    /,
    *,
    seat: Annotated[str | None, Parameter(metavar="N")] = None,
    level: str = "expert",
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    all_: Annotated[bool, Parameter(name="--all", negative=(), show_default=False)] = False,
    results: Annotated[Path | None, Parameter(metavar="FILE")] = None,
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
    results
        For a folder: keep what is analysed in this file; the same command goes on where it was
        stopped.
    json_
        Print it as JSON; chances are whole thousandths.
    """
    from brelan.terminal.screen import lang_of_environment

    spoken = lang or lang_of_environment()
    if file.expanduser().is_dir():
        from brelan.cli.analyse_folder import analyse_folder

        return analyse_folder(file.expanduser(), seat, level, spoken, results, is_json=json_)
    if results is not None:
        raise Refused("--results is for a folder of matches")
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
