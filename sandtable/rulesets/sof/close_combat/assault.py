"""The assault: who may, closing fire, rounds of close combat until one side is gone, and consolidation."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Choices, LaterDict, Option, Refusal, Step, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.courses import length_of, refuse_ends, untangle, way_of
from sandtable.field.moving import Moving
from sandtable.rulesets.sof.close_combat.blows import Fight, able_fighters, higher_ground, in_low_obstacle, strike
from sandtable.rulesets.sof.close_combat.break_off import break_off, reform
from sandtable.rulesets.sof.close_combat.contact import (
    ACROSS,
    before_front,
    close_in,
    contacted,
    fighters,
    on_haystack,
    reaches,
)
from sandtable.rulesets.sof.core.arsenal import Special
from sandtable.rulesets.sof.core.board import (
    Battle,
    base_gap,
    board,
    enemies_of,
    gap,
    gaps_of,
    nearest_enemy,
    never_targets,
    place,
    sees,
    within_inches,
)
from sandtable.rulesets.sof.core.checks import check
from sandtable.rulesets.sof.core.names import FIGURE, figure_name, label, name_of, unit_name, unit_option
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.movement import (
    IN_PHASE_ZERO,
    RATE_RULES,
    STOPPED,
    Manner,
    MoveLaw,
    adjustments,
    agility,
    allowance,
    base_rate,
    courses_of,
    move,
    rate_of,
    take,
)
from sandtable.rulesets.sof.shooting import closing_volley, resolve, status_of
from sandtable.table.hairs import A_HAIR, GRID, beyond, within
from sandtable.table.shapes import bearing, snap

CONSOLIDATION = 3.0
"""sof.close-combat.consolidation"""

BESIDE_A_LANCE: tuple[Special, ...] = ("assault", "close-fighting-weapon", "sabre")
"""What else a lancer might strike with."""

BROKEN_THROUGH = 2
"""sof.close-combat.breakthrough-suppression"""

CLEAR = 2.0
TURNED_BACK = 3
"""sof.close-combat.turned-back"""


def why_barred(unit: Unit) -> Refusal | None:
    """Why a unit may not assault anybody."""
    if base_rate(unit, "assault") is None or unit.formation == "extended":
        words = "has no assault move" if base_rate(unit, "assault") is None else "is in extended order"
        return illegal("sof.actions.assault-barred", f"{label(unit)} {words}.", field="assault")
    if unit.suppression >= STOPPED:
        return too_suppressed(unit)
    if unit.formation == "linear" and unit.alignment == "march-column":
        return illegal("sof.close-combat.barred-march-column", f"{label(unit)} is in march column.", field="assault")
    return None


def too_suppressed(unit: Unit) -> Refusal:
    message = f"{label(unit)} has {unit.suppression} suppression markers."
    return illegal("sof.close-combat.barred-suppressed", message, field="assault", legal="Two at most.")


def why_not_target(game: Battle, unit: Unit, target: Unit) -> Why:
    """Why a unit may not assault another: phase 0, or nobody comes into contact."""
    barred = why_no_charge(game, unit, target)
    if barred is not None:
        return barred
    near = within_inches(gap(game, unit, target), rate_of(unit, "assault") + ACROSS)
    if near and not before_front(game, unit, board(game).figures_of(target)):
        message = f"{label(target)} is not before the front of {label(unit)}."
        legal = "A unit in linear order assaults within the 180 degrees that it faces."
        return illegal("sof.formations.linear-front-arc-only", message, field=target.id, legal=legal)
    if near and reaches(game, unit, target):
        return why_no_nearer(game, unit, target, "assault")
    message = f"No model of {label(unit)} can come into contact with {label(target)}."
    return illegal("sof.actions.assault-reach", message, field=target.id)


def why_no_assault(game: Battle, unit: Unit, led: bool = False) -> Why:
    """Why a unit may not take the Assault action; None if it has a target. `led`: only the nearest enemy is one."""
    barred = why_barred(unit)
    if barred is not None:
        return barred
    enemies = within_reach(game, unit, led)
    gaps, far = gaps_of(game, unit), rate_of(unit, "assault") + ACROSS
    near = [each for each in enemies if within_inches(gaps[each.id], far)]
    if any(why_not_target(game, unit, enemy) is None for enemy in near):
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


def not_the_nearest(game: Battle, unit: Unit) -> LaterDict[Why]:
    """Why an officer who leads an Inspired Advance leads it against nobody else."""
    farther = {
        each.id: illegal("sof.leadership.advance-move", f"{label(each)} is not the nearest enemy.", field=each.id)
        for each in enemies_of(game.state, unit)
    }
    return LaterDict(lambda: {**never_targets(game.state, unit, "sof.actions.assault-reach"), **farther})


def assault(game: Battle, unit: Unit, led: bool = False) -> Flow[bool]:
    """An Assault action. True if the unit may go on with its activation. `led`: in an Inspired Advance."""
    enemies = {each.id: each for each in within_reach(game, unit, led)}
    rules = ("sof.actions.assault-reach", "sof.close-combat.move")
    besides = not_the_nearest(game, unit) if led else never_targets(game.state, unit, rules[0])
    choices = Choices(enemies, unit_option, lambda target: why_not_target(game, unit, target), besides=besides)
    words = f"Whom does {label(unit)} assault?"
    target = yield from choose_one(
        unit.side, "assault", words, choices, rules=rules, facts={"unit": unit.id}, always=True, step="whom"
    )
    smoke = yield from smoke_grenades(game, unit)
    return (yield from storm(game, unit, target, "assault", smoke)) is not False


def storm(
    game: Battle, unit: Unit, target: Unit, manner: Manner, smoke: bool = False, ridden: frozenset[str] = frozenset()
) -> Flow[bool | None]:
    """An assault from its move on, or what a breakthrough comes to: whether it was won; None if it met nobody.

    `ridden` are the units whose breakthrough has led to this.
    """
    start = min(
        (each.at for each in unit.able if each.at is not None),
        key=lambda at: snap(min(math.dist(at, spot) for spot in spots_of(target))),
    )
    ditch = in_low_obstacle(game, unit)
    lances = yield from take_lances(unit)
    yield from charge(game, unit, target, manner)
    defenders = contacted(game, unit)
    if not defenders:
        reform(game, unit)
        return None
    uphill = {each.id for each in defenders if higher_ground(game, start, each)}
    fired_on, silent = False, list[str]()
    if manner == "assault":
        fired_on, silent = yield from closing_fire(game, unit, defenders, smoke)
        if fired_on and turned_back(game, unit):
            if unit.id in game.state.units:
                yield from break_off(game, unit, defenders, "sof.close-combat.turned-back")
            yield from settled(game, there(game, defenders))
            return False
    parts = {unit.id: fighters(game, unit, defenders)}
    parts |= {each.id: fighters(game, each, [unit]) for each in defenders}
    fight = Fight(unit, defenders, parts, start, 1, lances, fired_on, silent, uphill, ditch)
    return (yield from rounds(game, fight, ridden))


def take_lances(unit: Unit) -> Flow[set[str]]:
    """sof.weapon-rules.lance-alone: who charges with a lance, and then with nothing else in all of the fight."""
    lancers = [each for each in unit.able if each.mounted and each.carries("lance")]
    both = [each for each in lancers if any(each.carries(special) for special in BESIDE_A_LANCE)]
    if both:
        rules = ("sof.weapon-rules.lance-alone",)
        yes, no = Option("lances", "Lances, and nothing else", rules), Option("others", "Other weapons", rules)
        words = f"With what does {label(unit)} charge?"
        if not (yield from decide(unit.side, "lances", words, yes, no, rules=rules, facts={"unit": unit.id})):
            lancers = [each for each in lancers if each not in both]
    return {each.id for each in lancers}


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


def charge(game: Battle, unit: Unit, target: Unit, manner: Manner) -> Flow[None]:
    """Every model closes in, and nobody has to be in command at the end of it."""
    unit.dug_in = False
    going = close_in(game, unit, target, manner)
    ways = {name: [list(spot) for spot in way] for name, way in going.ways.items()}
    far = max(map(length_of, going.ways.values()), default=0.0)
    text = f"{label(unit)} assaults {label(target)}."
    rules = ["sof.close-combat.sequence", "sof.close-combat.move"]
    rules += ["sof.actions.assault-reach"] if manner == "assault" else ["sof.close-combat.breakthrough-contact"]
    rules += ["sof.close-combat.obstacle-contact"] if len(going.defended) else []
    allowed = allowance(game.prepared, unit, manner, going.ways, going.rate)
    changes = adjustments(unit, manner)
    rules += [*RATE_RULES, *[each.rule for each in changes], *allowed.rules]
    data = {"target": target.id, "ways": ways, "inches": snap(far)}
    game.tell("assault", text, *rules, seat=unit.side, modifiers=changes, unit=unit.id, **data)  # type: ignore[arg-type]
    courses = courses_of(MoveLaw.of(game, unit, manner), going.ways)
    for course in courses:
        if unit.formation != "linear" and course.length > A_HAIR:
            course.facing = bearing(*course.path[0], *course.path[-1])
    halt = yield from agility(game, unit, allowed, going.ways)
    if halt is not None:
        for course in courses:
            course.length = min(course.length, halt)
            course.cut = True
        untangle(board(game), game.prepared, courses)
    take(game, courses)


# Closing fire.


def closing_fire(game: Battle, unit: Unit, defenders: Sequence[Unit], smoke: bool) -> Flow[tuple[bool, list[str]]]:
    """sof.close-combat.closing-fire-one-attack: all the fire of those near. Whether there was any, or else by which
    rules there was none.
    """
    volleys, limits = yield from closing_volley(game, unit, defenders, smoke)
    if not volleys:
        return False, limits
    rules = ["sof.close-combat.closing-fire-contacted", "sof.close-combat.closing-fire-one-attack", *limits]
    firing = [firer for volley in volleys for firer, _ in volley.chosen]
    text = f"{label(unit)} runs into closing fire."
    who = [volley.unit.id for volley in volleys]
    game.tell("closing-fire", text, "sof.shooting.when", *rules, seat=defenders[0].side, unit=unit.id, units=who)
    yield from resolve(game, unit, volleys, status_of(game, unit, firing), closing=True)
    return True, []


def turned_back(game: Battle, unit: Unit) -> bool:
    """sof.close-combat.turned-back: three markers in all, or nobody left."""
    return unit.id not in game.state.units or unit.suppression >= TURNED_BACK


# Rounds.


def rounds(game: Battle, fight: Fight, ridden: frozenset[str]) -> Flow[bool]:
    """Blow upon blow until one side is eliminated or has broken off. True if the assaulting unit has won.

    `ridden`: who has broken through already, and does not again.
    """
    while True:
        if not (yield from turn_of(game, fight, fight.attacker)):
            yield from settled(game, holding(game, fight), ridden)
            return False
        for unit in list(fight.defenders):
            # An NCO who takes command elsewhere may have been the last of his unit.
            if there(game, [unit]):
                yield from turn_of(game, fight, unit)
            if not there(game, [fight.attacker]):
                yield from settled(game, holding(game, fight), ridden)
                return False
        fight.defenders = holding(game, fight)
        if not fight.defenders:
            return (yield from settled(game, [fight.attacker], ridden, acts=True))
        fight.round += 1


def holding(game: Battle, fight: Fight) -> list[Unit]:
    """The defenders who are there and have not broken off."""
    return [each for each in there(game, fight.defenders) if each.id in fight.parts]


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


def settled(
    game: Battle, winners: Sequence[Unit], ridden: frozenset[str] = frozenset(), acts: bool = False
) -> Flow[bool]:
    """sof.close-combat.resolution: those who are left have won, and consolidate. `acts`: they have assaulted.

    False if one of them then lost another fight.
    """
    holds = True
    for unit in winners:
        if unit.id not in game.state.units:
            continue
        text = f"{label(unit)} has won the close combat."
        cited = ["sof.close-combat.resolution"]
        cited += ["sof.unit-special.cavalry-is-mounted"] if "cavalry" in unit.special else []
        game.tell("close-combat-won", text, *cited, seat=unit.side, unit=unit.id)
        reform(game, unit)
        free = rides(unit) and unit.id not in ridden
        how = (yield from break_through(game, unit, ridden)) if free else None
        if how is None and unit.formation != "linear":
            yield from consolidate(game, unit, acts)
        holds = holds and how is not False
    return holds


def rides(unit: Unit) -> bool:
    """sof.close-combat.breakthrough: cavalry that has not dismounted."""
    return "cavalry" in unit.special and unit.type == "mounted"


def break_through(game: Battle, unit: Unit, ridden: frozenset[str]) -> Flow[bool | None]:
    """In place of consolidating, cavalry rides on, and maybe into another enemy. None if it does not.

    False if it lost the fight that came of it.
    """
    rate = rate_of(unit, "maneuver")
    near = [each for each in enemies_of(game.state, unit) if within_inches(gap(game, unit, each), rate + 1.0)]
    goals = [each for each in near if may_ride_into(game, unit, each)]
    known: dict[str, Unit | None] = {STAY: None, RIDE: None, **{each.id: each for each in goals}}
    rules = ("sof.close-combat.breakthrough", "sof.close-combat.breakthrough-contact")
    besides = LaterDict(lambda: {**never_targets(game.state, unit, rules[1]), **not_ridden_into(game, unit, rules[1])})
    choices = Choices({name: name for name in known}, lambda name: ride_option(name, known[name]), besides=besides)
    words = f"Does {label(unit)} break through?"
    name = yield from choose_one(
        unit.side, "breakthrough", words, choices, rules=rules, facts={"unit": unit.id}, step="reply"
    )
    if name == STAY:
        return None
    text = f"{label(unit)} breaks through."
    game.tell("breakthrough", text, rules[0], seat=unit.side, unit=unit.id, target=name if known[name] else "")
    target = known[name]
    if target is None:
        yield from move(game, MoveLaw.of(game, unit, "maneuver"), f"Where does {label(unit)} ride?", rules[0])
        return True
    won = yield from storm(game, unit, target, "maneuver", ridden=ridden | {unit.id})
    if won is not None and unit.id in game.state.units:
        unit.suppression += BROKEN_THROUGH
        text = f"{label(unit)} takes {several(BROKEN_THROUGH, 'suppression marker')} after its second assault."
        cited = ("sof.close-combat.breakthrough-suppression", "sof.close-combat.breakthrough-once")
        game.tell("blown", text, *cited, seat=unit.side, unit=unit.id, suppression=unit.suppression)
    return won is not False


STAY, RIDE = "consolidate", "ride-on"


def ride_option(name: str, target: Unit | None) -> Option:
    rules = ("sof.close-combat.breakthrough",)
    if target is not None:
        return Option(name, f"Charge {unit_name(target)}", rules, pieces=(target.id,))
    return Option(name, "Consolidate" if name == STAY else "Ride on", rules)


def why_no_charge(game: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit may not come into contact with another, however near it is."""
    if unit.suppression >= STOPPED:
        return too_suppressed(unit)
    near = within_inches(gap(game, unit, target), IN_PHASE_ZERO)
    if game.state.number == 0 and near and sees(game, unit, target):
        message = f"{label(unit)} acts in phase 0 and sees {label(target)}."
        return illegal("sof.turn.phase-zero-no-closer", message, field=target.id)
    return None


