"""Losses: who leaves the table, and what follows: ranks close up, a gun goes with its crew, another takes command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome, LaterDict, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.core.board import Battle, remove
from sandtable.rulesets.sof.core.names import NAMES, figure_option, label
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, State, Unit, leader_of, members_of
from sandtable.rulesets.sof.formations import close_up, in_ranks
from sandtable.rulesets.sof.leadership import promote

DICE_LOST = ((2, "sof.force.dice-lost-second-unit"), (5, "sof.force.dice-lost-fifth-unit"))
"""With the second and the fifth unit lost a battlegroup has one die fewer each."""


def lose_figures(game: Battle, unit: Unit, figures: Sequence[Figure], why: str, *rules: str) -> Flow[None]:
    """Some figures of a unit leave the table; the unit with them, if they are all that is left of it."""
    if len(figures) == len(unit.teams):
        yield from lose_unit(game, unit, why, *rules)
        return
    officer = any(figure.role == "officer" for figure in figures)
    ranked = in_ranks(unit)
    for figure in figures:
        remove(game, unit, figure)
    text = f"{label(unit)} loses {several(len(figures), 'figure')}: {why}."
    game.tell("losses", text, *rules, seat=unit.side, unit=unit.id, teams=[each.id for each in figures])
    if unit.wounds and ineffective(unit):
        yield from lose_unit(game, unit, *INEFFECTIVE)
    elif ranked:
        close_up(game, unit)
    if officer:
        yield from command_lost(game, unit.battlegroup)


INEFFECTIVE = ("it is combat ineffective", "sof.shooting.combat-ineffective")


def ineffective(unit: Unit, more: int = 0) -> bool:
    """sof.shooting.combat-ineffective: its wound markers, with so many more, come to all the wounds it has left."""
    return unit.wounds + more >= sum(figure.worth for figure in unit.teams.values())


def lose_unit(game: Battle, unit: Unit, why: str, *rules: str) -> Flow[None]:
    """A whole unit leaves the table."""
    officer = any(figure.role == "officer" for figure in unit.teams.values())
    lost = [*unit.teams]
    for figure in list(unit.teams.values()):
        remove(game, unit, figure)
    del game.state.units[unit.id]
    group = answerable(game.state, unit)
    cited = [*rules]
    if group is not None:
        group.lost += 1
        cited += [rule for number, rule in DICE_LOST if group.lost == number]
        if unit.belongs == "support":
            cited.append("sof.force.dice-lost-support-counts-for-core")
    text = f"{label(unit)} is gone: {why}."
    game.tell("unit-lost", text, *cited, seat=unit.side, unit=unit.id, teams=lost)
    if officer:
        yield from command_lost(game, unit.battlegroup)


def answerable(state: State, unit: Unit) -> Battlegroup | None:
    """Which battlegroup's dice a lost unit counts against: its own, or for a support unit the core battlegroup."""
    if unit.belongs != "support":
        return state.battlegroups.get(unit.battlegroup)
    groups = [each for each in state.battlegroups.values() if each.side == unit.side]
    return next((each for each in groups if each.core), groups[0] if groups else None)


def command_lost(game: Battle, battlegroup: str) -> Flow[None]:
    """A battlegroup that has lost its officer and still has units looks for another; support units have none."""
    if battlegroup and members_of(game.state, battlegroup) and leader_of(game.state, battlegroup) is None:
        yield from promote(game, battlegroup)


def number_of_dice(group: Battlegroup) -> int:
    """sof.force.dice-base-number-kept: what it began with, less what its losses cost."""
    return max(0, group.base - sum(group.lost >= number for number, _ in DICE_LOST))


# Wounds that are lost for good.


def lose_wounds(
    game: Battle, unit: Unit, number: int, figures: Sequence[Figure], topic: str, words: str, why: str, *rules: str
) -> Flow[None]:
    """A unit loses so many wounds of some figures at once: whole figures as far as possible.

    What is left over is a permanent wound of one that is left. The first of the rules says that no more is taken.
    """
    least = "sof.triage.full-figures"
    costs = {figure.id: figure.cost for figure in figures}
    chosen = yield from choose_figures(game, unit, number, costs, topic, words, rules[0], least)
    cited = [*rules, least]
    cited += ["sof.triage.character"] if any(figure.character for figure in chosen) else []
    cited += riding(unit) if any(figure.mounted for figure in chosen) else []
    cited += ["sof.weapon-rules.flamethrower-team"] if any(figure.cost < figure.worth for figure in chosen) else []
    rest = number - sum(figure.cost for figure in chosen)
    if rest > 0:
        marked = yield from choose_marked(game, unit, [each for each in figures if each not in chosen], rest)
        marked.permanent += rest
        text = f"{label(unit)}: {figure_option(marked).label} keeps {several(rest, 'permanent wound')}."
        for_good = ["sof.triage.permanent-wound", *rules]
        for_good += riding(unit) if marked.mounted else []
        for_good += ["sof.units.multi-based-casualties"] if marked.on_base > 1 else []
        name, now = marked.id, marked.permanent
        game.tell("permanent-wound", text, *for_good, seat=unit.side, unit=unit.id, team=name, permanent=now)
    if chosen:
        yield from lose_figures(game, unit, chosen, why, *cited)
    elif unit.wounds and ineffective(unit):
        yield from lose_unit(game, unit, *INEFFECTIVE)


