"""Close combat attacks: assault dice, what they need, and the losses that they make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow
from sandtable.rulesets.sof.close_combat.contact import Part
from sandtable.rulesets.sof.core.board import Battle, board
from sandtable.rulesets.sof.core.checks import REROLL_RULES, Check, check, reroll
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import UNARMED_ROLES, Figure, Point, Training, Unit
from sandtable.rulesets.sof.core.terrain import GroundKind
from sandtable.rulesets.sof.losses import lose_unit, lose_wounds
from sandtable.table.shapes import X, Y

ASSAULT: dict[Training, int] = {"inexperienced": 6, "regular": 5, "veteran": 4}
"""sof.close-combat.check"""

SURE_HIT = 8
"""sof.close-combat.natural-rolls: a six and a six always hits."""

SURE_MISS = 2
"""sof.close-combat.natural-rolls: a one never does."""


@dataclass(slots=True)
class Fight:
    """A close combat: who assaults, who defends, which models take part and whom each of them fights.

    `charged` is where the assaulting unit's nearest model began. `round` counts from 1. `lances` are the models that
    use theirs, and nothing else. `fired_on`: closing fire came before; `silent`: the rules by which none could.
    """

    attacker: Unit
    defenders: list[Unit]
    parts: dict[str, Part]
    charged: Point
    round: int = 1
    lances: set[str] = field(default_factory=set)
    fired_on: bool = False
    silent: list[str] = field(default_factory=list)
    uphill: set[str] = field(default_factory=set)
    ditch: str = ""
    """The rule about the low obstacle in which the assaulting unit was when it began."""

    def opponents(self, unit: Unit) -> list[Unit]:
        return self.defenders if unit is self.attacker else [self.attacker]


def tight_quarters(game: Battle, figures: Iterable[Figure]) -> set[str]:
    """sof.close-combat.mod-tight-quarters: the rules by which some models have no room to swing a rifle."""
    ground, here = game.prepared, board(game)
    there = here.on(figures)
    if not ground.kinds or not there:
        return set()
    inside = ground.terrain.inside(here.of(there))
    return {kind.rules["tight"] for number, kind in enumerate(ground.kinds) if kind.tight and inside[:, number].any()}


def cramped(game: Battle, fight: Fight, unit: Unit, figures: Iterable[Figure], foe: Unit) -> set[str]:
    """The same for some models of a unit in the fight and those whom they fight."""
    fighting = list(figures)
    foes = [each for figure in fighting for each in opposite(fight, unit, figure, foe)]
    return tight_quarters(game, [*fighting, *foes])


def opposite(fight: Fight, unit: Unit, figure: Figure, foe: Unit) -> list[Figure]:
    """Whom a model fights: those of the foe whom he touches; when they are gone, all who are in the fight."""
    touched = fight.parts[unit.id].facing[figure.id]
    return [foe.teams[name] for name in touched if name in foe.teams] or [
        foe.teams[name] for name in fight.parts[foe.id].foes if name in foe.teams
    ]


def mostly_in(game: Battle, unit: Unit, wanted: Callable[[GroundKind], bool]) -> bool:
    """Whether more than half of a unit's models stand in ground of some kinds."""
    ground, rows = game.prepared, board(game).rows_of(unit)
    features = [number for number, kind in enumerate(ground.kinds) if wanted(kind)]
    inside = ground.terrain.inside(rows)[:, features] if features else np.zeros((len(rows), 0), dtype=np.bool_)
    return 2 * int(inside.any(axis=1).sum()) > len(rows)


def protected(game: Battle, unit: Unit) -> bool:
    if unit.dug_in and unit.type != "mounted":
        return True
    return mostly_in(game, unit, lambda kind: unit.type in kind.protects)


def in_low_obstacle(game: Battle, unit: Unit) -> str:
    """The rule about assaulting out of a ditch, if more than half of a unit's models are in one."""
    ground, rows = game.prepared, board(game).rows_of(unit)
    if not ground.kinds or not len(rows):
        return ""
    at = ground.terrain.touching(rows, 0.0).sum(axis=0)
    found = [
        kind.rules["assaulting"]
        for number, kind in enumerate(ground.kinds)
        if kind.shape == "line" and "assaulting" in kind.rules and 2 * int(at[number]) > len(rows)
    ]
    return found[0] if found else ""


