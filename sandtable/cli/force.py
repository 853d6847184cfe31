"""`sandtable force`: begin, check, show and compare the forces of Hail of Fire."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from sandtable.cli.output import print_json, wrapped
from sandtable.engine.errors import SandtableError

if TYPE_CHECKING:
    from sandtable.engine.data import DataError
    from sandtable.rulesets.hof.core.state import Side
    from sandtable.rulesets.hof.forces.forces import Force, ForceUnit
    from sandtable.rulesets.hof.forces.parity import Judge, Parity, Roster, Trim, Verdict

T = TypeVar("T")
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]

KEYS = """\
# A force for Hail of Fire. `sandtable force check FILE` looks for mistakes, `sandtable force show FILE` shows it.
#
# One table a Unit, [units.KEY]. What a Unit may say, besides its name:
#   quality = "average"          or "elite", "poor"
#   count = 3                    three Units alike
#   leader = true                a Platoon Leader's Team
#   observer = true              a Forward Observer, for artillery
#   teams = { PROFILE = 6 }      how many Teams of each profile; all profiles stand below
#   transports = { PROFILE = 4 }
#   traits = { PROFILE = ["panzerfaust"] }   or "engineer", "recon"
#   recon = true                 a Recon Unit: no support weapons, armor of 2 or less front and flank together
#   off_board = true             artillery that fires from far behind the table
#   riders = "PROFILE"           Infantry on each of its tanks
#   kind = "cc"                  the Company Commander; "sniper", "bunker": Units that need their optional rules
"""


class WrongForce(SandtableError):
    """Words on the command line that fit no force."""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Forces of Hail of Fire: begin, check, show and compare them.", no_args_is_help=True)
    group.command("new")(new)
    group.command("check")(check)
    group.command("show")(show)
    group.command("parity")(parity)
    app.add_typer(group, name="force")


# new


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the file, with or without .toml.")],
    nation: Annotated[str | None, typer.Option(help="us, german, british or soviet.")] = None,
    like: Annotated[str | None, typer.Option(metavar="FORCE", help="Begin with the Units of this force.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a commented file for a force of one's own."""
    import json
    from typing import get_args

    from sandtable.rulesets.hof.core.state import Nation

    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    if nation is not None and nation not in get_args(Nation):
        raise WrongForce(f"there is no nation {nation!r}; known: {', '.join(get_args(Nation))}")
    text = text_like(like, nation) if like else first_text(nation)
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


def text_like(like: str, nation: str | None) -> str:
    from sandtable.engine.data import read_text
    from sandtable.rulesets.hof.forces.forces import force_file, load_force

    force = load_force(like)
    if nation is not None and nation != force.nation:
        raise WrongForce(f"{like} is a force of the nation {force.nation!r}, not {nation!r}")
    return f"{KEYS}\n{read_text(force_file(like)).rstrip()}\n\n{profile_list(force.nation)}"


def first_text(nation: str | None) -> str:
    if nation is None:
        raise WrongForce("say whose force it is with --nation, or begin with another one with --like")
    lines = [
        'format = "sandtable.hof.force"',
        'title = ""',
        f'nation = "{nation}"',
        'about = ""',
        "",
        "[units.rifles]",
        'name = "Rifle Platoon"',
        "count = 3",
        "leader = true",
        f"teams = {{ {nation}-rifle-mg = 6 }}",
    ]
    return "\n".join([KEYS, *lines, "", profile_list(nation)])


def profile_list(nation: str) -> str:
    """All profiles that a nation may use, as comments."""
    from sandtable.rulesets.hof.core.arsenal import profiles

    tables: dict[str, list[str]] = {}
    for key, kind in profiles().items():
        if kind.nation in (nation, "any") and key not in ("leader", "observer", "commander", "sniper"):
            table = kind.table.removeprefix(f"{nation}-") or "every nation"
            tables.setdefault(table, []).append(f"#   {key}: {kind.name}")
    lines = ["# Profiles:"]
    for table, rows in tables.items():
        lines += [f"# {table.replace('-', ' ')}", *rows]
    return "\n".join(lines) + "\n"


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
    from sandtable.engine import formats
    from sandtable.engine.data import mistake, parse_toml, read_text

    found = formats.check(file)
    if found:
        return found
    text = read_text(file)
    if not str(parse_toml(text, file)["format"]).endswith(".force"):
        return [mistake(text, file, "format", "this is no force")]
    return []


def notes_of(file: str) -> list[DataError]:
    """What the rules allow and yet do not expect; only forces of Hail of Fire have such notes."""
    from sandtable.engine.data import mistake, parse, parse_toml, read_text
    from sandtable.rulesets.hof.forces.forces import Force

    text = read_text(file)
    if parse_toml(text, file)["format"] != "sandtable.hof.force":
        return []
    return [mistake(text, file, where, words) for where, words in parse(text, Force, file).warnings()]


# show


