"""Rally, Tenacity, Triage, and how wounds and casualties are taken."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import answer, by_recon, course, passes, sixes_again, unit_in
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import VOICE
from sandtable.testing.umpire.sof.table import (
    Maybe,
    any_of,
    cost,
    disabled,
    figures,
    gap,
    leads,
    men,
    placed,
    takes_one_more,
    under,
    worth,
    wounds,
)

TRIAGE = 6


# Rally.


@book.on("rally")
def a_unit_rallies(watch: Watch, event: Event) -> None:
    watch.count("rallies")
    unit = watch.earlier.units[event.data["unit"]]
    needed = unit.rally - rally_bonus(unit)
    if event.data["needed"] != needed:
        watch.object_to("sof.morale.rally", f"{unit.id} rallies on {event.data['needed']}+, and not on {needed}+")
    throw = event.dice[0]
    if len(throw.values) != unit.suppression:
        watch.object_to("sof.morale.rally", f"{len(throw.values)} dice for {unit.suppression} markers of {unit.id}")
    chaplains = [figure for figure in figures(unit) if figure.role == "chaplain"]
    failed = [n for n in range(len(throw.values)) if throw.before.get(n, throw.values[n]) < needed]
    sound = sum(not disabled(figure) for figure in chaplains)
    if chaplains:
        watch.count("rallies with a chaplain")
    if needed <= 6 and not by_recon(watch, event) and sorted(throw.before) != failed[:sound]:
        watch.object_to("sof.specialists.chaplain", f"{unit.id} rolls dice {list(throw.before)} again of {failed}")
    again = sixes_again(watch, event, needed) if needed > 6 else []
    removed = passes(throw.values, again, needed)
    if event.data["removed"] != removed or watch.state.units[unit.id].suppression != unit.suppression - removed:
        watch.object_to("sof.morale.rally", f"{unit.id} loses {event.data['removed']} markers, and not {removed}")


def rally_bonus(unit: Any) -> int:
    return int(unit.formation == "close" or (unit.formation == "linear" and unit.alignment == "column"))


# Tenacity.


@book.on("tenacity")
def tenacity_is_checked(watch: Watch, event: Event) -> None:
    watch.count("Tenacity checks")
    kept = course(watch)
    unit = watch.earlier.units[event.data["unit"]]
    needed = event.data["needed"]
    if needed != unit.tenacity:
        watch.object_to("sof.morale.tenacity-check", f"{unit.id} checks on {needed}+, and not on {unit.tenacity}+")
    again = sixes_again(watch, event, needed)
    passed = passes(event.dice[0].values, again, needed) > 0
    if (
        len(event.dice[0].values) != 1
        or event.data["passed"] != passed
        or (event.dice[0].before and not by_recon(watch, event))
    ):
        watch.object_to("sof.morale.tenacity-check", f"{unit.id}: {event.dice[0].values} on {needed}+ is {passed}")
    if kept.stage == "play":
        shots = kept.shots
        if shots is None or shots.grounded != unit.id or shots.ground != "must":
            watch.object_to("sof.shooting.forced-to-ground", f"{unit.id} checks its Tenacity for nothing")
        else:
            shots.ground = "done"
    if not passed:
        closing = kept.shots is not None and kept.shots.closing and kept.shots.target == unit.id
        watch.memory["sof.failed"] = unit.id, unit.id in kept.forced or closing


@book.on()
def what_a_failed_check_brings(watch: Watch, event: Event) -> None:
    """A marker and a Fall-Back, once a turn; whoever cannot fall back is lost."""
    failed = watch.memory.get("sof.failed")
    if failed is None or event.kind == "tenacity":
        return
    watch.memory["sof.failed"] = None
    name, second = failed
    expected = "stays" if second else "gives-way"
    if event.kind != expected or event.data.get("unit") != name:
        watch.object_to("sof.morale.tenacity-fail", f"{name} failed its Tenacity check, and {event.kind} follows")


@book.on("gives-way", "stays")
def a_unit_gives_way(watch: Watch, event: Event) -> None:
    watch.count("units giving way")
    kept = course(watch)
    before, after = watch.earlier.units[event.data["unit"]], watch.state.units[event.data["unit"]]
    if after.suppression != before.suppression + 1:
        watch.object_to(
            "sof.morale.tenacity-fail", f"{before.id} goes from {before.suppression} to {after.suppression} markers"
        )
    if event.kind == "gives-way":
        if not after.activated or not after.forced:
            watch.object_to("sof.morale.tenacity-fail", f"{before.id} is not marked as activated and forced back")
        if before.id in kept.forced:
            watch.object_to("sof.morale.tenacity-once", f"{before.id} falls back twice in a turn")
        kept.forced.add(before.id)


# Triage.


@book.on("triage")
def a_unit_sees_to_its_wounded(watch: Watch, event: Event) -> None:
    watch.count("Triages")
    unit, throw = watch.earlier.units[event.data["unit"]], event.dice[0]
    markers = wounds(unit)
    needed = TRIAGE + ("no-head-protection" in unit.special)
    if len(throw.values) != markers:
        watch.object_to("sof.triage.check", f"{len(throw.values)} dice for {markers} wounds of {unit.id}")
    helped = tended(watch, unit)
    first = [throw.before.get(n, face) for n, face in enumerate(throw.values)]
    again = [face for more in event.dice[1:] for face in more.values]
    if needed <= 6:
        due = {n for n, face in enumerate(first) if face < needed}
        patched = sum(face >= needed for face in throw.values)
    else:
        # A six that was followed by less than 5 has failed as well, and may have been the die that was rolled again.
        due = {n for n, face in enumerate(first) if face < 6}
        patched = sum(face >= 5 for face in again)
    told = set(throw.before)
    if by_recon(watch, event):
        pass
    elif needed <= 6:
        wrong = (helped.sure and told != due) or (not helped.may and told) or told - due
        if wrong:
            watch.object_to("sof.specialists.medic", f"dice {sorted(told)} of {first} are rolled again for {unit.id}")
    else:
        if (helped.sure and due - told) or (not helped.may and told):
            watch.object_to("sof.specialists.medic", f"dice {sorted(told)} of {first} are rolled again for {unit.id}")
        if not told and len(again) != first.count(6):
            watch.object_to("sof.basics.difficult-when", f"{len(again)} further dice for {first} of {unit.id}")
    if event.data["patched"] != patched or event.data["casualties"] != markers - patched:
        watch.object_to(
            "sof.triage.check",
            f"{unit.id}: {event.data['patched']} of {markers} wounds are patched up, and not {patched}",
        )
    if wounds(watch.state.units.get(unit.id, unit)) and unit.id in watch.state.units:
        watch.object_to("sof.triage.must", f"{unit.id} keeps wound markers")
    owe(watch, unit.id, markers - patched)


def tended(watch: Watch, unit: Any) -> Maybe:
    """Whether a medic, or a farrier for riders, is near."""
    found = []
    for other in placed(watch.earlier, unit.side):
        for figure in figures(other):
            role = "farrier" if unit.type == "mounted" else "medic"
            if figure.role == role and not disabled(figure):
                found.append(under(min(gap(figure, each) for each in figures(unit)), VOICE))
    if any(each.may for each in found):
        watch.count("Triages by a medic or a farrier")
    return any_of(found)


def owe(watch: Watch, name: str, casualties: int) -> None:
    if casualties:
        kept = course(watch)
        kept.casualties[name] = kept.casualties.get(name, 0) + casualties


# Wounds.


@book.on("wounded")
def wounds_are_laid(watch: Watch, event: Event) -> None:
    """Each marker disables a model, a leader's second one; the owner picks."""
    watch.count("wounds laid")
    name = event.data["unit"]
    before, after = watch.earlier.units[name], watch.state.units[name]
    added = wounds(after) - wounds(before)
    if event.data["wounds"] != wounds(after) and event.data["wounds"] != added:
        watch.object_to(
            "sof.shooting.wound-disables", f"{name} has {wounds(after)} wounds, told {event.data['wounds']}"
        )
    for figure in figures(after):
        limit = men(figure) + takes_one_more(figure)
        # Once nobody is left standing it makes no difference on whom the others lie.
        if figure.wounds > max(limit, before.teams[figure.id].wounds) and not all(map(disabled, figures(after))):
            watch.object_to("sof.shooting.wound-character", f"{figure.id} bears {figure.wounds} markers")
        if figure.wounds < before.teams[figure.id].wounds:
            watch.object_to("sof.shooting.wound-until-triage", f"{figure.id} loses a wound marker")
    halves = [figure for figure in figures(after) if takes_one_more(figure) and figure.wounds == 1]
    sound = [figure for figure in figures(after) if not figure.wounds and not takes_one_more(figure)]
    newly = [figure.id for figure in halves if not before.teams[figure.id].wounds]
    if newly and sound and len(halves) > 1:
        watch.object_to("sof.shooting.wound-disables", f"{newly} are marked, and disable nobody")
    told = set(event.data["disabled"])
    due = {figure.id for figure in figures(after) if disabled(figure) and not disabled(before.teams[figure.id])}
    if told != due and told != {figure.id for figure in figures(after) if disabled(figure)}:
        watch.object_to(
            "sof.shooting.wound-disables", f"{sorted(told)} of {name} are told as disabled, and not {sorted(due)}"
        )


