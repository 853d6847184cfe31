"""What fire does: accuracy, blast, suppression, forced to ground, lethality and wounds, in this order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices
from sandtable.rulesets.sof.core.arsenal import PEDERSEN, Blast, Special, chart_rule
from sandtable.rulesets.sof.core.board import Battle, gap, within_inches
from sandtable.rulesets.sof.core.checks import DIE, REROLL_RULES, SKILL, Check, check, d3, reroll, small, small_dice
from sandtable.rulesets.sof.core.names import figure_option, label
from sandtable.rulesets.sof.core.state import Figure, SpecialRule, Unit
from sandtable.rulesets.sof.leadership import advancing_officer
from sandtable.rulesets.sof.losses import (
    INEFFECTIVE,
    choose_figures,
    ineffective,
    lose_figures,
    lose_unit,
    lose_wounds,
)
from sandtable.rulesets.sof.morale import tenacity
from sandtable.rulesets.sof.shooting.accuracy import (
    PISTOLS,
    accuracy_modifiers,
    hit_on,
    lethality_modifiers,
    never_rerolled,
    thrown,
)
from sandtable.rulesets.sof.shooting.status import Status, status_of
from sandtable.rulesets.sof.shooting.volume import Pool, Volley, pools_of
from sandtable.table.shapes import snap

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
IGNORES_PROTECTION: tuple[tuple[Special, str], ...] = (
    ("rifle-grenade", "sof.grenades.rifle-protection"),
    ("grenade", "sof.grenades.thrown-protection"),
    ("grenade-bundle", "sof.weapon-rules.bundle-limits"),
    ("sniper-rifle", "sof.weapon-rules.sniper-ignores"),
    ("flamethrower", "sof.weapon-rules.flamethrower-ignores"),
)


REROLLS: tuple[tuple[SpecialRule, int, str], ...] = (
    ("marksmen", 1, "sof.unit-special.marksmen"),
    ("sharpshooters", 2, "sof.unit-special.sharpshooters"),
)
"""Units that may roll so many missed accuracy checks again each time they shoot."""


COUNTED = "sof.grenades.thrown-count"


@dataclass(slots=True)
class Score:
    """The hits of one pool, how many of its dice show a one, and what they were told with."""

    pool: Pool
    hits: int
    ones: int = 0
    rules: list[str] = field(default_factory=list)


def resolve(
    game: Battle, target: Unit, volleys: Sequence[Volley], status: Status, *, closing: bool = False
) -> Flow[None]:
    """sof.shooting.sequence: all the fire of an attack on one unit; `closing`: it is fire at one that assaults."""
    scores: list[Score] = []
    groups = [pools_of(game, volley) for volley in volleys]
    if len({(pool.mode.row.pen, pool.mode.row.lethality) for pools in groups for pool in pools}) > 1:
        for pools in groups:
            for pool in pools:
                pool.rules.append("sof.shooting.separate-pools")
    for volley, pools in zip(volleys, groups, strict=True):
        again = rerolls_of(volley.unit)
        for pool in pools:
            if pool.by_die:
                why = f"{label(volley.unit)}: dice of the {pool.mode.weapon.name}"
                pool.dice = (yield from game.throw(volley.unit.side, 1, why)).value
            scores.append((yield from accuracy(game, target, pool, status, again)))
    beside = near_by(game, target)
    yield from shot_down(game, target, scores)
    for score in scores:
        if score.pool.mode.blast and score.hits:
            score.hits = yield from blast(game, target, score)
        elif thrown(score.pool.mode) and score.hits:
            score.hits = yield from negated(game, target, score.hits, "sof.grenades.thrown-negate", COUNTED)
            score.rules.append(COUNTED)
    yield from suppress(game, target, scores, closing)
    yield from officer_hit(game, target, volleys[0].unit.side, sum(score.hits for score in scores))
    for score in scores:
        if score.hits and target.id in game.state.units:
            yield from lethality(game, target, score, status)
    for score in scores:
        if score.pool.mode.row.has("salvo") and score.hits:
            yield from salvo(game, score.pool, beside)
        if score.pool.mode.row.has("improvised") and score.ones:
            yield from premature(game, score)
        if score.pool.mode.row.has("flamethrower"):
            yield from fuel(game, score.pool)


def rerolls_of(unit: Unit) -> list[str]:
    """The rules by which a unit rolls a miss again, one for each."""
    return [rule for special, number, rule in REROLLS for _ in range(number) if special in unit.special]


def accuracy(game: Battle, target: Unit, pool: Pool, status: Status, again: list[str]) -> Flow[Score]:
    """One group of accuracy checks: its hits. `again` are the rules by which misses may be rolled again, used up."""
    needed, rule = hit_on(target, pool.mode)
    modifiers = accuracy_modifiers(game, pool, target, status)
    why = f"{label(pool.unit)} fires at {label(target)} ({pool.mode.spoken})"
    stands = never_rerolled(pool.mode) is not None
    done = yield from check(game, pool.unit.side, pool.dice, needed, why, modifiers, stands=stands)
    duds(pool, done)
    rules = [rule, "sof.shooting.hits", "sof.shooting.volume", *pool.rules, *done.rules, *status.rules]
    rules += ["sof.shooting.modifiers-cumulative"] if len(modifiers) > 1 else []
    rules += shot_rules(pool, target, status)
    rules += yield from rolled_again(game, pool, done, why, again)
    duds(pool, done)
    for each in pool.firers:
        note_fired(each.figure, game.state.turn)
    hits = f"{several(done.passes, 'hit')} of {pool.dice} on {done.needed}+"
    text = f"{label(pool.unit)} fires {pool.mode.spoken} at {label(target)}: {hits}."
    game.tell(
        "shooting",
        text,
        *dict.fromkeys(rules),
        seat=pool.unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=pool.unit.id,
        target=target.id,
        teams=[each.figure.id for each in pool.firers],
        weapon=pool.mode.name,
        inches=snap(pool.inches),
        needed=done.needed,
        hits=done.passes,
    )
    if jams(pool, done):
        figure = pool.firers[0].figure
        figure.jammed = True
        text = f"{pool.mode.weapon.name} of {label(pool.unit)} jams."
        alone = ["sof.weapon-rules.managed-fire"] if pool.mode.row.has("managed-fire") else []
        game.tell("jam", text, "sof.weapon-rules.jams", *alone, seat=pool.unit.side, unit=pool.unit.id, team=figure.id)
    score = Score(pool, done.passes, done.throw.values.count(1))
    if pool.mode.row.has("erratic") and score.ones:
        text = f"{several(score.ones, 'round')} of {label(pool.unit)} explode too early."
        cited = "sof.weapon-rules.erratic"
        game.tell("premature", text, cited, seat=pool.unit.side, unit=pool.unit.id, hits=score.ones)
        yield from wound(game, pool.unit, score.ones)
    return score


def duds(pool: Pool, done: Check) -> None:
    """sof.weapon-rules.erratic, sof.grenades.improvised-premature: what goes off early hits nobody else, even on 1+."""
    if pool.mode.row.has("erratic") or pool.mode.row.has("improvised"):
        done.passed = [passed and value > 1 for passed, value in zip(done.passed, done.throw.values, strict=True)]


def note_fired(figure: Figure, turn: int) -> None:
    """sof.weapon-rules.black-powder: whoever fires twice in a turn has fired in the one before all the same."""
    if figure.fired != turn:
        figure.fired, figure.fired_before = turn, figure.fired


def shot_rules(pool: Pool, target: Unit, status: Status) -> list[str]:
    """Rules that shape a shot otherwise than by a modifier."""
    mode, row = pool.mode, pool.mode.row
    found = ["sof.weapon-charts.range", "sof.weapon-charts.rof-halt-move", chart_rule(mode.name)]
    found += [cited for special, cited in SPECIAL_RULES if row.has(special)]
    found += ["sof.shooting.one-weapon"] if any(len(each.modes) > 1 for each in pool.firers) else []
    found += ["sof.weapon-charts.sub-rows"] if len(mode.weapon.rows) > 1 else []
    found += ["sof.shooting.ammunition-direct", "sof.weapon-charts.blast"] if mode.chosen_round else []
    found += ["sof.weapon-charts.nation-tables"] if "." in mode.name else []
    found += ["sof.weapon-rules.pedersen"] if PEDERSEN in mode.name else []
    found += ["sof.weapon-rules.muzzle-loader"] if row.has("muzzle-loader") else []
    found += ["sof.weapon-rules.fixed-pivot"] if mode.weapon.has("fixed") and pool.moving else []
    launched = (row.has("grenade") or row.has("improvised")) and not thrown(mode)
    found += ["sof.weapon-charts.undefined-specials"] if launched else []
    found += ["sof.unit-special.mounted-shooting"] if pool.unit.type == "mounted" and mode.name in PISTOLS else []
    crewman = pool.unit.type == "weapon" and mode.name in PISTOLS
    found += ["sof.units.crew-have-pistols"] if crewman else []
    if status.concealed or target.hit_the_dirt:
        found += ["sof.weapon-rules.flamethrower-ignores"] if row.has("flamethrower") else []
    if status.concealed:
        found += ["sof.weapon-rules.sniper-ignores"] if row.has("sniper-rifle") else []
    return found


def rolled_again(game: Battle, pool: Pool, done: Check, why: str, again: list[str]) -> Flow[list[str]]:
    """Which dice are rolled again, and by which rules: a few of the misses, all of them, or the ones."""
    row = pool.mode.row
    missed = done.missed
    ones = [index for index in missed if done.throw.values[index] == 1]
    barred = never_rerolled(pool.mode)
    cited = [barred] if barred is not None and missed and (again or row.has("vb")) else []
    if row.has("vb"):
        which, rules = ones, ["sof.weapon-rules.vb"]
    elif barred is not None:
        return cited
    elif row.has("quick-firing"):
        which, rules = missed, ["sof.weapon-rules.quick-firing"]
    else:
        which = missed[: len(again)]
        rules = again[: len(which)]
        del again[: len(which)]
    if not which:
        return cited
    yield from reroll(game, done, which, why)
    return [*cited, *dict.fromkeys(rules), *REROLL_RULES]


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
    halved = game.setup.options.blast_hit_the_dirt and target.hit_the_dirt
    throws: list[Throw] = []
    potential = 0
    for _ in range(score.hits):
        throw = yield from game.throw(score.pool.unit.side, effect.dice + abs(extra), "the blast")
        throws.append(throw)
        potential += blast_number(throw.values, effect, extra, halved)
    text = f"The blast may hit {label(target)} {several(potential, 'time')}."
    rules = ["sof.shooting.blast-per-success", "sof.weapon-charts.blast", rule, *small_dice(effect.sides, effect.dice)]
    rules += ["sof.charts.blast-hit-the-dirt"] if halved else []
    data = {"unit": score.pool.unit.id, "target": target.id, "potential": potential}
    game.tell("blast", text, *rules, seat=score.pool.unit.side, dice=throws, **data)  # type: ignore[arg-type]
    return (yield from negated(game, target, potential, "sof.shooting.blast-skill"))


def blast_number(values: Sequence[int], effect: Blast, extra: int, halved: bool) -> int:
    """How many one round might hit, by the dice that fell for it."""
    faces = sorted(small(die, effect.sides) for die in values)
    kept = faces[extra:] if extra > 0 else faces[:extra] if extra < 0 else faces
    number = sum(kept) + effect.more
    return -(-number // 2) if halved else number


def blast_dice(target: Unit) -> tuple[int, str]:
    """How many more dice a blast has, of which the lowest (or, if negative, the highest) is left out."""
    if target.formation in ("close", "linear"):
        return 1, "sof.shooting.blast-close"
    return (-1, "sof.shooting.blast-extended") if target.formation == "extended" else (0, "sof.shooting.blast-loose")


def negated(game: Battle, target: Unit, hits: int, *cited: str) -> Flow[int]:
    """The target's skill checks against so many hits; what is left of them."""
    done = yield from check(game, target.side, hits, SKILL[target.training], f"{label(target)} avoids hits")
    left = hits - done.passes
    text = f"{label(target)} avoids {done.passes} of {several(hits, 'hit')} on {done.needed}+."
    rules = (*cited, "sof.units.skill-check", *done.rules)
    data = {"needed": done.needed, "left": left}
    game.tell("avoids", text, *rules, seat=target.side, dice=done.throws, unit=target.id, **data)  # type: ignore[arg-type]
    return left


