"""Hidden Teams: not plotted, revealed when their owner likes, where the enemy could not have seen them.

Recon Teams of the enemy react when somebody appears.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from sandtable.engine.events import Event
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Answer, Choices, Idea, Option, Refusal, Step, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.deploying import chance_point, moved, rows_of
from sandtable.field.moving import middles
from sandtable.field.zones import zone_area
from sandtable.rulesets.hof.activation import activate
from sandtable.rulesets.hof.battle import zones
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import label, mate_option, spoken_list, team_label, team_name, unit_name
from sandtable.rulesets.hof.core.room import in_ranks, set_all_down, setting_down
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit, other, units_of
from sandtable.table.scene import Area

TRIES = 6
LAIRS = 8
"""At so many places Hidden Teams are thought of."""

OUTPOST = 2
"""So many Teams hold an objective while the rest of their Unit stays hidden, and holds the others."""

ABOUT = [(0.0, 0.0), *((3.0 * math.cos(turn * math.pi / 4), 3.0 * math.sin(turn * math.pi / 4)) for turn in range(8))]
"""Where about an objective: one spot may be watched and the next not."""


def waiting(game: Battle, side: str) -> list[Member]:
    return board(game).force(game.state, side).hidden


def may_reveal(game: Battle, side: str) -> bool:
    """Whether a side has Hidden Teams, and has not just thought better of revealing any."""
    return side not in game.state.balked and bool(waiting(game, side))


def reveal(game: Battle, side: str) -> Flow[None]:
    """Set down any Hidden Teams (hof.battle.hidden-piecemeal); nobody, if the player thinks better of it."""
    members = waiting(game, side)
    units = {team.id: unit for unit, team in members}
    watch = zones.Watch(game, side)
    down = setting_down(
        game,
        side,
        [team for _, team in members],
        "hof.battle.hidden-where",
        checks=(partial(refuse_spots, watch, units),),
        everybody=False,
        appears="hof.battle.hidden-no-plot",
    )
    question = down.question(
        "reveal",
        "Which hidden Teams appear, and where?",
        lambda team: f"{team_name(team)}, {unit_name(units[team.id])}",
        lambda most: propose(watch, most),
        lambda random: by_chance(watch, random),
        ("hof.battle.hidden-no-plot", "hof.battle.hidden-where", "hof.battle.hidden-piecemeal"),
    )
    question.step = "where"

    def areas() -> list[Area]:
        bound = any(unit.kind != "sniper" for unit in units.values())
        return [zone_area(zones.zone(game, side), side, side)] * bound + watch.lairs(units.values(), down.facing)

    question.areas = areas
    question.purposes = lambda most: every_lair(watch, most)
    question.rest = {}
    answer = yield Ask(side, question)
    shown = [member for member in members if member[1].id in answer]
    if not shown:
        game.state.balked = [*game.state.balked, side]  # type: ignore[list-item]
        return
    rules = why_open(watch, shown, plain_to_steps(answer))
    set_all_down(game, down, answer)
    for _, team in shown:
        if team.dug_in:
            team.foxhole = team.at
    game.state.balked = []
    names = spoken_list(shown)
    event = Event("revealed", f"{side} reveals {names}.", rules, side, data={"teams": [team.id for _, team in shown]})
    event.reveals = True
    game.tell_event(event)
    for rule in zones.SET_DOWN:
        rule(game, shown)
    yield from after_reveal(game, side, shown)


def why_open(watch: zones.Watch, shown: list[Member], steps: dict[str, Step]) -> list[str]:
    """The rules by which these Teams may appear where they do."""
    found = ["hof.battle.hidden-no-plot", "hof.battle.hidden-piecemeal"]
    teams = [team for _, team in shown]
    rows = rows_of(teams, steps, watch.facing)
    for (unit, _), spot, row in zip(shown, watch.spots_of(teams, rows), rows, strict=True):
        if unit.kind == "sniper":
            found.append("hof.optional.sniper-deploy")
            continue
        found += watch.why_open(spot, row)
        if not zones.usual_zone(watch.game, watch.side).within(row.reshape(1, 8))[0, 0]:
            found.append("hof.optional.recon-forward-deployment")
    return list(dict.fromkeys(found))


def refuse_spots(watch: zones.Watch, units: dict[str, Unit], teams: list[Team], rows: Rows) -> Refusal | None:
    """Why Hidden Teams may not appear where these rows are."""
    game, side = watch.game, watch.side
    for team, row, spot in zip(teams, rows[:, None], watch.spots_of(teams, rows), strict=True):
        unit = units[team.id]
        if unit.kind == "sniper":
            if not zones.sniper_spots(game, side, row)[0]:
                message = f"{team_label(unit, team)} would appear too near, or in the enemy's zone."
                legal = f"More than {zones.SNIPER_APART:g} inches away."
                return illegal("hof.optional.sniper-deploy", message, field=team.id, legal=legal)
        elif not zones.zone(game, side, recon=unit.recon).within(row)[0, 0]:
            message = f"{team_label(unit, team)} would appear outside its deployment zone."
            rule = "hof.optional.recon-forward-deployment" if game.setup.options.recon else "hof.battle.hidden-where"
            return illegal(rule, message, field=team.id)
        elif spot not in zones.OPEN:
            message = f"{team_label(unit, team)} would appear in sight of the enemy."
            near, far = f"{zones.VEHICLE_APART:g} from Vehicles", f"{zones.FOOT_APART:g} inches from foot"
            legal = f"Choose a spot out of sight, or concealing terrain {far} and {near}."
            return illegal(watch.why_barred(row), message, field=team.id, legal=legal)
    return None


class Band:
    """Hidden Teams of one Unit that could appear together, in ranks: those of them that may."""

    def __init__(self, watch: zones.Watch, unit: Unit, teams: list[Team]) -> None:
        game, side = watch.game, watch.side
        self.watch = watch
        self.sniper = unit.kind == "sniper"
        self.area = zones.zone(game, side, recon=unit.recon)
        self.down = setting_down(game, side, teams, "hof.battle.hidden-where", zone=None if self.sniper else self.area)
        self.ranks = in_ranks(self.down)

    def at(self, point: Point) -> dict[str, Any]:
        """Those who may appear where they would stand about a point: snipers anywhere."""
        rows = moved(self.ranks, *point)
        good = self.down.free(rows)
        if not good.any():
            return {}
        if self.sniper:
            good[good] = zones.sniper_spots(self.watch.game, self.watch.side, rows[good])
        else:
            good = self.watch.open_spots(self.down.pieces, rows, good)
        return self.down.answer(rows, good.tolist())

    def weight(self, answer: dict[str, Any]) -> int:
        """How many appear, a Leader counting for all of the others: without him each of them acts alone."""
        leaders = sum(team.role in ("pl", "cc") for team in self.down.pieces if team.id in answer)
        return len(answer) + leaders * len(self.down.pieces)


def lairs(watch: zones.Watch) -> list[tuple[Point, str]]:
    """Where Hidden Teams like to appear, and what for: at objectives, then in cover."""
    ground = watch.board.ground
    covers = [(spot, "appears in cover") for spot in middles(ground.terrain, ground.table.conceals)]
    return [*at_objectives(watch), *within_zone(watch, covers)]


def at_objectives(watch: zones.Watch) -> list[tuple[Point, str]]:
    goals = watch.game.state.objectives.items()
    return within_zone(watch, [(each.at, f"appears at {each.name or name}") for name, each in goals])


def within_zone(watch: zones.Watch, spots: list[tuple[Point, str]]) -> list[tuple[Point, str]]:
    west, south, east, north = zones.zone(watch.game, watch.side).bounds[0].tolist()
    return [((x, y), words) for (x, y), words in spots if west <= x <= east and south <= y <= north]


def every_lair(watch: zones.Watch, most: int) -> list[Idea]:
    """Nobody; or each Unit, or an outpost of it, at one lair after another, for programs that look at many.

    At an objective it appears where most of its Teams may, in the middle or a little aside; at first where the enemy
    is nearest.
    """
    groups = watch.board.force(watch.game.state, watch.side).groups
    units = [Band(watch, unit, teams) for unit, teams in groups]
    outposts = [Band(watch, unit, men) for unit, teams in groups if (men := outpost(teams))]
    goals = sorted(at_objectives(watch), key=lambda goal: nearest_enemy(watch, goal[0]))
    found = [Idea({}, "stays hidden")]
    for number, ((x, y), words) in enumerate([*goals, *lairs(watch)[len(goals) :]][:LAIRS]):
        at_objective = number < len(goals)
        spots = ABOUT if at_objective else ABOUT[:1]
        for band in [*units, *outposts] if at_objective else units:
            if len(found) >= most:
                return found
            answer = max((band.at((x + dx, y + dy)) for dx, dy in spots), key=band.weight)
            if answer:
                found.append(Idea(answer, words))
    return found


def outpost(teams: list[Team]) -> list[Team]:
    """Those of a Unit's Hidden Teams who appear while the others stay hidden; nobody if no others would be left."""
    men = [team for team in teams if team.kind.category == "infantry" and not team.kind.small]
    return men[:OUTPOST] if len(men) > OUTPOST else []


