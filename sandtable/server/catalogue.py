"""What can be played: the rulesets, their scenarios, forces and optional rules, and how a new game is set up."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any, get_args

import msgspec

from sandtable import bots, rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.lessons import Lesson
from sandtable.engine.questions import Refusal, shown
from sandtable.engine.ruleset import Ruleset
from sandtable.server.messages import (
    ForceCard,
    HabitCard,
    LessonCard,
    NewGame,
    Preset,
    RulesetCard,
    ScenarioCard,
    SwitchCard,
)
from sandtable.table.scene import Scene

SCENARIO = re.compile(r"[a-z0-9-]{1,60}(:[0-9]{1,9})?")
"""No path may pass for the name of a scenario."""


class NotPlayable(Exception):
    """What was asked for cannot be set up."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def unknown(message: str, field: str, legal: str = "") -> NotPlayable:
    return NotPlayable(Refusal("unknown", message, field=field, legal=legal))


@cache
def cards() -> list[RulesetCard]:
    return [card(rulesets.load(name)) for name in rulesets.names()]


def card(rules: Ruleset) -> RulesetCard:
    return RulesetCard(
        name=rules.name,
        title=rules.title,
        seats=rules.seats,
        scenarios=[scenario_card(rules, name) for name in rules.scenarios()],
        lessons=[lesson_card(name, lesson) for name, lesson in rules.lessons().items()],
        forces=[ForceCard(army.name, army.title, army.side) for army in rules.muster.armies()] if rules.muster else [],
        switches=[SwitchCard(s.id, s.title, s.about, s.rules, s.club, s.core) for s in rules.switches],
        presets={name: sorted(rules.preset(name) or ()) for name in get_args(Preset)},
        habits=[HabitCard(h.id, h.words, h.topic, h.usual) for h in rules.habits],
        bots=list(bots.BOTS),
    )


def scenario_card(rules: Ruleset, name: str) -> ScenarioCard:
    setup = rules.scenario(name)
    forces = rules.muster.usual(name) if rules.muster is not None else {}
    table, units = setup.table, Counter[str](unit.side for unit in getattr(setup, "units", {}).values())
    about, rounds = rules.display.about(name), getattr(setup, "rounds", 0)
    return ScenarioCard(name, setup.title, about, table.width, table.depth, forces, rounds, dict(sorted(units.items())))


def lesson_card(name: str, lesson: Lesson) -> LessonCard:
    steps = sum(not step.aside for step in lesson.steps)
    return LessonCard(name, lesson.title, lesson.about, lesson.learns, lesson.minutes, lesson.seat, lesson.bot, steps)


def ruleset(name: str) -> Ruleset:
    if name not in rulesets.names():
        raise unknown(f"There is no ruleset {shown(name)!r}.", "ruleset", f"Known: {', '.join(rulesets.names())}.")
    return rulesets.load(name)


def scenario(rules: Ruleset, name: str) -> Any:
    """The set-up of a scenario as it comes."""
    if not SCENARIO.fullmatch(name):
        raise unknown(f"There is no scenario {shown(name)!r}.", "scenario")
    try:
        return rules.scenario(name)
    except SandtableError as error:
        raise unknown(str(error), "scenario") from None


def bare_table(name: str, scenario_name: str) -> Scene:
    """The table of a scenario before anybody stands on it."""
    rules = ruleset(name)
    setup = scenario(rules, scenario_name)
    game: Game[Any] = Game(rules, setup, SeededDice(1))
    return msgspec.structs.replace(rules.scene(game, None), pieces=[], paths=[], title="", caption="")


def lesson(rules: Ruleset, name: str) -> Lesson:
    known = rules.lessons()
    if name not in known:
        raise unknown(f"There is no lesson {shown(name)!r}.", "lesson", f"Known: {', '.join(known) or 'none'}.")
    return known[name]


def first_sight(name: str, lesson_name: str) -> Scene:
    """The table of a lesson as it begins."""
    rules = ruleset(name)
    game: Game[Any] = Game(rules, lesson(rules, lesson_name).setup, SeededDice(1))
    return msgspec.structs.replace(rules.scene(game, None), title="", caption="")


def set_up(rules: Ruleset, wanted: NewGame) -> Any:
    """The set-up of a new game."""
    setup = scenario(rules, wanted.scenario)
    switches = chosen_switches(rules, wanted.options)
    forces = chosen_forces(rules, wanted.forces)
    if not forces and switches is None:
        return setup
    try:
        if rules.muster is not None:
            return rules.muster.set_up(wanted.scenario, forces, switches)
        assert rules.switched is not None
        return rules.switched(wanted.scenario, switches or frozenset())
    except SandtableError as error:
        raise NotPlayable(Refusal("illegal", str(error))) from None


def chosen_switches(rules: Ruleset, options: list[str] | str | None) -> frozenset[str] | None:
    """The optional rules that were asked for; None for the scenario's own."""
    if options is None or not rules.switches:
        if options and isinstance(options, list):
            raise unknown(f"{rules.title} has no optional rules.", "options")
        return None
    if isinstance(options, str):
        preset = rules.preset(options)
        if preset is None:
            raise unknown(f"There is no preset {shown(options)!r}.", "options", "Known: core, club, all.")
        return preset
    known = [switch.id for switch in rules.switches]
    for name in options:
        if name not in known:
            raise unknown(f"There is no optional rule {shown(name)!r}.", "options", f"Known: {', '.join(known)}.")
    return frozenset(options)


def chosen_forces(rules: Ruleset, wanted: dict[str, str]) -> dict[str, str]:
    known = {army.name for army in rules.muster.armies()} if rules.muster is not None else set()
    for seat, name in wanted.items():
        if seat not in rules.seats:
            raise unknown(f"There is no seat {shown(seat)!r}.", "forces")
        if name not in known:
            raise unknown(f"There is no force {shown(name)!r}.", "forces", f"Known: {', '.join(sorted(known))}.")
    return wanted


def bot_name(holder: str) -> str:
    """The bot that a seat is to be given to."""
    name = holder.removeprefix("bot:")
    if not holder.startswith("bot:") or name not in bots.BOTS:
        raise unknown(f"There is no bot {shown(name)!r}.", "seats", f"Known: {', '.join(bots.BOTS)}.")
    return name
