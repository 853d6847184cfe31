"""Playing the game: rounds, Initiatives, activation and the actions it leads to."""

from __future__ import annotations

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.assaults import assault, assault_targets, why_no_assault
from sandtable.rulesets.tr14.battle import deployment, end_of_round
from sandtable.rulesets.tr14.core.board import board
from sandtable.rulesets.tr14.core.checks import BattleOver, training_check
from sandtable.rulesets.tr14.core.names import label, unit_option
from sandtable.rulesets.tr14.core.state import SIDES, State, Unit, other, platoons
from sandtable.rulesets.tr14.firing import Manner, ask_fire, fire_orders, reaction_fire
from sandtable.rulesets.tr14.indirect import barrage, may_barrage, remove_smoke
from sandtable.rulesets.tr14.leaders import appoint_leader, shift_suppression
from sandtable.rulesets.tr14.moving import begin_move, end_move, may_place_leader, place_leader
from sandtable.rulesets.tr14.suppression import (
    activation_penalty,
    clear_suppression,
    end_of_round_morale,
    shed_one_marker,
)

NATURAL_SIX = 6
FEW_UNITS = 5
SOME_UNITS = 12
CONFIRM_SOME = 3
CONFIRM_MANY = 5
"""tr14.playing.six-*: with up to 5 Units a six needs no second die; with up to 12 that needs 3+, with more 5+."""

ACTIONS = {
    "fire-and-move": ("Fire and Move", "tr14.playing.action-fire-and-move"),
    "move-and-fire": ("Move and Fire", "tr14.playing.action-move-and-fire"),
    "run": ("Run", "tr14.playing.action-run"),
    "aimed-fire": ("Aimed Fire", "tr14.playing.action-aimed-fire"),
    "assault": ("Assault", "tr14.playing.action-assault"),
    "dig-in": ("Dig In", "tr14.playing.action-dig-in"),
    "barrage": ("Barrage", "tr14.playing.action-barrage"),
    "move": ("Move", "tr14.playing.action-move"),
    "fire": ("Fire", "tr14.playing.action-fire"),
    "overwatch": ("Overwatch", "tr14.playing.action-overwatch"),
    "hold": ("Stay to ground", "tr14.firing.gtg-reaction-ends-it"),
    "place-leader": ("Place the Platoon Leader first", "tr14.leaders.pl-placement"),
}
ACTION_OPTIONS = {action: Option(action, name, (rule,)) for action, (name, rule) in ACTIONS.items()}
ON_SUCCESS = ("fire-and-move", "move-and-fire", "run", "aimed-fire", "assault", "dig-in", "barrage")
ON_FAILURE = ("move", "fire", "overwatch")


ACTIVATION_RULES = (
    "tr14.playing.training-check",
    "tr14.playing.activate-until-failure",
    "tr14.playing.units-and-teams",
)


def play(game: Game[State]) -> Flow[None]:
    """The whole battle, from any checkpoint of it."""
    state = game.state
    try:
        if state.phase == "deploy":
            yield from deployment(game)
        while state.phase != "over":
            if state.phase == "round":
                yield from begin_round(game)
            yield from initiatives(game)
            yield from finish_round(game)
    except BattleOver:
        pass


def begin_round(game: Game[State]) -> Flow[None]:
    """tr14.playing.initiative-roll: the higher die has the first Initiative; ties are rolled again."""
    while True:
        throws = []
        for side in SIDES:
            throws.append((yield from game.throw(side, 1, "the first Initiative")))
        red, blue = (throw.value for throw in throws)
        tied = " A tie: again." if red == blue else ""
        text = f"Round {game.state.round}. First Initiative: red {red}, blue {blue}.{tied}"
        game.tell("initiative-roll", text, "tr14.playing.initiative-roll", dice=throws, round=game.state.round)
        if red != blue:
            break
    start_initiative(game, "red" if red > blue else "blue", first=True)
    game.state.phase = "activate"


