"""The turn: Start Phase, initiative, and the activation phases six to zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Choose, LaterDict, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask, Result
from sandtable.rulesets.sof.actions import activate
from sandtable.rulesets.sof.core import markers
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import label, unit_option
from sandtable.rulesets.sof.core.state import (
    SIDES,
    Battlegroup,
    ForceDice,
    Side,
    State,
    Unit,
    leader_of,
    members_of,
    other,
    sides_in_order,
    units_of,
)
from sandtable.rulesets.sof.leadership import ADJUSTING, REROLLS, adjusted, note_sparing, rerolled_dice, sparing_leader
from sandtable.rulesets.sof.losses import DICE_LOST, number_of_dice
from sandtable.rulesets.sof.missions import (
    bought,
    enter,
    exchange,
    judged,
    may_enter,
    planned,
    reinforcements,
    return_unused,
    set_up,
    spring,
    walked_into,
    why_not_enter,
    won_at_once,
)
from sandtable.rulesets.sof.morale import battlegroup_morale, rally, tenacity, why_tenacity
from sandtable.rulesets.sof.shooting import beaten_zones
from sandtable.rulesets.sof.triage import triage

FIRST_PHASE = 6
SIX = 6
STAFF_TURNS = 2
"""sof.specialists.staff-die"""

RECON_TURNS = 2
"""sof.recon.activation-die"""

FORCE = "force"
"""The owner of dice that serve any unit of a side."""

NOTHING = ForceDice()
OVERRIDE, DISCARD, PASS, KEEP = "override", "discard", "pass", "keep"
Dice = dict[str, Battlegroup]


def play(game: Battle) -> Flow[None]:
    """The whole battle, from any checkpoint of it."""
    state = game.state
    yield from set_up(game)
    while state.phase != "over":
        if state.phase == "start":
            yield from begin_turn(game)
            result = yield from start_phase(game)
            if result is not None:
                end(game, result)
                return
            yield from initiative_phase(game)
            state.phase = "activate"
            enter_phase(state, FIRST_PHASE)
        yield from activation_phases(game)
        result = end_turn(game)
        if result is not None:
            end(game, result)


def end(game: Battle, result: Result) -> None:
    game.state.result = result
    game.state.phase = "over"
    game.tell("over", result.reason, result.rule, winner=result.winner)


# The Start Phase.


def begin_turn(game: Battle) -> Flow[None]:
    """The moment before the dice of a turn begin to fall: nobody has anything to choose, and all lies in the state."""
    state = game.state
    words = f"Turn {state.turn} begins."
    options = [Option("begin", "Begin the turn", ("sof.turn.sequence",))]
    question = Choose(
        "begin-turn", words, options, rules=("sof.turn.sequence",), facts={"turn": state.turn}, commits=True
    )
    yield Ask(state.attacker, question, checkpoint=True)


def start_phase(game: Battle) -> Flow[Result | None]:
    """sof.turn.start-order: each step is finished for both sides before the next; the result, if the battle is over."""
    state = game.state
    text = f"Turn {state.turn}: the Start Phase."
    rules = ["sof.turn.sequence", "sof.turn.start-order"]
    rules += ["sof.turn.game-length"] if state.turn > state.turns else []
    rules += ["sof.basics.centimetres"] if game.setup.options.centimetres else []
    game.tell("turn", text, *rules, turn=state.turn)
    yield from exchange(game)
    beaten_zones(game)
    for unit in in_order(state, lambda unit: bool(unit.suppression)):
        yield from rally(game, unit, "sof.turn.start-rally")
    # A wounded NCO who takes command brings his marker to the HQ unit, whose turn may have been before.
    while wounded := in_order(state, lambda unit: bool(unit.wounds)):
        yield from triage(game, wounded[0], "sof.turn.start-triage")
    for unit in in_order(state, lambda unit: bool(why_tenacity(unit))):
        if unit.id in state.units:
            yield from tenacity(game, unit, "sof.turn.start-tenacity", "sof.morale.tenacity-start", *why_tenacity(unit))
    yield from walked_into(game)
    result = yield from battlegroup_morale(game)
    if result is None:
        yield from reinforcements(game)
    if result is None and state.turn > state.turns:
        result = judged(game)
    return result


def in_order(state: State, wanted: Callable[[Unit], bool]) -> list[Unit]:
    """The units of which something holds now, the attacker's first, each side's in the order of its roster."""
    return [unit for side in sides_in_order(state) for unit in units_of(state, side) if unit.placed and wanted(unit)]


# Initiative.


def initiative_phase(game: Battle) -> Flow[None]:
    """Every battlegroup rolls its activation dice, and the side with most sixes has the initiative."""
    state = game.state
    for group in state.battlegroups.values():
        group.dice = []
        group.spent = []
        group.seniors = {}
    state.force_dice = {}
    rolled = {}
    for side in sides_in_order(state):
        for name in groups_of(state, side):
            group = state.battlegroups[name]
            number = number_of_dice(group) + (name == staffed(state, side))
            rolled[name] = yield from game.throw(side, number, f"activation dice of {group.name or name}")
    for name, throw in rolled.items():
        group = state.battlegroups[name]
        again = yield from rerolled_dice(game, name, throw.values)
        yield from game.reroll(throw, again)
        led = leader_of(state, name) is not None
        found = [adjusted(group.capability, die) if led else die for die in throw.values]
        staff = staff_die(state, name, found)
        group.dice = sorted(found, reverse=True)
        rules = ["sof.turn.roll-activation-dice", "sof.turn.dice-owner", "sof.turn.sort-dice"]
        rules += ["sof.force.dice-core", "sof.force.dice-attached", "sof.force.dice-base-number-kept"]
        rules += [rule for number, rule in DICE_LOST if group.lost >= number][-1:]
        if any(unit.belongs == "support" for unit in units_of(state, group.side)):
            rules.append("sof.force.dice-support")
        rules += [REROLLS[group.capability][1]] if again else []
        rules += [ADJUSTING[group.capability]] if led and group.capability in ADJUSTING else []
        rules += staff
        text = f"{group.name or name} rolls its activation dice: {' '.join(map(str, group.dice)) or 'none'}."
        dice = [throw] if throw.values else []
        data = {"values": list(group.dice), "force": list(pool(state, group.side, FORCE).dice) if staff else []}
        game.tell("dice", text, *rules, seat=group.side, dice=dice, battlegroup=name, **data)  # type: ignore[arg-type]
    yield from recon_dice(game)
    yield from determine_initiative(game)


def recon_dice(game: Battle) -> Flow[None]:
    """sof.recon.activation-die: the dice that a force has bought for the first two turns, for any of its units."""
    state = game.state
    for side in sides_in_order(state) if state.turn <= RECON_TURNS else ():
        number = bought(game, side, "activation-die")
        if number:
            throw = yield from game.throw(side, number, "activation dice by recon")
            known = pool(state, side, FORCE).dice
            state.force_dice[side] = ForceDice(sorted([*known, *throw.values], reverse=True))
            text = f"{side.capitalize()} rolls for its recon: {' '.join(map(str, throw.values))}."
            rules = ("sof.recon.activation-die", "sof.specialists.staff-die-any-unit")
            game.tell("recon-dice", text, *rules, seat=side, dice=[throw], force=list(state.force_dice[side].dice))


def groups_of(state: State, side: str) -> list[str]:
    return [name for name, group in state.battlegroups.items() if group.side == side]


def staffed(state: State, side: str) -> str | None:
    """The battlegroup whose staff officer gives his force a die in the first two turns, be he on the table or not."""
    if state.turn > STAFF_TURNS:
        return None
    return next((name for name in groups_of(state, side) if staff_of(state, name)), None)


def staff_of(state: State, battlegroup: str) -> list[Unit]:
    """The units of a battlegroup with an attached staff officer."""
    units = members_of(state, battlegroup)
    return [unit for unit in units if any(figure.role == "staff-officer" for figure in unit.teams.values())]


def staff_die(state: State, battlegroup: str, found: list[int]) -> list[str]:
    """The staff's die is the last of a battlegroup's: it goes to the force. The rules of it."""
    side = state.battlegroups[battlegroup].side
    if staffed(state, side) != battlegroup:
        return []
    state.force_dice[side] = ForceDice([found.pop()])
    units = staff_of(state, battlegroup)
    rules = ["sof.specialists.staff-officer", "sof.specialists.staff-die"]
    rules += ["sof.specialists.staff-mounted" if units[0].type == "mounted" else "sof.specialists.staff-foot"]
    rules += ["sof.specialists.staff-die-off-table"] if not any(unit.placed for unit in units) else []
    teams = sum(len(staff_of(state, name)) for name in groups_of(state, side))
    return [*rules, "sof.specialists.staff-die-one"] if teams > 1 else rules


def pool(state: State, side: Side, name: str) -> Battlegroup | ForceDice:
    """Some dice by their owner: a battlegroup, or the force as a whole."""
    return state.force_dice.get(side, NOTHING) if name == FORCE else state.battlegroups[name]


def pools_of(state: State, side: str) -> list[str]:
    return [*groups_of(state, side), FORCE]


def faces(state: State, side: Side, value: int) -> int:
    """How many dice of a side show a value, after its commanders' modifiers."""
    return sum(pool(state, side, name).dice.count(value) for name in pools_of(state, side))


