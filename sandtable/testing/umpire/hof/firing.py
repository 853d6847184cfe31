"""Fire orders: who may fire, with what and how many dice, at which number; all of one order are judged together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.lines import (
    Aim,
    about,
    aim_of,
    distance,
    place,
    reach_of,
    veil_of,
    weapons_now,
)
from sandtable.testing.umpire.hof.sight import Maybe, Veil, both, places, up_to
from sandtable.testing.umpire.hof.stock import Weapon
from sandtable.testing.umpire.hof.table import Member, find, kind_of, standing

NEEDED = 4
CLOSE, CLOSE_ROF = 8.0, 3
"""Assault Rifles fire three dice at less than this."""

GARAND = 10.0
OBSERVER_NEAR = 12.0
FLAME_FP = 3


@dataclass
class Shot:
    """The dice of one weapon of one Team."""

    team: str
    weapon: Weapon
    dice: int
    needed: int
    values: list[int]

    @property
    def hits(self) -> int:
        return sum(value >= self.needed for value in self.values)


@dataclass
class Volley:
    """A Fire order as it is carried out: all that is thrown for it at one target."""

    unit: str
    side: str
    target: Member
    order: list[str]
    state: Any
    hero: bool
    aims: dict[str, Aim]
    veils: dict[str, Veil]
    """What conceals the target from each who sees it."""
    directed: str = ""
    """Whose fire a Leader directs."""
    shots: list[Shot] = field(default_factory=list)

    def weapons(self, name: str) -> list[Weapon]:
        return [shot.weapon for shot in self.shots if shot.team == name]


def flames(watch: Watch, weapon: Weapon) -> bool:
    return watch.setup.options.flame and "flame-thrower" in weapon.keywords


def fire_power(watch: Watch, weapon: Weapon) -> int:
    return FLAME_FP if flames(watch, weapon) else weapon.fp


def begin(watch: Watch, event: Event) -> Volley | None:
    state, data = watch.state, event.data
    target = find(state, data["target"])
    if target is None:
        watch.object_to("hof.firing.single-target", f"{data['target']} is not on the table")
        return None
    act = under_way(watch)
    leader = find(state, act.leader) if act.leader else None
    hero = act.paid == "hero" or bool(watch.memory.get("interrupting"))
    directed = watch.memory.get("directed", "")
    volley = Volley(data["unit"], event.seat, target, list(data["order"]), state, hero, {}, {}, directed)
    for name in volley.order:
        firer = find(state, name)
        if firer is None:
            watch.object_to("hof.firing.fire-dice", f"{name} fires and is not there")
            continue
        arms = weapons_now(watch, state, *firer)
        reach = max([reach_of(weapon, watch.setup.options.flame) for weapon in arms], default=0.0)
        aim = aim_of(watch, state, firer, target, reach, leader)
        volley.aims[name] = aim
        if aim.itself is not False:
            eye = place(state, firer[1])
            if aim.lent and leader is not None:
                eye = places(state, *leader)[0]
            assert eye is not None
            volley.veils[name] = veil_of(watch, state, eye, target)
    right_to_fire(watch, volley)
    return volley


def right_to_fire(watch: Watch, volley: Volley) -> None:
    """Whether everybody who fires may."""
    state, target = volley.state, volley.target
    if target[0].side == volley.side:
        watch.object_to("hof.firing.single-target", f"{target[1].id} is a friend")
    for name, aim in volley.aims.items():
        watch.count("firing Teams")
        _, team = find(state, name) or (None, None)
        if team is None:
            continue
        if team.suppressed:
            watch.object_to("hof.rfp-rally.suppressed-effects", f"{name} fires and is Suppressed")
        if team.bogged:
            watch.object_to("hof.optional.bogged", f"{name} fires and is Bogged")
        if aim.may is None:
            watch.count("firing Teams in doubt")
        if aim.may is False:
            watch.object_to("hof.firing.los-requirement", f"{name} cannot fire at {target[1].id}")
    if target[1].role == "fo" and not observer_open(state, volley):
        watch.object_to("hof.artillery.fo-targeting", f"{target[1].id} is concealed and nobody is near")


def observer_open(state: Any, volley: Volley) -> bool:
    """Whether a Forward Observer may be fired at: somebody is within 12 inches, or sees him plainly."""
    observer = volley.target[1]
    if any(distance(state, team, observer) <= OBSERVER_NEAR + 1e-6 for _, team in standing(state, volley.side)):
        return True
    return any(veil.concealed is not True for veil in volley.veils.values())


def concealed(volley: Volley) -> Maybe:
    """Whether the target is concealed from all who see it; from nobody's eyes, it is."""
    if any(aim.may is None or aim.itself is None for aim in volley.aims.values()):
        return None
    return both(*(veil.concealed for veil in volley.veils.values()))


def concealment_counts(watch: Watch, volley: Volley, name: str, weapon: Weapon) -> Maybe:
    hidden = concealed(volley)
    if flames(watch, weapon):
        return False
    explosive = weapon.at is not None and "limited-he" not in weapon.keywords
    if explosive and not kind_of(volley.target[1]).vehicle:
        # High explosive takes no heed of the terrain that the target is in or at.
        judges = [volley.veils[name]] if name in volley.veils else list(volley.veils.values())
        return both(hidden, *(veil.between for veil in judges))
    return hidden


