"""Branching: choices that are made in every way, one after another, or in any one way."""

from __future__ import annotations

from brelan.rules.luck import random_below
from brelan.rules.places import clear
from brelan.rules.rule import rule
from brelan.rules.scratch import MAX_CHOICES


@rule
def branch(scratch, count):
    """Return a number from 0 to count - 1: another one each time the same is done again."""
    if scratch.asked == MAX_CHOICES:
        raise ValueError("there are too many choices to make them in every way")
    scratch.choices[scratch.asked] = count
    scratch.asked += 1
    return scratch.chosen[scratch.asked - 1] % count


@rule
def first_branch(scratch):
    """Begin to go through all ways in which the choices that follow can be made."""
    clear(scratch.chosen)
    scratch.asked = 0


@rule
def next_branch(scratch):
    """Turn to the next way, to begin again; False: all ways have been gone."""
    while scratch.asked > 0:
        scratch.asked -= 1
        scratch.chosen[scratch.asked] += 1
        if scratch.chosen[scratch.asked] < scratch.choices[scratch.asked]:
            scratch.asked = 0
            return True
        scratch.chosen[scratch.asked] = 0
    return False


@rule
def random_branch(scratch):
    """Let the choices that follow be made in any one way, by luck."""
    for choice in range(MAX_CHOICES):
        scratch.chosen[choice] = random_below(scratch.luck, 1 << 15)
    scratch.asked = 0


@rule
def branch_count(scratch):
    """Return in how many ways the choices since then could have been made."""
    ways = 1.0
    for choice in range(scratch.asked):
        ways *= scratch.choices[choice]
    return ways
