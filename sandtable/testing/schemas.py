"""The JSON schemas of our formats, kept in docs/schema: `python -m sandtable.testing.schemas write|check`.

An editor that knows a schema can help while a file is written; `sandtable data check` says more.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine import record
from sandtable.testing.formats import every_format

FOLDER = Path(__file__).parent.parent.parent / "docs" / "schema"


def file_name(format_: str) -> str:
    """`sandtable.tr14.force` is described in `tr14-force.schema.json`."""
    return format_.removeprefix("sandtable.").replace(".", "-") + ".schema.json"


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by the name of its file."""
    found = {"save.schema.json": record.schema()}
    types = {file_name(format_): type_ for format_, type_ in every_format().items()}
    for name in rulesets.known():
        types[f"{name}-setup.schema.json"] = rulesets.load(name).setup_type
    for name, type_ in types.items():
        schema = msgspec.json.schema(type_)
        found[name] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return dict(sorted(found.items()))


def text_of(schema: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def write(folder: Path = FOLDER) -> list[str]:
    """Write the schemas that have changed, and name them."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = stale(folder)
    for name, schema in schemas().items():
        if name in changed:
            (folder / name).write_text(text_of(schema))
    return changed


def stale(folder: Path = FOLDER) -> list[str]:
    """The schemas whose file is missing or says something else."""
    return [
        name
        for name, schema in schemas().items()
        if not (folder / name).is_file() or (folder / name).read_text() != text_of(schema)
    ]


def main() -> int:
    if sys.argv[1:] == ["write"]:
        print("\n".join(f"wrote {name}" for name in write()) or "all schemas are current")
        return 0
    if sys.argv[1:] == ["check"]:
        old = stale()
        print("\n".join(f"{name} is not current" for name in old) or "all schemas are current")
        return 1 if old else 0
    print("usage: python -m sandtable.testing.schemas write|check", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
