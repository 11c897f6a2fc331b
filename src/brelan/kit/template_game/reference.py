"""The reference engine: the game again in plain Python, written from the rulebook alone."""

from __future__ import annotations

import random

ORDER = "JQK"
OVER = {"pass pass", "bet pass", "bet bet", "pass bet pass", "pass bet bet"}


class Reference:
    """One match: the cards of the two seats, who acts first, and the moves so far."""

    def __init__(self, cards: str, first: int, bet: int = 1) -> None:
        self.cards, self.first, self.bet = cards, first, bet
        self.moves: list[str] = []

    @property
    def turn(self) -> int | None:
        """§3 The seat that decides, or None when the match is over."""
        return None if " ".join(self.moves) in OVER else (self.first + len(self.moves)) % 2

    @property
    def scores(self) -> list[int]:
        """§4 What each seat has gained or lost when the match is over."""
        if self.moves[-2:] == ["bet", "pass"]:
            winner, chips = (self.first + len(self.moves)) % 2, 1
        else:
            winner = max((0, 1), key=lambda seat: ORDER.index(self.cards[seat]))
            chips = 1 + self.bet * (self.moves[-1] == "bet")
        return [chips if seat == winner else -chips for seat in (0, 1)]


def random_matches(count: int, seed: int) -> dict[str, int]:
    """Play random matches; count what was played."""
    rng, decisions = random.Random(seed), 0
    for _ in range(count):
        match = Reference("".join(rng.sample(ORDER, 3)), rng.randrange(2))
        while match.turn is not None:
            match.moves.append(rng.choice(["pass", "bet"]))
        decisions += len(match.moves)
    return {"matches": count, "decisions": decisions}
