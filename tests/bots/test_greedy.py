"""What greedy thinks of before it answers, shown in a game of a few questions whose worth is known."""

from __future__ import annotations

import msgspec
import pytest

from sandtable import rulesets
from sandtable.bots.greedy_bot import MANY_LOOKS, GreedyBot, Way
from sandtable.bots.steady_bot import SteadyBot
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, Choose, Option
from sandtable.engine.ruleset import Ask, Result, Ruleset
from sandtable.engine.seat import Moment, Seat
from sandtable.engine.worth import Term, Worth
from sandtable.rulesets.hof.core.state import State as HofState
from sandtable.rulesets.hof.core.state import other
from sandtable.table.scene import Scene


class Setup(msgspec.Struct):
    """What each answer is worth, by the answers that lead to it; and what the enemy's reaction costs him."""

    worth: dict[str, float] = {}
    reaction: float = 0.0
    faces: list[float] = []
    """What a die of the one who acts gains him by what it shows; without it none is thrown."""
    crowd: int = 0
    """How many more there are who could be chosen, and who do nothing but what they are worth."""
    title: str = "Answers"


class State(msgspec.Struct):
    round: int = 1
    phase: str = "who"
    said: list[str] = []
    gained: float = 0.0
    result: Result | None = None


def ask(seat: str, step: str, *names: str, rest: str | None = None, checkpoint: bool = False) -> Flow[str]:
    options = [Option(name, name) for name in names]
    answer: str = yield Ask(seat, Choose(step, step, options, step=step, rest=rest), checkpoint=checkpoint)
    return answer


def flow(game: Game[State]) -> Flow[None]:
    """Red acts or waits: he fires, or moves here or there; then blue may react; then it is blue's turn, and over."""
    state = game.state
    if state.phase == "who":
        crowd = [f"number {number}" for number in range(game.setup.crowd)]
        crowd += ["second"] if "second fire" in game.setup.worth else []
        who = yield from ask("red", "who", "act", *crowd, "wait", rest="wait", checkpoint=True)
        said = [who]
        if who in ("act", "second"):
            said.append((yield from ask("red", "what", "fire", "move")))
            if said[-1] == "move":
                said.append((yield from ask("red", "where", "stay", "assault")))
            if game.setup.faces:
                throw = yield from game.throw("red", 1, "luck")
                state.gained += game.setup.faces[throw.value - 1]
            if (yield from ask("blue", "reply", "react", "pass", rest="pass")) == "react":
                state.gained += game.setup.reaction
            # Blue must go somewhere: to stay is what such questions call leaving all as it is, but he may not.
            where = yield from ask("blue", "where", "here", "there", rest="nowhere")
            assert where in ("here", "there")
        state.said = said
        state.gained += game.setup.worth.get(" ".join(said), 0.0)
        state.phase = "blue"
    yield from ask("blue", "who", "end", checkpoint=True)
    state.result = Result("red", "all is said", "answers.end")


def weigh(game: Game[State], seat: str) -> dict[str, float]:
    return {"gained": game.state.gained if seat == "red" else -game.state.gained}


ANSWERS: Ruleset[Setup, State, None] = Ruleset(
    name="answers",
    title="Answers",
    setup_type=Setup,
    state_type=State,
    prepare=lambda setup: None,
    begin=lambda setup: State(),
    flow=flow,
    worth=Worth(weigh, {"gained": Term(1.0, "more gained")}),
    scene=lambda game, seat: Scene(6.0, 6.0, title="Answers"),
    summary=lambda state: {},
    invariants=lambda game: [],
    scenarios=list,
    scenario=lambda name: Setup(),
)


def played(setup: Setup, seed: int = 1) -> list[str]:
    """What greedy says as red, to its last answer."""
    game = Game(ANSWERS, setup, SeededDice(seed))
    bot, seat = GreedyBot(seed), Seat(game, "red")
    while game.ask is not None and game.ask.seat == "red":
        game.accept(bot.choose(seat))
        while game.ask is not None and game.ask.seat == "blue" and not game.ask.checkpoint:
            game.accept("pass" if game.ask.question.step == "reply" else "here")
    return game.state.said


def test_an_order_that_only_pays_by_where_one_goes_is_found() -> None:
    """The move seems worse than the fire until it is known where: there is an assault to be made."""
    assert played(Setup({"act fire": 1.0, "act move stay": -1.0, "act move assault": 3.0})) == [
        "act",
        "move",
        "assault",
    ]


def test_nothing_is_done_for_what_the_enemy_would_do_to_himself() -> None:
    """He need not react: that his reaction would cost him something is no reason to act."""
    assert played(Setup({"act fire": 0.0}, reaction=2.0)) == ["wait"]


def test_a_reaction_that_hurts_is_foreseen() -> None:
    assert played(Setup({"act fire": 1.0, "act move assault": 1.0}, reaction=-2.0)) == ["wait"]
    assert played(Setup({"act fire": 1.0, "act move assault": 1.0})) != ["wait"]


@pytest.mark.parametrize("seed", range(1, 33))
def test_one_lucky_throw_is_no_reason(seed: int) -> None:
    """Acting wins with a six and loses otherwise: on average it loses half as much."""
    assert played(Setup(faces=[-1.0] * 5 + [2.0]), seed) == ["wait"]


