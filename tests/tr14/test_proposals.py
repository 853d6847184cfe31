"""The move that comes first among those proposed: what a player gets who only says yes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.engine.questions import MovePieces, plain_to_steps
from sandtable.rulesets.tr14.core.state import Setup

Teams = dict[str, Any]
Ends = dict[str, tuple[float, float]]

RIFLES: Teams = {
    "o-pl": {"profile": "rifle", "role": "pl", "at": [20, 10]},
    "o-1": {"profile": "rifle", "at": [18, 10]},
    "o-2": {"profile": "rifle", "at": [22, 10]},
}
TANKS: Teams = {
    "t-pl": {"profile": "m4-sherman", "role": "pl", "at": [18, 10]},
    "t-1": {"profile": "m4-sherman", "at": [22, 10]},
}
FOE = {"x-pl": {"profile": "rifle", "role": "pl", "at": [46, 46]}, "x-1": {"profile": "rifle", "at": [44, 46]}}
OBJECTIVES = {"north": {"at": [20, 30], "holder": "blue"}, "west": {"at": [8, 10], "holder": "red"}}


def first_of(
    teams: Teams,
    terrain: list[Any] | None = None,
    others: Teams | None = None,
    observer: Teams | None = None,
    **more: Any,
) -> Ends:
    """The first move proposed to a Unit that has been told to move."""
    setup: dict[str, Any] = {
        "table": {"width": 48, "depth": 48},
        "phase": "activate",
        "initiative": "red",
        "objectives": OBJECTIVES,
        "terrain": terrain or [],
        "units": {
            "ours": {"side": "red", "training": "veteran", "teams": teams, **more},
            "theirs": {"side": "blue", "training": "veteran", "teams": FOE},
        },
    }
    if others:
        setup["units"]["others"] = {"side": "red", "training": "veteran", "teams": others}
    if observer:
        setup["units"]["eyes"] = {
            "side": "red",
            "training": "veteran",
            "apart": "fo",
            "battery": "ours",
            "teams": observer,
        }
    game: Game[Any] = Game(rulesets.load("tr14"), msgspec.convert(setup, Setup), ScriptedDice([3, 3]))
    assert game.answer("ours") is None
    while game.ask is not None and game.ask.question.topic != "move":
        assert game.answer("move" if game.ask.question.topic == "action" else "no") is None
    assert game.ask is not None
    question = game.ask.question
    assert isinstance(question, MovePieces)
    (only,) = question.candidates(1)
    assert question.candidates(12)[0] == only
    assert {} in question.candidates(12)
    assert game.answer(only) is None
    return {name: step.to for name, step in plain_to_steps(only).items()}


def test_the_whole_unit_goes_to_the_nearest_objective_that_it_does_not_hold() -> None:
    ends = first_of(RIFLES)
    assert ends == {"o-pl": (20, 16), "o-1": (18, 16), "o-2": (22, 16)}


def test_a_leader_does_not_walk_ahead_of_those_who_are_held_up() -> None:
    # Given friends where the wings would end; then all three go half as far.
    friends = {"f-1": {"profile": "rifle", "at": [18, 16]}, "f-2": {"profile": "rifle", "at": [22, 16]}}
    assert first_of(RIFLES, others=friends) == {"o-pl": (20, 13), "o-1": (18, 13), "o-2": (22, 13)}
    # And friends there as well: then nobody goes.
    friends["f-3"] = {"profile": "rifle", "at": [18, 13]}
    assert first_of(RIFLES, others=friends) == {}


@pytest.mark.parametrize("more", [{"apart": "cc"}, {"starting": 3}])
def test_nobody_goes_alone(more: dict[str, Any]) -> None:
    assert first_of({"o-pl": RIFLES["o-pl"]}, **more) == {}


def test_the_observer_of_a_battery_stays_where_he_sees() -> None:
    # Given mortars with their Observer far ahead, then they go together, and he does not.
    mortars = {name: {**team, "profile": "mortar-60mm"} if name != "o-pl" else team for name, team in RIFLES.items()}
    observer: Teams = {"fo": {"profile": "rifle", "role": "fo", "at": [40, 20]}}
    ends = first_of(mortars, observer=observer)
    assert set(ends) == set(mortars)


def test_tanks_stop_before_a_wood_for_which_they_would_have_to_roll() -> None:
    wood = {"id": "wood", "kind": "wood", "points": [[10, 18], [40, 18], [40, 26], [10, 26]]}
    assert first_of(TANKS) == {"t-pl": (18, 22), "t-1": (22, 22)}
    assert first_of(TANKS, [wood]) == {"t-pl": (18, 16), "t-1": (22, 16)}


def test_a_unit_without_a_leader_does_not_go_for_an_enemy_that_it_sees() -> None:
    ends = first_of({name: team for name, team in RIFLES.items() if name != "o-pl"})
    assert ends == {}


def company(activates: str, *dice: int) -> Game[Any]:
    """A company of blue with a Commander, and a Unit of red that can shoot the last Team of one of its Units."""
    rifle = {"profile": "rifle"}
    units = {
        "shooters": {"side": "red", "training": "veteran", "teams": {"s-pl": {**rifle, "role": "pl", "at": [10, 10]}}},
        "doomed": {
            "side": "blue",
            "training": "veteran",
            "starting": 3,
            "teams": {"d-1": {**rifle, "at": [10, 22], "moved": True}},
        },
        "hq": {
            "side": "blue",
            "training": "elite",
            "apart": "cc",
            "teams": {"cc": {**rifle, "role": "cc", "at": [30, 40]}},
        },
        "others": {"side": "blue", "training": "green", "teams": {"b-pl": {**rifle, "role": "pl", "at": [40, 40]}}},
    }
    setup: dict[str, Any] = {
        "table": {"width": 48, "depth": 48},
        "phase": "activate",
        "initiative": "red" if activates == "shooters" else "blue",
        "companies": {"blue": {"starting": 5}},
        "units": units,
    }
    game: Game[Any] = Game(rulesets.load("tr14"), msgspec.convert(setup, Setup), ScriptedDice([*dice]))
    assert game.answer(activates) is None
    return game


def test_the_commander_is_proposed_to_save_a_company_but_not_for_every_check() -> None:
    # Given a failed Check to activate, the command is kept.
    game = company("others", 1)
    assert game.ask is not None
    assert game.ask.question.facts["check"] == "activation"
    assert game.ask.question.candidates(1) == ["no"]
    # Given one after which the company would retreat, it is used.
    game = company("shooters", 4, 3, 1, 2)
    said: dict[str, Any] = {"action": "fire-and-move", "fire": {"s-pl": "doomed"}, "go-to-ground": "no"}
    while game.ask is not None and game.ask.question.topic in said:
        assert game.answer(said[game.ask.question.topic]) is None
    assert game.ask is not None
    assert game.ask.question.facts["check"] == "company"
    assert game.ask.question.candidates(1) == ["yes"]


MORTARS: Teams = {
    "m-pl": {"profile": "rifle", "role": "pl", "at": [24, 12]},
    **{f"m-{number}": {"profile": "mortar-81mm", "at": [22 + 2 * number, 10]} for number in range(3)},
}
CROWD = {f"c-{number}": {"profile": "rifle", "at": [23 + number % 3 * 1.5, 30 + number // 3]} for number in range(6)}
ALONE = {"a-pl": {"profile": "rifle", "role": "pl", "at": [12, 30]}}


def shelling(teams: Teams, *dice: int) -> Game[Any]:
    """Mortars that choose whom to shell: a Team that stands alone, and a crowd."""
    sides = {"mortars": ("red", teams), "alone": ("blue", ALONE), "crowd": ("blue", CROWD)}
    setup = {
        "table": {"width": 48, "depth": 48},
        "phase": "activate",
        "initiative": "red",
        "units": {name: {"side": side, "training": "veteran", "teams": there} for name, (side, there) in sides.items()},
    }
    game: Game[Any] = Game(rulesets.load("tr14"), msgspec.convert(setup, Setup), ScriptedDice([4, *dice]))
    for answer in ("mortars", "barrage", "shells"):
        assert game.answer(answer) is None
    return game


def asked(game: Game[Any], topic: str) -> Any:
    """What is proposed first when that is asked; whatever comes before is answered as proposed."""
    while game.ask is not None and game.ask.question.topic != topic:
        game.accept(game.ask.question.candidates(1)[0])
    assert game.ask is not None
    return game.ask.question.candidates(1)[0]


def test_whoever_stands_in_a_crowd_is_proposed_for_shells_before_one_who_stands_alone() -> None:
    game = shelling(MORTARS)
    assert asked(game, "range-in").startswith("c-")
    assert game.ask is not None
    assert game.ask.question.candidates()[-1] == "a-pl"
    # But not where as many friends lie under the shells.
    friends = {
        f"m-{number}": {"profile": "rifle", "at": [22.8 + number % 4, 31.2 + number // 4]} for number in range(4, 12)
    }
    assert asked(shelling({**MORTARS, **friends}), "range-in") == "a-pl"


def test_shells_that_are_not_ranged_in_are_shifted_off_whoever_they_would_hit() -> None:
    game = shelling(MORTARS, 1)
    assert game.answer("c-1") is None
    x, y = asked(game, "shift-template")
    assert game.answer([x, y]) is None
    assert not any(event.kind == "barrage-hits" for event in game.events)


@pytest.mark.parametrize(("kind", "hidden"), [("mortar-81mm", True), ("hmg", False)])
def test_a_battery_is_proposed_a_place_out_of_the_enemys_sight(kind: str, hidden: bool) -> None:
    """Others go where they are nearest to an objective, in the middle, and in plain sight."""
    guns = {"g-pl": {"profile": "rifle", "role": "pl"}, "g-1": {"profile": kind}, "g-2": {"profile": kind}}
    foes = {"x-pl": {"profile": "rifle", "role": "pl", "at": [24, 46]}, "x-1": {"profile": "rifle", "at": [26, 46]}}
    setup: dict[str, Any] = {
        "table": {"width": 48, "depth": 48},
        "zones": {"red": [[0, 0], [48, 0], [48, 12], [0, 12]], "blue": [[0, 36], [48, 36], [48, 48], [0, 48]]},
        "objectives": {"middle": {"at": [24, 24]}},
        "terrain": [{"id": "barn", "kind": "building", "height": 3, "points": [[0, 20], [18, 20], [18, 24], [0, 24]]}],
        "units": {
            "guns": {"side": "red", "training": "veteran", "teams": guns},
            "foes": {"side": "blue", "training": "veteran", "teams": foes},
        },
    }
    game: Game[Any] = Game(rulesets.load("tr14"), msgspec.convert(setup, Setup), ScriptedDice([]))
    assert game.ask is not None
    assert game.ask.question.topic == "deploy"
    steps = plain_to_steps(game.ask.question.candidates(1)[0])
    assert (max(step.to[0] for step in steps.values()) < 18) == hidden
