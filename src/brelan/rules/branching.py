"""Branching: enumerate all outcomes of the choices in a piece of code, or draw one at random.

Call `first_branch`, run the code, and run it again as long as `next_branch` returns True: its calls
of `branch` then return every combination of outcomes, one combination for each run. After
`random_branch` they return one combination, drawn uniformly.
"""

from __future__ import annotations

from brelan.rules.luck import random_below
from brelan.rules.places import clear
from brelan.rules.rule import rule
from brelan.rules.scratch import MAX_CHOICES


@rule
def branch(scratch, count):
    """Return the outcome of a choice among `count`, from 0 on, in the present combination."""
    if scratch.asked == MAX_CHOICES:
        raise ValueError("there are too many choices to make them in every way")
    scratch.choices[scratch.asked] = count
    scratch.asked += 1
    return scratch.chosen[scratch.asked - 1] % count


@rule
def first_branch(scratch):
    """Begin with the first combination of outcomes."""
    clear(scratch.chosen)
    scratch.asked = 0


@rule
def next_branch(scratch):
    """Set the next combination, for which the code is run again; False: there is none."""
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
    """Draw the outcomes of the choices that follow at random."""
    for choice in range(MAX_CHOICES):
        scratch.chosen[choice] = random_below(scratch.luck, 1 << 15)
    scratch.asked = 0


@rule
def branch_count(scratch):
    """Return the number of combinations of the choices made in this run."""
    ways = 1.0
    for choice in range(scratch.asked):
        ways *= scratch.choices[choice]
    return ways
