"""The orders by which a unit moves, and what may change with them: formation, alignment, facing."""

from __future__ import annotations

from functools import partial

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option, Why, illegal
from sandtable.rulesets.sof.actions.advance import to_the_front
from sandtable.rulesets.sof.core.board import Battle, nearest_enemy
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Alignment, Figure, Formation, Unit
from sandtable.rulesets.sof.formations import (
    ALIGNMENTS,
    FORMATIONS,
    SPOKEN,
    alignment_rule,
    may_take,
    why_not_alignment,
    why_not_formation,
)
from sandtable.rulesets.sof.movement import How, MoveLaw, advance, move, must_lead_away
from sandtable.rulesets.sof.units import command_distance, is_in_command


def maneuver(game: Battle, unit: Unit, led: Figure | None = None) -> Flow[None]:
    """`led` is the officer who leads it forward, straight at the nearest enemy."""
    law = MoveLaw.of(game, unit, "maneuver")
    if led is not None:
        enemy = nearest_enemy(game, unit)
        if enemy is not None:
            yield from advance(game, law, enemy, "sof.actions.maneuver-once", "sof.leadership.advance-move")
            to_the_front(game, unit, led, enemy)
            return
    if unit.type == "mounted":
        yield from change_formation(game, unit, law, "sof.movement.change-formation-mounted")
    yield from move_or_revert(game, unit, law, "sof.actions.maneuver-once")


def double_time(game: Battle, unit: Unit) -> Flow[None]:
    law = MoveLaw.of(game, unit, "double-time")
    if unit.formation == "linear":
        yield from other_order(game, unit, law)
    else:
        yield from change_formation(game, unit, law, "sof.movement.change-formation")
    yield from move_or_revert(game, unit, law, "sof.actions.double-time")


def fall_back(game: Battle, unit: Unit) -> Flow[None]:
    law = MoveLaw.of(game, unit, "fall-back", how="form")
    yield from change_formation(game, unit, law, "sof.actions.fall-back-formation")
    must_lead_away(law)
    yield from move_or_revert(game, unit, law, "sof.actions.fall-back")


KEEP = "keep"


MOVES: dict[str, str] = {
    "maneuver": "Where",
    "double-time": "Double Time: where",
    "fall-back": "Fall-Back: where",
}
"""How it is asked where a unit goes: what it does, where a drag does not say so."""


def move_or_revert(game: Battle, unit: Unit, law: MoveLaw, rule: str) -> Flow[None]:
    """A unit moves; one that stays where it could not be in its new formation is in the old one as before."""
    moved = yield from move(game, law, f"{MOVES[law.manner]} does {label(unit)} go?", rule)
    stands = unit.formation != "linear" and is_in_command(game, unit)
    if not moved and not stands and (unit.formation, unit.alignment) != law.before:
        unit.formation, unit.alignment = law.before
        text = f"{label(unit)} does not stand so and is in {SPOKEN[unit.alignment or unit.formation]} as before."
        data = {"formation": unit.formation, "alignment": unit.alignment}
        game.tell("formation", text, "sof.formations.clearly-deployed", seat=unit.side, unit=unit.id, **data)  # type: ignore[arg-type]
    if unit.formation != "linear":
        unit.pose = None


def formations(unit: Unit) -> Choices[tuple[Formation, Alignment]]:
    """sof.movement.change-formation: what a unit may change to, free of cost, before a move; first, to keep its own."""
    things: dict[str, tuple[Formation, Alignment]] = {KEEP: (unit.formation, unit.alignment)}
    for each in FORMATIONS:
        if each != unit.formation:
            things |= {a: ("linear", a) for a in ALIGNMENTS} if each == "linear" else {each: (each, "")}

    def why_not(thing: tuple[Formation, Alignment]) -> Why:
        formation, alignment = thing
        if thing == (unit.formation, unit.alignment):
            return None
        if not may_take(unit, formation):
            return partial(why_not_formation, unit, formation)
        return why_not_alignment(unit, alignment) if alignment else None

    return Choices(things, lambda thing: formation_option(unit, thing), why_not)


def change_formation(game: Battle, unit: Unit, law: MoveLaw, rule: str) -> Flow[None]:
    choices = formations(unit)
    if len(choices) == 1:
        return
    words = f"In which formation does {label(unit)} go?"
    formation, alignment = yield from choose_one(
        unit.side, "formation", words, choices, rules=(rule,), facts={"unit": unit.id}, step="detail"
    )
    adopt(game, unit, law, formation, alignment, rule)