@pytest.mark.parametrize("seed", range(1, 33))
def test_two_faces_in_six_that_ruin_him_are_not_overlooked(seed: int) -> None:
    """The tries show six faces between them before any comes again: a third of them is in any four of six but one."""
    assert played(Setup(faces=[-12.0, -12.0] + [1.0] * 4), seed) == ["wait"]


@pytest.mark.parametrize("seed", range(1, 33))
def test_one_unlucky_throw_is_no_reason_to_do_nothing(seed: int) -> None:
    """A third of the faces cost him more than the others gain him: on average he wins."""
    assert played(Setup(faces=[-1.2] * 2 + [1.1] * 4), seed)[0] == "act"


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_plan_that_was_chosen_is_kept_to(seed: int) -> None:
    assert played(Setup({"act fire": 1.0, "act move assault": 1.05}), seed)[0] == "act"


def test_an_order_that_was_planned_is_given_without_another_look() -> None:
    game = Game(ANSWERS, Setup({"act fire": 1.0, "act move stay": -1.0, "act move assault": 3.0}), SeededDice(1))
    bot, seat = GreedyBot(1), Seat(game, "red")
    game.accept(bot.choose(seat))
    assert bot.intended == ["move", "assault"]
    looks = bot.looks
    assert bot.choose(seat) == "move"
    assert (bot.looks, bot.intended) == (looks, ["assault"])
    assert bot.why == "move: as planned."


def test_what_was_planned_is_thought_over_again_when_dice_have_fallen() -> None:
    """Nor does one question follow another for a different seat, or after a different answer."""
    asked = Moment("red", None, 3, 2)
    assert Moment("red", None, 4, 2).follows(asked)
    for other_moment in (
        Moment("red", None, 4, 3),
        Moment("red", None, 5, 2),
        Moment("blue", None, 4, 2),
        Moment("red", object(), 4, 2),
    ):
        assert not other_moment.follows(asked)


def test_what_is_asked_along_a_way_is_found_out_once() -> None:
    made: list[int] = []

    class Asking(Choose):
        def candidates(self, most: int = 24) -> list[Answer]:
            made.append(most)
            return super().candidates(most)

    question = Asking("what", "what", [Option("fire", "fire"), Option("move", "move")])
    way, move = Way(), {"a": {"to": [1, 2]}}
    assert way.then("act").then(move, [3]) is way.then("act").then(move, [3])
    assert way.then("act").then(move, [3]) is not way.then("act").then(move, [4])
    assert way.then("act").then(move) is not way.then("act").then(dict(move))
    assert [way.proposed(question), way.proposed(question)] == ["fire", "fire"]
    assert made == [1]


def test_a_long_turn_is_hurried_and_the_next_is_not() -> None:
    """By the number of looks, never by the clock."""
    game = Game(rulesets.load("tr14"), rulesets.load("tr14").scenario("crossroads"), SeededDice(3))
    steady, bot = SteadyBot(), GreedyBot(3)
    while game.ask is not None and game.ask.question.topic != "action":
        game.accept(steady.choose(Seat(game, game.ask.seat)))
    assert game.ask is not None
    seat = Seat(game, game.ask.seat)

    def looks(turn: int, before: int) -> int:
        bot.random.seed(3)
        bot.turn, bot.looks = turn, before
        bot.choose(seat)
        return bot.looks - (before if turn == seat.turn else 0)

    fresh = looks(seat.turn, 0)
    assert looks(seat.turn, MANY_LOOKS) < fresh
    assert looks(seat.turn - 1, MANY_LOOKS) == fresh


@pytest.mark.parametrize("looks", [0, MANY_LOOKS])
def test_before_nothing_is_done_no_answer_is_overlooked(looks: int) -> None:
    """However long the turn has been: the last of thirty is the one who is worth it."""
    setup = Setup({"act fire": -1.0, "act move stay": -1.0, "act move assault": -1.0, "number 29": 2.0}, crowd=30)
    game = Game(ANSWERS, setup, SeededDice(1))
    bot, seat = GreedyBot(1), Seat(game, "red")
    bot.turn, bot.looks = seat.turn, looks
    assert bot.choose(seat) == "number 29"


@pytest.mark.parametrize("looks", [0, MANY_LOOKS])
def test_before_nothing_is_done_a_second_plan_is_thought_through(looks: int) -> None:
    """In a long turn, too, though it seems the worse of two poor ones until it is known where it goes."""
    worth = {"act fire": -0.5, "act move stay": -0.5, "act move assault": -0.5}
    worth |= {"second fire": -1.0, "second move stay": -0.9, "second move assault": 3.0}
    game = Game(ANSWERS, Setup(worth), SeededDice(1))
    bot, seat = GreedyBot(1), Seat(game, "red")
    bot.turn, bot.looks = seat.turn, looks
    assert bot.choose(seat) == "second"


def test_of_hof_the_defender_alone_thinks_over_where_his_reserves_come_on() -> None:
    """The Attacker may not know who waits there; the Defender does."""
    rules = rulesets.load("hof")
    state: HofState = rules.begin(rules.scenario("patrol"))
    state.phase = "reinforce"
    assert rules.imagines(state, other(state.attacker))
    assert not rules.imagines(state, state.attacker)
    assert not rules.imagines(state, None)
