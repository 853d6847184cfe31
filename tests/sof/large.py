"""A battle of 240 figures: twelve squads of ten on each side, some of them in ranks, by officers' voices."""

from __future__ import annotations

from sandtable.field.formations import Pose
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, Objective, Setup, Side, Table, Unit
from sandtable.table.terrain import Feature

WIDTH, DEPTH = 96.0, 60.0
SQUADS, MEN = 12, 10


def squad(side: Side, number: int) -> Unit:
    """A squad of ten: each third in two ranks, the others in loose order, in two rows of squads."""
    row, column = divmod(number, SQUADS // 2)
    x = 8.0 + 15.0 * column
    forward = 1.0 if side == "red" else -1.0
    y = (8.0 if side == "red" else DEPTH - 8.0) + forward * (10.0 - 10.0 * row)
    facing = 0.0 if side == "red" else 180.0
    leads = {0: "officer" if number % (SQUADS // 2) == 0 else "nco"}
    teams = {
        f"{side}-{number}-{man}": Figure(
            profile="bolt-action-rifle",
            role=leads.get(man, ""),  # type: ignore[arg-type]
            at=(round(x + 1.4 * (man % 5 - 2), 2), round(y - 1.4 * forward * (man // 5), 2)),
            facing=facing,
        )
        for man in range(MEN)
    }
    unit = Unit(side, "regular", teams, name=f"Squad {number + 1}", battlegroup=f"{side}-{row}", hq=not number % 6)
    if number % 3 == 2:
        for figure in teams.values():
            figure.at, figure.facing = None, 0.0
        unit.formations = ("loose", "linear")
        unit.formation, unit.alignment = "linear", "line"
        unit.pose = Pose((x, y), facing, 5)
    return unit


def battle(turns: int = 4) -> Setup:
    sides: tuple[Side, ...] = ("red", "blue")
    wood = Feature("wood", "woods", [(20.0, 26.0), (34.0, 25.0), (35.0, 34.0), (21.0, 35.0)])
    hill = Feature("hill", "low-hill", [(58.0, 24.0), (72.0, 24.0), (74.0, 35.0), (60.0, 36.0)])
    return Setup(
        Table(WIDTH, DEPTH),
        {f"{side}-squad-{number}": squad(side, number) for side in sides for number in range(SQUADS)},
        {
            f"{side}-{row}": Battlegroup(side, f"{side.capitalize()} {word} Company", core=row == 0)
            for side in sides
            for row, word in enumerate(("First", "Second"))
        },
        name="large",
        title="Twelve Squads a Side",
        terrain=[wood, hill],
        objectives={"mill": Objective((48.0, 30.0), "The mill")},
        turns=turns,
    )
