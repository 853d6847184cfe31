"""Compiled kernels of fire: who can fire at whom, in one call for all who fire and all their targets."""

from __future__ import annotations

import math

import numpy as np

from sandtable.rulesets.hof.kernels.concealing_kernels import all_shielded
from sandtable.rulesets.hof.kernels.ground_sight_kernels import (
    SEEN,
    UNKNOWN,
    UNSEEN,
    Lens,
    Notes,
    bases_look,
    note,
    notes,
)
from sandtable.table.base_kernels import arc_meets, base_distance, copy_row, norm, picked, reach
from sandtable.table.compiled import Flags1, Floats1, Floats2, Ints1, Ints2, Mask1, Mask2, Mask3, helper, kernel
from sandtable.table.ground_kernels import scratch_for
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
    kept_a: Notes,
    b: Floats1,
    j: int,
    kept_b: Notes,
    friends: Floats2,
    classes: Ints1,
    over: int,
    own: int,
    floor: float,
    picks: Ints1,
    scratch: Floats2,
) -> bool:
    """Does some line from base to base pass the ground and the friends in the way?"""
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


@kernel
def all_fire(
    lens: Lens,
    houses: Mask1,
    rows: Floats2,
    known: Flags1,
    stands: Ints1,
    ours: Ints1,
    classes: Ints1,
    firing: Floats2,
    targets: Ints1,
    high: Ints1,
    proof: Floats1,
    width: float,
    spill: float,
) -> tuple[Floats, Ints, Mask, Mask, bool]:
    """All that a fire table holds: gap, aim, marks (near, sees, arc, line, can), gain, if any can; see `fire.Fire`."""
    n, m, many = firing.shape[0], targets.shape[0], rows.shape[0]
    gap = np.empty((n, m))
    aim = np.full((n, m), -1, dtype=np.int64)
    gain = np.zeros((n + 1, m + 1), dtype=np.bool_)
    # One array for all of them: what is handed back one by one costs more than it is to find out.
    marks = np.zeros((6, n, m), dtype=np.bool_)
    near, sees, arc, line, can = marks[0], marks[1], marks[2], marks[3], marks[4]
    some = False
    for i in range(n):
        a = rows[int(firing[i, 0])]
        for j in range(m):
            gap[i, j] = math.inf
            if not apart(a, rows[targets[j]], firing[i, 2] + EXACT):
                gap[i, j] = base_distance(a, rows[targets[j]])
            near[i, j] = gap[i, j] <= firing[i, 2] + EXACT
            some = some or near[i, j]
    if not some:
        return gap, aim, marks, gain, False
    friends = picked(rows, ours)
    enemies = picked(rows, targets)
    kept_a = notes(n, lens)
    # Of where each target counts as being, which is not always where it stands.
    kept_b = notes(m, lens)
    picks = np.empty(lens.ground.table.shape[0] + ours.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    some = False
    for i in range(n):
        p = int(firing[i, 0])
        for j in range(m):
            if not near[i, j]:
                continue
            q = stands[targets[j]]
            if known[p * many + q] == UNKNOWN:
                seen = bases_look(
                    lens, rows[p], i, kept_a, rows[q], j, kept_b,
                    picks, scratch,
                )  # fmt: skip
                known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
            arc[i, j] = math.isnan(firing[i, 1]) or arc_meets(
                rows[p, 1], rows[p, 2], firing[i, 1], width, rows[targets[j]]
            )
            if known[p * many + q] == SEEN:
                sees[i, j] = line[i, j] = some = True
                aim[i, j] = j
    if some and houses.shape[0] > 0:
        shooters = np.empty((n, 8))
        for i in range(n):
            copy_row(rows[int(firing[i, 0])], shooters[i])
        theirs = np.empty((m, 8))
        for j in range(m):
            copy_row(rows[stands[targets[j]]], theirs[j])
        shut = all_shielded(lens.ground, houses, shooters, theirs, lens.touch + EXACT, GRID)
        for i in range(n):
            for j in range(m):
                line[i, j] = line[i, j] and not shut[i, j]
    some = False
    for i in range(n):
        p = int(firing[i, 0])
        a = rows[p]
        heavies = False
        own = -1
        for k in range(ours.shape[0]):
            if ours[k] == p:
                own = k
            if classes[k] > 0 and friends[k, 7] >= a[7]:
                heavies = True
        for j in range(m):
            if not line[i, j]:
                continue
            on_foot = firing[i, 3] == 0.0
            # Whoever fires on foot at something high fires over those on foot; without others nobody is in the way.
            if heavies or not (on_foot and high[j] > 0):
                over = 0 if on_foot and high[j] == 0 else 1
                b = rows[stands[targets[j]]]
                # What is seen need be looked at again only if there is smoke, or a friend may be in the way.
                if lens.smoky.shape[0] > 0 or friends_between(a, b, friends, classes, over, own, a[7], picks, 0) > 0:
                    line[i, j] = passes_friends(
                        lens, a, i, kept_a, b, j, kept_b, friends, classes, over, own, a[7], picks, scratch,
                    )  # fmt: skip
            if line[i, j]:
                some = True
                can[i, j] = arc[i, j]
    if not some:
        return gap, aim, marks, gain, False
    # Whoever does not see the target may fire at the nearest enemy in sight close to it.
    for j in range(m):
        for i in range(n):
            if sees[i, j]:
                continue
            best = -1
            for v in range(m):
                nearer = line[i, v] and (best < 0 or gap[i, v] < gap[i, best])
                if nearer and close(enemies[j], enemies[v], spill):
                    best = v
            if best < 0:
                continue
            if not near[i, j]:
                p, q = int(firing[i, 0]), stands[targets[j]]
                if known[p * many + q] == UNKNOWN:
                    seen = bases_look(
                        lens, rows[p], i, kept_a, rows[q], j, kept_b,
                        picks, scratch,
                    )  # fmt: skip
                    known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
                if known[p * many + q] == SEEN:
                    sees[i, j] = True
                    aim[i, j] = j
                    continue
            aim[i, j] = best
            can[i, j] = can[i, j] or arc[i, best]
    find_gain(can, rows, firing, targets, proof, spill, gain)
    some = False
    for i in range(n):
        for j in range(m):
            some = some or can[i, j]
    return gap, aim, marks, gain, bool(some)


@kernel
def find_gain(
    can: Mask2, rows: Floats2, firing: Floats2, targets: Ints1, proof: Floats1, spill: float, gain: Mask2
) -> None:
    """Fill in (n + 1, m + 1) where fire may do something; see `fire.fire_gain`."""
    n, m = can.shape
    for j in range(m):
        for i in range(n):
            if not can[i, j]:
                continue
            gain[i, j] = firing[i, 4] >= proof[j]
            for v in range(m):
                if gain[i, j]:
                    break
                gain[i, j] = firing[i, 4] >= proof[v] and close(rows[targets[j]], rows[targets[v]], spill)
            gain[n, j] = gain[n, j] or gain[i, j]
        for i in range(n):
            gain[i, m] = gain[i, m] or (gain[n, j] and can[i, j])


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


@kernel
def all_over(
    lens: Lens,
    rows: Floats2,
    ours: Ints1,
    firing: Floats2,
    stand: int,
    wanted: Mask1,
) -> Ints:
    """Whom those who are wanted, and have a line of fire to the row `stand`, fire over: FREE, OVER or THROUGH, (n,)."""
    n = firing.shape[0]
    out = np.zeros(n, dtype=np.int64)
    friends = picked(rows, ours)
    classes = np.zeros(ours.shape[0], dtype=np.int64)
    kept_a = notes(n, lens)
    kept_b = notes(1, lens)
    picks = np.empty(lens.ground.table.shape[0] + ours.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    b = rows[stand]
    sure = lens.smoky.shape[0] == 0
    for i in range(n):
        if not wanted[i]:
            continue
        p = int(firing[i, 0])
        a = rows[p]
        own = -1
        for k in range(ours.shape[0]):
            if ours[k] == p:
                own = k
        for floor in (-math.inf, a[7]):
            if sure and friends_between(a, b, friends, classes, 0, own, floor, picks, 0) == 0:
                break
            if passes_friends(lens, a, i, kept_a, b, 0, kept_b, friends, classes, 0, own, floor, picks, scratch):
                break
            out[i] += 1
    return out
