"""Duels: hard tables for what battles by chance hardly come to, each about one subject.

Flamethrowers, snipers, breakthroughs, promotions: a whole battle may pass without one. Here both sides have what the
subject asks for, stand as near as it wants, and mostly do it when they may. `LOOKED_AT` names for each subject what the
second umpire must have looked at; where he has not, the duel has missed its subject.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sandtable.engine.questions import Question
from sandtable.testing.umpire.sof import tables
from sandtable.testing.umpire.sof.tables import figure, platoon

Plain = dict[str, Any]
SIDES = ("red", "blue")
WIDTH, DEPTH = 40.0, 36.0
MIDDLE = DEPTH / 2
NIGHTS = 0.15
"""So many duels are fought by night, and with each of the charts' switches."""

LOOKED_AT = {
    "flames": ("fuel", "lethality modifiers: flamethrower-risk"),
    "snipers": ("men picked off", "second checks of snipers", "modifiers: sword-sniper", "modifiers: sniper-spotter"),
    "horse": (
        "breakthroughs", "units blown", "assault modifiers: mod-sabre", "assault modifiers: mod-mounted-vs-steady",
        "assault modifiers: mod-infantry-vs-mounted", "lances not used",
    ),
    "command": (
        "promotions", "battlegroups without a leader", "battlegroups lost", "inspired advances", "swords raised",
        "officers at risk", "permanent wounds",
    ),
    "walls": ("Agility checks", "crossings of tall obstacles", "crossings of low obstacles", "moves halted"),
    "roads": ("marches along a road", "orders to bodies in ranks", "marches"),
    "saddles": ("units that mount", "units that dismount", "men who step aside to mount or dismount"),
    "charges": ("charges", "smoke grenades", "modifiers: smoke-grenades", "blasts", "hits avoided"),
    "grenades": ("grenades shot down", "premature explosions", "hits avoided", "modifiers: burst"),
    "salvoes": ("salvoes at those near by", "blasts", "modifiers: crew-short"),
    "colours": ("encouragement under the colours", "rallies with a chaplain", "Triages by a medic or a farrier"),
    "loaders": ("jams", "jams cleared", "loaders in their places", "too few loaders", "too many loaders"),
    "zones": ("beaten zones", "beaten zones silenced"),
    "edges": ("statuses", "firers near the edge of their ground", "modifiers: mod-concealment"),
}  # fmt: skip

WANTED = {
    "flames": ("fire", "sustained-fire", "maneuver"),
    "snipers": ("sustained-fire", "stand"),
    "horse": ("assault", "others", "maneuver", "fire"),
    "command": ("advance-", "assault", "fire", "maneuver", "stand"),
    "walls": ("maneuver", "double-time"),
    "roads": ("double-time", "keep", "march-column"),
    "saddles": ("mount", "dismount", "maneuver"),
    "charges": ("bangalore-torpedoes", "extended-charges", "assault", "smoke", "fire"),
    "grenades": ("sustained-fire", "fire", "stand"),
    "salvoes": ("sustained-fire", "stand"),
    "colours": ("encourage-", "maneuver", "double-time", "fire"),
    "loaders": ("sustained-fire", "clear-jam", "fire", "stand"),
    "zones": ("sustained-fire", "rally", "stand"),
    "edges": ("sustained-fire", "fire", "stand"),
}
"""What is chosen wherever it is offered, by the beginning of its name, the first before the others."""


def duel(subject: str, seed: int) -> Plain:
    """A battle about a subject, as plain data."""
    random = Random(f"{subject} {seed}")
    units: Plain = {}
    for side in SIDES:
        units |= FORCES[subject](random, side)
    groups = {
        f"{side}-platoon": {
            "side": side,
            "name": side.title(),
            "capability": random.choice(tables.CAPABILITIES),
            "core": True,
        }
        for side in SIDES
    }
    switches = ("blast_hit_the_dirt", "close_combat_hit_the_dirt", "not_in_command_fire")
    return {
        "table": {"width": WIDTH, "depth": DEPTH},
        "terrain": GROUND[subject](random) if subject in GROUND else [],
        "battlegroups": groups,
        "units": units,
        "objectives": {"middle": {"at": [WIDTH / 2, MIDDLE], "name": "The middle"}},
        "turns": 3 if subject in ("command", "colours", "loaders") else 2,
        "night": random.random() < NIGHTS,
        "options": {name: True for name in switches if random.random() < NIGHTS},
    }


