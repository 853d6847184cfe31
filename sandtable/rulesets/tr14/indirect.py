"""Indirect fire: barrages, smoke, and those who observe for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier, several, total
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, ChoosePoint, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.board import TEMPLATE, Board, Mask, Rows, board, cover_matrix, sees, smoke_changed
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT, TO_HIT, training_check
from sandtable.rulesets.tr14.core.state import (
    Member,
    Smoke,
    State,
    Team,
    Unit,
    all_teams,
    commander,
    find_team,
    label,
    other,
    team_label,
)
from sandtable.rulesets.tr14.core.terrain import OPEN
from sandtable.rulesets.tr14.firing.orders import HALF_CIRCLE, enemy_members
from sandtable.rulesets.tr14.firing.volley import (
    Target,
    aimed_at,
    gone_to_ground,
    offer_to_ground,
    still,
    to_ground_rules,
)
from sandtable.rulesets.tr14.saves import CLOSE, force_again, save_number, vehicle_damage
from sandtable.rulesets.tr14.suppression import add_markers, destroy_team, members_of, suppress_team
from sandtable.table import distance as measure
from sandtable.table import sight, templates
from sandtable.table.hairs import A_HAIR, EXACT
from sandtable.table.shapes import X, Y, bearing, heading, point_body

SHIFT = 6.0
"""tr14.indirect.template-shifted"""

LEAST_GUNS = 2
FEW_GUNS = 3
MANY_GUNS = 4
"""tr14.indirect.battery-size: so many fire at least; fewer than three halve the Fire Points, more than four add one."""


@dataclass(slots=True)
class Battery:
    """The guns of a Unit that may take part in a barrage, and who may observe for them."""

    unit: Unit
    guns: list[Team]
    observers: list[Team]


def battery_of(game: Game[State], unit: Unit) -> Battery:
    guns = [
        team
        for team in unit.teams.values()
        if team.kind.barrage is not None and not team.markers and team.shot != game.state.initiative_number
    ]
    observers = list(guns)
    if unit.leader is not None and unit.leader not in guns and not unit.leader.moved:
        observers.append(unit.leader)
    for each in game.state.units.values():
        if each.apart == "fo" and each.battery == unit.id:
            observers += each.teams.values()
    found = commander(game.state, unit.side)
    if found is not None:
        observers.append(found[1])
    return Battery(unit, guns, observers)


def may_barrage(game: Game[State], unit: Unit) -> Refusal | None:
    """What bars a Unit from the Barrage action."""
    if not any(team.kind.barrage is not None for team in unit.teams.values()):
        return illegal("tr14.playing.action-barrage", f"{label(unit)} is not artillery.")
    guns = battery_of(game, unit).guns
    if len(guns) < LEAST_GUNS:
        return illegal(
            "tr14.indirect.battery-size",
            f"{label(unit)} has {several(len(guns), 'gun')} able to fire; a barrage needs {LEAST_GUNS}.",
        )
    return None


def reach_table(game: Game[State], battery: Battery, points: Rows) -> Mask:
    """Which guns can drop shells on which bases: in range, in the forward arc, clear of what they fire over (n, m)."""
    here = board(game)
    rows = here.of(battery.guns)
    able = bearing_table(here, battery, points)
    screens = close_obstacles(here, rows)
    for number in np.flatnonzero(screens.any(axis=1)):
        ends = np.empty((len(points), 4))
        ends[:, 0:2] = rows[number, (X, Y)]
        ends[:, 2:4] = points[:, (X, Y)]
        able[number] &= ~(sight.crossed(here.ground.terrain, ends) & screens[number]).any(axis=1)
    return able


def bearing_table(here: Board, battery: Battery, points: Rows) -> Mask:
    """tr14.indirect.out-of-sight: within range and in the forward arc, seen or not (n, m)."""
    rows = here.of(battery.guns)
    ranges = np.array([next(w.range for w in gun.kind.weapons if w.barrage is not None) for gun in battery.guns])
    facings = np.array([gun.facing for gun in battery.guns])
    able: Mask = measure.distances(rows, points) <= ranges[:, None] + EXACT
    return able & measure.arcs(rows, facings, HALF_CIRCLE, points)


def close_obstacles(here: Board, guns: Rows) -> Mask:
    """tr14.indirect.over-obstacles: what stands nearer to a gun than it is tall, and so cannot be fired over (n, F).

    A gun within an area fires out of it, and smoke is in nobody's way.
    """
    terrain = here.ground.terrain
    heights = np.array([0.0 if f.kind == "smoke" else f.height for f in terrain.features])
    if not len(heights):
        return np.zeros((len(guns), 0), dtype=np.bool_)
    return (terrain.gaps(guns) < heights - EXACT) & ~terrain.inside(guns)


def reaching(game: Game[State], battery: Battery, point: Rows) -> list[Team]:
    """The guns that can drop shells on one base."""
    able = reach_table(game, battery, point[None])[:, 0].tolist()
    return [gun for gun, can in zip(battery.guns, able, strict=True) if can]


def barrage(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.playing.action-barrage: shells or smoke. Nobody who fires or observes moves."""
    battery = battery_of(game, unit)
    kinds = [Option("smoke", "Smoke", ("tr14.indirect.smoke",))]
    targets = possible_targets(game, battery)
    if targets:
        kinds.insert(0, Option("shells", "High explosive", ("tr14.indirect.range-in",)))
    words = f"What does {label(unit)} fire?"
    answer = yield Ask(
        unit.side, Choose("barrage", words, kinds, rules=("tr14.playing.action-barrage",), barred=no_target(unit))
    )
    if answer == "shells":
        yield from fire_shells(game, battery, targets)
    else:
        yield from fire_smoke(game, battery)


