"""The Barrage action: shells or smoke."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import State, Unit
from sandtable.rulesets.tr14.indirect.batteries import LEAST_GUNS, battery_of
from sandtable.rulesets.tr14.indirect.shells import fire_shells, possible_targets
from sandtable.rulesets.tr14.indirect.smoke import fire_smoke


def barrage(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.playing.action-barrage: shells or smoke. Nobody who fires or observes moves."""
    battery = battery_of(game, unit)
    kinds = [Option("smoke", "Smoke", ("tr14.indirect.smoke",))]
    targets = possible_targets(game, battery)
    if targets:
        kinds.insert(0, Option("shells", "High explosive", ("tr14.indirect.range-in",)))
    words = f"What does {label(unit)} fire?"
    answer = yield Ask(
        unit.side, Choose("barrage", words, kinds, rules=("tr14.playing.action-barrage",), barred=no_target(unit))
    )
    if answer == "shells":
        yield from fire_shells(game, battery, targets)
    else:
        yield from fire_smoke(game, battery)


def no_target(unit: Unit) -> Callable[[str], Refusal | None]:
    def barred(choice: str) -> Refusal | None:
        if choice == "shells":
            message = f"{label(unit)} has no enemy Team in sight of an observer and in reach of {LEAST_GUNS} guns."
            return illegal("tr14.indirect.observer", message)
        return None

    return barred
