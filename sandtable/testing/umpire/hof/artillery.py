"""Artillery: calls, observers, Range In markers, deviation, fire for effect, and what falls on whom."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.checks import right_check
from sandtable.testing.umpire.hof.sight import DOUBT, Maybe, Spot, either, places, view
from sandtable.testing.umpire.hof.table import HAIR, Member, Point, base, find, kind_of, members, stand_of

LEAST_GUNS = 2
RADIUS, MOST_EXTRA = 4.0, 2
APART = 16.0
DIRECT_HIT = 8
RFPS = {"light": 1, "medium": 2, "heavy": 3}
MOST_ARMOR = 2
SUSTAINED = 4
MISSIONS = 5
SATURATED = 2.0


def guns_among(state: Any, unit_id: str, names: list[str]) -> list[Any]:
    unit = state.units.get(unit_id)
    return [unit.teams[name] for name in names if unit is not None and name in unit.teams]


def battery_of(event: Event) -> str:
    return str(event.data.get("unit", ""))


# The call.


@book.on("call-for-fire")
def call_is_right(watch: Watch, event: Event) -> None:
    """Own turn, the first Order Points, guns enough, missions left, and somebody who may observe."""
    watch.count("calls")
    state, data = watch.state, event.data
    unit = state.units.get(data["unit"])
    if unit is None:
        watch.object_to("hof.artillery.call-for-fire", "an unknown battery is called")
        return
    if state.active != unit.side:
        watch.object_to("hof.artillery.call-for-fire", f"{unit.id} is called in the enemy's turn")
    if watch.memory.get("spent otherwise"):
        watch.object_to("hof.artillery.call-for-fire", "an Order Point was spent on something else before")
    if unit.fired >= MISSIONS:
        watch.object_to("hof.artillery.fire-missions", f"{unit.id} has fired {unit.fired} missions")
    guns = guns_among(state, unit.id, data["guns"])
    if len(guns) != len(data["guns"]) or any(not kind_of(gun).artillery for gun in guns):
        watch.object_to("hof.artillery.who-may-barrage", f"{unit.id} has no such guns: {data['guns']}")
    if data["observer"] and not str(data["observer"]).startswith("marker:"):
        observer = find(state, data["observer"])
        if observer is None or not may_observe(watch, unit, observer):
            watch.object_to("hof.artillery.observer-needed", f"{data['observer']} may not observe for {unit.id}")


def may_observe(watch: Watch, unit: Any, observer: Member) -> bool:
    """Any Team of the battery, any friendly Platoon Leader, a Recon Team; a British Forward Observer for all."""
    owner, team = observer
    if owner.side != unit.side or team.at is None:
        return False
    british = watch.setup.options.national and owner.nation == "british" and team.role == "fo"
    return owner.id == unit.id or team.role == "pl" or "recon" in team.traits or british


@book.on("activation", "arrived", "reserves-check", "turn")
def note_spending(watch: Watch, event: Event) -> None:
    """Whether an Order Point of this turn has gone to something else than artillery."""
    if event.kind == "turn":
        watch.memory["spent otherwise"] = False
    elif event.kind == "activation" and event.data["paid"] != "order":
        return
    elif event.seat == watch.state.active and fewer_points(watch, event.seat):
        watch.memory["spent otherwise"] = True


def fewer_points(watch: Watch, side: str) -> bool:
    """Whether an Order Point has gone: orders are told some answers after they were paid for."""
    left: dict[str, int] = watch.memory.setdefault("points left", {})
    now: int = watch.state.companies[side].order_points
    return now < left.get(side, now + 1)


@book.at_start
def note_first_points(watch: Watch) -> None:
    """A battle may begin in the midst of a turn."""
    for side, company in watch.state.companies.items():
        watch.memory.setdefault("points left", {})[side] = company.order_points


@book.on("order-dice", "call-for-fire")
def note_points(watch: Watch, event: Event) -> None:
    """How many Order Points there were when the last ones went to artillery."""
    side = event.seat
    watch.memory.setdefault("points left", {})[side] = watch.state.companies[side].order_points


@book.on("mission")
def mission_is_laid(watch: Watch, event: Event) -> None:
    watch.count("missions")
    guns = guns_among(watch.state, battery_of(event), event.data["guns"])
    if len(guns) < LEAST_GUNS or any(gun.suppressed for gun in guns):
        watch.object_to("hof.artillery.who-may-barrage", f"{event.data['guns']} fire a mission")
    observer = find(watch.state, event.data["observer"])
    if observer is None or observer[1].suppressed:
        watch.object_to("hof.artillery.suppressed-no-observe", f"{event.data['observer']} cannot observe")


# Ranging in.


def sees_point(watch: Watch, observer: Member, at: Point) -> Maybe:
    """Whether a Team sees a point of the ground."""
    here = view(watch)
    point = Spot((float(at[0]), float(at[1])), 0.0, 0.02, 0.02)
    found: Maybe = False
    for spot in places(watch.state, *observer):
        found = either(found, here.sees(spot, point))
    return found


def bears(gun: Any, at: Point) -> Maybe:
    """Whether a gun may fire on a point: far enough, and before it unless it has a turret or is off the table."""
    if gun.at is None:
        return True
    kind = kind_of(gun)
    point = shapely.Point(at)
    inches = base(gun).distance(point)
    if inches < APART - DOUBT:
        return False
    if kind.category == "infantry" or (kind.vehicle and "hull-mounted" not in kind.keywords):
        return True
    dx, dy = at[0] - gun.at[0], at[1] - gun.at[1]
    s, c = sin(radians(gun.facing)), cos(radians(gun.facing))
    ahead, aside = dx * s + dy * c, abs(dx * c - dy * s)
    return None if abs(ahead - aside) < HAIR else ahead > aside


@book.on("range-in")
def ranged_in(watch: Watch, event: Event) -> None:
    watch.count("Range Ins")
    at = event.data["at"]
    observer = find(watch.state, event.data["observer"])
    if observer is None or observer[1].suppressed:
        watch.object_to("hof.artillery.observer-needed", f"{event.data['observer']} cannot observe")
    elif sees_point(watch, observer, at) is False:
        watch.object_to("hof.artillery.range-in", f"{observer[1].id} does not see {at}")
    right_guns(watch, event, at)


def right_guns(watch: Watch, event: Event, at: Point) -> None:
    guns = guns_among(watch.state, battery_of(event), event.data["guns"])
    if len(guns) < LEAST_GUNS:
        watch.object_to("hof.artillery.who-may-barrage", f"{len(guns)} guns fire")
    for gun in guns:
        if gun.suppressed:
            watch.object_to("hof.artillery.who-may-barrage", f"{gun.id} is Suppressed")
        if bears(gun, at) is False:
            watch.object_to("hof.artillery.range-in", f"{gun.id} cannot bear on {at}")


def moved_to(at: Point, inches: int, degrees: int) -> Point:
    turn = radians(degrees % 360)
    return at[0] + inches * sin(turn), at[1] + inches * cos(turn)


def apart(one: Any, other: Any) -> float:
    return float(shapely.Point(one).distance(shapely.Point(other)))


def right_deviation(watch: Watch, event: Event, start: Point, *, mortars: bool, less: int = 0) -> None:
    """A d10 says how far and a direction where to; mortars on the table hit directly from 8 on."""
    dice = event.dice
    watch.count("deviations")
    if dice[0].sides != 10 or (len(dice) > 1 and dice[1].sides != 360):
        watch.object_to("hof.artillery.deviation", "other dice than a d10 and a direction")
    inches = dice[0].values[0] - less
    stays = (mortars and dice[0].values[0] >= DIRECT_HIT) or inches <= 0
    if stays != (len(dice) == 1):
        watch.object_to("hof.artillery.deviation", f"a {dice[0].values[0]}: {len(dice)} dice")
        return
    end = start if stays else moved_to(start, inches, dice[1].values[0])
    if apart(end, event.data["at"]) > HAIR:
        watch.object_to("hof.artillery.deviation", f"from {start} to {event.data['at']} with {dice[0].values[0]}")


@book.on("deviation")
def deviates(watch: Watch, event: Event) -> None:
    unit = battery_of(event)
    mission = next((each for each in watch.state.missions if each.unit == unit), None)
    if mission is None or mission.point is None:
        watch.object_to("hof.artillery.deviation", f"{unit} has no marker")
        return
    guns = [gun for gun in guns_among(watch.state, unit, mission.guns) if not gun.suppressed]
    mortars = bool(guns) and all(kind_of(gun).mortar and gun.at is not None for gun in guns)
    right_deviation(watch, event, mission.point, mortars=mortars)
    watch.memory[f"marker of {unit}"] = event.data["at"]


# Fire for effect.


@book.on("fire-for-effect")
def fires_for_effect(watch: Watch, event: Event) -> None:
    watch.count("fires for effect")
    state, data = watch.state, event.data
    unit = state.units.get(data["unit"])
    guns = guns_among(state, battery_of(event), data["guns"])
    if unit is None or not guns:
        return
    fired_once_more(watch, unit.id)
    saturated = bool(watch.memory.pop("saturated", False))
    radius = RADIUS + min(len(guns) - LEAST_GUNS, MOST_EXTRA) + (SATURATED if saturated else 0.0)
    rfps = weight_of(watch, unit, guns) + saturated
    if data["radius"] != radius or data["rfps"] != rfps:
        told = f"{data['radius']} inches and {data['rfps']} RFPs"
        watch.object_to("hof.artillery.radius", f"{len(guns)} guns of {unit.id}: {told}, not {radius} and {rfps}")
    lies = watch.memory.pop(f"marker of {unit.id}", None)
    if lies is not None:
        if apart(lies, data["at"]) > DOUBT:
            watch.object_to("hof.artillery.fire-or-wait", f"the marker lies at {lies}, the barrage at {data['at']}")
    else:
        at_sight(watch, event, guns)
    watch.memory["shower"] = ("all", data["at"], data["radius"], data["rfps"])


def fired_once_more(watch: Watch, unit: str) -> None:
    before, now = watch.earlier.units.get(unit), watch.state.units[unit]
    if before is not None and now.fired != before.fired + 1:
        watch.object_to("hof.artillery.fire-missions", f"{unit} has fired {now.fired} missions after {before.fired}")
    if now.fired > MISSIONS:
        watch.object_to("hof.artillery.fire-missions", f"{unit} fires its mission no. {now.fired}")


def weight_of(watch: Watch, unit: Any, guns: list[Any]) -> int:
    """The RFPs of the heaviest gun; one more from American guns that are not light."""
    number = max(RFPS[kind_of(gun).artillery] for gun in guns)
    american = watch.setup.options.national and unit.nation == "us" and number > RFPS["light"]
    return number + american


def at_sight(watch: Watch, event: Event, guns: list[Any]) -> None:
    """Without a ranging shot only mortars fire that see the target themselves."""
    at = event.data["at"]
    unit = watch.state.units[event.data["unit"]]
    for gun in guns:
        if not kind_of(gun).mortar or gun.at is None or bears(gun, at) is False:
            watch.object_to("hof.artillery.mortar-self-observed", f"{gun.id} fires on {at}")
    called = [team for team in unit.teams.values() if kind_of(team).mortar and team.at is not None]
    if all(sees_point(watch, (unit, gun), at) is False for gun in called):
        watch.object_to("hof.artillery.mortar-self-observed", f"no mortar sees {at}")


@book.on("hero")
def note_saturation(watch: Watch, event: Event) -> None:
    if "hof.national.su-artillery-saturation" in event.rules:
        watch.memory["saturated"] = True


@book.on("wait")
def waits(watch: Watch, event: Event) -> None:
    watch.memory.pop("saturated", None)
    watch.memory.pop(f"marker of {battery_of(event)}", None)
    mission = next((each for each in watch.state.missions if each.unit == battery_of(event)), None)
    if mission is None or mission.point is None or apart(mission.point, event.data["at"]) > DOUBT:
        watch.object_to("hof.artillery.fire-or-wait", "the marker has not gone back")


@book.on("sustained")
def sustained(watch: Watch, event: Event) -> None:
    watch.count("sustained barrages")
    throw = event.dice[0]
    if throw.before or event.data["held"] != (throw.values[0] >= SUSTAINED):
        watch.object_to("hof.artillery.sustained-roll", f"{throw.values}: {event.data['held']}")


@book.on("mike-target")
def mike_target(watch: Watch, event: Event) -> None:
    mission = next((each for each in watch.state.missions if each.unit == battery_of(event)), None)
    observer = find(watch.state, mission.observer) if mission is not None else None
    if observer is not None:
        right_check(watch, event, observer[0].quality, "hof.national.gb-mike-target-immediate")


# What falls on whom.


def armor_against(team: Any, most: int | None, *, closed_only: bool) -> int:
    """How many RFPs of shells or bombs a Vehicle's flank armor keeps off."""
    kind = kind_of(team)
    if not kind.vehicle or kind.armor is None or (closed_only and "open-topped" in kind.keywords):
        return 0
    return kind.armor[1] if most is None else min(kind.armor[1], most)


