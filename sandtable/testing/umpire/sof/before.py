"""Before the first turn: who attacks, from where, objectives, reserves, deployment, ambushes and Scout Moves."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from shapely.geometry import LineString, Point, box

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import answer, course, roster
from sandtable.testing.umpire.sof.ranks import stands_in_ranks, well_aligned
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import COVER_WITHIN, IMPASSABLE
from sandtable.testing.umpire.sof.table import (
    HAIR,
    Piece,
    Spot,
    apart,
    enemy,
    figures,
    in_command,
    on_table,
    pieces,
    placed,
    radius,
)

GAP = 2.0
ROUNDING = 0.02
EDGES = ("south", "north", "west", "east")
OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}
BEFORE = ("attacker", "edges", "objectives", "reserves", "recon", "deploy", "scout")
FROM_EDGE, FROM_CENTRE, APART = 8.0, 6.0, 8.0


class Briefing(NamedTuple):
    """What a mission says of all that comes before the first turn."""

    long: bool
    """The attacker chooses a long edge of the table, and not just any."""
    attacker: float
    """How deep the attacker's area is, from his edge; and the defender's."""
    defender: float
    alternate: bool
    objectives: tuple[str, ...]
    """Where each objective lies: in the defender's area, at the centerline or in the center."""
    planned: bool = True
    ambush: int | None = None
    tactical: float = 0.0
    """Which share of his points the defender holds in Tactical Reserve."""
    immediate: bool = False


BRIEFINGS = {
    "hasty-assault": Briefing(True, 8.0, 18.0, False, ("defender",), ambush=1, tactical=0.5),
    "patrol": Briefing(True, 6.0, 6.0, True, ("centerline", "centerline"), immediate=True),
    "patrol-encounter": Briefing(False, 6.0, 6.0, True, ("center",), planned=False, immediate=True),
}


def briefing(watch: Watch) -> Briefing | None:
    return BRIEFINGS.get(watch.setup.mission)


def core_of(state: Any, side: str) -> Any:
    """The core battlegroup of a side: the first, unless another says that it is."""
    groups = [group for group in state.battlegroups.values() if group.side == side]
    return next((group for group in groups if group.core), groups[0])


# Who attacks, and from where.


@book.on("attacker-roll")
def the_roll_for_the_attacker(watch: Watch, event: Event) -> None:
    watch.count("rolls for the attacker")
    due = {}
    for throw in event.dice:
        due[throw.seat] = throw.value + core_of(watch.state, throw.seat).attack
    if dict(event.data["totals"]) != due or len(event.dice) != 2:
        watch.object_to("sof.mission-core.attacker-roll", f"totals {event.data['totals']} are told, and {due} rolled")
    if watch.memory.get("sof.attacker") not in (None, ""):
        watch.object_to("sof.mission-core.attacker-roll", "the roll is repeated although it is decided")
    ahead = max(due, key=lambda side: due[side])
    watch.memory["sof.attacker"] = ahead if due[ahead] > due[enemy(ahead)] else ""


@book.on("attacker")
def the_attacker(watch: Watch, event: Event) -> None:
    watch.count("attackers")
    due = watch.memory.get("sof.attacker")
    if due is not None and (event.seat != due or watch.state.attacker != due):
        watch.object_to("sof.mission-core.attacker-roll", f"{event.seat} attacks, and the roll says {due or 'nobody'}")


@book.on("edges")
def the_edges(watch: Watch, event: Event) -> None:
    watch.count("edges chosen")
    state, table, rules = watch.state, watch.setup.table, briefing(watch)
    edge = event.data["edge"]
    mine, theirs = baseline(state, state.attacker), baseline(state, enemy(state.attacker))
    rule = f"sof.{watch.setup.mission}.edges"
    if event.seat != state.attacker or answer(watch, "edge") != edge or mine != edge or theirs != OPPOSITE[edge]:
        watch.object_to(rule, f"the attacker comes from the {mine}, the other from the {theirs}, and {edge} was chosen")
    along = table.width if edge in ("south", "north") else table.depth
    if rules is not None and rules.long and along < max(table.width, table.depth):
        watch.object_to(rule, f"{edge} is no long edge")


