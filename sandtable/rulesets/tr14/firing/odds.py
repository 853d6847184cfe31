"""The exact odds of orders to fire: one volley after the other, each after what those before may have left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances, sure
from sandtable.field.outcomes import Harm
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.state import Unit
from sandtable.rulesets.tr14.firing.directed import K
from sandtable.rulesets.tr14.firing.fire_table import read_order
from sandtable.rulesets.tr14.firing.orders import orders_for, proposed_fire
from sandtable.rulesets.tr14.firing.reaction import best_moment, manner_of, watchers
from sandtable.rulesets.tr14.firing.shots import Salvo
from sandtable.rulesets.tr14.firing.targets import Target, aimed_at, may_go_to_ground
from sandtable.rulesets.tr14.firing.volley_odds import End, Volley
from sandtable.rulesets.tr14.moving import Course, take_courses


@dataclass
class Fire:
    """The odds of orders to fire: each throw, the chances of what it does, and of how many dice hit.

    `to_ground` are the Units that might go to ground before the dice, and are taken not to.
    """

    lines: list[PreviewLine] = field(default_factory=list)
    harm: Chances[Harm] = field(default_factory=lambda: sure(Harm()))
    hits: Chances[int] = field(default_factory=lambda: sure(0))
    to_ground: list[Unit] = field(default_factory=list)
    directs: bool = False


After = tuple[tuple[str, ...], tuple[str, ...], str]
"""What one volley leaves behind for the next: Units lost, leaders who commanded, and a company that has retreated."""


def fire_odds(game: Battle, salvo: Salvo, at: Target | None = None) -> Fire | None:
    """The odds of orders to fire, one target Unit after the other; or all `at` one target.

    None if two of the volleys would hurt the same Teams: what the first leaves of them has no simple form.
    """
    fire = Fire()
    harm: Chances[tuple[After, Harm]] = sure((((), (), ""), Harm()))
    hits: Chances[tuple[After, int]] = sure((((), (), ""), 0))
    seen: set[str] = set()
    for name in salvo.targets if at is None else [""]:
        target, here = (at, salvo) if at is not None else (aimed_at(game, game.state.units[name]), salvo.at(name))
        if not seen.isdisjoint(team.id for _, team in target.members):
            return None
        seen |= {team.id for _, team in target.members}
        if not salvo.moving_target and may_go_to_ground(game, target):
            fire.to_ground.append(target.unit)
        ends: dict[After, Chances[End]] = {}
        for (after, _), _ in harm:
            if after not in ends:
                lost, used, over = after
                volley = Volley(game, here, target, lost, used)
                ends[after] = sure(End()) if over or not volley.shots else volley.ends()
                volley.close()
        fire.lines += volley.lines()
        fire.directs = fire.directs or any(leader.beside for leader in volley.leaders)
        volley.turn()
        harm = following(harm, ends, lambda so_far, end: so_far.with_more(end.harm))
        hits = following(hits, ends, lambda so_far, end: so_far + end.hits)
    fire.harm, fire.hits = harm.mapped(lambda end: end[1]), hits.mapped(lambda end: end[1])
    return fire


def reaction_odds(game: Battle, mover: Unit, courses: list[Course], unit: Unit) -> Fire | None:
    """The odds of a Unit's fire at movers, when and as it is proposed; None if it cannot fire."""
    able = watchers(game, mover, courses).get(unit.id)
    if not able:
        return None
    moment = best_moment(able)
    take_courses(game, courses, moment)
    targets = {course.unit.id: course.unit for course in courses}
    items = orders_for(game, unit, able[moment], list(targets.values()))
    orders = {team: read_order(choice) for team, choice in proposed_fire(game, unit, items)[0].items()}
    return fire_odds(game, Salvo(unit, orders, manner_of(unit), moving_target=True)) if orders else None


def following(
    found: Chances[tuple[After, K]], ends: Mapping[After, Chances[End]], more: Callable[[K, End], K]
) -> Chances[tuple[After, K]]:
    """One volley more, after each that those before may have left."""

    def follow(so_far: tuple[After, K]) -> Chances[tuple[After, K]]:
        after, sum_of = so_far
        return ends[after].mapped(lambda end: (left(after, end), more(sum_of, end)))

    return found.then(follow)


def left(before: After, end: End) -> After:
    """What a volley leaves behind, with what those before it have."""
    lost, used, over = before
    return (*lost, *end.lost), (*used, *end.used), over or end.harm.over
