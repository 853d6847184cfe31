"""What an activated unit does: two actions or a double one, and who may take which."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import DOUBLES, SINGLES, course
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import RATES
from sandtable.testing.umpire.sof.table import HAIR, apart, enemies, figures

ONCE = ("assault", "fire", "maneuver")
NEAR_ENEMY = 6.0


@book.on("action")
def an_action(watch: Watch, event: Event) -> None:
    watch.count("actions")
    kept, name, action = course(watch), event.data["unit"], event.data["action"]
    act = kept.act
    if act is None or act.unit != name or act.closed:
        watch.object_to("sof.actions.two-actions", f"{name} acts, and is not the unit that is activated")
        return
    if action == "done":
        act.closed = True
        return
    if action in DOUBLES:
        if act.actions:
            watch.object_to("sof.actions.double-action", f"{name} takes {action} after {act.actions}")
    elif action in SINGLES:
        if len(act.actions) >= 2 or any(each in DOUBLES for each in act.actions):
            watch.object_to("sof.actions.two-actions", f"{name} takes {action} after {act.actions}")
        if action in ONCE and action in act.actions:
            watch.object_to(f"sof.actions.{action}-once", f"{name} takes {action} again")
    else:
        watch.count(f"not judged: the action {action}")
    act.actions.append(action)
    unit = watch.state.units[name]
    may_take(watch, unit, action)


def may_take(watch: Watch, unit: Any, action: str) -> None:
    near = min((apart(unit, other) for other in enemies(watch.state, unit.side)), default=1000.0)
    if action == "double-time" and near <= NEAR_ENEMY - HAIR:
        watch.object_to(
            "sof.actions.double-time-near-enemy", f"{unit.id} takes Double Time {near:.2f} inches from an enemy"
        )
    if action == "assault":
        if "assault" not in RATES[unit.type] or unit.formation == "extended":
            watch.object_to("sof.actions.assault-barred", f"{unit.id} assaults in {unit.formation} order")
        if unit.suppression >= 3:
            watch.object_to("sof.close-combat.barred-suppressed", f"{unit.id} assaults with {unit.suppression} markers")
        if unit.alignment == "march-column" and unit.formation == "linear":
            watch.object_to("sof.close-combat.barred-march-column", f"{unit.id} assaults in march column")
    if action == "clear-jam" and not any(figure.jammed for figure in figures(unit)):
        watch.object_to("sof.weapon-rules.jams-clear", f"{unit.id} has no jam to clear")
    if action == "rally" and not unit.suppression:
        watch.count("rallies of the steady")


@book.on("jam-cleared")
def a_jam_is_cleared(watch: Watch, event: Event) -> None:
    watch.count("jams cleared")
    act, unit = course(watch).act, watch.state.units[event.data["unit"]]
    if act is None or act.unit != unit.id or not act.actions or act.actions[-1] != "clear-jam":
        watch.object_to("sof.weapon-rules.jams-clear", f"{unit.id} clears its jams without an action")
    if any(figure.jammed for figure in figures(unit)):
        watch.object_to("sof.weapon-rules.jams-clear", f"a weapon of {unit.id} is still jammed")


@book.on()
def only_the_activated_act(watch: Watch, event: Event) -> None:
    """What a unit does, it does with the action for it."""
    wanted = {
        "assault": ("assault",),
        "move": ("maneuver", "double-time", "fall-back"),
        "target": ("fire", "sustained-fire"),
    }
    act = course(watch).act
    kept = course(watch)
    before_battle = watch.state.phase not in ("start", "activate") or (kept.act is None and kept.stage != "play")
    if (
        event.kind not in wanted
        or before_battle
        or (event.kind == "move" and event.data["unit"] in course(watch).forced)
    ):
        return
    rides = watch.memory.get("sof.rides")
    if rides is not None and rides[0] == event.data["unit"] and event.kind in ("move", "assault"):
        # A breakthrough needs no order.
        return
    if act is None or act.unit != event.data["unit"] or not act.actions or act.actions[-1] not in wanted[event.kind]:
        watch.object_to("sof.actions.list", f"{event.data['unit']}: {event.kind} without an action for it")


@book.on("rally")
def a_rally_is_an_action(watch: Watch, event: Event) -> None:
    kept = course(watch)
    if kept.stage == "play":
        act = kept.act
        if act is None or act.unit != event.data["unit"] or not act.actions or act.actions[-1] != "rally":
            watch.object_to("sof.actions.rally", f"{event.data['unit']} rallies without an action")
