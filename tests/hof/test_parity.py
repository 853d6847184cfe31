"""The Force Parity Procedure, step by step, and what becomes of a set-up by it."""

from __future__ import annotations

import pytest

from sandtable.engine import data
from sandtable.field.comparing import Judge, ParityError, Trim, Verdict
from sandtable.rulesets.hof.core.state import Options, Table, begin
from sandtable.rulesets.hof.forces import forces, parity
from sandtable.rulesets.hof.forces.forces import Force, ForceUnit
from sandtable.rulesets.hof.forces.parity import compare

UNIT = '[units.{key}]\nname = "{key}"\n{leader}teams = {{ {profile} = {number} }}\n'


def force(nation: str, *units: tuple[str, str, int]) -> Force:
    """A force of Units given by key, profile and number of Teams."""
    text = f'format = "sandtable.hof.force"\ntitle = "{nation}"\nnation = "{nation}"\n'
    text += "".join(UNIT.format(key=key, profile=profile, number=n, leader="") for key, profile, n in units)
    return data.parse(text, Force, "force.toml")


RED = force("us", ("rifles", "us-rifle-mg", 6), ("tanks", "us-m4-sherman", 3), ("guns", "us-m1-57mm-gun", 3))
BLUE = force("german", ("grens", "german-rifle-mg", 6), ("stugs", "german-stug-g-or-iv", 3), ("pak", "german-mg", 2))


def verdicts(*given: Verdict) -> Judge[ForceUnit]:
    left = iter(given)
    return lambda red, blue: next(left)


def rules(result: parity.Parity) -> list[str]:
    return [step.rule.rpartition(".")[2] for step in result.steps]


@pytest.mark.rule("hof.forces-parity.rank", "hof.forces-parity.pair")
def test_units_of_equal_rank_are_paired() -> None:
    # Given ranks in the order of each force, when they are paired, then the strongest meets the strongest.
    result = compare(RED, BLUE, "red", {"red": [2, 1, 3], "blue": [3, 2, 1]}, judge=verdicts("red", "red", "red"))
    assert [(pair.rank, pair.red, pair.blue) for pair in result.pairings] == [
        (1, "tanks", "pak"),
        (2, "rifles", "stugs"),
        (3, "guns", "grens"),
    ]


def test_units_of_one_entry_are_numbered_from_one() -> None:
    platoons = data.parse(
        'format = "sandtable.hof.force"\ntitle = "Two"\nnation = "us"\n'
        + UNIT.format(key="rifles", profile="us-rifle-mg", number=6, leader="count = 2\n")
        + UNIT.format(key="tanks", profile="us-m4-sherman", number=3, leader=""),
        Force,
        "force.toml",
    )
    roster = parity.roster(platoons)
    assert {name: unit.name for name, unit in roster.items()} == {
        "rifles-1": "rifles 1",
        "rifles-2": "rifles 2",
        "tanks": "tanks",
    }
    assert [unit.count for unit in roster.values()] == [1, 1, 1]


@pytest.mark.rule("hof.forces-parity.rank")
@pytest.mark.parametrize("ranks", [[1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 3, 4], []])
def test_every_unit_has_a_rank_of_its_own(ranks: list[int]) -> None:
    with pytest.raises(ParityError, match="from 1 to 3 once"):
        compare(RED, BLUE, "red", {"red": ranks})


@pytest.mark.rule("hof.forces-parity.score-pair")
@pytest.mark.parametrize(("attacker", "scores"), [("red", "blue"), ("blue", "red")])
def test_in_doubt_the_defender_scores(attacker: parity.Side, scores: str) -> None:
    one_each = force("us", ("tanks", "us-m4-sherman", 3)), force("german", ("tanks", "german-panzer-iv-h", 3))
    result = compare(*one_each, attacker, judge=verdicts("doubt"))
    assert [(pair.verdict, pair.scores, pair.points) for pair in result.pairings] == [("doubt", scores, 1)]


@pytest.mark.rule("hof.forces-parity.size-bonus")
@pytest.mark.parametrize(
    ("ours", "theirs", "verdict", "points"),
    [
        (("tanks", "us-m4-sherman", 4), ("stugs", "german-stug-g-or-iv", 3), "red", 2),
        (("tanks", "us-m4-sherman", 9), ("stugs", "german-stug-g-or-iv", 3), "red", 2),
        (("tanks", "us-m4-sherman", 4), ("stugs", "german-stug-g-or-iv", 3), "blue", 1),
        # Seven Teams are three squads and a half: not one more than three.
        (("rifles", "us-rifle-mg", 7), ("grens", "german-rifle-mg", 6), "red", 1),
        (("rifles", "us-rifle-mg", 8), ("grens", "german-rifle-mg", 6), "red", 2),
        # Three squads against two guns.
        (("rifles", "us-rifle-mg", 6), ("pak", "german-7-5cm-pak40-gun", 2), "red", 2),
    ],
)
def test_a_larger_unit_scores_once_more_if_it_scores_at_all(
    ours: tuple[str, str, int], theirs: tuple[str, str, int], verdict: Verdict, points: int
) -> None:
    result = compare(force("us", ours), force("german", theirs), "red", judge=verdicts(verdict))
    assert [(pair.scores, pair.points) for pair in result.pairings] == [(verdict, points)]
    assert ("size-bonus" in rules(result)) == (points == 2)


