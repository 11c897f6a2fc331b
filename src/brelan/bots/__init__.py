"""Bots: they see a view, nothing else, and answer with a move."""

from brelan.bots.house import Bot, RuleBot, bot, is_heavy, names

__all__ = ["Bot", "RuleBot", "bot", "is_heavy", "names"]
