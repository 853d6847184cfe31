"""Hard tables: small battles by a seed, close together on all kinds of ground, and players who do not hold back.

A battle by chance in the open seldom comes to Agility checks, grenades or a broken line. Here everybody is near enough
to fire, to charge and to be charged, with mixed weapons and formations, some of them suppressed or wounded already.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.engine.questions import Question

WIDTH, DEPTH = 34.0, 30.0
AREAS = (
    "undergrowth", "haystack", "hasty-trench", "low-hill", "tall-hill", "low-ridge", "tall-ridge", "mud", "rocks",
    "rough-wooded", "rubble", "woods", "old-growth", "canyon",
)  # fmt: skip
BARRED = ("deep-water", "marsh", "low-cliff")
LINES = ("ditch", "gully", "stone-wall", "hedgerow", "high-wall")
RIFLES = ("bolt-action-rifle", "bolt-action-rifle", "lebel-rifle", "single-shot-rifle", "bolt-action-carbine")
OTHERS = (
    "pistol", "semi-auto-pistol", "shotgun", "submachine-gun", "lewis-gun", "chauchat-lmg", "fedorov-avtomat",
    "browning-auto-rifle", "improvised-grenade", "grenade-bundle", "winchester-7-62mm", "mg08-15",
)  # fmt: skip
CARRIED = ("grenade", "grenade", "improvised-grenade", "vb-rifle-grenade", "close-fighting-weapon", "grenade-bundle")
MACHINE_GUNS = ("germany.mg08-mg", "britain.vickers-mg", "united-states.hotchkiss-mg")
SPECIALISTS = ("medic", "chaplain", "musician", "")
CAPABILITIES = ("inspiring", "energetic", "competent", "difficult", "green", "acting")
EAGER = ("assault", "fire", "maneuver", "double-time", "sustained-fire")
STEP = {"loose": 1.45, "close": 1.0, "extended": 1.9}


def table(seed: int) -> dict[str, Any]:
    """A battle for a seed, as plain data: HQ and three units a side, ten inches apart."""
    random = Random(seed)
    units: dict[str, Any] = {}
    groups = {}
    for side in ("red", "blue"):
        groups[f"{side}-platoon"] = {
            "side": side,
            "name": side.title(),
            "capability": random.choice(CAPABILITIES),
            "core": True,
        }
        front = 8.5 if side == "red" else DEPTH - 8.5
        back = 3.0 if side == "red" else DEPTH - 3.0
        deep = -1 if side == "red" else 1
        units[f"{side}-hq"] = headquarters(random, side, (16.0, back), deep)
        for number, x in enumerate((4.0, 14.0, 24.0)):
            name = f"{side}-{number + 1}"
            units[name] = fighters(random, side, name, (x + random.uniform(-0.6, 0.6), front), deep, first=not number)
    for unit in units.values():
        batter(random, unit)
    return {
        "table": {"width": WIDTH, "depth": DEPTH},
        "terrain": ground(random),
        "battlegroups": groups,
        "units": units,
        "objectives": {"middle": {"at": [WIDTH / 2, DEPTH / 2], "name": "The middle"}},
        "turns": random.choice((1, 2)),
    }


def figure(profile: str, at: tuple[float, float], facing: float, **more: Any) -> dict[str, Any]:
    return {"profile": profile, "at": [round(at[0], 2), round(at[1], 2)], "facing": facing, **more}


def headquarters(random: Random, side: str, at: tuple[float, float], deep: int) -> dict[str, Any]:
    facing = 0.0 if side == "red" else 180.0
    x, y = at
    sword = ["sword"] if random.random() < 0.5 else []
    men = {
        f"{side}-lt": figure("pistol", (x, y), facing, role="officer", arms=sword),
        f"{side}-sgt": figure("bolt-action-rifle", (x + 1.45, y), facing, role="senior-nco"),
    }
    role = random.choice(SPECIALISTS)
    armed = "bolt-action-rifle" if role in ("", "musician") else "unarmed"
    men[f"{side}-aide"] = figure(armed, (x + 2.9, y), facing, role=role)
    return platoon(random, side, f"{side}-platoon", men, hq=True)


def platoon(random: Random, side: str, group: str, men: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = {
        "side": side,
        "training": random.choice(("inexperienced", "regular", "veteran")),
        "rally": random.choice((3, 4, 5)),
        "aggression": random.choice((3, 4, 5)),
        "tenacity": random.choice((3, 4, 5)),
        "teams": men,
        **more,
    }
    if group:
        found["battlegroup"] = group
    return found


def fighters(
    random: Random, side: str, name: str, at: tuple[float, float], deep: int, *, first: bool
) -> dict[str, Any]:
    """A squad, a body in ranks, a troop of horse or a machine gun."""
    kind = "squad" if first else random.choice(("squad", "ranks", "horse", "gun", "squad"))
    facing = 0.0 if side == "red" else 180.0
    group = f"{side}-platoon"
    if kind == "gun":
        return gun(random, side, name, at, facing, deep)
    if kind == "ranks":
        return ranks(random, side, name, at, facing)
    formation = random.choice(("loose", "loose", "extended", "close"))
    step = STEP[formation] + (0.6 if kind == "horse" else 0.0)
    count, files = (4, 2) if kind == "horse" else (random.choice((5, 6, 8)), 4)
    men = {}
    for number in range(count):
        spot = at[0] + (number % files) * step, at[1] + deep * (number // files) * step
        men[f"{name}-{number}"] = soldier(random, spot, facing, kind, nco=not number)
    if kind == "squad" and random.random() < 0.6:
        loader(men, name, step, deep)
    more: dict[str, Any] = {"formation": formation, "formations": ["loose", "extended", "close", "linear"]}
    if kind == "horse":
        more["type"] = "mounted"
    if random.random() < 0.3:
        more["special"] = ["no-head-protection"]
    return platoon(random, side, group, men, **more)


def soldier(random: Random, at: tuple[float, float], facing: float, kind: str, *, nco: bool) -> dict[str, Any]:
    if kind == "horse":
        arms = random.choice((["sabre"], ["lance"], []))
        weapon = random.choice(("bolt-action-carbine", "pistol"))
        return figure(weapon, at, facing, role="nco" if nco else "", mounted=True, arms=arms)
    weapon = random.choice(RIFLES if nco or random.random() < 0.7 else OTHERS)
    arms = [random.choice(CARRIED)] if random.random() < 0.35 else []
    return figure(weapon, at, facing, role="nco" if nco else "", arms=arms)


def loader(men: dict[str, Any], name: str, step: float, deep: int) -> None:
    """A man behind the second one serves a Lewis gun, base to base."""
    gunner = men[f"{name}-1"]
    gunner["profile"], gunner["arms"] = "lewis-gun", []
    x, y = gunner["at"]
    behind = men.get(f"{name}-5")
    if behind is None:
        return
    behind["at"], behind["role"], behind["profile"], behind["arms"] = [x, round(y + deep, 2)], "loader", RIFLES[0], []


def ranks(random: Random, side: str, name: str, at: tuple[float, float], facing: float) -> dict[str, Any]:
    alignment, count, files = random.choice((("line", 8, 4), ("column", 12, 3), ("march-column", 6, 2), ("line", 6, 3)))
    men = {
        f"{name}-{number}": {"profile": "bolt-action-rifle", "role": "nco" if number == 1 else ""}
        for number in range(count)
    }
    pose = {"at": [round(at[0] + 2.0, 2), round(at[1], 2)], "facing": facing, "files": files}
    more = {"formation": "linear", "alignment": alignment, "formations": ["linear", "loose", "close"], "pose": pose}
    return platoon(random, side, f"{side}-platoon", men, **more)


def gun(random: Random, side: str, name: str, at: tuple[float, float], facing: float, deep: int) -> dict[str, Any]:
    x, y = at[0] + 2.0, at[1]
    men = {f"{name}-gun": figure(random.choice(MACHINE_GUNS), (x, y), facing)}
    for number in range(random.choice((1, 2, 3))):
        men[f"{name}-{number}"] = figure("pistol", (x + (number - 1) * 1.3, y + deep * 1.3), facing, role="crew")
    return platoon(random, side, "", men, type="weapon", belongs="support")


def batter(random: Random, unit: dict[str, Any]) -> None:
    """Some have been under fire before."""
    unit["suppression"] = random.choice((0, 0, 0, 1, 1, 2, 3, 4))
    names = list(unit["teams"])
    for name in random.sample(names, min(len(names) - 1, random.choice((0, 0, 1, 2)))):
        unit["teams"][name]["wounds"] = 1


def ground(random: Random) -> list[dict[str, Any]]:
    found = []
    for number in range(random.choice((3, 4, 5))):
        x, y = random.uniform(3, WIDTH - 9), random.uniform(2, DEPTH - 8)
        kind = random.choice(AREAS)
        if kind == "haystack":
            y = random.uniform(12.0, 15.0)
        wide, deep = (2.0, 1.5) if kind == "haystack" else (random.uniform(3, 8), random.uniform(3, 6))
        lean = random.uniform(-0.7, 0.7)
        corners = [(x, y), (x + wide, y + lean), (x + wide - lean, y + deep), (x + lean, y + deep - lean)]
        found.append(piece(f"area-{number}", kind, corners))
    for number in range(random.choice((0, 1, 2))):
        x, y = random.uniform(3, WIDTH - 9), random.uniform(11.0, DEPTH - 11.0)
        ends = [(x, y), (x + random.uniform(4, 7), y + random.uniform(-2, 2))]
        found.append({**piece(f"line-{number}", random.choice(LINES), ends), "closed": False})
    if random.random() < 0.3:
        x, y = random.uniform(3, WIDTH - 6), random.uniform(13.0, 15.0)
        found.append(piece("barred", random.choice(BARRED), [(x, y), (x + 3, y), (x + 3, y + 1.5), (x, y + 1.5)]))
    if random.random() < 0.4:
        x = random.uniform(4, WIDTH - 8)
        found.append(piece("road", "road", [(x, 0), (x + 4, 0), (x + 4, DEPTH), (x, DEPTH)]))
    return found


def piece(name: str, kind: str, points: list[tuple[float, float]]) -> dict[str, Any]:
    return {"id": name, "kind": kind, "points": [[round(x, 2), round(y, 2)] for x, y in points]}


def choose(question: Question, random: Random) -> Any:
    """An answer by chance, but whoever can assault, fire or move on mostly does."""
    answer = question.sample(random)
    offered = question.answers() or []
    if question.topic == "action":
        wanted = [each for each in EAGER if each in offered]
        for each in wanted:
            if random.random() < 0.6:
                return each
    if question.topic in ("move", "march") and random.random() < 0.6:
        return question.check(question.candidates(4)[0])
    if question.topic == "activate":
        units = [each for each in offered if each not in ("discard", "pass", "override")]
        return random.choice(units) if units and random.random() < 0.9 else answer
    return answer
