"""Forces as data that a player can write: files in, Units out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.events import several
from sandtable.engine.toml_lines import Steps, write_path
from sandtable.field import forces
from sandtable.field.forces import none_amiss, team_ids
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults, cited, unknown_name
from sandtable.rulesets.hof.core.arsenal import Profile, profile, profiles
from sandtable.rulesets.hof.core.labels import PAGE
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

EXAMPLES = PAGE.names["examples"]
"""The example forces of the rules, each a file of its name, and their rules."""

SQUAD = 2
"""Teams of a squad: hof.forces-parity.platoon-size"""

PLATOON = 3
"""Squads, guns or vehicles of a platoon: hof.forces-parity.platoon-size"""

MOST_SUPPORT = 3
RECON_ARMOR = 2
FEWEST_UNITS, MOST_UNITS = 4, 10
"""hof.forces-parity.reveal"""

FIELDWORK_RULES: dict[Fieldwork, str] = {kind: work.rule for kind, work in FIELDWORKS.items()}

SWITCHES = {"cc": "commander", "sniper": "snipers", "bunker": "fortifications"}
"""Units that only take the field with an optional rule, and its switch."""

Kind = Literal["", "cc", "sniper", "bunker"]
Type = Literal["infantry", "gun", "vehicle"]

PLATOONS = PAGE.said["platoons"]


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

    def mistakes(self, nation: Nation) -> Faults:
        own = [key for key, each in profiles().items() if each.nation in (nation, "any")]
        for where, name in self._named():
            yield from unknown_name(where, name, profiles(), "profile", own)
        if any(name not in profiles() for _, name in self._named()):
            return
        yield from self._numbers_amiss()
        yield from self._nation_amiss(nation)
        yield from self._transports_amiss()
        yield from self._kind_amiss()
        yield from self._recon_amiss()
        if self.observer and not self.artillery:
            yield ("observer",), "a Forward Observer belongs to an Artillery Unit"
        if self.off_board and not self.artillery:
            yield ("off_board",), "only an Artillery Unit fights from off the table"
        for name in self.traits:
            if name not in self.teams and name not in self.transports:
                yield ("traits", name), f"this Unit has no Team of the profile {name!r}"
        if self.riders and (self.type != "vehicle" or not is_line(profile(self.riders))):
            words = "Riders are Infantry Teams, one on each tank of a Vehicle Unit"
            yield ("riders",), cited(words, "hof.optional.riders-mounted")

    def _named(self) -> Iterator[tuple[Steps, str]]:
        yield from ((("teams", name), name) for name in self.teams)
        yield from ((("transports", name), name) for name in self.transports)
        if self.riders:
            yield ("riders",), self.riders

    def _numbers_amiss(self) -> Faults:
        if self.count < 1:
            yield ("count",), "give a number of Units from 1 on"
        yield from none_amiss(("teams",), self.teams, "Teams")
        yield from none_amiss(("transports",), self.transports, "Teams")
        if not self.teams and self.kind not in ("cc", "sniper"):
            yield (), "a Unit has at least one Team besides its leader and Transports"

    def _nation_amiss(self, nation: Nation) -> Faults:
        rule = "hof.forces-parity.support-weapons"
        for where, name in self._named():
            if profile(name).nation not in (nation, "any"):
                cited = f" ({rule})" if profile(name).infantry_at else ""
                yield where, f"{profile(name).name} is of the nation {profile(name).nation!r}{cited}"
        for name, traits in self.traits.items():
            if "panzerfaust" in traits and (nation != "german" or profile(name).category != "infantry"):
                yield ("traits", name), f"only German Infantry carries Panzerfausts ({rule})"

    def _transports_amiss(self) -> Faults:
        for name in self.teams:
            if profile(name).transport:
                yield ("teams", name), "this is a Transport; list it under `transports`"
        for name in self.transports:
            if not profile(name).transport:
                yield ("transports", name), "this carries nobody; list it under `teams`"
        if self.transports and sum(self.transports.values()) > self.passengers:
            yield ("transports",), "some Transport has nobody to carry: it carries only Teams of its own Unit"

    def _kind_amiss(self) -> Faults:
        size = sum(self.teams.values())
        if self.kind == "cc" and (self.leader or self.count != 1):
            yield ("kind",), "the Company Commander is one and leads his Unit himself (hof.optional.cc-unit)"
        if self.kind == "sniper" and (size or self.leader or self.transports):
            yield ("kind",), "a sniper is a Unit of one Team and needs no `teams` (hof.optional.sniper-unit)"
        if self.kind == "bunker" and (size != 1 or self.leader or self.transports):
            yield ("kind",), "each bunker is a Unit of its own; use `count` for more (hof.optional.bunker-unit)"

    def _recon_amiss(self) -> Faults:
        if not self.scouts:
            return
        for name in self.teams:
            kind = profile(name)
            if self.type == "vehicle" and kind.front + kind.flank > RECON_ARMOR:
                rule = "hof.battle.recon-vehicle-limits"
                words = f"has armor {kind.front}/{kind.flank}, too much for a Recon Unit"
                yield ("teams", name), f"{kind.name} {words} ({rule})"
            if self.type != "vehicle" and not is_line(kind):
                words = f"{kind.name} is a support weapon; a Recon Unit has none"
                yield ("teams", name), cited(words, "hof.battle.recon-infantry-limits")

    def warnings(self) -> Faults:
        """Where a Unit is not what the rules take for granted. Other compositions are allowed."""
        if self.kind:
            return
        platoon, rule = PLATOONS[self.type]
        if self.leader and self.type == "vehicle":
            yield ("leader",), f"{platoon} has no leader's Team ({rule})"
        if not self.leader and self.type != "vehicle":
            yield (), f"{platoon} usually has a Platoon Leader ({rule})"
        if self.type == "infantry":
            yield from self._unlike_squads(rule)
        elif self.size != PLATOON or len(self.teams) != 1:
            what = "Vehicles" if self.type == "vehicle" else "Guns"
            yield ("teams",), f"{platoon} is usually {PLATOON} {what} of one kind ({rule})"
        room = sum(profile(name).carries * number for name, number in self.transports.items())
        towed = sum(number for name, number in self.teams.items() if profile(name).mobility == "gun")
        walking = self.passengers - towed
        if room and room < walking:
            words = f"{several(walking, 'Team')} for {several(room, 'place')}: some walk"
            yield ("transports",), cited(words, "hof.transports.capacity")

    def _unlike_squads(self, rule: str) -> Faults:
        if self.size != PLATOON:
            yield ("teams",), f"an infantry platoon is usually {PLATOON} squads, {PLATOON * SQUAD} Teams ({rule})"
        if sum(is_line(profile(name)) for name in self.teams) > 1:
            yield ("teams",), "all squads of a platoon are usually of one type (hof.forces-parity.squad-types)"
        support = sum(number for name, number in self.teams.items() if not is_line(profile(name)))
        if support > MOST_SUPPORT:
            yield ("teams",), f"a platoon usually has at most {MOST_SUPPORT} support weapons ({rule})"

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


def team_lines(unit: ForceUnit) -> list[str]:
    """What a Unit is made of, in words."""
    own = {"cc": ["Company Commander"], "sniper": ["Sniper"]}.get(unit.kind, [])
    own += ["Platoon Leader"] * unit.leader + ["Forward Observer"] * unit.observer
    return [*own, *counted(unit.teams, {name: ", ".join(traits) for name, traits in unit.traits.items()})]


def counted(teams: dict[str, int], more: dict[str, str] | None = None) -> list[str]:
    return forces.counted(teams, lambda key: profile(key).name, more)


Roster = dict[str, ForceUnit]
"""The Units of a force by their keys, each by itself."""


def is_line(kind: Profile) -> bool:
    """A Team of a squad: Infantry on a base of the usual size. All other foot is support weapons."""
    return kind.category == "infantry" and not kind.small and not kind.flames


class Force(msgspec.Struct, forbid_unknown_fields=True):
    """A company: its Units, all of one nation."""

    format: Literal["sandtable.hof.force"]
    title: str
    nation: Nation
    units: dict[str, ForceUnit]
    about: str = ""
    fieldworks: dict[Fieldwork, int] = {}
    """Sets of trenches and obstacles that it lays at set-up, with their optional rules."""

    def mistakes(self) -> Faults:
        if not self.units:
            yield ("units",), "a force has at least one Unit"
        if sum(unit.kind == "cc" for unit in self.units.values()) > 1:
            yield ("units",), "a company has one Company Commander (hof.optional.cc-unit)"
        for key, unit in self.units.items():
            for steps, problem in unit.mistakes(self.nation):
                yield ("units", key, *steps), problem
        yield from none_amiss(("fieldworks",), self.fieldworks, "sets", FIELDWORK_RULES)
        names = [name for key, unit in self.units.items() for name in singles(key, unit)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield ("units", name), f"two Units would be called {name!r}"

    def warnings(self) -> Iterator[tuple[str, str]]:
        """Where the force is not what the rules take for granted; nothing here forbids it."""
        count = self.unit_count
        if not FEWEST_UNITS <= count <= MOST_UNITS:
            words = f"a force usually has {FEWEST_UNITS} to {MOST_UNITS} Units, this one has {count}"
            yield "units", cited(words, "hof.forces-parity.reveal")
        for key, unit in self.units.items():
            for steps, words in unit.warnings():
                yield write_path(("units", key, *steps)), words

    @property
    def unit_count(self) -> int:
        return sum(unit.count for unit in self.units.values())

    @property
    def break_limit(self) -> int:
        """hof.battle.break-limit with all optional Units but snipers (hof.optional.sniper-unit), and no handicap."""
        return LIMIT_BASE + LIMIT_PER_UNIT * sum(unit.count for unit in self.units.values() if unit.kind != "sniper")

    def rules(self) -> list[str]:
        """The rules that its composition rests on."""
        units = list(self.units.values())
        behind = {
            "hof.forces-parity.platoon-size": True,
            **{rule: any(unit.type == of and unit.teams for unit in units) for of, (_, rule) in PLATOONS.items()},
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


FORCES = Shelf(HERE / "forces", Force, "force")


# From a force to Units.


def singles(key: str, unit: ForceUnit) -> Roster:
    """The Units of an entry by their keys, each by itself."""
    if unit.count == 1:
        return {key: unit}
    each = range(1, unit.count + 1)
    return {f"{key}-{number}": msgspec.structs.replace(unit, count=1, name=f"{unit.name} {number}") for number in each}


def raise_unit(side: Side, key: str, unit: ForceUnit, nation: Nation) -> dict[str, Unit]:
    """The Units of an entry as they take the field for a side, with the Riders of its tanks."""
    found: dict[str, Unit] = {}
    for name, single in singles(key, unit).items():
        unit_id = f"{side}-{name}"
        found[unit_id] = Unit(
            side,
            raise_teams(unit_id, unit),
            name=single.name,
            nation=nation,
            quality=unit.quality,
            kind=unit.kind,
            recon=unit.recon,
            off_board=unit.off_board,
        )
        if unit.riders:
            riders = team_ids(unit_id, "rider", sum(unit.teams.values()))
            found[f"{unit_id}-riders"] = Unit(
                side,
                {each: Team(unit.riders, role="rider") for each in riders},
                name=f"Riders of {single.name}",
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
        teams |= {each: Team(name, role=role, traits=traits) for each in team_ids(unit_id, short, number)}
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
    raised = (raise_unit(side, key, unit, force.nation) for key, unit in force.units.items())
    return {name: unit for units in raised for name, unit in units.items()}


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
