"""What fire does: accuracy, blast, suppression, forced to ground, lethality and wounds, in this order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.arsenal import Special
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.checks import DIE, REROLL_RULES, SKILL, Check, check, reroll, small, small_dice
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.leadership import advancing_officer
from sandtable.rulesets.sof.losses import choose_figures, lose_unit
from sandtable.rulesets.sof.morale import tenacity
from sandtable.rulesets.sof.shooting.accuracy import accuracy_modifiers, hit_on, lethality_modifiers, thrown
from sandtable.rulesets.sof.shooting.status import Status
from sandtable.rulesets.sof.shooting.volume import Pool, Volley, pools_of

HITS_A_MARKER = 3
"""sof.shooting.suppression-per-three"""

FORCED_TO_GROUND = 5
"""sof.shooting.forced-to-ground"""


SPECIAL_RULES: tuple[tuple[Special, str], ...] = (
    ("rifle-grenade", "sof.grenades.rifle-choice"),
    ("rifle-grenade", "sof.grenades.rifle-effect"),
    ("rifle-grenade", "sof.weapon-rules.rifle-grenade-mode"),
    ("overhead-fire", "sof.weapon-rules.overhead-fire"),
    ("trajectory", "sof.weapon-rules.trajectory"),
)
"""Rules that shape a shot otherwise than by a modifier."""

IGNORES_PROTECTION: tuple[tuple[Special, str], ...] = (
    ("rifle-grenade", "sof.grenades.rifle-protection"),
    ("grenade", "sof.grenades.thrown-protection"),
    ("grenade-bundle", "sof.weapon-rules.bundle-limits"),
)


@dataclass(slots=True)
class Score:
    """The hits of one pool, and what they were told with."""

    pool: Pool
    hits: int
    rules: list[str] = field(default_factory=list)


def resolve(game: Battle, target: Unit, volleys: Sequence[Volley], status: Status) -> Flow[None]:
    """sof.shooting.sequence: all the fire of an attack on one unit."""
    scores: list[Score] = []
    for volley in volleys:
        for pool in (yield from pools_of(game, volley)):
            hits = yield from accuracy(game, target, pool, status)
            scores.append(Score(pool, hits))
    for score in scores:
        yield from shot_down(game, target, score)
        if score.pool.mode.blast and score.hits:
            score.hits = yield from blast(game, target, score)
        elif thrown(score.pool.mode) and score.hits:
            score.hits = yield from negated(game, target, score.hits, "sof.grenades.thrown-negate")
            score.rules.append("sof.grenades.thrown-count")
    yield from suppress(game, target, scores)
    yield from officer_hit(game, target, volleys[0].unit.side, sum(score.hits for score in scores))
    for score in scores:
        if score.hits and target.id in game.state.units:
            yield from lethality(game, target, score, status)
    for score in scores:
        yield from premature(game, score.pool)


def accuracy(game: Battle, target: Unit, pool: Pool, status: Status) -> Flow[int]:
    """One group of accuracy checks: the hits."""
    needed, rule = hit_on(target, pool.mode)
    modifiers = accuracy_modifiers(pool, target, status)
    why = f"{label(pool.unit)} fires at {label(target)} ({pool.mode.spoken})"
    done = yield from check(game, pool.unit.side, pool.dice, needed, why, modifiers)
    rules = [rule, "sof.shooting.hits", "sof.shooting.volume", *pool.rules, *done.rules, *status.rules]
    rules += [cited for special, cited in SPECIAL_RULES if pool.mode.row.has(special)]
    rules += ["sof.shooting.one-weapon"] if any(len(each.modes) > 1 for each in pool.firers) else []
    if pool.mode.row.has("vb"):
        again = [index for index, value in enumerate(done.throw.values) if value == 1]
        if again:
            yield from reroll(game, done, again, why)
            rules += ["sof.weapon-rules.vb", *REROLL_RULES]
    if pool.mode.row.has("improvised"):
        pool.early = done.throw.values.count(1)
    jammed = jams(pool, done)
    hits = f"{several(done.passes, 'hit')} of {pool.dice} on {done.needed}+"
    text = f"{label(pool.unit)} fires {pool.mode.spoken} at {label(target)}: {hits}."
    game.tell(
        "shooting",
        text,
        *rules,
        seat=pool.unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=pool.unit.id,
        target=target.id,
        teams=[each.figure.id for each in pool.firers],
        weapon=pool.mode.name,
        inches=round(pool.inches, 2),
        needed=done.needed,
        hits=done.passes,
    )
    if jammed:
        figure = pool.firers[0].figure
        figure.jammed = True
        text = f"{pool.mode.weapon.name} of {label(pool.unit)} jams."
        game.tell("jam", text, "sof.weapon-rules.jams", seat=pool.unit.side, unit=pool.unit.id, team=figure.id)
    return done.passes


def jams(pool: Pool, done: Check) -> bool:
    """sof.weapon-rules.jams: two dice of one weapon that show the same; with a loader some never jam."""
    if not pool.mode.row.has("jams"):
        return False
    if pool.mode.row.has("managed-fire") and "sof.weapon-rules.managed-fire" in pool.rules:
        return False
    return max(Counter(done.throw.values).values(), default=0) > 1


# Blast and grenades.


def blast(game: Battle, target: Unit, score: Score) -> Flow[int]:
    """sof.shooting.blast-per-success: how many might be hit by each round, and who of them is."""
    effect = score.pool.mode.row.blast_effect
    assert effect is not None
    extra, rule = blast_dice(target)
    throws: list[Throw] = []
    potential = 0
    for _ in range(score.hits):
        throw = yield from game.throw(score.pool.unit.side, effect.dice + abs(extra), "the blast")
        throws.append(throw)
        values = sorted(small(die, effect.sides) for die in throw.values)
        kept = values[extra:] if extra > 0 else values[:extra] if extra < 0 else values
        potential += sum(kept) + effect.more
    text = f"The blast may hit {label(target)} {several(potential, 'time')}."
    rules = ("sof.shooting.blast-per-success", rule, *small_dice(effect.sides, effect.dice))
    game.tell("blast", text, *rules, seat=score.pool.unit.side, dice=throws, target=target.id, potential=potential)
    return (yield from negated(game, target, potential, "sof.shooting.blast-skill"))


def blast_dice(target: Unit) -> tuple[int, str]:
    """How many more dice a blast has, of which the lowest (or, if negative, the highest) is left out."""
    if target.formation in ("close", "linear"):
        return 1, "sof.shooting.blast-close"
    return (-1, "sof.shooting.blast-extended") if target.formation == "extended" else (0, "sof.shooting.blast-loose")


def negated(game: Battle, target: Unit, hits: int, rule: str) -> Flow[int]:
    """The target's skill checks against so many hits; what is left of them."""
    done = yield from check(game, target.side, hits, SKILL[target.training], f"{label(target)} avoids hits")
    left = hits - done.passes
    text = f"{label(target)} avoids {done.passes} of {several(hits, 'hit')} on {done.needed}+."
    rules = (rule, "sof.units.skill-check", *done.rules)
    game.tell("avoids", text, *rules, seat=target.side, dice=done.throws, unit=target.id, left=left)
    return left


