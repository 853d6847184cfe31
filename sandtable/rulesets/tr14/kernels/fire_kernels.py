"""Compiled kernels of fire: who could fire at whom, and the numbers of a volley."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import (
    arc_meets,
    base_distance,
    copy_row,
    norm,
    picked,
    reach,
    square,
)
from sandtable.table.compiled import (
    Flags2,
    Floats1,
    Floats2,
    Ints1,
    helper,
    kernel,
)
from sandtable.table.ground_kernels import (
    GroundArrays,
    point_inside,
    scratch_for,
)
from sandtable.table.hairs import NOTHING
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.sight_kernels import all_shelter, bases_between, ground_between, samples, some_line

UNSEEN = 99  # more than any shelter

UNKNOWN, SHUT, OPEN = 0, 1, 2  # what a memory holds of two bases: whether the ground leaves a line between them


@helper
def in_arc(x: float, y: float, facing: float, width: float, row: Floats1, radius: float) -> bool:
    """`arc_meets` for half circles and less, with a quick answer for a base that is not near the arc's edge."""
    if math.isnan(facing):
        return True
    if width > 180.0:
        return arc_meets(x, y, facing, width, row)
    dx, dy = row[1] - x, row[2] - y
    left = math.radians(facing - width / 2)
    right = math.radians(facing + width / 2)
    # How far the centre lies right of the left edge, and left of the right one.
    inner = min(dx * math.cos(left) - dy * math.sin(left), dy * math.sin(right) - dx * math.cos(right))
    if inner > NOTHING:
        return True
    return inner > -radius - NOTHING and arc_meets(x, y, facing, width, row)


@helper
def in_field(row: Floats1, facings: Floats1, reaches: Floats1, width: float, target: Floats1) -> bool:
    """Does a target lie in any of the fields of a base?"""
    # Bases are no farther apart than their centres, and nearer by no more than their circles.
    most = norm(row[1] - target[1], row[2] - target[2])
    radius = reach(target)
    least = most - reach(row) - radius
    d = -1.0
    for w in range(facings.shape[0]):
        if least > reaches[w] + NOTHING:
            continue
        if most > reaches[w]:
            if d < 0.0:
                d = base_distance(row, target)
            if d > reaches[w]:
                continue
        if in_arc(row[1], row[2], facings[w], width, target, radius):
            return True
    return False


@kernel
def all_fields(
    rows: Floats2, facings: Floats2, reaches: Floats2, width: float, targets: Floats2
) -> tuple[Floats, Mask, Mask]:
    """Distances (n, m), the targets in each base's k fields (k, n, m), and those in any of them (n, m)."""
    n, m, k = rows.shape[0], targets.shape[0], facings.shape[1]
    distance = np.empty((n, m))
    fields = np.zeros((k, n, m), dtype=np.bool_)
    some = np.zeros((n, m), dtype=np.bool_)
    for i in range(n):
        for j in range(m):
            d = base_distance(rows[i], targets[j])
            distance[i, j] = d
            for w in range(k):
                if d <= reaches[i, w]:
                    facing = facings[i, w]
                    if math.isnan(facing) or arc_meets(rows[i, 1], rows[i, 2], facing, width, targets[j]):
                        fields[w, i, j] = True
                        some[i, j] = True
    return distance, fields, some


@helper
def forget_moved(rows: Floats2, kept: Floats2, known: Flags2) -> None:
    """Forget whatever is known of bases that do not stand as they were kept, and keep how they stand now."""
    for n in range(rows.shape[0]):
        if rows[n, 1] != kept[n, 1] or rows[n, 2] != kept[n, 2] or rows[n, 3] != kept[n, 3] or rows[n, 4] != kept[n, 4]:
            copy_row(rows[n], kept[n])
            for k in range(rows.shape[0]):
                known[n, k] = known[k, n] = UNKNOWN


@helper
def note(known: Flags2, remember: bool, a: int, b: int, fact: int) -> None:
    """Remember of two bases whether the ground leaves a line between them: it is the same both ways."""
    if remember:
        known[a, b] = fact
        known[b, a] = fact


