"""What a unit's entry may say: its formations, its specialists and what they carry, its horses."""

from __future__ import annotations

from sandtable.engine.toml_lines import Steps
from sandtable.field.set_ups import Faults
from sandtable.rulesets.sof.core.arsenal import UNARMED
from sandtable.rulesets.sof.core.state import SPECIALISTS, UNARMED_ROLES, Figure, Setup, Unit
from sandtable.rulesets.sof.leadership import COMMUNICATION

ALLOWED = "sof.formations.which-allowed"
OPTIONS = "sof.specialists.options"
HANDLER = "sof.specialists.handler"
STAFF = "sof.specialists.staff-officer"
MUSICIAN = "sof.specialists.musician"
DISMOUNTED = "sof.actions.dismount-mounted"
BOUND = {"close", "linear"}
"""sof.formations.close-order-required: a unit that does not open its ranks is bound to these."""


def entries_amiss(setup: Setup) -> Faults:
    for unit_id, unit in setup.units.items():
        steps: Steps = ("units", unit_id)
        if "loose" not in unit.formations and not set(unit.formations) <= BOUND:
            words = "every unit may be in loose order, if it is not bound to close or linear order alone"
            yield (*steps, "formations"), f"{words} ({ALLOWED})"
        if unit.dismounted and unit.type != "infantry":
            yield (*steps, "dismounted"), f"riders on foot are infantry ({DISMOUNTED})"
        if unit.motorcycles and unit.type != "mounted" and not unit.dismounted:
            yield (*steps, "motorcycles"), "only a mounted unit rides, or one that has dismounted: leave it out"
        yield from specialists_amiss(steps, unit)
        for figure_id, figure in unit.teams.items():
            yield from role_amiss((*steps, "teams", figure_id), unit, figure)


def specialists_amiss(steps: Steps, unit: Unit) -> Faults:
    roles = [figure.role for figure in unit.teams.values()]
    if roles.count("staff-officer") != roles.count("aide"):
        yield (*steps, "teams"), f"each staff officer has an aide with him ({STAFF})"
    if sum(role in COMMUNICATION for role in roles) > 1:
        words = "an HQ has one communication specialist, or a musician in his place"
        yield (*steps, "teams"), f"{words} ({MUSICIAN})"


def role_amiss(steps: Steps, unit: Unit, figure: Figure) -> Faults:
    if figure.role in SPECIALISTS and not unit.hq:
        rule = HANDLER if figure.role == "handler" else OPTIONS
        yield (*steps, "role"), f"specialists are in a battlegroup's HQ unit ({rule})"
    unarmed = UNARMED_ROLES.get(figure.role)
    if unarmed is not None and (figure.profile != UNARMED or figure.arms):
        yield (*steps, "profile"), f'a {figure.role} carries no weapon: write "{UNARMED}" ({unarmed})'
    if figure.unhorsed and not unit.dismounted:
        yield (*steps, "unhorsed"), "only a rider on foot can have lost his horse"
