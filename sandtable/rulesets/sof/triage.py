"""Triage: what becomes of the wounded, and which figures a unit loses."""

from __future__ import annotations

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.checks import REROLL_RULES, check, reroll
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Role, Unit, all_figures
from sandtable.rulesets.sof.losses import lose_figures, lose_wounds

PATCHED_UP = 6
"""sof.triage.check"""

CARE = 12.0
"""sof.specialists.medic, sof.specialists.farrier"""


def triage(game: Battle, unit: Unit, *rules: str) -> Flow[None]:
    """Every wound marker of a unit is removed, and is a casualty unless a six patches it up."""
    number = unit.wounds
    if not number:
        return
    helped = carer(game, unit)
    for figure in unit.teams.values():
        figure.wounds = 0
    why = f"the wounded of {label(unit)}"
    bare = "no-head-protection" in unit.special
    modifiers = [Modifier(-1, "sof.triage.no-head-protection", "no head protection")] if bare else []
    done = yield from check(game, unit.side, number, PATCHED_UP, why, modifiers)
    cited = [*rules, "sof.triage.must", "sof.triage.check", "sof.shooting.wound-until-triage", *done.rules]
    if helped is not None and done.missed:
        yield from reroll(game, done, done.missed, why)
        cited += [helped, *REROLL_RULES]
    lost = number - done.passes
    taken = several(lost, "casualty", "casualties")
    text = f"{label(unit)} has {several(number, 'wound')}: {done.passes} patched up, {taken}."
    game.tell(
        "triage",
        text,
        *cited,
        seat=unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=unit.id,
        needed=done.needed,
        patched=done.passes,
        casualties=lost,
    )
    yield from casualties(game, unit, lost)


def carer(game: Battle, unit: Unit) -> str | None:
    """The rule by which a unit may try its failed checks again: a medic for men, a farrier for horses, near enough."""
    role: Role = "farrier" if unit.type == "mounted" else "medic"
    here = board(game)
    mates = here.figures_of(unit)
    for home, figure in all_figures(game.state):
        near = home.side == unit.side and figure.role == role and not figure.disabled and figure.id in here.index
        if near and within_inches(here.gap([figure], mates), CARE):
            return "sof.specialists.farrier" if role == "farrier" else "sof.specialists.medic"
    return None


# Removing casualties.


def casualties(game: Battle, unit: Unit, number: int, *rules: str) -> Flow[None]:
    """A unit takes so many casualties: whole figures as far as possible, and what is left over marks one of them."""
    if not number:
        return
    figures = list(unit.teams.values())
    if sum(figure.cost for figure in figures) <= number:
        yield from lose_figures(game, unit, figures, "no man is left", "sof.triage.remove", *rules)
        return
    words = f"{label(unit)} takes {several(number, 'casualty', 'casualties')}. Who is lost?"
    why = several(number, "casualty", "casualties")
    yield from lose_wounds(game, unit, number, figures, "casualties", words, why, "sof.triage.remove", *rules)
