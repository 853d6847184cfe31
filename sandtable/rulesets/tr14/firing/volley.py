"""Shooting: from the To Hit roll over the allocation of hits to the suppression they bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier, several, total
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, ChooseSome, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.board import board, cover_matrix, gaps, turn_to, turn_turret
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT, TO_HIT, YES_NO, use_command
from sandtable.rulesets.tr14.core.state import Member, State, Team, Unit, label, platoons, team_label
from sandtable.rulesets.tr14.core.terrain import HARD, OPEN
from sandtable.rulesets.tr14.firing.orders import FireTable, Order
from sandtable.rulesets.tr14.leaders import NEAR, NONE, leaders_of
from sandtable.rulesets.tr14.saves import Hit, roll_saves
from sandtable.rulesets.tr14.suppression import add_markers, members_of
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import bearing, forward_offset
from sandtable.table.sight import UNSEEN

JOIN = 6.0
"""tr14.leaders.cc-joins-unit, tr14.indirect.fo-joins-unit"""

HITS_PER_MARKER = 3
"""tr14.suppression.per-three-hits"""

Manner = Literal["action", "aimed", "reaction", "overwatch", "assault"]


@dataclass(slots=True)
class Target:
    """What an attack is aimed at: a Unit, with a commander or observer who has joined it for the while."""

    unit: Unit
    members: list[Member]
    at_observer: bool = False


@dataclass(slots=True)
class Shot:
    """One weapon firing: how many dice, what they need and why, what they showed."""

    number: int
    shooter: Team
    weapon: Weapon
    valid: list[int]
    """The positions of the Teams that it can see, reach and bear on."""
    pool: list[int]
    """Those of them to which its hits go first: of the type that it declares, or all."""
    dice: int
    needed: int
    modifiers: list[Modifier]
    rules: list[str] = field(default_factory=list)
    throw: Throw | None = None
    hits: int = 0

    @property
    def least(self) -> int:
        """What a die must show: a one never hits."""
        return max(LEAST_TO_HIT, self.needed)


@dataclass(slots=True)
class Outcome:
    """What a volley did, as assaults need to know it."""

    hits: int = 0
    results: int = 0


def aimed_at(game: Game[State], unit: Unit) -> Target:
    """The target of an attack. A commander or observer who is attacked joins the nearest Unit within 6 inches."""
    if not unit.apart:
        return Target(unit, members_of(unit))
    rule = "tr14.leaders.cc-joins-unit" if unit.apart == "cc" else "tr14.indirect.fo-joins-unit"
    hosts = platoons(game.state, unit.side)
    teams = [(host, team) for host in hosts for team in host.teams.values()]
    far = gaps(game, list(unit.teams.values()), [team for _, team in teams]).min(axis=0).tolist() if teams else []
    near = [(gap, host) for gap, (host, _) in zip(far, teams, strict=True) if gap <= JOIN + EXACT]
    if not near:
        return Target(unit, members_of(unit), unit.apart == "fo")
    host = min(near, key=lambda pair: pair[0])[1]
    game.tell(
        "joins",
        f"{label(unit)} joins {label(host)} for this attack.",
        rule,
        seat=unit.side,
        unit=unit.id,
        host=host.id,
    )
    return Target(host, members_of(host) + members_of(unit), unit.apart == "fo")


def gone_to_ground(game: Game[State], target: Target, position: int, cover: int = OPEN) -> bool:
    """tr14.firing.mod-gone-to-ground: a Team that neither moved nor fired, or whose Unit went to ground.

    A Unit that declares it takes whoever has joined it down too. `cover` is what the Team has from those who fire.
    """
    unit, team = target.members[position]
    declared = unit.to_ground or target.unit.to_ground
    down = declared or not (team.moved or team.fired) or observer_hides(game, team, cover)
    return down and team.kind.type != "tank"


def observer_hides(game: Game[State], team: Team, cover: int) -> bool:
    """tr14.indirect.fo-gone-to-ground: whatever a Forward Observer does in terrain that conceals him from this fire."""
    return team.role == "fo" and (cover not in (OPEN, UNSEEN) or in_cover(game, team))


def to_ground_rules(game: Game[State], target: Target, modifiers: Sequence[Modifier]) -> list[str]:
    """What else a modifier for going to ground rests on."""
    if not any(modifier.rule == "tr14.firing.mod-gone-to-ground" for modifier in modifiers):
        return []
    observers = [team for _, team in target.members if team.role == "fo"]
    hidden = any(team.moved or team.fired or in_cover(game, team) for team in observers)
    return ["tr14.indirect.fo-gone-to-ground"] if hidden else []


def in_cover(game: Game[State], team: Team) -> bool:
    here = board(game)
    row = here.of([team])
    return bool(cover_matrix(here, row, row, [team.dug_in])[0, 0] > OPEN)


def offer_to_ground(game: Game[State], target: Target) -> Flow[None]:
    """tr14.firing.gtg-declare: a Unit that has not acted, or waits in Overwatch, may go to ground before the dice."""
    unit = target.unit
    if unit.held or (unit.activated and not unit.overwatch):
        return
    if all(team.kind.type == "tank" for _, team in target.members):
        return
    if all(gone_to_ground(game, target, position) for position in range(len(target.members))):
        return
    words = f"{label(unit)} is fired at. Shall it go to ground, and neither move nor fire this round?"
    question = Choose("go-to-ground", words, YES_NO, rules=("tr14.firing.gtg-declare",), facts={"unit": unit.id})
    if (yield Ask(unit.side, question)) == "yes":
        unit.to_ground = unit.held = True
        game.tell(
            "to-ground",
            f"{label(unit)} goes to ground.",
            "tr14.firing.gtg-declare",
            seat=unit.side,
            unit=unit.id,
        )


class Aim(FireTable):
    """All that the To Hit numbers of one volley rest on."""

    def pool(self, number: int, slot: int, order: Order) -> list[int]:
        """The targets to which a weapon's hits go first: of the type that an AT weapon declares, or all."""
        valid = self.valid[number][slot]
        if not order.type or not self.shooters[number].kind.weapons[slot].at:
            return valid
        return [position for position in valid if self.kinds[position].type == order.type] or valid

    def can_roll(self, number: int, slot: int, order: Order) -> bool:
        """Whether a weapon may have a die to roll, if it fires as ordered."""
        pool = self.pool(number, slot, order)
        return bool(pool) and self.most_dice(number, slot, pool) > 0

    def covers(self, numbers: Sequence[int], at: bool) -> list[int]:
        """The worst cover that each target has from any of these shooters who sees it, or else from any who does."""
        found = worst([self.cover[number] for number in numbers])
        if UNSEEN in found:
            by_any = worst(self.cover)
            found = [cover if cover != UNSEEN else by_any[position] for position, cover in enumerate(found)]
        if not at:
            for position, kind in enumerate(self.kinds):
                if kind.shielded:
                    found[position] = self.behind_shield(position, numbers)
        return [OPEN if cover == UNSEEN else cover for cover in found]

    def behind_shield(self, position: int, numbers: Sequence[int]) -> int:
        """`covers` of one Team with a shield, from weapons that are not AT."""
        watching = [number for number in numbers if self.cover[number][position] != UNSEEN]
        if not watching:
            watching = [number for number, cover in enumerate(self.cover) if cover[position] != UNSEEN]
        team = self.members[position][1]
        found = [HARD if shielded(team, self.shooters[n]) else self.cover[n][position] for n in watching]
        return min(found, default=UNSEEN)

    def shields(self, numbers: Sequence[int]) -> list[bool]:
        """Whether the cover of each target from these shooters, none of them AT, is owed to its shield."""
        if not any(kind.shielded for kind in self.kinds):
            return [False] * len(self.kinds)
        return [
            plain > bare for plain, bare in zip(self.covers(numbers, False), self.covers(numbers, True), strict=True)
        ]


