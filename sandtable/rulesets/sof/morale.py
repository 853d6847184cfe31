"""Morale: rallying, Tenacity, and when a battlegroup or a force leaves the battle."""

from __future__ import annotations

from sandtable.engine.events import Modifier, several
from sandtable.engine.game import Flow
from sandtable.engine.ruleset import Result
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.checks import REROLL_RULES, check, reroll
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Side, State, Unit, leader_of, members_of, other, sides_in_order, units_of
from sandtable.rulesets.sof.losses import lose_unit
from sandtable.rulesets.sof.movement import forced_back
from sandtable.rulesets.sof.units import note_command

LINEAR_MINIMUM = 6
"""sof.morale.minimum-infantry-linear"""

MINIMUM = 3
"""sof.morale.minimum-infantry, sof.morale.minimum-mounted"""

WEAPON_MINIMUM = 2
"""sof.morale.minimum-weapon"""

EXCESS = 4
"""sof.morale.excess-suppression"""

UNITS_OF_A_BATTLEGROUP = 2
"""sof.morale.battlegroup-minimum"""


# Rallying.


def rally_modifiers(unit: Unit) -> list[Modifier]:
    if unit.formation == "close":
        return [Modifier(1, "sof.morale.rally-close", "close order")]
    if unit.formation == "linear" and unit.alignment == "column":
        return [Modifier(1, "sof.morale.rally-column", "attack column")]
    return []


def rally(game: Battle, unit: Unit, *rules: str) -> Flow[None]:
    """sof.morale.rally: one die for each suppression marker; each that passes takes one away."""
    if not unit.suppression:
        return
    why = f"{label(unit)} rallies"
    done = yield from check(game, unit.side, unit.suppression, unit.rally, why, rally_modifiers(unit))
    cited = [*rules, "sof.morale.rally", "sof.units.morale-check", *done.rules]
    chaplains = sum(figure.role == "chaplain" for figure in unit.able)
    if done.missed and chaplains:
        # One failed check each again: nobody would leave that out, for the marker stays as it is at worst.
        yield from reroll(game, done, done.missed[:chaplains], why)
        cited += ["sof.specialists.chaplain", *REROLL_RULES]
        cited += ["sof.basics.reroll-cumulative"] if chaplains > 1 else []
    unit.suppression -= done.passes
    removed = several(done.passes, "marker")
    text = f"{label(unit)} rallies on {done.needed}+: {removed} removed, {unit.suppression} left."
    game.tell(
        "rally",
        text,
        *cited,
        seat=unit.side,
        dice=done.throws,
        modifiers=done.modifiers,
        unit=unit.id,
        needed=done.needed,
        removed=done.passes,
        left=unit.suppression,
    )


# Tenacity.


def minimum_of(unit: Unit) -> tuple[int, str]:
    """How many models a unit must have not to be below minimum strength, and by which rule."""
    if unit.hq:
        return 0, "sof.morale.minimum-command"
    if unit.type == "weapon":
        return WEAPON_MINIMUM, "sof.morale.minimum-weapon"
    if unit.type == "mounted":
        return MINIMUM, "sof.morale.minimum-mounted"
    if unit.formation == "linear":
        return LINEAR_MINIMUM, "sof.morale.minimum-infantry-linear"
    return MINIMUM, "sof.morale.minimum-infantry"


def why_tenacity(unit: Unit) -> list[str]:
    """The rules by which a unit must check its Tenacity at the start of a turn; none if it need not."""
    least, rule = minimum_of(unit)
    # Whoever bears no permanent wound counts for one man at least: of most units so many are enough.
    unhurt = sum([not each.permanent for each in unit.teams.values()])
    found = [rule] if unhurt < least and unit.strength < least else []
    return [*found, "sof.morale.excess-suppression"] if unit.suppression >= EXCESS else found


