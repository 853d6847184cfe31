"""The second umpire of Storm of Fire follows every situation, and objects to none of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import rulesets
from sandtable.testing.situations import load
from sandtable.testing.situations.playing import play_variant, variants
from sandtable.testing.umpire import second_umpire

SITUATIONS = sorted((rulesets.folder("sof") / "situations").rglob("*.toml"))


@pytest.mark.parametrize("path", SITUATIONS, ids=lambda path: "/".join(path.parts[-2:]))
def test_situations(path: Path) -> None:
    situation, text = load(path)
    moments = situation.moments(text, str(path))
    found = []
    for variant, number in variants(situation):
        if situation.must_fail or (variant is not None and variant.must_fail):
            continue
        watch = second_umpire("sof")
        play_variant(situation, variant, number, moments[number + 1], (watch,))
        name = situation.name if variant is None else variant.name
        found += [f"{name}: {objection}" for objection in watch.objections]
    assert not found, "\n".join(found)
