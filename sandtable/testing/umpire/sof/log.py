"""What the second umpire keeps in mind of a game of Storm of Fire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.table import NEVER, Maybe

SINGLES = ("assault", "fire", "maneuver", "rally", "clear-jam", "mount", "dismount", "communicate")
DOUBLES = (
    "double-time",
    "fall-back",
    "hit-the-dirt",
    "sustained-fire",
    "bangalore-torpedoes",
    "extended-charges",
)


@dataclass
class Act:
    """One activation: who, in which phase, what it has done, and where the enemies were."""

    unit: str
    side: str
    phase: int
    actions: list[str] = field(default_factory=list)
    encouraged: set[str] = field(default_factory=set)
    closed: bool = False
    advance: str = ""
    """The officer who leads an Inspired Advance."""
    straight: Maybe = NEVER
    """Whether it has moved straight at the nearest enemy."""


@dataclass
class Shots:
    """One attack by fire, from the choice of a target to the last wound."""

    unit: str
    target: str
    before: Any
    """The state as it was when the target was chosen."""
    closing: bool = False
    moving: bool = False
    sustained: bool = False
    status: dict[str, Any] = field(default_factory=dict)
    teams: tuple[str, ...] = ()
    events: list[Event] = field(default_factory=list)
    chosen: dict[str, str] = field(default_factory=dict)
    ways: dict[str, Any] = field(default_factory=dict)
    """How each weapon was fired, with what its figures' own weapons have beside the charts."""
    hits: list[tuple[str, str, int]] = field(default_factory=list)
    """Hits that count, with the unit that fires and its way to fire, in the order of their dice."""
    own: int = 0
    """Natural ones with improvised grenades."""
    pending: list[list[Any]] = field(default_factory=list)
    suppressed: bool = False
    ground: str = ""
    """`must` when somebody must check his Tenacity, `done` when he has."""
    grounded: str = ""
    """Who that is: the target, or whoever has been struck by his own grenades."""


@dataclass
class Fight:
    """One close combat."""

    attacker: str
    target: str
    before: Any
    defenders: list[str] = field(default_factory=list)
    links: dict[str, set[str]] = field(default_factory=dict)
    round: int = 1
    struck: list[tuple[str, int]] = field(default_factory=list)
    owed: dict[str, int] = field(default_factory=dict)
    """Hits of which the losses are not told yet, by the unit that was struck."""
    moved: set[str] = field(default_factory=set)
    touching: dict[str, set[str]] = field(default_factory=dict)
    support: dict[str, set[str]] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    """Those who plainly touch an enemy, or a mate who does."""
    broke: list[str] = field(default_factory=list)
    done: bool = False


@dataclass
class Course:
    """The course of a game."""

    turn: int
    stage: str = ""
    zones: dict[str, tuple[set[str], set[str]]] | None = None
    owed: list[str] = field(default_factory=list)
    """Units that must still take the present step of the Start Phase, in their order."""
    last: str = ""
    """Who had the last go in this phase."""
    number: int = 6
    previous: str = ""
    dice: dict[str, list[int]] = field(default_factory=dict)
    act: Act | None = None
    shots: Shots | None = None
    fight: Fight | None = None
    passed: set[str] = field(default_factory=set)
    seniors: dict[str, set[str]] = field(default_factory=dict)
    overrides: dict[str, str] = field(default_factory=dict)
    overridden: set[str] = field(default_factory=set)
    offered: dict[str, int] = field(default_factory=dict)
    """The last phase at whose beginning a side could use its Command Override; 6 when it was set aside."""
    overriding: bool = False
    """Whether a unit is being activated by a Command Override."""
    forced: set[str] = field(default_factory=set)
    casualties: dict[str, int] = field(default_factory=dict)
    """Casualties that a unit must still take, by its id."""
    encouraged: tuple[str, int] | None = None
    exposed: set[str] = field(default_factory=set)
    """Officers who have led an Inspired Advance this turn."""


def course(watch: Watch) -> Course:
    found: Course = watch.memory["sof"]
    return found


