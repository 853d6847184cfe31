"""The reference of each ruleset, made from its data and its games: `python -m sandtable.testing.reference write|check`.

Every situation of a ruleset is run and a battle of each scenario played; what is asked and what happens is noted, each
with an example. `check` does not compare the examples, which change with every new situation, but the names: what is
met, and what the code names, must be in the reference, and nothing else may be.
"""

from __future__ import annotations

import ast
import inspect as source
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import msgspec
from msgspec import inspect

from sandtable import rulesets
from sandtable.engine import reference
from sandtable.engine.events import Event
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.reference import EventNote, ProfileNote, Reference, SetupNote, TopicNote
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.tokens import parts, plain
from sandtable.engine.toml_text import toml_key, toml_value
from sandtable.testing.laws import play_random
from sandtable.testing.situations import Outcome, bundled, find_files, try_file, words_of_code
from sandtable.testing.situations.moments import Layer, Moment, layers_of, setup_file

MOST_EXAMPLES = 2
MOST_NEXT = 8
NEVER_ASKED = "Nothing that is here leaves a choice yet."
SEED = 1
ANYBODY = re.compile(r"^…(?:'s)? | (?:of|for) …$| \(…\)$")
"""Whose dice they are: "…'s Save" and "the Assault Check of …" may be anybody's."""


class Gleaner(Observer):
    """Follows games and notes the names of what is asked and of what happens."""

    def __init__(self, ruleset: str) -> None:
        self.words = words_of_code(ruleset)
        self.topics: dict[str, TopicNote] = {}
        self.events: dict[str, EventNote] = {}
        self.following: dict[str, Counter[str]] = {}
        self.thrown: dict[str, Counter[str]] = {}
        self.rules = rulesets.load(ruleset)
        self.last = ""
        """The topic that was answered last in the game that is being followed."""

    def before(self, game: Game[Any]) -> None:
        self.last = ""

    def asks(self, game: Game[Any]) -> None:
        assert game.ask is not None
        self.following.setdefault(self.last, Counter())[game.ask.question.topic] += 1
        self.last = game.ask.question.topic
        question = game.ask.question.describe()
        on = switches_on(self.rules, game.setup)
        asks = plain(question["words"])
        note = self.topics.setdefault(question["topic"], TopicNote(question["form"], asks, switches=on))
        note.switches = [switch for switch in note.switches if switch in on]
        note.rules = sorted({*note.rules, *question["rules"]})
        offered = [
            *question.get("options", []),
            *(each for some in question.get("items", {}).values() for each in some),
        ]
        own = own_names(game)
        for option in offered:
            # "fight:e-1" is the choice to fight, and whom.
            word = option["id"].partition(":")[0]
            if word not in self.words or option["id"] in own:
                continue
            known = next((choice for choice in note.choices if words_of([choice]) == {word}), option["id"])
            note.choices.setdefault(known, plain(option["label"]))
            before = note.choice_switches.get(known, on)
            note.choice_switches[known] = [switch for switch in before if switch in on]

    def answered(self, game: Game[Any], entry: Entry) -> None:
        examples = self.topics[entry.topic].answers
        if entry.answer not in (*examples, {}, []) and len(examples) < MOST_EXAMPLES:
            examples.append(entry.answer)

    def happened(self, game: Game[Any], event: Event) -> None:
        for throw in event.dice:
            self.thrown.setdefault(self.last, Counter())[nobody(throw.why)] += 1
        forms: list[Event] = [event]
        while forms[-1].others is not None:
            forms.append(forms[-1].others)
        for form in forms:
            note = self.events.setdefault(form.kind, EventNote(plain(form.text)))
            for key, value in form.data.items():
                if key not in note.data or (not note.data[key] and value):
                    note.data[key] = msgspec.to_builtins(value)


def nobody(why: str) -> str:
    """What dice are for, whoever throws them, and at whom: without the names in it."""
    return ANYBODY.sub("", "".join(part if isinstance(part, str) else "…" for part in parts(why)))


def own_names(game: Game[Any]) -> set[str]:
    """What this one battle calls its Units, Teams, pieces of terrain and objectives."""
    units = game.setup.units
    found = {*units, *game.setup.objectives, *(feature.id for feature in game.setup.terrain)}
    return found.union(*(unit.teams for unit in units.values()))


