"""Triage: what becomes of the wounded, and which figures a unit loses."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.checks import REROLL_RULES, check, reroll
from sandtable.rulesets.sof.core.names import figure_option, label
from sandtable.rulesets.sof.core.state import Figure, Role, Unit, all_figures
from sandtable.rulesets.sof.losses import lose_figures

PATCHED_UP = 6
"""sof.triage.check"""

CARE = 12.0
"""sof.specialists.medic, sof.specialists.farrier"""


def triage(game: Battle, unit: Unit) -> Flow[None]:
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
    cited = ["sof.triage.must", "sof.triage.check", *done.rules]
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
    mates = here.on(unit.teams.values())
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
    chosen = yield from choose_casualties(game, unit, number, *rules)
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


def choose_casualties(game: Battle, unit: Unit, number: int, *rules: str) -> Flow[list[Figure]]:
    figures = unit.teams
    usual = plainest(unit, number)
    if alike(unit):
        return usual

    def legal(names: list[str]) -> Refusal | None:
        return refuse_casualties(unit, [figures[name] for name in names], number)

    words = f"{label(unit)} takes {several(number, 'casualty', 'casualties')}. Who is lost?"
    options = [figure_option(figure) for figure in figures.values()]
    question = ChooseSome(
        "casualties",
        words,
        options,
        0,
        min(number, len(figures)),
        legal=legal,
        default=[figure.id for figure in figures.values() if figure in usual],
        rules=(*rules, "sof.triage.full-figures"),
        facts={"unit": unit.id, "casualties": number},
        step="reply",
    )
    return [figures[name] for name in (yield Ask(unit.side, question))]


def refuse_casualties(unit: Unit, chosen: list[Figure], number: int) -> Refusal | None:
    """Whole figures as far as possible, no more than the casualties; whoever serves a heavy weapon goes last."""
    taken = sum(figure.worth for figure in chosen)
    left = [figure for figure in unit.teams.values() if figure not in chosen]
    if taken > number:
        message = f"These figures are worth {several(taken, 'casualty', 'casualties')}."
        return illegal(
            "sof.triage.remove", message, field="casualties", legal=f"Choose figures worth {number} at most."
        )
    if any(figure.worth <= number - taken for figure in left if not waits(unit, figure, chosen)):
        message = f"{several(number - taken, 'casualty', 'casualties')} would remove another figure."
        legal = "Whole figures must be removed as far as possible."
        return illegal("sof.triage.full-figures", message, field="casualties", legal=legal)
    if any(waits(unit, figure, chosen) for figure in chosen):
        message = "The weapon would be lost while its crew is not."
        legal = "It goes with the last of its crew."
        return illegal("sof.units.gun-lost-with-last-crewman", message, field="casualties", legal=legal)
    return None


def waits(unit: Unit, figure: Figure, chosen: Sequence[Figure]) -> bool:
    """Whether a figure is a heavy weapon's own, with others of its crew who would be lost before it."""
    if unit.type != "weapon" or not figure.kind.weapon.crew:
        return False
    return any(other is not figure and other not in chosen for other in unit.teams.values())


def plainest(unit: Unit, number: int) -> list[Figure]:
    """What a careful player would lose: plain men from the end of the roster, leaders and heavy weapons last."""
    ranked = sorted(unit.teams.values(), key=lambda each: (bool(each.kind.weapon.crew), each.role != "", each.worth))
    ranked = [each for each in reversed(ranked) if each.role == "" and not each.kind.weapon.crew] + [
        each for each in ranked if each.role != "" or each.kind.weapon.crew
    ]
    chosen: list[Figure] = []
    for figure in ranked:
        left = number - sum(each.worth for each in chosen)
        if figure.worth <= left and not waits(unit, figure, chosen):
            chosen.append(figure)
    return chosen


def alike(unit: Unit) -> bool:
    """Whether it is all one who is lost: men of one kind, standing in ranks."""
    kinds = {(each.profile, each.role, each.arms, each.worth, each.jammed) for each in unit.teams.values()}
    return unit.formation == "linear" and len(kinds) == 1


def choose_marked(game: Battle, unit: Unit, figures: list[Figure], rest: int) -> Flow[Figure]:
    """Who takes what is left over as permanent wounds: one who is marked already, if that is enough, else anybody."""
    able = [each for each in figures if each.worth > rest] or figures
    marked = [each for each in able if each.permanent] or able
    words = f"Who of {label(unit)} takes {several(rest, 'permanent wound')}?"
    choices = Choices({each.id: each for each in marked}, figure_option)
    rules = ("sof.triage.permanent-wound", "sof.triage.full-figures")
    return (yield from choose_one(unit.side, "permanent-wound", words, choices, rules=rules, step="reply"))