def why_no_nearer(game: Battle, unit: Unit, target: Unit, manner: Manner) -> Refusal | None:
    """sof.turn.phase-zero-no-closer: in phase 0 an assault on somebody unseen leads no nearer to anybody seen."""
    if game.state.number != 0:
        return None
    rows = close_in(game, unit, target, manner).rows[board(game).standing(unit).numbers]
    return MoveLaw.of(game, unit, manner).refuse_nearer(board(game).gaps_from(rows))


def not_ridden_into(game: Battle, unit: Unit, rule: str) -> dict[str, Why]:
    """Why cavalry that breaks through does not charge an enemy."""

    def why(enemy: Unit) -> Why:
        message = f"{label(unit)} cannot ride into {label(enemy)}."
        return why_no_charge(game, unit, enemy) or illegal(rule, message, field=enemy.id)

    return {each.id: why(each) for each in enemies_of(game.state, unit)}


def may_ride_into(game: Battle, unit: Unit, target: Unit) -> bool:
    """Whether cavalry that breaks through may charge an enemy."""
    return (
        why_no_charge(game, unit, target) is None
        and reaches(game, unit, target, "maneuver")
        and why_no_nearer(game, unit, target, "maneuver") is None
    )


def consolidate(game: Battle, unit: Unit, acts: bool) -> Flow[None]:
    """sof.close-combat.consolidation: each model up to 3 inches, and not to within 2 inches of another unit's.

    `acts`: it is the unit that was activated, whom phase 0 binds.
    """
    law = MoveLaw.of(game, unit, "maneuver", CONSOLIDATION)
    law.zero = law.zero and acts

    def refuse(steps: dict[str, Step]) -> Refusal | None:
        nearer = law.refuse_nearer(board(game).gaps_from(law.ends(steps))) if steps else None
        return refuse_consolidation(game, unit, steps) or nearer

    moving: Moving[Figure] = Moving(board(game).figures_of(unit), lambda _: CONSOLIDATION, refuse, noun=FIGURE)
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
    far = max((length_of(way_of(unit.teams[name], step)) for name, step in steps.items()), default=0.0)
    unit.dug_in = unit.dug_in and far <= GRID
    for name, step in steps.items():
        place(game, unit.teams[name], *step.to, step.facing)
    if steps:
        text = f"{label(unit)} consolidates."
        game.tell("consolidates", text, "sof.close-combat.consolidation", seat=unit.side, unit=unit.id)


