"""Turns, Order Dice, Order Points and Hero Points: who gives a die, who pays for what, and who may act again."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.table import counts, enemy, find, members

NEEDED = 4
NO_DICE = ("sniper", "bunker", "riders")
AWAY = ("reserve", "off-board")


# Turns.


@book.at_start
def remember_the_beginning(watch: Watch) -> None:
    """A battle may begin in its midst: some have acted already."""
    state = watch.state
    by_order = {team.id for _, team in members(state) if team.activated}
    by_hero = {team.id for _, team in members(state) if team.locked}
    watch.memory["acted"] = {"order": by_order, "hero": by_hero}
    watch.memory["turn"] = state.active if state.phase in ("orders", "gap", "reinforce") else ""
    watch.memory["reacted"] = {unit.id for unit in state.units.values() if unit.reacted}


@book.on("turn")
def the_turns_alternate(watch: Watch, event: Event) -> None:
    watch.count("turns")
    side, before, state = event.seat, watch.memory["turn"], watch.state
    if before:
        watch.object_to("hof.orders.turn-passes", f"{side}'s turn begins before {before}'s is over")
    last = watch.memory.get("last turn", "")
    if last == side:
        watch.object_to("hof.orders.turn-passes", f"{side} has two turns in a row")
    if not last and watch.setup.phase in ("objectives", "reserves", "bombard", "deploy") and side != state.attacker:
        watch.object_to("hof.battle.roles", "the Defender has the first turn")
    watch.memory["turn"] = side
    acted = watch.memory["acted"]
    mine = {team.id for unit, team in members(state) if unit.side == side}
    acted["order"] -= mine


@book.on("turn-end")
def a_turn_ends(watch: Watch, event: Event) -> None:
    if event.seat != watch.memory["turn"]:
        watch.object_to("hof.orders.turn-passes", f"{event.seat} ends a turn that is not its own")
    watch.memory["last turn"], watch.memory["turn"] = event.seat, ""
    watch.memory["acted"]["hero"] = set()
    watch.memory["reacted"] = set()


@book.on("order-dice")
def everybody_gives_his_die(watch: Watch, event: Event) -> None:
    watch.count("order dice")
    side, options = event.seat, watch.setup.options
    company = watch.state.companies[side]
    givers = [giver for unit in watch.state.units.values() if unit.side == side for giver in dice_of(watch, unit)]
    values = event.dice[0].values
    if len(values) != len(givers):
        watch.object_to("hof.orders.order-dice", f"{side} rolls {len(values)} Order Dice; {sorted(givers)} give one")
    points = sum(value >= NEEDED for value in values) + 1
    if options.national and company.nation == "german":
        points += 1
    if event.data["points"] != points or company.order_points != points:
        watch.object_to("hof.orders.order-plus-one", f"{values} make {points} Order Points, not {event.data['points']}")
    if event.data["hero_die"] != (values[0] if values else 0):
        watch.object_to("hof.orders.hero-die-is-order-die", f"{values[0]} is the Hero Die")
    if values and event.dice[0].before:
        watch.object_to("hof.orders.order-dice", "Order Dice are no Check and are not rolled again")
    watch.memory["hero die"] = (side, values[0] if values else 0)


def dice_of(watch: Watch, unit: Any) -> list[str]:
    """Who of a Unit gives an Order Die: its Platoon Leader, its Commander, an observer who stands for him, or all."""
    if unit.kind in NO_DICE:
        return []
    found = []
    if unit.vehicles:
        fighting = [team for team in unit.teams.values() if counts(team)]
        fit = [team for team in fighting if not team.suppressed and not team.rfps]
        there = any(team.where not in AWAY for team in fighting)
        # Half or more of its starting Teams lost, Suppressed or under fire: no die.
        if there and 2 * (unit.starting - len(fit)) < unit.starting:
            found.append(unit.id)
    behind = unit.off_board or any(team.where == "off-board" for team in unit.teams.values())
    for team in unit.teams.values():
        if team.rfps or team.where in AWAY:
            continue
        if team.role == "pl" or (team.role == "cc" and watch.setup.options.commander) or (team.role == "fo" and behind):
            found.append(team.id)
    return found


@book.on("hero-renewed")
def only_a_six_renews(watch: Watch, event: Event) -> None:
    watch.count("hero dice of six")
    if watch.memory.get("hero die") != (event.seat, 6):
        watch.object_to("hof.orders.hero-die-six", "Hero Points are renewed without a 6 of the Hero Die")
    left = watch.state.companies[event.seat].hero_points
    if event.data["discarded"] != left:
        watch.object_to("hof.orders.hero-die-six", f"{event.data['discarded']} Hero Points are discarded of {left}")
    watch.memory["renewing"] = event.seat


@book.on("hero-roll")
def the_secret_die(watch: Watch, event: Event) -> None:
    watch.count("hero rolls")
    shown = event.dice[0].values
    company = watch.state.companies[event.seat]
    if len(shown) != 1 or company.hero_points != shown[0] or company.hero_spent:
        watch.object_to("hof.orders.hero-start-roll", f"the die shows {shown}, and there are {company.hero_points}")
    if watch.memory.pop("renewing", "") != event.seat and watch.memory.get("hero die"):
        watch.object_to("hof.orders.hero-start-roll", "Hero Points are rolled without cause")
    watch.memory.pop("hero die", None)


@book.on("activation", "aircraft", "call-for-fire", "arrived")
def a_six_was_not_forgotten(watch: Watch, event: Event) -> None:
    """A 6 of the Hero Die has renewed the Hero Points before anybody acts."""
    side, value = watch.memory.pop("hero die", ("", 0))
    if value == 6:
        watch.object_to("hof.orders.hero-die-six", f"{side}'s Hero Die showed 6, and nothing was renewed")
    if value != 1 and event.kind == "aircraft" and side:
        watch.object_to("hof.optional.air-trigger", f"an aircraft came though the Hero Die shows {value}")
    if value == 1 and event.kind != "aircraft" and watch.setup.options.air:
        watch.object_to("hof.optional.air-trigger", "the Hero Die shows 1, and no aircraft came")


# Paying.


@book.on("commander-point")
def the_commander_gives_a_point(watch: Watch, event: Event) -> None:
    watch.count("commander points")
    there = any(
        team.role == "cc" and team.at is not None for unit, team in members(watch.state) if unit.side == event.seat
    )
    if not watch.setup.options.commander:
        watch.object_to("hof.optional.cc-hero-point", "there are no Commanders in this battle")
    if not event.data["lost"] and not there:
        watch.object_to("hof.optional.cc-hero-point", "a Commander who is not on the table gives a Hero Point")


@book.on("hero")
def a_hero_point_is_spent(watch: Watch, event: Event) -> None:
    watch.count("hero points")
    before, now = watch.earlier.companies[event.seat], watch.state.companies[event.seat]
    had, has = before.hero_points + before.commander_point, now.hero_points + now.commander_point
    if has != had - 1 or has < 0:
        watch.object_to("hof.orders.hero-normal-use", f"a Hero Point of {had} was spent, and {has} are left")
    watch.memory["spent"] = watch.memory.get("spent", 0) + 1
    watch.memory["paying"] = ("hero", event.seat)


@book.after_answer
def points_are_kept(watch: Watch) -> None:
    """Order Points go by ones and twos, in their owner's turn; Hero Points only as told."""
    kinds = [event.kind for event in watch.told]
    for side in ("red", "blue"):
        before, now = watch.asked.companies[side], watch.state.companies[side]
        told = sum(event.kind == "hero" and event.seat == side for event in watch.told)
        if not {"hero-roll", "hero-renewed", "commander-point"} & set(kinds):
            gone = before.hero_points + before.commander_point - now.hero_points - now.commander_point
            if gone != told:
                watch.object_to("hof.orders.hero-normal-use", f"{side} spent {told} Hero Points and has {gone} fewer")
        if "order-dice" in kinds or "turn-end" in kinds:
            continue
        gone = before.order_points - now.order_points
        if gone:
            watch.count("order points", gone)
        if gone and side != watch.state.active:
            watch.object_to("hof.orders.spend-order-point", f"{side} spends Order Points in the enemy's turn")
        if gone != order_points_due(watch, side):
            answer = watch.entry.answer if watch.entry else ""
            watch.object_to("hof.orders.spend-order-point", f"{answer!r} costs {side} {gone} Order Points")


