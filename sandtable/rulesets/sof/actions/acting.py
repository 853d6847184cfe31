"""Actions: what an activated unit may do, and doing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from sandtable.engine.game import Flow
from sandtable.engine.questions import Choices, Choose, LaterDict, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.actions.advance import Approach, inspired_advance, why_no_advance
from sandtable.rulesets.sof.actions.communicate import communicate, why_not_communicate
from sandtable.rulesets.sof.actions.mounting import remount, why_not_remount
from sandtable.rulesets.sof.actions.orders import double_time, fall_back, maneuver, orders_with
from sandtable.rulesets.sof.close_combat import assault, why_no_assault
from sandtable.rulesets.sof.core.board import Battle, enemies_of, gaps_of, within_inches
from sandtable.rulesets.sof.core.names import NAMES, label
from sandtable.rulesets.sof.core.state import Figure, Unit, all_figures
from sandtable.rulesets.sof.leadership import encourage, leaders_in, suppressed_friends
from sandtable.rulesets.sof.morale import rally
from sandtable.rulesets.sof.movement import can_fall_back, rate_of
from sandtable.rulesets.sof.shooting import hit_the_dirt, shoot, use_charges, why_no_charges, why_not_fire
from sandtable.rulesets.sof.units import note_command

Action = Literal[
    "maneuver",
    "fire",
    "assault",
    "rally",
    "mount",
    "dismount",
    "communicate",
    "clear-jam",
    "double-time",
    "sustained-fire",
    "hit-the-dirt",
    "fall-back",
    "bangalore-torpedoes",
    "extended-charges",
    "done",
]

ACTIONS: dict[Action, tuple[str, str]] = {
    "maneuver": ("Maneuver", "sof.actions.maneuver-once"),
    "fire": ("Fire", "sof.actions.fire-once"),
    "assault": ("Assault", "sof.actions.assault-once"),
    "rally": ("Rally", "sof.actions.rally"),
    "mount": ("Mount", "sof.actions.mount"),
    "dismount": ("Dismount", "sof.actions.dismount-mounted"),
    "communicate": ("Communicate", "sof.actions.communicate"),
    "clear-jam": ("Clear a jam", "sof.weapon-rules.jams-clear"),
    "double-time": ("Double Time", "sof.actions.double-time"),
    "sustained-fire": ("Sustained Fire", "sof.actions.sustained-fire"),
    "hit-the-dirt": ("Hit the Dirt", "sof.actions.hit-the-dirt"),
    "fall-back": ("Fall-Back", "sof.actions.fall-back"),
    "bangalore-torpedoes": ("Bangalore torpedoes", "sof.weapon-rules.bangalore-action"),
    "extended-charges": ("Extended charges", "sof.weapon-rules.extended-charges-action"),
    "done": ("Nothing more", "sof.actions.two-actions"),
}
SPECIAL: tuple[Action, ...] = ("bangalore-torpedoes", "extended-charges")
"""sof.actions.special"""

ORDINARY: dict[str, str] = {name: name for name in ACTIONS if name not in SPECIAL}
"""What any unit may think of; the others only whoever has what they need."""

FIGHTING: tuple[Action, ...] = ("maneuver", "fire", "assault", "rally")
NEXT: dict[str, str] = {name: name for name in (*FIGHTING, "done")} | ORDINARY
"""After a first action: nobody mounts, dismounts or talks for the sake of a second one, unless he is told to."""

DOUBLE: tuple[Action, ...] = ("double-time", "sustained-fire", "fall-back", "hit-the-dirt", *SPECIAL)
"""sof.actions.double-action"""

LAST: frozenset[Action] = frozenset((*DOUBLE, "done"))
"""After these nothing else is done."""

MOVES: tuple[Action, ...] = ("maneuver", "double-time", "fall-back")
MOVING: tuple[Action, ...] = (*MOVES, "assault", "mount", "dismount")
"""After these a unit fires as on the move."""

FORWARD: tuple[Action, ...] = ("maneuver", "assault")
"""sof.leadership.advance-move"""

SHOTS: tuple[Action, ...] = ("fire", "sustained-fire")
ONCE: dict[Action, tuple[str, str]] = {
    "maneuver": ("maneuvered", "To move with both actions it takes Double Time."),
    "fire": ("fired", "To shoot with both actions it takes Sustained Fire."),
    "assault": ("assaulted", ""),
}
"""What is done once in an activation, and what it may do instead."""

ACTS: dict[str, str] = {**dict.fromkeys(MOVES, "move"), **dict.fromkeys(SHOTS, "fire"), "assault": "assault"}
MOST_ACTIONS = 2
NEAR_ENEMY = 6.0
"""sof.actions.double-time-near-enemy"""


@dataclass(slots=True)
class Activation:
    """What a unit has done since it was activated. `led` is the officer who leads it in an Inspired Advance.

    `colours`: it has gone straight at the enemy behind its standard bearer.
    """

    unit: Unit
    taken: list[Action] = field(default_factory=list)
    encouraged: list[str] = field(default_factory=list)
    led: Figure | None = None
    colours: bool = False

    @property
    def over(self) -> bool:
        return len(self.taken) >= MOST_ACTIONS or not LAST.isdisjoint(self.taken)

    @property
    def bound(self) -> bool:
        """It must still go forward."""
        return self.led is not None and not any(each in FORWARD for each in self.taken)


def activate(game: Battle, unit: Unit, *taken: Action) -> Flow[None]:
    """sof.actions.two-actions: none, one or two actions, and in between the leaders of the unit may encourage.

    `taken` is what it has done already to come onto the table. Whoever is forced to ground by what he does himself and
    gives way has fallen back as his activation (sof.morale.tenacity-fail), and does no more.
    """
    acting = Activation(unit, [*taken])
    unit.activated = True
    while unit.id in game.state.units and not unit.forced and (not acting.over or may_cheer(game, acting)):
        yield from act(game, acting)
    if unit.id in game.state.units:
        note_command(game, unit)


def may_cheer(game: Battle, acting: Activation) -> bool:
    """Whether somebody still has the bonus of the colours for his Encourage, though all actions are taken."""
    if "done" in acting.taken or not acting.colours:
        return False
    leaders = [each for each in leaders_in(acting.unit) if each.id not in acting.encouraged]
    return any(suppressed_friends(game, acting.unit, each) for each in leaders)


def act(game: Battle, acting: Activation) -> Flow[None]:
    unit = acting.unit
    there = leaders_in(unit)
    leaders = {f"encourage-{each.id}": each for each in there if each.id not in acting.encouraged}
    may_lead = not acting.taken and acting.led is None
    officers = {f"advance-{each.id}": each for each in there if each.role == "officer"} if may_lead else {}

    def why_not(name: str) -> Why:
        if name in leaders:
            return why_not_encourage(game, unit, leaders[name])
        if name in officers:
            return why_no_advance(game, unit, officers[name])
        return why_no_action(game, acting, name)  # type: ignore[arg-type]

    things = NEXT if acting.taken else ORDINARY
    if unit.equipment:
        things = things | {name: name for name in SPECIAL if name in unit.equipment}
    if there:
        things = things | {name: name for name in (*leaders, *officers)}
    besides = LaterDict(lambda: out_of_question(game, acting))
    choices = Choices(things, lambda name: option(game, unit, {**leaders, **officers}, name), why_not, besides=besides)
    words = f"What does {label(unit)} do{' next' if acting.taken else ''}?"
    facts = {"unit": unit.id, "taken": list(acting.taken)}
    rules = ("sof.actions.two-actions", "sof.actions.list")
    answer = yield Ask(
        unit.side, Choose("action", words, choices, chance=choices.draw, rules=rules, facts=facts, step="what")
    )
    if answer in leaders:
        acting.encouraged.append(leaders[answer].id)
        yield from encourage(game, unit, leaders[answer], acting.colours)
        return
    if answer in officers:
        acting.led = officers[answer]
        yield from inspired_advance(game, unit, officers[answer])
        return
    acting.taken.append(answer)
    name, rule = ACTIONS[acting.taken[-1]]
    cited = [rule, "sof.actions.list"]
    cited += ["sof.actions.double-action"] if answer in DOUBLE else []
    cited += ["sof.actions.special"] if answer in SPECIAL else []
    cited += ["sof.actions.two-actions"] if len(acting.taken) == MOST_ACTIONS else []
    cited += ["sof.actions.communicate-who"] if answer == "communicate" else []
    cited += ["sof.actions.double-time-near-enemy"] if answer == "double-time" else []
    cited += ["sof.actions.communicate-twice"] if acting.taken == ["communicate", "communicate"] else []
    game.tell("action", f"{label(unit)}: {name}.", *cited, seat=unit.side, unit=unit.id, action=answer)
    yield from carry_out(game, acting, acting.taken[-1])


def option(game: Battle, unit: Unit, leaders: dict[str, Figure], name: str) -> Option:
    if name in leaders:
        advances = name.startswith("advance-")
        words = f"{NAMES.name(leaders[name])} {'leads an Inspired Advance' if advances else 'encourages'}"
        rule = "sof.leadership.advance-when" if advances else "sof.leadership.encourage-when"
        return Option(name, words, (rule,), pieces=(leaders[name].id,))
    words, rule = ACTIONS[name]  # type: ignore[index]
    goes = rate_of(unit, name) if name in ("maneuver", "double-time") else 0.0  # type: ignore[arg-type]
    return Option(name, words, (rule,), act=ACTS.get(name, ""), then=orders_with(game, unit, name), goes=goes)


def out_of_question(game: Battle, acting: Activation) -> dict[str, Why]:
    """What the unit is not asked about any more, or never: by which rule, if somebody tries it all the same."""
    unit, found = acting.unit, dict[str, Why]()
    message = f"{label(unit)} has nothing to repair, and there is no barrage to shelter from."
    found |= {name: illegal("sof.actions.list", message, field=name) for name in ("repair", "shelter")}
    for other, leader in all_figures(game.state):
        if other is not unit and leader.character:
            message = f"{NAMES.label(other, leader)} is not in {label(unit)}."
            found[f"encourage-{leader.id}"] = illegal("sof.leadership.encourage-when", message, field=leader.id)
            found[f"advance-{leader.id}"] = illegal("sof.leadership.advance-when", message, field=leader.id)
    for leader in leaders_in(unit):
        name = NAMES.label(unit, leader)
        found[f"encourage-{leader.id}"] = illegal(
            "sof.leadership.encourage-when", f"{name} has encouraged in this activation.", field=leader.id
        )
        if leader.role == "officer":
            late = "has led his Inspired Advance" if leader.advanced else "declares one before his unit acts"
            message = f"{name} {late}."
            found[f"advance-{leader.id}"] = illegal("sof.leadership.advance-when", message, field=leader.id)
    return {**found, **{name: why_no_charges(game, unit, name) for name in SPECIAL}}


def why_not_encourage(game: Battle, unit: Unit, leader: Figure) -> Why:
    return None if suppressed_friends(game, unit, leader) else partial(nobody_to_encourage, unit, leader)


def nobody_to_encourage(unit: Unit, leader: Figure) -> Refusal:
    message = f"{NAMES.label(unit, leader)} has no suppressed friend within influence."
    return illegal("sof.leadership.encourage-effect", message, field=leader.id)


def why_no_action(game: Battle, acting: Activation, action: Action) -> Why:
    """Why an activated unit may not take an action, by its kind and what it has done already."""
    if acting.taken or acting.led is not None:
        taken = why_not_beside(acting, action)
        if taken is not None:
            return taken
    law = LAWS.get(action)
    return None if law is None else law(game, acting)


def why_not_beside(acting: Activation, action: Action) -> Why:
    """Why an action does not go with those that a unit has taken, or is bound to take."""
    unit = acting.unit
    if acting.over and action != "done":
        return illegal("sof.actions.two-actions", f"{label(unit)} has taken its actions.", field=action)
    if acting.bound and action not in FORWARD and (action in (*DOUBLE, "done") or acting.taken):
        message = f"{label(unit)} is led forward."
        legal = "It must take a Maneuver or an Assault."
        return illegal("sof.leadership.advance-move", message, field=action, legal=legal)
    if action in DOUBLE and acting.taken:
        message = f"{ACTIONS[action][0]} is a double action, and {label(unit)} has taken another."
        return illegal("sof.actions.double-action", message, field=action)
    if action in ONCE and action in acting.taken:
        done, legal = ONCE[action]
        return illegal(ACTIONS[action][1], f"{label(unit)} has {done} already.", field=action, legal=legal)
    return None


def why_no_double_time(game: Battle, acting: Activation) -> Why:
    if not near_enemy(game, acting.unit):
        return None
    message = f"{label(acting.unit)} is within 6 inches of an enemy unit."
    legal = "It may fall back."
    return illegal("sof.actions.double-time-near-enemy", message, field="double-time", legal=legal)


def why_no_fall_back(game: Battle, acting: Activation) -> Why:
    if can_fall_back(game, acting.unit):
        return None
    message = f"{label(acting.unit)} finds no way that leads away from every enemy unit."
    return illegal("sof.actions.fall-back-away", message, field="fall-back")


def why_nothing_to_clear(game: Battle, acting: Activation) -> Why:
    unit = acting.unit
    if any(each.jammed and not each.disabled for each in unit.teams.values()):
        return None
    return lambda: illegal("sof.weapon-rules.jams-clear", f"{label(unit)} has no jammed weapon.", field="clear-jam")


def why_no_rally(game: Battle, acting: Activation) -> Why:
    unit = acting.unit
    if unit.suppression:
        return None
    return lambda: illegal("sof.morale.rally", f"{label(unit)} has no suppression marker.", field="rally")


LAWS: dict[Action, Callable[[Battle, Activation], Why]] = {
    "double-time": why_no_double_time,
    "fall-back": why_no_fall_back,
    "fire": lambda game, acting: why_not_fire(game, acting.unit, fires_as_moving(acting), sustained=False),
    "sustained-fire": lambda game, acting: why_not_fire(game, acting.unit, moving=False, sustained=True),
    "assault": lambda game, acting: why_no_assault(game, acting.unit, led=acting.bound),
    "mount": lambda game, acting: why_not_remount(game, acting.unit, mounts=True),
    "dismount": lambda game, acting: why_not_remount(game, acting.unit, mounts=False),
    "communicate": lambda game, acting: why_not_communicate(game, acting.unit),
    "clear-jam": why_nothing_to_clear,
    "rally": why_no_rally,
    "bangalore-torpedoes": lambda game, acting: why_no_charges(game, acting.unit, "bangalore-torpedoes"),
    "extended-charges": lambda game, acting: why_no_charges(game, acting.unit, "extended-charges"),
}
"""What else may speak against an action; against the others nothing does."""


def fires_as_moving(acting: Activation) -> bool:
    """sof.actions.fire-first-as-moving: a Fire action taken first, and one that follows a move."""
    return not acting.taken or acting.taken[-1] in MOVING


def near_enemy(game: Battle, unit: Unit) -> bool:
    gaps = gaps_of(game, unit)
    return any(within_inches(gaps[enemy.id], NEAR_ENEMY) for enemy in enemies_of(game.state, unit))


def carry_out(game: Battle, acting: Activation, action: Action) -> Flow[None]:
    unit = acting.unit
    led = acting.led is not None and not any(each in FORWARD for each in acting.taken[:-1])
    if action == "maneuver":
        way = Approach.of(game, unit)
        yield from maneuver(game, unit, acting.led if led else None)
        acting.colours = acting.colours or way.straight(game)
    elif action == "double-time":
        way = Approach.of(game, unit)
        yield from double_time(game, unit)
        acting.colours = way.straight(game)
    elif action == "fall-back":
        yield from fall_back(game, unit)
    elif action == "hit-the-dirt":
        hit_the_dirt(game, unit, "sof.actions.hit-the-dirt")
    elif action == "rally":
        yield from rally(game, unit, "sof.actions.rally")
    elif action == "fire":
        first = len(acting.taken) == 1
        moving = first or acting.taken[-2] in MOVING
        if first:
            text = f"{label(unit)} fires first, and so as if it moved."
            game.tell("fires-first", text, "sof.actions.fire-first-as-moving", seat=unit.side, unit=unit.id)
        yield from shoot(game, unit, moving=moving)
    elif action == "sustained-fire":
        yield from shoot(game, unit, moving=False, sustained=True)
    elif action in ("mount", "dismount"):
        yield from remount(game, unit, action == "mount")
    elif action == "communicate":
        yield from communicate(game, unit)
    elif action in SPECIAL:
        yield from use_charges(game, unit, action)
    elif action == "clear-jam":
        clear_jams(game, unit)
    elif action == "assault" and not (yield from assault(game, unit, led=led)):
        # Broken off, turned back or gone: that is the end of its activation.
        acting.taken.append("done")


def clear_jams(game: Battle, unit: Unit) -> None:
    """sof.weapon-rules.jams-clear: one action clears every jammed weapon of the unit."""
    for figure in unit.able:
        figure.jammed = False
    text = f"{label(unit)} clears its jammed weapons."
    game.tell("jam-cleared", text, "sof.weapon-rules.jams-clear", seat=unit.side, unit=unit.id)
