"""Saves: what each Team rolls against its hits, and what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import HARD
from sandtable.testing.umpire.tr14.geometry import HAIR, Pose, Verdict, forward, pose_of, within
from sandtable.testing.umpire.tr14.log import first_rolls, kind, log, team_in
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.volleys import Range, Volley

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import Team, Unit

TABLE = {"infantry": (3, 2), "gun": (5, 3)}
CLOSE = 18.0
TURRET_LINE = 0.5


def saves_on(team: Team, cover: Range, *, at: bool) -> set[int]:
    """tr14.saves.table: the numbers on which a Team without armor may save."""
    own = kind(team)
    if own.soft_skinned():
        column = "gun" if at else "infantry"
    elif own.type == "gun" and not (team.moved or team.fired):
        column = "infantry"
    else:
        column = own.type
    return {TABLE[column][1 if each == HARD else 0] for each in cover}


def next_hit(watch: Watch, volley: Volley, name: str) -> list[Any] | None:
    """The hit for which a Team rolls now: Teams that are gone roll no more."""
    while volley.queue:
        hit = volley.queue.pop(0)
        if team_in(watch.state, hit[2]) is not None:
            if hit[2] != name:
                watch.object_to("tr14.saves.roll", f"{name} saves, and it is {hit[2]}'s turn")
                return None
            return hit
    return None


@book.on("save")
def a_team_saves(watch: Watch, event: Event) -> None:
    kept = log(watch)
    if kept.volley is None:
        return
    watch.count("saves")
    found = team_in(watch.state, event.data["team"])
    volley: Volley = kept.volley
    hit = next_hit(watch, volley, event.data["team"])
    if found is None or hit is None:
        watch.object_to("tr14.saves.roll", f"{event.data['team']} saves without being hit")
        return
    unit, team = found
    if kind(team).armored():
        look_at_armor(watch, event, volley, unit, team, hit)
    else:
        look_at_save(watch, event, volley, unit, team, hit)


def forced(volley: Volley, unit: Unit) -> bool:
    """Successful Saves are rolled again against sure fire, and by Teams that ran."""
    sure = any(shot.needed <= 1 and shot.throw is not None for shot in volley.shots)
    return sure or unit.ran or volley.scene.target.ran


def look_at_save(watch: Watch, event: Event, volley: Volley, unit: Unit, team: Team, hit: list[Any]) -> None:
    scene = volley.scene
    position = next(p for p, (_, each) in enumerate(scene.members) if each.id == team.id)
    at = bool(hit[1])
    if at:
        cover = scene.cover_from([hit[0]], position, at=True)
    else:
        firing = [shot.shooter for shot in volley.shots if shot.throw is not None and not shot.weapon.at()]
        cover = scene.cover_from(list(dict.fromkeys(firing)), position, at=False)
    needed = event.data["needed"]
    if needed not in saves_on(team, cover, at=at):
        watch.object_to("tr14.saves.table", f"{team.id} saves on {needed}+, and not {saves_on(team, cover, at=at)}")
    dice = 1 if at and kind(team).type != "tank" else hit[3]
    look_at_roll(watch, event, needed, dice, again=forced(volley, unit))


def look_at_roll(watch: Watch, event: Event, needed: int, dice: int, *, again: bool, failures: bool = False) -> None:
    """The number of dice, those rolled again, and those that fail."""
    throw, name = event.dice[0], event.data["team"]
    if len(throw.values) != dice:
        watch.object_to("tr14.firing.at-one-save", f"{name} rolls {len(throw.values)} Saves, and not {dice}")
    if sum(value < needed for value in throw.values) != event.data["failed"]:
        watch.object_to("tr14.saves.failed", f"{name} fails {event.data['failed']} of {throw.values} on {needed}+")
    first = first_rolls(throw)
    owed = {n for n, value in enumerate(first) if (again and value >= needed) or (failures and value < needed)}
    if owed != set(throw.before):
        rule = "tr14.saves.close-range-reroll"
        watch.object_to(rule, f"{name} rolls {len(throw.before)} Saves of {first} again, and not {len(owed)}")


def look_at_armor(watch: Watch, event: Event, volley: Volley, unit: Unit, team: Team, hit: list[Any]) -> None:
    watch.count("armor saves")
    if not hit[1]:
        watch.object_to("tr14.saves.armored-only-at", f"{team.id} saves against fire that cannot harm it")
        return
    scene, own = volley.scene, kind(team)
    shooter = scene.place(hit[0])
    there = pose_of(team)
    hull = faces(there, team.facing, shooter, own.depth / 2)
    turret = faces(there, team.turret, shooter, TURRET_LINE) if team.turret is not None else hull
    rolled = watch.told[-2] if len(watch.told) > 1 and watch.told[-2].kind == "hull-or-turret" else None
    rule = "tr14.saves.hull-or-turret"
    if rolled is not None:
        watch.count("hull or turret")
        where = "hull" if rolled.dice[0].values[0] <= 3 else "turret"
        if rolled.data["team"] != team.id or rolled.data["where"] != where or rolled.seat != scene.unit.side:
            watch.object_to(rule, f"{team.id} is struck at the {rolled.data['where']}")
        if hull is not None and hull == turret:
            watch.object_to(rule, f"{team.id} shows the same of hull and turret")
        front = hull if where == "hull" else turret
    else:
        if hull is not None and turret is not None and hull != turret:
            watch.object_to(rule, f"{team.id} shows the front of one and the rear of the other, and no die is rolled")
        front = hull if hull is not None else turret
    numbers = {own.front, own.flank} if front is None else {own.front if front else own.flank}
    needed = event.data["needed"]
    if needed not in numbers:
        watch.object_to("tr14.saves.flank", f"{team.id} saves on {needed}+, and not {numbers}")
    close = within(scene.distance(hit[0], position_of(volley, team)), CLOSE)
    weapon = next(shot.weapon for shot in volley.shots if shot.shooter == hit[0] and shot.weapon.name == hit[1])
    skirts = own.has("skirts") and weapon.type == "infantry"
    look_at_roll(watch, event, needed, hit[3], again=bool(close) or forced(volley, unit), failures=skirts)


def position_of(volley: Volley, team: Team) -> int:
    return next(p for p, (_, each) in enumerate(volley.scene.members) if each.id == team.id)


def faces(tank: Pose, facing: float | None, shooter: Pose, line: float) -> Verdict:
    """Whether a shooter is not behind a line across the front of hull or turret."""
    ahead = forward(tank.at(), facing or 0.0, shooter.at()) - line
    return None if abs(ahead) < HAIR / 4 else ahead > 0


@book.on("no-effect")
def armor_shrugs_off(watch: Watch, event: Event) -> None:
    kept = log(watch)
    if kept.volley is None or "team" not in event.data:
        return
    hit = next_hit(watch, kept.volley, event.data["team"])
    found = team_in(watch.state, event.data["team"])
    if hit is None or found is None or hit[1] or not kind(found[1]).armored():
        watch.object_to("tr14.saves.armored-only-at", f"{event.data['team']} shrugs off what it should not")


@book.on("damage")
def a_vehicle_is_damaged(watch: Watch, event: Event) -> None:
    """tr14.saves.vehicle-damage-table: one die for each failed armor Save."""
    watch.count("damage rolls")
    values = event.dice[0].values
    outcome = "destroyed" if 6 in values else "suppressed" if 4 in values or 5 in values else "unharmed"
    rule = "tr14.saves.vehicle-damage-table"
    if event.data["outcome"] != outcome:
        watch.object_to(rule, f"{values} is {outcome}, not {event.data['outcome']}")
    save = next((each for each in reversed(watch.told) if each.kind == "save"), None)
    if save is None or save.data["team"] != event.data["team"] or save.data["failed"] != len(values):
        watch.object_to(rule, f"{len(values)} dice for {save.data if save is not None else None}")
    if save is not None and event.seat == save.seat and log(watch).barrage is None:
        watch.object_to(rule, "the tank's own side rolls for the damage")


@book.on("save", "damage")
def the_unlucky_are_removed(watch: Watch, event: Event) -> None:
    """Remember who must be gone, or suppressed, by the next thing that is told."""
    team = team_in(watch.state, event.data["team"])
    if team is None:
        return
    fate = ""
    if event.kind == "damage":
        fate = {"destroyed": "destroyed", "suppressed": "suppressed", "unharmed": ""}[event.data["outcome"]]
    elif event.data["failed"] and not kind(team[1]).armored() and log(watch).barrage is None:
        fate = "destroyed"
    watch.memory["tr14.fate"] = (fate, event.data["team"], event) if fate else None


@book.on()
def fate_is_kept(watch: Watch, event: Event) -> None:
    fate = watch.memory.get("tr14.fate")
    if fate is None or fate[2] is event:
        return
    watch.memory["tr14.fate"] = None
    allowed = {"destroyed": ("destroyed",), "suppressed": ("suppressed", "marker-lost", "no-suppression")}[fate[0]]
    if event.kind not in allowed or event.data.get("team", fate[1]) != fate[1]:
        watch.object_to("tr14.saves.failed", f"{fate[1]} should be {fate[0]}, and {event.kind} follows")


@book.on("destroyed")
def nobody_is_removed_without_cause(watch: Watch, event: Event) -> None:
    watch.count("Teams destroyed")
    kept = log(watch)
    name, unit = event.data["team"], event.data["unit"]
    kept.casualties[unit] = kept.casualties.get(unit, 0) + 1
    if team_in(watch.state, name) is not None:
        watch.object_to("tr14.saves.failed", f"{name} is destroyed and still on the table")
    if kept.volley is not None:
        kept.volley.results += 1
    causes = ("save", "damage", "strike")
    last = watch.told[-2] if len(watch.told) > 1 else None
    caught = "tr14.assaults.caught" in event.rules
    if not caught and (last is None or last.kind not in causes):
        watch.object_to("tr14.saves.failed", f"{name} is destroyed, and nothing struck it")
