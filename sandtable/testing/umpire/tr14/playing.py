"""Playing: rounds, Initiatives, activations, and what an action lets a Unit do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import TRAINING_CHECK
from sandtable.testing.umpire.tr14.log import (
    Activation,
    begin,
    command,
    commander,
    first_rolls,
    keep_orders,
    kind,
    log,
    observers_of,
    platoons,
)
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Unit

ON_SUCCESS = {"fire-and-move", "move-and-fire", "run", "aimed-fire", "assault", "dig-in", "barrage"}
ON_FAILURE = {"move", "fire", "overwatch"}
MOVES = {"fire-and-move": 1, "move-and-fire": 1, "run": 2, "move": 1}
FIRES = {"fire-and-move": "action", "move-and-fire": "action", "fire": "action", "aimed-fire": "aimed"}

book.at_start(begin)
book.after_answer(keep_orders)


def ready(watch: Watch, side: str) -> list[str]:
    """Who of a side may still activate; a Forward Observer acts with his battery."""
    acted = log(watch).acted
    units = watch.state.units.values()
    return [unit.id for unit in units if unit.side == side and unit.apart != "fo" and unit.id not in acted]


def penalty(unit: Unit) -> int:
    """tr14.suppression.activation-penalty"""
    share = sum(team.markers > 0 for team in unit.teams.values()) / len(unit.teams)
    return sum(share >= step for step in (0.25, 0.5, 0.75))


@book.on("initiative-roll")
def a_round_begins_when_all_have_acted(watch: Watch, event: Event) -> None:
    watch.count("rounds")
    kept, state = log(watch), watch.state
    if kept.began and not kept.tie:
        for side in ("red", "blue"):
            for name in ready(watch, side):
                watch.object_to("tr14.playing.round-of-initiatives", f"the round ends before {name} has acted")
    kept.began = True
    if not kept.tie:
        kept.acted.clear()
        if state.smoke:
            watch.object_to("tr14.indirect.smoke-effect", "smoke of the round before still stands")
    red, blue = (throw.values[0] for throw in event.dice)
    kept.tie = red == blue
    kept.rolled = "" if kept.tie else "red" if red > blue else "blue"
    if any(unit.to_ground or unit.held for unit in state.units.values()):
        watch.object_to("tr14.firing.gtg-declare", "a Unit is to ground beyond the end of the round")


@book.on("initiative")
def the_initiative_passes(watch: Watch, event: Event) -> None:
    watch.count("Initiatives")
    kept, rule = log(watch), "tr14.playing.failure-passes-initiative"
    kept.began = True
    mine, theirs = ready(watch, kept.side), ready(watch, other(kept.side))
    if kept.rolled:
        expected = kept.rolled
    elif kept.activation is not None and not kept.activation.passed:
        expected = other(kept.side) if theirs else kept.side
    else:
        expected = other(kept.side)
        if mine:
            watch.object_to(rule, f"{kept.side} loses the Initiative although {mine[0]} may still activate")
    if event.seat != expected:
        watch.object_to(rule, f"{event.seat} has the Initiative, and not {expected}")
    if event.data["number"] != kept.number + 1:
        watch.object_to(rule, f"Initiative {event.data['number']} follows upon {kept.number}")
    kept.side, kept.number, kept.rolled, kept.activation = watch.state.initiative, kept.number + 1, "", None


def other(side: str) -> str:
    return "blue" if side == "red" else "red"


@book.on("activation")
def a_unit_activates(watch: Watch, event: Event) -> None:
    watch.count("activations")
    kept, state = log(watch), watch.state
    kept.began = True
    unit = state.units[event.data["unit"]]
    rule = "tr14.playing.once-per-round"
    if unit.side != kept.side or event.seat != unit.side:
        watch.object_to("tr14.playing.activate-until-failure", f"{unit.id} activates in {kept.side}'s Initiative")
    if unit.id in kept.acted:
        watch.object_to(rule, f"{unit.id} has acted already this round")
    if unit.apart == "fo":
        watch.object_to("tr14.indirect.fo-activation", f"{unit.id} activates without his battery")
    if kept.activation is not None and not kept.activation.passed:
        watch.object_to("tr14.playing.failure-passes-initiative", f"{unit.id} activates after a failure")
    kept.acted |= {unit.id, *(each.id for each in observers_of(state, unit))}
    for each in state.units.values():
        if each.activated != (each.id in kept.acted):
            watch.object_to(rule, f"{each.id} is said to have {'' if each.activated else 'not '}acted")
    amount = penalty(unit)
    needed = TRAINING_CHECK[unit.training] + amount
    given = [modifier.amount for modifier in event.modifiers]
    if given != ([amount] if amount else []):
        watch.object_to("tr14.suppression.activation-penalty", f"{unit.id} takes {given}, and not {amount}")
    die = event.dice[0].values[0]
    if event.data["needed"] != needed or event.data["passed"] != (die >= needed):
        said = f"{event.data['needed']}+ and {event.data['passed']}"
        watch.object_to("tr14.playing.training-check", f"{unit.id} needs {needed}+ and rolls {die}: not {said}")
    vouched(watch, event)
    markers = sum(team.markers for team in unit.teams.values())
    kept.activation = Activation(unit.id, die >= needed, die, markers)
    # What a Unit did before counts no more.
    for each in (unit, *observers_of(state, unit)):
        if each.overwatch or each.ran or any(team.moved or team.fired for team in each.teams.values()):
            watch.object_to("tr14.playing.action-overwatch", f"{each.id} keeps what its last activation left")


def vouched(watch: Watch, event: Event) -> None:
    """A Training Check is rolled again only for the Company Commander."""
    before = [throw for throw in event.dice if throw.before]
    spoken = [each for each in watch.told if each.kind == "cc-reroll"]
    if before and not any(throw is each.dice[0] for throw in before for each in spoken):
        watch.object_to("tr14.leaders.cc-reroll", "a Check is rolled again, and nobody vouched for it")


@book.on("six")
def a_six_frees_units(watch: Watch, event: Event) -> None:
    watch.count("sixes")
    kept, state = log(watch), watch.state
    now = kept.activation
    if now is None or now.die != 6:
        watch.object_to("tr14.playing.six-five-units", "Units are freed without a six")
        return
    now.six = True
    count = len(platoons(state))
    confirmed = True
    if count > 5:
        least = 3 if count <= 12 else 5
        confirmed = len(event.dice) == 1 and event.dice[0].values[0] >= least
    if bool(event.dice) != (count > 5) or event.data["confirmed"] != confirmed:
        watch.object_to("tr14.playing.six-six-to-ten-units", f"a six with {count} Units: {event.text}")
    own = {now.unit, *(each.id for each in observers_of(state, state.units[now.unit]))}
    freed = {name for name in kept.acted - own if name in state.units} if confirmed else set()
    if freed != set(event.data["freed"]):
        watch.object_to("tr14.playing.six-five-units", f"{sorted(freed)} are free again, not {event.data['freed']}")
    kept.acted -= freed


@book.on("rallied", "shed")
def markers_go_by_the_check(watch: Watch, event: Event) -> None:
    now = log(watch).activation
    if now is None or now.passed != (event.kind == "rallied"):
        watch.object_to("tr14.suppression.success-clears-all", f"a Unit has {event.kind} after the wrong Check")


@book.on("action")
def an_action_is_open(watch: Watch, event: Event) -> None:
    watch.count("actions")
    kept, state = log(watch), watch.state
    now, action = kept.activation, event.data["action"]
    unit = state.units[event.data["unit"]]
    if now is None or now.unit != unit.id or now.action:
        watch.object_to("tr14.playing.action-after-roll", f"{unit.id} acts without a Check of its own")
        return
    now.action = action
    if (now.die == 6) != now.six:
        watch.object_to(
            "tr14.playing.six-five-units", f"a {now.die} was rolled, and a six is {'' if now.six else 'not '}told"
        )
    left = sum(team.markers for team in unit.teams.values())
    owed = 0 if now.passed else max(0, now.markers - 1)
    if left != owed:
        watch.object_to("tr14.suppression.failure-clears-one", f"{unit.id} has {left} markers left, and not {owed}")
    open_ = ON_SUCCESS if now.passed else ON_FAILURE
    if unit.held:
        open_ = {"hold", "dig-in"} if now.passed else {"hold"}
    if action not in open_:
        watch.object_to("tr14.playing.action-after-roll", f"{unit.id} may not choose {action}")
    if action == "dig-in" and any(kind(team).type == "tank" for team in unit.teams.values()):
        watch.object_to("tr14.playing.action-dig-in", f"{unit.id} digs in with tanks")
    if action == "barrage":
        guns = [team for team in unit.teams.values() if any(w.barrage is not None for w in kind(team).weapons)]
        if sum(not gun.markers and kept.shot.get(gun.id) != kept.number for gun in guns) < 2:
            watch.object_to("tr14.indirect.battery-size", f"{unit.id} has too few guns for a barrage")
    if action == "assault" and unit.apart:
        watch.object_to("tr14.playing.action-assault", f"{unit.id} assaults alone")


@book.after_answer
def actions_leave_their_mark(watch: Watch) -> None:
    if watch.entry is None or watch.entry.topic != "action":
        return
    now = log(watch).activation
    unit = watch.state.units.get(now.unit) if now is not None else None
    if now is None or unit is None:
        return
    action = watch.entry.answer
    if unit.overwatch != (action == "overwatch") or unit.ran != (action == "run"):
        watch.object_to("tr14.playing.action-overwatch", f"{unit.id} chose {action}")
    if action == "dig-in" and not all(team.dug_in for team in unit.teams.values()):
        watch.object_to("tr14.playing.action-dig-in", f"{unit.id} has not dug in")


@book.on("move", "shooting")
def actions_are_kept_to(watch: Watch, event: Event) -> None:
    """What a Unit does in its activation is what its action says, in that order."""
    now = log(watch).activation
    state: State = watch.state
    actor = state.units[event.data["unit"]]
    if event.kind == "shooting" and event.data["manner"] in ("reaction", "overwatch", "assault"):
        return
    own = now is not None and (actor.id == now.unit or (actor.apart == "fo" and actor.battery == now.unit))
    if now is None or not own:
        watch.object_to("tr14.playing.action-after-roll", f"{actor.id} acts out of turn")
        return
    if event.kind == "move":
        now.moves += 1
        allowed = MOVES.get(now.action, 0)
        if now.moves > allowed or (now.volleys and now.action == "move-and-fire"):
            watch.object_to("tr14.playing.action-after-roll", f"{actor.id} moves in {now.action}")
        return
    now.volleys += 1
    late = now.action == "fire-and-move" and now.moves
    if event.data["manner"] != FIRES.get(now.action) or late:
        watch.object_to("tr14.playing.action-after-roll", f"{actor.id} fires in {now.action}")


@book.on("cc-reroll")
def the_commander_vouches(watch: Watch, event: Event) -> None:
    watch.count("Checks vouched for")
    state: State = watch.state
    unit = state.units.get(event.data["unit"])
    found = commander(state, event.seat)
    rule = "tr14.leaders.cc-reroll"
    if found is None:
        watch.object_to(rule, f"{event.seat} has no Company Commander to vouch for {event.data['unit']}")
        return
    command(watch, found[1].id)
    throw = event.dice[0]
    if len(throw.before) != 1:
        watch.object_to(rule, f"{len(throw.before)} dice are rolled again")
    if unit is not None:
        base = TRAINING_CHECK[unit.training]
        base += penalty(unit) if event.data["check"] == "activation" else 0
        if base > 6 or any(first_rolls(throw)[number] >= base for number in throw.before):
            watch.object_to(rule, f"{unit.id} rolls a Check again that no die mends")
