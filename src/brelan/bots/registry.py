"""Make a bot from its name: of rules, of the search, learned, from a module, or a program."""

from __future__ import annotations

from brelan.bots.base import Bot, RuleBot, current_name, names
from brelan.bots.external import ProgramBot, from_module
from brelan.bots.learned import NAME as LEARNED
from brelan.bots.learned import LearnedBot, is_trained
from brelan.bots.search.bot import SearchBot
from brelan.bots.search.settings import LEVELS
from brelan.engine.game import Game
from brelan.errors import Refused

SEARCH = "search"


def all_names(game: Game) -> list[str]:
    """Return the names of all built-in bots that play a game.

    >>> import brelan
    >>> all_names(brelan.game("love-letter"))
    ['random', 'careful', 'shrewd', 'eager', 'learned', 'novice', 'club', 'expert']
    """
    return [*names(game), *([LEARNED] if is_trained(game) else []), *LEVELS]


def bot(name: str, game: Game, *, level: str | None = None, seed: int = 0) -> Bot:
    """Return a bot by name, for a game.

    `search` has levels: `novice`, `club`, `expert`, a number of simulations such as `5000`, or
    seconds for each decision such as `1.5s`; `club+temperature=0.3+threads=2` changes settings. A
    level is a name of its own, and so is `search:5000`.
    An external bot is `module:factory`, or a program: a path, or a command of several words.
    An unknown name is `Refused`, and so is a level for a bot without levels.

    >>> import brelan
    >>> game = brelan.game("love-letter")
    >>> match = game.deal(seed=7)
    >>> brelan.bot("eager", game).choose(match.view(match.turn)) in match.legal()
    True
    >>> brelan.bot("search", game, level="club").name
    'club'
    """
    search, _, after = name.partition(":")
    if search == SEARCH and (not after or level is None):
        return SearchBot(game, level or after or "expert", seed)
    name = current_name(game, name)
    if level is not None:
        raise Refused(f"the bot {name!r} has no levels; leave out level={level!r}")
    if name in LEVELS:
        return SearchBot(game, name, seed)
    if name in names(game):
        return RuleBot(name, game, seed)
    if name == LEARNED:
        return LearnedBot(game, seed)
    if is_program(name):
        return ProgramBot(name, game)
    if after:
        return from_module(name, game)
    known = ", ".join(all_names(game))
    raise Refused(f"unknown bot {name!r} for {game.id}; there are: {known}")


def fast_bot(name: str, game: Game, seed: int) -> Bot:
    """Return a bot by name; a rule bot runs in machine code."""
    made = bot(name, game, seed=seed)
    if isinstance(made, RuleBot):
        made.run_in("compiled")
    return made


def close(bot: Bot) -> None:
    """Call the bot's method `close`, if it has one."""
    end = getattr(bot, "close", None)
    if end is not None:
        end()


def is_program(name: str) -> bool:
    """Whether the name of a bot is a path or a command."""
    return "/" in name or " " in name