def tenacity(game: Battle, unit: Unit, *rules: str, turned_back: bool = False) -> Flow[bool]:
    """A Tenacity check; one that fails brings a marker and a Fall-Back, or the end of the unit. True if it passed.

    `turned_back`: closing fire has turned its assault back, so that breaking off is the one move that it makes.
    """
    done = yield from check(game, unit.side, 1, unit.tenacity, f"{label(unit)} checks its Tenacity")
    text = f"{label(unit)} needs {done.needed}+ to hold, rolls {done.throw.value}."
    cited = (*rules, "sof.morale.tenacity-check", "sof.units.morale-check", *done.rules)
    data = {"needed": done.needed, "passed": done.ok}
    game.tell("tenacity", text, *cited, seat=unit.side, dice=done.throws, unit=unit.id, **data)  # type: ignore[arg-type]
    if done.ok:
        return True
    unit.suppression += 1
    if unit.forced or turned_back:
        why = "breaks off all the same" if turned_back else "makes no further Fall-Back this turn"
        text = f"{label(unit)} takes another suppression marker, and {why}."
        rules = ("sof.morale.tenacity-once", "sof.morale.tenacity-fail")
        rules = (*rules, "sof.close-combat.turned-back") if turned_back else rules
        game.tell("stays", text, *rules, seat=unit.side, unit=unit.id, suppression=unit.suppression)
        return False
    unit.forced = unit.activated = True
    text = f"{label(unit)} takes a suppression marker and falls back; that is its activation this turn."
    game.tell("gives-way", text, "sof.morale.tenacity-fail", seat=unit.side, unit=unit.id, suppression=unit.suppression)
    back = yield from forced_back(game, unit)
    if not back:
        yield from lose_unit(game, unit, "it cannot fall back", "sof.morale.tenacity-removed")
    elif unit.id in game.state.units:
        note_command(game, unit)
    return False


# Battlegroups and forces.


def below_strength(state: State, battlegroup: str) -> str | None:
    """The rule by which a battlegroup is below minimum strength, if it is."""
    if len(members_of(state, battlegroup)) < UNITS_OF_A_BATTLEGROUP:
        return "sof.morale.battlegroup-minimum"
    return "sof.leadership.promotion-none" if leader_of(state, battlegroup) is None else None


def battlegroup_morale(game: Battle) -> Flow[Result | None]:
    """Battlegroups below minimum strength leave, a force without one is beaten; the result, if that ends the battle."""
    state = game.state
    for side in sides_in_order(state):
        for name in [name for name, group in state.battlegroups.items() if group.side == side]:
            rule = below_strength(state, name)
            if rule is not None:
                yield from withdraw(game, name, rule)
    beaten = [side for side in sides_in_order(state) if not any(g.side == side for g in state.battlegroups.values())]
    for side in beaten:
        for unit in units_of(state, side):
            yield from lose_unit(game, unit, "no battlegroup is left", "sof.force.support-units-leave")
    return defeat(beaten)


def withdraw(game: Battle, name: str, rule: str) -> Flow[None]:
    """A battlegroup below minimum strength leaves the table with all its units."""
    group = game.state.battlegroups.pop(name)
    text = f"{group.name or name} is below its minimum strength and withdraws."
    rules = ["sof.turn.start-battlegroup", "sof.morale.battlegroup-removed", rule]
    rules += ["sof.force.attached-count-for-strength"]
    if any(unit.belongs == "support" for unit in units_of(game.state, group.side)):
        rules.append("sof.force.support-units-outside-battlegroups")
    game.tell("battlegroup-lost", text, *rules, seat=group.side, battlegroup=name)
    for unit in members_of(game.state, name):
        yield from lose_unit(game, unit, "its battlegroup withdraws", "sof.morale.battlegroup-removed")


def defeat(beaten: list[Side]) -> Result | None:
    if not beaten:
        return None
    if len(beaten) > 1:
        return Result(None, "Neither side has a battlegroup left.", "sof.morale.force-removed")
    loser = beaten[0].capitalize()
    return Result(other(beaten[0]), f"{loser} has no battlegroup left.", "sof.morale.force-minimum")
