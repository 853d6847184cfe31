"""The Barrage action, and high explosive: ranging in, who lies under the template, and what becomes of him."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from sandtable.engine import tokens
from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier, falls, several, total
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, LaterDict, Option, Why, illegal, options_of
from sandtable.rulesets.tr14.core.board import TEMPLATE, Battle, Rows, board, cover_matrix, sees
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT, TO_HIT, training_check
from sandtable.rulesets.tr14.core.names import label, team_label, team_on, team_option, unit_name
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, all_teams, members_of
from sandtable.rulesets.tr14.core.terrain import OPEN, still
from sandtable.rulesets.tr14.firing import (
    Target,
    aimed_at,
    gone_to_ground,
    offer_to_ground,
    to_ground_rules,
)
from sandtable.rulesets.tr14.indirect.batteries import (
    LEAST_GUNS,
    Battery,
    barrage_points,
    battery_of,
    bearing_table,
    ignores,
    mark_fired,
    ranges_in_again,
    reach_table,
    shift_template,
    template_facing,
)
from sandtable.rulesets.tr14.indirect.promise import harm_by_target, harm_of
from sandtable.rulesets.tr14.indirect.smoke import fire_smoke
from sandtable.rulesets.tr14.saves import close_range, force_again, save_number, vehicle_damage
from sandtable.rulesets.tr14.suppression import add_markers, destroy_team, suppress_team
from sandtable.table import distance as measure
from sandtable.table import templates


def possible_targets(game: Battle, battery: Battery) -> dict[str, tuple[Member, list[Team], list[Team]]]:
    """Enemy Teams that an observer sees and at least two guns reach: with those guns and observers."""
    here = board(game)
    members = here.enemies(battery.unit.side)
    if not members or not battery.observers:
        return {}
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


def fire_shells(
    game: Battle, battery: Battery, targets: dict[str, tuple[Member, list[Team], list[Team]]]
) -> Flow[None]:
    unit = battery.unit
    promised = cache(lambda: harm_by_target(game, battery.unit, targets))
    choices = Choices(
        LaterDict(lambda: {team.id: (owner, team) for owner, team in board(game).enemies(unit.side)}),
        lambda member: team_option(member[1], f" of {unit_name(member[0])}"),
        lambda member: why_no_target(game, battery, member),
        quick=lambda: list(targets),
        hint=lambda member: -promised()[member[1].id],
    )
    words = "On which enemy Team shall the barrage range in?"
    observed = ("tr14.indirect.range-in", "tr14.indirect.observer")
    chosen = yield from choose_one(
        unit.side, "range-in", words, choices, rules=observed, facts={"unit": unit.id}, always=True, step="whom"
    )
    member, guns, watching = targets[chosen[1].id]
    observer = yield from choose_observer(unit, best_placed(game, watching, member[1]))
    rules = [*observed, "tr14.indirect.no-move"]
    here = board(game)
    if not sees(here, here.of(guns), here.of([member[1]])).any():
        rules.append("tr14.indirect.out-of-sight")
    mark_fired(game, guns)
    target = aimed_at(game, member[0])
    yield from offer_to_ground(game, target)
    modifiers = range_in_modifiers(game, unit, observer, target)
    needed = range_in_number(target, modifiers)
    throws = yield from range_in_roll(game, unit, guns, needed, rules)
    success = any(throw.value >= max(LEAST_TO_HIT, needed) for throw in throws)
    shows = f"rolls {throws[0].value}" if throws else "which no die can show"
    on = team_label(*member)
    text = f"{team_on(unit.side, observer)} ranges {label(unit)} in on {on}: needs {needed}+, {shows}."
    rules += [modifier.rule for modifier in modifiers] + to_ground_rules(game, target, modifiers)
    data: dict[str, Any] = {"unit": unit.id, "target": member[1].id, "guns": [gun.id for gun in guns]}
    data |= {"observer": observer.id, "needed": needed}
    game.tell("range-in", text, *rules, seat=unit.side, dice=throws, modifiers=modifiers, success=success, **data)
    assert member[1].at is not None
    x, y = member[1].at
    rule = "tr14.indirect.template-on-target"
    if not success:
        x, y = yield from shift_template(game, unit, x, y, partial(harm_of, game, unit, guns))
        rule = "tr14.indirect.template-shifted"
    facing = template_facing(game, guns, x, y)
    text = f"The barrage of {label(unit)} falls at {tokens.place(x, y)}."
    down = falls("shells", [x, y], size=TEMPLATE, facing=facing)
    game.tell("template", text, rule, seat=unit.side, unit=unit.id, **down)
    yield from shells_fall(game, unit, guns, x, y, facing)


def range_in_roll(game: Battle, unit: Unit, guns: list[Team], needed: int, rules: list[str]) -> Flow[list[Throw]]:
    """The To Hit roll of a barrage: none where no die can show the number, a second try for Nebelwerfers."""
    if needed > BEST_DIE:
        rules.append("tr14.firing.seven-plus")
        return []
    throw = yield from game.throw(unit.side, 1, "ranging in")
    if throw.value < max(LEAST_TO_HIT, needed) and ranges_in_again(guns):
        yield from game.reroll(throw, [0])
        rules.append("tr14.arsenal.nebelwerfer-range-in")
    return [throw]


def why_no_target(game: Battle, battery: Battery, member: Member) -> Why:
    """Why an enemy Team cannot be ranged in on."""
    here = board(game)
    name, row = team_label(*member), here.of([member[1]])
    field = member[1].id
    if not sees(here, here.of(battery.observers), row).any():
        return illegal("tr14.indirect.observer", f"no observer sees {name}.", field=field)
    if reach_table(game, battery, row).sum() >= LEAST_GUNS:
        return None
    if bearing_table(here, battery, row).sum() >= LEAST_GUNS:
        return illegal("tr14.indirect.over-obstacles", f"an obstacle before the guns shelters {name}.", field=field)
    return illegal("tr14.indirect.out-of-sight", f"{name} is out of the guns' range or forward arc.", field=field)


def best_placed(game: Battle, watching: list[Team], team: Team) -> list[Team]:
    """Those who see a Team, first whoever sees it in the least cover."""
    here = board(game)
    covers = cover_matrix(here, here.of(watching), here.of([team]), [team.dug_in])[:, 0].tolist()
    return [each for _, each in sorted(zip(covers, watching, strict=True), key=lambda pair: pair[0])]


def choose_observer(unit: Unit, watching: list[Team]) -> Flow[Team]:
    """Guns observe for themselves; otherwise the player says who does, the Company Commander being the worst at it."""
    ranked = sorted(watching, key=lambda team: team.role == "cc")
    kinds = {team.role: team for team in reversed(ranked)}
    best = {team.id: team for team in sorted(kinds.values(), key=lambda team: team.role == "cc")}
    rules = ("tr14.indirect.observer",)
    return (yield from choose_one(unit.side, "observer", "Who observes?", Choices(best, team_option), rules=rules))


def range_in_modifiers(game: Battle, unit: Unit, observer: Team, target: Target) -> list[Modifier]:
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


def range_in_number(target: Target, modifiers: list[Modifier]) -> int:
    return TO_HIT[target.unit.training] + total(modifiers)


def shells_fall(game: Battle, unit: Unit, guns: list[Team], x: float, y: float, facing: float) -> Flow[None]:
    """Every Team under the template, friend or enemy, is rolled for."""
    points, size_rules = barrage_points(guns)
    if points == 0:
        text = f"{len(guns)} guns of {label(unit)} are too few for the barrage to have any effect."
        game.tell("no-effect", text, *size_rules, seat=unit.side, unit=unit.id, guns=[gun.id for gun in guns])
        return
    # Where the guns stood when they fired: one of them may lie under its own shells.
    battery = board(game).of(guns)
    for member in under_template(game, x, y, facing):
        owner, team = member
        if team.id not in owner.teams:
            continue
        check = yield from training_check(
            game, unit, "barrage", f"the barrage on {team_label(owner, team)}", points, teams=[team.id]
        )
        hits = check.passes
        text = f"The barrage hits {team_label(owner, team)} {several(hits, 'time')}."
        data: dict[str, Any] = {"unit": unit.id, "team": team.id, "hits": hits, "needed": check.needed}
        game.tell("barrage-hits", text, "tr14.indirect.hits", *size_rules, seat=unit.side, dice=[check.throw], **data)
        if hits:
            yield from barrage_save(game, unit, battery, member, hits)


def under_template(game: Battle, x: float, y: float, facing: float) -> list[Member]:
    under = [(owner, team) for owner, team in all_teams(game.state) if team.at is not None]
    mask = templates.under_square(board(game).of([team for _, team in under]), x, y, TEMPLATE, facing)
    return [member for member, hit in zip(under, mask, strict=True) if hit]


def barrage_number(game: Battle, battery: Rows, member: Member) -> tuple[int, list[str], list[str]]:
    """What a Team needs to save from shells and the rules of that, and those that have a success rolled again."""
    owner, team = member
    here = board(game)
    row = here.of([team])
    if team.kind.armored:
        needed, rules = team.kind.flank, ["tr14.saves.armor-save"]
    else:
        needed, rules = save_number(team, int(cover_matrix(here, battery, row, [team.dug_in]).min()), True)
    forced = ["tr14.playing.action-run"] if owner.ran else []
    if team.kind.armored:
        forced += close_range(float(measure.distances(battery, row).min()))
    return needed, rules, forced


def barrage_save(game: Battle, unit: Unit, battery: Rows, member: Member, hits: int) -> Flow[None]:
    """One Save however many hits: a single hit suppresses, more destroy and suppress another Team."""
    owner, team = member
    who = team_label(owner, team)
    rule = "tr14.indirect.one-hit" if hits == 1 else "tr14.indirect.more-hits"
    if ignores(team, hits):
        game.tell("no-effect", f"{who} ignores a single hit.", rule, seat=owner.side, team=team.id)
        return
    needed, rules, forced = barrage_number(game, battery, member)
    throw = yield from game.throw(owner.side, 1, f"{who}'s Save")
    if forced and (yield from force_again(game, throw, needed)):
        rules += forced
    failed = throw.value < needed
    text = f"{who} saves on {needed}+, rolls {throw.value}."
    data: dict[str, Any] = {"team": team.id, "needed": needed, "failed": int(failed)}
    game.tell("save", text, rule, *rules, seat=owner.side, dice=[throw], **data)
    if not failed:
        return
    observer = team.role == "fo"
    if hits == 1:
        if observer:
            text = f"{who} is never suppressed."
            game.tell("no-suppression", text, "tr14.indirect.fo-no-suppression", seat=owner.side, team=team.id)
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


SHELLS = Option("shells", "High explosive", ("tr14.indirect.range-in",))


def barrage(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.playing.action-barrage: shells or smoke. Nobody who fires or observes moves."""
    battery = battery_of(game, unit)
    targets = possible_targets(game, battery)
    message = f"{label(unit)} has no enemy Team in sight of an observer and in reach of {LEAST_GUNS} guns."
    kinds = options_of(
        (SHELLS, None if targets else illegal("tr14.indirect.observer", message)),
        (Option("smoke", "Smoke", ("tr14.indirect.smoke",)), None),
    )
    rules = ("tr14.playing.action-barrage",)
    chosen = yield from choose_one(
        unit.side, "barrage", f"What does {label(unit)} fire?", kinds, rules=rules, always=True, step="what"
    )
    if chosen[0] is SHELLS:
        yield from fire_shells(game, battery, targets)
    else:
        yield from fire_smoke(game, battery)
