"""`sandtable games`, `backup` and `restore`: the games of a server, from its database, while it runs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import print_json

if TYPE_CHECKING:
    from sandtable.server.backup import Told
    from sandtable.server.storage import Storage

Database = Annotated[
    str | None, typer.Option(metavar="URL", help="A file, or postgresql://…; by default in your data folder.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a game, or how it begins.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="The games of a server: look, archive, remove, export.", no_args_is_help=True)
    for name, command in (
        ("list", list_),
        ("show", show),
        ("archive", archive),
        ("remove", remove),
        ("export", export),
    ):
        group.command(name)(command)
    app.add_typer(group, name="games")
    app.command("backup")(backup)
    app.command("restore")(restore)


def opened(database: str | None) -> Storage:
    from sandtable.engine.errors import SandtableError
    from sandtable.server.serving import database_of
    from sandtable.server.storage import Storage, address

    where = database_of(database)
    url = address(where)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).expanduser().is_file():
        raise SandtableError(f"{url.database}: there is no database; `sandtable serve` makes one")
    return Storage(where)


def one(storage: Storage, wanted: str) -> str:
    """The one game that is meant."""
    from sandtable.engine.errors import SandtableError

    found = storage.find(wanted)
    if wanted in found:
        return wanted
    if len(found) != 1:
        several = f"several begin so: {', '.join(found[:5])}" if found else "`sandtable games list` shows them"
        raise SandtableError(f"there is no game {wanted!r}; {several}")
    return found[0]


def list_(
    database: Database = None,
    state: Annotated[str | None, typer.Option(help="running, finished or archived.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="So many at most, the newest first.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """The games, newest first."""
    from sandtable.server import rows

    storage = opened(database)
    try:
        found = storage.games(state, limit, archived=True)
        counts = storage.count_by_state()
    finally:
        storage.close()
    listed = [
        {
            "id": row["id"],
            "state": row["state"],
            "ruleset": row["ruleset"],
            "scenario": row["scenario"],
            "title": row["title"],
            "turn": row["turn"],
            "seats": {name: seat.shown for name, seat in rows.seats(row["seats"]).items()},
            "updated": row["updated"],
        }
        for row in found
    ]
    if as_json:
        print_json({"counts": counts, "games": listed})
        return
    for game in listed:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game["updated"]))
        seats = ", ".join(f"{seat} {holder}" for seat, holder in game["seats"].items())
        typer.echo(f"{game['id']}  {game['state']:9} {when}  {game['ruleset']:5} {game['title']} ({seats})")
    typer.echo(", ".join(f"{number} {name}" for name, number in sorted(counts.items())) or "no games")


def show(game: Id, database: Database = None) -> None:
    """One game: who sits there, how far it is, how it ended."""
    from sandtable.server import rows

    storage = opened(database)
    try:
        name = one(storage, game)
        row = storage.game(name)
        answers = len(storage.entries(name))
    finally:
        storage.close()
    assert row is not None
    typer.echo(f"{row['title']}: {row['ruleset']}, {row['scenario']}, {row['state']}")
    for label, moment in (("begun", row["created"]), ("last played", row["updated"])):
        typer.echo(f"  {label:12} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))}")
    typer.echo(f"  {'answers':12} {answers}, turn {row['turn']}")
    for seat, held in rows.seats(row["seats"]).items():
        typer.echo(f"  {seat:12} {held.shown}{f' ({held.name})' if held.name else ''}")
    result = rows.result(row["result"])
    if result is not None:
        typer.echo(f"  {'result':12} {result.winner or 'draw'}: {result.reason}")


def archive(game: Id, database: Database = None) -> None:
    """Put a game away: it is in no list, and opens again when one of its players comes back."""
    from sandtable.engine.errors import SandtableError
    from sandtable.server.storage import Change

    storage = opened(database)
    try:
        name = one(storage, game)
        row = storage.game(name)
        if row is not None and row["state"] == "finished":
            raise SandtableError(f"{name} is over; export or remove it")
        storage.write(Change(name, {"state": "archived"}, untouched=True)).result()
    finally:
        storage.close()
    typer.echo(f"{name} is archived.")


def remove(
    game: Id,
    database: Database = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a game for ever."""
    from sandtable.server.storage import Change

    storage = opened(database)
    try:
        name = one(storage, game)
        if not yes:
            typer.confirm(f"Remove {name} for ever?", abort=True)
        storage.write(Change(name, {}, delete=True)).result()
    finally:
        storage.close()
    typer.echo(f"{name} is removed.")


def export(
    game: Id,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    database: Database = None,
) -> None:
    """Write a game to a file that `sandtable replay` reads."""
    from sandtable.engine.errors import SandtableError
    from sandtable.server import files, loading

    storage = opened(database)
    try:
        name = one(storage, game)
        row = storage.game(name)
        assert row is not None
        room = loading.load(row, storage.entries(name))
    finally:
        storage.close()
    if file.exists():
        raise SandtableError(f"{file} is there already")
    file.write_bytes(files.exported(room))
    typer.echo(f"{name}: {room.number} answers are in {file}.")


def backup(
    file: Annotated[Path, typer.Argument(help="A new file for the backup.")],
    database: Database = None,
) -> None:
    """Copy all games into one file, while the server runs."""
    from sandtable.server.backup import back_up

    storage = opened(database)
    try:
        count = back_up(storage, file, progress("backed up"))
    finally:
        storage.close()
    typer.echo(f"{told_games(count)} in {file}.")


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: Database = None,
) -> None:
    """Bring back the games of a backup that are not there; what is there stays as it is."""
    from sandtable.server.backup import restore as bring_back
    from sandtable.server.serving import database_of
    from sandtable.server.storage import Storage

    storage = Storage(database_of(database))
    try:
        came, there = bring_back(file, storage, progress("restored"))
    finally:
        storage.close()
    typer.echo(f"{told_games(came)} restored; {there} {'was' if there == 1 else 'were'} there already.")


def told_games(count: int) -> str:
    return "1 game is" if count == 1 else f"{count} games are"


def progress(verb: str) -> Told:
    """A line that tells how far it is, on a screen."""
    import sys

    def told(done: int, of: int) -> None:
        if sys.stderr.isatty() and (done % 20 == 0 or done == of):
            end = "\n" if done == of else ""
            print(f"\r{done} of {of} games {verb}", end=end, file=sys.stderr, flush=True)

    return told