def worst(covers: list[list[int]]) -> list[int]:
    """The least cover of each target among some lists of them."""
    return list(map(min, *covers)) if len(covers) > 1 else list(covers[0])


def shielded(team: Team, shooter: Team) -> bool:
    """tr14.arsenal.gun-shield: Hard Cover from the front, against weapons that are not AT."""
    assert team.at is not None
    assert shooter.at is not None
    return forward_offset(*team.at, team.facing, *shooter.at) > 0.0


def still(team: Team) -> bool:
    """tr14.terrain.still-infantry"""
    return team.kind.type == "infantry" and not team.moved


def take_aim(game: Game[State], unit: Unit, shooters: list[Team], target: Target) -> Aim:
    firing = {team.id for team in shooters}
    helpers = [team for team in unit.teams.values() if team.id not in firing]
    return Aim(game, shooters, unit.side, target.members, helpers)


def volley(
    game: Game[State],
    unit: Unit,
    orders: dict[str, Order],
    target: Target,
    manner: Manner,
    *,
    moved: bool = False,
    moving_target: bool = False,
) -> Flow[Outcome]:
    """Some Teams of a Unit fire at one enemy Unit, all together."""
    if not moving_target:
        yield from offer_to_ground(game, target)
    shooters = [unit.teams[team_id] for team_id in orders]
    aim = take_aim(game, unit, shooters, target)
    shots = plan_shots(game, unit, orders, target, aim, manner, moved=moved, moving_target=moving_target)
    if not shots:
        text = f"{label(unit)} has nothing left to fire at among {label(target.unit)}."
        game.tell("no-effect", text, "tr14.firing.los-and-range", seat=unit.side, unit=unit.id)
        return Outcome()
    leaders = beside_leaders(game, unit, shooters)
    stood = {team.id: [team.facing, team.turret] for team in shooters}
    given = Given(target, aim)
    last: Shot | None = None
    for shot in shots:
        if shot.weapon.at:
            # What the AT weapon before has hit decides at whom this one fires.
            if last is not None:
                yield from settle(game, unit, [last], manner, leaders)
                yield from allocate_at(game, given, last)
            judge(game, given, shot)
            last = shot
        if shot.dice:
            open_fire(game, shot, aim)
            if shot.needed <= BEST_DIE:
                why = f"{team_label(shot.shooter)}'s {shot.weapon.name}"
                shot.throw = yield from game.throw(unit.side, shot.dice, why)
    yield from settle(game, unit, [shot for shot in shots if not shot.weapon.at or shot is last], manner, leaders)
    tell_shooting(game, unit, target, shots, manner, stood)
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


