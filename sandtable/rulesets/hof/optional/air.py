"""Air Support: an aircraft comes when the Hero Die shows 1, anti-aircraft fire meets it, and it attacks the ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.events import falls, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import (
    Choices,
    Choose,
    ChoosePoint,
    MovePieces,
    Option,
    Piece,
    Refusal,
    Step,
    Why,
    illegal,
    plain_to_steps,
    steps_to_plain,
)
from sandtable.engine.ruleset import Ask
from sandtable.field.aiming import chance_near, off_table
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import full_label, label, mate_option, team_label, team_option
from sandtable.rulesets.hof.core.nearby import struck, within
from sandtable.rulesets.hof.core.state import AIRCRAFT, Member, Point, Quality, Team, Unit, other, teams_of, units_of
from sandtable.rulesets.hof.firing import give_rfps, penetrate, weapons_of
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.optional import riders
from sandtable.table import distance as measure
from sandtable.table.hairs import NOTHING
from sandtable.table.templates import rectangle

APART = 12.0
"""hof.optional.air-restriction"""

BOMB_RADIUS = 3.0
BOMB_RFPS = 3
BOMB_LESS = 3
"""hof.optional.air-bombs"""

ROCKET_AT = 5
ROCKET_FP = 3
"""hof.optional.air-rockets"""

STRIP = (2.0, 12.0)
CANNON_RFPS = 2
"""hof.optional.air-cannons"""

CREW: Quality = "average"

RESTRICTION = "hof.optional.air-restriction"
ANGLES = (0.0, 45.0, 90.0, 135.0)
TRIES = 4


def hero_die_shown(game: Battle, side: str, value: int) -> Flow[None]:
    """hof.optional.air-trigger: a Hero Die of 1 brings an aircraft."""
    if value == 1 and game.setup.options.air:
        yield from attack(game, side)


def attack(game: Battle, side: str) -> Flow[None]:
    """hof.optional.air-trigger: an air attack for a side, before it spends any Order Point."""
    game.tell("aircraft", f"An aircraft comes to the aid of {side}.", "hof.optional.air-trigger", seat=side)
    if (yield from driven_off(game, side)):
        return
    throw = yield from game.throw(side, 1, "the air attack")
    manner, ground_attack = ATTACKS[(throw.value - 1) // 2]
    text = f"The aircraft attacks with {manner}."
    game.tell("air-attack", text, "hof.optional.air-attack-type", seat=side, dice=[throw], manner=manner)
    if any(lawful(game, side)):
        yield from ground_attack(game, side)
    else:
        game.tell("no-effect", "The aircraft finds no lawful target.", RESTRICTION, seat=side)


# Anti-aircraft fire.


def anti_air(game: Battle, unit: Unit, team: Team) -> Weapon | None:
    """The best weapon with which a Team may engage aircraft."""
    if not team.kind.anti_air:
        return None
    weapons = [weapon for weapon in weapons_of(game, unit, team) if "anti-air" in weapon.keywords]
    return max(weapons, key=lambda weapon: (against_aircraft(weapon), weapon.rof), default=None)


def against_aircraft(weapon: Weapon) -> int:
    return weapon.aa_at if weapon.aa_at is not None else weapon.at or 0


def gunners(game: Battle, unit: Unit) -> dict[str, Weapon]:
    """hof.optional.air-aa-eligible: who of a Unit may engage: unsuppressed, and still in its owner's last turn."""
    turn = game.state.companies[unit.side].turns
    found = {}
    for team in unit.teams.values():
        if team.at is None or team.suppressed or (turn and team.acted == turn):
            continue
        weapon = anti_air(game, unit, team)
        if weapon is not None:
            found[team.id] = weapon
    return found


def driven_off(game: Battle, side: str) -> Flow[bool]:
    """Each enemy Unit with anti-aircraft guns may engage; one die is rolled for the aircraft against all of them."""
    flight = 0
    for unit in units_of(game.state, other(side)):
        guns = gunners(game, unit)
        if not guns:
            continue
        first = yield from choose_first(unit, guns, flight)
        if not first:
            continue
        if not flight:
            throw = yield from game.throw(side, 1, "the aircraft's evasion")
            flight = throw.value
            text = f"The aircraft evades with {flight}."
            game.tell("evasion", text, "hof.optional.air-aa-roll", seat=side, dice=[throw], evasion=flight)
        if (yield from engage(game, side, unit, guns, first, flight)):
            return True
    return False


def choose_first(unit: Unit, guns: dict[str, Weapon], flight: int) -> Flow[str]:
    """hof.optional.air-aa-groups: the owner chooses the gun whose values count; or the Unit holds its fire.

    `flight` is what the aircraft has evaded with so far, if anybody has fired at it.
    """
    kinds = {(weapon.rof, against_aircraft(weapon)): name for name, weapon in reversed(guns.items())}
    options = [
        mate_option(unit.teams[name], f": RoF {rof}, AT {at}", "hof.special-rules.anti-air")
        for (rof, at), name in reversed(kinds.items())
    ]
    options.append(Option("hold", "Hold fire"))
    rules = ("hof.optional.air-aa-eligible", "hof.optional.air-aa-groups")
    words = f"An aircraft! Which gun of {label(unit)} leads?"
    facts, about = {"unit": unit.id}, (guns, flight)
    answer: str = yield Ask(unit.side, Choose("anti-air", words, options, rules=rules, facts=facts, about=about))
    return "" if answer == "hold" else answer


