"""Situations: a moment of a game, the answers and dice that follow, and what must then be true. See docs/situations.md.

A situation is how rules are tested, how bugs are reported, and how a player asks "what if". One file may hold several
variants of a moment, and may say that it must fail, which proves that the checker can.
"""

from sandtable.testing.situations.files import Situation, find_files, load
from sandtable.testing.situations.moments import SetupFile, bundled
from sandtable.testing.situations.names import words_of_code
from sandtable.testing.situations.playing import Outcome, played_out, try_file

__all__ = [
    "Outcome",
    "SetupFile",
    "Situation",
    "bundled",
    "find_files",
    "load",
    "played_out",
    "try_file",
    "words_of_code",
]
