"""`brelan rules`: the rulebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from brelan.paper import Paper


def rules(
    game: str | None = None,
    /,
    *,
    section: Annotated[str | None, Parameter(metavar="§N")] = None,
    lang: Annotated[str | None, Parameter(metavar="fr|en")] = None,
) -> None:
    """Show the rulebook of a game, or list the games.

    Parameters
    ----------
    game
        The game; without one, all games are listed.
    section
        Only this section, such as §4 or 4.1.
    lang
        The language to read in; otherwise that of your environment.
    """
    from brelan.catalogue import open_folder
    from brelan.games import ids as games
    from brelan.paper import Paper, language_of_environment
    from brelan.rulebook import show_rulebook

    language = lang or language_of_environment()
    if game is not None:
        folder = open_folder(game)
        show_rulebook(folder, section, Paper(folder.texts(language)))
        return
    for name in games():
        _list_game(name, Paper(open_folder(name).texts(language)))


def _list_game(name: str, paper: Paper) -> None:
    from rich.text import Text

    title, summary = paper.say("game.name"), paper.say("game.summary")
    paper.print(Text.assemble((name, "bold cyan"), f"  {title}. {summary}"))