def open_fire(game: Game[State], shot: Shot, aim: Aim) -> None:
    """A Team that rolls dice has fired, and faces what it fires at."""
    team = shot.shooter
    if team.shot != game.state.initiative_number:
        team.fired = True
        team.shot = game.state.initiative_number
        face_target(game, team, aim, shot.number)


def settle(game: Game[State], unit: Unit, shots: list[Shot], manner: Manner, leaders: list[Director]) -> Flow[None]:
    """All that may still be rolled again, and then the hits."""
    if manner == "aimed":
        yield from aimed_rerolls(game, shots)
    yield from direct_fire(game, unit, shots, leaders)
    for shot in shots:
        if shot.throw is not None:
            shot.hits = sum([value >= shot.least for value in shot.throw.values])


def plan_shots(
    game: Game[State],
    unit: Unit,
    orders: dict[str, Order],
    target: Target,
    aim: Aim,
    manner: Manner,
    *,
    moved: bool,
    moving_target: bool,
) -> list[Shot]:
    """Which weapons fire, with how many dice, needing what."""
    planned: list[tuple[int, int, Weapon, Order]] = []
    for number, team in enumerate(aim.shooters):
        order = orders[team.id]
        weapons = [
            (slot, weapon)
            for slot, weapon in enumerate(team.kind.weapons)
            if not (weapon.mount == "gun" and order.mgs) and aim.can_roll(number, slot, order)
        ]
        main = any(weapon.mount == "gun" for _, weapon in weapons)
        planned += [(number, slot, weapon, order) for slot, weapon in weapons if not (weapon.mount == "coax" and main)]
    common, exposed = common_modifiers(game, target, aim, manner, moved=moved)
    cover: dict[bool, tuple[list[Modifier], list[str]]] = {}
    # Concealment is from the firing Unit as a whole; only shields tell AT weapons from others.
    firing = list(dict.fromkeys(number for number, _, _, _ in planned))
    for at in {weapon.at for _, _, weapon, _ in planned}:
        shields = [False] * len(aim.members) if at else aim.shields(firing)
        modifiers, rules = cover_modifiers(aim, aim.covers(firing, at), shields, moving_target=moving_target)
        if any(shield and seen for shield, seen in zip(shields, aim.visible, strict=True)):
            rules = [*rules, "tr14.arsenal.gun-shield"]
        cover[at] = common + modifiers, rules + exposed
    shots = []
    for number, slot, weapon, order in planned:
        modifiers, rules = cover[weapon.at]
        shot = plan_shot(target, aim, number, slot, weapon, order, modifiers)
        shot.rules += rules
        shots.append(shot)
    return shots


