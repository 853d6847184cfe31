"""Nothing changes by itself: every marker that comes or goes belongs to an event that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import course
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.table import wounds

MARKERS: dict[str, Callable[[dict[str, Any], Any], int]] = {
    "beaten-zone": lambda data, unit: len(data["weapons"]),
    "rally": lambda data, unit: -data["removed"],
    "suppressed": lambda data, unit: int(data["markers"]),
    "hit-the-dirt": lambda data, unit: -1 if unit.suppression else 0,
    "relieved": lambda data, unit: -1,
    "gives-way": lambda data, unit: 1,
    "stays": lambda data, unit: 1,
}
"""By how much an event changes the suppression of the unit that it names."""


@book.on()
def markers_come_and_go_by_events(watch: Watch, event: Event) -> None:
    data = event.data
    named = data.get("unit")
    for name, unit in watch.state.units.items():
        before = watch.earlier.units.get(name)
        if before is None:
            continue
        due = MARKERS[event.kind](data, before) if name == named and event.kind in MARKERS else 0
        if event.kind == "inspired-advance":
            due = -1 if name in data["suppression"] else 0
        if event.kind == "blown" and name == named:
            due = 2
        if event.kind == "relieved" and "sof.leadership.advance-sword" in event.rules and name == named:
            due = -min(2, before.suppression)
        if unit.suppression != before.suppression + due:
            watch.object_to(
                "sof.basics.markers",
                f"{name} goes from {before.suppression} to {unit.suppression} suppression markers at {event.kind}",
            )
        if unit.suppression < 0:
            watch.object_to("sof.basics.markers", f"{name} has {unit.suppression} markers")
        told = data.get("suppression", data.get("left") if event.kind == "relieved" else None)
        if isinstance(told, dict):
            told = told.get(name)
        if name == named and told is not None and told != unit.suppression:
            watch.object_to("sof.basics.markers", f"{name} has {unit.suppression} markers, and {told} are told")
        figures_change_by_events(watch, event, before, unit)
    lost_units(watch, event)


def figures_change_by_events(watch: Watch, event: Event, before: Any, unit: Any) -> None:
    kind, named = event.kind, event.data.get("unit") == unit.id
    same = [name for name in unit.teams if name in before.teams]
    if kind == "promotion":
        # Whoever joins the HQ brings his markers along.
        changed = any(unit.teams[name].wounds != before.teams[name].wounds for name in same)
    else:
        changed = wounds(unit) != wounds(before)
    if changed and not (named and kind in ("wounded", "triage", "losses", "officer-hit")):
        broke = watch.memory.get("sof.broke") == unit.id
        if not (broke and not wounds(unit)) and not set(before.teams) ^ set(unit.teams):
            watch.object_to("sof.shooting.wound-until-triage", f"the wounds of {unit.id} change at {kind}")
    for name, figure in unit.teams.items():
        old = before.teams.get(name)
        if old is None:
            if kind != "promotion":
                watch.object_to("sof.units.models-in-units", f"{name} comes from nowhere at {kind}")
            continue
        if figure.permanent != old.permanent and kind not in ("permanent-wound", "mount", "dismount"):
            watch.object_to("sof.triage.permanent-wound", f"the permanent wounds of {name} change at {kind}")
        if figure.jammed != old.jammed and kind not in ("jam", "jam-cleared", "hit-the-dirt"):
            watch.object_to("sof.weapon-rules.jams", f"the jam of {name} changes at {kind}")
    missing = set(before.teams) - set(unit.teams)
    if missing and kind not in ("losses", "promotion"):
        watch.object_to("sof.triage.remove", f"{sorted(missing)} are gone at {kind}")
    if unit.hit_the_dirt != before.hit_the_dirt and kind not in ("hit-the-dirt", "turn", "turn-over", "charges"):
        watch.object_to("sof.actions.hit-the-dirt", f"the Hit the Dirt of {unit.id} changes at {kind}")
    if unit.training != before.training or (unit.type != before.type and kind not in ("mount", "dismount")):
        watch.object_to("sof.units.ratings", f"{unit.id} becomes another unit at {kind}")
    if (unit.rally, unit.aggression, unit.tenacity) != (before.rally, before.aggression, before.tenacity):
        watch.object_to("sof.units.ratings", f"the ratings of {unit.id} change at {kind}")


def lost_units(watch: Watch, event: Event) -> None:
    gone = set(watch.earlier.units) - set(watch.state.units)
    if event.kind == "promotion":
        # A unit whose last man takes command elsewhere is no more, and was not eliminated.
        gone = {name for name in gone if set(watch.earlier.units[name].teams) != {event.data["team"]}}
    allowed = {event.data.get("unit")} if event.kind in ("unit-lost", "losses") else set()
    if gone - allowed:
        watch.object_to("sof.units.models-in-units", f"{sorted(gone - allowed)} are gone at {event.kind}")
    for name in gone:
        count_loss(watch, watch.earlier.units[name])


def count_loss(watch: Watch, unit: Any) -> None:
    """A lost unit counts for the dice of its battlegroup, one of support for the core battlegroup."""
    watch.count("units lost")
    home = unit.battlegroup
    if unit.belongs == "support" or not home:
        home = next(
            (n for n, group in watch.earlier.battlegroups.items() if group.core and group.side == unit.side), ""
        )
    before, after = watch.earlier.battlegroups.get(home), watch.state.battlegroups.get(home)
    if before is not None and after is not None and after.lost != before.lost + 1:
        watch.object_to("sof.force.dice-lost-second-unit", f"{home} counts {after.lost} lost units after {before.lost}")


@book.on("unit-lost")
def a_lost_unit_owes_nothing(watch: Watch, event: Event) -> None:
    course(watch).casualties.pop(event.data["unit"], None)


@book.after_answer
def nothing_changes_between_events(watch: Watch) -> None:
    for name, unit in watch.state.units.items():
        before = watch.earlier.units.get(name)
        if before is not None and unit.suppression != before.suppression:
            watch.object_to("sof.basics.markers", f"the suppression of {name} changes without an event")


@book.on()
def remember_who_breaks_off(watch: Watch, event: Event) -> None:
    if event.kind == "break-off":
        watch.memory["sof.broke"] = event.data["unit"]
    elif event.kind in ("close-combat-won", "activation", "turn"):
        watch.memory["sof.broke"] = None
