"""Shooting: who may fire at whom, the status of the target, the number of dice and what they need."""

from __future__ import annotations

import math
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.cover import Firer, Status, status_of, weight
from sandtable.testing.umpire.sof.lines import can_fire_at, nearest, reach
from sandtable.testing.umpire.sof.log import Shots, answer, by_recon, course, missed, passes, sixes_again
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import HIT_ON, PEDERSEN, UNARMED, Way, rate_parts, way_of, weapons
from sandtable.testing.umpire.sof.table import (
    CONTACT,
    HAIR,
    NEVER,
    SURE,
    Maybe,
    any_of,
    apart,
    disabled,
    figures,
    gap,
    pieces,
    standing,
    under,
)

CLOSE, NEAR, MIDDLE = 4.0, 12.0, 24.0
TOGETHER = 3.0
THROWN = ("grenade", "improvised-grenade", "grenade-bundle")
"""What is thrown by hand, of the infantry's chart."""
SUPPORT = 6.0
TOUCHES = CONTACT + 1e-6


# Who may fire.


def ways_of(figure: Any) -> dict[str, Way]:
    """Every direct way to fire of whatever a figure carries, by the names that answers use."""
    found = {}
    for name in (figure.profile, *figure.arms):
        if name not in weapons():
            continue
        for row, way in weapons()[name].rows.items():
            if way.range and not {"indirect", "indirect-only"} & way.special and row not in ("indirect",):
                found[name if row == next(iter(weapons()[name].rows)) else f"{name}:{row}"] = way
    return found


def gunners(unit: Any) -> dict[str, list[str]]:
    """The men whose weapon asks for a loader, in the order of the roster, each with the loaders whom he touches."""
    found = {}
    for gunner in figures(unit):
        own = set(gunner.traits) | set(weapons()[gunner.profile].first.special if gunner.profile in weapons() else ())
        if disabled(gunner) or gunner.jammed or standing(gunner) > 1 or not {"loader", "managed-fire"} & own:
            continue
        found[gunner.id] = [
            other.id
            for other in figures(unit)
            if other.role == "loader"
            and not disabled(other)
            and other.id != gunner.id
            and gap(other, gunner) <= TOUCHES
        ]
    return found


def most_paired(near: dict[str, list[str]]) -> int:
    """How many can have a partner of their own."""
    if not near:
        return 0
    (_, mates), *others = near.items()
    rest = dict(others)
    return max(
        most_paired(rest),
        *(
            1 + most_paired({name: [each for each in its if each != mate] for name, its in rest.items()})
            for mate in mates
        ),
        0,
    )


def first_paired(near: dict[str, list[str]]) -> set[str]:
    """As many as can be paired, the first of them before the others."""
    found: dict[str, list[str]] = {}
    for name, mates in near.items():
        if most_paired({**found, name: mates}) == len(found) + 1:
            found[name] = mates
    return set(found)


def served(unit: Any) -> set[str]:
    """The gunners who have a loader: where loaders are too few, the first of the roster."""
    return first_paired(gunners(unit))


def loading(unit: Any) -> set[str]:
    """The men who load: where they are too many, the first of the roster."""
    near = gunners(unit)
    mates = [each.id for each in figures(unit) if any(each.id in loaders for loaders in near.values())]
    return first_paired({mate: [gunner for gunner, loaders in near.items() if mate in loaders] for mate in mates})


def count_loaders(watch: Watch, unit: Any) -> None:
    near, has = gunners(unit), served(unit)
    touching = {mate for loaders in near.values() for mate in loaders}
    watch.count("loaders in their places", len(has))
    watch.count("too few loaders", any(near[name] for name in set(near) - has))
    watch.count("too many loaders", len(touching - loading(unit)))


def has_loader(unit: Any, figure: Any) -> bool:
    """Whether somebody loads for a gunner, if only the man who shares his base."""
    return standing(figure) > 1 or figure.id in served(unit)


def serves(unit: Any, figure: Any) -> Maybe:
    """Whether a figure serves a weapon beside it, and so does not shoot."""
    if figure.role == "loader":
        return SURE if figure.id in loading(unit) else NEVER
    if figure.role == "crew" and unit.type == "weapon":
        return crew_serves(unit, figure)
    return Maybe(False, False)


