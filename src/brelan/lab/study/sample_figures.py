"""The figures of the matches that were examined: tension, kinds of moves, unused rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from brelan.engine.game import Game
from brelan.i18n import LANGUAGES
from brelan.lab.study.figures import Moment, MoveFigure, Rules, Tension, Unused
from brelan.lab.study.folder import StudyFolder
from brelan.lab.study.intervals import COUNT, SHARE, Values, mean_of, ratio_of
from brelan.lab.study.plan import KNOBS, SAMPLE
from brelan.lab.study.retelling import SECTION, TEXT, all_sections, all_texts
from brelan.lab.study.sample import MOMENTS

if TYPE_CHECKING:
    import polars

HIGH = 0.8  # the win chance from which a match counts as decided
AHEAD = 0.15  # by which a seat must be ahead of the leader to take its place


def tension(table: polars.DataFrame, players: int) -> Tension | None:
    """Return how win chances go over the matches that were examined."""
    if not table.height:
        return None
    table = table.sort("deal", "moment", "seat")
    deals, row = np.unique(table["deal"].to_numpy(), return_inverse=True)
    chances = np.full((len(deals), MOMENTS + 1, players), np.nan)
    won = np.zeros((len(deals), players))
    moment, seat = table["moment"].to_numpy(), table["seat"].to_numpy()
    chances[row, moment, seat] = table["chance"].to_numpy()
    won[row, seat] = table["won"].to_numpy()
    chances = _filled(chances)
    winner = (chances * won[:, None]).sum(axis=2)
    curve = [
        Moment(
            part / MOMENTS,
            mean_of(winner[:, part], SHARE),
            mean_of(chances[:, part].max(axis=1), SHARE),
        )
        for part in range(MOMENTS + 1)
    ]
    changes = np.array([_lead_changes(each) for each in chances], np.float64)
    comebacks = (winner.min(axis=1) < 1 / (2 * players)).astype(np.float64)
    return Tension(
        curve,
        mean_of(_decided(winner), SHARE),
        mean_of(changes, COUNT),
        mean_of(comebacks, SHARE),
        HIGH,
    )


def _filled(chances: Values) -> Values:
    """Give a moment that a short match does not have the chances of the one before it."""
    for part in range(1, chances.shape[1]):
        missing = np.isnan(chances[:, part, 0])
        chances[missing, part] = chances[missing, part - 1]
    for part in range(chances.shape[1] - 2, -1, -1):
        missing = np.isnan(chances[:, part, 0])
        chances[missing, part] = chances[missing, part + 1]
    return chances


def _decided(winner: Values) -> Values:
    """Return from which share of each match on the winner's chance is high, to its end."""
    is_low = winner < HIGH
    last_low = np.where(is_low.any(axis=1), MOMENTS - is_low[:, ::-1].argmax(axis=1), -1)
    decided: Values = np.minimum(last_low + 1, MOMENTS) / MOMENTS
    return decided


def _lead_changes(chances: Values) -> int:
    """Return how often another seat comes clearly ahead of the leader."""
    leader, changes = int(chances[0].argmax()), 0
    for now in chances[1:]:
        best = int(now.argmax())
        if now[best] > now[leader] + AHEAD:
            leader, changes = best, changes + 1
    return changes


def move_figures(table: polars.DataFrame) -> list[MoveFigure]:
    """Return the figures of each kind of move, the most frequent first."""
    if not table.height:
        return []
    deals, first = np.unique(table["deal"].to_numpy(), return_index=True)
    decisions = float(table["decisions"].to_numpy()[first].sum())
    found = []
    for key in sorted(table["key"].unique().to_list()):
        rows = table.filter(table["key"] == key).sort("deal")
        place = np.searchsorted(deals, rows["deal"].to_numpy())
        times, estimates, bits = (
            np.bincount(place, weights=rows[name].to_numpy(), minlength=len(deals))
            for name in ("times", "estimates", "bits")
        )
        told = ratio_of(bits, estimates, COUNT) if estimates.sum() > 1 else None
        names = {lang: str(rows[lang][0]) for lang in LANGUAGES}
        share = float(times.sum()) / decisions
        found.append(MoveFigure(key, names, mean_of(times, COUNT), share, told))
    return sorted(found, key=lambda move: (-move.share, move.key))


def rule_figures(folder: StudyFolder, game: Game, level: str) -> Rules | None:
    """Return what never came into play in the matches that were told in full."""
    used = folder.table(level, SAMPLE, "used")
    if not used.height:
        return None
    of = {kind: set(used.filter(used["kind"] == kind)["key"]) for kind in (SECTION, TEXT)}
    sections = [
        Unused(section, names)
        for section, names in all_sections(game).items()
        if section not in of[SECTION]
    ]
    texts = [
        Unused(key, {lang: game.folder.texts(lang).entries[key] for lang in LANGUAGES})
        for key in all_texts(game)
        if key not in of[TEXT]
    ]
    matches = int(used["deal"].n_unique())
    return Rules(matches, sections, _idle_knobs(folder, game, level), texts)


def _idle_knobs(folder: StudyFolder, game: Game, level: str) -> list[Unused]:
    """Return the knobs of which no other value has changed a match."""
    table = folder.table(level, KNOBS, "knobs")
    if not table.height:
        return []
    idle = []
    for knob in game.knobs:
        rows = table.filter(table["knob"] == knob)
        if rows.height and not rows["changed"].sum():
            names = {
                lang: game.folder.texts(lang).entries[f"knob.{knob}.name"] for lang in LANGUAGES
            }
            idle.append(Unused(knob, names))
    return idle