def baseline(state: Any, side: str) -> str:
    return str(state.baselines.red if side == "red" else state.baselines.blue)


def inward(watch: Watch, edge: str, at: Spot) -> float:
    """How far a place is from an edge of the table."""
    table = watch.setup.table
    return float({"south": at[1], "north": table.depth - at[1], "west": at[0], "east": table.width - at[0]}[edge])


def deep_in(watch: Watch, edge: str, figure: Any) -> float:
    """How far the far rim of a base is from an edge."""
    return inward(watch, edge, figure.at) + radius(figure)


def depth_of(watch: Watch, state: Any, side: str) -> float:
    rules = briefing(watch)
    assert rules is not None
    return rules.attacker if side == state.attacker else rules.defender


# Objectives.


@book.on("objective-set")
def an_objective_is_placed(watch: Watch, event: Event) -> None:
    watch.count("objectives placed")
    state, rules = watch.state, briefing(watch)
    if rules is None:
        return
    at = float(event.data["at"][0]), float(event.data["at"][1])
    number = len(watch.earlier.objectives)
    rule = f"sof.{watch.setup.mission}.objective{'s' if watch.setup.mission == 'patrol' else ''}"
    if number >= len(rules.objectives):
        watch.object_to(rule, f"{event.data['objective']} is one too many")
        return
    where = rules.objectives[number]
    if where == "center":
        in_the_center(watch, at)
        return
    if event.seat != (state.attacker if number == 0 else enemy(state.attacker)):
        watch.object_to(rule, f"{event.seat} places objective {number + 1}")
    told = answer(watch, "objective")
    if (
        told is None
        or math.dist(tuple(told), at) > ROUNDING
        or tuple(state.objectives[event.data["objective"]].at) != at
    ):
        watch.object_to(rule, f"the objective lies at {at}, and {told} was chosen")
    if bad_ground(watch, at):
        watch.object_to("sof.mission-core.objective-placement", f"an objective lies in impassable ground at {at}")
    if min(inward(watch, edge, at) for edge in EDGES) < FROM_EDGE - HAIR:
        watch.object_to(rule, f"an objective at {at} is within 8 inches of an edge")
    if where == "defender":
        home = baseline(state, enemy(state.attacker))
        if inward(watch, home, at) > rules.defender + HAIR:
            watch.object_to(rule, f"an objective at {at} is not in the defender's area")
        return
    edge = baseline(state, state.attacker)
    across = watch.setup.table.depth if edge in ("south", "north") else watch.setup.table.width
    if abs(inward(watch, edge, at) - across / 2) > FROM_CENTRE + HAIR:
        watch.object_to(rule, f"an objective at {at} is more than 6 inches from the centerline")
    if any(math.dist(each.at, at) < APART - HAIR for each in watch.earlier.objectives.values()):
        watch.object_to(rule, f"an objective at {at} is within 8 inches of another")


def bad_ground(watch: Watch, at: Spot) -> bool:
    return any(piece.kind in IMPASSABLE and piece.holds(at).sure for piece in pieces(watch))


def in_the_center(watch: Watch, at: Spot) -> None:
    """In the middle of the table, or as near to it as the ground allows."""
    middle = watch.setup.table.width / 2, watch.setup.table.depth / 2
    far = math.dist(middle, at)
    if bad_ground(watch, at):
        watch.object_to("sof.mission-core.objective-placement", f"the objective lies in impassable ground at {at}")
    for ring in range(int((far - 0.06) / 0.05) if far > 0.06 else 0):
        for step in range(24):
            angle = math.radians(15 * step)
            spot = middle[0] + 0.05 * ring * math.sin(angle), middle[1] + 0.05 * ring * math.cos(angle)
            if not any(piece.kind in IMPASSABLE and piece.holds(spot).may for piece in pieces(watch)):
                watch.object_to("sof.patrol-encounter.objective", f"the objective lies at {at}, and {spot} is nearer")
                return


# Reserves.


