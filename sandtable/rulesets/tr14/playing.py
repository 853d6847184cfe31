"""Playing the game: rounds, Initiatives, activation and the actions it leads to."""

from __future__ import annotations

from functools import partial
from typing import Any

from sandtable.engine.events import LAPSED, several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Choose, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.tr14 import suppression
from sandtable.rulesets.tr14.assaults import assault, assault_targets, why_no_assault
from sandtable.rulesets.tr14.battle import deployment, end_of_round
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import training_check
from sandtable.rulesets.tr14.core.names import PAGE, label, unit_option
from sandtable.rulesets.tr14.core.state import SIDES, State, Unit, observers_of, other, platoons, units_of
from sandtable.rulesets.tr14.firing import Manner, Salvo, ask_fire, fire_orders, reaction_fire
from sandtable.rulesets.tr14.indirect import barrage, may_barrage, remove_smoke
from sandtable.rulesets.tr14.leaders import appoint_leader, shift_suppression
from sandtable.rulesets.tr14.moving import begin_move, end_move, may_place_leader, place_leader

NATURAL_SIX = 6
FEW_UNITS = 5
SOME_UNITS = 12
CONFIRM_SOME = 3
CONFIRM_MANY = 5
"""tr14.playing.six-*: with up to 5 Units a six needs no second die; with up to 12 that needs 3+, with more 5+."""

ACTIONS = PAGE.said["actions"]
FIRST_THING = {
    **dict.fromkeys(("move", "move-and-fire", "run"), "move"),
    **dict.fromkeys(("fire", "fire-and-move", "aimed-fire"), "fire"),
    "assault": "assault",
}
"""What a Unit does first by an action: move, or fire at somebody."""

ACTION_OPTIONS = {
    action: Option(action, name, (rule,), act=FIRST_THING.get(action, "")) for action, (name, rule) in ACTIONS.items()
}
EVERY_ACTION = {action: action for action in ACTIONS}
NO_HOLD = Refusal("unknown", "Only a Unit gone to ground holds.", "tr14.firing.gtg-declare", "hold")
ON_SUCCESS = ("fire-and-move", "move-and-fire", "run", "aimed-fire", "assault", "dig-in", "barrage")
ON_FAILURE = ("move", "fire", "overwatch")


ACTIVATION_RULES = (
    "tr14.playing.training-check",
    "tr14.playing.activate-until-failure",
    "tr14.playing.units-and-teams",
)


def play(game: Battle) -> Flow[None]:
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


def begin_round(game: Battle) -> Flow[None]:
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


def start_initiative(game: Battle, side: str, *, first: bool = False) -> None:
    """A new Initiative: every Team may fire again and every leader command again."""
    state = game.state
    state.initiative = "red" if side == "red" else "blue"
    state.initiative_number += 1
    rules = ["tr14.playing.round-of-initiatives"]
    if not first:
        rules.append("tr14.playing.failure-passes-initiative")
    text = f"{side.capitalize()} has the Initiative."
    game.tell("initiative", text, *rules, seat=side, number=state.initiative_number)


def why_not_ready(unit: Unit) -> Why:
    """Why a Unit may not activate: a Forward Observer acts with its battery, everybody else once a round."""
    if unit.apart == "fo":
        return lambda: illegal("tr14.indirect.fo-activation", f"{label(unit)} acts with its battery.", field=unit.id)
    if unit.activated:
        again = "has already activated this round."
        return lambda: illegal("tr14.playing.once-per-round", f"{label(unit)} {again}", field=unit.id)
    return None


def ready_units(state: State, side: str) -> list[str]:
    return [name for name, unit in state.units.items() if unit.side == side and why_not_ready(unit) is None]


def initiatives(game: Battle) -> Flow[None]:
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


def choose_unit(game: Battle, ready: list[str]) -> Flow[Unit]:
    side = game.state.initiative

    def why_not(unit: Unit) -> Why:
        if unit.side == side:
            return why_not_ready(unit)
        return illegal("tr14.playing.activate-until-failure", f"{label(unit)} is not yours.", field=unit.id)

    choices = Choices(game.state.units, unit_option, why_not, quick=lambda: ready)
    rules = ("tr14.playing.activate-until-failure", "tr14.playing.once-per-round")
    asked: dict[str, Any] = {"rules": rules, "always": True, "checkpoint": True, "step": "who", "commits": True}
    return (yield from choose_one(side, "activate", "Which Unit activates?", choices, **asked))


