"""The Barrage action: shells or smoke."""

from __future__ import annotations

from sandtable.engine.game import Flow, Game, choose_one
from sandtable.engine.questions import Option, illegal, options_of
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import State, Unit
from sandtable.rulesets.tr14.indirect.batteries import LEAST_GUNS, battery_of
from sandtable.rulesets.tr14.indirect.shells import fire_shells, possible_targets
from sandtable.rulesets.tr14.indirect.smoke import fire_smoke

SHELLS = Option("shells", "High explosive", ("tr14.indirect.range-in",))


def barrage(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.playing.action-barrage: shells or smoke. Nobody who fires or observes moves."""
    battery = battery_of(game, unit)
    targets = possible_targets(game, battery)
    message = f"{label(unit)} has no enemy Team in sight of an observer and in reach of {LEAST_GUNS} guns."
    kinds = options_of(
        (SHELLS, None if targets else illegal("tr14.indirect.observer", message)),
        (Option("smoke", "Smoke", ("tr14.indirect.smoke",)), None),
    )
    rules = ("tr14.playing.action-barrage",)
    chosen = yield from choose_one(
        unit.side, "barrage", f"What does {label(unit)} fire?", kinds, rules=rules, always=True, step="what"
    )
    if chosen[0] is SHELLS:
        yield from fire_shells(game, battery, targets)
    else:
        yield from fire_smoke(game, battery)
