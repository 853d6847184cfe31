"""Skirmish, a small game of squads on a table: move, fire, and be at the well when a round ends.

Its rules, by the ids that stand here, are in `skirmish/rules/`, its battle is in `skirmish/scenarios/`.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from sandtable.engine.cards import Fact, TeamCard, UnitCard, counted
from sandtable.engine.events import Event, Modifier, several, total
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option, Refusal, Step, illegal
from sandtable.engine.ruleset import Ask, Display, Result, Ruleset, Score
from sandtable.engine.tokens import place, token
from sandtable.engine.worth import Term, Worth
from sandtable.field import facts, moving, rosters, set_ups, showing, sightlines
from sandtable.field.board import Board
from sandtable.field.courses import length_of, path_of, refuse_ends
from sandtable.field.invariants import astray
from sandtable.field.library import Shelf
from sandtable.field.troops import SIDES, Point, Side, Table, numbered, other
from sandtable.table import distance, sight
from sandtable.table.hairs import A_HAIR
from sandtable.table.scene import Look, Scene, Spot
from sandtable.table.shapes import Floats, Footprint, Mask, Place, body
from sandtable.table.terrain import Feature, Terrain

MOVE, ROUGH, TOGETHER, AT_THE_OBJECTIVE, TOUCH = 6.0, 4.0, 3.0, 4.0, 0.1
TO_HIT, LONG_RANGE, TO_LOSE = 3, 8.0, 4
SHAPES = {"wood": "area", "building": "area", "wall": "line"}
LOOKS: dict[str, Look] = {"wood": "wood", "building": "building", "wall": "wall"}
SIGHT = {"wood": sight.AREA, "building": sight.BARRIER, "wall": sight.CLEAR}
WEIGHTS = {"points": Term(5.0, "points"), "teams": Term(3.0, "Teams"), "near": Term(0.05, "nearness to the objective")}


class Kind(msgspec.Struct, frozen=True):
    name: str
    dice: int
    range: float
    base: Footprint = Footprint(1.25, 1.25, "circle")


KINDS = {"infantry": Kind("Rifle", 1, 16.0), "gun": Kind("Machine Gun", 3, 24.0)}


class Team(msgspec.Struct, forbid_unknown_fields=True):
    profile: Literal["infantry", "gun"]
    at: Point
    id: str = ""
    facing: float = 0.0

    @property
    def kind(self) -> Kind:
        return KINDS[self.profile]


class Squad(msgspec.Struct, forbid_unknown_fields=True):
    side: Side
    name: str
    teams: dict[str, Team]
    id: str = ""
    acted: bool = False


class Setup(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    table: Table
    objective: Point
    units: dict[str, Squad]
    terrain: list[Feature] = []
    rounds: int = 6
    about: str = ""
    format: Literal["sandtable.skirmish.scenario"] = "sandtable.skirmish.scenario"

    def mistakes(self) -> set_ups.Faults:
        yield from set_ups.battle_amiss(self, SHAPES, KINDS)
        yield from set_ups.below((), self, ("rounds",), 1)
        yield from set_ups.point_amiss(("objective",), self.objective, self.table)


class State(msgspec.Struct):
    units: dict[str, Squad]
    objective: Point
    points: dict[str, int]
    player: Side = "red"
    round: int = 1
    result: Result | None = None


def begin(setup: Setup) -> State:
    return State(set_ups.begun(setup.units), setup.objective, dict.fromkeys(SIDES, 0))


class Ground:
    """The terrain of a battle, compiled once: how it treats sight, what shelters, and what cannot be entered."""

    def __init__(self, setup: Setup) -> None:
        self.width, self.depth = setup.table.width, setup.table.depth
        self.terrain = Terrain(setup.terrain, self.width, self.depth)
        self.opacity = sight.Opacity([SIGHT[feature.kind] for feature in setup.terrain])
        self.cover = self.terrain.of_kind(["wood", "wall"]).astype(np.int64)
        self.buildings = self.terrain.of_kind(["building"])

    def sees(self, watchers: Floats, targets: Floats) -> Mask:
        return sight.sight(self.terrain, self.opacity, watchers, targets)

    def kinds_on(self, way: list[Point]) -> set[str]:
        crossed = sight.crossed(self.terrain, np.array([(*a, *b) for a, b in pairwise(way)])).any(axis=0)
        return {self.terrain.features[number].kind for number in np.flatnonzero(crossed)}


Battle = Game[State, Setup, Ground]


def teams_of(state: State, *sides: str) -> list[Team]:
    return [team for squad in state.units.values() if squad.side in sides for team in squad.teams.values()]


def board(state: State) -> Board:
    return Board.with_pieces(teams_of(state, *SIDES))


def label(squad: Squad) -> str:
    return token("unit", squad.id, f"{squad.side.capitalize()} {squad.name}")


def team_card(name: str, team: Team) -> TeamCard:
    return TeamCard(name, numbered(team.kind.name, name), team.profile)


def team_label(state: State, name: str) -> str:
    squad = next(squad for squad in state.units.values() if name in squad.teams)
    return token("team", name, f"{squad.side.capitalize()} {team_card(name, squad.teams[name]).name}")


def play(game: Battle) -> Flow[None]:
    """The whole battle, from any checkpoint."""
    while game.state.result is None:
        yield from take_turn(game)


def ready(state: State, side: str) -> list[Squad]:
    return [squad for squad in state.units.values() if squad.side == side and not squad.acted]


def take_turn(game: Battle) -> Flow[None]:
    state = game.state
    options = [Option(squad.id, squad.name, pieces=(squad.id,)) for squad in ready(state, state.player)]
    question = Choose("squad", "Which squad acts?", options, rules=("skirmish.turn.alternate",))
    squad = state.units[(yield Ask(state.player, question, checkpoint=True))]
    squad.acted = True
    moved = yield from move(game, squad)
    yield from fire(game, squad, moved)
    if not teams_of(state, other(squad.side)):
        state.result = Result(squad.side, f"{other(squad.side).capitalize()} is gone.", "skirmish.end.wiped-out")
    elif waiting := [side for side in (other(squad.side), squad.side) if ready(state, side)]:
        state.player = waiting[0]
    else:
        end_round(game)


def end_round(game: Battle) -> None:
    state = game.state
    near = [s for s in SIDES if any(math.dist(t.at, state.objective) <= AT_THE_OBJECTIVE for t in teams_of(state, s))]
    holder = near[0] if len(near) == 1 else ""
    if holder:
        state.points[holder] += 1
    text = f"Round {state.round} ends: {holder or 'nobody'} holds the objective at {place(*state.objective)}."
    game.tell("objective", text, "skirmish.end.objective", seat=holder, holder=holder, round=state.round)
    if state.round == game.setup.rounds:
        red, blue = ((state.points[side], len(teams_of(state, side))) for side in SIDES)
        winner = None if red == blue else "red" if red > blue else "blue"
        reason = f"Points and Teams: red has {red[0]} and {red[1]}, blue {blue[0]} and {blue[1]}."
        state.result = Result(winner, reason, "skirmish.end.rounds")
        return
    state.round, state.player = state.round + 1, "red"
    for squad in state.units.values():
        squad.acted = False


def move(game: Battle, squad: Squad) -> Flow[bool]:
    """Ask where the Teams of a squad go, and set them down there; whether anybody went."""
    state, teams = game.state, list(squad.teams.values())
    enemies = [team.at for team in teams_of(state, other(squad.side))]
    goals = [state.objective, min(enemies, key=partial(math.dist, teams[0].at))]
    going = moving.Moving(teams, lambda team: MOVE, partial(refuse_move, state, game.prepared, squad))
    words, rules = f"Where does {label(squad)} go?", ("skirmish.move.distance", "skirmish.move.together")
    ask = partial(going.question, "move", words, lambda team: team_card(team.id, team).name)
    steps = going.steps((yield Ask(squad.side, ask(partial(going.usual, goals), rules=rules, unit=squad.id))))
    ways = {each: path_of(squad.teams[each].at, step) for each, step in steps.items()}
    inches = max(map(length_of, ways.values()), default=0.0)
    if inches > 0:
        for each, way in ways.items():
            squad.teams[each].at = way[-1]
        text = f"{label(squad)} moves {inches:.1f} inches."
        game.tell("move", text, *rules, seat=squad.side, unit=squad.id, ways=ways, inches=round(inches, 2))
    return inches > 0


def refuse_move(state: State, ground: Ground, squad: Squad, steps: dict[str, Step]) -> Refusal | None:
    """What forbids a move; to stay is never forbidden."""
    here, teams, name = board(state), list(squad.teams.values()), partial(team_label, state)
    ends = here.at(teams, {each: step.to for each, step in steps.items()})
    walled = ground.terrain.overlapping(ends) & ground.buildings
    blocked = [team.id for team, inside in zip(teams, walled, strict=True) if inside.any()]
    for each, step in steps.items():
        way = path_of(squad.teams[each].at, step)
        kinds = ground.kinds_on(way)
        if each in blocked or "building" in kinds:
            message = f"{name(each)} would enter a building."
            return illegal("skirmish.move.buildings", message, field=each, legal="Go round it.")
        most, rule = (ROUGH, "skirmish.move.rough") if kinds else (MOVE, "skirmish.move.distance")
        if length_of(way) > most + A_HAIR:
            message = f"{name(each)} would go {length_of(way):.1f} inches."
            return illegal(rule, message, field=each, legal=f"Go {most:g} inches at most.")
    for team, gap in zip(teams, distance.distances(ends, ends[:1])[:, 0], strict=True):
        if steps and gap > TOGETHER + A_HAIR:
            message = f"{name(team.id)} would be {gap:.1f} inches from {name(teams[0].id)}."
            return illegal("skirmish.move.together", message, field=team.id, legal=f"Stay within {TOGETHER:g} inches.")
    return refuse_ends(here, ground, teams, ends, name, "skirmish.move.room")


class Volley(NamedTuple):
    """What a squad can fire at another: its dice, why they hit or do not, and whom it sees, the nearest first."""

    dice: int
    needed: int
    modifiers: list[Modifier]
    seen: list[Team]


def volley(state: State, ground: Ground, squad: Squad, target: Squad, moved: bool) -> Volley | None:
    here, ours, theirs = board(state), list(squad.teams.values()), list(target.teams.values())
    a, b = here.of(ours), here.of(theirs)
    gaps = np.where(ground.sees(a, b), distance.distances(a, b), math.inf)
    gaps[gaps > np.array([[team.kind.range + A_HAIR] for team in ours])] = math.inf
    if np.isinf(gaps).all():
        return None
    nearest = np.unravel_index(gaps.argmin(), gaps.shape)
    reasons = (
        (gaps.min() > LONG_RANGE + A_HAIR, "skirmish.fire.long-range", "long range"),
        (sight.shelter(ground.terrain, ground.cover, a, b, TOUCH)[nearest] > 0, "skirmish.fire.cover", "cover"),
        (moved, "skirmish.fire.moved", "on the move"),
    )
    modifiers = [Modifier(-1, rule, words) for holds, rule, words in reasons if holds]
    dice = sum(team.kind.dice for team, gap in zip(ours, gaps.min(axis=1), strict=True) if gap < math.inf)
    order = [number for number in gaps.min(axis=0).argsort(kind="stable") if gaps[:, number].min() < math.inf]
    return Volley(dice, TO_HIT - total(modifiers), modifiers, [theirs[number] for number in order])


def fire(game: Battle, squad: Squad, moved: bool) -> Flow[None]:
    """Ask at whom, throw to hit, and take off who is lost."""
    state = game.state
    enemies = (each for each in state.units.values() if each.side != squad.side)
    volleys = {each.id: aim for each in enemies if (aim := volley(state, game.prepared, squad, each, moved))}
    if not volleys:
        return
    options = [
        Option(name, f"{state.units[name].name}: {several(each.dice, 'die', 'dice')}, {each.needed}+", pieces=(name,))
        for name, each in volleys.items()
    ]
    options.append(Option("hold", "Hold fire"))
    words = f"At whom does {label(squad)} fire?"
    answer = yield Ask(squad.side, Choose("fire", words, options, rules=("skirmish.fire.sight",)))
    if answer == "hold":
        return
    target, (dice, needed, modifiers, seen) = state.units[answer], volleys[answer]
    throw = yield from game.throw(squad.side, dice, f"{label(squad)} to hit")
    hits = sum(value >= needed for value in throw.values)
    text = f"{label(squad)} fires at {label(target)}: {several(hits, 'hit')} on {needed}+."
    rules = ["skirmish.fire.to-hit", *(modifier.rule for modifier in modifiers)]
    fields = {"unit": squad.id, "target": target.id, "needed": needed, "hits": hits}
    game.tell_event(Event("fire", text, rules, squad.side, [throw], modifiers, fields))
    throw = yield from game.throw(squad.side, hits, f"losses of {label(target)}")
    lost = [team.id for team in seen[: sum(value >= TO_LOSE for value in throw.values)]]
    if hits:
        text = f"{label(target)} loses {several(len(lost), 'Team') if lost else 'nobody'}."
        game.tell("losses", text, "skirmish.fire.losses", seat=squad.side, dice=[throw], target=target.id, lost=lost)
    target.teams = {name: team for name, team in target.teams.items() if name not in lost}
    state.units = {name: each for name, each in state.units.items() if each.teams}


def weigh(game: Battle, seat: str) -> dict[str, float]:
    counts = []
    for side in (seat, other(seat)):
        far = [math.dist(team.at, game.state.objective) for team in teams_of(game.state, side)]
        counts.append((game.state.points[side], len(far), -sum(far)))
    return {name: ours - theirs for name, ours, theirs in zip(WEIGHTS, *counts, strict=True)}


def heading(squad: Squad) -> rosters.Heading:
    return rosters.Heading(squad.name, badges=rosters.signs((squad.acted, "✓", "has acted in this round", "tick")))


def face(squad: Squad, team: Team) -> showing.Face:
    return showing.Face(team_card(team.id, team).name, squad.name, team.profile, heading(squad).badges)


def scene(game: Battle, seat: str | None) -> Scene:
    members = [(squad, team) for squad in game.state.units.values() for team in squad.teams.values()]
    objective = Spot(*game.state.objective, AT_THE_OBJECTIVE, "Objective")
    return showing.scene(game.setup, game.setup.terrain, showing.pieces(members, face), [objective], looks=LOOKS)


def status(game: Battle, seat: str | None) -> list[Fact]:
    points = facts.by_side("Points", "skirmish.end.objective", {s: (n, None) for s, n in game.state.points.items()})
    return [counted("Round", (game.state.round, game.setup.rounds), "skirmish.end.rounds"), *points]


def roster(game: Battle, seat: str | None) -> list[UnitCard]:
    return rosters.roster(game.setup.units, game.state.units, seat, heading, team_card)


def watch(game: Battle, seat: str | None, piece: str, place: Place | None) -> sightlines.Watcher | None:
    team = next((team for team in teams_of(game.state, *SIDES) if team.id == piece), None)
    if team is None:
        return None
    ground, kind, at, rule = game.prepared, team.kind, sightlines.where_it_looks(team, place), "skirmish.fire.sight"
    here, row, reaches = board(game.state), body(kind.base, at), [(kind.name, kind.range, kind.range)]
    return sightlines.Watcher(piece, row, at, here, ground.terrain, ground.sees, ground.opacity, rule, reaches)


SCENARIOS = Shelf(Path(__file__).with_suffix("") / "scenarios", Setup, "scenario")

RULESET = Ruleset(
    name="skirmish",
    title="Skirmish",
    setup_type=Setup,
    state_type=State,
    prepare=Ground,
    begin=begin,
    flow=play,
    score=lambda state: Score({**state.points}, "rounds at the objective"),
    worth=Worth(weigh, WEIGHTS),
    summary=lambda state: {side: {"points": state.points[side], "teams": len(teams_of(state, side))} for side in SIDES},
    scene=scene,
    scenarios=SCENARIOS.names,
    scenario=SCENARIOS.load,
    invariants=lambda g: astray(None, board(g.state), g.prepared, g.state.units, over=False),
    formats={"sandtable.skirmish.scenario": Setup},
    display=Display(status, roster, outlook=partial(sightlines.outlook, watch), about=SCENARIOS.about, walls=("wall",)),
)