@book.on("reserves")
def units_are_held_back(watch: Watch, event: Event) -> None:
    watch.count("reserves chosen")
    state, rules = watch.state, briefing(watch)
    if rules is None:
        return
    side, held = event.seat, set(event.data["units"])
    rule = f"sof.{watch.setup.mission}.reserve"
    own = [unit for unit in state.units.values() if unit.side == side]
    support = {unit.id for unit in own if unit.belongs == "support"}
    kind = "immediate" if rules.immediate else "tactical"
    waiting = {unit.id for unit in own if unit.reserve == kind}
    if waiting != held:
        watch.object_to(rule, f"{sorted(held)} are told to wait in reserve, and {sorted(waiting)} do")
    if rules.immediate and held != support:
        watch.object_to(rule, f"{sorted(held)} wait in reserve, and the support units are {sorted(support)}")
    if rules.tactical:
        told = answer(watch, "reserve")
        if side == state.attacker or not support <= held or (told is not None and held != support | set(told)):
            watch.object_to(rule, f"{side} holds {sorted(held)} back, chose {told}, and has support {sorted(support)}")
        points = sum(unit.points for unit in own if unit.id in held)
        if points < rules.tactical * sum(unit.points for unit in own) or event.data["points"] != points:
            watch.object_to(rule, f"{sorted(held)} come to {points} points, and {event.data['points']} are told")


# Deployment.


def to_place(state: Any, side: str, *, late: bool) -> list[Any]:
    """Who of a side has still to be placed, in the order of the roster."""
    return [
        unit
        for unit in roster(state)
        if unit.side == side
        and not unit.reserve
        and unit.late == late
        and not any(figure.at is not None for figure in unit.teams.values())
    ]


@book.on("deployed", "no-room", "ambush")
def whose_turn_it_is_to_deploy(watch: Watch, event: Event) -> None:
    state, rules = watch.earlier, briefing(watch)
    if rules is None or state.phase != "deploy":
        return
    unit = state.units[event.data["unit"]]
    rule = f"sof.{watch.setup.mission}.deployment"
    soon = {side: to_place(state, side, late=False) for side in (state.attacker, enemy(state.attacker))}
    late = not any(soon.values())
    waiting = {side: to_place(state, side, late=late) for side in soon}
    watch.count("units deployed")
    if unit not in waiting[unit.side]:
        watch.object_to(rule, f"{unit.id} is placed before its time")
        return
    last: tuple[str, bool] | None = watch.memory.get("sof.placed")
    if rules.alternate or late:
        due = enemy(last[0]) if last is not None and last[1] == late else state.attacker
        begun = last is not None or watch.setup.phase != "deploy"
        if waiting[due] and unit.side != due and begun:
            watch.object_to(rule, f"{unit.side} places {unit.id}, and it is {due}'s turn")
    else:
        due = enemy(state.attacker) if waiting[enemy(state.attacker)] else state.attacker
        if unit is not waiting[due][0]:
            watch.object_to(rule, f"{unit.id} is placed, and {waiting[due][0].id} is due")
    watch.memory["sof.placed"] = unit.side, late


@book.on("deployed")
def a_unit_is_deployed(watch: Watch, event: Event) -> None:
    state, rules = watch.state, briefing(watch)
    unit = state.units[event.data["unit"]]
    if rules is None:
        return
    rule = f"sof.{watch.setup.mission}.deployment"
    edge, deep = baseline(state, unit.side), depth_of(watch, state, unit.side)
    for figure in figures(unit):
        if deep_in(watch, edge, figure) > deep + HAIR:
            watch.object_to(rule, f"{figure.id} stands at {figure.at}, outside its {deep:g} inches")
    set_down(watch, unit, rule)
    as_answered(watch, unit, rule)
    if "sof.recon.scout-enemy-position" in event.rules and not unit.late:
        watch.object_to("sof.recon.scout-enemy-position", f"{unit.id} is no late comer")