def nearest_enemy(watch: zones.Watch, goal: Point) -> float:
    enemies = watch.board.enemies(watch.side).teams
    return min((math.dist(team.at, goal) for team in enemies if team.at is not None), default=math.inf)


def propose(watch: zones.Watch, most: int) -> list[Answer]:
    """Each Unit near an objective, then in cover; or nobody."""
    state = watch.game.state
    goals = [goal for goal, _ in lairs(watch)]
    found: list[Answer] = []
    for unit, teams in watch.board.force(state, watch.side).groups:
        if len(found) >= max(1, most - 1):
            break
        band = Band(watch, unit, teams)
        found += islice(filter(None, map(band.at, goals[:8])), 1)
    return [*found, {}][: max(1, most)]


def by_chance(watch: zones.Watch, random: Random) -> Answer:
    groups = watch.board.force(watch.game.state, watch.side).groups
    unit, teams = groups[int(random.random() * len(groups))]
    if random.random() < 0.3:
        teams = teams[: 1 + int(random.random() * len(teams))]
    band = Band(watch, unit, teams)
    box = band.area.bounds[0].tolist()
    tries = (band.at(chance_point(random, box)) for _ in range(TRIES))
    return next(filter(None, tries), {})


REACTION = "hof.battle.recon-reaction"


