"""`brelan games`: the games, in one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from brelan.terminal.screen import Screen


def games(*, lang: Annotated[str | None, Parameter(metavar="fr|en")] = None) -> None:
    """List the games.

    Parameters
    ----------
    lang
        The language to read in; otherwise that of your environment.
    """
    from brelan.engine.folder import open_folder
    from brelan.games import ids
    from brelan.terminal.screen import Screen, lang_of_environment

    for name in ids():
        list_game(name, Screen(open_folder(name).texts(lang or lang_of_environment())))


def list_game(name: str, screen: Screen) -> None:
    """Print the id of a game, its title and what it is about."""
    from rich.text import Text

    title, summary = screen.say("game.name"), screen.say("game.summary")
    screen.print(Text.assemble((name, "bold cyan"), f"  {title}. {summary}"))
