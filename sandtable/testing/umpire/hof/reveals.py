"""Deployment, Hidden Teams, reserves, and Units that come on at an edge."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.sight import Maybe, agreed, either, places, spot_of, view
from sandtable.testing.umpire.hof.table import (
    HAIR,
    TOUCH,
    base,
    enemy,
    find,
    ground,
    kind_of,
    members,
    standing,
)

FROM_CENTRE = 16.0
FOOT, VEHICLE, RECON, SNIPER = 16.0, 8.0, 20.0, 12.0
FORWARD, RECON_FORWARD = 6.0, 12.0
ENTRY = 16.0
AT_EDGE = 0.35
MOST_EYES = 5
"""So many enemies, the nearest, are asked whether they see a place."""


def zone(watch: Watch, side: str, recon: bool) -> Any:
    """Where a side deploys: the Defender on his half, the Attacker more than 16 inches from the centre line."""
    setup, state = watch.setup, watch.state
    given = setup.zones.get(side)
    if given:
        return shapely.Polygon(given)
    width, depth = setup.table.width, setup.table.depth
    reach = depth / 2
    if side == state.attacker:
        reach -= FROM_CENTRE
    elif setup.options.recon and any(unit.side == side and unit.recon for unit in setup.units.values()):
        reach += RECON_FORWARD if recon else FORWARD
    low, high = (0.0, reach) if state.edges[side] == "south" else (depth - reach, depth)
    return shapely.box(0.0, low, width, high)


def within(shape: Any, area: Any) -> bool:
    return bool(area.buffer(HAIR).covers(shape))


@book.on("deployed")
def deployment_in_the_zone(watch: Watch, event: Event) -> None:
    name = event.data.get("unit")
    unit = watch.state.units.get(name) if name is not None else None
    if unit is None:
        return
    for team in unit.teams.values():
        if team.at is not None:
            watch.count("deployments")
            if not within(base(team), zone(watch, unit.side, unit.recon)):
                watch.object_to("hof.battle.attacker-deploys", f"{team.id} deploys outside its zone, at {team.at}")


@book.after_answer
def reserves_are_half(watch: Watch) -> None:
    """Half of the Defender's Units, rounded down, Vehicle Units before all others."""
    if watch.entry is None or watch.entry.topic != "reserves":
        return
    watch.count("reserves")
    state = watch.state
    side = enemy(state.attacker)
    counted = [unit for unit in state.units.values() if unit.side == side and unit.kind != "riders"]
    able = [unit for unit in counted if unit.kind not in ("sniper", "bunker")]
    held = [unit for unit in able if any(team.where == "reserve" for team in unit.teams.values())]
    if len(held) != min(len(counted) // 2, len(able)):
        watch.object_to("hof.battle.reserve-half", f"{len(held)} of {len(counted)} Units are in reserve")
    foot = [unit.id for unit in held if not unit.vehicles]
    wheels = [unit.id for unit in able if unit.vehicles and unit not in held]
    if foot and wheels:
        watch.object_to("hof.battle.reserve-vehicles-first", f"{foot} are in reserve and {wheels} are not")


# Hidden Teams.


@book.on("revealed")
def revealed_where_nobody_could_see(watch: Watch, event: Event) -> None:
    for name in event.data["teams"]:
        watch.count("reveals")
        before, found = find(watch.asked, name), find(watch.state, name)
        if before is None or before[1].where != "hidden" or found is None or found[1].at is None:
            watch.object_to("hof.battle.hidden-no-plot", f"{name} appears and was not Hidden")
            continue
        unit, team = found
        if kind_of(team).vehicle:
            watch.object_to("hof.battle.hidden-no-plot", f"{name} is a Vehicle and was Hidden")
        foes = standing(watch.asked, enemy(unit.side))
        if unit.kind == "sniper":
            foreign = zone(watch, enemy(unit.side), False)
            near = min((base(team).distance(base(foe)) for _, foe in foes), default=99.0)
            if near < SNIPER - HAIR or base(team).buffer(-HAIR).intersection(foreign).area > 0.01:
                watch.object_to("hof.optional.sniper-deploy", f"{name} appears {near:.2f} inches from an enemy")
            continue
        if not within(base(team), zone(watch, unit.side, unit.recon)):
            watch.object_to("hof.battle.hidden-where", f"{name} appears outside its zone, at {team.at}")
        if not may_appear(watch, team, foes):
            watch.object_to("hof.battle.hidden-where", f"{name} appears at {team.at} in the enemy's sight")


def may_appear(watch: Watch, team: Any, foes: list[Any]) -> bool:
    """Concealed and far enough away, or out of sight, now or before the enemy moved. In doubt it may."""
    concealing = any(
        piece.kind.conceals and base(team).distance(piece.shape) <= TOUCH + HAIR for piece in ground(watch, watch.asked)
    )
    if concealing and all(base(team).distance(base(foe)) >= apart(watch, foe) - HAIR for _, foe in foes):
        return True
    watch.count("reveals out of sight")
    moved = watch.asked.moved
    near = sorted(foes, key=lambda foe: base(team).distance(base(foe[1])))[:MOST_EYES]
    return seen(watch, team, near, {}) is not True or (bool(moved) and seen(watch, team, near, moved) is not True)


def seen(watch: Watch, team: Any, foes: list[Any], moved: dict[str, Any]) -> Maybe:
    """Whether an enemy sees a place; with `moved`, from where each stood before he moved."""
    here = view(watch, watch.asked)
    found: Maybe = False
    for unit, foe in foes:
        start = moved.get(foe.id)
        eyes = places(watch.asked, unit, foe) if start is None else [spot_of(foe, start.start, start.facing)]
        sees: Maybe = agreed(here.sees(eye, spot_of(team)) for eye in eyes)
        if moved and foe.role in ("pl", "cc"):
            # Beside whom he stood before they moved, nobody can tell.
            sees = None
        found = either(found, sees)
        if found:
            break
    return found


def apart(watch: Watch, foe: Any) -> float:
    """How far from an enemy a Hidden Team must appear: less what he has just moved."""
    kind = kind_of(foe)
    far = VEHICLE if kind.vehicle else FOOT
    riders = [team for _, team in members(watch.asked) if team.carrier == foe.id and team.role == "rider"]
    if any(not rider.suppressed for rider in riders):
        far = FOOT
    if "recon" in foe.traits:
        far = RECON
    moved = watch.asked.moved.get(foe.id)
    return far - (moved.inches if moved is not None else 0.0)


# Reserves and arrivals.


@book.on("reserves-check")
def the_reserves_check(watch: Watch, event: Event) -> None:
    watch.count("reserves checks")
    side, data = event.seat, event.data
    state = watch.state
    company = state.companies[side]
    if side == state.attacker or side != state.active or company.turns < 3:
        watch.object_to("hof.battle.reserves-check", f"{side} checks for reserves in its turn {company.turns}")
    if watch.memory.get("reserves checked") == (side, company.turns):
        watch.object_to("hof.battle.reserves-check", f"{side} checks for reserves twice in a turn")
    watch.memory["reserves checked"] = (side, company.turns)
    two = watch.entry is not None and watch.entry.answer == "reserves-2"
    needed = 4 + min(2, company.reserves_arrived) - two
    value = event.dice[0].values[0]
    if data["needed"] != needed or data["passed"] != (value >= needed) or event.dice[0].before:
        watch.object_to("hof.battle.reserves-modifiers", f"{value} against {needed}+: {data}")
    watch.memory["chooser"] = side if value % 2 else enemy(side)


@book.on("reserve-chosen")
def who_chooses_the_reserve(watch: Watch, event: Event) -> None:
    if watch.memory.get("chooser", event.seat) != event.seat:
        watch.object_to("hof.battle.reserves-who-chooses", f"{event.seat} chooses the Unit that arrives")


@book.on("arrived")
def arrivals_at_the_edge(watch: Watch, event: Event) -> None:
    """All bases at the side's own edge; reserves no nearer than 16 inches to any enemy."""
    unit = watch.state.units[event.data["unit"]]
    reserve = any(told.kind == "reserve-chosen" for told in watch.memory.get("since-call", ()))
    edge = 0.0 if watch.state.edges[unit.side] == "south" else watch.setup.table.depth
    line = shapely.LineString([(0.0, edge), (watch.setup.table.width, edge)])
    before = {team.id for _, team in standing(watch.asked)}
    for team in unit.teams.values():
        if team.at is None or team.id in before:
            continue
        watch.count("arrivals")
        if base(team).distance(line) > AT_EDGE:
            watch.object_to("hof.battle.attacker-off-table", f"{team.id} comes on at {team.at}, not at its edge")
        near = min((base(team).distance(base(foe)) for _, foe in standing(watch.state, enemy(unit.side))), default=99.0)
        if reserve and near < ENTRY - HAIR:
            watch.object_to("hof.battle.reserves-check", f"{team.id} comes on {near:.2f} inches from an enemy")
