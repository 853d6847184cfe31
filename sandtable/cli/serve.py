"""`sandtable serve`: the page and the games behind it."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command("serve")(serve)


def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for everybody.")] = "127.0.0.1",
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="A file, or postgresql://…; by default in your data folder.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes in which bots think; by default one core is left.")
    ] = None,
    deadline: Annotated[float, typer.Option(min=0.1, help="Seconds that a bot may think about one choice.")] = 10.0,
) -> None:
    """Serve the page, and the games that are played on it."""
    from sandtable.server.serving import run

    run(host, port, database, workers, deadline)