def aa_dice(guns: dict[str, Weapon], first: str) -> int:
    """The dice of a Unit's anti-aircraft fire: the leading gun's, and one for each other."""
    return guns[first].rof + len(guns) - 1


def hits_aircraft(value: int, flight: int) -> bool:
    """hof.optional.air-aa-roll"""
    return value > flight


def fails_save(value: int, at: int) -> bool:
    """hof.optional.air-aa-save"""
    return value <= at


def engage(game: Battle, side: str, unit: Unit, guns: dict[str, Weapon], first: str, flight: int) -> Flow[bool]:
    """One Unit's fire at the aircraft. True if it is driven off."""
    at = against_aircraft(guns[first])
    fire = yield from game.throw(unit.side, aa_dice(guns, first), "anti-aircraft fire")
    hits = sum(hits_aircraft(value, flight) for value in fire.values)
    dice = [fire]
    rules = ["hof.special-rules.anti-air", "hof.optional.air-aa-eligible", "hof.optional.air-aa-roll"]
    if len(guns) > 1:
        rules.append("hof.optional.air-aa-groups")
    gone = False
    if hits:
        saves = yield from game.throw(side, hits, "the aircraft's saves")
        gone = any(fails_save(value, at) for value in saves.values)
        dice.append(saves)
        rules.append("hof.optional.air-aa-save")
    outcome = "the aircraft is driven off" if gone else "the aircraft comes on"
    text = f"{label(unit)} fires at the aircraft, AT {at}: {several(hits, 'hit')}, {outcome}."
    data: dict[str, Any] = {"unit": unit.id, "first": first, "guns": list(guns), "hits": hits, "driven_off": gone}
    game.tell("anti-air", text, *rules, seat=unit.side, dice=dice, **data)
    return gone


# Ground attacks.


def lawful(game: Battle, side: str) -> list[bool]:
    """hof.optional.air-restriction: which enemy Teams on the table are not within 12 inches of a friend."""
    here = board(game)
    enemies, friends = here.enemies(side).teams, here.side(side).teams
    if not enemies or not friends:
        return [True] * len(enemies)
    result: list[bool] = measure.beyond(here.gaps(enemies, friends).min(axis=1), APART).tolist()
    return result


def targets(game: Battle, side: str) -> list[Member]:
    members = board(game).enemies(side).members
    return [member for member, open_ in zip(members, lawful(game, side), strict=True) if open_]


def forbidden(game: Battle, side: str) -> Rows:
    """The rows of the enemy Teams that may not be attacked."""
    rows: Rows = board(game).enemy_rows(side)[~np.array(lawful(game, side), dtype=np.bool_)]
    return rows


def receive(game: Battle, side: str, members: Sequence[Member], number: int, most: int | None, rule: str) -> None:
    """RFPs for everybody who was hit; Vehicles subtract their flank armor, `most` at most."""
    received = {}
    names = []
    for unit, team in members:
        received[team.id] = less_armor(team, number, most)
        give_rfps(game, team, received[team.id], across=False)
        team.hit_by = [*team.hit_by, AIRCRAFT]
        names.append(f"{received[team.id]} on {full_label(unit, team)}")
    listed = ", ".join(names) or "none"
    game.tell("air-rfps", f"RFPs: {listed}.", rule, seat=side, rfps=received)


def less_armor(team: Team, number: int, most: int | None) -> int:
    """What is left of RFPs from above for a Team; `most` is how much of its armor counts."""
    armor = team.kind.flank if team.kind.vehicle else 0
    return max(0, number - (armor if most is None else min(armor, most)))


def bombs(game: Battle, side: str) -> Flow[None]:
    """hof.optional.air-bombs: a marker, its deviation, and RFPs for friend and foe about it."""
    rule = "hof.optional.air-bombs"
    spared = forbidden(game, side)

    def legal(x: float, y: float) -> Refusal | None:
        if off := off_table(game.setup.table, x, y, "bombs"):
            return off
        if len(spared) and measure.to_points(spared, np.array([[x, y]])).min() <= BOMB_RADIUS:
            message = f"an enemy within {APART:g} inches of your Teams would be hit."
            return illegal(RESTRICTION, message, field="bombs", legal="Choose a point farther away.")
        return None

    points = [team.at for _, team in targets(game, side) if team.at is not None and legal(*team.at) is None]
    if not points:
        game.tell("no-effect", "The aircraft finds no lawful target.", RESTRICTION, seat=side)
        return

    words = "Where do the bombs fall?"
    chance = chance_near(points, 1.0, legal)
    question = ChoosePoint(
        "bombs", words, legal, lambda most: points[:most], chance=chance, rules=(rule, RESTRICTION), about=side
    )
    x, y = yield Ask(side, question)
    at, dice, _ = yield from barrages.deviate(game, side, (x, y), less=BOMB_LESS)
    text = f"The bombs fall at {at[0]:g}, {at[1]:g}."
    game.tell("bombs", text, rule, seat=side, dice=dice, aimed=[x, y], **falls("shells", list(at), radius=BOMB_RADIUS))
    receive(game, side, within(game, at, BOMB_RADIUS), BOMB_RFPS, barrages.MOST_ARMOR, rule)


