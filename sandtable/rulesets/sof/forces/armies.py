"""Forces as files: battlegroups and support units chosen from a book, what may be amiss, how it musters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

import msgspec

from sandtable.engine.toml_lines import Steps
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults, cited, unknown_name
from sandtable.rulesets.sof.core.state import (
    Battlegroup,
    Capability,
    Figure,
    Side,
    Specialist,
    Training,
    Unit,
    base_dice,
)
from sandtable.rulesets.sof.forces import points
from sandtable.rulesets.sof.forces.books import BOOKS, HERE, Book, GroupType, Period

MOST_VEHICLE_GROUPS = 1
"""sof.force.one-vehicle-battlegroup"""


class Chosen(msgspec.Struct, forbid_unknown_fields=True):
    """A unit of a force: which of its book, how many men (the fewest, if it does not say), and what it has besides."""

    entry: str
    training: Training = "regular"
    name: str = ""
    men: int = 0
    upgrades: tuple[str, ...] = ()


class Group(msgspec.Struct, forbid_unknown_fields=True):
    """A battlegroup of a force; the first one of a force is its core battlegroup."""

    type: str
    units: dict[str, Chosen]
    name: str = ""
    capability: Capability = "competent"
    specialists: tuple[Specialist, ...] = ()


class Force(msgspec.Struct, forbid_unknown_fields=True, dict=True):
    """A force of one book and one period, within a number of points."""

    format: Literal["sandtable.sof.force"]
    title: str
    book: str
    period: Period
    points: int
    battlegroups: dict[str, Group]
    support: dict[str, Chosen] = {}
    about: str = ""

    @cached_property
    def source(self) -> Book:
        return BOOKS.load(self.book)

    @property
    def nation(self) -> str:
        return self.source.nation

    # What may be wrong.

    def mistakes(self) -> Faults:
        missing = BOOKS.missing(self.book)
        if missing is not None:
            yield ("book",), cited(f"{missing}", "sof.force.single-forces-book")
            return
        if self.period != self.source.period:
            words = f"{self.book} is of the {self.source.period} war: a force is of one period"
            yield ("period",), cited(words, "sof.force.single-period")
        if not self.battlegroups:
            yield ("battlegroups",), cited("a force has one battlegroup at least", "sof.force.at-least-one-battlegroup")
            return
        sound = True
        for key, group in self.battlegroups.items():
            wrong = list(self.group_amiss(("battlegroups", key), group))
            sound = sound and not wrong
            yield from wrong
        vehicles = [group for group in self.battlegroups.values() if self.arm_of(group) == "vehicle"]
        if len(vehicles) > MOST_VEHICLE_GROUPS:
            yield (
                ("battlegroups",),
                cited("a force has one vehicle battlegroup at most", "sof.force.one-vehicle-battlegroup"),
            )
        for wrong_one in (*self.support_amiss(), *self.named_twice()):
            sound = False
            yield wrong_one
        if sound and self.cost() > self.points:
            words = cited(f"it comes to {self.cost()} points, more than it may have", "sof.force.point-levels")
            yield ("points",), words

    def named_twice(self) -> Faults:
        """A unit has its name alone in the whole force, since by that it is known on the table."""
        known: set[str] = set()
        lists: list[tuple[Steps, dict[str, Chosen]]] = [
            (("battlegroups", key, "units"), group.units) for key, group in self.battlegroups.items()
        ]
        for steps, units in (*lists, (("support",), self.support)):
            for name in units:
                if name in known:
                    words = f"another unit of the force is called {name!r}: give each a name of its own"
                    yield (*steps, name), cited(words, "sof.units.models-in-units")
                known.add(name)

    def arm_of(self, group: Group) -> str:
        found = self.source.battlegroups.get(group.type)
        return found.arm if found is not None else ""

    def group_amiss(self, steps: Steps, group: Group) -> Faults:
        types = self.source.battlegroups
        yield from unknown_name((*steps, "type"), group.type, types, "battlegroup")
        if group.type not in types:
            return
        kind = types[group.type]
        if group.capability not in kind.capabilities:
            known = ", ".join(kind.capabilities)
            yield (*steps, "capability"), cited(f"its officer is one of: {known}", "sof.leadership.capability")
        for index, role in enumerate(group.specialists):
            if role not in kind.specialists:
                known = ", ".join(kind.specialists) or "none"
                yield (
                    (*steps, "specialists", index),
                    cited(f"its command unit may have: {known}", "sof.specialists.options"),
                )
            elif role in group.specialists[:index]:
                yield (*steps, "specialists", index), cited("one of each is enough", "sof.specialists.options")
        counts = dict.fromkeys((box.entry for box in kind.boxes), 0)
        for key, chosen in group.units.items():
            at = (*steps, "units", key)
            if chosen.entry not in counts:
                words = f"{chosen.entry} is in no box of {group.type}: {', '.join(counts)}"
                yield (*at, "entry"), cited(words, "sof.force.organization-diagram")
                continue
            counts[chosen.entry] += 1
            yield from self.unit_amiss(at, chosen)
        for box in kind.boxes:
            number = counts[box.entry]
            if number < box.least:
                verb = "is" if box.least == 1 else "are"
                words = f"it has {number} of {box.entry}, and {box.least} {verb} required"
                rule = "sof.force.command-unit" if box.hq else "sof.force.required-core-units"
                yield (*steps, "units"), cited(words, rule)
            if number > box.most:
                yield (
                    (*steps, "units"),
                    cited(f"{number} of {box.entry}, and {box.most} at most", "sof.force.organization-diagram"),
                )

    def support_amiss(self) -> Faults:
        core = self.source.battlegroups.get(next(iter(self.battlegroups.values())).type)
        open_to_it = {box.entry: box.most for box in core.support} if core is not None else {}
        for key, chosen in self.support.items():
            if chosen.entry not in open_to_it:
                known = ", ".join(open_to_it) or "nothing"
                words = f"{chosen.entry} is no support of the core battlegroup: {known}"
                yield ("support", key, "entry"), cited(words, "sof.force.core-battlegroup")
                continue
            yield from self.unit_amiss(("support", key), chosen)
        for entry, most in open_to_it.items():
            number = sum(chosen.entry == entry for chosen in self.support.values())
            if number > most:
                yield ("support",), cited(f"{number} of {entry}, and {most} at most", "sof.force.core-battlegroup")

    def unit_amiss(self, steps: Steps, chosen: Chosen) -> Faults:
        entry = self.source.entries[chosen.entry]
        if chosen.training not in entry.ratings:
            yield (
                (*steps, "training"),
                cited(f"{chosen.entry} is {' or '.join(entry.ratings)}", "sof.force-file.contents"),
            )
        if chosen.men and not entry.least <= chosen.men <= entry.most:
            words = cited(f"{chosen.entry} has {entry.size}", "sof.force.organization-diagram")
            yield (*steps, "men"), words
        for index, name in enumerate(chosen.upgrades):
            yield from unknown_name((*steps, "upgrades", index), name, entry.upgrades, "upgrade")

    # What it comes to.

    def cost(self) -> int:
        return sum(unit.points for _, unit in self.units("red"))

    def units(self, side: Side) -> Iterator[tuple[str, Unit]]:
        """Every unit of the force as it takes the field, with its points."""
        for key, group in self.battlegroups.items():
            kind = self.source.battlegroups[group.type]
            for name, chosen in group.units.items():
                box = next(each for each in kind.boxes if each.entry == chosen.entry)
                unit = self.raised(side, f"{side}-{name}", chosen, group if box.hq else None)
                unit.battlegroup, unit.belongs, unit.hq = f"{side}-{key}", box.belongs, box.hq
                yield f"{side}-{name}", unit
        for name, chosen in self.support.items():
            unit = self.raised(side, f"{side}-{name}", chosen, None)
            unit.belongs = "support"
            yield f"{side}-{name}", unit

    def raised(self, side: Side, unit_id: str, chosen: Chosen, led: Group | None) -> Unit:
        """A unit with its men; a command unit has its battlegroup's specialists as well, and its officer's price."""
        entry = self.source.entries[chosen.entry]
        ratings = entry.ratings[chosen.training]
        men = entry.figures(chosen.men or entry.least, chosen.upgrades)
        cost = points.unit(men, chosen.training, ratings, entry.formations, entry.recon)
        if led is not None:
            cost += points.CAPABILITIES[led.capability] + sum(points.SPECIALISTS[role] for role in led.specialists)
            men += [
                Figure("unarmed", role=role, mounted=entry.type == "mounted") for role in with_aides(led.specialists)
            ]
        return Unit(
            side,
            chosen.training,
            dict(named(unit_id, men)),
            name=chosen.name or entry.name,
            type=entry.type,
            rally=ratings[0],
            aggression=ratings[1],
            tenacity=ratings[2],
            formations=entry.formations,
            formation=entry.formations[0],
            special=entry.special,
            points=cost,
            recon=entry.recon,
        )

    def groups(self, side: Side) -> dict[str, Battlegroup]:
        """The battlegroups as they take the field: the first is the core battlegroup, and its values count."""
        found = {}
        units = [unit for _, unit in self.units(side)]
        for number, (key, group) in enumerate(self.battlegroups.items()):
            kind: GroupType = self.source.battlegroups[group.type]
            name = f"{side}-{key}"
            base = base_dice([unit for unit in units if unit.battlegroup == name])
            found[name] = Battlegroup(
                side,
                group.name or kind.name,
                group.capability,
                core=not number,
                base=base,
                attack=kind.attack,
                recon=kind.recon,
            )
        return found


def with_aides(specialists: Iterable[Specialist]) -> Iterator[Specialist]:
    """sof.specialists.staff-officer: each staff officer brings an aide."""
    for role in specialists:
        yield role
        if role == "staff-officer":
            yield "aide"


def named(unit_id: str, men: list[Figure]) -> Iterator[tuple[str, Figure]]:
    """Men by their ids: leaders and specialists by what they are, the others numbered."""
    counts: Counter[str] = Counter()
    for man in men:
        role = man.role if man.role not in ("loader", "crew") else ""
        counts[role] += 1
        number = counts[role]
        yield "-".join([unit_id, *([role] if role else []), *([str(number)] if number > 1 or not role else [])]), man


FORCES = Shelf(HERE / "forces", Force, "force")
