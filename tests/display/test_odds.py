"""Exact odds are what happens: attacks met in random games, played out with other dice."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.cards import Chance, Odds, Spread
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.odds import odds_from_there
from sandtable.engine.seat import Seat
from sandtable.testing.odds import Attack, Played, apart, attacks, disagreements, look_in_situations, play_out

PLAYS = 150

EACH = 3


@pytest.mark.parametrize(("name", "scenario", "seed"), [("tr14", "bocage", 2), ("tr14", "ridge", 1)])
def test_odds_are_what_happens(name: str, scenario: str, seed: int) -> None:
    rules = rulesets.load(name)
    looked = 0
    for attack in attacks(rules, rules.scenario(scenario), seed, 8):
        assert disagreements(attack, play_out(attack, PLAYS, seed)) == []
        looked += 1
    assert looked == 8


@pytest.mark.parametrize("name", ["tr14"])
def test_odds_of_attacks_in_situations_are_what_happens(name: str) -> None:
    """Kinds of attacks that chance seldom comes to: some of each."""

    def look(attack: Attack) -> None:
        assert disagreements(attack, play_out(attack, PLAYS)) == [], (attack.game.setup.name, attack.answer)

    seen = look_in_situations(rulesets.folder(name) / "situations", look, EACH)
    assert seen == dict.fromkeys(rulesets.load(name).display.previews, EACH)


def test_wrong_odds_are_noticed() -> None:
    rules = rulesets.load("tr14")
    attack = next(attacks(rules, rules.scenario("patrol"), 2, 1))
    played = play_out(attack, PLAYS, 2)
    first, *rest, last = attack.odds.chances
    swapped = (Chance(first.words, last.share), *rest, Chance(last.words, first.share))
    wrong = Odds(chances=swapped, spreads=attack.odds.spreads, taken=attack.odds.taken)
    assert disagreements(Attack(attack.game, attack.seat, attack.answer, wrong), played)
    lacking = Odds(chances=attack.odds.chances[1:])
    assert any("add up" in each for each in disagreements(Attack(attack.game, "", {}, lacking), Played(PLAYS)))
    no_hits = Odds(chances=attack.odds.chances, spreads=(Spread("Hits", 0.0, ((0, 1.0),)),))
    assert any("cannot happen" in each for each in disagreements(Attack(attack.game, "", {}, no_hits), played))


def test_four_standard_errors_are_the_room_that_play_has() -> None:
    exact = {"a": 0.5, "b": 0.5}
    played = Played(10_000)
    for times, good in ((5000, True), (5195, True), (5205, False), (4795, False)):
        played.ends.clear()
        played.ends.update({"a": times, "b": 10_000 - times})
        assert (list(apart("ends", exact, played.ends, played.plays)) == []) is good


def test_dice_that_are_all_alike_settle_no_tie() -> None:
    """Once everybody is deployed the sides throw for the initiative until one has more: no odds come of that."""
    rules = rulesets.load("tr14")
    game = Game(rules, rules.scenario("crossroads"), SeededDice(7))
    while game.ask is not None and game.ask.question.step == "deploy":
        answer = game.ask.question.candidates(1)[0]
        assert odds_from_there(Seat(game, game.ask.seat), answer) == []
        game.accept(answer)
    assert game.ask is not None
    assert game.dice.count
