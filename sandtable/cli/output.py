"""What commands print: texts for people, and one JSON document for programs."""

from __future__ import annotations

import shutil
import textwrap
from typing import Any

import typer


def print_json(document: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def wrapped(text: str, indent: str = "  ") -> str:
    """A text of one or more paragraphs, in lines that a person likes to read."""
    width = min(100, shutil.get_terminal_size((100, 24)).columns)
    lines = (textwrap.fill(part, width, initial_indent=indent, subsequent_indent=indent) for part in text.split("\n"))
    return "\n".join(lines)