@kernel
def all_watch(
    ground: GroundArrays,
    opacity: Floats2,
    rows: Floats2,
    ours: Ints1,
    classes: Ints1,
    over: Ints1,
    all_reaches: Floats2,
    firing: Ints1,
    all_facings: Floats2,
    limits: Floats1,
    b: Floats2,
    starts: Ints1,
    moving: Ints1,
    width: float,
    touch: float,
    kept: Floats2,
    known: Flags2,
    numbers: Ints1,
) -> Mask:
    """Which watcher has a target of which group in a field of fire and in sight, (n, groups)."""
    table = ground.table
    remember = numbers.shape[0] > 0
    if remember:
        forget_moved(rows, kept, known)
    blockers = picked(rows, ours)
    mine = np.empty(firing.shape[0], dtype=np.int64)
    for i in range(firing.shape[0]):
        mine[i] = ours[firing[i]]
    a = picked(rows, mine)
    facings = picked(all_facings, mine)
    reaches = picked(all_reaches, firing)
    groups = starts.shape[0] - 1
    out = np.zeros((a.shape[0], groups), dtype=np.bool_)
    scratch = scratch_for(ground)
    points_a = np.empty((9, 2))
    points_b = np.empty((9, 2))
    largest = 0
    for k in range(groups):
        largest = max(largest, starts[k + 1] - starts[k])
    picks = np.empty((largest, table.shape[0] + blockers.shape[0]), dtype=np.int64)
    alone = np.empty(table.shape[0], dtype=np.int64)
    doubts = np.empty((largest, 3), dtype=np.int64)
    nobody = np.empty(0, dtype=np.bool_)
    radii = np.empty(b.shape[0])
    for j in range(b.shape[0]):
        radii[j] = reach(b[j])
    for i in range(a.shape[0]):
        x, y = a[i, 1], a[i, 2]
        # What is surely too far away is hindering over first: most of it is.
        radius = reach(a[i]) + NOTHING
        close = limits[i] + radius
        far = reaches[i, 0] + radius
        for w in range(1, reaches.shape[1]):
            far = max(far, reaches[i, w] + radius)
        count_a = 0
        for k in range(groups):
            first = starts[k]
            near = limits[i] == math.inf
            for j in range(first, first + moving[k]):
                if near:
                    break
                if square(b[j, 1] - x) + square(b[j, 2] - y) <= square(close + radii[j]):
                    near = base_distance(a[i], b[j]) <= limits[i]
            if not near:
                continue
            # Centre to centre first: where anybody is in plain view, nobody else need be looked at closely.
            doubtful = 0
            for j in range(first, starts[k + 1]):
                if square(b[j, 1] - x) + square(b[j, 2] - y) > square(far + radii[j]):
                    continue
                if not in_field(a[i], facings[i], reaches[i], width, b[j]):
                    continue
                to = numbers[j] if remember else -1
                fact = known[mine[i], to] if remember else UNKNOWN
                if fact == SHUT:
                    continue
                if fact == OPEN and not bases_between(
                    a[i], b[j], blockers, classes, over[firing[i]], firing[i], -1, picks[doubtful], 0
                ):
                    out[i, k] = True
                    break
                if count_a == 0:
                    count_a = samples(a[i], points_a)
                hindering = ground_between(
                    ground, opacity, a[i], -math.inf, nobody, b[j], -math.inf, nobody, touch, picks[doubtful]
                )
                if hindering <= 0:
                    note(known, remember, mine[i], to, OPEN if hindering == 0 else SHUT)
                if hindering < 0:
                    continue
                count = bases_between(
                    a[i], b[j], blockers, classes, over[firing[i]], firing[i], -1, picks[doubtful], hindering
                )
                points_b[0, 0] = b[j, 1]
                points_b[0, 1] = b[j, 2]
                if count == 0 or some_line(
                    ground, opacity, points_a, 1, -math.inf, points_b, 1, -math.inf,
                    blockers, picks[doubtful], count, scratch,
                ):  # fmt: skip
                    note(known, remember, mine[i], to, OPEN)
                    out[i, k] = True
                    break
                doubts[doubtful, 0] = j
                doubts[doubtful, 1] = hindering
                doubts[doubtful, 2] = count
                doubtful += 1
            for d in range(doubtful):
                if out[i, k]:
                    break
                j, hindering, count = doubts[d, 0], doubts[d, 1], doubts[d, 2]
                count_b = samples(b[j], points_b)
                to = numbers[j] if remember else -1
                fact = known[mine[i], to] if remember else UNKNOWN
                if fact == UNKNOWN and (remember or count == hindering):
                    # The ground alone, and picked anew: among the picks bases have come before features.
                    ground_between(ground, opacity, a[i], -math.inf, nobody, b[j], -math.inf, nobody, touch, alone)
                    clear = some_line(
                        ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                        blockers, alone, hindering, scratch,
                    )  # fmt: skip
                    fact = OPEN if clear else SHUT
                    note(known, remember, mine[i], to, fact)
                out[i, k] = fact != SHUT and (
                    count == hindering
                    or some_line(
                        ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                        blockers, picks[d], count, scratch,
                    )
                )  # fmt: skip
    return out


