"""What the engine needs to know of a game's rules: a handful of functions and two types, gathered in one record."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol

import msgspec

from sandtable.engine.cards import Briefing
from sandtable.engine.questions import Answer, Question
from sandtable.engine.standing import Condition, Standing
from sandtable.engine.story import Story
from sandtable.engine.toml_lines import Steps, problem_at
from sandtable.engine.worth import Worth

if TYPE_CHECKING:
    # A type checker knows these; nothing of it is needed to run.
    from typing_extensions import TypeVar

    from sandtable.engine.cards import Fact, Odds, Outlook, PreviewLine, Profile, Rail, SideView, UnitCard
    from sandtable.engine.events import Event
    from sandtable.engine.game import Game
    from sandtable.engine.lessons import Lesson
    from sandtable.engine.questions import Step
    from sandtable.table.scene import Point, Scene
    from sandtable.table.shapes import Place

    C = TypeVar("C", bound="SetUp", default=Any)
    S = TypeVar("S", default=Any)
    P = TypeVar("P", default=Any)
    F = TypeVar("F", default=Any)
else:
    from typing import TypeVar

    C, S, P, F = TypeVar("C"), TypeVar("S"), TypeVar("P"), TypeVar("F")

SEATS = ("red", "blue")


class Sized(Protocol):
    """A table, in inches."""

    @property
    def width(self) -> float: ...
    @property
    def depth(self) -> float: ...


class SetUp(Protocol):
    """What every set-up has, whatever the game: what it is called, and how large its table is."""

    @property
    def title(self) -> str: ...
    @property
    def table(self) -> Sized: ...


class Ask(msgspec.Struct):
    """A question put to a seat. At a checkpoint the state alone says how the game goes on."""

    seat: str
    question: Question
    checkpoint: bool = False


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game stands when it is over: each seat's points, what they are points for, and the degree of the victory.

    A game that counts nothing, or knows no degrees, leaves them out.
    """

    points: dict[str, float] = {}
    points_for: str = ""
    degree: str = ""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended: the winner's seat (None for a draw) and the reason, with its rule.

    The rest is its `Score`. In a state it is left out, for it follows from the state: a state, and with it the hash of
    a finished game, is the same as before there were scores. `Game.result` has it.
    """

    winner: str | None
    reason: str
    rule: str = ""
    points: dict[str, float] = {}
    points_for: str = ""
    degree: str = ""

    def scored(self, score: Score) -> Result:
        return msgspec.structs.replace(self, **msgspec.structs.asdict(score))


class Guard(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something undone or illegal that a seat should hear of before the game moves on.

    `before` is the answer that would move it on; a guard without one is to be heard at once.
    """

    seat: str
    message: str
    rule: str = ""
    stops: bool = False
    before: str = ""


class Habit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing answer that players of this game like to leave: what it says in words, and what it answers when.

    `usual`: a person who says nothing else begins with it. `proposed`: it answers what the question proposes first.
    `title` is what its answers are called on an order's card.
    """

    id: str
    words: str
    topic: str
    # Made each time, so that it is sent even where it is None.
    answer: Answer = msgspec.field(default_factory=lambda: None)
    only: tuple[Condition, ...] = ()
    usual: bool = False
    proposed: bool = False
    title: str = ""

    def standing(self, seat: str) -> Standing:
        return Standing(seat, self.topic, self.answer, only=list(self.only), proposed=self.proposed)


class Switch(msgspec.Struct, frozen=True, omit_defaults=True):
    """An optional rule that players may agree on: its name, a line about it, and the rules that it brings in.

    `club`: what a club would usually play with; `core`: in force unless the players agree otherwise.
    """

    id: str
    title: str
    about: str
    rules: tuple[str, ...] = ()
    club: bool = False
    core: bool = False


def kept_result(state: Any) -> Result | None:
    """The result as most states keep it."""
    result: Result | None = state.result
    return result


def kept_round(state: Any) -> int:
    """The turn of a game that is played in rounds."""
    number: int = state.round
    return number


def own_mistakes(setup: Any) -> Iterable[tuple[Steps, str]]:
    """What a set-up that is read from a file says is wrong with itself."""
    mistakes: Callable[[], Iterable[tuple[Steps, str]]] = getattr(setup, "mistakes", tuple)
    return mistakes()


def no_score(state: Any) -> Score:
    return Score()


def everything(game: Game[Any], seat: str | None) -> dict[str, Any]:
    """The view of a game that hides nothing: the state as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(game.state)
    return plain


def nothing_hidden(game: Game[Any], seat: str) -> None:
    """The true state is the only one that agrees with what a seat may know."""


def no_guards(game: Game[Any], seat: str) -> list[Guard]:
    return []


def nothing(*_: Any) -> list[Any]:
    return []