@book.at_start
def open_the_log(watch: Watch) -> None:
    state = watch.state
    watch.memory["sof"] = Course(
        turn=state.turn if state.phase == "activate" else state.turn - 1,
        number=state.number,
        previous=state.initiative,
        last=state.initiative if state.acting not in ("", state.initiative) else "",
        stage="play" if state.phase == "activate" else "",
        dice={name: list(group.dice) for name, group in state.battlegroups.items()}
        | {f"force-{side}": list(force.dice) for side, force in state.force_dice.items()},
        passed=set(state.passed),
        overrides=dict(state.overrides),
        overridden=set(state.overridden),
        offered={side: state.number + (side in state.opening) for side in state.overrides},
        forced={unit.id for unit in state.units.values() if unit.forced},
        seniors={who: set(units) for group in state.battlegroups.values() for who, units in group.seniors.items()},
        exposed={
            name
            for unit in state.units.values()
            for name, figure in unit.teams.items()
            if figure.advanced and figure.advanced == state.turn
        },
    )


def passes(faces: Sequence[int], again: Sequence[int], needed: int, *, assault: bool = False) -> int:
    """How many d6 checks pass: what is needed above 6 asks for a six and a second die.

    In close combat a natural 1 always fails, and two sixes always pass.
    """
    if needed <= 6:
        return sum(face >= needed and not (assault and face == 1) for face in faces)
    second = {7: 5, 8: 6}.get(needed, 6 if assault else 7)
    return sum(face >= second for face in again)


def sixes_again(watch: Watch, event: Event, needed: int, *, assault: bool = False) -> list[int]:
    """The further dice of a check that needs more than 6, as many as there are sixes."""
    first = event.dice[0].values
    again = [face for more in event.dice[1:] for face in more.values]
    due = first.count(6) if needed in (7, 8) or (needed > 6 and assault) else 0
    if len(again) != due and not event.dice[0].before:
        watch.object_to("sof.basics.difficult-when", f"{due} further dice are due on {needed}+, and {len(again)} fall")
    return list(again)


def missed(event: Event, needed: int, *, assault: bool = False) -> set[int]:
    """Which dice of a check failed when they first fell, also sixes with too little on their second die."""
    first = event.dice[0]
    faces = [first.before.get(n, face) for n, face in enumerate(first.values)]
    sixes = [n for n, face in enumerate(faces) if face == 6]
    further = event.dice[1].values if needed > 6 and sixes and len(event.dice) > 1 else []
    good = {n for n, face in zip(sixes, further, strict=False) if passes([6], [face], needed, assault=assault)}
    if needed <= 6:
        good = {n for n, face in enumerate(faces) if passes([face], [], needed, assault=assault)}
    return set(range(len(faces))) - good


def by_recon(watch: Watch, event: Event) -> bool:
    """Whether one of the dice of a check was rolled again for recon points; it must have failed before."""
    die = watch.memory.pop("sof.again", None)
    if die is None:
        return False
    watch.count("checks with a die rolled again by recon")
    first, needed = event.dice[0], event.data.get("needed")
    if die not in first.before:
        watch.object_to("sof.recon.reroll", f"die {die} of {first.values} is not rolled again")
    elif isinstance(needed, int) and needed <= 6 and first.before[die] >= needed:
        watch.object_to("sof.recon.reroll", f"a {first.before[die]} on {needed}+ is rolled again")
    return True


@book.after_answer
def a_reroll_is_used_at_once(watch: Watch) -> None:
    watch.memory.pop("sof.again", None)


def unit_in(state: Any, name: str) -> Any:
    return state.units.get(name)


def roster(state: Any) -> list[Any]:
    """All units, the attacker's first."""
    first = state.attacker
    units = list(state.units.values())
    return [unit for unit in units if unit.side == first] + [unit for unit in units if unit.side != first]


def answer(watch: Watch, topic: str) -> Any:
    """The present answer, if it is to a question of this topic."""
    if watch.entry is not None and watch.entry.topic == topic:
        return watch.entry.answer
    return None