def start_initiative(game: Game[State], side: str, *, first: bool = False) -> None:
    """A new Initiative: every Team may fire again and every leader command again."""
    state = game.state
    state.initiative = "red" if side == "red" else "blue"
    state.initiative_number += 1
    rules = ["tr14.playing.round-of-initiatives"]
    if not first:
        rules.append("tr14.playing.failure-passes-initiative")
    game.tell(
        "initiative", f"{side.capitalize()} has the Initiative.", *rules, seat=side, number=state.initiative_number
    )


def ready_units(state: State, side: str) -> list[Unit]:
    """Who may activate: a Forward Observer acts with its battery, everybody else once a round."""
    units = state.units.values()
    return [unit for unit in units if not unit.activated and unit.side == side and unit.apart != "fo"]


def initiatives(game: Game[State]) -> Flow[None]:
    """Initiatives in turn until every Unit has acted."""
    state = game.state
    while True:
        ready = ready_units(state, state.initiative)
        if not ready:
            if not ready_units(state, other(state.initiative)):
                return
            start_initiative(game, other(state.initiative))
            continue
        unit = yield from choose_unit(game, ready)
        success = yield from activate(game, unit)
        if not success:
            # The other side's, or this one's again if only it has Units left; after the last of a round nobody's.
            sides = (other(state.initiative), state.initiative)
            following = next((side for side in sides if ready_units(state, side)), None)
            if following is not None:
                start_initiative(game, following)


def choose_unit(game: Game[State], ready: list[Unit]) -> Flow[Unit]:
    side = game.state.initiative

    def barred(choice: str) -> Refusal | None:
        unit = game.state.units.get(choice)
        if unit is None:
            return None
        if unit.side != side:
            return illegal("tr14.playing.activate-until-failure", f"{label(unit)} is not yours.", field=choice)
        if unit.apart == "fo":
            return illegal("tr14.indirect.fo-activation", f"{label(unit)} acts with its battery.", field=choice)
        return illegal("tr14.playing.once-per-round", f"{label(unit)} has already activated this round.", field=choice)

    options = [unit_option(unit) for unit in ready]
    rules = ("tr14.playing.activate-until-failure", "tr14.playing.once-per-round")
    question = Choose("activate", "Which Unit activates?", options, rules=rules, barred=barred)
    answer = yield Ask(side, question, checkpoint=True)
    return game.state.units[answer]


def activate(game: Game[State], unit: Unit) -> Flow[bool]:
    """One activation: the Check, what a six sets free, suppression, and the action. True if the Check succeeded."""
    yield from appoint_leader(game, unit)
    begin_activation(game, unit)
    penalty = activation_penalty(unit)
    check = yield from training_check(game, unit, "activation", "its Check to activate", modifiers=penalty)
    value, passed = check.throw.value, check.passed
    game.tell(
        "activation",
        f"{label(unit)} ({unit.training}) needs {check.needed}+ to activate, rolls {value}.",
        *ACTIVATION_RULES,
        *[modifier.rule for modifier in check.modifiers],
        seat=unit.side,
        dice=[check.throw],
        modifiers=check.modifiers,
        unit=unit.id,
        needed=check.needed,
        passed=passed,
    )
    if value == NATURAL_SIX:
        yield from natural_six(game, unit)
    if passed:
        clear_suppression(game, unit)
    else:
        yield from shed_one_marker(game, unit)
        yield from shift_suppression(game, unit)
    action = yield from choose_action(game, unit, passed)
    yield from carry_out(game, unit, action)
    return passed


def begin_activation(game: Game[State], unit: Unit) -> None:
    """Whatever lasts until the next activation ends now."""
    for each in with_observers(game, unit):
        each.activated = True
        each.overwatch = False
        each.ran = False
        for team in each.teams.values():
            team.moved = False
            team.fired = False


def with_observers(game: Game[State], unit: Unit) -> list[Unit]:
    """tr14.indirect.fo-activation: a Unit, and the Forward Observer who acts with it."""
    units = game.state.units.values()
    return [unit, *[u for u in units if u.battery == unit.id and u.apart == "fo" and u.side == unit.side]]


