"""What hits do: grenades that are avoided, blasts, suppression, lethality, wounds and jams."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.log import Shots, by_recon, course, passes, sixes_again, unit_in
from sandtable.testing.umpire.sof.morale import owe
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.shooting import THROWN, closing_teams, count_dice, jams_due
from sandtable.testing.umpire.sof.stock import SKILL, Way, special_of, way_of, weapons
from sandtable.testing.umpire.sof.table import HAIR, apart, disabled, figures, placed, standing, worth, wounds

ATTACK = (
    "target", "closing-fire", "shooting", "blast", "shot-down", "avoids", "suppressed", "tenacity", "gives-way",
    "stays", "lethality", "wounded", "premature", "jam", "unit-lost", "promotion", "leaderless", "losses", "alignment",
    "permanent-wound", "move", "command", "agility", "officer-hit", "fuel", "salvo", "charges", "smoke",
    "recon-reroll",
)  # fmt: skip
FORCED = 5
CHARGE_REACH = 6.0
SALVO_REACH = 6.0
PROTECTION_IGNORED = ("grenade", "grenade-bundle", "rifle-grenade", "sniper-rifle", "flamethrower")


def fired(shots: Shots, name: str) -> Way:
    """How a weapon of this attack was fired."""
    found: Way = shots.ways.get(name) or way_of(name)
    return found


class Tally:
    """The hits of an attack, as they become fewer, and what must still come of them."""

    def __init__(self, shots: Shots) -> None:
        self.groups: list[list[Any]] = [[unit, weapon, hits] for unit, weapon, hits in shots.hits if hits]
        self.blasts = [group for group in self.groups if fired(shots, group[1]).blast]
        self.picks = 0
        """Second checks that a sniper may make on a leader whom he has named."""
        self.potential = 0
        self.avoided: set[int] = set()
        """The groups of grenades whose hits have met their skill checks."""
        self.blasted = sum(group[2] for group in self.blasts)
        self.laid = 0
        """Wounds that were rolled and are not laid yet."""
        self.own = shots.own
        self.own_left = -1


def tally(watch: Watch) -> Tally | None:
    found: Tally | None = watch.memory.get("sof.tally")
    return found


@book.on()
def an_attack_ends(watch: Watch, event: Event) -> None:
    """What is no part of an attack ends it."""
    shots = course(watch).shots
    if shots is None:
        return
    if event.kind not in ATTACK:
        close_attack(watch)
        close_salvo(watch)


def open_tally(watch: Watch) -> Tally | None:
    """The hits of the attack, once its volleys are all told."""
    shots = course(watch).shots
    if shots is None:
        return None
    kept = tally(watch)
    if kept is None:
        count_dice(watch, shots)
        if shots.closing:
            closing_teams(watch, shots)
        kept = Tally(shots)
        watch.memory["sof.tally"] = kept
    return kept


def close_attack(watch: Watch) -> None:
    """The attack is over: nothing may be owed any more."""
    kept = course(watch)
    shots = kept.shots
    if shots is None:
        return
    sums = open_tally(watch)
    target = unit_in(watch.state, shots.target)
    if sums is not None and target is not None:
        total = sum(group[2] for group in sums.groups)
        if total and not shots.suppressed:
            watch.object_to("sof.shooting.suppression-per-three", f"{total} hits on {shots.target} suppress nobody")
        if total and shots.suppressed:
            watch.object_to("sof.shooting.lethality", f"{total} hits on {shots.target} roll no lethality")
        if sums.laid:
            watch.object_to("sof.shooting.lethality-result", f"{sums.laid} wounds of {shots.target} are not laid")
        if shots.ground == "must":
            watch.object_to(
                "sof.shooting.forced-to-ground", f"{shots.grounded} is forced to ground, and does not check"
            )
        if sums.blasted:
            watch.object_to("sof.shooting.blast-per-success", f"{sums.blasted} blasts are not rolled")
    quiet = set(jams_due(watch, shots)) - watch.memory.pop("sof.jammed", set())
    if quiet:
        watch.object_to("sof.weapon-rules.jams", f"{sorted(quiet)} do not jam")
    burning = {
        team
        for event in shots.events
        if "flamethrower" in fired(shots, event.data["weapon"]).special
        for team in event.data["teams"]
    }
    if burning != watch.memory.pop("sof.fuelled", set()) & burning:
        watch.object_to("sof.weapon-rules.flamethrower-fuel", f"the fuel of {sorted(burning)} is not looked at")
    salvoes = [each for _, each, number in shots.hits if number and "salvo" in fired(shots, each).special]
    if shots.events and salvoes and not any(fired(shots, each).blast for each in salvoes):
        watch.memory.setdefault("sof.salvo", spread_of(watch, shots))
    if sums is not None and sums.own > 0 and sums.own_left < 0 and unit_in(watch.state, shots.unit) is not None:
        watch.object_to("sof.grenades.improvised-premature", f"{sums.own} premature explosions harm nobody")
    kept.shots = None
    watch.memory["sof.tally"] = None


# Salvoes.


class Spread(NamedTuple):
    """A salvo: the attack of which it is part, who plainly stands near its target, who may, and who was told hit."""

    attack: Shots
    sure: set[str]
    may: set[str]
    told: list[str]


def spread_of(watch: Watch, attack: Shots) -> Spread:
    target = attack.before.units[attack.target]
    others = [(each.id, apart(target, each)) for each in placed(attack.before) if each.id != target.id]
    sure = {name for name, inches in others if inches <= SALVO_REACH - HAIR}
    return Spread(attack, sure, {name for name, inches in others if inches <= SALVO_REACH + HAIR}, [])


@book.on("salvo")
def a_salvo_hits_those_near_by(watch: Watch, event: Event) -> None:
    """Whoever is within 6 inches of the target, friend or enemy, takes d3 hits that nothing avoids."""
    watch.count("salvoes at those near by")
    kept, name = course(watch), event.data["target"]
    found: Spread | None = watch.memory.get("sof.salvo")
    if found is None and kept.shots is not None:
        found = watch.memory["sof.salvo"] = spread_of(watch, kept.shots)
    if found is None:
        watch.object_to("sof.weapon-rules.salvo", f"a salvo hits {name}, and nobody fires one")
        return
    hits = math.ceil(event.dice[0].value / 2)
    weapons_fired = [
        each for _, each, number in found.attack.hits if number and "salvo" in fired(found.attack, each).special
    ]
    if name not in found.may or found.told.count(name) >= len(weapons_fired):
        watch.object_to("sof.weapon-rules.salvo", f"a salvo hits {name}, who is not near, or again")
        return
    if event.data["hits"] != hits or len(event.dice[0].values) != 1:
        watch.object_to("sof.weapon-rules.salvo", f"{event.dice[0].values} give {event.data['hits']} hits, not {hits}")
    # What goes off too early among its own men comes when all of the salvo is told.
    sums = tally(watch)
    early = sums.own if sums is not None else 0
    if sums is not None:
        sums.own = 0
    close_attack(watch)
    found.told.append(name)
    status = {"protected": None, "concealed": False, "woods": False}
    shots = Shots(found.attack.unit, name, watch.earlier, status=status, ways=found.attack.ways)
    shots.hits, shots.own = [(found.attack.unit, weapons_fired[0], hits)], early
    kept.shots = shots
    # What comes of a salvo near by is hits, whatever it was fired with.
    near = watch.memory["sof.tally"] = Tally(shots)
    near.blasts, near.blasted = [], 0


def close_salvo(watch: Watch) -> None:
    found: Spread | None = watch.memory.pop("sof.salvo", None)
    if found is None:
        return
    missed = {name for name in found.sure - set(found.told) if unit_in(watch.state, name) is not None}
    if missed:
        watch.object_to("sof.weapon-rules.salvo", f"{sorted(missed)} stand near {found.attack.target}, and are not hit")


# Charges.

CHARGES = {"bangalore-torpedoes": "2d6", "extended-charges": "d6"}


@book.on("charges")
def charges_are_laid(watch: Watch, event: Event) -> None:
    """Torpedoes and extended charges: a Skill check for every four able men, each success a blast, lethal on 4+."""
    watch.count("charges")
    kept, state, data = course(watch), watch.state, event.data
    close_attack(watch)
    unit, target = state.units[data["unit"]], state.units[data["target"]]
    act = kept.act
    name = act.actions[-1] if act is not None and act.actions else ""
    if name not in CHARGES or act is None or act.unit != unit.id:
        watch.object_to("sof.weapon-rules.bangalore-action", f"{unit.id} lays charges without an action for it")
        return
    if apart(unit, target) > CHARGE_REACH + 0.03:
        watch.object_to("sof.weapon-rules.bangalore-action", f"{target.id} is out of reach of charges")
    count = sum(standing(figure) for figure in figures(unit))
    dice = math.ceil(count / 4) if name == "bangalore-torpedoes" else count // 4
    needed, values = SKILL[unit.training], event.dice[0].values
    successes = sum(face >= needed for face in values)
    if len(values) != dice or data["needed"] != needed or data["successes"] != successes:
        watch.object_to("sof.weapon-rules.bangalore-effect", f"{values} on {data['needed']}+ of {dice} dice: {data}")
    shots = Shots(unit.id, target.id, state, status={"protected": None, "concealed": False, "woods": False})
    shots.ways[name] = Way(name, CHARGE_REACH, 0.0, "1", "1", 4, CHARGES[name], frozenset(), 0)
    shots.hits = [(unit.id, name, successes)]
    shots.own = -2 * values.count(1) if name == "extended-charges" else 0
    kept.shots = shots


# Grenades and blasts.


@book.on("shot-down")
def grenades_are_shot_down(watch: Watch, event: Event) -> None:
    watch.count("grenades shot down")
    sums, shots = open_tally(watch), course(watch).shots
    if sums is None or shots is None:
        return
    target = watch.earlier.units[event.data["unit"]]
    guns = [
        figure
        for figure in figures(target)
        if not disabled(figure) and figure.profile in weapons() and "shotgun" in weapons()[figure.profile].first.special
    ]
    values = event.dice[0].values
    thrown = [group for group in sums.groups if fired(shots, group[1]).weapon in THROWN]
    cancelled = min(values.count(6), sum(group[2] for group in thrown))
    if len(values) != len(guns) or event.data["cancelled"] != cancelled:
        watch.object_to(
            "sof.weapon-rules.shotgun", f"{values} of {len(guns)} shotguns cancel {event.data['cancelled']}"
        )
    take_away(thrown, cancelled)
    sums.blasted = sum(group[2] for group in sums.blasts)


def take_away(groups: list[list[Any]], number: int) -> None:
    for group in groups:
        less = min(group[2], number)
        group[2] -= less
        number -= less


@book.on("blast")
def a_blast(watch: Watch, event: Event) -> None:
    watch.count("blasts")
    sums, shots = open_tally(watch), course(watch).shots
    if sums is None or shots is None or not sums.blasts:
        watch.object_to("sof.shooting.blast-per-success", "a blast goes off, and nothing hit that has one")
        return
    target = shots.before.units[shots.target]
    number, sides, more = blast_parts(fired(shots, sums.blasts[0][1]).blast)
    drop = {"close": "low", "linear": "low", "extended": "high"}.get(target.formation, "")
    if target.type == "weapon":
        drop = ""
    total = 0
    for throw in event.dice:
        faces = sorted(math.ceil(face * sides / 6) for face in throw.values)
        if len(faces) != number + bool(drop):
            watch.object_to("sof.shooting.blast-close", f"{len(faces)} dice for a blast on {target.formation} order")
        kept = faces[1:] if drop == "low" else faces[:-1] if drop == "high" else faces
        potential = sum(kept) + more
        if watch.setup.options.blast_hit_the_dirt and target.hit_the_dirt:
            potential = math.ceil(potential / 2)
        total += potential
    if event.data["potential"] != total:
        watch.object_to("sof.shooting.blast-per-success", f"{event.data['potential']} potential hits, and not {total}")
    sums.potential += total
    sums.blasted -= len(event.dice)


def blast_parts(text: str) -> tuple[int, int, int]:
    number, _, rest = text.partition("d")
    sides, _, more = rest.partition("+")
    return int(number or 1), int(sides), int(more or 0)


@book.on("avoids")
def hits_are_avoided(watch: Watch, event: Event) -> None:
    watch.count("hits avoided")
    sums, shots = open_tally(watch), course(watch).shots
    if sums is None or shots is None:
        watch.object_to("sof.grenades.thrown-negate", "hits are avoided outside an attack")
        return
    unit = watch.earlier.units[event.data["unit"]]
    needed, values = SKILL[unit.training], event.dice[0].values
    left = sum(face < needed for face in values)
    if event.data["left"] != left:
        watch.object_to("sof.units.skill-check", f"{values} on {needed}+ leave {left} hits, not {event.data['left']}")
    if "sof.grenades.improvised-own-hits" in event.rules:
        if unit.id != shots.unit or len(values) != sums.own:
            watch.object_to("sof.grenades.improvised-own-hits", f"{len(values)} checks for {sums.own} explosions")
        sums.own_left = left
        return
    if "sof.shooting.blast-skill" in event.rules:
        due, groups = sums.potential, sums.blasts
        sums.potential = 0
    else:
        # Each volley of grenades has a throw of its own.
        groups = [group for group in thrown_hits(shots, sums) if id(group) not in sums.avoided][:1]
        sums.avoided |= {id(group) for group in groups}
        due = sum(group[2] for group in groups)
    if len(values) != due or unit.id != shots.target:
        watch.object_to("sof.grenades.thrown-negate", f"{unit.id} takes {len(values)} checks for {due} hits")
    for group in groups:
        group[2] = 0
    if groups:
        groups[0][2] = left


def thrown_hits(shots: Shots, sums: Tally) -> list[list[Any]]:
    """The hits of grenades that were thrown by hand."""
    return [
        group
        for group in sums.groups
        if group[2] and fired(shots, group[1]).weapon in THROWN and not fired(shots, group[1]).blast
    ]


# Suppression.


@book.on("suppressed")
def a_unit_is_suppressed(watch: Watch, event: Event) -> None:
    watch.count("suppressions")
    sums, shots = open_tally(watch), course(watch).shots
    name, markers = event.data["unit"], event.data["markers"]
    if sums is None or shots is None:
        watch.object_to("sof.shooting.suppression-per-three", f"{name} is suppressed by nobody")
        return
    if name == shots.unit and sums.own_left > 0:
        due = math.ceil(sums.own_left / 3) + 1
        shots.hits = []
        sums.groups = [[shots.unit, "improvised-grenade", sums.own_left]]
        rule = "sof.grenades.improvised-own-hits"
    else:
        total = sum(group[2] for group in sums.groups)
        loose = [group[1] for group in thrown_hits(shots, sums) if id(group) not in sums.avoided]
        if loose and name == shots.target:
            watch.object_to("sof.grenades.thrown-negate", f"{name} takes no skill checks against {loose}")
        heavy = any(group[2] and "suppression" in fired(shots, group[1]).special for group in sums.groups)
        due = math.ceil(total / 3) + (heavy and total > 0)
        rule = "sof.shooting.suppression-weapon" if heavy else "sof.shooting.suppression-per-three"
        shots.suppressed = True
    if markers != due:
        watch.object_to(rule, f"{name} takes {markers} markers, and not {due}")
    if watch.state.units[name].suppression >= FORCED and name in (shots.target, shots.unit):
        shots.ground, shots.grounded = "must", name


# Lethality and wounds.


@book.on("lethality")
def lethality_is_rolled(watch: Watch, event: Event) -> None:
    watch.count("lethality rolls")
    sums, shots = open_tally(watch), course(watch).shots
    if sums is None or shots is None:
        watch.object_to("sof.shooting.lethality", "lethality is rolled outside an attack")
        return
    if shots.ground == "must":
        watch.object_to("sof.shooting.sequence", f"{shots.grounded} is forced to ground, and wounds come first")
    throw, data = event.dice[0], event.data
    mine = [group for group in sums.groups if group[0] == data["unit"] and group[2]]
    if not mine and sums.picks:
        second_check(watch, event, sums)
        return
    if not mine:
        watch.object_to("sof.shooting.lethality", f"{data['unit']} has no hits on {data['target']}")
        return
    weapon, count = mine[0][1], 0
    for group in mine:
        if group[1] == weapon and count + group[2] <= len(throw.values):
            count += group[2]
            group[2] = 0
    way = fired(shots, weapon)
    if count != len(throw.values):
        watch.object_to("sof.shooting.lethality", f"{len(throw.values)} dice for {count} hits with {weapon}")
    target = shots.before.units[data["target"]]
    expected = {}
    sheltered = shots.status.get("protected")
    own = data["target"] == shots.unit != shots.target
    told = {each.rule: each.amount for each in event.modifiers}
    if sheltered is None and not set(PROTECTION_IGNORED) & way.special:
        sheltered = shots.status["protected"] = "sof.shooting.lethality-protection" in told
    if sheltered and not own and not set(PROTECTION_IGNORED) & way.special:
        expected["sof.shooting.lethality-protection"] = -1
    if "scythe" in way.special and (target.type == "mounted" or target.formation in ("close", "linear")):
        expected["sof.weapon-rules.scythe"] = 1
    enemies = shots.before.units[data["unit"]].side != target.side
    if enemies and any("flamethrower" in special_of(figure) for figure in figures(target)):
        expected["sof.weapon-rules.flamethrower-risk"] = 1
    for rule in {*told, *expected}:
        watch.count(f"lethality modifiers: {rule.rpartition('.')[2]}")
    if told != expected:
        watch.object_to("sof.shooting.lethality-protection", f"lethality of {weapon}: {told}, and not {expected}")
    needed = way.lethality - sum(told.values())
    if data["needed"] != needed:
        watch.object_to("sof.shooting.lethality", f"{weapon} wounds on {data['needed']}+, and not on {needed}+")
    found = passes(throw.values, sixes_again(watch, event, needed), needed)
    if data["wounds"] != found or (throw.before and not by_recon(watch, event)):
        watch.object_to(
            "sof.shooting.lethality-result", f"{throw.values} on {needed}+ are {found} wounds, not {data['wounds']}"
        )
    if "sniper-rifle" in way.special:
        sums.picks += found
    elif "brutal" in way.special:
        owe(watch, data["target"], found)
    else:
        sums.laid += found


def second_check(watch: Watch, event: Event, sums: Tally) -> None:
    """A leader whom a sniper names falls only to a second success."""
    watch.count("second checks of snipers")
    needed, face = event.data["needed"], event.dice[0].value
    if event.data["wounds"] != (face >= needed):
        watch.object_to("sof.weapon-rules.sniper-character", f"{face} on {needed}+ is told as {event.data['wounds']}")
    if face < needed:
        sums.picks -= 1


@book.on("fuel")
def fuel_is_looked_at(watch: Watch, event: Event) -> None:
    watch.count("fuel")
    if event.data["spent"] != (event.dice[0].value == 1):
        watch.object_to(
            "sof.weapon-rules.flamethrower-fuel", f"{event.dice[0].value} spends fuel: {event.data['spent']}"
        )
    watch.memory["sof.fuel"] = event.data["team"] if event.data["spent"] else None
    watch.memory.setdefault("sof.fuelled", set()).add(event.data["team"])


@book.on("officer-hit")
def an_officer_who_leads_is_hit(watch: Watch, event: Event) -> None:
    """A further die for each hit on the unit of an officer who has led an Inspired Advance this turn."""
    watch.count("officers at risk")
    sums, shots, data = open_tally(watch), course(watch).shots, event.data
    if sums is None or shots is None or data["team"] not in course(watch).exposed:
        watch.object_to("sof.leadership.advance-risk", f"{data['team']} is at no risk")
        return
    total = sum(group[2] for group in sums.groups)
    before, after = (state.units[data["unit"]].teams[data["team"]] for state in (watch.earlier, watch.state))
    due = before.wounds + min(event.dice[0].values.count(6), max(0, worth(before) - before.wounds))
    if len(event.dice[0].values) != total or data["wounds"] != due or after.wounds != due:
        watch.object_to(
            "sof.leadership.advance-risk",
            f"{event.dice[0].values} for {total} hits: {after.wounds} after {before.wounds}",
        )


@book.on("wounded")
def as_many_wounds_as_were_rolled(watch: Watch, event: Event) -> None:
    sums = tally(watch)
    name = event.data["unit"]
    added = wounds(watch.state.units[name]) - wounds(watch.earlier.units[name])
    shots = course(watch).shots
    if shots is not None and shots.own < 0 and name == shots.unit:
        if added != -shots.own:
            watch.object_to(
                "sof.weapon-rules.extended-charges-misfire", f"{added} wounds for its own charges on {name}"
            )
        return
    own = watch.memory.pop("sof.erratic", None)
    if own is not None:
        if (name, added) != own:
            watch.object_to("sof.weapon-rules.erratic", f"{added} wounds on {name}: due are {own[1]} on {own[0]}")
        return
    if sums is None:
        watch.object_to("sof.shooting.lethality-result", f"{name} is wounded outside an attack")
        return
    if added != sums.laid:
        watch.object_to(
            "sof.shooting.lethality-result", f"{added} wounds are laid on {name}, and {sums.laid} were rolled"
        )
    sums.laid = 0
    unit = watch.state.units[name]
    if wounds(unit) >= sum(worth(figure) for figure in unit.teams.values()):
        watch.memory["sof.ineffective"] = name


@book.on("unit-lost")
def a_unit_is_shot_to_pieces(watch: Watch, event: Event) -> None:
    sums = tally(watch)
    name = event.data["unit"]
    if "sof.shooting.combat-ineffective" not in event.rules:
        return
    watch.count("units shot to pieces")
    unit = watch.earlier.units[name]
    blown_up = watch.memory.pop("sof.erratic", None)
    more = blown_up[1] if blown_up is not None else sums.laid if sums is not None else 0
    total = sum(worth(figure) for figure in unit.teams.values())
    if wounds(unit) + more < total:
        watch.object_to(
            "sof.shooting.combat-ineffective", f"{name} is lost with {wounds(unit) + more} wounds of {total}"
        )
    if sums is not None:
        sums.laid = 0
    watch.memory["sof.ineffective"] = None


@book.on()
def the_ineffective_are_removed(watch: Watch, event: Event) -> None:
    name = watch.memory.get("sof.ineffective")
    if name is not None and event.kind != "wounded":
        watch.object_to("sof.shooting.combat-ineffective", f"{name} stays with as many wounds as it can take")
        watch.memory["sof.ineffective"] = None


@book.on("premature")
def rounds_go_off_too_early(watch: Watch, event: Event) -> None:
    """Improvised grenades when all has been thrown; of erratic weapons each with its own dice, before others fire."""
    watch.count("premature explosions")
    shots = course(watch).shots
    if "sof.weapon-rules.erratic" in event.rules:
        an_erratic_weapon(watch, event, shots)
        return
    sums = open_tally(watch)
    if sums is None or shots is None or event.data["unit"] != shots.unit or event.data["hits"] != sums.own:
        watch.object_to("sof.grenades.improvised-premature", f"{event.data['hits']} explosions at {event.data['unit']}")


def an_erratic_weapon(watch: Watch, event: Event, shots: Shots | None) -> None:
    """Each of its natural ones is a wound on those who fire it."""
    last = shots.events[-1] if shots is not None and shots.events else None
    ones = 0
    if shots is not None and last is not None and "erratic" in fired(shots, last.data["weapon"]).special:
        ones = last.dice[0].values.count(1)
    unit, hits = event.data["unit"], event.data["hits"]
    if last is None or unit != last.data["unit"] or hits != ones:
        watch.object_to("sof.weapon-rules.erratic", f"{hits} rounds of {unit} explode, and {ones} dice show a one")
    watch.memory["sof.erratic"] = (unit, hits)


@book.on("jam")
def a_weapon_jams(watch: Watch, event: Event) -> None:
    watch.count("jams")
    shots, team = course(watch).shots, event.data["team"]
    if shots is None or team not in jams_due(watch, shots):
        watch.object_to("sof.weapon-rules.jams", f"{team} jams for no reason")
        return
    watch.memory.setdefault("sof.jammed", set()).add(team)
    if not watch.state.units[event.data["unit"]].teams[team].jammed:
        watch.object_to("sof.weapon-rules.jams", f"{team} is not marked as jammed")