GONE_TO_GROUND = Modifier(1, "tr14.firing.mod-gone-to-ground", "target gone to ground")
FIRER_MOVED = Modifier(1, "tr14.firing.mod-firer-moved", "firing Unit moved")
REACTION = Modifier(1, "tr14.firing.mod-reaction", "reaction fire")
CONCEALED = Modifier(1, "tr14.firing.mod-concealed", "target concealed")
MOVING_IN_OPEN = Modifier(-1, "tr14.firing.mod-moving-in-open", "target moving in the open")


def common_modifiers(
    game: Game[State], target: Target, aim: Aim, manner: Manner, *, moved: bool
) -> tuple[list[Modifier], list[str]]:
    """The modifiers of all weapons alike; and why Teams to ground do not help their Unit, or would if no tanks."""
    modifiers: list[Modifier] = []
    rules: list[str] = []
    shelter = worst(aim.cover)
    positions = [position for position, visible in enumerate(aim.visible) if visible]
    seen = [target.members[position] for position in positions]
    down = sum([gone_to_ground(game, target, position, shelter[position]) for position in positions])
    if down:
        if down == len(seen):
            modifiers.append(GONE_TO_GROUND)
        else:
            rules.append("tr14.firing.gtg-one-visible-spoils")
    waiting = [team for unit, team in seen if target.unit.to_ground or unit.to_ground or not (team.moved or team.fired)]
    if any(team.kind.type == "tank" for team in waiting):
        rules.append("tr14.firing.gtg-not-tanks")
    if moved:
        modifiers.append(FIRER_MOVED)
    if manner == "reaction":
        modifiers.append(REACTION)
    return modifiers, rules


def cover_modifiers(
    aim: Aim, covers: list[int], shields: list[bool], *, moving_target: bool
) -> tuple[list[Modifier], list[str]]:
    """Concealment is the whole Unit's or nobody's; a Unit caught on the move in the open is easier to hit.

    With the modifiers come the rules of cover that decided.
    """
    seen = [position for position, cover in enumerate(worst(aim.cover)) if cover != UNSEEN]
    hidden = [position for position in seen if covers[position] > OPEN or still(aim.members[position][1])]
    if hidden and len(hidden) == len(seen):
        rules: dict[str, None] = {}
        for position in hidden:
            rules |= dict.fromkeys(hiding_rules(aim, position, covers[position], shields[position]))
        return [CONCEALED], list(rules)
    spoiled = ["tr14.terrain.all-must-be-concealed"] if hidden else []
    if moving_target and all(covers[position] == OPEN for position in seen):
        return [MOVING_IN_OPEN], spoiled
    return [], spoiled


def hiding_rules(aim: Aim, position: int, cover: int, shield: bool) -> tuple[str, ...]:
    """The rules by which a Team is concealed."""
    if cover == OPEN:
        return ("tr14.terrain.still-infantry",)
    rule = "tr14.terrain.hard-cover" if cover == HARD else "tr14.terrain.soft-cover"
    if shield:
        return (rule,)
    if aim.members[position][1].dug_in:
        return rule, "tr14.playing.action-dig-in"
    return rule, "tr14.terrain.area" if aim.in_area[position] else "tr14.terrain.linear"


def plan_shot(
    target: Target,
    aim: Aim,
    number: int,
    slot: int,
    weapon: Weapon,
    order: Order,
    modifiers: list[Modifier],
) -> Shot:
    team = aim.shooters[number]
    pool = aim.pool(number, slot, order)
    dice = aim.points(number, slot, pool)
    rules: list[str] = []
    if team.kind.in_turret[slot]:
        rules.append("tr14.firing.turret-arc")
    elif team.kind.type != "infantry":
        rules.append("tr14.firing.arc")
    if dice < weapon.fp:
        near = min([aim.distance[number][position] for position in pool])
        modifiers = [*modifiers, Modifier(1, "tr14.firing.mod-long-range", f"long range ({near:.1f} inches)")]
    if weapon.at and order.type and aim.kinds[pool[0]].type == order.type:
        rules.append("tr14.firing.at-declares-type")
    needed = TO_HIT[target.unit.training] + total(modifiers)
    if weapon.mount == "coax":
        rules.append("tr14.arsenal.coax")
    return Shot(number, team, weapon, aim.valid[number][slot], pool, dice, needed, modifiers, rules)


