"""What the page on `sof` says is left for later is left, and nothing else of those chapters is."""

from __future__ import annotations

import re
from pathlib import Path

from sandtable import rulesets
from sandtable.engine.citations import in_code
from sandtable.engine.ledger import Ledger

DOCS = Path(__file__).parents[1] / "docs" / "sof.md"
CHAPTERS = (
    "basics",
    "turn",
    "actions",
    "movement",
    "leadership",
    "specialists",
    "formations",
    "terrain",
    "terrain-undergrowth",
    "terrain-haystack",
    "terrain-hasty-trench",
    "terrain-hill",
    "terrain-impassable",
    "terrain-low-obstacle",
    "terrain-ridge",
    "terrain-road",
    "terrain-rough",
    "terrain-rubble",
    "shooting",
    "grenades",
    "close-combat",
    "morale",
    "triage",
    "charts",
    "units",
    "force",
    "weapon-rules",
    "weapon-charts",
    "force-file",
    "mission-core",
    "hasty-assault",
    "patrol",
    "patrol-mode",
    "patrol-encounter",
)


def test_what_is_left_is_told_rule_by_rule() -> None:
    _, told = DOCS.read_text().split("## Left for part II\n")
    rows = "\n".join(line for line in told.split("\n## ")[0].splitlines() if line.startswith("|"))
    left = set(re.findall(r"`(sof\.[a-z0-9-]+\.[a-z0-9-]+)`", rows))
    ledger = Ledger.load("sof")
    done = {citation.rule for citation in in_code(rulesets.folder("sof"), "sof")}
    ours = {rule.id for rule in ledger.rules.values() if rule.chapter in CHAPTERS and rule.kind != "advice"}
    assert {each for each in left if ledger[each].chapter in CHAPTERS} == ours - done
