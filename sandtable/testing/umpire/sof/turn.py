"""The turn: the Start Phase and its order, activation dice, the initiative, and who is activated when."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.lines import can_fire_at, nearest, reach
from sandtable.testing.umpire.sof.log import Act, Course, answer, course, roster, unit_in
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import EXTENDED, VOICE, weapons
from sandtable.testing.umpire.sof.table import (
    HAIR,
    Maybe,
    any_of,
    disabled,
    enemies,
    enemy,
    figures,
    gap,
    men,
    placed,
    there,
    under,
    wounds,
)

STEPS = {"turn": 0, "beaten-zone": 1, "rally": 2, "triage": 3, "tenacity": 4, "battlegroup-lost": 5, "dice": 6}
STEPS["initiative"] = 7
REROLLS = {"inspiring": 2, "energetic": 1}


# The Start Phase.


@book.on("turn")
def a_turn_begins(watch: Watch, event: Event) -> None:
    watch.count("turns")
    kept, state = course(watch), watch.state
    if event.data["turn"] != kept.turn + 1 or state.turn != event.data["turn"]:
        watch.object_to("sof.turn.sequence", f"turn {event.data['turn']} follows turn {kept.turn}")
    begun = event.data["turn"] == watch.setup.turn
    for unit in state.units.values():
        if begun:
            break
        if unit.activated or unit.hit_the_dirt or unit.forced:
            watch.object_to("sof.turn.end", f"{unit.id} keeps a mark of the turn before")
    for name, group in state.battlegroups.items():
        if not begun and group.dice:
            watch.object_to("sof.turn.end", f"{name} keeps its dice of the turn before")
    if not begun and (state.overrides or state.overridden or state.passed):
        watch.object_to("sof.turn.end", "a Command Override or a pass outlasts its turn")
    kept.turn = event.data["turn"]
    kept.stage, kept.last, kept.number = "turn", "", 6
    kept.passed, kept.seniors, kept.overrides, kept.overridden, kept.offered = set(), {}, {}, set(), {}
    kept.forced = {unit.id for unit in state.units.values() if unit.forced}
    kept.dice, kept.act, kept.exposed = {}, None, set()
    kept.zones = None


def zones_now(watch: Watch) -> dict[str, tuple[set[str], set[str]]]:
    """The beaten zones of this turn, as all stand when the first step begins: in turn 1 after the recon exchange."""
    kept = course(watch)
    if kept.zones is None:
        kept.zones = zones(watch, watch.earlier)
    return kept.zones


def zones(watch: Watch, state: Any) -> dict[str, tuple[set[str], set[str]]]:
    """For each unit, the enemy weapons whose beaten zones it plainly lies in, and those it may lie in."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for unit in placed(state):
        for figure in figures(unit):
            ways = weapons()[figure.profile].rows.values() if figure.profile in weapons() else ()
            way = next((each for each in ways if "beaten-zone" in each.special), None)
            if way is None or unit.type != "weapon" or unit.suppression >= 4 or figure.jammed:
                continue
            for target in enemies(state, unit.side):
                least, most = nearest(watch, figure, target)
                short, far = reach(watch, figure, way)
                free = can_fire_at(watch, state, unit, figure, way, target)
                sure, may = found.setdefault(target.id, (set(), set()))
                if free.sure and most <= short - HAIR and not disabled(figure):
                    sure.add(unit.id)
                # Whoever stands within 3 inches of the nearest man of the unit measures from there.
                mates = [nearest(watch, mate, target)[0] for mate in figures(unit) if gap(mate, figure) <= 3.0 + HAIR]
                if free.may and min(least, *mates) <= far + HAIR:
                    may.add(unit.id)
    return found


@book.on("beaten-zone")
def a_beaten_zone(watch: Watch, event: Event) -> None:
    watch.count("beaten zones")
    unit, told = event.data["unit"], list(event.data["weapons"])
    sure, may = zones_now(watch).pop(unit, (set(), set()))
    if not set(told) <= may or not sure <= set(told) or len(set(told)) != len(told):
        watch.object_to(
            "sof.weapon-rules.beaten-zone-projection",
            f"{unit} lies in {told}, and not in {sorted(sure)} of {sorted(may)}",
        )


