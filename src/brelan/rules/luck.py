"""Luck: a stream of random bits (splitmix64), and what is drawn from it."""

from __future__ import annotations

import numpy as np

from brelan.rules.rule import rule, wrapping_rule

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)


@rule
def splitmix64(bits):
    """Return 64 well mixed bits (splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@rule
def scaled(bits, number):
    """Bring random bits into the range 0 to number - 1 (with a bias under number / 2**32)."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(number)) >> np.uint64(32))


@wrapping_rule
def next_luck(luck):
    """Return the next 64 random bits of a stream."""
    luck[0] += GOLDEN_GAMMA
    return splitmix64(luck[0])


@rule
def random_below(luck, number):
    """Return a random number from 0 to number - 1."""
    return scaled(next_luck(luck), number)


@rule
def random_unit(luck):
    """Return a random fraction from 0 to 1, which is never 1."""
    return (next_luck(luck) >> np.uint64(11)) * 2.0**-53


@rule
def weighted_index(luck, weights, count):
    """Return a random number from 0 to count - 1, each as likely as it weighs.

    The last one must weigh something, for rounding may let the lot fall to it.
    """
    total = 0.0
    for lot in range(count):
        total += weights[lot]
    drawn, lot = random_unit(luck) * total, 0
    while lot < count - 1 and drawn >= weights[lot]:
        drawn -= weights[lot]
        lot += 1
    return lot


@wrapping_rule
def shuffle(luck, cards, count):
    """Shuffle the first `count` cards of a row."""
    bits = luck[0]
    for last in range(count - 1, 0, -1):
        bits += GOLDEN_GAMMA
        other = scaled(splitmix64(bits), last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    luck[0] = bits


@wrapping_rule
def shuffle_from(luck, cards, first, count):
    """Shuffle the first `count` cards of a row, but for those before a place."""
    bits = luck[0]
    for last in range(count - first - 1, 0, -1):
        bits += GOLDEN_GAMMA
        other = first + scaled(splitmix64(bits), last + 1)
        cards[first + last], cards[other] = cards[other], cards[first + last]
    luck[0] = bits


@wrapping_rule
def hash64(row):
    """Return 64 bits that stand for a row of words."""
    bits = GOLDEN_GAMMA
    for place in range(len(row)):
        bits = (bits ^ row[place]) * np.uint64(0xBF58476D1CE4E5B9)
        bits ^= bits >> np.uint64(29)
    return bits