def activate(game: Battle, unit: Unit) -> Flow[bool]:
    """One activation: the Check, what a six sets free, suppression, and the action. True if the Check succeeded."""
    yield from appoint_leader(game, unit)
    begin_activation(game, unit)
    penalty = suppression.activation_penalty(unit)
    check = yield from training_check(game, unit, "activation", "its Check to activate", modifiers=penalty)
    value, passed = check.throw.value, check.passed
    text = f"{label(unit)} ({unit.training}) needs {check.needed}+ to activate, rolls {value}."
    rules = (*ACTIVATION_RULES, *(modifier.rule for modifier in check.modifiers))
    check.tell(game, "activation", text, *rules, unit=unit.id)
    if value == NATURAL_SIX:
        yield from natural_six(game, unit)
    if passed:
        suppression.clear_suppression(game, unit)
    else:
        yield from suppression.shed_one_marker(game, unit)
        yield from shift_suppression(game, unit)
    action = yield from choose_action(game, unit, passed)
    yield from carry_out(game, unit, action)
    return passed


def begin_activation(game: Battle, unit: Unit) -> None:
    """Whatever lasts until the next activation ends now."""
    for each in with_observers(game, unit):
        each.activated = True
        each.overwatch = False
        each.ran = False
        for team in each.teams.values():
            team.moved = False
            team.fired = False


def with_observers(game: Battle, unit: Unit) -> list[Unit]:
    """tr14.indirect.fo-activation: a Unit, and the Forward Observer who acts with it."""
    return [unit, *observers_of(game.state, unit)]


def natural_six(game: Battle, unit: Unit) -> Flow[None]:
    """A six on the activation die frees the Units that have acted; with many Units a second die must confirm it."""
    count = len(platoons(game.state))
    rules, confirmed, throws = ["tr14.playing.six-five-units"], True, []
    if count > FEW_UNITS:
        needed = CONFIRM_SOME if count <= SOME_UNITS else CONFIRM_MANY
        rules = ["tr14.playing.six-six-to-ten-units" if count <= SOME_UNITS else "tr14.playing.six-many-units"]
        rules.append("tr14.playing.six-first-roll-counts")
        throw = yield from game.throw(unit.side, 1, "confirming the six")
        throws.append(throw)
        confirmed = throw.value >= needed
    acting, freed = with_observers(game, unit), []
    for each in game.state.units.values() if confirmed else ():
        if each.activated and each not in acting:
            each.activated = False
            freed.append(each.id)
    outcome = freed_words(game, freed) if confirmed else "not confirmed"
    text = f"A six with {several(count, 'Unit')} on the table: {outcome}."
    game.tell(
        "six", text, *rules, seat=unit.side, dice=throws, unit=unit.id, units=count, freed=freed, confirmed=confirmed
    )


def freed_words(game: Battle, freed: list[str]) -> str:
    """Who may activate again. A Forward Observer is not counted: he acts with his battery."""
    units = [game.state.units[name] for name in freed]
    kinds = (("Unit", sum(not unit.apart for unit in units)), ("commander", sum(unit.apart == "cc" for unit in units)))
    counted = " and ".join(several(number, noun) for noun, number in kinds if number)
    return f"{counted or 'nobody'} may activate again"


def why_no_action(game: Battle, unit: Unit, action: str, success: bool, placed: bool) -> Why:
    """Why a Unit may not take an action after its Check; `placed`: its leader has been placed already."""
    if action == "hold":
        return None if unit.held else NO_HOLD
    if unit.held and action != "dig-in":
        down = "went to ground this round and may neither move nor fire."
        return lambda: illegal("tr14.firing.gtg-declare", f"{label(unit)} {down}", field=action)
    if action == "place-leader":
        if not placed and may_place_leader(unit):
            return None
        none = "has no Infantry Platoon Leader, or he has been placed already."
        return lambda: illegal("tr14.leaders.pl-placement", f"{label(unit)} {none}", field=action)
    if action in (ON_FAILURE if success else ON_SUCCESS):
        return lambda: why_not_open(action, success)
    if action == "dig-in" and board(game).squad(unit).tanks:
        tanks = "has Tank Teams and cannot dig in."
        return lambda: illegal("tr14.playing.action-dig-in", f"{label(unit)} {tanks}", field=action)
    if action == "barrage":
        return may_barrage(game, unit) if board(game).squad(unit).barrages else lambda: may_barrage(game, unit)
    if action == "assault" and (unit.apart or not assault_targets(game, unit)):
        return lambda: why_no_assault(game, unit, units_of(game.state, other(unit.side)))
    return None


def why_not_open(action: str, success: bool) -> Refusal:
    """tr14.playing.action-after-roll"""
    message = f"{ACTIONS[action][0]} is not open to a Unit whose Check {'succeeded' if success else 'failed'}."
    legal = f"Choose from: {', '.join(ACTIONS[each][0] for each in (ON_SUCCESS if success else ON_FAILURE))}."
    return illegal("tr14.playing.action-after-roll", message, field=action, legal=legal)


