"""Cover and terrain: what each kind of ground does, who is in cover from whom, and who is concealed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from sandtable.field.terrain_kinds import Drawn, TerrainKinds
from sandtable.rulesets.tr14.core.state import Team
from sandtable.table.shapes import Ints, Mask

Going = Literal["open", "difficult", "very-difficult"]

OPEN, SOFT, HARD = 0, 1, 2
COVERS: dict[str, int] = {"none": OPEN, "soft": SOFT, "hard": HARD}
COVER_NAMES = ("the open", "Soft Cover", "Hard Cover")
TOUCH = 0.1
"""A Team this near to a linear obstacle touches it."""


class Kind(Drawn, frozen=True, forbid_unknown_fields=True):
    shape: Literal["area", "line", "ground"]
    cover: Literal["none", "soft", "hard"] = "none"
    going: Going = "open"
    tall: bool = False


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.tr14.terrain"]
    kinds: dict[str, Kind]


TERRAIN: TerrainKinds[Kind] = TerrainKinds(Path(__file__).parents[1] / "data" / "terrain.toml", Kinds)
kinds, shapes, looks = TERRAIN.kinds, TERRAIN.shapes, TERRAIN.looks


class GroundTable:
    """The kinds of a table's features as arrays, in the order of the features."""

    def __init__(self, feature_kinds: list[str]) -> None:
        known = [kinds()[name] for name in feature_kinds]
        self.kinds = known
        self.area: Mask = np.array([kind.shape == "area" for kind in known], dtype=np.bool_)
        self.line: Mask = np.array([kind.shape == "line" for kind in known], dtype=np.bool_)
        self.tall: Mask = np.array([kind.tall for kind in known], dtype=np.bool_)
        self.cover: Ints = np.array([COVERS[kind.cover] for kind in known], dtype=np.int64)
        self.rough: Ints = np.flatnonzero([kind.going != "open" for kind in known])
        self.very_difficult: Ints = np.flatnonzero([kind.going == "very-difficult" for kind in known])
        """The numbers of the features that are so."""


def still(team: Team) -> bool:
    """tr14.terrain.still-infantry"""
    return team.kind.type == "infantry" and not team.moved


def hiding_rules(team: Team, cover: int, *, shield: bool, in_area: bool) -> tuple[str, ...]:
    """The rules by which a Team is concealed."""
    if cover == OPEN:
        return ("tr14.terrain.still-infantry",)
    rule = "tr14.terrain.hard-cover" if cover == HARD else "tr14.terrain.soft-cover"
    if shield:
        return (rule,)
    if team.dug_in:
        return rule, "tr14.playing.action-dig-in"
    return rule, "tr14.terrain.area" if in_area else "tr14.terrain.linear"
