"""Bots: they see a view, nothing else, and answer with a move."""

from brelan.bots.house import Bot, RuleBot, is_heavy, names
from brelan.bots.makers import all_names, bot
from brelan.bots.searcher import SearchBot

__all__ = ["Bot", "RuleBot", "SearchBot", "all_names", "bot", "is_heavy", "names"]
