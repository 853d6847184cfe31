"""Every whole number that a file may give is bounded by its type: no database ever meets one that it cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import msgspec.inspect as inspect
import pytest

from sandtable import rulesets
from sandtable.engine import record


def whole_numbers(kind: inspect.Type, path: str, seen: set[type]) -> Iterator[tuple[str, inspect.IntType]]:
    """Every place below a type where a whole number may stand."""
    if isinstance(kind, inspect.IntType):
        yield path, kind
    elif isinstance(kind, inspect.StructType):
        if kind.cls not in seen:
            seen.add(kind.cls)
            for field in kind.fields:
                yield from whole_numbers(field.type, f"{kind.cls.__name__}.{field.name}", seen)
    else:
        for name in ("item_type", "key_type", "value_type"):
            inner = getattr(kind, name, None)
            if inner is not None:
                yield from whole_numbers(inner, path, seen)
        for inner in (*getattr(kind, "item_types", ()), *getattr(kind, "types", ())):
            yield from whole_numbers(inner, path, seen)


TYPES: list[Any] = [record.Header, record.Line]
for ruleset in rulesets.known():
    TYPES += [rulesets.load(ruleset).setup_type, rulesets.load(ruleset).state_type]

SEEDS = {"DiceLine.seed"}
"""Any whole number is a seed: it is kept as text."""


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: f"{type_.__module__}.{type_.__name__}")
def test_every_whole_number_has_bounds(type_: Any) -> None:
    found = list(whole_numbers(inspect.type_info(type_), type_.__name__, set()))
    assert found
    for path, kind in found:
        if path not in SEEDS:
            assert kind.ge is not None, f"{path} has no least value"
            assert kind.le is not None, f"{path} has no largest value"


ROUND = {"hof": "round", "tr14": "round", "sof": "turn"}
"""What each game calls the turn of a set-up."""


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_a_number_beyond_all_measure_is_refused(ruleset: str) -> None:
    rules = rulesets.load(ruleset)
    plain = msgspec.to_builtins(rules.scenario("patrol"))
    with pytest.raises(msgspec.ValidationError, match=rf"\.{ROUND[ruleset]}`"):
        msgspec.convert({**plain, ROUND[ruleset]: 2**63}, rules.setup_type)