def judge(game: Game[State], given: Given, shot: Shot) -> None:
    """tr14.firing.at-half-fp: by the Team that the hits would go to next; of equals by one that is no Tank."""
    aim = given.aim
    ranks = given.ranks(game, shot)
    first = min(shot.pool, key=lambda position: (ranks[position], aim.kinds[position].type == "tank"))
    if aim.halves(shot.number, first):
        shot.dice //= 2
        shot.rules.append("tr14.firing.at-half-fp")


def allocation_class(game: Game[State], target: Target, position: int, covers: list[int]) -> int:
    """tr14.firing.allocation-order: the open, Soft Cover, Hard Cover, Gone to Ground."""
    cover = covers[position]
    return 3 if gone_to_ground(game, target, position, cover) else cover


def face_target(game: Game[State], team: Team, aim: Aim, number: int) -> None:
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


def aimed_rerolls(game: Game[State], shots: list[Shot]) -> Flow[None]:
    """tr14.playing.action-aimed-fire: every failed die once more."""
    for shot in shots:
        if shot.throw is not None:
            missed = [index for index, value in enumerate(shot.throw.values) if value < shot.least]
            if missed:
                yield from game.reroll(shot.throw, missed)
                shot.rules.append("tr14.playing.action-aimed-fire")


@dataclass(slots=True)
class Director:
    """A leader who may direct fire, who is beside him before anybody turns, and whose fire he directs."""

    leader: Team
    beside: set[str]
    directs: str = ""


def beside_leaders(game: Game[State], unit: Unit, shooters: list[Team]) -> list[Director]:
    found = []
    for leader in leaders_of(game, unit):
        others = [team for team in shooters if team is not leader]
        if others:
            distances = gaps(game, [leader], others)[0].tolist()
            near = {team.id for team, far in zip(others, distances, strict=True) if far <= NEAR + EXACT}
            found.append(Director(leader, near))
    return found


def direct_fire(game: Game[State], unit: Unit, shots: list[Shot], leaders: list[Director]) -> Flow[None]:
    """tr14.leaders.direct-fire: a leader has one Team beside him roll its misses again."""
    for director in leaders:
        missing: dict[str, list[tuple[Shot, list[int]]]] = {}
        for shot in shots:
            missed = may_roll_again(shot)
            if missed and shot.shooter.id in director.beside:
                missing.setdefault(shot.shooter.id, []).append((shot, missed))
        if not director.directs and missing:
            director.directs = yield from ask_director(game, unit, director, list(missing))
        if director.directs not in missing:
            continue
        throws = []
        for shot, missed in missing[director.directs]:
            assert shot.throw is not None
            yield from game.reroll(shot.throw, missed)
            throws.append(shot.throw)
        team = unit.teams[director.directs]
        text = f"{team_label(director.leader)} directs the fire of {team_label(team)}."
        game.tell(
            "direct-fire",
            text,
            *DIRECT_FIRE_RULES,
            seat=unit.side,
            dice=throws,
            team=team.id,
            leader=director.leader.id,
        )


DIRECT_FIRE_RULES = ("tr14.leaders.direct-fire", "tr14.leaders.once-per-initiative")


def may_roll_again(shot: Shot) -> list[int]:
    """Which dice of a shot missed and have not been rolled again."""
    throw = shot.throw
    if throw is None:
        return []
    return [index for index, value in enumerate(throw.values) if value < shot.least and throw.may_reroll(index)]


def ask_director(game: Game[State], unit: Unit, director: Director, teams: list[str]) -> Flow[str]:
    """Whose fire a leader directs, with the one command that he has; nobody's is an empty word."""
    options = [NONE, *(Option(team_id, team_label(unit.teams[team_id])) for team_id in teams)]
    words = f"Shall {team_label(director.leader)} direct a Team's fire and have its misses rolled again?"
    question = Choose("direct-fire", words, options, rules=DIRECT_FIRE_RULES, facts={"unit": unit.id})
    answer: str = yield Ask(unit.side, question)
    if answer == NONE.id:
        return ""
    use_command(game, unit.side, director.leader.id)
    return answer


