"""The orders that optional rules add: each is handed to the module of its rule."""

from __future__ import annotations

from types import ModuleType

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Option
from sandtable.rulesets.hof.acts import Activation, Losses, Order
from sandtable.rulesets.hof.board import board
from sandtable.rulesets.hof.optional import direct_smoke, engineers, obstacles, snipers, terrain_expansion
from sandtable.rulesets.hof.state import State, Team

MODULES: dict[str, ModuleType] = {
    "smoke": direct_smoke,
    "clear": obstacles,
    "charge": engineers,
    "detonate": engineers,
    "unbog": terrain_expansion,
    "snipe": snipers,
    "displace": snipers,
}
SWITCHES: tuple[tuple[str, ModuleType], ...] = (
    ("smoke", direct_smoke),
    ("obstacles", obstacles),
    ("engineers", engineers),
    ("terrain", terrain_expansion),
    ("snipers", snipers),
)


def options(game: Game[State], act: Activation, team: Team) -> list[Option]:
    """The special orders that a Team may be given, under the optional rules that are in force."""
    switches = game.setup.options
    found: list[Option] = []
    for name, module in SWITCHES:
        if getattr(switches, name):
            found += module.options(game, act, team)
    return found


def may_be_proposed(game: Game[State], act: Activation, team: Team, name: str) -> bool:
    """Whether a Team may be given one of the special orders."""
    switches = game.setup.options
    module = MODULES.get(name)
    return any(
        option.id == name
        for switch, each in SWITCHES
        if each is module and getattr(switches, switch)
        for option in each.options(game, act, team)
    )


def proposable(game: Game[State], act: Activation, team: Team) -> list[str]:
    """The special orders that a Team could be given as far as can be said without looking at the table."""
    switches = game.setup.options
    found: list[str] = []
    if switches.smoke and not team.bogged and direct_smoke.smoke_weapon(team) is not None:
        found.append("smoke")
    if switches.obstacles and not team.bogged and board(game).ground.table.any_obstacle:
        found.append("clear")
    if switches.engineers and "engineer" in team.traits:
        found += ("charge", "detonate")
    if switches.terrain and team.bogged:
        found.append("unbog")
    if switches.snipers and act.unit.kind == "sniper":
        found += ("snipe", "displace")
    return found


def declare(game: Game[State], act: Activation, order: Order) -> Flow[None]:
    yield from MODULES[order.kind].declare(game, act, order)


def carry_out(game: Game[State], act: Activation, order: Order, losses: Losses) -> Flow[None]:
    yield from MODULES[order.kind].carry_out(game, act, order, losses)