def set_down(watch: Watch, unit: Any, rule: str) -> None:
    """Wherever a unit is set down it is in command, in a formation it may take, on good ground and clear of others."""
    state = watch.state
    if unit.formation not in (*unit.formations, "loose"):
        watch.object_to("sof.mission-core.deploy-formation", f"{unit.id} may not take {unit.formation} order")
    if not figures(unit) or not in_command(unit).may:
        watch.object_to("sof.mission-core.deploy-in-command", f"{unit.id} is not in command")
    if unit.formation == "linear":
        if unit.pose is None or not well_aligned(unit, len(unit.teams), unit.pose.files):
            watch.object_to("sof.formations.linear-must-have-alignment", f"{unit.id} stands in no {unit.alignment}")
        elif not stands_in_ranks(unit, 0.03):
            watch.object_to("sof.formations.linear-ranks", f"{unit.id} does not stand in its ranks")
    men = figures(unit)
    for number, one in enumerate(men):
        if not on_table(watch, one):
            watch.object_to("sof.mission-core.map-convention", f"{one.id} stands off the table at {one.at}")
        if any(piece.kind in (*IMPASSABLE, "haystack") and piece.holds(one.at).sure for piece in pieces(watch)):
            watch.object_to("sof.terrain-impassable.movement", f"{one.id} stands where nobody may")
        for other in men[number + 1 :]:
            if math.dist(one.at, other.at) < radius(one) + radius(other) - HAIR:
                watch.object_to("sof.units.models-in-units", f"{one.id} stands on {other.id}")
    for mate in placed(state):
        if mate.id != unit.id and apart(unit, mate) <= GAP - HAIR:
            watch.object_to("sof.units.separation", f"{unit.id} stands {apart(unit, mate):.2f} inches from {mate.id}")


def as_answered(watch: Watch, unit: Any, rule: str) -> None:
    """A unit stands where its owner said."""
    openly, body = answer(watch, "deploy"), answer(watch, "deploy-body")
    if openly is not None:
        for name, figure in unit.teams.items():
            wanted = tuple(openly[name]["to"])
            if figure.at is None or math.dist(figure.at, wanted) > ROUNDING:
                watch.object_to(rule, f"{name} stands at {figure.at}, and was told {wanted}")
    elif body is not None:
        to = body["to"]
        if (
            unit.pose is None
            or math.dist(unit.pose.at, tuple(to["at"])) > ROUNDING
            or abs(unit.pose.facing - to["facing"]) > 0.2
            or unit.pose.files != to["files"]
        ):
            watch.object_to(rule, f"{unit.id} stands at {unit.pose}, and was told {to}")
    else:
        watch.object_to(rule, f"nobody was asked where {unit.id} stands")


# Ambushes.


@book.on("ambush")
def a_unit_lies_in_ambush(watch: Watch, event: Event) -> None:
    watch.count("ambushes laid")
    state, before, rules = watch.state, watch.earlier, briefing(watch)
    unit, rule = state.units[event.data["unit"]], "sof.mission-special.ambush-number"
    piece = next(each for each in pieces(watch) if each.id == event.data["terrain"])
    if unit.ambush != piece.id:
        watch.object_to("sof.mission-special.ambush-deploy", f"{unit.id} lies in {unit.ambush}, not in {piece.id}")
    if rules is None or rules.ambush is None or unit.side == state.attacker or unit.type == "mounted":
        watch.object_to(rule, f"{unit.id} of {unit.side} may not lie in ambush")
        return
    others = [
        each
        for each in before.units.values()
        if each.ambush and "camouflage" not in each.special and each.id != unit.id
    ]
    more = list(state.advantages.get(unit.side, [])).count("additional-ambush")
    if "camouflage" not in unit.special and len(others) >= rules.ambush + more:
        watch.object_to(rule, f"{unit.id} is one too many in ambush after {[each.id for each in others]}")
    if piece.kind not in COVER_WITHIN:
        watch.object_to("sof.mission-special.ambush-deploy", f"{piece.kind} does not conceal {unit.id}")
    edge, deep = baseline(state, unit.side), depth_of(watch, state, unit.side)
    for figure in unit.teams.values():
        if figure.at is None or not wholly_in(piece, figure) or deep_in(watch, edge, figure) > deep + HAIR:
            watch.object_to("sof.mission-special.ambush-deploy", f"{figure.id} lies at {figure.at}, out of {piece.id}")