@book.on("zone-silenced")
def a_weapon_projects_no_zone(watch: Watch, event: Event) -> None:
    """Only excess suppression or a jam keeps it from that."""
    watch.count("beaten zones silenced")
    unit = watch.earlier.units[event.data["unit"]]
    guns = [figure for figure in figures(unit) if projects(figure)]
    jammed = bool(guns) and all(figure.jammed for figure in guns)
    if unit.type != "weapon" or not guns or not (unit.suppression >= 4 or jammed):
        watch.object_to("sof.weapon-rules.beaten-zone-lost", f"{unit.id} could well project its beaten zone")


def projects(figure: Any) -> bool:
    ways = weapons()[figure.profile].rows.values() if figure.profile in weapons() else ()
    return any("beaten-zone" in way.special for way in ways)


@book.on()
def the_steps_of_the_start_phase(watch: Watch, event: Event) -> None:
    """Each step is finished for everybody before the next begins."""
    kept = course(watch)
    if kept.stage == "play" or event.kind not in (*STEPS, "objectives", "over"):
        return
    kind = event.kind
    if kind in STEPS and STEPS[kind] < STEPS.get(kept.stage, 0):
        watch.object_to("sof.turn.start-order", f"{kind} comes after {kept.stage}")
    now = STEPS.get(kind, 6)
    for step in range(STEPS.get(kept.stage, 0) + 1, now + 1):
        begin_step(watch, kept, step)
    if kind in ("rally", "triage", "tenacity"):
        name = event.data["unit"]
        if kind == "triage" and name not in kept.owed and wounds(watch.earlier.units[name]):
            # A wounded NCO has come to it as its commander.
            kept.owed.insert(0, name)
        if name not in kept.owed:
            watch.object_to(f"sof.turn.start-{kind}", f"{name} has no {kind} to take")
        else:
            at = kept.owed.index(name)
            if (at and kind == "rally") or any(still_due(watch, kind, each) for each in kept.owed[:at]):
                watch.object_to(f"sof.turn.start-{kind}", f"{kept.owed[:at]} are passed over by {name}")
            del kept.owed[: at + 1]
    if kind == "battlegroup-lost":
        name = event.data["battlegroup"]
        if name not in kept.owed:
            watch.object_to("sof.morale.battlegroup-minimum", f"{name} is strong enough")
        else:
            kept.owed.remove(name)
    kept.stage = kind if kind in STEPS else "dice"
    if kind == "initiative":
        kept.stage = "play"


def still_due(watch: Watch, kind: str, name: str) -> bool:
    unit = unit_in(watch.state, name)
    if unit is None:
        return False
    return bool(shaken(unit)) if kind == "tenacity" else bool(wounds(unit)) if kind == "triage" else True


def begin_step(watch: Watch, kept: Course, step: int) -> None:
    """A step begins: nobody may still owe the step before, and the state says who takes this one."""
    state = watch.earlier
    left = [
        each
        for each in kept.owed
        if (step == 6 and each in state.battlegroups)
        or (step != 6 and still_due(watch, {5: "tenacity", 4: "triage"}.get(step, ""), each))
    ]
    if left:
        before = next(name for name, number in STEPS.items() if number == step - 1)
        watch.object_to("sof.turn.start-order", f"{left} have not taken the step {before}")
    if step == 2:
        missing = {name: sure for name, (sure, _) in zones_now(watch).items() if sure}
        if missing:
            watch.object_to("sof.turn.start-beaten-zone", f"no marker for those in beaten zones: {missing}")
        kept.zones = {}
    units = [unit for unit in roster(state) if there(unit)]
    if step == 2:
        kept.owed = [unit.id for unit in units if unit.suppression]
    elif step == 3:
        kept.owed = [unit.id for unit in units if wounds(unit)]
    elif step == 4:
        kept.owed = [unit.id for unit in units if shaken(unit)]
    elif step == 5:
        kept.owed = [name for name in state.battlegroups if fallen(state, name)]
    else:
        kept.owed = []


def shaken(unit: Any) -> str:
    """Why a unit must check its Tenacity in the Start Phase."""
    if unit.suppression >= 4:
        return "sof.morale.excess-suppression"
    return below_minimum(unit)


