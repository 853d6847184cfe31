"""`sandtable bench`: how fast, in one run beside its references."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.cli.output import print_json


def register(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    seconds: Annotated[float, typer.Option(min=0.2, help="About how long each measure runs.")] = 3.0,
    warm: Annotated[bool, typer.Option("--warm", help="Leave the first start on a new machine out.")] = False,
) -> None:
    """Decisions, sight lines and copies per second on one core; memory and size of a game; the first start."""
    from sandtable.lab.bench import measure_all

    def progress(name: str) -> None:
        typer.echo(f"measuring {name} …", err=True)

    figures = measure_all(seconds, progress, warm)
    if as_json:
        print_json(figures)
        return
    for name, figure in figures.items():
        line = f"{name:18} {figure.value:14,.1f} {figure.unit}"
        if figure.reference is not None:
            line += f"   {figure.ratio:.2f} times {figure.reference} ({figure.reference_value:,.1f})"
        typer.echo(line)