def under(state: Any, shape: Any, radius: float) -> dict[str, Maybe]:
    """Which Teams, Riders among them, lie within so much of a point or a strip."""
    found: dict[str, Maybe] = {}
    for _, team in members(state):
        stand = stand_of(state, team)
        if stand.at is None or (team.at is None and team.role != "rider"):
            continue
        body = base(stand)
        inches = body.distance(shape)
        if radius:
            found[team.id] = None if abs(inches - radius) < DOUBT else bool(inches < radius)
        else:
            found[team.id] = bool(body.intersection(shape).area > DOUBT) or (None if inches < DOUBT else False)
    return found


def right_shower(
    watch: Watch,
    rule: str,
    inside: dict[str, Maybe],
    told: dict[str, int],
    rfps: int,
    most: int | None,
    *,
    closed: bool,
) -> None:
    """Everybody inside receives as many RFPs as fall, less his armor; nobody else any."""
    for name, sure in inside.items():
        found = find(watch.state, name)
        if found is None or sure is None:
            continue
        watch.count("Teams under shells", bool(sure))
        if sure != (name in told):
            watch.object_to(rule, f"{name} is {'' if sure else 'not '}inside, and receives {told.get(name)}")
            continue
        due = max(0, rfps - armor_against(found[1], most, closed_only=closed))
        if sure and told[name] != due:
            watch.object_to(rule, f"{name} receives {told[name]} RFPs instead of {due}")
        before = find(watch.earlier, name)
        if sure and before is not None and found[1].rfps - before[1].rfps != due:
            watch.object_to(rule, f"{name} had {before[1].rfps} RFPs, and has {found[1].rfps}")
        if sure and due and not found[1].exposed:
            watch.object_to("hof.terrain.linear-mixed-fire", f"{name} has no fire from above")