def no_target(unit: Unit) -> Callable[[str], Refusal | None]:
    def barred(choice: str) -> Refusal | None:
        if choice == "shells":
            message = f"{label(unit)} has no enemy Team in sight of an observer and in reach of {LEAST_GUNS} guns."
            return illegal("tr14.indirect.observer", message)
        return None

    return barred


def possible_targets(game: Game[State], battery: Battery) -> dict[str, tuple[Member, list[Team], list[Team]]]:
    """Enemy Teams that an observer sees and at least two guns reach: with those guns and observers."""
    members = enemy_members(game, battery.unit.side)
    if not members or not battery.observers:
        return {}
    here = board(game)
    rows = here.all_of(members)
    able = reach_table(game, battery, rows)
    reached = able.sum(axis=0) >= LEAST_GUNS
    if not reached.any():
        return {}
    seen = sees(here, here.of(battery.observers), rows, np.tile(reached, (len(battery.observers), 1)))
    found = {}
    for position in np.flatnonzero(seen.any(axis=0)).tolist():
        guns = [gun for number, gun in enumerate(battery.guns) if able[number, position]]
        watching = [team for number, team in enumerate(battery.observers) if seen[number, position]]
        found[members[position][1].id] = (members[position], guns, watching)
    return found


def mark_fired(game: Game[State], guns: list[Team]) -> None:
    for gun in guns:
        gun.fired = True
        gun.shot = game.state.initiative_number


