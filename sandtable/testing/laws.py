"""The laws, one function each. They play random games and look at every step of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sandtable import bots
from sandtable.engine import record
from sandtable.engine.dice import Dice, SeededDice
from sandtable.engine.game import ENCODER, Game, Observer
from sandtable.engine.ledger import Ledger
from sandtable.engine.ledger import rulesets as ledgers
from sandtable.engine.questions import Assign, Choices, Choose, ChooseSome, MovePieces, Question, Refusal
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat

MOST_ANSWERS = 20_000
"""A game that asks for more is stuck."""

FROM_AFAR = 60
"""So many answers are taken back by way of distant snapshots; after that each checkpoint is kept, which is fast."""

JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**40,
    float("nan"),
    float("inf"),
    "",
    "no such thing",
    "x" * 1_000_000,
    [],
    ["no such thing"],
    [[]],
    {},
    {"no such thing": "nor this"},
    {"no such thing": {"to": [float("nan"), 1.0]}},
    [float("nan"), float("nan")],
    {"to": [1e300, -1e300]},
    [1e9, 1e9],
)


Watch = Callable[[Game[Any]], None]
"""Looks at a game whenever something is asked, and raises `LawBroken`."""


class LawBroken(AssertionError):
    """A ruleset does what no ruleset may do."""


def first_difference(a: Any, b: Any, where: str = "state") -> str | None:
    """The first place at which two states differ, in words, or None."""
    if isinstance(a, msgspec.Struct) and isinstance(b, msgspec.Struct):
        for name in a.__struct_fields__:
            found = first_difference(getattr(a, name), getattr(b, name), f"{where}.{name}")
            if found:
                return found
        return None
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            return f"{where} has {list(a)} here and {list(b)} there"
        return next((d for key in a if (d := first_difference(a[key], b[key], f"{where}.{key}"))), None)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        pairs = enumerate(zip(a, b, strict=True))
        return next((d for i, (x, y) in pairs if (d := first_difference(x, y, f"{where}[{i}]"))), None)
    return None if a == b else f"{where} is {a!r} here and {b!r} there"


def play_random(
    rules: Ruleset,
    setup: Any,
    seed: int,
    *,
    watch: Watch | None = None,
    dice: Dice | None = None,
    crashes: Path | None = None,
    prepared: Any = None,
    bot: str | None = None,
    choose: Callable[[Question, Random], Any] | None = None,
    observers: tuple[Observer, ...] = (),
    most: int | None = None,
) -> Game[Any]:
    """A random game to its end, or one that two bots of a kind play.

    `choose` picks the answers of a random game, if not all are to be as likely; `observers` follow the game. After
    `most` answers it is left as it stands.

    If it raises or gets stuck, it is saved as a game that can be replayed up to there.
    """
    game: Game[Any] = Game(rules, setup, dice or SeededDice(seed), prepared=prepared, observers=observers)
    random = Random(seed)
    players = {} if bot is None else {seat: bots.make(bot, seed) for seat in rules.seats}
    seats = {name: Seat(game, name) for name in players}
    try:
        while game.ask is not None:
            if len(game.record) > MOST_ANSWERS:
                raise LawBroken(f"seed {seed}: the game does not end")
            if most is not None and len(game.record) >= most:
                return game
            if watch is not None:
                watch(game)
            name, question = game.ask.seat, game.ask.question
            if players:
                game.accept(players[name].choose(seats[name]))
            else:
                game.accept(choose(question, random) if choose is not None else question.sample(random))
        for broken in rules.invariants(game):
            raise LawBroken(f"seed {seed}, at the end: {broken}")
    except Exception:
        if crashes is not None:
            crashes.mkdir(parents=True, exist_ok=True)
            record.save(game, crashes / f"{rules.name}-{seed}.game")
        raise
    if game.result is None:
        raise LawBroken(f"seed {seed}: the game is over without a result")
    return game


def check_laws(rules: Ruleset, setup: Any, seed: int = 1) -> Game[Any]:
    """Every law, on one random game. Returns the game."""
    check_same_game(rules, setup, seed)
    check_answers(rules, setup, seed)
    check_bars(rules, setup, seed)
    check_copies(rules, setup, seed)
    check_checkpoints(rules, setup, seed)
    check_undo(rules, setup, seed)
    check_refusals(rules, setup, seed)
    check_views(rules, setup, seed)
    return check_record(rules, setup, seed)


def all_laws(rules: Ruleset, seed: int, ahead: int) -> Watch:
    """Every law that can be looked at in one moment; copies go so many answers ahead."""
    laws = (
        answers_law(rules, seed),
        bars_law(rules),
        checkpoints_law(rules, seed),
        refusals_law(seed),
        views_law(rules, seed),
        copies_law(rules, seed, ahead),
    )

    def watch(game: Game[Any]) -> None:
        for law in laws:
            law(game)

    return watch


def check_beginning(rules: Ruleset, setup: Any, seed: int, most: int, gap: int = 4) -> None:
    """Every law, on the first answers of a random game that begins with a set-up."""
    game = play_random(rules, setup, seed, watch=every(gap, all_laws(rules, seed, most)), most=most)
    if play_random(rules, setup, seed, most=most).hash() != game.hash():
        raise LawBroken(f"seed {seed}: two plays differ")
    check_undo(rules, setup, seed, most=most)
    check_saved(rules, record.dumps(game), game.hash(), only=0)


def every(number: int, act: Watch) -> Watch:
    """Do something at every so manieth question only: some laws are costly to look at."""

    def watch(game: Game[Any]) -> None:
        if len(game.record) % number == 0:
            act(game)

    return watch


def check_same_game(rules: Ruleset, setup: Any, seed: int) -> None:
    """Same set-up, seed and answers: same game."""
    first, second = (play_random(rules, setup, seed) for _ in range(2))
    if first.hash() != second.hash():
        raise LawBroken(f"seed {seed}: two plays differ: {first_difference(first.state, second.state)}")


def check_answers(rules: Ruleset, setup: Any, seed: int, gap: int = 1) -> None:
    """Some answer always exists, and what a question lists, proposes or picks by chance is legal."""
    play_random(rules, setup, seed, watch=every(gap, answers_law(rules, seed)))


def answers_law(rules: Ruleset, seed: int) -> Watch:
    random = Random(seed)

    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        question = game.ask.question
        listed, proposed = question.answers(), question.candidates(6)
        if not proposed or listed == []:
            raise LawBroken(f"{question.topic}: there is no answer")
        proposed = [*proposed, question.sample(random), *(listed or [])[:6]]
        for answer in proposed:
            checked = question.check(answer)
            if isinstance(checked, Refusal):
                raise LawBroken(f"{question.topic}: proposes {answer!r} and refuses it: {checked}")
            if checked != answer:
                raise LawBroken(f"{question.topic}: proposes {answer!r} but keeps it as {checked!r}")
        if game.ask.checkpoint:
            for broken in rules.invariants(game):
                raise LawBroken(f"seed {seed}, answer {len(game.record)}: {broken}")

    return watch


def check_bars(rules: Ruleset, setup: Any, seed: int, gap: int = 3) -> None:
    """What is barred is never offered, what is offered is never barred, and what bars it is a rule of the ledger."""
    play_random(rules, setup, seed, watch=every(gap, bars_law(rules)))


def bars_law(rules: Ruleset) -> Watch:
    known = Ledger.load(rules.name).rules if rules.name in ledgers() else None
    seen: dict[str, dict[str, None]] = {}

    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        question = game.ask.question
        pieces = rules.scene(game, game.ask.seat).pieces
        names = dict.fromkeys([*(each.id for each in pieces), *(each.unit for each in pieces)])
        # Whatever was ever offered on this topic may come up again when it is no longer allowed.
        ever = seen.setdefault(question.topic, {})
        ever.update(dict.fromkeys(offered_by(question)))
        things: Collection[str] = ()
        if isinstance(question, Choose | ChooseSome) and isinstance(question.options, Choices):
            things = question.options.things
        for name, offered, why in bars(question, [*names, *things], ever):
            if why is None:
                if not offered and name in things:
                    raise LawBroken(f"{question.topic}: neither offers {name} nor bars it")
                continue
            if offered:
                raise LawBroken(f"{question.topic}: offers {name} and bars it: {why}")
            if not why.rule:
                raise LawBroken(f"{question.topic}: bars without a rule: {why}")
            if known is not None and why.rule not in known:
                raise LawBroken(f"{question.topic}: bars {name} by a rule that no ledger knows: {why.rule}")

    return watch


def offered_by(question: Question) -> list[str]:
    """The ids that a question takes."""
    if isinstance(question, Choose | ChooseSome):
        return [option.id for option in question.options]
    if isinstance(question, Assign):
        return [option.id for options in question.items.values() for option in options]
    return list(question.names) if isinstance(question, MovePieces) else []


def bars(question: Question, names: Iterable[str], ever: Iterable[str]) -> Iterator[tuple[str, bool, Refusal | None]]:
    """Of whatever has a name, whether a question offers it, and why not."""
    if isinstance(question, Assign):
        for item in dict.fromkeys([*question.items, *names]):
            choices = [option.id for option in question.items.get(item, ())]
            for name in ever:
                yield f"{name} to {item}", name in choices, question.barred(item, name)
        return
    offered = set(offered_by(question))
    if isinstance(question, Choose | ChooseSome | MovePieces) and question.barred is not None:
        for name in dict.fromkeys([*names, *ever]):
            yield name, name in offered, question.barred(name)


def check_copies(rules: Ruleset, setup: Any, seed: int, gap: int = 29) -> None:
    """A copy goes its own way and never touches its origin."""
    play_random(rules, setup, seed, watch=every(gap, copies_law(rules, seed)))


def copies_law(rules: Ruleset, seed: int, answers: int = 40) -> Watch:
    def watch(game: Game[Any]) -> None:
        before = msgspec.msgpack.decode(ENCODER.encode(game.state), type=rules.state_type)
        twin = game.fork(seed + len(game.record))
        if ENCODER.encode(twin.state) != ENCODER.encode(game.state):
            raise LawBroken(f"a copy differs from its origin: {first_difference(game.state, twin.state)}")
        random = Random(seed)
        for _ in range(answers):
            if twin.ask is None:
                break
            twin.accept(twin.ask.question.sample(random))
        blame = first_difference(before, game.state)
        if blame:
            raise LawBroken(f"a copy touched its origin: {blame}")

    return watch


def check_checkpoints(rules: Ruleset, setup: Any, seed: int) -> None:
    """At a checkpoint the state alone says how the game goes on."""
    play_random(rules, setup, seed, watch=checkpoints_law(rules, seed))


def checkpoints_law(rules: Ruleset, seed: int) -> Watch:
    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        if not game.ask.checkpoint:
            return
        state = msgspec.json.decode(msgspec.json.encode(game.state), type=rules.state_type)
        again: Game[Any] = Game(
            rules, game.setup, SeededDice(seed, game.dice.count), state=state, prepared=game.prepared
        )
        if again.ask is None or again.ask.question.describe() != game.ask.question.describe():
            raise LawBroken(f"answer {len(game.record)}: a game begun at this checkpoint asks something else")
        if again.events or again.hash() != game.hash():
            raise LawBroken(f"answer {len(game.record)}: beginning at this checkpoint changes the game")

    return watch


def check_undo(rules: Ruleset, setup: Any, seed: int, gap: int = 3, most: int = MOST_ANSWERS) -> None:
    """Undo restores exactly, can be redone, and never reaches across a die, a revealed secret or another's answer."""
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    random = Random(seed)
    while game.ask is not None and len(game.record) < most:
        if len(game.record) == FROM_AFAR:
            game.keep_checkpoints()
        seat, before, dice = game.ask.seat, game.hash(), game.dice.count
        told = len(game.events)
        game.accept(game.ask.question.sample(random))
        if len(game.record) % gap:
            continue
        after = game.hash()
        crossed = game.dice.count != dice or any(event.reveals for event in game.events[told:])
        refused = game.undo(seat)
        if refused is None:
            if crossed:
                raise LawBroken(f"answer {len(game.record)}: undo reached across a die or a secret")
            if game.hash() != before or len(game.events) != told:
                raise LawBroken(f"answer {len(game.record)}: undo did not restore the game")
            if game.redo(seat) is not None or game.hash() != after:
                raise LawBroken(f"answer {len(game.record)}: redo did not bring the game back")
        elif not crossed:
            raise LawBroken(f"answer {len(game.record)}: undo is refused: {refused}")
        if any(game.undo(other) is None for other in rules.seats if other != seat):
            raise LawBroken(f"answer {len(game.record)}: a seat took back another's answer")