def choose_action(game: Battle, unit: Unit, success: bool) -> Flow[str]:
    """tr14.playing.action-after-roll; the leader may be placed before whatever the Unit does."""
    action = yield from ask_action(game, unit, success, placed=False)
    if action == "place-leader":
        yield from place_leader(game, unit)
        action = yield from ask_action(game, unit, success, placed=True)
    name, rule = ACTIONS[action]
    rules = ("tr14.playing.action-after-roll", rule)
    game.tell("action", f"{label(unit)}: {name}.", *rules, seat=unit.side, unit=unit.id, action=action)
    return action


def ask_action(game: Battle, unit: Unit, success: bool, *, placed: bool) -> Flow[str]:
    def why_not(action: str) -> Why:
        return why_no_action(game, unit, action, success, placed)

    likely = ON_SUCCESS if success else ON_FAILURE
    choices = Choices(
        EVERY_ACTION,
        ACTION_OPTIONS.__getitem__,
        why_not,
        quick=lambda: [action for action in (*likely, "hold", "place-leader") if why_not(action) is None],
    )
    words = f"{label(unit)} {'is activated' if success else 'failed its Check'}. What does it do?"
    facts = {"unit": unit.id, "success": success}
    rules = ("tr14.playing.action-after-roll",)
    answer: str = yield Ask(unit.side, Choose("action", words, choices, rules=rules, facts=facts, step="what"))
    return answer


def carry_out(game: Battle, unit: Unit, action: str) -> Flow[None]:
    """The action chosen, step by step; whoever is lost in the first step does not come to the second."""
    rule, units = ACTIONS[action][1], game.state.units
    if action == "fire-and-move":
        yield from fire(game, unit, "action")
        if unit.id in units:
            yield from move(game, unit, f"{label(unit)} may move.", rule)
    elif action == "move-and-fire":
        moved = yield from move(game, unit, f"{label(unit)} may move before it fires.", rule)
        if unit.id in units:
            yield from fire(game, unit, "action", moved=moved)
    elif action == "run":
        for each in with_observers(game, unit):
            each.ran = True
        for number in ("first", "second"):
            if unit.id in units:
                yield from move(game, unit, f"{label(unit)} runs: its {number} Move.", rule)
    elif action in ("fire", "aimed-fire"):
        yield from fire(game, unit, "aimed" if action == "aimed-fire" else "action")
    elif action == "assault":
        yield from assault(game, unit)
    elif action == "dig-in":
        for each in with_observers(game, unit):
            for team in each.teams.values():
                team.dug_in = True
    elif action == "barrage":
        yield from barrage(game, unit)
    elif action == "move":
        yield from move(game, unit, f"{label(unit)} may move.", rule)
    elif action == "overwatch":
        for each in with_observers(game, unit):
            each.overwatch = True


def move(game: Battle, unit: Unit, words: str, *rules: str) -> Flow[bool]:
    """One Move of a Unit, with the terrain rolls of its tanks and the fire it draws. True if anything moved."""
    courses = yield from begin_move(game, unit, words, *rules)
    if not courses:
        return False
    told = len(game.events)
    yield from reaction_fire(game, unit, courses)
    end_move(game, courses, drew_fire=len(game.events) > told)
    return True


def fire(game: Battle, unit: Unit, manner: Manner, *, moved: bool = False) -> Flow[None]:
    """A Unit fires, and its Forward Observer with it unless he went to ground."""
    for each in with_observers(game, unit):
        if each.held:
            # tr14.firing.gtg-declare: an observer who has gone to ground by himself.
            continue
        words = f"At what does {label(each)} fire?"
        rules = ("tr14.firing.target-unit", "tr14.firing.split-by-team")
        idle = partial(tell_idle, game, unit) if each is unit else None
        chosen = yield from ask_fire(game, each, words, *rules, manner=manner, moved=moved, idle=idle)
        if chosen:
            yield from fire_orders(game, Salvo(each, chosen, manner, moved))


def tell_idle(game: Battle, unit: Unit, why: Refusal) -> None:
    """A Unit that was told to fire has nothing to fire at."""
    text = f"{label(unit)} does not fire: {why.message}"
    game.tell("no-fire", text, why.rule or "", seat=unit.side, unit=unit.id, **LAPSED)


def finish_round(game: Battle) -> Flow[None]:
    """The end of a round: morale, smoke, objectives; then everybody may act again."""
    state = game.state
    yield from suppression.end_of_round_morale(game)
    remove_smoke(game)
    end_of_round(game)
    for unit in state.units.values():
        unit.activated = False
        unit.to_ground = unit.held = False
        unit.casualties = 0
    state.round += 1
    state.phase = "round"
    board(game)