@pytest.mark.rule("hof.forces-parity.size-bonus")
def test_leaders_support_weapons_and_transports_do_not_count_for_size() -> None:
    platoon = forces.FORCES.load("us-tank-company").units["armored-rifles"]
    assert platoon.size == 3
    assert ForceUnit("HQ", kind="cc").size == 0


@pytest.mark.rule("hof.forces-parity.extra-units", "hof.forces-parity.handicap")
def test_extra_units_score_and_the_higher_total_lowers_its_break_limit_by_twice_the_difference() -> None:
    # Given three Units against one, when the single one wins its pairing, then 2 to 1 makes a handicap of 2.
    result = compare(RED, force("german", ("tigers", "german-tiger-ii", 3)), "red", judge=verdicts("blue"))
    assert result.totals == {"red": 2, "blue": 1}
    assert result.handicap == {"red": 2, "blue": 0}
    assert result.stronger == "red"
    assert rules(result)[-2:] == ["extra-units", "handicap"]


@pytest.mark.rule("hof.forces-parity.handicap")
def test_equal_totals_make_no_handicap() -> None:
    pair = force("us", ("a", "us-mg", 6), ("b", "us-mg", 6))
    result = compare(pair, pair, "red", judge=verdicts("red", "blue"))
    assert (result.totals, result.handicap, result.stronger) == ({"red": 1, "blue": 1}, {"red": 0, "blue": 0}, None)
    assert result.steps[-1].words == "1 to 1: no handicap."


@pytest.mark.rule("hof.forces-parity.reveal")
def test_the_forces_are_revealed_and_odd_sizes_are_said() -> None:
    result = compare(RED, forces.FORCES.load("german-grenadier-company"), "red")
    said = [step.words for step in result.steps if step.rule == "hof.forces-parity.reveal"]
    assert said == ["red reveals 3 Units. The procedure is made for 4 to 10.", "blue reveals 7 Units."]


@pytest.mark.rule("hof.forces-parity.trim")
def test_what_is_left_at_home_is_out_of_the_reckoning() -> None:
    blue = force("german", ("tigers", "german-tiger-ii", 3))
    trims = [Trim("red", "guns"), Trim("red", "rifles")]
    before = compare(RED, blue, "red", {"red": [1, 2, 3]}, judge=verdicts("red"))
    parity.refuse_trims(before, trims)
    after = compare(RED, blue, "red", {"red": [1, 2, 3]}, judge=verdicts("red"), trims=trims)
    # The ranking stays: the tanks, second before, now stand first.
    assert [(pair.red, pair.blue) for pair in after.pairings] == [("tanks", "tigers")]
    assert (before.handicap["red"], after.handicap["red"]) == (6, 2)
    assert rules(after).count("trim") == 2
    with pytest.raises(ParityError, match=r"only the side with the higher score .*hof\.forces-parity\.trim"):
        parity.refuse_trims(before, [Trim("blue", "tigers")])


@pytest.mark.rule("hof.forces-parity.trim", "hof.forces-parity.size-bonus")
def test_teams_are_left_at_home_to_lose_the_bonus_for_size() -> None:
    blue = force("german", ("stugs", "german-stug-g-or-iv", 2))
    tanks = force("us", ("tanks", "us-m4-sherman", 3))
    assert compare(tanks, blue, "red", judge=verdicts("red")).totals["red"] == 2
    trims = [Trim("red", "tanks", "us-m4-sherman", 1)]
    assert compare(tanks, blue, "red", judge=verdicts("red"), trims=trims).totals["red"] == 1


