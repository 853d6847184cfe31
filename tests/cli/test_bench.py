"""`sandtable bench`: figures with their units, and beside them those of other programs measured in the same run."""

from __future__ import annotations

import json

from sandtable import rulesets
from sandtable.lab.bench import MEASURED_IN

from .conftest import Command

REFERENCES = {
    "decisions_hof": "catanatron",
    "decisions_sof": "catanatron",
    "decisions_tr14": "catanatron",
    "sight_lines": "shapely STRtree",
}
UNITS = {
    "decisions_hof": "1/s",
    "decisions_sof": "1/s",
    "decisions_tr14": "1/s",
    "greedy_turn_hof": "s",
    "sight_lines": "1/s",
    "copy_state_80": "µs",
    "games_tr14": "1/s",
    "game_file_kb": "kB",
    "game_memory_kb": "kB",
}


def test_figures_as_json_have_the_documented_shape(command: Command) -> None:
    done = command("bench", "--seconds", 0.2, "--warm", "--json")
    assert done.status == 0
    figures = json.loads(done.out)
    assert {name: figure["unit"] for name, figure in figures.items()} == UNITS
    for name, figure in figures.items():
        assert figure["value"] > 0
        if name in REFERENCES:
            assert figure["reference"] == REFERENCES[name]
            assert figure["reference_value"] > 0
            assert abs(figure["ratio"] - figure["value"] / figure["reference_value"]) < 1e-9
        else:
            assert set(figure) == {"value", "unit"}
    assert [line.split()[0] for line in done.err.splitlines()] == ["measuring"] * 5


def test_a_measure_needs_some_time(command: Command) -> None:
    done = command("bench", "--seconds", 0)
    assert (done.status, done.out) == (2, "")
    assert "--seconds" in done.err


def test_sof_is_measured_by_battles_of_ten_to_twelve_units_a_side() -> None:
    rules = rulesets.load("sof")
    for name in MEASURED_IN["sof"]:
        units = rules.scenario(name).units.values()
        assert all(10 <= sum(unit.side == side for unit in units) <= 12 for side in rules.seats)
