"""What a page is told beside the picture: true to the board, in words without codes, and nothing that is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import MovePieces, Step
from sandtable.engine.tokens import plain
from sandtable.rulesets.hof.core import board as hof_board
from sandtable.rulesets.tr14.core import board as tr14_board
from sandtable.table.shapes import Place

CODE = re.compile(r"\b(?:red|blue)-[a-z0-9]+")
"""An id of a Unit or a Team."""


def played(name: str, scenario: str, seed: int, answers: int = 220) -> Game[Any]:
    """A battle that has been going on for a while."""
    rules = rulesets.load(name)
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(seed))
    random = Random(seed)
    while game.ask is not None and len(game.record) < answers:
        game.accept(game.ask.question.sample(random))
    return game


BATTLES = [("hof", "patrol"), ("hof", "ridge"), ("hof", "hedgerow-village"), ("tr14", "patrol"), ("tr14", "bocage")]


@pytest.fixture(scope="module", params=BATTLES, ids="-".join)
def game(request: pytest.FixtureRequest) -> Game[Any]:
    name, scenario = request.param
    return played(name, scenario, 5)


BOARDS: dict[str, Callable[[Game[Any]], Any]] = {"hof": hof_board.board, "tr14": tr14_board.board}


def on_table(game: Game[Any], seat: str | None) -> list[str]:
    return [piece.id for piece in game.rules.scene(game, seat).pieces]


def test_an_outlook_sees_whom_the_board_sees(game: Game[Any]) -> None:
    display = game.rules.display
    here = BOARDS[game.rules.name](game)
    teams = {team.id: team for unit in game.state.units.values() for team in unit.teams.values()}
    names = on_table(game, None)
    for name in names[:8]:
        found = display.outlook(game, None, name, None)
        assert found is not None
        others = [teams[other] for other in names if other != name]
        if game.rules.name == "hof":
            mask = here.sees([teams[name]], others)[0]
        else:
            mask = tr14_board.sees(here, here.of([teams[name]]), here.of(others))[0]
        wanted = {team.id for team, visible in zip(others, mask, strict=True) if visible}
        assert set(found.seen) == wanted


def test_the_grid_covers_the_table_and_a_piece_sees_its_own_cell(game: Game[Any]) -> None:
    scene = game.rules.scene(game, None)
    for piece in scene.pieces[:8]:
        found = game.rules.display.outlook(game, None, piece.id, None)
        assert found is not None
        assert len(found.rows) == int(np.ceil(scene.depth / found.cell))
        assert {len(row) for row in found.rows} == {int(np.ceil(scene.width / found.cell))}
        assert found.at == (piece.place.x, piece.place.y)
        assert "1" in "".join(found.rows)


def test_a_planned_place_is_asked_about_as_a_real_one(game: Game[Any]) -> None:
    display = game.rules.display
    for piece in game.rules.scene(game, None).pieces[:8]:
        if piece.leader:
            continue  # A Leader in contact with a Team looks from where that stands.
        real = display.outlook(game, None, piece.id, None)
        planned = display.outlook(game, None, piece.id, Place(piece.place.x, piece.place.y, piece.place.facing))
        assert real is not None
        assert planned is not None
        if piece.place.level == 0:
            assert real.rows == planned.rows
            assert real.rings == planned.rings


def test_a_side_view_agrees_with_the_grid_and_names_what_stops_it(game: Game[Any]) -> None:
    display = game.rules.display
    random = Random(3)
    for piece in game.rules.scene(game, None).pieces[:6]:
        outlook = display.outlook(game, None, piece.id, None)
        assert outlook is not None
        for _ in range(12):
            row = random.randrange(len(outlook.rows))
            column = random.randrange(len(outlook.rows[0]))
            line = display.side_view(game, None, piece.id, None, (column + 0.5, row + 0.5))
            assert line is not None
            assert line.clear == (outlook.rows[row][column] == "1")
            assert line.ground[0][0] == 0.0
            assert line.ground[-1][0] == pytest.approx(line.length, abs=0.01)
            if line.clear:
                assert not any(part.stops for part in line.slices)


def test_a_gauge_says_how_far_and_over_what(game: Game[Any]) -> None:
    for piece in game.rules.scene(game, None).pieces[:6]:
        to = (piece.place.x + 3.0, piece.place.y)
        facts = game.rules.display.gauge(game, piece.side, piece.id, Step(to))
        assert facts[0].name == "Distance"
        assert facts[0].value == "3.0 inches"
        assert facts[1].name == "Reach"


def test_nobody_is_asked_about_who_is_not_there(game: Game[Any]) -> None:
    display = game.rules.display
    assert display.outlook(game, "red", "nobody", None) is None
    assert display.side_view(game, "red", "nobody", None, (1.0, 1.0)) is None
    assert display.gauge(game, "red", "nobody", Step((1.0, 1.0))) == []


def test_every_card_has_a_profile_and_no_codes(game: Game[Any]) -> None:
    display = game.rules.display
    profiles = display.profiles(game)
    for seat in (*game.rules.seats, None):
        for fact in display.status(game, seat):
            assert not CODE.search(f"{fact.name} {fact.value}")
        for unit in display.roster(game, seat):
            assert not CODE.search(unit.name)
            assert unit.strength[0] <= unit.strength[1] or unit.strength[1] == 0
            for team in unit.teams:
                assert not CODE.search(f"{team.name} {team.where}")
                assert team.profile in profiles


def test_one_s_own_side_stands_first_and_whole(game: Game[Any]) -> None:
    for seat in game.rules.seats:
        cards = game.rules.display.roster(game, seat)
        own = [unit for unit in cards if unit.side == seat]
        assert cards[: len(own)] == own
        listed = {team.id for unit in own for team in unit.teams}
        assert listed >= {name for unit in game.setup.units.values() if unit.side == seat for name in unit.teams}


def test_labels_in_questions_and_events_have_no_codes(game: Game[Any]) -> None:
    for event in game.events:
        assert not CODE.search(plain(event.text)), event.text
        assert not any(CODE.search(plain(throw.why)) for throw in event.dice), event.text
    question = game.ask.question if game.ask is not None else None
    for option in getattr(question, "options", []):
        assert not CODE.search(option.label)
    if isinstance(question, MovePieces):
        assert not any(CODE.search(piece.label) for piece in question.pieces())


def test_two_teams_of_a_unit_are_told_apart(game: Game[Any]) -> None:
    for seat in game.rules.seats:
        for unit in game.rules.display.roster(game, seat):
            names = [team.name for team in unit.teams if not team.lost]
            assert len(set(names)) == len(names), names


def test_every_scenario_says_what_it_is_about() -> None:
    for name in rulesets.names():
        rules = rulesets.load(name)
        assert all(rules.display.about(scenario) for scenario in rules.scenarios())


def test_of_the_enemy_only_what_is_shown_is_told() -> None:
    game = played("hof", "patrol", 3, 20)
    hidden = {
        team.id
        for unit in game.state.units.values()
        for team in unit.teams.values()
        if team.at is None and not team.carrier
    }
    assert hidden
    for seat in ("red", "blue", None):
        sides = {unit.id: unit.side for unit in game.state.units.values()}
        for unit in game.rules.display.roster(game, seat):
            if sides[unit.id] != seat:
                assert hidden.isdisjoint(team.id for team in unit.teams)
                assert unit.strength[1] == 0
        for name in hidden:
            side = next(u.side for u in game.state.units.values() if name in u.teams)
            if side != seat:
                assert game.rules.display.outlook(game, seat, name, Place(10.0, 10.0)) is None
    values = {(fact.side, fact.name): fact for fact in game.rules.display.status(game, "red")}
    theirs, own = values["blue", "Hero Points"], values["red", "Hero Points"]
    assert (theirs.value, theirs.known) == ("?", False)
    assert own.value != "?"
    assert own.known
