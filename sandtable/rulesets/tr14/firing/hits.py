"""Hits: who takes them, in the order of allocation, and the markers that they bring."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices
from sandtable.engine.ruleset import Ask
from sandtable.field.reckoning import plainest
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import alike, label, team_label, team_option
from sandtable.rulesets.tr14.firing.fire_table import Aim
from sandtable.rulesets.tr14.firing.shots import Shot
from sandtable.rulesets.tr14.firing.targets import Target, gone_to_ground
from sandtable.rulesets.tr14.saves import Hit
from sandtable.rulesets.tr14.suppression import add_markers, markers_for, pick_plainest


@dataclass(slots=True)
class Given:
    """The hits of a volley as they are given out: how many dice each Team of the target has, and of what."""

    target: Target
    aim: Aim
    hits: list[Hit] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = self.dice or [0] * len(self.target.members)

    def ranks(self, game: Battle, shot: Shot) -> dict[int, tuple[int, int]]:
        """How each Team stands in the order of allocation of an AT weapon's hits, the first lowest."""
        covers = self.aim.covers([shot.number], True)
        return {p: (self.dice[p], allocation_class(game, self.target, p, covers)) for p in shot.pool}


def judge(game: Battle, given: Given, shot: Shot) -> None:
    """tr14.firing.at-half-fp: by the Team that the hits would go to next; of equals by one that is no Tank."""
    aim = given.aim
    ranks = given.ranks(game, shot)
    first = min(shot.pool, key=lambda position: (ranks[position], aim.kinds[position].type == "tank"))
    if aim.halves(shot.number, first):
        shot.dice //= 2
        shot.rules.append("tr14.firing.at-half-fp")


def allocation_class(game: Battle, target: Target, position: int, covers: list[int]) -> int:
    """tr14.firing.allocation-order: the open, Soft Cover, Hard Cover, Gone to Ground."""
    cover = covers[position]
    return 3 if gone_to_ground(game, target, position, cover) else cover


def allocate_at(game: Battle, given: Given, shot: Shot) -> Flow[None]:
    """All hits of an AT weapon go to a single Team, by the order of allocation; of equals its player picks one."""
    if not shot.hits:
        return
    target, aim = given.target, given.aim
    members = target.members
    ranked = given.ranks(game, shot)
    best = min(ranked.values())
    equals = {members[position][1].id: position for position, rank in ranked.items() if rank == best}
    choices = Choices(equals, lambda position: team_option(members[position][1]))
    words = f"Which Team takes the {several(shot.hits, 'hit')} of the {shot.weapon.name}?"
    rules = ("tr14.firing.at-single-team", "tr14.firing.allocation-order")
    unit, teams = target.unit, [members[position][1] for position in equals.values()]
    facts, first = {"unit": unit.id, "alike": alike(teams)}, plainest(teams, 1)[0]
    position = yield from choose_one(
        unit.side, "allocate-at", words, choices, rules=rules, facts=facts, default=lambda: first, step="reply"
    )
    given.dice[position] += shot.hits
    cover = aim.covers([shot.number], True)[position]
    distance = aim.distance[shot.number][position]
    shooter = shot.shooter
    assert shooter.at is not None
    given.hits.append(Hit(members[position], shot.hits, cover, shot.weapon, distance, shooter.at, shooter=shooter.id))


def allocate_others(game: Battle, given: Given, shots: list[Shot]) -> Flow[None]:
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
            words = f"Which Team{'s take' if count > 1 else ' takes'} the last {several(count, 'hit')}?"
            rules = ("tr14.firing.allocation", "tr14.firing.allocation-order")
            question = pick_plainest(target.unit, "allocate", words, [members[p][1] for p in group], count, rules)
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


def tell_allocation(game: Battle, target: Target, hits: list[Hit]) -> None:
    rules = ["tr14.firing.allocation", "tr14.firing.allocation-order"]
    if any(hit.weapon is not None for hit in hits):
        rules.append("tr14.firing.at-single-team")
    given: dict[str, int] = {}
    names: dict[str, str] = {}
    for hit in hits:
        team = hit.member[1]
        given[team.id] = given.get(team.id, 0) + hit.dice
        names[team.id] = team_label(target.unit, team)
    listed = ", ".join(f"{number} on {names[team_id]}" for team_id, number in given.items())
    by = [[hit.shooter, "" if hit.weapon is None else hit.weapon.name, hit.member[1].id, hit.dice] for hit in hits]
    text = f"Hits on {label(target.unit)}: {listed}."
    game.tell("allocated", text, *rules, seat=target.unit.side, unit=target.unit.id, hits=given, by=by)


def suppress(game: Battle, target: Target, shots: list[Shot], hits: list[Hit]) -> Flow[int]:
    """One marker for every three dice that hit, saved or not; armored Teams are left to the Vehicle Damage Table."""
    soft = [hit for hit in hits if not hit.member[1].kind.armored]
    plain = sum(hit.dice for hit in soft if hit.weapon is None)
    count, rules = markers_for(plain, [hit.dice for hit in soft if hit.weapon is not None])
    return (yield from place_markers(game, target, shots, count, rules)) if count else 0


def place_markers(game: Battle, target: Target, shots: list[Shot], count: int, rules: list[str]) -> Flow[int]:
    """Some markers on those whom hits have left, valid targets first."""
    if target.at_observer:
        text = "Fire at a Forward Observer suppresses nobody."
        game.tell("no-suppression", text, "tr14.indirect.fo-no-suppression", seat=target.unit.side, unit=target.unit.id)
        return 0
    left = [
        (unit, team)
        for unit, team in target.members
        if team.id in unit.teams and not team.kind.armored and team.role != "fo"
    ]
    valid = {target.members[position][1].id for position in valid_targets(shots)}
    placed = yield from add_markers(game, left, count, valid, *rules)
    return placed
