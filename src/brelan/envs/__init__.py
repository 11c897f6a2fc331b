"""Environments: the games as PettingZoo, Gymnasium and others know them, and as text.

Each door is an extra of its own and imports nothing of the others. docs/environments.md shows how
to train in each.
"""
