"""A volley: from the To Hit roll over the allocation of hits to what they do."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.engine.events import LAPSED, several
from sandtable.engine.game import Flow
from sandtable.rulesets.tr14.core.board import Battle, turn_to, turn_turret
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT
from sandtable.rulesets.tr14.core.names import label, team_label
from sandtable.rulesets.tr14.core.state import Team
from sandtable.rulesets.tr14.firing.fire_table import Aim, take_aim
from sandtable.rulesets.tr14.firing.hits import Given, allocate_at, allocate_others, judge, suppress, tell_allocation
from sandtable.rulesets.tr14.firing.shots import Salvo, Shot, plan_shots
from sandtable.rulesets.tr14.firing.targets import Target, aimed_at, offer_to_ground, to_ground_rules
from sandtable.rulesets.tr14.leaders import Director, beside_leaders, direct_fire
from sandtable.rulesets.tr14.saves import roll_saves
from sandtable.table.shapes import bearing


@dataclass(slots=True)
class Outcome:
    """What a volley did, as assaults need to know it."""

    hits: int = 0
    results: int = 0

    def add(self, other: Outcome) -> None:
        self.hits += other.hits
        self.results += other.results


def volley(game: Battle, salvo: Salvo, target: Target) -> Flow[Outcome]:
    """Some Teams of a Unit fire at one enemy Unit, all together."""
    unit = salvo.unit
    if not salvo.moving_target:
        yield from offer_to_ground(game, target)
    aim, shots = lay(game, salvo, target)
    shooters = aim.shooters
    if not shots:
        text = f"{label(unit)} has nothing left to fire at among {label(target.unit)}."
        rule = "tr14.firing.los-and-range"
        game.tell("no-effect", text, rule, seat=unit.side, unit=unit.id, target=target.unit.id, **LAPSED)
        return Outcome()
    leaders = beside_leaders(game, unit, shooters)
    stood = {team.id: [team.facing, team.turret] for team in shooters}
    given = Given(target, aim)
    last: Shot | None = None
    for shot in shots:
        if shot.weapon.at:
            # What the AT weapon before has hit decides at whom this one fires.
            if last is not None:
                yield from settle(game, salvo, [last], leaders)
                yield from allocate_at(game, given, last)
            judge(game, given, shot)
            last = shot
        if shot.dice:
            open_fire(game, shot, aim)
            if shot.needed <= BEST_DIE:
                why = f"{team_label(unit, shot.shooter)}'s {shot.weapon.name}"
                shot.throw = yield from game.throw(unit.side, shot.dice, why)
    yield from settle(game, salvo, [shot for shot in shots if not shot.weapon.at or shot is last], leaders)
    tell_shooting(game, salvo, target, shots, stood)
    if last is not None:
        yield from allocate_at(game, given, last)
    yield from allocate_others(game, given, shots)
    hits = given.hits
    if hits:
        tell_allocation(game, target, hits)
    for hit in hits:
        hit.suppresses = not target.at_observer
    reroll_saves = any(shot.needed < LEAST_TO_HIT and shot.throw is not None for shot in shots)
    results = yield from roll_saves(game, unit, target.unit, hits, reroll_saves)
    placed = yield from suppress(game, target, shots, hits)
    return Outcome(sum(shot.hits for shot in shots), results + placed)


def lay(game: Battle, salvo: Salvo, target: Target) -> tuple[Aim, list[Shot]]:
    """What a volley is before its dice: all that it rests on, and each weapon that fires."""
    aim = take_aim(game, salvo.unit, [salvo.unit.teams[name] for name in salvo.orders], target)
    return aim, plan_shots(game, salvo, target, aim)


def open_fire(game: Battle, shot: Shot, aim: Aim) -> None:
    """A Team that rolls dice has fired, and faces what it fires at."""
    team = shot.shooter
    if team.shot != game.state.initiative_number:
        team.fired = True
        team.shot = game.state.initiative_number
        face_target(game, team, aim, shot.number)


def settle(game: Battle, salvo: Salvo, shots: list[Shot], leaders: list[Director]) -> Flow[None]:
    """All that may still be rolled again, and then the hits."""
    if salvo.manner == "aimed":
        yield from aimed_rerolls(game, shots)
    yield from direct_fire(game, salvo.unit, shots, leaders)
    for shot in shots:
        if shot.throw is not None:
            shot.hits = sum([value >= shot.least for value in shot.throw.values])


def face_target(game: Battle, team: Team, aim: Aim, number: int) -> None:
    """Guns turn to face what they shoot at; a tank turns its turret, and its hull for what the hull carries."""
    kind = team.kind
    if kind.type == "infantry":
        return
    distance = aim.distance[number]
    for in_turret in (False, True):
        in_line = [
            position
            for mounted, positions in zip(kind.in_turret, aim.valid[number], strict=True)
            if mounted is in_turret
            for position in positions
        ]
        if not in_line:
            continue
        nearest = aim.members[min(in_line, key=distance.__getitem__)][1]
        assert team.at is not None
        assert nearest.at is not None
        facing = bearing(*team.at, *nearest.at)
        if in_turret:
            turn_turret(game, team, facing)
        else:
            turn_to(game, team, facing)


def aimed_rerolls(game: Battle, shots: list[Shot]) -> Flow[None]:
    """tr14.playing.action-aimed-fire: every failed die once more."""
    for shot in shots:
        if shot.throw is not None:
            missed = [index for index, value in enumerate(shot.throw.values) if value < shot.least]
            if missed:
                yield from game.reroll(shot.throw, missed)
                shot.rules.append("tr14.playing.action-aimed-fire")


def tell_shooting(
    game: Battle, salvo: Salvo, target: Target, shots: list[Shot], stood: dict[str, list[float | None]]
) -> None:
    """`stood` is how each who fires faced, hull and turret, before he turned to his target."""
    unit, needed, hits = salvo.unit, {shot.needed for shot in shots}, sum([shot.hits for shot in shots])
    throws = [shot.throw for shot in shots if shot.throw is not None]
    dice = sum([shot.dice for shot in shots if shot.throw is not None])
    modifiers = list(dict.fromkeys(modifier for shot in shots for modifier in shot.modifiers))
    rules = dict.fromkeys([*SHOOTING_RULES, *(rule for shot in shots for rule in shot.rules)])
    more: list[str] = []
    if len({shot.shooter.id for shot in shots}) < len(shots):
        more.append("tr14.firing.several-weapons")
    if max(needed) > BEST_DIE:
        more.append("tr14.firing.seven-plus")
    if min(needed) < LEAST_TO_HIT:
        more.append("tr14.firing.one-or-less")
    if any(shot.shooter.kind.fires_over_friends for shot in shots):
        more.append("tr14.arsenal.mortar-over-friends")
    more += [modifier.rule for modifier in modifiers]
    more += to_ground_rules(game, target, modifiers)
    more += MANNER_RULES[salvo.manner]
    needs = " and ".join([f"{number}+" for number in sorted(needed)])
    verb = "hits" if hits == 1 else "hit"
    fell = f"{hits} of {several(dice, 'die', 'dice')} {verb}" if dice else "no die can hit"
    game.tell(
        "shooting",
        f"{label(unit)} fires at {label(target.unit)} needing {needs}: {fell}.",
        *rules,
        *more,
        seat=unit.side,
        dice=throws,
        modifiers=modifiers,
        unit=unit.id,
        target=target.unit.id,
        manner=salvo.manner,
        hits=hits,
        shots=[told(shot) for shot in shots],
        stood=stood,
    )


def told(shot: Shot) -> dict[str, object]:
    """What is told of one weapon's fire, for programs."""
    of = {"team": shot.shooter.id, "weapon": shot.weapon.name}
    reasons = [[modifier.amount, modifier.rule] for modifier in shot.modifiers]
    return {**of, "dice": shot.dice, "needed": shot.needed, "hits": shot.hits, "modifiers": reasons}


SHOOTING_RULES = (
    "tr14.firing.target-unit",
    "tr14.firing.los-and-range",
    "tr14.firing.fp-dice",
    "tr14.firing.to-hit-by-target-training",
)

MANNER_RULES: dict[str, list[str]] = {
    "action": [],
    "aimed": ["tr14.playing.action-aimed-fire"],
    "reaction": ["tr14.firing.reaction-fire"],
    "overwatch": ["tr14.playing.action-overwatch"],
    "assault": ["tr14.assaults.suppressive-fire"],
}


def fire_orders(game: Battle, salvo: Salvo) -> Flow[Outcome]:
    """A Unit fires as ordered, one target Unit after the other."""
    outcome, unit, targets = Outcome(), salvo.unit, salvo.targets
    if len(targets) > 1:
        text = f"{label(unit)} splits its fire among {len(targets)} Units."
        game.tell("split-fire", text, "tr14.firing.split-by-team", seat=unit.side, unit=unit.id, targets=targets)
    for target_id in targets:
        target, here = game.state.units.get(target_id), salvo.at(target_id)
        if target is not None and here.orders:
            outcome.add((yield from volley(game, here, aimed_at(game, target))))
    return outcome
