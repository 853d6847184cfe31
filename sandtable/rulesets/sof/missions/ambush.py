"""Ambush: units that lie hidden in a terrain piece until they act or an enemy walks into them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Refusal, Why, illegal
from sandtable.field.courses import Path
from sandtable.field.deploying import zone_of
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, enemies_of, take_up
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Figure, Side, Unit, other, units_of
from sandtable.rulesets.sof.missions.briefing import area_of, defender, facing_of, mission_of
from sandtable.rulesets.sof.missions.placing import Placing, Planned, finds_room, order_option, with_room
from sandtable.rulesets.sof.movement import Gone, Meeting, comes_into
from sandtable.table.hairs import EXACT, beyond
from sandtable.table.shapes import Floats
from sandtable.table.terrain import Terrain

SPRUNG_APART = 6.0
"""sof.mission-special.ambush-activate"""

JUST_IN = 0.05
"""How far inside a terrain piece whoever has entered it stands."""

STAY = "stay"


# Where one may lie.


def may_ambush(game: Battle, unit: Unit, more: bool) -> bool:
    """sof.mission-special.ambush-number: so many of the defender's units, or one `more`, and whoever has Camouflage."""
    mission = mission_of(game)
    if mission is None or mission.ambush is None or unit.side != defender(game) or unit.type == "mounted":
        return False
    others = [each for each in units_of(game.state, unit.side) if each.ambush and "camouflage" not in each.special]
    return more or "camouflage" in unit.special or len(others) < mission.ambush


def piece(game: Battle, number: int) -> Terrain:
    """A terrain piece as a zone."""
    feature = game.prepared.terrain.features[number]
    return zone_of([(x, y) for x, y in feature.points], game.setup.table)


def concealing(game: Battle, side: Side) -> list[int]:
    """The terrain pieces that conceal whoever is in them and that reach into a side's deployment area."""
    area = area_of(game, side)
    return [
        number
        for number, kind in enumerate(game.prepared.kinds)
        if kind.shape == "area" and kind.conceals in ("within", "always") and meet(piece(game, number), area)
    ]


def meet(a: Terrain, b: Terrain) -> bool:
    """Whether the boxes about two zones have something in common."""
    (w1, s1, e1, n1), (w2, s2, e2, n2) = a.bounds[0].tolist(), b.bounds[0].tolist()
    return bool(max(w1, w2) < min(e1, e2) and max(s1, s2) < min(n1, n2))


def lair(game: Battle, unit: Unit, number: int) -> Placing:
    """A unit in a piece of its deployment area."""
    area = area_of(game, unit.side)

    def in_area(figures: list[Figure], rows: Floats) -> Refusal | None:
        if area.within(rows)[:, 0].all():
            return None
        message = f"{label(unit)} would lie outside its deployment area."
        return illegal("sof.mission-special.ambush-deploy", message, field=unit.id)

    rule = "sof.mission-special.ambush-deploy"
    return Placing(game, unit, piece(game, number), facing_of(game, unit.side), rule, checks=[in_area])


def cover_for(game: Battle, unit: Unit, more: bool = False) -> dict[str, int]:
    """The terrain pieces in which a unit might be deployed in ambush, if it finds room there, by name."""
    numbers = concealing(game, unit.side) if may_ambush(game, unit, more) else []
    return {game.prepared.terrain.features[number].id: number for number in numbers}


def why_no_lair(game: Battle, unit: Unit, number: int) -> Why:
    """Why a unit may not lie in such a piece."""
    if finds_room(unit, lambda planned: lair(game, planned, number)):
        return None
    message = f"{label(unit)} finds no room in {game.prepared.terrain.features[number].spoken.lower()}."
    return illegal("sof.mission-special.ambush-deploy", message, field=unit.id)


def lairs(game: Battle, unit: Unit, more: bool = False) -> dict[str, int]:
    """The terrain pieces in which a unit could be deployed in ambush, by name."""
    found = cover_for(game, unit, more)
    return {name: number for name, number in found.items() if why_no_lair(game, unit, number) is None}


def lay(game: Battle, unit: Unit, number: int) -> None:
    """sof.mission-special.ambush-deploy: it lies somewhere in the piece; where exactly is settled when it appears."""
    take_up(game, unit)
    unit.formation, unit.alignment = with_room(unit, lambda planned: lair(game, planned, number))[0]
    lair(game, unit, number).set_down_first()
    feature = game.prepared.terrain.features[number]
    unit.ambush = feature.id
    rules = ["sof.mission-special.ambush-deploy", "sof.mission-special.ambush-number"]
    rules += ["sof.mission-special.ambush-immune"]
    text = f"{label(unit)} lies in ambush in {feature.spoken.lower()}."
    game.tell("ambush", text, *rules, seat=unit.side, unit=unit.id, terrain=feature.id)


