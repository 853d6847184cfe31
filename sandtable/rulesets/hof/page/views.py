"""What each player may know, and how it is drawn.

Secret are: what is left of the enemy's Hero Points, every enemy Team that is neither on the table nor in a Transport
that is, which of the enemy's Units wait where, and (if so agreed) both sides' Break Points.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from sandtable.engine.events import several
from sandtable.engine.ruleset import Guard, Score
from sandtable.field import showing
from sandtable.field.invariants import astray
from sandtable.field.reckoning import held, not_deployed
from sandtable.field.showing import Face, open_table
from sandtable.field.zones import strip
from sandtable.rulesets.hof.core.arsenal import Profile
from sandtable.rulesets.hof.core.board import Battle, Board
from sandtable.rulesets.hof.core.ground import SMOKE_RADIUS, smoke_feature, wreck_feature
from sandtable.rulesets.hof.core.labels import PAGE, label, team_name, unit_name
from sandtable.rulesets.hof.core.state import (
    HERO_DIE,
    NEAR_OBJECTIVE,
    SIDES,
    Mission,
    State,
    Team,
    Unit,
    all_teams,
    other,
    strength,
    units_of,
)
from sandtable.rulesets.hof.core.terrain import looks
from sandtable.table.scene import Area, Scene
from sandtable.table.terrain import Feature

OPEN_STATE = ("round", "phase", "active", "attacker", "edges", "objectives", "smoke", "wrecks", "clearing", "moved")
"""What everybody knows of a battle."""

OPEN_UNIT = ("side", "id", "name", "nation", "quality", "kind", "vehicles", "recon", "shaken", "tanks")
"""What the enemy knows of a Unit that has shown itself."""


# Views.


def shown(state: State, team: Team) -> bool:
    """Whether the enemy may know of a Team: it stands on the table, or rides with one that does."""
    if team.at is not None:
        return True
    if not team.carrier:
        return False
    return any(each.id == team.carrier and each.at is not None for _, each in all_teams(state))


def view(game: Battle, seat: str | None) -> dict[str, Any]:
    """All that a seat may know: its own side, and what stands in the open."""
    setup = game.setup
    state = game.state
    return {
        **open_table(setup.table, lie_of_the_land(game), setup.rounds),
        "options": msgspec.to_builtins(setup.options),
        **{name: msgspec.to_builtins(getattr(state, name)) for name in OPEN_STATE},
        "bombardments": [view_bombardment(each, seat) for each in state.bombardments],
        "companies": {side: view_company(game, side, seat) for side in SIDES},
        "units": {unit.id: found for unit in state.units.values() if (found := view_unit(state, unit, seat))},
        "missions": [view_mission(state, mission, seat) for mission in state.missions],
    }


def lie_of_the_land(game: Battle) -> list[Feature]:
    """The terrain, with what the players have laid and without what has been cleared."""
    state = game.state
    return [feature for feature in (*game.setup.terrain, *state.laid) if feature.id not in state.cleared]


def view_company(game: Battle, side: str, seat: str | None) -> dict[str, Any]:
    company = game.state.companies[side]
    secret = {"hero_points"} if side != seat else set()
    secret |= {"break_points"} if game.setup.options.hidden_break_points else set()
    return {name: getattr(company, name) for name in company.__struct_fields__ if name not in secret}


def view_unit(state: State, unit: Unit, seat: str | None) -> dict[str, Any] | None:
    known = known_unit(state, unit, seat)
    plain: dict[str, Any] | None = msgspec.to_builtins(known)
    if plain is None or known is unit:
        return plain
    return {**{name: getattr(unit, name) for name in OPEN_UNIT}, "teams": plain["teams"]}


def view_mission(state: State, mission: Mission, seat: str | None) -> dict[str, Any]:
    """A fire mission: its marker lies open; whose guns fire is known when they stand on the table."""
    plain: dict[str, Any] = msgspec.to_builtins(mission)
    if mission.side == seat:
        return plain
    open_ids = {team.id for _, team in all_teams(state) if shown(state, team)}
    plain["guns"] = [name for name in mission.guns if name in open_ids]
    if not plain["guns"]:
        plain["unit"] = ""
    if mission.observer not in open_ids:
        plain["observer"] = ""
    return plain


def view_bombardment(marker: Any, seat: str | None) -> dict[str, Any]:
    return {**msgspec.to_builtins(marker), "unit": marker.unit if marker.side == seat else ""}


def imagine(game: Battle, seat: str) -> State | None:
    """A state that this seat cannot tell from the true one, made from the last checkpoint.

    Forces are known to both players, where their Units wait is not: the Defender's Vehicles are taken to be in reserve
    and the Attacker's to wait beyond the edge. All foot is taken to be hidden, but for a Defender of whom no objective
    is held by Teams unseen.
    """
    state, enemy = last_checkpoint(game, seat), other(seat)
    if not imagines(state, seat):
        return state
    away = "reserve" if enemy != state.attacker else "edge"
    foot = "hidden" if enemy == state.attacker or unseen_hold(state, enemy) else away
    for unit in units_of(state, enemy):
        for team in unit.teams.values():
            if team.where in ("hidden", "reserve", "edge", "rear"):
                vehicle = team.kind.category == "vehicle"
                team.where = ("rear" if not unit.vehicles else away) if vehicle else foot  # type: ignore[assignment]
                team.dug_in = enemy != state.attacker and not vehicle
    return state


def last_checkpoint(game: Battle, seat: str | None) -> State:
    """The state of the last checkpoint, with a guess for each number that this seat, or a watcher, does not know.

    An enemy has as many Hero Points as he may, and both sides the Break Points that so many rolls make on average.
    """
    assert game.checkpoint is not None
    state: State = msgspec.msgpack.decode(game.checkpoint.state, type=State)
    for side, company in state.companies.items():
        if side != seat:
            company.hero_points = max(0, HERO_DIE - company.hero_spent)
        if game.setup.options.hidden_break_points:
            company.break_points = round(5 * company.break_rolls / 3)
    state.balked = [side for side in state.balked if side == seat]
    return state


def told(game: Battle, seat: str | None) -> State:
    """The last checkpoint with nothing in it that this seat, or a watcher, does not know.

    Enemies who have not shown themselves are left out, with whatever would tell of them.
    """
    state = last_checkpoint(game, seat)
    # What was lost is no secret: a mission may still name a gun that is gone.
    hidden = {*state.units, *(team.id for _, team in all_teams(state))}
    state.units = {unit.id: known for unit in state.units.values() if (known := known_unit(state, unit, seat))}
    hidden -= {*state.units, *(team.id for _, team in all_teams(state))}
    for unit in state.units.values():
        unit.tanks = "" if unit.tanks in hidden else unit.tanks
    state.missions = [each for each in state.missions if not hidden & {each.unit, each.observer, *each.guns}]
    state.bombardments = [each for each in state.bombardments if each.unit not in hidden]
    state.moved = {name: move for name, move in state.moved.items() if name not in hidden}
    return state


def known_unit(state: State, unit: Unit, seat: str | None) -> Unit | None:
    """A Unit as a seat knows it: its own wholly, another's as far as its Teams have shown themselves."""
    if unit.side == seat:
        return unit
    teams = {team.id: team for team in unit.teams.values() if shown(state, team)}
    open_fields = {name: getattr(unit, name) for name in OPEN_UNIT if name != "side"}
    return Unit(unit.side, teams, **open_fields) if teams else None


