"""Breaking off: the wounded are lost, and the rest retires, or is destroyed where it cannot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option
from sandtable.field.courses import Path
from sandtable.field.formations import Pose, places
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, enemies_of, gap, pitch_of, place, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.room import BEARINGS, WAYS
from sandtable.rulesets.sof.core.state import Unit, units_of
from sandtable.rulesets.sof.core.terrain import Ground
from sandtable.rulesets.sof.formations import fitting_files, on_table
from sandtable.rulesets.sof.losses import lose_unit
from sandtable.rulesets.sof.movement import (
    RATE_RULES,
    Allowance,
    adjustments,
    agility,
    allowance,
    not_that_way,
    paths_of_shift,
    rate_of,
    to_edge,
)
from sandtable.rulesets.sof.triage import casualties
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, GRID, SLACK, nearer, within
from sandtable.table.shapes import HALF_DEPTH, HALF_WIDTH, Floats, X, Y, bearing, heading, moved, snap, turn

CLEAR = 2.0
"""sof.close-combat.break-off-move, sof.close-combat.break-off-gap"""

NEAR_EDGE = 6.0
"""sof.close-combat.break-off-edge-halt, sof.close-combat.break-off-destroyed"""

FAR_OFF = 6.0
"""sof.charts.break-off-six"""

FACING_EACH_OTHER = 0.5
"""So many inches farther apart than the nearest two, two models still tell in which direction the foe is."""

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
    if at_the_edge(game, unit, foes):
        why = "it breaks off toward a table edge 6 inches away or less"
        yield from lose_unit(game, unit, why, "sof.close-combat.break-off-destroyed")
        return
    found = {f"{heads:g}": (heads, far, edge) for heads, far, edge in ways_off(game, unit, foes)}
    if not found:
        yield from lose_unit(game, unit, "it finds no way out", "sof.close-combat.break-off-destroyed")
        return
    cited: tuple[str, ...] = ("sof.close-combat.break-off-move", "sof.close-combat.break-off-gap")
    besides = not_that_way(unit, cited[0])
    choices = Choices(
        found, lambda way: Option(f"{way[0]:g}", f"Bearing {way[0]:g}, {way[1]:g} inches"), besides=besides
    )
    words = f"In which direction does {label(unit)} break off?"
    heads, far, edge = yield from choose_one(
        unit.side, "break-off", words, choices, rules=cited, facts={"unit": unit.id}, step="reply"
    )
    slowed = allowed_so(game, unit, heads, far).rules
    halt = yield from stumbles(game, unit, heads, far)
    far, edge = (far, edge) if halt is None else (short_of_others(game, unit, heads, halt), False)
    retire(game, unit, heads, far)
    cited = (*cited, "sof.close-combat.break-off-edge-halt") if edge else cited
    cited = (*cited, "sof.charts.break-off-six") if game.setup.options.break_off_six else cited
    changes = adjustments(unit, "fall-back")
    cited = (*cited, *RATE_RULES, *[each.rule for each in changes], *slowed)
    text = f"{label(unit)} retires {far:g} inches."
    data = {"inches": far, "bearing": heads}
    game.tell("retires", text, *cited, seat=unit.side, modifiers=changes, unit=unit.id, **data)  # type: ignore[arg-type]
    if halt is not None and too_near(game, unit):
        yield from lose_unit(game, unit, "it does not get away", "sof.close-combat.break-off-destroyed")


def ways_of(unit: Unit, heads: float, far: float) -> dict[str, Path]:
    """The ways of all of a unit that goes so far in a direction as one body."""
    sin, cos = heading(heads)
    return paths_of_shift(unit, far * sin, far * cos)


def allowed_so(game: Battle, unit: Unit, heads: float, far: float) -> Allowance:
    """What the ground on such a way leaves of its Double Time."""
    return allowance(game.prepared, unit, "fall-back", ways_of(unit, heads, far), rate_of(unit, "fall-back"))


def stumbles(game: Battle, unit: Unit, heads: float, far: float) -> Flow[float | None]:
    """sof.terrain.agility-check: after how many inches the ground halts a unit that breaks off, if it does."""
    halt = yield from agility(game, unit, allowed_so(game, unit, heads, far), ways_of(unit, heads, far))
    return None if halt is None else math.floor(100 * min(far, halt)) / 100


def short_of_others(game: Battle, unit: Unit, heads: float, far: float) -> float:
    """How far a unit gets that the ground halts after so many inches: not so far that it would stand on others."""
    here = board(game)
    rows, others = here.rows_of(unit), here.all_but(unit.teams.values())
    sin, cos = heading(heads)
    while far > 0.0 and len(others) and measure.overlaps(moved(rows, far * sin, far * cos), others, SLACK).any():
        far = max(0.0, snap(far - LONGER))
    return far


def too_near(game: Battle, unit: Unit) -> bool:
    """sof.close-combat.break-off-move: an enemy is less than 2 inches away."""
    return any(nearer(gap(game, unit, enemy), CLEAR, GRID) for enemy in enemies_of(game.state, unit))


def retire(game: Battle, unit: Unit, heads: float, far: float) -> None:
    sin, cos = heading(heads)
    if unit.pose is not None:
        at = unit.pose.at[0] + far * sin, unit.pose.at[1] + far * cos
        pose(game, unit, Pose((snap(at[0]), snap(at[1])), unit.pose.facing, unit.pose.files))
        return
    for figure in unit.teams.values():
        assert figure.at is not None
        place(game, figure, figure.at[0] + far * sin, figure.at[1] + far * cos)


def ways_off(game: Battle, unit: Unit, foes: Sequence[Unit]) -> Iterator[tuple[float, float, bool]]:
    """Directions that lead away from those it fought, with how far, and whether the table's edge halts it there."""
    here, ground = board(game), game.prepared
    rows, theirs = here.rows_of(unit), rows_of_all(game, foes)
    before = base_gap(rows, theirs)
    rate = rate_of(unit, "fall-back")
    for heads in away_from(rows, theirs):
        sin, cos = heading(heads)
        far = math.floor(100 * as_far_as_it_may(ground, unit, rate, sin, cos)) / 100
        most = to_edge(rows, heads, ground.width, ground.depth)
        if most < far and within(inches_to_edge(game, rows, heads), NEAR_EDGE, EXACT):
            continue
        edge, far = most < far, min(far, most)
        longer = 0.0
        while far + longer <= most and longer <= MOST_LONGER:
            after = moved(rows, (far + longer) * sin, (far + longer) * cos)
            if len(theirs) and within(base_gap(after, theirs), before, GRID):
                break
            why = blocked(game, unit, rows, after, theirs)
            if why == "":
                yield heads, snap(far + longer), edge
                break
            if why == "enemy":
                break
            longer += LONGER


