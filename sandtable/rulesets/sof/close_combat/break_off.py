"""Breaking off: the wounded are lost, and the rest retires, or is destroyed where it cannot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option
from sandtable.field.formations import Pose, places
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, enemies_of, pitch_of, place, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit, units_of
from sandtable.rulesets.sof.formations import files_of, on_table
from sandtable.rulesets.sof.losses import lose_unit
from sandtable.rulesets.sof.movement import BEARINGS, allowance, paths_of_shift, rate_of, to_edge
from sandtable.rulesets.sof.triage import casualties
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import EXACT, GRID, SLACK
from sandtable.table.shapes import Floats, X, Y, bearing, heading, moved, snap

CLEAR = 2.0
"""sof.close-combat.break-off-move, sof.close-combat.break-off-gap"""

NEAR_EDGE = 6.0
"""sof.close-combat.break-off-edge-halt, sof.close-combat.break-off-destroyed"""

FAR_OFF = 6.0
"""sof.charts.break-off-six"""

LONGER, MOST_LONGER = 0.25, 12.0


def break_off(game: Battle, unit: Unit, foes: Sequence[Unit], *rules: str) -> Flow[None]:
    """A unit breaks off from those it fought."""
    text = f"{label(unit)} breaks off."
    game.tell("break-off", text, "sof.close-combat.break-off-move", *rules, seat=unit.side, unit=unit.id)
    wounds = unit.wounds
    if wounds:
        for figure in unit.teams.values():
            figure.wounds = 0
        yield from casualties(game, unit, wounds, "sof.close-combat.break-off-wounded")
    if unit.id not in game.state.units:
        return
    unit.dug_in = False
    reform(game, unit)
    found = {f"{heads:g}": (heads, far, edge) for heads, far, edge in ways_off(game, unit, foes)}
    if not found:
        yield from lose_unit(game, unit, "it finds no way out", "sof.close-combat.break-off-destroyed")
        return
    choices = Choices(found, lambda way: Option(f"{way[0]:g}", f"Bearing {way[0]:g}, {way[1]:g} inches"))
    words = f"In which direction does {label(unit)} break off?"
    cited: tuple[str, ...] = ("sof.close-combat.break-off-move", "sof.close-combat.break-off-gap")
    heads, far, edge = yield from choose_one(
        unit.side, "break-off", words, choices, rules=cited, facts={"unit": unit.id}, step="reply"
    )
    retire(game, unit, heads, far)
    cited = (*cited, "sof.close-combat.break-off-edge-halt") if edge else cited
    cited = (*cited, "sof.charts.break-off-six") if game.setup.options.break_off_six else cited
    text = f"{label(unit)} retires {far:g} inches."
    game.tell("retires", text, *cited, seat=unit.side, unit=unit.id, inches=far, bearing=heads)


def retire(game: Battle, unit: Unit, heads: float, far: float) -> None:
    sin, cos = heading(heads)
    if unit.formation == "linear" and unit.pose is not None:
        at = unit.pose.at[0] + far * sin, unit.pose.at[1] + far * cos
        pose(game, unit, Pose((snap(at[0]), snap(at[1])), unit.pose.facing, unit.pose.files))
        return
    for figure in unit.teams.values():
        assert figure.at is not None
        place(game, figure, figure.at[0] + far * sin, figure.at[1] + far * cos)


def ways_off(game: Battle, unit: Unit, foes: Sequence[Unit]) -> Iterator[tuple[float, float, bool]]:
    """Directions that lead away from those it fought, with how far, and whether the table's edge halts it there."""
    here, ground = board(game), game.prepared
    rows = here.rows_of(unit)
    theirs = here.of([each for foe in foes if foe.id in game.state.units for each in here.figures_of(foe)])
    before = base_gap(rows, theirs)
    rate = rate_of(unit, "fall-back")
    for heads in away_from(rows, theirs):
        sin, cos = heading(heads)
        ways = paths_of_shift(unit, rate * sin, rate * cos)
        far = min(rate, math.floor(100 * allowance(ground, unit, "fall-back", ways, rate).inches) / 100)
        most = to_edge(rows, heads, ground.width, ground.depth)
        if most < far and most <= NEAR_EDGE + EXACT:
            continue
        edge, far = most < far, min(far, most)
        longer = 0.0
        while far + longer <= most and longer <= MOST_LONGER:
            after = moved(rows, (far + longer) * sin, (far + longer) * cos)
            if base_gap(after, theirs) <= before + GRID and len(theirs):
                break
            why = blocked(game, unit, rows, after, theirs)
            if why == "":
                yield heads, round(far + longer, 2), edge
                break
            if why == "enemy":
                break
            longer += LONGER


