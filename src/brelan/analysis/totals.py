"""Many matches together: where each player loses most, by kind of decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from brelan.analysis.review import Review
from brelan.analysis.verdicts import match_score, verdict


@dataclass(frozen=True)
class Chosen:
    """One decision, as far as totals need it; all in thousandths."""

    ply: int
    kind: str
    loss: int
    at_random: int  # what a random move would have lost


@dataclass(frozen=True)
class Played:
    """One match of one player: the name of its file, and its decisions."""

    file: str
    game: str
    player: str
    decisions: list[Chosen]


@dataclass
class Total:
    """What the decisions of one kind have lost; all in thousandths."""

    decisions: int = 0
    loss: int = 0
    mistakes: int = 0
    costliest: tuple[str, Chosen] | None = None  # with its file, if it lost something

    def add(self, file: str, decision: Chosen) -> None:
        """Add one decision."""
        self.decisions += 1
        self.loss += decision.loss
        self.mistakes += verdict(decision.loss) == "mistake"
        if decision.loss > (self.costliest[1].loss if self.costliest else 0):
            self.costliest = file, decision


@dataclass
class Player:
    """All matches of one player at one game."""

    name: str
    game: str
    matches: int = 0
    at_random: list[int] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)
    kinds: dict[str, Total] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Add one match."""
        self.matches += 1
        for decision in played.decisions:
            self.kinds.setdefault(decision.kind, Total()).add(played.file, decision)
            self.losses.append(decision.loss)
            self.at_random.append(decision.at_random)

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
                    "costliest": total.costliest
                    and {
                        "file": total.costliest[0],
                        "ply": total.costliest[1].ply,
                        "loss": total.costliest[1].loss,
                    },
                }
                for kind, total in self.ranked
            ],
        }


def played(file: str, player: str, review: Review) -> Played:
    """Return what totals need of the review of a match."""
    decisions = [
        Chosen(each.ply, each.kind, each.loss, each.loss_at_random) for each in review.decisions
    ]
    return Played(file, review.view.game.id, player, decisions)


def totals(matches: Iterable[Played]) -> list[Player]:
    """Return what the players of some matches have lost, those who lost most in a match first."""
    players: dict[tuple[str, str], Player] = {}
    for each in matches:
        name = each.game, each.player
        players.setdefault(name, Player(each.player, each.game)).add(each)
    return sorted(
        players.values(), key=lambda each: (each.game, -sum(each.losses) / each.matches, each.name)
    )
