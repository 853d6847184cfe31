"""Into the saddle and out of it."""

from __future__ import annotations

import math
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.before import set_down
from sandtable.testing.umpire.sof.log import course
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.table import (
    COMMAND_REACH,
    HAIR,
    figures,
    hangs_together,
    placed,
    radius,
    turn_between,
)

FARTHEST = 6.0
RULES = {"mount": "sof.actions.mount", "dismount": "sof.actions.dismount-mounted"}
GAP = 2.0


@book.on("mount", "dismount")
def a_unit_changes_its_seats(watch: Watch, event: Event) -> None:
    """An action of its own; each model is replaced by its equal, about where it stood."""
    watch.count(f"units that {event.kind}")
    rule, act = RULES[event.kind], course(watch).act
    before, after = watch.earlier.units[event.data["unit"]], watch.state.units[event.data["unit"]]
    if act is None or act.unit != after.id or act.actions[-1:] != [event.kind]:
        watch.object_to(rule, f"{after.id}: {event.kind} without an action")
    mounts = event.kind == "mount"
    types = ("infantry", "mounted") if mounts else ("mounted", "infantry")
    if (before.type, after.type) != types or before.dismounted != mounts or after.dismounted == mounts:
        watch.object_to(rule, f"{after.id} goes from {before.type} to {after.type} by {event.kind}")
    if (after.formation, after.alignment) != (before.formation, before.alignment):
        watch.object_to(rule, f"{after.id} changes its formation by {event.kind}")
    for name, man in after.teams.items():
        seats(watch, rule, before.teams[name], man, mounts=mounts)
    set_down(watch, after, rule)
    where_they_stood(watch, rule, before, after)


def seats(watch: Watch, rule: str, before: Any, man: Any, *, mounts: bool) -> None:
    """The horse goes with its wound: a rider has one more than the man on foot, and keeps what he had left."""
    if man.mounted != mounts or (man.profile, man.arms, man.role, man.wounds) != (
        before.profile,
        before.arms,
        before.role,
        before.wounds,
    ):
        watch.object_to(rule, f"{man.id} is another man")
    due = before.permanent + bool(before.unhorsed) if mounts else max(0, before.permanent - 1)
    if man.permanent != due or man.unhorsed != (not mounts and before.permanent > 0):
        watch.object_to(rule, f"{man.id} has {man.permanent} permanent wounds, and not {due}")


def where_they_stood(watch: Watch, rule: str, before: Any, after: Any) -> None:
    """As near as may be to where they were: right there, if they could all stay."""
    moved = {man.id: math.dist(man.at, before.teams[man.id].at) for man in figures(after)}
    if after.formation == "linear" and after.pose is not None and before.pose is not None:
        turned = turn_between(after.pose.facing, before.pose.facing)
        if math.dist(after.pose.at, before.pose.at) > 0.02 or turned > 0.2:
            watch.object_to(rule, f"{after.id} stands at {after.pose}, and stood at {before.pose}")
        return
    if max(moved.values(), default=0.0) > FARTHEST + HAIR:
        watch.object_to(rule, f"{after.id} moves {max(moved.values()):.2f} inches")
    spots = [(before.teams[man.id].at, radius(man)) for man in figures(after)]
    reach = COMMAND_REACH[after.formation] or 0.05
    apart = all(math.dist(a, b) >= r + s + HAIR for n, (a, r) in enumerate(spots) for b, s in spots[n + 1 :])
    clear = all(
        math.dist(at, man.at) - r - radius(man) > GAP + HAIR
        for at, r in spots
        for unit in placed(watch.state)
        if unit.id != after.id
        for man in figures(unit)
    )
    table = watch.setup.table
    inside = all(
        r + HAIR <= x <= table.width - r - HAIR and r + HAIR <= y <= table.depth - r - HAIR for (x, y), r in spots
    )
    nobody_moves_for_nothing(watch, rule, before, after)
    if apart and clear and inside and hangs_together(spots, reach - HAIR) and max(moved.values(), default=0.0) > 0.02:
        watch.object_to(rule, f"{after.id} could stay where it was, and moves {max(moved.values()):.2f} inches")


def nobody_moves_for_nothing(watch: Watch, rule: str, before: Any, after: Any) -> None:
    """Whoever has moved could not have stayed, as all the others stand now."""
    men, table = figures(after), watch.setup.table
    reach = COMMAND_REACH[after.formation] or 0.05
    others = [man for unit in placed(watch.state) if unit.id != after.id for man in figures(unit)]
    for man in men:
        (x, y), r = before.teams[man.id].at, radius(man)
        if math.dist(man.at, (x, y)) <= 0.02:
            continue
        watch.count("men who step aside to mount or dismount")
        mates = [(each.at, radius(each)) for each in men if each.id != man.id]
        free = all(math.dist((x, y), at) >= r + s + HAIR for at, s in mates) and all(
            math.dist((x, y), other.at) - r - radius(other) > GAP + HAIR for other in others
        )
        inside = r + HAIR <= x <= table.width - r - HAIR and r + HAIR <= y <= table.depth - r - HAIR
        if free and inside and hangs_together([((x, y), r), *mates], reach - HAIR):
            watch.object_to(rule, f"{man.id} could stay where it was, and moves {math.dist(man.at, (x, y)):.2f} inches")
