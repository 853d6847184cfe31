"""Hard tables for all that comes before the first turn: missions on small tables, with recon, ambushes and reserves.

A battle by chance seldom has the points for an ambush more, or a column on a road. Here both sides have many recon
points, units that scout, hide and come on late, horses that dismount, roads from edge to edge, and walls in the way.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.questions import Question
from sandtable.testing.umpire.sof import tables

MISSIONS = ("hasty-assault", "hasty-assault", "patrol", "patrol-encounter")
HIDING = ("woods", "undergrowth", "rubble", "hasty-trench", "old-growth")
WALLS = ("stone-wall", "hedgerow", "high-wall", "ditch", "gully")
BOUGHT = ("trigger-ambush", "additional-ambush", "activation-die", "scout-move", "delay-reserves", "reroll")
KEEN = ("mount", "dismount", "double-time", "communicate", "maneuver", "fire", "assault")


def table(seed: int) -> dict[str, Any]:
    """A mission for a seed, as plain data, before anything is decided."""
    random = Random(seed)
    mission = MISSIONS[seed % len(MISSIONS)]
    wide, deep = (40.0, 36.0) if mission != "patrol-encounter" else (48.0, 48.0)
    units: dict[str, Any] = {}
    groups: dict[str, Any] = {}
    for side in ("red", "blue"):
        groups[f"{side}-platoon"] = {
            "side": side,
            "name": side.title(),
            "capability": random.choice(tables.CAPABILITIES),
            "core": True,
            "attack": random.choice((0, 1, 2)),
            "recon": random.choice((0, 2, 4)),
        }
        units |= force(random, side)
    for unit in units.values():
        for man in unit["teams"].values():
            man.pop("at", None), man.pop("facing", None)
        unit.pop("pose", None)
    return {
        "table": {"width": wide, "depth": deep},
        "terrain": ground(random, wide, deep),
        "battlegroups": groups,
        "units": units,
        "mission": mission,
        "phase": "attacker",
        "turns": 4 if mission == "patrol-encounter" else 6,
    }


def force(random: Random, side: str) -> dict[str, Any]:
    """HQ, squads, a body in ranks, horses, and support that comes on later."""
    group = f"{side}-platoon"
    found = {f"{side}-hq": tables.headquarters(random, side, (10.0, 3.0), -1)}
    hq = found[f"{side}-hq"]["teams"]
    if hq[f"{side}-aide"]["role"] == "musician":
        hq[f"{side}-aide"]["role"] = ""
    hq[f"{side}-signals"] = {"profile": "pistol", "role": random.choice(("communication-1", "communication-3"))}
    if random.random() < 0.3:
        hq[f"{side}-staff"] = {"profile": "pistol", "role": "staff-officer"}
        hq[f"{side}-staff-aide"] = {"profile": "pistol", "role": "aide"}
    for number, kind in enumerate(("squad", "column", random.choice(("horse", "squad")), "gun", "support")):
        name = f"{side}-{number + 1}"
        if kind == "gun":
            found[name] = tables.gun(random, side, name, (5.0, 5.0), 0.0, -1)
        elif kind == "column":
            men = {f"{name}-{n}": {"profile": "bolt-action-rifle", "role": "nco" if not n else ""} for n in range(6)}
            more = {"formation": "linear", "alignment": "march-column", "formations": ["linear", "loose", "close"]}
            found[name] = tables.platoon(random, side, group, men, **more)
        elif kind == "horse":
            found[name] = horse(random, side, name, group)
        else:
            found[name] = tables.fighters(random, side, name, (5.0, 5.0), -1, first=True)
            found[name]["special"] = random.choice(([], ["recon"], ["camouflage"]))
        if kind in ("gun", "support"):
            found[name]["belongs"] = "support"
            found[name].pop("battlegroup", None)
    for unit in found.values():
        unit["points"] = random.choice((40, 60, 100))
        unit["recon"] = random.choice((0, 1, 3))
    return found


def horse(random: Random, side: str, name: str, group: str) -> dict[str, Any]:
    """Riders, some of whom carry a wound already."""
    men = {
        f"{name}-{n}": {
            "profile": "bolt-action-carbine",
            "mounted": True,
            "role": "nco" if not n else "",
            "permanent": int(n > 0 and random.random() < 0.25),
        }
        for n in range(random.choice((3, 4, 5)))
    }
    more = {"type": "mounted", "formations": ["loose", "extended", "linear"], "special": ["cavalry"]}
    return tables.platoon(random, side, group, men, **more)


def ground(random: Random, wide: float, deep: float) -> list[dict[str, Any]]:
    """Roads from edge to edge, ground to hide in on both sides, walls across the way, and where nobody may go."""
    x = random.uniform(6, wide - 10)
    found = [tables.piece("road", "road", [(x, 0), (x + 4, 0), (x + 4, deep), (x, deep)])]
    if random.random() < 0.5:
        y = random.uniform(10, deep - 14)
        found.append(tables.piece("lane", "road", [(0, y), (wide, y), (wide, y + 4), (0, y + 4)]))
    for number, y in enumerate((2.0, deep - 9.0, deep / 2 - 3)):
        at, size = random.uniform(1, wide - 12), random.uniform(6, 10)
        corners = [(at, y), (at + size, y + 0.5), (at + size, y + 6), (at + 0.5, y + 7)]
        found.append(tables.piece(f"hide-{number}", random.choice(HIDING), corners))
    for number in range(2):
        at, y = random.uniform(2, wide - 14), random.uniform(8, deep - 8)
        ends = [(at, y), (at + random.uniform(7, 12), y + random.uniform(-1.5, 1.5))]
        found.append({**tables.piece(f"wall-{number}", random.choice(WALLS), ends), "closed": False})
    if random.random() < 0.4:
        at, y = random.uniform(2, wide - 8), random.choice((0.0, deep / 2 - 2, deep - 3))
        found.append(tables.piece("barred", "marsh", [(at, y), (at + 5, y), (at + 5, y + 3), (at, y + 3)]))
    return found


def choose(question: Question, random: Random) -> Any:
    """An answer by chance, but recon points are spent, ambushes laid, and horses mount and dismount."""
    offered = question.answers() or []
    wanted: list[Any] = []
    if question.topic == "recon":
        wanted = [each for each in BOUGHT if each in offered]
        random.shuffle(wanted)
    elif question.topic == "deploy-as":
        wanted = [each for each in offered if str(each).startswith("ambush")] or ["march-column"]
    elif question.topic == "action":
        wanted = [each for each in KEEN if each in offered]
    elif question.topic == "order":
        wanted = ["keep"]
    elif question.topic == "activate":
        units = [each for each in offered if each not in ("discard", "pass", "override")]
        wanted = [random.choice(units)] if units else []
    elif question.topic in ("move", "march", "deploy", "deploy-body") and random.random() < 0.5:
        return question.check(question.candidates(4)[0])
    for each in wanted:
        if each in offered and random.random() < 0.7:
            return each
    return question.sample(random)