@kernel
def all_aim(
    ground: GroundArrays,
    opacity: Floats2,
    values: Ints1,
    rows: Floats2,
    ours: Ints1,
    classes: Ints1,
    over: Ints1,
    reaches: Floats2,
    firing: Ints1,
    facings: Floats2,
    helping: Ints1,
    targets: Ints1,
    width: float,
    touch: float,
    kept: Floats2,
    known: Flags2,
) -> tuple[Floats, Ints, Ints]:
    """All the numbers of a volley; see `fire.aim`."""
    table = ground.table
    forget_moved(rows, kept, known)
    n, m, fields = firing.shape[0], targets.shape[0], facings.shape[1]
    distance = np.empty((n, m))
    marks = np.zeros((n, fields + 1, m), dtype=np.int64)
    stands = np.zeros((2, m), dtype=np.int64)
    scratch = scratch_for(ground)
    points_a = np.empty((9, 2))
    points_b = np.empty((9, 2))
    picks = np.empty(table.shape[0] + ours.shape[0], dtype=np.int64)
    nobody = np.empty(0, dtype=np.bool_)
    friends = picked(rows, ours)
    shooters = picked(friends, firing)
    enemies = picked(rows, targets)
    cover = all_shelter(ground, values, shooters, enemies, touch)
    for j in range(m):
        b = enemies[j]
        count_b = samples(b, points_b)
        for f in range(table.shape[0]):
            if opacity[f, 0] == 2.0 and point_inside(ground, f, b[1], b[2]):
                stands[1, j] = 1
        for i in range(n + helping.shape[0]):
            if i >= n and stands[0, j] == 1:
                break
            own = firing[i] if i < n else helping[i - n]
            a = friends[own]
            count_a = samples(a, points_a)
            fact = known[ours[own], targets[j]]
            if fact == UNKNOWN:
                count = ground_between(ground, opacity, a, -math.inf, nobody, b, -math.inf, nobody, touch, picks)
                clear = count == 0 or (
                    count > 0
                    and some_line(
                        ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                        friends, picks, count, scratch,
                    )
                )  # fmt: skip
                fact = OPEN if clear else SHUT
                note(known, True, ours[own], targets[j], fact)
            seen = fact == OPEN
            if seen:
                stands[0, j] = 1
            if i >= n:
                continue
            marks[i, fields, j] = cover[i, j] if seen else UNSEEN
            distance[i, j] = base_distance(a, b)
            if not seen:
                continue
            radius = reach(b)
            bears = False
            for w in range(fields):
                if distance[i, j] <= reaches[own, w] and in_arc(a[1], a[2], facings[ours[own], w], width, b, radius):
                    marks[i, w, j] = 1
                    bears = True
            if not bears or not bases_between(a, b, friends, classes, over[own], own, -1, picks, 0):
                continue
            count = ground_between(ground, opacity, a, -math.inf, nobody, b, -math.inf, nobody, touch, picks)
            count = bases_between(a, b, friends, classes, over[own], own, -1, picks, count)
            if not some_line(
                ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                friends, picks, count, scratch,
            ):  # fmt: skip
                for w in range(fields):
                    marks[i, w, j] = 0
    return distance, marks, stands
