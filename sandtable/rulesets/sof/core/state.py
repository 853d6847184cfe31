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
from sandtable.rulesets.sof.core.arsenal import Kind, Special, kind, specials_of
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
NCOS: tuple[Role, ...] = ("senior-nco", "nco")
CHARACTERS: tuple[Role, ...] = ("officer", *NCOS)
UNARMED_ROLES: dict[Role, str] = {
    "chaplain": "sof.specialists.chaplain-unarmed",
    "medic": "sof.specialists.medic-unarmed",
}
"""Who carries no weapon and takes no part in a fight, by which rule."""

SPECIALISTS: tuple[Role, ...] = get_args(Specialist)


class Figure(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """One man, or several who share a base."""

    profile: str
    """The weapon of the charts that he serves, or "unarmed"."""
    id: str = ""
    """His name; a set-up has it as the key."""
    role: Role = ""
    """What he is beside a man with a weapon: one of the crew, a leader, a specialist."""
    at: tuple[float, float] | None = None
    """The middle of his base. None off the table, and in ranks in a set-up."""
    facing: float = 0.0
    """0 looks north, 90 east."""
    arms: tuple[str, ...] = ()
    """What else of the charts he carries."""
    traits: tuple[Special, ...] = ()
    """Special rules that his own weapon has beside those of its chart."""
    mounted: bool = False
    """He rides, as all men of a mounted unit do."""
    men: Whole = 0
    """So many share his base; 0 is as many as his weapon has, two for a flamethrower and else one."""
    wounds: Whole = 0
    """The wound markers on him: one disables a man, two a character."""
    permanent: Whole = 0
    """Wounds that no longer heal."""
    jammed: bool = False
    """His weapon is jammed."""
    advanced: Whole = 0
    """The turn in which he has led an Inspired Advance, 0 if in none."""
    fired: Whole = 0
    """The turn in which he last fired."""
    fired_before: Whole = 0
    """The last turn before that one in which he fired."""
    unhorsed: bool = False
    """He is on foot, and of his horse's wound nothing is left."""

    @property
    def kind(self) -> Kind:
        return kind(self.profile, self.mounted, self.traits)

    def carries(self, special: Special) -> bool:
        """Whether he has a weapon with a special rule."""
        return special in specials_of(self.profile, self.traits, self.arms)

    @property
    def on_base(self) -> int:
        """How many men the base began with."""
        return self.men or self.kind.men

    @property
    def left(self) -> int:
        """sof.units.multi-based-casualties: how many of them are left; each that is gone is a permanent wound."""
        men = self.on_base
        return men - self.permanent if men > 1 else 1

    @property
    def borne(self) -> int:
        """sof.shooting.wound-character: the wound marker that a leader bears on his feet, if he has two wounds left."""
        return int(self.character and self.worth > 1)

    @property
    def standing(self) -> int:
        """How many of them no wound marker disables."""
        return max(0, self.left - max(0, self.wounds - self.borne))

    @property
    def character(self) -> bool:
        return self.role in CHARACTERS

    @property
    def disabled(self) -> bool:
        """sof.shooting.wound-disables, sof.shooting.wound-character"""
        # Whoever has no wound of either kind stands.
        return bool(self.wounds or self.permanent) and not self.standing

    @property
    def worth(self) -> int:
        """How many wounds he has left: one, one more as a character, one more in the saddle, one for each mate."""
        return self.on_base + self.character + self.mounted - self.permanent

    @property
    def cost(self) -> int:
        """How many casualties his loss makes good: all his wounds, but one for a flamethrower team, lost together."""
        return 1 if self.kind.weapon.has("flamethrower") else self.worth


class Unit(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """A squad, a troop of horse, or a heavy weapon with its crew."""

    side: Side
    training: Training
    teams: dict[str, Figure]
    """Its figures, in the order of its roster; in ranks they stand in that order, from the left of the front rank."""
    id: str = ""
    """Its name; a set-up has it as the key."""
    name: str = ""
    """What people call it, if not that."""
    type: UnitType = "infantry"
    rally: Whole = 4
    """The number that its Rally checks need, before modifiers."""
    aggression: Whole = 4
    tenacity: Whole = 4
    battlegroup: str = ""
    """Its battlegroup; a support unit has none."""
    belongs: Belongs = "core"
    hq: bool = False
    """It is its battlegroup's command unit."""
    formations: tuple[Formation, ...] = ("loose",)
    """Those that its entry allows."""
    formation: Formation = "loose"
    alignment: Alignment = ""
    """In linear order, and in no other."""
    pose: Pose | None = None
    """In linear order: where the middle of its front rank is, how it faces, how many abreast."""
    suppression: Whole = 0
    """Its suppression markers."""
    hit_the_dirt: bool = False
    activated: bool = False
    """It has been activated this turn."""
    forced: bool = False
    """A failed Tenacity check has made it fall back this turn."""
    dug_in: bool = False
    """It is in foxholes, which a scenario gives it, until it moves."""
    dismounted: bool = False
    """It has horses, and is on foot."""
    motorcycles: bool = False
    """It rides motorcycles in place of horses."""
    in_command: bool = True
    """Whether it was in command when its last activation ended."""
    special: tuple[SpecialRule, ...] = ()
    """Its unit special rules."""
    equipment: tuple[Equipment, ...] = ()
    """What it carries that no chart has."""
    starting: Whole = 0
    """With how many figures it began; 0 is as many as it has."""
    points: Whole = 0
    """What it costs."""
    recon: Whole = 0
    """Recon points of its own."""
    reserve: Reserve = ""
    """In which reserve it waits off the table."""
    ambush: str = ""
    """The terrain piece in which it lies in ambush; its figures have places in it."""
    late: bool = False
    """It deploys after all of the enemy's."""
    scouted: bool = False
    """It has had its Scout Move."""

    @property
    def strength(self) -> int:
        """How many men are left in it, the disabled among them."""
        return sum([figure.left for figure in self.teams.values()])

    @property
    def wounds(self) -> int:
        """The wound markers at the unit."""
        return sum([figure.wounds for figure in self.teams.values()])

    @property
    def able(self) -> list[Figure]:
        """The figures that no wound marker disables."""
        # Whoever bears no wound is not asked.
        return [each for each in self.teams.values() if not ((each.wounds or each.permanent) and each.disabled)]

    @property
    def specials(self) -> set[Special]:
        """The special rules of all weapons that somebody in it carries."""
        return set().union(*[specials_of(each.profile, each.traits, each.arms) for each in self.teams.values()])

    @property
    def ncos(self) -> list[Figure]:
        return [figure for figure in self.teams.values() if figure.role in NCOS]

    @property
    def placed(self) -> bool:
        for figure in self.teams.values():  # noqa: SIM110 - asked so often that a generator shows
            if figure.at is not None:
                return True
        return False


Member = tuple[Unit, Figure]


class Battlegroup(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A battlegroup, with its activation dice."""

    side: Side
    name: str = ""
    capability: Capability = "competent"
    """How able its officer is."""
    core: bool = False
    """It is the core battlegroup; the first of a side is, unless another one says so."""
    base: Whole = 0
    """The number of activation dice that it began with; 0 is what its units give it."""
    lost: Whole = 0
    """How many of its units are gone."""
    dice: list[Whole] = []
    """The dice of this turn that are not spent yet."""
    spent: list[Whole] = []
    """Those that are."""
    promoted: bool = False
    """An NCO leads it as an acting officer."""
    attack: Whole = 0
    """The attack modifier of its command unit; it counts if it is the core battlegroup."""
    recon: Whole = 0
    """The recon points of its command unit; they count if it is the core battlegroup."""
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
    """How a battle begins, or any moment of one."""

    table: Table
    units: dict[str, Unit]
    battlegroups: dict[str, Battlegroup] = {}
    name: str = ""
    title: str = ""
    options: Options = Options()
    night: bool = False
    """It is fought in the dark."""
    terrain: list[Feature] = []
    objectives: dict[str, Objective] = {}
    mission: MissionName = ""
    """The briefing that the battle follows."""
    counts: Counts = "objectives"
    """What decides a battle without a mission when its turns are over."""
    attacker: Side = "red"
    """Whoever attacks takes each step first where the rules name no other order."""
    baselines: Baselines = Baselines()
    recon: dict[Side, Whole] = {}
    """The recon points that each side has still to spend."""
    advantages: dict[Side, list[Advantage]] = {}
    """What each side has bought with them."""
    rerolls: list[Side] = []
    """Who has bought a re-roll and may still use it."""
    force_dice: dict[Side, ForceDice] = {}
    """Activation dice of a force as a whole, by a staff officer or by recon."""
    turns: Whole = 6
    """The whole turns; the battle stops after the Start Phase of the next."""
    turn: Whole = 1
    phase: Phase = "start"
    """A step of a mission before the battle, the beginning of a turn, or its activation phases."""
    number: Whole = 6
    """The activation phase, 6 to 0."""
    initiative: Literal["", "red", "blue"] = ""
    """Who has it this turn, or had it in the last."""
    acting: Literal["", "red", "blue"] = ""
    """Whose turn it is to activate a unit, else of who has the initiative; while units deploy, to place one."""
    overrides: dict[Side, str] = {}
    """The battlegroup whose six each side has set aside as a Command Override, or "force"."""
    overridden: list[Side] = []
    """The sides that have set one aside this turn."""
    opening: list[Side] = []
    """Who may still use theirs at the beginning of this phase."""
    passed: list[Side] = []
    """The sides that are done with phase 0."""

    @property
    def rounds(self) -> int:
        """Its turns, by the name under which a page counts those of any game."""
        return self.turns


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
    for unit in state.units.values():
        if unit.battlegroup == battlegroup:
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
