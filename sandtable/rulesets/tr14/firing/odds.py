"""The exact odds of fire: a volley as `shooting.volley` plays it, with chances where that throws dice.

Who fires with what, needing what, who takes the hits and what a Save needs is asked of the same rules. The hits of AT
weapons are followed one shot after the other, for each decides at whom the next one fires. All other hits come to one
number; the chances of that are a row of an array, and what hits do is worked out for the whole row at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances, at_least, successes, sure
from sandtable.engine.dice import Throw
from sandtable.engine.game import Game
from sandtable.field.outcomes import reasons
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import State, Unit
from sandtable.rulesets.tr14.fates import GONE, Fate, Fates, Harm, as_proposed, sorted_out
from sandtable.rulesets.tr14.firing.fire_table import Order
from sandtable.rulesets.tr14.firing.hits import Given, allocate_at, allocate_others, judge, place_markers
from sandtable.rulesets.tr14.firing.shooting import lay, open_fire
from sandtable.rulesets.tr14.firing.shots import Manner, Shot
from sandtable.rulesets.tr14.firing.targets import Target, aimed_at, may_go_to_ground
from sandtable.rulesets.tr14.leaders import Director, beside_leaders
from sandtable.rulesets.tr14.saves import Hit, Risk, save_risk
from sandtable.rulesets.tr14.suppression import markers_for

Row = NDArray[np.float64]


class End(NamedTuple):
    """How a volley ends: its hits, what they did, the Units that have no Team left, and the leaders who commanded."""

    hits: int = 0
    harm: Harm = Harm()
    lost: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


class Struck(NamedTuple):
    """The hits of AT weapons so far.

    `dice` are those that each Team of the target has been given, `hits` who was hit with which risk, if Saves are not
    forced and if they are; `fired` are the numbers of the AT shots that had dice, and `directs` is whose fire each
    leader directs.
    """

    dice: tuple[int, ...]
    hits: tuple[tuple[int, Risk, Risk], ...] = ()
    fired: tuple[int, ...] = ()
    directs: tuple[str, ...] = ()


class Missed(NamedTuple):
    """The dice of a Team that missed and may be rolled again: how many, and how many of each shot."""

    dice: int = 0
    team: str = ""
    by_shot: tuple[int, ...] = ()


Most = tuple[Missed, Missed]
"""Of the Teams beside a leader the two that missed most."""

Thrown = dict[tuple[int, tuple[Most, ...]], Row]
"""Dice that lie on the table: hits of the last AT weapon, and who missed most; with the chances of all other hits."""


@dataclass
class Volley:
    """One volley before its dice. `game` is a copy that is used up; `lost` and `used` as they are when it begins."""

    game: Game[State]
    unit: Unit
    orders: dict[str, Order]
    target: Target
    manner: Manner
    moved: bool = False
    moving_target: bool = False
    lost: Collection[str] = ()
    used: Collection[str] = ()
    shots: list[Shot] = field(init=False)
    leaders: list[Director] = field(init=False)

    def __post_init__(self) -> None:
        self.aim, self.shots = lay(
            self.game,
            self.unit,
            self.orders,
            self.target,
            self.manner,
            moved=self.moved,
            moving_target=self.moving_target,
        )
        beside = beside_leaders(self.game, self.unit, list(self.aim.shooters))
        self.leaders = [each for each in beside if each.leader.id not in self.used]
        self.fates = Fates(self.game, self.target.members, self.lost)
        self.at = [shot for shot in self.shots if shot.weapon.at]
        self.full = [shot.dice for shot in self.at]
        self.others = [shot for shot in self.shots if not shot.weapon.at]
        for shot in self.others:
            shot.throw = self.thrown(shot)
        self.unstruck = Struck((0,) * len(self.target.members), directs=("",) * len(self.leaders))
        self.place = {id(team): position for position, (_, team) in enumerate(self.target.members)}
        self.all_units = self.game.state.units
        self.judged: dict[tuple[int, tuple[int, ...]], int] = {}
        self.given: dict[tuple[int, tuple[int, ...], int], tuple[int, Risk, Risk]] = {}
        self.shared: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[dict[int, list[Hit | None]], list[int]]] = {}

    def thrown(self, shot: Shot) -> Throw | None:
        """A throw that nobody has looked at, if the shot has dice that may hit."""
        return Throw(self.unit.side, "", []) if shot.dice and shot.needed <= BEST_DIE else None

    def chance(self, shot: Shot) -> float:
        """How likely a die of a shot hits; aimed fire rolls every miss again."""
        hits = at_least(shot.least)
        return 1.0 - (1.0 - hits) ** 2 if self.manner == "aimed" else hits

    # The dice of AT weapons, one shot after the other.

    def dice_of(self, number: int, struck: Struck) -> int:
        """How many dice an AT shot has, after what those before it have hit; none if no die can hit."""
        shot = self.at[number]
        key = (number, struck.dice)
        if key not in self.judged:
            shot.dice = self.full[number]
            judge(self.game, Given(self.target, self.aim, dice=list(struck.dice)), shot)
            self.judged[key] = shot.dice
        return self.judged[key]

    def take(self, number: int, struck: Struck, hits: int) -> Struck:
        """Who takes the hits of an AT shot."""
        if not hits:
            return struck
        key = (number, struck.dice, hits)
        if key not in self.given:
            shot = self.at[number]
            shot.hits = hits
            given = Given(self.target, self.aim, dice=list(struck.dice))
            as_proposed(allocate_at(self.game, given, shot))
            hit = given.hits[0]
            position = self.place[id(hit.member[1])]
            self.given[key] = (position, self.risk(hit, False), self.risk(hit, True))
        position, *_ = found = self.given[key]
        dice = list(struck.dice)
        dice[position] += hits
        return struck._replace(dice=tuple(dice), hits=(*struck.hits, found))

    def risk(self, hit: Hit, forced: bool) -> Risk:
        hit.suppresses = not self.target.at_observer
        return save_risk(self.game, self.target.unit, hit, forced)

    def opened(self, number: int, struck: Struck) -> tuple[Struck, int]:
        """An AT shot is about to be thrown: with how many dice, and it is noted if any may hit."""
        shot = self.at[number]
        dice = self.dice_of(number, struck)
        if not dice or shot.needed > BEST_DIE:
            return struck, 0
        return struck._replace(fired=(*struck.fired, number)), dice

    def settled(self, number: int, struck: Struck, dice: int) -> Chances[tuple[tuple[str, ...], int]]:
        """The hits of an AT shot that is not the last, and whom the leaders direct after it."""
        shot = self.at[number]
        hits = successes(dice, self.chance(shot))
        helper = self.helper(struck.directs, shot.shooter.id)
        if helper is None:
            return hits.mapped(lambda hit: (struck.directs, hit))
        directs = (*struck.directs[:helper], shot.shooter.id, *struck.directs[helper + 1 :])

        def again(hit: int) -> Chances[tuple[tuple[str, ...], int]]:
            if hit == dice:
                return sure((struck.directs, hit))
            return successes(dice - hit, at_least(shot.least)).mapped(lambda more: (directs, hit + more))

        return hits.then(again)

    def helper(self, directs: tuple[str, ...], team: str) -> int | None:
        """The first leader who has, or may have, the misses of a Team rolled again."""
        if self.manner == "aimed":
            return None
        for number, leader in enumerate(self.leaders):
            if team in leader.beside and directs[number] in ("", team):
                return number
        return None

    def struck(self) -> Chances[Struck]:
        """The hits of all AT weapons but the last."""
        found = sure(self.unstruck)
        for number in range(len(self.at) - 1):

            def shoot(struck: Struck, number: int = number) -> Chances[Struck]:
                opened, dice = self.opened(number, struck)
                return self.settled(number, opened, dice).mapped(
                    lambda done: self.take(number, opened._replace(directs=done[0]), done[1])
                )

            found = found.then(shoot)
        return found

    # The last AT weapon and all others, whose dice lie on the table together.

    def last_settled(self, last: int, directs: tuple[str, ...]) -> dict[tuple[int, tuple[str, ...]], Row]:
        """The hits of the last AT weapon, and whom the leaders direct, each with the chances of all other hits."""
        # As they stand among the shots: of Teams with as many misses the first is directed.
        dice = {id(shot): shot.dice for shot in self.others if shot.throw is not None}
        if last:
            dice[id(self.at[-1])] = last
        teams: dict[str, list[tuple[Shot, int]]] = {}
        for shot in self.shots:
            if id(shot) in dice:
                teams.setdefault(shot.shooter.id, []).append((shot, dice[id(shot)]))
        size = sum(shot.dice for shot in self.others if shot.throw is not None) + 1
        watching = self.leaders if self.manner != "aimed" else []
        row = np.zeros(size)
        row[0] = 1.0
        thrown: Thrown = {(0, ((Missed(), Missed()),) * len(watching)): row}
        called: dict[tuple[object, ...], str] = {}
        for team, fires in teams.items():
            beside = [
                number
                for number, leader in enumerate(watching)
                if team in leader.beside and directs[number] in ("", team)
            ]
            # With one leader it is all the same who is directed among those who fire alike.
            alike = tuple((shot.least, shot.weapon.at) for shot, _ in fires)
            name = called.setdefault(alike, team) if len(watching) == 1 else team
            thrown = self.with_team(thrown, name, fires, beside)
        done: dict[tuple[int, tuple[str, ...]], Row] = {}
        for (at_hits, most), row in thrown.items():
            for key, share in self.directed(teams, directs, most, at_hits):
                add(done, key, np.convolve(row, share)[:size])
        return done

    def with_team(self, thrown: Thrown, team: str, fires: list[tuple[Shot, int]], beside: list[int]) -> Thrown:
        """The dice of one Team more; those who may be directed are told apart by their misses."""
        fell: dict[tuple[int, Missed], Row] = {}
        shares: Row
        size = len(next(iter(thrown.values())))
        for numbers in product(*(successes(dice, self.chance(shot)) for shot, dice in fires)):
            share, plain, at_hits = 1.0, 0, 0
            by_shot = []
            for (hits, chance), (shot, dice) in zip(numbers, fires, strict=True):
                share *= chance
                plain += 0 if shot.weapon.at else hits
                at_hits += hits if shot.weapon.at else 0
                by_shot.append(dice - hits)
            missed = Missed(sum(by_shot), team, tuple(by_shot)) if beside and any(by_shot) else Missed()
            row = np.zeros(size)
            row[plain] = share
            add(fell, (at_hits, missed), row)
        found: Thrown = {}
        for (before, most), row in thrown.items():
            for (at_hits, missed), shares in fell.items():
                ranked = tuple(
                    # The first leader always finds the Team that missed most as it is.
                    ranking(pair, missed, both=number > 0) if number in beside else pair
                    for number, pair in enumerate(most)
                )
                add(found, (before + at_hits, ranked), np.convolve(row, shares)[:size])
        return found

    def directed(
        self,
        teams: Mapping[str, list[tuple[Shot, int]]],
        directs: tuple[str, ...],
        most: tuple[Most, ...],
        at_hits: int,
    ) -> list[tuple[tuple[int, tuple[str, ...]], Row]]:
        """Each leader in turn has the Team with most misses roll them again."""
        chosen: list[Missed] = []
        whom = list(directs)
        for number, (best, second) in enumerate(most):
            pick = second if best.team in [each.team for each in chosen] else best
            if pick.dice:
                chosen.append(pick)
                whom[number] = pick.team
        found: dict[int, Row] = {at_hits: np.ones(1)}
        for pick in chosen:
            for (shot, _), dice in zip(teams[pick.team], pick.by_shot, strict=True):
                again = successes(dice, at_least(shot.least))
                following: dict[int, Row] = {}
                for hits, row in found.items():
                    if shot.weapon.at:
                        for more, share in again:
                            add(following, hits + more, row * share)
                    else:
                        numbers = np.array([again[number] for number in range(dice + 1)])
                        add(following, hits, np.convolve(row, numbers))
                found = following
        return [((hits, tuple(whom)), row) for hits, row in found.items()]

    # What the hits do.

    def ends(self) -> Chances[End]:
        """All the ways in which the volley may end."""
        rows: dict[Struck, Row] = {}
        settled: dict[tuple[int, tuple[str, ...]], dict[tuple[int, tuple[str, ...]], Row]] = {}
        for struck, chance in self.struck():
            opened, last = self.opened(len(self.at) - 1, struck) if self.at else (struck, 0)
            key = (last, opened.directs)
            if key not in settled:
                settled[key] = self.last_settled(*key)
            for (hits, directs), row in settled[key].items():
                taken = self.take(len(self.at) - 1, opened._replace(directs=directs), hits)
                add(rows, taken, row * chance)
        found: dict[End, float] = {}
        for struck, row in rows.items():
            self.add_ends(found, struck, row)
        return Chances(found)

    def add_ends(self, found: dict[End, float], struck: Struck, row: Row) -> None:
        """What the hits do, those of AT weapons being known, and all others with their chances."""
        for number, shot in enumerate(self.at):
            shot.dice, shot.throw = 1, (Throw(self.unit.side, "", []) if number in struck.fired else None)
        forced = any(shot.needed < LEAST_TO_HIT and shot.throw is not None for shot in self.shots)
        hits: list[tuple[int, float | Row, float]] = []
        for position, risk, forced_risk in struck.hits:
            hits.append((position, *(forced_risk if forced else risk)))
        plain, soft = self.allocated(struck, len(row))
        for position, numbers in plain.items():
            risks = np.zeros(len(row))
            for count, hit in enumerate(numbers):
                if hit is not None:
                    risks[count] = self.risk(hit, forced).destroyed
            hits.append((position, risks, 0.0))
        fates = self.fell(hits, row)
        armored = [team.kind.armored for _, team in self.target.members]
        by_at = [position for position, *_ in struck.hits if not armored[position]]
        at_dice = sum(dice for dice, armor in zip(struck.dice, armored, strict=True) if not armor)
        at_hits = sum(struck.dice)
        used = tuple(
            sorted(leader.leader.id for leader, team in zip(self.leaders, struck.directs, strict=True) if team)
        )
        due = [markers_for(number, [at_dice, *[0] * (len(by_at) - 1)] if by_at else [])[0] for number in soft]
        for fate, shares in fates.items():
            for count, share in enumerate(shares.tolist()):
                if share:
                    end = self.end(fate, due[count], at_hits + count, struck.fired, used)
                    found[end] = found.get(end, 0.0) + share

    def allocated(self, struck: Struck, size: int) -> tuple[dict[int, list[Hit | None]], list[int]]:
        """Who takes other hits, for each number of them below `size`; and how many of them strike no armor."""
        key = (struck.dice, struck.fired)
        if key in self.shared:
            return self.shared[key]
        numbers: dict[int, list[Hit | None]] = {}
        soft = [0] * size
        order: list[int] = []
        for count in range(1, size):
            given = Given(self.target, self.aim, dice=list(struck.dice))
            for shot in self.others:
                shot.hits = 0
            next(shot for shot in self.others if shot.throw is not None).hits = count
            as_proposed(allocate_others(self.game, given, self.shots))
            positions = [self.place[id(hit.member[1])] for hit in given.hits]
            for position, hit in zip(positions, given.hits, strict=True):
                numbers.setdefault(position, [None] * size)[count] = hit
                soft[count] += 0 if hit.member[1].kind.armored else hit.dice
            # Who saves first is the same for any number of hits.
            order = positions if len(positions) >= len(order) else order
        self.shared[key] = {position: numbers[position] for position in order}, soft
        return self.shared[key]

    def fell(self, hits: list[tuple[int, float | Row, float]], row: Row) -> dict[Fate, Row]:
        """Saves one Team after the other: how the target stands then, with the chances of each number of hits."""
        found: dict[Fate, Row] = {self.fates.start: row}
        for number, (position, destroyed, suppressed) in enumerate(hits):
            runs = self.fates.alike({each for each, *_ in hits[number + 1 :]})
            following: dict[Fate, Row] = {}
            for fate, shares in found.items():
                if fate.over or fate.marks[position] == GONE:
                    add(following, fate, shares)
                    continue
                for fallen, share in self.fates.destroy(fate, position):
                    add(following, sorted_out(fallen, runs), shares * destroyed * share)
                if suppressed:
                    add(following, sorted_out(self.fates.suppress(fate, position), runs), shares * suppressed)
                add(following, sorted_out(fate, runs), shares * (1.0 - destroyed - suppressed))
            found = following
        return found

    def end(self, fate: Fate, due: int, hits: int, fired: tuple[int, ...], used: tuple[str, ...]) -> End:
        if due and not fate.over:
            place = lambda: as_proposed(place_markers(self.game, self.target, self.shots, due, []))  # noqa: E731
            fate = self.fates.carried_out(fate, ("due", due, fired), place)
        destroyed = fate.marks.count(GONE)
        lost = tuple(self.fates.lost_units(fate)) if destroyed else ()
        over = self.target.unit.side if fate.over else ""
        return End(hits, Harm(hits > 0, destroyed, fate.placed, len(lost), over=over), lost, used)

    def close(self) -> None:
        """Everybody stands again as before the volley."""
        self.fates.set_up(self.fates.start)
        self.game.state.units = self.all_units

    def turn(self) -> None:
        """Whoever fires faces his target when the next volley is fired."""
        for number, shot in enumerate(self.at):
            shot.dice = self.dice_of(number, self.unstruck)
        for shot in self.shots:
            if shot.dice:
                open_fire(self.game, shot, self.aim)

    @cached_property
    def lines(self) -> list[PreviewLine]:
        """Each weapon's dice, what they need, and why; those of AT weapons as if nobody were hit before."""
        dice = {id(shot): self.dice_of(number, self.unstruck) for number, shot in enumerate(self.at)}
        deed = f"{label(self.unit)} fires at {label(self.target.unit)}"
        return [
            PreviewLine(
                f"{deed}: {shot.weapon.name}", dice.get(id(shot), shot.dice), shot.needed, reasons(shot.modifiers)
            )
            for shot in self.shots
        ]


