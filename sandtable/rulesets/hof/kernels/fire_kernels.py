"""Compiled kernels of fire: who can fire at whom, in one call for all who fire and all their targets."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.rulesets.hof.kernels.concealing_kernels import shields
from sandtable.rulesets.hof.kernels.ground_sight_kernels import Lens, Looking, Places, looking, note, row_sees
from sandtable.table.base_kernels import arc_meets, base_distance, copy_row, norm, picked, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, Ints2, Mask1, Mask2, Mask3, helper, kernel
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.sight_kernels import bases_between, ground_between, some_line

FREE, OVER, THROUGH = 0, 1, 2  # no friend in the way of fire, only some who stand lower, or others


@helper
def apart(a: Floats1, b: Floats1, inches: float) -> bool:
    """Are two bases surely farther than so much from one another?"""
    return bool(norm(a[1] - b[1], a[2] - b[2]) > inches + reach(a) + reach(b) + GRID)


@helper
def close(a: Floats1, b: Floats1, inches: float) -> bool:
    """Are two bases within so much of one another?"""
    return bool(not apart(a, b, inches) and base_distance(a, b) <= inches + EXACT)


class Friends(NamedTuple):
    """Those who may be in the way of their own side's fire: numbers of rows, and 0 for those of them on foot."""

    numbers: Ints1
    classes: Ints1


class Targets(NamedTuple):
    """Those who may be fired at: numbers of rows, 0 for those on foot, and how much punch each is proof against."""

    numbers: Ints1
    high: Ints1
    proof: Floats1


class Shots(NamedTuple):
    """The tables that `all_fire` fills in: see `fire.Fire`."""

    gap: Floats2
    aim: Ints2
    marks: Mask3
    gain: Mask2


@helper
def in_the_way(stands: Ints1, ours: Friends) -> Friends:
    """Without those who count as being where another of them is."""
    numbers, classes = np.empty(ours.numbers.shape[0], dtype=np.int64), np.empty(ours.numbers.shape[0], dtype=np.int64)
    count = 0
    for k in range(ours.numbers.shape[0]):
        if stands[ours.numbers[k]] == ours.numbers[k]:
            numbers[count], classes[count] = ours.numbers[k], ours.classes[k]
            count += 1
    return Friends(numbers[:count], classes[:count])


@helper
def friends_between(
    a: Floats1,
    b: Floats1,
    friends: Floats2,
    classes: Ints1,
    over: int,
    own: int,
    floor: float,
    picks: Ints1,
    count: int,
) -> int:
    """Pick, after the first `count`, the friends that may be in the way, but not those who stand below `floor`."""
    found = bases_between(a, b, friends, classes, over, own, -1, picks, count)
    kept = count
    for k in range(count, found):
        if friends[-1 - picks[k], 7] >= floor:
            picks[kept] = picks[k]
            kept += 1
    return kept


@helper
def passes_friends(
    lens: Lens,
    a: Floats1,
    i: int,
    b: Floats1,
    j: int,
    friends: Floats2,
    classes: Ints1,
    over: int,
    own: int,
    floor: float,
    room: Looking,
) -> bool:
    """Does some line from base to base pass the ground and the friends in the way? i and j as in `bases_look`."""
    kept_a, kept_b, picks, scratch = room
    note(lens, a, i, kept_a)
    note(lens, b, j, kept_b)
    count = ground_between(
        lens.ground, lens.opacity, a, -math.inf, kept_a.over[i], b, -math.inf, kept_b.over[j], lens.touch, picks
    )
    if count < 0:
        return False
    count = friends_between(a, b, friends, classes, over, own, floor, picks, count)
    return count == 0 or some_line(
        lens.ground, lens.opacity, kept_a.points[i], kept_a.counts[i], -math.inf,
        kept_b.points[j], kept_b.counts[j], -math.inf, friends, picks, count, scratch,
    )  # fmt: skip


@helper
def number_of(numbers: Ints1, number: int) -> int:
    """Which of some numbers one is; -1 if none."""
    found = -1
    for k in range(numbers.shape[0]):
        if numbers[k] == number:
            found = k
    return found


@helper
def in_reach(rows: Floats2, firing: Floats2, targets: Ints1, shots: Shots) -> bool:
    """Fill in how far everybody is, and who is in reach. Is anybody?"""
    gap, near = shots.gap, shots.marks[0]
    some = False
    for i in range(firing.shape[0]):
        a = rows[int(firing[i, 0])]
        for j in range(targets.shape[0]):
            gap[i, j] = math.inf
            if not apart(a, rows[targets[j]], firing[i, 2] + EXACT):
                gap[i, j] = base_distance(a, rows[targets[j]])
            near[i, j] = gap[i, j] <= firing[i, 2] + EXACT
            some = some or near[i, j]
    return bool(some)


