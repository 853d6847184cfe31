"""Batteries: the guns that may take part in a barrage, what they reach, who observes, and where the template lies."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import ChoosePoint, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import off_table, round_about
from sandtable.rulesets.tr14.core.board import Battle, Board, Mask, Rows, board
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Team, Unit, commander, observers_of, other
from sandtable.rulesets.tr14.firing import HALF_CIRCLE
from sandtable.table import distance as measure
from sandtable.table import sight
from sandtable.table.hairs import A_HAIR, within
from sandtable.table.shapes import X, Y, bearing, stored_facing

LEAST_GUNS = 2
"""tr14.indirect.battery-size: with fewer no barrage is fired."""


SHIFT = 6.0
"""tr14.indirect.template-shifted"""

ALL_ROUND_ABOUT = 9
"""A point and the eight round it."""

FEW_GUNS = 3
MANY_GUNS = 4
"""tr14.indirect.battery-size: fewer than three halve the Fire Points, more than four add one."""

Points = list[tuple[float, float]]


@dataclass(slots=True)
class Battery:
    """The guns of a Unit that may take part in a barrage, and who may observe for them."""

    unit: Unit
    guns: list[Team]
    observers: list[Team]


def battery_of(game: Battle, unit: Unit) -> Battery:
    guns = [
        team
        for team in unit.teams.values()
        if team.kind.barrage is not None and not team.markers and team.shot != game.state.initiative_number
    ]
    observers = list(guns)
    if unit.leader is not None and unit.leader not in guns and not unit.leader.moved:
        observers.append(unit.leader)
    for each in observers_of(game.state, unit):
        observers += each.teams.values()
    found = commander(game.state, unit.side)
    if found is not None:
        observers.append(found[1])
    return Battery(unit, guns, observers)


def may_barrage(game: Battle, unit: Unit) -> Refusal | None:
    """What bars a Unit from the Barrage action."""
    if not any(team.kind.barrage is not None for team in unit.teams.values()):
        return illegal("tr14.playing.action-barrage", f"{label(unit)} is not artillery.")
    guns = battery_of(game, unit).guns
    if len(guns) < LEAST_GUNS:
        return illegal(
            "tr14.indirect.battery-size",
            f"{label(unit)} has {several(len(guns), 'gun')} able to fire; a barrage needs {LEAST_GUNS}.",
        )
    return None


def reach_table(game: Battle, battery: Battery, points: Rows) -> Mask:
    """Which guns can drop shells on which bases: in range, in the forward arc, clear of what they fire over (n, m)."""
    here = board(game)
    rows = here.of(battery.guns)
    able = bearing_table(here, battery, points)
    screens = close_obstacles(here, rows)
    for number in np.flatnonzero(screens.any(axis=1)):
        ends = np.empty((len(points), 4))
        ends[:, 0:2] = rows[number, (X, Y)]
        ends[:, 2:4] = points[:, (X, Y)]
        able[number] &= ~(sight.crossed(here.ground.terrain, ends) & screens[number]).any(axis=1)
    return able


def bearing_table(here: Board, battery: Battery, points: Rows) -> Mask:
    """tr14.indirect.out-of-sight: within range and in the forward arc, seen or not (n, m)."""
    rows = here.of(battery.guns)
    ranges = np.array([next(w.range for w in gun.kind.weapons if w.barrage is not None) for gun in battery.guns])
    facings = np.array([gun.facing for gun in battery.guns])
    return within(measure.distances(rows, points), ranges[:, None]) & measure.arcs(rows, facings, HALF_CIRCLE, points)


def close_obstacles(here: Board, guns: Rows) -> Mask:
    """tr14.indirect.over-obstacles: what stands nearer to a gun than it is tall, and so cannot be fired over (n, F).

    A gun within an area fires out of it, and smoke is in nobody's way.
    """
    terrain = here.ground.terrain
    heights = np.array([0.0 if f.kind == "smoke" else f.height for f in terrain.features])
    if not len(heights):
        return np.zeros((len(guns), 0), dtype=np.bool_)
    return ~within(heights, terrain.gaps(guns)) & ~terrain.inside(guns)


def reaching(game: Battle, battery: Battery, point: Rows) -> list[Team]:
    """The guns that can drop shells on one base."""
    able = reach_table(game, battery, point[None])[:, 0].tolist()
    return [gun for gun, can in zip(battery.guns, able, strict=True) if can]


def barrage_points(guns: list[Team]) -> tuple[int, list[str]]:
    """tr14.indirect.battery-size"""
    points = max(gun.kind.barrage or 0 for gun in guns)
    if len(guns) > MANY_GUNS:
        return points + 1, ["tr14.indirect.battery-size"]
    if len(guns) < FEW_GUNS:
        return points // 2, ["tr14.indirect.battery-size"]
    return points, []


def ignores(team: Team, hits: int) -> bool:
    """tr14.indirect.one-hit: a single hit does nothing to a Tank Team."""
    return hits == 1 and team.kind.type == "tank"


def mark_fired(game: Battle, guns: list[Team]) -> None:
    for gun in guns:
        gun.fired = True
        gun.shot = game.state.initiative_number


def ranges_in_again(guns: list[Team]) -> bool:
    return all("rerolls-range-in" in gun.kind.weapons[0].notes for gun in guns)


# The template.


def shift_template(
    game: Battle, unit: Unit, x: float, y: float, harm: Callable[[Points], list[float]] | None = None
) -> Flow[tuple[float, float]]:
    """tr14.indirect.template-shifted: the opponent may move it up to 6 inches.

    `harm` says what it does to him wherever it falls: where it does least is proposed first.
    """

    def legal(px: float, py: float) -> Refusal | None:
        far = math.dist((px, py), (x, y))
        if not within(far, SHIFT, A_HAIR):
            message = f"that is {far:.1f} inches away."
            return illegal("tr14.indirect.template-shifted", message, legal=f"Shift it by at most {SHIFT:g} inches.")
        return off_table(game.setup.table, px, py, "shift-template")

    words = f"The barrage is not ranged in. Where does it fall, up to {SHIFT:g} inches from {x:g}, {y:g}?"

    def spots(most: int) -> Points:
        found = round_about((x, y), SHIFT, legal, ALL_ROUND_ABOUT)
        if harm is not None:
            found = [spot for _, spot in sorted(zip(harm(found), found, strict=True), key=lambda pair: pair[0])]
        return found[:most]

    question = ChoosePoint("shift-template", words, legal, spots, rules=("tr14.indirect.template-shifted",))
    answer = yield Ask(other(unit.side), question)
    return float(answer[0]), float(answer[1])


def template_facing(game: Battle, guns: list[Team], x: float, y: float) -> float:
    """The template lies square to the line from the middle of the firing Unit."""
    middle = board(game).of(guns)[:, (X, Y)].mean(axis=0)
    return stored_facing(bearing(float(middle[0]), float(middle[1]), x, y))
