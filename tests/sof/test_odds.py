"""The exact odds of fire: numbers by hand, and against play in random games and situations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from sandtable import rulesets
from sandtable.engine.cards import Odds
from sandtable.rulesets.sof.shooting import Harm
from sandtable.rulesets.sof.shooting.odds import blast_number, passing, wounded
from sandtable.testing.odds import Attack, attacks, disagreements, look_in_situations, play_out

RULES = rulesets.load("sof")
PLAYS = 200


@pytest.mark.parametrize(("needed", "chance"), [(1, 1.0), (2, 5 / 6), (6, 1 / 6), (7, 1 / 18), (8, 1 / 36), (9, 0.0)])
def test_a_check_passes_as_often_as_its_dice_say(needed: int, chance: float) -> None:
    assert passing(needed) == pytest.approx(chance)


def test_the_blast_of_a_bundle_by_the_formation_of_its_target() -> None:
    # d3 of one die; of two, the better or the worse.
    assert blast_number(1, 3, 0, 0, False)[3] == pytest.approx(1 / 3)
    assert blast_number(1, 3, 0, 1, False)[3] == pytest.approx(5 / 9)
    assert blast_number(1, 3, 0, -1, False)[1] == pytest.approx(5 / 9)
    assert blast_number(1, 3, 0, 0, True)[2] == pytest.approx(1 / 3)


def test_wounds_make_an_end_of_a_unit_before_the_next_group_rolls() -> None:
    ends = wounded(Harm(), (1, 1), (0.5, 0.5), 1)
    assert ends[Harm(wounds=1, lost=1)] == pytest.approx(0.75)
    assert ends[Harm()] == pytest.approx(0.25)


def test_odds_are_what_happens_in_games() -> None:
    found = list(looked_at(seed=5, most=4))
    assert len(found) == 4
    assert [each for wrong in found for each in wrong] == []


def looked_at(seed: int, most: int) -> Iterator[list[str]]:
    """Where the odds of the first attacks of a battle by chance differ from play."""
    for number, attack in enumerate(attacks(RULES, RULES.scenario("clash"), seed, most)):
        yield disagreements(attack, play_out(attack, PLAYS, 10_000 * number))


def test_odds_are_what_happens_in_situations() -> None:
    wrong: list[str] = []
    kinds: Counter[str] = Counter()

    def look(attack: Attack) -> None:
        assert attack.game.ask is not None
        topic = attack.game.ask.question.topic
        if len(attack.odds.chances) > 1:
            kinds[topic] += 1
            found = disagreements(attack, play_out(attack, PLAYS, 10_000 * kinds.total()))
            wrong.extend(f"{topic} {attack.answer}: {each}" for each in found)

    look_in_situations(rulesets.folder("sof") / "situations" / "shooting", look, 15)
    assert wrong == []
    assert kinds["target"] >= 12
    assert kinds["weapons"] >= 10


def test_the_card_of_a_target_tells_what_is_assumed() -> None:
    attack = next(iter(attacks(RULES, RULES.scenario("clash"), 5, 1, ["target"])))
    found = attack.odds
    assert isinstance(found, Odds)
    assert found.lines
    assert sum(chance.share for chance in found.chances) == pytest.approx(1.0)
    assert {spread.name for spread in found.spreads} == {"Hits", "Wounds"}