def crew_serves(unit: Any, figure: Any) -> Maybe:
    """Those of the crew who touch the weapon serve it, as many as it needs, in the order of the roster."""
    gun = gun_of(unit)
    if gun is None or gap(gun, figure) > CONTACT + HAIR:
        return Maybe(False, False)
    needed = weapons()[gun.profile].crew - 1
    touching = [each.id for each in crew_at(unit, gun)]
    first = figure.id in touching[:needed]
    sure = first and not disabled(gun) and not gun.jammed and gap(gun, figure) <= CONTACT
    return Maybe(sure, figure.id in touching)


def crew_at(unit: Any, gun: Any) -> list[Any]:
    return [
        each
        for each in figures(unit)
        if each.role == "crew" and not disabled(each) and gap(each, gun) <= CONTACT + HAIR
    ]


def crew_of(unit: Any, gun: Any) -> int:
    """How many serve a weapon: its gunner, those who share its base, and those of the crew who touch it."""
    return standing(gun) + len(crew_at(unit, gun))


def gun_of(unit: Any) -> Any:
    return next((f for f in figures(unit) if f.profile in weapons() and weapons()[f.profile].crew), None)


def may_serve_in_ranks(unit: Any, figure: Any) -> bool:
    """In linear order the first two ranks shoot."""
    if unit.formation != "linear" or unit.pose is None:
        return True
    order = list(unit.teams)
    return bool(order.index(figure.id) < 2 * unit.pose.files)


def rate_of(unit: Any, figure: Any, way: Way, moving: bool) -> str:
    """The rate of fire of one figure: a Loader weapon without a loader has its moving one."""
    if not moving and "loader" in way.special and not has_loader(unit, figure):
        return way.move
    return way.move if moving else way.halt


def distances(watch: Watch, unit: Any, target: Any, among: list[Any]) -> dict[str, list[tuple[float, float]]]:
    """For each figure, from where its fire may be measured: the engagement range for those about the nearest model.

    Whether the nearest model must be one that fires is left open: each reading gives a span.
    """
    found: dict[str, list[tuple[float, float]]] = {figure.id: [] for figure in figures(unit)}
    for group in (figures(unit), [f for f in figures(unit) if not disabled(f)], among):
        if not group:
            continue
        spans = {figure.id: nearest(watch, figure, target) for figure in group}
        best = min(high for _, high in spans.values())
        fronts = [figure for figure in group if spans[figure.id][0] <= best + HAIR]
        engaged = (min(low for low, _ in spans.values()), best)
        for figure in figures(unit):
            own = nearest(watch, figure, target)
            away = [gap(figure, front) for front in fronts]
            if min(away) <= TOGETHER + HAIR:
                found[figure.id].append(engaged)
            if max(away) > TOGETHER - HAIR:
                found[figure.id].append(own)
    return found


def in_range(watch: Watch, figure: Any, way: Way, spans: list[tuple[float, float]]) -> Maybe:
    short, far = reach(watch, figure, way)
    fits = [
        Maybe(high <= short - HAIR and low >= way.least + HAIR, low <= far + HAIR and high >= way.least - HAIR)
        if way.least
        else Maybe(high <= short - HAIR, low <= far + HAIR)
        for low, high in spans
    ]
    return Maybe(all(each.sure for each in fits), any(each.may for each in fits))


def all_usable(watch: Watch, state: Any, unit: Any, target: Any, moving: bool, closing: bool) -> dict[str, Maybe]:
    """Whether each figure of a unit may fire at a target with any of its weapons."""
    spans = distances(watch, unit, target, [figure for figure in figures(unit) if not disabled(figure)])
    return {
        figure.id: any_of(list(usable(watch, state, unit, figure, target, moving, closing, spans[figure.id]).values()))
        for figure in figures(unit)
    }


