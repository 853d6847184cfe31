"""The exact odds of a barrage, as `shells.fire_shells` plays it, until its opponent may shift the template."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances, at_least, either, mixed, successes, sure
from sandtable.engine.events import several
from sandtable.engine.game import answered
from sandtable.field.outcomes import Harm, reasons
from sandtable.rulesets.tr14.core.board import Battle, Rows, board
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT, check_chance, check_number
from sandtable.rulesets.tr14.core.names import label, team_label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, members_of
from sandtable.rulesets.tr14.fates import GONE, Fate, Fates, Risk, damage_risk, save_fails
from sandtable.rulesets.tr14.firing import aimed_at, may_go_to_ground
from sandtable.rulesets.tr14.indirect.batteries import (
    barrage_points,
    battery_of,
    ignores,
    mark_fired,
    ranges_in_again,
    template_facing,
)
from sandtable.rulesets.tr14.indirect.shells import (
    barrage_number,
    best_placed,
    choose_observer,
    possible_targets,
    range_in_modifiers,
    range_in_number,
    under_template,
)
from sandtable.rulesets.tr14.suppression import add_markers


@dataclass
class Shells:
    """The odds of a barrage: each throw, and what it does; None where it is not ranged in."""

    lines: list[PreviewLine]
    harm: Chances[Harm | None]
    observer: Team
    to_ground: list[Unit] = field(default_factory=list)


def barrage_odds(game: Battle, unit: Unit, team_id: str) -> Shells:
    """The odds of ranging in on a Team. `game` is a copy that is used up."""
    battery = battery_of(game, unit)
    member, guns, watching = possible_targets(game, battery)[team_id]
    observer = answered(choose_observer(unit, best_placed(game, watching, member[1])))
    mark_fired(game, guns)
    target = aimed_at(game, member[0])
    modifiers = range_in_modifiers(game, unit, observer, target)
    needed = range_in_number(target, modifiers)
    chance = at_least(max(LEAST_TO_HIT, needed)) if needed <= BEST_DIE else 0.0
    if ranges_in_again(guns):
        chance = 1.0 - (1.0 - chance) ** 2
    assert member[1].at is not None
    x, y = member[1].at
    points, _ = barrage_points(guns)
    under = under_template(game, x, y, template_facing(game, guns, x, y)) if points else []
    on = team_label(*member)
    lines = [PreviewLine(f"{label(unit)} ranges in on {on}", 1, needed, reasons(modifiers))]
    if under:
        words = f"{several(len(under), 'Team')} under the template, each"
        lines.append(PreviewLine(words, points, check_number(unit, [])))
    to_ground = [target.unit] if may_go_to_ground(game, target) else []
    shells = Barrage(game, unit, board(game).of(guns), points)
    fallen: Chances[Harm | None] = shells.falls(under).mapped(lambda harm: harm)
    return Shells(lines, either(chance, fallen, sure(None)), observer, to_ground)


End = tuple[Harm, tuple[str, ...]]
"""What shells have done, and the Units that have no Team left."""


@dataclass
class Barrage:
    """Shells on their way: whose they are, where the guns stood, and how many dice each Team under them is worth."""

    game: Battle
    firing: Unit
    battery: Rows
    points: int

    def falls(self, under: list[Member]) -> Chances[Harm]:
        """What they do to all who lie under them, one Unit after the other."""
        found: Chances[End] = sure((Harm(), ()))
        for _, group in groupby(under, key=lambda member: member[0].id):
            found = found.then(partial(self.on_unit, list(group), {}))
        return found.mapped(lambda end: end[0])

    def on_unit(self, under: list[Member], known: dict[tuple[str, ...], Chances[End]], so_far: End) -> Chances[End]:
        """What they do to one Unit, after what they have done to others; `known` are the odds by Units lost before."""
        harm, lost = so_far
        if harm.over:
            return sure(so_far)
        if lost not in known:
            whole = self.game.state.units
            fates = Fates(self.game, members_of(under[0][0]), lost)
            known[lost] = self.alone(fates, under)
            fates.set_up(fates.start)
            self.game.state.units = whole
        return known[lost].mapped(lambda end: (harm.with_more(end[0]), (*lost, *end[1])))

    def alone(self, fates: Fates, under: list[Member]) -> Chances[End]:
        """What they do to the Teams of one Unit."""
        owner = under[0][0]
        found: Chances[tuple[Fate, bool]] = sure((fates.start, False))
        for member in under:
            needed, _, forced = barrage_number(self.game, self.battery, member)
            fails = save_fails(needed, forced=bool(forced))
            position = fates.members.index(member)
            found = found.then(partial(self.on_team, fates, position, fails))
            fates.set_up(fates.start)

        def told(end: tuple[Fate, bool]) -> End:
            harm, lost = fates.harm(*end), tuple(fates.lost_units(end[0]))
            if owner.side == self.firing.side:
                harm = Harm(harm.hit, own=harm.destroyed, over=harm.over)
            return harm, lost

        return found.mapped(told)

    def on_team(
        self, fates: Fates, position: int, fails: float, so_far: tuple[Fate, bool]
    ) -> Chances[tuple[Fate, bool]]:
        fate, struck = so_far
        if fate.over or fate.marks[position] == GONE:
            return sure(so_far)
        return mixed(
            (after_save(fates, fate, position, hits, fails).mapped(lambda end: (end, True)), chance)
            if hits
            else (sure((fate, struck)), chance)
            for hits, chance in successes(self.points, check_chance(self.firing))
        )


def after_save(fates: Fates, fate: Fate, position: int, hits: int, fails: float) -> Chances[Fate]:
    """`barrage_save`: one Save however many hits."""
    owner, team = fates.members[position]
    observer = team.role == "fo"
    if ignores(team, hits) or (hits == 1 and observer):
        return sure(fate)
    if hits == 1:
        return either(fails, sure(fates.suppress(fate, position)), sure(fate))
    risk = damage_risk(1, 1.0) if team.kind.armored else Risk(1.0)

    def another() -> None:
        answered(add_markers(fates.game, [each for each in members_of(owner) if each[1] is not team], 1, set()))

    def suppressed(after: Fate) -> Fate:
        return after if after.over or observer else fates.carried_out(after, ("another", position), another)

    failed = mixed((sure(suppressed(after)), chance) for after, chance in fates.saved(fate, position, *risk))
    return either(fails, failed, sure(fate))