def shot_down(game: Battle, target: Unit, scores: Sequence[Score]) -> Flow[None]:
    """sof.weapon-rules.shotgun: each six of its shotguns cancels a thrown grenade, or bundle, that would have hit."""
    guns = [each for each in target.able if each.carries("shotgun")]
    flying = [each for each in scores if each.hits and in_hand(each.pool)]
    if not guns or not flying:
        return
    throw = yield from game.throw(target.side, len(guns), f"the shotguns of {label(target)}")
    cancelled = left = min(sum(each.hits for each in flying), throw.values.count(6))
    for score in flying:
        taken = min(left, score.hits)
        score.hits -= taken
        left -= taken
    text = f"The shotguns of {label(target)} cancel {several(cancelled, 'grenade')}."
    rule = "sof.weapon-rules.shotgun"
    game.tell("shot-down", text, rule, seat=target.side, dice=[throw], unit=target.id, cancelled=cancelled)


def in_hand(pool: Pool) -> bool:
    return thrown(pool.mode) or pool.mode.row.has("grenade-bundle")


def premature(game: Battle, score: Score) -> Flow[None]:
    """sof.grenades.improvised-premature: each natural 1 with an improvised grenade is a hit on its own unit."""
    unit = score.pool.unit
    if unit.id not in game.state.units:
        return
    text = f"{several(score.ones, 'improvised grenade')} of {label(unit)} go off early."
    rules = ("sof.grenades.improvised-premature", "sof.grenades.improvised-own-hits")
    game.tell("premature", text, *rules, seat=unit.side, unit=unit.id, hits=score.ones)
    own = Score(score.pool, (yield from negated(game, unit, score.ones, "sof.grenades.improvised-own-hits")))
    yield from suppress(game, unit, [own])
    if own.hits and unit.id in game.state.units:
        yield from lethality(game, unit, own, Status())


