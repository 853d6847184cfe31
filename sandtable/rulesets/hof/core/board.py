"""The table as arrays, kept beside the state: who stands where, who sees whom, who is concealed from whom.

Everything here is derived from the set-up and the state and can be made afresh at any time; `place`, `set_down` and
`take_off` are the doors through which Teams come, move and go, so that state and arrays never differ. Sight between two
Teams is worked out once and remembered until one of them moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandtable.engine.game import Game
from sandtable.field.board import FAR_AWAY as FAR_AWAY
from sandtable.field.board import Board as FieldBoard
from sandtable.field.board import set_pose
from sandtable.rulesets.hof.core.arsenal import Profile
from sandtable.rulesets.hof.core.ground import LAYERS, LEVEL, Ground, Ints, Mask, Rows, smoke_feature, wreck_feature
from sandtable.rulesets.hof.core.state import Member, Point, Setup, State, Team, Unit, Wreck, all_teams
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.kernels import concealing, fire, ground_sight, neighbours
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, EXACT, SLACK
from sandtable.table.shapes import Place, X, Y, Z, bodies, heading, snap, stored_facing

UNKNOWN, SEEN = 0, 2
"""What is known of sight, as in `ground_sight.seen_known`."""

FOOT = {"red": 1, "blue": 2}
ANYBODY = {"red": 4, "blue": 8}
"""Flags of who stands somewhere: a side's Infantry, and any Team of a side."""

Entry = tuple[Member, int, Profile]
"""A Team that is or was in the battle, its row, and what kind of Team it is."""


class Side:
    """The Teams of one side on the table: where they stand among the rows, and what they are."""

    def __init__(self, entries: list[Entry], heavy: Ints) -> None:
        self.entries = entries
        self.members = [member for member, _, _ in entries]
        self.teams = [team for _, team in self.members]
        self.rows: Ints = np.array([number for _, number, _ in entries], dtype=np.int64)
        self.classes: Ints = heavy.take(self.rows)
        """0 for those on foot."""
        self.friends = fire.Friends(self.rows, self.classes)
        """They, as they may stop each other's fire."""
        self.lasting: dict[object, Any] = {}

    @cached_property
    def number(self) -> dict[str, int]:
        return {team.id: number for number, team in enumerate(self.teams)}

    @cached_property
    def eyes(self) -> list[Team]:
        """Those whose eyes count against enemy moves, as long as they are not Suppressed."""
        return [team for team, _ in self.lookouts]

    @cached_property
    def lookouts(self) -> list[tuple[Team, int]]:
        """They, with their rows."""
        return [(team, number) for (_, team), number, kind in self.entries if not kind.small]

    @cached_property
    def outlook(self) -> Ints:
        """Their rows alone."""
        return np.array([number for _, number in self.lookouts], dtype=np.int64)

    @cached_property
    def observers(self) -> list[int]:
        return [number for number, team in enumerate(self.teams) if team.role == "fo"]


class Force:
    """The Teams of one side that are not lost, wherever they are, and those of them that hide."""

    def __init__(self, state: State, side: str) -> None:
        self.units = [unit for unit in state.units.values() if unit.side == side]
        self.teams = [team for unit in self.units for team in unit.teams.values()]
        self.hidden = [(unit, team) for unit in self.units for team in unit.teams.values() if team.where == "hidden"]
        self.lurking = {(team.profile, team.base): team for unit, team in self.hidden if unit.kind != "sniper"}
        """Hidden Teams that hold ground, one of each kind."""

    @cached_property
    def heads(self) -> list[Member]:
        """Those who may give an Order Die by themselves."""
        heads = ("pl", "cc", "fo")
        return [(unit, team) for unit in self.units for team in unit.teams.values() if team.role in heads]

    @cached_property
    def groups(self) -> list[tuple[Unit, list[Team]]]:
        """The Hidden Teams, Unit by Unit."""
        found: dict[str, tuple[Unit, list[Team]]] = {}
        for unit, team in self.hidden:
            found.setdefault(unit.id, (unit, []))[1].append(team)
        return list(found.values())


