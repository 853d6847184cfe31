"""Faults planted in the rules of Hail of Fire: the second umpire must see each of them.

The kinds of faults were chosen before anybody had looked whether a check would see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.rulesets.hof import orders
from sandtable.rulesets.hof.activation import activation, participants
from sandtable.rulesets.hof.battle import objectives, reserves, zones
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving import courses, distance, legality, move_orders
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.rulesets.hof.transports import transports
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import Objection, second_umpire
from sandtable.testing.umpire.hof.tables import battle as hard_battle
from sandtable.testing.umpire.hof.tables import steered

OTHERS = 150

Plant = Callable[[pytest.MonkeyPatch], None]


def objections(seed: int) -> list[Objection]:
    """What the second umpire says against a battle on a hard table."""
    watch = second_umpire("hof")
    play_random(rulesets.load("hof"), hard_battle(seed), seed, choose=steered(watch), observers=(watch,))
    return watch.objections


def nothing(*args: Any, **named: Any) -> Any:
    """A step of the rules that is left out."""
    yield from ()


def order_dice_of_three(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(orders, "ORDER_NEEDED", 3)


def acting_by_hero_point_locks_nobody(patch: pytest.MonkeyPatch) -> None:
    mark = activation.mark_activated

    def forgetful(game: Any, act: Any) -> None:
        mark(game, act)
        for _, team in act.members:
            team.locked = False

    patch.setattr(activation, "mark_activated", forgetful)


def leaders_see_everybody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(participants, "all_in_sight", lambda game, leader, teams: [True] * len(teams))


def nobody_is_watched(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(move_orders, "watched_ways", lambda game, side, courses, paths, inches: [False] * len(courses))


def slow_vehicles_keep_their_dice(patch: pytest.MonkeyPatch) -> None:
    def all_dice(team: Any, values: list[int], *, drop: int = 0) -> float:
        return float(sum(sorted(values)[drop:]) + (2 if "fast" in team.kind.keywords else 0))

    patch.setattr(distance, "rolled", all_dice)


def no_terrain_checks(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(terrain_crossing, "checks_for", lambda kind, ground: False)


def everybody_goes_anywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(terrain_crossing, "may_cross", lambda kind, ground: True)


def mines_are_duds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(courses, "HAZARDS", [])


def the_suppressed_advance(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(move_orders, "held_back", lambda game, unit, team, step: False)


def leaders_run(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(move_orders, "LEADER", 18.0)


def fours_break_like_threes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(morale, "BREAK_POINTS", {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 3})


def morale_never_fails_a_unit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(morale, "below_half", nothing)


def the_hidden_appear_anywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(zones, "FOOT_APART", 4.0)


def reserves_come_on_beside_the_enemy(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reserves, "ENTRY_APART", 2.0)


def transports_load_from_afar(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(transports, "BESIDE", 9.0)


def transports_come_back_under_fire(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(transports, "ENEMY_NEAR", 3.0)


def vehicles_turn_late(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(legality, "PIVOTS", 30.0)


def objectives_reach_farther(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(objectives, "NEAR_OBJECTIVE", 6.0)


PLANTS: dict[Plant, tuple[str, int]] = {
    order_dice_of_three: ("hof.orders.order-plus-one", 0),
    acting_by_hero_point_locks_nobody: ("hof.orders.hero-lock", 0),
    leaders_see_everybody: ("hof.activation.pl-brings-unit", 0),
    nobody_is_watched: ("hof.moving.unseen-maximum", 0),
    slow_vehicles_keep_their_dice: ("hof.moving.rolled-distance", 13),
    no_terrain_checks: ("hof.moving.tracked-terrain", 12),
    everybody_goes_anywhere: ("hof.moving.halftrack-wheeled-terrain", 65),
    mines_are_duds: ("hof.optional.mines-trigger", 9),
    the_suppressed_advance: ("hof.rfp-rally.suppressed-effects", 0),
    leaders_run: ("hof.leaders.move-12", 1),
    fours_break_like_threes: ("hof.battle.break-roll", 0),
    morale_never_fails_a_unit: ("hof.morale.trigger", 15),
    the_hidden_appear_anywhere: ("hof.battle.hidden-where", 36),
    reserves_come_on_beside_the_enemy: ("hof.battle.reserves-check", 2),
    transports_load_from_afar: ("hof.transports.load", 9),
    transports_come_back_under_fire: ("hof.transports.return", 0),
    vehicles_turn_late: ("hof.moving.vehicle-pivots", 14),
    objectives_reach_farther: ("hof.battle.objective-control", 0),
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the battle where it was seen first; or, since the rules go on changing, in one of some others."""
    rule, seed = PLANTS[plant]
    plant(monkeypatch)
    tries = (seed, *range(OTHERS))
    assert any(objection.rule == rule for each in tries for objection in objections(each)), f"nobody objects to {rule}"
