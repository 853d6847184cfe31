"""`sandtable replay`: step through a saved game, draw it, verify it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.cli.output import print_json
from sandtable.cli.outside import RulesetFiles


def register(app: typer.Typer) -> None:
    app.command("replay")(replay)


def replay(
    file: Annotated[Path, typer.Argument(help="A saved game.")],
    to: Annotated[int | None, typer.Option("--to", metavar="N", min=0, help="Only the first N answers.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="OUT", help="Draw the table at that point.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="No log: check the record, and sealed dice.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    secret: Annotated[str | None, typer.Option(help="The secret of sealed dice, if the file lacks it.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="A picture for the night.")] = False,
    seat: Annotated[str | None, typer.Option(help="Draw and tell only what this seat knows.")] = None,
    ruleset_file: RulesetFiles = None,
) -> None:
    """Play a saved game again and say whether it goes as recorded."""
    from sandtable import rulesets
    from sandtable.cli.play import EVERYTHING, Log
    from sandtable.engine import record
    from sandtable.engine.errors import SandtableError
    from sandtable.engine.tokens import plain
    from sandtable.table import drawing
    from sandtable.table.compiled import switch

    saved = record.read(file)
    rules = rulesets.load(saved.header.ruleset)
    if seat is not None and seat not in rules.seats:
        raise SandtableError(f"there is no seat {seat!r} in this game; known: {', '.join(rules.seats)}")
    if saved.damage:
        typer.echo(saved.damage, err=True)
    switch.begin()
    replayed = record.replay(saved, rulesets.load, to=to, secret=secret)
    game = replayed.game
    if svg is not None:
        svg.write_text(drawing.svg(rules.scene(game, seat), dark=dark))
    steps = len(game.record)
    # Every die was drawn again from the secret, and `replay` takes no secret that was not committed to.
    sound = not replayed.differs and not (verify and saved.damage)
    checked = saved.header.dice.source == "sealed" and sound
    if as_json:
        document = {
            "ruleset": saved.header.ruleset,
            "answers": steps,
            "of": len(saved.entries),
            "hash": game.hash(),
            "differs": replayed.differs,
            "damage": saved.damage,
            "finished": saved.end is not None,
            "dice": {"source": saved.header.dice.source, "checked": checked},
        }
        print_json(document)
    else:
        if not verify:
            Log(seat or EVERYTHING).show(game)
        if game.ask is not None:
            asked = plain(game.ask.question.words)
            typer.echo(f"After {steps} of {len(saved.entries)} answers: {game.ask.seat}, {asked}")
        for problem in replayed.differs:
            typer.echo(f"It goes another way than recorded: {problem}")
        if sound:
            typer.echo(f"{steps} answers replayed as recorded. State {game.hash()}.")
        if checked:
            typer.echo(f"The dice are those committed to before the game: SHA-256 {saved.header.dice.commitment}.")
    if not sound:
        raise typer.Exit(1)