def usable(
    watch: Watch,
    state: Any,
    unit: Any,
    figure: Any,
    target: Any,
    moving: bool,
    closing: bool,
    spans: list[tuple[float, float]],
) -> dict[str, Maybe]:
    """With which of its weapons a figure may fire at a target."""
    if disabled(figure) or figure.role in UNARMED or not may_serve_in_ranks(unit, figure):
        return {}
    busy = serves(unit, figure)
    found = {}
    for name, way in ways_of(figure).items():
        own = name.partition(":")[0] == figure.profile
        if figure.jammed and own:
            continue
        if closing and way.weapon in THROWN:
            continue
        if not rate_of(unit, figure, way, moving):
            continue
        fits = in_range(watch, figure, way, spans)
        free = can_fire_at(watch, state, unit, figure, way, target)
        sure = fits.sure and free.sure and not busy.may
        may = fits.may and free.may and not busy.sure
        if may:
            found[name] = Maybe(sure, may)
    return found


# A target is chosen.


@book.on("target")
def a_target_is_chosen(watch: Watch, event: Event) -> None:
    watch.count("targets")
    kept, state, data = course(watch), watch.state, event.data
    unit, target = state.units[data["unit"]], state.units[data["target"]]
    act = kept.act
    action = act.actions[-1] if act is not None and act.actions else ""
    before = act.actions[:-1] if act is not None else []
    moving = action == "fire" and (not before or before[-1] in ("maneuver", "assault", "mount", "dismount"))
    shots = Shots(unit.id, target.id, state, moving=moving, sustained=action == "sustained-fire")
    shots.status, shots.teams = dict(data["status"]), tuple(data["teams"])
    kept.shots = shots
    if action not in ("fire", "sustained-fire") or act is None or act.unit != unit.id:
        watch.object_to("sof.shooting.when", f"{unit.id} shoots in an action {action!r}")
    if target.side == unit.side:
        watch.object_to("sof.shooting.valid-target", f"{unit.id} fires at a friend")
    if target.ambush or not figures(target):
        watch.object_to("sof.mission-special.ambush-immune", f"{unit.id} fires at {target.id}, who is not there")
    chosen = answer(watch, "target") or watch.memory.get("sof.target")
    if chosen is not None and chosen != target.id:
        watch.object_to("sof.shooting.one-target", f"{unit.id} fires at {target.id}, and {chosen} was chosen")
    told = set(shots.teams)
    count_loaders(watch, unit)
    able_to = all_usable(watch, state, unit, target, moving, False)
    for figure in figures(unit):
        can = able_to[figure.id]
        watch.count("figures that might fire")
        if can.denies(figure.id in told):
            rule = "sof.shooting.lof-direct"
            watch.object_to(rule, f"{figure.id} {'fires' if figure.id in told else 'does not fire'} at {target.id}")
    check_status(watch, shots, [figure for figure in figures(unit) if figure.id in told], unit, target, moving)


@book.on("assault", "target")
def forget_the_weapons(watch: Watch, event: Event) -> None:
    watch.memory["sof.weapons"] = {}


@book.after_answer
def keep_the_weapons(watch: Watch) -> None:
    watch.memory.setdefault("sof.weapons", {}).update(answer(watch, "weapons") or {})


@book.after_answer
def keep_the_target(watch: Watch) -> None:
    chosen = answer(watch, "target")
    if chosen is not None:
        watch.memory["sof.target"] = chosen


def check_status(watch: Watch, shots: Shots, fire: list[Any], unit: Any, target: Any, moving: bool) -> None:
    spans = distances(watch, unit, target, fire)
    firers = []
    for figure in fire:
        known = ways_of(figure)
        own = [way for name, way in known.items() if name.partition(":")[0] == figure.profile]
        way = own[0] if own else next(iter(known.values()))
        if not can_fire_at(watch, shots.before, unit, figure, way, target).may:
            # He fires with something else, whose line is free.
            free = [each for each in known.values() if can_fire_at(watch, shots.before, unit, figure, each, target).may]
            way = free[0] if free else way
        firers.append(firer_with(unit, figure, way, moving, spans[figure.id]))
    object_to_status(watch, status_of(watch, shots.before, firers, target), shots.status, target)