def below_minimum(unit: Any) -> str:
    if unit.hq:
        return ""
    # Of those who share a base each is a model.
    count = sum(men(figure) for figure in there(unit))
    if unit.type == "weapon":
        return "sof.morale.minimum-weapon" if count < 2 else ""
    if unit.type == "infantry" and unit.formation == "linear":
        return "sof.morale.minimum-infantry-linear" if count < 6 else ""
    return f"sof.morale.minimum-{unit.type}" if count < 3 else ""


def fallen(state: Any, name: str) -> bool:
    """Whether a battlegroup is below its minimum: two units and a commander."""
    units = [unit for unit in state.units.values() if unit.battlegroup == name and unit.belongs != "support"]
    officer = any(figure.role == "officer" for unit in units for figure in unit.teams.values())
    return len(units) < 2 or not officer


@book.on("battlegroup-lost")
def a_battlegroup_is_removed(watch: Watch, event: Event) -> None:
    watch.count("battlegroups lost")
    watch.memory.setdefault("sof.gone", set()).add(event.data["battlegroup"])


# Activation dice and the initiative.


@book.on("dice")
def activation_dice_are_rolled(watch: Watch, event: Event) -> None:
    watch.count("activation dice")
    kept, state = course(watch), watch.state
    name = event.data["battlegroup"]
    group, throw = watch.earlier.battlegroups[name], event.dice[0]
    if not kept.dice and kept.turn == watch.setup.turn:
        check_bases(watch)
    fewer = 2 if group.lost >= 5 else 1 if group.lost >= 2 else 0
    force = f"force-{group.side}"
    staff = kept.turn <= 2 and force not in kept.dice and has_staff(watch.earlier, name)
    if staff:
        fewer -= 1
    if len(throw.values) != group.base - fewer:
        rule = "sof.force.dice-lost-second-unit" if fewer else "sof.force.dice-base-number-kept"
        watch.object_to(rule, f"{name} rolls {len(throw.values)} dice, and not {group.base - fewer}")
    if len(throw.before) > REROLLS.get(group.capability, 0):
        watch.object_to(f"sof.leadership.dice-{group.capability}", f"{name} rolls {len(throw.before)} dice again")
    told = answer(watch, "reroll-dice")
    if group.capability in REROLLS and throw.values:
        watch.count("throws of which an officer may roll again")
        if told is None or {int(place) for place in told} != set(throw.before):
            watch.object_to(
                f"sof.leadership.dice-{group.capability}",
                f"{name} rolls {sorted(throw.before)} again, and chose {told}",
            )
    values = sorted((lowered(face, group.capability) for face in throw.values), reverse=True)
    left = list(state.battlegroups[name].dice)
    if staff:
        kept.dice[force] = list(state.force_dice[group.side].dice) if group.side in state.force_dice else []
        left = sorted([*left, *kept.dice[force]], reverse=True)
    if list(event.data["values"]) != list(state.battlegroups[name].dice) or left != values:
        watch.object_to(
            f"sof.leadership.dice-{group.capability}", f"{name} has dice {event.data['values']}, and not {values}"
        )
    order = [
        each
        for side in (state.attacker, enemy(state.attacker))
        for each, other in state.battlegroups.items()
        if other.side == side
    ]
    if name in kept.dice or order.index(name) != len([each for each in kept.dice if each in order]):
        watch.object_to("sof.turn.roll-activation-dice", f"{name} rolls out of its order")
    kept.dice[name] = list(state.battlegroups[name].dice)


def has_staff(state: Any, name: str) -> bool:
    """Whether a staff officer is with a battlegroup, on the table or in reserve."""
    return any(
        figure.role == "staff-officer"
        for unit in state.units.values()
        if unit.battlegroup == name
        for figure in unit.teams.values()
    )


def lowered(face: int, capability: str) -> int:
    if face == 6 or capability not in ("difficult", "green", "acting"):
        return face
    if capability == "difficult":
        return face - 1
    return 4 if face == 5 else 1


def check_bases(watch: Watch) -> None:
    """Each core unit gives a die, and every two attached ones."""
    for name, group in watch.earlier.battlegroups.items():
        set_up = watch.setup.battlegroups[name]
        own = [unit for unit in watch.setup.units.values() if unit.battlegroup == name]
        attached = sum(unit.belongs == "attached" for unit in own)
        due = set_up.base or sum(unit.belongs == "core" for unit in own) + (attached + 1) // 2
        if group.base != due:
            watch.object_to("sof.force.dice-core", f"{name} begins with {group.base} dice, and not {due}")


