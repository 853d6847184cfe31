"""Accuracy: what a target is hit on, and every modifier."""

from __future__ import annotations

from sandtable.engine.events import Modifier
from sandtable.rulesets.sof.core.board import within_inches
from sandtable.rulesets.sof.core.state import Training, Unit
from sandtable.rulesets.sof.shooting.firers import Mode, rate_for
from sandtable.rulesets.sof.shooting.status import Status
from sandtable.rulesets.sof.shooting.volume import CLOSE, LONG, MEDIUM, Pool

HIT_ON: dict[Training, int] = {"inexperienced": 2, "regular": 3, "veteran": 4}
"""sof.shooting.hit-on"""

THROWN_HIT_ON = 2
"""sof.grenades.thrown-accuracy, sof.weapon-rules.bundle-throwers"""

PISTOLS = ("pistol", "semi-auto-pistol")


def thrown(mode: Mode) -> bool:
    return mode.row.has("grenade") and rate_for(mode, False) is not None and mode.row.halt == "G"


def hit_on(target: Unit, mode: Mode) -> tuple[int, str]:
    if thrown(mode):
        return THROWN_HIT_ON, "sof.grenades.thrown-accuracy"
    if mode.row.has("grenade-bundle"):
        return THROWN_HIT_ON, "sof.weapon-rules.bundle-throwers"
    return HIT_ON[target.training], "sof.shooting.hit-on"


def accuracy_modifiers(pool: Pool, target: Unit, status: Status) -> list[Modifier]:
    """sof.shooting.modifiers-cumulative: all of them, added up."""
    unit, row = pool.unit, pool.mode.row
    rate = rate_for(pool.mode, pool.moving)
    aimed = 0 if within_inches(pool.inches, MEDIUM) else -1 if within_inches(pool.inches, LONG) else -2
    column = target.formation == "linear" and target.alignment in ("column", "march-column")
    open_order = target.formation == "extended" and status.in_open and not status.concealed
    mounted = unit.type == "mounted" and pool.mode.name not in PISTOLS
    close = row.has("burst") and within_inches(pool.inches, CLOSE)
    slow = pool.moving and rate is not None and rate.slow
    reasons = (
        (1, pool.sustained, "sof.shooting.mod-sustained", "sustained fire"),
        (1, column, "sof.shooting.mod-column", "a target in column"),
        (aimed, bool(aimed), "sof.shooting.mod-distance", "distance"),
        (-1, target.hit_the_dirt, "sof.shooting.mod-hit-the-dirt", "hit the dirt"),
        (-2, status.woods, "sof.shooting.mod-woods", "through woods"),
        (-1, status.concealed and not status.woods, "sof.shooting.mod-concealment", "concealed"),
        (-1, open_order, "sof.shooting.mod-extended", "extended order in the open"),
        (-unit.suppression, unit.suppression > 0, "sof.shooting.mod-suppressed", "suppressed"),
        (-1, slow, "sof.weapon-rules.slow-firing", "slow firing on the move"),
        (1, close, "sof.weapon-rules.burst", "a burst within 4 inches"),
        (-1, pool.short_crew, "sof.weapon-rules.crew-short", "short of crew"),
        (-1, row.has("no-he"), "sof.weapon-rules.no-he", "no high explosive"),
        (-1, mounted, "sof.unit-special.mounted-shooting", "from the saddle"),
    )
    return [Modifier(amount, rule, words) for amount, holds, rule, words in reasons if holds]


def lethality_modifiers(pool: Pool, target: Unit, status: Status) -> list[Modifier]:
    row = pool.mode.row
    ignores = any(row.has(special) for special in ("rifle-grenade", "grenade", "grenade-bundle"))
    massed = target.type == "mounted" or target.formation in ("close", "linear")
    reasons = (
        (-1, status.protected and not ignores, "sof.shooting.lethality-protection", "protection"),
        (1, row.has("scythe") and massed, "sof.weapon-rules.scythe", "a massed target"),
    )
    return [Modifier(amount, rule, words) for amount, holds, rule, words in reasons if holds]
