"""Received Fire Points are resolved: how many dice, in what cover, which of them again, and what the worst one does."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.lines import at_rim, in_area
from sandtable.testing.umpire.hof.sight import Maybe, agreed, both, either, hosts, spot_of, view
from sandtable.testing.umpire.hof.table import Member, find, kind_of

READY, SUPPRESSED, KILLED = range(3)
FATES = ("ready", "suppressed", "killed")
READY_FROM = 4

OWN = "hof.rfp-rally.resolve-on-activation"
NUMBERS = {
    "hof.optional.sniper-resolve": 1,
    "hof.optional.riders-tank-hit": 1,
    "hof.optional.mines-trigger": 1,
    "hof.optional.demolition-detonate": 3,
    "hof.transports.destroyed-by-penetration": 2,
    "hof.transports.destroyed-by-rfp": 2,
}
"""RFPs that are resolved at once, by what gave them."""

IN_THE_OPEN = (
    "hof.optional.sniper-resolve",
    "hof.optional.demolition-detonate",
    "hof.transports.destroyed-by-penetration",
)


def in_hard_cover(watch: Watch, state: Any, member: Member) -> Maybe:
    """Whether a Team is in Hard Cover where it stands: dug in, in a building or trench, or behind what it touches."""
    unit, team = member
    if team.dug_in:
        return True
    if team.role == "rider":
        return not team.exposed
    here = view(watch, state)
    found: list[Maybe] = []
    for host in hosts(state, unit, team):
        spot = spot_of(host)
        middle = shapely.Point(spot.at)
        covered: Maybe = host.dug_in
        for piece in here.pieces:
            if piece.kind.hard and piece.area:
                covered = either(covered, in_area(middle, piece))
            elif piece.kind.hard and piece.kind.shape == "line":
                covered = either(covered, both(not team.exposed, here.touches(spot, piece)))
            elif piece.kind.obstacle == "at-obstacle":
                covered = either(covered, both(not team.exposed, at_rim(spot, piece)))
        found.append(covered)
    if team.at is None:
        # Of those inside a Transport that stands in cover no rule speaks.
        return False if set(found) <= {False} else None
    return agreed(found)


def killed_up_to(row: bool) -> int:
    return 1 if row else 2


def reason(event: Event) -> str:
    """What gave the RFPs that are resolved."""
    return next((rule for rule in (OWN, *NUMBERS) if rule in event.rules), "")


@book.on("rfps")
def rfps_are_resolved(watch: Watch, event: Event) -> None:
    data = event.data
    name = data["team"]
    before, now = find(watch.earlier, name), find(watch.state, name)
    why = reason(event)
    if now is None or not why:
        watch.object_to(OWN, f"{name} resolves RFPs, and nobody knows why")
        return
    # Who bails out, or comes onto mines, is elsewhere now than when the last event was told.
    stayed = before is not None and (before[1].at, before[1].carrier) == (now[1].at, now[1].carrier)
    stayed = stayed and why != "hof.optional.mines-trigger"
    placed = before if stayed and before is not None else now
    watch.count("RFP rolls")
    was = placed[1]
    due = was.rfps if why == OWN else NUMBERS[why]
    if data["number"] != due:
        watch.object_to(why, f"{name} resolves {data['number']} RFPs instead of {due}")
    if why == OWN and now[1].rfps:
        watch.object_to(why, f"{name} keeps {now[1].rfps} RFPs")
    hard = cover_of(watch, event, why, placed)
    if hard is None:
        watch.count("covers in doubt")
        return
    judge_roll(watch, event, now, hard, why)


def cover_of(watch: Watch, event: Event, why: str, member: Member) -> Maybe:
    """Whether a Team resolves such RFPs in Hard Cover, if it is not Suppressed and no Vehicle."""
    if why in IN_THE_OPEN:
        return False
    if why == "hof.transports.destroyed-by-rfp":
        return True
    if why == "hof.optional.riders-tank-hit":
        return front_hit(watch, member[1])
    now = find(watch.state, member[1].id)
    state = watch.state if now is not None and now[1] is member[1] else watch.earlier
    return in_hard_cover(watch, state, member)


def front_hit(watch: Watch, rider: Any) -> Maybe:
    """Whether the hit on its tank came over the front; aircraft come from behind."""
    effects = watch.memory.get("effects")
    hit = next((each for each in effects.hits if each.team == rider.carrier), None) if effects is not None else None
    if hit is None:
        return False
    return None if hit.flank is None else not hit.flank


def judge_roll(watch: Watch, event: Event, member: Member, hard: bool, why: str) -> None:
    unit, team = member
    kind = kind_of(team)
    throw = event.dice[0]
    if len(throw.values) != event.data["number"]:
        watch.object_to(why, f"{team.id} rolls {len(throw.values)} dice for {event.data['number']} RFPs")
        return
    row = kind.vehicle or team.suppressed or hard
    if event.data["hard"] != row:
        watch.object_to(
            "hof.rfp-rally.result-table", f"{team.id} resolves {'' if event.data['hard'] else 'not '}in cover"
        )
        return
    again, elite = expected_rerolls(unit, team, throw, hard, row)
    results = [meaning(number, value, row, elite) for number, value in enumerate(throw.values)]
    stubborn = stands_firm(watch, unit, team, hard, throw, again, elite, row)
    if stubborn >= 0:
        again = again | {stubborn}
        results[stubborn] = READY if throw.values[stubborn] >= READY_FROM else SUPPRESSED
    if again != set(throw.before):
        words = f"{team.id}, {unit.quality}: {throw.values} after {throw.before}, again were {sorted(again)}"
        watch.object_to("hof.orders.reroll-once", words)
        return
    worst = max(results, default=READY)
    if worst == KILLED and team.role == "bunker":
        worst = SUPPRESSED
    if event.data["result"] != FATES[worst]:
        watch.object_to("hof.rfp-rally.result-table", f"{team.id} is {event.data['result']} by {throw.values}")
    if worst == KILLED:
        watch.memory.setdefault("doomed", {})[team.id] = "hof.rfp-rally.killed"
    else:
        watch.memory.setdefault("states due", {})[team.id] = team.suppressed or worst == SUPPRESSED


def expected_rerolls(unit: Any, team: Any, throw: Any, hard: bool, row: bool) -> tuple[set[int], set[int]]:
    """The dice that must be rolled again, and those of them that Elite troops roll for their lives."""
    if kind_of(team).vehicle:
        return set(), set()
    shown = [throw.before.get(number, value) for number, value in enumerate(throw.values)]
    again: set[int] = set()
    if team.suppressed and hard:
        again = set([number for number, value in enumerate(shown) if value <= killed_up_to(row)][:1])
    face = {"elite": 1, "poor": 6}.get(unit.quality, 0)
    quality = {number for number, value in enumerate(shown) if value == face and number not in again}
    return again | quality, quality if unit.quality == "elite" else set()


def meaning(number: int, value: int, row: bool, elite: set[int]) -> int:
    if number in elite:
        return SUPPRESSED if value >= READY_FROM else KILLED
    if value >= READY_FROM:
        return READY
    return KILLED if value <= killed_up_to(row) else SUPPRESSED


def stands_firm(
    watch: Watch, unit: Any, team: Any, hard: bool, throw: Any, again: set[int], elite: set[int], row: bool
) -> int:
    """The die that British Infantry in Hard Cover rolls again, or -1: one Suppressed result, where that can help."""
    british = watch.setup.options.national and unit.nation == "british" and kind_of(team).category == "infantry"
    if not british or not hard or team.suppressed:
        return -1
    shown = [value if number in again else throw.before.get(number, value) for number, value in enumerate(throw.values)]
    results = [meaning(number, value, row, elite) for number, value in enumerate(shown)]
    if max(results, default=READY) != SUPPRESSED or results.count(SUPPRESSED) != 1:
        return -1
    die = results.index(SUPPRESSED)
    return -1 if die in again else die


@book.on()
def suppression_follows(watch: Watch, event: Event) -> None:
    """What the dice said has come to be when the next thing happens."""
    due: dict[str, bool] = watch.memory.pop("states due", {})
    if event.kind == "rfps":
        mine = event.data["team"]
        if mine in due and find(watch.earlier, mine) is not None:
            watch.memory["states due"] = {mine: due.pop(mine)}
    for name, suppressed in due.items():
        found = find(watch.state, name)
        if found is not None and found[1].suppressed != suppressed and event.kind not in ("fall-back", "rally"):
            watch.object_to("hof.rfp-rally.suppressed-effects", f"{name} is {'not ' if suppressed else ''}Suppressed")


# Nobody acts under fire.


@book.on("fire", "move")
def rfps_come_first(watch: Watch, event: Event) -> None:
    """Who carries out an order has no RFPs left that it had when it was activated."""
    teams = event.data["teams"] if event.kind == "fire" else list(event.data["ways"])
    act = under_way(watch)
    waiting: set[str] = watch.memory.get("under fire", set())
    for name in teams:
        watch.count("acting Teams")
        if name in waiting and name in act.orders:
            watch.object_to(OWN, f"{name} acts with RFPs")


@book.on("activation")
def note_rfps(watch: Watch, event: Event) -> None:
    watch.memory["under fire"] = {
        name for name in event.data["orders"] if (found := find(watch.state, name)) is not None and found[1].rfps
    }


@book.on("rfps", "lost")
def no_longer_under_fire(watch: Watch, event: Event) -> None:
    watch.memory.setdefault("under fire", set()).discard(event.data["team"])