def long_range(volley: Volley, name: str, weapon: Weapon) -> Maybe:
    aim = volley.aims[name]
    if aim.may is None:
        return None
    near = up_to(aim.gap, weapon.range)
    if near is not False:
        return None if near is None else False
    return not any(team.spotted for _, team in about(volley.state, volley.target))


def expected_modifiers(watch: Watch, volley: Volley, name: str, weapon: Weapon) -> dict[str, Maybe]:
    return {
        "hof.firing.concealed-modifier": concealment_counts(watch, volley, name, weapon),
        "hof.firing.long-range-modifier": long_range(volley, name, weapon),
        "hof.special-rules.light-mortar": volley.aims[name].lent,
        "hof.optional.bunker-hit": volley.target[1].role == "bunker",
    }


@book.on("fire")
def fire_is_right(watch: Watch, event: Event) -> None:
    data = event.data
    volley: Volley | None = watch.memory.get("volley")
    if volley is None or volley.order != data["order"] or volley.target[1].id != data["target"]:
        close(watch)
        volley = begin(watch, event)
        if volley is None:
            return
        watch.memory["volley"] = volley
        watch.count("Fire orders")
    values = list(event.dice[0].values) if event.dice else []
    told = {modifier.rule: modifier.amount for modifier in event.modifiers}
    if data["needed"] != NEEDED + sum(told.values()):
        watch.object_to("hof.orders.modifiers-shift-target", f"needs {data['needed']} with {told}")
    if values and len(values) != sum(data["shots"]):
        watch.object_to("hof.firing.fire-dice", f"{len(values)} dice are thrown, {data['shots']} were due")
    if data["hits"] != sum(value >= data["needed"] for value in values):
        watch.object_to("hof.firing.fire-dice", f"{values} needing {data['needed']} gave {data['hits']} hits")
    quality_rerolls(watch, event, volley)
    first = 0
    for name, dice in zip(data["teams"], data["shots"], strict=True):
        shot = one_shot(watch, volley, name, data["weapon"], dice, data["needed"], values[first : first + dice])
        first += dice
        if shot is None:
            continue
        watch.count("shots")
        volley.shots.append(shot)
        for rule, wanted in expected_modifiers(watch, volley, name, shot.weapon).items():
            if wanted is None:
                watch.count("modifiers in doubt")
            elif wanted != (rule in told) or told.get(rule, 1) != 1:
                there = "is" if rule in told else "is not"
                watch.object_to(rule, f"{name} fires its {shot.weapon.name} at {data['target']}: +1 {there} counted")


def one_shot(
    watch: Watch, volley: Volley, name: str, weapon_name: str, dice: int, needed: int, values: list[int]
) -> Shot | None:
    """The weapon that a Team fires, if it has it and may."""
    found = find(volley.state, name)
    if found is None or name not in volley.aims:
        watch.object_to("hof.firing.fire-dice", f"{name} fires without the order")
        return None
    arms = [weapon for weapon in weapons_now(watch, volley.state, *found) if weapon.name == weapon_name]
    if not arms:
        watch.object_to("hof.firing.fire-dice", f"{name} has no {weapon_name} to fire")
        return None
    aim = volley.aims[name]
    reach = reach_of(arms[0], watch.setup.options.flame)
    if aim.may is not None and up_to(aim.gap, reach) is False:
        watch.object_to("hof.firing.maximum-range", f"{name} fires its {weapon_name} {aim.gap:.2f} inches far")
    if aim.lent and "light-mortar" not in arms[0].keywords:
        watch.object_to("hof.special-rules.light-mortar", f"{name} does not see {volley.target[1].id}")
    return Shot(name, arms[0], dice, needed, values)


def quality_rerolls(watch: Watch, event: Event, volley: Volley) -> None:
    """Only dice at a Vehicle are rolled again for quality: 1s by Elite, 6s by Poor troops."""
    if not event.dice:
        return
    throw = event.dice[0]
    quality = volley.state.units[event.data["unit"]].quality if event.data["unit"] in volley.state.units else "average"
    face = {"elite": 1, "poor": 6}.get(quality, 0) if kind_of(volley.target[1]).vehicle else 0
    right_rerolls(watch, throw, face, "hof.orders.reroll-once")


def right_rerolls(watch: Watch, throw: Any, face: int, rule: str) -> None:
    """Every die that showed a face was rolled again, and no other."""
    for number, value in enumerate(throw.values):
        shown = throw.before.get(number, value)
        if (shown == face) != (number in throw.before):
            watch.object_to(rule, f"die {number} showed {shown} first, {'' if number in throw.before else 'not '}again")


# How many dice.


