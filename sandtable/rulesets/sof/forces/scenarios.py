"""Battles as files: a table, a mission and two forces, or everybody where he stands; and what comes of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.engine.errors import SandtableError
from sandtable.engine.ruleset import Muster
from sandtable.field import scenarios as battles
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults
from sandtable.rulesets.sof.core.state import SIDES, Battlegroup, Options, Setup, Side, Unit
from sandtable.rulesets.sof.forces.armies import FORCES
from sandtable.rulesets.sof.forces.books import HERE
from sandtable.rulesets.sof.forces.set_ups import faults
from sandtable.rulesets.sof.missions import missions


class Scenario(Setup, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A battle as a file: a set-up that says what it is. With `forces` its units are theirs."""

    format: Literal["sandtable.sof.scenario"]
    authored: str = ""
    about: str = ""
    forces: dict[Side, str] = msgspec.field(default_factory=dict)
    units: dict[str, Unit] = msgspec.field(default_factory=dict)

    def mistakes(self) -> Faults:
        for side in SIDES if self.forces else ():
            missing = FORCES.missing(self.forces[side]) if side in self.forces else f"{side} has no force"
            if missing is not None:
                yield ("forces", side), missing
                return
        if self.forces and self.units:
            yield ("units",), "the units of this battle are those of its forces: leave them out"
            return
        yield from faults(mustered(self, self.forces))


def mustered(scenario: Scenario, forces: Mapping[Side, str]) -> Setup:
    """The set-up of a battle, with the units of some forces if it is fought with forces."""
    setup = Setup(**{each: getattr(scenario, each) for each in Setup.__struct_fields__})
    if not forces:
        return setup
    units: dict[str, Unit] = {}
    groups: dict[str, Battlegroup] = {}
    for side in SIDES:
        force = FORCES.load(forces[side])
        units |= dict(force.units(side))
        groups |= force.groups(side)
    setup.units, setup.battlegroups = units, groups
    setup.phase = "attacker" if setup.mission else setup.phase
    setup.turns = missions()[setup.mission].turns if setup.mission else setup.turns
    return setup


SCENARIOS = Shelf(HERE / "scenarios", Scenario, "scenario")
scenarios = SCENARIOS.names


def set_up(name: str, own: Mapping[str, str] | None = None, options: frozenset[str] | None = None) -> Setup:
    """The set-up of a scenario with its forces, or others for some sides, and just these optional rules."""
    found = SCENARIOS.load(name)
    if own and not found.forces:
        raise SandtableError(f"the file of {name} lists who fights there: no other force can be chosen")
    chosen = {side: (own or {}).get(side) or found.forces[side] for side in SIDES} if found.forces else {}
    setup = mustered(found, chosen)
    setup.name = name
    if options is not None:
        setup.options = Options(**{each: each in options for each in Options.__struct_fields__})
    return battles.checked(name, setup, faults(setup))


def scenario(name: str) -> Setup:
    return set_up(name)


MUSTER = Muster(
    lambda: battles.armies(FORCES),
    lambda name: battles.usual_forces(SCENARIOS, name),
    set_up,
)
