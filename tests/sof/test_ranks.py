"""Ranks and strength: what a unit's kind and number of figures allow."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.field.formations import Pose, places
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Unit, UnitType
from sandtable.rulesets.sof.formations import alignment_rule, files_of, on_table, why_not_alignment, why_not_formation
from sandtable.rulesets.sof.morale import minimum_of, why_tenacity


def unit(count: int, type_: UnitType = "infantry", **more: object) -> Unit:
    figures = {f"f-{number}": Figure("bolt-action-rifle") for number in range(count)}
    return Unit("red", "regular", figures, "squad", type=type_, **more)  # type: ignore[arg-type]


@pytest.mark.rule("sof.formations.line-infantry", "sof.formations.line-mounted", "sof.formations.march-column")
@pytest.mark.parametrize(
    ("type_", "alignment", "count", "files", "rule"),
    [
        ("infantry", "line", 10, [5], "sof.formations.line-infantry"),
        ("infantry", "line", 9, [5], "sof.formations.line-infantry"),
        ("mounted", "line", 7, [7], "sof.formations.line-mounted"),
        ("infantry", "march-column", 9, [2], "sof.formations.march-column"),
        ("mounted", "march-column", 1, [2], "sof.formations.march-column"),
    ],
)
def test_how_many_stand_abreast(type_: UnitType, alignment: Alignment, count: int, files: list[int], rule: str) -> None:
    squad = unit(count, type_)
    assert files_of(squad, alignment, count) == files
    assert alignment_rule(squad, alignment) == rule


@pytest.mark.rule("sof.formations.column")
@pytest.mark.parametrize(("count", "files"), [(9, []), (10, [3]), (16, [3]), (17, [3, 4]), (26, [3, 4, 5])])
def test_a_column_is_three_abreast_or_more_and_deeper_than_that(count: int, files: list[int]) -> None:
    assert files_of(unit(count), "column", count) == files
    assert (why_not_alignment(unit(count), "column") is None) == bool(files)


@pytest.mark.rule("sof.formations.which-allowed", "sof.formations.weapon-gun-always-loose")
@pytest.mark.parametrize(
    ("type_", "formation", "rule"),
    [
        ("infantry", "loose", None),
        ("infantry", "extended", "sof.formations.which-allowed"),
        ("weapon", "loose", None),
        ("weapon", "close", "sof.formations.weapon-gun-always-loose"),
    ],
)
def test_a_formation_must_be_allowed(type_: UnitType, formation: Formation, rule: str | None) -> None:
    refusal = why_not_formation(unit(5, type_, formations=("loose", "close")), formation)
    assert (refusal and refusal.rule) == rule


@pytest.mark.rule("sof.morale.minimum-command")
def test_a_command_unit_is_never_below_strength_but_may_have_too_much_suppression() -> None:
    hq = unit(1, hq=True)
    assert minimum_of(hq) == (0, "sof.morale.minimum-command")
    assert why_tenacity(hq) == []
    hq.suppression = 4
    assert why_tenacity(hq) == ["sof.morale.excess-suppression"]


@pytest.mark.parametrize("at", [(0.2, 20.0), (41.9, 20.0), (30.0, 0.4), (30.0, 35.9), (30.0, 20.0)])
def test_a_body_that_forms_up_too_near_an_edge_is_moved_in_just_so_far(at: tuple[float, float]) -> None:
    rules = rulesets.load("sof")
    game = Game(rules, rules.scenario("clash"), SeededDice(1))
    body, table = game.state.units["red-3"], game.setup.table
    before, after = Pose(at, 0.0, 3), on_table(game, body, Pose(at, 0.0, 3))
    for axis, size in enumerate((table.width, table.depth)):
        was, now = ([spot[axis] for spot in places(pose, len(body.teams), 1.0)] for pose in (before, after))
        low, high = min(was) - 0.5, max(was) + 0.5 - size
        due = -low if low < 0 else -max(high, 0.0)
        assert now[0] - was[0] == pytest.approx(due, abs=0.006)