@book.on("initiative")
def the_initiative(watch: Watch, event: Event) -> None:
    watch.count("initiatives")
    kept, state = course(watch), watch.state
    if {name for name in kept.dice if not name.startswith("force-")} != set(state.battlegroups):
        watch.object_to("sof.turn.roll-activation-dice", f"only {sorted(kept.dice)} have rolled their dice")
    if any(units for group in state.battlegroups.values() for units in group.seniors.values()):
        watch.object_to(
            "sof.leadership.senior-nco-activation", "a senior NCO has spent himself before the turn is played"
        )
    for side, force in state.force_dice.items():
        due_dice = sorted(kept.dice.get(f"force-{side}", []), reverse=True)
        if sorted(force.dice, reverse=True) != due_dice:
            watch.object_to("sof.specialists.staff-die", f"the force of {side} has {list(force.dice)}, not {due_dice}")
        kept.dice[f"force-{side}"] = list(force.dice)
    shown: dict[str, Counter[int]] = {"red": Counter(), "blue": Counter()}
    for name, values in kept.dice.items():
        shown[name[6:] if name.startswith("force-") else state.battlegroups[name].side].update(values)
    sixes = {side: shown[side][6] for side in shown}
    if dict(event.data["sixes"]) != sixes:
        watch.object_to("sof.turn.initiative-sixes", f"sixes {event.data['sixes']} are told, and {sixes} were rolled")
    if sixes["red"] != sixes["blue"]:
        due, rule = max(sixes, key=lambda side: sixes[side]), "sof.turn.initiative-sixes"
    elif kept.turn > 1 and kept.previous:
        due, rule = enemy(kept.previous), "sof.turn.initiative-tie"
    else:
        rule = "sof.turn.initiative-tie-first-turn"
        differ = [face for face in (5, 4, 3, 2, 1, 0) if shown["red"][face] != shown["blue"][face]]
        if differ:
            due = max(shown, key=lambda side: shown[side][differ[0]])
        else:
            due = rolled_off(watch, event)
    if state.initiative != due:
        watch.object_to(rule, f"{state.initiative} has the initiative, and not {due}")
    kept.previous = state.initiative


@book.on("roll-off")
def a_roll_off(watch: Watch, event: Event) -> None:
    watch.count("rolls for the initiative")
    if sorted(throw.seat for throw in event.dice) != ["blue", "red"] or any(len(t.values) != 1 for t in event.dice):
        watch.object_to("sof.turn.initiative-tie-first-turn", "a roll-off is not a die of each side")


def rolled_off(watch: Watch, event: Event) -> str:
    """Equal dice all through: one die each, until they differ."""
    throws = [throw for told in watch.told if told.kind == "roll-off" for throw in told.dice]
    for number, (one, other) in enumerate(zip(throws[::2], throws[1::2], strict=False)):
        if one.value != other.value:
            if number * 2 + 2 != len(throws):
                watch.object_to("sof.turn.initiative-tie-first-turn", "the roll-off goes on after it is decided")
            return str(one.seat if one.value > other.value else other.seat)
    watch.object_to("sof.turn.initiative-tie-first-turn", "no roll-off decides")
    return str(watch.state.initiative)


# Who goes.


def waits(kept: Course, state: Any, side: str, number: int) -> bool:
    """Whether a side has something to do in a phase."""
    if number:
        own = [name for name, group in state.battlegroups.items() if group.side == side]
        return any(number in kept.dice.get(name, ()) for name in [*own, f"force-{side}"])
    acting = kept.act.unit if kept.act is not None else ""
    own = [unit for unit in state.units.values() if unit.side == side and unit.id != acting]
    return side not in kept.passed and any(
        not unit.activated and (there(unit) or may_come(unit, kept.turn)) for unit in own
    )


def may_come(unit: Any, turn: int) -> bool:
    """Whether a unit in reserve may come onto the table."""
    return unit.reserve == "released" or (unit.reserve == "immediate" and turn >= 2)


def key_of(name: str, side: str) -> str:
    """Dice that belong to a force as a whole are told as of `force`."""
    return f"force-{side}" if name == "force" else name


