"""The page's types, made from the structures that the server sends.

`python -m sandtable.testing.page_types write|check`. web/src/lib/wire.ts holds them; what has no
structure of its own (questions, states, requests) stands in types.ts.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as kinds

from sandtable.engine import account, cards, dice, questions, ruleset, settled
from sandtable.field import formations, landings
from sandtable.server import messages
from sandtable.table import scene, shapes, terrain

FILE = Path(__file__).parent.parent.parent / "web" / "src" / "lib" / "wire.ts"
HEAD = "/** What the server sends, structure by structure. Made by `python -m sandtable.testing.page_types write`. */"

STRUCTURES: dict[str, type[Any]] = {
    "Badge": scene.Badge,
    "Footprint": shapes.Footprint,
    "Place": shapes.Place,
    "ScenePiece": scene.Piece,
    "Feature": terrain.Feature,
    "Body": scene.Body,
    "Ring": scene.Ring,
    "Spot": scene.Spot,
    "Area": scene.Area,
    "Path": scene.Path,
    "Scene": scene.Scene,
    "Fact": cards.Fact,
    "RailDie": cards.RailDie,
    "RailStep": cards.RailStep,
    "Rail": cards.Rail,
    "Profile": cards.Profile,
    "TeamCard": cards.TeamCard,
    "UnitCard": cards.UnitCard,
    "Briefing": cards.Briefing,
    "Outlook": cards.Outlook,
    "Slice": cards.Slice,
    "SideView": cards.SideView,
    "Reason": cards.Reason,
    "PreviewLine": cards.PreviewLine,
    "Chance": cards.Chance,
    "Spread": cards.Spread,
    "Preview": cards.Preview,
    "Throw": dice.Throw,
    "Guard": ruleset.Guard,
    "Refusal": questions.Refusal,
    "Result": ruleset.Result,
    "Option": questions.Option,
    "MovePiece": questions.Piece,
    "Step": questions.Step,
    "Pose": formations.Pose,
    "Landing": landings.Landing,
    "Settled": settled.Settled,
    "LessonCard": messages.LessonCard,
    "ScenarioCard": messages.ScenarioCard,
    "ForceCard": messages.ForceCard,
    "SwitchCard": messages.SwitchCard,
    "HabitCard": messages.HabitCard,
    "RulesetCard": messages.RulesetCard,
    "RuleCard": messages.RuleCard,
    "ChapterCard": messages.ChapterCard,
    "FoundRules": messages.FoundRules,
    "DiceCard": messages.DiceCard,
    "GameCard": messages.GameCard,
    "NewGame": messages.NewGame,
    "Created": messages.Created,
    "BeatCard": messages.BeatCard,
    "Mark": account.Mark,
    "Curve": account.Curve,
    "Fallen": account.Fallen,
    "Swing": account.Swing,
    "Kill": account.Kill,
    "Luck": account.Luck,
    "Account": account.Account,
    "Problem": messages.Problem,
}
"""Each structure by its name on the page: two kinds of piece have one name in their own houses."""

LISTS: dict[str, tuple[str, ...]] = {"Look": get_args(scene.Look)}
"""Lists of words that the page needs in their order, each with the type that it makes."""

NAMES = {structure: name for name, structure in STRUCTURES.items()}


class Untold(Exception):
    """A structure that holds something for which the page has no type."""


def written(kind: kinds.Type) -> str:
    """A type as TypeScript writes it."""
    match kind:
        case kinds.IntType() | kinds.FloatType():
            return "number"
        case kinds.StrType():
            return "string"
        case kinds.BoolType():
            return "boolean"
        case kinds.NoneType():
            return "null"
        case kinds.LiteralType(values=values):
            for name, words in LISTS.items():
                if frozenset(values) == frozenset(words):
                    return name
            return " | ".join(msgspec.json.encode(value).decode() for value in sorted(values, key=str))
        case kinds.UnionType(types=types):
            return " | ".join(
                written(each) for each in sorted(types, key=lambda each: isinstance(each, kinds.NoneType))
            )
        case kinds.TupleType(item_types=items):
            return f"[{', '.join(written(each) for each in items)}]"
        case kinds.CollectionType(item_type=item):
            inner = written(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case kinds.DictType(key_type=key, value_type=value):
            return f"Record<{written(key)}, {written(value)}>"
        case kinds.StructType(cls=cls) if cls in NAMES:
            return NAMES[cls]
    raise Untold(f"the page knows no {kind}")


def field_of(field: kinds.Field, leaves_out: bool) -> str:
    """A field; one whose default is left out may be missing, and is then never null."""
    missing = leaves_out and not field.required
    kind = field.type
    if missing and field.default is None and isinstance(kind, kinds.UnionType):
        rest = tuple(each for each in kind.types if not isinstance(each, kinds.NoneType))
        kind = rest[0] if len(rest) == 1 else kinds.UnionType(rest)
    return f"  {field.encode_name}{'?' if missing else ''}: {written(kind)};"


def interface(name: str, structure: type[Any]) -> str:
    info = kinds.type_info(structure)
    assert isinstance(info, kinds.StructType)
    config = structure.__struct_config__
    # What the page sends may be left out wherever the server knows what is meant.
    leaves_out = config.omit_defaults or config.forbid_unknown_fields
    about = inspect.cleandoc(structure.__doc__ or "").splitlines()
    told = [f"/** {about[0].strip()} */"] if about and not about[0].startswith(f"{structure.__name__}(") else []
    lines = [*told, f"export interface {name} {{", *(field_of(each, leaves_out) for each in info.fields), "}"]
    return "\n".join(lines)


def listed(name: str, words: tuple[str, ...]) -> str:
    """A list of words as a value, and the type of one of them."""
    rows = [f"  {msgspec.json.encode(word).decode()}," for word in words]
    constant = f"{name.upper()}S"
    of_one = f"export type {name} = (typeof {constant})[number];"
    return "\n".join([f"export const {constant} = [", *rows, "] as const;", of_one])


def text() -> str:
    lists = (listed(name, words) for name, words in LISTS.items())
    return "\n\n".join([HEAD, *lists, *(interface(name, each) for name, each in STRUCTURES.items())]) + "\n"


def main() -> int:
    if sys.argv[1:] == ["write"]:
        FILE.write_text(text(), encoding="utf-8")
        print(f"wrote {FILE.name}")
        return 0
    if sys.argv[1:] == ["check"]:
        stale = not FILE.is_file() or FILE.read_text(encoding="utf-8") != text()
        print("the page's types are not current" if stale else "the page's types are current")
        return int(stale)
    print("usage: python -m sandtable.testing.page_types write|check", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
