"""`sandtable force`: begin, check, show and compare the forces of any game that has them as files."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import print_json, wrapped
from sandtable.engine.errors import SandtableError

if TYPE_CHECKING:
    from sandtable.engine.data import DataError
    from sandtable.engine.ruleset import ForceSheet, ForceTools

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Game = Annotated[str, typer.Option("--ruleset", help="Of which game.")]
USUAL = "hof"


class WrongForce(SandtableError):
    """Words on the command line that fit no force."""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Forces: begin, check, show and compare them.", no_args_is_help=True)
    group.command("new")(new)
    group.command("check")(check)
    group.command("show")(show)
    group.command("parity")(parity)
    app.add_typer(group, name="force")


def tools_of(ruleset: str) -> ForceTools:
    from sandtable import rulesets

    found = rulesets.load(ruleset).forces
    if found is None:
        raise WrongForce(f"the game {ruleset} has no forces as files")
    return found


def game_of(name: str, usual: str) -> str:
    """The game that a force belongs to: a file names its format, a name is one of the usual game's."""
    from sandtable.engine.data import parse_toml, read_text

    if Path(name).suffix != ".toml":
        return usual
    match = re.fullmatch(r"sandtable\.(\w+)\.force", str(parse_toml(read_text(name), name).get("format")))
    if match is None:
        raise WrongForce(f"{name} is no force: its `format` names none")
    return match[1]


# new


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the file, with or without .toml.")],
    nation: Annotated[str | None, typer.Option(help="Whose force it is.")] = None,
    like: Annotated[str | None, typer.Option(metavar="FORCE", help="Begin with the Units of this force.")] = None,
    ruleset: Game = USUAL,
    as_json: AsJson = False,
) -> None:
    """Write a commented file for a force of one's own."""
    import json

    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    tools = tools_of(ruleset)
    if nation is not None and nation not in tools.nations:
        raise WrongForce(f"there is no nation {nation!r}; known: {', '.join(tools.nations)}")
    text = text_like(tools, like, nation) if like else first_text(tools, nation)
    title = re.sub(r"[-_ ]+", " ", path.stem).strip().title().encode(errors="replace").decode()
    # What JSON calls a string is one in TOML too.
    quoted = json.dumps(title, ensure_ascii=False)
    text = re.sub(r"^title = .*$", lambda _: f"title = {quoted}", text, count=1, flags=re.MULTILINE)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise WrongForce(f"{path} is there already") from None
    if as_json:
        print_json({"file": str(path), "title": title})
    else:
        typer.echo(f"Wrote {path}. Next: sandtable force check {path}")


def text_like(tools: ForceTools, like: str, nation: str | None) -> str:
    from sandtable.engine.data import read_text

    force = tools.load(like)
    if nation is not None and nation != force.nation:
        raise WrongForce(f"{like} is a force of the nation {force.nation!r}, not {nation!r}")
    return tools.annotated(read_text(tools.file(like)), force.nation)


def first_text(tools: ForceTools, nation: str | None) -> str:
    if nation is None:
        raise WrongForce("say whose force it is with --nation, or begin with another one with --like")
    return tools.annotated(tools.first(nation), nation)


# check


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files of forces.")],
    as_json: AsJson = False,
) -> None:
    """Look for mistakes in files of forces, and note what is unusual in them."""
    problems = [problem for file in files for problem in problems_of(file)]
    notes = [note for file in files if not any(one.file == file for one in problems) for note in notes_of(file)]
    if as_json:
        print_json({"files": len(files), "problems": list(map(as_data, problems)), "notes": list(map(as_data, notes))})
    else:
        for found in problems:
            typer.echo(str(found))
        for found in notes:
            typer.echo(f"{found} [note]")
    if problems:
        raise typer.Exit(1)


def as_data(found: DataError) -> dict[str, Any]:
    return {"file": found.file, "line": found.line, "where": found.where, "problem": found.problem}


def problems_of(file: str) -> list[DataError]:
    from sandtable.engine.data import mistake, parse_toml, read_text
    from sandtable.testing import formats

    found = formats.check(file)
    if found:
        return found
    text = read_text(file)
    if not str(parse_toml(text, file)["format"]).endswith(".force"):
        return [mistake(text, file, "format", "this is no force")]
    return []