def wrong_answers(game: Game[Any], random: Random) -> Iterator[Any]:
    """Junk, and answers to other questions that this one must not take for its own."""
    yield from JUNK
    yield [random.random() * 1e6 - 5e5, random.random() * 1e6]
    teams = [f"team-{random.randrange(10)}"]
    yield {teams[0]: {"to": [random.random() * 100, random.random() * 100], "facing": 1e308}}
    yield {teams[0]: {"to": [1]}}
    yield {"": ""}


def check_refusals(rules: Ruleset, setup: Any, seed: int, gap: int = 7) -> None:
    """A wrong answer is refused with a reason, changes nothing, and never raises."""
    play_random(rules, setup, seed, watch=every(gap, refusals_law(seed)))


def refusals_law(seed: int) -> Watch:
    random = Random(seed)

    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        before, asked = game.hash(), game.ask
        for wrong in wrong_answers(game, random):
            if not isinstance(asked.question.check(wrong), Refusal):
                continue
            refused = game.answer(wrong)
            if refused is None or not refused.message or len(refused.message) > 2000:
                raise LawBroken(f"{asked.question.topic}: {str(wrong)[:60]} is refused without a good reason")
            if refused.rule is None and refused.field is None:
                raise LawBroken(f"{asked.question.topic}: a refusal names neither rule nor field: {refused.message}")
        stranger = game.answer(asked.question.candidates(1)[0], seat="nobody")
        if stranger is None or game.ask is not asked or game.hash() != before:
            raise LawBroken(f"{asked.question.topic}: a refused answer changed the game")

    return watch


