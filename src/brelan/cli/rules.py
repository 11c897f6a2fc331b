"""`brelan rules`: the rulebooks."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def rules(
    game: str | None = None,
    /,
    *,
    section: Annotated[str | None, Parameter(metavar="§N")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
) -> None:
    """Show the rulebook of a game.

    Parameters
    ----------
    game
        The game; without one, all games are listed.
    section
        Only this section, such as §4 or 4.1.
    lang
        The language to read in; otherwise that of your environment.
    """
    from brelan.cli.games import games
    from brelan.engine.folder import open_folder
    from brelan.terminal.rulebook import show_rulebook
    from brelan.terminal.screen import Screen, lang_of_environment

    lang = lang or lang_of_environment()
    if game is not None:
        folder = open_folder(game)
        show_rulebook(folder, section, Screen(folder.texts(lang)))
        return
    games(lang=lang)