class LineUp:
    """Who is in the battle and where each stood when a board was made, as arrays.

    Nobody changes it, so it serves all boards that begin there; `stood` tells by what.
    """

    def __init__(self, ground: Ground, members: list[Member], stood: Sequence[tuple[object, ...]]) -> None:
        self.ground = ground
        self.stood = stood
        self.kinds = [team.kind for _, team in members]
        self.slots = {team.id: number for number, (_, team) in enumerate(members)}
        self.index = {team.id: number for number, (_, team) in enumerate(members) if team.at is not None}
        self.sides: dict[str, list[int]] = {"red": [], "blue": []}
        self.units: list[tuple[int, int]] = []
        """The first row of each Unit and the one after its last."""
        for number, (unit, _) in enumerate(members):
            self.sides[unit.side].append(number)
            if not number or members[number - 1][0] is not unit:
                self.units.append((number, number))
            self.units[-1] = self.units[-1][0], number + 1
        self.motorised = {unit.id for (unit, _), kind in zip(members, self.kinds, strict=True) if kind.transport}
        """The Units that have, or had, Transports."""
        on_foot = [kind.category == "infantry" for kind in self.kinds]
        self.flags: Ints = np.array(
            [ANYBODY[unit.side] | (foot and FOOT[unit.side]) for (unit, _), foot in zip(members, on_foot, strict=True)],
            dtype=np.int64,
        )
        self.turning: Mask = ~np.array(on_foot, dtype=np.bool_)
        self.heavy: Ints = self.turning.astype(np.int64)
        self.rows = bodies(
            [
                (kind.base, Place(*(team.at or (FAR_AWAY, FAR_AWAY)), team.facing))
                for (_, team), kind in zip(members, self.kinds, strict=True)
            ]
        )
        self.raise_rows(ground, [team.level for _, team in members])

    def raise_rows(self, ground: Ground, levels: list[int]) -> None:
        """How high everybody stands: the hill under him, and his floor."""
        if ground.table.any_hill:
            tops = np.where(ground.terrain.inside(self.rows) & ground.hills, ground.terrain.top, 0.0)
            self.rows[:, Z] = tops.max(axis=1)
        if any(levels):
            self.rows[:, Z] += LEVEL * np.array(levels)