def near_by(game: Battle, target: Unit) -> list[Unit]:
    """The other units, of either side, within 6 inches of a target; none that lies in ambush (ambush-immune)."""
    others = [each for each in game.state.units.values() if each is not target and each.placed and not each.ambush]
    return [each for each in others if within_inches(gap(game, target, each), SALVO)]


def salvo(game: Battle, pool: Pool, units: Sequence[Unit]) -> Flow[None]:
    """sof.weapon-rules.salvo: whoever is near the target takes d3 hits that nothing avoids, friends too."""
    for unit in units:
        if unit.id in game.state.units:
            throw = yield from game.throw(pool.unit.side, 1, f"the salvo at {label(unit)}")
            score = Score(pool, d3(throw.value))
            text = f"The salvo hits {label(unit)} too, {several(score.hits, 'time')}."
            data = {"unit": pool.unit.id, "target": unit.id, "hits": score.hits}
            game.tell("salvo", text, "sof.weapon-rules.salvo", seat=pool.unit.side, dice=[throw], **data)  # type: ignore[arg-type]
            status = status_of(game, unit, pool.firers, pool.moving)
            yield from suppress(game, unit, [score])
            if unit.id in game.state.units:
                yield from lethality(game, unit, score, status)


SALVO = 6.0
"""sof.weapon-rules.salvo"""