def show(
    name: Annotated[str | None, typer.Argument(metavar="NAME|FILE", help="None: list the forces.")] = None,
    as_json: AsJson = False,
) -> None:
    """A force: its Units and Teams, and its Break Limit."""
    from sandtable.rulesets.hof.forces.forces import force_names, load_force

    if name is None:
        titles = {each: load_force(each).title for each in force_names()}
        if as_json:
            print_json({"forces": titles})
        else:
            typer.echo("\n".join(f"{each:<28}{title}" for each, title in titles.items()))
        return
    force = load_force(name)
    if as_json:
        print_json(force_data(name, force))
    else:
        print_force(name, force)


def force_data(name: str, force: Force) -> dict[str, Any]:
    import msgspec

    return {
        "name": name,
        "title": force.title,
        "nation": force.nation,
        "about": force.about,
        "units": {key: msgspec.to_builtins(unit) for key, unit in force.units.items()},
        "unit_count": force.unit_count,
        "break_limit": force.break_limit,
        "notes": [{"where": where, "words": words} for where, words in force.warnings()],
        "rules": rules_behind(name, force),
    }


def rules_behind(name: str, force: Force) -> list[str]:
    from sandtable.rulesets.hof.forces.forces import EXAMPLES

    return [*(rule for rule in EXAMPLES if rule.rpartition(".")[2] == name), *force.rules()]


def print_force(name: str, force: Force) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from sandtable.engine.events import several

    table = Table("Unit", "Teams", "Transports", "Quality", "", title=escape(force.title), title_justify="left")
    for unit in force.units.values():
        times = f" × {unit.count}" if unit.count > 1 else ""
        table.add_row(
            escape(f"{unit.name}{times}"),
            escape("\n".join(team_lines(unit))),
            escape("\n".join(counted(unit.transports))),
            unit.quality,
            escape(", ".join(remarks(unit))),
        )
    # Piped, the table is as wide as it likes.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    if force.about:
        typer.echo(wrapped(force.about, ""))
    typer.echo(f"{several(force.unit_count, 'Unit')}, Break Limit {force.break_limit}.")
    if force.fieldworks:
        sets = ", ".join(f"{several(number, 'set')} of {kind}" for kind, number in force.fieldworks.items())
        typer.echo(f"Lays at set-up: {sets}.")
    typer.echo(f"Rules: {', '.join(rules_behind(name, force))}")


def team_lines(unit: ForceUnit) -> list[str]:
    own = {"cc": ["Company Commander"], "sniper": ["Sniper"]}.get(unit.kind, [])
    own += ["Platoon Leader"] * unit.leader + ["Forward Observer"] * unit.observer
    return [*own, *counted(unit.teams, {name: ", ".join(traits) for name, traits in unit.traits.items()})]


def counted(teams: dict[str, int], more: dict[str, str] | None = None) -> list[str]:
    from sandtable.rulesets.hof.core.arsenal import profile

    lines = []
    for name, number in teams.items():
        extra = f" ({more[name]})" if more and name in more else ""
        lines.append(f"{number} × {profile(name).name}{extra}")
    return lines


def remarks(unit: ForceUnit) -> list[str]:
    from sandtable.rulesets.hof.core.arsenal import profile
    from sandtable.rulesets.hof.forces.forces import SWITCHES

    found = ["recon"] * unit.recon + ["off the table"] * unit.off_board
    if unit.kind:
        found.append(f"with the optional rule {SWITCHES[unit.kind]}")
    if unit.riders:
        found.append(f"{profile(unit.riders).name} as Riders, with the optional rule riders")
    return found


# parity


