"""The ledger: every rule of a ruleset in our own words, by the name that code, tests and reports point at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data, places
from sandtable.engine.errors import SandtableError

RULE_ID = re.compile(r"[a-z0-9]+\.[a-z0-9-]+\.[a-z0-9-]+")

Kind = Literal["core", "optional", "mission", "force", "national", "data", "advice"]
KINDS: tuple[Kind, ...] = ("core", "optional", "mission", "force", "national", "data", "advice")


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule, as small as one test can check.

    `lines` are those of the source text; `example` is the source's own; `unclear` says where the source is
    silent or at odds with itself and how it is read; `reading` is a choice that this project made beyond that;
    `rows` is the size of a table of data.
    """

    id: str
    kind: Kind
    title: str
    lines: tuple[int, int]
    text: str
    example: str | None = None
    unclear: str | None = None
    reading: str | None = None
    rows: int | None = None

    @property
    def ruleset(self) -> str:
        return self.id.split(".")[0]

    @property
    def chapter(self) -> str:
        return self.id.split(".")[1]

    @property
    def words(self) -> str:
        """All that the rule says, for searching."""
        parts = (self.id, self.title, self.text, self.example, self.unclear, self.reading)
        return "\n".join(part for part in parts if part)


class RuleFile(msgspec.Struct, forbid_unknown_fields=True):
    """A chapter of the ledger as it lies in its file."""

    rule: list[Rule]
    format: Literal["sandtable.rules"] = "sandtable.rules"

    def mistakes(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for number, rule in enumerate(self.rule):
            if not RULE_ID.fullmatch(rule.id):
                wanted = "ruleset.chapter.name, in small letters, digits and hyphens"
                yield f"rule[{number}].id", f'"{rule.id}" is no rule id; write {wanted}'
            if rule.id in seen:
                yield (
                    f"rule[{number}].id",
                    f'"{rule.id}" stands here a second time; every rule has its own id',
                )
            seen.add(rule.id)
            if rule.lines[0] > rule.lines[1]:
                yield f"rule[{number}].lines", "the first line comes after the last"


class Ledger:
    """The rules of one ruleset, in the order of its book."""

    def __init__(self, ruleset: str, rules: dict[str, Rule]) -> None:
        self.ruleset = ruleset
        self.rules = rules

    @classmethod
    def load(cls, ruleset: str, folder: Path | None = None) -> Ledger:
        """Read the ledger that comes with a ruleset, or one that lies in a folder of its own."""
        return _load(ruleset, folder or rules_folder(ruleset))

    def __getitem__(self, rule_id: str) -> Rule:
        """A rule by its id; an unknown one is an error for the person who named it."""
        if rule_id not in self.rules:
            near = get_close_matches(rule_id, self.rules, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else "`sandtable rules find WORD` looks for one."
            raise SandtableError(f"There is no rule {rule_id}: {hint}")
        return self.rules[rule_id]

    def find(self, word: str) -> list[Rule]:
        """The rules that speak of a word, or of a part of one; capitals do not matter."""
        wanted = word.casefold()
        return [rule for rule in self.rules.values() if wanted in rule.words.casefold()]


def rulesets() -> list[str]:
    """The rulesets that have a ledger, also those in the making."""
    return [name for name in places.known() if (places.folder(name) / "rules").is_dir()]


def offered() -> list[str]:
    """The rulesets with a ledger that players are offered."""
    return [name for name in rulesets() if name in places.names()]


def rules_folder(ruleset: str) -> Path:
    if ruleset not in rulesets():
        raise SandtableError(f"There is no ruleset {ruleset}; known: {', '.join(rulesets())}.")
    return places.folder(ruleset) / "rules"


@cache
def _load(ruleset: str, folder: Path) -> Ledger:
    rules: dict[str, Rule] = {}
    for path in sorted(folder.glob("*.toml")):
        text = data.read_text(path)
        for number, rule in enumerate(data.parse(text, RuleFile, str(path)).rule):
            where = f"rule[{number}].id"
            if rule.ruleset != ruleset:
                raise data.mistake(
                    text, str(path), where, f"this is the ledger of {ruleset}: ids begin with {ruleset}."
                )
            if rule.id in rules:
                raise data.mistake(text, str(path), where, f"{rule.id} stands in another chapter already")
            rules[rule.id] = rule
    return Ledger(ruleset, rules)
