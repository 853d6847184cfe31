"""`sandtable play`: one game in the terminal."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import print_json
from sandtable.cli.outside import chosen
from sandtable.engine.tokens import plain

if TYPE_CHECKING:
    from sandtable.engine.events import Event
    from sandtable.engine.game import Game
    from sandtable.engine.lessons import Lesson
    from sandtable.engine.ruleset import Habit, Ruleset
    from sandtable.engine.seat import Player, Seat


def register(app: typer.Typer) -> None:
    app.command("play")(play)


def play(
    ruleset: Annotated[str, typer.Option(help="The rules to play by; or a file of your own, as skirmish.py.")] = "hof",
    scenario: Annotated[
        str | None, typer.Option(help="The battle; 'list' shows them all. The smallest, if none is named.")
    ] = None,
    red: Annotated[str, typer.Option(help="human, random, greedy, steady, or program:COMMAND.")] = "human",
    blue: Annotated[str, typer.Option(help="human, random, greedy, steady, or program:COMMAND.")] = "greedy",
    seed: Annotated[int | None, typer.Option(help="The seed of the dice; another battle for each.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and no log.")] = False,
    dice: Annotated[str, typer.Option(help="seeded, or typed: enter what your own dice show.")] = "seeded",
    save: Annotated[Path | None, typer.Option(help="Write the game to this file when it ends, or is left.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a saved game instead of a new one.")] = None,
    deadline: Annotated[float, typer.Option(help="Seconds that a program may think.")] = 5.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="No log, only the result.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Bots say why: at once if no person plays, else when the battle is over.")
    ] = False,
    options: Annotated[
        str | None, typer.Option(help="Optional rules: core, club, all, or names with commas; 'list' shows them.")
    ] = None,
    lesson: Annotated[
        str | None, typer.Option(help="A first battle with a guide, as first-battle; 'list' shows them all.")
    ] = None,
) -> None:
    """Play one game, with a log that names the rule behind everything."""
    from sandtable import rulesets
    from sandtable.cli.human import Quit
    from sandtable.cli.players import WrongSeat, seat_player
    from sandtable.engine import record
    from sandtable.engine.dice import SeededDice, TypedDice
    from sandtable.engine.game import Game
    from sandtable.table.compiled import switch

    rules = rulesets.load(chosen(ruleset))
    if scenario == "list":
        typer.echo("\n".join(rules.scenarios()))
        return
    if lesson == "list":
        for name, each in rules.lessons().items():
            typer.echo(f"{name:20} {each.about}")
        return
    taught = None if lesson is None else lesson_of(rules, lesson)
    if taught is not None:
        if scenario is not None or options is not None or resume is not None:
            raise WrongSeat("a lesson has a battle of its own: leave out --scenario, --options and --resume")
        red, blue = ("human" if side == taught.seat else taught.bot for side in ("red", "blue"))
        seed = taught.seed if seed is None else seed
    if options == "list":
        width = max((len(option.id) for option in rules.switches), default=0)
        for option in rules.switches:
            typer.echo(f"{option.id:{width}} {option.about}")
        return
    if dice not in ("seeded", "typed"):
        raise WrongSeat(f"there are no {dice!r} dice; use seeded or typed")
    if seed is None:
        # The one place where chance enters from outside: which battle to fight. It is printed, to be fought again.
        import secrets

        seed = secrets.randbelow(10**9)
    switch.begin()
    players = {
        "red": seat_player(red, "red", seed, deadline),
        "blue": seat_player(blue, "blue", seed, deadline),
    }
    log = None if as_json or quiet else Log(reader(red, blue))
    if resume is not None:
        game, seed = resumed(resume, seed)
    elif taught is not None:
        game = Game(rules, taught.setup, SeededDice(seed) if dice == "seeded" else TypedDice())
    else:
        battle = smallest(rules) if scenario is None else scenario
        setup = rules.scenario(battle) if options is None else switched(rules, battle, options)
        game = Game(rules, setup, SeededDice(seed) if dice == "seeded" else TypedDice())
    if log is not None:
        log.shown = len(game.events) if resume is not None else 0
        typer.echo(f"{game.setup.title}. Seed {seed}.")
    if taught is not None:
        guide_people(game, players, taught)
    try:
        with Interruptions() as interruptions:
            run(game, players, log, interruptions, why)
    except (Quit, Stopped):
        if save is not None:
            record.save(game, save)
            typer.echo(f"The game so far is in {save}.", err=True)
        raise
    finally:
        close(players, game)
    if save is not None:
        record.save(game, save)
    tell_result(game, seed, as_json)
    if taught is not None and taught.ends and not as_json:
        typer.echo(taught.ends)


class Stopped(KeyboardInterrupt):
    """Somebody, or the system, ends the program."""


class Interruptions:
    """Ctrl-C, a request to end and a closed terminal stop a game between two answers, never in the midst of one."""

    SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

    def __init__(self) -> None:
        self.asked = False
        self.waiting = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> Interruptions:
        for name in self.SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and threading.current_thread() is threading.main_thread():
                self.before[number] = signal.signal(number, self.stop)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def stop(self, *_: object) -> None:
        self.asked = True
        if self.waiting:
            raise Stopped

    def choose(self, player: Player, seat: Seat) -> Any:
        """Have a player think, which may be broken off."""
        self.waiting = True
        try:
            if self.asked:
                raise Stopped
            return player.choose(seat)
        finally:
            self.waiting = False


def smallest(rules: Ruleset) -> str:
    """The battle of whoever names none, here as in the lobby: the one with the fewest Units."""
    return min(rules.scenarios(), key=lambda name: len(getattr(rules.scenario(name), "units", ())))


def lesson_of(rules: Ruleset, name: str) -> Lesson:
    from sandtable.cli.players import WrongSeat

    known = rules.lessons()
    if name not in known:
        raise WrongSeat(f"{rules.name} has no lesson {name!r}; known: {', '.join(known) or 'none'}")
    return known[name]


def guide_people(game: Game[Any], players: dict[str, Player], lesson: Lesson) -> None:
    """The guide of a lesson looks on, and speaks at the questions of whoever he guides."""
    from sandtable.cli.human import Human
    from sandtable.engine.lessons import Guide

    guide = Guide(lesson)
    game.observers = (*game.observers, guide)
    player = players[lesson.seat]
    assert isinstance(player, Human)
    player.guided = lambda: guide.card(game)


def switched(rules: Ruleset, scenario: str, words: str) -> Any:
    """The set-up of a scenario with the optional rules that were asked for."""
    from sandtable.cli.players import WrongSeat

    if rules.switched is None:
        raise WrongSeat(f"{rules.name} has no optional rules")
    chosen = rules.preset(words)
    if chosen is None:
        chosen = frozenset(word.strip() for word in words.split(",") if word.strip())
        known = [switch.id for switch in rules.switches]
        for name in sorted(chosen.difference(known)):
            raise WrongSeat(f"there is no optional rule {name!r}; known: {', '.join(known)}, or core, club, all")
    return rules.switched(scenario, chosen)


def resumed(path: Path, seed: int) -> tuple[Game[Any], int]:
    """A saved game to go on with, and its seed; what the rules would do differently now is said."""
    from sandtable import rulesets
    from sandtable.engine import record

    saved = record.read(path)
    if saved.damage:
        typer.echo(saved.damage, err=True)
    found = record.resume(saved, rulesets.load)
    for problem in found.differs:
        typer.echo(f"It goes on from its last keyframe: {problem}", err=True)
    return found.game, saved.header.dice.seed if saved.header.dice.seed is not None else seed


def run(
    game: Game[Any], players: dict[str, Player], log: Log | None, interruptions: Interruptions, why: bool = False
) -> None:
    from sandtable.cli.human import Change, Habitual, Human, Leave, Lines, Save, Undo
    from sandtable.engine import record
    from sandtable.engine.questions import EnterDice, Refusal
    from sandtable.engine.seat import Seat

    hand = Human()
    people = {name for name, player in players.items() if isinstance(player, Human)}
    lines = Lines(people)
    game.observers = (*game.observers, lines)
    game.spares = lambda ask: ask.seat in people and not isinstance(ask.question, EnterDice)
    for name, player in players.items():
        if isinstance(player, Human) and not game.record:
            for habit in game.rules.habits:
                if habit.usual:
                    take_up(game, name, habit)
    seats = {name: Seat(game, name) for name in players}
    kept: list[tuple[int, str]] = []
    while game.ask is not None:
        if log is not None:
            log.show(game)
        lines.show()
        name = game.ask.seat
        # Real dice lie before the person at the terminal, whoever throws them.
        player = hand if isinstance(game.ask.question, EnterDice) else players[name]
        try:
            answer = interruptions.choose(player, seats[name])
        except Undo:
            refused = game.undo(name)
            typer.echo(f"  {plain(refused.message)}" if refused else "  Taken back.", err=True)
            if log is not None:
                log.shown = min(log.shown, len(game.events))
            continue
        except Change:
            back = lines.changeable(game, name)
            refused = Refusal("illegal", "No habit has answered anything since.") if back is None else None
            refused = refused or game.undo_to(name, back or 0)
            typer.echo(f"  {plain(refused.message)}" if refused else "  Taken back.", err=True)
            continue
        except Leave as left:
            game.leave(left.standing)
            continue
        except Habitual as wanted:
            take_up(game, name, wanted.habit)
            continue
        except Save as wanted:
            try:
                record.save(game, Path(wanted.path))
            except record.SaveError as error:
                # A slip in a name must not cost the game.
                typer.echo(f"  {error}", err=True)
            else:
                typer.echo(f"  Saved to {wanted.path}.", err=True)
            continue
        late = getattr(player, "late", False)
        if late:
            game.note(f"{name}'s program did not answer in time: the first candidate is taken")
        reason = getattr(player, "why", "") if why else ""
        if reason and not people:
            game.note(f"{name} – {reason}")
        elif reason:
            # What a bot thinks is as secret as its hand, until the battle is over.
            kept.append((len(game.record), f"{name} – {reason}"))
        game.accept(answer, "deadline" if late else "")
        game.settle()
    game.notes += kept
    if log is not None:
        log.show(game)


def take_up(game: Game[Any], seat: str, habit: Habit) -> None:
    """A seat takes up one of the game's habits, or drops it if it has it."""
    standing = habit.standing(seat)
    if standing in game.standing:
        game.standing.remove(standing)
        game.note(f"{seat} drops a habit: {habit.words}")
    else:
        game.leave(standing)
        typer.echo(f"  {seat}: {habit.words} (`habit {habit.id}` changes that)", err=True)


