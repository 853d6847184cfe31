"""Forces as files: the text of a new one with its comments, and what one is counted and checked by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from sandtable.engine.data import read_text
from sandtable.engine.toml_lines import Steps
from sandtable.field.set_ups import Faults

K = TypeVar("K", bound=str)


def first_of(folder: Path, nation: str) -> str:
    """The text of a first force of a nation: it lies beside a game's other data, with NATION in the nation's place."""
    return read_text(folder / "data" / "first-force.txt").replace("NATION", nation)


def annotated(keys: str, text: str, profiles: Mapping[str, Mapping[str, str]]) -> str:
    """The text of a force between what its keys mean and the profiles that it may use, by their tables."""
    lines = [keys, text.rstrip(), "", "# Profiles:"]
    for table, names in profiles.items():
        lines += [f"# {table}"] * bool(table) + [f"#   {key}: {name}" for key, name in names.items()]
    return "\n".join(lines) + "\n"


def counted(teams: Mapping[str, int], name: Callable[[str], str], more: Mapping[str, str] | None = None) -> list[str]:
    """How many teams of each profile, as people say it: "6 × Rifle"; `more` stands in brackets behind some."""
    extra = {key: f" ({words})" for key, words in (more or {}).items()}
    return [f"{number} × {name(key)}{extra.get(key, '')}" for key, number in teams.items()]


def team_ids(unit_id: str, key: str, number: int) -> Iterator[str]:
    """The ids of so many teams of a kind in a unit, numbered from 1."""
    return (f"{unit_id}-{key}-{each}" for each in range(1, number + 1))


def none_amiss(steps: Steps, numbers: Mapping[K, int], noun: str, rules: Mapping[K, str] | None = None) -> Faults:
    """Whatever is listed is there at least once."""
    for key, number in numbers.items():
        if number < 1:
            cited = f" ({rules[key]})" if rules else ""
            yield (*steps, key), f"give a number of {noun} from 1 on{cited}"