def parity(
    red: Annotated[str, typer.Argument(metavar="RED", help="A force by name, or a file.")],
    blue: Annotated[str, typer.Argument(metavar="BLUE", help="A force by name, or a file.")],
    attacker: Annotated[str | None, typer.Option(help="red or blue; else the side with more Vehicles.")] = None,
    rank_red: Annotated[
        str | None, typer.Option(metavar="3,1,2", help="Blue's ranks of red's Units, in order.")
    ] = None,
    rank_blue: Annotated[str | None, typer.Option(metavar="1,2,3", help="Red's ranks of blue's Units.")] = None,
    verdicts: Annotated[str | None, typer.Option(metavar="red,blue,doubt", help="One for each pairing.")] = None,
    trim: Annotated[
        list[str] | None, typer.Option(metavar="SIDE:UNIT[:PROFILE=N]", help="A Unit, or Teams, to leave at home.")
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Rank and judge by estimate instead of asking.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two forces by the Force Parity Procedure; what is not given is asked."""
    from sandtable.rulesets.hof.forces import parity as procedure
    from sandtable.rulesets.hof.forces.forces import load_force

    forces = load_force(red), load_force(blue)
    side = attacking(attacker, forces)
    rosters = procedure.roster(forces[0]), procedure.roster(forces[1])
    trims = [read_trim(each) for each in trim or []]
    ranks: list[Sequence[int] | None] = []
    for name, given, roster in zip(("red", "blue"), (rank_red, rank_blue), rosters, strict=True):
        if given is not None:
            ranks.append(numbers(given))
            procedure.by_rank(roster, numbers(given))
        else:
            ranks.append(None if auto else ask_ranks(name, roster))
    judge = judge_from(verdicts, auto)

    def compared(left_at_home: Sequence[Trim]) -> Parity:
        first, second = forces
        return procedure.compare(
            first, second, side, rank_red=ranks[0], rank_blue=ranks[1], judge=judge(), trims=left_at_home
        )

    if verdicts is None and trims:
        procedure.refuse_trims(compared([]), trims)
    result = compared(trims)
    if verdicts is not None and len(result.pairings) != len(words_of(verdicts)):
        raise WrongForce(f"there are {len(result.pairings)} pairings and {len(words_of(verdicts))} verdicts")
    if not auto and verdicts is None:
        result = ask_trims(result, trims, compared)
    print_parity(result, as_json)


def attacking(given: str | None, forces: tuple[Force, Force]) -> Side:
    from sandtable.rulesets.hof.forces.forces import raise_force, usual_attacker

    if given is None:
        return usual_attacker(raise_force("red", forces[0]) | raise_force("blue", forces[1]))
    return side_of(given)


def side_of(word: str) -> Side:
    if word == "red":
        return "red"
    if word == "blue":
        return "blue"
    raise WrongForce(f"{word!r} is no side; say red or blue")


def words_of(text: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", text.strip()) if word]


def numbers(text: str) -> list[int]:
    words = words_of(text)
    if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        raise WrongForce(f"{text!r}: give a rank for each Unit, as in 3,1,2")
    return [int(word) for word in words]


def read_trim(text: str) -> Trim:
    from sandtable.rulesets.hof.forces.parity import Trim

    side, _, rest = text.partition(":")
    unit, _, teams = rest.partition(":")
    profile, _, number = teams.partition("=")
    if not unit or (teams and not (number.isascii() and number.isdecimal() and len(number) < 4)):
        raise WrongForce(f"{text!r}: write SIDE:UNIT, or SIDE:UNIT:PROFILE=NUMBER")
    return Trim(side_of(side), unit, profile, int(number or 0))


def judge_from(verdicts: str | None, auto: bool) -> Callable[[], Judge | None]:
    """What makes a judge for each comparison: from the verdicts given, by estimate, or by asking, each pair once."""
    known: dict[str, Verdict] = {}

    def asked(red: ForceUnit, blue: ForceUnit) -> Verdict:
        pair = f"{red} {blue}"
        if pair not in known:
            words = f"{red.name} (red) or {blue.name} (blue): which is the more threatening? red, blue or doubt"
            known[pair] = ask_until(words, verdict_of)
        return known[pair]

    def listed() -> Judge:
        left = iter([verdict_of(word) for word in words_of(verdicts or "")])
        return lambda red, blue: next(left, "doubt")

    if verdicts is not None:
        return listed
    return (lambda: None) if auto else (lambda: asked)


def verdict_of(word: str) -> Verdict:
    return "doubt" if word in ("doubt", "?") else side_of(word)


# Asking at the terminal.


def ask(words: str) -> str:
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


def ask_until(words: str, read: Callable[[str], T]) -> T:
    while True:
        text = ask(words)
        try:
            return read(text)
        except SandtableError as wrong:
            typer.echo(f"  Not so: {wrong}", err=True)


def ask_ranks(name: str, roster: Roster) -> list[int]:
    from sandtable.rulesets.hof.forces.parity import by_rank

    def read(text: str) -> list[int]:
        ranks = numbers(text)
        by_rank(roster, ranks)
        return ranks

    typer.echo(f"{name}'s Units:", err=True)
    for number, unit in enumerate(roster.values(), 1):
        typer.echo(f"  {number:2}  {unit.name}: {', '.join(team_lines(unit))}", err=True)
    return ask_until("The rank of each in this order, 1 for the strongest", read)


def ask_trims(result: Parity, trims: list[Trim], compared: Callable[[Sequence[Trim]], Parity]) -> Parity:
    """The stronger side may leave something at home and have the scores worked out again, as often as it likes."""
    stronger = result.stronger
    chosen = list(trims)
    while result.stronger is not None and result.stronger == stronger:
        typer.echo(f"{result.steps[-1].words}", err=True)
        words = f"What does {stronger} leave at home instead? UNIT, UNIT:PROFILE=NUMBER, or nothing"
        text = ask(words)
        if not text:
            break
        try:
            result = compared([*chosen, read_trim(f"{stronger}:{text}")])
        except SandtableError as wrong:
            typer.echo(f"  Not so: {wrong}", err=True)
        else:
            chosen = list(result.trims)
    return result


def print_parity(result: Parity, as_json: bool) -> None:
    if as_json:
        import msgspec

        print_json({**msgspec.to_builtins(result), "stronger": result.stronger})
        return
    for step in result.steps:
        typer.echo(f"{step.words}  ({step.rule})")
