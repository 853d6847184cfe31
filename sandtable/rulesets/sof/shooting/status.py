"""The target's status: whether it is concealed and whether it has protection, by the majority of the fire."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sandtable.rulesets.sof.core.arsenal import FOOT
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.state import Unit, all_figures
from sandtable.rulesets.sof.core.terrain import GROUND_LEVEL, TALL, THICK, About
from sandtable.rulesets.sof.kernels import levels
from sandtable.rulesets.sof.shooting.firers import Firer, rate_for
from sandtable.rulesets.sof.shooting.volume import CLOSE
from sandtable.table import distance as measure
from sandtable.table import sight
from sandtable.table.hairs import EXACT, NOTHING
from sandtable.table.shapes import HALF_WIDTH, Place, bodies
from sandtable.table.sight import Crossing

OWN_EDGE = 2.0
"""sof.terrain.concealment-own-edge"""

DEEP_WOODS = 2.0
"""sof.shooting.mod-woods, sof.terrain-woods.concealment"""

FORWARD_ARC = 180.0
"""sof.weapon-rules.gun-shield"""

ABOUT_SIGHT: tuple[About, ...] = ("height", "sight")
"""What the rules of a piece of ground say that matters to a line of sight over it or through it."""

A_FULL_LEVEL = 1.0
"""sof.terrain.concealment-negated-by-height"""


@dataclass(slots=True)
class Status:
    """How a target meets the fire: concealed or not, through woods or not, protected or not, and by which rules."""

    concealed: bool = False
    woods: bool = False
    protected: bool = False
    in_open: bool = True
    rules: list[str] = field(default_factory=list)
    sight: list[str] = field(default_factory=list)
    """The rules by which the heights of what lies on the lines of fire let them through."""


def share(firer: Firer, moving: bool) -> float:
    """sof.shooting.status-first: how much of the fire a figure is, by its own weapon's dice."""
    own = firer.modes[0]
    rate = rate_for(own, moving or (own.weapon.has("loader") and not firer.loaded))
    assert rate is not None
    rapid = 1.0 if within_inches(firer.inches, CLOSE) else 0.5
    return {"RF": rapid, "SS": 1.0 / 3.0, "G": 1.0, "d6": 3.5}.get(rate.code, float(rate.number))


def status_of(game: Battle, target: Unit, firing: Sequence[Firer], moving: bool = False) -> Status:
    """What holds when the target is chosen, before weapons are picked."""
    found = Status()
    ground = game.prepared
    rows = board(game).rows_of(target)
    inside = ground.terrain.inside(rows)
    found.in_open = not any(inside[:, number].any() for number, kind in enumerate(ground.kinds) if not kind.road)
    crossed = {each.figure.id: sight.crossings(ground.terrain, *each.line) for each in firing}
    found.sight = sight_rules(game, firing, crossed)
    if target.type == "mounted":
        found.rules.append("sof.unit-special.mounted-no-cover")
        return found
    found.concealed = found.protected = dug_in(found, target)
    shares = {each.figure.id: share(each, moving) for each in firing}
    total = sum(shares.values())
    edges = own_edges(game, firing, crossed)

    def majority(holds: Callable[[Firer, list[Crossing]], bool]) -> bool:
        held = sum(shares[each.figure.id] for each in firing if holds(each, crossed[each.figure.id]))
        return 2 * held > total + NOTHING

    def mostly_in(features: Sequence[int]) -> bool:
        """Whether more than half of the target's models stand in some features, whoever stands in which."""
        return 2 * int(inside[:, features].any(axis=1).sum()) > len(rows)

    here = np.flatnonzero(inside.any(axis=0)).tolist()
    within = [number for number in here if ground.kinds[number].conceals == "within"]
    high = [n for n in within if not majority(lambda each, _, n=n: not looks_down(each, float(ground.heights[n])))]  # type: ignore[misc]
    always = [number for number in here if ground.kinds[number].conceals == "always"]
    hiding = [*always, *[number for number in within if number not in high]]
    if mostly_in(hiding):
        found.concealed = True
        found.rules += [ground.kinds[number].rules["cover"] for number in hiding]
        found.rules += [*["sof.terrain.concealment-always"] * bool(always), "sof.terrain.individual-or-area"]
    elif mostly_in([*hiding, *high]):
        found.rules.append("sof.terrain.concealment-negated-by-height")
    safe = [number for number in here if target.type in ground.kinds[number].protects]
    if mostly_in(safe):
        found.protected = True
        found.rules += [ground.kinds[number].rules["cover"] for number in safe]
    if majority(lambda each, met: through_woods(game, each, met, edges)):
        found.concealed = found.woods = True
        found.rules.append("sof.terrain-woods.concealment")
    elif majority(lambda each, met: between(game, each, met, edges)):
        found.concealed = True
        found.rules += ["sof.shooting.concealment-intervening", "sof.terrain.concealment-intervening"]
    found.rules += no_concealment(game, firing, crossed, edges)
    if majority(lambda each, met: any(shields(game, each, crossing, edges) for crossing in met)):
        found.protected = True
        found.rules.append("sof.terrain.protection-walls")
    if majority(lambda each, _: behind_shield(target, each)):
        found.concealed = found.protected = True
        found.rules.append("sof.weapon-rules.gun-shield")
    if not found.concealed and majority(lambda _, met: any(flat(game, crossing) for crossing in met)):
        found.rules.append("sof.shooting.concealment-zero")
    found.rules += ["sof.shooting.protection"] if found.protected else []
    return found


