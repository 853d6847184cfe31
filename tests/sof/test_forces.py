"""Forces and books: what is wrong in a file is told by its line and its rule; points follow from the charts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine import data
from sandtable.rulesets.sof.core.state import Figure
from sandtable.rulesets.sof.forces import TOOLS, points
from sandtable.rulesets.sof.forces.armies import FORCES, Force
from sandtable.rulesets.sof.forces.books import BOOKS, Book

RULES = rulesets.load("sof")
SECOND = 'gruppe-2 = { entry = "gruppe"'
RIFLE = Figure("bolt-action-rifle")


def text_of(name: str) -> str:
    return FORCES.path(name).read_text(encoding="utf-8")


def problem(text: str, type_: type = Force) -> data.DataError:
    with pytest.raises(data.DataError) as found:
        data.parse(text, type_, "mine.toml")
    return found.value


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


# What comes with the game.


@pytest.mark.rule("sof.force-file.contents")
def test_there_are_two_battlegroups_for_each_of_four_nations_and_forces_of_each() -> None:
    books = [BOOKS.load(name) for name in BOOKS.names()]
    assert all(book.authored.startswith("Ours") for book in books)
    for nation in TOOLS.nations:
        groups = [key for book in books if book.nation == nation for key in book.battlegroups]
        assert len(groups) >= 2, nation
        assert sum(FORCES.load(name).nation == nation for name in FORCES.names()) >= 2
    assert any(group.arm == "mounted" for book in books for group in book.battlegroups.values())


@pytest.mark.rule("sof.force.point-levels")
@pytest.mark.parametrize("name", FORCES.names())
def test_every_force_keeps_to_its_points(name: str) -> None:
    force = FORCES.load(name)
    assert 0.7 * force.points <= force.cost() <= force.points
    units = dict(force.units("red"))
    assert sum(unit.points for unit in units.values()) == force.cost()


def test_a_patrol_has_four_to_six_units_and_a_company_ten_to_twelve() -> None:
    for name in RULES.scenarios():
        setup = RULES.scenario(name)
        for side in ("red", "blue") if setup.mission else ():
            count = sum(unit.side == side for unit in setup.units.values())
            assert 10 <= count <= 12 if setup.mission == "hasty-assault" else 4 <= count <= 6, (name, side)


# What may be wrong with a force.


@pytest.mark.rule(
    "sof.force-file.contents",
    "sof.force.command-unit",
    "sof.force.core-battlegroup",
    "sof.force.organization-diagram",
    "sof.force.point-levels",
    "sof.force.required-core-units",
    "sof.force.single-forces-book",
    "sof.force.single-period",
    "sof.leadership.capability",
    "sof.specialists.options",
    "sof.units.models-in-units",
)
@pytest.mark.parametrize(
    ("old", "new", "rule", "at"),
    [
            ('book = "germany-late"', 'book = "sweden-late"', "sof.force.single-forces-book", "book ="),
            ('period = "late"', 'period = "early"', "sof.force.single-period", "period ="),
            ('capability = "energetic"', 'capability = "inspiring"', "sof.leadership.capability", "capability ="),
            ('specialists = ["medic"]', 'specialists = ["musician"]', "sof.specialists.options", "specialists ="),
            ('specialists = ["medic"]', 'specialists = ["medic", "medic"]', "sof.specialists.options", "specialists ="),
            (SECOND, SECOND.replace("gruppe\"", "stoss\""), "sof.force.organization-diagram", "gruppe-2 ="),
            (SECOND, SECOND.replace("gruppe\"", "lmg\""), "sof.force.required-core-units", "units]"),
            ('hq = { entry = "hq"', 'hq = { entry = "gruppe"', "sof.force.command-unit", "units]"),
            ('mg = { entry = "mg08"', 'mg = { entry = "lmg"', "sof.force.core-battlegroup", "mg ="),
            ('mg = { entry = "mg08"', 'hq = { entry = "mg08"', "sof.units.models-in-units", 'hq = { entry = "mg08"'),
            ('points = 600', 'points = 529', "sof.force.point-levels", "points ="),
            ('training = "veteran"', 'training = "inexperienced"', "sof.force-file.contents", "spaehtrupp ="),
    ],
)  # fmt: skip
def test_a_mistake_in_a_force_is_told_with_its_rule_and_line(old: str, new: str, rule: str, at: str) -> None:
    text = text_of("german-patrol")
    assert data.parse(text, Force, "mine.toml").cost() == 530
    assert old in text
    changed = text.replace(old, new, 1)
    found = problem(changed)
    assert f"({rule})" in str(found)
    assert found.line == line_of(changed, at)


@pytest.mark.rule("sof.force.point-levels")
def test_a_force_may_come_to_all_the_points_that_it_may_have() -> None:
    exact = text_of("german-patrol").replace("points = 600", "points = 530", 1)
    assert data.parse(exact, Force, "mine.toml").cost() == 530


@pytest.mark.rule("sof.force.organization-diagram")
def test_no_box_holds_more_than_it_may_and_no_unit_more_men() -> None:
    text = text_of("german-patrol")
    more = "\n".join(f'more-{number} = {{ entry = "gruppe" }}' for number in range(2))
    rich = text.replace("points = 600", "points = 2000")
    four = rich.replace("gruppe-1 =", f"{more}\ngruppe-1 =")
    assert data.parse(four, Force, "mine.toml").cost() > 600
    five = rich.replace("gruppe-1 =", f'{more}\nmore-3 = {{ entry = "gruppe" }}\ngruppe-1 =')
    assert "5 of gruppe, and 4 at most" in str(problem(five))
    men = 'gruppe-1 = { entry = "gruppe", men ='
    assert data.parse(rich.replace('gruppe-1 = { entry = "gruppe"', f"{men} 11"), Force, "mine.toml")
    assert "gruppe has 9 to 11 men" in str(problem(rich.replace('gruppe-1 = { entry = "gruppe"', f"{men} 12")))


@pytest.mark.rule("sof.force.at-least-one-battlegroup")
def test_a_force_has_a_battlegroup() -> None:
    head = text_of("german-patrol").partition("[battlegroups")[0]
    assert "(sof.force.at-least-one-battlegroup)" in str(problem(f"{head}\n[battlegroups]\n"))


@pytest.mark.rule("sof.force.core-battlegroup")
@pytest.mark.rule("sof.force.additional-battlegroups")
@pytest.mark.rule("sof.force.force-is-battlegroups-plus-support")
def test_the_first_battlegroup_is_the_core_and_opens_the_support() -> None:
    force = FORCES.load("german-company")
    groups = force.groups("blue")
    assert [(name, group.core) for name, group in groups.items()] == [("blue-zug", True), ("blue-stoss", False)]
    # Two of its granatenwerfer boxes are open to the Stosstrupp, and one machine gun only: the Zug decides.
    text = text_of("german-company").replace("points = 1500", "points = 3000")
    two = text.replace('mg = { entry = "mg08"', 'more = { entry = "mg08" }\nmg = { entry = "mg08"')
    assert data.parse(two, Force, "mine.toml").support
    first, _, second = text.partition("\n[battlegroups.stoss]")
    head, _, zug = first.partition("\n[battlegroups.zug]")
    stoss, _, support = second.partition("\n[support]")
    more = support.replace('mg = { entry = "mg08"', 'more = { entry = "mg08" }\nmg = { entry = "mg08"')
    swapped = f"{head}\n[battlegroups.stoss]{stoss}\n[battlegroups.zug]{zug}\n[support]{more}"
    assert "2 of mg08, and 1 at most (sof.force.core-battlegroup)" in str(problem(swapped))


@pytest.mark.rule("sof.force.recon-and-attack-modifier")
@pytest.mark.rule("sof.force.core-units")
@pytest.mark.rule("sof.force.attached-units")
@pytest.mark.rule("sof.force.three-unit-roles")
@pytest.mark.rule("sof.force.dice-support")
@pytest.mark.rule("sof.force.support-units-outside-battlegroups")
def test_roles_dice_and_the_command_units_values_come_from_the_book() -> None:
    setup = RULES.scenario("hasty-assault")
    zug, stoss = (setup.battlegroups[f"blue-{name}"] for name in ("zug", "stoss"))
    # A command unit and four squads; two attached units are one die more, and the gun is none.
    assert (zug.base, stoss.base) == (6, 4)
    assert (zug.attack, zug.recon, stoss.attack, stoss.recon) == (1, 2, 3, 4)
    roles = {name: (unit.belongs, unit.battlegroup) for name, unit in setup.units.items()}
    assert roles["blue-gruppe-1"] == ("core", "blue-zug")
    assert roles["blue-schuetzen"] == ("attached", "blue-zug")
    assert roles["blue-mg"] == ("support", "")
    assert sum(unit.hq for unit in setup.units.values() if unit.side == "blue") == 2


@pytest.mark.rule("sof.force.one-vehicle-battlegroup")
def test_one_vehicle_battlegroup_at_most() -> None:
    force = data.parse(text_of("german-company"), Force, "mine.toml")
    vehicles = {key: {**each, "arm": "vehicle"} for key, each in groups_as_data("germany-late").items()}
    book = as_data("germany-late") | {"battlegroups": vehicles}
    force.source = book_of(book)
    assert any("(sof.force.one-vehicle-battlegroup)" in words for _, words in force.mistakes())
    force.source = book_of(as_data("germany-late"))
    assert list(force.mistakes()) == []


@pytest.mark.rule("sof.specialists.staff-officer")
@pytest.mark.rule("sof.specialists.handler")
def test_a_staff_officer_brings_his_aide_and_both_are_told_on_the_sheet() -> None:
    text = text_of("german-patrol").replace('["medic"]', '["staff-officer", "handler"]').replace("600", "700")
    force = data.parse(text, Force, "mine.toml")
    hq = dict(force.units("red"))["red-hq"]
    assert [figure.role for figure in hq.teams.values()][-3:] == ["staff-officer", "aide", "handler"]
    assert (
        force.cost()
        == 530 - points.SPECIALISTS["medic"] + points.SPECIALISTS["staff-officer"] + points.SPECIALISTS["handler"]
    )
    assert {"sof.specialists.staff-officer", "sof.specialists.handler"} <= set(TOOLS.sheet("mine", force).rules)


# What may be wrong with a book.


def as_data(name: str) -> dict:
    return data.parse_toml(BOOKS.path(name).read_text(encoding="utf-8"), name)


def groups_as_data(name: str) -> dict:
    return as_data(name)["battlegroups"]


def book_of(plain: dict) -> Book:
    return msgspec.convert(plain, Book)


@pytest.mark.rule(
    "sof.force.command-unit",
    "sof.formations.close-order-required",
    "sof.leadership.capability",
    "sof.leadership.officer-required",
    "sof.specialists.options",
    "sof.weapon-charts.he-period",
    "sof.weapon-charts.nation-tables",
)
@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('"germany.mg08-mg"', '"france.hotchkiss-mg"', "sof.weapon-charts.nation-tables"),
        ('profile = "pistol", role = "officer"', 'profile = "pistol"', "sof.leadership.officer-required"),
        ("least = 1, hq = true", "hq = true", "sof.force.command-unit"),
        ('["linear", "close", "loose"]', "[]", "sof.formations.close-order-required"),
        ('"germany.mg08-mg"', '"germany.7-5cm-skoda-m15-ig"', "sof.weapon-charts.he-period"),
        ('capabilities = ["inspiring"', 'capabilities = ["acting"', "sof.leadership.capability"),
        ('specialists = ["musician"', 'specialists = ["aide"', "sof.specialists.options"),
    ],
)
def test_a_mistake_in_a_book_is_told_with_its_rule(old: str, new: str, rule: str) -> None:
    text = BOOKS.path("germany-early").read_text(encoding="utf-8")
    data.parse(text, Book, "book.toml")
    assert old in text
    changed = text.replace(old, new, 1)
    found = problem(changed, Book)
    assert f"({rule})" in str(found)
    assert found.line > 1


@pytest.mark.rule("sof.weapon-charts.he-period")
def test_high_explosive_is_there_after_the_early_war_and_where_a_unit_says_so() -> None:
    text = BOOKS.path("germany-early").read_text(encoding="utf-8")
    gun = text.replace('"germany.mg08-mg"', '"germany.7-5cm-skoda-m15-ig"')
    data.parse(gun.replace('period = "early"', 'period = "mid"'), Book, "book.toml")
    data.parse(gun.replace("[entries.mg08]", "[entries.mg08]\nhe = true"), Book, "book.toml")


@pytest.mark.rule("sof.units.special-rules-assigned")
def test_a_unit_has_the_special_rules_of_its_entry_and_only_such_as_are_known() -> None:
    setup = RULES.scenario("august-1914")
    assert setup.units["blue-jaeger"].special == ("recon", "no-head-protection")
    assert setup.units["blue-hq"].special == ()
    text = BOOKS.path("germany-early").read_text(encoding="utf-8")
    found = problem(text.replace('special = ["no-head-protection"]', 'special = ["invisible"]', 1), Book)
    assert found.line == line_of(text, 'special = ["no-head-protection"]')


@pytest.mark.rule("sof.formations.close-order-required")
def test_a_unit_bound_to_close_order_has_no_other() -> None:
    setup = RULES.scenario("hasty-assault")
    assert setup.units["blue-schuetzen"].formations == ("close",)


# Points.


@pytest.mark.rule("sof.force.point-levels")
def test_points_follow_from_men_weapons_training_ratings_and_formations() -> None:
    # A man takes one casualty (8) and has half a die at 24 inches that wounds on 5+ (2).
    assert points.figure(RIFLE) == 10
    # A leader takes two.
    assert points.figure(Figure("bolt-action-rifle", role="nco")) == 18
    # Half of what he carries beside: a grenade is a die at 6 inches on 4+, 1.5; a club is 2.
    assert points.figure(Figure("bolt-action-rifle", arms=("grenade", "close-fighting-weapon"))) == 10 + 0.75 + 1
    # Six dice at the halt and two on the move, at 36 inches, on 4+.
    assert points.weapon("germany.mg08-mg") == 2 * 4 * 3 * 1.5
    assert points.figure(Figure("bolt-action-rifle", mounted=True)) == 18
    ten = [RIFLE] * 10
    assert points.unit(ten, "regular", (4, 4, 4), ("linear",)) == 100
    assert points.unit(ten, "inexperienced", (4, 4, 4), ("linear",)) == 80
    assert points.unit(ten, "veteran", (4, 4, 4), ("linear",)) == 125
    assert points.unit(ten, "regular", (3, 4, 4), ("linear",)) == 105
    assert points.unit(ten, "regular", (4, 5, 5), ("linear",)) == 90
    assert points.unit(ten, "regular", (4, 4, 4), ("loose", "extended")) == 115
    assert points.unit(ten, "regular", (4, 4, 4), ("linear",), recon=2) == 110


# Patrol Mode.


@pytest.mark.rule("sof.patrol-mode.table")
@pytest.mark.rule("sof.patrol-mode.points")
def test_patrol_mode_has_a_small_table_and_few_points() -> None:
    setup = RULES.scenario("patrol-encounter")
    assert RULES.problems(setup) == []
    first = next(unit for unit in setup.units.values() if unit.side == "red")
    total = sum(unit.points for unit in setup.units.values() if unit.side == "red")
    first.points += 800 - total
    assert RULES.problems(setup) == []
    first.points += 1
    assert any("sof.patrol-mode.points" in words for words in RULES.problems(setup))
    other = RULES.scenario("patrol-encounter")
    other.table = type(other.table)(60, 48)
    assert any("sof.patrol-mode.table" in words for words in RULES.problems(other))


# The commands.


@pytest.mark.parametrize("nation", TOOLS.nations)
def test_a_new_force_is_sound(nation: str, tmp_path: Path) -> None:
    text = TOOLS.annotated(TOOLS.first(nation), nation)
    force = data.parse(text, Force, "new.toml")
    assert force.nation == nation


def test_two_forces_are_compared_by_their_points() -> None:
    patrol, company = FORCES.load("german-patrol"), FORCES.load("german-company")
    wishes = None
    assert TOOLS.parity is not None
    told = TOOLS.parity(patrol, company, wishes, wishes)
    assert told.data == {"points": {"red": 530, "blue": 1214}, "stronger": "blue"}
    assert TOOLS.parity(patrol, patrol, wishes, wishes).data["stronger"] is None
