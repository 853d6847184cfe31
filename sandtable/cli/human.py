"""A person at the terminal: sees the question in plain words, types a number, a name, or the answer as JSON."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import typer

from sandtable.engine.errors import SandtableError
from sandtable.engine.questions import Answer, EnterDice, Question, Refusal
from sandtable.engine.seat import Seat
from sandtable.engine.standing import Standing

HELP = """  a number or a name   choose that answer
  5 3 1                what your dice show, when you are asked for them
  JSON                 an answer in full, as the documentation of questions describes it
  why                  the rules behind the question
  map                  the table
  always CHOICE        answer so whenever this is asked, to the end of the turn
  undo                 take back your last answer (until a die, or the other player's answer)
  save FILE            save the game
  quit                 leave; the game so far can be saved first"""

WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


class Quit(SandtableError):
    """The person has had enough."""


class Undo(Exception):
    """The person wants the last answer back."""


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


class Human:
    """Asks on standard error, so that standard output stays free for what a program may read."""

    def __init__(self) -> None:
        self.warned: set[str] = set()

    def warn(self, seat: Seat) -> None:
        """What is undone or amiss, said once."""
        for guard in seat.guards():
            if guard.message not in self.warned:
                self.warned.add(guard.message)
                say(f"  Mind: {guard.message}" + (f" ({guard.rule})" if guard.rule else ""))

    def choose(self, seat: Seat) -> Answer:
        question = seat.question
        self.warn(seat)
        # Real dice show what they show: nothing is proposed that a number typed could be mistaken for.
        choices = [] if isinstance(question, EnterDice) else question.answers() or question.candidates(12)
        say(f"\n{seat.name}: {question.words}")
        for number, choice in enumerate(choices, 1):
            say(f"  {number:2}  {in_words(question, choice)}")
        while True:
            text = self.read(seat.name)
            always = text.startswith("always ")
            answer = self.understand(seat, question, choices, text.removeprefix("always ").strip())
            if answer is None:
                continue
            checked = question.check(answer[0])
            if not isinstance(checked, Refusal) and always:
                raise Leave(Standing(seat.name, question.topic, checked, last_turn=seat.turn))
            if not isinstance(checked, Refusal):
                return checked
            say(f"  Not so: {checked}")

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
        elif word == "why":
            say("  " + (", ".join(question.rules) or "no rule in particular") + "  (sandtable rules show ID)")
        elif word == "map":
            from sandtable.table.textmap import text_map

            say(text_map(seat.scene()))
        elif word == "quit":
            raise Quit("the game is left unfinished")
        elif word == "undo":
            raise Undo
        elif word == "save" and rest:
            raise Save(rest)
        elif isinstance(question, EnterDice) and all(map(is_number, text.split())):
            return ([int(part) for part in text.split()],)
        elif is_number(text) and 1 <= int(text) <= len(choices):
            return (choices[int(text) - 1],)
        elif text[:1] in "[{" or (text[:1] == '"' and len(text) > 1):
            try:
                return (json.loads(text),)
            except (ValueError, RecursionError) as error:
                say(f"  That is not JSON: {error}")
        else:
            return (text,)
        return None


def is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def say(text: str) -> None:
    typer.echo(text, err=True)


def in_words(question: Question, choice: Answer) -> str:
    """A choice as a person reads it."""
    described = question.describe()
    labels = {option["id"]: option["label"] for option in described.get("options", [])}
    if isinstance(choice, str):
        return f"{labels.get(choice, choice)}" + (f"  [{choice}]" if choice in labels else "")
    if isinstance(choice, list):
        return ", ".join(str(labels.get(item, item)) for item in choice) or "none"
    if described.get("form") == "move":
        return move_words(described["pieces"], choice)
    if isinstance(choice, dict):
        return ", ".join(f"{item} at {target}" for item, target in choice.items()) or "none"
    return str(choice)


def move_words(pieces: list[dict[str, Any]], choice: dict[str, Any]) -> str:
    if not choice:
        return "stay"
    starts = {piece["id"]: piece["at"] for piece in pieces}
    if any(starts[name] is None for name in choice):
        x, y = next(iter(choice.values()))["to"]
        return f"set up about {x:g}, {y:g}"
    dx = sum(step["to"][0] - starts[name][0] for name, step in choice.items()) / len(choice)
    dy = sum(step["to"][1] - starts[name][1] for name, step in choice.items()) / len(choice)
    wind = WINDS[round(math.degrees(math.atan2(dx, dy)) / 45.0) % 8]
    return f"{len(choice)} Teams, about {math.hypot(dx, dy):.1f} inches {wind}"