# Casualties.


@book.on("losses")
def figures_are_removed(watch: Watch, event: Event) -> None:
    watch.count("losses")
    kept, name = course(watch), event.data["unit"]
    before, after = watch.earlier.units[name], watch.state.units.get(name)
    gone = [before.teams[team] for team in event.data["teams"]]
    left = set(after.teams) if after is not None else set()
    if left & set(event.data["teams"]) or set(before.teams) - left - set(event.data["teams"]):
        watch.object_to("sof.triage.remove", f"{name} has {sorted(left)} left after losing {event.data['teams']}")
    due = kept.casualties.get(name, 0)
    taken = sum(cost(figure) for figure in gone)
    if removed_outright(watch, event):
        return
    if taken > due:
        watch.object_to("sof.triage.remove", f"{name} loses {event.data['teams']} for {due} casualties")
    kept.casualties[name] = max(0, due - taken)
    serving = [figure for figure in gone if is_gunner(before, figure)]
    if serving and left:
        watch.object_to("sof.units.gun-lost-with-last-crewman", f"{serving[0].id} is removed before his crew")


def removed_outright(watch: Watch, event: Event) -> bool:
    """Whom a sniper names is gone, whatever he is worth; so is a flamethrower whose fuel is spent."""
    sums, shots = watch.memory.get("sof.tally"), course(watch).shots
    if sums is not None and sums.picks and shots is not None and event.data["unit"] == shots.target:
        watch.count("men picked off")
        sums.picks -= 1
        return True
    return watch.memory.get("sof.fuel") is not None and watch.memory["sof.fuel"] in event.data["teams"]