def ranking(most: Most, missed: Missed, *, both: bool) -> Most:
    """The two Teams with most misses among some, the first of equals first; or the one."""
    best, second = most
    if missed.dice > best.dice:
        return missed, best if both else second
    return (best, missed) if both and missed.dice > second.dice else most


K = TypeVar("K", bound=Hashable)


def add(rows: dict[K, Row], key: K, row: Row) -> None:
    """Add chances to those of the same outcome."""
    rows[key] = rows[key] + row if key in rows else row


@dataclass
class Fire:
    """The odds of orders to fire: each throw, the chances of what it does, and of how many dice hit.

    `to_ground` are the Units that might go to ground before the dice, and are taken not to.
    """

    lines: list[PreviewLine] = field(default_factory=list)
    harm: Chances[Harm] = field(default_factory=lambda: sure(Harm()))
    hits: Chances[int] = field(default_factory=lambda: sure(0))
    to_ground: list[Unit] = field(default_factory=list)
    directs: bool = False


After = tuple[tuple[str, ...], tuple[str, ...], str]
"""What one volley leaves behind for the next: Units lost, leaders who commanded, and a company that has retreated."""


def fire_odds(
    game: Game[State],
    unit: Unit,
    orders: dict[str, Order],
    manner: Manner,
    *,
    moved: bool = False,
    moving_target: bool = False,
    at: Target | None = None,
) -> Fire | None:
    """The odds of orders to fire, one target Unit after the other; or all `at` one target.

    None if two of the volleys would hurt the same Teams: what the first leaves of them has no simple form.
    """
    names = [""] if at is not None else list(dict.fromkeys(order.unit for order in orders.values()))
    fire = Fire()
    harm: Chances[tuple[After, Harm]] = sure((((), (), ""), Harm()))
    hits: Chances[tuple[After, int]] = sure((((), (), ""), 0))
    seen: set[str] = set()
    for name in names:
        target = at if at is not None else aimed_at(game, game.state.units[name])
        if not seen.isdisjoint(team.id for _, team in target.members):
            return None
        seen |= {team.id for _, team in target.members}
        here = {team: order for team, order in orders.items() if name in ("", order.unit)}
        if not moving_target and may_go_to_ground(game, target):
            fire.to_ground.append(target.unit)
        ends: dict[After, Chances[End]] = {}
        for (after, _), _ in harm:
            if after not in ends:
                lost, used, over = after
                volley = Volley(game, unit, here, target, manner, moved, moving_target, lost, used)
                ends[after] = sure(End()) if over or not volley.shots else volley.ends()
                volley.close()
        fire.lines += volley.lines
        fire.directs = fire.directs or any(leader.beside for leader in volley.leaders)
        volley.turn()
        harm = following(harm, ends, lambda so_far, end: so_far.with_more(end.harm))
        hits = following(hits, ends, lambda so_far, end: so_far + end.hits)
    fire.harm, fire.hits = harm.mapped(lambda end: end[1]), hits.mapped(lambda end: end[1])
    return fire


def following(
    found: Chances[tuple[After, K]], ends: Mapping[After, Chances[End]], more: Callable[[K, End], K]
) -> Chances[tuple[After, K]]:
    """One volley more, after each that those before may have left."""

    def follow(so_far: tuple[After, K]) -> Chances[tuple[After, K]]:
        after, sum_of = so_far
        return ends[after].mapped(lambda end: (left(after, end), more(sum_of, end)))

    return found.then(follow)


def left(before: After, end: End) -> After:
    """What a volley leaves behind, with what those before it have."""
    lost, used, over = before
    return (*lost, *end.lost), (*used, *end.used), over or end.harm.over
