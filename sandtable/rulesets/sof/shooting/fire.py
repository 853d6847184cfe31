"""Shooting: a unit picks its target, the target may hit the dirt, weapons are chosen, and the fire is resolved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Assign, Choices, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.sof.core.arsenal import weapons
from sandtable.rulesets.sof.core.board import Battle, enemies_of, gap, gaps_of, never_targets, sees, why_hidden
from sandtable.rulesets.sof.core.names import figure_name, label, unit_option
from sandtable.rulesets.sof.core.state import UNARMED_ROLES, Unit
from sandtable.rulesets.sof.shooting.accuracy import thrown
from sandtable.rulesets.sof.shooting.effect import resolve
from sandtable.rulesets.sof.shooting.firers import (
    Firer,
    Mode,
    Sights,
    arc_rule,
    far_reach,
    firers,
    line_rules,
    modes_of,
    on_high_ground,
    reach_so,
    shooters,
    sights_of,
    why_idle,
)
from sandtable.rulesets.sof.shooting.status import Status, status_of
from sandtable.rulesets.sof.shooting.volume import Volley
from sandtable.table.hairs import EXACT, within
from sandtable.table.shapes import snap

Armed = tuple[Firer, Mode]
MEASURING = ("sof.shooting.visibility-unit", "sof.basics.measure-points", "sof.basics.unit-distance")
FIRE_RULES = ("sof.shooting.when", "sof.shooting.valid-target", "sof.shooting.one-target")


def nearest_first(game: Battle, unit: Unit) -> list[Unit]:
    """The enemy units on the table, in the order in which one would think of them as targets."""
    gaps = gaps_of(game, unit)
    return sorted(enemies_of(game.state, unit), key=lambda each: snap(gaps[each.id]))


def may_fire_at(game: Battle, unit: Unit, target: Unit, moving: bool, sustained: bool) -> bool:
    return within(gap(game, unit, target), far_reach(unit), EXACT) and bool(
        firers(game, unit, target, moving, sustained)
    )


def why_no_target(game: Battle, unit: Unit, target: Unit, moving: bool, sustained: bool) -> Refusal:
    """Which of the four that a target must be it is not."""
    name = label(target)
    if not shooters(game, unit):
        return nobody_shoots(unit)
    if not sees(game, unit, target):
        rule, words = why_hidden(game, unit, target)
        return illegal(rule, f"{label(unit)} does not see {name}: {words}.", field=target.id)
    rule, words = sights_of(game, unit, target).why_not(moving, sustained)
    return illegal(rule, f"{name} cannot be fired at by {label(unit)}: {words}.", field=target.id)


def nobody_shoots(unit: Unit) -> Refusal:
    """Why nobody of a unit can shoot, whatever the target."""
    if any(each.jammed for each in unit.able):
        message = f"The weapon of {label(unit)} is jammed."
        return illegal("sof.weapon-rules.jams", message, field=unit.id, legal="An action clears the jam.")
    return illegal("sof.shooting.wound-effect", f"{label(unit)} has nobody who can shoot.", field=unit.id)


def why_not_fire(game: Battle, unit: Unit, moving: bool, sustained: bool) -> Why:
    """Why a unit cannot shoot at all; None if it has a target."""
    enemies = enemies_of(game.state, unit)
    if not enemies:
        return illegal("sof.shooting.valid-target", f"{label(unit)} has no target.", field=unit.id)
    most, gaps = reach_so(unit, moving, sustained) + EXACT, gaps_of(game, unit)
    near = sorted([(inches, each.id) for each in enemies if (inches := gaps[each.id]) <= most])
    if any(firers(game, unit, game.state.units[name], moving, sustained) for _, name in near):
        return None
    return lambda: why_no_target(game, unit, nearest_first(game, unit)[0], moving, sustained)


def shoot(game: Battle, unit: Unit, *, moving: bool, sustained: bool = False) -> Flow[None]:
    """A Fire or Sustained Fire action."""

    def why_not(target: Unit) -> Why:
        if may_fire_at(game, unit, target, moving, sustained):
            return None
        return lambda: why_no_target(game, unit, target, moving, sustained)

    targets = {each.id: each for each in nearest_first(game, unit)}
    choices = Choices(targets, unit_option, why_not, besides=never_targets(game.state, unit, FIRE_RULES[1]))
    words = f"At whom does {label(unit)} fire?"
    facts = {"unit": unit.id, "moving": moving, "sustained": sustained}
    target = yield from choose_one(
        unit.side,
        "target",
        words,
        choices,
        rules=FIRE_RULES,
        facts=facts,
        always=True,
        step="whom",
        chance=choices.draw,
    )
    asked = may_react(target)
    yield from react(game, target)
    firing = firers(game, unit, target, moving, sustained)
    status = status_of(game, target, firing, moving)
    status.rules += ["sof.shooting.react"] if asked else []
    tell_status(game, unit, target, status, firing, moving)

    def why_not_so(figure: str, way: str) -> Why:
        return why_not_with(game, unit, target, (figure, way), moving=moving, sustained=sustained)

    chosen = yield from choose_weapons(unit, target, firing, why_not_so, (status, moving, sustained))
    yield from resolve(game, target, [Volley(unit, chosen, moving, sustained)], status)


def tell_status(game: Battle, unit: Unit, target: Unit, status: Status, firing: Sequence[Firer], moving: bool) -> None:
    words = [word for word, holds in (("concealed", status.concealed), ("protected", status.protected)) if holds]
    text = f"{label(unit)} fires at {label(target)}, which is {' and '.join(words) or 'in no cover'}."
    rules = [*FIRE_RULES, "sof.shooting.sequence", "sof.shooting.status-first", *MEASURING, *status.rules]
    rules += [*status.sight, arc_rule(unit, firing), *line_rules(game, unit, target, firing, moving)]
    rules += ["sof.shooting.lof-linear-two-ranks"] if unit.formation == "linear" else []
    rules += [rule for role, rule in UNARMED_ROLES.items() if any(each.role == role for each in unit.able)]
    rules += ["sof.shooting.visibility-terrain"] if status.sight else []
    rules += ["sof.shooting.high-ground"] if on_high_ground(firing) else []
    rules += ["sof.shooting.wound-effect"] if len(unit.able) < len(unit.teams) else []
    data = {"concealed": status.concealed, "protected": status.protected, "woods": status.woods}
    who = [each.figure.id for each in firing]
    game.tell("target", text, *rules, seat=unit.side, unit=unit.id, target=target.id, teams=who, status=data)


# Reaction.


def may_react(target: Unit) -> bool:
    """sof.shooting.react: whoever has not been activated this turn."""
    return not target.activated and not target.hit_the_dirt


def react(game: Battle, target: Unit) -> Flow[None]:
    if not may_react(target):
        return
    rules = ("sof.shooting.react", "sof.shooting.react-cost")
    yes = Option("dirt", "Hit the Dirt", rules)
    no = Option("stand", "Stand", ("sof.shooting.react",))
    words = f"{label(target)} is fired at. Does it hit the dirt? It may then not be activated this turn."
    dirt = yield from decide(
        target.side, "react", words, yes, no, rules=rules, facts={"unit": target.id}, no_first=True, step="reply"
    )
    if dirt:
        target.activated = True
        hit_the_dirt(game, target, *rules, "sof.actions.hit-the-dirt")


def hit_the_dirt(game: Battle, unit: Unit, *rules: str) -> None:
    """sof.actions.hit-the-dirt-recovers: it is harder to hit, and loses a suppression marker at once."""
    unit.hit_the_dirt = True
    cited = list(rules)
    if unit.suppression:
        unit.suppression -= 1
        cited.append("sof.actions.hit-the-dirt-recovers")
    jammed = [each for each in unit.able if each.carries("lever-action") and not each.jammed]
    for figure in jammed:
        figure.jammed = True
    cited += ["sof.weapon-rules.lever-action"] if jammed else []
    text = f"{label(unit)} hits the dirt."
    game.tell("hit-the-dirt", text, *cited, seat=unit.side, unit=unit.id, suppression=unit.suppression)


# Weapons.


def choose_weapons(
    unit: Unit,
    target: Unit,
    firing: Sequence[Firer],
    why_not: Callable[[str, str], Why],
    manner: tuple[Status, bool, bool] | None = None,
) -> Flow[list[Armed]]:
    """sof.shooting.one-weapon: each figure one weapon in one mode; asked only where somebody has a choice.

    `why_not` says of a figure and a way to fire why it is not among them. `manner`: how the target meets the fire, and
    whether it is fire on the move, or sustained.
    """
    if all(len(each.modes) == 1 for each in firing):
        answer = weapon_proposals(firing)[0]
    else:
        items = {each.figure.id: [mode_option(mode) for mode in each.modes] for each in firing}
        offered = {(each.figure.id, mode.name) for each in firing for mode in each.modes}
        answer = yield Ask(
            unit.side,
            Assign(
                "weapons",
                f"With what does each of {label(unit)} fire at {label(target)}?",
                items,
                legal=lambda wanted: refuse_weapons(firing, wanted),
                why_not=lambda figure, way: None if (figure, way) in offered else why_not(figure, way),
                proposals=lambda most: weapon_proposals(firing)[:most],
                rules=("sof.shooting.one-weapon", "sof.weapon-rules.grenade-limit"),
                facts={"unit": unit.id, "target": target.id},
                about=(unit, target, firing, manner),
                step="detail",
                needed=True,
            ),
        )
    return armed(firing, answer)


def armed(firing: Sequence[Firer], answer: Mapping[str, str]) -> list[Armed]:
    """Each figure that fires, with the mode that was chosen for it."""
    named = {each.figure.id: {mode.name: mode for mode in each.modes} for each in firing}
    return [(each, named[each.figure.id][answer[each.figure.id]]) for each in firing if each.figure.id in answer]


def why_not_with(
    game: Battle, unit: Unit, target: Unit, wanted: tuple[str, str], *, moving: bool, sustained: bool
) -> Refusal | None:
    """Why a figure does not fire at a target in some way: he does not shoot, has no such weapon, or it cannot do it."""
    figure = unit.teams.get(wanted[0])
    if figure is None:
        return None
    name = figure_name(figure)
    idle = why_idle(game, unit, figure)
    if idle is not None:
        return illegal(idle, f"{name} does not shoot.", field=figure.id)
    if wanted[1] not in [mode.name for mode in modes_of(figure)]:
        weapon = wanted[1].partition(":")[0].partition("+")[0]
        if weapon not in weapons():
            return None
        jammed = figure.jammed and weapon in (figure.profile, *figure.arms)
        rule = "sof.weapon-rules.jams" if jammed else "sof.shooting.one-weapon"
        message = f"{name} cannot fire so: {'his weapon is jammed' if jammed else 'he has no such way to fire'}."
        return illegal(rule, message, field=figure.id)
    rule, words = Sights(game, unit, target, [figure]).why_not(moving, sustained, wanted[1])
    return illegal(rule, f"{name} cannot fire so at {label(target)}: {words}.", field=figure.id)


def mode_option(mode: Mode) -> Option:
    return Option(mode.name, mode.spoken, ("sof.shooting.one-weapon",))


def most_throwers(firing: Sequence[Firer]) -> int:
    """sof.weapon-rules.grenade-limit: half of those who could shoot, rounded up."""
    return math.ceil(len(firing) / 2)


def throwers(firing: Sequence[Firer], wanted: dict[str, str]) -> int:
    named = {each.figure.id: {mode.name: mode for mode in each.modes} for each in firing}
    return sum(thrown(named[figure][name]) for figure, name in wanted.items())


def refuse_weapons(firing: Sequence[Firer], wanted: dict[str, str]) -> Refusal | None:
    most = most_throwers(firing)
    if throwers(firing, wanted) > most:
        message = f"{throwers(firing, wanted)} figures would throw grenades."
        return illegal("sof.weapon-rules.grenade-limit", message, field="weapons", legal=f"At most {most} may.")
    return None


def weapon_proposals(firing: Sequence[Firer]) -> list[dict[str, str]]:
    """Everybody with his own weapon, as far as grenades allow; and with each other mode, as many as may."""
    found = [within_limit(firing, {each.figure.id: each.modes[0].name for each in firing})]
    for name in dict.fromkeys(mode.name for each in firing for mode in each.modes[1:]):
        wanted = dict(found[0])
        wanted |= {each.figure.id: name for each in firing if name in [mode.name for mode in each.modes]}
        wanted = within_limit(firing, wanted)
        if wanted not in found:
            found.append(wanted)
    return found


def within_limit(firing: Sequence[Firer], wanted: dict[str, str]) -> dict[str, str]:
    """The same with no more grenades than may be thrown: whoever is too many fires otherwise, or not at all."""
    left = most_throwers(firing)
    kept = {}
    for each in firing:
        modes = {mode.name: mode for mode in each.modes}
        name = wanted[each.figure.id]
        if thrown(modes[name]):
            if left:
                left -= 1
            else:
                name = next((other for other, mode in modes.items() if not thrown(mode)), "")
        if name:
            kept[each.figure.id] = name
    return kept
