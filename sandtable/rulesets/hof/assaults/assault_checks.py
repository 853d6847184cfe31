"""The Assault Check: who strikes whom, what helps, and what a success does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive
from sandtable.rulesets.hof.core.arsenal import extra_weapons
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import NEEDED, check
from sandtable.rulesets.hof.core.labels import mate_option, team_label
from sandtable.rulesets.hof.core.nearby import touching_friends
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit
from sandtable.rulesets.hof.firing import vehicles, weapons
from sandtable.rulesets.hof.morale import morale
from sandtable.table.hairs import CONTACT

FLAME_NEEDED = 2
"""hof.optional.flame-assault"""

WITHOUT_AT = 2
CLOSE_AT = 1
"""hof.assaults.vs-armor-at-values"""

ENGINEER_AT = 3
"""hof.optional.engineers-assault-vehicles"""


@dataclass(slots=True)
class Assault:
    """An assault under way. `side` attacks.

    `fought`: who has made a Check, or left contact by choice; `struck`: who has made a Check. `touching` are the Teams
    that were in contact when it was last looked at, `foxholes` the Teams that were Dug-In when it began. `answered`:
    the defenders whom contact has activated.
    """

    act: Activation
    side: str
    fought: dict[str, Member] = field(default_factory=dict)
    struck: set[str] = field(default_factory=set)
    touching: set[str] = field(default_factory=set)
    foxholes: dict[str, tuple[Member, Point, float]] = field(default_factory=dict)
    answered: dict[str, Member] = field(default_factory=dict)


@dataclass(slots=True)
class Punch:
    """What a Team brings against armor: its AT value, the RFPs of a hit, and the rules that say so."""

    at: int
    fp: int
    rules: list[str]
    rfps_only: bool = False


def victims_of(touched: Sequence[Member]) -> list[Member]:
    """Whom a Team may strike: Small Teams only where it touches nobody else."""
    return [member for member in touched if not member[1].kind.small] or list(touched)


def strike(
    game: Battle, fight: Assault, member: Member, victims: Sequence[Member], losses: Losses, *rules: str
) -> Flow[None]:
    """One Assault Check of a Team against one of the enemies it touches; its owner picks which."""
    unit, team = member
    choices = Choices({each[1].id: each for each in victims}, lambda each: mate_option(each[1]))
    words = f"Whom does {team_label(unit, team)} strike?"
    facts, about = {"team": team.id}, (fight, member, choices.things)
    victim = yield from choose_one(unit.side, "victim", words, choices, rules=rules[:1], facts=facts, about=about)
    enemy = victim[1]
    cited = [*rules, "hof.assaults.one-check-per-step"]
    needed = needed_by(game, team)
    if needed == FLAME_NEEDED:
        cited.append("hof.optional.flame-assault")
    why, again = f"the Assault Check of {team_label(unit, team)}", second_chance(game, unit, team)
    result = yield from check(game, unit, why, needed=needed, again_if_failed=again)
    punch = punch_at(game, fight, member, enemy)
    fight.fought[team.id] = member
    fight.struck.add(team.id)
    rolled = f"needs {result.needed}+, rolls {result.throw.value}"
    text = f"{team_label(unit, team)} strikes at {team_label(*victim)}: {rolled}."
    data: dict[str, Any] = {"team": team.id, "victim": enemy.id, "needed": result.needed, "passed": result.passed}
    game.tell("assault-check", text, *cited, *result.rules, seat=unit.side, dice=[result.throw], **data)
    if result.passed:
        yield from strike_home(game, unit, victim, punch, losses)


def needed_by(game: Battle, team: Team) -> int:
    """What an Assault Check of a Team needs."""
    return FLAME_NEEDED if weapons.has_fuel(game, team) else NEEDED


def strike_home(game: Battle, unit: Unit, victim: Member, punch: Punch | None, losses: Losses) -> Flow[None]:
    """What a passed Check does: Riders take the blow for their tank, armor may turn it, all others are destroyed."""
    owner, enemy = victim
    shield = riding.riders_on(game, enemy)
    if shield:
        for platoon, rider in shield:
            yield from morale.kill(game, platoon, rider, losses, "assault", "hof.optional.riders-shield-tank")
    elif punch is not None:
        rules = ("hof.assaults.vs-armor-hit", *punch.rules)
        yield from vehicles.penetrate(
            game, unit, punch.at, punch.fp, owner, enemy, True, losses, rfps_only=punch.rfps_only, rules=rules
        )
    else:
        rule = "hof.optional.bunker-assault" if enemy.role == "bunker" else "hof.assaults.one-check-per-step"
        yield from morale.kill(game, owner, enemy, losses, "assault", rule)


def second_chance(game: Battle, unit: Unit, team: Team) -> str:
    """The rule that lets a Team roll a failed Check again: its weapon, or a Leader of its Unit beside it."""
    if any("rerolls-assault" in weapon.keywords for weapon in team.kind.weapons):
        return "hof.special-rules.assault-rifle"
    if any(mate.role in ("pl", "cc") for mate in touching_friends(game, unit, team)):
        return "hof.assaults.leader-reroll"
    return ""


def punch_at(game: Battle, fight: Assault, member: Member, enemy: Team) -> Punch | None:
    """hof.assaults.vs-armor-hit: what Infantry and Guns bring against an enemy that has armor to turn it."""
    return punch_of(game, fight, *member) if enemy.kind.armored and not member[1].kind.vehicle else None


def punch_of(game: Battle, fight: Assault, unit: Unit, team: Team) -> Punch:
    """hof.assaults.vs-armor-at-values, and all that is better: the best of what the Team has at hand."""
    base = ["hof.assaults.vs-armor-at-values"]
    found = [Punch(WITHOUT_AT, 1, base)]
    if game.setup.options.engineers and "engineer" in team.traits:
        found.append(Punch(ENGINEER_AT, 1, [*base, "hof.optional.engineers-assault-vehicles"]))
    for weapon in team.kind.weapons:
        if weapon.at is not None:
            found.append(Punch(weapon.at + CLOSE_AT, weapon.fp, base, "rfps-only" in weapon.keywords))
    for mate in supporters(game, unit.side, team):
        weapon = max(mate.kind.weapons, key=lambda each: each.at or 0)
        found.append(Punch((weapon.at or 0) + CLOSE_AT, weapon.fp, [*base, "hof.assaults.close-support"]))
    if "panzerfaust" in team.traits and team.id not in fight.struck:
        weapon = extra_weapons()["panzerfaust"]
        found.append(Punch((weapon.at or 0) + CLOSE_AT, weapon.fp, [*base, "hof.special-rules.panzerfaust"]))
    return max(found, key=lambda each: (each.at, not each.rfps_only, each.fp))


def supporters(game: Battle, side: str, team: Team) -> list[Team]:
    """hof.assaults.close-support: the Infantry AT Teams of its side in contact with a Team."""
    here = board(game)
    mates = [each for each in here.side(side).teams if each.kind.infantry_at and each is not team]
    return here.near(team, mates, CONTACT)


def still_stands(member: Member) -> bool:
    """Whether a Team is still on the table."""
    unit, team = member
    return team.at is not None and alive(unit, team)