@book.on("barrage-rfps")
def shells_fall(watch: Watch, event: Event) -> None:
    """On all at fire for effect; later on those who end an activation inside, or appear at a marker."""
    told = event.data["rfps"]
    due: Any = watch.memory.pop("shower", None)
    rule = "hof.artillery.barrage-rfps"
    if due is not None:
        _, at, radius, rfps = due
        inside = under(watch.state, shapely.Point(at), radius)
        right_shower(watch, rule, inside, told, rfps, MOST_ARMOR, closed=True)
        return
    some = [(each.at, each.radius, each.rfps) for each in watch.state.missions if each.phase == "barrage" and each.at]
    if "hof.optional.bombardment-effect" in event.rules:
        rule = "hof.optional.bombardment-effect"
        some = [(each.at, each.radius, each.rfps) for each in watch.state.bombardments]
    # Where several overlap, the one that is told is the one whose RFPs are: each is told by itself.
    for at, radius, rfps in sorted(some, key=lambda each: abs(each[2] - max(told.values()))):
        inside = under(watch.state, shapely.Point(at), radius)
        if all(inside.get(name) is not False for name in told):
            right_shower(watch, rule, {name: inside[name] for name in told}, told, rfps, MOST_ARMOR, closed=True)
            return
    watch.object_to(rule, f"{list(told)} are not all inside any barrage")