def firer_with(unit: Any, figure: Any, way: Way, moving: bool, spans: list[tuple[float, float]]) -> Firer:
    """A figure with the dice that it is worth."""
    near = any_of([under(low, CLOSE) for low, _ in spans])
    plain = all(under(high, CLOSE).sure for _, high in spans)
    rate = rate_of(unit, figure, way, moving)
    return Firer(unit, figure, way, weight(rate, near=plain), weight(rate, near=near.may))


def object_to_status(watch: Watch, status: Status, told: dict[str, Any], target: Any) -> None:
    watch.count("statuses")
    for name, rule in (
        ("concealed", "sof.shooting.concealment-intervening"),
        ("woods", "sof.shooting.mod-woods"),
        ("protected", "sof.shooting.protection"),
    ):
        answer_of: Maybe = getattr(status, name)
        if answer_of.sure != answer_of.may:
            watch.count("statuses too close to call")
        if answer_of.denies(bool(told[name])):
            watch.object_to(rule, f"{target.id} is {'' if told[name] else 'not '}{name} to this fire")


@book.on("hit-the-dirt")
def a_unit_hits_the_dirt(watch: Watch, event: Event) -> None:
    watch.count("units hitting the dirt")
    before, after = watch.earlier.units[event.data["unit"]], watch.state.units[event.data["unit"]]
    act = course(watch).act
    own = act is not None and act.unit == before.id
    if not own:
        if answer(watch, "react") != "dirt" or before.activated:
            watch.object_to("sof.shooting.react", f"{before.id} may not react")
        if not after.activated:
            watch.object_to("sof.shooting.react-cost", f"{before.id} may still be activated after its reaction")
    if not after.hit_the_dirt:
        watch.object_to("sof.actions.hit-the-dirt", f"{before.id} has no Hit the Dirt")
    for figure in figures(after):
        lever = figure.profile in weapons() and "lever-action" in weapons()[figure.profile].first.special
        if lever and not figure.jammed and not disabled(figure):
            watch.object_to("sof.weapon-rules.lever-action", f"the weapon of {figure.id} does not jam")


# The dice.


def modifiers(watch: Watch, shots: Shots, event: Event, unit: Any, target: Any, way: Way) -> dict[str, int | None]:
    """What is added to each die, by its rule; None where it is too close to call."""
    inches = event.data["inches"]
    found: dict[str, int | None] = {}
    sniper, flames = "sniper-rifle" in way.special, "flamethrower" in way.special
    if shots.sustained and "muzzle-loader" not in way.special:
        found["sof.shooting.mod-sustained"] = 1
    if target.formation == "linear" and target.alignment in ("column", "march-column"):
        found["sof.shooting.mod-column"] = 1
    if near_a_band(inches):
        found["sof.shooting.mod-distance"] = None
    elif inches > NEAR:
        found["sof.shooting.mod-distance"] = -1 if inches <= MIDDLE else -2
    if target.hit_the_dirt and not flames:
        found["sof.shooting.mod-hit-the-dirt"] = -1
    if sniper or flames:
        pass
    elif shots.status["woods"]:
        found["sof.shooting.mod-woods"] = -2
    elif shots.status["concealed"]:
        found["sof.shooting.mod-concealment"] = -1
    if target.formation == "extended" and not shots.status["concealed"]:
        found["sof.shooting.mod-extended"] = in_the_open(watch, target)
    if unit.suppression:
        found["sof.shooting.mod-suppressed"] = -unit.suppression
    slow = bool(way.move) and rate_parts(way.move)[2]
    if shots.moving and slow:
        found["sof.weapon-rules.slow-firing"] = -1
    if "burst" in way.special:
        found["sof.weapon-rules.burst"] = None if abs(inches - CLOSE) <= HAIR else 1 if inches <= CLOSE else 0
    if unit.type == "mounted" and way.weapon not in ("pistol", "semi-auto-pistol"):
        found["sof.unit-special.mounted-shooting"] = -1
    if "no-he" in way.special:
        found["sof.weapon-rules.no-he"] = -1
    if "accelerated" in way.special:
        found["sof.weapon-rules.accelerated-fire"] = -1
    if "slow-loading" in way.special:
        found["sof.weapon-rules.slow-loading"] = -1
    last, men = shots.before.turn - 1, [unit.teams[name] for name in event.data["teams"]]
    if "black-powder" in way.special and last and all(last in (man.fired, man.fired_before) for man in men):
        found["sof.weapon-rules.black-powder"] = -1
    mates = sum(standing(each) for each in figures(unit))
    if sniper and mates <= len(event.data["teams"]):
        found["sof.weapon-rules.sniper-spotter"] = -1
    if sniper and any(each.role == "officer" and "sword" in each.arms for each in figures(target)):
        found["sof.weapon-rules.sword-sniper"] = 1
    if shots.closing and watch.memory.get("sof.smoke") == target.id:
        found["sof.weapon-rules.smoke-grenades"] = -1
    if watch.setup.night:
        found["sof.shooting.mod-night"] = -1
    if watch.setup.options.not_in_command_fire and not unit.in_command:
        found["sof.charts.not-in-command-fire"] = -1
    gun = gun_of(unit)
    if gun is not None and way.weapon == gun.profile and crew_of(unit, gun) < weapons()[gun.profile].crew:
        found["sof.weapon-rules.crew-short"] = -1
    return {rule: amount for rule, amount in found.items() if amount != 0}


