"""Books of forces as data: for a nation and a period its units, and the battlegroups that they make up.

They are ours: the published Forces books are not in the source, and each file says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.events import several
from sandtable.engine.toml_lines import Steps
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults, cited, unknown_name
from sandtable.rulesets.sof.core.arsenal import Chart, weapons
from sandtable.rulesets.sof.core.state import (
    Capability,
    Figure,
    Formation,
    Role,
    Specialist,
    SpecialRule,
    Training,
    UnitType,
)
from sandtable.rulesets.sof.forces.points import CAPABILITIES, SPECIALISTS
from sandtable.rulesets.sof.forces.set_ups import NOT_HERE_YET

HERE = Path(__file__).parents[1]
Period = Literal["early", "mid", "late"]
Arm = Literal["infantry", "mounted", "vehicle"]
NO_HE_BEFORE: tuple[Period, ...] = ("early",)
"""sof.weapon-charts.he-period: in these periods nobody but the United States fires high explosive indirectly."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some men of a unit who are alike: `count` of them, up to `most` if its owner may take more."""

    profile: str
    role: Role = ""
    arms: tuple[str, ...] = ()
    count: int = 1
    most: int = 0


class Upgrade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Better arms for some men: `number` of those with a weapon have another, or carry more beside it."""

    name: str
    of: str
    number: int = 1
    profile: str = ""
    arms: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a book. `ratings` are Rally, Aggression and Tenacity for each training that it may have."""

    name: str
    ratings: dict[Training, tuple[int, int, int]]
    models: list[Model]
    type: UnitType = "infantry"
    formations: tuple[Formation, ...] = ("loose",)
    special: tuple[SpecialRule, ...] = ()
    recon: int = 0
    he: bool = False
    """It has high explosive although its period has none."""
    upgrades: dict[str, Upgrade] = {}

    @property
    def least(self) -> int:
        return sum(model.count for model in self.models)

    @property
    def size(self) -> str:
        """How many men it may have, in words."""
        return several(self.least, "man", "men") if self.least == self.most else f"{self.least} to {self.most} men"

    @property
    def most(self) -> int:
        return sum(max(model.count, model.most) for model in self.models)

    def figures(self, men: int, upgrades: tuple[str, ...]) -> list[Figure]:
        """So many men, with these upgrades; their leaders first."""
        more = men - self.least
        found = []
        for model in self.models:
            extra = min(more, max(0, model.most - model.count))
            more -= extra
            for _ in range(model.count + extra):
                found.append(Figure(model.profile, role=model.role, arms=model.arms, mounted=self.type == "mounted"))
        for name in upgrades:
            upgrade = self.upgrades[name]
            plain = [one for one in found if one.profile == upgrade.of and not one.role]
            for one in plain[: upgrade.number]:
                one.profile = upgrade.profile or one.profile
                one.arms = (*one.arms, *upgrade.arms)
        return found


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box of an organization diagram: which unit, in which role, and how many at least and at most."""

    entry: str
    belongs: Literal["core", "attached"] = "core"
    least: int = 0
    most: int = 1
    hq: bool = False
    line_holder: bool = False


class SupportBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: str
    most: int = 1


class GroupType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of battlegroup with its organization diagram, and the support open to it as core battlegroup.

    `recon` and `attack` are the recon points and the attack modifier of its command unit.
    """

    name: str
    boxes: list[Box]
    arm: Arm = "infantry"
    about: str = ""
    recon: int = 0
    attack: int = 0
    capabilities: tuple[Capability, ...] = ("energetic", "competent", "green")
    specialists: tuple[Specialist, ...] = ()
    support: list[SupportBox] = []


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.sof.book"]
    title: str
    nation: Chart
    period: Period
    authored: str
    entries: dict[str, Entry]
    battlegroups: dict[str, GroupType]

    def mistakes(self) -> Faults:
        for key, entry in self.entries.items():
            yield from self.entry_amiss(("entries", key), entry)
        for key, group in self.battlegroups.items():
            yield from self.group_amiss(("battlegroups", key), group)

    def entry_amiss(self, steps: Steps, entry: Entry) -> Faults:
        if not entry.ratings:
            yield (*steps, "ratings"), "give the ratings of one training at least: regular = [4, 4, 4]"
        for training, ratings in entry.ratings.items():
            if not all(2 <= rating <= 6 for rating in ratings):
                yield (*steps, "ratings", training), "a rating is a number from 2 to 6"
        if not entry.formations:
            words = "give the formations that it may adopt; one that is bound to close or linear order has that alone"
            yield (*steps, "formations"), cited(words, "sof.formations.close-order-required")
        for index, model in enumerate(entry.models):
            at = (*steps, "models", index)
            yield from self.weapon_amiss((*at, "profile"), model.profile, entry)
            for number, name in enumerate(model.arms):
                yield from self.weapon_amiss((*at, "arms", number), name, entry)
            if model.count < 0 or (model.most and model.most < model.count):
                yield (*at, "most"), "there are no fewer at most than at least"
        for key, upgrade in entry.upgrades.items():
            at = (*steps, "upgrades", key)
            for field, name in [
                ("of", upgrade.of),
                ("profile", upgrade.profile),
                *(("arms", arm) for arm in upgrade.arms),
            ]:
                if name:
                    yield from self.weapon_amiss((*at, field), name, entry)
            if not any(model.profile == upgrade.of and not model.role for model in entry.models):
                yield (*at, "of"), f"no man of the unit has {upgrade.of}"

    def weapon_amiss(self, steps: Steps, name: str, entry: Entry) -> Faults:
        yield from unknown_name(steps, name, weapons(), "weapon")
        weapon = weapons().get(name)
        if weapon is None:
            return
        chart, _, rest = name.partition(".")
        if rest and chart != self.nation:
            yield (
                steps,
                cited(
                    f"{name} is in the chart of another nation: a unit takes its own", "sof.weapon-charts.nation-tables"
                ),
            )
        missing = [each for each in weapon.main.special if each in NOT_HERE_YET]
        if missing:
            yield steps, f"{name} cannot be used yet: {', '.join(missing)}"
        if "he" in weapon.rows and self.period in NO_HE_BEFORE and self.nation != "united-states" and not entry.he:
            words = (
                f"{name} fires high explosive, which {self.period} war forces have not: say he = true if this unit has"
            )
            yield steps, cited(words, "sof.weapon-charts.he-period")

    def group_amiss(self, steps: Steps, group: GroupType) -> Faults:
        for index, box in enumerate(group.boxes):
            yield from unknown_name((*steps, "boxes", index, "entry"), box.entry, self.entries, "unit")
            if not 0 <= box.least <= box.most:
                yield (*steps, "boxes", index, "least"), "a box has no fewer at most than at least"
        for index, support in enumerate(group.support):
            yield from unknown_name((*steps, "support", index, "entry"), support.entry, self.entries, "unit")
        command = [box for box in group.boxes if box.hq]
        if len(command) != 1 or (command[0].least, command[0].most, command[0].belongs) != (1, 1, "core"):
            yield (
                (*steps, "boxes"),
                cited("one core box, with hq = true, is the required command unit", "sof.force.command-unit"),
            )
        for box in command:
            entry = self.entries.get(box.entry)
            if entry is not None and sum(model.count * (model.role == "officer") for model in entry.models) != 1:
                yield (
                    ("entries", box.entry, "models"),
                    cited("a command unit has one officer", "sof.leadership.officer-required"),
                )
        for index, capability in enumerate(group.capabilities):
            if capability not in CAPABILITIES:
                known = ", ".join(CAPABILITIES)
                yield (
                    (*steps, "capabilities", index),
                    cited(f"an officer is chosen as one of: {known}", "sof.leadership.capability"),
                )
        for index, role in enumerate(group.specialists):
            if role not in SPECIALISTS:
                known = ", ".join(SPECIALISTS)
                yield (
                    (*steps, "specialists", index),
                    cited(f"{role or 'nobody'} is no specialist: {known}", "sof.specialists.options"),
                )


BOOKS = Shelf(HERE / "data" / "books", Book, "book")


def books_of(nation: str) -> Iterator[str]:
    """The names of a nation's books."""
    return (name for name in BOOKS.names() if BOOKS.load(name).nation == nation)
