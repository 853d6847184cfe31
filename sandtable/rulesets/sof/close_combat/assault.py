"""The assault: who may, closing fire, rounds of close combat until one side is gone, and consolidation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Choices, Option, Refusal, Step, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.courses import length_of, refuse_ends, way_of
from sandtable.field.moving import Moving
from sandtable.rulesets.sof.close_combat.blows import Fight, able_fighters, higher_ground, in_low_obstacle, strike
from sandtable.rulesets.sof.close_combat.break_off import break_off, reform
from sandtable.rulesets.sof.close_combat.contact import close_in, contacted, fighters, reaches
from sandtable.rulesets.sof.core.board import (
    Battle,
    base_gap,
    board,
    enemies_of,
    gap,
    nearest_enemy,
    place,
    sees,
    within_inches,
)
from sandtable.rulesets.sof.core.checks import check
from sandtable.rulesets.sof.core.names import figure_name, label, name_of, unit_option
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.movement import IN_PHASE_ZERO, STOPPED, base_rate, rate_of
from sandtable.rulesets.sof.shooting import closing_volley, resolve, status_of
from sandtable.table.hairs import A_HAIR, EXACT
from sandtable.table.shapes import bearing

CONSOLIDATION = 3.0
"""sof.close-combat.consolidation"""

CLEAR = 2.0
TURNED_BACK = 3
"""sof.close-combat.turned-back"""


def why_barred(unit: Unit) -> Refusal | None:
    """Why a unit may not assault anybody."""
    if base_rate(unit, "assault") is None or unit.formation == "extended":
        words = "has no assault move" if base_rate(unit, "assault") is None else "is in extended order"
        return illegal("sof.actions.assault-barred", f"{label(unit)} {words}.", field="assault")
    if unit.suppression >= STOPPED:
        message = f"{label(unit)} has {unit.suppression} suppression markers."
        return illegal("sof.close-combat.barred-suppressed", message, field="assault", legal="Two at most.")
    if unit.formation == "linear" and unit.alignment == "march-column":
        return illegal("sof.close-combat.barred-march-column", f"{label(unit)} is in march column.", field="assault")
    return None


def why_not_target(game: Battle, unit: Unit, target: Unit) -> Why:
    """Why a unit may not assault another: phase 0, or nobody comes into contact."""
    state = game.state
    if state.number == 0 and within_inches(gap(game, unit, target), IN_PHASE_ZERO) and sees(game, unit, target):
        message = f"{label(unit)} acts in phase 0 and sees {label(target)}."
        return illegal("sof.turn.phase-zero-no-closer", message, field=target.id)
    near = within_inches(gap(game, unit, target), rate_of(unit, "assault"))
    if near and reaches(game, unit, target):
        return None
    message = f"No model of {label(unit)} can come into contact with {label(target)}."
    return illegal("sof.actions.assault-reach", message, field=target.id)


def why_no_assault(game: Battle, unit: Unit, led: bool = False) -> Why:
    """Why a unit may not take the Assault action; None if it has a target. `led`: only the nearest enemy is one."""
    barred = why_barred(unit)
    if barred is not None:
        return barred
    enemies = within_reach(game, unit, led)
    if any(why_not_target(game, unit, enemy) is None for enemy in enemies):
        return None
    if not enemies:
        return illegal("sof.actions.assault-reach", f"{label(unit)} has nobody to assault.", field="assault")
    nearest = min(enemies, key=lambda each: gap(game, unit, each))
    return lambda: why_refused(game, unit, nearest)


def why_refused(game: Battle, unit: Unit, target: Unit) -> Refusal | None:
    why = why_not_target(game, unit, target)
    return why() if callable(why) else why


def within_reach(game: Battle, unit: Unit, led: bool) -> list[Unit]:
    """Whom a unit might assault: any enemy, but in an Inspired Advance the nearest."""
    nearest = nearest_enemy(game, unit) if led else None
    return enemies_of(game.state, unit) if nearest is None else [nearest]


def assault(game: Battle, unit: Unit, led: bool = False) -> Flow[bool]:
    """An Assault action. True if the unit may go on with its activation. `led`: in an Inspired Advance."""
    enemies = {each.id: each for each in within_reach(game, unit, led)}
    choices = Choices(enemies, unit_option, lambda target: why_not_target(game, unit, target))
    words = f"Whom does {label(unit)} assault?"
    rules = ("sof.actions.assault-reach", "sof.close-combat.move")
    target = yield from choose_one(
        unit.side, "assault", words, choices, rules=rules, facts={"unit": unit.id}, always=True, step="whom"
    )
    smoke = yield from smoke_grenades(game, unit)
    start = min(
        (each.at for each in unit.able if each.at is not None),
        key=lambda at: round(min(math.dist(at, spot) for spot in spots_of(target)), 2),
    )
    ditch = in_low_obstacle(game, unit)
    charge(game, unit, target)
    defenders = contacted(game, unit)
    uphill = {each.id for each in defenders if higher_ground(game, start, each)}
    turned = yield from closing_fire(game, unit, defenders, smoke)
    if turned or unit.id not in game.state.units:
        return False
    parts = {unit.id: fighters(game, unit, defenders)}
    parts |= {each.id: fighters(game, each, [unit]) for each in defenders}
    won = yield from rounds(game, Fight(unit, defenders, parts, start, uphill=uphill, ditch=ditch))
    return won and unit.id in game.state.units


def smoke_grenades(game: Battle, unit: Unit) -> Flow[bool]:
    """sof.weapon-rules.smoke-grenades: once in a battle, declared before the move; whether they are used."""
    if "smoke-grenades" not in unit.equipment:
        return False
    rules = ("sof.weapon-rules.smoke-grenades",)
    yes, no = Option("smoke", "Use the smoke grenades", rules), Option("keep", "Keep them", rules)
    words = f"Does {label(unit)} use its smoke grenades?"
    used = yield from decide(unit.side, "smoke-grenades", words, yes, no, rules=rules, facts={"unit": unit.id})
    if used:
        unit.equipment = tuple(each for each in unit.equipment if each != "smoke-grenades")
        text = f"{label(unit)} throws its smoke grenades."
        game.tell("smoke-grenades", text, *rules, seat=unit.side, unit=unit.id)
    return used


def spots_of(unit: Unit) -> list[tuple[float, float]]:
    return [figure.at for figure in unit.teams.values() if figure.at is not None]


def charge(game: Battle, unit: Unit, target: Unit) -> None:
    """Every model closes in, and nobody has to be in command at the end of it."""
    unit.dug_in = False
    going = close_in(game, unit, target)
    ways = {name: [list(spot) for spot in way] for name, way in going.ways.items()}
    far = max(map(length_of, going.ways.values()), default=0.0)
    text = f"{label(unit)} assaults {label(target)}."
    rules = ("sof.close-combat.sequence", "sof.close-combat.move", "sof.actions.assault-reach")
    data = {"target": target.id, "ways": ways, "inches": round(far, 2)}
    game.tell("assault", text, *rules, seat=unit.side, unit=unit.id, **data)  # type: ignore[arg-type]
    for name, way in going.ways.items():
        look = bearing(*way[0], *way[-1]) if length_of(way) > A_HAIR else None
        place(game, unit.teams[name], *way[-1], None if unit.formation == "linear" else look)


# Closing fire.


def closing_fire(game: Battle, unit: Unit, defenders: Sequence[Unit], smoke: bool) -> Flow[bool]:
    """sof.close-combat.closing-fire-one-attack: all the fire of those near. True if it turned the assault back."""
    volleys, limits = yield from closing_volley(game, unit, defenders, smoke)
    if not volleys:
        return False
    rules = ["sof.close-combat.closing-fire-contacted", "sof.close-combat.closing-fire-one-attack", *limits]
    rules += ["sof.shooting.when"]
    firing = [firer for volley in volleys for firer, _ in volley.chosen]
    text = f"{label(unit)} runs into closing fire."
    who = [volley.unit.id for volley in volleys]
    game.tell("closing-fire", text, *rules, seat=defenders[0].side, unit=unit.id, units=who)
    before, unit.forced = unit.forced, True
    yield from resolve(game, unit, volleys, status_of(game, unit, firing))
    unit.forced = before
    if unit.id in game.state.units and unit.suppression >= TURNED_BACK:
        yield from break_off(game, unit, defenders, "sof.close-combat.turned-back")
        yield from settled(game, [each for each in defenders if each.id in game.state.units])
        return True
    return False


# Rounds.


def rounds(game: Battle, fight: Fight) -> Flow[bool]:
    """Blow upon blow until one side is eliminated or has broken off. True if the assaulting unit has won."""
    while True:
        if not (yield from turn_of(game, fight, fight.attacker)):
            yield from settled(game, there(game, fight.defenders))
            return False
        for unit in there(game, fight.defenders):
            yield from turn_of(game, fight, unit)
            if not there(game, [fight.attacker]):
                yield from settled(game, there(game, fight.defenders))
                return False
        fight.defenders = [each for each in there(game, fight.defenders) if each.id in fight.parts]
        if not fight.defenders:
            yield from settled(game, [fight.attacker])
            return True
        fight.round += 1


def there(game: Battle, units: Sequence[Unit]) -> list[Unit]:
    return [each for each in units if each.id in game.state.units]


def turn_of(game: Battle, fight: Fight, unit: Unit) -> Flow[bool]:
    """One unit's part of a round: from the second on it must pass its Aggression check. False if it broke off."""
    foes = [each for each in there(game, fight.opponents(unit)) if each.id in fight.parts]
    if not foes:
        return True
    steady = bool(able_fighters(fight, unit))
    if fight.round > 1 or not steady:
        steady = yield from aggression(game, unit, steady)
    if not steady:
        yield from break_off(game, unit, foes, "sof.close-combat.aggression")
        fight.parts.pop(unit.id, None)
        return False
    yield from strike(game, fight, unit)
    return True