def determine_initiative(game: Battle) -> Flow[None]:
    state = game.state
    red, blue = (faces(state, side, SIX) for side in SIDES)
    if red != blue:
        give_initiative(game, "red" if red > blue else "blue", "sof.turn.initiative-sixes")
        return
    if state.turn > 1 and state.initiative:
        give_initiative(game, other(state.initiative), "sof.turn.initiative-tie")
        return
    for value in range(SIX - 1, -1, -1):
        red, blue = (faces(state, side, value) for side in SIDES)
        if red != blue:
            give_initiative(game, "red" if red > blue else "blue", "sof.turn.initiative-tie-first-turn")
            return
    while True:
        throws = []
        for side in sides_in_order(state):
            throws.append((yield from game.throw(side, 1, "the initiative")))
        text = "All dice are alike: a roll for the initiative."
        game.tell("roll-off", text, "sof.turn.initiative-tie-first-turn", dice=throws)
        if throws[0].value != throws[1].value:
            first, second = sides_in_order(state)
            won = first if throws[0].value > throws[1].value else second
            give_initiative(game, won, "sof.turn.initiative-tie-first-turn")
            return


def give_initiative(game: Battle, side: Side, rule: str) -> None:
    game.state.initiative = side
    text = f"{side.capitalize()} has the initiative."
    sixes = {each: faces(game.state, each, SIX) for each in SIDES}
    game.tell("initiative", text, rule, seat=side, sixes=sixes, turn=game.state.turn)


