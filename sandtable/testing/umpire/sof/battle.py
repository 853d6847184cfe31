"""The battle round the rules: objectives, how it ends, and what is never so."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import course
from sandtable.testing.umpire.sof.ranks import stands_in_ranks, well_aligned
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.table import HAIR, figures, on_table, placed, radius, there

CONTROL = 6.0
SMALLEST_COLUMN = 10


@book.on()
def what_nobody_judges(watch: Watch, event: Event) -> None:
    if event.kind not in book.by_kind:
        watch.count(f"not judged: {event.kind}")


def control(watch: Watch, state: Any) -> tuple[dict[str, int], bool]:
    """How many objectives each side controls, and whether some distance is too close to call."""
    points = {"red": 0, "blue": 0}
    close = False
    if watch.setup.counts == "quarters":
        return quarters(watch, state), False
    for objective in state.objectives.values():
        near: dict[str, list[Any]] = {"red": [], "blue": []}
        for unit in placed(state):
            away = min(
                max(0.0, ((f.at[0] - objective.at[0]) ** 2 + (f.at[1] - objective.at[1]) ** 2) ** 0.5 - radius(f))
                for f in figures(unit)
            )
            close = close or abs(away - CONTROL) <= HAIR
            if away <= CONTROL:
                near[unit.side].append(unit)
        core = {
            side: [u for u in units if u.belongs == "core" and u.type == "infantry"] for side, units in near.items()
        }
        counted = core if core["red"] or core["blue"] else near
        if len(counted["red"]) != len(counted["blue"]):
            points["red" if len(counted["red"]) > len(counted["blue"]) else "blue"] += 1
    return points, close


def quarters(watch: Watch, state: Any) -> dict[str, int]:
    """How many quarters of the table each side controls: a unit counts where more than half of its figures are."""
    points = {"red": 0, "blue": 0}
    width, depth = watch.setup.table.width / 2, watch.setup.table.depth / 2
    for east in (False, True):
        for north in (False, True):
            there: dict[str, list[Any]] = {"red": [], "blue": []}
            for unit in placed(state):
                inside = [f for f in figures(unit) if (f.at[0] > width) == east and (f.at[1] > depth) == north]
                if 2 * len(inside) > len(figures(unit)):
                    there[unit.side].append(unit)
            core = {
                side: [u for u in all_ if u.belongs == "core" and u.type == "infantry"] for side, all_ in there.items()
            }
            counted = core if core["red"] or core["blue"] else there
            if len(counted["red"]) != len(counted["blue"]):
                points["red" if len(counted["red"]) > len(counted["blue"]) else "blue"] += 1
    return points


MISSION_ENDS = {"hasty-assault": 7, "patrol": 7, "patrol-encounter": 5}


@book.on("objectives")
def objectives_are_counted(watch: Watch, event: Event) -> None:
    watch.count("objectives counted")
    points, close = control(watch, watch.state)
    if not close and dict(event.data["points"]) != points:
        watch.object_to("sof.mission-core.control-most-units", f"{event.data['points']} is told, and {points} is so")


@book.on("over")
def the_battle_ends(watch: Watch, event: Event) -> None:
    watch.count("battles ended")
    kept, state = course(watch), watch.earlier
    winner = event.data["winner"]
    alive = {group.side for group in state.battlegroups.values()}
    mission = watch.setup.mission
    if mission and len(alive) == 2:
        points, close = control(watch, state)
        due = None if points["red"] == points["blue"] else max(points, key=lambda side: points[side])
        at_once = mission == "patrol" and max(points.values()) == 2
        if kept.turn != MISSION_ENDS[mission] and not at_once and not close:
            watch.object_to(f"sof.{mission}.duration", f"the battle ends in turn {kept.turn}")
        if not close and winner != due:
            watch.object_to(f"sof.{mission}.victory", f"{winner} wins, and not {due}")
        return
    if "sof.mission-core.end-timing" in event.rules:
        points, close = control(watch, state)
        due = None if points["red"] == points["blue"] else max(points, key=lambda side: points[side])
        if kept.turn != watch.setup.turns + 1:
            watch.object_to("sof.mission-core.end-timing", f"the battle ends in the Start Phase of turn {kept.turn}")
        if not close and winner != due:
            watch.object_to("sof.mission-core.control-most-units", f"{winner} wins, and not {due}")
        return
    due = next(iter(alive)) if len(alive) == 1 else None
    if len(alive) == 2 or winner != due:
        watch.object_to("sof.morale.force-removed", f"{winner} wins, and {sorted(alive)} have battlegroups left")


@book.on("turn-over")
def no_turn_after_the_last(watch: Watch, event: Event) -> None:
    last = MISSION_ENDS[watch.setup.mission] - 1 if watch.setup.mission else watch.setup.turns
    if course(watch).turn > last:
        watch.object_to("sof.mission-core.end-timing", f"turn {course(watch).turn} is played")


@book.on("dice")
def both_sides_are_still_there(watch: Watch, event: Event) -> None:
    sides = {group.side for group in watch.state.battlegroups.values()}
    if len(sides) < 2 and len({group.side for group in watch.setup.battlegroups.values()}) == 2:
        watch.object_to(
            "sof.turn.start-battlegroup", f"only {sorted(sides)} has battlegroups left, and the battle goes on"
        )


@book.after_answer
def nobody_stands_on_another(watch: Watch) -> None:
    """Between activations nobody is off the table, and no two bases overlap."""
    asked = watch.entry.topic if watch.entry is not None else ""
    if asked not in ("activate", "begin-turn"):
        return
    watch.count("tables looked over")
    for unit in watch.state.units.values():
        if bool(unit.reserve) == bool(there(unit)):
            watch.object_to("sof.reserves.kinds", f"{unit.id} is neither on the table nor in reserve, or both")
    bodies_keep_their_ranks(watch)
    men = [(unit.id, figure) for unit in placed(watch.state) for figure in figures(unit)]
    for number, (_, one) in enumerate(men):
        if not on_table(watch, one):
            watch.object_to("sof.mission-core.map-convention", f"{one.id} stands off the table at {one.at}")
        for _, other in men[number + 1 :]:
            reach = radius(one) + radius(other) - HAIR
            dx, dy = one.at[0] - other.at[0], one.at[1] - other.at[1]
            if abs(dx) < reach and dx * dx + dy * dy < reach * reach:
                watch.object_to("sof.units.models-in-units", f"{one.id} stands on {other.id}")


def bodies_keep_their_ranks(watch: Watch) -> None:
    """A unit in linear order stands in its ranks, also after losses, in an alignment that its numbers allow."""
    for unit in placed(watch.state):
        if unit.formation != "linear":
            continue
        watch.count("bodies looked over")
        if unit.pose is None or not well_aligned(unit, len(unit.teams), unit.pose.files):
            watch.object_to("sof.formations.linear-must-have-alignment", f"{unit.id} stands in no {unit.alignment}")
        elif not stands_in_ranks(unit, HAIR):
            watch.object_to("sof.formations.linear-ranks", f"{unit.id} does not stand in its ranks")


@book.on("alignment")
def a_body_becomes_too_small(watch: Watch, event: Event) -> None:
    """Fewer than ten form no column: a unit keeps its alignment as long as it can, and else stands in line."""
    watch.count("alignments lost")
    before, after = watch.earlier.units[event.data["unit"]], watch.state.units[event.data["unit"]]
    if before.alignment != "column" or len(after.teams) >= SMALLEST_COLUMN or after.alignment != "line":
        watch.object_to(
            "sof.triage.linear", f"{after.id} goes from {before.alignment} to {after.alignment} with {len(after.teams)}"
        )
