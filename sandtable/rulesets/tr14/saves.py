"""Saves: what hits do to the Teams that they are allocated to."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.board import Battle, Rows, board
from sandtable.rulesets.tr14.core.names import team_label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.core.terrain import COVER_NAMES, HARD
from sandtable.rulesets.tr14.suppression import destroy_team, suppress_team
from sandtable.table.hairs import within
from sandtable.table.shapes import X, Y, forward_offset

SAVES = {"infantry": (3, 2), "gun": (5, 3)}
"""tr14.saves.table: in the open or Soft Cover, in Hard Cover"""

CLOSE = 18.0
"""tr14.saves.close-range-reroll"""

HULL = 3
"""tr14.saves.hull-or-turret: up to this the hull is hit, above it the turret."""

SHAKEN = (4, 5)
DESTROYED = 6
"""tr14.saves.vehicle-damage-table"""

TURRET_FRONT = 0.5
"""The front of a turret lies this far before the middle of its tank; the rules give no measure."""


@dataclass(slots=True)
class Hit:
    """Dice that hit one Team: of one AT weapon, or (without a weapon) of all other weapons together."""

    member: Member
    dice: int
    cover: int
    weapon: Weapon | None = None
    distance: float = 0.0
    spot: tuple[float, float] = (0.0, 0.0)
    shield: bool = False
    suppresses: bool = True
    shooter: str = ""


def save_number(team: Team, cover: int, at: bool) -> tuple[int, list[str]]:
    """The Save of a Team without armor, and the rules it rests on."""
    rules = ["tr14.saves.table"]
    if team.kind.soft_skinned:
        column = "gun" if at else "infantry"
        rules.append("tr14.saves.soft-skinned")
    elif team.kind.type == "gun" and not (team.moved or team.fired):
        column = "infantry"
        rules.append("tr14.saves.quiet-guns")
    else:
        column = team.kind.type
    if cover == HARD:
        rules.append("tr14.terrain.hard-cover")
    return SAVES[column][1 if cover == HARD else 0], rules


def roll_saves(game: Battle, firing: Unit, target: Unit, hits: list[Hit], reroll_successes: bool) -> Flow[int]:
    """Every Team that was hit rolls its Saves; the result counts Teams destroyed and tanks suppressed."""
    results = 0
    for hit in hits:
        unit, team = hit.member
        if team.id not in unit.teams:
            continue
        forced = forcing(unit, target, reroll_successes)
        if team.kind.armored:
            results += yield from armor_saves(game, firing, hit, forced)
        elif (yield from plain_saves(game, hit, forced)):
            yield from destroy_team(game, hit.member, "destroyed", "tr14.saves.failed")
            results += 1
    return results


def forcing(unit: Unit, target: Unit, reroll_successes: bool) -> list[str]:
    """The rules by which every successful Save of a Team is rolled again."""
    forced = ["tr14.firing.one-or-less"] if reroll_successes else []
    if unit.ran or target.ran:
        forced.append("tr14.playing.action-run")
    return forced


def tell_saves(game: Battle, member: Member, throw: Throw, needed: int, *rules: str, where: str = "") -> int:
    """Tell what Saves have come to; the result counts those that fail."""
    unit, team = member
    failed = sum(value < needed for value in throw.values)
    fail = f"{failed} of {len(throw.values)} {'fails' if failed == 1 else 'fail'}"
    text = f"{team_label(unit, team)}{where} saves on {needed}+: {fail}."
    game.tell("save", text, *rules, seat=unit.side, dice=[throw], team=team.id, needed=needed, failed=failed)
    return failed


def plain_saves(game: Battle, hit: Hit, forced: list[str]) -> Flow[bool]:
    """Saves of a Team without armor. True if one failed."""
    unit, team = hit.member
    needed, rules = save_number(team, hit.cover, hit.weapon is not None)
    if hit.shield:
        rules.append("tr14.arsenal.gun-shield")
    dice = saves_due(hit)
    if dice < hit.dice:
        rules.append("tr14.firing.at-one-save")
    throw = yield from game.throw(unit.side, dice, f"{team_label(unit, team)}'s Save")
    if forced and (yield from force_again(game, throw, needed)):
        rules += forced
    where = f" in {COVER_NAMES[hit.cover]}"
    return tell_saves(game, hit.member, throw, needed, "tr14.saves.roll", *rules, where=where) > 0


def saves_due(hit: Hit) -> int:
    """tr14.firing.at-one-save: how many Saves a Team without armor rolls for some hits."""
    return 1 if hit.weapon is not None and hit.member[1].kind.type != "tank" else hit.dice


def force_again(game: Battle, throw: Throw, needed: int) -> Flow[bool]:
    """Successful Saves are rolled again. True if there were any."""
    passed = [index for index, value in enumerate(throw.values) if value >= needed]
    yield from game.reroll(throw, passed)
    return bool(passed)


def armor_saves(game: Battle, firing: Unit, hit: Hit, forced: list[str]) -> Flow[int]:
    unit, team = hit.member
    if hit.weapon is None:
        text = f"{team_label(unit, team)} shrugs off {several(hit.dice, 'hit')}: only AT weapons harm it."
        game.tell("no-effect", text, "tr14.saves.armored-only-at", seat=unit.side, team=team.id, hits=hit.dice)
        return 0
    needed, rules = yield from armor_number(game, firing, hit)
    throw = yield from game.throw(unit.side, hit.dice, f"{team_label(unit, team)}'s armor Save")
    failed_first = [index for index, value in enumerate(throw.values) if value < needed]
    forced = [*forced, *close_range(hit.distance)]
    if forced and (yield from force_again(game, throw, needed)):
        rules += forced
    if failed_first and has_skirts(hit):
        yield from game.reroll(throw, failed_first)
        rules.append("tr14.arsenal.skirts")
    failed = tell_saves(game, hit.member, throw, needed, "tr14.saves.armor-save", *rules)
    return (yield from vehicle_damage(game, firing, hit.member, failed, suppresses=hit.suppresses))


def close_range(distance: float) -> list[str]:
    return ["tr14.saves.close-range-reroll"] if within(distance, CLOSE) else []


def has_skirts(hit: Hit) -> bool:
    """tr14.arsenal.skirts: failed Saves against infantry weapons are rolled again."""
    return "skirts" in hit.member[1].kind.notes and hit.weapon is not None and hit.weapon.type == "infantry"


def armor_number(game: Battle, firing: Unit, hit: Hit) -> Flow[tuple[int, list[str]]]:
    """Front or flank armor: by the hull, or by the turret where the two disagree and the die says so."""
    team = hit.member[1]
    rules = ["tr14.saves.flank"]
    front, turret_front = sides_struck(game, hit)
    if turret_front != front:
        throw = yield from game.throw(firing.side, 1, f"hull or turret of {team_label(*hit.member)}")
        where = "hull" if throw.value <= HULL else "turret"
        front = front if where == "hull" else turret_front
        rules.append("tr14.saves.hull-or-turret")
        armor = "front" if front else "flank"
        text = f"The shot strikes the {where} of {team_label(*hit.member)}, {armor}."
        game.tell(
            "hull-or-turret", text, *rules, seat=firing.side, dice=[throw], team=team.id, where=where, armor=armor
        )
    return armor_of(team, front), rules


def sides_struck(game: Battle, hit: Hit) -> tuple[bool, bool]:
    """Whether a hit would strike the front of the hull, and of the turret; without one they are the same."""
    team = hit.member[1]
    row = board(game).of([team])[0]
    front = ahead(row, team.facing, *hit.spot, team.kind.base.depth / 2)
    return front, front if team.turret is None else ahead(row, team.turret, *hit.spot, TURRET_FRONT)


def ahead(row: Rows, facing: float, x: float, y: float, line: float) -> bool:
    """Whether a point lies on or beyond a line drawn across a base at some distance before its centre."""
    return within(line, forward_offset(float(row[X]), float(row[Y]), facing, x, y))


def armor_of(team: Team, front: bool) -> int:
    return team.kind.front if front else team.kind.flank


def vehicle_damage(game: Battle, firing: Unit, member: Member, failed: int, *, suppresses: bool = True) -> Flow[int]:
    """tr14.saves.vehicle-damage-table: a die for each failed armor Save, of one weapon."""
    if not failed:
        return 0
    team = member[1]
    throw = yield from game.throw(firing.side, failed, f"damage to {team_label(*member)}")
    rules = ["tr14.saves.vehicle-damage-table"]
    destroyed = DESTROYED in throw.values
    shaken = sum(value in SHAKEN for value in throw.values)
    if shaken > 1 and not destroyed:
        rules.append("tr14.saves.tank-one-suppression")
    outcome = "destroyed" if destroyed else "suppressed" if shaken else "unharmed"
    text = f"{team_label(*member)}: damage {', '.join(map(str, throw.values))}, {outcome}."
    game.tell("damage", text, *rules, seat=firing.side, dice=[throw], team=team.id, outcome=outcome)
    if destroyed:
        yield from destroy_team(game, member, "destroyed", "tr14.saves.vehicle-damage-table")
        return 1
    if shaken and not suppresses:
        text = "Fire at a Forward Observer suppresses nobody."
        game.tell("no-suppression", text, "tr14.indirect.fo-no-suppression", seat=member[0].side, team=team.id)
    elif shaken:
        return int(suppress_team(game, member, "tr14.saves.vehicle-damage-table"))
    return 0