def wholly_in(piece: Piece, figure: Any) -> bool:
    """Whether a base lies in a piece as a whole, or so nearly that it is too close to call."""
    return bool(piece.shape.buffer(HAIR).covers(Point(figure.at).buffer(radius(figure), quad_segs=24)))


@book.after_answer
def who_comes_out_of_an_ambush(watch: Watch) -> None:
    """Whoever is no longer in ambush appears within his piece: sprung more than 6 inches from enemies, else 2."""
    waiting: dict[str, tuple[str, bool]] = watch.memory.setdefault("sof.lairs", {})
    for unit in watch.asked.units.values():
        now = watch.state.units.get(unit.id)
        if now is not None and unit.ambush and not now.ambush:
            triggered = any(told.kind == "ambush-triggered" and told.data["unit"] == unit.id for told in watch.told)
            waiting[unit.id] = unit.ambush, triggered
            act = course(watch).act
            if not triggered and (act is None or act.unit != unit.id):
                watch.object_to("sof.mission-special.ambush-activate", f"{unit.id} comes out of ambush for nothing")
            if not triggered:
                watch.count("ambushes sprung")
    where = answer(watch, "deploy") or {}
    body = answer(watch, "deploy-body")
    for name, (lair, triggered) in list(waiting.items()):
        unit = watch.state.units.get(name)
        if unit is None:
            del waiting[name]
        elif set(unit.teams) & set(where) or (
            body is not None and watch.entry is not None and watch.entry.seat == unit.side
        ):
            del waiting[name]
            appears(watch, unit, lair, triggered)
        elif watch.asking not in ("deploy-as", "deploy", "deploy-body", "recon-reroll"):
            # It stays where it lay.
            del waiting[name]
            before = watch.asked.units[name]
            if any(each.at != before.teams[each.id].at for each in figures(unit)) and not watch.memory.get("sof.moved"):
                watch.count("ambushes that stay where they lie")


def appears(watch: Watch, unit: Any, lair: str, triggered: bool) -> None:
    watch.count("units coming out of ambush")
    rule = f"sof.mission-special.ambush-{'triggered' if triggered else 'activate'}"
    piece = next(each for each in pieces(watch) if each.id == lair)
    for figure in figures(unit):
        if not wholly_in(piece, figure):
            watch.object_to(rule, f"{figure.id} appears at {figure.at}, out of {lair}")
    least = GAP if triggered else 6.0
    for foe in placed(watch.state, enemy(unit.side)):
        if apart(unit, foe) <= least - HAIR:
            watch.object_to(rule, f"{unit.id} appears {apart(unit, foe):.2f} inches from {foe.id}")
    as_answered(watch, unit, rule)
    if unit.formation not in (*unit.formations, "loose") or not in_command(unit).may:
        watch.object_to("sof.mission-core.deploy-in-command", f"{unit.id} appears out of command")


@book.on("ambush-sprung")
def an_ambush_is_sprung(watch: Watch, event: Event) -> None:
    """By its owner, when he activates the unit."""
    act, name = course(watch).act, event.data["unit"]
    if act is None or act.unit != name or act.actions:
        watch.object_to("sof.mission-special.ambush-activate", f"{name} springs its ambush without an activation")


@book.on("ambush-triggered")
def an_ambush_is_triggered(watch: Watch, event: Event) -> None:
    """By the first enemy whose middle is in its piece, or by recon."""
    watch.count("ambushes triggered")
    before = watch.earlier.units[event.data["unit"]]
    if not before.ambush:
        watch.object_to("sof.mission-special.ambush-triggered", f"{before.id} lies in no ambush")
        return
    piece = next(each for each in pieces(watch) if each.id == before.ambush)
    foes = [figure for foe in placed(watch.state, enemy(before.side)) for figure in figures(foe)]
    if "sof.recon.trigger-ambush" in event.rules:
        return
    if not any(piece.holds(figure.at).may for figure in foes):
        watch.object_to("sof.mission-special.ambush-triggered", f"nobody is in {piece.id} with {before.id}")


