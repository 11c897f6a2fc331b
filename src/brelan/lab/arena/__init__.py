"""The arena: who meets whom, in processes of their own, until enough is known."""

from brelan.lab.arena.arena import arena

__all__ = ["arena"]
