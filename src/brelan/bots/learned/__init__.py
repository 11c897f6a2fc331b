"""The bot `learned`: a small network that was trained by self-play. See docs/learned.md."""

from brelan.bots.learned.bot import NAME, LearnedBot, is_trained

__all__ = ["NAME", "LearnedBot", "is_trained"]
