"""Standing answers of this game: what a careful player would answer nearly always."""

from __future__ import annotations

from sandtable.engine.ruleset import Habit
from sandtable.engine.standing import Condition

LOSSES = "allocate allocate-at suppress shed"
"""The questions about who takes a hit or a marker, or loses one."""

HABITS: tuple[Habit, ...] = (
    Habit("equal-hits", "Which of your equal Teams takes a hit or a marker does not matter to you.",
          LOSSES, None, (Condition("alike", "==", True),), usual=True, proposed=True, title="Hits"),
    Habit("plain-first", "Hits and markers go to your plainest Teams first, to leaders last.",
          LOSSES, None, usual=True, proposed=True, title="Hits"),
    Habit("commander-rerolls", "The Company Commander has a failed Check to activate rolled again.",
          "cc-reroll", "yes", (Condition("check", "==", "activation"),), usual=True, title="Commander"),
    Habit("direct-fire", "Leaders direct the fire of the Team beside them that missed most.",
          "direct-fire", None, usual=True, proposed=True, title="Leader"),
    Habit("all-react", "Whoever can fires when a Unit reacts.",
          "reaction-fire", None, usual=True, proposed=True, title="Who fires"),
    Habit("best-moment", "A Unit that reacts fires when most of its Teams can.",
          "moment", None, usual=True, proposed=True, title="When"),
    Habit("hold-fire", "Never react to enemies who move.", "react", "pass"),
    Habit("stay-up", "Never go to ground.", "go-to-ground", "no"),
)  # fmt: skip
