"""`sandtable data`: look data files over."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.cli.output import print_json


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Data files: armies, tables, situations, rules.", no_args_is_help=True)
    group.command("check")(check)
    # A callback keeps `check` a command of the group while it is the only one.
    group.callback()(lambda: None)
    app.add_typer(group, name="data")


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Data files, of any known format.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Look for mistakes in data files and name each by file and line."""
    from sandtable.testing.formats import check as problems_of

    problems = [problem for file in files for problem in problems_of(file)]
    if json:
        print_json(
            {
                "files": len(files),
                "problems": [
                    {"file": one.file, "line": one.line, "where": one.where, "problem": one.problem} for one in problems
                ],
            }
        )
    else:
        for problem in problems:
            typer.echo(str(problem))
    if problems:
        raise typer.Exit(1)