def shot_down(game: Battle, target: Unit, score: Score) -> Flow[None]:
    """sof.weapon-rules.shotgun: each six of its shotguns cancels a thrown grenade, or bundle, that would have hit."""
    guns = [each for each in target.able if each.kind.weapon.has("shotgun")]
    row = score.pool.mode.row
    if not guns or not score.hits or not (thrown(score.pool.mode) or row.has("grenade-bundle")):
        return
    throw = yield from game.throw(target.side, len(guns), f"the shotguns of {label(target)}")
    cancelled = min(score.hits, throw.values.count(6))
    score.hits -= cancelled
    text = f"The shotguns of {label(target)} cancel {several(cancelled, 'grenade')}."
    rule = "sof.weapon-rules.shotgun"
    game.tell("shot-down", text, rule, seat=target.side, dice=[throw], unit=target.id, cancelled=cancelled)


def premature(game: Battle, pool: Pool) -> Flow[None]:
    """sof.grenades.improvised-premature: each natural 1 with an improvised grenade is a hit on its own unit."""
    unit = pool.unit
    if not pool.early or unit.id not in game.state.units:
        return
    text = f"{several(pool.early, 'improvised grenade')} of {label(unit)} go off early."
    rules = ("sof.grenades.improvised-premature", "sof.grenades.improvised-own-hits")
    game.tell("premature", text, *rules, seat=unit.side, unit=unit.id, hits=pool.early)
    own = Score(pool, (yield from negated(game, unit, pool.early, "sof.grenades.improvised-own-hits")))
    yield from suppress(game, unit, [own])
    if own.hits and unit.id in game.state.units:
        yield from lethality(game, unit, own, Status())