TOLD_PLAINLY = Story()
"""How a battle is told of which the ruleset says nothing."""


@dataclass(frozen=True)
class Display(Generic[S, C, P]):
    """What a page shows beside the picture, made for one seat (see `engine.cards`); a ruleset may leave any of it out.

    `status` is the line above the table, `roster` the Units, `profiles` what their kinds can do. `outlook` is what a
    piece sees from where it stands or from a planned place, `side_view` a line of sight with its heights, `gauge`
    what a planned step would cost, in words, and `outcome` the words for how the events of an attack ended. `about`
    is a sentence or two on a scenario, and `briefing` what a seat is told before its first question.
    `walls` are the kinds of terrain that a unit lines when it is dropped there, and `heads` is how a piece would face
    after a step. `previews` are the topics of questions whose answers are worth trying out beforehand, and `lines` are
    the throws among some events of a game as they can be told before the dice fall. `odds` are the exact odds of an
    answer to one of these questions, worked out in a copy of the game that may be used up, or None where there is no
    closed form; `tally` are the numbers of an attack among its events, by the names of the odds' spreads, and
    `odds_from` are the odds of fire at a piece by some that would stand elsewhere. `terrain` says of each kind of
    ground what it does, and `legend` of each sign of a badge what it stands for. `story` is how its battles are told
    when they are over. `rail` are the dice at the table's edge, in a game that has such.
    """

    status: Callable[[Game[S, C, P], str | None], list[Fact]] = nothing
    roster: Callable[[Game[S, C, P], str | None], list[UnitCard]] = nothing
    profiles: Callable[[Game[S, C, P]], dict[str, Profile]] = lambda _: {}
    outlook: Callable[[Game[S, C, P], str | None, str, Place | None], Outlook | None] = lambda *_: None
    side_view: Callable[[Game[S, C, P], str | None, str, Place | None, Point], SideView | None] = lambda *_: None
    gauge: Callable[[Game[S, C, P], str, str, Step], list[Fact]] = nothing
    outcome: Callable[[list[Event]], str] = lambda _: ""
    about: Callable[[str], str] = lambda _: ""
    briefing: Callable[[Game[S, C, P], str | None], Briefing] = lambda *_: Briefing()
    walls: tuple[str, ...] = ()
    heads: Callable[[Game[S, C, P], str, Step], float | None] = lambda *_: None
    previews: tuple[str, ...] = ()
    lines: Callable[[Game[S, C, P], list[Event]], list[PreviewLine]] = nothing
    odds: Callable[[Game[S, C, P], str, Answer], Odds | None] = lambda *_: None
    tally: Callable[[list[Event]], Mapping[str, int]] = lambda _: {}
    odds_from: Callable[[Game[S, C, P], str, Mapping[str, Place], str], Odds | None] = lambda *_: None
    terrain: Callable[[], Mapping[str, tuple[Fact, ...]]] = dict
    legend: Mapping[str, Fact] = field(default_factory=dict)
    story: Story = TOLD_PLAINLY
    rail: Callable[[Game[S, C, P], str | None], Rail | None] = lambda *_: None


class Army(msgspec.Struct, frozen=True, omit_defaults=True):
    """A force that may be chosen for a battle; `side` if it can fight for one only."""

    name: str
    title: str
    side: str = ""


@dataclass(frozen=True)
class Muster(Generic[C]):
    """How a battle is set up with forces of the players' choice.

    `armies` are those to choose from, `usual` the ones that a scenario brings along, and `set_up` makes the set-up of
    a scenario with other forces for some seats and with just some switches (None: the scenario's own).
    """

    armies: Callable[[], list[Army]]
    usual: Callable[[str], dict[str, str]]
    set_up: Callable[[str, Mapping[str, str], frozenset[str] | None], C]


