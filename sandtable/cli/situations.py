"""`sandtable try`: run situation files and check what they expect."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.cli.output import print_json
from sandtable.cli.outside import RulesetFiles


def register(app: typer.Typer) -> None:
    app.command("try")(try_)


def try_(
    files: Annotated[list[Path] | None, typer.Argument(help="Situation files or folders; all of ours if none.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Name those that pass, too.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Tell what happens, step by step.")] = False,
    ruleset_file: RulesetFiles = None,
) -> None:
    """Set up a moment of a game, give the answers and dice, and check what must be true."""
    import msgspec

    from sandtable import rulesets
    from sandtable.engine.errors import SandtableError
    from sandtable.table.compiled import switch
    from sandtable.testing.situations import find_files, try_file

    own = [rulesets.folder(name) / "situations" for name in rulesets.known()]
    paths = files or [folder for folder in own if folder.is_dir()]
    for path in paths:
        if not path.exists():
            raise SandtableError(f"{path}: there is no such file or folder")
    switch.begin()
    outcomes = [outcome for path in find_files(list(paths)) for outcome in try_file(path, trace=trace)]
    failed = [outcome for outcome in outcomes if not outcome.ok]
    if as_json:
        results = [msgspec.to_builtins(outcome) for outcome in outcomes]
        for result in results if not trace else []:
            del result["trace"]
        print_json({"passed": len(outcomes) - len(failed), "failed": len(failed), "results": results})
    else:
        for outcome in outcomes:
            if verbose or trace or not outcome.ok:
                lines = [f"{'ok  ' if outcome.ok else 'FAIL'} {outcome.name}", *outcome.trace, outcome.problem or ""]
                typer.echo("\n     ".join(lines).rstrip())
        typer.echo(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if failed or not outcomes:
        raise typer.Exit(1)
