"""`sandtable rules`: the reference, and what of it is implemented and tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import print_json, wrapped

if TYPE_CHECKING:
    from sandtable.engine.citations import Citation
    from sandtable.engine.coverage import Coverage

STRICT = "Exit with 1 unless every core rule is covered; a ruleset in the making is only counted."
Ruleset = Annotated[str | None, typer.Option("--ruleset", metavar="R", help="One ruleset instead of all.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="The rules: look them up, and see what is implemented and tested.", no_args_is_help=True)
    group.command("show")(show)
    group.command("find")(find)
    group.command("coverage")(coverage)
    group.command("topics")(topics)
    app.add_typer(group, name="rules")


def show(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="For example tr14.moving.distances.")],
) -> None:
    """A rule: its text, the code that cites it, the situations and tests that check it."""
    from sandtable.engine.coverage import coverage
    from sandtable.engine.ledger import Ledger

    ruleset = rule_id.split(".")[0]
    rule = Ledger.load(ruleset)[rule_id]
    found = coverage(ruleset)
    typer.echo(f"{rule.title}\n{rule.id} · {rule.kind} · chapter {rule.chapter}\n")
    typer.echo(wrapped(rule.text))
    if rule.rows is not None:
        typer.echo(wrapped(f"A table of {rule.rows} rows."))
    for heading, text in (
        ("Example", rule.example),
        ("Unclear", rule.unclear),
        ("Our reading", rule.reading),
    ):
        if text:
            typer.echo(f"\n{heading}\n{wrapped(text)}")
    _places("Code", found.code.get(rule.id, []))
    _places("Situations", found.situations.get(rule.id, []))
    _places("Tests", found.tests.get(rule.id, []))


def _places(heading: str, places: list[Citation]) -> None:
    lines = [f"  {place.place}" for place in places] or ["  none"]
    typer.echo("\n".join(["", heading, *lines]))


def find(
    word: Annotated[str, typer.Argument(metavar="WORD", help="A word or a part of one.")],
    ruleset: Ruleset = None,
) -> None:
    """The rules that speak of a word."""
    from sandtable.engine.ledger import Ledger, rulesets

    rules = [rule for name in ([ruleset] if ruleset else rulesets()) for rule in Ledger.load(name).find(word)]
    for rule in rules:
        typer.echo(f"{rule.id}  {rule.title}")
    if not rules:
        typer.echo(f"No rule speaks of {word!r}.", err=True)
        raise typer.Exit(1)


def coverage(
    ruleset: Ruleset = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Name each rule that is missing.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help=STRICT)] = False,
) -> None:
    """Count the rules that the code implements and that situations or tests check."""
    from sandtable.engine.coverage import coverage as compare
    from sandtable.engine.ledger import rulesets
    from sandtable.engine.places import in_the_making

    found = {name: compare(name) for name in ([ruleset] if ruleset else rulesets())}
    if json:
        print_json({name: one.report() for name, one in found.items()})
    else:
        for one in found.values():
            _print_coverage(one, list_)
    errors = sorted({str(error) for one in found.values() for error in one.errors})
    for error in errors:
        typer.echo(error, err=True)
    unfinished = in_the_making()
    held = [one for name, one in found.items() if name not in unfinished]
    if errors or (strict and not all(one.complete("core") for one in held)):
        raise typer.Exit(1)


def _print_coverage(found: Coverage, list_: bool) -> None:
    typer.echo(f"{found.ledger.ruleset:<10}{'total':>8}{'implemented':>13}{'tested':>8}{'later':>8}{'missing':>9}")
    for kind, row in found.report().items():
        counts = f"{row['total']:>8}{row['implemented']:>13}{row['tested']:>8}{row['later']:>8}{len(row['missing']):>9}"
        typer.echo(f"  {kind:<8}{counts}")
    if not list_:
        return
    for rule in found.missing():
        done = (("not implemented", found.implemented(rule)), ("not tested", found.tested(rule)))
        typer.echo(f"  {rule.id}: {', '.join(word for word, is_done in done if not is_done)}")


def topics(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="For example hof.")],
    word: Annotated[str, typer.Argument(metavar="WORD", help="Only names with this word in them.")] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """What a situation may name: questions with their answers, events with their data, profiles, terrain, words."""
    import msgspec

    from sandtable.engine.reference import load, narrowed

    found = narrowed(load(ruleset), word)
    if json:
        print_json(msgspec.to_builtins(found))
    elif found.empty:
        typer.echo(f"{ruleset} calls nothing {word!r}.", err=True)
        raise typer.Exit(1)
    else:
        typer.echo(found.text())