def natural_six(game: Game[State], unit: Unit) -> Flow[None]:
    """A six on the activation die frees the Units that have acted; with many Units a second die must confirm it."""
    count = len(platoons(game.state))
    rules = ["tr14.playing.six-five-units"]
    confirmed = True
    throws = []
    if count > FEW_UNITS:
        needed = CONFIRM_SOME if count <= SOME_UNITS else CONFIRM_MANY
        rules = ["tr14.playing.six-six-to-ten-units" if count <= SOME_UNITS else "tr14.playing.six-many-units"]
        rules.append("tr14.playing.six-first-roll-counts")
        throw = yield from game.throw(unit.side, 1, "confirming the six")
        throws.append(throw)
        confirmed = throw.value >= needed
    freed = []
    acting = with_observers(game, unit)
    if confirmed:
        for each in game.state.units.values():
            if each.activated and each not in acting:
                each.activated = False
                freed.append(each.id)
    outcome = freed_words(game, freed) if confirmed else "not confirmed"
    text = f"A six with {several(count, 'Unit')} on the table: {outcome}."
    game.tell(
        "six", text, *rules, seat=unit.side, dice=throws, unit=unit.id, units=count, freed=freed, confirmed=confirmed
    )


def freed_words(game: Game[State], freed: list[str]) -> str:
    """Who may activate again. A Forward Observer is not counted: he acts with his battery."""
    units = [game.state.units[name] for name in freed]
    kinds = (("Unit", sum(not unit.apart for unit in units)), ("commander", sum(unit.apart == "cc" for unit in units)))
    counted = " and ".join(several(number, noun) for noun, number in kinds if number)
    return f"{counted or 'nobody'} may activate again"


def bar_action(game: Game[State], unit: Unit, action: str, success: bool) -> Refusal | None:
    """Why a Unit may not take an action after its Check."""
    if action not in ACTIONS:
        return None
    name = ACTIONS[action][0]
    if unit.held and action not in ("dig-in", "hold"):
        message = f"{label(unit)} went to ground this round and may neither move nor fire."
        return illegal("tr14.firing.gtg-declare", message, field=action)
    if action == "hold" and not unit.held:
        return Refusal("unknown", "Only a Unit gone to ground holds.", field=action)
    if action == "place-leader":
        message = f"{label(unit)} has no Infantry Platoon Leader, or he has been placed already."
        return illegal("tr14.leaders.pl-placement", message, field=action)
    if action in (ON_FAILURE if success else ON_SUCCESS):
        open_ = ON_SUCCESS if success else ON_FAILURE
        message = f"{name} is not open to a Unit whose Check {'succeeded' if success else 'failed'}."
        legal = f"Choose from: {', '.join(ACTIONS[each][0] for each in open_)}."
        return illegal("tr14.playing.action-after-roll", message, field=action, legal=legal)
    if action == "dig-in" and any(team.kind.type == "tank" for team in unit.teams.values()):
        return illegal("tr14.playing.action-dig-in", f"{label(unit)} has Tank Teams and cannot dig in.", field=action)
    if action == "barrage":
        return may_barrage(game, unit)
    if action == "assault" and (unit.apart or not assault_targets(game, unit)):
        return why_no_assault(game, unit)
    return None


def open_actions(game: Game[State], unit: Unit, success: bool, placed: bool) -> list[str]:
    """The actions that nothing bars, `bar_action` without its reasons."""
    if unit.held:
        actions = ["dig-in", "hold"] if success else ["hold"]
    else:
        actions = list(ON_SUCCESS if success else ON_FAILURE)
        if not placed and may_place_leader(unit):
            actions.append("place-leader")
    if success:
        squad = board(game).squad(unit)
        if squad.tanks:
            actions.remove("dig-in")
        if not unit.held and (not squad.barrages or may_barrage(game, unit) is not None):
            actions.remove("barrage")
        if not unit.held and (unit.apart or not assault_targets(game, unit)):
            actions.remove("assault")
    return actions