def higher_ground(game: Battle, start: Point, defender: Unit) -> bool:
    """sof.terrain.higher-ground-hill: the defender is nearer to the middle of a hill than the assault began."""
    ground, rows = game.prepared, board(game).rows_of(defender)
    for number, feature in enumerate(ground.terrain.features):
        if not ground.elevating[number] or not ground.terrain.inside(rows)[:, number].any():
            continue
        middle = tuple(sum(axis) / len(feature.points) for axis in zip(*feature.points, strict=True))
        nearest = min(math.dist(row, middle) for row in rows[:, X : Y + 1].tolist())
        if nearest < math.dist(start, middle):
            return True
    return False


def modifiers_of(game: Battle, fight: Fight, unit: Unit, figure: Figure, foe: Unit) -> list[Modifier]:
    """sof.close-combat.mod-cumulative: all modifiers of one model's assault checks."""
    first, onto = fight.round == 1, unit is fight.attacker
    charges = first and onto
    lance = figure.id in fight.lances
    close = figure.carries("close-fighting-weapon")
    handy = not lance and (close or figure.carries("assault") or figure.carries("handy"))
    wall = figure.id in fight.parts[unit.id].across
    tight = wall or bool(cramped(game, fight, unit, [figure], foe))
    prone = game.setup.options.close_combat_hit_the_dirt and foe.hit_the_dirt
    sabre = charges and figure.mounted and figure.carries("sabre")
    sword = charges and figure.role == "officer" and not figure.mounted and figure.carries("sword")
    steady = figure.mounted and foe.type == "infantry" and not foe.suppression
    at_horse = onto and unit.type == "infantry" and foe.type == "mounted"
    bush = onto and mostly_in(game, foe, lambda kind: kind.thickness == "undergrowth")
    reasons = (
        (1, not lance and figure.carries("assault"), "sof.close-combat.mod-assault-weapon", "an assault weapon"),
        (1, not lance and close, "sof.close-combat.mod-close-fighting", "a close fighting weapon"),
        (1, not lance and sabre, "sof.close-combat.mod-sabre", "a sabre on the charge"),
        (1, sword, "sof.close-combat.mod-sword", "a sword on the charge"),
        (-1, tight and not handy, "sof.close-combat.mod-tight-quarters", "tight quarters"),
        (-1, steady, "sof.close-combat.mod-mounted-vs-steady", "steady infantry"),
        (-1, at_horse, "sof.close-combat.mod-infantry-vs-mounted", "assaulting horse"),
        (-1, first and unit.formation == "extended", "sof.close-combat.mod-extended", "extended order"),
        (-1, charges and foe.id in fight.uphill, "sof.close-combat.mod-higher-ground", "uphill"),
        (-1, first and unit.suppression > 0, "sof.close-combat.mod-suppressed", "suppressed"),
        (-1, onto and protected(game, foe), "sof.close-combat.mod-protection", "a protected enemy"),
        (-1, charges and bool(fight.ditch), fight.ditch, "out of a ditch"),
        (-1, bush, "sof.terrain-undergrowth.close-combat-assaulting", "into undergrowth"),
        (-1, charges and wall, "sof.terrain.close-combat-obstacle", "across an obstacle"),
        (1, prone, "sof.charts.close-combat-hit-the-dirt", "an enemy in the dirt"),
    )
    return [Modifier(amount, rule, words) for amount, holds, rule, words in reasons if holds]


def dice_of(unit: Unit, figure: Figure) -> int:
    """sof.close-combat.dice-one, sof.close-combat.dice-character, sof.close-combat.dice-special"""
    return figure.standing * (1 + ("bombers" in unit.special)) + figure.character


def able_fighters(fight: Fight, unit: Unit) -> list[tuple[Figure, str]]:
    """Those of a unit who still strike, each with the unit that it fights."""
    there = {foe.id for foe in fight.opponents(unit) if foe.teams and foe.id in fight.parts}
    found = []
    for name, foe in fight.parts[unit.id].foes.items():
        figure = unit.teams.get(name)
        if figure is not None and not figure.disabled and figure.role not in UNARMED_ROLES and there:
            found.append((figure, foe if foe in there else sorted(there)[0]))
    return found