def aggression(game: Battle, unit: Unit, able: bool) -> Flow[bool]:
    """sof.close-combat.aggression; a unit of which nobody is left in the fight breaks off without one."""
    if not able:
        return False
    done = yield from check(game, unit.side, 1, unit.aggression, f"{label(unit)} checks its Aggression")
    text = f"{label(unit)} needs {done.needed}+ to fight on, rolls {done.throw.value}."
    rules = ("sof.close-combat.aggression", "sof.units.morale-check", *done.rules)
    data = {"needed": done.needed, "passed": done.ok}
    game.tell("aggression", text, *rules, seat=unit.side, dice=done.throws, unit=unit.id, **data)  # type: ignore[arg-type]
    return done.ok


# After the fight.


def settled(game: Battle, winners: Sequence[Unit]) -> Flow[None]:
    """sof.close-combat.resolution: those who are left have won, and consolidate."""
    for unit in winners:
        text = f"{label(unit)} has won the close combat."
        game.tell("close-combat-won", text, "sof.close-combat.resolution", seat=unit.side, unit=unit.id)
        if unit.formation == "linear":
            reform(game, unit)
        else:
            yield from consolidate(game, unit)


def consolidate(game: Battle, unit: Unit) -> Flow[None]:
    """sof.close-combat.consolidation: each model up to 3 inches, and not to within 2 inches of another unit's."""

    def refuse(steps: dict[str, Step]) -> Refusal | None:
        return refuse_consolidation(game, unit, steps)

    moving: Moving[Figure] = Moving(board(game).figures_of(unit), lambda _: CONSOLIDATION, refuse)
    words = f"{label(unit)} may consolidate: where does each go?"
    question = moving.question(
        "consolidate",
        words,
        figure_name,
        lambda: moving.usual([each.at for each in game.state.objectives.values()]),
        rules=("sof.close-combat.consolidation",),
        unit=unit.id,
    )
    steps = moving.steps((yield Ask(unit.side, question)))
    for name, step in steps.items():
        place(game, unit.teams[name], *step.to, step.facing)
    if steps:
        text = f"{label(unit)} consolidates."
        game.tell("consolidates", text, "sof.close-combat.consolidation", seat=unit.side, unit=unit.id)


def refuse_consolidation(game: Battle, unit: Unit, steps: dict[str, Step]) -> Refusal | None:
    here = board(game)
    figures = [unit.teams[name] for name in steps]
    rule = "sof.close-combat.consolidation"
    for figure in figures:
        path = way_of(figure, steps[figure.id])
        if length_of(path) > CONSOLIDATION + A_HAIR:
            message = f"{name_of(game.state, figure.id)} would go {length_of(path):.1f} inches."
            return illegal(rule, message, field=figure.id, legal="3 inches at most.")
    ends = here.at(figures, {name: step.to for name, step in steps.items()})
    for other in game.state.units.values():
        if other is not unit and other.placed and len(ends) and base_gap(ends, here.rows_of(other)) <= CLEAR - EXACT:
            message = f"{label(unit)} would come within 2 inches of {label(other)}."
            return illegal(rule, message, field=unit.id, legal="Keep 2 inches away from other units.")
    return refuse_ends(here, game.prepared, figures, ends, lambda name: name_of(game.state, name), rule)