def choose(subject: str) -> Callable[[Question, Random], Any]:
    """How a duel is fought: what the subject asks for is chosen where it may be."""

    def chosen(question: Question, random: Random) -> Any:
        offered = question.answers() or []
        if question.topic == "activate":
            units = [each for each in offered if each not in ("discard", "pass", "override")]
            return random.choice(units) if units else question.sample(random)
        for wanted in WANTED[subject]:
            found = [each for each in offered if str(each).startswith(wanted)]
            if found and random.random() < 0.8:
                return random.choice(found)
        if question.topic == "breakthrough":
            foes = [each for each in offered if each not in ("consolidate", "ride-on")]
            return random.choice(foes or offered)
        if question.topic in ("move", "march") and random.random() < 0.7:
            return question.check(question.candidates(4)[0])
        return question.sample(random)

    return chosen


# Forces.


def forward(side: str) -> float:
    return 1.0 if side == "red" else -1.0


def facing(side: str) -> float:
    return 0.0 if side == "red" else 180.0


def row(side: str, apart: float) -> float:
    """Where the middles of a front rank are, if the two front ranks are so far apart, base to base."""
    return MIDDLE - forward(side) * (apart + 1.0) / 2


def men(side: str, name: str, x: float, y: float, carried: list[Plain], step: float = 1.4) -> Plain:
    """Men abreast, what each carries told one by one; the first is the NCO."""
    found = {}
    for number, more in enumerate(carried):
        given: Plain = {"role": "" if number else "nco", **more}
        profile = given.pop("profile", "bolt-action-rifle")
        found[f"{name}-{number}"] = figure(profile, (x + number * step, y), facing(side), **given)
    return found


def squad(random: Random, side: str, number: int, at: tuple[float, float], carried: list[Plain], **more: Any) -> Plain:
    name = f"{side}-{number}"
    teams = men(side, name, *at, carried, more.pop("step", 1.4))
    return {name: platoon(random, side, f"{side}-platoon", teams, **more)}


def headquarters(random: Random, side: str, at: tuple[float, float] | None = None, **more: Any) -> Plain:
    """An officer, a senior NCO and whoever is named besides, by his role."""
    x, y = at or (16.0, row(side, 24.0))
    carried: list[Plain] = [
        {"role": "officer", "profile": "pistol", "arms": ["sword"], **more.pop("officer", {})},
        *([{"role": "senior-nco"}] if more.pop("senior", True) else []),
        *({"role": role, "profile": "unarmed"} for role in more.pop("roles", ())),
    ]
    teams = men(side, f"{side}-hq", x, y, carried)
    return {f"{side}-hq": platoon(random, side, f"{side}-platoon", teams, hq=True, **more)}


def flames(random: Random, side: str) -> Plain:
    found = headquarters(random, side)
    for number, x in enumerate((6.0, 20.0)):
        carried: list[Plain] = [{}, {"profile": "flammenwerfer"}, {}, {}, {"profile": "flammenwerfer"}, {}]
        found |= squad(random, side, number + 1, (x, row(side, 3.5)), carried, step=1.8, formation="extended",
                       formations=["loose", "extended"])  # fmt: skip
    return found


def snipers(random: Random, side: str) -> Plain:
    found = headquarters(random, side, (14.0, row(side, 11.0)))
    carried: list[Plain] = [{}, {"profile": "sniper-rifle"}, {}, {"profile": "sniper-rifle", "men": 2}]
    found |= squad(random, side, 1, (4.0, row(side, 11.0)), carried)
    found |= squad(random, side, 2, (26.0, row(side, 11.0)), [{"profile": "sniper-rifle", "role": ""}])
    return found