@book.on()
def shells_have_fallen(watch: Watch, event: Event) -> None:
    """A fire for effect that fell on nobody told nothing: then there was nobody."""
    due: Any = watch.memory.get("shower")
    if due is None or event.kind == "fire-for-effect":
        return
    watch.memory.pop("shower")
    inside = under(watch.state, shapely.Point(due[1]), due[2])
    missed = [name for name, sure in inside.items() if sure]
    if missed and event.kind != "barrage-rfps":
        watch.object_to("hof.artillery.barrage-rfps", f"{missed} are inside and receive nothing")


# Ending an activation inside.


@book.on("activation")
def note_who_acts(watch: Watch, event: Event) -> None:
    """Note who takes part, and what RFPs fell on them: whoever ends inside a barrage receives its RFPs."""
    bitten(watch)
    names = {*event.data["orders"], event.data["team"]}
    barrages = [each for each in watch.state.missions if each.phase == "barrage" and each.at is not None]
    watch.memory["in barrage"] = (names, barrages, set()) if barrages else None


@book.on("barrage-rfps")
def note_bites(watch: Watch, event: Event) -> None:
    kept = watch.memory.get("in barrage")
    if kept is not None:
        kept[2].update(event.data["rfps"])


@book.on("turn-end", "call-for-fire", "massed-assault", "recon-reaction")
def the_activation_is_over(watch: Watch, event: Event) -> None:
    bitten(watch)


