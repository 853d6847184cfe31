"""Who may fire at what: lines of fire, arcs and ranges of some Teams to some enemies, in a few array calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import count
from typing import NamedTuple

import numpy as np

from sandtable.field.kept import KeptOne
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.arsenal import Weapon, profile
from sandtable.rulesets.hof.core.board import Battle, Board, Side, board
from sandtable.rulesets.hof.core.ground import Ints, Mask, Rows
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.riding import BESIDE
from sandtable.rulesets.hof.core.state import Member, Team, other
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.firing.vehicles import armor, ineffective, is_flank
from sandtable.rulesets.hof.firing.weapons import SILENT_ROLES, direct_weapons, plain, reach_of, weapons_of
from sandtable.rulesets.hof.kernels import concealing, fire
from sandtable.rulesets.hof.terrain import CONCEALED, flags
from sandtable.table import moves
from sandtable.table.hairs import EXACT

SPILL = 4.0
"""hof.firing.los-requirement, hof.firing.spill-to-neighbours"""

ARC = 90.0
"""hof.firing.arc-forward"""

OBSERVER_NEAR = 12.0
"""hof.artillery.fo-targeting"""


def enemies_of(game: Battle, side: str) -> list[Member]:
    """The enemy Teams that may be fired at: those on the table, and Riders."""
    foe = other(side)
    members = board(game).side(foe).members
    return [*members, *riding.riders_of(game, foe)] if game.setup.options.riders else members


class Arm(NamedTuple):
    """How a kind of Team fires. No weapons: some of them may be withheld, and each time must be asked which."""

    weapons: tuple[Weapon, ...]
    far: float
    punch: float
    heavy: float
    """0 for those on foot."""
    turns: bool
    """hof.firing.arc-all-round: Infantry and whoever has a turret."""
    mortar: bool
    """hof.special-rules.light-mortar"""


@cache
def arm(key: str, flame: bool) -> Arm:
    kind = profile(key)
    on_foot = kind.category == "infantry"
    weapons = direct_weapons(key, flame) if plain(key) else ()
    far, force = farthest_of(weapons, flame), punch(weapons, flame)
    mortar = any("light-mortar" in weapon.keywords for weapon in direct_weapons(key, flame))
    return Arm(weapons, far, force, 0.0 if on_foot else 1.0, on_foot or kind.turret, mortar)


def all_round(team: Team) -> bool:
    """Whether a Team fires all round; a Gun still aboard will be set down as it likes."""
    return arm(team.profile, flame=False).turns or team.at is None


def farthest_of(weapons: Sequence[Weapon], flame: bool) -> float:
    return max([reach_of(weapon, flame) for weapon in weapons], default=0.0)


def punch(weapons: Sequence[Weapon], flame: bool) -> float:
    """hof.vehicles.only-at-affects-armor: the best AT value; flame-throwers by their own rule know no armor."""
    if flame and any("flame-thrower" in weapon.keywords for weapon in weapons):
        return math.inf
    return max([weapon.at for weapon in weapons if weapon.at is not None], default=-math.inf)


@cache
def proof(key: str) -> float:
    """The punch that does something to a kind of Team, at its weaker side: anybody's if it has no armor."""
    kind = profile(key)
    if not kind.armored:
        return -math.inf
    return float(next(at for at in count() if not ineffective(at, min(kind.front, kind.flank))))


def proofs(game: Battle, targets: Sequence[Member]) -> Rows:
    """What does something to each target; to a tank with Riders on it, whatever can be fired at it."""
    least = [proof(team.profile) for _, team in targets]
    if game.setup.options.riders:
        for number, (_, team) in enumerate(targets):
            if team.kind.armored and riding.riders_on(game, team):
                least[number] = 0.0
    return np.array(least)


