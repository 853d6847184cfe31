"""What may be wrong with a set-up: each fault with its path, and what would be right."""

from __future__ import annotations

from sandtable.engine.toml_lines import Steps, problem_at
from sandtable.field.set_ups import (
    Faults,
    bases_amiss,
    below,
    facing_amiss,
    names_amiss,
    point_amiss,
    sides_amiss,
    standing_bases,
    table_amiss,
    terrain_amiss,
    unknown_name,
    zones_amiss,
)
from sandtable.rulesets.tr14.core.arsenal import profiles
from sandtable.rulesets.tr14.core.state import SIDES, Setup, Team, Unit
from sandtable.rulesets.tr14.core.terrain import kinds

MOST_MARKERS = 2
"""tr14.suppression.double"""


def problems(setup: Setup) -> list[str]:
    """What is wrong with a set-up, in words; an empty list is a set-up that can be played."""
    return [problem_at(steps, words) for steps, words in faults(setup)]


def faults(setup: Setup) -> Faults:
    yield from table_amiss(setup.table)
    yield from below((), setup, ("rounds", "round"), 1)
    if setup.round > setup.rounds:
        yield ("round",), f"the battle has {setup.rounds} rounds: give one of them, or more `rounds`"
    yield from terrain_amiss(setup.terrain, {name: kind.shape for name, kind in kinds().items()}, setup.table)
    yield from zones_amiss(setup.zones, SIDES, setup.table)
    yield from names_amiss(setup.units)
    for unit_id, unit in setup.units.items():
        yield from unit_amiss(setup, ("units", unit_id), unit)
    yield from bases_amiss(standing_bases(setup.units, profiles()), setup.table)
    yield from phase_amiss(setup)
    yield from companies_amiss(setup)
    for name, objective in setup.objectives.items():
        steps: Steps = ("objectives", name)
        yield from point_amiss((*steps, "at"), objective.at, setup.table)
        yield from below(steps, objective, ("radius", "worth"))
        if objective.holder:
            yield from unknown_name((*steps, "holder"), objective.holder, SIDES, "side")
    names: set[str] = set()
    for index, smoke in enumerate(setup.smoke):
        yield from point_amiss(("smoke", index, "at"), smoke.at, setup.table)
        yield from facing_amiss(("smoke", index, "facing"), smoke.facing)
        if smoke.id in names:
            yield ("smoke", index, "id"), f"other smoke is called {smoke.id!r}: give each its own name"
        names.add(smoke.id)


def unit_amiss(setup: Setup, steps: Steps, unit: Unit) -> Faults:
    for team_id, team in unit.teams.items():
        yield from team_amiss((*steps, "teams", team_id), team)
    yield from below(steps, unit, ("starting", "casualties"))
    if 0 < unit.starting < len(unit.teams):
        now = len(unit.teams)
        yield (*steps, "starting"), f"it began with no fewer Teams than it has now: {now} or more, or leave it out"
    if unit.apart and len(unit.teams) != 1:
        yield (*steps, "teams"), "a Company Commander or Forward Observer is one Team"
    if sum(team.role == "pl" for team in unit.teams.values()) > 1:
        yield (*steps, "teams"), "a Unit has one Platoon Leader"
    if unit.apart == "fo":
        yield from battery_amiss(setup, (*steps, "battery"), unit)
    elif unit.battery:
        yield (*steps, "battery"), 'only a Forward Observer (apart = "fo") has a battery'


def battery_amiss(setup: Setup, steps: Steps, unit: Unit) -> Faults:
    """An observer has guns to observe for, unless they were lost: then the numbers at the start say so."""
    own = {key: each for key, each in setup.units.items() if each.side == unit.side and not each.apart}
    company = setup.companies.get(unit.side)
    battery = own.get(unit.battery)
    lost = unit.battery and company is not None and company.starting > len(own)
    if battery is None and not lost:
        yield steps, f"a Forward Observer names the Unit that he observes for: one of {', '.join(own)}"
    if battery is not None and battery.starting <= len(battery.teams) and not fires_barrages(battery):
        yield steps, f"{unit.battery} has no gun that fires a barrage"


def fires_barrages(unit: Unit) -> bool:
    return any(team.profile in profiles() and team.kind.barrage is not None for team in unit.teams.values())


def team_amiss(steps: Steps, team: Team) -> Faults:
    yield from unknown_name((*steps, "profile"), team.profile, profiles(), "profile")
    yield from facing_amiss((*steps, "facing"), team.facing)
    yield from facing_amiss((*steps, "turret"), team.turret)
    yield from below(steps, team, ("shot",))
    if not 0 <= team.markers <= MOST_MARKERS:
        yield (*steps, "markers"), f"a Team has 0 to {MOST_MARKERS} suppression markers"
    elif team.role == "fo" and team.markers:
        yield (*steps, "markers"), "a Forward Observer is never suppressed"
    if team.turret is not None and team.profile in profiles() and not team.kind.turret:
        yield (*steps, "turret"), f"{team.kind.name} has no turret: leave it out"


def phase_amiss(setup: Setup) -> Faults:
    """Before the battle some Unit has still to deploy; after that every Team has a place."""
    placed = [team.at is not None for unit in setup.units.values() for team in unit.teams.values()]
    if setup.phase == "deploy" and placed and all(placed):
        yield ("phase",), 'every Team has its place already: give phase = "activate", or "round" before one begins'
    if setup.phase == "deploy":
        return
    for unit_id, unit in setup.units.items():
        for team_id, team in unit.teams.items():
            if team.at is None:
                words = "this Team has no place although the battle has begun: give `at`"
                yield ("units", unit_id, "teams", team_id, "at"), words


def companies_amiss(setup: Setup) -> Faults:
    yield from sides_amiss(("companies",), setup.companies, SIDES)
    for side, company in setup.companies.items():
        yield from below(("companies", side), company, ("starting", "appointed"))
        now = sum(unit.side == side and not unit.apart for unit in setup.units.values())
        if 0 < company.starting < now:
            words = f"it began with no fewer Units than it has now: {now} or more, or leave it out"
            yield ("companies", side, "starting"), words
