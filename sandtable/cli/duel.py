"""`sandtable duel`: two bots against one another, many times."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command("duel")(duel)


def duel(
    one: Annotated[str, typer.Argument(help="greedy, random, reference, or greedy:NAME=WEIGHT,…")],
    two: Annotated[str, typer.Argument(help="Who plays against it.")],
    ruleset: Annotated[str, typer.Option(help="The rules to play by.")] = "hof",
    scenarios: Annotated[str, typer.Option(help="The battles, with commas; all, if none is named.")] = "",
    games: Annotated[int, typer.Option(min=1, help="How many of each battle; sides are swapped each time.")] = 20,
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    processes: Annotated[int, typer.Option(min=1, help="How many games are played at a time.")] = 2,
    seconds: Annotated[float, typer.Option(help="Stop after about so many seconds, and count what was played.")] = 1e9,
    keep: Annotated[
        Path | None, typer.Option(help="Keep each game in this file as it ends; those in it are not played again.")
    ] = None,
    told: Annotated[bool, typer.Option("--tell", help="Tell of each game as it ends.")] = False,
) -> None:
    """Have two bots play battles many times, sides swapped, and print how often each won and what it did."""
    from sandtable import rulesets
    from sandtable.cli.outside import chosen
    from sandtable.lab import duel as lab

    rules = rulesets.load(chosen(ruleset))
    names = [name.strip() for name in scenarios.split(",") if name.strip()] or rules.scenarios()

    def progress(task: lab.Match, played: lab.Played) -> None:
        if told:
            who = "nobody" if played.winner is None else task.names[played.winner]
            swapped = " with sides swapped" if task.swapped else ""
            typer.echo(f"{task.scenario} {task.seed}{swapped}: {who} in turn {played.turns}: {played.reason}", err=True)

    rows = lab.duel(rules.name, names, (one, two), games, first, processes, seconds, progress, keep)
    typer.echo(f"{one} against {two}:\n")
    typer.echo("\n".join(lab.table(rows)))
    for number, name in enumerate((one, two)):
        typer.echo(f"\nWhat {name} did:\n" if one != two else f"\nWhat {name} did, player {number + 1}:\n")
        typer.echo("\n".join(lab.habits(rows, number)))
