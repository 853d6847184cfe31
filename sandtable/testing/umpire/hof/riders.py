"""Tank Riders and flame-throwers: what a hit on the tank does to them, and what becomes of an empty Team."""

from __future__ import annotations

from collections import Counter

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.firing import Volley, flames
from sandtable.testing.umpire.hof.hits import Effects
from sandtable.testing.umpire.hof.table import find, kind_of, members

TANK_HIT = "hof.optional.riders-tank-hit"


@book.on("rfps")
def riders_are_shaken(watch: Watch, event: Event) -> None:
    if TANK_HIT in event.rules:
        found = find(watch.state, event.data["team"])
        if found is not None:
            watch.memory.setdefault("riders rolled", Counter())[found[1].carrier] += 1


def on_tank(watch: Watch, tank: str) -> list[str]:
    return [team.id for _, team in members(watch.state) if team.role == "rider" and team.carrier == tank]


@book.on("penetration", "received")
def riders_roll_first(watch: Watch, event: Event) -> None:
    """Each hit on a tank, whether it penetrates or not, has had the Riders on it roll."""
    tank = event.data["team"]
    shaken: Counter[str] = watch.memory.setdefault("riders rolled", Counter())
    effects: Effects | None = watch.memory.get("effects")
    rolled, shaken[tank] = shaken[tank], 0
    if effects is None or not on_tank(watch, tank) or watch.memory.get("assault") is not None:
        return
    watch.count("hits on ridden tanks")
    if not rolled:
        watch.object_to(TANK_HIT, f"nobody on {tank} rolled")


@book.after_answer
def riders_share_the_fate(watch: Watch) -> None:
    """Riders are lost with their tank, and Suppressed when it becomes so."""
    if not watch.setup.options.riders:
        return
    recovered = {event.data["team"] for event in watch.told if event.kind == "fall-back"}
    for _, team in members(watch.state):
        if team.role != "rider":
            continue
        tank, before = find(watch.state, team.carrier), find(watch.asked, team.carrier)
        if tank is None or before is None:
            if before is not None:
                watch.object_to("hof.optional.riders-tank-destroyed", f"{team.id} rides on nothing")
            continue
        newly = tank[1].suppressed and not before[1].suppressed
        if newly and not team.suppressed and team.id not in recovered:
            watch.object_to("hof.optional.riders-suppression", f"{team.id} is not Suppressed, its tank is")


# Fuel.


@book.on("hits", "activation", "turn-end", "move", "no-fire")
def fuel_is_spent(watch: Watch, event: Event) -> None:
    volley: Volley | None = watch.memory.get("volley")
    for shot in volley.shots if volley is not None else ():
        found = find(watch.state, shot.team)
        if flames(watch, shot.weapon) and found is not None and not found[1].spent:
            watch.object_to("hof.optional.flame-one-shot", f"{shot.team} has fuel left")


@book.on("flame-empty")
def becomes_ordinary(watch: Watch, event: Event) -> None:
    """On foot it is from now on what most others of its Unit are."""
    watch.count("empty flame-throwers")
    found, before = find(watch.state, event.data["team"]), find(watch.earlier, event.data["team"])
    if found is None or before is None:
        return
    due = before[1].profile
    if not kind_of(before[1]).vehicle:
        kinds = Counter(
            mate.profile
            for mate in before[0].teams.values()
            if kind_of(mate).category == "infantry" and not kind_of(mate).small
            if not any("flame-thrower" in weapon.keywords for weapon in kind_of(mate).weapons)
        )
        most = max(kinds.values(), default=0)
        likely = [profile for profile, count in kinds.items() if count == most] or ["rifle"]
        due = found[1].profile if found[1].profile in likely else likely[0]
    if not found[1].spent or found[1].profile != due:
        watch.object_to("hof.optional.flame-one-shot", f"{found[1].id} is now a {found[1].profile}, not a {due}")