@helper
def in_view(
    lens: Lens, places: Places, firing: Floats2, targets: Ints1, width: float, room: Looking, shots: Shots
) -> bool:
    """Of those in reach, fill in who is in the arc and who is seen, and may be fired at so far. Is anybody?"""
    rows, aim = places.rows, shots.aim
    near, sees, arc, line = shots.marks[0], shots.marks[1], shots.marks[2], shots.marks[3]
    some = False
    for i in range(firing.shape[0]):
        p = int(firing[i, 0])
        for j in range(targets.shape[0]):
            if not near[i, j]:
                continue
            arc[i, j] = math.isnan(firing[i, 1]) or arc_meets(
                rows[p, 1], rows[p, 2], firing[i, 1], width, rows[targets[j]]
            )
            # A target is seen where it counts as being, which is not always where it stands.
            if row_sees(lens, places, p, i, places.stands[targets[j]], j, room):
                sees[i, j] = line[i, j] = some = True
                aim[i, j] = j
    return bool(some)


@helper
def past_friends(
    lens: Lens,
    places: Places,
    ours: Friends,
    friends: Floats2,
    firing: Floats2,
    targets: Targets,
    room: Looking,
    shots: Shots,
) -> bool:
    """Fill in to whom a line of fire passes the friends, and who can be fired at. Is there any line?"""
    rows, stands, classes = places.rows, places.stands, ours.classes
    arc, line, can = shots.marks[2], shots.marks[3], shots.marks[4]
    some = False
    for i in range(firing.shape[0]):
        p = int(firing[i, 0])
        a = rows[p]
        own = number_of(ours.numbers, p)
        heavies = False
        for k in range(classes.shape[0]):
            if classes[k] > 0 and friends[k, 7] >= a[7]:
                heavies = True
        for j in range(targets.numbers.shape[0]):
            if not line[i, j]:
                continue
            on_foot = firing[i, 3] == 0.0
            # Whoever fires on foot at something high fires over those on foot; without others nobody is in the way.
            if heavies or not (on_foot and targets.high[j] > 0):
                over = 0 if on_foot and targets.high[j] == 0 else 1
                b = rows[stands[targets.numbers[j]]]
                # What is seen need be looked at again only if there is smoke, or a friend may be in the way.
                if (
                    lens.smoky.shape[0] > 0
                    or friends_between(a, b, friends, classes, over, own, a[7], room.picks, 0) > 0
                ):
                    line[i, j] = passes_friends(lens, a, i, b, j, friends, classes, over, own, a[7], room)
            if line[i, j]:
                some = True
                can[i, j] = arc[i, j]
    return some


@helper
def aim_beside(
    lens: Lens, places: Places, firing: Floats2, targets: Ints1, spill: float, room: Looking, shots: Shots
) -> None:
    """Whoever does not see the target may fire at the nearest enemy in sight close to it."""
    rows, gap, aim = places.rows, shots.gap, shots.aim
    near, sees, arc, line, can = shots.marks[0], shots.marks[1], shots.marks[2], shots.marks[3], shots.marks[4]
    for j in range(targets.shape[0]):
        for i in range(firing.shape[0]):
            if sees[i, j]:
                continue
            best = -1
            for v in range(targets.shape[0]):
                nearer = line[i, v] and (best < 0 or gap[i, v] < gap[i, best])
                if nearer and close(rows[targets[j]], rows[targets[v]], spill):
                    best = v
            if best < 0:
                continue
            p, q = int(firing[i, 0]), places.stands[targets[j]]
            if not near[i, j] and row_sees(lens, places, p, i, q, j, room):
                sees[i, j] = True
                aim[i, j] = j
                continue
            aim[i, j] = best
            can[i, j] = can[i, j] or arc[i, best]


@helper
def shut_in(
    lens: Lens, rows: Floats2, houses: Mask1, firing: Floats2, theirs: Floats2, shut: Mask1, shots: Shots
) -> None:
    """Nobody fires out of a house but at its edges; `shut` is room for a mark of each target."""
    line = shots.marks[3]
    for i in range(firing.shape[0]):
        row = rows[int(firing[i, 0])]
        for f in range(houses.shape[0]):
            if houses[f] and shields(lens.ground, f, row, theirs, lens.touch + EXACT, GRID, shut):
                for j in range(theirs.shape[0]):
                    line[i, j] = line[i, j] and not shut[j]