# Activation phases.


def enter_phase(state: State, number: int) -> None:
    """Each phase begins afresh with the side that has the initiative, after those who use a Command Override."""
    assert state.initiative
    state.number = number
    state.acting = state.initiative
    state.passed = []
    order: tuple[Side, Side] = (state.initiative, other(state.initiative))
    state.opening = [side for side in order if state.overrides.get(side)] if number < FIRST_PHASE else []


def activation_phases(game: Battle) -> Flow[None]:
    """sof.turn.activation-phases: six to zero; in each the sides activate one unit in turn."""
    state = game.state
    while True:
        while state.opening:
            yield from use_override(game, state.opening[0])
        side = next_to_act(state)
        if side is not None:
            yield from take_turn(game, side)
        elif state.number == 0:
            return
        else:
            enter_phase(state, state.number - 1)


def next_to_act(state: State) -> Side | None:
    """sof.turn.alternate: whose turn it is; a side that has nothing to act with is left out."""
    assert state.acting
    sides: tuple[Side, Side] = (state.acting, other(state.acting))
    return next((side for side in sides if may_act(state, side)), None)


def may_act(state: State, side: Side) -> bool:
    if state.number == 0:
        return side not in state.passed and any(ready(state, unit) for unit in units_of(state, side))
    for group in state.battlegroups.values():
        if group.side == side and state.number in group.dice:
            return True
    return has_die(state, side, FORCE)


