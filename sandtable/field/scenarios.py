"""Scenarios as files: what each says whatever the game, what may be wrong with it, and the forces that it brings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from sandtable.engine.ruleset import Army
from sandtable.engine.toml_lines import problem_at
from sandtable.field.library import Shelf, UnknownName
from sandtable.field.set_ups import Faults, Land, ground_amiss
from sandtable.field.troops import SIDES, Side, Table
from sandtable.table.terrain import Feature

F = TypeVar("F")
Own = Mapping[str, str | Path | None]
"""The forces that players have chosen for some sides instead of a scenario's own."""


class ScenarioFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What the file of every scenario says. `authored` tells where the battle comes from."""

    title: str
    about: str
    authored: str
    rounds: int
    table: Table
    forces: dict[Side, str]
    terrain: list[Feature] = []


class Fought(Land, Protocol):
    """A scenario with all that it is fought on and for."""

    @property
    def rounds(self) -> int: ...
    @property
    def forces(self) -> Mapping[Side, str]: ...


def scenario_amiss(scenario: Fought, shapes: Mapping[str, str], forces: Shelf[Any]) -> Faults:
    if scenario.rounds < 1:
        yield ("rounds",), "a battle has at least one round"
    for side in SIDES:
        if side not in scenario.forces:
            yield ("forces",), f"{side} has no force"
    for side, force in scenario.forces.items():
        missing = forces.missing(force)
        if missing is not None:
            yield ("forces", side), missing
    yield from ground_amiss(scenario, shapes)


def forces_of(scenario: ScenarioFile, forces: Shelf[F], own: Own) -> dict[Side, F]:
    """The force of each side: its player's choice, or else the scenario's own."""
    return {side: forces.load(own.get(side) or scenario.forces[side]) for side in SIDES}


def checked(name: str, setup: F, faults: Faults) -> F:
    """The set-up that a scenario makes, unless something is wrong with it."""
    for fault in faults:
        raise UnknownName(f"{name}: {problem_at(*fault)}")
    return setup


def armies(forces: Shelf[Any]) -> list[Army]:
    return [Army(name, forces.load(name).title) for name in forces.names()]


def usual_forces(scenarios: Shelf[Any], name: str) -> dict[str, str]:
    return {str(side): force for side, force in scenarios.load(name).forces.items()}
