"""One volley as the umpire sees it: who fires with what at whom, who sees whom, and who is in what cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import HARD, OPEN, Weapon
from sandtable.testing.umpire.tr14.geometry import (
    Land,
    Pose,
    Verdict,
    all_of,
    any_of,
    forward,
    gap,
    in_front,
    pose_of,
    within,
)
from sandtable.testing.umpire.tr14.log import kind, land, side_of

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

TO_GROUND = 3
"""The last class in the order of allocation, after the three kinds of cover."""

Range = tuple[int, int]
"""The least and the most that something may be."""


def negated(verdict: Verdict) -> Verdict:
    return None if verdict is None else not verdict


def more_than_open(cover: Range) -> Verdict:
    return True if cover[0] > OPEN else False if cover[1] == OPEN else None


def is_hard(cover: Range) -> Verdict:
    return True if cover[0] == HARD else False if cover[1] < HARD else None


@dataclass
class Shot:
    """One weapon that fired."""

    shooter: str
    weapon: Weapon
    declared: str
    dice: int
    needed: int
    hits: int
    modifiers: dict[str, int]
    throw: Any = None


@dataclass
class Scene:
    """The table as it lay when a volley was fired, before anybody turned to face his target."""

    state: State
    here: Land
    unit: Unit
    target: Unit
    members: list[tuple[Unit, Team]]
    shooters: dict[str, Pose]
    turrets: dict[str, float | None]
    at_observer: bool = False
    moving: bool = False
    lines: dict[tuple[str, str], Verdict] = field(default_factory=dict)

    @cached_property
    def friends(self) -> list[tuple[str, Pose, str]]:
        """Everybody of the firing side, with his type."""
        found = []
        for _, team in side_of(self.state, self.unit.side):
            pose = self.shooters.get(team.id, pose_of(team))
            found.append((team.id, pose, kind(team).type))
        return found

    def place(self, name: str) -> Pose:
        return self.shooters[name] if name in self.shooters else pose_of(self.unit.teams[name])

    def sees(self, name: str, position: int) -> Verdict:
        return self.here.sees(self.place(name), pose_of(self.members[position][1]))

    def line_of_fire(self, name: str, position: int) -> Verdict:
        """tr14.firing.through-friends: Guns and Tanks fire over Infantry, mortars over everybody."""
        team = self.members[position][1]
        key = (name, team.id)
        if key not in self.lines:
            mine = kind(self.unit.teams[name])
            if mine.has("over-friends"):
                in_the_way = []
            elif mine.type == "infantry":
                in_the_way = [pose for other, pose, _ in self.friends if other != name]
            else:
                in_the_way = [pose for other, pose, type in self.friends if other != name and type != "infantry"]
            self.lines[key] = self.here.clear(self.place(name), pose_of(team), in_the_way)
        return self.lines[key]

    def distance(self, name: str, position: int) -> float:
        return gap(self.place(name), pose_of(self.members[position][1]))

    def bears(self, name: str, weapon: Weapon, position: int) -> Verdict:
        """tr14.firing.arc, tr14.firing.turret-arc"""
        mine = kind(self.unit.teams[name])
        if mine.type == "infantry":
            return True
        facing: float | None = None
        if mine.turret and weapon.mount in ("gun", "coax"):
            facing = self.turrets[name]
        pose = self.place(name)
        return in_front(pose, pose.facing if facing is None else facing, pose_of(self.members[position][1]))

    def can_hit(self, name: str, weapon: Weapon, position: int) -> Verdict:
        """Whether a weapon has a die to roll at a Team: in reach, in arc, and with a line to it."""
        if not weapon.fp:
            return False
        near = within(self.distance(name, position), weapon.reach())
        if near is False:
            return False
        bears = self.bears(name, weapon, position)
        if bears is False:
            return False
        return all_of([near, bears, self.line_of_fire(name, position)])

    # Cover and going to ground.

    def cover(self, name: str, position: int) -> Range:
        """What a Team has from one who fires, shields left aside."""
        team = self.members[position][1]
        if team.dug_in:
            return HARD, HARD
        return self.here.cover(self.place(name), pose_of(team))

    def shield(self, name: str, position: int) -> Verdict:
        """tr14.arsenal.gun-shield: from the front."""
        team = self.members[position][1]
        if not kind(team).has("shield") or team.at is None:
            return False
        ahead = forward(team.at, team.facing, self.place(name).at())
        return None if abs(ahead) < 0.001 else ahead > 0

    def cover_from(self, names: Sequence[str], position: int, *, at: bool) -> Range:
        """The worst cover from those of some who see a Team; if none does, from any who fires and sees it."""
        watching = [name for name in names if self.sees(name, position) is not False]
        if not any(self.sees(name, position) for name in watching):
            watching += [name for name in self.shooters if self.sees(name, position) is not False]
        least, most = HARD, OPEN
        surely: list[int] = []
        for name in watching:
            low, high = self.cover(name, position)
            if not at:
                shield = self.shield(name, position)
                low, high = (HARD if shield else low), (high if shield is False else HARD)
            least, most = min(least, low), max(most, high)
            if name in names and self.sees(name, position):
                surely.append(high)
        if not watching:
            return OPEN, OPEN
        return least, min([most, *surely])

    def down(self, position: int) -> Verdict:
        """tr14.firing.mod-gone-to-ground"""
        unit, team = self.members[position]
        if kind(team).type == "tank":
            return False
        if unit.to_ground or self.target.to_ground or not (team.moved or team.fired):
            return True
        if team.role == "fo":
            # tr14.indirect.fo-gone-to-ground: in terrain that conceals him from this fire.
            covers = [more_than_open(self.cover(name, position)) for name in self.shooters]
            return all_of(covers) if all_of(covers) == any_of(covers) else None
        return False

    def still(self, position: int) -> bool:
        """tr14.terrain.still-infantry"""
        team = self.members[position][1]
        return kind(team).type == "infantry" and not team.moved

    def allocation_class(self, position: int, cover: Range) -> Range:
        """tr14.firing.allocation-order"""
        down = self.down(position)
        if down:
            return TO_GROUND, TO_GROUND
        return (cover[0], cover[1]) if down is False else (cover[0], TO_GROUND)

    def concealed(self, firing: Sequence[str], *, at: bool) -> Verdict:
        """tr14.terrain.all-must-be-concealed"""
        return all_of([self.hides(firing, position, at=at) for position in range(len(self.members))])

    def hides(self, firing: Sequence[str], position: int, *, at: bool) -> Verdict:
        """Whether a Team gives nothing away: it is concealed, or nobody who fires sees it."""
        if self.still(position):
            return True
        found = []
        for name in firing:
            covered = more_than_open(self.cover(name, position))
            shield = self.shield(name, position) if not at else False
            found.append(any_of([covered, shield, negated(self.sees(name, position))]))
        return all_of(found)

    def in_the_open(self, firing: Sequence[str], *, at: bool) -> Verdict:
        """tr14.firing.mod-moving-in-open: no Team that can be seen is in cover from those who see it."""
        found = []
        for position in range(len(self.members)):
            seen = any_of([self.sees(name, position) for name in firing])
            if seen is False:
                continue
            cover = self.cover_from(firing, position, at=at)
            found.append(any_of([negated(more_than_open(cover)), negated(seen)]))
        return all_of(found)

    def lies_low(self) -> Verdict:
        """Every Team that anybody of the firing Unit sees is Gone to Ground."""
        found: list[Verdict] = []
        for position in range(len(self.members)):
            down = self.down(position)
            if down:
                found.append(True)
                continue
            seen = any_of([self.sees(name, position) for name in self.unit.teams])
            found.append(any_of([down, negated(seen)]))
        return all_of(found)


@dataclass
class Volley:
    """A volley, and what has come of it so far."""

    scene: Scene
    shots: list[Shot]
    manner: str
    queue: list[list[Any]] = field(default_factory=list)
    """Hits that still wait for their Saves: who fired, with what, at whom, how many dice."""
    markers: int = 0
    placed: int = 0
    results: int = 0
    excused: bool = False

    def hits(self) -> int:
        return sum(shot.hits for shot in self.shots)


def members_of(unit: Unit) -> list[tuple[Unit, Team]]:
    return [(unit, team) for team in unit.teams.values()]


def scene_of(
    watch: Watch, unit: Unit, members: list[tuple[Unit, Team]], target: Unit, stood: dict[str, list[float | None]]
) -> Scene:
    shooters, turrets = {}, {}
    for name, (facing, turret) in stood.items():
        team = unit.teams[name]
        shooters[name] = pose_of(team)._replace(facing=facing or 0.0)
        turrets[name] = turret
    return Scene(watch.state, land(watch), unit, target, members, shooters, turrets)