class Mark:
    """One of the `marks` of a table of fire: seldom are all of them looked at."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __get__(self, table: FireTable, owner: type) -> Mask:
        found: Mask = table.marks[self.number]
        return found


ALL_PROOFS = KeptOne[Rows]()
"""What does something to each Team of a board, if nobody rides on it."""

SIDE_TARGETS = KeptOne[fire.Targets]()
"""The Teams of a side, as they are fired at."""


def usual_targets(here: Board, foe: Side) -> fire.Targets:
    """The Teams of a side; what does something to each hangs, without Riders, on nothing but its kind."""
    found = SIDE_TARGETS.of(foe)
    if found is None:
        everybody = ALL_PROOFS.of(here)
        if everybody is None:
            everybody = ALL_PROOFS.keep(here, np.array([proof(team.profile) for _, team in here.members]))
        found = SIDE_TARGETS.keep(foe, fire.Targets(foe.rows, foe.classes, everybody.take(foe.rows)))
    return found


Marks = dict[int, list[int]]
"""By the number of each Team that fires, what conceals and shelters each target from it, as flags of `veil`."""


class FireTable:
    """What some Teams can do to some enemy Teams; those without a weapon or a place are left out.

    `line` (n, m): a line of fire, past friends and out of houses. `aim` (n, m): the number of the target to which
    range and arc are measured, the nearest Team in sight within 4 inches if the target itself is out of sight, or -1.
    `can` (n, m): may fire. `unseen` (n, m): a light mortar with its Leader's eyes. `marks` are all such tables.
    `gain` (n + 1, m + 1): where fire does something, with margins as in `fire_gain`.
    """

    gap: Rows
    aim: Ints
    marks: Mask
    firing: Rows
    near_enough, sees, arc, line, can, unseen = (Mark(number) for number in range(6))

    def __init__(
        self,
        game: Battle,
        side: str,
        members: Sequence[Member],
        *,
        leader: Team | None = None,
        targets: Sequence[Member] | None = None,
    ) -> None:
        self.game = game
        self.side = side
        self.members: list[Member] = []
        self.bodies: list[Team] = []
        self.weapons: list[Sequence[Weapon]] = []
        self.mortars: list[int] = []
        """Those who may fire with their Leader's eyes."""
        self.idle = True
        """Nobody of them can fire at anything, for sure."""
        self.leader = standpoint(game, leader) if leader is not None else None
        here = board(game)
        self.version = here.version
        foe = here.side(other(side))
        if targets is None and game.setup.options.riders and (mounted := riding.riders_of(game, other(side))):
            targets = [*foe.members, *mounted]
        if targets is None:
            self.targets: Sequence[Member] = foe.members
            self.target_bodies: Sequence[Team] = foe.teams
            aimed_at = usual_targets(here, foe)
            self.observers = foe.observers
        else:
            self.targets = targets
            self.target_bodies = [standpoint(game, team) or team for _, team in self.targets]
            aimed_at = fire.Targets(
                np.array([here.index[body.id] for body in self.target_bodies], dtype=np.int64),
                np.array([int(team.kind.category != "infantry") for _, team in self.targets], dtype=np.int64),
                proofs(game, self.targets),
            )
            self.observers = [number for number, (_, team) in enumerate(self.targets) if team.role == "fo"]
        self.numbers: Ints = aimed_at.numbers
        self.proofs = aimed_at.proof
        self.muster(here, members)
        if self.members and self.targets:
            self.measure(here, aimed_at)

    def muster(self, here: Board, members: Sequence[Member]) -> None:
        """Who of some Teams is there and has something to fire with."""
        game = self.game
        flame = game.setup.options.flame
        index = here.index
        firing: list[tuple[float, float, float, float, float]] = []
        for member in members:
            unit, team = member
            body = team if team.at is not None else standpoint(game, team)
            if body is None or team.role in SILENT_ROLES:
                continue
            weapons: Sequence[Weapon]
            weapons, far, force, heavy, turns, mortar = arm(team.profile, flame)
            if not weapons:
                weapons = weapons_of(game, unit, team)
                if not weapons:
                    continue
                far, force = farthest_of(weapons, flame), punch(weapons, flame)
            if body is not team and team.role != "rider":
                # hof.transports.unload: so far from its Transport it may be when it fires.
                far += BESIDE
            if mortar:
                self.mortars.append(len(firing))
            firing.append((index[body.id], math.nan if turns or body is not team else team.facing, far, heavy, force))
            self.members.append(member)
            self.bodies.append(body)
            self.weapons.append(weapons)
        if firing:
            self.firing = np.array(firing)

    @property
    def empty(self) -> bool:
        return not self.members or not self.targets

    @cached_property
    def rows(self) -> Rows:
        return board(self.game).of(self.bodies)

    @cached_property
    def ranges(self) -> list[float]:
        """How far each fires at the first target, or at what it aims at in its place."""
        gaps = self.gap.tolist()
        return [gaps[row][aim] for row, aim in enumerate(self.aim[:, 0].tolist())]

    @cached_property
    def bare(self) -> bool:
        """Whether some target has no armor."""
        return False in [team.kind.armored for _, team in self.targets]

    def felt(self, weapon: Weapon) -> bool:
        """hof.vehicles.only-at-affects-armor: whether a weapon does something to one of the targets."""
        return self.bare or any(affects(self.game, weapon, team) for _, team in self.targets)

    def hurts(self, row: int, weapon: Weapon, takers: Sequence[int]) -> bool:
        """Whether a weapon does something, from where its Team stands, to one of the targets that may be dealt hits."""
        if any(self.affects(row, weapon, number) for number in takers):
            return True
        # hof.special-rules.bunker-buster: whoever is near is hurt, though the armor that is struck is not.
        return "bunker-buster" in weapon.keywords and 0 in takers and self.bare

    def affects(self, row: int, weapon: Weapon, number: int) -> bool:
        """hof.vehicles.only-at-affects-armor, hof.vehicles.ineffective: on the side that is turned to the Team."""
        team = self.targets[number][1]
        side = armor(team, is_flank(self.game, self.rows[row], team)) if team.kind.armored else 0
        return affects(self.game, weapon, team, side)

    @cached_property
    def target_rows(self) -> Rows:
        return board(self.game).rows.take(self.numbers, axis=0)

    def stand(self, number: int) -> Rows:
        """The row where a target counts as being: that of the Team that a Leader touches."""
        here = board(self.game)
        row: Rows = here.rows[here.standing()[self.numbers[number]]].reshape(1, 8)
        return row

    def only(self, members: Sequence[Member]) -> FireTable:
        """What some of these Teams can do, as long as nothing has moved."""
        if members == self.members:
            return self
        places = {team.id: row for row, (_, team) in enumerate(self.members)}
        rows = [places[team.id] for _, team in members if team.id in places]
        if self.empty or rows == list(range(len(places))):
            return self
        part = self.part()
        part.idle = self.idle or not rows
        numbers: Ints = np.array(rows, dtype=np.int64)
        part.members = [self.members[row] for row in rows]
        part.bodies = [self.bodies[row] for row in rows]
        part.weapons = [self.weapons[row] for row in rows]
        part.firing = self.firing.take(numbers, axis=0)
        part.gap = self.gap.take(numbers, axis=0)
        part.aim = self.aim.take(numbers, axis=0)
        part.marks = self.marks.take(numbers, axis=1)
        return part

    def about(self, first: int) -> FireTable:
        """What these Teams can do to one target and to everybody within 4 inches of it, that target first.

        What they aim at in place of another than the first is left open.
        """
        part = self.part()
        picked, part.gap, part.aim, part.marks = fire.fire_about(
            board(self.game).rows, self.numbers, first, SPILL, self.gap, self.aim, self.marks
        )
        numbers = picked.tolist()
        part.targets = [self.targets[number] for number in numbers]
        part.target_bodies = [self.target_bodies[number] for number in numbers]
        part.numbers = self.numbers.take(picked)
        part.proofs = self.proofs.take(picked)
        return part

    def part(self) -> FireTable:
        """A copy, without what holds only for all of it."""
        part = FireTable.__new__(FireTable)
        part.__dict__.update(self.__dict__)
        for name in ("rows", "target_rows", "gain", "ranges", "bare"):
            part.__dict__.pop(name, None)
        return part

    def measure(self, here: Board, targets: fire.Targets) -> None:
        """hof.terrain.building-exterior-wall, hof.firing.no-fire-through-friends, hof.firing.los-requirement.

        hof.leaders.position-abstracted: a Leader in contact with a Team of his Unit is where that is, and nowhere else.
        """
        ground = here.ground
        table = ground.table
        friends = here.side(self.side).friends
        houses = table.building if table.any_building else None
        self.gap, self.aim, self.marks, self.gain, some = fire.fire_table(
            ground.lens, here.places(), friends, self.firing, targets, houses, ARC, SPILL
        )
        if self.leader is not None and self.mortars:
            self.lend_eyes(here)
            some = True
        if some and self.observers:
            self.spare_observers()
        self.idle = not some

    def over_friends(self, rows: Sequence[int]) -> list[int]:
        """Over whom some Teams that fire at the first target do so, as `fire.fire_over` says."""
        here = board(self.game)
        stand = int(here.standing()[self.numbers[0]])
        firing, wanted = self.firing, self.line[:, 0]
        if len(rows) < len(firing):
            firing, wanted = firing.take(rows, axis=0), wanted.take(rows)
        return fire.fire_over(here.ground.lens, here.places(), here.side(self.side).friends, firing, stand, wanted)

    def lend_eyes(self, here: Board) -> None:
        """hof.special-rules.light-mortar: what the Leader sees."""
        assert self.leader is not None
        eyes = standpoint(self.game, self.leader)
        if eyes is None or eyes.id not in here.index:
            # A mine has cost him his life on the way.
            return
        for number in self.mortars:
            if self.near_enough[number].any():
                seen = here.sees([eyes], self.target_bodies)[0]
                lent = seen & ~self.sees[number] & self.arc[number] & self.near_enough[number]
                self.unseen[number] = lent
                self.sees[number] |= seen
                self.aim[number] = np.where(lent, np.arange(len(self.targets)), self.aim[number])
                self.can[number] |= lent
                self.judge_again()

    def spare_observers(self) -> None:
        """hof.artillery.fo-targeting: whoever does not see an observer himself has him concealed."""
        for number, column in zip(self.observers, self.can.T.take(self.observers, axis=0).tolist(), strict=True):
            if True not in column or self.near_enemy(number):
                continue
            able = [row for row, may in enumerate(column) if may]
            eyes = [self.eyes(row, number) for row in able]
            marks = flags(self.game, eyes, [self.targets[number]])[:, 0]
            self.can[able, number] = self.sees[able, number] & (marks & CONCEALED == 0)
            self.judge_again()

    def eyes(self, row: int, number: int) -> Team:
        """From where a target is looked at: hof.special-rules.light-mortar borrows the Leader's eyes."""
        return self.leader if self.leader is not None and self.unseen[row, number] else self.bodies[row]

    def near_enemy(self, number: int) -> bool:
        return near_enemy(board(self.game), self.side, self.numbers[number : number + 1])

    def hindrance(self, row: int, number: int) -> str:
        """The rule that keeps a Team from firing at a target."""
        if not self.near_enough[row, number]:
            return "hof.firing.maximum-range"
        if not self.sees[row, number]:
            return "hof.firing.los-requirement"
        if not self.arc[row, number]:
            return "hof.special-rules.hull-mounted" if self.members[row][1].kind.vehicle else "hof.firing.arc-forward"
        if self.line[row, number]:
            return "hof.artillery.fo-targeting"
        ground = board(self.game).ground
        pair = self.rows[row : row + 1], self.stand(number)
        if ground.table.any_building and concealing.shielded(ground.terrain, ground.table.building, *pair, TOUCH)[0, 0]:
            return "hof.terrain.building-exterior-wall"
        return "hof.firing.no-fire-through-friends"

    def around(self, number: int) -> list[int]:
        """The targets within 4 inches of one of them, itself first."""
        rows, numbers = board(self.game).rows, self.numbers
        near = moves.pairs_within(rows, numbers[number : number + 1], numbers, SPILL + EXACT)
        return [number, *(other for _, other in near if other != number)]

    @cached_property
    def gain(self) -> Mask:
        """At which targets a Team has something to gain: small arms alone do nothing to armor."""
        return fire.fire_gain(self.can, board(self.game).rows, self.firing, self.numbers, self.proofs, SPILL)

    @property
    def worthy(self) -> list[bool]:
        """To which targets somebody does something."""
        found: list[bool] = self.gain[-1, :-1].tolist()
        return found

    @property
    def able(self) -> list[bool]:
        """Who may join in fire that does something."""
        found: list[bool] = self.gain[:-1, -1].tolist()
        return found

    def judge_again(self) -> None:
        """Who can fire has changed, and so has who has something to gain."""
        self.__dict__.pop("gain", None)


def near_enemy(here: Board, side: str, observer: Ints) -> bool:
    """Whether some Team of the firing side is near an observer, given by his number on the board."""
    return moves.any_within(here.rows, observer, here.side(side).rows, OBSERVER_NEAR + EXACT)


def affects(game: Battle, weapon: Weapon, team: Team, side: int | None = None) -> bool:
    """hof.vehicles.only-at-affects-armor: at a side of its armor, or else at the weaker one."""
    if not team.kind.armored or (game.setup.options.flame and "flame-thrower" in weapon.keywords):
        return True
    if weapon.at is None or riding.riders_on(game, team):
        return weapon.at is not None
    return not ineffective(weapon.at, min(team.kind.front, team.kind.flank) if side is None else side)


def kept_table(game: Battle, act: Activation) -> FireTable | None:
    """What an activation has found out about its fire, as long as nothing has changed on the board."""
    kept = act.table
    return kept if isinstance(kept, FireTable) and kept.version == board(game).version else None