EMPTY = 1
"""sof.weapon-rules.flamethrower-fuel"""


def fuel(game: Battle, pool: Pool) -> Flow[None]:
    """sof.weapon-rules.flamethrower-fuel: after each use a one ends it, and the team leaves."""
    unit, figure = pool.unit, pool.firers[0].figure
    if unit.id not in game.state.units or figure.id not in unit.teams:
        return
    throw = yield from game.throw(unit.side, 1, f"the fuel of {label(unit)}")
    rule = "sof.weapon-rules.flamethrower-fuel"
    spent = throw.value == EMPTY
    text = f"The flamethrower of {label(unit)} {'is empty' if spent else 'has fuel left'}."
    game.tell("fuel", text, rule, seat=unit.side, dice=[throw], unit=unit.id, team=figure.id, spent=spent)
    if spent:
        yield from lose_figures(game, unit, [figure], "its fuel is spent", rule)


# Suppression.


def suppress(game: Battle, target: Unit, scores: Sequence[Score], closing: bool = False) -> Flow[None]:
    """sof.shooting.suppression-per-three: on the total of hits; whoever is forced to ground checks Tenacity.

    `closing`: by fire at a unit that assaults, which has turned it back then.
    """
    hits = sum(score.hits for score in scores)
    if not hits:
        return
    extra = any(score.hits and score.pool.mode.row.has("suppression") for score in scores)
    markers = markers_for(hits, extra)
    rules = ["sof.shooting.suppression-per-three"]
    if extra:
        rules += ["sof.shooting.suppression-weapon", "sof.weapon-rules.suppression"]
    target.suppression += markers
    rules += [rule for score in scores for rule in score.rules]
    text = f"{label(target)} takes {several(markers, 'suppression marker')} for {several(hits, 'hit')}."
    data = {"hits": hits, "markers": markers, "suppression": target.suppression}
    game.tell("suppressed", text, *rules, seat=target.side, unit=target.id, **data)  # type: ignore[arg-type]
    if target.suppression >= FORCED_TO_GROUND:
        cited = ("sof.shooting.forced-to-ground", "sof.morale.tenacity-shooting")
        yield from tenacity(game, target, *cited, turned_back=closing)