def tell_shooting(
    game: Game[State],
    unit: Unit,
    target: Target,
    shots: list[Shot],
    manner: Manner,
    stood: dict[str, list[float | None]],
) -> None:
    """`stood` is how each who fires faced, hull and turret, before he turned to his target."""
    throws: list[Throw] = []
    rules = dict.fromkeys(SHOOTING_RULES)
    modifiers: list[Modifier] = []
    told: list[dict[str, object]] = []
    needed = {shot.needed for shot in shots}
    hits = dice = 0
    for shot in shots:
        rules |= dict.fromkeys(shot.rules)
        modifiers += [modifier for modifier in shot.modifiers if modifier not in modifiers]
        hits += shot.hits
        if shot.throw is not None:
            throws.append(shot.throw)
            dice += shot.dice
        told.append(
            {
                "team": shot.shooter.id,
                "weapon": shot.weapon.name,
                "dice": shot.dice,
                "needed": shot.needed,
                "hits": shot.hits,
                "modifiers": [[modifier.amount, modifier.rule] for modifier in shot.modifiers],
            }
        )
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
    more += MANNER_RULES[manner]
    needs = " and ".join([f"{number}+" for number in sorted(needed)])
    fell = (
        "no die can hit" if not dice else f"{hits} of {several(dice, 'die', 'dice')} {'hits' if hits == 1 else 'hit'}"
    )
    text = f"{label(unit)} fires at {label(target.unit)} needing {needs}: {fell}."
    game.tell(
        "shooting",
        text,
        *rules,
        *more,
        seat=unit.side,
        dice=throws,
        modifiers=modifiers,
        unit=unit.id,
        target=target.unit.id,
        manner=manner,
        hits=hits,
        shots=told,
        stood=stood,
    )


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


@dataclass(slots=True)
class Given:
    """The hits of a volley as they are given out: how many dice each Team of the target has, and of what."""

    target: Target
    aim: Aim
    hits: list[Hit] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = [0] * len(self.target.members)

    def ranks(self, game: Game[State], shot: Shot) -> dict[int, tuple[int, int]]:
        """How each Team stands in the order of allocation of an AT weapon's hits, the first lowest."""
        covers = self.aim.covers([shot.number], True)
        return {p: (self.dice[p], allocation_class(game, self.target, p, covers)) for p in shot.pool}


def allocate_at(game: Game[State], given: Given, shot: Shot) -> Flow[None]:
    """All hits of an AT weapon go to a single Team, by the order of allocation; of equals its player picks one."""
    if not shot.hits:
        return
    target, aim = given.target, given.aim
    members = target.members
    ranked = given.ranks(game, shot)
    best = min(ranked.values())
    choices = [position for position, rank in ranked.items() if rank == best]
    position = choices[0]
    if len(choices) > 1:
        options = [Option(members[p][1].id, team_label(members[p][1])) for p in choices]
        words = f"Which Team takes the {several(shot.hits, 'hit')} of the {shot.weapon.name}?"
        rules = ("tr14.firing.at-single-team", "tr14.firing.allocation-order")
        facts = {"unit": target.unit.id}
        answer = yield Ask(target.unit.side, Choose("allocate-at", words, options, rules=rules, facts=facts))
        position = next(p for p in choices if members[p][1].id == answer)
    given.dice[position] += shot.hits
    cover = aim.covers([shot.number], True)[position]
    distance = aim.distance[shot.number][position]
    shooter = shot.shooter
    assert shooter.at is not None
    hit = Hit(members[position], shot.hits, cover, shot.weapon, distance, shooter.at, shooter=shooter.id)
    given.hits.append(hit)