EVERYTHING = "*"
"""Whose eyes the log is for, when no person plays: the umpire's."""


def reader(red: str, blue: str) -> str | None:
    """Whose eyes the log is for: the one person's who plays; what everybody may know, when two sit here."""
    people = [seat for seat, name in (("red", red), ("blue", blue)) if name == "human"]
    return EVERYTHING if not people else people[0] if len(people) == 1 else None


class Log:
    """What happened since it was last shown, one line an event, its rules behind it."""

    def __init__(self, eyes: str | None = EVERYTHING) -> None:
        from rich.console import Console

        self.eyes = eyes
        self.console = Console(highlight=False, soft_wrap=True)
        self.shown = 0
        self.noted = 0

    def show(self, game: Game[Any]) -> None:
        from rich.markup import escape

        events = game.events[self.shown :] if self.eyes == EVERYTHING else game.seen(self.eyes, self.shown)
        for event in events:
            ids = dict.fromkeys([*event.rules, *(modifier.rule for modifier in event.modifiers)])
            rules = f"  [dim]{escape(', '.join(ids))}[/dim]" if ids else ""
            self.console.print(f"{escape(plain(event.text + reasons(event)))}{rules}")
        self.shown = len(game.events)
        for _, words in game.notes[self.noted :]:
            self.console.print(f"[italic]{escape(plain(words))}[/italic]")
        self.noted = len(game.notes)


