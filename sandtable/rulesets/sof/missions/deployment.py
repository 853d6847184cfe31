"""Deployment: who places which unit when, in which formation, openly or in ambush."""

from __future__ import annotations

from functools import partial
from typing import Any

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Why
from sandtable.field.zones import zone_area
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import label, unit_option
from sandtable.rulesets.sof.core.state import Side, Unit, other, sides_in_order, units_of
from sandtable.rulesets.sof.formations import SPOKEN
from sandtable.rulesets.sof.missions import ambush
from sandtable.rulesets.sof.missions.briefing import area_of, facing_of, the_mission
from sandtable.rulesets.sof.missions.placing import Order, Placing, choose_order, order_option, orders_of
from sandtable.table.scene import Area


def to_deploy(game: Battle, side: Side, *, late: bool) -> list[Unit]:
    """The units of a side that have still to be placed, with the others or after all of the enemy's."""
    return [unit for unit in units_of(game.state, side) if not unit.placed and not unit.reserve and unit.late == late]


def deploy(game: Battle) -> Flow[None]:
    """Both sides place their units in the order of the mission; those that deploy late come last, in turn."""
    state, mission = game.state, the_mission(game)
    if mission.order == "defender-first":
        for side in reversed(sides_in_order(state)):
            for unit in to_deploy(game, side, late=False):
                yield from deploy_unit(game, unit, fresh=True)
    elif any(to_deploy(game, side, late=False) for side in sides_in_order(state)):
        # Asked for, so that a battle that goes on among those who deploy late does not forget whose turn it is.
        yield from deploy_in_turn(game, late=False)
    yield from deploy_in_turn(game, late=True)


def deploy_in_turn(game: Battle, *, late: bool) -> Flow[None]:
    """One unit each, the attacker first; when a side has no more, the other places the rest."""
    state = game.state
    state.acting = state.acting or state.attacker
    while True:
        assert state.acting
        side = next((each for each in (state.acting, other(state.acting)) if to_deploy(game, each, late=late)), None)
        if side is None:
            state.acting = state.attacker
            return
        units = {unit.id: unit for unit in to_deploy(game, side, late=late)}
        rules = (the_mission(game).rules["deployment"], *(["sof.recon.scout-enemy-position"] if late else []))
        unit = yield from choose_one(
            side,
            "deploy-unit",
            "Which unit is placed next?",
            Choices(units, unit_option),
            rules=rules,
            checkpoint=True,
            step="deploy",
        )
        # A question that follows another of the same flow is no checkpoint.
        yield from deploy_unit(game, unit, fresh=len(units) == 1)
        state.acting = other(side)


def areas(game: Battle, side: Side) -> list[Area]:
    """The deployment areas of both sides, as a page draws them."""
    return [zone_area(area_of(game, each), each, side) for each in (side, other(side))]


def placing_of(game: Battle, unit: Unit) -> Placing:
    """Where a unit may be set down as it is formed now."""
    goals = [each.at for each in game.state.objectives.values()]
    rule = the_mission(game).rules["deployment"]
    return Placing(game, unit, area_of(game, unit.side), facing_of(game, unit.side), rule, goals)


def has_room_as(game: Battle, unit: Unit, order: Order) -> bool:
    """Whether there would be room for a unit in another formation."""
    before = unit.formation, unit.alignment
    unit.formation, unit.alignment = order
    found = placing_of(game, unit).has_room()
    unit.formation, unit.alignment = before
    return found


def deploy_unit(game: Battle, unit: Unit, *, fresh: bool) -> Flow[None]:
    """The owner chooses how a unit is deployed, and where. `fresh`: nothing has been asked about it yet."""
    mission = the_mission(game)
    cover = ambush.cover_for(game, unit)
    things: dict[str, Order | str] = {
        alignment or formation: (formation, alignment) for formation, alignment in orders_of(unit)
    }
    things |= {f"ambush-{name}": name for name in cover}

    def option(thing: Order | str) -> Option:
        if isinstance(thing, str):
            words = f"In ambush: {game.prepared.terrain.features[cover[thing]].spoken}"
            return Option(f"ambush-{thing}", words, ("sof.mission-special.ambush-deploy",))
        return order_option(thing)

    def why_not(thing: Order | str) -> Why:
        return ambush.why_no_lair(game, unit, cover[thing]) if isinstance(thing, str) else None

    choices = Choices(things, option, why_not)
    rules = (mission.rules["deployment"], "sof.mission-core.deploy-formation")
    thing = yield from choose_one(
        unit.side,
        "deploy-as",
        f"How does {label(unit)} deploy?",
        choices,
        rules=rules,
        facts={"unit": unit.id, "ambush": bool(cover)},
        # Whether there is room is looked for when somebody wants to know.
        always=len(things) > 1,
        checkpoint=fresh,
        step="deploy",
        chance=choices.draw,
    )
    if isinstance(thing, str):
        ambush.lay(game, unit, cover[thing])
        return
    unit.formation, unit.alignment = thing
    if not placing_of(game, unit).has_room():
        others = [each for each in orders_of(unit) if each != thing and has_room_as(game, unit, each)]
        if not others:
            unit.reserve = "immediate"
            text = f"{label(unit)} finds no room in its area and waits in Immediate Reserve."
            game.tell("no-room", text, mission.rules["deployment"], seat=unit.side, unit=unit.id)
            return
        spoken = SPOKEN[unit.alignment or unit.formation]
        words = f"There is no room for {label(unit)} in {spoken}. How else does it deploy?"
        yield from choose_order(unit, others, words, mission.rules["deployment"], "sof.mission-core.deploy-in-command")
    placing = placing_of(game, unit)
    yield from placing.ask(
        f"Place {label(unit)} in your deployment area.", partial(areas, game, unit.side), fresh and len(things) == 1
    )
    cited = (
        mission.rules["deployment"],
        mission.rules["map"],
        "sof.mission-core.deploy-in-command",
        "sof.mission-core.deploy-formation",
    )
    late = ["sof.recon.scout-enemy-position"] if unit.late else []
    data: dict[str, Any] = {"formation": unit.formation, "alignment": unit.alignment, "late": unit.late}
    game.tell("deployed", f"{label(unit)} deploys.", *cited, *late, seat=unit.side, unit=unit.id, **data)
