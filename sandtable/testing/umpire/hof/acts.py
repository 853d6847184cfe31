"""What the second umpire remembers of the activation under way: who acts, for what, what was declared and thrown.

Nothing tells that an activation is over: it lasts until the next one begins or the turn passes. A check sees what was
so before its event; the event itself is entered afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.table import Point, find, kind_of, members

WAYS = ("move", "leader-move", "form-move", "leave", "consolidate", "small-team", "leader-along")
"""The questions whose answers say where Teams go."""


@dataclass
class Step:
    """A declared way: from where, by which corners, to where, and how the Team is to face."""

    path: list[Point]
    facing: float | None
    topic: str


@dataclass
class Act:
    """One activation. `side` is empty before the first."""

    side: str = ""
    paid: str = ""
    unit: str = ""
    first: str = ""
    leader: str = ""
    """The Platoon Leader or Commander who gives the orders."""
    orders: dict[str, str] = field(default_factory=dict)
    starts: dict[str, tuple[Point, float]] = field(default_factory=dict)
    """Where everybody stood when it began."""
    rolls: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """Movement dice by Unit and type of Team."""
    declared: dict[str, Step] = field(default_factory=dict)
    checked: dict[str, dict[str, bool]] = field(default_factory=dict)
    """By Team: the ground for which it made a Terrain Check, and whether it passed."""
    met: dict[str, set[str]] = field(default_factory=dict)
    """By Team: mines and wire that it came to."""
    stopped: set[str] = field(default_factory=set)
    """Teams that something stopped on their way."""
    helped: dict[str, str] = field(default_factory=dict)
    """By Leader: the ability that he used."""
    brought_up: dict[str, int] = field(default_factory=dict)
    """How many Leaders brought a Team up."""
    only: list[str] | None = None
    """Who alone may still act, the Leader having been lost."""
    leaderless: bool = False
    """He who gave the orders has been lost before anybody carried one out."""
    carried_out: bool = False
    """Somebody has moved or fired."""
    unloaded: set[str] = field(default_factory=set)


def under_way(watch: Watch) -> Act:
    """The activation under way, with what the present answer declared."""
    act: Act = watch.memory.setdefault("act", Act())
    if watch.memory.get("digested") != watch.answers and watch.entry is not None:
        watch.memory["digested"] = watch.answers
        enter_answer(watch, act)
    return act


def enter_answer(watch: Watch, act: Act) -> None:
    entry = watch.entry
    assert entry is not None
    coming: dict[str, Step] = watch.memory.setdefault("coming", {})
    if entry.topic in ("activate", "react"):
        coming.clear()
        watch.memory["since-call"] = []
    if entry.topic in WAYS and isinstance(entry.answer, dict):
        for name, way in entry.answer.items():
            found = find(watch.asked, name)
            if found is None or found[1].at is None:
                continue
            via = [(float(x), float(y)) for x, y in way.get("via", ())]
            to = float(way["to"][0]), float(way["to"][1])
            start = float(found[1].at[0]), float(found[1].at[1])
            if entry.topic == "leave":
                # Whoever got away and is caught again sets out anew.
                act.checked.pop(name, None)
                act.met.pop(name, None)
                act.stopped.discard(name)
            coming[name] = act.declared[name] = Step([start, *via, to], way.get("facing"), entry.topic)


def begin(watch: Watch, **known: Any) -> Act:
    """A new activation: what was declared for it came before it was told."""
    act = Act(**known)
    act.declared = dict(watch.memory.get("coming", {}))
    act.starts = {
        team.id: ((float(team.at[0]), float(team.at[1])), team.facing)
        for _, team in members(watch.state)
        if team.at is not None
    }
    watch.memory["act"] = act
    return act


def leader_of(watch: Watch, unit_id: str) -> str:
    unit = watch.state.units.get(unit_id)
    if unit is None:
        return ""
    return next((team.id for team in unit.teams.values() if team.role in ("pl", "cc")), "")


@book.on("activation")
def an_activation_begins(watch: Watch, event: Event) -> None:
    under_way(watch)
    data = event.data
    first = find(watch.state, data["team"])
    replaced = any(told.kind == "new-leader" for told in watch.memory.get("since-call", ()))
    leads = first is not None and (first[1].role in ("pl", "cc") or replaced)
    begin(
        watch,
        side=event.seat,
        paid=data["paid"],
        unit=data["unit"],
        first=data["team"],
        leader=leader_of(watch, data["unit"]) if leads else "",
        orders=dict(data["orders"]),
    )


@book.on("massed-assault")
def a_massed_assault_begins(watch: Watch, event: Event) -> None:
    under_way(watch)
    begin(watch, side=event.seat, paid="hero", orders=dict.fromkeys(event.data["teams"], "move"))


@book.on("arrived")
def an_arrival_begins(watch: Watch, event: Event) -> None:
    under_way(watch)
    watch.memory["coming"] = {}
    unit = event.data["unit"]
    begin(watch, side=event.seat, paid="arrival", unit=unit, leader=leader_of(watch, unit))


@book.on("call-for-fire", "turn", "turn-end")
def nobody_acts(watch: Watch, event: Event) -> None:
    under_way(watch)
    watch.memory["coming"] = {}
    begin(watch, side=event.seat if event.kind == "call-for-fire" else "")


@book.on()
def enter_event(watch: Watch, event: Event) -> None:
    """Note what an event says of the activation; after the checks of its own kind."""
    act = under_way(watch)
    watch.memory.setdefault("since-call", []).append(event)
    data = event.data
    if event.kind in ("move", "leader-move", "fire", "fire-smoke", "turn-in-place") and event.seat == act.side:
        act.carried_out = True
    if event.kind == "move-roll" and event.dice:
        act.rolls[data["unit"], data["type"]] = list(event.dice[0].values)
    elif event.kind == "terrain-check":
        act.checked.setdefault(data["team"], {})[data["terrain"]] = data["passed"]
        if not data["passed"]:
            act.stopped.add(data["team"])
    elif event.kind in ("mines", "wire", "mines-edge"):
        act.met.setdefault(data["team"], set()).add(data["obstacle"])
        if event.kind != "wire" or data.get("passed") is False:
            act.stopped.add(data["team"])
    elif event.kind == "interrupted" and data["stopped"]:
        act.stopped.add(data["target"])
    elif event.kind == "no-assault":
        act.stopped.add(data.get("team", "*"))
    elif event.kind == "leader-ability":
        act.helped[data["leader"]] = data["ability"]
        if data["ability"] == "move-up":
            act.brought_up[data["team"]] = act.brought_up.get(data["team"], 0) + 1
    elif event.kind == "leader-lost":
        act.only = list(data["teams"])
    elif event.kind == "stand-in":
        act.leader = data["team"]
    elif event.kind in ("unload", "bail-out"):
        act.unloaded.add(data["team"])


@book.after_answer
def enter_last_answer(watch: Watch) -> None:
    under_way(watch)


def movement_type(team: Any) -> str:
    """The Teams that share one movement roll: Man-Portable Guns and wagons roll by themselves."""
    kind = kind_of(team)
    return kind.mobility if kind.mobility in ("man-portable", "wagon") else kind.category