def ready(state: State, unit: Unit) -> bool:
    return not unit.activated and (unit.placed or may_enter(state, unit))


def spared(game: Battle, battlegroup: str, unit: Unit) -> bool:
    """Whether a unit costs no extra die: it is in influence, out of reserve, planned in advance, or acts in phase 0."""
    leader = patron(game.state, unit, battlegroup)
    nobody_asks = unit.reserve or planned(game) or game.state.number == 0
    return bool(nobody_asks) or sparing_leader(game, leader, unit) is not None


def take_turn(game: Battle, side: Side) -> Flow[None]:
    """One activation of a side, or what it does in place of one. Then it is the other's turn."""
    if game.state.number == 0:
        yield from turn_in_phase_zero(game, side)
    else:
        yield from turn_with_a_die(game, side)
    if game.state.acting:
        game.state.acting = other(side)


def theirs(state: State, side: Side, rule: str) -> dict[str, Why]:
    """Why a side activates none of the other's units."""
    units = units_of(state, other(side))
    return {each.id: illegal(rule, f"{label(each)} is not {side.capitalize()}'s.", field=each.id) for each in units}


def turn_with_a_die(game: Battle, side: Side) -> Flow[None]:
    state = game.state
    units = {unit.id: unit for unit in units_of(state, side)}
    others = {DISCARD: Option(DISCARD, f"Lay a die of {state.number} aside unused", ("sof.turn.alternate",))}
    if state.number == FIRST_PHASE:
        others[OVERRIDE] = Option(OVERRIDE, "Set a six aside as a Command Override", ("sof.turn.override-set-aside",))

    def why_not(name: str) -> Why:
        if name in units:
            return why_not_activate(game, units[name])
        if name == OVERRIDE and side in state.overridden:
            message = f"{side.capitalize()} has set a Command Override aside this turn."
            return illegal("sof.turn.override-limit", message, field=OVERRIDE)
        return None

    choices = Choices(
        {name: name for name in (*units, *others)},
        lambda name: others.get(name) or unit_option(units[name]),
        why_not,
        besides=LaterDict(lambda: never_with_a_die(state, side)),
    )
    words = f"Phase {state.number}: which unit is activated?"
    rules = ("sof.turn.alternate", "sof.turn.spend-matching-dice", "sof.actions.once-per-turn")
    facts = {"phase": state.number, "turn": state.turn}
    name = yield from choose_one(
        side,
        "activate",
        words,
        choices,
        rules=rules,
        facts=facts,
        always=True,
        checkpoint=True,
        step="who",
        chance=choices.draw,
    )
    if name in units:
        yield from activate_with(game, units[name], state.number)
        return
    mine = [each for each in pools_of(state, side) if has_die(state, side, each)]
    if len(mine) > 1:
        mine.sort(key=partial(still_to_act, state, side))
    group = yield from choose_group(game, side, mine)
    pool(state, side, group).spend(state.number)
    if name == OVERRIDE:
        state.overrides[side] = group
        state.overridden.append(side)
        text = f"{side.capitalize()} sets a six aside as a Command Override."
        cited = ("sof.turn.override-set-aside", "sof.turn.override-limit")
        game.tell("override-set", text, *cited, seat=side, battlegroup=group)
    else:
        text = f"{side.capitalize()} lays a die of {state.number} aside."
        game.tell("discard", text, "sof.turn.alternate", seat=side, battlegroup=group, value=state.number)


def never_with_a_die(state: State, side: Side) -> dict[str, Why]:
    """What a side never does that has a die of this phase, and why."""
    message = f"{side.capitalize()} has a die of {state.number}."
    legal = "It is used, or laid aside. Whoever has done passes in phase 0."
    found: dict[str, Why] = {PASS: illegal("sof.turn.alternate", message, field=PASS, legal=legal)}
    if state.number != FIRST_PHASE:
        message, legal = "A Command Override is set aside in phase 6.", "Only a six becomes one."
        found[OVERRIDE] = illegal("sof.turn.override-limit", message, field=OVERRIDE, legal=legal)
    return found | theirs(state, side, "sof.turn.alternate")


