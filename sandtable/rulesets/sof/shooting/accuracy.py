"""Accuracy: what a target is hit on, and every modifier."""

from __future__ import annotations

from sandtable.engine.events import Modifier
from sandtable.rulesets.sof.core.arsenal import Special
from sandtable.rulesets.sof.core.board import Battle, within_inches
from sandtable.rulesets.sof.core.state import Figure, Training, Unit
from sandtable.rulesets.sof.shooting.firers import Mode, rate_for
from sandtable.rulesets.sof.shooting.status import Status
from sandtable.rulesets.sof.shooting.volume import CLOSE, LONG, MEDIUM, Pool, fouled

HIT_ON: dict[Training, int] = {"inexperienced": 2, "regular": 3, "veteran": 4}
"""sof.shooting.hit-on"""

THROWN_HIT_ON = 2
"""sof.grenades.thrown-accuracy, sof.weapon-rules.bundle-throwers"""

PISTOLS = ("pistol", "semi-auto-pistol")


def thrown(mode: Mode) -> bool:
    """Whether it is a grenade in the hand; a thrower has a rate of fire of its own."""
    return mode.row.has("grenade") and mode.row.halt == "G"


def never_rerolled(mode: Mode) -> str | None:
    """The rule by which no accuracy check of a weapon is rolled again, if there is one."""
    if mode.row.has("grenade"):
        return "sof.grenades.thrown-no-reroll"
    if mode.row.has("grenade-bundle"):
        return "sof.weapon-rules.bundle-limits"
    return "sof.weapon-rules.rifle-grenade-no-reroll" if mode.row.has("rifle-grenade") else None


def hit_on(target: Unit, mode: Mode) -> tuple[int, str]:
    if thrown(mode):
        return THROWN_HIT_ON, "sof.grenades.thrown-accuracy"
    if mode.row.has("grenade-bundle"):
        return THROWN_HIT_ON, "sof.weapon-rules.bundle-throwers"
    return HIT_ON[target.training], "sof.shooting.hit-on"


def accuracy_modifiers(game: Battle, pool: Pool, target: Unit, status: Status) -> list[Modifier]:
    """sof.shooting.modifiers-cumulative: all of them, added up."""
    unit, row = pool.unit, pool.mode.row
    rate = rate_for(pool.mode, pool.moving)
    aimed = 0 if within_inches(pool.inches, MEDIUM) else -1 if within_inches(pool.inches, LONG) else -2
    column = target.formation == "linear" and target.alignment in ("column", "march-column")
    open_order = target.formation == "extended" and status.in_open and not status.concealed
    mounted = unit.type == "mounted" and pool.mode.name not in PISTOLS
    close = row.has("burst") and within_inches(pool.inches, CLOSE)
    slow = pool.moving and rate is not None and rate.slow
    sniper, flames = row.has("sniper-rifle"), row.has("flamethrower")
    hidden = status.concealed and not (sniper or flames)
    powder = fouled(game, pool.mode, pool.firers[0])
    alone = sniper and not any(spotted_for(unit, each.figure) for each in pool.firers)
    strays = game.setup.options.not_in_command_fire and not unit.in_command
    reasons = (
        (1, pool.sustained and not row.has("muzzle-loader"), "sof.shooting.mod-sustained", "sustained fire"),
        (1, column, "sof.shooting.mod-column", "a target in column"),
        (aimed, bool(aimed), "sof.shooting.mod-distance", "distance"),
        (-1, target.hit_the_dirt and not flames, "sof.shooting.mod-hit-the-dirt", "hit the dirt"),
        (-2, hidden and status.woods, "sof.shooting.mod-woods", "through woods"),
        (-1, hidden and not status.woods, "sof.shooting.mod-concealment", "concealed"),
        (-1, game.setup.night, "sof.shooting.mod-night", "night"),
        (-1, open_order, "sof.shooting.mod-extended", "extended order in the open"),
        (-unit.suppression, unit.suppression > 0, "sof.shooting.mod-suppressed", "suppressed"),
        (-1, slow, "sof.weapon-rules.slow-firing", "slow firing on the move"),
        (1, close, "sof.weapon-rules.burst", "a burst within 4 inches"),
        (-1, pool.short_crew, "sof.weapon-rules.crew-short", "short of crew"),
        (-1, row.has("no-he"), "sof.weapon-rules.no-he", "no high explosive"),
        (-1, mounted, "sof.unit-special.mounted-shooting", "from the saddle"),
        (-1, pool.mode.fast, "sof.weapon-rules.accelerated-fire", "accelerated fire"),
        (-1, powder, "sof.weapon-rules.black-powder", "black powder that was fired last turn"),
        (-1, row.has("slow-loading"), "sof.weapon-rules.slow-loading", "slow loading"),
        (-1, pool.smoke, "sof.weapon-rules.smoke-grenades", "smoke grenades"),
        (-1, alone, "sof.weapon-rules.sniper-spotter", "no spotter"),
        (1, sniper and with_sword(target), "sof.weapon-rules.sword-sniper", "an officer with a sword"),
        (-1, strays, "sof.charts.not-in-command-fire", "not in command"),
    )
    return [Modifier(amount, rule, words) for amount, holds, rule, words in reasons if holds]


def spotted_for(unit: Unit, figure: Figure) -> bool:
    """sof.weapon-rules.sniper-spotter: an able mate is there, or shares his base, and the unit is in command."""
    return figure.standing > 1 or (unit.in_command and any(each is not figure for each in unit.able))


def with_sword(unit: Unit) -> bool:
    return any(each.role == "officer" and "sword" in (each.profile, *each.arms) for each in unit.teams.values())


IGNORING: tuple[Special, ...] = ("rifle-grenade", "grenade", "grenade-bundle", "sniper-rifle", "flamethrower")
"""Weapons whose lethality protection does not lower."""


def lethality_modifiers(pool: Pool, target: Unit, status: Status) -> list[Modifier]:
    row, enemy = pool.mode.row, pool.unit.side != target.side
    shielded = status.protected and not any(row.has(special) for special in IGNORING)
    massed = target.type == "mounted" or target.formation in ("close", "linear")
    # sof.weapon-rules.flamethrower-risk: what one's own side does to it is no worse.
    flames = enemy and any(each.kind.weapon.has("flamethrower") for each in target.teams.values())
    reasons = (
        (-1, shielded, "sof.shooting.lethality-protection", "protection"),
        (1, row.has("scythe") and massed, "sof.weapon-rules.scythe", "a massed target"),
        (1, flames, "sof.weapon-rules.flamethrower-risk", "a flamethrower among them"),
    )
    return [Modifier(amount, rule, words) for amount, holds, rule, words in reasons if holds]
