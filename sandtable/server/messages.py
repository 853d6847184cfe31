"""The messages of the page and of the server, as `docs/server.md` describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from sandtable.engine.cards import Fact, UnitCard
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Result
from sandtable.engine.standing import Condition

Name = Annotated[str, msgspec.Meta(max_length=80)]
Title = Annotated[str, msgspec.Meta(max_length=120)]
Preset = Literal["core", "club", "all"]
Number = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


# Over the socket.


class Hello(msgspec.Struct):
    """The first message: who looks, and how much of the log he knows, as of how many rewinds."""

    t: Literal["hello"]
    key: Name | None = None
    seat: Name | None = None
    events: Number = 0
    rewinds: Number | None = None


class Planned(msgspec.Struct):
    """One answer of a plan, and the topic of the question that it is meant for."""

    topic: Name
    answer: Any = None


class Request(msgspec.Struct):
    """Any later message of the page; which fields matter depends on `t`."""

    t: str
    id: Any = None
    number: Number | None = None
    answer: Any = None
    answers: Annotated[list[Planned], msgspec.Meta(max_length=64)] = []
    to: Any = None
    agree: bool | None = None
    habit: Name | None = None
    topic: Name | None = None
    only: list[Condition] = []
    until: list[Condition] = []
    last_turn: int | None = None
    drop: int | None = None
    seat: Name | None = None
    piece: Name | None = None
    pieces: list[Name] = []
    at: tuple[float, float] | None = None
    facing: float | None = None
    files: int | None = None
    step: Any = None
    from_: Name | None = msgspec.field(default=None, name="from")


# Over HTTP: what is sent.


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game to be made. Seats: "me", "link" or "bot:NAME"; `substitute` may play for one who is away."""

    ruleset: Name
    scenario: Name
    seats: dict[Name, Name]
    forces: dict[Name, Name] = {}
    options: list[Name] | Name | None = None
    dice: Literal["sealed", "typed"] = "sealed"
    title: Title = ""
    substitute: Name = "bot:greedy"


class Join(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""


class GivenAnswer(msgspec.Struct, forbid_unknown_fields=True):
    seat: Name
    number: Number
    answer: Any


class OfSeat(msgspec.Struct, forbid_unknown_fields=True):
    seat: Name


class WantedBack(msgspec.Struct, forbid_unknown_fields=True):
    """Ask to go back to question `to`, or answer such a wish with `agree`."""

    seat: Name
    to: Number | None = None
    agree: bool | None = None


class LeftStanding(msgspec.Struct, forbid_unknown_fields=True):
    """A habit to take up or drop, an answer to leave, or the index of one to drop."""

    seat: Name
    habit: Name | None = None
    topic: Name | None = None
    answer: Any = None
    only: list[Condition] = []
    until: list[Condition] = []
    last_turn: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None
    drop: Number | None = None


class NewKeys(msgspec.Struct):
    """The keys that open some seats from now on; those before open nothing any more."""

    keys: dict[str, str]


class NewHolder(msgspec.Struct, forbid_unknown_fields=True):
    """ "bot:NAME", "substitute" for the bot that was agreed on, or "me"."""

    seat: Name
    holder: Name


# Over HTTP: what comes back.


class Problem(msgspec.Struct, omit_defaults=True):
    kind: str
    message: str
    rule: str | None = None
    field: str | None = None
    legal: str = ""


class ErrorBody(msgspec.Struct):
    error: Problem


class DiceCard(msgspec.Struct, omit_defaults=True):
    source: str
    commitment: str | None = None
    secret: str | None = None


class Created(msgspec.Struct):
    id: str
    keys: dict[str, str]
    dice: DiceCard


class GameCard(msgspec.Struct, omit_defaults=True):
    id: str
    title: str
    ruleset: str
    scenario: str
    seats: dict[str, str]
    names: dict[str, str]
    turn: int
    asked: str | None
    updated: float
    state: str
    result: Result | None = None
    dice: DiceCard | None = None


class Done(msgspec.Struct):
    """The number of the question that is asked now."""

    number: int


class Joined(msgspec.Struct):
    seats: list[str]


class ScenarioCard(msgspec.Struct, omit_defaults=True):
    """A battle to choose: what it says of itself, and how large it is, where its set-up says so."""

    name: str
    title: str
    about: str
    width: float
    depth: float
    forces: dict[str, str]
    rounds: int = 0
    units: dict[str, int] = {}


class LessonCard(msgspec.Struct):
    """A first battle with a guide: what it is about, what is learnt, and how long it takes."""

    name: str
    title: str
    about: str
    learns: list[str]
    minutes: int
    seat: str
    bot: str
    steps: int


class ForceCard(msgspec.Struct, omit_defaults=True):
    name: str
    title: str
    side: str = ""


class SwitchCard(msgspec.Struct):
    id: str
    title: str
    about: str
    rules: tuple[str, ...]
    club: bool
    core: bool


class HabitCard(msgspec.Struct):
    id: str
    words: str
    topic: str
    usual: bool


class RulesetCard(msgspec.Struct):
    name: str
    title: str
    seats: tuple[str, ...]
    scenarios: list[ScenarioCard]
    lessons: list[LessonCard]
    forces: list[ForceCard]
    switches: list[SwitchCard]
    presets: dict[Preset, list[str]]
    habits: list[HabitCard]
    bots: list[str]


class RuleCard(msgspec.Struct, omit_defaults=True):
    id: str
    kind: str
    title: str
    chapter: str
    text: str
    example: str | None = None
    unclear: str | None = None
    reading: str | None = None


class ChapterCard(msgspec.Struct):
    """A chapter of a game's rules, and how many of them are among those that were sought."""

    ruleset: str
    chapter: str
    rules: int


class FoundRules(msgspec.Struct):
    """A part of the rules that were sought: how many there are in all, and in which chapters, whichever was chosen."""

    total: int
    chapters: list[ChapterCard]
    rules: list[RuleCard]


class BeatCard(msgspec.Struct):
    """A step of the game: it ends before question `to`, and `event` is the place of its first event in the log."""

    to: int
    turn: int
    seat: str
    words: str
    event: int


class Moment(msgspec.Struct):
    """The table as it was: as a state of the socket, but for what concerns only the present."""

    t: str
    number: int
    turn: int
    seat: str | None
    status: list[Fact]
    roster: list[UnitCard]
    asked: dict[str, str] | None
    result: Result | None
    scene: dict[str, Any]
    events: list[dict[str, Any]]


def problem(refusal: Refusal) -> ErrorBody:
    return ErrorBody(Problem(refusal.kind, refusal.message, refusal.rule, refusal.field, refusal.legal))