@pytest.mark.rule("hof.forces-parity.trim", "hof.optional.cc-unit")
def test_a_commander_whose_teams_stay_at_home_still_counts_and_comes() -> None:
    # Given a headquarters with guns of its own, when only the guns are left at home, then the Unit is still there.
    red = force("us", ("tanks", "us-m4-sherman", 3), ("hq", "us-m1917-m1919-hmg", 2))
    red.units["hq"].kind = "cc"
    blue = force("german", ("stugs", "german-stug-g-or-iv", 3))
    trims = [Trim("red", "hq", "us-m1917-m1919-hmg", 2)]
    ranks = [1, 2]
    before = compare(red, blue, "red", {"red": ranks}, judge=verdicts("red"))
    after = compare(red, blue, "red", {"red": ranks}, judge=verdicts("red"), trims=trims)
    assert before.handicap == after.handicap == {"red": 4, "blue": 0}
    fair = forces.muster(Table(72, 48), parity.without(red, "red", trims), blue, Options(commander=True))
    assert [team.role for team in fair.units["red-hq"].teams.values()] == ["cc"]
    home = compare(red, blue, "red", {"red": ranks}, judge=verdicts("red"), trims=[Trim("red", "hq")])
    assert home.handicap["red"] == 2
    assert "hq" not in parity.without(red, "red", home.trims).units


@pytest.mark.rule("hof.forces-parity.trim")
@pytest.mark.parametrize(
    "trim",
    [
        Trim("red", "horse"),
        Trim("red", "tanks", "us-m4-sherman", 4),
        Trim("red", "tanks", "us-m4-sherman", 0),
        Trim("red", "tanks", "us-mg", 1),
    ],
)
def test_only_what_is_there_can_be_left_at_home(trim: Trim) -> None:
    with pytest.raises(ParityError):
        compare(RED, BLUE, "red", trims=[trim])


@pytest.mark.rule("hof.forces-parity.handicap", "hof.forces-parity.trim", "hof.battle.break-limit")
def test_a_set_up_takes_the_handicap_and_loses_what_was_left_at_home() -> None:
    red, blue = forces.FORCES.load("soviet-assault-group"), forces.FORCES.load("german-grenadier-company")
    trims = [
        Trim("red", "assault-2"),
        Trim("red", "tanks", "soviet-t-34-85-obr-1943", 1),
        Trim("red", "commander"),
    ]
    result = compare(red, blue, "red", trims=trims)
    sides = (parity.without(red, "red", trims), parity.without(blue, "blue", trims))
    setup = forces.muster(Table(72, 48), *sides, Options(riders=True))
    fair = parity.handicapped(setup, result)
    assert "red-assault-2" in forces.muster(Table(72, 48), red, blue, Options(riders=True)).units
    assert "red-assault-2" not in fair.units
    assert len(fair.units["red-tanks"].teams) == len(fair.units["red-tanks-riders"].teams) == 2
    state = begin(fair)
    for side in ("red", "blue"):
        counted = sum(unit.side == side and unit.kind != "riders" for unit in fair.units.values())
        assert state.companies[side].break_limit == 5 + 2 * counted - result.handicap[side]
    assert setup.companies["red"].handicap == setup.companies["blue"].handicap == 0


@pytest.mark.rule("hof.forces-parity.trim", "hof.optional.riders-mounted")
def test_riders_stay_at_home_with_their_tanks() -> None:
    red, blue = forces.FORCES.load("soviet-assault-group"), forces.FORCES.load("german-grenadier-company")
    left = parity.without(red, "red", [Trim("red", "tanks")])
    gone = forces.muster(Table(72, 48), left, blue, Options(riders=True))
    assert not any("tanks" in name for name in gone.units if name.startswith("red"))


@pytest.mark.rule("hof.forces-parity.score-pair")
def test_an_estimate_prefers_the_heavier_and_is_in_doubt_between_equals() -> None:
    tiger = ForceUnit("Tigers", teams={"german-tiger-ii": 3})
    panzer = ForceUnit("Panzers", teams={"german-panzer-iv-h": 3})
    assert parity.estimate(tiger, panzer) == "red"
    assert parity.estimate(panzer, tiger) == "blue"
    assert parity.estimate(panzer, panzer) == "doubt"
    worth = parity.worth_of_unit
    elite, poor = (ForceUnit("", quality=q, teams={"us-mg": 6}) for q in ("elite", "poor"))
    assert worth(elite) > worth(ForceUnit("", teams={"us-mg": 6})) > worth(poor)
    guns = {"british-oqf-25-pdr-gun": 3}
    assert worth(ForceUnit("", teams=guns)) > worth(ForceUnit("", teams=guns, off_board=True)) > 0
    assert worth(ForceUnit("", kind="sniper")) == 4
    assert worth(ForceUnit("", kind="bunker", teams={"bunker-mg": 1})) > worth(ForceUnit("", teams={"us-mg": 1}))


@pytest.mark.parametrize("name", forces.FORCES.names())
def test_every_force_can_be_compared_with_every_other(name: str) -> None:
    mine = forces.FORCES.load(name)
    for other in forces.FORCES.names():
        result = compare(mine, forces.FORCES.load(other), "red")
        extra = abs(len(parity.roster(mine)) - len(parity.roster(forces.FORCES.load(other))))
        assert sum(result.totals.values()) == sum(pair.points for pair in result.pairings) + extra
        assert min(result.handicap.values()) == 0
