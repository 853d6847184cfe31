"""Flame-throwers: one shot, and then an ordinary Team. Range, RoF and FP are in `firing.weapons`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.state import Team, Unit
from sandtable.rulesets.hof.firing import is_flame

ONE_SHOT = "hof.optional.flame-one-shot"


def when_fired(game: Battle, unit: Unit, team: Team, weapons: Sequence[Weapon]) -> None:
    """The fuel is gone; a Team on foot is from now on like the others of its Unit."""
    if not any(is_flame(game, weapon) for weapon in weapons):
        return
    team.spent = True
    text = f"The flame-thrower of {team_label(unit, team)} is empty."
    if not team.kind.vehicle:
        team.profile = ordinary(unit)
        text = f"{text[:-1]}; it is now {team.kind.name}."
    game.tell("flame-empty", text, ONE_SHOT, seat=unit.side, team=team.id, profile=team.profile)


def ordinary(unit: Unit) -> str:
    """What most Infantry Teams of a Unit are."""
    plain = [
        team.profile
        for team in unit.teams.values()
        if team.kind.category == "infantry" and not team.kind.small and not team.kind.flames
    ]
    return Counter(plain).most_common(1)[0][0] if plain else "rifle"
