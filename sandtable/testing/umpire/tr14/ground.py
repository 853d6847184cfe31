"""Rough ground: the rolls that tanks owe on their ways, and where a failed one stops them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import TRAINING_CHECK
from sandtable.testing.umpire.tr14.geometry import HAIR, Pose, Spot, crossings, kind_of
from sandtable.testing.umpire.tr14.log import first_rolls, kind, land, log, team_in
from sandtable.testing.umpire.tr14.rulebook import book

ROUGH = ("difficult", "very-difficult")


@book.on("terrain-roll")
def a_tank_rolls_for_the_ground(watch: Watch, event: Event) -> None:
    watch.count("rolls for ground")
    found = team_in(watch.state, event.data["team"])
    assert found is not None
    unit, team = found
    piece = next(each for each in land(watch).pieces if each.name == event.data["terrain"])
    hard = piece.going.going == "very-difficult"
    rule = "tr14.moving.tank-very-difficult" if hard else "tr14.moving.tank-difficult"
    if kind(team).type != "tank" or piece.going.going not in ROUGH:
        watch.object_to(rule, f"{team.id} rolls to cross {piece.name}")
    needed = TRAINING_CHECK[unit.training] if hard else 2
    throw = event.dice[0]
    first, wide = first_rolls(throw)[0], kind(team).has("wide-tracks")
    again = bool(throw.before)
    vouched = any(each.kind == "cc-reroll" and each.dice[0] is throw for each in watch.told)
    if event.data["passed"] != (throw.values[0] >= needed):
        watch.object_to(rule, f"{team.id} needs {needed}+ and rolls {throw.values[0]}")
    if again and (first >= needed or not (wide or vouched)):
        watch.object_to("tr14.arsenal.wide-tracks", f"{team.id} rolls again to cross {piece.name}")
    if wide and first < needed and not again:
        watch.object_to("tr14.arsenal.wide-tracks", f"{team.id} does not roll again to cross {piece.name}")
    log(watch).rolls.append(event)


def look_at_rolls(watch: Watch, name: str, start: Pose, way: Sequence[Spot]) -> list[float]:
    """The rolls that a way was owed, against those that were made; how far along it may have been stopped."""
    kept = log(watch)
    rolls = [event for event in kept.rolls if event.data["team"] == name]
    kept.rolls = [event for event in kept.rolls if event.data["team"] != name]
    owed = crossings(land(watch), way, ROUGH)
    if owed:
        watch.count("ways over rough ground")
    stopped: list[float] = []
    failed_at = math.inf
    for event in rolls:
        crossing = next((each for each in owed if each.piece.name == event.data["terrain"]), None)
        if crossing is None:
            watch.object_to("tr14.moving.tank-difficult", f"{name} rolls to cross {event.data['terrain']}, off its way")
        elif not event.data["passed"]:
            stopped = [max(0.0, far - kind_of(start).depth / 2) for far in crossing.fars]
            failed_at = crossing.fars[-1]
    names = [event.data["terrain"] for event in rolls]
    if len(set(names)) < len(names):
        watch.object_to("tr14.moving.tank-difficult", f"{name} rolls twice for one piece of ground")
    for crossing in owed:
        beyond = crossing.fars[-1] >= failed_at - HAIR
        if crossing.sure and crossing.piece.name not in names and not beyond:
            watch.object_to("tr14.moving.tank-difficult", f"{name} crosses {crossing.piece.name} without a roll")
    return stopped


@book.on("action")
def rolls_are_forgotten(watch: Watch, event: Event) -> None:
    """Whoever rolled and was lost before his way was looked at has no way any more."""
    log(watch).rolls = []
