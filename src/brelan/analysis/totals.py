"""Many matches together: where each player loses most, by kind of decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from brelan.analysis.review import Decision, Review
from brelan.analysis.verdicts import match_score


@dataclass
class Total:
    """What the decisions of one kind have lost; all in thousandths."""

    decisions: int = 0
    loss: int = 0
    mistakes: int = 0

    def add(self, decision: Decision) -> None:
        """Add one decision."""
        self.decisions += 1
        self.loss += decision.loss
        self.mistakes += decision.verdict == "mistake"


@dataclass
class Player:
    """All matches of one player at one game."""

    name: str
    game: str
    matches: int = 0
    at_random: list[int] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)
    kinds: dict[str, Total] = field(default_factory=dict)

    def add(self, review: Review) -> None:
        """Add one match."""
        self.matches += 1
        for decision in review.decisions:
            self.kinds.setdefault(decision.kind, Total()).add(decision)
            self.losses.append(decision.loss)
            self.at_random.append(decision.loss_at_random)

    @property
    def score(self) -> int | None:
        """The score of all matches together."""
        return match_score(self.losses, self.at_random)

    @property
    def ranked(self) -> list[tuple[str, Total]]:
        """The kinds of decisions, those that lost most first."""
        return sorted(self.kinds.items(), key=lambda each: (-each[1].loss, each[0]))

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "player": self.name,
            "game": self.game,
            "matches": self.matches,
            "decisions": len(self.losses),
            "loss": sum(self.losses),
            "score": self.score,
            "kinds": [
                {
                    "kind": kind,
                    "decisions": total.decisions,
                    "loss": total.loss,
                    "mistakes": total.mistakes,
                }
                for kind, total in self.ranked
            ],
        }


def totals(reviews: Iterable[tuple[str, Review]]) -> list[Player]:
    """Return what the players of some matches have lost, those who lost most in a match first."""
    players: dict[tuple[str, str], Player] = {}
    for name, review in reviews:
        game = review.view.game.id
        players.setdefault((game, name), Player(name, game)).add(review)
    return sorted(
        players.values(), key=lambda each: (each.game, -sum(each.losses) / each.matches, each.name)
    )
