"""The set-up of a situation, put together from what its files write: a shared beginning, its own, a variant's changes.

What is wrong with it is told where it was written, whichever file that is.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from sandtable import rulesets
from sandtable.engine import data
from sandtable.engine.data import DataError
from sandtable.engine.data_words import Fault, did_you_mean, value_at
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.toml_lines import Steps, locate, read_problem, write_path

MOST_IN_A_SQUAD = 50
LONGEST_CHAIN = 8
"""Files that begin with one another. More are a circle."""


class Layer(NamedTuple):
    """What one place of a file changes in a set-up: some of what was there is removed, the rest written over."""

    file: str
    text: str
    at: Steps
    written: dict[str, Any]
    remove: tuple[str, ...] = ()


class SetupFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set-up that situations share: they name the file under `begins`."""

    format: Literal["sandtable.setup"]
    name: str
    ruleset: str
    setup: dict[str, Any] = {}
    about: str = ""
    begins: str = ""
    remove: tuple[str, ...] = ()

    def mistakes_beside(self, text: str, name: str) -> Iterator[DataError]:
        if unknown := unknown_ruleset(self.ruleset):
            yield data.mistake(text, name, "ruleset", unknown)
            return
        try:
            layers = layers_of(self.ruleset, self.begins, Layer(name, text, ("setup",), self.setup, self.remove))
        except DataError as error:
            yield error
            return
        yield from Moment(layers).read(rulesets.load(self.ruleset))[1]


def unknown_ruleset(name: str) -> str:
    if name in rulesets.known():
        return ""
    return f"there is no ruleset {name!r}; known: {', '.join(rulesets.known())}"


# Files that begin with one another.


def bundled(ruleset: str) -> dict[str, Path]:
    """The set-ups that come with a ruleset, by name."""
    return {path.stem: path for path in sorted((rulesets.folder(ruleset) / "setups").glob("*.toml"))}


def layers_of(ruleset: str, begins: str, own: Layer) -> list[Layer]:
    """A file's own set-up on top of those that it begins with."""
    layers = [own]
    while begins:
        here = layers[0]
        path = beginning(ruleset, begins, here)
        found = setup_file(path)
        if found.ruleset != ruleset:
            problem = f"{begins} is a set-up of {found.ruleset}, not of {ruleset}"
            raise data.mistake(here.text, here.file, "begins", problem)
        layers.insert(0, Layer(str(path), data.read_text(path), ("setup",), found.setup, found.remove))
        if len(layers) > LONGEST_CHAIN:
            raise data.mistake(own.text, own.file, "begins", "these files begin with one another in a circle")
        begins = found.begins
    return layers


def beginning(ruleset: str, begins: str, here: Layer) -> Path:
    """The file that is meant: one beside the file that names it, or one that comes with the ruleset."""
    known = bundled(ruleset)
    if begins in known:
        return known[begins]
    own = Path(here.file).parent / begins
    if own.is_file():
        return own
    if begins.endswith(".toml"):
        raise data.mistake(here.text, here.file, "begins", f"there is no file {own}")
    listed = f"{did_you_mean(begins, known)}known set-ups: {', '.join(known)}; or give a file ending in .toml"
    raise data.mistake(here.text, here.file, "begins", f"there is no set-up {begins!r}; {listed}")


def setup_file(path: Path) -> SetupFile:
    """A set-up file by its types alone: the file that begins with it may make it whole."""
    text = data.read_text(path)
    value, faults = data.convert_all(data.parse_toml(text, str(path)), SetupFile)
    for fault in faults:
        raise data.mistake(text, str(path), fault.steps, fault.problem)
    assert value is not None
    return value


# Changing and joining.


def merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A set-up with some of it changed: tables are merged, everything else replaced."""
    result = copy.deepcopy(base)
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def drop(setup: dict[str, Any], path: str) -> bool:
    """Take a place out of a set-up; false if it is not there."""
    *inner, last = path.split(".")
    place: Any = setup
    for key in inner:
        place = place.get(key) if isinstance(place, dict) else None
    if not isinstance(place, dict) or last not in place:
        return False
    del place[last]
    return True


class Moment:
    """A set-up in layers, of which the last may be a variant's."""

    def __init__(self, layers: list[Layer]) -> None:
        self.layers = layers
        self.squads: dict[tuple[str, str], str] = {}

    def read(self, rules: Ruleset) -> tuple[Any, list[DataError]]:
        """The set-up, and all that is wrong with it; it can be played if nothing is."""
        plain, found = self.put_together()
        if found:
            return None, found
        setup, faults = data.convert_all(plain, rules.setup_type)
        if setup is not None and not faults:
            faults = [Fault(*read_problem(problem)) for problem in rules.problems(setup)]
        errors = [self.error(fault.steps, fault.problem) for fault in faults]
        return setup, list({str(error): error for error in errors}.values())

    def joined(self) -> tuple[dict[str, Any], list[tuple[Layer, int]]]:
        """All layers written over one another, and what they would remove that is not there.

        That may be a Team of a squad, and squads are not spread yet.
        """
        whole: dict[str, Any] = {}
        later: list[tuple[Layer, int]] = []
        for layer in self.layers:
            later += [(layer, number) for number, path in enumerate(layer.remove) if not drop(whole, path)]
            whole = merged(whole, layer.written)
        return whole, later

    def put_together(self) -> tuple[dict[str, Any], list[DataError]]:
        whole, later = self.joined()
        found = [self.error(fault.steps, fault.problem) for fault in self.spread_squads(whole)]
        for layer, number in later:
            if not drop(whole, layer.remove[number]):
                problem = f"{layer.remove[number]} is not in the set-up"
                where = (*layer.at[:-1], "remove", number)
                found.append(data.mistake(layer.text, layer.file, where, problem))
        return whole, found

    # Squads.

    def spread_squads(self, setup: dict[str, Any]) -> Iterator[Fault]:
        """Write out the Teams of each squad; yields what is wrong with one."""
        units = setup.get("units")
        for unit_id, unit in units.items() if isinstance(units, dict) else ():
            teams = unit.get("teams") if isinstance(unit, dict) else None
            if not isinstance(teams, dict) or not any(is_squad(team) for team in teams.values()):
                continue
            spread: dict[str, Any] = {}
            for name, team in teams.items():
                if not is_squad(team):
                    spread[name] = merged(spread.get(name, {}), team) if isinstance(team, dict) else team
                    continue
                fault = squad_amiss(team)
                if fault is not None:
                    yield Fault(("units", unit_id, "teams", name, *fault.steps), fault.problem)
                    continue
                for number, member in enumerate(members(team), 1):
                    # A Team that is also written by its own name is changed by that, wherever it stands.
                    spread[f"{name}-{number}"] = merged(member, spread.get(f"{name}-{number}", {}))
                    self.squads[unit_id, f"{name}-{number}"] = name
            unit["teams"] = spread

    # Where it was written.

    def error(self, steps: Steps, problem: str) -> DataError:
        """A mistake, at the last place that wrote most of its path."""
        paths = [steps]
        if len(steps) > 3 and steps[0] == "units" and steps[2] == "teams":
            squad = self.squads.get((str(steps[1]), str(steps[3])))
            if squad is not None:
                paths.append((*steps[:3], squad, *steps[4:]))
        layers = [layer for layer in self.layers if layer.written] or self.layers
        places = [(written_to(layer.written, path), layer, path) for layer in layers for path in paths]
        deepest = max(depth for depth, _, _ in places)
        _, layer, path = [place for place in places if place[0] == deepest][-1]
        where = (*layer.at, *path)
        return DataError(layer.file, locate(layer.text, where), write_path(where), problem)


def written_to(written: Any, path: Steps) -> int:
    """How much of a path a layer writes."""
    depth = 0
    while depth < len(path) and value_at(written, path[: depth + 1]) is not None:
        depth += 1
    return depth


def is_squad(team: Any) -> bool:
    return isinstance(team, dict) and ("count" in team or "step" in team)


def squad_amiss(squad: dict[str, Any]) -> Fault | None:
    count, step, at = squad.get("count"), squad.get("step"), squad.get("at")
    if count is None:
        return Fault(("step",), "`step` belongs to a squad; say how many Teams it has by `count`")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_IN_A_SQUAD:
        return Fault(("count",), f"a squad has 1 to {MOST_IN_A_SQUAD} Teams")
    if step is not None and not is_point(step):
        return Fault(("step",), "give the way from each Team to the next as [x, y] in inches")
    if at is not None and not is_point(at):
        return Fault(("at",), "give the place of the first Team as [x, y] in inches")
    if step is not None and at is None:
        return Fault(("step",), "these Teams have no place: give that of the first as `at`, or leave `step` out")
    if at is not None and step is None and count > 1:
        return Fault(("at",), "all would stand here: give the way from each to the next as `step = [2, 0]`")
    return None


def is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each) for each in value)
    )


def members(squad: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The Teams of a squad, one after another."""
    plain = {key: value for key, value in squad.items() if key not in ("count", "step")}
    for number in range(squad["count"]):
        member = copy.deepcopy(plain)
        if "at" in plain:
            dx, dy = squad.get("step", (0, 0))
            x, y = plain["at"]
            member["at"] = [round(x + number * dx, 2), round(y + number * dy, 2)]
        yield member