def horse(random: Random, side: str) -> Plain:
    """Riders before weak men, with more of them behind; on the other side the same."""
    found = headquarters(random, side)
    arms = random.choice((["sabre"], ["sabre"], ["lance"], ["lance", "close-fighting-weapon"], ["lance", "sabre"]))
    rider: Plain = {"profile": "bolt-action-carbine", "mounted": True, "arms": arms}
    own = 4.0 if side == "red" else 22.0
    other = 22.0 if side == "red" else 4.0
    found |= squad(random, side, 1, (own, row(side, 6.0)), [rider] * 5, step=2.0, type="mounted",
                   formations=["loose", "extended"], special=["cavalry"], training="veteran")  # fmt: skip
    weak: Plain = {"profile": "pistol", "role": ""}
    found |= squad(random, side, 2, (other + 2.0, row(side, 6.0)), [weak] * 2, training="inexperienced")
    found |= squad(random, side, 3, (other + 1.0, row(side, 15.0)), [{}] * 4, suppression=random.choice((0, 0, 2)))
    return found


def command(random: Random, side: str) -> Plain:
    """An HQ in the front line whose officer has one wound left, and NCOs who might take his place."""
    near = row(side, random.choice((6.0, 8.0)))
    found = headquarters(
        random, side, (16.0, near), senior=random.random() < 0.5, officer={"permanent": random.choice((0, 1))}
    )
    for number, x in enumerate((4.0, 24.0)):
        role = random.choice(("nco", "nco", ""))
        carried: list[Plain] = [{"role": role}, {"profile": "browning-auto-rifle"}, {"profile": "lewis-gun"}, {}, {}]
        found |= squad(random, side, number + 1, (x, near), carried, suppression=random.choice((0, 1, 2)))
    return found


def walls(random: Random, side: str) -> Plain:
    found = headquarters(random, side)
    rider: Plain = {"profile": "bolt-action-carbine", "mounted": True}
    found |= squad(random, side, 1, (4.0, row(side, 16.0)), [rider] * 4, step=2.0, type="mounted",
                   formations=["loose", "extended"])  # fmt: skip
    found |= squad(random, side, 2, (24.0, row(side, 16.0)), [{}] * 5)
    gun = tables.gun(random, side, f"{side}-3", (14.0, row(side, 14.0)), facing(side), -forward(side))  # type: ignore[arg-type]
    return {**found, f"{side}-3": gun}


def roads(random: Random, side: str) -> Plain:
    """Columns on the roads that the ground has, and one beside them."""
    found = headquarters(random, side, (30.0, row(side, 28.0)))
    for number, (x, back) in enumerate(((12.0, 18.0), (24.0, 18.0), (34.0, 16.0))):
        name = f"{side}-{number + 1}"
        count = random.choice((6, 8, 10))
        teams = {f"{name}-{n}": {"profile": "bolt-action-rifle", "role": "" if n else "nco"} for n in range(count)}
        pose = {"at": [x, row(side, back)], "facing": facing(side), "files": 2}
        more = {"formation": "linear", "alignment": "march-column", "formations": ["linear", "loose"], "pose": pose}
        found[name] = platoon(random, side, f"{side}-platoon", teams, **more)
    return found


def saddles(random: Random, side: str) -> Plain:
    found = headquarters(random, side)
    for number, x in enumerate((4.0, 20.0)):
        mounted = random.random() < 0.5
        count = random.choice((4, 5, 6))
        carried: list[Plain] = [
            {"profile": "bolt-action-carbine", "mounted": mounted, "permanent": int(mounted and random.random() < 0.3)}
            for _ in range(count)
        ]
        formation = random.choice(("loose", "extended", "close"))
        step = {"loose": 0.45, "extended": 0.95, "close": 0.0}[formation] + (1.6 if mounted else 1.0)
        more = {"formation": formation, "formations": ["loose", "extended", "close"], "special": ["cavalry"]}
        found |= squad(random, side, number + 1, (x, row(side, 14.0)), carried, step=step,
                       type="mounted" if mounted else "infantry", dismounted=not mounted, **more)  # fmt: skip
    return found


