"""The arsenals against the tables of the rules: their sizes, rows from each of them, and every oddity in print."""

from typing import Any, get_args

import pytest

from sandtable.engine import data
from sandtable.engine.ledger import Ledger
from sandtable.rulesets import folder
from sandtable.rulesets.hof.core.arsenal import (
    BASES,
    Arsenal,
    Profile,
    TeamKeyword,
    Weapon,
    WeaponKeyword,
    arsenals,
    extra_weapons,
    profile,
    profiles,
    tables,
)
from sandtable.rulesets.hof.firing.fire_orders import Way, way_words

COAX, HULL, FIFTY, AA = "Coax MG", "Hull MG", ".50 cal MG", "AA MG"


def shot(weapon: Weapon) -> tuple[Any, ...]:
    """A weapon's numbers as the tables print them, and what else they say of it."""
    return weapon.range, weapon.rof, weapon.at, weapon.fp, set(weapon.keywords)


def row(key: str) -> tuple[Any, ...]:
    """A gun or infantry weapon: its numbers, mobility, artillery, keywords of the Team."""
    team = profile(key)
    (weapon,) = team.weapons
    return *shot(weapon), team.mobility, team.artillery, set(team.keywords)


def tank(key: str) -> tuple[Any, ...]:
    """A vehicle with a gun: armor, the gun's numbers, its machine guns, mobility, artillery, keywords."""
    team = profile(key)
    gun, *others = team.weapons
    names = [weapon.name for weapon in others]
    return team.armor, *shot(gun), names, team.mobility, team.artillery, set(team.keywords)


def test_a_way_to_fire_says_its_dice_apart_from_the_names() -> None:
    weapons = extra_weapons()
    shots = [(weapons["us-hull-coax-mg"], 1), (weapons["us-50cal-mg"], 3)]
    names = [weapon.name for weapon, _ in shots]
    assert way_words(Way("both", shots, [])) == f"{names[0]} (1 die), {names[1]} (3 dice)"