def strike(game: Battle, fight: Fight, unit: Unit) -> Flow[None]:
    """One unit's attacks of a round: each group of dice that need the same, and then the losses."""
    state = game.state
    hits: dict[str, int] = {}
    groups: dict[tuple[str, tuple[tuple[int, str], ...], bool], list[Figure]] = {}
    mods: dict[tuple[str, tuple[tuple[int, str], ...], bool], list[Modifier]] = {}
    for figure, foe in able_fighters(fight, unit):
        if foe not in state.units:
            continue
        found = modifiers_of(game, fight, unit, figure, state.units[foe])
        lance = fight.round == 1 and figure.id in fight.lances
        key = (foe, tuple((each.amount, each.rule) for each in found), lance)
        groups.setdefault(key, []).append(figure)
        mods[key] = found
    for key, figures in groups.items():
        foe, _, lance = key
        target = state.units[foe]
        done = yield from blows(game, fight, unit, target, figures, mods[key], lance)
        hits[foe] = hits.get(foe, 0) + done.passes
    for foe, number in hits.items():
        if number and foe in state.units:
            yield from fall(game, state.units[foe], number)


def blows(
    game: Battle, fight: Fight, unit: Unit, target: Unit, figures: Sequence[Figure], found: list[Modifier], lance: bool
) -> Flow[Check]:
    number = sum(dice_of(unit, figure) for figure in figures)
    why = f"{label(unit)} fights {label(target)}"
    total = sum(each.amount for each in found)
    needed = max(SURE_MISS, min(SURE_HIT, ASSAULT[unit.training] - total))
    done = yield from check(game, unit.side, number, needed, why)
    rules = ["sof.close-combat.check", "sof.close-combat.dice-eligible", "sof.close-combat.dice-one"]
    rules += ["sof.close-combat.mod-cumulative", *done.rules]
    rules += blow_rules(fight, unit, figures, found)
    rules += ["sof.close-combat.natural-rolls"] if needed != ASSAULT[unit.training] - total else []
    tight = sorted(cramped(game, fight, unit, figures, target))
    rules += ["sof.close-combat.mod-tight-quarters", *tight] if tight else []
    here = [each for name, each in unit.teams.items() if name in fight.parts[unit.id].foes]
    rules += [UNARMED_ROLES[each.role] for each in here if each.role in UNARMED_ROLES]
    rules += ["sof.terrain.higher-ground-hill"] if target.id in fight.uphill and unit is fight.attacker else []
    if lance and done.missed:
        yield from reroll(game, done, done.missed, why)
        rules += ["sof.close-combat.lance", *REROLL_RULES]
    text = f"{label(unit)} strikes at {label(target)}: {several(done.passes, 'hit')} of {number} on {needed}+."
    game.tell(
        "blows",
        text,
        *rules,
        seat=unit.side,
        dice=done.throws,
        modifiers=found,
        unit=unit.id,
        target=target.id,
        teams=[each.id for each in figures],
        round=fight.round,
        needed=needed,
        hits=done.passes,
    )
    return done


def blow_rules(fight: Fight, unit: Unit, figures: Sequence[Figure], found: Sequence[Modifier]) -> list[str]:
    """Rules that shape some blows otherwise than by a modifier."""
    part, first, onto = fight.parts[unit.id], fight.round == 1, unit is fight.attacker
    rules = ["sof.close-combat.dice-character"] if any(each.character for each in figures) else []
    if any(each.id in part.across for each in figures):
        rules += ["sof.close-combat.obstacle-contact", "sof.terrain-tall-obstacle.close-combat-tight"]
    if "bombers" in unit.special:
        rules += ["sof.close-combat.dice-special", "sof.unit-special.bombers-assault-die"]
    idle = any(each.disabled and each.id in part.foes for each in unit.teams.values())
    rules += ["sof.shooting.wound-effect"] if idle else []
    rules += ["sof.close-combat.strike-back"] if first and not onto else []
    rules += ["sof.close-combat.attacks-after-fire"] if first and onto and fight.fired_on else []
    rules += fight.silent if first and onto else []
    swords = any(each.rule == "sof.close-combat.mod-sword" for each in found)
    rules += ["sof.weapon-rules.sword-charge"] if swords else []
    rules += ["sof.units.crew-have-pistols"] if unit.type == "weapon" else []
    rules += ["sof.weapon-rules.lance-alone"] if any(each.id in fight.lances for each in figures) else []
    return rules


def fall(game: Battle, unit: Unit, number: int) -> Flow[None]:
    """sof.close-combat.losses: models whose wounds come to the hits are removed at once, of those not wounded."""
    rule = "sof.close-combat.losses"
    if sum(each.cost for each in unit.able) <= number:
        yield from lose_unit(game, unit, "it is wiped out in close combat", rule, "sof.close-combat.wiped-out")
        return
    words = f"{label(unit)} loses {several(number, 'wound')} in close combat. Who falls?"
    yield from lose_wounds(game, unit, number, unit.able, "fallen", words, "close combat", rule)
