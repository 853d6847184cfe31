"""The closed forms are what the rules do: compared with every way in which the dice may fall, and with play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import product
from pathlib import Path
from random import Random
from time import process_time

import pytest

from sandtable import rulesets
from sandtable.engine.cards import Preview
from sandtable.engine.chance import Chances
from sandtable.engine.dice import OutOfDice, ScriptedDice, SeededDice
from sandtable.engine.game import Flow, Game
from sandtable.engine.odds import odds
from sandtable.engine.preview import preview
from sandtable.engine.seat import Seat
from sandtable.rulesets.hof.core import checks
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.state import State, Team, Unit, all_teams
from sandtable.rulesets.hof.firing import odds as firing
from sandtable.rulesets.hof.firing import vehicles
from sandtable.rulesets.hof.page import odds as cards
from sandtable.rulesets.hof.rfp_rally import odds as rfp_odds
from sandtable.rulesets.hof.rfp_rally import rfp
from sandtable.table.shapes import Place
from sandtable.testing.odds import Attack, attacks, disagreements, look_in_situations, play_out

RULES = rulesets.load("hof")
SITUATIONS = Path(rulesets.folder("hof")) / "situations"
QUALITIES = ("average", "elite", "poor")
PLAYS = 100


def battle(scenario: str = "patrol", seed: int = 1) -> Game[State]:
    return Game(RULES, RULES.scenario(scenario), SeededDice(seed))


def finished(flow: Flow[Hashable]) -> Hashable:
    """What a flow that asks nothing comes to."""
    with pytest.raises(StopIteration) as end:
        next(flow)
    return end.value.value


def every_way(game: Game[State], begin: Callable[[], Flow[Hashable]]) -> dict[Hashable, float]:
    """What a flow comes to, over every way in which its dice may fall."""
    found: Counter[Hashable] = Counter()

    def follow(dice: list[int], share: float) -> None:
        game.dice = ScriptedDice(dice)
        try:
            found[finished(begin())] += share
        except OutOfDice:
            for value in range(1, 7):
                follow([*dice, value], share / 6)

    follow([], 1.0)
    return dict(found)


def same(closed: Chances[str], found: dict[Hashable, float]) -> bool:
    return dict(closed) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(("profile", "role"), [("rifle", ""), ("us-m4-sherman", ""), ("rifle", "bunker")])
def test_rfps_do_what_every_throw_of_them_does(profile: str, role: str, number: int) -> None:
    game = battle("river-crossing")
    assert game.setup.options.national
    for quality, nation, suppressed, hard in product(QUALITIES, ("us", "british"), (False, True), (False, True)):
        team = Team(profile, id="t", role=role, suppressed=suppressed)  # type: ignore[arg-type]
        unit = Unit("red", {"t": team}, id="u", quality=quality, nation=nation)  # type: ignore[arg-type]

        def begin(unit: Unit = unit, suppressed: bool = suppressed, hard: bool = hard) -> Flow[Hashable]:
            fresh = Team(profile, id="t", role=role, suppressed=suppressed)  # type: ignore[arg-type]
            unit.teams = {"t": fresh}
            return rfp.resolve(game, unit, fresh, number, Losses(), hard=hard)

        closed = rfp_odds.fates(game, unit, team, number, hard=hard)
        assert same(closed.mapped(str), every_way(game, begin)), (quality, nation, suppressed, hard)


def test_checks_and_their_second_chances() -> None:
    game = battle()
    for quality, needed, again, risk in product(QUALITIES, (2, 4), ("", "a rule"), ("", "another")):
        unit = Unit("red", {}, id="u", quality=quality)  # type: ignore[arg-type]

        def begin(unit: Unit = unit, needed: int = needed, again: str = again, risk: str = risk) -> Flow[Hashable]:
            check = yield from checks.check(
                game, unit, "a Check", needed=needed, again_if_failed=again, again_if_passed=risk
            )
            return check.passed

        found = every_way(game, begin)[True]
        closed = passes(quality, needed, second_chance=bool(again), overloaded=bool(risk))  # type: ignore[arg-type]
        assert closed == pytest.approx(found)


@pytest.mark.parametrize("at", [None, 0, 1, 3, 5])
@pytest.mark.parametrize("profile", ["us-m4-sherman", "us-gmc-2-5-ton-truck"])
def test_penetration_is_what_every_roll_does(profile: str, at: int | None) -> None:
    game = battle()
    for quality, flank, only in product(QUALITIES, (False, True), (False, True)):
        firer = Unit("blue", {}, id="f", quality=quality)  # type: ignore[arg-type]

        def begin(firer: Unit = firer, flank: bool = flank, only: bool = only) -> Flow[Hashable]:
            team = Team(profile, id="t")
            unit = Unit("red", {"t": team}, id="u")
            return vehicles.penetrate(game, firer, at, 1, unit, team, flank, Losses(), rfps_only=only)

        if at is not None and at > 3 and quality != "average":
            # So many dice that some of them are rolled again: too many ways to follow.
            continue
        closed = firing.penetration(at, Team(profile), flank, quality, only)  # type: ignore[arg-type]
        assert same(closed.mapped(str), every_way(game, begin))


@pytest.mark.parametrize(("scenario", "seed"), [("patrol", 1), ("river-crossing", 2)])
def test_odds_are_what_happens_in_games_by_chance(scenario: str, seed: int) -> None:
    looked = 0
    for attack in attacks(RULES, RULES.scenario(scenario), seed, 8):
        assert disagreements(attack, play_out(attack, PLAYS, seed)) == []
        looked += 1
    assert looked == 8


def test_odds_are_what_happens_in_situations() -> None:
    """Assaults, barrages, aircraft and the rest: two of each kind of attack."""
    looked: list[str] = []
    wrong: list[tuple[str, str]] = []

    def look(attack: Attack) -> None:
        assert attack.game.ask is not None
        looked.append(attack.game.ask.question.topic)
        plays = PLAYS if len(attack.odds.chances) > 1 else 3
        card = preview(Seat(attack.game, attack.seat), attack.answer)
        assert isinstance(card, Preview)
        assert (card.trials, card.notes) == (0, attack.odds.notes)
        # The same first dice for all of them would be one chance to be wrong, and not many.
        played = play_out(attack, plays, 1000 * len(looked))
        wrong.extend((looked[-1], each) for each in disagreements(attack, played))

    seen = look_in_situations(SITUATIONS, look, 2)
    assert wrong == []
    assert set(seen) == set(cards.PREVIEWS)


def test_what_rfps_will_do_is_told_for_the_cover_that_a_team_has() -> None:
    game = battle("hedgerow-village", 3)
    while game.ask is not None and game.state.round < 3:
        game.accept(game.ask.question.candidates(1)[0])
    looked = 0
    for unit, team in list(all_teams(game.state)):
        if team.at is None or team.kind.transport or team.sniped:
            continue
        looked += 1
        closed = rfp_odds.when_made_to_act(game, unit, team, 2)
        ends: Counter[str] = Counter()
        for seed in range(40):
            twin = game.fork(seed)
            mate = twin.state.units[unit.id].teams[team.id]
            mate.rfps, mate.exposed = team.rfps + 2, True
            ends[str(finished(rfp.resolve_own(twin, twin.state.units[unit.id], mate, Losses())))] += 1
        for fate, share in closed:
            assert abs(ends[fate] - 40 * share) <= 4 * (40 * share * (1 - share)) ** 0.5 + 1
        if looked == 6:
            break
    assert looked == 6


@pytest.mark.soak  # what it finds depends on the machine
def test_a_card_takes_less_than_fifty_milliseconds() -> None:
    for attack in attacks(RULES, RULES.scenario("river-crossing"), 1, 10):
        seat = Seat(attack.game, attack.seat)
        spent = []
        for _ in range(3):
            begun = process_time()
            odds(seat, attack.answer)
            spent.append(process_time() - begun)
        assert min(spent) < 0.05


def test_whoever_lets_a_vehicle_drive_on_is_told_nothing() -> None:
    game, random = battle("river-crossing"), Random(1)
    while game.ask is not None and game.ask.question.topic != "interrupt":
        game.accept(game.ask.question.sample(random))
    assert game.ask is not None
    found = preview(Seat(game, game.ask.seat), "pass")
    assert found == Preview()


def test_fire_from_a_planned_place() -> None:
    """From where it stands, the odds are those of the order; from far behind, nobody can fire."""
    attack = next(each for each in attacks(RULES, RULES.scenario("patrol"), 1, 20) if each.odds.lines)
    assert attack.game.ask is not None
    _, order = attack.game.ask.question.about
    here = {team.id: Place(*team.at, team.facing) for _, team in order.members if team.at is not None}
    copy = Seat(attack.game, attack.seat).look(1)
    assert copy is not None
    found = cards.fire_from(copy, attack.seat, here, attack.answer)
    assert found is not None
    assert found.chances == attack.odds.chances
    width = attack.game.setup.table.width
    away = {name: Place(width - 1.0 - 3.0 * number, 1.0, 0.0) for number, name in enumerate(here)}
    again = Seat(attack.game, attack.seat).look(1)
    assert again is not None
    far = cards.fire_from(again, attack.seat, away, attack.answer)
    assert far is not None
    assert far.chances != attack.odds.chances
