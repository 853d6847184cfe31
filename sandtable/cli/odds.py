"""`sandtable odds`: the exact chances of an attack, before the dice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import print_json, wrapped
from sandtable.cli.outside import RulesetFiles, chosen

if TYPE_CHECKING:
    from sandtable.engine.cards import Odds
    from sandtable.engine.game import Game

MOST_PROPOSED = 12
"""Without an answer to ask about, so many of those that the question proposes are shown."""


def register(app: typer.Typer) -> None:
    app.command("odds")(odds)


def odds(
    file: Annotated[Path | None, typer.Argument(help="A situation file, or a saved game.")] = None,
    to: Annotated[
        int | None, typer.Option("--to", metavar="N", min=0, help="After N answers of a game; all of them if none.")
    ] = None,
    ruleset: Annotated[str, typer.Option(help="The rules of a battle that is begun here.")] = "tr14",
    scenario: Annotated[str | None, typer.Option(help="Begin this battle instead of reading a file.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of its dice.")] = 1,
    answers: Annotated[
        Path | None, typer.Option(help="The answers that have been given in it: a JSON list in a file.")
    ] = None,
    attack: Annotated[
        str | None, typer.Option(metavar="JSON", help="The answer to ask about; without it, what is proposed.")
    ] = None,
    before: Annotated[
        list[str] | None,
        typer.Option("--before", metavar="JSON", help="An answer planned first, as a move (repeat it for several)."),
    ] = None,
    places: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="JSON",
            help='Fire at --attack by pieces that would stand elsewhere: {"piece": [x, y, facing]}.',
        ),
    ] = None,
    made: Annotated[bool, typer.Option("--made", help="Of each attack that was made in the game until then.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    ruleset_file: RulesetFiles = None,
) -> None:
    """Every way in which an attack may end, with its exact chance, and what is assumed.

    Of a situation: the odds of each attack that it makes. Of a game: those of the question that is asked at a moment
    of it, as its seat may know them.
    """
    from sandtable.engine.errors import SandtableError
    from sandtable.table.compiled import switch

    if (file is None) == (scenario is None):
        raise SandtableError("name a situation, a saved game, or a battle by --scenario")
    switch.begin()
    if file is not None and file.suffix == ".toml":
        found = of_situation(file)
    else:
        game = begun(chosen(ruleset), scenario, seed, answers) if scenario is not None else replayed(file, to)
        if made:
            found = in_order(game)
        elif places is not None:
            found = of_places(game, read(places), attack)
        else:
            found = of_question(game, attack, before or [])
    if not found:
        raise SandtableError("no attack that was made there has odds")
    if as_json:
        print_json({"attacks": found})
    else:
        typer.echo("\n\n".join(in_lines(each) for each in found))


def of_situation(file: Path) -> list[dict[str, Any]]:
    """The odds of every attack in a situation, in the order in which they are made."""
    from sandtable.testing.situations import played_out

    return [each for name, game in played_out(file) for each in in_order(game, name)]


def in_order(game: Game[Any], name: str = "") -> list[dict[str, Any]]:
    """The odds of every attack that was made in a game."""
    from sandtable.testing.odds import attacks_of

    return [told(each.game, each.answer, each.odds, name) for each in attacks_of(game) if each.odds.lines][::-1]


def begun(ruleset: str, scenario: str, seed: int, answers: Path | None) -> Game[Any]:
    """A battle after some answers."""
    import msgspec

    from sandtable import rulesets
    from sandtable.engine.dice import SeededDice
    from sandtable.engine.errors import SandtableError
    from sandtable.engine.game import Game

    rules = rulesets.load(ruleset)
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(seed))
    try:
        given = msgspec.json.decode(answers.read_bytes(), type=list[Any]) if answers is not None else []
    except msgspec.DecodeError as error:
        raise SandtableError(f"{answers}: {error}") from None
    for number, answer in enumerate(given, 1):
        refused = game.answer(answer)
        if refused is not None:
            raise SandtableError(f"answer {number} is refused: {refused}")
    return game


def replayed(file: Path | None, to: int | None) -> Game[Any]:
    from sandtable import rulesets
    from sandtable.engine import record

    assert file is not None
    game: Game[Any] = record.replay(record.read(file), rulesets.load, to=to).game
    return game


def of_question(game: Game[Any], attack: str | None, before: list[str]) -> list[dict[str, Any]]:
    """The odds of answers to the question now asked."""
    from sandtable.engine.errors import SandtableError
    from sandtable.engine.odds import odds, planned
    from sandtable.engine.questions import Refusal
    from sandtable.engine.seat import Seat

    if game.ask is None:
        raise SandtableError("the battle is over: nothing is asked")
    seat = Seat(game, game.ask.seat)
    first = [read(words) for words in before]
    there = planned(seat, first) if first else game
    if isinstance(there, Refusal):
        raise SandtableError(f"what is planned first is refused: {there}")
    if there is None or there.ask is None or there.ask.question.topic not in game.rules.display.previews:
        asked = game.ask.question.topic if there is game else "none that is an attack"
        known = ", ".join(game.rules.display.previews) or "none"
        raise SandtableError(f"the question now is {asked!r}; those with odds are: {known}")
    wanted = [read(attack)] if attack is not None else there.ask.question.candidates(MOST_PROPOSED)
    found = []
    for answer in wanted:
        exact = odds(seat, answer, first)
        if isinstance(exact, Refusal):
            raise SandtableError(f"that answer is refused: {exact}")
        if exact is not None and exact.chances:
            found.append(told(there, answer, exact))
    if not found:
        raise SandtableError("there is no closed form for the odds of that")
    return found


def of_places(game: Game[Any], places: Any, target: str | None) -> list[dict[str, Any]]:
    """The odds of fire at a target from places where nobody stands yet."""
    import msgspec

    from sandtable.engine.errors import SandtableError
    from sandtable.engine.odds import odds_from
    from sandtable.engine.seat import Seat
    from sandtable.table.shapes import Place

    if game.ask is None or target is None:
        raise SandtableError("say by --attack at what is fired, in a battle that goes on")
    try:
        spots = msgspec.convert(places, dict[str, Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]])
    except msgspec.ValidationError as error:
        raise SandtableError(f"--from: {error}") from None
    seat = Seat(game, game.ask.seat)
    there = {name: Place(x, y, facing[0] if facing else 0.0) for name, (x, y, *facing) in spots.items()}
    exact = odds_from(seat, there, target)
    if exact is None:
        raise SandtableError("there is no closed form for the odds of that")
    asked = {"seat": seat.name, "topic": "", "question": "From there:"}
    return [{"name": "", **asked, "answer": target, "odds": msgspec.to_builtins(exact)}]


def read(words: str) -> Any:
    """An answer as JSON; a bare word is itself."""
    import msgspec

    try:
        return msgspec.json.decode(words)
    except msgspec.DecodeError:
        return words


def told(game: Game[Any], answer: Any, exact: Odds, name: str = "") -> dict[str, Any]:
    """The odds of an attack as plain data, and what it answers."""
    import msgspec

    assert game.ask is not None
    asked = {"seat": game.ask.seat, "topic": game.ask.question.topic, "question": game.ask.question.words}
    return {"name": name, **asked, "answer": answer, "odds": msgspec.to_builtins(exact)}


def in_lines(found: dict[str, Any]) -> str:
    """The odds of an attack for people to read."""
    import msgspec

    from sandtable.engine.events import several
    from sandtable.engine.tokens import plain

    exact = found["odds"]
    asked = f"{found['seat']}, {plain(found['question'])}"
    lines = [found["name"]] if found["name"] else []
    lines.append(f"{asked} {msgspec.json.encode(found['answer']).decode()}")
    for throw in exact.get("lines", ()):
        dice = f": {several(throw['dice'], 'die', 'dice')}, {throw.get('needs', 0)}+" if throw.get("dice") else ""
        why = "".join(f", {each['amount']:+d} {plain(each['words'])}" for each in throw.get("reasons", ()))
        lines.append(wrapped(f"{plain(throw['words'])}{dice}{why}"))
    lines += [f"  {percent(each['share'])}  {plain(each['words'])}" for each in exact["chances"]]
    for spread in exact.get("spreads", ()):
        values = ", ".join(f"{value}: {percent(share).strip()}" for value, share in spread["chances"])
        lines.append(wrapped(f"{spread['name']}, {spread['mean']:.2f} on average: {values}"))
    lines += [wrapped(f"{plain(note['name'])}: {note['value']}") for note in exact.get("notes", ())]
    lines += [wrapped(f"Assumed: {plain(each)}") for each in exact.get("assumes", ())]
    return "\n".join(lines)


def percent(share: float) -> str:
    return f"{100 * share:7.3f} %"
