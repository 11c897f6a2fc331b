"""Bots: each sees the view of its seat, nothing else, and answers with a legal move."""

from brelan.bots.base import Bot, RuleBot, current_name, is_compiled_only, names
from brelan.bots.learned import NAME as LEARNED
from brelan.bots.learned import LearnedBot
from brelan.bots.registry import all_names, bot
from brelan.bots.search.bot import SearchBot

__all__ = [
    "LEARNED",
    "Bot",
    "LearnedBot",
    "RuleBot",
    "SearchBot",
    "all_names",
    "bot",
    "current_name",
    "is_compiled_only",
    "names",
]