def has_die(state: State, side: Side, name: str) -> bool:
    return state.number in pool(state, side, name).dice


def choose_group(game: Battle, side: Side, names: list[str]) -> Flow[str]:
    """Whose die it is, where several battlegroups have one."""
    if len(names) == 1:
        return names[0]
    groups = game.state.battlegroups

    def option(name: str) -> Option:
        if name == FORCE:
            return Option(name, "A die of the whole force", ("sof.specialists.staff-die-any-unit",))
        return Option(name, groups[name].name or name, ("sof.turn.dice-owner",))

    choices = Choices({name: name for name in names}, option)
    words, rules = "Whose die is spent?", ("sof.turn.dice-owner",)
    return (yield from choose_one(side, "whose-die", words, choices, rules=rules, step="detail"))


def still_to_act(state: State, side: Side, name: str) -> int:
    """For how many units the dice of a battlegroup are still needed."""
    return sum(not unit.activated and name in payers(state, unit) for unit in units_of(state, side))


# Which units may be activated, and with which dice.


def payers(state: State, unit: Unit) -> list[str]:
    """Whose dice may activate a unit: its own battlegroup's, or for a support unit any of its side; and the force's."""
    if unit.belongs == "support":
        return pools_of(state, unit.side)
    return [unit.battlegroup, FORCE] if unit.battlegroup in state.battlegroups else []


def patron(state: State, unit: Unit, name: str) -> str:
    """Under whose influence a unit must be for a die to be enough: its owner's, and for the force's die its own."""
    if name != FORCE:
        return name
    groups = groups_of(state, unit.side)
    staff = next((each for each in groups if staff_of(state, each)), groups[0])
    return staff if unit.belongs == "support" else unit.battlegroup


def payments(game: Battle, unit: Unit, number: int) -> Iterator[str]:
    """The battlegroups that have the die of a phase for a unit, and an extra one if it is out of influence."""
    for name in payers(game.state, unit):
        dice = pool(game.state, unit.side, name).dice
        if number in dice and (spared(game, name, unit) or extra_dice(game, name, unit, number)):
            yield name


def extra_dice(game: Battle, battlegroup: str, unit: Unit, used: int | None) -> list[tuple[str, int]]:
    """The dice that may pay for a unit out of influence beside the one of the phase: of any value, not spent yet."""
    state = game.state
    found = []
    for name in payers(state, unit):
        dice = list(pool(state, unit.side, name).dice)
        if name == battlegroup and used is not None:
            dice.remove(used)
        found += [(name, die) for die in sorted(set(dice))]
    return found


def why_not_activate(game: Battle, unit: Unit) -> Why:
    """Why a unit may not be activated in phases six to one."""
    state = game.state
    if unit.activated:
        return partial(not_ready, unit)
    if not any(has_die(state, unit.side, name) for name in payers(state, unit)):
        return partial(no_die, state, unit)
    if not any(payments(game, unit, state.number)):
        message = f"{label(unit)} is out of influence, and there is no further die for it."
        return illegal("sof.leadership.extra-die-missing", message, field=unit.id)
    return why_not_enter(game, unit) if unit.reserve else None


def no_die(state: State, unit: Unit) -> Refusal:
    message = f"There is no die of {state.number} for {label(unit)}."
    rule = "sof.turn.battlegroup-dice-only" if may_act(state, unit.side) else "sof.turn.spend-matching-dice"
    return illegal(rule, message, field=unit.id, legal="A die serves units of its own battlegroup.")


def not_ready(unit: Unit) -> Refusal:
    message = f"{label(unit)} has been activated this turn."
    return illegal("sof.actions.once-per-turn", message, field=unit.id)


