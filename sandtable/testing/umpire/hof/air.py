"""Aircraft: when one comes, who engages it, how it attacks, and who is under its bombs and cannons."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.artillery import MOST_ARMOR, right_deviation, right_shower, under
from sandtable.testing.umpire.hof.lines import weapons_now
from sandtable.testing.umpire.hof.sight import DOUBT
from sandtable.testing.umpire.hof.stock import Weapon
from sandtable.testing.umpire.hof.table import base, enemy, find, kind_of, rectangle, standing
from sandtable.testing.umpire.hof.vehicles import right_roll

APART = 12.0
BOMB_RADIUS, BOMB_RFPS, BOMB_LESS = 3.0, 3, 3
STRIP, CANNON_RFPS = (2.0, 12.0), 2
ROCKET_AT, ROCKET_FP = 5, 3
MANNERS = ("bombs", "rockets", "cannons")
RESTRICTION = "hof.optional.air-restriction"


@book.on("order-dice")
def hero_die(watch: Watch, event: Event) -> None:
    watch.memory["aircraft due"] = event.seat if watch.setup.options.air and event.data["hero_die"] == 1 else ""


@book.on("aircraft")
def aircraft_comes(watch: Watch, event: Event) -> None:
    watch.count("aircraft")
    if watch.memory.pop("aircraft due", "") != event.seat:
        watch.object_to("hof.optional.air-trigger", f"an aircraft comes for {event.seat}")
    watch.memory["evasion"] = 0
    watch.memory["driven off"] = False


@book.on("no-effect", "activation")
def no_rocket_flies(watch: Watch, event: Event) -> None:
    watch.memory.pop("blow", None)


@book.on("activation", "call-for-fire", "turn-end")
def no_aircraft_is_late(watch: Watch, event: Event) -> None:
    if watch.memory.pop("aircraft due", ""):
        watch.object_to("hof.optional.air-trigger", "no aircraft has come")


# Anti-aircraft fire.


@book.on("activation", "call-for-fire", "turn")
def note_who_acted(watch: Watch, event: Event) -> None:
    """Who has been activated in his owner's own last turn."""
    acted: dict[str, set[str]] = watch.memory.setdefault("acted in own turn", {"red": set(), "blue": set()})
    if event.kind == "turn":
        acted[event.seat] = set()
    elif watch.state.active == event.seat:
        names = [*event.data["orders"], event.data["team"]] if event.kind == "activation" else event.data["guns"]
        acted[event.seat].update(names)


def anti_air(watch: Watch, unit: Any, team: Any) -> list[Weapon]:
    return [weapon for weapon in weapons_now(watch, watch.state, unit, team) if "anti-air" in weapon.keywords]


def against_aircraft(weapon: Weapon) -> int:
    return weapon.aa_at if weapon.aa_at is not None else weapon.at or 0


@book.on("evasion")
def evades(watch: Watch, event: Event) -> None:
    if watch.memory.get("evasion"):
        watch.object_to("hof.optional.air-aa-roll", "the aircraft evades twice")
    watch.memory["evasion"] = event.dice[0].values[0]
    if event.data["evasion"] != event.dice[0].values[0]:
        watch.object_to("hof.optional.air-aa-roll", f"{event.dice[0].values} is {event.data['evasion']}")


@book.on("anti-air")
def engages(watch: Watch, event: Event) -> None:
    watch.count("anti-aircraft fire")
    data = event.data
    unit = watch.state.units[data["unit"]]
    acted = watch.memory.get("acted in own turn", {}).get(unit.side, set())
    for name in data["guns"]:
        team = unit.teams.get(name)
        if team is None or team.at is None or team.suppressed or name in acted or not anti_air(watch, unit, team):
            watch.object_to("hof.optional.air-aa-eligible", f"{name} may not engage")
    arms = anti_air(watch, unit, unit.teams[data["first"]])
    if not arms:
        return
    weapon = max(arms, key=lambda each: (against_aircraft(each), each.rof))
    fire = event.dice[0].values
    if len(fire) != weapon.rof + len(data["guns"]) - 1:
        watch.object_to("hof.optional.air-aa-groups", f"{len(fire)} dice of {len(data['guns'])} guns, RoF {weapon.rof}")
    hits = sum(value > watch.memory.get("evasion", 0) for value in fire)
    saves = event.dice[1].values if len(event.dice) > 1 else []
    gone = any(value <= against_aircraft(weapon) for value in saves)
    if data["hits"] != hits or len(saves) != hits or data["driven_off"] != gone:
        watch.object_to("hof.optional.air-aa-save", f"{fire} against {watch.memory.get('evasion')}, saves {saves}")
    if gone:
        watch.memory["driven off"] = True


