"""Artillery: who is called for fire and who observes, and what becomes of a mission from turn to turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.game import Flow, decide
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.activation import activation
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.artillery.barrages import LEAST_GUNS, tell
from sandtable.rulesets.hof.artillery.batteries import MARKER, Battery, choose_observer, gather, in_sight_of, payments
from sandtable.rulesets.hof.battle import objectives
from sandtable.rulesets.hof.core.acts import Activation, Order, Paid, living
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import label, team_list
from sandtable.rulesets.hof.core.state import Member, Mission, Team, Unit, find_team
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.orders import HERO_POINT, ORDER_POINT, spend_hero_point, spend_order_point

SUSTAINED = 4
"""hof.artillery.sustained-roll"""

CALL = "call"
"""The name of the order that a call for fire gives."""


# The start of a turn.


def start_of_turn(game: Battle) -> Flow[None]:
    """hof.orders.turn-start-sequence: own smoke goes, and own missions come to their next step."""
    side = game.state.active
    if game.state.smoke:
        barrages.clear_smoke(game, side)
    for mission in [each for each in game.state.missions if each.side == side]:
        if ended_by_losses(game, mission, barrages.ready_guns(game, mission)) or ended_for_observer(game, mission):
            continue
        if mission.phase == "barrage":
            yield from sustain(game, mission)
        elif mission.phase == "called":
            yield from range_in(game, mission)
        else:
            yield from barrages.deviate_and_fire(game, mission, "hof.artillery.reroll-deviation")


def end_mission(game: Battle, mission: Mission, words: str, *rules: str) -> None:
    """A mission is over. Its Unit may be gone by then."""
    barrages.forget(game, mission)
    unit = game.state.units.get(mission.unit) or Unit(mission.side, {}, id=mission.unit)
    tell(game, unit, "mission-over", words, *rules)


def ended_by_losses(game: Battle, mission: Mission, guns: Sequence[Team]) -> bool:
    """hof.artillery.who-may-barrage: a mission goes on with the guns that are left, if they are two."""
    mission.guns = [gun.id for gun in guns]
    if len(guns) >= LEAST_GUNS:
        return False
    words = "ceases fire: fewer than two guns are left." if mission.phase == "barrage" else "has too few guns to fire."
    end_mission(game, mission, words, "hof.artillery.who-may-barrage", "hof.artillery.participants-stay-still")
    return True


def ended_for_observer(game: Battle, mission: Mission) -> bool:
    """A mission that has not been fired yet needs its observer, fit to observe."""
    if mission.phase == "barrage" or mission.registered:
        return False
    found = find_team(game.state, mission.observer)
    if found is None or found[1].at is None:
        end_mission(game, mission, "has lost its observer.", "hof.artillery.observer-needed")
        return True
    if found[1].suppressed:
        end_mission(game, mission, "has no observer: he is Suppressed.", "hof.artillery.suppressed-no-observe")
        return True
    return False


def sustain(game: Battle, mission: Mission) -> Flow[None]:
    """hof.artillery.sustained-roll: the player may try to keep a barrage going."""
    unit = game.state.units[mission.unit]
    assert mission.at is not None, "a barrage lies somewhere"
    roll = Option("roll", "Try to sustain the barrage: 4+", ("hof.artillery.sustained-roll",))
    end = Option("end", "End it", ("hof.artillery.after-barrage-ends",))
    words = f"The barrage of {label(unit)} lies at {mission.at}. Does it go on?"
    asked = (*roll.rules, "hof.artillery.sustained-no-new-rfps")
    facts = {"unit": mission.unit, "at": list(mission.at)}
    if not (yield from decide(mission.side, "sustain", words, roll, end, rules=asked, facts=facts, about=SUSTAINED)):
        end_mission(game, mission, "ceases fire.", "hof.artillery.after-barrage-ends")
        return
    throw = yield from game.throw(mission.side, 1, "a sustained barrage")
    held = throw.value >= SUSTAINED
    rules = ["hof.artillery.sustained-roll"]
    rules.append("hof.artillery.sustained-no-new-rfps" if held else "hof.artillery.after-barrage-ends")
    words = f"needs {SUSTAINED}+ to sustain its barrage, rolls {throw.value}: it {'goes on' if held else 'ends'}."
    tell(game, unit, "sustained", words, *rules, dice=[throw], needed=SUSTAINED, held=held)
    if not held:
        barrages.forget(game, mission)


def range_in(game: Battle, mission: Mission) -> Flow[None]:
    """hof.artillery.range-in: the turn after the call."""
    found = find_team(game.state, mission.observer)
    assert found is not None
    if (yield from barrages.place_marker(game, mission, [found[1]])):
        yield from barrages.deviate_and_fire(game, mission)
    else:
        words = "cannot range in anywhere that its observer sees."
        end_mission(game, mission, words, "hof.artillery.range-in", "hof.artillery.arc")


# Other activations.


def after_activation(game: Battle, act: Activation) -> None:
    """Participants that acted forfeit, missions without guns end, and Teams that end in a barrage receive its RFPs."""
    if not game.state.missions:
        return
    acted = {team.id for _, team in act.members}
    calling = bool(act.orders) and act.orders[0].name == CALL
    for mission in list(game.state.missions):
        if mission.side == act.side and not calling and forfeited(game, mission, acted):
            continue
        # Whether those who are left can fire is asked when they must.
        if not ended_by_losses(game, mission, barrages.guns_left(game, mission)) and mission.phase == "barrage":
            barrages.barrage_rfps(game, mission, living(act.members), "hof.artillery.end-activation-inside")


def forfeited(game: Battle, mission: Mission, acted: set[str]) -> bool:
    """Whether a mission has ended because of who has been given other orders: a barrage in force for its guns alone."""
    guns = [name for name in mission.guns if name in acted]
    if not guns and (mission.phase == "barrage" or mission.observer not in acted):
        return False
    rule = "hof.artillery.participants-stay-still"
    if mission.phase == "ranging":
        end_mission(game, mission, "has new orders: the mission is over.", "hof.artillery.reroll-deviation", rule)
        return True
    if mission.phase == "barrage":
        end_mission(game, mission, "ceases fire: it has new orders.", "hof.artillery.sustained-roll", rule)
        return True
    if mission.observer in acted:
        end_mission(game, mission, "loses its mission: its observer acts.", rule)
        return True
    mission.guns = [name for name in mission.guns if name not in acted]
    if len(mission.guns) < LEAST_GUNS:
        end_mission(game, mission, "loses its mission: its guns act.", rule, "hof.artillery.who-may-barrage")
        return True
    # Who acted may have been lost in acting, and its Unit with it.
    unit = game.state.units.get(mission.unit)
    left = [] if unit is None else [unit.teams[name] for name in guns if name in unit.teams]
    if unit is not None and left:
        names = team_list([(unit, gun) for gun in left])
        some = "goes on without some of its guns."
        gone = [gun.id for gun in left]
        tell(game, unit, "forfeit", f"goes on without {names}.", rule, unseen=some, guns=mission.guns, without=gone)
    return False


# Step 1: the call for fire.


def answer_call(game: Battle, side: str, answer: str) -> Flow[bool]:
    if not answer.startswith("call:"):
        return False

    unit = game.state.units[answer.removeprefix("call:")]
    paid = yield from pay(game, side, unit)
    yield from call(game, unit, paid)
    objectives.update_control(game)
    return True


def pay(game: Battle, side: str, unit: Unit) -> Flow[Paid]:
    paying = payments(game, game.state.companies[unit.side], unit)
    options = [Option(each.id, each.label) for each in (ORDER_POINT, HERO_POINT) if each.id in paying]
    rules = ("hof.artillery.call-for-fire", "hof.orders.hero-normal-use")
    payable = options[0].id == "order"
    facts = {"unit": unit.id, "payable": payable}
    question = Choose("pay", "What pays for it?", options, rules=rules, facts=facts, step="detail", veiled=payable)
    paid: Paid = yield Ask(side, question)
    if paid == "hero":
        spend_hero_point(game, side, "a call for fire", "hof.orders.hero-normal-use")
    else:
        spend_order_point(game, side, artillery_call=True)
    return paid


def call(game: Battle, unit: Unit, paid: Paid) -> Flow[None]:
    """A Fire order to an Artillery Unit: it rallies and resolves its RFPs, and then the mission is laid."""
    battery = gather(game, unit, paid)
    assert battery is not None
    first = battery.first
    leader = first if first is not None and first.role in ("pl", "cc") else None
    act = Activation(side=unit.side, paid=paid, unit=unit, members=[], leader=leader)
    if first is not None and leader is None:
        yield from replacement.appoint(game, act, first)
        if not unit.vehicles:
            take_command(game, act, battery)
    observer, rules = "", ["hof.artillery.observer-needed"]
    if len(battery.guns) >= LEAST_GUNS:
        observer, rules = yield from choose_observer(game, battery, paid)
    smoke = (yield from choose_shells(unit)) if observer else False
    act.orders = [Order(CALL, "fire", [(unit, gun) for gun in battery.guns])]
    act.members = order_members(battery, observer)
    activation.mark_activated(game, act)
    start_observing(game, observer, paid)
    for mission in list(game.state.missions):
        if mission.side == unit.side:
            # Whoever only observes may do so for other batteries as well.
            members = act.members if mission.unit == unit.id else order_members(battery, "")
            forfeited(game, mission, {team.id for _, team in members})
    data: dict[str, Any] = {
        "observer": observer,
        "guns": [gun.id for gun in battery.guns],
        "smoke": smoke,
        "paid": paid,
    }
    words = "is called for fire: smoke." if smoke else "is called for fire."
    common = ("hof.artillery.call-for-fire", "hof.artillery.participants-stay-still")
    tell(game, unit, "call-for-fire", words, *common, *rules, **data)
    yield from activation.rally_and_resolve(game, act)
    if unit.id in game.state.units:
        yield from lay(game, act, observer, smoke)
    yield from activation.finish(game, act)


def take_command(game: Battle, act: Activation, battery: Battery) -> None:
    """A Unit that had no Leader: a new one orders the guns he sees, without one a single gun has the order."""
    if act.leader is None:
        battery.guns = battery.guns[:1]
    else:
        battery.first = act.leader
        battery.guns = in_sight_of(game, act.leader, battery.guns)


def choose_shells(unit: Unit) -> Flow[bool]:
    shells = Option("barrage", "A barrage", ("hof.artillery.barrage-rfps",))
    smoke = Option("smoke", "Smoke", ("hof.artillery.smoke-placement",))
    words, rules = f"What does {label(unit)} fire?", ("hof.artillery.call-for-fire", *smoke.rules)
    facts = {"unit": unit.id}
    return not (yield from decide(unit.side, "shells", words, shells, smoke, rules=rules, facts=facts, step="what"))


def order_members(battery: Battery, observer: str) -> list[Member]:
    """Who is activated by the call: whoever gives the order, the guns, and an observer of the same Unit."""
    unit = battery.unit
    teams = [] if battery.first is None else [battery.first]
    teams += [gun for gun in battery.guns if gun is not battery.first]
    eyes = unit.teams.get(observer)
    if eyes is not None and eyes not in teams:
        teams.append(eyes)
    return [(unit, team) for team in teams]


def start_observing(game: Battle, observer: str, paid: Paid) -> None:
    """hof.artillery.any-pl-observes: a Platoon Leader who does may do nothing else until his side's next turn."""
    found = find_team(game.state, observer)
    if found is not None and found[1].role == "pl":
        found[1].watching = True
        if paid == "hero":
            found[1].locked = True
        else:
            found[1].activated = True


