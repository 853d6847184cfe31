"""The charts and the terrain as data: every row is there, and reads as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.engine import data
from sandtable.engine.ledger import Ledger
from sandtable.rulesets.sof.core.arsenal import CHART_ROWS, Blast, Chart, Charts, Rate, charts, kind, rate, weapons
from sandtable.rulesets.sof.core.terrain import HEIGHT_RULES, HEIGHTS, Kinds, kinds

FILE = Path(data.__file__).parents[1] / "rulesets" / "sof" / "data" / "weapons.toml"


@pytest.mark.rule("sof.weapon-charts.infantry", "sof.weapon-charts.vehicle-weapons", "sof.weapon-charts.germany")
@pytest.mark.rule("sof.weapon-charts.united-states", "sof.weapon-charts.france", "sof.weapon-charts.britain")
@pytest.mark.rule("sof.weapon-charts.russia", "sof.weapon-charts.belgium", "sof.weapon-charts.italy")
@pytest.mark.rule("sof.weapon-charts.austria-hungary")
@pytest.mark.parametrize("chart", CHART_ROWS)
def test_every_row_of_every_chart_is_there(chart: Chart) -> None:
    rows, rule = CHART_ROWS[chart]
    assert rows == Ledger.load("sof")[rule].rows
    assert sum(len(weapon.rows) for weapon in charts().charts[chart].values()) == rows


def test_a_missing_row_is_noticed() -> None:
    text = FILE.read_text()
    short = text.replace('rows.ap = { range = 36, halt = "4", move = "1", pen = 2, lethality = 5 }\n', "", 1)
    assert short != text
    with pytest.raises(data.DataError, match=r"has 30 rows, here are 29 \(sof\.weapon-charts\.germany\)"):
        data.parse(short, Charts, "weapons.toml")


def test_ground_that_conceals_says_by_which_rule() -> None:
    text = (FILE.parent / "terrain.toml").read_text()
    silent = text.replace('rules.cover = "sof.terrain-woods.concealment"\n', "", 1)
    assert silent != text
    with pytest.raises(data.DataError, match="give the rule about its cover"):
        data.parse(silent, Kinds, "terrain.toml")


@pytest.mark.parametrize(("written", "wrong"), [('"RF"', '"RX"'), ('"d6+1"', '"d6+"')])
def test_a_rate_or_blast_that_is_none_is_told_by_its_place(written: str, wrong: str) -> None:
    text = FILE.read_text().replace(written, wrong, 1)
    with pytest.raises(data.DataError, match=r"is no (rate of fire|blast)"):
        data.parse(text, Charts, "weapons.toml")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("6", Rate(6)),
        ("1*", Rate(1, slow=True)),
        ("1AF", Rate(1, fast=True)),
        ("RF", Rate(code="RF")),
        ("RF*", Rate(code="RF", slow=True)),
        ("SS*", Rate(code="SS", slow=True)),
        ("G", Rate(code="G")),
        ("d6", Rate(code="d6")),
        ("", None),
        ("AF", None),
    ],
)
def test_rates_of_fire_are_read_as_they_are_printed(written: str, meant: Rate | None) -> None:
    assert rate(written) == meant


def test_some_rows_as_they_stand_in_the_charts() -> None:
    known = weapons()
    rifle = known["bolt-action-rifle"].main
    assert (rifle.range, rifle.least, rifle.at_halt, rifle.on_the_move) == (
        24,
        0,
        Rate(code="RF"),
        Rate(code="RF", slow=True),
    )
    assert (rifle.pen, rifle.lethality, rifle.special) == (None, 5, ())
    grenade = known["vb-rifle-grenade"].main
    assert (grenade.least, grenade.range, grenade.on_the_move, grenade.pen) == (6, 24, None, 2)
    assert grenade.special == ("overhead-fire", "rifle-grenade", "suppression", "vb")
    gun = known["italy.70-15-modello-02-mtn"]
    assert (gun.crew, list(gun.rows)) == (3, ["direct", "shrapnel", "he"])
    assert gun.main.at_halt == Rate(1, fast=True)
    assert gun.has("mule-team")
    assert gun.rows["he"].blast_effect == Blast(1, 6, 0)
    assert known["germany.17cm-minenwerfer"].main.blast_effect == Blast(2, 6, 0)
    assert known["austria-hungary.9cm-minenwerfer-m14"].main.blast_effect == Blast(1, 3, 1)
    assert known["vehicle.vehicle-mg"].main.weak_spots
    assert known["sabre"].main.range is None


def test_what_slipped_in_the_scan_stands_where_it_belongs() -> None:
    known = weapons()
    # The crew of the German machine guns stands on their AP row, that of the Belgian guns on the shrapnel row.
    assert known["germany.mg08-mg"].crew == 2
    assert known["belgium.75mm-m1903-krupp-gun"].crew == 3
    assert known["germany.mg08-mg"].rows["indirect"].special == ("indirect", "suppression")
    assert known["germany.mg08-mg"].rows["ap"].special == ()
    assert known["russia.putilov-maxim-mg"].has("suppression")
    assert known["france.hotchkiss-mg"].main.special == ("beaten-zone", "fixed", "scythe", "suppression")


def test_what_a_figure_stands_on_follows_from_what_it_serves() -> None:
    assert kind("bolt-action-rifle").base.width == 1.0
    assert kind("germany.mg08-mg").base.width == 1.6
    assert kind("bolt-action-carbine", mounted=True).base.width == 1.6


@pytest.mark.rule("sof.terrain.height-table", "sof.terrain.has-height")
def test_every_kind_of_ground_has_a_height_of_the_table() -> None:
    assert len(HEIGHTS) == Ledger.load("sof")[HEIGHT_RULES[0]].rows
    assert all(kind.height in HEIGHTS for kind in kinds().values())
    assert {kind.height for kind in kinds().values()} == set(HEIGHTS)