def away_from(rows: Floats, theirs: Floats) -> list[float]:
    if not len(theirs):
        return list(BEARINGS)
    back = bearing(*theirs[:, X : Y + 1].mean(axis=0).tolist(), *rows[:, X : Y + 1].mean(axis=0).tolist())
    return sorted(BEARINGS, key=lambda each: (round(abs((each - back + 180.0) % 360.0 - 180.0), 1), each))


def blocked(game: Battle, unit: Unit, rows: Floats, after: Floats, theirs: Floats) -> str:
    """What keeps a unit from ending there: an enemy, or what may be passed, or a friend; nothing if it may."""
    here, ground = board(game), game.prepared
    enemies = here.of([each for other in enemies_of(game.state, unit) for each in here.figures_of(other)])
    for row, end in zip(rows, after, strict=True):
        path = [(float(row[X]), float(row[Y])), (float(end[X]), float(end[Y]))]
        if ground.barrier(unit.type, path) is not None:
            return "enemy"
        if len(enemies) and moves.sweep(row, np.array(path), enemies, SLACK) < math.inf:
            return "enemy"
    for enemy in enemies_of(game.state, unit):
        if base_gap(after, here.rows_of(enemy)) < CLEAR - GRID:
            return "enemy"
    if game.setup.options.break_off_six and len(theirs) and base_gap(after, theirs) < FAR_OFF - GRID:
        return "near"
    if len(ground.not_to_stop_on) and ground.terrain.over_any(after, ground.not_to_stop_on).any():
        return "near"
    for friend in units_of(game.state, unit.side):
        if friend is not unit and friend.placed and base_gap(after, here.rows_of(friend)) <= CLEAR + EXACT:
            return "friend"
    return ""


# Ranks after a fight.


def reform(game: Battle, unit: Unit) -> None:
    """A unit in linear order closes its ranks again about where it stands, as soon as there is room."""
    if unit.formation != "linear" or unit.pose is None:
        return
    spots = [each.at for each in unit.teams.values() if each.at is not None]
    middle = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    allowed = files_of(unit, unit.alignment, len(unit.teams))
    if not allowed:
        unit.alignment = "line"
        allowed = files_of(unit, "line", len(unit.teams))
    files = unit.pose.files if unit.pose.files in allowed else max(allowed)
    others = board(game).all_but(unit.teams.values())
    for ring in range(80):
        for number in range(24 if ring else 1):
            sin, cos = heading(15.0 * number)
            at = snap(middle[0] + 0.5 * ring * sin), snap(middle[1] + 0.5 * ring * cos)
            wanted = on_table(game, unit, Pose(at, unit.pose.facing, files))
            if has_room(game, unit, wanted, others):
                pose(game, unit, wanted)
                return


def has_room(game: Battle, unit: Unit, wanted: Pose, others: Floats) -> bool:
    rows = board(game).rows_of(unit).copy()
    rows[:, X : Y + 1] = places(wanted, len(unit.teams), pitch_of(unit))
    inside = bool(moves.on_table(rows, game.prepared.width, game.prepared.depth).all())
    return inside and not (len(others) and measure.overlaps(rows, others, SLACK).any())
