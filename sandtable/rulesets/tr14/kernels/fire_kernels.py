"""Compiled kernels of fire: who could fire at whom, and the numbers of a volley."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import arc_meets, base_distance, copy_row, norm, picked, reach, square
from sandtable.table.compiled import Flags2, Floats1, Floats2, Ints1, Ints2, Ints3, Mask1, Mask2, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, point_inside, scratch_for
from sandtable.table.hairs import NOTHING
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.sight_kernels import bases_between, find_shelter, ground_between, samples, some_line

UNSEEN = 99  # more than any shelter

UNKNOWN, SHUT, OPEN = 0, 1, 2  # what a memory holds of two bases: whether the ground leaves a line between them


class Lens(NamedTuple):
    """What a terrain does to sight, and from how near one sees past an obstacle."""

    ground: GroundArrays
    opacity: Floats2
    touch: float


class Places(NamedTuple):
    """Where everybody stands, as rows, and how the weapons of each face; and a memory of the sight between them.

    `known` (N, N) says of each two whether the ground leaves a line between them, as far as it has been asked, heights
    left aside; `kept` is how everybody stood then: whoever has moved or turned since is forgotten.
    """

    rows: Floats2
    facings: Floats2
    kept: Floats2
    known: Flags2


class Troops(NamedTuple):
    """The bases of a side: numbers of rows, and of each its class, what it fires over, and how far each weapon does."""

    numbers: Ints1
    classes: Ints1
    over: Ints1
    reaches: Floats2


class Groups(NamedTuple):
    """Targets in groups: group k are the bases starts[k] up to starts[k + 1], of which the first moving[k] count.

    `numbers` says which rows they are; it is empty if they are bases where nobody stands yet.
    """

    bases: Floats2
    starts: Ints1
    moving: Ints1
    numbers: Ints1


class Sampling(NamedTuple):
    """Room for drawing lines between two bases: their sample points, what may be in the way, and nobody."""

    points_a: Floats2
    points_b: Floats2
    picks: Ints2
    nobody: Mask1
    scratch: Floats2


@helper
def sampling(lens: Lens, others: int, pairs: int) -> Sampling:
    """Room for lines past so many bases, between so many pairs at once."""
    picks = np.empty((pairs, lens.ground.table.shape[0] + others), dtype=np.int64)
    return Sampling(np.empty((9, 2)), np.empty((9, 2)), picks, np.empty(0, dtype=np.bool_), scratch_for(lens.ground))


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
def forget_moved(places: Places) -> None:
    """Forget whatever is known of bases that do not stand as they were kept, and keep how they stand now."""
    rows, _, kept, known = places
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


@helper
def watch_groups(
    lens: Lens,
    places: Places,
    ours: Troops,
    blockers: Floats2,
    firing: Ints1,
    limits: Floats1,
    groups: Groups,
    width: float,
    radii: Floats1,
    doubts: Ints2,
    room: Sampling,
    out: Mask2,
) -> None:
    """Mark which watcher has a target of which group in a field of fire and in sight.

    `blockers` are the bases of ours; `radii` and `doubts` are room for numbers of the targets.
    """
    ground, opacity, touch = lens
    classes, over = ours.classes, ours.over
    known = places.known
    b, starts, moving, numbers = groups
    points_a, points_b, picks, nobody, scratch = room
    alone = picks[picks.shape[0] - 1]
    remember = numbers.shape[0] > 0
    for j in range(b.shape[0]):
        radii[j] = reach(b[j])
    for i in range(firing.shape[0]):
        own = firing[i]
        mine = ours.numbers[own]
        a, reaches, facings = blockers[own], ours.reaches[own], places.facings[mine]
        x, y = a[1], a[2]
        # What is surely too far away is hindering over first: most of it is.
        radius = reach(a) + NOTHING
        close = limits[i] + radius
        far = reaches[0] + radius
        for w in range(1, reaches.shape[0]):
            far = max(far, reaches[w] + radius)
        count_a = 0
        for k in range(moving.shape[0]):
            first = starts[k]
            near = limits[i] == math.inf
            for j in range(first, first + moving[k]):
                if near:
                    break
                if square(b[j, 1] - x) + square(b[j, 2] - y) <= square(close + radii[j]):
                    near = base_distance(a, b[j]) <= limits[i]
            if not near:
                continue
            # Centre to centre first: where anybody is in plain view, nobody else need be looked at closely.
            doubtful = 0
            for j in range(first, starts[k + 1]):
                if square(b[j, 1] - x) + square(b[j, 2] - y) > square(far + radii[j]):
                    continue
                if not in_field(a, facings, reaches, width, b[j]):
                    continue
                to = numbers[j] if remember else -1
                fact = known[mine, to] if remember else UNKNOWN
                if fact == SHUT:
                    continue
                if fact == OPEN and not bases_between(
                    a, b[j], blockers, classes, over[own], own, -1, picks[doubtful], 0
                ):
                    out[i, k] = True
                    break
                if count_a == 0:
                    count_a = samples(a, points_a)
                hindering = ground_between(
                    ground, opacity, a, -math.inf, nobody, b[j], -math.inf, nobody, touch, picks[doubtful]
                )
                if hindering <= 0:
                    note(known, remember, mine, to, OPEN if hindering == 0 else SHUT)
                if hindering < 0:
                    continue
                count = bases_between(a, b[j], blockers, classes, over[own], own, -1, picks[doubtful], hindering)
                points_b[0, 0] = b[j, 1]
                points_b[0, 1] = b[j, 2]
                if count == 0 or some_line(
                    ground, opacity, points_a, 1, -math.inf, points_b, 1, -math.inf,
                    blockers, picks[doubtful], count, scratch,
                ):  # fmt: skip
                    note(known, remember, mine, to, OPEN)
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
                fact = known[mine, to] if remember else UNKNOWN
                if fact == UNKNOWN and (remember or count == hindering):
                    # The ground alone, and picked anew: among the picks bases have come before features.
                    ground_between(ground, opacity, a, -math.inf, nobody, b[j], -math.inf, nobody, touch, alone)
                    clear = some_line(
                        ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                        blockers, alone, hindering, scratch,
                    )  # fmt: skip
                    fact = OPEN if clear else SHUT
                    note(known, remember, mine, to, fact)
                out[i, k] = fact != SHUT and (
                    count == hindering
                    or some_line(
                        ground, opacity, points_a, count_a, -math.inf, points_b, count_b, -math.inf,
                        blockers, picks[d], count, scratch,
                    )
                )  # fmt: skip


@kernel
def all_watch(
    lens: Lens, places: Places, ours: Troops, firing: Ints1, limits: Floats1, groups: Groups, width: float
) -> Mask:
    """Which watcher has a target of which group in a field of fire and in sight, (n, groups)."""
    if groups.numbers.shape[0] > 0:
        forget_moved(places)
    blockers = picked(places.rows, ours.numbers)
    count = groups.moving.shape[0]
    out = np.zeros((firing.shape[0], count), dtype=np.bool_)
    largest = 0
    for k in range(count):
        largest = max(largest, groups.starts[k + 1] - groups.starts[k])
    radii, doubts = np.empty(groups.bases.shape[0]), np.empty((largest, 3), dtype=np.int64)
    room = sampling(lens, blockers.shape[0], largest + 1)
    watch_groups(lens, places, ours, blockers, firing, limits, groups, width, radii, doubts, room, out)
    return out


@helper
def aim_at(
    lens: Lens,
    places: Places,
    ours: Troops,
    friends: Floats2,
    firing: Ints1,
    helping: Ints1,
    targets: Ints1,
    cover: Ints2,
    width: float,
    room: Sampling,
    distance: Floats2,
    marks: Ints3,
    stands: Ints2,
) -> None:
    """Fill in all the numbers of a volley; `friends` are the bases of ours."""
    ground, opacity, touch = lens
    rows, facings, _, known = places
    numbers, classes, over, reaches = ours
    points_a, points_b, all_picks, nobody, scratch = room
    picks = all_picks[0]
    n, fields = firing.shape[0], facings.shape[1]
    for j in range(targets.shape[0]):
        b = rows[targets[j]]
        count_b = samples(b, points_b)
        for f in range(ground.table.shape[0]):
            if opacity[f, 0] == 2.0 and point_inside(ground, f, b[1], b[2]):
                stands[1, j] = 1
        for i in range(n + helping.shape[0]):
            if i >= n and stands[0, j] == 1:
                break
            own = firing[i] if i < n else helping[i - n]
            a = friends[own]
            count_a = samples(a, points_a)
            fact = known[numbers[own], targets[j]]
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
                note(known, True, numbers[own], targets[j], fact)
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
                facing = facings[numbers[own], w]
                if distance[i, j] <= reaches[own, w] and in_arc(a[1], a[2], facing, width, b, radius):
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


@kernel
def all_aim(
    lens: Lens,
    values: Ints1,
    places: Places,
    ours: Troops,
    firing: Ints1,
    helping: Ints1,
    targets: Ints1,
    width: float,
) -> tuple[Floats, Ints, Ints]:
    """All the numbers of a volley; see `fire.aim`."""
    forget_moved(places)
    n, m, fields = firing.shape[0], targets.shape[0], places.facings.shape[1]
    distance = np.empty((n, m))
    marks = np.zeros((n, fields + 1, m), dtype=np.int64)
    stands = np.zeros((2, m), dtype=np.int64)
    friends = picked(places.rows, ours.numbers)
    room, cover = sampling(lens, friends.shape[0], 1), np.empty((n, m), dtype=np.int64)
    shooters, enemies = picked(friends, firing), picked(places.rows, targets)
    find_shelter(lens.ground, values, shooters, enemies, lens.touch, room.scratch, cover)
    aim_at(lens, places, ours, friends, firing, helping, targets, cover, width, room, distance, marks, stands)
    return distance, marks, stands
