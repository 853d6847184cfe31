"""An assault from first to last: dividing the Unit, suppressive fire, the charge, close combat, its cost."""

from __future__ import annotations

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, ChooseSome, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.assaults.charge import charge
from sandtable.rulesets.tr14.assaults.combat import close_combat
from sandtable.rulesets.tr14.assaults.reach import Fight, able_to_reach, assault_targets, why_no_assault, why_stays
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.names import label, team_label, team_option, unit_option
from sandtable.rulesets.tr14.core.state import Team, Unit, members_of, other, units_of
from sandtable.rulesets.tr14.firing import Salvo, aimed_at, ask_fire, volley
from sandtable.rulesets.tr14.suppression import add_markers


def assault(game: Battle, unit: Unit) -> Flow[None]:
    """tr14.playing.action-assault, from first to last."""
    fight, chargers = yield from declare(game, unit)
    yield from suppressive_fire(game, unit, [team for team in unit.teams.values() if team not in chargers], fight)
    if fight.sides(unit)[1]:
        landed = yield from charge(game, unit, chargers, fight)
        if landed:
            yield from close_combat(game, fight)
    yield from count_the_cost(game, fight)


def declare(game: Battle, unit: Unit) -> Flow[tuple[Fight, list[Team]]]:
    """Whom the Unit assaults, and with which of its Teams."""
    choices = Choices(
        {enemy.id: enemy for enemy in units_of(game.state, other(unit.side))},
        unit_option,
        lambda enemy: why_no_assault(game, unit, [enemy]),
        quick=lambda: [enemy.id for enemy in assault_targets(game, unit)],
    )
    words = f"Which Unit does {label(unit)} assault?"
    rules = ("tr14.playing.action-assault", "tr14.assaults.divide-unit")
    enemy = yield from choose_one(unit.side, "assault", words, choices, rules=rules[:1], always=True, step="whom")
    chosen = yield from choose_chargers(game, unit, enemy)
    target = aimed_at(game, enemy)
    before = {each.id: each.casualties for each in [unit, *(owner for owner, _ in target.members)]}
    behind = len(unit.teams) - len(chosen)
    staying = "nobody stays" if not behind else "1 stays" if behind == 1 else f"{behind} stay"
    text = f"{label(unit)} assaults {label(target.unit)} with {several(len(chosen), 'Team')}; {staying} behind."
    game.tell("assault", text, *rules, seat=unit.side, unit=unit.id, target=target.unit.id, chargers=chosen)
    return Fight(unit, target, before), [unit.teams[team_id] for team_id in chosen]


def choose_chargers(game: Battle, unit: Unit, enemy: Unit) -> Flow[list[str]]:
    """tr14.assaults.divide-unit; tr14.assaults.charge: at least one who charges must be able to reach the enemy."""
    foes = list(enemy.teams.values())
    able = {team.id for team in able_to_reach(game, unit, enemy)}

    def legal(chosen: list[str]) -> Refusal | None:
        if able.intersection(chosen):
            return None
        listed = ", ".join(team_label(unit, unit.teams[name]) for name in sorted(able))
        legal = f"Send at least one of these: {listed}."
        return illegal(
            "tr14.assaults.charge", f"none of these can reach {label(enemy)}.", field="chargers", legal=legal
        )

    # Those who are nearest come first, and whoever can reach the enemy goes: it is what most assaults want.
    choices = Choices(
        unit.teams, team_option, lambda t: why_stays(game, unit, t, foes), hint=lambda t: board(game).gap([t], foes)
    )
    words = "Which Teams charge? The others stay and give suppressive fire."
    rules, facts = ("tr14.assaults.divide-unit",), {"unit": unit.id, "target": enemy.id}
    question = ChooseSome(
        "chargers",
        words,
        choices,
        1,
        len(choices),
        legal=legal,
        default=[option.id for option in choices if option.id in able],
        rules=rules,
        facts=facts,
        step="detail",
    )
    chosen: list[str] = yield Ask(unit.side, question)
    return chosen


def suppressive_fire(game: Battle, unit: Unit, staying: list[Team], fight: Fight) -> Flow[None]:
    """tr14.assaults.suppressive-fire"""
    if not staying:
        return
    words = f"Which Teams fire at {label(fight.defender)} before the charge?"
    owners = list({id(owner): owner for owner, _ in fight.target.members}.values())
    rule, topic = "tr14.assaults.suppressive-fire", "suppressive-fire"
    fire = yield from ask_fire(game, unit, words, rule, teams=staying, at=owners, topic=topic, manner="assault")
    if fire:
        yield from volley(game, Salvo(unit, fire, "assault"), fight.target)


def count_the_cost(game: Battle, fight: Fight) -> Flow[None]:
    """tr14.assaults.casualty-suppression: a marker for each Team that a Unit lost in the assault."""
    owners = {owner.id: owner for owner in [fight.attacker, *(owner for owner, _ in fight.target.members)]}
    for unit_id, unit in owners.items():
        lost = unit.casualties - fight.before[unit_id]
        if lost > 0 and unit.id in game.state.units:
            takers = [member for member in members_of(unit) if member[1].role != "fo"]
            yield from add_markers(game, takers, lost, set(), "tr14.assaults.casualty-suppression")
