"""Mission briefings as data: the table's edges, areas, special rules in force, duration; and what follows from one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
from sandtable.field.deploying import zone_of
from sandtable.field.zones import strip
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Battlegroup, Edge, MissionName, Point, Side, Table, other
from sandtable.table.terrain import Terrain

Role = Literal["attacker", "defender"]
Step = Literal["special", "edges", "map", "objective", "reserve", "deployment", "duration", "victory"]

FACING: dict[Edge, float] = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""How whoever comes from an edge faces."""

OPPOSITE: dict[Edge, Edge] = {"south": "north", "north": "south", "west": "east", "east": "west"}
PLANNED_TURNS = 2
"""sof.mission-special.advance-planning"""


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An objective that a mission has: who places it, and where."""

    by: Role
    area: Literal["defender", "centerline", "center"]


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A briefing.

    `ambush` is how many units the defender may deploy in ambush, None if nobody may; `tactical` the least share of his
    points, in percent, that he holds in Tactical Reserve; `immediate`: support units wait in Immediate Reserve. With
    `at_once` whoever controls every objective at the end of a turn has won. `small`: it is played in Patrol Mode.
    """

    title: str
    edges: Literal["long", "any"]
    zones: dict[Role, float]
    order: Literal["defender-first", "alternate"]
    turns: int
    objectives: tuple[Aim, ...]
    rules: dict[Step, str]
    advance_planning: bool = False
    ambush: int | None = None
    recon: bool = False
    tactical: int = 0
    immediate: bool = False
    at_once: bool = False
    small: bool = False

    def special(self) -> list[str]:
        """The special rules in force, as a briefing lists them."""
        rules = {
            "Advance Planning (both)": self.advance_planning,
            f"Ambush ({self.ambush})": self.ambush is not None,
            "Immediate Reserves (both)": self.immediate,
            "Patrol Mode": self.small,
            "Recon": self.recon,
            "Tactical Reserve (defender)": self.tactical,
        }
        return [words for words, there in rules.items() if there]


class Missions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.sof.missions"]
    missions: dict[MissionName, Mission]


@cache
def missions() -> dict[MissionName, Mission]:
    return data.read(Path(__file__).parents[1] / "data" / "missions.toml", Missions).missions


def mission_of(game: Battle) -> Mission | None:
    """sof.mission-core.briefing: the mission that a battle follows, if it follows one."""
    return missions().get(game.setup.mission)


def the_mission(game: Battle) -> Mission:
    mission = mission_of(game)
    assert mission is not None
    return mission


def defender(game: Battle) -> Side:
    return other(game.state.attacker)


def side_of(game: Battle, role: Role) -> Side:
    return game.state.attacker if role == "attacker" else defender(game)


def role_of(game: Battle, side: Side) -> Role:
    return "attacker" if side == game.state.attacker else "defender"


def core_group(game: Battle, side: Side) -> Battlegroup:
    """sof.force.core-battlegroup: the first one of a side, unless another says that it is."""
    groups = [group for group in game.state.battlegroups.values() if group.side == side]
    return next((group for group in groups if group.core), groups[0])


# Where things are.


def facing_of(game: Battle, side: Side) -> float:
    return FACING[game.state.baselines.of(side)]


def edges_of(mission: Mission, table: Table) -> list[Edge]:
    """The table's edges that a mission lets the attacker choose from."""
    if mission.edges == "any":
        return ["south", "north", "west", "east"]
    return ["south", "north"] if table.width >= table.depth else ["west", "east"]


def inches_from(table: Table, edge: Edge, at: Point) -> float:
    """How far a point is from an edge of the table."""
    x, y = at
    return {"south": y, "north": table.depth - y, "west": x, "east": table.width - x}[edge]


def area_of(game: Battle, side: Side) -> Terrain:
    """A side's deployment area: a strip along its baseline (sof.mission-core.map-convention)."""
    table, deep = game.setup.table, the_mission(game).zones[role_of(game, side)]
    return zone_of(strip(table, game.state.baselines.of(side), deep), table)


def bad_ground(game: Battle, at: Point) -> bool:
    """sof.mission-core.objective-placement: impassable terrain; every kind of water that is here is."""
    ground = game.prepared
    inside = ground.terrain.inside_point(*at)
    return any(bool(inside[number]) and "infantry" in kind.impassable_for for number, kind in enumerate(ground.kinds))


# Special rules of the briefing.


def planned(game: Battle) -> bool:
    """sof.mission-special.advance-planning: nobody pays for being out of influence in the first two turns."""
    mission = mission_of(game)
    return mission is not None and mission.advance_planning and game.state.turn <= PLANNED_TURNS