def reasons(event: Event) -> str:
    """The dice and modifiers of an event, in brackets."""
    parts = [f"{throw.why}: {dice_words(throw.values, throw.before)}" for throw in event.dice]
    parts += [f"{modifier.amount:+d} {modifier.words}" for modifier in event.modifiers]
    return f" ({'; '.join(parts)})" if parts else ""


def dice_words(values: list[int], before: dict[int, int]) -> str:
    return " ".join(f"{before[n]}→{value}" if n in before else str(value) for n, value in enumerate(values))


def close(players: dict[str, Player], game: Game[Any]) -> None:
    from sandtable.engine.protocol import ProgramSeat

    for player in players.values():
        if isinstance(player, ProgramSeat):
            player.close(game)


def tell_result(game: Game[Any], seed: int, as_json: bool) -> None:
    result = game.result
    assert result is not None
    summary = game.rules.summary(game.state)
    if as_json:
        print_json(
            {
                "winner": result.winner,
                "turns": game.rules.turn(game.state),
                "seed": seed,
                "hash": game.hash(),
                "decisions": len(game.record),
                "reason": result.reason,
                "degree": result.degree,
                "points": result.points,
                "points_for": result.points_for,
                "summary": summary,
            }
        )
        return
    degree = f" ({result.degree})" if result.degree else ""
    typer.echo(f"{'Draw' if result.winner is None else f'{result.winner} wins'}{degree}: {result.reason}")
    if result.points:
        points = ", ".join(f"{side} {count:g}" for side, count in result.points.items())
        typer.echo(f"  {result.points_for}: {points}")
    for side, numbers in summary.items():
        typer.echo(f"  {side}: " + ", ".join(f"{count} {name}" for name, count in numbers.items()))
