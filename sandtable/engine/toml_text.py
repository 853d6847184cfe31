"""Plain data written as TOML, for people to read and change."""

from __future__ import annotations

import json
import re
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
DEEPEST = 3
"""Tables below this depth are written on one line."""


def toml(document: dict[str, Any]) -> str:
    """A document as TOML; tables are opened up to a depth that reads well."""
    return "\n".join(_table(document, ())) + "\n"


def _table(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {key: value for key, value in table.items() if value is not None}
    opened = {key: value for key, value in plain.items() if _opens(value, len(path))}
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in plain.items() if key not in opened]
    if path and (lines or not opened):
        lines.insert(0, f"\n[{'.'.join(map(toml_key, path))}]")
    for key, value in opened.items():
        lines += _table(value, (*path, key))
    return lines


def _opens(value: Any, depth: int) -> bool:
    return isinstance(value, dict) and bool(value) and depth < DEEPEST


def toml_key(key: str) -> str:
    return key if BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each) for each in value if each is not None)}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(each)}" for key, each in value.items() if each is not None)
        return f"{{ {inner} }}" if inner else "{}"
    return _text(str(value))