def text_of(name: str) -> str:
    return (folder("hof") / "data" / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.rule(
    "hof.arsenals.us-infantry",
    "hof.arsenals.us-guns",
    "hof.arsenals.us-transports",
    "hof.arsenals.us-tanks",
    "hof.arsenals.us-spaa",
    "hof.arsenals.us-armoured-cars",
    "hof.arsenals.us-sp-artillery",
    "hof.arsenals.us-vehicle-mgs",
    "hof.arsenals.german-infantry",
    "hof.arsenals.german-guns",
    "hof.arsenals.german-tanks",
    "hof.arsenals.german-sp-artillery",
    "hof.arsenals.german-spaa",
    "hof.arsenals.german-vehicle-mgs",
    "hof.arsenals.german-flame",
    "hof.arsenals.german-armored-cars",
    "hof.arsenals.german-transports",
    "hof.arsenals.british-infantry",
    "hof.arsenals.british-guns",
    "hof.arsenals.british-tanks",
    "hof.arsenals.british-vehicle-mgs",
    "hof.arsenals.british-sp-artillery",
    "hof.arsenals.british-armoured-cars",
    "hof.arsenals.british-transports",
    "hof.arsenals.british-spaa",
    "hof.arsenals.british-recon",
    "hof.arsenals.soviet-infantry",
    "hof.arsenals.soviet-guns",
    "hof.arsenals.soviet-vehicle-mgs",
    "hof.arsenals.soviet-tanks",
    "hof.arsenals.soviet-spaa",
    "hof.arsenals.soviet-sp-artillery",
    "hof.arsenals.soviet-armored-cars",
    "hof.arsenals.soviet-transports",
)
def test_the_tables_have_the_rows_that_the_ledger_counts() -> None:
    counted = {rule.id: rule.rows for rule in Ledger.load("hof").rules.values() if rule.chapter == "arsenals"}
    assert counted == {rule: rows for stock in arsenals() for rule, rows in stock.rows.items()}
    assert {f"hof.arsenals.{table}": len(names) for table, names in tables().items()} == counted


@pytest.mark.rule("hof.arsenals.us-infantry", "hof.arsenals.us-guns")
def test_us_infantry_and_guns() -> None:
    assert tables()["us-infantry"] == ["Rifle/MG", "MG", "Bazooka"]
    assert row("us-rifle-mg") == (16, 2, None, 1, set(), "foot", "", set())
    assert row("us-mg") == (16, 3, None, 1, set(), "foot", "", set())
    assert row("us-bazooka") == (6, 1, 4, 1, {"not-from-buildings"}, "foot", "", set())
    assert row("us-m1917-m1919-hmg") == (20, 4, None, 1, set(), "man-portable", "", set())
    assert row("us-m2-60mm-mortar") == (24, 2, 0, 1, {"light-mortar"}, "man-portable", "", set())
    assert row("us-m1-81mm-mortar") == (24, 2, 0, 1, {"smoke"}, "man-portable", "light", set())
    assert row("us-m1-57mm-gun") == (20, 3, 3, 1, set(), "gun", "", set())
    assert row("us-m3-105mm-light-howitzer") == (16, 1, 3, 1, {"smoke"}, "gun", "light", set())
    assert row("us-m1-155mm-howitzer") == (20, 1, 4, 3, {"bunker-buster", "smoke"}, "gun", "heavy", {"immobile"})
    for key, numbers in (("us-m2-50cal-aa-gun", (20, 4)), ("us-m49-quad-50cal-aa-gun", (16, 5))):
        assert row(key) == (*numbers, 1, 1, {"anti-air", "rfps-only"}, "gun", "", set())


@pytest.mark.rule(
    "hof.arsenals.us-tanks",
    "hof.arsenals.us-spaa",
    "hof.arsenals.us-armoured-cars",
    "hof.arsenals.us-sp-artillery",
)
def test_us_vehicles() -> None:
    three = [COAX, HULL, FIFTY]
    assert tank("us-m4-sherman") == ((2, 1), 24, 2, 4, 1, {"smoke"}, three, "tracked", "", set())
    assert tank("us-m4-sherman-76mm") == ((3, 1), 28, 2, 5, 1, {"limited-he"}, three, "tracked", "", set())
    assert tank("us-m4a3e8-easy-eight") == ((3, 1), 28, 2, 5, 1, set(), three, "tracked", "", {"fast"})
    assert tank("us-m26-pershing") == ((4, 2), 28, 2, 6, 1, set(), three, "tracked", "", set())
    assert tank("us-m8-scott-hmc") == ((1, 0), 18, 2, 2, 1, {"smoke"}, [FIFTY], "tracked", "light", {"fast"})
    assert tank("us-105mm-sherman") == ((2, 1), 20, 1, 4, 2, {"smoke", "bunker-buster"}, three, "tracked", "", set())
    assert tank("us-m13-mgmc")[1:6] == (16, 4, 1, 1, {"anti-air", "rfps-only"})
    assert tank("us-m15-cgmc")[1:6] == (20, 4, 2, 1, {"anti-air"})
    assert tank("us-m20-scout-car") == ((0, 0), 16, 2, 1, 1, {"rfps-only"}, [], "wheeled", "", {"open-topped"})
    assert tank("us-m12-155mm-gmc")[1:7] == (20, 1, 6, 3, {"bunker-buster"}, [])
    assert tank("us-m4-81mm-mmc") == ((0, 0), 20, 2, 0, 1, {"smoke"}, [FIFTY], "half-tracked", "light", {"open-topped"})


@pytest.mark.rule("hof.arsenals.us-transports", "hof.arsenals.us-vehicle-mgs")
def test_us_transports_and_machine_guns() -> None:
    assert tables()["us-transports"] == ["Jeep", "Dodge 1.5-ton truck", "GMC 2½-ton truck", "M2/M3 Half-Track"]
    mg, fifty = profile("us-jeep-mg"), profile("us-jeep-50cal")
    assert [shot(weapon) for weapon in mg.weapons] == [(16, 3, None, 1, {"mg", "passenger-fired"})]
    assert [shot(weapon) for weapon in fifty.weapons] == [
        (16, 3, 1, 1, {"mg", "passenger-fired", "anti-air", "rfps-only"})
    ]
    assert mg.carries == fifty.carries == 1
    assert mg.vehicle
    assert not mg.armored
    track = profile("us-m2-m3-half-track")
    assert (track.armor, track.carries, track.weapons) == ((0, 0), 3, fifty.weapons)
    assert track.armored
    assert profile("us-gmc-2-5-ton-truck").carries == 4
    assert shot(extra_weapons()["us-hull-coax-mg"]) == (16, 3, None, 1, set())
    assert shot(extra_weapons()["us-50cal-mg"]) == (16, 3, 1, 1, {"anti-air", "rfps-only"})


@pytest.mark.rule("hof.arsenals.german-infantry", "hof.arsenals.german-guns")
def test_german_infantry_and_guns() -> None:
    assert tables()["german-infantry"] == ["Rifle/MG", "MG", "Assault Rifle", "Panzerschreck", "Panzerfaust"]
    assert row("german-assault-rifle")[:5] == (16, 2, None, 1, {"close-range-rof", "rerolls-assault"})
    assert row("german-panzerschreck")[:5] == (8, 1, 5, 1, {"not-from-buildings"})
    assert shot(extra_weapons()["panzerfaust"]) == (0, 0, 6, 1, {"assault-only"})
    assert not extra_weapons()["panzerfaust"].direct
    assert row("german-12cm-sgw43-mortar") == (24, 2, 1, 2, set(), "gun", "medium", set())
    assert row("german-8-8cm-flak36-gun") == (36, 2, 6, 1, {"anti-air"}, "gun", "", {"immobile"})
    assert row("german-7-5cm-pak40-gun") == (28, 2, 5, 1, set(), "gun", "", set())
    assert row("german-15cm-nw41-rocket-launcher") == (0, 0, None, 2, {"smoke"}, "gun", "medium", set())


@pytest.mark.rule(
    "hof.arsenals.german-tanks",
    "hof.arsenals.german-sp-artillery",
    "hof.arsenals.german-spaa",
    "hof.arsenals.german-flame",
    "hof.arsenals.german-armored-cars",
    "hof.arsenals.german-transports",
)
def test_german_vehicles() -> None:
    two = [COAX, HULL]
    assert tank("german-panther") == ((4, 2), 28, 2, 6, 1, set(), two, "tracked", "", {"wide-tracks", "unreliable"})
    assert tank("german-tiger-i-e") == ((4, 3), 32, 2, 6, 1, set(), two, "tracked", "", {"slow", "wide-tracks"})
    unreliable = {team.name for team in profiles().values() if "unreliable" in team.keywords}
    assert unreliable == {"Panther", "Tiger II", "Elefant"}
    jagdtiger = tank("german-jagdtiger")
    assert jagdtiger == ((7, 3), 40, 2, 8, 2, {"bunker-buster"}, [HULL], "tracked", "", {"slow", "hull-mounted"})
    assert {team.name for team in profiles().values() if team.front >= 7} == {"Jagdtiger", "Elefant"}
    assert {team.name for team in profiles().values() for arm in team.weapons if (arm.at or 0) >= 8} == {"Jagdtiger"}
    assert tank("german-brumbar")[:7] == ((4, 2), 16, 1, 6, 3, {"bunker-buster"}, [])
    mortar = tank("german-sd-kfz-251-2c-8cm")
    keywords = {"open-topped", "hull-mounted"}
    assert mortar == ((0, 0), 24, 2, 0, 1, {"smoke"}, [AA], "half-tracked", "light", keywords)
    assert profile("german-sd-kfz-251-9-7-5cm").artillery == ""
    assert tank("german-panzerwerfer-42") == ((0, 0), 0, 0, None, 1, {"smoke"}, [AA], "half-tracked", "medium", set())
    for name in ("german-sd-kfz-10-5-2cm", "german-sd-kfz-7-1-quad-2cm"):
        assert profile(name).vehicle
        assert not profile(name).armored
    assert profile("german-sd-kfz-251-2cm").mobility == profile("german-sd-kfz-251-3x15mm").mobility == "tracked"
    assert tank("german-flammpanzer-iii")[:7] == ((2, 1), 4, 3, None, 1, {"flame-thrower"}, [COAX])
    assert tank("german-sd-kfz-234-2-puma") == ((1, 0), 20, 2, 3, 1, set(), [COAX], "wheeled", "", set())
    carrier = profile("german-sd-kfz-251-7-5cm")
    assert tank(carrier.key)[:7] == ((0, 0), 20, 2, 4, 1, set(), [AA])
    assert "passenger-fired" in carrier.weapons[1].keywords
    assert (carrier.carries, profile("german-sd-kfz-251").carries) == (2, 2)
    assert [arm.name for arm in profile("german-sd-kfz-251").weapons] == [AA]


@pytest.mark.rule("hof.arsenals.german-vehicle-mgs")
def test_the_german_aa_mg_has_an_at_against_aircraft_only() -> None:
    (mg,) = profile("german-hornisse").weapons[1:]
    assert shot(mg) == (16, 3, None, 1, {"anti-air", "rfps-only", "gun-or-mgs", "mg"})
    assert mg.aa_at == 1


@pytest.mark.rule("hof.arsenals.british-infantry", "hof.arsenals.british-guns")
def test_british_infantry_and_guns() -> None:
    assert row("british-piat") == (6, 1, 4, 1, set(), "foot", "", set())
    assert row("british-ml-2-inch-mortar") == (24, 2, 0, 1, {"smoke", "light-mortar"}, "foot", "", set())
    assert row("british-ml-4-2-inch-mortar") == (24, 0, 1, 1, {"smoke"}, "man-portable", "medium", set())
    assert not profile("british-ml-4-2-inch-mortar").weapons[0].direct
    assert row("british-oqf-17-pdr-gun") == (28, 2, 6, 1, {"limited-he"}, "gun", "", {"immobile"})
    assert row("british-oqf-25-pdr-gun") == (20, 2, 4, 2, {"smoke"}, "gun", "medium", set())
    assert row("british-bl-5-5-inch-gun") == (24, 1, 6, 3, {"smoke", "bunker-buster"}, "gun", "heavy", {"immobile"})


@pytest.mark.rule(
    "hof.arsenals.british-tanks",
    "hof.arsenals.british-sp-artillery",
    "hof.arsenals.british-armoured-cars",
    "hof.arsenals.british-transports",
    "hof.arsenals.british-spaa",
    "hof.arsenals.british-recon",
)
def test_british_vehicles() -> None:
    challenger = tank("british-challenger-a30")
    assert challenger == ((2, 1), 28, 3, 6, 1, {"limited-he"}, [COAX], "tracked", "", {"fast", "overloaded"})
    assert tank("british-sherman-vc-firefly")[:7] == ((2, 1), 28, 2, 6, 1, {"limited-he"}, [COAX])
    assert tank("british-m10-3-inch-sp") == ((1, 0), 24, 2, 5, 1, set(), [], "tracked", "", set())
    assert tank("british-m10c-17-pdr-sp") == ((1, 0), 28, 2, 6, 1, {"limited-he"}, [FIFTY], "tracked", "", set())
    assert tank("us-m10-3-in-gmc")[1] == 28
    assert "open-topped" in profile("us-m10-3-in-gmc").keywords
    sexton = tank("british-sexton")
    assert sexton == ((0, 0), 20, 2, 4, 1, {"smoke"}, [AA], "tracked", "medium", {"hull-mounted"})
    priest = tank("british-priest")
    keywords = {"smoke", "bunker-buster"}
    assert priest == ((0, 0), 20, 1, 4, 2, keywords, [FIFTY], "tracked", "medium", {"hull-mounted"})
    for key in ("british-aec-i", "british-aec-iii"):
        assert set(profile(key).keywords) == {"open-topped", "overloaded", "slow"}
    scout = profile("british-humber-scout-car")
    assert (scout.carries, [arm.name for arm in scout.weapons]) == (1, [AA])
    assert "passenger-fired" not in scout.weapons[0].keywords
    assert tank("british-bofors-40mm-sp") == (None, 20, 3, 2, 1, {"anti-air"}, [], "wheeled", "", set())
    recon = [team for team in profiles().values() if team.table == "british-recon"]
    assert {team.armor for team in recon} == {(0, 0)}
    assert {team.mobility for team in recon if "Universal" in team.name} == {"half-tracked"}
    assert [arm.name for arm in profile("british-universal-carrier").weapons] == [HULL]
    assert tank("british-universal-carrier-piat")[1:4] == (8, 1, 4)
    for kind in ("universal", "indian-pattern"):
        assert tank(f"british-{kind}-carrier-half-inch-mg")[1:7] == (16, 3, 1, 1, set(), [])


@pytest.mark.rule("hof.arsenals.british-vehicle-mgs")
def test_the_british_aa_mg_is_a_hull_mg_with_anti_air() -> None:
    (mg,) = profile("british-daimler-dingo").weapons
    assert shot(mg) == (16, 3, None, 1, {"anti-air", "gun-or-mgs", "mg"})
    assert mg.aa_at is None
    (fifty,) = profile("british-m10c-17-pdr-sp").weapons[1:]
    assert shot(fifty) == (16, 3, 1, 1, {"anti-air", "rfps-only", "gun-or-mgs", "mg"})


def test_a_universal_carrier_for_an_observer_has_a_place() -> None:
    assert not profile("british-universal-carrier").transport
    assert profile("british-universal-carrier-fo").carries == 1
    assert "Universal Carrier (observer)" not in tables()["british-recon"]


@pytest.mark.rule(
    "hof.arsenals.soviet-infantry",
    "hof.arsenals.soviet-guns",
    "hof.arsenals.soviet-vehicle-mgs",
    "hof.arsenals.soviet-tanks",
    "hof.arsenals.soviet-spaa",
    "hof.arsenals.soviet-sp-artillery",
    "hof.arsenals.soviet-armored-cars",
    "hof.arsenals.soviet-transports",
)
def test_the_soviet_arsenal() -> None:
    assert row("soviet-smg")[:5] == (4, 3, None, 1, {"rerolls-assault"})
    assert row("soviet-ptrd-anti-tank-rifle") == (16, 2, 1, 1, set(), "man-portable", "", set())
    assert row("soviet-120-pm-38-mortar") == (0, 0, 1, 1, set(), "gun", "medium", set())
    assert row("soviet-57mm-zis-2-gun") == (24, 3, 5, 1, set(), "gun", "", set())
    t34 = tank("soviet-t-34-obr-1941-42")
    assert t34 == ((2, 1), 20, 2, 4, 1, set(), [COAX, HULL], "tracked", "", {"fast", "wide-tracks"})
    assert tank("soviet-is-2") == ((4, 3), 24, 1, 7, 2, {"bunker-buster"}, [COAX], "tracked", "", {"slow"})
    su85 = tank("soviet-su-85")
    assert su85 == ((2, 1), 28, 2, 5, 1, set(), [], "tracked", "", {"hull-mounted"})
    truck = tank("soviet-dshk-aa-mg-on-truck")
    keywords = {"anti-air", "limited-he", "rfps-only"}
    assert truck == (None, 16, 3, 1, 1, keywords, [], "wheeled", "", {"open-topped"})
    assert tank("soviet-zsu-m17-mgmc") == ((0, 0), 16, 5, 1, 1, keywords, [], "half-tracked", "", set())
    assert tank("soviet-bm-13-katyusha") == (None, 0, 0, None, 1, set(), [], "wheeled", "medium", set())
    assert tank("soviet-ba-64") == ((0, 0), 16, 2, 2, 1, set(), [AA], "wheeled", "", {"open-topped"})
    assert shot(profile("soviet-ba-64").weapons[1]) == (16, 3, None, 1, {"anti-air", "gun-or-mgs", "mg"})
    assert profile("soviet-ford-gpa-amphibious-jeep").keywords == ("open-topped", "amphibious")
    assert (profile("soviet-horse-drawn-wagon").mobility, profile("soviet-horse-drawn-wagon").carries) == ("wagon", 2)
    stalinets = profile("soviet-stalinets")
    assert (stalinets.armor, stalinets.mobility, stalinets.keywords, stalinets.carries) == (
        None,
        "tracked",
        ("slow",),
        3,
    )


def test_a_flame_thrower_stands_beside_the_gun() -> None:
    both = {"british-churchill-crocodile": [COAX], "soviet-ot-34": [], "soviet-kv-8s": [HULL]}
    alone = {"german-sd-kfz-251-flame", "german-flammpanzer-iii", "flame-team"}
    for key, mgs in both.items():
        gun, flame, *others = profile(key).weapons
        assert "flame-thrower" not in gun.keywords
        assert shot(flame) == (4, 3, None, 1, {"flame-thrower"})
        assert [weapon.name for weapon in others] == mgs
    for key in alone:
        assert shot(profile(key).weapons[0]) == (4, 3, None, 1, {"flame-thrower"})
    found = {team.key for team in profiles().values() for arm in team.weapons if "flame-thrower" in arm.keywords}
    assert found == alone | set(both)


def test_three_arsenals_fire_the_main_gun_or_the_machine_guns() -> None:
    for team in profiles().values():
        for weapon in team.weapons:
            noted = "mg" in weapon.keywords and team.nation != "us"
            assert ("gun-or-mgs" in weapon.keywords) == noted, team.key


@pytest.mark.rule("hof.orders.base-sizes", "hof.orders.small-teams")
def test_bases() -> None:
    small = {team.key for team in profiles().values() if team.small}
    weapons = {"us-bazooka", "german-panzerschreck", "british-piat", "british-ml-2-inch-mortar"}
    assert small == weapons | {"leader", "observer", "commander", "sniper"}
    assert {key for key in small if profile(key).infantry_at} == weapons - {"british-ml-2-inch-mortar"}
    for team in profiles().values():
        if team.small:
            assert team.base == BASES["small"]
        elif team.category == "infantry" or team.mobility == "man-portable":
            assert team.base == BASES["standard"]
        elif team.category == "gun":
            assert team.base == BASES["large"]
        else:
            assert 0.9 <= team.base.width <= 1.6
            assert 1.6 <= team.base.depth <= 2.8
    assert {team.infantry_at for team in profiles().values() if team.category != "infantry"} == {False}


@pytest.mark.rule("hof.forces-parity.squad-types")
def test_teams_of_every_army() -> None:
    common = {key: team for key, team in profiles().items() if team.nation == "any"}
    assert {team.table for team in common.values()} == {""}
    assert row("rifle") == (16, 1, None, 1, set(), "foot", "", set())
    assert {key for key, team in common.items() if not team.weapons} == {"leader", "observer", "commander", "sniper"}
    assert row("bunker-mg") == (20, 4, None, 1, set(), "gun", "", {"immobile"})
    assert row("bunker-gun") == (24, 2, 4, 1, set(), "gun", "", {"immobile"})


@pytest.mark.rule("hof.vehicles.armored-or-not")
def test_what_a_profile_says_of_itself() -> None:
    tiger, truck, leader = profile("german-tiger-i-e"), profile("us-gmc-2-5-ton-truck"), profile("leader")
    assert (tiger.vehicle, tiger.armored, tiger.turret) == (True, True, True)
    assert (tiger.front, tiger.flank, tiger.reach, tiger.anti_air, tiger.transport) == (4, 3, 64, False, False)
    assert (truck.vehicle, truck.armored, truck.transport) == (True, False, True)
    assert (leader.vehicle, leader.armored, leader.turret, leader.reach, leader.front) == (False, False, False, 0, 0)
    assert not profile("german-stug-g-or-iv").turret
    assert profile("us-m4-sherman").anti_air
    assert profile("us-bazooka").reach == 12
    assert profile("soviet-120-pm-38-mortar").reach == profile("british-ml-4-2-inch-mortar").reach == 0
    assert profile("german-panzerwerfer-42").reach == 32


def called_a_mortar(team: Profile) -> bool:
    return any("mortar" in weapon.name.casefold() for weapon in team.weapons)


def test_mortars_are_what_is_called_a_mortar() -> None:
    assert {team.key for team in profiles().values() if team.mortar} == {
        team.key for team in profiles().values() if called_a_mortar(team)
    }


def test_keys_and_keywords() -> None:
    for key, team in profiles().items():
        assert team.key == key
        assert team.nation == "any" or key.startswith(f"{team.nation}-")
        assert set(team.keywords) <= set(get_args(TeamKeyword))
        for weapon in team.weapons:
            assert set(weapon.keywords) <= set(get_args(WeaponKeyword))
    made = sum(len(rows) for stock in arsenals() for part in parts(stock) for rows in part.values())
    assert len(profiles()) == made


def parts(stock: Arsenal) -> list[dict[str, Any]]:
    return [dict(stock.infantry), dict(stock.guns), dict(stock.vehicles)]


@pytest.mark.parametrize(
    ("name", "start", "rule"),
    [
        ("us", "us-mg = ", "hof.arsenals.us-infantry"),
        ("german", "panzerfaust = ", "hof.arsenals.german-infantry"),
        ("soviet", "soviet-is-2 = ", "hof.arsenals.soviet-tanks"),
    ],
)
def test_a_row_that_is_missing_is_noticed(name: str, start: str, rule: str) -> None:
    lines = [line for line in text_of(name).splitlines() if not line.startswith(start)]
    with pytest.raises(data.DataError, match=rule):
        data.parse("\n".join(lines), Arsenal, f"{name}.toml")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('mgs = ["Coax MG"]', 'mgs = ["Bow MG"]', "unknown armament 'Bow MG'"),
        ('"Hull MG" = { row = "us-hull-coax-mg" }', '"Hull MG" = { row = "us-lewis" }', "unknown weapon 'us-lewis'"),
        ('keywords = ["fast"]', 'keywords = ["nimble"]', "nimble"),
        ('gun = "M3 90mm gun", ', "", "names it"),
        ('variant_of = "us-jeep-mg"', 'variant_of = "us-mule"', "'us-mule' is no row of this table"),
        ("us-spaa = [1.1, 2.4]", "", "the hulls of us-spaa have no size"),
        ("[vehicles.us-spaa]", "[vehicles.us-flak]", "hof.arsenals.us-spaa"),
        ('nation = "us"', 'nation = "german"', "hof.arsenals.us-infantry"),
    ],
)
def test_a_slip_of_the_pen_is_noticed(old: str, new: str, problem: str) -> None:
    text = text_of("us")
    assert old in text
    with pytest.raises(data.DataError, match=problem):
        data.parse(text.replace(old, new, 1), Arsenal, "us.toml")


def test_a_table_that_the_rules_do_not_have_is_noticed() -> None:
    text = text_of("us") + '\n[guns.us-catapults]\nus-onager = { name = "Onager" }\n'
    (found,) = data.problems_in(text, Arsenal, "us.toml")
    assert (found.where, "no such table" in found.problem) == ("guns.us-catapults", True)