def fire_shells(
    game: Game[State], battery: Battery, targets: dict[str, tuple[Member, list[Team], list[Team]]]
) -> Flow[None]:
    unit = battery.unit
    options = [
        Option(team_id, f"{team_label(member[1])} of {label(member[0])}") for team_id, (member, _, _) in targets.items()
    ]

    def barred(choice: str) -> Refusal | None:
        return why_no_target(game, battery, choice)

    words = "On which enemy Team shall the barrage range in?"
    answer = yield Ask(
        unit.side,
        Choose("range-in", words, options, rules=("tr14.indirect.range-in", "tr14.indirect.observer"), barred=barred),
    )
    member, guns, watching = targets[answer]
    observer = yield from choose_observer(game, unit, best_placed(game, watching, member[1]))
    rules = ["tr14.indirect.range-in", "tr14.indirect.observer", "tr14.indirect.no-move"]
    if observer not in guns and not sees_any(game, guns, member[1]):
        rules.append("tr14.indirect.out-of-sight")
    mark_fired(game, guns)
    target = aimed_at(game, member[0])
    yield from offer_to_ground(game, target)
    modifiers = range_in_modifiers(game, unit, observer, target, member)
    needed = TO_HIT[target.unit.training] + total(modifiers)
    throws = yield from range_in_roll(game, unit, guns, needed, rules)
    success = any(throw.value >= max(LEAST_TO_HIT, needed) for throw in throws)
    shows = f"rolls {throws[0].value}" if throws else "which no die can show"
    text = f"{team_label(observer)} ranges {label(unit)} in on {team_label(member[1])}: needs {needed}+, {shows}."
    rules += [modifier.rule for modifier in modifiers] + to_ground_rules(game, target, modifiers)
    data: dict[str, Any] = {"unit": unit.id, "target": answer, "observer": observer.id, "needed": needed}
    data["guns"] = [gun.id for gun in guns]
    game.tell("range-in", text, *rules, seat=unit.side, dice=throws, modifiers=modifiers, success=success, **data)
    assert member[1].at is not None
    x, y = member[1].at
    rule = "tr14.indirect.template-on-target"
    if not success:
        x, y = yield from shift_template(game, unit, x, y)
        rule = "tr14.indirect.template-shifted"
    facing = template_facing(game, guns, x, y)
    game.tell("template", f"The barrage falls at {x:g}, {y:g}.", rule, seat=unit.side, at=[x, y], facing=facing)
    yield from shells_fall(game, unit, guns, x, y, facing)


def range_in_roll(game: Game[State], unit: Unit, guns: list[Team], needed: int, rules: list[str]) -> Flow[list[Throw]]:
    """The To Hit roll of a barrage: none where no die can show the number, a second try for Nebelwerfers."""
    if needed > BEST_DIE:
        rules.append("tr14.firing.seven-plus")
        return []
    throw = yield from game.throw(unit.side, 1, "ranging in")
    if throw.value < max(LEAST_TO_HIT, needed) and ranges_in_again(guns):
        yield from game.reroll(throw, [0])
        rules.append("tr14.arsenal.nebelwerfer-range-in")
    return [throw]


def ranges_in_again(guns: list[Team]) -> bool:
    return all("rerolls-range-in" in gun.kind.weapons[0].notes for gun in guns)


def why_no_target(game: Game[State], battery: Battery, choice: str) -> Refusal | None:
    found = find_team(game.state, choice)
    if found is None or found[0].side == battery.unit.side or found[1].at is None:
        return None
    here = board(game)
    row = here.of([found[1]])
    if not sees(here, here.of(battery.observers), row).any():
        return illegal("tr14.indirect.observer", f"no observer sees {team_label(found[1])}.", field=choice)
    if bearing_table(here, battery, row).sum() >= LEAST_GUNS:
        message = f"an obstacle before the guns shelters {team_label(found[1])}."
        return illegal("tr14.indirect.over-obstacles", message, field=choice)
    message = f"{team_label(found[1])} is out of the guns' range or forward arc."
    return illegal("tr14.indirect.out-of-sight", message, field=choice)


def sees_any(game: Game[State], watchers: list[Team], team: Team) -> bool:
    here = board(game)
    return bool(sees(here, here.of(watchers), here.of([team])).any())


def best_placed(game: Game[State], watching: list[Team], team: Team) -> list[Team]:
    """Those who see a Team, first whoever sees it in the least cover."""
    here = board(game)
    covers = cover_matrix(here, here.of(watching), here.of([team]), [team.dug_in])[:, 0].tolist()
    return [each for _, each in sorted(zip(covers, watching, strict=True), key=lambda pair: pair[0])]