def imagines(state: State, seat: str | None) -> bool:
    """While forces are set down nothing is imagined of where the enemy's Units wait; nor while his reserves come."""
    if state.phase == "reinforce":
        return seat == other(state.attacker)
    return state.phase not in ("objectives", "fieldworks", "reserves", "bombard", "deploy")


def unseen_hold(state: State, defender: str) -> bool:
    """Whether the Defender holds an objective that none of his Infantry on the table is near to."""
    feet = [team for unit, team in all_teams(state) if unit.side == defender and team.at and not team.kind.vehicle]
    return any(
        objective.holder == defender
        and not any(math.dist(team.at or objective.at, objective.at) <= NEAR_OBJECTIVE + 3.0 for team in feet)
        for objective in state.objectives.values()
    )


# The position in numbers.


def score(state: State) -> Score:
    """hof.battle.rout: a side loses by its own Break Points."""
    return Score({side: state.companies[other(side)].break_points for side in SIDES}, "Break Points of the enemy")


def summary(state: State) -> dict[str, Any]:
    objectives = held(state.objectives)
    return {
        side: {
            "units": len(units_of(state, side)),
            "teams": sum(strength(unit) for unit in units_of(state, side)),
            "objectives": objectives[side],
            "break_points": state.companies[side].break_points,
            "break_limit": state.companies[side].break_limit,
        }
        for side in SIDES
    }


# Guards, and what must always hold.


