"""Questions: what each takes, what it lists and proposes, and how it refuses everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.questions import (
    MANY,
    MOST_POINTS,
    Assign,
    Choices,
    Choose,
    ChooseNumber,
    ChoosePoint,
    ChooseSome,
    EnterDice,
    MovePieces,
    Option,
    Piece,
    Question,
    Refusal,
    Step,
    illegal,
    names,
    or_none,
    plain_to_steps,
    shown,
    steps_to_plain,
)

ABC = [Option("a", "Able"), Option("b", "Baker", ("toy.b",)), Option("c", "Charlie")]
FORMER = Option("gone", "Gone")


def bar(choice: str) -> Refusal | None:
    return illegal("toy.gone", f"{choice} has left.", field=choice) if choice == "gone" else None


def choices() -> Choices[Option]:
    return Choices({each.id: each for each in [*ABC, FORMER]}, lambda each: each, lambda each: bar(each.id))


def bar_pair(item: str, choice: str) -> Refusal | None:
    return illegal("toy.sight", f"{item} cannot see {choice}.", field=item) if choice == "ghost" else None


def not_a_with_c(chosen: list[str]) -> Refusal | None:
    return illegal("toy.quarrel", "a and c do not go together.", field="some") if {"a", "c"} <= {*chosen} else None


def at_most_one(orders: dict[str, str]) -> Refusal | None:
    return illegal("toy.one", "only one may fire.", field="fire") if len(orders) > 1 else None


def within(steps: dict[str, Step]) -> Refusal | None:
    for name, step in steps.items():
        if not (0 <= step.to[0] <= 48 and 0 <= step.to[1] <= 48):
            return illegal("toy.table", f"{name} would leave the table.", field=name, legal="Stay within 48 inches.")
    return None


def within_point(x: float, y: float) -> Refusal | None:
    return within({"point": Step((x, y))})


def choose() -> Choose:
    return Choose("one", "Which?", choices(), rules=("toy.one",))


def some() -> ChooseSome:
    return ChooseSome("some", "Which ones?", choices(), 1, 2, rules=("toy.some",), legal=not_a_with_c)


def assign() -> Assign:
    items = {"gun": ABC[:2], "tank": ABC[1:], "blind": []}
    question = Assign("fire", "At what?", items, rules=("toy.fire",), legal=at_most_one, why_not=bar_pair)
    question.needed = True
    question.proposals = lambda most: [{"gun": "a"}, {"tank": "c"}][:most]
    return question


def move() -> MovePieces:
    pieces = [Piece("p", "P", (1.0, 2.0), 0.0, 6.0), Piece("q", "Q", None, 90.0)]
    return MovePieces(
        "move",
        "Where?",
        ["p", "q"],
        lambda: pieces,
        within,
        lambda most: [{"p": {"to": [float(n), 0.0], "facing": 90.0}} for n in range(3)][:most],
        chance=lambda random: {"q": {"to": [round(random.random() * 48, 2), 1.0]}},
        barred=bar,
        rules=("toy.move",),
    )


def point() -> ChoosePoint:
    return ChoosePoint(
        "point",
        "Where does it fall?",
        within_point,
        lambda most: [(1.0, 2.0), (3.0, 4.0)][:most],
        chance=lambda random: (round(random.random() * 48, 2), 0.0),
    )


def number() -> ChooseNumber:
    return ChooseNumber("number", "How many?", 2, 5, rules=("toy.number",))


def dice() -> EnterDice:
    return EnterDice("dice", "What do they show?", 2, 6)


MAKERS = [choose, some, assign, move, point, number, dice]


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def question(request: pytest.FixtureRequest) -> Question:
    made: Question = request.param()
    return made


# What all have in common.


def test_what_a_question_proposes_it_takes_in_the_same_form(question: Question) -> None:
    random = Random(1)
    proposed = [*question.candidates(), *(question.sample(random) for _ in range(50)), *(question.answers() or [])]
    for answer in proposed:
        assert question.check(answer) == answer
        assert question.check(json.loads(json.dumps(answer))) == answer


def test_a_question_proposes_no_more_than_wanted(question: Question) -> None:
    assert len(question.candidates(1)) == 1
    assert 1 <= len(question.candidates(2)) <= 2


def test_a_question_describes_itself_in_plain_data(question: Question) -> None:
    described = question.describe()
    assert json.dumps(described) == json.dumps(json.loads(msgspec.json.encode(described)))
    assert {"topic", "words", "rules", "facts", "form"} <= set(described)


def test_forms_are_told_apart() -> None:
    forms = [maker().describe()["form"] for maker in MAKERS]
    assert forms == ["choose", "choose-some", "assign", "move", "point", "number", "dice"]


def nested(depth: int, wrap: Any) -> Any:
    value: Any = []
    for _ in range(depth):
        value = wrap(value)
    return value


JUNK: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**40,
    10**400,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "z",
    "\ud800",
    "\x00",
    "x" * 1_000_000,
    [],
    [None],
    [True, True],
    [10**400, 1],
    [float("nan"), 1.0],
    [float("inf"), 1.0],
    [1e300, 1e300],
    ["\ud800"],
    ["x" * 1_000_000] * 2,
    ["a"] * 100_000,
    {"\ud800": "a"},
    {"x" * 1_000_000: "a"},
    {"gun": "x" * 1_000_000},
    {"gun": None},
    {1: 2},
    {"p": {}},
    {"p": {"to": [float("nan"), 1.0]}},
    {"p": {"to": [1.0, float("inf")]}},
    {"p": {"to": [10**400, 1]}},
    {"p": {"to": [True, True]}},
    {"p": {"to": ["1", "2"]}},
    {"p": {"to": [1, 2], "facing": float("nan")}},
    {"p": {"to": [1, 2], "turret": 1e308}},
    {"p": {"to": [1, 2], "via": [[1, 2]] * (MOST_POINTS + 1)}},
    {"p": {"to": [1, 2], "via": [[float("nan"), 2]]}},
    {"p": {"to": [1, 2], "faceing": 90}},
    {"p": {"to": [1, 2], "via": [[9999.999, 2]]}},
    nested(100_000, lambda value: [value]),
    nested(100_000, lambda value: {"p": value}),
    b"bytes",
    object(),
]


def refused_well(question: Question, raw: object) -> Refusal:
    """The refusal of a wrong answer, which must be fit to be shown and sent."""
    refused = question.check(raw)
    assert isinstance(refused, Refusal), f"taken: {str(raw)[:60]}"
    assert refused.rule or refused.field
    assert 0 < len(refused.message) <= 300
    assert len(str(refused)) < 1000
    msgspec.json.encode(refused)
    return refused


@pytest.mark.parametrize("which", range(len(JUNK)))
def test_junk_is_refused_with_a_reason_and_never_raises(which: int) -> None:
    for maker in MAKERS:
        refused_well(maker(), JUNK[which])


words = st.text(max_size=5) | st.sampled_from(["a", "b", "c", "gone", "gun", "tank", "blind", "ghost", "p", "q", "to"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
numbers = st.floats(-60, 60) | st.integers(-60, 60) | st.floats()
steps = st.fixed_dictionaries(
    {"to": st.tuples(numbers, numbers).map(list) | scalars},
    optional={"facing": scalars, "turret": scalars, "via": st.lists(st.lists(numbers, max_size=3), max_size=20)},
)
junk = st.recursive(
    scalars | st.dictionaries(words, steps, max_size=3) | st.lists(numbers, max_size=3) | st.lists(words, max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300)
@given(junk)
def test_anything_at_all_is_taken_in_one_form_or_refused_with_a_reason(raw: Any) -> None:
    for maker in MAKERS:
        question = maker()
        checked = question.check(raw)
        if isinstance(checked, Refusal):
            refused_well(question, raw)
        else:
            assert question.check(checked) == checked
            assert question.check(json.loads(json.dumps(checked))) == checked


# One by one.


def test_choose_takes_one_of_its_options() -> None:
    assert choose().check("b") == "b"
    assert choose().answers() == ["a", "b", "c"]
    assert choose().candidates(2) == ["a", "b"]
    assert choose().describe()["options"][1] == {"id": "b", "label": "Baker", "rules": ("toy.b",)}


def test_choose_says_why_something_is_barred_and_what_would_be_right() -> None:
    gone = choose().check("gone")
    assert isinstance(gone, Refusal)
    assert (gone.kind, gone.rule, str(gone)) == ("illegal", "toy.gone", "gone: gone has left. (toy.gone)")
    strange = choose().check("z")
    assert isinstance(strange, Refusal)
    assert (strange.kind, strange.field, strange.legal) == ("unknown", "one", "Choose one of: a, b, c.")


def test_of_some_things_none_may_be_chosen_too() -> None:
    barred = illegal("toy.late", "too late.", field="two")
    none = Option("none", "Nobody")
    choices = or_none(
        none, {"one": 1, "two": 2}, lambda each: Option(str(each), ""), lambda each: barred if each == 2 else None
    )
    assert choices.allowed() == ["none", "one"]
    assert choices.things["none"] is None
    assert list(choices) == [none, Option("1", "")]
    assert choices.barred("two") is barred
    assert len(or_none(none, {"one": 1}, lambda each: Option(str(each), ""))) == 2


def test_what_is_offered_barred_and_picked_comes_of_one_law() -> None:
    asked: list[str] = []

    def odd(number: int) -> Refusal | Callable[[], Refusal] | None:
        def closer_look() -> Refusal:
            asked.append(str(number))
            return illegal("toy.odd", f"{number} is even.")

        return None if number % 2 else closer_look

    def option(number: int) -> Option:
        return Option(str(number), f"number {number}")

    found = Choices({str(n): n for n in range(6)}, option, odd, hint=lambda number: -number)
    assert [each.id for each in found] == ["5", "3", "1"]
    assert {found.pick(Random(seed)) for seed in range(40)} == {"1", "3", "5"}
    # Why something is barred is looked at only when somebody asks.
    assert not asked
    refused = found.barred("4")
    assert refused is not None
    assert (refused.rule, found.barred("3"), found.barred("stranger"), asked) == ("toy.odd", None, None, ["4"])


def test_what_is_found_all_at_once_is_offered_without_asking_of_each() -> None:
    found = Choices({"a": "a", "b": "b"}, lambda name: Option(name, name), bar, quick=lambda: ["b"])
    assert ([each.id for each in found], len(found), found.pick(Random(1))) == (["b"], 1, "b")


def test_some_are_kept_in_the_order_of_the_options() -> None:
    assert some().check(["b", "a"]) == ["a", "b"]
    assert some().answers() == [["a"], ["b"], ["c"], ["a", "b"], ["b", "c"]]


@pytest.mark.parametrize(
    ("raw", "kind", "rule", "says"),
    [
        ([], "illegal", "toy.some", "0 chosen."),
        (["a", "b", "c"], "illegal", "toy.some", "3 chosen."),
        (["a", "c"], "illegal", "toy.quarrel", "a and c do not go together."),
        (["a", "a"], "malformed", None, "a choice is named twice"),
        (["gone"], "illegal", "toy.gone", "gone has left."),
        (["z"], "unknown", None, "'z' is not one of the choices."),
        ("a", "malformed", None, "expected a list of names, not a"),
    ],
)
def test_some_are_refused_by_their_rule(raw: object, kind: str, rule: str | None, says: str) -> None:
    refused = refused_well(some(), raw)
    assert (refused.kind, refused.rule, refused.message) == (kind, rule, says)


def test_some_of_many_are_not_listed() -> None:
    many = [Option(str(n), str(n)) for n in range(12)]
    question = ChooseSome("some", "Which?", many, 0, 12)
    assert MANY < 2**12
    assert question.answers() is None
    assert question.candidates(3) == [[], ["0"], ["1"]]


def test_assign_keeps_the_order_of_the_items_and_lets_items_be() -> None:
    question = Assign("fire", "At what?", {"gun": ABC, "tank": ABC})
    assert json.dumps(question.check({"tank": "a", "gun": "b"})) == '{"gun": "b", "tank": "a"}'
    assert question.check({}) == {}
    assert question.candidates() == [{"gun": "a", "tank": "a"}]


@pytest.mark.parametrize(
    ("raw", "kind", "rule", "field"),
    [
        ({}, "malformed", None, "fire"),
        ({"gun": "a", "tank": "b"}, "illegal", "toy.one", "fire"),
        ({"gun": "ghost"}, "illegal", "toy.sight", "gun"),
        ({"gun": "c"}, "unknown", None, "gun"),
        ({"blind": "a"}, "unknown", None, "blind"),
        ({"mortar": "a"}, "unknown", None, "fire"),
        ({"gun": 1}, "malformed", None, "fire"),
        (["gun"], "malformed", None, "fire"),
    ],
)
def test_assign_is_refused_by_item_or_rule(raw: object, kind: str, rule: str | None, field: str) -> None:
    refused = refused_well(assign(), raw)
    assert (refused.kind, refused.rule, refused.field) == (kind, rule, field)


def test_moves_are_kept_in_hundredths_and_tenths_of_a_degree() -> None:
    raw = {"q": {"to": [1.239, 2], "facing": -0.04}, "p": {"to": [0.004, 1], "turret": 725.06, "via": [[1, 2.346]]}}
    assert move().check(raw) == {
        "p": {"to": [0.0, 1.0], "turret": 5.1, "via": [[1.0, 2.35]]},
        "q": {"to": [1.24, 2.0], "facing": 0.0},
    }


@pytest.mark.parametrize(
    ("raw", "kind", "rule", "field"),
    [
        ({"p": {"to": [48.01, 1]}}, "illegal", "toy.table", "p"),
        ({"gone": {"to": [1, 1]}}, "illegal", "toy.gone", "gone"),
        ({"r": {"to": [1, 1]}}, "unknown", None, "move"),
        ({"p": {"to": [1, 1, 1]}}, "malformed", None, "move"),
        ({"p": {"to": [1, float("nan")]}}, "malformed", None, "p"),
        ({"p": {"to": [1, 1], "via": [[1, 1]] * 17}}, "malformed", None, "p"),
        ({"p": {"to": [1, 1], "faceing": 90}}, "malformed", None, "move"),
    ],
)
def test_moves_are_refused_by_piece_or_rule(raw: object, kind: str, rule: str | None, field: str) -> None:
    refused = refused_well(move(), raw)
    assert (refused.kind, refused.rule, refused.field) == (kind, rule, field)


def test_steps_go_into_plain_data_and_back() -> None:
    there = {"p": Step((1.0, 2.0), 90.0, 45.0, [(3.0, 4.0)]), "q": Step((0.0, 0.0))}
    assert plain_to_steps(steps_to_plain(there)) == there


def test_pieces_are_made_only_when_somebody_must_see_them() -> None:
    made: list[str] = []

    def pieces() -> list[Piece]:
        made.append("made")
        return []

    question = MovePieces("move", "Where?", ["p"], pieces, within, lambda most: [{}])
    question.check({"p": {"to": [1, 1]}})
    question.sample(Random(1))
    assert made == []
    question.describe()
    assert made == ["made"]


def test_a_point_is_kept_in_hundredths() -> None:
    assert point().check([1, 2.346]) == [1.0, 2.35]
    assert refused_well(point(), [49, 1]).rule == "toy.table"
    assert refused_well(point(), [1]).legal == "Give [x, y] in inches."


def test_a_number_is_whole_and_within_bounds() -> None:
    assert number().answers() == [2, 3, 4, 5]
    assert number().candidates(2) == [2, 3]
    assert {number().sample(Random(seed)) for seed in range(50)} == {2, 3, 4, 5}
    assert refused_well(number(), 6).rule == "toy.number"
    for raw in (True, 3.0, "3"):
        assert refused_well(number(), raw).kind == "malformed"
    assert ChooseNumber("many", "How many?", 1, 10_000).answers() is None


def test_dice_have_the_faces_of_the_throw() -> None:
    assert dice().check([1, 6]) == [1, 6]
    for raw in ([1], [1, 7], [0, 1], [1, True], [1.0, 2], "16"):
        assert refused_well(dice(), raw).kind == "malformed"
    assert {value for seed in range(30) for value in dice().sample(Random(seed))} == {1, 2, 3, 4, 5, 6}


def test_what_strangers_write_is_never_shown_at_length() -> None:
    assert shown("x" * 100) == "x" * 60 + "…"
    assert shown({"secret": 1}) == "dict"
    assert names(str(n) for n in range(9)) == "0, 1, 2, 3, 4, 5, 6, 7, …"


@pytest.mark.parametrize("seed", range(12))
def test_what_is_drawn_does_not_depend_on_who_has_looked(seed: int) -> None:
    def offered() -> Choices[str]:
        things = {name: name for name in "abcdef"}
        barred = Refusal("illegal", "not now", field="topic")
        return Choices(things, lambda name: Option(name, name), lambda name: barred if name in "bd" else None)

    unseen, seen = offered(), offered()
    assert len(seen) == 4
    assert unseen.draw(Random(seed)) == seen.draw(Random(seed))
    assert {offered().draw(Random(number)) for number in range(60)} == set("acef")


def test_ideas_hold_what_leaves_everything_as_it_is_however_few_they_are() -> None:
    question = choose()
    question.rest = "c"
    assert [idea.answer for idea in question.ideas(2)] == ["a", "c"]
    assert [idea.answer for idea in question.ideas(9)] == ["a", "b", "c"]
