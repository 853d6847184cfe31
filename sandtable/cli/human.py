"""A person at the terminal: sees the question in plain words, types a number, a name, or the answer as JSON."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import typer

from sandtable.engine.errors import SandtableError
from sandtable.engine.events import several
from sandtable.engine.game import FORCED, STANDING, Entry, Game, Observer
from sandtable.engine.lessons import GuideCard, GuideStep
from sandtable.engine.questions import Answer, ChooseNumber, EnterDice, MovePieces, Question, Refusal
from sandtable.engine.ruleset import Guard, Habit
from sandtable.engine.seat import Seat
from sandtable.engine.settled import settled
from sandtable.engine.standing import Condition, Standing, answer_words, as_proposed, deploy_the_rest
from sandtable.engine.tokens import plain

HELP = """  a number or a name   choose that answer
  5 3 1                what your dice show, when you are asked for them
  JSON                 an answer in full, as the documentation of questions describes it
  names                what is asked about, by the names that such an answer uses
  try                  answer as the guide of a lesson says
  why                  the rules behind the question
  map                  the table
  always CHOICE        answer so whenever this is asked, to the end of the turn
  ever CHOICE          the same to the end of the battle; both take `if FACT`, `unless FACT`, `if FACT >= 12`
  facts                what such conditions may look at
  habits               standing answers of this game, * those that are on; `habit NAME` takes one up or drops it
  rest                 deploy what is left as proposed
  proposed             go on as proposed to the end of the turn, or until the enemy's doings need an answer
  undo                 take back your last answer (until a die, or the other player's answer)
  change               take back only what a habit answered since then, and be asked
  save FILE            save the game
  quit                 leave; the game so far can be saved first"""

WINDS = (
    *("north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east"),
    *("south-south-east", "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west"),
    *("north-west", "north-north-west"),
)
"""Sixteen, so that proposals which differ a little are not called the same."""


class Quit(SandtableError):
    """The person has had enough."""


class Undo(Exception):
    """The person wants the last answer back."""


class Change(Exception):
    """The person wants to be asked what a habit answered."""


class Save(Exception):
    """The person wants the game saved."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Leave(Exception):
    """The person leaves an answer for all questions of this kind, to the end of the turn."""

    def __init__(self, standing: Standing) -> None:
        super().__init__(standing.topic)
        self.standing = standing


class Habitual(Exception):
    """The person takes up a habit of the game, or drops it."""

    def __init__(self, habit: Habit) -> None:
        super().__init__(habit.id)
        self.habit = habit


CONDITION = re.compile(r"(?P<word>if|unless)\s+(?P<fact>[\w:.-]+)(?:\s*(?P<op><=|>=|==|!=)\s*(?P<value>\S+))?$")
OPPOSITE: dict[str, str] = {"==": "!=", "!=": "=="}


def condition(text: str) -> Condition | None:
    """`if FACT`, `unless FACT`, `if FACT >= 12` as a condition; None for anything else."""
    found = CONDITION.match(text.strip())
    if found is None:
        return None
    op, value = found["op"] or "==", plain_value(found["value"] or "true")
    if found["word"] == "unless":
        if op not in OPPOSITE:
            return None
        op = OPPOSITE[op]
    try:
        return msgspec.convert({"fact": found["fact"], "op": op, "value": value}, Condition)
    except msgspec.ValidationError:
        return None


def plain_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


class Human:
    """Asks on standard error, so that standard output stays free for what a program may read."""

    def __init__(self) -> None:
        self.warned: set[str] = set()
        self.guided: Callable[[], GuideCard | None] = lambda: None
        """What the guide of a lesson says at the question now asked."""

    def warn(self, seat: Seat) -> None:
        """What is undone or amiss, said once."""
        for guard in seat.guards():
            if not guard.before:
                self.heed(guard)

    def heed(self, guard: Guard) -> bool:
        """Say what a guard says, if it has not been said; True if it was news."""
        if guard.message in self.warned:
            return False
        self.warned.add(guard.message)
        say(f"  Mind: {guard.message}" + (f" ({guard.rule})" if guard.rule else ""))
        return True

    def choose(self, seat: Seat) -> Answer:
        question = seat.question
        self.warn(seat)
        # Where numbers are the answer, nothing is listed that a number typed could be mistaken for.
        numbers = isinstance(question, EnterDice | ChooseNumber)
        choices = [] if numbers else question.answers() or question.candidates(12)
        bounds = f" {question.low} to {question.high}" if isinstance(question, ChooseNumber) else ""
        card = self.guided()
        for step in card.steps if card is not None else []:
            tells(step, card.of if card is not None else 0)
        say(f"\n{seat.name}: {question.words}{bounds}")
        for number, choice in enumerate(choices, 1):
            say(f"  {number:2}  {in_words(question, choice)}")
        while True:
            text = self.read(seat.name)
            word, _, rest = text.partition(" ")
            lasting = word in ("always", "ever") and bool(rest)
            wanted, only = split_condition(rest.strip()) if lasting else (text, [])
            answer = self.understand(seat, question, choices, wanted)
            if answer is None:
                continue
            checked = question.check(answer[0])
            if isinstance(checked, Refusal):
                say(f"  Not so: {checked}")
            elif lasting:
                last = seat.turn if word == "always" else None
                said = answer_words(question, checked)
                raise Leave(Standing(seat.name, question.topic, checked, only=only, last_turn=last, said=said))
            elif any(guard.before == checked and self.heed(guard) for guard in seat.guards()):
                say("  Answer so again to go on.")
            else:
                return checked

    def read(self, name: str) -> str:
        typer.echo(f"{name}> ", nl=False, err=True)
        try:
            line = sys.stdin.readline()
            line.encode()
        except UnicodeError:
            # Half a character, as a terminal with another encoding may send: nothing that was meant.
            return "?"
        if not line:
            raise Quit("the input has ended in the midst of the game")
        return line.strip()

    def understand(self, seat: Seat, question: Question, choices: list[Answer], text: str) -> tuple[Answer] | None:
        """The answer that was meant, or None when the line was something else."""
        word, _, rest = text.partition(" ")
        if word in ("", "?", "help"):
            say(HELP)
        elif text == "try" and (card := self.guided()) is not None and card.steps[-1].answer is not None:
            return (card.steps[-1].answer,)
        elif word == "why":
            say("  " + (", ".join(question.rules) or "no rule in particular") + "  (sandtable rules show ID)")
        elif word == "names":
            for name, label in names_of(question):
                say(f"  {name:32} {label}")
        elif word == "map":
            from sandtable.table.textmap import text_map

            say(text_map(seat.scene()))
        elif word == "facts":
            say("  " + (", ".join(f"{name} = {value}" for name, value in question.facts.items()) or "none"))
        elif word == "habits":
            for habit in seat.habits:
                mark = "*" if habit.standing(seat.name) in seat.standing else " "
                say(f"{mark} {habit.id:20} {habit.words}")
        elif word == "habit" and any(habit.id == rest for habit in seat.habits):
            raise Habitual(next(habit for habit in seat.habits if habit.id == rest))
        elif word == "quit":
            raise Quit("the game is left unfinished")
        elif word == "undo":
            raise Undo
        elif word == "change":
            raise Change
        elif text == "rest" and question.step == "deploy":
            raise Leave(deploy_the_rest(seat.name))
        elif text == "proposed":
            raise Leave(as_proposed(seat.name, seat.turn))
        elif word == "save" and rest:
            raise Save(rest)
        elif isinstance(question, EnterDice) and all(map(is_number, text.split())):
            return ([int(part) for part in text.split()],)
        elif isinstance(question, ChooseNumber) and is_number(text):
            return (int(text),)
        elif is_number(text) and choices:
            if 1 <= int(text) <= len(choices):
                return (choices[int(text) - 1],)
            say(f"  Not so: there is no choice {text}, the list goes from 1 to {len(choices)}.")
        elif text[:1] in "[{" or (text[:1] == '"' and len(text) > 1):
            try:
                return (json.loads(text),)
            except (ValueError, RecursionError) as error:
                say(f"  That is not JSON: {error}")
        else:
            return (text,)
        return None


class Lines(Observer):
    """What people need not answer themselves: one quiet line each."""

    def __init__(self, people: set[str]) -> None:
        self.people = people
        self.waiting: list[str] = []
        self.numbers: list[int] = []

    def answered(self, game: Game[Any], entry: Entry) -> None:
        if entry.seat not in self.people:
            return
        if entry.by not in (STANDING, FORCED):
            self.numbers = []
            return
        line = settled(game, entry)
        how = f"habit {line.habit}" if line.habit else "as left" if line.by == STANDING else "the only choice"
        self.waiting.append(f"  {line.title}: {line.said} ({how})")
        if line.by == STANDING:
            self.numbers.append(line.number)

    def show(self) -> None:
        for line in self.waiting:
            say(line)
        self.waiting = []

    def changeable(self, game: Game[Any], seat: str) -> int | None:
        """The first question that a habit has answered since the last own answer, and that can be put again."""
        return next((number for number in self.numbers if game.may_undo_to(seat, number) is None), None)


def split_condition(text: str) -> tuple[str, list[Condition]]:
    """`pass unless fired_on` is an answer and a condition."""
    for word in (" if ", " unless "):
        answer, found, rest = text.partition(word)
        if found:
            parsed = condition(word.strip() + " " + rest)
            if parsed is not None:
                return answer.strip(), [parsed]
    return text, []


def tells(step: GuideStep, of: int) -> None:
    """What a guide says: which step of how many, and what could be answered."""
    say(f"\n  [{step.number} of {of}] {step.title}" if step.number else f"\n  [by the way] {step.title}")
    say(f"  {step.says}")
    if step.answer is not None:
        say(f"  Try: {step.said or step.answer}. (`try` answers so.)")


def is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def say(text: str) -> None:
    typer.echo(plain(text), err=True)


def names_of(question: Question) -> list[tuple[str, str]]:
    """Everything that an answer in JSON may name, and what people call it."""
    described = question.describe()
    found = [(option["id"], option["label"]) for option in described.get("options", [])]
    found += [(piece["id"], piece["label"]) for piece in described.get("pieces", [])]
    for item, options in described.get("items", {}).items():
        found.append((item, "takes one of these"))
        found += [(f"  {option['id']}", option["label"]) for option in options]
    return found


def in_words(question: Question, choice: Answer) -> str:
    """A choice as a person reads it."""
    spoken = question.spoken(choice)
    if spoken:
        return spoken
    described = question.describe()
    labels = {option["id"]: option["label"] for option in described.get("options", [])}
    if isinstance(choice, str):
        return f"{labels.get(choice, choice)}" + (f"  [{choice}]" if choice in labels else "")
    if isinstance(choice, list):
        return ", ".join(f"{labels.get(item, item)}  [{item}]" for item in choice) or "none"
    if isinstance(question, MovePieces):
        return move_words(described["pieces"], choice, question.noun)
    if isinstance(choice, dict):
        return assigned_words(described.get("items", {}), choice)
    return str(choice)


def assigned_words(items: dict[str, list[dict[str, Any]]], choice: dict[str, str]) -> str:
    """Who is given what: `all: Move`, or one part after the other."""
    labels = {option["id"]: option["label"] for options in items.values() for option in options}
    groups: dict[str, list[str]] = {}
    for item, target in choice.items():
        groups.setdefault(target, []).append(item)
    if len(groups) == 1 and len(choice) == len(items) > 1:
        target = next(iter(groups))
        return f"all: {labels.get(target, target)}"
    return "; ".join(f"{', '.join(names)}: {labels.get(target, target)}" for target, names in groups.items()) or "none"


def move_words(pieces: list[dict[str, Any]], choice: dict[str, Any], noun: str) -> str:
    if not choice:
        return "stay"
    starts = {piece["id"]: piece["at"] for piece in pieces}
    if any(starts[name] is None for name in choice):
        x, y = next(iter(choice.values()))["to"]
        return f"set up about {x:g}, {y:g}"
    dx = sum(step["to"][0] - starts[name][0] for name, step in choice.items()) / len(choice)
    dy = sum(step["to"][1] - starts[name][1] for name, step in choice.items()) / len(choice)
    wind = WINDS[round(math.degrees(math.atan2(dx, dy)) / 22.5) % 16]
    return f"{several(len(choice), noun)}, about {math.hypot(dx, dy):.1f} inches {wind}"