def guards(game: Battle, seat: str) -> list[Guard]:
    """What a player should hear of before the battle begins and before his turn ends."""
    state = game.state
    found = []
    company = state.companies[seat]
    if state.phase in ("reserves", "deploy"):
        rule = "hof.battle.attacker-deploys"
        found += not_deployed(seat, units_of(state, seat), lambda team: team.at is None and not team.where, label, rule)
    if state.phase == "orders" and state.active == seat and company.order_points:
        points = company.order_points
        left = f"{points} Order Point{'s are' if points > 1 else ' is'} left, and lost if not spent."
        found.append(Guard(seat, left, "hof.orders.turn-passes", before="end"))
    for unit in units_of(state, seat):
        if unit.led and unit.leader is None:
            found.append(Guard(seat, f"{label(unit)} has no Platoon Leader.", "hof.leaders.replacement"))
    return found


def invariants(game: Battle) -> list[str]:
    """What must hold in every state; each entry of the answer is a law broken."""
    state, ground = game.state, game.prepared
    fresh = Board(ground, state)
    broken = astray(game.scratch, fresh, ground, state.units, state.phase == "over")
    if game.scratch is not None:
        for side, force in game.scratch.forces.items():
            now = fresh.force(state, side)
            if force.teams != now.teams or force.heads != now.heads or force.hidden != now.hidden:
                broken.append(f"{side}: the board counts other Teams than the state")
    ids = {team.id for _, team in all_teams(state)}
    for _, team in all_teams(state):
        if team.rfps < 0 or (not team.rfps and team.exposed):
            broken.append(f"{team.id} has {team.rfps} RFPs, exposed {team.exposed}")
        if team.carrier and team.carrier not in ids:
            broken.append(f"{team.id} rides on {team.carrier}, which is gone")
        if team.at is not None and team.where:
            broken.append(f"{team.id} stands on the table and is {team.where}")
    for side, company in state.companies.items():
        if not 0 <= company.hero_points <= HERO_DIE or company.order_points < 0:
            broken.append(f"{side} has {company.hero_points} Hero and {company.order_points} Order Points")
    return broken


# The picture.


def look(kind: Profile) -> str:
    """How a kind of Team is drawn."""
    return ("tank" if kind.armored else "vehicle") if kind.category == "vehicle" else kind.category


def face(unit: Unit, team: Team) -> Face:
    kind = team.kind
    return Face(
        team_name(team),
        unit_name(unit),
        look(kind),
        PAGE.badges(team),
        note=unit.quality,
        leader=team.role.upper() if team.role in ("pl", "fo", "cc") else "",
        arc=90.0 if kind.category == "gun" or (kind.category == "vehicle" and not kind.turret) else None,
        level=team.level,
        turret=team.facing if kind.turret else None,
    )


def scene(game: Battle, seat: str | None) -> Scene:
    """The table as a seat may see it; its own hidden Units are named below the picture."""
    state = game.state
    wrecks = [wreck_feature(wreck, f"wreck-{number}") for number, wreck in enumerate(state.wrecks)]
    return showing.scene(
        game.setup,
        [*lie_of_the_land(game), *wrecks],
        showing.pieces(all_teams(state), face),
        showing.spots(state.objectives, lambda _: NEAR_OBJECTIVE),
        [*showing.smoke(smoke_feature(each, "smoke") for each in state.smoke), *areas(game, seat)],
        game.setup.name,
        caption(game, seat),
        looks(),
    )


def areas(game: Battle, seat: str | None) -> Iterator[Area]:
    """What fire missions and bombardments mark, and where a player may lay what he has."""
    state, table = game.state, game.setup.table
    for mission in state.missions:
        if mission.phase == "barrage" and mission.at is not None:
            yield showing.disc(mission.at, mission.radius, "template", "Barrage")
        elif mission.point is not None:
            yield showing.disc(mission.point, SMOKE_RADIUS / 2, "template", "Range In")
    for each in state.bombardments:
        yield showing.disc(each.at, each.radius, "zone", "Bombarded")
    if state.phase == "fieldworks" and seat is not None:
        yield Area(strip(table, state.edges[seat], table.depth / 2), f"zone-{seat}", "Your half")


def caption(game: Battle, seat: str | None) -> str:
    state = game.state
    if state.result is not None:
        return state.result.reason
    words = f"Round {state.round} of {game.setup.rounds}, {state.active}'s turn."
    waiting = Counter(team.where for unit, team in all_teams(state) if team.where and unit.side == seat)
    if not waiting:
        return words
    return f"{words} " + ", ".join(f"{several(count, 'Team')} {where}" for where, count in waiting.items()) + "."