def charges(random: Random, side: str) -> Plain:
    found = headquarters(random, side)
    for number, (x, kit) in enumerate(((4.0, "bangalore-torpedoes"), (22.0, "extended-charges"))):
        carried: list[Plain] = [{} for _ in range(random.choice((4, 6, 8)))]
        more = {"equipment": [kit, "smoke-grenades"], "training": random.choice(("regular", "veteran"))}
        found |= squad(random, side, number + 1, (x, row(side, 5.0)), carried, **more)
    return found


def grenades(random: Random, side: str) -> Plain:
    found = headquarters(random, side)
    for number, x in enumerate((4.0, 22.0)):
        carried: list[Plain] = [
            {"arms": ["grenade"]}, {"arms": ["improvised-grenade"]}, {"profile": "shotgun"},
            {"arms": ["grenade-bundle"]}, {"profile": "shotgun", "arms": ["improvised-grenade"]},
            {"arms": ["vb-rifle-grenade"]}, {"profile": "semi-auto-pistol"},
        ]  # fmt: skip
        special = [["bombers"], ["marksmen"], []][random.randrange(3)]
        found |= squad(random, side, number + 1, (x, row(side, 3.0)), carried, special=special)
    return found


def salvoes(random: Random, side: str) -> Plain:
    """Grenade launchers, and squads near enough to one another that one round takes them all in."""
    found = headquarters(random, side)
    for number, x in enumerate((4.0, 12.0, 20.0)):
        found |= squad(random, side, number + 1, (x, row(side, 12.0)), [{}] * 4)
    gun = tables.gun(random, side, f"{side}-4", (30.0, row(side, 12.0)), facing(side), -forward(side))  # type: ignore[arg-type]
    gun["teams"][f"{side}-4-gun"]["profile"] = "belgium.142mm-delattre-grenade-launcher"
    return {**found, f"{side}-4": gun}


def colours(random: Random, side: str) -> Plain:
    """An HQ that goes forward with its standard, and wounded, shaken men about it."""
    roles = ("standard-bearer", "chaplain", "medic")
    found = headquarters(random, side, (14.0, row(side, 14.0)), roles=roles, suppression=2)
    for number, x in enumerate((4.0, 24.0)):
        carried: list[Plain] = [{"wounds": int(n in (1, 3))} for n in range(6)]
        found |= squad(random, side, number + 1, (x, row(side, 14.0)), carried, suppression=random.choice((1, 3)))
    return found


def loaders(random: Random, side: str) -> Plain:
    """Gunners and loaders base to base: as many of each, too few loaders, and too many."""
    found = headquarters(random, side)
    y, back = row(side, 10.0), -forward(side)
    for number, (x, weapons, helpers) in enumerate(((4.0, 2, 1), (14.0, 1, 2), (24.0, 2, 2))):
        name = f"{side}-{number + 1}"
        teams = men(side, name, x, y, [{}])
        order = [("gun", n) for n in range(weapons)] + [("loader", n) for n in range(helpers)]
        random.shuffle(order)
        for kind, n in order:
            # Gunners stand abreast, loaders behind the gaps between them, so that each touches two.
            spot = (x + 2.0 + n, y) if kind == "gun" else (x + 2.5 - n, y + 0.86 * back)
            profile = random.choice(("lewis-gun", "chauchat-lmg", "fedorov-avtomat", "mg08-15"))
            given = {} if kind == "gun" else {"role": "loader"}
            teams[f"{name}-{kind}-{n}"] = figure(profile if kind == "gun" else "pistol", spot, facing(side), **given)
        found[name] = platoon(random, side, f"{side}-platoon", teams, formation="extended",
                              formations=["loose", "extended"])  # fmt: skip
    return found