class ForceSheet(msgspec.Struct, frozen=True):
    """A force as it is shown: a small table of its units, and lines below; `data` is all of it for programs."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: str
    lines: tuple[str, ...]
    rules: tuple[str, ...]
    data: dict[str, Any]


class Comparison(msgspec.Struct, frozen=True):
    """Two forces compared: each step in words with its rule; `data` is all of it for programs."""

    steps: tuple[tuple[str, str], ...]
    data: dict[str, Any]


class ParityWishes(msgspec.Struct, frozen=True):
    """What whoever compares two forces has said beforehand; what is left open is asked, or estimated if `auto`."""

    attacker: str | None = None
    rank_red: str | None = None
    rank_blue: str | None = None
    verdicts: str | None = None
    trims: tuple[str, ...] = ()
    auto: bool = False


@dataclass(frozen=True)
class ForceTools(Generic[F]):
    """Forces as files: `sandtable force` begins, checks, shows and compares them by these.

    `names` lists those that come with the game, `load` reads one by its name or from a file, and `file` is where it
    lies. `first` is the text of a first force of one of the `nations`, and `annotated` puts the keys and profiles of a
    nation round such a text as comments. `notes` tells what is unusual in a force though no rule forbids it, each with
    its place. `parity` compares two forces where the game has a procedure for it; it asks by its last argument.
    """

    names: Callable[[], list[str]]
    load: Callable[[str | Path], F]
    file: Callable[[str | Path], Path]
    nations: tuple[str, ...]
    first: Callable[[str], str]
    annotated: Callable[[str, str], str]
    sheet: Callable[[str, F], ForceSheet]
    notes: Callable[[F], Iterable[tuple[str, str]]] = nothing
    parity: Callable[[F, F, ParityWishes, Talk], Comparison] | None = None


class Talk(Protocol):
    """A conversation at a terminal: `ask` puts a question and gives the line typed, `say` tells something."""

    def ask(self, words: str) -> str: ...
    def say(self, words: str) -> None: ...


@dataclass(frozen=True)
class Ruleset(Generic[C, S, P]):
    """One game's rules, for its own types of set-up, state and prepared table.

    `prepare` compiles what never changes in a game (its table); `begin` makes the first state of a set-up and `flow`
    plays on from any checkpoint's state. `result` and `turn` are found in the state where most games keep them, and
    `score` is how a game stands that is over. `view` is all that a seat may know (None: what everybody may), `scene`
    what may be drawn for it, `imagine` a state that agrees with that view (None: nothing is hidden), and `imagines`
    whether such a state may be shown to that seat: not while forces are set down in secret. `told` is the state of the
    last checkpoint without what a seat does not know. A game that hides nothing needs only `scene` of these.
    `faults` are what may be wrong with a set-up, each with its path.
    `spoken` is how a sentence is told in a game, if otherwise than it is written: distances in other units.
    `worth` is what a position is worth to a seat, for bots that look ahead (`engine.worth`).
    `switches` are the optional rules, `habits` standing answers worth offering, `muster` sets up a battle with forces
    of one's choice and just some optional rules, and `forces` are the tools for their files. `lessons` are first
    battles with a guide, by name. `formats` are the data files of the game, each format with the structure that reads
    it.
    `display` is what a page shows beside the picture.
    """

    name: str
    title: str
    setup_type: type[C]
    state_type: type[S]
    prepare: Callable[[C], P]
    begin: Callable[[C], S]
    flow: Callable[[Game[S, C, P]], Generator[Ask, Any, None]]
    worth: Worth
    summary: Callable[[S], Mapping[str, Mapping[str, int]]]
    scene: Callable[[Game[S, C, P], str | None], Scene]
    scenarios: Callable[[], list[str]]
    scenario: Callable[[str], C]
    invariants: Callable[[Game[S, C, P]], list[str]]
    version: str = "1"
    seats: tuple[str, ...] = SEATS
    result: Callable[[S], Result | None] = kept_result
    turn: Callable[[S], int] = kept_round
    spoken: Callable[[Game[S, C, P], str], str] | None = None
    faults: Callable[[C], Iterable[tuple[Steps, str]]] = own_mistakes
    score: Callable[[S], Score] = no_score
    view: Callable[[Game[S, C, P], str | None], dict[str, Any]] = everything
    imagine: Callable[[Game[S, C, P], str], S | None] = nothing_hidden
    guards: Callable[[Game[S, C, P], str], list[Guard]] = no_guards
    imagines: Callable[[S, str | None], bool] = lambda *_: True
    told: Callable[[Game[S, C, P], str | None], S] | None = None
    switches: tuple[Switch, ...] = ()
    habits: tuple[Habit, ...] = ()
    muster: Muster[C] | None = None
    forces: ForceTools[Any] | None = None
    lessons: Callable[[], Mapping[str, Lesson]] = dict
    formats: Mapping[str, type[Any]] = field(default_factory=dict)
    display: Display[S, C, P] = field(default_factory=Display)

    @property
    def switched(self) -> Callable[[str, frozenset[str]], C] | None:
        """Who makes the set-up of a scenario with just some of the optional rules; None in a game that has none."""
        muster = self.muster
        return (lambda name, chosen: muster.set_up(name, {}, chosen)) if muster and self.switches else None

    def problems(self, setup: C) -> list[str]:
        """What is wrong with a set-up, in words; an empty list is a set-up that can be played."""
        return [problem_at(steps, words) for steps, words in self.faults(setup)]

    def preset(self, name: str) -> frozenset[str] | None:
        """The switches that are on in a preset: the rules alone, a club's, or all; None for another name."""
        if name not in ("core", "club", "all"):
            return None
        return frozenset(
            switch.id for switch in self.switches if name == "all" or switch.core or (switch.club and name == "club")
        )