class Board(FieldBoard):
    """Rows of all Teams, by number in `slots`; `index` holds those of them that are on the table.

    A Team that is off the table has its row far away, where nothing reaches it.
    """

    def __init__(self, ground: Ground, state: State, last: Board | None = None) -> None:
        self.bare = LAYERS.over(ground, state.laid)
        """The ground without what comes and goes in a battle."""
        self.ground = self.ground_now(state)
        self.dim = dimness(state)
        self.members: list[Member] = list(all_teams(state))
        stood = [(team.id, team.profile, team.base, team.at, team.facing, team.level) for _, team in self.members]
        # Copies that look ahead begin where others began: nobody need find out again who stands where.
        before = None if last is None else last.line_up
        known = before is not None and before.ground is self.ground and before.stood == stood
        line_up = before if before is not None and known else LineUp(self.ground, self.members, stood)
        self.line_up: LineUp = line_up
        self.slots = line_up.slots
        self.motorised = line_up.motorised
        self.flags: Ints = line_up.flags
        self.turning: Mask = line_up.turning
        """Whose facing means something: Guns and Vehicles face where they go."""
        self.heavy: Ints = line_up.heavy
        """0 for those on foot."""
        entries: list[Entry] = list(zip(self.members, range(len(stood)), line_up.kinds, strict=True))
        self.roll: dict[str, list[Entry]] = {
            side: [entries[number] for number in numbers] for side, numbers in line_up.sides.items()
        }
        units = [(self.members[first][0], first, end) for first, end in line_up.units]
        self.spans = {id(unit): (first, end) for unit, first, end in units}
        """The first row of each Unit, by its identity, and the one after its last."""
        super().__init__(line_up.rows.copy(), dict(line_up.index))
        count = len(self.members)
        self.known: NDArray[np.int8] = np.zeros(count * count, dtype=np.int8)
        self.veils: NDArray[np.int16] = np.full(count * count, -1, dtype=np.int16)
        self.sides: dict[str, Side] = {}
        self.forces: dict[str, Force] = {}
        """Made anew when somebody hides, appears or is lost."""
        self.stands: Ints = np.arange(count)
        self._places = ground_sight.Places(self.rows, self.known, self.veils, self.stands)
        self.stirred = {id(unit): unit for unit, _, _ in units}
        if last is not None:
            self.recall(last)

    def raise_row(self, row: Rows, team: Team) -> None:
        if self.ground.table.any_hill or team.level:
            row[Z] = self.ground.height(float(row[X]), float(row[Y]), team.level)

    def recall(self, last: Board) -> None:
        """Take over what another board of the same table knows of Teams that stand on both just as they do here."""
        if last.ground is not self.ground or last is self:
            return
        if last.line_up is self.line_up:
            still = (self.rows == last.rows).all(axis=1)
            both = (still[:, None] & still).ravel()
            self.known[both] = last.known[both]
            self.veils[both] = last.veils[both]
            return
        there = last.index
        shared = [(number, there[name]) for name, number in self.index.items() if name in there]
        if not shared:
            return
        ours, theirs = np.array(shared).T
        alike = (self.rows[ours] == last.rows[theirs]).all(axis=1)
        ours, theirs = ours[alike], theirs[alike]
        to = (ours[:, None] * len(self.members) + ours[None, :]).ravel()
        source = (theirs[:, None] * len(last.members) + theirs[None, :]).ravel()
        self.known[to] = last.known[source]
        self.veils[to] = last.veils[source]

    def side(self, name: str) -> Side:
        found = self.sides.get(name)
        if found is None:
            index = self.index
            found = self.sides[name] = Side([entry for entry in self.roll[name] if entry[0][1].id in index], self.heavy)
        return found

    def enemies(self, side: str) -> Side:
        """Those whom a side fights."""
        return self.side("blue" if side == "red" else "red")

    def enemy_rows(self, side: str) -> Rows:
        """A copy of their rows."""
        return self.rows.take(self.enemies(side).rows, axis=0)

    def force(self, state: State, side: str) -> Force:
        found = self.forces.get(side)
        if found is None:
            found = self.forces[side] = Force(state, side)
        return found

    def put(self, team: Team) -> None:
        """Bring a Team's row up to date with where it stands."""
        assert team.at is not None
        number = self.index[team.id]
        above = LEVEL * team.level
        ground_sight.put(self.ground.lens, self._places, number, team.at, heading(team.facing), above)
        self.stir(number)

    def forget(self, number: int) -> None:
        """What was known of a Team's sight holds no longer; nor, for its Unit's Leader, does where he stands."""
        count = len(self.members)
        first = number * count
        for table, nothing in ((self.known, UNKNOWN), (self.veils, -1)):
            table[first : first + count] = nothing
            table[number::count] = nothing
        self.stir(number)

    def stir(self, number: int) -> None:
        """Somebody has come, gone or moved."""
        self.change()
        unit = self.members[number][0]
        self.stirred[id(unit)] = unit

    def add(self, team: Team) -> bool:
        """A Team comes onto the table. False if it is so new that there is no row for it."""
        number = self.slots.get(team.id, -1)
        if number < 0 or self.members[number][1] is not team:
            return False
        self.index[team.id] = number
        self.sides.pop(self.members[number][0].side, None)
        self.rows[number, Z] = 0.0
        self.put(team)
        return True

    def drop(self, team: Team) -> None:
        """A Team is off the table: its row lies far away, where nothing reaches it."""
        number = self.lift(team)
        self.sides.pop(self.members[number][0].side, None)
        self.forget(number)

    def ground_now(self, state: State) -> Ground:
        more = [wreck_feature(wreck, f"wreck-{number}") for number, wreck in enumerate(state.wrecks)]
        more += [smoke_feature(each, f"smoke-{number}") for number, each in enumerate(state.smoke)]
        return LAYERS.over(self.bare, more, state.cleared)

    def new_ground(self, state: State) -> None:
        """Smoke, wrecks or obstacles have changed."""
        self.ground = self.ground_now(state)
        before, self.dim = self.dim, dimness(state)
        if self.dim != before:
            self.known.fill(UNKNOWN)
        self.veils.fill(-1)
        self.change()

    # Sight.

    def standing(self) -> Ints:
        """For each row the one that counts for sight: a Leader in contact with a Team of his Unit is where that is."""
        if self.stirred:
            for unit in self.stirred.values():
                self.find_stands(unit, self.rows, self.stands)
            self.stirred = {}
        return self.stands

    def places(self) -> ground_sight.Places:
        """Where everybody stands and counts as standing, and what is known of it."""
        self.standing()
        return self._places

    def stand(self, team: Team) -> int:
        return int(self.standing()[self.index[team.id]])

    def host(self, team: Team) -> Team:
        """hof.leaders.position-abstracted: the Team where a Team counts as being; itself, but for some Leaders."""
        return self.members[self.stand(team)][1]

    def stands_of(self, teams: Sequence[Team]) -> Ints:
        stands, index = self.standing(), self.index
        if len(teams) == 1:
            number = index[teams[0].id]
            return stands[number : number + 1]
        return stands.take([index[team.id] for team in teams])

    def where(self, teams: Sequence[Team]) -> Rows:
        """A copy of the rows where some Teams count as being."""
        return self.rows.take(self.stands_of(teams), axis=0)

    def find_stands(self, unit: Unit, rows: Rows, stands: Ints) -> None:
        """Note down where the Leaders of a Unit count as being if everybody stands as these rows say."""
        for name, team in unit.teams.items():
            if team.role in ("pl", "cc") and name in self.index:
                number = self.index[name]
                stands[number] = neighbours.nearest_to(rows, number, *self.spans[id(unit)], CONTACT + EXACT)

    def sees(self, watchers: Sequence[Team], targets: Sequence[Team]) -> Mask:
        """Which of some Teams sees which of others (n, m): any part of the one base to any part of the other."""
        a, b = self.stands_of(watchers), self.stands_of(targets)
        return ground_sight.seen_known(self.ground.lens, self._places, a, b)

    def sees_one(self, watcher: Team, target: Team) -> bool:
        fact = self.known[self.stand(watcher) * len(self.members) + self.stand(target)]
        return bool(fact == SEEN if fact != UNKNOWN else self.sees([watcher], [target])[0, 0])

    def clear_of_enemies(self, side: str, rows: Rows) -> Mask:
        """Which bases of a side, where these rows are, touch no enemy."""
        if not self.enemies(side).teams:
            return np.ones(len(rows), dtype=np.bool_)
        return measure.beyond(measure.nearest(rows, self.enemy_rows(side)), CONTACT)

    def veiled(self, watchers: Sequence[Team], targets: Sequence[Team]) -> Ints:
        """What conceals which of some Teams from which of others, as flags of `veil` (n, m)."""
        ground, table = self.ground, self.ground.table
        a, b = self.stands_of(watchers), self.stands_of(targets)
        return concealing.known_veils(ground.terrain, table.veils, table.thick, self.rows, self.veils, a, b, TOUCH)


