"""The target's status: whether it is concealed and whether it has protection, by the majority of the fire."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sandtable.rulesets.sof.core.arsenal import FOOT
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.core.terrain import THICK, GroundKind
from sandtable.rulesets.sof.shooting.firers import Firer, rate_for
from sandtable.rulesets.sof.shooting.volume import CLOSE
from sandtable.table import distance as measure
from sandtable.table import sight
from sandtable.table.hairs import EXACT, NOTHING
from sandtable.table.levels import inches_through
from sandtable.table.shapes import Place, bodies
from sandtable.table.sight import Crossing

OWN_EDGE = 2.0
"""sof.terrain.concealment-own-edge"""

DEEP_WOODS = 2.0
"""sof.shooting.mod-woods, sof.terrain-woods.concealment"""

FORWARD_ARC = 180.0
"""sof.weapon-rules.gun-shield"""

A_FULL_LEVEL = 1.0
"""sof.terrain.concealment-negated-by-height"""

CONCEALING_RULES = {
    "undergrowth": "sof.terrain-undergrowth.concealment",
    "hasty-trench": "sof.terrain-hasty-trench.cover",
    "rubble": "sof.terrain-rubble.cover",
    "woods": "sof.terrain-woods.concealment",
    "old-growth": "sof.terrain-woods.concealment",
}
PROTECTING_RULES = {"hasty-trench": "sof.terrain-hasty-trench.cover", "rubble": "sof.terrain-rubble.cover"}


@dataclass(slots=True)
class Status:
    """How a target meets the fire: concealed or not, through woods or not, protected or not, and by which rules."""

    concealed: bool = False
    woods: bool = False
    protected: bool = False
    in_open: bool = True
    rules: list[str] = field(default_factory=list)


def share(firer: Firer, moving: bool) -> float:
    """sof.shooting.status-first: how much of the fire a figure is, by its own weapon's dice."""
    rate = rate_for(firer.modes[0], moving)
    assert rate is not None
    rapid = 1.0 if within_inches(firer.inches, CLOSE) else 0.5
    return {"RF": rapid, "SS": 1.0 / 3.0, "G": 1.0, "d6": 3.5}.get(rate.code, float(rate.number))


def status_of(game: Battle, target: Unit, firing: Sequence[Firer], moving: bool = False) -> Status:
    """What holds when the target is chosen, before weapons are picked."""
    found = Status()
    ground = game.prepared
    rows = board(game).rows_of(target)
    inside = ground.terrain.inside(rows) if ground.kinds else None
    found.in_open = inside is None or not any(
        bool(inside[:, number].any()) for number, kind in enumerate(ground.kinds) if not kind.road
    )
    if target.type == "mounted":
        # Mounted men have no benefit from cover.
        return found
    crossed = {each.figure.id: sight.crossings(ground.terrain, *each.line) for each in firing}
    shares = {each.figure.id: share(each, moving) for each in firing}
    total = sum(shares.values())

    def majority(holds: Callable[[Firer, list[Crossing]], bool]) -> bool:
        held = sum(shares[each.figure.id] for each in firing if holds(each, crossed[each.figure.id]))
        return 2 * held > total + NOTHING

    for number, kind in enumerate(ground.kinds):
        assert inside is not None
        mostly = 2 * int(inside[:, number].sum()) > len(rows)
        if not mostly:
            continue
        name = ground.terrain.features[number].kind
        height = float(ground.heights[number])
        hidden = kind.conceals == "always" or (
            kind.conceals == "within" and majority(lambda each, _, h=height: not looks_down(each, h))  # type: ignore[misc]
        )
        if hidden:
            found.concealed = True
            found.rules.append(CONCEALING_RULES[name])
        if target.type in kind.protects:
            found.protected = True
            found.rules.append(PROTECTING_RULES[name])
    if majority(lambda each, met: through_woods(game, each, met)):
        found.concealed = found.woods = True
        found.rules.append("sof.terrain-woods.concealment")
    elif majority(lambda each, met: any(hides(game, each, crossing) for crossing in met)):
        found.concealed = True
        found.rules += ["sof.shooting.concealment-intervening", "sof.terrain.concealment-intervening"]
    if majority(lambda each, met: any(shields(game, each, crossing) for crossing in met)):
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


def looks_down(firer: Firer, height: float) -> bool:
    """sof.terrain.concealment-negated-by-height: at least one full level above."""
    return firer.level - height >= A_FULL_LEVEL - EXACT


def through_woods(game: Battle, firer: Firer, met: Sequence[Crossing]) -> bool:
    """sof.shooting.mod-woods: more than 2 inches of woods on the line."""
    woods = list(THICK).index("woods")
    return inches_through(met, game.prepared.levels, woods) > DEEP_WOODS + NOTHING


def hides(game: Battle, firer: Firer, crossing: Crossing) -> bool:
    """Whether something on the line conceals what is behind it: not what the firer himself stands at the edge of."""
    kind = game.prepared.kinds[crossing.feature]
    height = float(game.prepared.heights[crossing.feature])
    if kind.conceals in ("never", "always") or kind.thickness == "woods" or height <= 0 or looks_down(firer, height):
        return False
    if crossing.ends_inside:
        # What the target stands in has been looked at by the majority of its models.
        return False
    return not at_own_edge(kind, crossing)


def at_own_edge(kind: GroundKind, crossing: Crossing) -> bool:
    """sof.terrain.concealment-own-edge: the firer is in it and no more than 2 inches from its edge, or lines it."""
    if kind.shape == "line":
        return crossing.enter <= OWN_EDGE + EXACT
    return crossing.from_inside and crossing.leave <= OWN_EDGE + EXACT


def shields(game: Battle, firer: Firer, crossing: Crossing) -> bool:
    """sof.terrain.protection-walls: a wall on the line protects whoever is behind it, unless the firer stands at it."""
    kind = game.prepared.kinds[crossing.feature]
    return kind.protects_crossed and not at_own_edge(kind, crossing)