def allocate_others(game: Game[State], given: Given, shots: list[Shot]) -> Flow[None]:
    """The hits of all other weapons together, one die at a time."""
    target, aim = given.target, given.aim
    members = target.members
    plain_shots = [shot for shot in shots if shot.throw is not None and not shot.weapon.at]
    count = sum([shot.hits for shot in plain_shots])
    if not count:
        return
    numbers = [shot.number for shot in plain_shots]
    covers, shields = aim.covers(numbers, False), aim.shields(numbers)
    classes = {p: allocation_class(game, target, p, covers) for p in valid_targets(shots)}
    plain: dict[int, int] = {}
    while count > 0:
        ranked = {p: (given.dice[p], rank) for p, rank in classes.items()}
        best = min(ranked.values())
        group = [position for position, rank in ranked.items() if rank == best]
        chosen = [members[p][1].id for p in group]
        if len(group) > count:
            options = [Option(members[p][1].id, team_label(members[p][1])) for p in group]
            words = f"Which Team{'s take' if count > 1 else ' takes'} the last {several(count, 'hit')}?"
            rules = ("tr14.firing.allocation", "tr14.firing.allocation-order")
            facts = {"unit": target.unit.id}
            question = ChooseSome("allocate", words, options, count, count, rules=rules, facts=facts)
            chosen = yield Ask(target.unit.side, question)
        for position in group:
            if members[position][1].id in chosen:
                given.dice[position] += 1
                plain[position] = plain.get(position, 0) + 1
                count -= 1
    given.hits += [Hit(members[p], number, covers[p], shield=shields[p]) for p, number in plain.items()]


def valid_targets(shots: list[Shot]) -> list[int]:
    """The positions of the Teams that some weapon which fired can see, reach and bear on."""
    valid: set[int] = set()
    for shot in shots:
        if shot.throw is not None:
            valid.update(shot.valid)
    return sorted(valid)


def tell_allocation(game: Game[State], target: Target, hits: list[Hit]) -> None:
    rules = ["tr14.firing.allocation", "tr14.firing.allocation-order"]
    if any(hit.weapon is not None for hit in hits):
        rules.append("tr14.firing.at-single-team")
    given: dict[str, int] = {}
    names: dict[str, str] = {}
    for hit in hits:
        team = hit.member[1]
        given[team.id] = given.get(team.id, 0) + hit.dice
        names[team.id] = team_label(team)
    listed = ", ".join(f"{number} on {names[team_id]}" for team_id, number in given.items())
    by = [[hit.shooter, "" if hit.weapon is None else hit.weapon.name, hit.member[1].id, hit.dice] for hit in hits]
    text = f"Hits on {label(target.unit)}: {listed}."
    game.tell("allocated", text, *rules, seat=target.unit.side, hits=given, by=by)


def suppress(game: Game[State], target: Target, shots: list[Shot], hits: list[Hit]) -> Flow[int]:
    """One marker for every three dice that hit, saved or not; armored Teams are left to the Vehicle Damage Table."""
    soft = [hit for hit in hits if not hit.member[1].kind.armored]
    dice = sum(hit.dice for hit in soft)
    at_weapons = sum(hit.weapon is not None for hit in soft)
    plain = sum(hit.dice for hit in soft if hit.weapon is None)
    count = dice // HITS_PER_MARKER
    rules = ["tr14.suppression.per-three-hits", "tr14.suppression.valid-targets-first"]
    if count > plain // HITS_PER_MARKER + at_weapons:
        count = plain // HITS_PER_MARKER + at_weapons
        rules.append("tr14.firing.at-one-suppression")
    if not count:
        return 0
    if target.at_observer:
        text = "Fire at a Forward Observer suppresses nobody."
        game.tell("no-suppression", text, "tr14.indirect.fo-no-suppression", seat=target.unit.side)
        return 0
    left = [
        (unit, team)
        for unit, team in target.members
        if team.id in unit.teams and not team.kind.armored and team.role != "fo"
    ]
    valid = {target.members[position][1].id for position in valid_targets(shots)}
    placed = yield from add_markers(game, left, count, valid, *rules)
    return placed


def fire_orders(
    game: Game[State],
    unit: Unit,
    orders: dict[str, Order],
    manner: Manner,
    *,
    moved: bool = False,
    moving_target: bool = False,
) -> Flow[Outcome]:
    """A Unit fires as ordered, one target Unit after the other."""
    outcome = Outcome()
    targets = list(dict.fromkeys(order.unit for order in orders.values()))
    if len(targets) > 1:
        text = f"{label(unit)} splits its fire among {len(targets)} Units."
        game.tell("split-fire", text, "tr14.firing.split-by-team", seat=unit.side, targets=targets)
    for target_id in targets:
        target = game.state.units.get(target_id)
        here = {t: order for t, order in orders.items() if order.unit == target_id and t in unit.teams}
        if target is not None and here:
            aimed = aimed_at(game, target)
            done = yield from volley(game, unit, here, aimed, manner, moved=moved, moving_target=moving_target)
            outcome.hits += done.hits
            outcome.results += done.results
    return outcome