def order_points_due(watch: Watch, side: str) -> int:
    """What the present answer costs in Order Points."""
    entry = watch.entry
    if entry is None or entry.seat != side:
        return 0
    if entry.topic == "pay":
        return int(entry.answer == "order")
    if entry.topic == "activate":
        answer = str(entry.answer)
        if answer == "reserves-2":
            return 2
        if answer == "reserves":
            return 1
        if answer.startswith("call:"):
            return int(watch.asked.companies[side].order_points - watch.state.companies[side].order_points)
    return 0


# Who acts, and how often.


def note_acting(watch: Watch, teams: list[str], paid: str, rule: str) -> None:
    """Teams act by Order Point once a turn of their owner, by Hero Point once in any turn, and then no more in it."""
    acted = watch.memory["acted"]
    for name in teams:
        watch.count("teams that act")
        if name in acted["hero"]:
            watch.object_to("hof.orders.hero-lock", f"{name} acts again, having acted by Hero Point ({rule})")
        if paid == "order":
            if name in acted["order"]:
                watch.object_to("hof.orders.order-point-once-per-turn", f"{name} acts by Order Point again ({rule})")
            acted["order"].add(name)
        elif paid == "hero":
            acted["hero"].add(name)


@book.on("lost", "new-leader")
def a_name_is_free_again(watch: Watch, event: Event) -> None:
    """Who takes the place of a Leader who is gone may bear his name."""
    for names in watch.memory["acted"].values():
        names.discard(event.data["team"])


