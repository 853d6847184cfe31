"""What a Team may fire with now, how far, and how many dice it rolls."""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.field.kept import Kept
from sandtable.rulesets.hof.core.arsenal import Weapon, profile
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.riding import passengers
from sandtable.rulesets.hof.core.state import Point, Team, Unit
from sandtable.table import distance as measure

FLAME_FP = 3
"""hof.optional.flame-profile"""

CLOSE_RANGE = 8.0
CLOSE_ROF = 3
"""hof.special-rules.assault-rifle"""

GARAND_RANGE = 10.0
GARANDS = ("us-rifle-mg", "rifle")
"""hof.national.us-semi-automatic"""

SILENT_ROLES = ("pl", "cc", "fo", "sniper")
"""Teams that never fire in the usual way; hof.leaders.no-fire, and snipers by hof.optional.sniper-fire."""


@cache
def direct_weapons(key: str, flame: bool) -> tuple[Weapon, ...]:
    """The weapons of a kind of Team that fire directly; flame-throwers by their own rule if it is in force."""
    found = [weapon for weapon in profile(key).weapons if weapon.direct and "assault-only" not in weapon.keywords]
    if flame:
        found = [msgspec.structs.replace(w, fp=FLAME_FP) if "flame-thrower" in w.keywords else w for w in found]
    return tuple(found)


@cache
def plain(key: str) -> bool:
    """Whether a kind of Team has no weapon that may be withheld from it."""
    withheld = {"passenger-fired", "not-from-buildings", "flame-thrower"}
    return not any(withheld.intersection(weapon.keywords) for weapon in profile(key).weapons)


def weapons_of(game: Battle, unit: Unit, team: Team) -> list[Weapon]:
    """The weapons that a Team may fire now."""
    if team.role in SILENT_ROLES:
        return []
    weapons = direct_weapons(team.profile, game.setup.options.flame)
    if plain(team.profile):
        return list(weapons)
    return [weapon for weapon in weapons if not withheld(game, unit, team, weapon)]


def withheld(game: Battle, unit: Unit, team: Team, weapon: Weapon) -> str:
    """The rule that keeps a Team from firing a weapon that it has; empty if none does."""
    keywords = weapon.keywords
    if "passenger-fired" in keywords and not passengers(unit, team):
        return "hof.transports.passenger-fired"
    if "flame-thrower" in keywords and team.spent and game.setup.options.flame:
        return "hof.optional.flame-one-shot"
    if "not-from-buildings" in keywords and indoors(game, team):
        return "hof.special-rules.no-fire-from-buildings"
    return ""


INDOORS = Kept[Point, bool]()
"""By the place of a base's centre: no building comes or goes."""


def indoors(game: Battle, team: Team) -> bool:
    """Whether a Team on the table is inside a building; asked once of each place."""
    if team.at is None:
        return False
    here = board(game)
    terrain, building = here.ground.terrain, here.ground.table.building
    return INDOORS.once(here, team.at, lambda: bool((terrain.inside(here.of([team])) & building).any()))


def is_flame(game: Battle, weapon: Weapon) -> bool:
    """Whether a weapon fires by the rule for flame-throwers."""
    return game.setup.options.flame and "flame-thrower" in weapon.keywords


def farthest(game: Battle, weapon: Weapon) -> float:
    """hof.firing.maximum-range; hof.optional.flame-profile knows no long range."""
    return reach_of(weapon, game.setup.options.flame)


def reach_of(weapon: Weapon, flame: bool) -> float:
    return weapon.range if flame and "flame-thrower" in weapon.keywords else 2 * weapon.range


def rate_of_fire(game: Battle, unit: Unit, team: Team, weapon: Weapon, gap: float) -> tuple[int, list[str]]:
    """The dice of a weapon at its full Rate of Fire, and the rules that raise it."""
    rof, rules = weapon.rof, []
    if "passenger-fired" in weapon.keywords:
        rules.append("hof.transports.passenger-fired")
    if "close-range-rof" in weapon.keywords and measure.nearer(gap, CLOSE_RANGE):
        rof = CLOSE_ROF
        rules.append("hof.special-rules.assault-rifle")
    if (
        game.setup.options.national
        and unit.nation == "us"
        and team.profile in GARANDS
        and measure.within(gap, GARAND_RANGE)
    ):
        rof += 1
        rules.append("hof.national.us-semi-automatic")
    return rof, rules


def high_explosive(weapon: Weapon) -> bool:
    """hof.firing.he-ignores-occupied-terrain: any weapon with an AT value, unless its HE is limited."""
    return weapon.at is not None and "limited-he" not in weapon.keywords


def has_fuel(game: Battle, team: Team) -> bool:
    """Whether a Team has a flame-thrower that has not been fired."""
    return game.setup.options.flame and not team.spent and team.kind.flames