# Suppression.


def suppress(game: Battle, target: Unit, scores: Sequence[Score]) -> Flow[None]:
    """sof.shooting.suppression-per-three: on the total of hits; whoever is forced to ground checks Tenacity."""
    hits = sum(score.hits for score in scores)
    if not hits:
        return
    markers = -(-hits // HITS_A_MARKER)
    rules = ["sof.shooting.suppression-per-three"]
    if any(score.hits and score.pool.mode.row.has("suppression") for score in scores):
        markers += 1
        rules += ["sof.shooting.suppression-weapon", "sof.weapon-rules.suppression"]
    target.suppression += markers
    rules += [rule for score in scores for rule in score.rules]
    text = f"{label(target)} takes {several(markers, 'suppression marker')} for {several(hits, 'hit')}."
    now = target.suppression
    game.tell("suppressed", text, *rules, seat=target.side, unit=target.id, markers=markers, suppression=now)
    if target.suppression >= FORCED_TO_GROUND:
        yield from tenacity(game, target, "sof.shooting.forced-to-ground", "sof.morale.tenacity-shooting")


# Damage.


def officer_hit(game: Battle, target: Unit, seat: str, hits: int) -> Flow[None]:
    """sof.leadership.advance-risk: each six of a die for each hit wounds the officer who has led his men forward."""
    officer = advancing_officer(game, target) if hits and target.id in game.state.units else None
    if officer is None:
        return
    throw = yield from game.throw(seat, hits, f"the officer of {label(target)}")
    sixes = throw.values.count(DIE)
    officer.wounds += min(sixes, max(0, officer.worth - officer.wounds))
    text = f"{several(hits, 'hit')} on the unit of an officer who leads it: {several(sixes, 'wound')} on him."
    rule, now = "sof.leadership.advance-risk", officer.wounds
    game.tell("officer-hit", text, rule, seat=target.side, dice=[throw], unit=target.id, team=officer.id, wounds=now)
    if target.wounds >= sum(figure.worth for figure in target.teams.values()):
        yield from lose_unit(game, target, "it is combat ineffective", "sof.shooting.combat-ineffective")


def lethality(game: Battle, target: Unit, score: Score, status: Status) -> Flow[None]:
    """sof.shooting.lethality: one check for each hit; each that passes is a wound marker."""
    row = score.pool.mode.row
    modifiers = lethality_modifiers(score.pool, target, status)
    why = f"lethality of {score.pool.mode.spoken}"
    done = yield from check(game, score.pool.unit.side, score.hits, row.lethality, why, modifiers)
    text = f"{several(done.passes, 'wound')} of {several(score.hits, 'hit')} on {label(target)}, on {done.needed}+."
    rules = ["sof.shooting.lethality", "sof.shooting.lethality-result", *done.rules]
    rules += [cited for special, cited in IGNORES_PROTECTION if status.protected and row.has(special)]
    game.tell(
        "lethality",
        text,
        *rules,
        seat=score.pool.unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=score.pool.unit.id,
        target=target.id,
        needed=done.needed,
        wounds=done.passes,
    )
    if done.passes:
        yield from wound(game, target, done.passes)


def wound(game: Battle, target: Unit, number: int) -> Flow[None]:
    """So many wound markers: each disables a model, a character only the second; too many, and the unit is removed."""
    if target.wounds + number >= sum(figure.worth for figure in target.teams.values()):
        yield from lose_unit(game, target, "it is combat ineffective", "sof.shooting.combat-ineffective")
        return
    costs = {each.id: 1 + each.character - each.wounds for each in target.able}
    rules = ("sof.shooting.wound-disables", "sof.shooting.wound-character")
    words = f"Who of {label(target)} takes {several(number, 'wound')}?"
    chosen = yield from choose_figures(game, target, number, costs, "wounded", words, rules[0], rules[0])
    left = number
    for figure in chosen:
        figure.wounds += costs[figure.id]
        left -= costs[figure.id]
    if left:
        # It disables nobody: it lies on a leader who still stands, or on a man who is down.
        others = [each for each in target.able if each not in chosen] or list(target.teams.values())
        others[0].wounds += left
    text = f"{label(target)} has {several(target.wounds, 'wound marker')}."
    down = [each.id for each in target.teams.values() if each.disabled]
    game.tell("wounded", text, *rules, seat=target.side, unit=target.id, wounds=target.wounds, disabled=down)
