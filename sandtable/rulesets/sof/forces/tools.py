"""Forces of this game as files: how one is begun, shown, and compared with another."""

from __future__ import annotations

from collections import Counter

import msgspec

from sandtable.engine.data import read_text
from sandtable.engine.events import several
from sandtable.engine.ruleset import Comparison, ForceSheet, ForceTools, ParityWishes, Talk
from sandtable.field import forces
from sandtable.rulesets.sof.core.arsenal import weapons
from sandtable.rulesets.sof.core.names import ROLES
from sandtable.rulesets.sof.core.state import SIDES, Figure, Unit
from sandtable.rulesets.sof.forces.armies import FORCES, Force
from sandtable.rulesets.sof.forces.books import BOOKS, HERE, Book, books_of

NATIONS = ("germany", "britain", "france", "united-states")
NEAR = 0.05
"""Forces whose points differ by less than this part of the larger are a match."""

SHEET_RULES = (
    "sof.force-file.contents",
    "sof.force.force-is-battlegroups-plus-support",
    "sof.force.additional-battlegroups",
    "sof.force.three-unit-roles",
    "sof.force.core-units",
    "sof.force.attached-units",
    "sof.force.recon-and-attack-modifier",
    "sof.force.point-levels",
    "sof.units.special-rules-assigned",
)


SPECIALIST_RULES = {"staff-officer": "sof.specialists.staff-officer", "handler": "sof.specialists.handler"}


def first(nation: str) -> str:
    """A first force of a nation: what the first battlegroup of its first book requires."""
    name = next(books_of(nation))
    book = BOOKS.load(name)
    key, kind = next(iter(book.battlegroups.items()))
    lines = [
        'format = "sandtable.sof.force"',
        'title = ""',
        f'book = "{name}"',
        f'period = "{book.period}"',
        "points = 600",
    ]
    lines += ['about = ""', "", "[battlegroups.first]", f'type = "{key}"', 'capability = "competent"']
    for box in kind.boxes:
        training = next(iter(book.entries[box.entry].ratings))
        for number in range(1, box.least + 1):
            lines += ["", f"[battlegroups.first.units.{box.entry}{f'-{number}' if box.most > 1 else ''}]"]
            lines += [f'entry = "{box.entry}"', f'training = "{training}"']
    return "\n".join(lines)


def annotated(text: str, nation: str) -> str:
    """With all battlegroups of the nation's books, their boxes, and the units."""
    tables: dict[str, dict[str, str]] = {}
    for name in books_of(nation):
        book = BOOKS.load(name)
        for key, kind in book.battlegroups.items():
            boxes = {box.entry: f"{box.belongs}, {box.least} to {box.most}" for box in kind.boxes}
            boxes |= {box.entry: f"support, up to {box.most}" for box in kind.support}
            tables[f'{name}: type = "{key}", {kind.name}'] = boxes
        tables[f"{name}: units"] = {key: words_of(book, key) for key in book.entries}
    return forces.annotated(read_text(HERE / "data" / "force-keys.txt"), text, tables)


def words_of(book: Book, key: str) -> str:
    entry = book.entries[key]
    upgrades = f"; upgrades: {', '.join(entry.upgrades)}" if entry.upgrades else ""
    return f"{entry.name}, {entry.size}, {' or '.join(entry.ratings)}{upgrades}"


def sheet(name: str, force: Force) -> ForceSheet:
    units = dict(force.units("red"))
    groups = force.groups("red")
    core = next(iter(groups.values()))
    there = {role for group in force.battlegroups.values() for role in group.specialists}
    rules = (*SHEET_RULES, *(rule for role, rule in SPECIALIST_RULES.items() if role in there))
    dice = ", ".join(f"{group.name} {group.base}" for group in groups.values())
    lines = (
        f"{force.cost()} of {force.points} points, {several(len(units), 'unit')}, {several(men_of(units), 'figure')}.",
        f"Activation dice: {dice}. Recon points {core.recon + sum(unit.recon for unit in units.values())}, "
        f"attack modifier {core.attack}.",
        force.source.authored,
    )
    return ForceSheet(
        force.title,
        ("Unit", "Figures", "Training", "Points", ""),
        tuple(row_of(groups[unit.battlegroup].name if unit.battlegroup else "", unit) for unit in units.values()),
        force.about,
        lines,
        rules,
        {
            "name": name,
            **{key: msgspec.to_builtins(getattr(force, key)) for key in force.__struct_fields__},
            "nation": force.nation,
            "cost": force.cost(),
            "unit_points": {key.removeprefix("red-"): unit.points for key, unit in units.items()},
            "rules": list(rules),
        },
    )


def men_of(units: dict[str, Unit]) -> int:
    return sum(len(unit.teams) for unit in units.values())


def row_of(group: str, unit: Unit) -> tuple[str, ...]:
    counts = Counter(map(spoken, unit.teams.values()))
    figures = "\n".join(f"{number} × {words}" for words, number in counts.items())
    ratings = f"{unit.rally}+ {unit.aggression}+ {unit.tenacity}+"
    remark = ", ".join([f"{unit.belongs}{f' of {group}' if group else ''}", *unit.special])
    return (unit.name, figures, f"{unit.training}, {ratings}", str(unit.points), remark)


def spoken(figure: Figure) -> str:
    arms = [weapons()[name].name for name in (figure.profile, *figure.arms)]
    words = ", ".join(arms)
    return f"{ROLES[figure.role]} ({words})" if figure.role in ROLES else words


def parity(red: Force, blue: Force, wishes: ParityWishes, talk: Talk) -> Comparison:
    """sof.force.point-levels: forces are matched by their points."""
    costs = dict(zip(SIDES, (red.cost(), blue.cost()), strict=True))
    steps = [
        (f"{side}: {force.title}, {costs[side]} points.", "sof.force.point-levels")
        for side, force in zip(SIDES, (red, blue), strict=True)
    ]
    apart = abs(costs["red"] - costs["blue"])
    richer = "red" if costs["red"] > costs["blue"] else "blue"
    stronger = None if apart <= NEAR * max(costs.values()) else richer
    words = "They are a match." if stronger is None else f"{stronger} has {apart} points more."
    steps.append((words, "sof.force.point-levels"))
    return Comparison(tuple(steps), {"points": costs, "stronger": stronger})


TOOLS = ForceTools(FORCES.names, FORCES.load, FORCES.path, NATIONS, first, annotated, sheet, parity=parity)