def as_far_as_it_may(ground: Ground, unit: Unit, rate: float, sin: float, cos: float) -> float:
    """The longest way in a direction that the ground on it allows, looked for in quarter inches; what lies beyond it
    takes nothing from it.
    """
    far = rate
    while True:
        allowed = allowance(ground, unit, "fall-back", paths_of_shift(unit, far * sin, far * cos), rate).inches
        if allowed >= far - A_HAIR:
            return far
        far = max(allowed, far - LONGER)


def rows_of_all(game: Battle, units: Sequence[Unit]) -> Floats:
    """Where all figures of some units stand that are still there."""
    here = board(game)
    return here.of([each for unit in units if unit.id in game.state.units for each in here.figures_of(unit)])


def at_the_edge(game: Battle, unit: Unit, foes: Sequence[Unit]) -> bool:
    """sof.close-combat.break-off-destroyed: the edge to which it leads straight away from the foe is too near."""
    rows, theirs = board(game).rows_of(unit), rows_of_all(game, foes)
    return bool(len(theirs)) and within(inches_to_edge(game, rows, straight_back(rows, theirs)), NEAR_EDGE, EXACT)


def inches_to_edge(game: Battle, rows: Floats, heads: float) -> float:
    """How far some bases are from the edge of the table to which a direction leads first, square to that edge."""
    x, y = rows[:, X : Y + 1].mean(axis=0).tolist()
    sin, cos = heading(heads)
    width, depth = game.prepared.width, game.prepared.depth
    half_x, half_y = rows[:, HALF_WIDTH], rows[:, HALF_DEPTH]
    edges = (
        (sin, (width - x), float((width - rows[:, X] - half_x).min())),
        (-sin, x, float((rows[:, X] - half_x).min())),
        (cos, (depth - y), float((depth - rows[:, Y] - half_y).min())),
        (-cos, y, float((rows[:, Y] - half_y).min())),
    )
    return min((far / toward, inches) for toward, far, inches in edges if toward > GRID)[1]


def straight_back(rows: Floats, theirs: Floats) -> float:
    """The bearing straight away from the foe, by those of both who stand nearest to each other."""
    gaps = measure.distances(rows, theirs)
    mine, foes = np.nonzero(gaps <= gaps.min() + FACING_EACH_OTHER)
    apart = rows[mine, X : Y + 1] - theirs[foes, X : Y + 1]
    dx, dy = (apart / np.hypot(apart[:, 0], apart[:, 1])[:, None]).sum(axis=0).tolist()
    return bearing(0.0, 0.0, dx, dy)


def away_from(rows: Floats, theirs: Floats) -> list[float]:
    if not len(theirs):
        return list(BEARINGS)
    back = straight_back(rows, theirs)
    return sorted(BEARINGS, key=lambda each: (round(abs(turn(back, each)), 1), each))


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
        if nearer(base_gap(after, here.rows_of(enemy)), CLEAR, GRID):
            return "enemy"
    if game.setup.options.break_off_six and len(theirs) and nearer(base_gap(after, theirs), FAR_OFF, GRID):
        return "near"
    if len(ground.not_to_stop_on) and ground.terrain.over_any(after, ground.not_to_stop_on).any():
        return "near"
    for friend in units_of(game.state, unit.side):
        if friend is not unit and friend.placed and within(base_gap(after, here.rows_of(friend)), CLEAR, EXACT):
            return "friend"
    return ""


# Ranks after a fight.


def reform(game: Battle, unit: Unit) -> None:
    """A unit in linear order closes its ranks again about where it stands, as soon as there is room."""
    if unit.pose is None:
        return
    spots = [each.at for each in unit.teams.values() if each.at is not None]
    middle = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    files = fitting_files(game, unit, unit.pose)
    others = board(game).all_but(unit.teams.values())
    for ring in range(80):
        for sin, cos in WAYS if ring else WAYS[:1]:
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
