"""What of the ledger is implemented and tested: the rules, the code and the tests compared.

A rule is implemented when a module of its ruleset names its id, and tested when a situation or a marked test
does. Advice has nothing to execute and is not counted. What a ruleset leaves for later is not missing, but counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandtable.engine import citations
from sandtable.engine.citations import Citation
from sandtable.engine.data import DataError
from sandtable.engine.later import left
from sandtable.engine.ledger import KINDS, Ledger, Rule, rulesets
from sandtable.engine.places import PACKAGED, folder

# Beside the package in a checkout; an installed package comes without it.
TESTS = PACKAGED.parent.parent / "tests"


@dataclass
class Coverage:
    """Where each rule of a ruleset is named. `later` is what those wait for that are left for later.

    `errors` are names of rules that do not exist.
    """

    ledger: Ledger
    code: dict[str, list[Citation]] = field(default_factory=dict)
    situations: dict[str, list[Citation]] = field(default_factory=dict)
    tests: dict[str, list[Citation]] = field(default_factory=dict)
    later: dict[str, str] = field(default_factory=dict)
    errors: list[DataError] = field(default_factory=list)

    def implemented(self, rule: Rule) -> bool:
        return rule.id in self.code

    def tested(self, rule: Rule) -> bool:
        return rule.id in self.situations or rule.id in self.tests

    def missing(self, kind: str | None = None) -> list[Rule]:
        """The rules, of one kind or of all that count, that no code or no test names."""
        rules = [rule for rule in self._of(kind) if not (self.implemented(rule) and self.tested(rule))]
        return [rule for rule in rules if rule.id not in self.later]

    def complete(self, kind: str) -> bool:
        return not self.missing(kind)

    def report(self) -> dict[str, dict[str, Any]]:
        """Counts by kind, for kinds that the ruleset has."""
        return {
            kind: {
                "total": len(rules),
                "implemented": sum(map(self.implemented, rules)),
                "tested": sum(map(self.tested, rules)),
                "later": sum(rule.id in self.later for rule in rules),
                "missing": [rule.id for rule in self.missing(kind)],
            }
            for kind in KINDS
            if (rules := self._of(kind))
        }

    def _of(self, kind: str | None) -> list[Rule]:
        rules = (rule for rule in self.ledger.rules.values() if rule.kind != "advice")
        return [rule for rule in rules if kind in (None, rule.kind)]


def coverage(ruleset: str, package: Path | None = None, tests: Path = TESTS) -> Coverage:
    """Compare a ruleset's ledger with its package and the tests."""
    home = package or folder(ruleset)
    ledger = Ledger.load(ruleset, home / "rules" if package else None)
    found = Coverage(ledger, later=left(ledger, home))
    for citation in citations.in_code(home, ruleset):
        _add(found, found.code, citation)
    for citation, counts in citations.in_situations(home / "situations"):
        _add(found, found.situations if counts else {}, citation)
    others = {*rulesets()} - {ruleset}
    for citation in citations.in_tests(tests):
        if citation.rule.split(".")[0] not in others:
            _add(found, found.tests, citation)
    return found


def _add(found: Coverage, places: dict[str, list[Citation]], citation: Citation) -> None:
    if citation.rule in found.ledger.rules:
        places.setdefault(citation.rule, []).append(citation)
    else:
        problem = f"{citation.rule} is not in the ledger of {found.ledger.ruleset}"
        found.errors.append(DataError(citations.shown(citation.file), citation.line, citation.name, problem))
