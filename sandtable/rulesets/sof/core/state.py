"""What lies on the table and what is known of it: plain data, nothing hidden, nothing derived.

A set-up holds units in the same form as the state does, so any moment of a game can be written down as a set-up.
Suppression lies at the unit; a figure keeps only what is its own. A unit in linear order is a pose, and its figures'
places follow from it (`field.formations`).
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.engine.ruleset import Result
from sandtable.field.formations import Pose, places
from sandtable.field.set_ups import copied, in_common, name_all
from sandtable.field.troops import SIDES as SIDES
from sandtable.field.troops import Point as Point
from sandtable.field.troops import Ranks
from sandtable.field.troops import Side as Side
from sandtable.field.troops import Table as Table
from sandtable.field.troops import other as other
from sandtable.field.zones import AnyEdge
from sandtable.rulesets.sof.core.arsenal import Kind, Special, kind, weapons
from sandtable.table.shapes import snap, stored_facing
from sandtable.table.terrain import Feature

Training = Literal["inexperienced", "regular", "veteran"]
UnitType = Literal["infantry", "mounted", "weapon"]
"""sof.units.five-types; guns and vehicles are not here yet."""

Formation = Literal["close", "loose", "extended", "linear"]
Alignment = Literal["", "line", "column", "march-column"]
Belongs = Literal["core", "attached", "support"]
Capability = Literal["inspiring", "energetic", "competent", "difficult", "green", "acting"]
Specialist = Literal[
    "staff-officer",
    "aide",
    "chaplain",
    "medic",
    "farrier",
    "handler",
    "standard-bearer",
    "musician",
    "communication-1",
    "communication-2",
    "communication-3",
]
"""sof.specialists.options: who may be in an HQ unit, and in no other; a communication specialist has a level."""

Role = Literal["", "officer", "senior-nco", "nco", "loader", "crew"] | Specialist
SpecialRule = Literal["bombers", "camouflage", "cavalry", "marksmen", "no-head-protection", "recon", "sharpshooters"]
"""Unit special rules that are in force; the rest of that chapter is not here yet."""

Equipment = Literal["bangalore-torpedoes", "extended-charges", "smoke-grenades"]
"""What a unit carries that no chart has."""

Reserve = Literal["", "tactical", "released", "immediate"]
"""In which reserve a unit waits off the table; `released`: a Tactical Reserve that may enter this turn."""

PISTOL = "pistol"
CHARACTERS: tuple[Role, ...] = ("officer", "senior-nco", "nco")
UNARMED_ROLES: dict[Role, str] = {
    "chaplain": "sof.specialists.chaplain-unarmed",
    "medic": "sof.specialists.medic-unarmed",
}
"""Who carries no weapon and takes no part in a fight, by which rule."""

SPECIALISTS: tuple[Role, ...] = get_args(Specialist)


class Figure(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """One man, with the weapon of the charts that he serves (`profile`) and what else he carries (`arms`).

    `wounds` are the wound markers that lie on him, `permanent` those wounds that no longer heal. `unhorsed`: he is on
    foot, and of his horse's wound nothing is left. `traits` are special rules that his own weapon has beside those of
    its chart. `men`: so many share his base; 0 is as many as his weapon has, two for a flamethrower and else one.
    `fired` is the turn in which he last fired, `advanced` that in which he has led an Inspired Advance.
    """

    profile: str
    id: str = ""
    role: Role = ""
    at: tuple[float, float] | None = None
    facing: float = 0.0
    arms: tuple[str, ...] = ()
    traits: tuple[Special, ...] = ()
    mounted: bool = False
    men: Whole = 0
    wounds: Whole = 0
    permanent: Whole = 0
    jammed: bool = False
    advanced: Whole = 0
    fired: Whole = 0
    unhorsed: bool = False

    @property
    def kind(self) -> Kind:
        return kind(self.profile, self.mounted, self.traits)

    def carries(self, special: Special) -> bool:
        """Whether he has a weapon with a special rule."""
        return self.kind.weapon.has(special) or any(weapons()[name].has(special) for name in self.arms)

    @property
    def on_base(self) -> int:
        """How many men the base began with."""
        return self.men or self.kind.men

    @property
    def left(self) -> int:
        """sof.units.multi-based-casualties: how many of them are left; each that is gone is a permanent wound."""
        return self.on_base - self.permanent if self.on_base > 1 else 1

    @property
    def standing(self) -> int:
        """How many of them no wound marker disables."""
        return max(0, self.left - max(0, self.wounds - self.character))

    @property
    def character(self) -> bool:
        return self.role in CHARACTERS

    @property
    def disabled(self) -> bool:
        """sof.shooting.wound-disables, sof.shooting.wound-character"""
        return not self.standing

    @property
    def worth(self) -> int:
        """How many wounds he has left: one, one more as a character, one more in the saddle, one for each mate."""
        return self.on_base + self.character + self.mounted - self.permanent

    @property
    def cost(self) -> int:
        """How many casualties his loss makes good: all his wounds, but one for a flamethrower team, lost together."""
        return 1 if self.kind.weapon.has("flamethrower") else self.worth


class Unit(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """A squad, a troop of horse, or a heavy weapon with its crew.

    `formations` are those that its entry allows; `pose` is where it stands in linear order. `hq`: it is its
    battlegroup's command unit. `in_command` is what it was when its last activation ended, `forced`: a failed Tenacity
    check made it fall back this turn. `points` and `recon` are what it costs and its own recon points.
    `dug_in`: it is in foxholes, which a scenario gives it, until it moves. `dismounted`: it has
    horses, and is on foot.

    Before the battle: `reserve` is where it waits off the table, `ambush` the terrain piece in which it lies in ambush,
    `late`: it deploys after all of the enemy's, `scouted`: it has had its Scout Move.
    """

    side: Side
    training: Training
    teams: dict[str, Figure]
    id: str = ""
    name: str = ""
    type: UnitType = "infantry"
    rally: Whole = 4
    aggression: Whole = 4
    tenacity: Whole = 4
    battlegroup: str = ""
    belongs: Belongs = "core"
    hq: bool = False
    formations: tuple[Formation, ...] = ("loose",)
    formation: Formation = "loose"
    alignment: Alignment = ""
    pose: Pose | None = None
    suppression: Whole = 0
    hit_the_dirt: bool = False
    activated: bool = False
    forced: bool = False
    dug_in: bool = False
    dismounted: bool = False
    in_command: bool = True
    special: tuple[SpecialRule, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    starting: Whole = 0
    points: Whole = 0
    recon: Whole = 0
    reserve: Reserve = ""
    ambush: str = ""
    late: bool = False
    scouted: bool = False

    @property
    def strength(self) -> int:
        """How many men are left in it, the disabled among them."""
        return sum(figure.left for figure in self.teams.values())

    @property
    def wounds(self) -> int:
        """The wound markers at the unit."""
        return sum(figure.wounds for figure in self.teams.values())

    @property
    def able(self) -> list[Figure]:
        """The figures that no wound marker disables."""
        return [figure for figure in self.teams.values() if not figure.disabled]

    @property
    def placed(self) -> bool:
        return any(figure.at is not None for figure in self.teams.values())


Member = tuple[Unit, Figure]


class Battlegroup(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A battlegroup: whose it is, how able its officer is, and its activation dice.

    `base` is the number of dice it began with, `lost` how many of its units are gone. `dice` are those of this turn
    that are not spent yet, `spent` the others. `promoted`: an NCO leads it as an acting officer. `attack`, `recon`:
    the attack modifier and the recon points of its command unit; they count if it is the core battlegroup.
    """

    side: Side
    name: str = ""
    capability: Capability = "competent"
    core: bool = False
    base: Whole = 0
    lost: Whole = 0
    dice: list[Whole] = []
    spent: list[Whole] = []
    promoted: bool = False
    attack: Whole = 0
    recon: Whole = 0
    seniors: dict[str, list[str]] = {}
    """Which units each senior NCO has spared the extra die this turn, by his id."""

    def spend(self, die: int) -> None:
        self.dice.remove(die)
        self.spent.append(die)