def markers_for(hits: int, extra: bool) -> int:
    """How many suppression markers some hits bring; one more if a weapon that suppresses made any of them."""
    return -(-hits // HITS_A_MARKER) + extra if hits else 0


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
    if ineffective(target):
        yield from lose_unit(game, target, *INEFFECTIVE)


def lethality(game: Battle, target: Unit, score: Score, status: Status) -> Flow[None]:
    """sof.shooting.lethality: one check for each hit; each that passes is a wound marker."""
    row = score.pool.mode.row
    done = yield from lethality_check(game, target, score.pool, score.hits, status)
    if not done.passes:
        return
    if row.has("sniper-rifle"):
        yield from picked_off(game, target, score.pool, done.passes, status)
    elif row.has("brutal"):
        yield from killed(game, target, done.passes)
    else:
        yield from wound(game, target, done.passes)


def lethality_check(game: Battle, target: Unit, pool: Pool, number: int, status: Status, *rules: str) -> Flow[Check]:
    row = pool.mode.row
    modifiers = lethality_modifiers(pool, target, status)
    why = f"lethality of {pool.mode.spoken}"
    done = yield from check(game, pool.unit.side, number, row.lethality, why, modifiers)
    text = f"{several(done.passes, 'wound')} of {several(number, 'hit')} on {label(target)}, on {done.needed}+."
    cited = [*rules, "sof.shooting.lethality", "sof.shooting.lethality-result", "sof.weapon-charts.leth", *done.rules]
    cited += [rule for special, rule in IGNORES_PROTECTION if status.protected and row.has(special)]
    game.tell(
        "lethality",
        text,
        *cited,
        seat=pool.unit.side,
        dice=done.throws,
        modifiers=modifiers,
        unit=pool.unit.id,
        target=target.id,
        hits=number,
        needed=done.needed,
        wounds=done.passes,
    )
    return done


def picked_off(game: Battle, target: Unit, pool: Pool, number: int, status: Status) -> Flow[None]:
    """sof.weapon-rules.sniper-picks: the firing player names who falls; a leader only if a second check succeeds."""
    rule = "sof.weapon-rules.sniper-picks"
    for _ in range(number):
        if target.id not in game.state.units:
            return
        choices = Choices(dict(target.teams), figure_option)
        words = f"Whom of {label(target)} does the sniper hit?"
        figure = yield from choose_one(
            pool.unit.side, "picked-off", words, choices, rules=(rule,), facts={"unit": target.id}, step="detail"
        )
        if figure.character:
            leader = "sof.weapon-rules.sniper-character"
            done = yield from lethality_check(game, target, pool, 1, status, leader)
            if not done.passes:
                continue
        yield from lose_figures(game, target, [figure], "a sniper", rule)


def killed(game: Battle, target: Unit, number: int) -> Flow[None]:
    """sof.weapon-rules.brutal: models are removed at once, without a wound marker."""
    rule = "sof.weapon-rules.brutal"
    figures = list(target.teams.values())
    if sum(figure.cost for figure in figures) <= number:
        yield from lose_unit(game, target, "nobody is left", rule)
        return
    words = f"{label(target)} loses {several(number, 'wound')} at once. Who falls?"
    yield from lose_wounds(game, target, number, figures, "fallen", words, "a brutal weapon", rule)


def wound(game: Battle, target: Unit, number: int) -> Flow[None]:
    """So many wound markers: each disables a model, a character only the second; too many, and the unit is removed."""
    if ineffective(target, number):
        yield from lose_unit(game, target, *INEFFECTIVE)
        return
    costs = {each.id: each.left + each.borne - each.wounds for each in target.able}
    rules = ("sof.shooting.wound-disables", "sof.shooting.wound-character", "sof.shooting.wound-until-triage")
    words = f"Who of {label(target)} takes {several(number, 'wound')}?"
    chosen = yield from choose_figures(game, target, number, costs, "wounded", words, rules[0], rules[0])
    left = number
    for figure in chosen:
        figure.wounds += costs[figure.id]
        left -= costs[figure.id]
    if left:
        # It disables one of those who share a base; else nobody: it lies on a leader who stands, or on one who is down.
        shared = [each for each in target.able if each.left > 1]
        others = shared or target.able or list(target.teams.values())
        others[0].wounds += left
    text = f"{label(target)} has {several(target.wounds, 'wound marker')}."
    down = [each.id for each in target.teams.values() if each.disabled]
    game.tell("wounded", text, *rules, seat=target.side, unit=target.id, wounds=target.wounds, disabled=down)
