"""Many random games, each looked at closely: a long search for a crash."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Ruleset
from sandtable.table.compiled import switch
from sandtable.testing.laws import LawBroken, check_saved, play_random
from sandtable.testing.umpire import has_umpire, second_umpire


def some_switches(rules: Ruleset, seed: int) -> frozenset[str]:
    """Optional rules by chance: sometimes all of them, sometimes a few."""
    random = Random(seed)
    share = random.choice([0.2, 0.5, 0.8, 1.0])
    return frozenset(switch.id for switch in rules.switches if random.random() < share)


class Objected(LawBroken):
    """The second umpire objects to a game."""


def soak(
    ruleset: str,
    scenario: str,
    seeds: range,
    crashes: Path,
    bot: str | None = None,
    counts: Counter[str] | None = None,
) -> list[str]:
    """Play a random game, or one of bots, for each seed and tell of those that went wrong; each is saved as a game.

    At every checkpoint the ruleset's invariants must hold, and the saved game must replay to the same end from
    the start and from one of its keyframes, another with every seed. Where a ruleset has optional rules, every other
    game is played with some of them by chance. Where it has a second umpire, he must have no objection; `counts` tells
    what he looked at.
    """
    switch.finish()
    rules = rulesets.load(ruleset)
    setup = rules.scenario(scenario)
    prepared = rules.prepare(setup)
    folder = crashes / f"{ruleset}-{scenario}"

    def watch(game: Game[Any]) -> None:
        if game.ask is not None and game.ask.checkpoint:
            for broken in rules.invariants(game):
                raise LawBroken(f"after {len(game.record)} answers: {broken}")

    found = []
    for seed in seeds:
        umpires = (second_umpire(ruleset),) if has_umpire(ruleset) else ()
        try:
            if rules.switched is not None and seed % 2:
                chosen = rules.switched(scenario, some_switches(rules, seed))
                game = play_random(rules, chosen, seed, watch=watch, crashes=folder, bot=bot, observers=umpires)
            else:
                game = play_random(
                    rules, setup, seed, watch=watch, crashes=folder, prepared=prepared, bot=bot, observers=umpires
                )
            text = record.dumps(game)
            try:
                for umpire in umpires:
                    if counts is not None:
                        counts.update(umpire.counts)
                    if umpire.objections:
                        raise Objected(str(umpire.objections[0]))
                check_saved(rules, text, game.hash(), only=seed)
            except Exception:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{ruleset}-{seed}.game").write_text(text, encoding="utf-8")
                raise
        except Exception as error:
            where = folder / f"{ruleset}-{seed}.game"
            found.append(f"{ruleset} {scenario}, seed {seed}: {type(error).__name__}: {error} (see {where})")
    return found