class ForceDice(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Activation dice that belong to a force as a whole and serve any of its units: left, and spent."""

    dice: list[Whole] = []
    spent: list[Whole] = []

    def spend(self, die: int) -> None:
        self.dice.remove(die)
        self.spent.append(die)


class Objective(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    at: tuple[float, float]
    name: str = ""


Edge = AnyEdge


class Baselines(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """Along which edge of the table each side has its baseline."""

    red: Edge = "south"
    blue: Edge = "north"

    def of(self, side: Side) -> Edge:
        return self.red if side == "red" else self.blue


MissionName = Literal["", "hasty-assault", "patrol", "patrol-encounter"]
Counts = Literal["objectives", "quarters"]
"""What decides a battle at its end."""

Phase = Literal["attacker", "edges", "objectives", "reserves", "recon", "deploy", "scout", "start", "activate"]
"""Before the first turn come the steps of a mission, in this order (missions.set_up)."""

BEFORE: tuple[Phase, ...] = ("attacker", "edges", "objectives", "reserves", "recon", "deploy", "scout")

Advantage = Literal[
    "additional-ambush",
    "delay-reserves",
    "scout-move",
    "reroll",
    "activation-die",
    "redeploy-objective",
    "scout-enemy-position",
    "trigger-ambush",
]
"""What recon points are spent on."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What players agree on, each a switch: centimetres, and rules that stand in the play charts alone."""

    centimetres: bool = False
    blast_hit_the_dirt: bool = False
    close_combat_hit_the_dirt: bool = False
    break_off_six: bool = False
    linear_no_interpenetration: bool = False
    not_in_command_fire: bool = False


class Setup(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """How a battle begins, or any moment of one.

    `night`: it is fought in the dark. `turns`: the battle stops after the Start Phase of the turn after the last whole
    one. `number` is the activation phase, 6 to 0; `acting` is whose turn it is to activate. `overrides` names for each
    side the battlegroup whose six it has set aside, `overridden` the sides that set one aside this turn, and `opening`
    those that may still use theirs at the beginning of this phase. `passed` are the sides that are done with phase 0.

    `mission` is the briefing that the battle follows; without one it is decided by what it `counts` when its turns are
    over. `recon` are the recon points that each side has still to spend, `advantages` what it has bought with them,
    and `rerolls` names those that may still roll a die of theirs again.
    """

    table: Table
    units: dict[str, Unit]
    battlegroups: dict[str, Battlegroup] = {}
    name: str = ""
    title: str = ""
    options: Options = Options()
    night: bool = False
    terrain: list[Feature] = []
    objectives: dict[str, Objective] = {}
    mission: MissionName = ""
    counts: Counts = "objectives"
    attacker: Side = "red"
    baselines: Baselines = Baselines()
    recon: dict[Side, Whole] = {}
    advantages: dict[Side, list[Advantage]] = {}
    rerolls: list[Side] = []
    force_dice: dict[Side, ForceDice] = {}
    turns: Whole = 6
    turn: Whole = 1
    phase: Phase = "start"
    number: Whole = 6
    initiative: Literal["", "red", "blue"] = ""
    acting: Literal["", "red", "blue"] = ""
    overrides: dict[Side, str] = {}
    overridden: list[Side] = []
    opening: list[Side] = []
    passed: list[Side] = []


class State(msgspec.Struct, omit_defaults=True):
    """A battle at some moment; what is not told here is told in `Setup`."""

    units: dict[str, Unit]
    battlegroups: dict[str, Battlegroup]
    attacker: Side = "red"
    baselines: Baselines = Baselines()
    objectives: dict[str, Objective] = {}
    recon: dict[Side, Whole] = {}
    advantages: dict[Side, list[Advantage]] = {}
    rerolls: list[Side] = []
    force_dice: dict[Side, ForceDice] = {}
    turns: Whole = 6
    turn: Whole = 1
    phase: Phase | Literal["over"] = "start"
    number: Whole = 6
    initiative: Literal["", "red", "blue"] = ""
    acting: Literal["", "red", "blue"] = ""
    overrides: dict[Side, str] = {}
    overridden: list[Side] = []
    opening: list[Side] = []
    passed: list[Side] = []
    result: Result | None = None


RANKS = Ranks[Unit, Figure]()
units_of, all_figures, find_figure = RANKS.units_of, RANKS.all_teams, RANKS.find_team


def members_of(state: State, battlegroup: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.battlegroup == battlegroup]


def sides_in_order(state: State) -> tuple[Side, Side]:
    """The attacker first: so a step that both sides take is taken (sof.turn.start-order)."""
    return state.attacker, other(state.attacker)


def leader_of(state: State, battlegroup: str) -> Member | None:
    """The officer who commands a battlegroup, permanent or acting, if he is there."""
    for unit in members_of(state, battlegroup):
        for figure in unit.teams.values():
            if figure.role == "officer":
                return unit, figure
    return None


def base_dice(units: list[Unit]) -> int:
    """One die for each core unit, and one for every two attached ones, rounded up."""
    attached = sum(unit.belongs == "attached" for unit in units)
    return sum(unit.belongs == "core" for unit in units) + -(-attached // 2)


def begin(setup: Setup) -> State:
    """The first state of a battle: a copy of the set-up, numbered and named."""
    state = copied(State(**in_common(setup, State)))
    name_all(state.units)
    if state.phase == "activate":
        state.acting = state.acting or state.initiative
    for unit in state.units.values():
        unit.starting = unit.starting or len(unit.teams)
        if unit.type == "weapon":
            # sof.units.crew-have-pistols
            for figure in unit.teams.values():
                figure.arms = figure.arms if PISTOL in (figure.profile, *figure.arms) else (*figure.arms, PISTOL)
        if unit.pose is not None:
            width = max(figure.kind.base.width for figure in unit.teams.values())
            for figure, (x, y) in zip(unit.teams.values(), places(unit.pose, len(unit.teams), width), strict=True):
                figure.at, figure.facing = (snap(x), snap(y)), stored_facing(unit.pose.facing)
    for name, group in state.battlegroups.items():
        group.base = group.base or base_dice(members_of(state, name))
    return state