@kernel
def all_fire(
    lens: Lens,
    places: Places,
    ours: Friends,
    firing: Floats2,
    targets: Targets,
    houses: Mask1,
    width: float,
    spill: float,
) -> tuple[Floats, Ints, Mask, Mask, bool]:
    """All that a fire table holds: gap, aim, marks (near, sees, arc, line, can), gain, if any can; see `fire.Fire`."""
    n, m = firing.shape[0], targets.numbers.shape[0]
    gap = np.empty((n, m))
    aim = np.full((n, m), -1, dtype=np.int64)
    gain = np.zeros((n + 1, m + 1), dtype=np.bool_)
    # One array for all of them: what is handed back one by one costs more than it is to find out.
    marks = np.zeros((6, n, m), dtype=np.bool_)
    shots = Shots(gap, aim, marks, gain)
    some = False
    if in_reach(places.rows, firing, targets.numbers, shots):
        room = looking(lens, n, m, ours.numbers.shape[0])
        if in_view(lens, places, firing, targets.numbers, width, room, shots):
            if houses.shape[0] > 0:
                theirs = np.empty((m, 8))
                for j in range(m):
                    copy_row(places.rows[places.stands[targets.numbers[j]]], theirs[j])
                shut_in(lens, places.rows, houses, firing, theirs, np.empty(m, dtype=np.bool_), shots)
            among = in_the_way(places.stands, ours)
            friends = picked(places.rows, among.numbers)
            if past_friends(lens, places, among, friends, firing, targets, room, shots):
                aim_beside(lens, places, firing, targets.numbers, spill, room, shots)
                some = find_gain(marks[4], places.rows, firing, targets.numbers, targets.proof, spill, gain)
    return gap, aim, marks, gain, some


@kernel
def find_gain(
    can: Mask2, rows: Floats2, firing: Floats2, targets: Ints1, proof: Floats1, spill: float, gain: Mask2
) -> bool:
    """Fill in (n + 1, m + 1) where fire may do something, see `fire.fire_gain`. Can anybody fire at all?"""
    n, m = can.shape
    some = False
    for j in range(m):
        for i in range(n):
            if not can[i, j]:
                continue
            some = True
            gain[i, j] = firing[i, 4] >= proof[j]
            for v in range(m):
                if gain[i, j]:
                    break
                gain[i, j] = firing[i, 4] >= proof[v] and close(rows[targets[j]], rows[targets[v]], spill)
            gain[n, j] = gain[n, j] or gain[i, j]
        for i in range(n):
            gain[i, m] = gain[i, m] or (gain[n, j] and can[i, j])
    return some


@kernel
def pick_about(
    rows: Floats2, targets: Ints1, first: int, spill: float, gap: Floats2, aim: Ints2, marks: Mask3
) -> tuple[Ints, Floats, Ints, Mask]:
    """One target and those close to it: their numbers, and their part of gap, aim (of the first only) and marks."""
    n, m = gap.shape
    picked = np.empty(m, dtype=np.int64)
    picked[0] = first
    count = 1
    for j in range(m):
        if j != first and close(rows[targets[first]], rows[targets[j]], spill):
            picked[count] = j
            count += 1
    picked = picked[:count]
    part_gap = np.empty((n, count))
    part_aim = np.full((n, count), -1, dtype=np.int64)
    part_marks = np.empty((marks.shape[0], n, count), dtype=np.bool_)
    for i in range(n):
        for k in range(count):
            j = picked[k]
            part_gap[i, k] = gap[i, j]
            for w in range(marks.shape[0]):
                part_marks[w, i, k] = marks[w, i, j]
            if aim[i, first] == j:
                part_aim[i, 0] = k
    return picked, part_gap, part_aim, part_marks


@helper
def fire_past(
    lens: Lens,
    rows: Floats2,
    ours: Friends,
    friends: Floats2,
    firing: Floats2,
    b: Floats1,
    wanted: Mask1,
    room: Looking,
    out: Ints1,
) -> None:
    """Fill in whom those who are wanted fire over."""
    sure = lens.smoky.shape[0] == 0
    for i in range(firing.shape[0]):
        if not wanted[i]:
            continue
        p = int(firing[i, 0])
        a = rows[p]
        own = number_of(ours.numbers, p)
        for floor in (-math.inf, a[7]):
            if sure and friends_between(a, b, friends, ours.classes, 0, own, floor, room.picks, 0) == 0:
                break
            if passes_friends(lens, a, i, b, 0, friends, ours.classes, 0, own, floor, room):
                break
            out[i] += 1


@kernel
def all_over(lens: Lens, places: Places, ours: Friends, firing: Floats2, stand: int, wanted: Mask1) -> Ints:
    """Whom those who are wanted, and have a line of fire to the row `stand`, fire over: FREE, OVER or THROUGH, (n,)."""
    rows = places.rows
    n, among = firing.shape[0], in_the_way(places.stands, ours)
    out = np.zeros(n, dtype=np.int64)
    friends, room = picked(rows, among.numbers), looking(lens, n, 1, among.numbers.shape[0])
    fire_past(lens, rows, among, friends, firing, rows[stand], wanted, room, out)
    return out
