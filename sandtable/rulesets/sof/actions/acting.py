"""Actions: what an activated unit may do, and doing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sandtable.engine.game import Flow
from sandtable.engine.questions import Choices, Choose, Option, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.actions.advance import Approach, inspired_advance, why_no_advance
from sandtable.rulesets.sof.actions.communicate import communicate, why_not_communicate
from sandtable.rulesets.sof.actions.mounting import remount, why_not_remount
from sandtable.rulesets.sof.actions.orders import double_time, fall_back, maneuver, orders_with
from sandtable.rulesets.sof.close_combat import assault, why_no_assault
from sandtable.rulesets.sof.core.board import Battle, enemies_of, gap, within_inches
from sandtable.rulesets.sof.core.names import NAMES, label
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.leadership import encourage, leaders_in, suppressed_friends
from sandtable.rulesets.sof.morale import rally
from sandtable.rulesets.sof.movement import Manner, base_rate, can_fall_back
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

    `taken` is what it has done already to come onto the table.
    """
    acting = Activation(unit, [*taken])
    unit.activated = True
    while unit.id in game.state.units and (not acting.over or may_cheer(game, acting)):
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
    leaders = {f"encourage-{each.id}": each for each in leaders_in(unit) if each.id not in acting.encouraged}
    officers = {f"advance-{each.id}": each for each in leaders_in(unit) if each.role == "officer" and not acting.taken}
    if acting.led is not None:
        officers = {}

    def why_not(name: str) -> Why:
        if name in leaders:
            return why_not_encourage(game, unit, leaders[name])
        if name in officers:
            return why_no_advance(game, unit, officers[name])
        return why_no_action(game, acting, name)  # type: ignore[arg-type]

    known = [each for each in ACTIONS if each not in SPECIAL or each in unit.equipment]
    names = (*known, *leaders, *officers)
    choices = Choices(
        {name: name for name in names}, lambda name: option(game, unit, {**leaders, **officers}, name), why_not
    )
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
    return Option(name, words, (rule,), act=ACTS.get(name, ""), then=orders_with(game, unit, name))


def why_not_encourage(game: Battle, unit: Unit, leader: Figure) -> Why:
    if suppressed_friends(game, unit, leader):
        return None
    message = f"{NAMES.label(unit, leader)} has no suppressed friend within influence."
    return illegal("sof.leadership.encourage-effect", message, field=leader.id)


def why_no_action(game: Battle, acting: Activation, action: Action) -> Why:
    """Why an activated unit may not take an action, by its kind and what it has done already."""
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
    if action == "maneuver" and action in acting.taken:
        message = f"{label(unit)} has maneuvered already."
        legal = "To move with both actions it takes Double Time."
        return illegal("sof.actions.maneuver-once", message, field=action, legal=legal)
    if action in MOVES and not base_rate(unit, manner_of(action)):
        message = f"{label(unit)} cannot make such a move."
        return illegal("sof.movement.rate-table", message, field=action)
    if action == "double-time" and near_enemy(game, unit):
        message = f"{label(unit)} is within 6 inches of an enemy unit."
        legal = "It may fall back."
        return illegal("sof.actions.double-time-near-enemy", message, field=action, legal=legal)
    if action == "fall-back" and not can_fall_back(game, unit):
        message = f"{label(unit)} finds no way that leads away from every enemy unit."
        return illegal("sof.actions.fall-back-away", message, field=action)
    if action == "fire" and action in acting.taken:
        message = f"{label(unit)} has fired already."
        legal = "To shoot with both actions it takes Sustained Fire."
        return illegal("sof.actions.fire-once", message, field=action, legal=legal)
    if action == "assault":
        if action in acting.taken:
            return illegal("sof.actions.assault-once", f"{label(unit)} has assaulted already.", field=action)
        return why_no_assault(game, unit, led=acting.bound)
    if action in SHOTS:
        moving = action == "fire" and fires_as_moving(acting)
        return why_not_fire(game, unit, moving, action == "sustained-fire")
    if action in SPECIAL:
        return why_no_charges(game, unit, action)
    if action in ("mount", "dismount"):
        return why_not_remount(game, unit, action == "mount")
    if action == "communicate":
        return why_not_communicate(game, unit)
    if action == "clear-jam" and not any(figure.jammed for figure in unit.able):
        message = f"{label(unit)} has no jammed weapon."
        return illegal("sof.weapon-rules.jams-clear", message, field=action)
    if action == "rally" and not unit.suppression:
        message = f"{label(unit)} has no suppression marker."
        return illegal("sof.morale.rally", message, field=action)
    return None


def fires_as_moving(acting: Activation) -> bool:
    """sof.actions.fire-first-as-moving: a Fire action taken first, and one that follows a move."""
    return not acting.taken or acting.taken[-1] in MOVING


def manner_of(action: Action) -> Manner:
    return "maneuver" if action == "maneuver" else "fall-back" if action == "fall-back" else "double-time"


def near_enemy(game: Battle, unit: Unit) -> bool:
    return any(within_inches(gap(game, unit, enemy), NEAR_ENEMY) for enemy in enemies_of(game.state, unit))


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