# How it ends.


def feature_number(game: Battle, unit: Unit) -> int:
    return [feature.id for feature in game.prepared.terrain.features].index(unit.ambush)


def spring(game: Battle, unit: Unit) -> Flow[None]:
    """sof.mission-special.ambush-activate: activated for the first time, it may be set anew anywhere in its piece."""
    number = feature_number(game, unit)
    unit.ambush = ""

    def far_enough(figures: list[Figure], rows: Floats) -> Refusal | None:
        here = board(game)
        for enemy in enemies_of(game.state, unit):
            if not beyond(base_gap(rows, here.rows_of(enemy)), SPRUNG_APART, EXACT):
                message = f"{label(unit)} would appear within 6 inches of {label(enemy)}."
                legal = "Appear more than 6 inches from every enemy unit."
                return illegal("sof.mission-special.ambush-activate", message, field=unit.id, legal=legal)
        return None

    rule = "sof.mission-special.ambush-activate"

    def make(planned: Unit) -> Placing:
        return Placing(game, planned, piece(game, number), facing_of(game, unit.side), rule, checks=[far_enough])

    yield from set_anew(game, unit, make, rule, may_stay=True)
    game.tell("ambush-sprung", f"{label(unit)} springs its ambush.", rule, seat=unit.side, unit=unit.id)


def triggered(game: Battle, unit: Unit, *rules: str) -> Flow[None]:
    """sof.mission-special.ambush-triggered: it is placed at once in its piece, and is in ambush no longer."""
    number = feature_number(game, unit)
    unit.ambush = ""
    rule = "sof.mission-special.ambush-triggered"
    game.tell(
        "ambush-triggered", f"The ambush of {label(unit)} is triggered.", rule, *rules, seat=unit.side, unit=unit.id
    )

    def make(planned: Unit) -> Placing:
        return Placing(game, planned, piece(game, number), facing_of(game, unit.side), rule)

    yield from set_anew(game, unit, make, rule, may_stay=False)


def set_anew(game: Battle, unit: Unit, make: Planned, rule: str, *, may_stay: bool) -> Flow[None]:
    """The owner sets a unit down anew, if he likes; where there is no room for that it stays where it stands."""
    orders = with_room(unit, make)
    if not orders:
        return
    options = {option.id: option for option in map(order_option, orders)}
    if may_stay:
        options = {STAY: Option(STAY, "Stay where it lies", (rule,)), **options}
    choices = Choices({name: name for name in options}, options.__getitem__)
    words = f"{label(unit)} comes out of its ambush. How does it appear?"
    name = yield from choose_one(
        unit.side, "deploy-as", words, choices, rules=(rule,), facts={"unit": unit.id}, step="deploy"
    )
    if name == STAY:
        return
    take_up(game, unit)
    unit.formation, unit.alignment = next(order for order in orders if order_option(order).id == name)
    yield from make(unit).ask(f"Where does {label(unit)} appear?")


def in_wait(game: Battle, unit: Unit, ways: Mapping[str, Path], gone: Gone) -> Meeting | None:
    """The first ambush whose terrain piece some model of a unit enters on its way, and how far the unit goes till then.

    Who has entered stands a little way in.
    """
    met = [
        (gone(name, inches + JUST_IN), foe)
        for foe in units_of(game.state, other(unit.side))
        if foe.ambush
        for name, inches in comes_into(game, feature_number(game, foe), ways)
    ]
    if not met:
        return None
    inches, foe = min(met, key=lambda each: each[0])
    return Meeting(inches, lambda: triggered(game, foe))


def walked_into(game: Battle) -> Flow[None]:
    """sof.mission-special.ambush-triggered: an enemy model stands in the terrain piece of an ambush."""
    for unit in [each for each in game.state.units.values() if each.ambush]:
        enemies = [each for foe in enemies_of(game.state, unit) for each in foe.teams.values()]
        rows = board(game).of(board(game).on(enemies))
        if len(rows) and bool(np.any(game.prepared.terrain.inside(rows)[:, feature_number(game, unit)])):
            yield from triggered(game, unit)