def riding(unit: Unit) -> list[str]:
    """The rules by which a rider has a wound more than a man on foot."""
    return ["sof.triage.mounted", *["sof.unit-special.cavalry-extra-wound"] * ("cavalry" in unit.special)]


def choose_marked(game: Battle, unit: Unit, figures: list[Figure], rest: int) -> Flow[Figure]:
    """Who takes what is left over as permanent wounds: one who is marked already, if that is enough, else anybody."""
    able = [each for each in figures if each.cost > rest]
    marked = [each for each in able if each.permanent] or able
    words = f"Who of {label(unit)} takes {several(rest, 'permanent wound')}?"
    rules = ("sof.triage.permanent-wound", "sof.triage.full-figures")
    message = "It goes to one who bears one already, and who stands it."
    besides = LaterDict[Why](lambda: {each.id: illegal(rules[1], message, field=each.id) for each in figures})
    choices = Choices({each.id: each for each in marked}, figure_option, besides=besides)
    return (yield from choose_one(unit.side, "permanent-wound", words, choices, rules=rules, step="reply"))


# Who of a unit it is.


def choose_figures(
    game: Battle, unit: Unit, number: int, costs: dict[str, int], topic: str, words: str, most: str, least: str
) -> Flow[list[Figure]]:
    """The owner picks figures whose costs come to a number, or as near below it as can be.

    `most` is the rule by which they cost no more, `least` the one by which no other could be added.
    """
    able = {name: figure for name, figure in unit.teams.items() if name in costs}
    usual = plainest(unit, number, costs)
    if alike(unit, list(able.values())):
        return usual

    def refuse(figure: Figure) -> Why:
        down = "is disabled already" if figure.disabled else "is not one of those who are struck"
        return illegal(most, f"{NAMES.label(unit, figure)} {down}.", field=figure.id)

    def legal(names: list[str]) -> Refusal | None:
        return refuse_choice(unit, [able[name] for name in names], number, costs, (most, least))

    besides = LaterDict(lambda: {name: refuse(figure) for name, figure in unit.teams.items() if name not in able})
    question = ChooseSome(
        topic,
        words,
        Choices(able, figure_option, besides=besides),
        0,
        min(number, len(able)),
        legal=legal,
        default=[name for name, figure in able.items() if figure in usual],
        rules=(most, least),
        facts={"unit": unit.id, "number": number},
        step="reply",
    )
    return [able[name] for name in (yield Ask(unit.side, question))]


def refuse_choice(
    unit: Unit, chosen: Sequence[Figure], number: int, costs: dict[str, int], rules: tuple[str, str]
) -> Refusal | None:
    """Whole figures as far as possible, no more than the number; whoever serves a heavy weapon goes last."""
    most, least = rules
    taken = sum(costs[figure.id] for figure in chosen)
    if taken > number:
        return illegal(most, f"These figures come to {taken}.", field=unit.id, legal=f"Choose {number} at most.")
    left = [unit.teams[name] for name in costs if unit.teams[name] not in chosen]
    if any(costs[figure.id] <= number - taken for figure in left if not waits(unit, figure, chosen)):
        legal = "Choose so many that no other can be added."
        return illegal(least, f"Another figure could be added: {number - taken} left.", field=unit.id, legal=legal)
    if any(waits(unit, figure, chosen) for figure in chosen):
        message = "The weapon would be without its gunner while others of its crew are there."
        legal = "It goes with the last of its crew."
        return illegal("sof.units.gun-lost-with-last-crewman", message, field=unit.id, legal=legal)
    return None


def waits(unit: Unit, figure: Figure, chosen: Sequence[Figure]) -> bool:
    """Whether a figure is a heavy weapon's own, with able men of its crew who would go before it."""
    if unit.type != "weapon" or not figure.kind.weapon.crew:
        return False
    return any(other is not figure and other not in chosen for other in unit.able)


def plainest(unit: Unit, number: int, costs: dict[str, int]) -> list[Figure]:
    """What a careful player would choose: plain men with what most carry and nothing else; leaders, heavy weapons last.

    Of those who are alike the last of the roster go first.
    """
    figures = [unit.teams[name] for name in costs]
    plain = [each for each in reversed(figures) if each.role == "" and not each.kind.weapon.crew]
    carried = Counter(each.profile for each in unit.teams.values())
    plain.sort(key=lambda each: (-carried[each.profile], len(each.arms)))
    others = sorted(
        [each for each in figures if each not in plain],
        key=lambda each: (bool(each.kind.weapon.crew), each.character, costs[each.id]),
    )
    chosen: list[Figure] = []
    for figure in [*plain, *others]:
        left = number - sum(costs[each.id] for each in chosen)
        if costs[figure.id] <= left and not waits(unit, figure, chosen):
            chosen.append(figure)
    return chosen


def alike(unit: Unit, figures: Sequence[Figure]) -> bool:
    """Whether it is all one who is chosen: men of one kind who stand in ranks."""
    kinds = {(each.profile, each.role, each.arms, each.worth, each.wounds, each.jammed) for each in figures}
    return unit.formation == "linear" and len(kinds) == 1
