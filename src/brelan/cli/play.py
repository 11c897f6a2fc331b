"""`brelan play`: a match in the terminal against bots."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from brelan.cli.variants import Players, Preset, Settings, variant
from brelan.errors import Refused

if TYPE_CHECKING:
    from brelan.bots import Bot
    from brelan.engine.game import Game
    from brelan.engine.match import Match


def play(
    game: str | None = None,
    /,
    *,
    bot: Annotated[str | None, Parameter(metavar="NAME")] = None,
    players: Players = None,
    seat: Annotated[str | None, Parameter(metavar="N")] = None,
    seed: Annotated[str | None, Parameter(metavar="N")] = None,
    set_: Settings = (),
    preset: Preset = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
    save: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    resume: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    from_: Annotated[Path | None, Parameter(name="--from", metavar="FILE")] = None,
    ply: Annotated[str | None, Parameter(metavar="N")] = None,
    as_dealt: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
    server: Annotated[str | None, Parameter(metavar="URL")] = None,
    invite: Annotated[bool, Parameter(negative=(), show_default=False)] = False,
) -> int:
    """Play a match in the terminal against bots.

    Parameters
    ----------
    game
        The game; `brelan games` lists them.
    bot
        Who sits at the other seats; otherwise those of the match that is resumed, or the game's
        strongest bot.
    players
        How many seats there are, yours included.
    seat
        Your seat, from 0; otherwise 0, or the one that decides at --ply.
    seed
        Deal the cards of this number, to play the same match again.
    set_
        Turn a knob of the rules; may be given several times.
    preset
        Turn several knobs at once, as a published edition does.
    lang
        The language to play in; otherwise that of your environment.
    save
        Keep the match in this file after every move.
    resume
        Go on with a match kept in a file.
    from_
        Play a kept match otherwise, from the decision at --ply on. Cards that you did not see then
        are drawn anew, from all that you knew.
    ply
        With --from: the number of the decision, as `brelan analyse` prints it.
    as_dealt
        With --from: leave the hidden cards as they lay. The match must be over.
    server
        Open the table at this server; its bots play against you, and it keeps the match.
    invite
        With --server: leave the other seats open, and print the links that invite to them.
    """
    if server is not None:
        kept = {"--seed": seed, "--save": save, "--resume": resume, "--from": from_, "--ply": ply}
        _refuse_given(kept, "is for a match on this machine; a server deals and keeps its own")
        chosen = variant(game, players, set_, preset)
        return _at_server(chosen, server, bot, invite, seat or "0", lang)
    if invite:
        raise Refused("--invite is for a table of a server: give --server URL too")
    from brelan.cli.progress import ready
    from brelan.engine.saves import claim, keep
    from brelan.terminal.screen import Screen, lang_of_environment
    from brelan.terminal.session import TerminalSession

    if from_ is None:
        _refuse_given({"--ply": ply, "--as-dealt": as_dealt or None}, "goes with --from FILE")
    new = {"--players": players, "--seed": seed, "--set": set_ or None, "--preset": preset}
    if from_ is not None:
        _refuse_given({**new, "--resume": resume}, "does not go with --from, which has its match")
        match, seat = _what_if(from_, game, ply, seat, as_dealt)
        _refuse_unsavable(match, save)
    elif resume is not None:
        match = _resumed(resume, game, [name for name, given in new.items() if given is not None])
    else:
        chosen = variant(game, players, set_, preset)
        match = chosen.deal(seed=None if seed is None else _seed(seed))
    texts = match.game.folder.texts(lang or lang_of_environment())
    place = _seat(seat or "0", match.game)
    bots = _bots(bot, match, place)
    match.bots = {other: opponent.name for other, opponent in bots.items()}
    if match.turn is not None:
        opponent = next(iter(bots.values()))
        ready(opponent, texts("terminal.preparing", {"bot": opponent.name}))
    file = claim(save) if save is not None else resume
    if file is not None:
        keep(match, file)
    return TerminalSession(match, place, bots, Screen(texts), file).run()


def _refuse_given(options: Mapping[str, object], why: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise Refused(f"{given[0]} {why}")


def _at_server(
    game: Game, server: str, bot: str | None, invite: bool, seat: str, lang: str | None
) -> int:
    from brelan.cli.join import open_table

    if invite and bot is not None:
        raise Refused("--bot is for seats that are not open; give it or --invite")
    place = _seat(seat, game)
    return open_table(game, server, bot=bot or "club", invite=invite, seat=place, lang=lang)


def _seed(text: str) -> int | str:
    """Return the number that is meant; else a secret, which the table checks."""
    is_number = text.removeprefix("-").isdecimal() and len(text) < 64
    return int(text) if is_number else text


def _resumed(file: Path, name: str | None, given: list[str]) -> Match:
    from brelan.engine.folder import open_folder
    from brelan.engine.saves import read_match

    if given:
        raise Refused(f"{given[0]} is for a new match; one that is resumed keeps its own")
    wanted = open_folder(name).id if name is not None else None
    match = read_match(file)
    if wanted not in (None, match.game.id):
        raise Refused(f"{file} holds a match of {match.game.id}, not of {name}")
    return match


def _what_if(
    file: Path, name: str | None, ply: str | None, seat: str | None, as_dealt: bool
) -> tuple[Match, str]:
    """Return the match that goes on otherwise, and the seat whose decision it was."""
    from brelan.analysis.what_if import position_before
    from brelan.cli.analyse import chosen_seat
    from brelan.cli.replay import read_any
    from brelan.cli.variants import whole

    match = read_any(file)
    if name is not None and name != match.game.id:
        raise Refused(f"{file} holds a match of {match.game.id}, not of {name}")
    if ply is None:
        raise Refused("--from needs --ply N, the number of a decision; `brelan analyse` prints it")
    number = whole("--ply", ply, 0)
    history = match.view(None).history
    decided = history[number].seat if number < len(history) else None
    place = chosen_seat(str(decided) if seat is None and decided is not None else seat, match)
    again = position_before(match, place, number, as_dealt=as_dealt)
    again.bots = {**match.bots}
    return again, str(place)


def _refuse_unsavable(match: Match, save: Path | None) -> None:
    if save is not None and match.why_not_saved:
        raise Refused("--save is for cards as they were dealt; add --as-dealt, or leave it out")


def _seat(text: str, game: Game) -> int:
    if text not in map(str, range(game.players)):
        raise Refused(f"there is no seat {text}; seats are 0 to {game.players - 1}")
    return int(text)


def _bots(name: str | None, match: Match, seat: int) -> dict[int, Bot]:
    """Return the bots at the other seats; what is random in them follows from the match."""
    from brelan.bots import bot, names

    usual = names(match.game)[-1]
    digest = hashlib.blake2b(f"bots {match.seed}".encode(), digest_size=8).digest()
    seed = int.from_bytes(digest, "little")  # of which nobody can tell the cards
    others = [other for other in range(match.game.players) if other != seat]
    return {
        other: bot(name or match.bots.get(other, usual), match.game, seed=seed) for other in others
    }