def choose_observer(game: Game[State], unit: Unit, watching: list[Team]) -> Flow[Team]:
    """Guns observe for themselves; otherwise the player says who does, the Company Commander being the worst at it."""
    ranked = sorted(watching, key=lambda team: team.role == "cc")
    kinds = {team.role: team for team in reversed(ranked)}
    if len(kinds) == 1:
        return ranked[0]
    options = [Option(team.id, team_label(team)) for team in sorted(kinds.values(), key=lambda t: t.role == "cc")]
    answer = yield Ask(unit.side, Choose("observer", "Who observes?", options, rules=("tr14.indirect.observer",)))
    return next(team for team in watching if team.id == answer)


def range_in_modifiers(game: Game[State], unit: Unit, observer: Team, target: Target, member: Member) -> list[Modifier]:
    """The usual modifiers of a To Hit roll, as the observer sees the target; anybody of the Unit sees what stirs."""
    here = board(game)
    row = here.of([observer])
    rows = here.of([team for _, team in target.members])
    seen = sees(here, here.of([observer, *unit.teams.values()]), rows)
    cover = cover_matrix(here, row, rows, [team.dug_in for _, team in target.members])[0]
    visible = np.flatnonzero(seen[0]).tolist()
    by_anybody = np.flatnonzero(seen.any(axis=0)).tolist()
    modifiers = []
    if visible and all(cover[p] > OPEN or still(target.members[p][1]) for p in visible):
        modifiers.append(Modifier(1, "tr14.firing.mod-concealed", "target concealed"))
    if visible and all(gone_to_ground(game, target, p, int(cover[p])) for p in by_anybody):
        modifiers.append(Modifier(1, "tr14.firing.mod-gone-to-ground", "target gone to ground"))
    if observer.role == "cc":
        modifiers.append(Modifier(1, "tr14.firing.mod-cc-observes", "Company Commander observing"))
    return modifiers


def shift_template(game: Game[State], unit: Unit, x: float, y: float) -> Flow[tuple[float, float]]:
    """tr14.indirect.template-shifted: the opponent may move it up to 6 inches."""
    ground = board(game).ground

    def legal(px: float, py: float) -> Refusal | None:
        far = math.dist((px, py), (x, y))
        if far > SHIFT + A_HAIR:
            message = f"that is {far:.1f} inches away."
            return illegal("tr14.indirect.template-shifted", message, legal=f"Shift it by at most {SHIFT:g} inches.")
        if not (0 <= px <= ground.width and 0 <= py <= ground.depth):
            return Refusal("illegal", "that is off the table.", field="shift-template")
        return None

    def proposals(most: int) -> list[tuple[float, float]]:
        spots = [(x, y)]
        for step in range(8):
            angle = math.radians(45.0 * step)
            spot = (round(x + SHIFT * math.sin(angle), 2), round(y + SHIFT * math.cos(angle), 2))
            if legal(*spot) is None:
                spots.append(spot)
        return spots[:most]

    words = f"The barrage is not ranged in. Where does it fall, up to {SHIFT:g} inches from {x:g}, {y:g}?"
    question = ChoosePoint("shift-template", words, legal, proposals, rules=("tr14.indirect.template-shifted",))
    answer = yield Ask(other(unit.side), question)
    return float(answer[0]), float(answer[1])


def template_facing(game: Game[State], guns: list[Team], x: float, y: float) -> float:
    """The template lies square to the line from the middle of the firing Unit."""
    middle = board(game).of(guns)[:, (X, Y)].mean(axis=0)
    return round(bearing(float(middle[0]), float(middle[1]), x, y), 1) % 360.0


def barrage_points(guns: list[Team]) -> tuple[int, list[str]]:
    """tr14.indirect.battery-size"""
    points = max(gun.kind.barrage or 0 for gun in guns)
    if len(guns) > MANY_GUNS:
        return points + 1, ["tr14.indirect.battery-size"]
    if len(guns) < FEW_GUNS:
        return points // 2, ["tr14.indirect.battery-size"]
    return points, []