@book.on("activation", "discard", "override-set", "pass")
def a_go(watch: Watch, event: Event) -> None:
    """The sides go by turns, the one with the initiative first in each phase."""
    kept, asked = course(watch), watch.asked
    close_activation(watch)
    if kept.overriding or answer(watch, "override") is not None:
        return
    number = asked.number
    if number != kept.number:
        if number > kept.number:
            watch.object_to("sof.turn.activation-phases", f"phase {number} follows phase {kept.number}")
        for skipped in range(number + 1, kept.number + 1):
            for side in ("red", "blue"):
                if waits(kept, asked, side, skipped):
                    watch.object_to(
                        "sof.turn.activation-phases", f"{side} still has something to do in phase {skipped}"
                    )
        kept.number, kept.last = number, ""
    overrides_come_first(watch, kept, number)
    first = enemy(kept.last) if kept.last else kept.previous
    due = first if waits(kept, asked, first, number) else enemy(first)
    watch.count("goes")
    if event.seat != due:
        rule = "sof.turn.alternate" if number else "sof.turn.phase-zero-alternate"
        watch.object_to(rule, f"{event.seat} goes in phase {number}, and it is {due}'s turn")
    kept.last = event.seat


def close_activation(watch: Watch) -> None:
    kept = course(watch)
    if kept.act is not None:
        unit = unit_in(watch.asked, kept.act.unit)
        if unit is not None and not unit.activated:
            watch.object_to("sof.actions.activation-marked", f"{kept.act.unit} is not marked as activated")
        kept.act = None


@book.on("discard")
def a_die_is_laid_aside(watch: Watch, event: Event) -> None:
    kept, value = course(watch), event.data["value"]
    name = key_of(event.data["battlegroup"], event.seat)
    watch.count("dice laid aside")
    if value != watch.asked.number or value not in kept.dice.get(name, ()):
        watch.object_to("sof.turn.spend-matching-dice", f"{name} lays a {value} aside in phase {watch.asked.number}")
        return
    kept.dice[name].remove(value)
    same_dice(watch)


@book.on("override-set")
def an_override_is_set_aside(watch: Watch, event: Event) -> None:
    watch.count("overrides set aside")
    kept, name = course(watch), key_of(event.data["battlegroup"], event.seat)
    if watch.asked.number != 6 or 6 not in kept.dice.get(name, ()) or event.seat in kept.overridden:
        watch.object_to("sof.turn.override-limit", f"{event.seat} may not set a die of {name} aside")
        return
    kept.dice[name].remove(6)
    kept.overrides[event.seat] = name
    kept.overridden.add(event.seat)
    kept.offered[event.seat] = 6
    same_dice(watch)


@book.on("override-kept")
def an_override_is_kept(watch: Watch, event: Event) -> None:
    watch.count("overrides kept")
    kept, number = course(watch), event.data["phase"]
    if event.seat not in kept.overrides or number != watch.asked.number or answer(watch, "override") != "keep":
        watch.object_to("sof.turn.override-use", f"{event.seat} keeps no Command Override in phase {number}")
        return
    offered(watch, event.seat, number)


def offered(watch: Watch, side: str, number: int) -> None:
    """A side may use its override at the beginning of each later phase, the one with the initiative first."""
    kept = course(watch)
    if kept.offered.get(side) != number + 1:
        watch.object_to(
            "sof.turn.override-use", f"{side} was last asked in phase {kept.offered.get(side)}, and now in {number}"
        )
    first = kept.previous
    if side != first and first in kept.overrides and kept.offered.get(first, 0) > number:
        watch.object_to("sof.turn.override-both", f"{side} is asked before {first}, who has the initiative")
    kept.offered[side] = number


def overrides_come_first(watch: Watch, kept: Course, number: int) -> None:
    """When the sides go by turns, whoever has an override has been asked for it in this phase."""
    for side in kept.overrides:
        if number < 6 and kept.offered.get(side) != number:
            watch.object_to("sof.turn.override-use", f"{side} is not asked for its override in phase {number}")


@book.on("pass")
def a_side_is_done(watch: Watch, event: Event) -> None:
    watch.count("passes")
    if watch.asked.number != 0:
        watch.object_to("sof.turn.alternate", f"{event.seat} passes in phase {watch.asked.number}")
    course(watch).passed.add(event.seat)