def is_gunner(unit: Any, figure: Any) -> bool:
    """The figure that serves the weapon of a weapon unit."""
    return bool(unit.type == "weapon" and figure.role != "crew" and figure.profile != "pistol")


@book.on("permanent-wound")
def a_permanent_wound_is_kept(watch: Watch, event: Event) -> None:
    watch.count("permanent wounds")
    kept, name = course(watch), event.data["unit"]
    figure = watch.state.units[name].teams[event.data["team"]]
    before = watch.earlier.units[name].teams[event.data["team"]]
    more = figure.permanent - before.permanent
    due = kept.casualties.get(name, 0)
    if not 0 < more <= due or event.data["permanent"] != figure.permanent or worth(figure) < 1:
        watch.object_to("sof.triage.permanent-wound", f"{figure.id} takes {more} permanent wounds for {due} casualties")
    kept.casualties[name] = max(0, due - more)
    fight = kept.fight
    struck = fight is not None and bool(fight.owed.get(name))
    watch.memory["sof.kept"] = name, figure.id, more, struck


@book.on()
def whole_figures_first(watch: Watch, event: Event) -> None:
    """What is kept as a permanent wound is less than any figure that could still go."""
    left = watch.memory.get("sof.kept")
    if left is None or event.kind in ("permanent-wound", "losses"):
        return
    watch.memory["sof.kept"] = None
    name, marked, more, struck = left
    if event.kind == "unit-lost" and event.data["unit"] == name:
        # With that wound it was combat ineffective, and nobody of it stays.
        return
    unit = watch.earlier.units.get(name)
    for figure in figures(unit) if unit is not None else []:
        if figure.id != marked and may_fall(unit, figure, struck) and worth(figure) <= more:
            watch.object_to(
                "sof.triage.full-figures", f"{name} keeps {more} casualties as wounds, and {figure.id} stays"
            )


def may_fall(unit: Any, figure: Any, struck: bool) -> bool:
    """Whether a figure can be removed: of those who were struck in close combat the sound ones, and a gunner last."""
    if struck and disabled(figure):
        return False
    if is_gunner(unit, figure) and len(unit.teams) > 1:
        return False
    return not (leads(figure) and any(not leads(each) for each in figures(unit)) and not figure.permanent)


@book.on()
def casualties_are_taken_at_once(watch: Watch, event: Event) -> None:
    """Nothing else happens while a unit owes casualties."""
    kept = course(watch)
    taking = ("triage", "losses", "permanent-wound", "break-off", "blows", "unit-lost", "lethality", "recon-reroll")
    if event.kind in taking:
        return
    for name, due in list(kept.casualties.items()):
        if due and unit_in(watch.state, name) is not None:
            watch.object_to("sof.triage.remove", f"{name} still owes {due} casualties when {event.kind} is told")
        kept.casualties.pop(name)


@book.on("losses", "permanent-wound")
def the_owner_chose(watch: Watch, event: Event) -> None:
    chosen = answer(watch, "casualties") or answer(watch, "fallen")
    if (
        event.kind == "losses"
        and chosen is not None
        and len(watch.told) == 1
        and set(chosen) != set(event.data["teams"])
    ):
        watch.object_to("sof.triage.remove", f"{event.data['teams']} go, and {chosen} were chosen")