def check_views(rules: Ruleset, setup: Any, seed: int, gap: int = 23) -> None:
    """A view is plain data, tells only one's own question, and is the same for a world that one cannot tell apart."""
    play_random(rules, setup, seed, watch=every(gap, views_law(rules, seed)))


def views_law(rules: Ruleset, seed: int) -> Watch:
    def watch(game: Game[Any]) -> None:
        game.keep_checkpoints()
        assert game.ask is not None
        for seat in (*rules.seats, None):
            view = game.view(seat)
            msgspec.json.encode(view)
            if ("words" in view["asked"]) != (game.ask.seat == seat):
                raise LawBroken(f"{seat} is shown a question that is not asked of it, or is not shown its own")
            if seat is None:
                continue
            imagined = rules.imagine(game, seat)
            if imagined is not None and game.checkpoint is not None and game.ask.checkpoint:
                twin: Game[Any] = Game(rules, game.setup, SeededDice(seed), state=imagined, prepared=game.prepared)
                if twin.view(seat) != view:
                    raise LawBroken(f"{seat}'s view tells worlds apart that it must not")

    return watch


def check_record(rules: Ruleset, setup: Any, seed: int) -> Game[Any]:
    """A saved game replays to the same state, from the start and from every keyframe."""
    game = play_random(rules, setup, seed)
    check_saved(rules, record.dumps(game), game.hash())
    return game


def check_saved(rules: Ruleset, text: str, final: str, only: int | None = None) -> None:
    """A saved game replays to its end from the start and from every keyframe, or from one that a number picks."""
    saved = record.loads(text)
    replayed = record.replay(saved, lambda name: rules)
    if replayed.differs or replayed.game.hash() != final:
        raise LawBroken(f"a saved game replays differently: {replayed.differs or 'another final state'}")
    frames = saved.keyframes if only is None else [saved.keyframes[only % len(saved.keyframes)]]
    for frame in frames:
        dice = record.dice_of(saved.header.dice)
        dice.count = frame.dice
        state = msgspec.convert(frame.state, rules.state_type)
        game: Game[Any] = Game(rules, replayed.game.setup, dice, state=state, prepared=replayed.game.prepared)
        for entry in saved.entries[frame.entries :]:
            game.accept(entry.answer)
        if game.hash() != final:
            blame = first_difference(game.state, replayed.game.state)
            raise LawBroken(f"from the keyframe after {frame.entries} answers the game ends differently: {blame}")