def notes_of(file: str) -> list[DataError]:
    """What the rules allow and yet do not expect."""
    from sandtable.engine.data import mistake, read_text

    tools = tools_of(game_of(file, USUAL))
    text = read_text(file)
    return [mistake(text, file, where, words) for where, words in tools.notes(tools.load(file))]


# show


def show(
    name: Annotated[str | None, typer.Argument(metavar="NAME|FILE", help="None: list the forces.")] = None,
    ruleset: Game = USUAL,
    as_json: AsJson = False,
) -> None:
    """A force: its Units and Teams, and what its game counts of them."""
    if name is None:
        tools = tools_of(ruleset)
        titles = {each: tools.load(each).title for each in tools.names()}
        if as_json:
            print_json({"forces": titles})
        else:
            typer.echo("\n".join(f"{each:<28}{title}" for each, title in titles.items()))
        return
    tools = tools_of(game_of(name, ruleset))
    sheet = tools.sheet(name, tools.load(name))
    if as_json:
        print_json(sheet.data)
    else:
        print_sheet(sheet)


def print_sheet(sheet: ForceSheet) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*sheet.columns, title=escape(sheet.title), title_justify="left")
    for row in sheet.rows:
        table.add_row(*map(escape, row))
    # Piped, the table is as wide as it likes.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    if sheet.about:
        typer.echo(wrapped(sheet.about, ""))
    for line in sheet.lines:
        typer.echo(line)
    if sheet.rules:
        typer.echo(f"Rules: {', '.join(sheet.rules)}")


# parity


def parity(
    red: Annotated[str, typer.Argument(metavar="RED", help="A force by name, or a file.")],
    blue: Annotated[str, typer.Argument(metavar="BLUE", help="A force by name, or a file.")],
    attacker: Annotated[str | None, typer.Option(help="red or blue; else the side that the rules name.")] = None,
    rank_red: Annotated[
        str | None, typer.Option(metavar="3,1,2", help="Blue's ranks of red's Units, in order.")
    ] = None,
    rank_blue: Annotated[str | None, typer.Option(metavar="1,2,3", help="Red's ranks of blue's Units.")] = None,
    verdicts: Annotated[str | None, typer.Option(metavar="red,blue,doubt", help="One for each pairing.")] = None,
    trim: Annotated[
        list[str] | None, typer.Option(metavar="SIDE:UNIT[:PROFILE=N]", help="A Unit, or Teams, to leave at home.")
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Rank and judge by estimate instead of asking.")] = False,
    ruleset: Game = USUAL,
    as_json: AsJson = False,
) -> None:
    """Compare two forces by the game's own procedure; what is not given is asked."""
    from sandtable.engine.ruleset import ParityWishes

    games = {game_of(name, ruleset) for name in (red, blue)}
    if len(games) > 1:
        raise WrongForce(f"{red} and {blue} are forces of different games: {', '.join(sorted(games))}")
    game = games.pop()
    tools = tools_of(game)
    if tools.parity is None:
        raise WrongForce(f"the game {game} has no procedure that compares forces")
    wishes = ParityWishes(attacker, rank_red, rank_blue, verdicts, tuple(trim or ()), auto)
    result = tools.parity(tools.load(red), tools.load(blue), wishes, Terminal())
    if as_json:
        print_json(result.data)
        return
    for words, rule in result.steps:
        typer.echo(f"{words}  ({rule})")


class Terminal:
    """Questions on standard error, answers from standard input: standard output is for the result."""

    def say(self, words: str) -> None:
        typer.echo(words, err=True)

    def ask(self, words: str) -> str:
        typer.echo(f"{words}> ", nl=False, err=True)
        try:
            line = sys.stdin.readline()
            line.encode()
        except UnicodeError:
            # Half a character, as a terminal with another encoding may send: nothing that was meant.
            return "\ufffd"
        if not line:
            raise WrongForce("the input has ended in the midst of the procedure; --auto judges by estimate")
        return line.strip()