def activate_with(game: Battle, unit: Unit, number: int) -> Flow[None]:
    """A unit is activated with a die of this phase, and one more if it is out of influence."""
    names = list(payments(game, unit, number))
    if len(names) > 1:
        names.sort(key=lambda name: not spared(game, name, unit))
    group = yield from choose_group(game, unit.side, names)
    rules = yield from pay(game, unit, group, number)
    pool(game.state, unit.side, group).spend(number)
    own = unit.belongs != "support" and group != FORCE and len(groups_of(game.state, unit.side)) > 1
    cited = ["sof.turn.alternate", *(["sof.turn.battlegroup-dice-only"] if own else [])]
    tell_activation(game, unit, number, group, *cited, *rules)
    yield from act_with(game, unit)


def act_with(game: Battle, unit: Unit) -> Flow[None]:
    """A unit that has been activated comes on, or out of its ambush, if it must, and acts."""
    if unit.reserve:
        yield from enter(game, unit)
    else:
        if unit.ambush:
            yield from spring(game, unit)
        yield from activate(game, unit)
    yield from walked_into(game)


def pay(game: Battle, unit: Unit, group: str, used: int | None) -> Flow[list[str]]:
    """The rules by which a unit is in influence, or the extra die that it costs."""
    rules = ["sof.turn.support-units"] if unit.belongs == "support" else []
    rules += ["sof.specialists.staff-die-any-unit"] if group == FORCE else []
    if unit.reserve:
        return [*rules, "sof.reserves.kinds"]
    if planned(game):
        return [*rules, "sof.mission-special.advance-planning"]
    if game.state.number == 0:
        return [*rules, "sof.leadership.extra-die-phase-zero"]
    leader = patron(game.state, unit, group)
    sparing = sparing_leader(game, leader, unit)
    if sparing is not None:
        return [*rules, *note_sparing(game, leader, unit, sparing)]
    found = extra_dice(game, group, unit, used)
    choices = Choices(
        {f"{name}-{die}": (name, die) for name, die in found},
        lambda each: Option(f"{each[0]}-{each[1]}", f"A die of {each[1]}", ("sof.leadership.extra-die",)),
    )
    words = f"{label(unit)} is out of influence. Which further die is spent?"
    name, die = yield from choose_one(
        unit.side,
        "extra-die",
        words,
        choices,
        rules=("sof.leadership.extra-die",),
        facts={"unit": unit.id},
        step="detail",
    )
    pool(game.state, unit.side, name).spend(die)
    return [*rules, "sof.leadership.extra-die"]


def tell_activation(game: Battle, unit: Unit, number: int, group: str, *rules: str) -> None:
    cited = ("sof.turn.activation-phases", "sof.turn.spend-matching-dice", "sof.actions.activation-marked", *rules)
    text = f"{label(unit)} is activated in phase {number}."
    game.tell("activation", text, *cited, seat=unit.side, unit=unit.id, phase=number, battlegroup=group)


# Command Override.


def use_override(game: Battle, side: Side) -> Flow[None]:
    """sof.turn.override-use: at the beginning of a later phase the six that was set aside may activate a unit."""
    state = game.state
    group = state.overrides[side]
    units = {unit.id: unit for unit in units_of(state, side)}
    keep = Option(KEEP, "Keep the Command Override", ("sof.turn.override-use",))

    def why_not(name: str) -> Why:
        return why_not_overridden(game, units[name], group) if name in units else None

    choices = Choices(
        {name: name for name in (KEEP, *units)},
        lambda name: keep if name == KEEP else unit_option(units[name]),
        why_not,
        besides=LaterDict(lambda: theirs(state, side, "sof.turn.override-use")),
    )
    words = f"Phase {state.number} begins: who is activated by the Command Override?"
    rules = ("sof.turn.override-use", "sof.turn.override-both")
    name = yield from choose_one(
        side,
        "override",
        words,
        choices,
        rules=rules,
        facts={"phase": state.number},
        always=True,
        checkpoint=True,
        step="who",
    )
    state.opening.remove(side)
    both = ["sof.turn.override-both"] if len(state.overrides) > 1 else []
    if name == KEEP:
        text = f"{side.capitalize()} keeps its Command Override."
        game.tell("override-kept", text, "sof.turn.override-use", *both, seat=side, phase=state.number)
        return
    unit = units[name]
    del state.overrides[side]
    paid = yield from pay(game, unit, group, None)
    tell_activation(game, unit, state.number, group, "sof.turn.override-use", *both, *paid)
    yield from act_with(game, unit)