def dimness(state: State) -> tuple[tuple[Point, ...], tuple[str, ...]]:
    """The smoke on the table and the obstacles cleared from it: of what comes and goes, nothing else changes sight."""
    return tuple([each.at for each in state.smoke]), tuple(state.cleared)


def overlooked(ground: Ground, rows: Rows) -> Mask | None:
    """Which terrain each base looks over: whatever is lower than the hill it stands on. None without hills."""
    if not ground.table.any_hill and not rows[:, Z].any():
        return None
    return ground.terrain.top[None, :] < rows[:, None, Z]


def sees_rows(ground: Ground, a: Rows, b: Rows, wanted: Mask | None = None) -> Mask:
    """Who sees whom, for any rows: also of places where nobody stands yet (hof.terrain.line-of-sight)."""
    return ground_sight.seen(ground.lens, a, b, wanted)


def veils_rows(ground: Ground, a: Rows, b: Rows, wanted: Mask | None = None) -> Ints:
    table = ground.table
    return concealing.veil(
        ground.terrain, table.veils, table.thick, a, b, TOUCH,
        exempt_a=overlooked(ground, a), exempt_b=overlooked(ground, b), wanted=wanted,
    )  # fmt: skip


Battle = Game[State, Setup, Ground]
"""A game of these rules with all its types."""


