"""What kernels answer for a whole unit at once is what the rules say one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game, answered
from sandtable.engine.questions import Step
from sandtable.field.bodies import March
from sandtable.field.deploying import moved as set_about
from sandtable.field.formations import Leg, Pose, stored
from sandtable.rulesets.sof import RULESET
from sandtable.rulesets.sof.actions.mounting import regroup, remount, rings, why_not_remount
from sandtable.rulesets.sof.core.arsenal import kind
from sandtable.rulesets.sof.core.board import (
    NOBODY,
    Battle,
    Board,
    base_gap,
    board,
    enemies_of,
    friend_rows,
    gaps_of,
    lines_between,
    lines_clear,
)
from sandtable.rulesets.sof.core.room import BEARINGS
from sandtable.rulesets.sof.core.state import Point, Unit, units_of
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.kernels import passage, placing
from sandtable.rulesets.sof.missions.briefing import area_of, facing_of
from sandtable.rulesets.sof.missions.placing import Placing, anywhere, bases_ranked
from sandtable.rulesets.sof.movement.fall_back import PARTS, Closing, can_fall_back, to_edge, ways_back
from sandtable.rulesets.sof.movement.law import LONGER, MOST_LONGER, How, MoveLaw
from sandtable.rulesets.sof.movement.rates import Manner
from sandtable.rulesets.sof.shooting.firers import SHARED_RANGE, Sights
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, GRID, SLACK
from sandtable.table.shapes import HALF_WIDTH, Floats, Place, bodies, heading, moved, snap

BATTLES = (("hasty-assault", 3), ("august-1914", 4), ("patrol", 5))


def moments(name: str, seed: int, every: int) -> Iterator[Battle]:
    """A battle by chance, looked at now and then."""
    random = Random(seed)
    game: Battle = Game(RULESET, RULESET.scenario(name), SeededDice(seed))
    while game.ask is not None:
        if len(game.record) % every == 0:
            yield game
        game.accept(game.ask.question.sample(random))


def standing(game: Battle) -> list[Unit]:
    return [unit for unit in game.state.units.values() if unit.placed]


# Setting down.


@pytest.mark.parametrize(("name", "seed"), BATTLES)
def test_ranks_stand_where_each_base_may(name: str, seed: int) -> None:
    found = set()
    for game in moments(name, seed, 23):
        for unit in [each for each in game.state.units.values() if not each.placed and each.formation != "linear"][:3]:
            place = Placing(game, unit, area_of(game, unit.side), facing_of(game, unit.side), "")
            points = anywhere(place.zone, place.facing)
            for files in (1, 3, 5):
                ranks = bases_ranked(tuple(each.kind.base for each in place.down.pieces), place.facing, files, 0.2)
                wanted = []
                for number, at in enumerate(points.tolist()):
                    rows = set_about(ranks, *at)
                    if place.down.free(rows).all() and place.refuse_near([], rows) is None:
                        wanted.append(number)
                ground, barring = game.prepared.terrain, place.down.barring[0]
                assert [*placing.open_places(ranks, points, place.company, place.zone, ground, barring)] == wanted
                found |= {number in wanted for number in range(len(points))}
    assert found == {True, False}


@pytest.mark.parametrize(("name", "seed"), BATTLES[:2])
def test_a_body_stands_where_its_pose_is_legal(name: str, seed: int) -> None:
    found = set()
    for game in moments(name, seed, 23):
        for unit in [each for each in game.state.units.values() if not each.placed and "linear" in each.formations][:2]:
            before = unit.formation, unit.alignment
            unit.formation, unit.alignment = "linear", "line"
            place = Placing(game, unit, area_of(game, unit.side), facing_of(game, unit.side), "")
            points = np.floor(anywhere(place.zone, place.facing) * 100.0 + 0.5) / 100.0
            for facing in (0.0, 37.5, 270.0):
                files = files_of(unit, "line", len(unit.teams))[0]
                poses = [stored(Pose((x, y), facing, files)) for x, y in points.tolist()]
                wanted = [each for each in poses if place.refuse_pose(March(to=each)) is None]
                assert [each.to for each in place.body_at(facing, files, points)] == wanted
                found |= {each in wanted for each in poses}
            unit.formation, unit.alignment = before
    assert found == {True, False}


def test_a_unit_that_comes_stands_on_a_board_as_on_one_made_anew() -> None:
    for game in moments("hasty-assault", 3, 19):
        kept, fresh = board(game), Board(game.prepared, game.state)
        for unit in standing(game):
            assert (kept.rows_of(unit) == fresh.rows_of(unit)).all()
            assert kept.gaps_from(kept.rows_of(unit)).items() >= fresh.gaps_from(fresh.rows_of(unit)).items()
            assert (kept.levels_of(unit) == fresh.levels_of(unit)).all()


def test_who_dismounts_stands_on_the_board_that_is_kept_as_on_one_made_anew() -> None:
    dismounted: list[str] = []
    for game in moments("hasty-assault", 3, 19):
        may = [each for each in standing(game) if why_not_remount(game, each, mounts=False) is None]
        for unit in may[: not dismounted]:
            kept, before = board(game), board(game).rows_of(unit)
            answered(remount(game, unit, mounts=False))
            fresh = Board(game.prepared, game.state)
            assert board(game) is kept
            assert (kept.rows_of(unit) == fresh.rows_of(unit)).all()
            assert (kept.rows_of(unit)[:, HALF_WIDTH] < before[:, HALF_WIDTH]).all()
            assert gaps_of(game, unit).items() >= fresh.gaps_from(fresh.rows_of(unit)).items()
            dismounted.append(unit.id)
    assert dismounted


def test_lines_that_are_kept_are_those_of_now() -> None:
    for game in moments("hasty-assault", 3, 19):
        here = board(game)
        for unit in standing(game):
            for enemy in enemies_of(game.state, unit):
                seen = lines_clear(here.ground, here.rows_of(unit), here.rows_of(enemy))
                assert (lines_between(game, unit, enemy) == seen).all()


# Moving.


@pytest.mark.parametrize(("name", "seed"), BATTLES)
@pytest.mark.parametrize("manner", ["maneuver", "double-time", "fall-back"])
def test_a_shift_is_let_pass_just_where_nothing_refuses_it(name: str, seed: int, manner: Manner) -> None:
    random, found, why = Random(seed), set(), set()
    for game in moments(name, seed, 61):
        for unit in [each for each in standing(game) if each.formation != "linear"]:
            law = MoveLaw.of(game, unit, manner)
            for _ in range(4):
                angle, far = random.random() * math.tau, random.random() * 1.05 * law.rate
                steps = law.shifted(far * math.sin(angle), far * math.cos(angle))
                if random.random() < 0.2:
                    steps = dict([random.choice([*steps.items()])])
                refusal = law.refuse(steps)
                assert law.lets(steps) == (refusal is None), refusal
                found.add(refusal is None)
                why.add(refusal and refusal.rule)
    assert found == {True, False}
    assert len(why) >= 4


@pytest.mark.parametrize(("name", "seed"), BATTLES)
def test_of_several_ends_those_are_allowed_that_nothing_refuses(name: str, seed: int) -> None:
    random, found = Random(seed), set()
    for game in moments(name, seed, 41):
        for unit in [each for each in standing(game) if each.formation != "linear"]:
            law = MoveLaw.of(game, unit, "double-time")
            figures = [(each, each.at) for each in law.figures if each.at is not None]
            going = [random.random() < 0.8 for _ in figures]
            ends = []
            for part in (1.0, 0.7, 0.4, 0.1, 0.0):
                dx, dy = law.rate * part * random.random(), law.rate * part * random.random()
                ends.append(
                    [
                        (round(x + goes * dx, 2), round(y + goes * dy, 2))
                        for (_, (x, y)), goes in zip(figures, going, strict=True)
                    ]
                )
            wanted = []
            for spots in ends:
                steps = {each.id: Step(to) for (each, _), to, goes in zip(figures, spots, going, strict=True) if goes}
                wanted += [spots] if law.refuse(steps) is None else []
                found.add(law.refuse(steps) is None)
            assert [*law.allowed_ends(np.array(ends), going)] == wanted
    assert found == {True, False}


@pytest.mark.parametrize("how", ["march", "about", "form"])
def test_a_march_is_let_pass_just_where_nothing_refuses_it(how: How) -> None:
    random, found = Random(1), set()
    for game in moments("august-1914", 4, 17):
        for unit in [each for each in standing(game) if each.formation == "linear" and each.pose is not None]:
            law = MoveLaw.of(game, unit, "double-time", how=how)
            for _ in range(4):
                wheel, ahead = random.choice((0.0, 25.0, -40.0)), round(law.rate * random.random(), 2)
                wanted = March((Leg(wheel=wheel), Leg(ahead=ahead)))
                if how == "form" and unit.pose is not None:
                    wanted = March(to=unit.pose)
                refusal = law.refuse_march(wanted)
                assert law.lets_march(wanted) == (refusal is None), refusal
                found.add(refusal is None)
    assert True in found
    assert how == "form" or False in found


def lengthened(game: Battle, law: MoveLaw, heads: float, far: float, edge: float) -> float | None:
    """How far a unit falls back in a direction to be clear of friends, step by step."""
    here, unit = board(game), law.unit
    sin, cos = heading(heads)
    friends = [each.id for each in units_of(game.state, unit.side) if each is not unit and each.placed]
    enemies = [each.id for each in enemies_of(game.state, unit)]
    longer = 0.0
    while longer <= MOST_LONGER:
        total = far + longer
        gaps = here.gaps_from(moved(here.rows_of(unit), total * sin, total * cos))
        if any(gaps[name] < SEPARATION - GRID for name in friends):
            longer += LONGER
            continue
        if any(gaps[name] <= law.gaps[name] + GRID for name in enemies):
            return None
        return None if longer and total > edge else total
    return None


def test_a_way_back_is_as_long_as_step_by_step() -> None:
    found = set()
    for game in moments("hasty-assault", 4, 47):
        here = board(game)
        for unit in standing(game):
            law = MoveLaw.of(game, unit, "fall-back", how="form")
            rows, numbers = here.rows_of(unit), here.standing(unit).numbers
            closing = Closing.of(law)
            for heads in BEARINGS[::5]:
                edge = to_edge(rows, heads, game.prepared.width, game.prepared.depth)
                for far in (law.rate, 3.1):
                    wanted = lengthened(game, law, heads, far, edge)
                    clear = (SEPARATION - GRID, LONGER, MOST_LONGER)
                    args = (here.rows, numbers, law.others(here), heading(heads), far, edge, *clear)
                    assert passage.clear_of_friends(*args) == wanted
                    # What is surely in vain is no way back.
                    assert wanted is None or closing is None or not closing.surely(heads)
                    found.add("no" if wanted is None else "longer" if wanted > far else "so far")
    assert found == {"no", "longer", "so far"}


def test_a_unit_can_fall_back_just_where_one_direction_after_the_other_finds_a_way() -> None:
    found = set()
    for name, seed in BATTLES:
        for game in moments(name, seed, 29):
            for unit in standing(game):
                wanted = next(ways_back(game, unit, PARTS), None) is not None
                assert can_fall_back(game, unit) == wanted
                found.add(wanted)
    assert found == {True, False}


@pytest.mark.parametrize(("name", "seed"), BATTLES)
def test_a_unit_passes_over_friends_just_where_one_of_its_figures_does(name: str, seed: int) -> None:
    random = Random(seed)
    found = set()
    for game in moments(name, seed, 29):
        here = board(game)
        for unit in standing(game):
            law, friends = MoveLaw.of(game, unit, "maneuver"), friend_rows(game, unit)
            dx, dy = random.uniform(-8.0, 8.0), random.uniform(-8.0, 8.0)
            steps = {name: step for name, step in law.shifted(dx, dy).items() if random.random() < 0.8}
            ways = law.ways_of(steps)
            one_by_one = any(
                moves.sweep(here.of([each])[0], np.array(ways[each.id]), friends) < math.inf
                for each in here.figures_of(unit)
                if each.id in ways
            )
            assert law.passes_over(here, ways, friends) == one_by_one
            found.add(one_by_one)
    assert found == {True, False}


# Into the saddle and out of it.


def one_after_the_other(game: Battle, unit: Unit, mounts: bool) -> dict[str, Point] | None:
    """Where each figure stands: first of all who may stay, then whoever is next, as near to his place as he may."""
    others = board(game).all_but(unit.teams.values())
    spots = {figure.id: figure.at for figure in unit.teams.values() if figure.at is not None}
    middle = tuple(sum(axis) / len(spots) for axis in zip(*spots.values(), strict=True))
    waiting = sorted(spots, key=lambda each: (round(math.dist(spots[each], middle), 2), each))
    placed = NOBODY
    found: dict[str, Point] = {}

    def row_at(name: str, spot: Point) -> Floats:
        figure = unit.teams[name]
        return bodies([(kind(figure.profile, mounts, figure.traits).base, Place(*spot, figure.facing))])

    def fits(name: str, spot: Point) -> bool:
        row, size = row_at(name, spot), (game.prepared.width, game.prepared.depth)
        free = not len(placed) or not measure.overlaps(row, placed, SLACK).any()
        linked = not len(placed) or base_gap(row, placed) <= command_distance(unit)[0] + A_HAIR
        clear = not len(others) or base_gap(row, others) > SEPARATION + EXACT
        return bool(free and linked and clear and moves.on_table(row, *size)[0])

    while waiting:
        name = next((each for each in waiting if fits(each, spots[each])), waiting[0])
        (x, y), near = spots[name], [(0.0, 0.0), *rings().tolist()]
        spot = next((at for at in ((snap(x + dx), snap(y + dy)) for dx, dy in near) if fits(name, at)), None)
        if spot is None:
            return None
        waiting.remove(name)
        found[name] = spot
        placed = np.concatenate((placed, row_at(name, spot)))

    def could_stay(name: str) -> bool:
        mates = np.concatenate([NOBODY, *[row_at(each, found[each]) for each in found if each != name]])
        both = np.concatenate((mates, row_at(name, spots[name])))
        return not measure.overlaps(both[-1:], mates, SLACK).any() and stands_in_command(unit, both)

    placed = NOBODY
    clear = {name for name in found if fits(name, spots[name])}
    while name := next(
        (each for each in found if each in clear and found[each] != spots[each] and could_stay(each)), ""
    ):
        found[name] = spots[name]
    return found


def test_who_mounts_or_dismounts_stands_where_one_after_the_other_finds_room() -> None:
    found = set()
    for name, seed in (*BATTLES, ("clash", 6), ("hasty-assault", 7)):
        for game in moments(name, seed, 29):
            for unit in [each for each in standing(game) if each.pose is None]:
                # Whoever has no horse is given one to try.
                for mounts in (True, False):
                    wanted = one_after_the_other(game, unit, mounts)
                    assert regroup(game, unit, mounts) == wanted
                    stays = wanted == {each.id: each.at for each in unit.teams.values()}
                    found.add("no" if wanted is None else "all stay" if stays else "some move")
    assert found == {"no", "all stay", "some move"}


# Firing.


@pytest.mark.parametrize(("name", "seed"), BATTLES)
def test_firing_distances_are_those_of_one_after_the_other(name: str, seed: int) -> None:
    shared = set()
    for game in moments(name, seed, 31):
        here = board(game)
        for unit in standing(game):
            for enemy in enemies_of(game.state, unit):
                over = Sights(game, unit, enemy, here.figures_of(unit))
                gaps = [min(row) for row in over.gaps.tolist()]
                near = measure.distances(here.rows_of(unit), here.rows_of(unit)[gaps.index(min(gaps))][None])[:, 0]
                assert over.shares == [each <= SHARED_RANGE + EXACT for each in near.tolist()]
                assert over.inches == [min(gaps) if each else gap for each, gap in zip(over.shares, gaps, strict=True)]
                shared |= {*over.shares}
    assert shared == {True, False}
