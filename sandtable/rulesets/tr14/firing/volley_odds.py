"""The exact odds of one volley, as `shooting.volley` plays it, with chances where that throws dice.

Who fires with what, needing what, who takes the hits and what a Save needs is asked of the same rules. The hits of AT
weapons are followed one shot after the other, for each decides at whom the next one fires. All other hits come to one
number; the chances of that are a row of an array, and what hits do is worked out for the whole row at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances
from sandtable.engine.dice import Throw
from sandtable.engine.game import answered
from sandtable.field.outcomes import Harm, reasons
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.fates import Fate, Fates, Risk, save_risk, sorted_out
from sandtable.rulesets.tr14.firing.directed import Dice, Directs, Row, add, add_chance
from sandtable.rulesets.tr14.firing.hits import Given, allocate_at, allocate_others, judge, place_markers
from sandtable.rulesets.tr14.firing.shooting import lay, open_fire
from sandtable.rulesets.tr14.firing.shots import Salvo, Shot
from sandtable.rulesets.tr14.firing.targets import Target
from sandtable.rulesets.tr14.leaders import beside_leaders
from sandtable.rulesets.tr14.saves import Hit
from sandtable.rulesets.tr14.suppression import markers_for


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
    directs: Directs = ()


@dataclass
class Volley:
    """One volley before its dice. `game` is a copy that is used up; `lost` and `used` as they are when it begins."""

    game: Battle
    salvo: Salvo
    target: Target
    lost: Collection[str] = ()
    used: Collection[str] = ()

    def __post_init__(self) -> None:
        self.unit = self.salvo.unit
        self.aim, self.shots = lay(self.game, self.salvo, self.target)
        beside = beside_leaders(self.game, self.unit, list(self.aim.shooters))
        self.leaders = [each for each in beside if each.leader.id not in self.used]
        self.fates = Fates(self.game, self.target.members, self.lost)
        self.at = [shot for shot in self.shots if shot.weapon.at]
        self.full = [shot.dice for shot in self.at]
        self.others = [shot for shot in self.shots if not shot.weapon.at]
        for shot in self.others:
            shot.throw = self.thrown(shot)
        self.dice = Dice(self.shots, self.leaders, self.salvo.manner)
        self.rounds = range(len(self.at)) if self.at else range(-1, 0)
        """The AT shots, one after the other; without any, the others are settled by themselves."""
        self.unstruck = Struck((0,) * len(self.target.members), directs=("",) * len(self.leaders))
        self.place = {id(team): position for position, (_, team) in enumerate(self.target.members)}
        self.all_units = self.game.state.units
        self.judged: dict[tuple[int, tuple[int, ...]], int] = {}
        self.given: dict[tuple[int, tuple[int, ...], int], tuple[int, Risk, Risk]] = {}
        self.fell_so: dict[tuple[int, int, Directs], dict[tuple[int, Directs], Row]] = {}
        self.shared: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[dict[int, list[Hit | None]], list[int]]] = {}

    def thrown(self, shot: Shot) -> Throw | None:
        """A throw that nobody has looked at, if the shot has dice that may hit."""
        return Throw(self.unit.side, "", []) if shot.dice and shot.needed <= BEST_DIE else None

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
            answered(allocate_at(self.game, given, shot))
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
        if number < 0:
            return struck, 0
        shot = self.at[number]
        dice = self.dice_of(number, struck)
        if not dice or shot.needed > BEST_DIE:
            return struck, 0
        return struck._replace(fired=(*struck.fired, number)), dice

    # All the ways in which it may end.

    def ends(self) -> Chances[End]:
        tanks = all(team.kind.armored for _, team in self.target.members)
        found: dict[End, float] = {}
        if tanks:
            for (struck, fate), row in self.struck_tanks().items():
                for hits, share in enumerate(row.tolist()):
                    add_chance(found, self.end(fate, 0, hits, struck), share)
        else:
            for struck, row in self.struck().items():
                self.add_ends(found, struck, row)
        return Chances(found)

    def settled(self, number: int, dice: int, directs: Directs) -> dict[tuple[int, Directs], Row]:
        """The hits of an AT shot, each with the chances of all other hits; these are settled with the last one."""
        last = number == len(self.at) - 1
        key = (number, dice, directs)
        if key not in self.fell_so:
            if last:
                self.fell_so[key] = self.dice.all_settled(self.at[-1] if self.at else None, dice, directs)
            else:
                alone = self.dice.one_settled(self.at[number], dice, directs)
                self.fell_so[key] = {end: np.array([chance]) for end, chance in alone}
        return self.fell_so[key]

    def struck(self) -> dict[Struck, Row]:
        """Who is hit by AT weapons, each with the chances of all other hits."""
        found: dict[Struck, Row] = {self.unstruck: np.ones(1)}
        for number in self.rounds:
            following: dict[Struck, Row] = {}
            for struck, row in found.items():
                opened, dice = self.opened(number, struck)
                for (hits, directs), others in self.settled(number, dice, struck.directs).items():
                    add(following, self.take(number, opened._replace(directs=directs), hits), row[0] * others)
            found = following
        return found

    def struck_tanks(self) -> dict[tuple[Struck, Fate], Row]:
        """What AT weapons do to tanks, each with the chances of all hits: others do nothing to them.

        Each Save is followed as soon as somebody is hit, so that it is soon all one how often he was.
        """
        forced = any(shot.needed < LEAST_TO_HIT and self.thrown(shot) for shot in self.shots)
        found: dict[tuple[Struck, Fate], Row] = {(self.unstruck, self.fates.start): np.ones(1)}
        for number in self.rounds:
            following: dict[tuple[Struck, Fate], Row] = {}
            for (struck, fate), row in found.items():
                _, dice = self.opened(number, struck)
                for (hits, directs), others in self.settled(number, dice, struck.directs).items():
                    shares = np.convolve(np.concatenate([np.zeros(hits), row, np.zeros(dice - hits)]), others)
                    taken = self.take(number, struck._replace(directs=directs), hits)
                    after: list[tuple[Fate, Any]] = [(fate, 1.0)]
                    if hits:
                        position, *risks = taken.hits[0]
                        after = self.fates.saved(fate, position, *risks[forced])
                    left = Struck(self.in_order(taken.dice, number), directs=directs)
                    for each, share in after:
                        add(following, (left, each), shares * share)
            found = following
        return found

    def in_order(self, dice: tuple[int, ...], number: int) -> tuple[int, ...]:
        """The dice given so far as far as the AT shots to come depend on them.

        The last one depends on who has more than whom; and all of them on who has any, while enough Teams have none.
        """
        coming = self.at[number + 1 :]
        if len(coming) == 1:
            order = sorted(set(dice))
            return tuple(order.index(each) for each in dice)
        for shot in coming:
            if len(shot.pool) > 1 and sum(not dice[position] for position in shot.pool) < len(coming):
                return dice
        return tuple(min(1, each) for each in dice)

    def add_ends(self, found: dict[End, float], struck: Struck, row: Row) -> None:
        """What the hits do, those of AT weapons being known, and all others with their chances."""
        for number, shot in enumerate(self.at):
            shot.dice, shot.throw = 1, (Throw(self.unit.side, "", []) if number in struck.fired else None)
        forced = any(shot.needed < LEAST_TO_HIT and shot.throw is not None for shot in self.shots)
        hits: list[tuple[int, Any, float]] = [(position, *risks[forced]) for position, *risks in struck.hits]
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
        due = [markers_for(number, [at_dice, *[0] * (len(by_at) - 1)] if by_at else [])[0] for number in soft]
        for fate, shares in fates.items():
            for count, share in enumerate(shares.tolist()):
                add_chance(found, self.end(fate, due[count], at_hits + count, struck), share)

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
            answered(allocate_others(self.game, given, self.shots))
            positions = [self.place[id(hit.member[1])] for hit in given.hits]
            for position, hit in zip(positions, given.hits, strict=True):
                numbers.setdefault(position, [None] * size)[count] = hit
                soft[count] += 0 if hit.member[1].kind.armored else hit.dice
            # Who saves first is the same for any number of hits.
            order = positions if len(positions) >= len(order) else order
        self.shared[key] = {position: numbers[position] for position in order}, soft
        return self.shared[key]

    def fell(self, hits: list[tuple[int, Any, float]], row: Row) -> dict[Fate, Row]:
        """Saves one Team after the other: how the target stands then, with the chances of each number of hits."""
        found: dict[Fate, Row] = {self.fates.start: row}
        for number, (position, destroyed, suppressed) in enumerate(hits):
            runs = self.fates.alike({each for each, *_ in hits[number + 1 :]})
            following: dict[Fate, Row] = {}
            for fate, shares in found.items():
                for after, share in self.fates.saved(fate, position, destroyed, suppressed):
                    add(following, sorted_out(after, runs), shares * share)
            found = following
        return found

    def end(self, fate: Fate, due: int, hits: int, struck: Struck) -> End:
        if due and not fate.over:
            fate = self.fates.carried_out(fate, ("due", due, struck.fired), lambda: self.place_markers(due))
        used = [each.leader.id for each, team in zip(self.leaders, struck.directs, strict=True) if team]
        return End(hits, self.fates.harm(fate, hits > 0), tuple(self.fates.lost_units(fate)), tuple(used))

    def place_markers(self, due: int) -> None:
        answered(place_markers(self.game, self.target, self.shots, due, []))

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
