"""What may be wrong with a set-up: each fault with its path, and what would be right."""

from __future__ import annotations

from sandtable.engine.toml_lines import Steps
from sandtable.field.set_ups import Faults, began_amiss, below, engagement_amiss, facing_amiss, laid_amiss
from sandtable.rulesets.tr14.core.arsenal import profiles
from sandtable.rulesets.tr14.core.state import MOST_MARKERS, SIDES, Setup, Team, Unit, platoons
from sandtable.rulesets.tr14.core.terrain import shapes


def faults(setup: Setup) -> Faults:
    now = {side: len(platoons(setup, side)) for side in SIDES}
    yield from engagement_amiss(setup, shapes(), profiles(), "starting", now)
    for unit_id, unit in setup.units.items():
        yield from unit_amiss(setup, ("units", unit_id), unit)
    yield from phase_amiss(setup)
    for name, objective in setup.objectives.items():
        yield from below(("objectives", name), objective, ("radius", "worth"))
    yield from laid_amiss("smoke", setup.smoke, setup.table)
    names: set[str] = set()
    for index, smoke in enumerate(setup.smoke):
        if smoke.id in names:
            yield ("smoke", index, "id"), f"other smoke is called {smoke.id!r}: give each its own name"
        names.add(smoke.id)


def unit_amiss(setup: Setup, steps: Steps, unit: Unit) -> Faults:
    for team_id, team in unit.teams.items():
        yield from team_amiss((*steps, "teams", team_id), team)
    yield from below(steps, unit, ("starting", "casualties"))
    yield from began_amiss((*steps, "starting"), unit.starting, len(unit.teams), "Teams")
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