def shells_fall(game: Game[State], unit: Unit, guns: list[Team], x: float, y: float, facing: float) -> Flow[None]:
    """Every Team under the template, friend or enemy, is rolled for."""
    points, size_rules = barrage_points(guns)
    if points == 0:
        text = f"{len(guns)} guns are too few for the barrage to have any effect."
        game.tell("no-effect", text, *size_rules, seat=unit.side)
        return
    # Where the guns stood when they fired: one of them may lie under its own shells.
    battery = board(game).of(guns)
    under = [(owner, team) for owner, team in all_teams(game.state) if team.at is not None]
    mask = templates.under_square(board(game).of([team for _, team in under]), x, y, TEMPLATE, facing)
    for member in [member for member, hit in zip(under, mask, strict=True) if hit]:
        owner, team = member
        if team.id not in owner.teams:
            continue
        check = yield from training_check(game, unit, f"the barrage on {team_label(team)}", points)
        hits = check.passes
        text = f"The barrage hits {team_label(team)} {several(hits, 'time')}."
        data: dict[str, Any] = {"team": team.id, "hits": hits, "needed": check.needed}
        game.tell("barrage-hits", text, "tr14.indirect.hits", *size_rules, seat=unit.side, dice=[check.throw], **data)
        if hits:
            yield from barrage_save(game, unit, battery, member, hits)


def barrage_save(game: Game[State], unit: Unit, battery: Rows, member: Member, hits: int) -> Flow[None]:
    """One Save however many hits: a single hit suppresses, more destroy and suppress another Team."""
    owner, team = member
    rule = "tr14.indirect.one-hit" if hits == 1 else "tr14.indirect.more-hits"
    if hits == 1 and team.kind.type == "tank":
        game.tell("no-effect", f"{team_label(team)} ignores a single hit.", rule, seat=owner.side, team=team.id)
        return
    here = board(game)
    row = here.of([team])
    distance = float(measure.distances(battery, row).min())
    if team.kind.armored:
        needed, rules = team.kind.flank, ["tr14.saves.armor-save"]
    else:
        cover = int(cover_matrix(here, battery, row, [team.dug_in]).min())
        needed, rules = save_number(team, cover, True)
    throw = yield from game.throw(owner.side, 1, f"{team_label(team)}'s Save")
    forced = ["tr14.playing.action-run"] if owner.ran else []
    if team.kind.armored and distance <= CLOSE + EXACT:
        forced.append("tr14.saves.close-range-reroll")
    if forced and (yield from force_again(game, throw, needed)):
        rules += forced
    failed = throw.value < needed
    text = f"{team_label(team)} saves on {needed}+, rolls {throw.value}."
    data: dict[str, Any] = {"team": team.id, "needed": needed, "failed": int(failed)}
    game.tell("save", text, rule, *rules, seat=owner.side, dice=[throw], **data)
    if not failed:
        return
    observer = team.role == "fo"
    if hits == 1:
        if observer:
            game.tell(
                "no-suppression",
                f"{team_label(team)} is never suppressed.",
                "tr14.indirect.fo-no-suppression",
                seat=owner.side,
            )
        else:
            suppress_team(game, member, rule)
        return
    others = [each for each in members_of(owner) if each[1] is not team]
    if team.kind.armored:
        yield from vehicle_damage(game, unit, member, 1)
    else:
        yield from destroy_team(game, member, "destroyed", rule)
    others = [each for each in others if each[1].id in owner.teams]
    if others and not observer:
        yield from add_markers(game, others, 1, set(), rule)