def bitten(watch: Watch) -> None:
    kept = watch.memory.pop("in barrage", None)
    if kept is None:
        return
    names, barrages, got = kept
    still = {(each.unit, tuple(each.at)) for each in watch.earlier.missions if each.phase == "barrage" and each.at}
    for mission in barrages:
        if (mission.unit, tuple(mission.at)) not in still:
            continue
        inside = under(watch.earlier, shapely.Point(mission.at), mission.radius)
        for name in names:
            if inside.get(name):
                watch.count("who ends inside a barrage")
                if name not in got:
                    watch.object_to("hof.artillery.end-activation-inside", f"{name} ended inside and received nothing")


# Who takes part stays still.


@book.on("call-for-fire", "turn")
def note_observing_leaders(watch: Watch, event: Event) -> None:
    """A Platoon Leader who observes neither moves nor gives orders until his side's next turn."""
    leaders: dict[str, str] = watch.memory.setdefault("leaders observing", {})
    if event.kind == "turn":
        watch.memory["leaders observing"] = {name: side for name, side in leaders.items() if side != event.seat}
        return
    observer = find(watch.state, str(event.data["observer"]))
    if observer is not None and observer[1].role == "pl":
        leaders[observer[1].id] = event.seat


@book.on("activation")
def observing_leaders_stay(watch: Watch, event: Event) -> None:
    leaders: dict[str, str] = watch.memory.get("leaders observing", {})
    for name in {*event.data["orders"], event.data["team"]} & set(leaders):
        watch.object_to("hof.artillery.any-pl-observes", f"{name} observes, and acts")


@book.on("activation", "turn-end", "call-for-fire", "massed-assault", "recon-reaction")
def participants_stay_still(watch: Watch, event: Event) -> None:
    """Whoever has acted has no part in a mission any more, and no mission goes on with fewer than two guns."""
    side, acted = watch.memory.pop("who acted", ("", set()))
    state = watch.earlier
    for mission in state.missions:
        # A barrage in force needs its observer no more.
        taking_part = {*mission.guns, *([] if mission.phase == "barrage" else [mission.observer])}
        watch.count("missions under way")
        if mission.side == side and taking_part & acted:
            names = sorted(taking_part & acted)
            watch.object_to("hof.artillery.participants-stay-still", f"{names} acted and are still in a mission")
        if side and len(guns_among(state, mission.unit, mission.guns)) < LEAST_GUNS:
            watch.object_to("hof.artillery.who-may-barrage", f"{mission.unit} has a mission with too few guns")
    if event.kind == "activation":
        watch.memory["who acted"] = (event.seat, {*event.data["orders"], event.data["team"]})


# Before the battle.


@book.on("bombardment")
def bombards(watch: Watch, event: Event) -> None:
    watch.count("bombardments")
    unit = watch.state.units.get(battery_of(event))
    entry = watch.entry
    if unit is None or entry is None or entry.topic != "bombard":
        return
    guns = [team for team in unit.teams.values() if kind_of(team).artillery]
    mortars = all(kind_of(gun).mortar for gun in guns) and not unit.off_board
    right_deviation(watch, event, tuple(entry.answer), mortars=mortars)
    radius = RADIUS + min(len(guns) - LEAST_GUNS, MOST_EXTRA)
    if event.data["radius"] != radius or event.data["rfps"] != weight_of(watch, unit, guns):
        watch.object_to("hof.optional.bombardment-markers", f"{event.data['radius']} inches, {event.data['rfps']} RFPs")


@book.after_answer
def who_appears_is_shelled(watch: Watch) -> None:
    """Whoever is deployed or revealed at a marker has received its RFPs."""
    if not watch.state.bombardments:
        return
    appeared: set[str] = set()
    shelled: set[str] = set()
    for event in watch.told:
        if event.kind == "revealed":
            appeared.update(event.data["teams"])
        elif event.kind == "deployed" and event.data.get("unit") in watch.state.units:
            appeared.update(watch.state.units[event.data["unit"]].teams)
        elif event.kind == "barrage-rfps":
            shelled.update(event.data["rfps"])
    for name in appeared - shelled:
        before = find(watch.asked, name)
        if before is not None and before[1].at is not None:
            continue
        for marker in watch.state.bombardments:
            watch.count("who appears")
            if under(watch.state, shapely.Point(marker.at), marker.radius).get(name):
                watch.object_to("hof.optional.bombardment-effect", f"{name} appears at a marker and receives nothing")
