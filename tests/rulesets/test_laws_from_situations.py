"""The laws hold from every set-up of our situations and at the questions that they come to."""

from pathlib import Path

import pytest

from sandtable import rulesets
from sandtable.testing.lawful import broken_from_set_ups, broken_on_the_way

FOLDERS = sorted(
    folder
    for name in rulesets.known()
    for folder in (rulesets.folder(name) / "situations").iterdir()
    if folder.is_dir()
)
ANSWERS = 16
MOMENTS = 4
"""So often each topic is looked at in a folder; `make soak` looks at all of them."""


def folder_name(folder: Path) -> str:
    return f"{folder.parent.parent.name}-{folder.name}"


@pytest.mark.parametrize("folder", FOLDERS, ids=folder_name)
def test_the_laws_hold_from_the_set_ups_of_situations(folder: Path) -> None:
    assert list(broken_from_set_ups(folder, seed=1, most=ANSWERS)) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=folder_name)
def test_the_laws_hold_at_the_questions_of_situations(folder: Path) -> None:
    assert list(broken_on_the_way(folder, seed=1, ahead=ANSWERS, most=MOMENTS)) == []
