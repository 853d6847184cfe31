"""What the second umpire keeps in mind of a game, and how it looks into a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arsenal import Kind, kinds
from sandtable.testing.umpire.tr14.geometry import Land, Pose, Spot, land_of, pose_of, with_smoke

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import Side, State, Team, Unit

FIRE_TOPICS = ("fire", "reaction-fire", "suppressive-fire")


@dataclass
class Activation:
    """One activation: who, whether its Check succeeded, and what has come of it so far."""

    unit: str
    passed: bool
    die: int
    markers: int
    six: bool = False
    action: str = ""
    placed: bool = False
    moves: int = 0
    volleys: int = 0


@dataclass
class Move:
    """A Unit on its way: the way of each Team, how it shall face, and whose ways were cut short."""

    unit: str
    ways: dict[str, list[Spot]]
    facings: dict[str, float]
    charge: bool = False
    before: State | None = None
    move_ups: set[str] = field(default_factory=set)
    cut: dict[str, list[float]] = field(default_factory=dict)


@dataclass
class Log:
    """The course of one game as the umpire has followed it."""

    dry: Land
    side: Side
    number: int
    acted: set[str]
    rolled: str = ""
    """Who won the roll for the first Initiative, until that begins."""
    tie: bool = False
    began: bool = False
    activation: Activation | None = None
    commands: dict[str, int] = field(default_factory=dict)
    appointed: dict[str, int] = field(default_factory=dict)
    directed: list[tuple[str, str, list[Any]]] = field(default_factory=list)
    """Fire that leaders have directed since the last volley: by whom, whose, and which throws."""
    shot: dict[str, int] = field(default_factory=dict)
    """In which Initiative each Team last fired."""
    chosen: str = ""
    orders: dict[str, str] = field(default_factory=dict)
    move: Move | None = None
    rolls: list[Event] = field(default_factory=list)
    """Rolls for rough ground that belong to no Move yet."""
    volley: Any = None
    fight: Any = None
    barrage: Any = None
    casualties: dict[str, int] = field(default_factory=dict)
    """Teams that each Unit has lost in this round."""
    morale: set[str] = field(default_factory=set)
    smoky: tuple[tuple[Any, ...], Land] | None = None


def log(watch: Watch) -> Log:
    found: Log = watch.memory["tr14"]
    return found


def begin(watch: Watch) -> None:
    state: State = watch.state
    watch.memory["tr14"] = Log(
        dry=land_of(watch.setup),
        side=state.initiative,
        number=state.initiative_number,
        acted={unit.id for unit in state.units.values() if unit.activated},
        commands={name: used for company in state.companies.values() for name, used in company.commands.items()},
        appointed={side: company.appointed for side, company in state.companies.items()},
        shot={team.id: team.shot for _, team in teams_of(state)},
        casualties={unit.id: unit.casualties for unit in state.units.values()},
    )


def land(watch: Watch, state: State | None = None) -> Land:
    """The ground as it is in a state, smoke included."""
    kept = log(watch)
    smoke = (watch.state if state is None else state).smoke
    if not smoke:
        return kept.dry
    key = tuple((each.at, each.facing) for each in smoke)
    if kept.smoky is None or kept.smoky[0] != key:
        kept.smoky = key, with_smoke(kept.dry, smoke)
    return kept.smoky[1]


# Looking into a state.


def kind(team: Team) -> Kind:
    return kinds()[team.profile]


def teams_of(state: State) -> Iterator[tuple[Unit, Team]]:
    for unit in state.units.values():
        for team in unit.teams.values():
            if team.at is not None:
                yield unit, team


def team_in(state: State, name: str) -> tuple[Unit, Team] | None:
    for unit in state.units.values():
        if name in unit.teams:
            return unit, unit.teams[name]
    return None


def side_of(state: State, side: str) -> list[tuple[Unit, Team]]:
    return [(unit, team) for unit, team in teams_of(state) if unit.side == side]


def enemies_of(state: State, side: str) -> list[tuple[Unit, Team]]:
    return [(unit, team) for unit, team in teams_of(state) if unit.side != side]


def platoons(state: State, side: str | None = None) -> list[Unit]:
    """Units that count as Units."""
    return [unit for unit in state.units.values() if not unit.apart and side in (None, unit.side)]


def observers_of(state: State, unit: Unit) -> list[Unit]:
    return [
        each
        for each in state.units.values()
        if each.apart == "fo" and each.battery == unit.id and each.side == unit.side
    ]


def commander(state: State, side: str) -> tuple[Unit, Team] | None:
    for unit in state.units.values():
        if unit.apart == "cc" and unit.side == side:
            return unit, next(iter(unit.teams.values()))
    return None


def leader(unit: Unit) -> Team | None:
    return next((team for team in unit.teams.values() if team.role == "pl"), None)


def poses(teams: Sequence[Team]) -> list[Pose]:
    return [pose_of(team) for team in teams]


def first_rolls(throw: Any) -> list[int]:
    """What the dice of a throw showed before any was rolled again."""
    return [throw.before.get(number, value) for number, value in enumerate(throw.values)]


def command(watch: Watch, name: str) -> None:
    """tr14.leaders.once-per-initiative: a leader gives a command."""
    kept = log(watch)
    if kept.commands.get(name) == kept.number:
        watch.object_to("tr14.leaders.once-per-initiative", f"{name} commands twice in one Initiative")
    kept.commands[name] = kept.number


def orders(watch: Watch) -> dict[str, str]:
    """The orders to fire that were given last."""
    if watch.entry is not None and watch.entry.topic in FIRE_TOPICS:
        return dict(watch.entry.answer)
    return log(watch).orders


def chosen(watch: Watch) -> str:
    """The Unit that was chosen last to activate."""
    if watch.entry is not None and watch.entry.topic == "activate":
        return str(watch.entry.answer)
    return log(watch).chosen


def keep_orders(watch: Watch) -> None:
    """Answers that are looked up again when something has come of them."""
    if watch.entry is not None and watch.entry.topic in FIRE_TOPICS:
        log(watch).orders = dict(watch.entry.answer)
    if watch.entry is not None and watch.entry.topic == "activate":
        log(watch).chosen = watch.entry.answer