def formation_option(unit: Unit, thing: tuple[Formation, Alignment]) -> Option:
    formation, alignment = thing
    named = alignment or formation
    if thing == (unit.formation, unit.alignment):
        return Option(KEEP, f"Keep {SPOKEN[named]}", shape=named)
    return Option(named, SPOKEN[named].capitalize(), shape=named)


def adopt(game: Battle, unit: Unit, law: MoveLaw, formation: Formation, alignment: Alignment, rule: str) -> None:
    """A unit takes another formation; into ranks it still has to form up, and out of them its figures move freely."""
    if (formation, alignment) == (unit.formation, unit.alignment):
        return
    text = f"{label(unit)} goes from {SPOKEN[unit.alignment or unit.formation]} to {SPOKEN[alignment or formation]}."
    data = {"formation": formation, "alignment": alignment}
    unit.formation, unit.alignment = formation, alignment
    if formation == "linear":
        law.how = "form"
    stands = ["sof.formations.linear-must-have-alignment", alignment_rule(unit, alignment)] if alignment else []
    rules = [rule, "sof.formations.which-allowed", *(stands or [command_distance(unit)[1]])]
    game.tell("formation", text, *rules, seat=unit.side, unit=unit.id, **data)  # type: ignore[arg-type]


ORDERS: dict[str, tuple[How, str, str]] = {
    "about-face": ("about", "Turn about", "sof.movement.linear-about-face"),
    "face": ("face", "Face another way, on the NCO", "sof.movement.linear-other-facing"),
}


def linear_orders(game: Battle, unit: Unit) -> Choices[str]:
    """What a unit in linear order may do with its Double Time; first, to march on."""
    things: dict[str, str] = {KEEP: KEEP, **dict.fromkeys(ORDERS, "")}
    things |= {name: "" for name in (*ALIGNMENTS, *FORMATIONS) if name not in (unit.alignment, "linear")}

    def why_not(name: str) -> Why:
        if name == "face" and not unit.ncos:
            message = f"{label(unit)} has no NCO to form up on."
            return illegal("sof.movement.linear-other-facing", message, field=name, legal="It may wheel or turn about.")
        if name == "about-face":
            refusal = MoveLaw.of(game, unit, "double-time", how="about").refuse_turn()
            return refusal and illegal("sof.movement.linear-about-face", refusal.message, field=name)
        if name in ALIGNMENTS:
            return why_not_alignment(unit, name)
        return why_not_formation(unit, name) if name in FORMATIONS else None

    return Choices({name: name for name in things}, lambda name: order_option(unit, name), why_not)


def orders_with(game: Battle, unit: Unit, action: str) -> tuple[Option, ...]:
    """What may be ordered in one gesture with a move: how the unit shall stand."""
    if action == "double-time" and unit.formation == "linear":
        return tuple(linear_orders(game, unit))
    changes = action in ("double-time", "fall-back") or (action == "maneuver" and unit.type == "mounted")
    found = tuple(formations(unit)) if changes else ()
    return found if len(found) > 1 else ()


def other_order(game: Battle, unit: Unit, law: MoveLaw) -> Flow[None]:
    choices = linear_orders(game, unit)
    words = f"How does {label(unit)} use its Double Time?"
    rules = ("sof.movement.linear-wheel", "sof.movement.change-alignment")
    name = yield from choose_one(
        unit.side, "order", words, choices, rules=rules, facts={"unit": unit.id}, step="detail", always=True
    )
    if name in ORDERS:
        law.how, _, rule = ORDERS[name]
        law.slow_down()
        game.tell("order", f"{label(unit)}: {ORDERS[name][1]}.", rule, seat=unit.side, unit=unit.id, order=name)
    elif name in ALIGNMENTS:
        law.how = "align"
        law.slow_down()
        text = f"{label(unit)} forms {SPOKEN[name]}."
        cited = ("sof.movement.change-alignment", "sof.movement.change-alignment-move", alignment_rule(unit, name))
        unit.alignment = name
        game.tell("order", text, *cited, seat=unit.side, unit=unit.id, order=name)
    elif name in FORMATIONS:
        adopt(game, unit, law, name, "", "sof.movement.change-formation")


def order_option(unit: Unit, name: str) -> Option:
    if name == KEEP:
        return Option(
            KEEP, f"March on in {SPOKEN[unit.alignment]}", ("sof.movement.linear-wheel",), shape=unit.alignment
        )
    if name in ORDERS:
        return Option(name, ORDERS[name][1], (ORDERS[name][2],), shape=name)
    rule = "sof.movement.change-alignment" if name in ALIGNMENTS else "sof.movement.change-formation"
    return Option(name, SPOKEN[name].capitalize(), (rule,), shape=name)