@book.on("activation")
def nobody_acts_too_often(watch: Watch, event: Event) -> None:
    data, side = event.data, event.seat
    watch.count("activations")
    paid = data["paid"]
    teams = list(dict.fromkeys([data["team"], *data["orders"], *leaders_of(watch, event)]))
    if paid == "free":
        watch.memory["acted"].setdefault("free", set()).update(teams)
    note_acting(watch, teams, paid, event.kind)
    turn = watch.memory["turn"]
    if paid == "order" and turn != side:
        watch.object_to("hof.orders.spend-order-point", f"{side} acts by Order Point in {turn or 'nobody'}'s turn")
    for name in teams:
        found = find(watch.state, name)
        if found is None or found[0].side != side:
            watch.object_to("hof.orders.spend-order-point", f"{name} is not {side}'s")
        elif found[1].at is None and found[1].where != "aboard":
            watch.object_to("hof.orders.spend-order-point", f"{name} acts, and is {found[1].where or 'nowhere'}")
        elif found[1].watching:
            watch.object_to("hof.artillery.any-pl-observes", f"{name} observes and gives orders all the same")
    paid_for(watch, event, paid)


def leaders_of(watch: Watch, event: Event) -> list[str]:
    """A Leader who has just been found acts with the Team beside which he appeared."""
    return [
        told.data["team"]
        for told in watch.memory.get("since-call", ())
        if told.kind == "new-leader" and told.data["unit"] == event.data["unit"] and event.data["paid"] != "free"
        if "hof.optional.cc-promotion" not in told.rules and find(watch.state, told.data["team"]) is not None
    ]


def paid_for(watch: Watch, event: Event, paid: str) -> None:
    """Something was spent since the player said whom he activates; the Commander's point pays for two."""
    payment = watch.memory.get("payment", "")
    if watch.entry is not None and (watch.entry.topic, watch.entry.answer) == ("pay", "order"):
        payment = payment or "order"
    if paid in ("order", "hero") and payment != paid:
        watch.object_to("hof.orders.spend-order-point", f"an activation by {paid} was paid with {payment or 'nothing'}")
    if paid == "free" and not any(told.kind == "recon-reaction" for told in watch.memory.get("since-call", ())):
        watch.object_to("hof.orders.spend-order-point", "a free activation without cause")
    brings = find(watch.state, event.data["team"])
    shared = watch.setup.options.commander and brings is not None and brings[1].role == "cc"
    watch.memory["payment"] = payment if shared else ""


@book.on()
def note_payment(watch: Watch, event: Event) -> None:
    if event.kind == "hero":
        watch.memory["payment"] = "hero"


@book.after_answer
def note_order_point(watch: Watch) -> None:
    entry = watch.entry
    if entry is not None and entry.topic in ("activate", "react"):
        watch.memory["payment"] = "hero" if any(event.kind == "hero" for event in watch.told) else ""
    elif entry is not None and (entry.topic, entry.answer) == ("pay", "order"):
        told = any(event.kind == "activation" for event in watch.told)
        watch.memory["payment"] = watch.memory.get("payment") or ("" if told else "order")


@book.on("activation", "move", "fire", "assault")
def the_turn_is_somebodys(watch: Watch, event: Event) -> None:
    if not watch.memory["turn"]:
        watch.object_to("hof.orders.one-activation-at-a-time", "somebody acts between two turns")


@book.on("massed-assault")
def a_massed_assault_is_paid_by_hero_point(watch: Watch, event: Event) -> None:
    watch.count("massed assaults")
    note_acting(watch, event.data["teams"], "hero", event.kind)
    if watch.memory.get("payment") != "hero":
        watch.object_to("hof.national.su-massed-assault", "a Massed Assault without a Hero Point")
    for name in event.data["teams"]:
        found = find(watch.state, name)
        if found is None or found[0].nation != "soviet" or found[0].side != event.seat:
            watch.object_to("hof.national.su-massed-assault", f"{name} is no Soviet Team of {event.seat}")


@book.on("interrupt")
def who_interrupts_is_locked(watch: Watch, event: Event) -> None:
    watch.count("interruptions")
    note_acting(watch, [event.data["team"]], "hero", event.kind)
    if event.seat != enemy(watch.memory["turn"]):
        # In an assault the defender may drive off, and the active player interrupts him.
        watch.count("interruptions of defenders")