def near_a_band(inches: float) -> bool:
    return abs(inches - NEAR) <= 0.006 or abs(inches - MIDDLE) <= 0.006


def in_the_open(watch: Watch, target: Any) -> int | None:
    """-1 if no model of a target in extended order is in terrain; hills and roads are too close to call."""
    inside = [piece for piece in pieces(watch) for figure in figures(target) if piece.holds(figure.at).may]
    if not inside:
        return -1
    return None if all(piece.elevating or piece.kind == "road" for piece in inside) or edgy(watch, target) else 0


def edgy(watch: Watch, target: Any) -> bool:
    return not any(piece.holds(figure.at).sure for piece in pieces(watch) for figure in figures(target))


@book.on("shooting")
def dice_are_rolled(watch: Watch, event: Event) -> None:
    watch.count("volleys")
    kept, data = course(watch), event.data
    shots = kept.shots
    if shots is None or shots.target != data["target"]:
        watch.object_to("sof.shooting.sequence", f"{data['unit']} fires at {data['target']} out of turn")
        return
    shots.chosen |= {**watch.memory.get("sof.weapons", {}), **(answer(watch, "weapons") or {})}
    state = shots.before
    unit, target = state.units[data["unit"]], state.units[data["target"]]
    own = unit.teams[data["teams"][0]]
    traits = own.traits if data["weapon"].partition(":")[0].partition("+")[0] == own.profile else ()
    way = shots.ways[data["weapon"]] = way_of(data["weapon"], traits)
    if shots.closing:
        learn_status(watch, shots, event)
    expected = modifiers(watch, shots, event, unit, target, way)
    told = {each.rule: each.amount for each in event.modifiers if each.amount}
    for rule in sorted(set(expected) | set(told)):
        watch.count(f"modifiers: {rule.rpartition('.')[2]}")
        if rule in expected and expected[rule] is None:
            continue
        if expected.get(rule, 0) != told.get(rule, 0):
            watch.object_to(
                rule, f"{unit.id} at {target.id}: {told.get(rule, 0):+d}, and not {expected.get(rule, 0):+d}"
            )
    base = 2 if way.weapon in THROWN else HIT_ON[target.training]
    needed = base - sum(each.amount for each in event.modifiers)
    if data["needed"] != needed:
        watch.object_to("sof.shooting.hit-on", f"{unit.id} needs {data['needed']}, and not {needed}")
    first = event.dice[0]
    again = sixes_again(watch, event, needed)
    early = first.values.count(1) if {"improvised", "erratic"} & way.special else 0
    # What explodes on a one strikes nobody else, though less than a one were needed.
    hits = passes(first.values, again, needed) - (early if needed <= 1 else 0)
    if data["hits"] != hits:
        watch.object_to(
            "sof.shooting.hits", f"{first.values} on {needed}+ are {hits} hits, and {data['hits']} are told"
        )
    if not by_recon(watch, event):
        rerolls(watch, unit, way, event, needed)
    who_fires_what(watch, shots, unit, target, data["teams"], data["weapon"])
    asked = set(unit.teams) & set(shots.chosen)
    if asked and not set(data["teams"]) <= asked:
        watch.object_to("sof.shooting.one-weapon", f"{data['teams']} fire, and {sorted(shots.chosen)} were told to")
    shots.events.append(event)
    shots.hits.append((unit.id, data["weapon"], hits))
    shots.own += early
    measure(watch, shots, event, unit, target, way)