def same_dice(watch: Watch) -> None:
    """The dice that the state has left are those that the umpire counts."""
    kept = course(watch)
    for name, group in watch.state.battlegroups.items():
        if sorted(group.dice) != sorted(kept.dice.get(name, [])):
            watch.object_to(
                "sof.turn.spend-matching-dice", f"{name} has {list(group.dice)} left, and not {kept.dice.get(name)}"
            )
            kept.dice[name] = list(group.dice)
    for side, force in watch.state.force_dice.items():
        if sorted(force.dice) != sorted(kept.dice.get(f"force-{side}", [])):
            watch.object_to("sof.specialists.staff-die", f"the force of {side} has {list(force.dice)} left")
            kept.dice[f"force-{side}"] = list(force.dice)


def influence(watch: Watch, state: Any, leader: Any, home: Any, unit: Any) -> Maybe:
    """Whether a unit lies within the influence of a leader: his own model to its nearest."""
    if leader.role == "nco":
        return Maybe(home.id == unit.id, home.id == unit.id)
    helped = leader.role == "officer" or home.hq
    far = max([VOICE, *(EXTENDED.get(figure.role, VOICE) for figure in there(home) if helped and not disabled(figure))])
    away = min((gap(leader, figure) for figure in there(unit)), default=1000.0)
    return under(away, far)


@book.on("activation")
def a_unit_is_activated(watch: Watch, event: Event) -> None:
    watch.count("activations")
    kept, asked, state = course(watch), watch.asked, watch.state
    name, number = event.data["unit"], event.data["phase"]
    unit = asked.units[name]
    if unit.side != event.seat:
        watch.object_to("sof.turn.alternate", f"{event.seat} activates {name}")
    if unit.activated:
        watch.object_to("sof.actions.once-per-turn", f"{name} is activated again")
    override, kept.overriding = kept.overriding or answer(watch, "override") is not None, False
    if override:
        number = begins_by_override(watch, event)
    if number != asked.number and not override:
        watch.object_to("sof.turn.spend-matching-dice", f"{name} is activated in phase {number}")
    if override or number:
        spend(watch, event, unit, override)
    elif any(sorted(group.dice) != sorted(kept.dice.get(each, [])) for each, group in state.battlegroups.items()):
        watch.object_to("sof.turn.phase-zero-who", f"{name} costs a die in phase 0")
    kept.act = Act(name, unit.side, event.data["phase"])


@book.after_answer
def an_override_waits_for_its_dice(watch: Watch) -> None:
    """Before a unit is activated by an override, its owner may be asked with which dice he pays for the distance."""
    told = any(event.kind == "activation" for event in watch.told)
    if answer(watch, "override") not in (None, "keep") and not told:
        course(watch).overriding = True


def begins_by_override(watch: Watch, event: Event) -> int:
    kept, number = course(watch), watch.asked.number
    watch.count("overrides used")
    if event.seat not in kept.overrides or number == 6:
        watch.object_to("sof.turn.override-use", f"{event.seat} has no Command Override to use in phase {number}")
    if kept.number == number and kept.last:
        watch.object_to("sof.turn.override-use", f"{event.seat} uses its override in the middle of phase {number}")
    if event.seat in kept.overrides:
        offered(watch, event.seat, number)
    return int(event.data["phase"])