def behind_shield(target: Unit, firer: Firer) -> bool:
    """sof.weapon-rules.gun-shield: the fire comes from the half of the table that the shielded weapon faces."""
    x, y = firer.line[:2]
    point = bodies([(FOOT, Place(x, y))])[0]
    return any(
        each.kind.weapon.has("gun-shield")
        and each.at is not None
        and measure.in_arc(*each.at, each.facing, FORWARD_ARC, point)
        for each in target.teams.values()
    )


def flat(game: Battle, crossing: Crossing) -> bool:
    """sof.shooting.concealment-zero: terrain, and not a road, that has no height."""
    feature = crossing.feature
    return float(game.prepared.heights[feature]) == 0.0 and not game.prepared.kinds[feature].road


def dug_in(found: Status, target: Unit) -> bool:
    """sof.terrain.protection-dug-in: men in foxholes are concealed from everywhere, and protected."""
    if target.dug_in:
        found.rules += ["sof.terrain.protection-dug-in", "sof.terrain.concealment-always"]
    return target.dug_in


Crossed = Mapping[str, list[Crossing]]
Edges = dict[str, set[int]]


def sight_rules(game: Battle, firing: Sequence[Firer], crossed: Crossed) -> list[str]:
    """The rules about the heights of what the lines of fire lead over, and of what the firers stand on."""
    ground, found = game.prepared, []
    for number in sorted({each.feature for met in crossed.values() for each in met}):
        low = float(ground.heights[number]) < TALL
        found.append("sof.terrain.visibility-below-one" if low else "sof.terrain.visibility-one-and-higher")
        found += [rule for about in ABOUT_SIGHT if (rule := ground.rule(number, about))]
        found += ["sof.terrain.define-before-game"] if ground.terrain.features[number].height else []
    if any(each.level > GROUND_LEVEL for each in firing):
        found.append("sof.terrain.firing-unit-height")
    return list(dict.fromkeys(found))


def own_edges(game: Battle, firing: Sequence[Firer], crossed: Crossed) -> Edges:
    """sof.terrain.concealment-own-edge: by figure, the features at whose edge some firer of its unit is."""
    homes = {figure.id: unit.id for unit, figure in all_figures(game.state)}
    units: dict[str, set[int]] = {}
    for each in firing:
        there = units.setdefault(homes[each.figure.id], set())
        there |= {met.feature for met in crossed[each.figure.id] if at_own_edge(game, each, met)}
    return {each.figure.id: units[homes[each.figure.id]] for each in firing}


def no_concealment(game: Battle, firing: Sequence[Firer], crossed: Crossed, edges: Edges) -> list[str]:
    """The rules by which what lies on the lines does not conceal, though it is high enough."""
    ground, found = game.prepared, []
    for firer in firing:
        for met in crossed[firer.figure.id]:
            kind, height = ground.kinds[met.feature], float(ground.heights[met.feature])
            if kind.conceals == "never":
                found += [kind.rules["cover"]] if "cover" in kind.rules else []
            elif height > 0 and met.feature in edges[firer.figure.id]:
                found.append("sof.terrain.concealment-own-edge")
            elif height > 0 and looks_down(firer, height) and not met.ends_inside:
                found.append("sof.terrain.concealment-negated-by-height")
    return list(dict.fromkeys(found))


def looks_down(firer: Firer, height: float) -> bool:
    """sof.terrain.concealment-negated-by-height: at least one full level above."""
    return firer.level - height >= A_FULL_LEVEL - EXACT


def through_woods(game: Battle, firer: Firer, met: Sequence[Crossing], edges: Edges) -> bool:
    """sof.shooting.mod-woods: more than 2 inches of woods on the line, but for those at whose edge its unit is.

    Nor for those that he looks down upon.
    """
    woods = list(THICK).index("woods")
    heights = game.prepared.heights
    seen = [each for each in met if each.feature not in edges[firer.figure.id]]
    others = [each for each in seen if not looks_down(firer, float(heights[each.feature]))]
    return levels.inches_through(others, game.prepared.levels, woods) > DEEP_WOODS + NOTHING


def between(game: Battle, firer: Firer, met: Sequence[Crossing], edges: Edges) -> bool:
    """sof.shooting.status-first: whether anything on the line conceals, be it woods or something else."""
    return through_woods(game, firer, met, edges) or any(hides(game, firer, each, edges) for each in met)


def hides(game: Battle, firer: Firer, crossing: Crossing, edges: Edges) -> bool:
    """Whether something on the line conceals what is behind it: not what the firer himself stands at the edge of."""
    kind = game.prepared.kinds[crossing.feature]
    height = float(game.prepared.heights[crossing.feature])
    if kind.conceals == "never" or kind.thickness == "woods" or height <= 0 or looks_down(firer, height):
        return False
    if crossing.ends_inside:
        # What the target stands in has been looked at by the majority of its models.
        return False
    return crossing.feature not in edges[firer.figure.id]


def at_own_edge(game: Battle, firer: Firer, crossing: Crossing) -> bool:
    """Whether a firer is in it, his base no more than 2 inches from its edge along the line; or so near to a wall."""
    row = board(game).of([firer.figure])
    if game.prepared.kinds[crossing.feature].shape == "line":
        return within_inches(float(game.prepared.terrain.gaps(row)[0, crossing.feature]), OWN_EDGE)
    # A line that ends in the same ground comes to no edge of it.
    leaves = crossing.from_inside and not crossing.ends_inside
    return leaves and within_inches(crossing.leave - float(row[0, HALF_WIDTH]), OWN_EDGE)


def shields(game: Battle, firer: Firer, crossing: Crossing, edges: Edges) -> bool:
    """sof.terrain.protection-walls: a wall on the line protects whoever is behind it, unless the firer stands at it."""
    return game.prepared.kinds[crossing.feature].protects_crossed and crossing.feature not in edges[firer.figure.id]
