"""Suppression and morale: where markers go, who stays to fight, and when a company retreats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.allocation import valid_targets
from sandtable.testing.umpire.tr14.arsenal import TRAINING_CHECK
from sandtable.testing.umpire.tr14.log import commander, kind, log, platoons, team_in
from sandtable.testing.umpire.tr14.playing import ready, vouched
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.volleys import Volley

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

BY_HITS = "tr14.suppression.per-three-hits"

IN_A_VOLLEY = {
    "allocated", "save", "no-effect", "hull-or-turret", "damage", "destroyed", "suppressed", "marker-lost", "unit-lost",
    "company", "no-suppression", "cc-reroll", "battle-over",
}  # fmt: skip
VOLLEY_TOPICS = {"allocate", "allocate-at", "suppress", "cc-reroll", "direct-fire", "go-to-ground"}


def takers(volley: Volley, state: State) -> list[tuple[Unit, Team]]:
    """The Teams of the target that are left and may be suppressed by hits."""
    found = []
    for _, team in volley.scene.members:
        now = team_in(state, team.id)
        if now is not None and not kind(team).armored() and team.role != "fo":
            found.append(now)
    return found


@book.on("suppressed")
def a_team_is_suppressed(watch: Watch, event: Event) -> None:
    watch.count("markers placed")
    found = team_in(watch.state, event.data["team"])
    assert found is not None
    unit, team = found
    if team.markers != event.data["markers"] or team.markers > 2:
        watch.object_to("tr14.suppression.double", f"{team.id} has {team.markers} markers")
    if team.markers == 2:
        watch.count("Teams suppressed twice")
        spared = [each.id for each in unit.teams.values() if not each.markers and each.role != "fo"]
        if spared:
            watch.object_to("tr14.suppression.double", f"{team.id} is suppressed twice, and {spared[0]} not at all")
    if team.role == "fo" and "tr14.moving.tank-fails" not in event.rules:
        watch.object_to("tr14.indirect.fo-no-suppression", f"{team.id} observes and is suppressed")
    volley: Volley | None = log(watch).volley
    if volley is None or BY_HITS not in event.rules:
        if volley is not None and "tr14.saves.vehicle-damage-table" in event.rules:
            volley.results += 1
        return
    volley.placed += 1
    volley.results += 1
    if kind(team).armored():
        watch.object_to(BY_HITS, f"{team.id} is armored, and suppressed by hits")
    fired = [shot for shot in volley.shots if shot.throw is not None]
    sure, perhaps = ({volley.scene.members[p][1].id for p in each} for each in valid_targets(volley.scene, fired))
    if team.id not in perhaps:
        level = team.markers - 1
        first = [t.id for _, t in takers(volley, watch.state) if t.id in sure and t.markers == level and t is not team]
        if first:
            watch.object_to("tr14.suppression.valid-targets-first", f"{team.id} is suppressed before {first[0]}")


@book.on("marker-lost")
def a_marker_finds_no_room(watch: Watch, event: Event) -> None:
    watch.count("markers lost")
    volley: Volley | None = log(watch).volley
    if "team" in event.data:
        found = team_in(watch.state, event.data["team"])
        if found is not None and not found[1].markers:
            watch.object_to("tr14.suppression.double", f"{found[1].id} has room for a marker")
        return
    if volley is None or BY_HITS not in event.data["why"]:
        return
    volley.placed += event.data["count"]
    room = [team.id for _, team in takers(volley, watch.state) if not team.markers]
    if room:
        watch.object_to("tr14.suppression.double", f"{room[0]} has room for a marker")


@book.on("no-suppression")
def observers_are_never_suppressed(watch: Watch, event: Event) -> None:
    volley: Volley | None = log(watch).volley
    if volley is None:
        return
    if not volley.scene.at_observer:
        watch.object_to("tr14.indirect.fo-no-suppression", "nobody is suppressed, and no observer was the target")
    volley.excused = True


@book.on()
def a_volley_ends(watch: Watch, event: Event) -> None:
    if log(watch).volley is not None and event.kind not in IN_A_VOLLEY and event.kind != "shooting":
        close_volley(watch, watch.earlier)


@book.after_answer
def a_volley_ends_with_the_next_question(watch: Watch) -> None:
    kept = log(watch)
    fresh = any(event.kind == "shooting" for event in watch.told)
    if kept.volley is not None and watch.entry is not None and watch.entry.topic not in VOLLEY_TOPICS and not fresh:
        close_volley(watch, watch.asked)


def close_volley(watch: Watch, state: State) -> None:
    """All Saves are rolled, and all markers placed."""
    kept = log(watch)
    volley: Volley = kept.volley
    kept.volley = None
    left = [hit for hit in volley.queue if team_in(state, hit[2]) is not None]
    if left and state.phase != "over":
        watch.object_to("tr14.saves.roll", f"{left[0][2]} rolls no Save")
    if kept.fight is not None:
        kept.fight.note(volley)
    owed = 0 if volley.excused or volley.scene.at_observer else volley.markers
    if volley.placed != owed and state.phase != "over" and (takers(volley, state) or volley.placed > owed):
        watch.object_to(BY_HITS, f"{volley.hits()} hits place {volley.placed} markers, and not {owed}")


# Morale.


@book.on("morale")
def a_unit_checks_its_morale(watch: Watch, event: Event) -> None:
    watch.count("morale checks")
    kept = log(watch)
    unit = watch.state.units[event.data["unit"]]
    rule = "tr14.suppression.morale-check"
    round_is_over(watch, rule)
    if unit.id in kept.morale or not shaken(watch, unit):
        watch.object_to(rule, f"{unit.id} with {len(unit.teams)} of {unit.starting} Teams checks its morale")
    kept.morale.add(unit.id)
    needed = TRAINING_CHECK[unit.training]
    if event.data["passed"] != (event.dice[0].values[0] >= needed):
        watch.object_to(rule, f"{unit.id} needs {needed}+ and rolls {event.dice[0].values[0]}")
    vouched(watch, event)


def round_is_over(watch: Watch, rule: str) -> None:
    for side in ("red", "blue"):
        for name in ready(watch, side):
            watch.object_to(rule, f"the round is not over: {name} has not acted")


def shaken(watch: Watch, unit: Unit) -> bool:
    return bool(log(watch).casualties.get(unit.id)) and 2 * len(unit.teams) < unit.starting


@book.on("initiative-roll", "battle-over")
def everybody_has_checked(watch: Watch, event: Event) -> None:
    """When a new round begins, all morale of the old one has been looked at."""
    kept, state = log(watch), watch.state
    if event.kind == "battle-over" and "tr14.battle.end" not in event.rules:
        return
    if watch.memory.get("tr14.looked-at") == state.round:
        # Ties are rolled again.
        return
    watch.memory["tr14.looked-at"] = state.round
    for unit in platoons(state):
        if shaken(watch, unit) and unit.id not in kept.morale:
            watch.object_to("tr14.suppression.morale-check", f"{unit.id} has not checked its morale")
        only = next(iter(unit.teams.values()))
        if kept.began and len(unit.teams) == 1 and unit.starting > 1 and kind(only).type != "tank":
            watch.object_to("tr14.suppression.lone-team", f"{unit.id} is down to one Team, and still there")
    for side in ("red", "blue"):
        alone = kept.began and len(platoons(state, side)) == 1 and state.companies[side].starting > 1
        if alone and side not in watch.memory.setdefault("tr14.last", set()) and state.round > watch.setup.round:
            watch.object_to("tr14.leaders.company-last-unit", f"{side} is left with one Unit and is not asked")
    watch.memory["tr14.last"] = set()
    kept.morale.clear()
    kept.casualties.clear()


@book.on("unit-lost")
def a_unit_is_lost(watch: Watch, event: Event) -> None:
    watch.count("Units lost")
    state: State = watch.state
    was = watch.earlier.units.get(event.data["unit"])
    if was is None:
        return
    if "tr14.suppression.lone-team" in event.rules:
        round_is_over(watch, "tr14.suppression.lone-team")
        if len(was.teams) != 1 or was.starting == 1 or kind(next(iter(was.teams.values()))).type == "tank":
            watch.object_to("tr14.suppression.lone-team", f"{was.id} is lost with {len(was.teams)} Teams")
    elif "tr14.suppression.morale-check" in event.rules:
        last = next((each for each in reversed(watch.told) if each.kind == "morale"), None)
        if last is None or last.data["passed"] or last.data["unit"] != was.id:
            watch.object_to("tr14.suppression.morale-check", f"{was.id} leaves, and its morale has not failed")
    left, starting = len(platoons(state, was.side)), state.companies[was.side].starting
    if not was.apart and (left == 0 or left * 2 < starting):
        watch.memory["tr14.company"] = (was.side, left, event)


@book.on()
def the_company_is_asked(watch: Watch, event: Event) -> None:
    """tr14.leaders.company-morale, at once when a Unit is lost."""
    due = watch.memory.get("tr14.company")
    if due is None or due[2] is event or event.kind == "cc-reroll":
        return
    watch.memory["tr14.company"] = None
    wanted = "battle-over" if due[1] == 0 else "company"
    if event.kind != wanted or (wanted == "company" and event.seat != due[0]):
        watch.object_to("tr14.leaders.company-morale", f"{due[0]} has {due[1]} Units left, and {event.kind} follows")
    watch.memory["tr14.asked"] = event


@book.on("company")
def a_company_checks(watch: Watch, event: Event) -> None:
    watch.count("company checks")
    found = commander(watch.state, event.seat)
    rule = "tr14.leaders.company-no-cc"
    if "tr14.leaders.company-last-unit" in event.rules:
        watch.memory.setdefault("tr14.last", set()).add(event.seat)
        if len(platoons(watch.state, event.seat)) != 1:
            watch.object_to("tr14.leaders.company-last-unit", f"{event.seat} is asked with more than one Unit")
    if found is None:
        watch.memory["tr14.retreat"] = event.seat
        if event.dice:
            watch.object_to(rule, f"{event.seat} rolls without a Company Commander")
        return
    needed = TRAINING_CHECK[found[0].training]
    die = event.dice[0].values[0]
    if event.data["passed"] != (die >= needed):
        watch.object_to("tr14.leaders.company-morale", f"{event.seat} needs {needed}+ and rolls {die}")
    vouched(watch, event)
    if die < needed:
        watch.memory["tr14.retreat"] = event.seat