def spend(watch: Watch, event: Event, unit: Any, override: bool) -> None:
    """Which dice an activation costs, and whether it was paid."""
    kept, asked, state = course(watch), watch.asked, watch.state
    name = key_of(event.data["battlegroup"], event.seat)
    whole = name.startswith("force-")
    rule = "sof.turn.battlegroup-dice-only"
    if not whole and (
        asked.battlegroups[name].side != unit.side or (unit.battlegroup != name and unit.belongs != "support")
    ):
        watch.object_to(rule, f"a die of {name} activates {unit.id}")
    if override:
        if kept.overrides.pop(event.seat, "") != name:
            watch.object_to("sof.turn.override-use", f"the override is not of {name}")
    elif event.data["phase"] not in kept.dice.get(name, ()):
        watch.object_to("sof.turn.spend-matching-dice", f"{name} has no die of {event.data['phase']} for {unit.id}")
    else:
        kept.dice[name].remove(event.data["phase"])
    others = [each for each, other in asked.battlegroups.items() if other.side == unit.side]
    left = {each: list(state.battlegroups[each].dice) for each in others if each in state.battlegroups}
    left[f"force-{unit.side}"] = list(state.force_dice[unit.side].dice) if unit.side in state.force_dice else []
    extra = {each: Counter(kept.dice.get(each, [])) - Counter(dice) for each, dice in left.items()}
    paid = sum(sum(each.values()) for each in extra.values())
    home = unit.battlegroup if whole else name
    commander, spared = reached(watch, unit, home) if home else (Maybe(False, True), Maybe(False, True))
    planned = watch.setup.mission in ("hasty-assault", "patrol") and kept.turn <= 2
    if planned or unit.reserve or event.data["phase"] == 0:
        if paid:
            free = "mission-special.advance-planning" if planned or unit.reserve else "leadership.extra-die-phase-zero"
            watch.object_to(f"sof.{free}", f"{unit.id} costs an extra die in turn {kept.turn}")
        same_dice(watch)
        return
    if paid > 1:
        watch.object_to("sof.leadership.extra-die", f"{unit.id} costs {paid} extra dice")
    if paid and (commander.sure or spared.sure):
        watch.object_to("sof.leadership.extra-die", f"{unit.id} costs an extra die, and is within influence")
    if not paid and not commander.may and not spared.may:
        watch.object_to("sof.leadership.extra-die", f"{unit.id} is beyond influence, and costs no extra die")
    if paid and unit.belongs != "support" and not extra.get(home) and not extra[f"force-{unit.side}"]:
        watch.object_to("sof.leadership.extra-die", f"the extra die for {unit.id} is not of {home}")
    for each in left:
        kept.dice[each] = list((Counter(kept.dice.get(each, [])) - extra[each]).elements())
    if home:
        note_seniors(watch, unit, home, commander, paid)
    same_dice(watch)


def reached(watch: Watch, unit: Any, name: str) -> tuple[Maybe, Maybe]:
    """Whether the commander of a battlegroup reaches a unit, and whether a senior NCO who may still do so does."""
    kept, asked = course(watch), watch.asked
    commander, spared = [], []
    for home in asked.units.values():
        if home.battlegroup != name:
            continue
        for figure in there(home):
            if figure.role == "officer":
                commander.append(influence(watch, asked, figure, home, unit))
            if figure.role == "senior-nco" and len(kept.seniors.get(figure.id, ())) < 2:
                spared.append(influence(watch, asked, figure, home, unit))
    return any_of(commander), any_of(spared)


def note_seniors(watch: Watch, unit: Any, name: str, commander: Maybe, paid: int) -> None:
    """A senior NCO spares two units a turn the extra die; those whom the commander reaches do not count."""
    kept = course(watch)
    told = {who: set(units) for who, units in watch.state.battlegroups[name].seniors.items() if units}
    mine = {who: units for who, units in kept.seniors.items() if who in told}
    new = [who for who, units in told.items() if units - mine.get(who, set())]
    if new:
        watch.count("units spared by senior NCOs")
    if (commander.sure or paid) and new:
        watch.object_to("sof.leadership.senior-nco-activation", f"{new} spend themselves on {unit.id} for nothing")
    if not commander.may and not paid and not new:
        watch.object_to("sof.leadership.senior-nco-activation", f"no senior NCO is counted for {unit.id}")
    for who, units in told.items():
        if len(units) > 2 or units - mine.get(who, set()) - {unit.id}:
            watch.object_to("sof.leadership.senior-nco-activation", f"{who} is counted for {sorted(units)}")
        kept.seniors[who] = set(units)


@book.on("turn-over")
def a_turn_ends(watch: Watch, event: Event) -> None:
    watch.count("turns ended")
    kept, state = course(watch), watch.earlier
    if event.data["turn"] != kept.turn:
        watch.object_to("sof.turn.end", f"turn {event.data['turn']} ends in turn {kept.turn}")
    for number in range(kept.number + 1):
        for side in ("red", "blue"):
            if waits(kept, state, side, number):
                watch.object_to("sof.turn.end", f"the turn ends, and {side} has something to do in phase {number}")
    overrides_come_first(watch, kept, 0)
    close_last(watch)


def close_last(watch: Watch) -> None:
    kept = course(watch)
    if kept.act is not None:
        unit = unit_in(watch.earlier, kept.act.unit)
        if unit is not None and not unit.activated and watch.asked is not watch.earlier:
            watch.count("activations closed with their turn")
        kept.act = None
