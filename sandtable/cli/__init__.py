"""The command `sandtable`.

One module a command or group of commands, listed below. A module of commands imports nothing heavy at its
top: each command imports what it needs when it runs, so that `sandtable --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import typer

from sandtable.engine.errors import SandtableError

# In the order of `sandtable --help`. Each module has `register(app)`, which adds its commands.
COMMAND_MODULES = (
    "sandtable.cli.play",
    "sandtable.cli.serve",
    "sandtable.cli.games",
    "sandtable.cli.situations",
    "sandtable.cli.replay",
    "sandtable.cli.odds",
    "sandtable.cli.bench",
    "sandtable.cli.duel",
    "sandtable.cli.force",
    "sandtable.cli.rules",
    "sandtable.cli.data",
)

WRONG_USE = 2
INTERRUPTED = 130
READER_GONE = 1


def build() -> typer.Typer:
    """The command line with all its commands."""
    app = typer.Typer(
        name="sandtable",
        help="The table, the umpire and the opponent for miniature battle games.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        # Plain help: drawing boxes costs more time than everything else that --help does.
        rich_markup_mode=None,
    )
    for module in COMMAND_MODULES:
        import_module(module).register(app)
    return app


def main() -> None:
    """Run the command line. What a person did wrong is one sentence on standard error, never a traceback."""
    try:
        try:
            build()(prog_name="sandtable")
        finally:
            # Here and not at the interpreter's end, where nobody could catch a reader that has gone.
            sys.stdout.flush()
    except SandtableError as error:
        _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.filename is None:
            raise
        _fail(f"{error.filename}: {error.strerror}")


def _fail(sentence: str) -> None:
    print(sentence, file=sys.stderr)
    sys.exit(WRONG_USE)