def rockets(game: Battle, side: str) -> Flow[None]:
    """hof.optional.air-rockets: one enemy Team is hit, without a roll."""
    rule = "hof.optional.air-rockets"
    lawful = [team.id for _, team in targets(game, side)]

    def why_not(member: Member) -> Why:
        near = f"{team_label(*member)} is within {APART:g} inches of your Teams."
        return None if member[1].id in lawful else illegal(RESTRICTION, near, field=member[1].id)

    enemies = {team.id: (unit, team) for unit, team in teams_of(game.state, other(side)) if team.at is not None}
    choices = Choices(enemies, lambda member: team_option(*member, rule), why_not)
    words, rules = "At whom are the rockets fired?", (rule, RESTRICTION)
    found = unit, team = yield from choose_one(
        side, "rockets", words, choices, rules=rules, always=True, about=choices.things
    )
    if not team.kind.vehicle:
        receive(game, side, [found], ROCKET_FP, 0, rule)
        return
    team.hit_by = [*team.hit_by, AIRCRAFT]
    losses = Losses()
    aircraft = Unit(other(unit.side), {}, id="aircraft", name="Aircraft", quality=CREW)
    yield from riders.tank_hit(game, team, False, losses)
    yield from penetrate(game, aircraft, ROCKET_AT, ROCKET_FP, unit, team, True, losses, rules=(rule,))
    yield from morale.settle(game, losses)


def cannons(game: Battle, side: str) -> Flow[None]:
    """hof.optional.air-cannons: a strip across the table; whoever it touches receives RFPs."""
    rule = "hof.optional.air-cannons"
    spared = forbidden(game, side)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        if "strip" not in steps:
            return illegal(rule, "the strip is not laid.", field="strip", legal="Give its middle and its direction.")
        step = steps["strip"]
        if off := off_table(game.setup.table, *step.to, "strip"):
            return off
        if len(spared) and touched(spared, step).any():
            message = f"an enemy within {APART:g} inches of your Teams would be hit."
            return illegal(RESTRICTION, message, field="strip", legal="Lay it elsewhere.")
        return None

    spots = [team.at for _, team in targets(game, side) if team.at is not None]
    tries = (Step(spot, angle) for spot in spots for angle in ANGLES)
    laid = [step for step in tries if legal({"strip": step}) is None]
    if not laid:
        game.tell("no-effect", "The aircraft finds no lawful target.", RESTRICTION, seat=side)
        return
    question = MovePieces(
        "cannons",
        "Where does the strip of cannon fire lie?",
        ["strip"],
        lambda: [Piece("strip", f"Cannon fire, {STRIP[1]:g} inches by {STRIP[0]:g}", None, 0.0)],
        legal,
        lambda most: [steps_to_plain({"strip": step}) for step in laid[:most]],
        chance=lambda random: steps_to_plain({"strip": chance_strip(random, spots, legal) or laid[0]}),
        rules=(rule, RESTRICTION),
        about=side,
    )
    step = plain_to_steps((yield Ask(side, question)))["strip"]
    text = f"Cannon fire sweeps {step.to[0]:g}, {step.to[1]:g}."
    game.tell("cannons", text, rule, seat=side, at=list(step.to), facing=step.facing or 0.0)
    receive(game, side, swept(game, step), CANNON_RFPS, None, rule)


def touched(rows: Rows, step: Step) -> Mask:
    """Which bases a strip of cannon fire touches."""
    strip = rectangle(*step.to, *STRIP, step.facing or 0.0).reshape(1, 8)
    result: Mask = measure.within(measure.distances(rows, strip)[:, 0], 0.0, NOTHING)
    return result


def swept(game: Battle, step: Step) -> list[Member]:
    """Everybody whom a strip of cannon fire touches."""
    return struck(game, lambda rows: touched(rows, step))


def chance_strip(
    random: Random, spots: Sequence[Point], legal: Callable[[dict[str, Step]], Refusal | None]
) -> Step | None:
    """A strip over one of these spots in any direction; None if a few tries find no lawful one."""
    for _ in range(TRIES):
        step = Step(spots[int(random.random() * len(spots))], round(random.random() * 180.0, 1))
        if legal({"strip": step}) is None:
            return step
    return None


ATTACKS = (("bombs", bombs), ("rockets", rockets), ("cannons", cannons))
"""hof.optional.air-attack-type: 1-2, 3-4, 5-6."""
