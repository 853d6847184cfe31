"""A squad that is dragged: the legal answer nearest to the drop, for a body in ranks and for men in open order."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import MovePieces, Refusal
from sandtable.field.bodies import March, MoveBody, march_of
from sandtable.field.formations import Leg, Pose
from sandtable.field.landings import Plan
from sandtable.field.plan import plan, shown_march
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, Setup, Table, Unit
from sandtable.rulesets.sof.movement import How, Manner, MoveLaw
from sandtable.rulesets.sof.movement.moves import PARTS, first_marches, march_back, poses, wheeled, within_rate
from sandtable.table.shapes import bearing
from sandtable.table.terrain import Feature

WIDE = 5
"""How many stand abreast in a line of ten."""


def line_of_ten(*answers: str, terrain: tuple[Feature, ...] = (), x: float = 20.0) -> Game[Any]:
    """A line of ten men that looks north, asked where it goes after some answers."""
    men = {f"man-{number}": Figure("bolt-action-rifle", role="nco" if number == 2 else "") for number in range(10)}
    line = Unit("red", "regular", men, battlegroup="platoon", formations=("loose", "linear"))
    line.formation, line.alignment, line.pose = "linear", "line", Pose((x, 10.0), 0.0, WIDE)
    foe = Unit("blue", "regular", {"foe": Figure("bolt-action-rifle", at=(5.0, 40.0))}, battlegroup="enemies")
    groups = {"platoon": Battlegroup("red", dice=[6, 6]), "enemies": Battlegroup("blue", dice=[1])}
    setup = Setup(
        Table(48.0, 48.0), {"line": line, "foe": foe}, groups, terrain=list(terrain), phase="activate", initiative="red"
    )
    game: Game[Any] = Game(rulesets.load("sof"), setup, SeededDice(1))
    for answer in ("line", *answers):
        assert not isinstance(game.answer(answer), Refusal), answer
    assert game.ask is not None
    assert isinstance(game.ask.question, MoveBody)
    return game


def planned(game: Game[Any], to: tuple[float, float], **more: Any) -> Plan:
    """The body dropped so that the man in the middle of its front comes to a place."""
    found = plan(game, "red", [], to, lead="man-2", **more)
    assert isinstance(found, Plan)
    return found


def test_straight_ahead_it_goes_without_a_wheel() -> None:
    found = planned(line_of_ten("maneuver"), (20.0, 15.0))
    assert found.refusal is None
    assert found.answer == {"legs": [{"ahead": 5.0}]}
    assert found.pose == Pose((20.0, 15.0), 0.0, WIDE)
    assert [landing.inches for landing in found.pieces] == [5.0] * 10


@pytest.mark.rule("sof.movement.linear-terrain")
def test_on_a_hill_ranks_go_an_inch_less_far() -> None:
    hill = Feature("rise", "low-hill", [(8.0, 2.0), (40.0, 2.0), (40.0, 40.0), (8.0, 40.0)])
    found = planned(line_of_ten("maneuver", terrain=(hill,)), (20.0, 24.0))
    assert found.refusal is None
    assert found.answer == {"legs": [{"ahead": 7.0}]}
    game = line_of_ten("maneuver", terrain=(hill,))
    law = MoveLaw.of(game, game.state.units["line"], "maneuver")
    for inches, legal in ((7.0, True), (8.0, False)):
        ahead = March((Leg(ahead=inches),))
        assert law.lets_march(ahead) is legal
        assert (law.refuse_march(ahead) is None) is legal


@pytest.mark.rule("sof.movement.linear-wheel")
def test_too_far_away_it_goes_as_far_as_its_outermost_man_may() -> None:
    found = planned(line_of_ten("maneuver"), (30.0, 40.0))
    assert found.refusal is None
    wheel = sum(leg.wheel for leg in march_of(found.answer).legs)
    assert wheel > 0
    farthest = max(landing.inches for landing in found.pieces)
    assert 7.8 < farthest <= 8.01
    assert ("Outermost man", f"{farthest:.1f} of 8 inches") in [(fact.name, fact.value) for fact in found.facts]


def test_a_wheel_is_planned_by_its_facing_alone_and_about_the_inner_man() -> None:
    found = planned(line_of_ten("maneuver"), (20.0, 10.0), facing=60.0)
    assert found.refusal is None
    assert found.answer == {"legs": [{"wheel": 60.0}]}
    # The man at the right end of the front stays, the one at the left end walks the longest arc of his rank.
    inches = {landing.id: landing.inches for landing in found.pieces}
    assert inches["man-4"] == 0.0
    assert inches["man-0"] == pytest.approx(math.radians(60) * 4, abs=0.03)


def test_ahead_a_wheel_and_ahead_again_bring_it_to_a_place_that_it_shall_face_from() -> None:
    found = planned(line_of_ten("double-time", "keep"), (22.5, 15.5), facing=30.0)
    assert found.refusal is None
    assert found.pose is not None
    assert found.pose.facing == 30.0
    assert math.dist(found.pose.at, (22.5, 15.5)) < 0.1
    assert ["wheel" in leg for leg in found.answer["legs"]] == [False, True, False]


def test_before_a_barrier_it_halts() -> None:
    water = Feature("pond", "deep-water", [(10.0, 16.0), (30.0, 16.0), (30.0, 20.0), (10.0, 20.0)])
    found = planned(line_of_ten("maneuver", terrain=(water,)), (20.0, 17.5))
    assert found.refusal is None
    assert found.pose is not None
    assert 15.0 < found.pose.at[1] < 16.0


@pytest.mark.rule("sof.movement.change-alignment")
def test_a_body_that_forms_another_alignment_is_proposed_to_where_its_front_is() -> None:
    game = line_of_ten("double-time", "column")
    assert game.ask is not None
    proposed = game.ask.question.candidates(2)
    assert [answer["to"]["at"] for answer in proposed if "to" in answer] == [[20.0, 10.0]]


def test_a_body_that_forms_another_alignment_may_choose_how_many_stand_abreast() -> None:
    game = line_of_ten("double-time", "column")
    assert game.ask is not None
    assert game.ask.question.describe()["files"] == [3]
    found = planned(game, (20.0, 13.0))
    assert found.refusal is None
    assert found.answer["to"]["files"] == 3
    assert found.answer["to"]["at"] == [20.0, 10.0]


def test_a_proposed_march_is_shown_man_by_man() -> None:
    game = line_of_ten("maneuver")
    shown = shown_march(game, "red", {"legs": [{"ahead": 3.0}]})
    assert isinstance(shown, Plan)
    assert {landing.inches for landing in shown.pieces} == {3.0}
    refused = shown_march(game, "red", {"legs": [{"ahead": 30.0}]})
    assert isinstance(refused, Refusal)
    assert refused.rule == "sof.movement.linear-wheel"
    assert isinstance(shown_march(game, "blue", {}), Refusal)


def test_what_is_planned_is_what_happens() -> None:
    game = line_of_ten("maneuver")
    found = planned(game, (26.0, 18.0))
    assert not isinstance(game.answer(found.answer), Refusal)
    men = game.state.units["line"].teams
    assert game.state.units["line"].pose == found.pose
    for landing in found.pieces:
        assert men[landing.id].at == pytest.approx(landing.at, abs=0.011)


@pytest.mark.parametrize("seed", [3, 8])
def test_no_drop_of_a_squad_is_refused_that_a_shorter_shift_of_it_would_allow(seed: int) -> None:
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("clash"), SeededDice(seed))
    random = Random(seed)
    tried = refused = 0
    for _ in range(300):
        if game.ask is None:
            break
        question = game.ask.question
        if isinstance(question, MovePieces) and question.topic == "move":
            pieces = question.pieces()
            lead = random.choice(pieces)
            assert lead.at is not None
            dx, dy = random.uniform(-12, 12), random.uniform(-12, 12)
            to = lead.at[0] + dx, lead.at[1] + dy
            found = plan(game, game.ask.seat, [piece.id for piece in pieces], to, lead=lead.id)
            assert isinstance(found, Plan)
            tried += 1
            if found.refusal is not None:
                refused += 1
                for part in (1.0, 0.8, 0.6, 0.4, 0.2, 0.1):
                    shifted = {
                        piece.id: {"to": [round(piece.at[0] + part * dx, 2), round(piece.at[1] + part * dy, 2)]}
                        for piece in pieces
                        if piece.at is not None
                    }
                    assert isinstance(question.check(shifted), Refusal), part
        game.accept(question.sample(random))
    assert tried > 10
    assert refused < tried


def squad_to_form_up(formation: str) -> Game[Any]:
    """Eight men in a loose row who go at Double Time in another formation."""
    men = {f"man-{n}": Figure("bolt-action-rifle", at=(16.0 + 1.4 * n, 10.0)) for n in range(8)}
    squad = Unit("red", "regular", men, formations=("close", "loose", "extended"), battlegroup="one")
    foe = Unit("blue", "regular", {"foe-1": Figure("bolt-action-rifle", at=(24.0, 46.0))}, battlegroup="two")
    groups = {"one": Battlegroup("red", dice=[6, 6]), "two": Battlegroup("blue", dice=[1])}
    setup = Setup(Table(48.0, 48.0), {"squad": squad, "foe": foe}, groups, phase="activate", initiative="red")
    game: Game[Any] = Game(rulesets.load("sof"), setup, SeededDice(1))
    for answer in ("squad", "double-time", formation):
        assert not isinstance(game.answer(answer), Refusal), answer
    return game


@pytest.mark.parametrize(("formation", "least", "most"), [("close", 0.0, 0.0), ("extended", 0.6, 1.0)])
def test_a_squad_that_changes_its_formation_is_dropped_in_it(formation: str, least: float, most: float) -> None:
    game = squad_to_form_up(formation)
    assert game.ask is not None
    question = game.ask.question
    assert isinstance(question, MovePieces)
    men = [piece.id for piece in question.pieces()]
    found = plan(game, "red", men, (18.0, 14.0), lead="man-0")
    assert isinstance(found, Plan)
    assert found.refusal is None
    spots = [landing.at for landing in found.pieces]
    gaps = [min(math.dist(one, other) for other in spots if other != one) - 1.0 for one in spots]
    assert all(least - 0.02 <= gap <= most + 0.02 for gap in gaps)
    # All of them face as they go, and what is shown may be answered.
    assert len({landing.facing for landing in found.pieces}) == 1
    assert not isinstance(game.answer(found.answer), Refusal)
    assert game.state.units["squad"].formation == formation


def test_too_far_a_drop_of_such_a_squad_ends_in_formation_on_the_way() -> None:
    game = squad_to_form_up("close")
    found = plan(game, "red", [f"man-{n}" for n in range(8)], (20.0, 40.0))
    assert isinstance(found, Plan)
    assert found.refusal is None
    spots = [landing.at for landing in found.pieces]
    assert 14.0 < min(y for _, y in spots) < 24.0
    assert all(min(math.dist(one, other) for other in spots if other != one) <= 1.01 for one in spots)
    assert not isinstance(game.answer(found.answer), Refusal)
    assert game.state.units["squad"].formation == "close"


def test_a_squad_without_room_to_open_up_goes_as_it_stands() -> None:
    # Between two ponds there is room for the row, and for nothing wider or deeper.
    game = squad_to_form_up("extended")
    men = [f"man-{n}" for n in range(8)]
    pond = [(0.0, 10.6), (48.0, 10.6), (48.0, 20.0), (0.0, 20.0)]
    ditch = [(0.0, 0.0), (48.0, 0.0), (48.0, 9.4), (0.0, 9.4)]
    setup = game.setup
    setup.terrain = [Feature("north", "deep-water", pond), Feature("south", "deep-water", ditch)]
    setup.units["squad"].name = "Squad"
    crowded: Game[Any] = Game(rulesets.load("sof"), setup, SeededDice(1))
    for answer in ("squad", "double-time", "extended"):
        assert not isinstance(crowded.answer(answer), Refusal), answer
    found = plan(crowded, "red", men, (18.0, 10.0), lead="man-0")
    assert isinstance(found, Plan)
    assert found.refusal is None
    assert {landing.at[1] for landing in found.pieces} == {10.0}
    assert min(landing.at[0] for landing in found.pieces) > 16.5


# What a body in ranks is proposed.


def law_of(how: How, manner: Manner, sergeant: str = "man-2") -> tuple[Game[Any], MoveLaw]:
    """A line of ten that forms up somewhere, with its NCO in some place of it."""
    game = line_of_ten("maneuver")
    unit = game.state.units["line"]
    for name, figure in unit.teams.items():
        figure.role = "nco" if name == sergeant else ""
    return game, MoveLaw.of(game, unit, manner, how=how)


TURNS = (0.0, 180.0, 90.0, 270.0, 45.0, 315.0)


def test_a_body_is_proposed_to_fall_back_from_its_middle_straight_away_from_where_it_then_looks() -> None:
    game, law = law_of("form", "fall-back")
    middle, enemy = (20.0, 9.5), (5.0, 40.0)
    ahead = bearing(*middle, *enemy)
    found = list(poses(game, law))
    assert len(found) == len(TURNS) * (1 + len(PARTS))
    for number, turn in enumerate(TURNS):
        stays, *goes = found[number * (1 + len(PARTS)) : (number + 1) * (1 + len(PARTS))]
        assert stays.at == middle
        for pose, part in zip(goes, PARTS, strict=True):
            assert math.dist(middle, pose.at) == pytest.approx(12.0 * part, abs=0.02)
            assert (bearing(*pose.at, *middle) - pose.facing + 180.0) % 360.0 == pytest.approx(180.0, abs=1.0)
        assert {pose.facing for pose in (stays, *goes)} == {round((ahead + turn) % 360.0, 1)}
    assert {pose.files for pose in found} == {WIDE}


@pytest.mark.rule("sof.movement.linear-other-facing", "sof.movement.change-alignment")
@pytest.mark.parametrize(("how", "at"), [("face", (18.0, 10.0)), ("align", (20.0, 10.0))])
def test_it_forms_up_where_its_nco_stands_or_where_its_front_is(how: How, at: tuple[float, float]) -> None:
    game, law = law_of(how, "double-time", sergeant="man-0")
    found = list(poses(game, law))
    assert [pose.at for pose in found] == [at] * len(TURNS)
    ahead = bearing(20.0, 9.5, 5.0, 40.0)
    assert [pose.facing for pose in found] == [round((ahead + turn) % 360.0, 1) for turn in TURNS]
    if how == "face":
        assert all(pose.at == law.anchor() for pose in found)


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_so_many_marches_as_are_wanted_are_proposed_and_to_stay_last(most: int) -> None:
    game = line_of_ten("maneuver")
    law = MoveLaw.of(game, game.state.units["line"], "maneuver")
    found = first_marches(game, law, most)
    assert len(found) == most
    assert found[0] == March((Leg(ahead=8.0),))
    assert most == 1 or found[-1] == March()
    assert len(set(found)) == most
    assert all(law.refuse_march(each) is None for each in found)


def test_a_wheel_and_what_it_leaves_to_go_ahead_come_to_a_part_of_the_move() -> None:
    game = line_of_ten("maneuver")
    law = MoveLaw.of(game, game.state.units["line"], "maneuver")
    cost = wheeled(law, 30.0)
    # Five abreast, pivot and man in the middle of their bases; the corner man of the rear rank goes farthest.
    assert cost == pytest.approx(math.radians(30.0) * math.hypot(4.0, 1.0), abs=0.02)
    for part in PARTS:
        wheel, *ahead = within_rate(law, 30.0, part, cost).legs
        assert wheel == Leg(wheel=30.0)
        assert sum(leg.ahead for leg in ahead) == pytest.approx(max(0.0, part * 8.0 - cost), abs=0.011)


def test_whoever_may_not_stay_is_proposed_a_way_back_last_of_all() -> None:
    game, law = law_of("form", "fall-back")
    assert march_back(law) == March()
    law.leads_away = lambda: (3.0, -4.0)
    found = march_back(law)
    assert found.to == Pose((23.0, 6.0), 0.0, WIDE)
    assert first_marches(game, law, 60)[-1] == found


def shape_of(found: Plan) -> list[tuple[float, float]]:
    """How the figures stand to the first of them."""
    (x0, y0), *_ = (landing.at for landing in found.pieces)
    return [(round(landing.at[0] - x0, 1), round(landing.at[1] - y0, 1)) for landing in found.pieces]


def test_a_squad_set_down_where_friends_stand_stands_in_its_ranks_beside_them() -> None:
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("hasty-assault"), SeededDice(1))
    placed = None
    for _ in range(60):
        assert game.ask is not None
        question = game.ask.question
        if isinstance(question, MovePieces) and question.topic == "deploy":
            if placed == game.ask.seat:
                break
            placed = game.ask.seat
            first = question.candidates(1)[0]
            game.accept(first)
        else:
            game.accept(question.candidates(1)[0])
    assert isinstance(question, MovePieces)
    spots = [step["to"] for step in first.values()]
    there = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
    crowded = plan(game, str(placed), question.names, there)
    free = plan(game, str(placed), question.names, (12.0, there[1]))
    assert isinstance(crowded, Plan)
    assert isinstance(free, Plan)
    # It lands in the same ranks as where nobody is, off the others, and not far from where it was dropped.
    assert crowded.refusal is None
    assert free.refusal is None
    assert shape_of(crowded) == shape_of(free)
    middle = [sum(landing.at[axis] for landing in crowded.pieces) / len(crowded.pieces) for axis in (0, 1)]
    assert 2.0 < math.dist(middle, there) < 9.0