def who_fires_what(watch: Watch, shots: Shots, unit: Any, target: Any, teams: list[str], weapon: str) -> None:
    """Each fires what his owner said, or the one weapon with which he can fire at all."""
    plain = weapon.partition("+")[0]
    spans = distances(watch, unit, target, [f for f in figures(unit) if not disabled(f)])
    for name in teams:
        if name not in unit.teams:
            continue
        figure = unit.teams[name]
        watch.count("weapons fired by a figure")
        if plain.partition(":")[0] not in (figure.profile, *figure.arms):
            watch.object_to("sof.shooting.one-weapon", f"{name} fires {weapon}, and has none")
        chosen = shots.chosen.get(name)
        if chosen is not None and chosen != weapon:
            watch.object_to("sof.shooting.one-weapon", f"{name} fires {weapon}, and was told to fire {chosen}")
        if plain.startswith(PEDERSEN):
            continue
        can = usable(watch, shots.before, unit, figure, target, shots.moving, shots.closing, spans[name])
        if plain not in can and not disabled(figure):
            watch.object_to("sof.shooting.one-weapon", f"{name} fires {weapon}, and can do so with {sorted(can)}")
        if chosen is None and len([each for each in can if can[each].sure]) > 1:
            watch.object_to("sof.shooting.one-weapon", f"{name} fires {weapon}, and nobody was asked: {sorted(can)}")


def rerolls(watch: Watch, unit: Any, way: Way, event: Event, needed: int) -> None:
    """Which dice are rolled again: the ones of a VB grenade, the misses of quick-firing guns and of good shots."""
    first = event.dice[0]
    # A one that hits all the same is left as it is.
    ones = {n for n, face in enumerate(first.values) if first.before.get(n, face) == 1 and needed > 1}
    shots = (1 if "marksmen" in unit.special else 0) + (2 if "sharpshooters" in unit.special else 0)
    if shots and way.weapon not in THROWN and "rifle-grenade" not in way.special:
        if len(first.before) > shots or set(first.before) - missed(event, needed):
            watch.object_to("sof.unit-special.marksmen", f"dice {sorted(first.before)} of {unit.id} are rolled again")
        return
    if "vb" in way.special:
        if set(first.before) != ones:
            watch.object_to(
                "sof.weapon-rules.vb", f"dice {sorted(first.before)} are rolled again, and not {sorted(ones)}"
            )
    elif "quick-firing" not in way.special and first.before:
        watch.object_to("sof.basics.reroll-stands", f"dice {sorted(first.before)} of {way.weapon} are rolled again")


def learn_status(watch: Watch, shots: Shots, event: Event) -> None:
    """Closing fire tells no status: it shows in the first modifiers, and holds for all of them."""
    told = {each.rule for each in event.modifiers}
    seen = {
        "concealed": bool(told & {"sof.shooting.mod-concealment", "sof.shooting.mod-woods"}),
        "woods": "sof.shooting.mod-woods" in told,
    }
    if not shots.status:
        shots.status = {**seen, "protected": None}
    elif (shots.status["concealed"], shots.status["woods"]) != (seen["concealed"], seen["woods"]):
        watch.object_to("sof.shooting.status-first", f"{shots.target} has another status for {event.data['unit']}")


