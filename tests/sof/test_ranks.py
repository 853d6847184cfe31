"""Ranks and strength: what a unit's kind and number of figures allow."""

from __future__ import annotations

import pytest

from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Unit, UnitType
from sandtable.rulesets.sof.formations import alignment_rule, files_of, why_not_alignment, why_not_formation
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
