"""Allocation: on whom the hits of a volley fall, and how many markers they bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import Weapon
from sandtable.testing.umpire.tr14.firing import candidates, look_at_dice
from sandtable.testing.umpire.tr14.geometry import any_of
from sandtable.testing.umpire.tr14.log import kind, log
from sandtable.testing.umpire.tr14.rulebook import book
from sandtable.testing.umpire.tr14.volleys import Range, Scene, Shot, Volley


@book.on("allocated")
def hits_are_allocated(watch: Watch, event: Event) -> None:
    watch.count("allocations")
    volley: Volley | None = log(watch).volley
    if volley is None:
        watch.object_to("tr14.firing.allocation", "hits are allocated that nobody scored")
        return
    by: list[list[Any]] = event.data["by"]
    volley.queue = [list(each) for each in by]
    if sum(each[3] for each in by) != volley.hits():
        watch.object_to("tr14.firing.allocation", f"{volley.hits()} hits, and {sum(e[3] for e in by)} are allocated")
    dice = [0] * len(volley.scene.members)
    numbers = {team.id: number for number, (_, team) in enumerate(volley.scene.members)}
    left = [each for each in by if each[1]]
    for shot in volley.shots:
        if shot.weapon.at():
            look_at_dice(watch, volley.scene, shot, dice)
        if shot.throw is None or not shot.weapon.at() or not shot.hits:
            continue
        mine = next((each for each in left if each[0] == shot.shooter and each[1] == shot.weapon.name), None)
        if mine is None or mine[3] != shot.hits:
            watch.object_to("tr14.firing.at-single-team", f"{shot.shooter}'s hits do not go to one Team")
            return
        left.remove(mine)
        look_at_at_hits(watch, volley.scene, shot, numbers[mine[2]], dice)
        dice[numbers[mine[2]]] += shot.hits
    plain = {numbers[each[2]]: each[3] for each in by if not each[1]}
    look_at_plain_hits(watch, volley, plain, dice)
    volley.markers = markers_owed(volley)


def look_at_at_hits(watch: Watch, scene: Scene, shot: Shot, chosen: int, dice: Sequence[int]) -> None:
    """All hits of an AT weapon go to one Team, the first in order of those it may hit."""
    sure, all_ = candidates(scene, shot)
    if chosen not in all_:
        watch.object_to("tr14.firing.allocation", f"{shot.shooter}'s {shot.weapon.name} hits whom it cannot")
        return

    def rank(position: int) -> Range:
        return scene.allocation_class(position, scene.cover_from([shot.shooter], position, at=True))

    mine = (dice[chosen], rank(chosen)[0])
    for position in sure:
        if (dice[position], rank(position)[1]) < mine:
            names = [scene.members[p][1].id for p in (chosen, position)]
            watch.object_to("tr14.firing.allocation-order", f"{names[0]} is hit before {names[1]}")


def look_at_plain_hits(watch: Watch, volley: Volley, plain: dict[int, int], at: Sequence[int]) -> None:
    """Nobody is hit before those who come first, and nobody twice before everybody once."""
    if not plain:
        return
    scene = volley.scene
    fired = [shot for shot in volley.shots if shot.throw is not None]
    sure, all_ = valid_targets(scene, fired)
    names = list(dict.fromkeys(shot.shooter for shot in fired if not shot.weapon.at()))
    ranks = {p: scene.allocation_class(p, scene.cover_from(names, p, at=False)) for p in set(all_) | set(plain)}
    for position, number in plain.items():
        watch.count("hits allocated", number)
        name = scene.members[position][1].id
        if position not in all_:
            watch.object_to("tr14.firing.allocation", f"{name} is hit, and nobody who fires can hit it")
        last = (at[position] + number - 1, ranks[position][0])
        for other in sure:
            if other != position and (at[other] + plain.get(other, 0), ranks[other][1]) < last:
                first = scene.members[other][1].id
                watch.object_to("tr14.firing.allocation-order", f"{name} is hit before {first}")


def valid_targets(scene: Scene, fired: Sequence[Shot]) -> tuple[list[int], list[int]]:
    """Teams that some weapon which fired surely can hit, and those that one may."""
    sure, perhaps = [], []
    pairs: list[tuple[str, Weapon]] = [(shot.shooter, shot.weapon) for shot in fired]
    for position in range(len(scene.members)):
        can = any_of([scene.can_hit(name, weapon, position) for name, weapon in pairs])
        if can:
            sure.append(position)
        if can is not False:
            perhaps.append(position)
    return sure, perhaps


def markers_owed(volley: Volley) -> int:
    """tr14.suppression.per-three-hits, tr14.firing.at-one-suppression; armored Teams have a table of their own."""
    kinds = {team.id: kind(team) for _, team in volley.scene.members}
    soft = [each for each in volley.queue if not kinds[each[2]].armored()]
    dice = sum(each[3] for each in soft)
    plain = sum(each[3] for each in soft if not each[1])
    weapons = sum(1 for each in soft if each[1])
    return int(min(dice // 3, plain // 3 + weapons))