def lay(game: Battle, act: Activation, observer: str, smoke: bool) -> Flow[None]:
    """The order is carried out: the mission waits for the next turn, or is fired at once."""
    unit = act.unit
    members = living([member for order in act.orders for member in order.members])
    guns = [gun for _, gun in members if barrages.in_place(gun) and not gun.suppressed]
    if len(guns) < LEAST_GUNS:
        tell(game, unit, "call-failed", "cannot fire: fewer than two guns are fit.", "hof.artillery.who-may-barrage")
        return
    mission = Mission(unit.id, unit.side, observer, [gun.id for gun in guns], smoke=smoke)
    if observer.startswith(MARKER):
        yield from fire_on_marker(game, mission, guns)
        return
    found = find_team(game.state, observer)
    if found is None:
        tell(game, unit, "call-failed", "has lost its observer.", "hof.artillery.observer-needed")
    elif found[1].suppressed:
        words = "cannot fire: its observer is Suppressed."
        tell(game, unit, "call-failed", words, "hof.artillery.suppressed-no-observe")
    else:
        game.state.missions.append(mission)
        rules = ("hof.artillery.call-for-fire", "hof.artillery.who-may-barrage")
        tell(game, unit, "mission", "has a mission.", *rules, observer=observer, guns=mission.guns, smoke=smoke)
        yield from fire_early(game, mission, guns, found)


