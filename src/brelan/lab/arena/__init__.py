"""The arena: tournaments of bots on paired deals, in several processes, to a given precision."""

from brelan.lab.arena.arena import arena

__all__ = ["arena"]