def recon_teams(unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if team.at is not None and "recon" in team.traits]


def after_reveal(game: Battle, side: str, shown: list[Member]) -> Flow[None]:
    """hof.battle.recon-reaction: a Recon Unit that sees enemies appear may try to act again at once."""
    for unit in [unit for unit in units_of(game.state, other(side)) if unit.recon]:
        teams = recon_teams(unit) if not unit.reacted else []
        there = [team for _, team in shown if team.at is not None]
        fit = any(not team.watching and not team.locked for team in teams)
        if not fit or not there or not board(game).sees(teams, there).any():
            continue
        yield from react(game, unit)


def react(game: Battle, unit: Unit) -> Flow[None]:
    words = f"Enemies appear before {label(unit)}. Does it try to react?"
    tries, stays = Option("yes", "Make a Training Check", (REACTION,)), Option("no", "Stay put")
    rules = (REACTION, "hof.battle.recon-no-third")
    if not (yield from decide(unit.side, "recon-reaction", words, tries, stays, rules=rules, step="reply")):
        return
    result = yield from check(game, unit, "reacting to the enemy")
    text = f"{label(unit)} needs {result.needed}+ to react, rolls {result.throw.value}."
    result.tell(game, "recon-reaction", text, *rules, unit=unit.id)
    if not result.passed:
        return
    unit.reacted = True
    teams = [team for team in recon_teams(unit) if not team.watching and not team.locked]
    if not teams:
        return
    first = unit.leader
    if first is None or first not in teams:
        choices = Choices({team.id: team for team in teams}, mate_option)
        first = yield from choose_one(unit.side, "recon-activate", "Who leads?", choices, rules=(REACTION,))
    yield from activate(game, unit, first, "free")
