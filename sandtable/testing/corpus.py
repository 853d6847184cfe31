"""The corpus: finished games that every later version must replay to the same end.

    python -m sandtable.testing.corpus write tests/corpus
    python -m sandtable.testing.corpus check tests/corpus

A third word, as in `write tests/corpus sof`, leaves the games of other rulesets alone.
A change that alters one of these games must say which rule it mended; then the corpus is written anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sandtable import bots, rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import drive
from sandtable.table.compiled import switch

PAIRS = (("random", "random"), ("greedy", "random"))
"""Who plays the games of each scenario: the first pair with the first seed, and so on."""

ALL_OPTIONS = (("random", "random"), ("random", "greedy"))
"""Who plays it with every optional rule that the ruleset has: the seeds go on."""

GENTLE = {"sof": "steady"}
"""Who plays in the place of `greedy`, where a battle takes him minutes."""

FIRST_SEED = 14
USAGE = "python -m sandtable.testing.corpus write|check FOLDER [RULESET]"


class Battle(NamedTuple):
    """A game of the corpus, before it is played."""

    scenario: str
    seed: int
    players: tuple[str, str]
    optional: bool


def battles(rules: Ruleset) -> list[Battle]:
    """The games that the corpus holds of a ruleset."""
    pairs = [(players, False) for players in PAIRS]
    if rules.switched is not None:
        pairs += [(players, True) for players in ALL_OPTIONS]
    return [
        Battle(scenario, seed, *pair) for scenario in rules.scenarios() for seed, pair in enumerate(pairs, FIRST_SEED)
    ]


def bot(rules: Ruleset, name: str) -> str:
    return GENTLE.get(rules.name, name) if name == "greedy" else name


def play(rules: Ruleset, battle: Battle) -> Game[Any]:
    scenario, seed, players, optional = battle
    setup = rules.scenario(scenario)
    if optional and rules.switched is not None:
        setup = rules.switched(scenario, frozenset(switch.id for switch in rules.switches))
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    named = zip(rules.seats, players, strict=True)
    drive(game, {seat: bots.make(bot(rules, name), 2 * seed + number) for number, (seat, name) in enumerate(named)})
    return game


def write(folder: Path, names: list[str]) -> Iterator[Path]:
    """Play all games of some rulesets afresh and write one file each, without what a replay has anyway."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for old in files(folder, name):
            old.unlink()
        rules = rulesets.load(name)
        for battle in battles(rules):
            path = folder / f"{name}-{battle.scenario}-{battle.seed}.game"
            record.save(play(rules, battle), path, events=False)
            yield path


def files(folder: Path, ruleset: str = "") -> list[Path]:
    return sorted(folder.glob(f"{ruleset}-*.game" if ruleset else "*.game"))


def problems(path: Path) -> list[str]:
    """Where a saved game now goes another way than it went; nothing for one that ends as it did."""
    saved = record.read(path)
    if saved.end is None:
        return ["the game has no end"]
    return record.replay(saved, rulesets.load).differs


def check(paths: list[Path]) -> Iterator[str]:
    """One line for each game that goes another way."""
    for path in paths:
        yield from (f"{path}: {problem}" for problem in problems(path))


def main(words: list[str]) -> int:
    if len(words) not in (2, 3) or words[0] not in ("write", "check"):
        print(USAGE, file=sys.stderr)
        return 2
    folder, only = Path(words[1]), words[2:]
    try:
        if words[0] == "write":
            for path in write(folder, only or rulesets.names()):
                print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
            return 0
        paths = files(folder, *only)
        found = list(check(paths))
    except SandtableError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join([*found, f"{len(paths)} games, {len(found)} differences"]))
    return 1 if found or not paths else 0


if __name__ == "__main__":
    switch.finish()
    sys.exit(main(sys.argv[1:]))
