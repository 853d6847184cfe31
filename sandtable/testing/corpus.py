"""The corpus: finished games that every later version must replay to the same end.

    python -m sandtable.testing.corpus write tests/corpus
    python -m sandtable.testing.corpus check tests/corpus

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

FIRST_SEED = 14
USAGE = "python -m sandtable.testing.corpus write|check FOLDER"


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


def play(rules: Ruleset, battle: Battle) -> Game[Any]:
    scenario, seed, players, optional = battle
    setup = rules.scenario(scenario)
    if optional and rules.switched is not None:
        setup = rules.switched(scenario, frozenset(switch.id for switch in rules.switches))
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    named = zip(rules.seats, players, strict=True)
    drive(game, {seat: bots.make(name, 2 * seed + number) for number, (seat, name) in enumerate(named)})
    return game


def write(folder: Path) -> Iterator[Path]:
    """Play all games afresh and write one file each, without what a replay has anyway."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.game"):
        old.unlink()
    for name in rulesets.names():
        rules = rulesets.load(name)
        for battle in battles(rules):
            path = folder / f"{name}-{battle.scenario}-{battle.seed}.game"
            record.save(play(rules, battle), path, events=False)
            yield path


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.game"))


def problems(path: Path) -> list[str]:
    """Where a saved game now goes another way than it went; nothing for one that ends as it did."""
    saved = record.read(path)
    if saved.end is None:
        return ["the game has no end"]
    return record.replay(saved, rulesets.load).differs


def check(folder: Path) -> Iterator[str]:
    """One line for each game that goes another way."""
    for path in files(folder):
        yield from (f"{path}: {problem}" for problem in problems(path))


def main(words: list[str]) -> int:
    if len(words) != 2 or words[0] not in ("write", "check"):
        print(USAGE, file=sys.stderr)
        return 2
    folder = Path(words[1])
    try:
        if words[0] == "write":
            for path in write(folder):
                print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
            return 0
        found = list(check(folder))
    except SandtableError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join([*found, f"{len(files(folder))} games, {len(found)} differences"]))
    return 1 if found or not files(folder) else 0


if __name__ == "__main__":
    switch.finish()
    sys.exit(main(sys.argv[1:]))
