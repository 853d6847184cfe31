"""What becomes of the Teams that an attack hits, with its chances: the rules of suppression and loss without the dice.

Where markers go is left to the rules themselves: they are carried out on the Units of a copy of the game, and whoever
has a choice takes what is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.chance import SIDES, Chances, at_least, either, sure
from sandtable.engine.game import answered
from sandtable.field.outcomes import Harm
from sandtable.rulesets.tr14 import saves
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.checks import check_chance
from sandtable.rulesets.tr14.core.state import Member, Unit, commander, members_of, platoons
from sandtable.rulesets.tr14.leaders import may_retreat
from sandtable.rulesets.tr14.saves import Hit
from sandtable.rulesets.tr14.suppression import add_markers, suppress_team

GONE = -1
"""In the place of a Team's markers: it is destroyed."""


class Fate(NamedTuple):
    """How the Teams stand that are attacked: the markers of each, or GONE; and whether the battle has ended by it.

    `placed` counts the markers that were put on them since the attack began, also those that moved on.
    """

    marks: tuple[int, ...]
    placed: int = 0
    over: bool = False


class Fates:
    """The Teams that an attack may hurt: all those of some Units. `lost` are Units that are gone by then."""

    def __init__(self, game: Battle, members: Sequence[Member], lost: Collection[str] = ()) -> None:
        self.game = game
        self.members = members
        self.units = list({unit.id: unit for unit, _ in members}.values())
        self.owner = [self.units.index(unit) for unit, _ in members]
        self.standing = {name: unit for name, unit in game.state.units.items() if name not in lost}
        self.start = Fate(tuple(team.markers for _, team in members))
        self.known: dict[tuple[object, ...], Fate] = {}
        self.risks: dict[tuple[int, ...], float] = {}

    def lost_units(self, fate: Fate) -> list[str]:
        """The Units that have no Team left."""
        alive = {owner for owner, marks in zip(self.owner, fate.marks, strict=True) if marks != GONE}
        return [unit.id for number, unit in enumerate(self.units) if number not in alive]

    def harm(self, fate: Fate, hit: bool = False) -> Harm:
        """What has been done to them."""
        over = self.units[0].side if fate.over else ""
        return Harm(hit, fate.marks.count(GONE), fate.placed, len(self.lost_units(fate)), over=over)

    def set_up(self, fate: Fate) -> None:
        """Bring the copy of the game to where it stands."""
        for unit in self.units:
            unit.teams.clear()
        for (unit, team), marks in zip(self.members, fate.marks, strict=True):
            if marks != GONE:
                team.markers = marks
                unit.teams[team.id] = team
        lost = self.lost_units(fate)
        self.game.state.units = {name: unit for name, unit in self.standing.items() if name not in lost}

    def carried_out(self, fate: Fate, key: tuple[object, ...], rule: Callable[[], object]) -> Fate:
        """How they stand after a rule that puts markers on them; `key` tells it from all others."""
        found = self.known.get((fate.marks, *key))
        if found is None:
            self.set_up(fate)
            rule()
            marks = tuple(
                GONE if old == GONE else team.markers for old, (_, team) in zip(fate.marks, self.members, strict=True)
            )
            # Whatever the rule does, it only adds markers.
            more = sum(new - old for new, old in zip(marks, fate.marks, strict=True))
            found = self.known[fate.marks, *key] = Fate(marks, more)
        return Fate(found.marks, fate.placed + found.placed)

    def destroy(self, fate: Fate, position: int) -> Chances[Fate]:
        """`destroy_team`: its markers move on; with the last Team its Unit is lost, and the company may retreat."""
        unit = self.members[position][0]
        marks = list(fate.marks)
        markers, marks[position] = marks[position], GONE
        left = fate._replace(marks=tuple(marks))
        owner = self.owner[position]
        if all(each == GONE for each, belongs in zip(marks, self.owner, strict=True) if belongs == owner):
            return either(self.company_risk(left, position), sure(left._replace(over=True)), sure(left))
        if not markers:
            return sure(left)

        def move_on() -> None:
            answered(add_markers(self.game, members_of(unit), markers, set()))

        return sure(self.carried_out(left, ("move on", owner, markers), move_on))

    def company_risk(self, fate: Fate, position: int) -> float:
        """How likely the battle is over when the last Team of a Unit has fallen."""
        unit = self.members[position][0]
        if unit.apart:
            return 0.0
        if fate.marks not in self.risks:
            self.set_up(fate)
            self.risks[fate.marks] = company_risk(self.game, unit.side)
        return self.risks[fate.marks]

    def suppress(self, fate: Fate, position: int) -> Fate:
        """`suppress_team`: this very Team."""

        def rule() -> None:
            suppress_team(self.game, self.members[position])

        return self.carried_out(fate, ("suppress", position), rule)

    def saved(self, fate: Fate, position: int, destroyed: Any, suppressed: float = 0.0) -> list[tuple[Fate, Any]]:
        """What becomes of a Team that saves, by its risks; `destroyed` may be an array of them."""
        if fate.over or fate.marks[position] == GONE:
            return [(fate, 1.0)]
        found = [(fallen, destroyed * share) for fallen, share in self.destroy(fate, position)]
        if suppressed:
            found.append((self.suppress(fate, position), suppressed))
        return [*found, (fate, 1.0 - destroyed - suppressed)]

    def alike(self, pending: Collection[int]) -> list[list[int]]:
        """Teams that may change places in a fate without a difference: nothing is to come for them.

        Rules that must choose among such take the first, so none who has yet something to fear may stand between.
        """
        runs: list[list[int]] = []
        open_runs: dict[tuple[object, ...], list[int]] = {}
        for position, (_, team) in enumerate(self.members):
            if position in pending:
                open_runs.clear()
                continue
            key = (self.owner[position], team.profile, team.role)
            if key in open_runs:
                open_runs[key].append(position)
            else:
                open_runs[key] = [position]
                runs.append(open_runs[key])
        return [run for run in runs if len(run) > 1]


