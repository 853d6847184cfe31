"""Faults planted in the fights of Hail of Fire: the second umpire must see each of them.

The kinds of faults were chosen before anybody had looked whether a check would see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sandtable import rulesets
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.assaults import assault_checks, assaults, contact
from sandtable.rulesets.hof.core import terrain
from sandtable.rulesets.hof.firing import fire_lines, fire_orders, hit_allocation, hit_effects, vehicles
from sandtable.rulesets.hof.kernels import fire
from sandtable.rulesets.hof.optional import air, snipers
from sandtable.rulesets.hof.rfp_rally import rally, rfp
from sandtable.table import sight
from sandtable.testing.laws import play_random
from sandtable.testing.umpire import Objection, second_umpire
from sandtable.testing.umpire.hof import duels, tables

OTHERS = 40

Plant = Callable[[pytest.MonkeyPatch], None]


def objections(kind: str, seed: int) -> list[Objection]:
    """What the second umpire says against a duel, or against a battle on a hard table."""
    watch = second_umpire("hof")
    setup, choose = (
        (duels.duel(seed), duels.warlike(watch)) if kind == "duel" else (tables.battle(seed), tables.steered(watch))
    )
    play_random(rulesets.load("hof"), setup, seed, choose=choose, observers=(watch,))
    return watch.objections


def woods_are_no_hindrance(patch: pytest.MonkeyPatch) -> None:
    mode = terrain.GroundTable.mode

    def clear(kind: terrain.Kind) -> int:
        return sight.CLEAR if kind.shape == "area" and not kind.building and not kind.smoke else mode(kind)

    patch.setattr(terrain.GroundTable, "mode", staticmethod(clear))
    terrain.ground_table.cache_clear()


def arcs_are_wide(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fire_lines, "ARC", 250.0)


def friends_are_never_in_the_way(patch: pytest.MonkeyPatch) -> None:
    nobody = fire.Friends(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    fire_table, fire_over = fire.fire_table, fire.fire_over
    patch.setattr(fire, "fire_table", lambda lens, places, friends, *more: fire_table(lens, places, nobody, *more))
    patch.setattr(fire, "fire_over", lambda lens, places, friends, *more: fire_over(lens, places, nobody, *more))


def long_range_is_free(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fire_orders, "spotted", lambda table: True)


def one_who_sees_it_hidden_is_enough(patch: pytest.MonkeyPatch) -> None:
    begin = fire_orders.Hidden.__init__

    def some(self: Any, table: Any, marks: Any, rows: Any) -> None:
        begin(self, table, marks, rows)
        self.concealed = any(marks[each][0] & fire_orders.CONCEALED for each in rows)

    patch.setattr(fire_orders.Hidden, "__init__", some)


def everybody_fires_one_die_more(patch: pytest.MonkeyPatch) -> None:
    rate = fire_orders.rate_of_fire

    def more(*args: Any) -> tuple[int, list[str]]:
        rof, rules = rate(*args)
        return rof + 1, rules

    patch.setattr(fire_orders, "rate_of_fire", more)


def hits_spill_farther(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fire_lines, "SPILL", 6.0)
    patch.setattr(fire_orders, "SPILL", 6.0)


def small_teams_are_hit_like_others(patch: pytest.MonkeyPatch) -> None:
    begin = hit_allocation.Share.__post_init__

    def grown(self: Any) -> None:
        begin(self)
        self.small = False

    patch.setattr(hit_allocation.Share, "__post_init__", grown)


def a_unit_may_hit_again_and_again(patch: pytest.MonkeyPatch) -> None:
    takers = hit_effects.takers

    def forgetful(act: Any, table: Any, reach: Any, marks: Any) -> tuple[list[int], list[str]]:
        act.hit.update(team.id for _, team in table.targets)
        return takers(act, table, reach, marks)

    patch.setattr(hit_effects, "takers", forgetful)


def every_shot_comes_from_the_front(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hit_allocation, "is_flank", lambda game, firer, team: False)


def no_six_is_needed(patch: pytest.MonkeyPatch) -> None:
    outcome = vehicles.outcome
    patch.setattr(vehicles, "outcome", lambda six, above, rfps_only: outcome(True, above, rfps_only))


def shells_are_felt_twice_as_far(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hit_effects, "BLAST", 4.0)


def twos_kill_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rfp, "KILLED_UP_TO", {True: 1, False: 1})


def nobody_is_in_hard_cover(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rfp, "in_hard_cover", lambda game, team: False)


def quality_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    def never(*args: Any) -> Any:
        yield from ()
        return rfp.Again()

    patch.setattr(rfp, "roll_again", never)


def the_suppressed_see_nobody(patch: pytest.MonkeyPatch) -> None:
    watched = rally.watched
    patch.setattr(rally, "watched", lambda game, side, teams, **named: watched(game, side, teams))


def barrages_are_wider(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(barrages, "BARRAGE_RADIUS", 5.0)


def open_tops_are_closed(patch: pytest.MonkeyPatch) -> None:
    def all_armor(team: Any, number: int, cited: list[str]) -> int:
        return max(0, number - min(team.kind.flank, 2) - int("open-topped" in team.kind.keywords))

    patch.setattr(barrages, "after_armor", all_armor)


def mortars_hit_more_often(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(barrages, "DIRECT_HIT", 5)


def smoke_lingers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(barrages, "clear_smoke", lambda game, side: None)


def bare_hands_are_stronger(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assault_checks, "WITHOUT_AT", 3)


def defenders_do_not_regroup(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(assaults, "regroup", lambda game, fight: None)


def consolidation_is_a_run(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(contact, "CONSOLIDATION", 6.0)


def snipers_see_farther(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(snipers, "RANGE", 44.0)


def cannons_are_heavier(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(air, "CANNON_RFPS", 3)


PLANTS: dict[Plant, tuple[str, str, int]] = {
    woods_are_no_hindrance: ("hof.firing.los-requirement", "battle", 0),
    arcs_are_wide: ("hof.firing.los-requirement", "duel", 0),
    friends_are_never_in_the_way: ("hof.firing.los-requirement", "duel", 0),
    long_range_is_free: ("hof.firing.long-range-modifier", "duel", 0),
    one_who_sees_it_hidden_is_enough: ("hof.firing.concealed-modifier", "duel", 0),
    everybody_fires_one_die_more: ("hof.firing.fire-dice", "duel", 0),
    hits_spill_farther: ("hof.firing.spill-to-neighbours", "duel", 0),
    small_teams_are_hit_like_others: ("hof.firing.small-teams-last", "duel", 0),
    a_unit_may_hit_again_and_again: ("hof.firing.spill-to-neighbours", "duel", 2),
    every_shot_comes_from_the_front: ("hof.vehicles.flank-shot", "duel", 6),
    no_six_is_needed: ("hof.vehicles.roll-per-hit", "duel", 4),
    shells_are_felt_twice_as_far: ("hof.special-rules.bunker-buster", "duel", 3),
    twos_kill_nobody: ("hof.rfp-rally.result-table", "duel", 0),
    nobody_is_in_hard_cover: ("hof.rfp-rally.result-table", "duel", 0),
    quality_is_forgotten: ("hof.orders.reroll-once", "duel", 0),
    the_suppressed_see_nobody: ("hof.rfp-rally.fall-back-end", "duel", 22),
    barrages_are_wider: ("hof.artillery.radius", "duel", 1),
    open_tops_are_closed: ("hof.artillery.barrage-rfps", "duel", 23),
    mortars_hit_more_often: ("hof.artillery.deviation", "duel", 3),
    smoke_lingers: ("hof.artillery.smoke-duration", "duel", 0),
    bare_hands_are_stronger: ("hof.assaults.vs-armor-at-values", "battle", 47),
    defenders_do_not_regroup: ("hof.assaults.regroup", "battle", 1),
    consolidation_is_a_run: ("hof.assaults.consolidation", "battle", 6),
    snipers_see_farther: ("hof.optional.sniper-fire", "duel", 4),
    cannons_are_heavier: ("hof.optional.air-cannons", "duel", 4),
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the battle where it was seen first; or, since the rules go on changing, in one of some others."""
    rule, kind, seed = PLANTS[plant]
    plant(monkeypatch)
    try:
        tries = (seed, *range(OTHERS))
        assert any(objection.rule == rule for each in tries for objection in objections(kind, each)), rule
    finally:
        terrain.ground_table.cache_clear()