def zones(random: Random, side: str) -> Plain:
    """Machine guns over open ground: sound ones, jammed ones, and such as are too shaken to project a beaten zone."""
    found = headquarters(random, side)
    for number, x in enumerate((4.0, 16.0, 28.0)):
        name = f"{side}-{number + 1}"
        if number == 1:
            found |= squad(random, side, 2, (x, row(side, 12.0)), [{}] * 5)
            continue
        gun = tables.gun(random, side, name, (x, row(side, 14.0)), facing(side), -forward(side))  # type: ignore[arg-type]
        gun["teams"][f"{name}-gun"]["jammed"] = random.random() < 0.3
        gun["suppression"] = random.choice((0, 0, 4, 5))
        found[name] = gun
    return found


def edges(random: Random, side: str) -> Plain:
    """Men at the edge of the ground that they fire out of, just nearer to it than 2 inches and just farther."""
    found = headquarters(random, side)
    for number, x in enumerate((3.0, 16.0, 28.0)):
        deep = random.choice((0.4, 1.8, 1.96, 1.99, 2.0, 2.01, 2.04))
        carried: list[Plain] = [{} for _ in range(5)]
        found |= squad(random, side, number + 1, (x, row(side, 8.0 + 2 * deep)), carried)
    return found


FORCES: dict[str, Callable[[Random, str], Plain]] = {
    "flames": flames, "snipers": snipers, "horse": horse, "command": command, "walls": walls, "roads": roads,
    "saddles": saddles, "charges": charges, "grenades": grenades, "salvoes": salvoes, "colours": colours,
    "loaders": loaders, "zones": zones, "edges": edges,
}  # fmt: skip


# Ground.


def line(name: str, kind: str, ends: list[tuple[float, float]], **more: Any) -> Plain:
    return {**tables.piece(name, kind, ends), "closed": False, **more}


def walls_across(random: Random) -> list[Plain]:
    """Before each side a wall and a ditch from edge to edge, here and there higher."""
    found = []
    for side in SIDES:
        y = MIDDLE - forward(side) * random.uniform(4.0, 6.0)
        kinds = [random.choice(("stone-wall", "hedgerow", "high-wall", "ditch", "gully")) for _ in range(3)]
        for number, kind in enumerate(kinds):
            x = 1.0 + 13.0 * number
            found.append(line(f"{side}-{number}", kind, [(x, y), (x + 12.5, y + random.uniform(-0.6, 0.6))]))
    return found


def crossroads(random: Random) -> list[Plain]:
    found = [
        tables.piece(f"road-{n}", "road", [(x, 0.0), (x + 4.0, 0.0), (x + 4.0, DEPTH), (x, DEPTH)])
        for n, x in enumerate((10.0, 22.0))
    ]
    found.append(tables.piece("lane", "road", [(0.0, 16.0), (WIDTH, 16.0), (WIDTH, 20.0), (0.0, 20.0)]))
    found.append(tables.piece("mud", "mud", [(30.0, 8.0), (38.0, 8.0), (38.0, 28.0), (30.0, 28.0)]))
    found.append(tables.piece("wood", "woods", [(15.0, 4.0), (20.0, 4.0), (20.0, 14.0), (15.0, 14.0)]))
    return found


def ground_in_front(random: Random) -> list[Plain]:
    """On each side ground with its edge 4 inches before the middle, and walls near some of the men."""
    found = []
    for side in SIDES:
        near, far = MIDDLE - forward(side) * 4.0, MIDDLE - forward(side) * 9.0
        for number, x in enumerate((1.0, 14.0, 27.0)):
            kind = random.choice(("rough-wooded", "rocks", "rubble", "hasty-trench", "woods", "undergrowth"))
            if random.random() < 0.3:
                kind = random.choice(("stone-wall", "hedgerow"))
                found.append(line(f"{side}-{number}", kind, [(x, near), (x + 11.0, near)]))
                continue
            corners = [(x, near), (x + 11.0, near), (x + 11.0, far), (x, far)]
            found.append(tables.piece(f"{side}-{number}", kind, corners))
    return found


GROUND: dict[str, Callable[[Random], list[Plain]]] = {
    "walls": walls_across, "roads": crossroads, "edges": ground_in_front,
}  # fmt: skip