# Ground attacks.


@book.on("air-attack")
def attacks(watch: Watch, event: Event) -> None:
    watch.count("air attacks")
    if watch.memory.pop("driven off", False):
        watch.object_to("hof.optional.air-aa-save", "it attacks and was driven off")
    manner = MANNERS[(event.dice[0].values[0] - 1) // 2]
    if event.data["manner"] != manner:
        watch.object_to("hof.optional.air-attack-type", f"{event.dice[0].values}: {event.data['manner']}")
    watch.memory["attack"] = (event.seat, manner)
    if manner == "rockets":
        watch.memory["blow"] = rocket_hits


def spared(watch: Watch, side: str) -> list[Any]:
    """The enemy Teams that are too near to friends of an aircraft."""
    friends = [base(team) for _, team in standing(watch.state, side)]
    found = []
    for _, team in standing(watch.state, enemy(side)):
        if any(base(team).distance(friend) <= APART + DOUBT for friend in friends):
            found.append(team)
    return found


def none_is_spared(watch: Watch, side: str, shape: Any, radius: float) -> None:
    for team in spared(watch, side):
        body = base(team)
        near = body.distance(shape) < radius - DOUBT if radius else body.intersection(shape).area > DOUBT
        if near:
            watch.object_to(RESTRICTION, f"{team.id} is within 12 inches of {side}")


@book.on("bombs")
def bombs_fall(watch: Watch, event: Event) -> None:
    right_deviation(watch, event, tuple(event.data["aimed"]), mortars=False, less=BOMB_LESS)
    none_is_spared(watch, event.seat, shapely.Point(event.data["aimed"]), BOMB_RADIUS)
    watch.memory["strike"] = shapely.Point(event.data["at"])


@book.on("cannons")
def cannons_fire(watch: Watch, event: Event) -> None:
    strip = rectangle(*STRIP, tuple(event.data["at"]), event.data["facing"])
    none_is_spared(watch, event.seat, strip, 0.0)
    watch.memory["strike"] = strip


@book.on("air-rfps")
def under_the_aircraft(watch: Watch, event: Event) -> None:
    side, manner = watch.memory.get("attack", ("", ""))
    told = event.data["rfps"]
    if manner == "rockets":
        watch.memory.pop("blow", None)
        for name in told:
            found = find(watch.state, name)
            if found is not None:
                rocket_target(watch, side, found)
                if kind_of(found[1]).vehicle or told[name] != ROCKET_FP:
                    watch.object_to("hof.optional.air-rockets", f"{name} receives {told[name]} RFPs")
        return
    bombs = manner == "bombs"
    radius, rfps, most = (BOMB_RADIUS, BOMB_RFPS, MOST_ARMOR) if bombs else (0.0, CANNON_RFPS, None)
    inside = under(watch.state, watch.memory["strike"], radius)
    rule = "hof.optional.air-bombs" if bombs else "hof.optional.air-cannons"
    right_shower(watch, rule, inside, told, rfps, most, closed=False)


def rocket_target(watch: Watch, side: str, found: Any) -> None:
    if found[0].side == side or found[1].id in {team.id for team in spared(watch, side)}:
        watch.object_to(RESTRICTION, f"{found[1].id} is no lawful target")


def rocket_hits(watch: Watch, event: Event) -> None:
    """A Vehicle takes an AT 5 hit on its flank."""
    found = find(watch.state, event.data["team"])
    if found is None:
        return
    armor = kind_of(found[1]).armor or (0, 0)
    rocket_target(watch, event.seat, found)
    if event.data["at"] != ROCKET_AT or event.data["ar"] != armor[1]:
        watch.object_to("hof.optional.air-rockets", f"AT {event.data['at']} against AR {event.data['ar']}")
        return
    right_roll(watch, event, ROCKET_AT, armor[1], ROCKET_FP, "average", rule="hof.optional.air-rockets")