def full_rof(watch: Watch, volley: Volley, name: str, weapon: Weapon) -> int:
    unit, team = find(volley.state, name) or (None, None)
    rof, gap = weapon.rof, volley.aims[name].gap
    if "close-range-rof" in weapon.keywords and gap < CLOSE - 1e-6:
        rof = CLOSE_ROF
    american = watch.setup.options.national and unit is not None and unit.nation == "us"
    if american and team is not None and team.profile in ("us-rifle-mg", "rifle") and gap <= GARAND + 1e-6:
        rof += 1
    return rof + (volley.directed == name)


def felt(watch: Watch, volley: Volley, weapon: Weapon) -> bool:
    """Whether a weapon does something to the target or to somebody near it."""
    for _, team in about(volley.state, volley.target):
        armor = kind_of(team).armor
        if armor is None or flames(watch, weapon):
            return True
        ridden = any(mate.role == "rider" and mate.carrier == team.id for unit in volley.state.units.values()
                     for mate in unit.teams.values())  # fmt: skip
        if weapon.at is not None and (ridden or min(armor) < 2 * weapon.at):
            return True
    return False


def right_dice(watch: Watch, volley: Volley, name: str) -> None:
    """One weapon at full Rate of Fire, each other with one die; or, by the arsenals' note, the gun or the MGs."""
    found = find(volley.state, name)
    if found is None or volley.aims[name].may is None:
        return
    watch.count("rates of fire")
    fired = {shot.weapon.name: shot.dice for shot in volley.shots if shot.team == name}
    flame = watch.setup.options.flame
    gap = volley.aims[name].gap
    arms = [
        weapon
        for weapon in weapons_now(watch, volley.state, *found)
        if up_to(gap, reach_of(weapon, flame)) is not False
    ]
    if volley.aims[name].lent:
        arms = [weapon for weapon in arms if "light-mortar" in weapon.keywords]
    groups = [arms]
    noted = watch.setup.options.gun_or_mgs and any("gun-or-mgs" in weapon.keywords for weapon in arms)
    if noted and any("mg" not in weapon.keywords for weapon in arms):
        groups = [[w for w in arms if "mg" not in w.keywords], [w for w in arms if "mg" in w.keywords]]
    ways = [way for group in groups for way in ways_of(watch, volley, name, group)]
    if fired not in ways:
        rule = "hof.firing.several-weapons" if len(arms) > 1 else "hof.firing.fire-dice"
        watch.object_to(rule, f"{name} fires {fired}, and might fire {ways}")


def ways_of(watch: Watch, volley: Volley, name: str, group: list[Weapon]) -> list[dict[str, int]]:
    """The dice that a Team may roll with some weapons: each in turn is the main one."""
    found = []
    for main in group:
        way = {main.name: full_rof(watch, volley, name, main)}
        for weapon in group:
            # Flame is all or nothing: it has no fuel for one die.
            if weapon is not main and not flames(watch, weapon):
                way[weapon.name] = 1
        heard = {weapon.name for weapon in group if felt(watch, volley, weapon)}
        found.append({weapon: dice for weapon, dice in way.items() if weapon in heard})
    return found


# Between orders.


@book.on("leader-ability")
def note_direction(watch: Watch, event: Event) -> None:
    if event.data["ability"] == "direct-fire":
        watch.memory["directed"] = event.data["team"]


@book.on("activation", "interrupted", "turn")
def forget_direction(watch: Watch, event: Event) -> None:
    watch.memory["directed"] = ""
    watch.memory["interrupting"] = False


@book.on("interrupt")
def note_interruption(watch: Watch, event: Event) -> None:
    """An interruption is paid with a Hero Point."""
    watch.memory["interrupting"] = True


def close(watch: Watch) -> None:
    """All dice of an order have been thrown."""
    volley: Volley | None = watch.memory.pop("volley", None)
    if volley is not None:
        for name in volley.aims:
            right_dice(watch, volley, name)


@book.on()
def close_when_done(watch: Watch, event: Event) -> None:
    if event.kind not in ("fire", "flame-empty"):
        close(watch)


@book.at_end
def close_at_the_end(watch: Watch) -> None:
    close(watch)


# Who does not fire.


@book.on("no-fire")
def silence_is_right(watch: Watch, event: Event) -> None:
    """Who is said to be unable to fire at the target really is."""
    reasons = event.data.get("reasons")
    target = find(watch.state, event.data.get("target", ""))
    if not reasons or target is None:
        return
    act = under_way(watch)
    leader = find(watch.state, act.leader) if act.leader else None
    for name in reasons:
        firer = find(watch.state, name)
        if firer is None or firer[1].suppressed:
            continue
        watch.count("silent Teams")
        arms = weapons_now(watch, watch.state, *firer)
        reach = max([reach_of(weapon, watch.setup.options.flame) for weapon in arms], default=0.0)
        aim = aim_of(watch, watch.state, firer, target, reach, leader)
        # From whoever does not see an observer himself he is concealed (our reading of hof.artillery.fo-targeting).
        spared = target[1].role == "fo" and (reasons[name] == "hof.artillery.fo-targeting" or not aim.itself)
        if arms and aim.may and not spared:
            watch.object_to(reasons[name], f"{name} is not let fire at {target[1].id}")