def switches_on(rules: Ruleset, setup: Any) -> list[str]:
    """The optional rules that a battle is played with, without those that are always on unless somebody objects."""
    options = getattr(setup, "options", None)
    usual = type(options)() if options is not None else None
    return [s.id for s in rules.switches if getattr(options, s.id, False) and not getattr(usual, s.id, False)]


def glean(ruleset: str) -> tuple[Gleaner, list[Outcome]]:
    """What the situations of a ruleset show, and how they went."""
    gleaner = Gleaner(ruleset)
    files = find_files([rulesets.folder(ruleset) / "situations"])
    return gleaner, [outcome for path in files for outcome in try_file(path, observers=(gleaner,))]


def room(ruleset: str, name: str) -> ModuleType:
    """The one module of a ruleset that has this name, in whatever chapter."""
    (path,) = rulesets.folder(ruleset).rglob(f"{name}.py")
    inside = path.relative_to(rulesets.folder(ruleset)).with_suffix("")
    return import_module(".".join([rulesets.__name__, ruleset, *inside.parts]))


def static(ruleset: str) -> Reference:
    """What the data and the types say, without any game."""
    arsenal, terrain = room(ruleset, "arsenal"), room(ruleset, "terrain")
    found = Reference()
    for key, profile in arsenal.profiles().items():
        kind = profile.type if hasattr(profile, "type") else profile.category
        base = f"{profile.base.width:g} by {profile.base.depth:g}"
        about = getattr(profile, "about", "")
        found.profiles[key] = ProfileNote(profile.name, kind, getattr(profile, "nation", ""), base, about)
    found.terrain = {key: kind.shape for key, kind in terrain.kinds().items()}
    rules = rulesets.load(ruleset)
    found.setup = dict(places(inspect.type_info(rules.setup_type)))
    for switch in rules.switches:
        place = f"options.{switch.id}"
        found.setup[place] = f"{found.setup[place].partition(': ')[0]}: {switch.about}"
    for name, path in bundled(ruleset).items():
        beginning = Moment(layers_of(ruleset, name, Layer(str(path), "", ("setup",), {})))
        found.setups[name] = SetupNote(setup_file(path).name, list(written(beginning.joined()[0])))
    return found


def written(table: dict[str, Any], path: str = "") -> Iterator[str]:
    """What a set-up says, each line as a situation would write it; a table without tables in it is one line."""
    for key, value in table.items():
        here = f"{path}.{toml_key(key)}" if path else toml_key(key)
        if isinstance(value, dict) and any(isinstance(each, dict) for each in value.values()):
            yield from written(value, here)
        else:
            yield f"{here} = {toml_value(value)}"


PLAIN = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "text",
}


def places(info: inspect.Type, path: str = "", words: str = "") -> Iterator[tuple[str, str]]:
    """Every place of a set-up, what may stand there, and what it means."""
    if isinstance(info, inspect.Metadata):
        yield from places(info.type, path, words)
    elif isinstance(info, inspect.UnionType):
        named = [value for one in info.types if isinstance(one, inspect.LiteralType) for value in one.values]
        first = next(one for one in info.types if not isinstance(one, inspect.NoneType))
        yield from places(inspect.LiteralType(tuple(named)) if named else first, path, words)
    elif isinstance(info, inspect.StructType):
        meanings = words_of_fields(info.cls)
        for field in info.fields:
            here = f"{path}.{field.encode_name}" if path else field.encode_name
            meaning = meanings.get(field.name, "")
            yield from places(field.type, here, f"{usual(field)}{f': {meaning}' if meaning else ''}")
    elif isinstance(info, inspect.DictType):
        yield from places(info.value_type, f"{path}.NAME", words)
    elif isinstance(info, inspect.ListType | inspect.VarTupleType):
        yield from places(info.item_type, f"{path}[]", words)
    elif isinstance(info, inspect.TupleType):
        yield path, f"[x, y]{words}"
    elif isinstance(info, inspect.LiteralType):
        yield path, f"one of: {', '.join(str(value) for value in info.values if value != '')}{words}"
    else:
        yield path, f"{PLAIN[type(info)]}{words}"


def usual(field: inspect.Field) -> str:
    """Whether a place must be written, and what holds if it is not, unless that is nothing at all."""
    if field.required:
        return ", needed"
    if isinstance(field.default, str | int | float) and field.default:
        return f", else {toml_value(field.default)}"
    return ""