def board(game: Battle) -> Board:
    kept: Board | None = game.scratch
    if kept is None:
        # Copies that look ahead stand mostly as the game did a moment ago: nobody need look again.
        last = game.kin.scratch
        kept = Board(game.prepared, game.state, last if isinstance(last, Board) else None)
        game.scratch = game.kin.scratch = kept
    return kept


# The doors through which Teams come, move and go.


def place(game: Battle, team: Team, x: float, y: float, facing: float | None = None) -> None:
    """Set a Team that is on the table down elsewhere."""
    set_pose(team, x, y, facing)
    board(game).put(team)


def arrive(
    game: Battle, side: str, poses: Sequence[tuple[Team, float, float, float, float]], paths: moves.Paths
) -> bool:
    """Set Teams of a side down at the ends of their ways if nothing at all is in their way there.

    The poses are (Team, x, y, facing, inches along its path).

    False if they pass over an enemy or end in contact with one, on another base, or off the table: then all stay.
    """
    here = board(game)
    index = here.index
    numbers = [index[pose[0].id] for pose in poses]
    ends = [
        (snap(x), snap(y), *heading(stored_facing(facing)), LEVEL * team.level, inches)
        for team, x, y, facing, inches in poses
    ]
    if not ground_sight.arrive(
        here.ground.lens,
        here.places(),
        np.array(numbers),
        np.array(ends),
        paths,
        here.enemies(side).rows,
        (here.ground.width, here.ground.depth),
        CONTACT + EXACT,
        SLACK,
    ):
        return False
    for pose, number, end in zip(poses, numbers, ends, strict=True):
        team = pose[0]
        team.at = end[:2]
        team.facing = stored_facing(pose[3])
        here.stir(number)
    return True


def set_down(game: Battle, team: Team, x: float, y: float, facing: float | None = None) -> None:
    """A Team comes onto the table, from wherever it was."""
    set_pose(team, x, y, facing)
    if team.where == "hidden":
        muster(game)
    team.where = ""
    team.carrier = ""
    team.towed = False
    kept = game.scratch
    if isinstance(kept, Board) and not kept.add(team):
        game.scratch = None


def take_off(game: Battle, team: Team, where: str = "") -> None:
    """Take a Team off the table; `where` says where it goes if it is not gone for good."""
    if team.at is not None:
        here = board(game)
        team.at = None
        if team.id in here.index:
            here.drop(team)
    team.where = where  # type: ignore[assignment]


def leave_wreck(game: Battle, team: Team) -> None:
    """hof.vehicles.wreck-conceals: a destroyed Vehicle stays on the table as a wreck."""
    assert team.at is not None
    game.state.wrecks = [*game.state.wrecks, Wreck(team.profile, team.at, team.facing)]


def muster(game: Battle) -> None:
    """Somebody hides, appears or is lost: who is left is counted again."""
    if isinstance(game.scratch, Board):
        game.scratch.forces.clear()


def ground_changed(game: Battle) -> None:
    board(game).new_ground(game.state)
