"""Units: who is in command, how far units keep apart, which figures are lost with which, and who sits on a horse."""

from __future__ import annotations

from sandtable.field.formations import hang_together
from sandtable.field.kept import Kept
from sandtable.rulesets.sof.core.board import Battle, board
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Figure, Formation, Unit
from sandtable.table.hairs import A_HAIR, CONTACT
from sandtable.table.shapes import Floats

COMMAND: dict[Formation, tuple[float, str]] = {
    "close": (CONTACT, "sof.formations.close-order"),
    "loose": (0.5, "sof.formations.loose-order"),
    "extended": (1.0, "sof.formations.extended-order"),
    "linear": (CONTACT, "sof.formations.linear-ranks"),
}
"""How far apart the models of a unit may be in each formation, and the rule that says so."""

SEPARATION = 2.0
"""sof.units.separation, sof.movement.proximity"""


def command_distance(unit: Unit) -> tuple[float, str]:
    """How far apart its models may be, and by which rule."""
    if unit.type == "weapon":
        return COMMAND["loose"][0], "sof.formations.weapon-gun-always-loose"
    return COMMAND[unit.formation]


def stands_in_command(unit: Unit, rows: Floats) -> bool:
    """sof.units.in-command: whether the models, standing so, are one chain; a single one always is."""
    return hang_together(rows, command_distance(unit)[0], A_HAIR)


IN_COMMAND: Kept[str, tuple[tuple[int, float], bool]] = Kept()
"""Of a unit, with the version in which it last moved and how far apart its models may be: whether it is in command."""


def is_in_command(game: Battle, unit: Unit) -> bool:
    """Whether a unit is in command where it stands now."""
    here = board(game)
    kept, now = IN_COMMAND.of(here), (here.moved(unit), command_distance(unit)[0])
    found = kept.get(unit.id)
    if found is None or found[0] != now:
        found = kept[unit.id] = now, stands_in_command(unit, here.rows_of(unit))
    return found[1]


def note_command(game: Battle, unit: Unit) -> None:
    """sof.units.in-command-lasts: what it is when its activation ends, it is until its next one ends."""
    now = is_in_command(game, unit)
    if now != unit.in_command:
        unit.in_command = now
        words = "is in command again." if now else "is no longer in command."
        from_rules = ("sof.units.in-command", "sof.units.in-command-lasts", command_distance(unit)[1])
        game.tell("command", f"{label(unit)} {words}", *from_rules, seat=unit.side, unit=unit.id, in_command=now)


def change_seat(figure: Figure, mounts: bool) -> None:
    """The horse's wound goes and comes with it: without it he has as many left on foot as he had in the saddle."""
    if mounts:
        figure.permanent += figure.unhorsed
        figure.unhorsed = False
    elif figure.permanent:
        figure.permanent -= 1
        figure.unhorsed = True
    figure.mounted = mounts