def choose_action(game: Game[State], unit: Unit, success: bool) -> Flow[str]:
    """tr14.playing.action-after-roll; the leader may be placed before whatever the Unit does."""
    action = yield from ask_action(game, unit, success, placed=False)
    if action == "place-leader":
        yield from place_leader(game, unit)
        action = yield from ask_action(game, unit, success, placed=True)
    name, rule = ACTIONS[action]
    rules = ("tr14.playing.action-after-roll", rule)
    game.tell("action", f"{label(unit)}: {name}.", *rules, seat=unit.side, unit=unit.id, action=action)
    return action


def ask_action(game: Game[State], unit: Unit, success: bool, *, placed: bool) -> Flow[str]:
    options = [ACTION_OPTIONS[action] for action in open_actions(game, unit, success, placed)]

    def barred(choice: str) -> Refusal | None:
        return bar_action(game, unit, choice, success)

    words = f"{label(unit)} {'is activated' if success else 'failed its Check'}. What does it do?"
    facts = {"unit": unit.id, "success": success}
    question = Choose("action", words, options, rules=("tr14.playing.action-after-roll",), facts=facts, barred=barred)
    answer: str = yield Ask(unit.side, question)
    return answer


def carry_out(game: Game[State], unit: Unit, action: str) -> Flow[None]:
    """The action chosen, step by step."""
    if action == "fire-and-move":
        yield from fire(game, unit, "action")
        if unit.id in game.state.units:
            yield from move(game, unit, f"{label(unit)} may move.", ACTIONS[action][1])
    elif action == "move-and-fire":
        moved = yield from move(game, unit, f"{label(unit)} may move before it fires.", ACTIONS[action][1])
        if unit.id in game.state.units:
            yield from fire(game, unit, "action", moved=moved)
    elif action == "run":
        for each in with_observers(game, unit):
            each.ran = True
        yield from move(game, unit, f"{label(unit)} runs: its first Move.", ACTIONS[action][1])
        if unit.id in game.state.units:
            yield from move(game, unit, f"{label(unit)} runs: its second Move.", ACTIONS[action][1])
    elif action == "aimed-fire":
        yield from fire(game, unit, "aimed")
    elif action == "assault":
        yield from assault(game, unit)
    elif action == "dig-in":
        for each in with_observers(game, unit):
            for team in each.teams.values():
                team.dug_in = True
    elif action == "barrage":
        yield from barrage(game, unit)
    elif action == "move":
        yield from move(game, unit, f"{label(unit)} may move.", ACTIONS[action][1])
    elif action == "fire":
        yield from fire(game, unit, "action")
    elif action == "overwatch":
        for each in with_observers(game, unit):
            each.overwatch = True


def move(game: Game[State], unit: Unit, words: str, *rules: str) -> Flow[bool]:
    """One Move of a Unit, with the terrain rolls of its tanks and the fire it draws. True if anything moved."""
    courses = yield from begin_move(game, unit, words, *rules)
    if not courses:
        return False
    told = len(game.events)
    yield from reaction_fire(game, unit, courses)
    end_move(game, courses, drew_fire=len(game.events) > told)
    return True


def fire(game: Game[State], unit: Unit, manner: Manner, *, moved: bool = False) -> Flow[None]:
    """A Unit fires, and its Forward Observer with it unless he went to ground."""
    for each in with_observers(game, unit):
        if each.held:
            # tr14.firing.gtg-declare: an observer who has gone to ground by himself.
            continue
        words = f"At what does {label(each)} fire?"
        chosen = yield from ask_fire(game, each, words, "tr14.firing.target-unit", "tr14.firing.split-by-team")
        if chosen:
            yield from fire_orders(game, each, chosen, manner, moved=moved)


def finish_round(game: Game[State]) -> Flow[None]:
    """The end of a round: morale, smoke, objectives; then everybody may act again."""
    state = game.state
    yield from end_of_round_morale(game)
    remove_smoke(game)
    end_of_round(game)
    for unit in state.units.values():
        unit.activated = False
        unit.to_ground = unit.held = False
        unit.casualties = 0
    state.round += 1
    state.phase = "round"
    board(game)
