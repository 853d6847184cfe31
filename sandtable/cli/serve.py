"""`sandtable serve`: the page and the games behind it."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.cli.outside import RulesetFiles


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
    name: Annotated[
        list[str] | None, typer.Option(help="A name that the server goes by (repeat it for several); any, if none.")
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option(help="Another page that may open sockets, as https://club.example.")
    ] = None,
    trust_proxy: Annotated[
        list[str] | None, typer.Option(help="The address of a proxy whose word is taken for who asks.")
    ] = None,
    operator: Annotated[
        list[str] | None, typer.Option(help="An address that may see /metrics; this machine, if none is named.")
    ] = None,
    archive_after: Annotated[
        float, typer.Option(min=0, help="Days after which a game that nobody plays is put away; 0: never.")
    ] = 30.0,
    inside: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where other servers with this PostgreSQL reach this one; by default its host and port."
        ),
    ] = None,
    log_requests: Annotated[bool, typer.Option("--log-requests", help="One line of JSON a request.")] = False,
    ruleset_file: RulesetFiles = None,
) -> None:
    """Serve the page, and the games that are played on it."""
    from sandtable.server.limits import Limits
    from sandtable.server.serving import Options, run

    limits = Limits(
        hosts=tuple(name or ()),
        origins=tuple(origin or ()),
        operators=tuple(operator) if operator else Limits().operators,
        archive_after=archive_after * 86_400.0,
    )
    proxies = tuple(trust_proxy or ())
    run(Options(host, port, database, workers, deadline, proxies, log_requests, limits, inside))