def measure(watch: Watch, shots: Shots, event: Event, unit: Any, target: Any, way: Way) -> None:
    """Each figure of a volley fires from the distance that is told, or from another of the same band."""
    inches = event.data["inches"]
    among = [unit.teams[name] for name in shots.teams if name in unit.teams]
    spans = distances(watch, unit, target, among)
    limits = (CLOSE, NEAR, MIDDLE)
    for name in event.data["teams"]:
        if name not in unit.teams or disabled(unit.teams[name]):
            watch.object_to("sof.shooting.wound-effect", f"{name} fires")
            continue
        watch.count("distances")
        fits = any(
            all((low <= limit + HAIR if inches <= limit else high >= limit - HAIR) for limit in limits)
            for low, high in spans[name]
        )
        if not fits:
            watch.object_to("sof.shooting.range-shared", f"{name} fires at {inches} inches, and is at {spans[name]}")
        if name not in shots.teams and not shots.closing:
            watch.object_to("sof.shooting.lof-direct", f"{name} fires, and was not among {list(shots.teams)}")
    near = [low for name in event.data["teams"] if name in spans for low, _ in spans[name]]
    far = [high for name in event.data["teams"] if name in spans for _, high in spans[name]]
    if near and not min(near) - HAIR <= inches <= max(far) + HAIR:
        watch.object_to("sof.shooting.engagement-range", f"{unit.id} is told to fire at {inches} inches")


# The number of dice, when all volleys have been told.


def count_dice(watch: Watch, shots: Shots) -> None:
    """Rates of fire over all figures that fire the same weapon: rounded once, the nearer band first."""
    state = shots.before
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in shots.events:
        groups.setdefault((event.data["unit"], event.data["weapon"]), []).append(event)
    fired = [team for event in shots.events for team in event.data["teams"]]
    if len(fired) != len(set(fired)):
        watch.object_to("sof.shooting.one-weapon", f"some of {fired} fire twice")
    silent = {team for team in shots.chosen or shots.teams if team not in fired}
    for (name, weapon), events in groups.items():
        unit, way = state.units[name], shots.ways[weapon]
        if "d6" in (way.halt, way.move):
            continue
        watch.count("rates of fire")
        waiting = [team for team in silent if weapon_of(shots, unit, team) == weapon]
        told = [len(event.dice[0].values) for event in events]
        expected, over = dice_due(unit, way, events, shots.moving, len(waiting))
        edge = any(abs(event.data["inches"] - CLOSE) <= 0.006 for event in events)
        if told != expected and not edge:
            watch.object_to("sof.shooting.volume", f"{name} rolls {told} dice with {weapon}, and not {expected}")
        if not over:
            silent -= set(waiting)
        thrown = sum(len(event.data["teams"]) for event in events)
        if way.weapon in THROWN and way.weapon != "grenade-bundle":
            eligible = [team for team in shots.teams if team in unit.teams]
            if thrown > math.ceil(len(eligible) / 2):
                watch.object_to("sof.weapon-rules.grenade-limit", f"{thrown} of {len(eligible)} figures throw grenades")
    if silent and not shots.closing:
        watch.object_to("sof.shooting.volume", f"{sorted(silent)} may fire, and do not")


def weapon_of(shots: Shots, unit: Any, team: str) -> str:
    """What a figure was told to fire, or its own weapon."""
    if team in shots.chosen:
        return shots.chosen[team]
    return str(unit.teams[team].profile) if team in unit.teams else ""


def dice_due(unit: Any, way: Way, events: list[Event], moving: bool, waiting: int) -> tuple[list[int], int]:
    """The dice of each volley with one weapon, and how many are over for `waiting` figures who are farther off."""
    counts = [len(event.data["teams"]) for event in events]
    _, code, _ = rate_parts(way.move if moving else way.halt)
    if code == "G":
        return [count * (2 if "bombers" in unit.special else 1) for count in counts], waiting
    if "slow-loading" in way.special:
        code = "SS"
    if code not in ("RF", "SS"):
        each = [
            sum(
                rate_parts(rate_of(unit, unit.teams[team], way, moving))[0] + ("accelerated" in way.special)
                for team in event.data["teams"]
            )
            for event in events
        ]
        return each, waiting
    share = 2 if code == "RF" else 3
    close = [code == "RF" and event.data["inches"] <= CLOSE for event in events]
    rest = sum(n for n, near in zip(counts, close, strict=True) if not near) + waiting
    over = rest // share if any(close) and "unbalanced" in way.special else rounded(rest, share, way)
    found = []
    for place, (count, near) in enumerate(zip(counts, close, strict=True)):
        if near:
            found.append(count)
            continue
        last = place == len(counts) - 1 and not waiting
        mine = over if last else min(rounded(count, share, way), over)
        over -= mine
        found.append(mine)
    return found, over


