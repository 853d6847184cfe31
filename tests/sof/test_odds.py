"""The exact odds of fire: numbers by hand, and against play in random games and situations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from sandtable import rulesets
from sandtable.engine.cards import Odds
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.rulesets.sof.core.arsenal import Blast
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Figure, Options, Setup, Table, Unit
from sandtable.rulesets.sof.shooting import Harm, fire_odds, firers
from sandtable.rulesets.sof.shooting.firers import modes_of
from sandtable.rulesets.sof.shooting.odds import blasted, hits_of, passing, suppressed, wounded
from sandtable.rulesets.sof.shooting.status import Status
from sandtable.rulesets.sof.shooting.volume import Pool, Volley
from sandtable.testing.odds import Attack, attacks, disagreements, look_in_situations, play_out

RULES = rulesets.load("sof")
PLAYS = 200
D3 = Blast(1, 3, 0)


@pytest.mark.parametrize(("needed", "chance"), [(1, 1.0), (2, 5 / 6), (6, 1 / 6), (7, 1 / 18), (8, 1 / 36), (9, 0.0)])
def test_a_check_passes_as_often_as_its_dice_say(needed: int, chance: float) -> None:
    assert passing(needed) == pytest.approx(chance)


def test_the_blast_of_a_bundle_by_the_formation_of_its_target() -> None:
    # d3 of one die; of two, the better or the worse.
    assert blasted(D3, 0, False)[3] == pytest.approx(1 / 3)
    assert blasted(D3, 1, False)[3] == pytest.approx(5 / 9)
    assert blasted(D3, -1, False)[1] == pytest.approx(5 / 9)
    assert blasted(D3, 0, True)[2] == pytest.approx(1 / 3)
    # What is added to the die comes after the discarding: d3+1.
    assert blasted(Blast(1, 3, 1), -1, False)[2] == pytest.approx(5 / 9)


def test_wounds_make_an_end_of_a_unit_before_the_next_group_rolls() -> None:
    ends = wounded(Harm(), (1, 1), (0.5, 0.5), 1)
    assert ends[Harm(wounds=1, lost=1)] == pytest.approx(0.75)
    assert ends[Harm()] == pytest.approx(0.25)


def pool_of(profile: str) -> Pool:
    mode = modes_of(Figure(profile))[0]
    return Pool(Unit("red", "regular", {}), mode, 9.0, 1, [], moving=False, sustained=True)


@pytest.mark.parametrize(
    ("profile", "ends"),
    [
        # One die that hits on 4+, with one miss of the unit to be rolled again: the hits, and what is left of that.
        ("bolt-action-rifle", {(1, 1): 1 / 2, (1, 0): 1 / 4, (0, 0): 1 / 4}),
        ("france.75mm-mle1897-gun", {(1, 1): 3 / 4, (0, 1): 1 / 4}),
        ("vb-rifle-grenade", {(1, 1): 7 / 12, (0, 1): 5 / 12}),
        ("rifle-grenade-l", {(1, 1): 1 / 2, (0, 1): 1 / 2}),
        ("grenade", {(1, 1): 1 / 2, (0, 1): 1 / 2}),
    ],
)
def test_what_may_be_rolled_again(profile: str, ends: dict[tuple[int, int], float]) -> None:
    assert dict(hits_of(pool_of(profile), 1, 4, 1)) == pytest.approx(ends)


def test_a_weapon_that_suppresses_adds_a_marker_only_if_it_hits() -> None:
    target = Unit("blue", "regular", {}, suppression=3, tenacity=5)
    pools = [pool_of("bolt-action-rifle"), pool_of("rifle-grenade-l")]
    assert dict(suppressed(target, pools, 1, (1, 0), True)) == {Harm(1, markers=1): 1.0}
    found = suppressed(target, pools, 1, (0, 1), True)
    assert found[Harm(1, markers=2)] == pytest.approx(1 / 3)
    assert found[Harm(1, markers=2, away=1)] == pytest.approx(2 / 3)
    assert suppressed(target, pools, 1, (0, 1), False)[Harm(1, markers=2, away=1, lost=1)] == pytest.approx(2 / 3)
    target.forced = True
    assert dict(suppressed(target, pools, 1, (0, 1), False)) == {Harm(1, markers=2): 1.0}


@pytest.mark.parametrize(("flames", "known"), [(1, True), (2, False)])
def test_one_flamethrower_has_odds_and_two_have_none(flames: int, known: bool) -> None:
    red = {f"f-{number}": Figure("flammenwerfer", at=(10.0 + 2 * number, 10.0)) for number in range(flames)}
    blue = {f"t-{number}": Figure("bolt-action-rifle", at=(10.0 + number, 15.0)) for number in range(3)}
    units = {"red": Unit("red", "regular", red), "blue": Unit("blue", "regular", blue)}
    game: Battle = Game(RULES, Setup(Table(40.0, 30.0), units), ScriptedDice([]))
    firing, target = game.state.units["red"], game.state.units["blue"]
    chosen = [(each, each.modes[0]) for each in firers(game, firing, target, False)]
    assert len(chosen) == flames
    assert (fire_odds(game, target, Volley(firing, chosen, False), Status()) is not None) is known


def test_an_officer_who_has_led_his_unit_forward_may_be_hit_besides() -> None:
    # One die hits on 2+; a six then wounds him, and a 5 or 6 again: both are all that he has.
    red = {"r": Figure("bolt-action-rifle", at=(10.0, 10.0))}
    blue = {"lt": Figure("unarmed", role="officer", at=(10.0, 20.0), advanced=1)}
    units = {"red": Unit("red", "regular", red), "blue": Unit("blue", "regular", blue)}
    game: Battle = Game(RULES, Setup(Table(40.0, 30.0), units), ScriptedDice([]))
    firing, target = game.state.units["red"], game.state.units["blue"]
    chosen = [(each, each.modes[0]) for each in firers(game, firing, target, False)]
    fire = fire_odds(game, target, Volley(firing, chosen, False, True), Status())
    assert fire is not None
    assert sum(share for harm, share in fire.ends if harm.lost) == pytest.approx(5 / 6 * 1 / 6 * 1 / 3)
    assert sum(share for harm, share in fire.ends if harm.wounds) == pytest.approx(5 / 6 * 1 / 3)


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


@pytest.mark.rule("sof.charts.blast-hit-the-dirt")
def test_a_battle_is_set_up_with_just_the_switches_that_are_chosen() -> None:
    assert RULES.switched is not None
    options = RULES.switched("clash", frozenset(["blast_hit_the_dirt"])).options
    assert options == Options(blast_hit_the_dirt=True)
    assert {switch.id for switch in RULES.switches} == set(Options.__struct_fields__)


def test_the_card_of_a_target_tells_what_is_assumed() -> None:
    attack = next(iter(attacks(RULES, RULES.scenario("clash"), 5, 1, ["target"])))
    found = attack.odds
    assert isinstance(found, Odds)
    assert found.lines
    assert sum(chance.share for chance in found.chances) == pytest.approx(1.0)
    assert {spread.name for spread in found.spreads} == {"Hits", "Wounds"}