def why_not_overridden(game: Battle, unit: Unit, group: str) -> Why:
    if unit.activated:
        return not_ready(unit)
    if group not in payers(game.state, unit):
        message = f"The Command Override is not of the battlegroup of {label(unit)}."
        return illegal("sof.turn.battlegroup-dice-only", message, field=unit.id)
    if not spared(game, group, unit) and not extra_dice(game, group, unit, None):
        message = f"{label(unit)} is out of influence, and there is no further die for it."
        return illegal("sof.leadership.extra-die-missing", message, field=unit.id)
    return why_not_enter(game, unit) if unit.reserve else None


# Phase zero, and the end of the turn.


def turn_in_phase_zero(game: Battle, side: Side) -> Flow[None]:
    """sof.turn.phase-zero-who: whoever has not acted yet may, without a die and wherever it is."""
    state = game.state
    units = {unit.id: unit for unit in units_of(state, side)}
    done = Option(PASS, "Nobody else", ("sof.turn.phase-zero-who",))

    def why_not(name: str) -> Why:
        if name == PASS:
            return None
        unit = units[name]
        return partial(not_ready, unit) if unit.activated else why_not_enter(game, unit) if unit.reserve else None

    no_die = "Nobody needs a die in phase 0."
    besides = {
        DISCARD: illegal("sof.turn.phase-zero-who", no_die, field=DISCARD, legal="Whoever has done passes."),
        OVERRIDE: illegal("sof.turn.override-limit", no_die, field=OVERRIDE, legal="Only a six becomes one."),
    }
    choices = Choices(
        {name: name for name in (*units, PASS)},
        lambda name: done if name == PASS else unit_option(units[name]),
        why_not,
        besides=LaterDict(lambda: {**besides, **theirs(state, side, "sof.turn.phase-zero-alternate")}),
    )
    words = "Phase 0: which unit is still activated?"
    rules = ("sof.turn.phase-zero-who", "sof.turn.phase-zero-alternate", "sof.leadership.extra-die-phase-zero")
    facts = {"phase": 0, "turn": state.turn}
    name = yield from choose_one(
        side,
        "activate",
        words,
        choices,
        rules=rules,
        facts=facts,
        always=True,
        checkpoint=True,
        step="who",
        chance=choices.draw,
    )
    if name == PASS:
        state.passed.append(side)
        text = f"{side.capitalize()} is done for this turn."
        game.tell("pass", text, "sof.turn.phase-zero-who", seat=side, turn=state.turn)
        return
    unit = units[name]
    text = f"{label(unit)} is activated in phase 0."
    cited = [*rules, *(["sof.turn.support-units"] if unit.belongs == "support" else [])]
    game.tell("activation", text, *cited, seat=side, unit=unit.id, phase=0, battlegroup=unit.battlegroup)
    yield from act_with(game, unit)


def end_turn(game: Battle) -> Result | None:
    """sof.turn.end: the dice go back, everybody may be activated again, and nobody lies in the dirt any more.

    The result, if the mission is won with the turn.
    """
    state = game.state
    for unit in state.units.values():
        unit.activated = unit.forced = unit.hit_the_dirt = False
    text, left = f"Turn {state.turn} ends.", markers.on_table(state)
    game.tell("turn-over", text, "sof.turn.end", markers.RULE, turn=state.turn, markers=left)
    return_unused(game)
    for group in state.battlegroups.values():
        group.dice = []
        group.spent = []
    state.force_dice = {}
    state.overrides = {}
    state.overridden = []
    state.opening = []
    state.passed = []
    state.acting = ""
    state.turn += 1
    state.phase = "start"
    return won_at_once(game)
