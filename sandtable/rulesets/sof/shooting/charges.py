"""Bangalore torpedoes and extended charges: a special action against an enemy unit close by."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Refusal, Why, illegal
from sandtable.rulesets.sof.core.arsenal import Row, Weapon
from sandtable.rulesets.sof.core.board import Battle, enemies_of, gap, never_targets, sees, within_inches
from sandtable.rulesets.sof.core.checks import SKILL, check
from sandtable.rulesets.sof.core.names import label, unit_option
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.shooting.effect import Score, blast, lethality, suppress, wound
from sandtable.rulesets.sof.shooting.firers import Mode
from sandtable.rulesets.sof.shooting.status import status_of
from sandtable.rulesets.sof.shooting.volume import Pool

REACH = 6.0
"""sof.weapon-rules.bangalore-action, sof.weapon-rules.extended-charges-action"""

MEN_EACH = 4
"""So many men make one attack together."""

MISFIRE = 1
WOUNDS = 2
"""sof.weapon-rules.extended-charges-misfire"""


class Charge(NamedTuple):
    """What a unit may be equipped with: its blast, the rules of its action and effect, and what else it does."""

    name: str
    blast: str
    action: str
    effect: str
    rounds_up: bool
    misfires: bool

    @property
    def weapon(self) -> Weapon:
        return Weapon(self.name, {"direct": Row(range=REACH, halt="1", lethality=4, blast=self.blast)})


CHARGES: dict[str, Charge] = {
    "bangalore-torpedoes": Charge(
        "Bangalore torpedoes",
        "2d6",
        "sof.weapon-rules.bangalore-action",
        "sof.weapon-rules.bangalore-effect",
        True,
        False,
    ),
    "extended-charges": Charge(
        "Extended charges",
        "d6",
        "sof.weapon-rules.extended-charges-action",
        "sof.weapon-rules.extended-charges-effect",
        False,
        True,
    ),
}


def attacks_of(unit: Unit, charge: Charge) -> int:
    """One attack for every four able men: a part of four counts for torpedoes alone."""
    men = sum(figure.standing for figure in unit.able)
    return -(-men // MEN_EACH) if charge.rounds_up else men // MEN_EACH


def why_not_at(game: Battle, unit: Unit, charge: Charge, target: Unit) -> Refusal | None:
    if within_inches(gap(game, unit, target), REACH) and sees(game, unit, target):
        return None
    message = f"{label(target)} is not within 6 inches and in sight of {label(unit)}."
    return illegal(charge.action, message, field=target.id)


def why_no_charges(game: Battle, unit: Unit, name: str) -> Why:
    """Why a unit may not use torpedoes or charges; None if it has a target."""
    charge = CHARGES[name]
    if name not in unit.equipment:
        return illegal(charge.action, f"{label(unit)} has no {charge.name.lower()}.", field=name)
    if not attacks_of(unit, charge):
        message = f"{label(unit)} has fewer than four able men."
        return illegal(charge.action, message, field=name)
    if any(why_not_at(game, unit, charge, enemy) is None for enemy in enemies_of(game.state, unit)):
        return None
    return illegal(charge.action, f"{label(unit)} sees no enemy within 6 inches.", field=name)


def use_charges(game: Battle, unit: Unit, name: str) -> Flow[None]:
    """The special action: skill checks, a blast for each that passes, and what the charges do to their users."""
    charge = CHARGES[name]
    enemies = {each.id: each for each in enemies_of(game.state, unit)}
    besides = never_targets(game.state, unit, charge.action)
    choices = Choices(enemies, unit_option, lambda each: why_not_at(game, unit, charge, each), besides=besides)
    words = f"At whom does {label(unit)} use its {charge.name.lower()}?"
    target = yield from choose_one(
        unit.side, "charges", words, choices, rules=(charge.action,), facts={"unit": unit.id}, always=True, step="whom"
    )
    if charge.rounds_up:
        unit.hit_the_dirt = True
    number = attacks_of(unit, charge)
    done = yield from check(game, unit.side, number, SKILL[unit.training], f"{label(unit)}: {charge.name}")
    ones = done.throw.values.count(MISFIRE) if charge.misfires else 0
    rules = [charge.action, charge.effect, "sof.units.skill-check", *done.rules]
    rules += ["sof.weapon-rules.bangalore-hit-the-dirt"] if charge.rounds_up else []
    rules += ["sof.weapon-rules.extended-charges-misfire"] if ones else []
    text = f"{label(unit)} uses its {charge.name.lower()}: {several(done.passes, 'success', 'successes')} of {number}."
    data = {"target": target.id, "needed": done.needed, "successes": done.passes}
    game.tell("charges", text, *rules, seat=unit.side, dice=done.throws, unit=unit.id, **data)  # type: ignore[arg-type]
    if done.passes:
        yield from explode(game, unit, target, charge, done.passes)
    if ones and unit.id in game.state.units:
        yield from wound(game, unit, WOUNDS * ones)


def explode(game: Battle, unit: Unit, target: Unit, charge: Charge, successes: int) -> Flow[None]:
    weapon = charge.weapon
    pool = Pool(unit, Mode(charge.name, weapon, weapon.main, True), 0.0, 0, [], moving=False, sustained=False)
    status = status_of(game, target, [])
    score = Score(pool, successes)
    score.hits = yield from blast(game, target, score)
    yield from suppress(game, target, [score])
    if score.hits and target.id in game.state.units:
        yield from lethality(game, target, score, status)
