"""Triage: what becomes of the wounded, and which figures a unit loses."""

from __future__ import annotations

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.checks import REROLL_RULES, check, reroll
from sandtable.rulesets.sof.core.names import figure_option, label
from sandtable.rulesets.sof.core.state import Figure, Role, Unit, all_figures
from sandtable.rulesets.sof.losses import choose_figures, lose_figures

PATCHED_UP = 6
"""sof.triage.check"""

CARE = 12.0
"""sof.specialists.medic, sof.specialists.farrier"""


def triage(game: Battle, unit: Unit, *rules: str) -> Flow[None]:
    """Every wound marker of a unit is removed, and is a casualty unless a six patches it up."""
    number = unit.wounds
    if not number:
        return
    for figure in unit.teams.values():
        figure.wounds = 0
    why = f"the wounded of {label(unit)}"
    bare = "no-head-protection" in unit.special
    modifiers = [Modifier(-1, "sof.triage.no-head-protection", "no head protection")] if bare else []
    done = yield from check(game, unit.side, number, PATCHED_UP, why, modifiers)
    cited = [*rules, "sof.triage.must", "sof.triage.check", *done.rules]
    helped = carer(game, unit)
    failed = [index for index, passed in enumerate(done.passed) if not passed]
    if helped is not None and failed:
        yield from reroll(game, done, failed, why)
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
        patched=done.passes,
        casualties=lost,
    )
    yield from casualties(game, unit, lost, "sof.triage.remove")


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
    if sum(figure.worth for figure in figures) <= number:
        yield from lose_figures(game, unit, figures, "no man is left", *rules)
        return
    words = f"{label(unit)} takes {several(number, 'casualty', 'casualties')}. Who is lost?"
    costs = {figure.id: figure.worth for figure in figures}
    full = ("sof.triage.remove", "sof.triage.full-figures")
    chosen = yield from choose_figures(game, unit, number, costs, "casualties", words, *full)
    rest = number - sum(figure.worth for figure in chosen)
    cited = [*rules, "sof.triage.full-figures"]
    cited += ["sof.triage.character"] if any(figure.character for figure in chosen) else []
    cited += ["sof.triage.mounted"] if any(figure.mounted for figure in chosen) else []
    if rest:
        marked = yield from choose_marked(game, unit, [each for each in figures if each not in chosen], rest)
        marked.permanent += rest
        text = f"{label(unit)}: {figure_option(marked).label} keeps {several(rest, 'permanent wound')}."
        rules = ("sof.triage.permanent-wound", "sof.triage.mounted")
        name, now = marked.id, marked.permanent
        game.tell("permanent-wound", text, *rules, seat=unit.side, unit=unit.id, team=name, permanent=now)
    if chosen:
        yield from lose_figures(game, unit, chosen, several(number, "casualty", "casualties"), *cited)


def choose_marked(game: Battle, unit: Unit, figures: list[Figure], rest: int) -> Flow[Figure]:
    """Who takes what is left over as permanent wounds: one who is marked already, if that is enough, else anybody."""
    able = [each for each in figures if each.worth > rest] or figures
    marked = [each for each in able if each.permanent] or able
    words = f"Who of {label(unit)} takes {several(rest, 'permanent wound')}?"
    choices = Choices({each.id: each for each in marked}, figure_option)
    rules = ("sof.triage.permanent-wound", "sof.triage.full-figures")
    return (yield from choose_one(unit.side, "permanent-wound", words, choices, rules=rules, step="reply"))