def sorted_out(fate: Fate, runs: Iterable[list[int]]) -> Fate:
    """One of all fates that differ only in who among equals is meant."""
    marks = list(fate.marks)
    for run in runs:
        for position, each in zip(run, sorted([marks[p] for p in run]), strict=True):
            marks[position] = each
    return fate._replace(marks=tuple(marks))


# What Saves come to, and the Check of a company.


class Risk(NamedTuple):
    """What a Team that was hit has to fear: how likely it is destroyed, and how likely suppressed instead."""

    destroyed: float
    suppressed: float = 0.0


def save_fails(needed: int, *, forced: bool, skirts: bool = False) -> float:
    """How likely a Save is to fail: where it is forced, successes are rolled again; behind skirts, failures."""
    passes = at_least(needed)
    fails = 1.0 - passes
    return fails * (fails if skirts else 1.0) + (passes * fails if forced else 0.0)


def damage_risk(dice: int, fails: float) -> Risk:
    """`vehicle_damage` for some armor Saves, each of which fails with this chance and then throws for damage."""
    unhurt = 1.0 - fails / SIDES
    return Risk(1.0 - unhurt**dice, unhurt**dice - (unhurt - fails * len(saves.SHAKEN) / SIDES) ** dice)


def save_risk(game: Battle, target: Unit, hit: Hit, reroll_successes: bool) -> Risk:
    """What `roll_saves` does to a Team by one of its hits."""
    unit, team = hit.member
    forced = bool(saves.forcing(unit, target, reroll_successes))
    if not team.kind.armored:
        needed, _ = saves.save_number(team, hit.cover, hit.weapon is not None)
        return Risk(1.0 - (1.0 - save_fails(needed, forced=forced)) ** saves.saves_due(hit))
    if hit.weapon is None:
        return Risk(0.0)
    hull, turret = [
        damage_risk(
            hit.dice,
            save_fails(
                saves.armor_of(team, front),
                forced=forced or bool(saves.close_range(hit.distance)),
                skirts=saves.has_skirts(hit),
            ),
        )
        for front in saves.sides_struck(game, hit)
    ]
    by_hull = saves.HULL / SIDES
    destroyed, suppressed = (by_hull * one + (1.0 - by_hull) * two for one, two in zip(hull, turret, strict=True))
    return Risk(destroyed, suppressed if hit.suppresses else 0.0)


def company_risk(game: Battle, side: str) -> float:
    """How likely `company_check` is to end the battle, if nobody has the Check rolled again."""
    if not platoons(game.state, side):
        return 1.0
    if not may_retreat(game, side):
        return 0.0
    found = commander(game.state, side)
    return 1.0 if found is None else 1.0 - check_chance(found[0])