def words_of_fields(cls: type) -> dict[str, str]:
    """What the code says below each field of a structure, on one line."""
    body = ast.parse(textwrap.dedent(source.getsource(cls))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, after in pairwise(body.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            assert isinstance(after.value, ast.Constant)
            found[field.target.id] = " ".join(str(after.value.value).split())
    return found


ASKING = ("Choose", "ChooseSome", "Assign", "MovePieces", "ChoosePoint", "ChooseNumber", "choose_one", "decide")
AFTER_THE_SEAT = ("choose_one", "decide")
"""Whose first word is the seat that is asked, and the second the topic."""

TELLING = ("tell", "Event")


def named_in_code(ruleset: str, calls: tuple[str, ...]) -> set[str]:
    """The first words of some calls, where the code writes them out: topics of questions, kinds of events."""
    found = set()
    for path in rulesets.folder(ruleset).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in calls and node.args:
                first = node.args[name in AFTER_THE_SEAT]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.add(first.value)
    return found


def made(ruleset: str) -> Reference:
    """The reference of a ruleset, made anew."""
    gleaner, _ = glean(ruleset)
    rules = rulesets.load(ruleset)
    for scenario in rules.scenarios():
        setup = rules.switched(scenario, rules.preset("all") or frozenset()) if rules.switched else None
        play_random(rules, setup or rules.scenario(scenario), SEED, observers=(gleaner,))
    found = static(ruleset)
    for topic, note in gleaner.topics.items():
        note.choice_switches = {
            choice: own
            for choice, switches in note.choice_switches.items()
            if (own := [switch for switch in switches if switch not in note.switches])
        }
        note.then = [name for name, _ in gleaner.following.get(topic, Counter()).most_common(MOST_NEXT)]
        note.dice = [why for why, _ in gleaner.thrown.get(topic, Counter()).most_common(MOST_NEXT)]
    for topic in named_in_code(ruleset, ASKING) - gleaner.topics.keys():
        gleaner.topics[topic] = TopicNote("choose", NEVER_ASKED)
    for kind in named_in_code(ruleset, TELLING):
        gleaner.events.setdefault(kind, EventNote(""))
    found.topics = dict(sorted(gleaner.topics.items()))
    found.events = dict(sorted(gleaner.events.items()))
    return found


def words_of(choices: Iterable[str]) -> set[str]:
    return {choice.partition(":")[0] for choice in choices}


def missing(ruleset: str, gleaner: Gleaner) -> list[str]:
    """What the kept reference does not say, or says of what is not there."""
    kept, now = reference.load(ruleset), static(ruleset)
    found = []
    for part in ("profiles", "terrain", "setup", "setups"):
        if getattr(kept, part) != getattr(now, part):
            found.append(f"{part} are others now")
    for topic, seen in gleaner.topics.items():
        note = kept.topics.get(topic)
        if note is None or note.form != seen.form or not words_of(seen.choices) <= words_of(note.choices):
            found.append(f"topic {topic}")
        elif not set(note.switches) <= set(seen.switches):
            found.append(f"topic {topic} without {', '.join(note.switches)}")
    for kind, event in gleaner.events.items():
        if kind not in kept.events or not event.data.keys() <= kept.events[kind].data.keys():
            found.append(f"event {kind}")
    found += [f"topic {topic}" for topic in named_in_code(ruleset, ASKING) - kept.topics.keys()]
    found += [f"event {kind}" for kind in named_in_code(ruleset, TELLING) - kept.events.keys()]
    words = words_of_code(ruleset)
    found += [f"{name} is not in the code" for name in (*kept.topics, *kept.events) if name not in words]
    return found


def main(arguments: list[str]) -> int:
    if arguments not in (["write"], ["check"]):
        print("usage: python -m sandtable.testing.reference write|check", file=sys.stderr)
        return 2
    wrong: list[str] = []
    for name in rulesets.known():
        if arguments == ["check"]:
            wrong += [f"{name}: {problem}" for problem in missing(name, glean(name)[0])]
            continue
        # An old one may be of another form.
        reference.file(name).unlink(missing_ok=True)
        text = msgspec.json.format(msgspec.json.encode(made(name)), indent=1).decode() + "\n"
        reference.file(name).write_text(text, encoding="utf-8")
        print(f"wrote {reference.file(name)}")
    if arguments == ["check"]:
        print("\n".join(wrong or ["all references are current"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