@book.after_answer
def an_ambush_is_not_walked_over(watch: Watch) -> None:
    """Between activations nobody stands in the piece of an enemy's ambush."""
    if watch.asking not in ("activate", "override"):
        return
    for unit in watch.state.units.values():
        if not unit.ambush:
            continue
        piece = next(each for each in pieces(watch) if each.id == unit.ambush)
        watch.count("ambushes looked at")
        for foe in placed(watch.state, enemy(unit.side)):
            inside = [figure.id for figure in figures(foe) if piece.holds(figure.at).sure]
            if inside:
                watch.object_to("sof.mission-special.ambush-triggered", f"{inside} are in {piece.id} with {unit.id}")


# All of it is done when the first turn begins.


@book.on("scouted")
def a_unit_has_scouted(watch: Watch, event: Event) -> None:
    watch.count("units that scouted")
    before = watch.asked.units[event.data["unit"]]
    bought = "sof.recon.scout-move" in event.rules
    if before.scouted or before.ambush or not figures(before) or ("recon" in before.special) == bought:
        watch.object_to("sof.mission-core.scout-move", f"{before.id} may not scout")
    for each in roster(watch.asked):
        if bought or each.id == before.id:
            break
        if "recon" in each.special and figures(each) and not each.scouted:
            watch.object_to("sof.mission-core.scout-move", f"{before.id} scouts before {each.id}")
    after = watch.state.units[before.id]
    if (after.formation, after.alignment) != (before.formation, before.alignment):
        watch.object_to("sof.mission-core.scout-move", f"{before.id} changes its formation as it scouts")
    moved = watch.memory.pop("sof.scouts", None) == before.id
    if event.data["moved"] != moved:
        watch.object_to("sof.mission-core.scout-move", f"{before.id} is told to have moved: {event.data['moved']}")


@book.on("move")
def somebody_scouts(watch: Watch, event: Event) -> None:
    """An ambush that a unit meets, or a die that is rolled again, may come between its move and the end of it."""
    watch.memory["sof.scouts"] = event.data["unit"]


@book.on("turn")
def all_is_set_up(watch: Watch, event: Event) -> None:
    rules, state = briefing(watch), watch.state
    if rules is None or watch.setup.phase not in BEFORE or event.data["turn"] != watch.setup.turn:
        return
    watch.count("set-ups completed")
    if len(state.objectives) != len(rules.objectives):
        watch.object_to("sof.mission-core.briefing", f"there are {len(state.objectives)} objectives")
    for unit in state.units.values():
        there = any(figure.at is not None for figure in unit.teams.values())
        if there == bool(unit.reserve):
            watch.object_to("sof.mission-core.deploy-in-command", f"{unit.id} is neither placed nor in reserve")
        if "recon" in unit.special and figures(unit) and not unit.scouted:
            watch.object_to("sof.mission-core.scout-move", f"{unit.id} was not asked to scout")
        if unit.reserve and unit.reserve != ("immediate" if rules.immediate else "tactical"):
            watch.count("units that found no room")


def strip_of(watch: Watch, edge: str, deep: float) -> Any:
    """The strip along an edge of the table."""
    wide, far = watch.setup.table.width, watch.setup.table.depth
    return {
        "south": box(0, 0, wide, deep),
        "north": box(0, far - deep, wide, far),
        "west": box(0, 0, deep, far),
        "east": box(wide - deep, 0, wide, far),
    }[edge]


def from_the_edge(watch: Watch, edge: str, figure: Any) -> LineString | None:
    """The straight way from an edge on which a model has come on, as far as it leads over the table."""
    table, r = watch.setup.table, radius(figure)
    x, y = float(figure.at[0]), float(figure.at[1])
    start = {"south": (x, r), "north": (x, table.depth - r), "west": (r, y), "east": (table.width - r, y)}[edge]
    return LineString([start, (x, y)]) if math.dist(start, (x, y)) > 0.01 else None