def fire_on_marker(game: Battle, mission: Mission, guns: Sequence[Team]) -> Flow[None]:
    """hof.optional.pre-registered: deviation and fire for effect in the turn of the order."""
    unit = game.state.units[mission.unit]
    marker = game.state.bombardments[int(mission.observer.removeprefix(MARKER))]
    able = barrages.bearing_guns(game, guns, marker.at)
    if len(able) < LEAST_GUNS:
        words = "cannot fire: fewer than two guns can bear on the marker."
        tell(game, unit, "call-failed", words, "hof.artillery.arc", "hof.artillery.range-in")
        return
    mission.guns = [gun.id for gun in able]
    mission.observer = ""
    mission.registered = True
    mission.point = marker.at
    game.state.missions.append(mission)
    yield from barrages.deviate_and_fire(game, mission, "hof.optional.pre-registered")


def fire_early(game: Battle, mission: Mission, guns: Sequence[Team], observer: Member) -> Flow[None]:
    """Mortars that see their target, and British Forward Observers, need not wait for the next turn."""
    unit, team = observer
    if barrages.mortars_on_table(guns) and team in guns:
        yield from fire_at_sight(game, mission, guns)
    elif team.role == "fo" and game.setup.options.national and unit.nation == "british":
        rule = "hof.national.gb-mike-target-immediate"
        result = yield from check(game, unit, "Mike Target")
        words = f"needs {result.needed}+ to fire at once, rolls {result.throw.value}."
        rules = (rule, *result.rules)
        battery = game.state.units[mission.unit]
        tell(
            game, battery, "mike-target", words, *rules, dice=[result.throw], needed=result.needed, passed=result.passed
        )
        if result.passed and (yield from barrages.place_marker(game, mission, [team])):
            yield from barrages.deviate_and_fire(game, mission, rule, at_once=True)


def fire_at_sight(game: Battle, mission: Mission, guns: Sequence[Team]) -> Flow[None]:
    """hof.artillery.mortar-self-observed: no Range In, no deviation."""
    rule = "hof.artillery.mortar-self-observed"
    points = barrages.range_points(game, mission.side, guns, guns)
    if not points:
        return
    now, later = Option("now", "Fire for effect now", (rule,)), Option("later", "Range in next turn")
    words, facts = "The mortars see targets of their own.", {"unit": mission.unit}
    if not (yield from decide(mission.side, "at-once", words, now, later, rules=(rule,), facts=facts)):
        return
    rules = (rule, "hof.artillery.range-in")
    point = yield from barrages.ask_point(game, mission, guns, guns, points, *rules, deviates=False)
    mission.guns = [gun.id for gun in barrages.bearing_guns(game, guns, point)]
    mission.point = point
    saturated = yield from barrages.offer_saturation(game, mission)
    yield from barrages.fire_for_effect(game, mission, point, saturated, rule)
