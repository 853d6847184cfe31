"""Unit formations: what a unit may adopt, and the ranks of linear order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.engine.events import several
from sandtable.engine.questions import Refusal, illegal
from sandtable.field.formations import Pose, places, ranks_of
from sandtable.rulesets.sof.core.board import Battle, pitch_of, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Alignment, Formation, Unit
from sandtable.table.hairs import A_HAIR
from sandtable.table.shapes import snap

MARCH_FILES = 2
"""sof.formations.march-column"""

COLUMN_FILES = 3
"""sof.formations.column: the narrowest front of a column."""

LINE_RANKS = 2
"""sof.formations.line-infantry"""

FORMATIONS: tuple[Formation, ...] = ("close", "loose", "extended", "linear")
ALIGNMENTS: tuple[Alignment, ...] = ("line", "column", "march-column")
BETWEEN: dict[Formation, float] = {"close": 0.0, "loose": 0.2, "extended": 0.7, "linear": 0.0}
"""How far apart men are proposed to stand in each formation."""

SPOKEN = {
    "close": "close order",
    "loose": "loose order",
    "extended": "extended order",
    "linear": "linear order",
    "line": "line",
    "column": "attack column",
    "march-column": "march column",
}


def alignment_rule(unit: Unit, alignment: Alignment) -> str:
    """The rule that says how a unit stands in an alignment."""
    if alignment == "line":
        return "sof.formations.line-mounted" if unit.type == "mounted" else "sof.formations.line-infantry"
    return "sof.formations.column" if alignment == "column" else "sof.formations.march-column"


def may_take(unit: Unit, formation: Formation) -> bool:
    """sof.formations.which-allowed, sof.formations.weapon-gun-always-loose"""
    return formation in unit.formations and (formation == "loose" or unit.type != "weapon")


def why_not_formation(unit: Unit, formation: Formation) -> Refusal | None:
    """Why a unit may not take a formation; None if it may."""
    if may_take(unit, formation):
        return None
    if unit.type == "weapon" and formation != "loose":
        message = f"{label(unit)} is a weapon unit."
        legal = "It is always in loose order."
        return illegal("sof.formations.weapon-gun-always-loose", message, field=formation, legal=legal)
    if not may_open(unit):
        message = f"{label(unit)} is bound to {' and '.join(SPOKEN[each] for each in unit.formations)}."
        return illegal("sof.formations.close-order-required", message, field=formation)
    message = f"{label(unit)} may not adopt {SPOKEN[formation]}."
    allowed = ", ".join(SPOKEN[each] for each in unit.formations)
    return illegal("sof.formations.which-allowed", message, field=formation, legal=f"It may adopt {allowed}.")


def may_open(unit: Unit) -> bool:
    """Whether a unit may open its ranks; its entry may bind it to close or linear order."""
    return "loose" in unit.formations


def files_of(unit: Unit, alignment: Alignment, count: int, mounted: bool | None = None) -> list[int]:
    """How many may stand abreast in an alignment; none if the unit is too small for it. The usual number first.

    `mounted`: as if it were so, or not.
    """
    if alignment == "line":
        riding = unit.type == "mounted" if mounted is None else mounted
        return [count if riding else -(-count // LINE_RANKS)]
    if alignment == "march-column":
        return [MARCH_FILES]
    # Ranks are more than files, an incomplete one counting as one: ten figures at least.
    return [files for files in range(COLUMN_FILES, count) if len(ranks_of(count, files)) > files]


def why_not_alignment(unit: Unit, alignment: Alignment) -> Refusal | None:
    if files_of(unit, alignment, len(unit.teams)):
        return None
    message = f"{label(unit)} has {several(len(unit.teams), 'figure')}, too few for a column."
    legal = "A column is three abreast or more and deeper than that: ten figures at least."
    return illegal("sof.formations.column", message, field=alignment, legal=legal)


def in_ranks(unit: Unit) -> bool:
    """Whether a unit stands in its ranks: one in linear order that has assaulted does not until the fight is over."""
    if unit.pose is None:
        return False
    spots = places(unit.pose, len(unit.teams), pitch_of(unit))
    figures = zip(unit.teams.values(), spots, strict=True)
    return all(figure.at is not None and math.dist(figure.at, spot) <= A_HAIR for figure, spot in figures)


def close_up(game: Battle, unit: Unit) -> None:
    """sof.triage.linear: after losses the ranks close up about the middle of the front rank."""
    if unit.pose is not None and unit.teams:
        files = fitting_files(game, unit, unit.pose)
        pose(game, unit, on_table(game, unit, Pose(unit.pose.at, unit.pose.facing, files)))


def fitting_files(game: Battle, unit: Unit, before: Pose) -> int:
    """How many stand abreast now: as many as before, if may be; a unit too small for its alignment forms line."""
    count = len(unit.teams)
    allowed = files_of(unit, unit.alignment, count)
    if not allowed:
        unit.alignment = "line"
        allowed = files_of(unit, "line", count)
        text = f"{label(unit)} is too small for a column and forms line."
        game.tell("alignment", text, "sof.triage.linear", "sof.formations.column", seat=unit.side, unit=unit.id)
    return before.files if before.files in allowed else max(allowed)


def on_table(game: Battle, unit: Unit, wanted: Pose) -> Pose:
    """A pose moved just so far that nobody of the unit stands beyond the table's edge."""
    half = pitch_of(unit) / 2
    spots = places(wanted, len(unit.teams), pitch_of(unit))
    dx = into([x for x, _ in spots], half, game.prepared.width)
    dy = into([y for _, y in spots], half, game.prepared.depth)
    return Pose((snap(wanted.at[0] + dx), snap(wanted.at[1] + dy)), wanted.facing, wanted.files)


def into(values: Sequence[float], half: float, size: float) -> float:
    """By how much some places must be shifted to have room for half a base between them and both edges."""
    return max(0.0, half - min(values)) + min(0.0, size - half - max(values))
