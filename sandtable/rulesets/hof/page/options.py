"""What players agree on: the optional rules, and other forces than a scenario's own."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.ruleset import Muster
from sandtable.field import scenarios
from sandtable.rulesets.hof.core.state import Options, Setup
from sandtable.rulesets.hof.forces import FORCES, RANDOM, SCENARIOS, set_up
from sandtable.rulesets.hof.page.views import PAGE


def mustered(name: str, own: Mapping[str, str], chosen: frozenset[str] | None) -> Setup:
    """The set-up of a scenario with other forces for some sides, and with just these optional rules."""
    options = None if chosen is None else Options(**{switch.id: switch.id in chosen for switch in PAGE.switches})
    # Whoever names the scenario's own force means the scenario as it is, with its handicap.
    usual = usual_forces(name)
    return set_up(name, {side: force for side, force in own.items() if force != usual.get(side)}, options)


def switched(name: str, chosen: frozenset[str]) -> Setup:
    """The set-up of a scenario with just these optional rules."""
    return mustered(name, {}, chosen)


def usual_forces(scenario: str) -> dict[str, str]:
    """A table laid by chance chooses its forces itself."""
    return {} if scenario.startswith(RANDOM) else scenarios.usual_forces(SCENARIOS, scenario)


MUSTER = Muster(lambda: scenarios.armies(FORCES), usual_forces, mustered)
