"""Exact odds against play, for long: forty attacks of a game, each played out so often (SANDTABLE_SOAK_PLAYS).

Half of them are met in games by chance, on every battle in turn; half in situations, of each kind in turn.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from sandtable import rulesets
from sandtable.testing.odds import Attack, attacks, disagreements, look_in_situations, play_out

PLAYS = int(os.environ.get("SANDTABLE_SOAK_PLAYS", "200000"))
ATTACKS = 40
SEED = int(os.environ.get("SANDTABLE_SOAK_SEED", "1"))


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in rulesets.names() if rulesets.load(name).display.previews])
def test_odds_are_what_happens(name: str) -> None:
    rules = rulesets.load(name)
    wrong: list[str] = []
    looked: list[str] = []

    def look(attack: Attack) -> None:
        assert attack.game.ask is not None
        # Dice of their own for each attack: the same ones would be one look, and not forty.
        played = play_out(attack, PLAYS, PLAYS * len(looked) + 10**9 * SEED)
        where = f"{attack.game.setup.name}, {attack.game.ask.question.topic}: {attack.answer}"
        looked.append(where)
        print(f"{len(looked)} of {ATTACKS}: {where}: {len(played.ends)} ends", flush=True)
        for each in disagreements(attack, played):
            wrong.append(f"{where}: {each}")
            print(f"WRONG {each}", flush=True)

    scenarios = rules.scenarios()
    by_chance = ATTACKS // 2
    for number, scenario in enumerate(scenarios):
        share = by_chance // len(scenarios) + (number < by_chance % len(scenarios))
        for attack in attacks(rules, rules.scenario(scenario), SEED, share):
            look(attack)
    kinds = Counter[str]()
    each = -(-(ATTACKS - len(looked)) // len(rules.display.previews))

    def look_if_wanted(attack: Attack) -> None:
        assert attack.game.ask is not None
        topic = attack.game.ask.question.topic
        if len(looked) < ATTACKS and len(attack.odds.chances) > 1 and kinds[topic] < each:
            kinds[topic] += 1
            look(attack)

    look_in_situations(rulesets.folder(name) / "situations", look_if_wanted, ATTACKS)
    assert wrong == []
    assert len(looked) == ATTACKS
