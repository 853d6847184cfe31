"""Forces as data that a player can write: files in, Units out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.data_words import did_you_mean
from sandtable.engine.events import several
from sandtable.field.library import Shelf, UnknownName
from sandtable.rulesets.hof.core.arsenal import Profile, profile, profiles
from sandtable.rulesets.hof.core.set_ups import problems
from sandtable.rulesets.hof.core.state import (
    FIELDWORKS,
    LIMIT_BASE,
    LIMIT_PER_UNIT,
    SIDES,
    Company,
    Fieldwork,
    Nation,
    Options,
    Quality,
    Setup,
    Side,
    Table,
    Team,
    Trait,
    Unit,
)

HERE = Path(__file__).parents[1]
RANDOM = "random:"

EXAMPLES = {
    "hof.forces-parity.us-rifle-company": 5,
    "hof.forces-parity.us-tank-company": 4,
    "hof.forces-parity.german-grenadier-company": 5,
    "hof.forces-parity.german-panzer-company": 4,
    "hof.forces-parity.soviet-strelkovy-company": 5,
    "hof.forces-parity.soviet-tankovy-company": 5,
    "hof.forces-parity.british-rifle-company": 5,
    "hof.forces-parity.british-tank-company": 4,
}
"""The example forces of the rules, each a file of its name, and how many entries each has."""

SQUAD = 2
"""Teams of a squad: hof.forces-parity.platoon-size"""

PLATOON = 3
"""Squads, guns or vehicles of a platoon: hof.forces-parity.platoon-size"""

MOST_SUPPORT = 3
RECON_ARMOR = 2
FEWEST_UNITS, MOST_UNITS = 4, 10
"""hof.forces-parity.reveal"""

SWITCHES = {"cc": "commander", "sniper": "snipers", "bunker": "fortifications"}
"""Units that only take the field with an optional rule, and its switch."""

Kind = Literal["", "cc", "sniper", "bunker"]
Type = Literal["infantry", "gun", "vehicle"]
Notes = Iterator[tuple[str, str]]


class ForceUnit(msgspec.Struct, forbid_unknown_fields=True):
    """A Unit of a force, or `count` Units alike: how many Teams of each profile, and who leads and observes.

    `traits` gives Teams of a profile something more. `riders` names the Infantry that sits on each of its tanks.
    """

    name: str
    quality: Quality = "average"
    count: int = 1
    kind: Kind = ""
    leader: bool = False
    observer: bool = False
    teams: dict[str, int] = {}
    transports: dict[str, int] = {}
    traits: dict[str, list[Trait]] = {}
    recon: bool = False
    off_board: bool = False
    riders: str = ""

    def mistakes(self, nation: Nation) -> Notes:
        unknown = False
        for where, name in self._named():
            if name not in profiles():
                unknown = True
                near = ", ".join(key for key, each in profiles().items() if each.nation in (nation, "any"))
                yield where, f"unknown profile {name!r}; {did_you_mean(name, profiles())}known: {near}"
        if unknown:
            return
        yield from self._numbers_amiss()
        yield from self._nation_amiss(nation)
        yield from self._transports_amiss()
        yield from self._kind_amiss()
        yield from self._recon_amiss()
        if self.observer and not self.artillery:
            yield "observer", "a Forward Observer belongs to an Artillery Unit"
        if self.off_board and not self.artillery:
            yield "off_board", "only an Artillery Unit fights from off the table"
        for name in self.traits:
            if name not in self.teams and name not in self.transports:
                yield f"traits.{name}", f"this Unit has no Team of the profile {name!r}"
        if self.riders and (self.type != "vehicle" or not is_line(profile(self.riders))):
            rule = "hof.optional.riders-mounted"
            yield "riders", f"Riders are Infantry Teams, one on each tank of a Vehicle Unit ({rule})"

    def _named(self) -> Notes:
        yield from ((f"teams.{name}", name) for name in self.teams)
        yield from ((f"transports.{name}", name) for name in self.transports)
        if self.riders:
            yield "riders", self.riders

    def _numbers_amiss(self) -> Notes:
        if self.count < 1:
            yield "count", "give a number of Units from 1 on"
        for field, teams in (("teams", self.teams), ("transports", self.transports)):
            for name, number in teams.items():
                if number < 1:
                    yield f"{field}.{name}", "give a number of Teams from 1 on"
        if not self.teams and self.kind not in ("cc", "sniper"):
            yield "", "a Unit has at least one Team besides its leader and Transports"

    def _nation_amiss(self, nation: Nation) -> Notes:
        rule = "hof.forces-parity.support-weapons"
        for where, name in self._named():
            if profile(name).nation not in (nation, "any"):
                cited = f" ({rule})" if profile(name).infantry_at else ""
                yield where, f"{profile(name).name} is of the nation {profile(name).nation!r}{cited}"
        for name, traits in self.traits.items():
            if "panzerfaust" in traits and (nation != "german" or profile(name).category != "infantry"):
                yield f"traits.{name}", f"only German Infantry carries Panzerfausts ({rule})"

    def _transports_amiss(self) -> Notes:
        for name in self.teams:
            if profile(name).transport:
                yield f"teams.{name}", "this is a Transport; list it under `transports`"
        for name in self.transports:
            if not profile(name).transport:
                yield f"transports.{name}", "this carries nobody; list it under `teams`"
        if self.transports and sum(self.transports.values()) > self.passengers:
            yield "transports", "some Transport has nobody to carry: it carries only Teams of its own Unit"

    def _kind_amiss(self) -> Notes:
        size = sum(self.teams.values())
        if self.kind == "cc" and (self.leader or self.count != 1):
            rule = "hof.optional.cc-unit"
            yield "kind", f"the Company Commander is one and leads his Unit himself ({rule})"
        if self.kind == "sniper" and (size or self.leader or self.transports):
            rule = "hof.optional.sniper-unit"
            yield "kind", f"a sniper is a Unit of one Team and needs no `teams` ({rule})"
        if self.kind == "bunker" and (size != 1 or self.leader or self.transports):
            rule = "hof.optional.bunker-unit"
            yield "kind", f"each bunker is a Unit of its own; use `count` for more ({rule})"

    def _recon_amiss(self) -> Notes:
        if not self.scouts:
            return
        for name in self.teams:
            kind = profile(name)
            if self.type == "vehicle" and kind.front + kind.flank > RECON_ARMOR:
                rule = "hof.battle.recon-vehicle-limits"
                words = f"has armor {kind.front}/{kind.flank}, too much for a Recon Unit"
                yield f"teams.{name}", f"{kind.name} {words} ({rule})"
            if self.type != "vehicle" and not is_line(kind):
                rule = "hof.battle.recon-infantry-limits"
                yield f"teams.{name}", f"{kind.name} is a support weapon; a Recon Unit has none ({rule})"

    def warnings(self) -> Notes:
        """Where a Unit is not what the rules take for granted. Other compositions are allowed."""
        if self.kind:
            return
        if self.type == "vehicle":
            yield from self._unlike_vehicles("hof.forces-parity.vehicle-platoon")
        elif self.type == "gun":
            yield from self._unlike_guns("hof.forces-parity.gun-platoon")
        else:
            yield from self._unlike_infantry("hof.forces-parity.infantry-platoon")
        room = sum(profile(name).carries * number for name, number in self.transports.items())
        walking = self.passengers - self._towed
        if room and room < walking:
            rule = "hof.transports.capacity"
            yield "transports", f"{several(walking, 'Team')} for {several(room, 'place')}: some walk ({rule})"

    def _unlike_vehicles(self, rule: str) -> Notes:
        if self.leader:
            yield "leader", f"a vehicle platoon has no leader's Team ({rule})"
        if self.size != PLATOON or len(self.teams) != 1:
            yield "teams", f"a vehicle platoon is usually {PLATOON} Vehicles of one kind ({rule})"

    def _unlike_guns(self, rule: str) -> Notes:
        if not self.leader:
            yield "", f"a gun platoon usually has a Platoon Leader ({rule})"
        if self.size != PLATOON or len(self.teams) != 1:
            yield "teams", f"a gun platoon is usually {PLATOON} Guns of one kind ({rule})"

    def _unlike_infantry(self, rule: str) -> Notes:
        if not self.leader:
            yield "", f"an infantry platoon usually has a Platoon Leader ({rule})"
        if self.size != PLATOON:
            yield "teams", f"an infantry platoon is usually {PLATOON} squads, {PLATOON * SQUAD} Teams ({rule})"
        if sum(is_line(profile(name)) for name in self.teams) > 1:
            types = "hof.forces-parity.squad-types"
            yield "teams", f"all squads of a platoon are usually of one type ({types})"
        support = sum(number for name, number in self.teams.items() if not is_line(profile(name)))
        if support > MOST_SUPPORT:
            yield "teams", f"a platoon usually has at most {MOST_SUPPORT} support weapons ({rule})"

    @property
    def type(self) -> Type:
        """What its fighting Teams are. Guns beside squads are support weapons."""
        found = [profile(name) for name in self.teams]
        if any(is_line(kind) for kind in found) or not found:
            return "infantry"
        if all(kind.vehicle for kind in found):
            return "vehicle"
        return "gun" if any(kind.category == "gun" for kind in found) else "infantry"

    @property
    def size(self) -> float:
        """hof.forces-parity.size-bonus: vehicles, guns and squads; not leaders, support weapons and Transports."""
        if self.type == "infantry":
            return sum(number for name, number in self.teams.items() if is_line(profile(name))) / SQUAD
        wanted = self.type
        return float(sum(number for name, number in self.teams.items() if profile(name).category == wanted))

    @property
    def artillery(self) -> bool:
        return any(profile(name).artillery for name in self.teams)

    @property
    def scouts(self) -> bool:
        return self.recon or any("recon" in traits for traits in self.traits.values())

    @property
    def passengers(self) -> int:
        """Teams that could ride in a Transport or be towed by one."""
        own = int(self.leader or self.kind == "cc") + int(self.observer)
        return own + sum(number for name, number in self.teams.items() if not profile(name).vehicle)

    @property
    def _towed(self) -> int:
        return sum(number for name, number in self.teams.items() if profile(name).mobility == "gun")

    @property
    def counts(self) -> bool:
        """Whether it raises the Break Limit: all do but snipers (hof.optional.sniper-unit)."""
        return self.kind != "sniper"


def is_line(kind: Profile) -> bool:
    """A Team of a squad: Infantry on a base of the usual size. All other foot is support weapons."""
    flame = any("flame-thrower" in weapon.keywords for weapon in kind.weapons)
    return kind.category == "infantry" and not kind.small and not flame


class Force(msgspec.Struct, forbid_unknown_fields=True):
    """A company: its Units, all of one nation."""

    format: Literal["sandtable.hof.force"]
    title: str
    nation: Nation
    units: dict[str, ForceUnit]
    about: str = ""
    fieldworks: dict[Fieldwork, int] = {}
    """Sets of trenches and obstacles that it lays at set-up, with their optional rules."""

    def mistakes(self) -> Notes:
        if not self.units:
            yield "units", "a force has at least one Unit"
        if sum(unit.kind == "cc" for unit in self.units.values()) > 1:
            rule = "hof.optional.cc-unit"
            yield "units", f"a company has one Company Commander ({rule})"
        for key, unit in self.units.items():
            for where, problem in unit.mistakes(self.nation):
                yield joined(f"units.{key}", where), problem
        yield from sets_amiss("fieldworks", self.fieldworks)
        names = [name for key, unit in self.units.items() for name in unit_keys(key, unit)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"units.{name}", f"two Units would be called {name!r}"

    def warnings(self) -> Notes:
        """Where the force is not what the rules take for granted; nothing here forbids it."""
        count = self.unit_count
        if not FEWEST_UNITS <= count <= MOST_UNITS:
            rule = "hof.forces-parity.reveal"
            yield "units", f"a force usually has {FEWEST_UNITS} to {MOST_UNITS} Units, this one has {count} ({rule})"
        for key, unit in self.units.items():
            for where, words in unit.warnings():
                yield joined(f"units.{key}", where), words

    @property
    def unit_count(self) -> int:
        return sum(unit.count for unit in self.units.values())

    @property
    def break_limit(self) -> int:
        """hof.battle.break-limit with all its optional Units, before any handicap."""
        return LIMIT_BASE + LIMIT_PER_UNIT * sum(unit.count for unit in self.units.values() if unit.counts)

    def rules(self) -> list[str]:
        """The rules that its composition rests on."""
        units = list(self.units.values())
        behind = {
            "hof.forces-parity.platoon-size": True,
            "hof.forces-parity.infantry-platoon": any(unit.type == "infantry" and unit.teams for unit in units),
            "hof.forces-parity.gun-platoon": any(unit.type == "gun" for unit in units),
            "hof.forces-parity.vehicle-platoon": any(unit.type == "vehicle" for unit in units),
            "hof.orders.quality-default": True,
            "hof.battle.recon-infantry-limits": any(unit.scouts and unit.type != "vehicle" for unit in units),
            "hof.battle.recon-vehicle-limits": any(unit.scouts and unit.type == "vehicle" for unit in units),
            "hof.optional.cc-unit": any(unit.kind == "cc" for unit in units),
            "hof.optional.sniper-unit": any(unit.kind == "sniper" for unit in units),
            "hof.optional.bunker-unit": any(unit.kind == "bunker" for unit in units),
            "hof.optional.riders-mounted": any(unit.riders for unit in units),
            "hof.battle.break-limit": True,
        }
        return [rule for rule, holds in behind.items() if holds]


def joined(first: str, second: str) -> str:
    return f"{first}.{second}" if second else first


def sets_amiss(where: str, sets: Mapping[Fieldwork, int]) -> Notes:
    for kind, number in sets.items():
        if number < 1:
            yield f"{where}.{kind}", f"give a number of sets from 1 on ({FIELDWORKS[kind].rule})"


FORCES = Shelf(HERE / "forces", Force, "force")


# From a force to Units.


def unit_keys(key: str, unit: ForceUnit) -> list[str]:
    return [key] if unit.count == 1 else [f"{key}-{number}" for number in range(1, unit.count + 1)]


def raise_unit(side: Side, key: str, unit: ForceUnit, nation: Nation) -> dict[str, Unit]:
    """The Units of an entry as they take the field for a side, with the Riders of its tanks."""
    found: dict[str, Unit] = {}
    names = unit_keys(key, unit)
    for number, name in enumerate(names, 1):
        unit_id = f"{side}-{name}"
        title = unit.name if len(names) == 1 else f"{unit.name} {number}"
        found[unit_id] = Unit(
            side,
            raise_teams(unit_id, unit),
            name=title,
            nation=nation,
            quality=unit.quality,
            kind=unit.kind,
            recon=unit.recon,
            off_board=unit.off_board,
        )
        if unit.riders:
            tanks = sum(unit.teams.values())
            teams = {f"{unit_id}-rider-{n}": Team(unit.riders, role="rider") for n in range(1, tanks + 1)}
            found[f"{unit_id}-riders"] = Unit(
                side,
                teams,
                name=f"Riders of {title}",
                nation=nation,
                quality=unit.quality,
                kind="riders",
                tanks=unit_id,
            )
    return found


def raise_teams(unit_id: str, unit: ForceUnit) -> dict[str, Team]:
    teams: dict[str, Team] = {}
    if unit.kind == "cc":
        teams[f"{unit_id}-cc"] = Team("commander", role="cc")
    elif unit.kind == "sniper":
        teams[f"{unit_id}-sniper"] = Team("sniper", role="sniper")
    elif unit.leader:
        teams[f"{unit_id}-pl"] = Team("leader", role="pl")
    if unit.observer:
        teams[f"{unit_id}-fo"] = Team("observer", role="fo")
    role: Literal["", "bunker"] = "bunker" if unit.kind == "bunker" else ""
    for name, number in [*unit.teams.items(), *unit.transports.items()]:
        short = name.removeprefix(f"{profile(name).nation}-")
        traits = tuple(unit.traits.get(name, ()))
        for each in range(1, number + 1):
            teams[f"{unit_id}-{short}-{each}"] = Team(name, role=role, traits=traits)
    return teams


def fielded(force: Force, options: Options) -> Force:
    """The force without what needs an optional rule that is not played: commander, snipers, bunkers, Riders."""
    units = {}
    for key, unit in force.units.items():
        switch = SWITCHES.get(unit.kind)
        if switch is None or getattr(options, switch):
            units[key] = unit if options.riders else msgspec.structs.replace(unit, riders="")
    return msgspec.structs.replace(force, units=units)


def raise_force(side: Side, force: Force) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for key, unit in force.units.items():
        found |= raise_unit(side, key, unit, force.nation)
    return found


def usual_attacker(units: dict[str, Unit]) -> Side:
    """hof.battle.roles: the side with more Vehicle Teams; red if both have as many."""
    count = dict.fromkeys(SIDES, 0)
    for unit in units.values():
        count[unit.side] += sum(team.kind.vehicle and not team.kind.transport for team in unit.teams.values())
    return "blue" if count["blue"] > count["red"] else "red"


# From two forces to a set-up.


def muster(table: Table, red: Force, blue: Force, options: Options) -> Setup:
    """Two forces on an empty table; whoever has more Vehicles attacks."""
    units: dict[str, Unit] = {}
    companies: dict[str, Company] = {}
    for side, force in zip(SIDES, (red, blue), strict=True):
        units |= raise_force(side, fielded(force, options))
        companies[side] = Company(name=force.title, nation=force.nation, fieldworks=dict(force.fieldworks))
    attacker = usual_attacker(units)
    return Setup(table=table, units=units, options=options, companies=companies, attacker=attacker, active=attacker)


def checked(setup: Setup) -> Setup:
    wrong = problems(setup)
    if wrong:
        raise UnknownName(f"{setup.name}: {wrong[0]}")
    return setup