def fire_smoke(game: Game[State], battery: Battery) -> Flow[None]:
    """tr14.indirect.smoke: at any point in sight of an observer and in reach of two guns."""
    unit = battery.unit
    here = board(game)
    ground = here.ground

    def legal(x: float, y: float) -> Refusal | None:
        if not (0 <= x <= ground.width and 0 <= y <= ground.depth):
            return Refusal("illegal", "that is off the table.", field="smoke")
        point = point_body(x, y)
        if len(reaching(game, battery, point)) < LEAST_GUNS:
            return illegal(
                "tr14.indirect.out-of-sight",
                f"fewer than {LEAST_GUNS} guns reach that point.",
                legal="Stay in range and arc.",
            )
        if not sees(here, here.of(battery.observers), point[None]).any():
            return illegal("tr14.indirect.observer", "no observer sees that point.")
        return None

    points = smoke_points(game, battery)

    def proposals(most: int) -> list[tuple[float, float]]:
        return points[:most]

    words = "Where shall the smoke fall?"
    question = ChoosePoint("smoke", words, legal, proposals, rules=("tr14.indirect.smoke", "tr14.indirect.observer"))
    if not points:
        game.tell("no-effect", "There is nowhere that the smoke could be laid.", "tr14.indirect.smoke", seat=unit.side)
        return
    answer = yield Ask(unit.side, question)
    x, y = float(answer[0]), float(answer[1])
    guns = reaching(game, battery, point_body(x, y))
    mark_fired(game, guns)
    rules = ["tr14.indirect.smoke", "tr14.indirect.no-move"]
    check = yield from training_check(game, unit, "ranging in its smoke")
    if not check.passed and not check.vouched and ranges_in_again(guns):
        yield from game.reroll(check.throw, [0])
        rules.append("tr14.arsenal.nebelwerfer-range-in")
    text = f"{label(unit)} fires smoke: needs {check.needed}+, rolls {check.throw.value}."
    data: dict[str, Any] = {"unit": unit.id, "at": [x, y], "guns": [gun.id for gun in guns]}
    game.tell("smoke-range-in", text, *rules, seat=unit.side, dice=[check.throw], success=check.passed, **data)
    if not check.passed:
        x, y = yield from shift_template(game, unit, x, y)
    facing = template_facing(game, guns, x, y)
    state = game.state
    state.smoke.append(Smoke(f"smoke-{state.round}-{len(state.smoke) + 1}", (x, y), facing))
    smoke_changed(game)
    text = f"Smoke stands at {x:g}, {y:g}."
    game.tell(
        "smoke", text, "tr14.indirect.smoke", "tr14.indirect.smoke-effect", seat=unit.side, at=[x, y], size=TEMPLATE
    )


def smoke_points(game: Game[State], battery: Battery) -> list[tuple[float, float]]:
    """Points between the guns and the enemy, and the ground before the guns, where smoke may be laid."""
    here = board(game)
    rows = here.of(battery.guns)
    middle = rows[:, (X, Y)].mean(axis=0)
    enemies = here.all_of(enemy_members(game, battery.unit.side))[:, (X, Y)]
    ahead = np.array([heading(battery.guns[0].facing)]) * np.array([[4.0], [8.0], [16.0], [2.0]])
    spots = np.vstack([middle + (enemies - middle) * 0.7, middle + (enemies - middle) * 0.9, middle + ahead]).round(2)
    on = (spots >= 0).all(axis=1) & (spots <= (here.ground.width, here.ground.depth)).all(axis=1)
    spots = spots[on]
    points = np.tile(point_body(0.0, 0.0), (len(spots), 1))
    points[:, (X, Y)] = spots
    able = reach_table(game, battery, points).sum(axis=0) >= LEAST_GUNS
    able &= sees(here, here.of(battery.observers), points, np.tile(able, (len(battery.observers), 1))).any(axis=0)
    return [(float(x), float(y)) for x, y in spots[able]]


def remove_smoke(game: Game[State]) -> None:
    """tr14.indirect.smoke-effect: smoke is gone at the end of the round."""
    if game.state.smoke:
        game.state.smoke = []
        smoke_changed(game)
        game.tell("smoke-clears", "The smoke clears.", "tr14.indirect.smoke-effect")