def rounded(count: int, share: int, way: Way) -> int:
    """So many models give so many dice: rounded up, or down to no less than one if the weapon is Unbalanced."""
    if not count:
        return 0
    return max(count // share, 1) if "unbalanced" in way.special else math.ceil(count / share)


# Closing fire.


@book.on("closing-fire")
def closing_fire_begins(watch: Watch, event: Event) -> None:
    watch.count("closing fires")
    kept, state = course(watch), watch.state
    shots = Shots("", event.data["unit"], state, closing=True)
    kept.shots = shots


def closing_teams(watch: Watch, shots: Shots) -> None:
    """Who joins in closing fire: all of those in contact, and of other units whoever is within 6 inches."""
    kept, state = course(watch), shots.before
    target = state.units[shots.target]
    fight = kept.fight
    contacted = set(fight.defenders) if fight is not None else set()
    told: dict[str, set[str]] = {}
    for event in shots.events:
        told.setdefault(event.data["unit"], set()).update(event.data["teams"])
    firers = []
    for unit in state.units.values():
        if unit.side == target.side:
            if unit.id in told:
                watch.object_to("sof.close-combat.closing-fire-support", f"{unit.id} fires at a friend")
            continue
        if not figures(unit) or (
            unit.id not in contacted and apart(unit, target) > SUPPORT + HAIR and unit.id not in told
        ):
            continue
        able_to = all_usable(watch, state, unit, target, False, True)
        for figure in figures(unit):
            can = able_to[figure.id]
            if unit.id not in contacted and can.may:
                away = min(gap(figure, other) for other in figures(target))
                can = Maybe(can.sure and away <= SUPPORT - HAIR, can.may and away <= SUPPORT + HAIR)
            fires = figure.id in told.get(unit.id, ())
            watch.count("figures that might join in closing fire")
            # Of those who share dice, the farthest may be left without any.
            way = ways_of(figure).get(figure.profile)
            shares = way is not None and rate_parts(way.halt)[1] in ("RF", "SS") and bool(told.get(unit.id))
            # Where its owner was asked who fires with what he may have left somebody out.
            left_out = figure.id not in shots.chosen and bool(set(unit.teams) & set(shots.chosen))
            if can.denies(fires) and (fires or not (shares or left_out)):
                watch.object_to(
                    "sof.close-combat.closing-fire-support",
                    f"{figure.id} {'joins' if fires else 'does not join'} in closing fire at {target.id}",
                )
            if fires:
                way = next((each for name, each in ways_of(figure).items() if name == figure.profile), None)
                if way is not None:
                    spans = distances(watch, unit, target, [unit.teams[name] for name in told[unit.id]])
                    firers.append(firer_with(unit, figure, way, False, spans[figure.id]))
    if firers and shots.status:
        status = status_of(watch, state, firers, target)
        told_status = {**shots.status}
        if told_status["protected"] is None:
            told_status["protected"] = status.protected.sure
        object_to_status(watch, status, told_status, target)


# Choosing weapons, and jams.


def jams_due(watch: Watch, shots: Shots) -> list[str]:
    """Weapons of which two dice show the same face."""
    found = []
    for event in shots.events:
        way = shots.ways[event.data["weapon"]]
        unit = shots.before.units[event.data["unit"]]
        if "jams" not in way.special:
            continue
        values = list(event.dice[0].values)
        for team in event.data["teams"]:
            if "managed-fire" in way.special and has_loader(unit, unit.teams[team]):
                continue
            number = rate_parts(rate_of(unit, unit.teams[team], way, shots.moving))[0]
            mine, values = values[:number], values[number:]
            if len(set(mine)) < len(mine):
                found.append(team)
    return found


@book.on("fires-first")
def firing_first_counts_as_moving(watch: Watch, event: Event) -> None:
    act = course(watch).act
    if act is None or act.actions != ["fire"]:
        watch.object_to("sof.actions.fire-first-as-moving", f"{event.data['unit']} does not fire first")