def refuse_consolidation(game: Battle, unit: Unit, steps: dict[str, Step]) -> Refusal | None:
    here, ground = board(game), game.prepared
    figures = [unit.teams[name] for name in steps]
    rule = "sof.close-combat.consolidation"
    ways = {figure.id: way_of(figure, steps[figure.id]) for figure in figures}
    allowed = allowance(ground, unit, "maneuver", ways, CONSOLIDATION)
    for figure in figures:
        inches = length_of(ways[figure.id])
        if beyond(inches, allowed.inches, A_HAIR):
            slowed = allowed.inches < CONSOLIDATION and within(inches, CONSOLIDATION, A_HAIR)
            message = f"{name_of(game.state, figure.id)} would go {inches:.1f} inches."
            legal = f"{allowed.inches:g} inches at most."
            return illegal(allowed.rules[0] if slowed else rule, message, field=figure.id, legal=legal)
        barred = ground.barrier(unit.type, ways[figure.id])
        if barred is not None:
            message = f"{name_of(game.state, figure.id)} cannot go there."
            return illegal(ground.kinds[barred].rules["impassable"], message, field=figure.id)
    ends = here.at(figures, {name: step.to for name, step in steps.items()})
    if len(figures) and on_haystack(ground, ends):
        message = f"{label(unit)} would end its move on a haystack."
        return illegal("sof.terrain-haystack.movement", message, field=unit.id, legal="Stop beside it.")
    for other in game.state.units.values():
        near = other is not unit and other.placed and len(ends)
        if near and within_inches(base_gap(ends, here.rows_of(other)), CLEAR):
            message = f"{label(unit)} would come within 2 inches of {label(other)}."
            return illegal(rule, message, field=unit.id, legal="Keep more than 2 inches away from other units.")
    return refuse_ends(here, game.prepared, figures, ends, lambda name: name_of(game.state, name), rule)
