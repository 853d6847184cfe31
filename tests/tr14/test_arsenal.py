"""The arsenal against the tables of the rules, row by row, and what the table of profiles makes of it."""

import pytest

from sandtable import rulesets
from sandtable.engine import data
from sandtable.engine.ledger import Ledger
from sandtable.rulesets.tr14.core.arsenal import Arsenal, arsenal, profile, profiles

NA = 0
"""Tank weapons have no Tank Assault rating."""

# Name: range, FP, FP in a barrage, TA, type, notes.
WEAPONS = {
    "Rifle": (18, 1, None, 1, "infantry", set()),
    "SMG": (9, 2, None, 1, "infantry", set()),
    "LMG": (18, 3, None, 1, "gun", {"moves-as-infantry"}),
    "HMG": (22, 4, None, 1, "gun", {"moves-as-infantry"}),
    "Bazooka": (10, 2, None, 2, "infantry", {"at"}),
    "Panzerfaust": (4, 2, None, 3, "infantry", {"at"}),
    "Panzerschreck": (10, 3, None, 3, "infantry", {"at"}),
    "60mm mortar": (24, 2, 1, 1, "gun", {"moves-as-infantry", "at", "over-friends"}),
    "81mm mortar": (40, 2, 1, 1, "gun", {"moves-as-infantry", "at", "over-friends"}),
    "57mm": (24, 4, None, 2, "gun", {"at", "shield"}),
    "105mm": (100, 5, 2, 2, "gun", {"at", "artillery", "shield"}),
    "Pak40": (32, 4, None, 2, "gun", {"at", "shield"}),
    "15cm Nebelwerfer": (100, 0, 1, 1, "gun", {"at", "artillery", "rerolls-range-in"}),
    "37mm": (20, 3, None, NA, "tank", {"at"}),
    "75mm": (24, 4, None, NA, "tank", {"at"}),
    "7.5 cm KwK 40": (32, 4, None, NA, "tank", {"at"}),
    "7.5 cm KwK 42": (32, 5, None, NA, "tank", {"at"}),
    "8.8 cm KwK 36": (40, 5, None, NA, "tank", {"at"}),
    "Vehicle MG": (16, 3, None, NA, "tank", set()),
}

# Name: front, flank, main gun, machine guns, move, notes.
TANKS = {
    "M4 Sherman": (5, 5, "75mm", ("hull", "coax"), 12, set()),
    "M3 Stuart": (5, 6, "37mm", ("hull", "coax"), 14, set()),
    "StuG III G": (4, 6, "7.5 cm KwK 40", ("coax",), 12, {"skirts"}),
    "Panzer IV": (5, 6, "7.5 cm KwK 40", ("hull", "coax"), 12, {"skirts"}),
    "Panther": (3, 5, "7.5 cm KwK 42", ("hull", "coax"), 12, {"wide-tracks"}),
    "Tiger I": (3, 4, "8.8 cm KwK 36", ("hull", "coax"), 8, {"wide-tracks"}),
}


@pytest.mark.rule("tr14.arsenal.weapons")
def test_every_weapon_is_as_its_row_says() -> None:
    found = {
        weapon.name: (weapon.range, weapon.fp, weapon.barrage, weapon.ta, weapon.type, set(weapon.notes))
        for weapon in arsenal().weapons.values()
    }
    assert found == WEAPONS
    assert list(found) == list(WEAPONS)


@pytest.mark.rule("tr14.arsenal.tanks")
def test_every_tank_is_as_its_row_says() -> None:
    weapons = arsenal().weapons
    found = {
        tank.name: (tank.front, tank.flank, weapons[tank.gun].name, tank.mgs, tank.move, set(tank.notes))
        for tank in arsenal().tanks.values()
    }
    assert found == TANKS
    assert list(found) == list(TANKS)


@pytest.mark.rule("tr14.arsenal.weapons", "tr14.arsenal.tanks")
def test_the_tables_have_the_rows_that_the_ledger_counts() -> None:
    rules = Ledger.load("tr14").rules
    assert rules["tr14.arsenal.weapons"].rows == len(WEAPONS) == len(arsenal().weapons)
    assert rules["tr14.arsenal.tanks"].rows == len(TANKS) == len(arsenal().tanks)


@pytest.mark.rule("tr14.arsenal.weapons", "tr14.arsenal.tanks")
@pytest.mark.parametrize(
    ("table", "rule"), [("weapons.smg", "tr14.arsenal.weapons"), ("tanks.panther", "tr14.arsenal.tanks")]
)
def test_a_row_that_is_missing_is_noticed(table: str, rule: str) -> None:
    text = (rulesets.folder("tr14") / "data" / "arsenal.toml").read_text(encoding="utf-8")
    start = text.index(f"[{table}]")
    end = text.index("\n[", start)
    with pytest.raises(data.DataError, match=rule):
        data.parse(text[:start] + text[end:], Arsenal, "arsenal.toml")


def test_a_tank_with_an_unknown_gun_is_noticed() -> None:
    text = (rulesets.folder("tr14") / "data" / "arsenal.toml").read_text(encoding="utf-8")
    with pytest.raises(data.DataError, match="unknown weapon 'kwk99'"):
        data.parse(text.replace('gun = "kwk42"', 'gun = "kwk99"'), Arsenal, "arsenal.toml")


@pytest.mark.rule("tr14.arsenal.weapons", "tr14.arsenal.tanks")
def test_profiles_carry_what_the_tables_say() -> None:
    vehicles = set(arsenal().tanks) | set(arsenal().trucks)
    on_foot = {key for key, weapon in arsenal().weapons.items() if weapon.type != "tank"}
    assert set(profiles()) == on_foot | vehicles
    for key, tank in arsenal().tanks.items():
        made = profile(key)
        names = [weapon.name for weapon in made.weapons]
        assert names == [arsenal().weapons[tank.gun].name, *(f"{mount} MG" for mount in tank.mgs)]
        assert (made.front, made.flank, made.move, made.ta) == (tank.front, tank.flank, tank.move, NA)
        assert made.armored
        assert not made.soft_skinned
        for mg in made.weapons[1:]:
            assert (mg.range, mg.fp, mg.at) == (16, 3, False)
    assert {key for key in vehicles if profile(key).soft_skinned} == set(arsenal().trucks)
    moves = {key: profile(key).move for key in profiles() if profile(key).type != "tank"}
    light = {key for key, weapon in arsenal().weapons.items() if "moves-as-infantry" in weapon.notes}
    assert moves == {key: 6 if profile(key).type == "infantry" or key in light else 3 for key in moves}
