"""Who may be dealt which hits of a Fire order, in what turn, and who chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, decide
from sandtable.engine.questions import Assign, Choose, ChooseSome, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.labels import team_label, team_name, team_option
from sandtable.rulesets.hof.core.state import Team, Unit, other
from sandtable.rulesets.hof.firing.fire_lines import FireTable, Marks
from sandtable.rulesets.hof.firing.vehicles import armor, ineffective, is_flank
from sandtable.rulesets.hof.firing.weapons import is_flame
from sandtable.rulesets.hof.kernels import concealing

Effect = tuple[object, ...]

DEMAND = Option("yes", "The less protected Teams are hit first")
LEAVE = Option("no", "As the enemy likes")


@dataclass(slots=True, eq=False)
class Hit:
    """One success: who scored it (his number in the table), and with what."""

    row: int
    weapon: Weapon


@dataclass(slots=True, eq=False)
class Share:
    """A Team that may be dealt hits, and those it has been dealt. `number` is its place in the table."""

    number: int
    unit: Unit
    team: Team
    protected: int = 0
    """How well it is protected: by Hard Cover, or by the armor towards those who fire."""
    hits: list[Hit] = field(default_factory=list)
    armored: bool = field(init=False)
    vehicle: bool = field(init=False)
    small: bool = field(init=False)

    def __post_init__(self) -> None:
        kind = self.team.kind
        self.armored, self.vehicle, self.small = kind.armored, kind.vehicle, kind.small


class Deal:
    """The hits of one Fire order on their way to the Teams that may take them."""

    def __init__(
        self, act: Activation, table: FireTable, marks: Marks, takers: tuple[list[int], list[str]], hits: Sequence[Hit]
    ) -> None:
        """`takers` are the numbers of those who may be dealt hits, and the rules that say so."""
        self.game = table.game
        self.act = act
        self.table = table
        self.marks = marks
        self.attacked = other(act.side)
        numbers, rules = takers
        self.rules = [*rules]
        self.demand: bool | None = None
        self.flanks: dict[tuple[int, int], bool] = {}
        self.shares = [Share(number, *table.targets[number]) for number in numbers]
        soft = False in [share.armored for share in self.shares]
        self.pool = [hit for hit in hits if soft or (self.shares and self.pierces(hit))]
        self.lost = len(hits) - len(self.pool)
        if self.lost and self.shares:
            self.rules.append("hof.firing.small-arms-unarmored-only")

    def deal(self) -> Flow[None]:
        """All hits are dealt out, as far as somebody may take them: the target's first."""
        if self.pool:
            yield from self.target_first()
        if self.pool:
            if len(self.shares) > 1:
                self.rank()
            to_armor, rest = yield from self.split()
            yield from self.spread(to_armor, [share for share in self.shares if share.armored])
            yield from self.spread(rest, [share for share in self.shares if not share.armored])

    # Who may be hit.

    def flame(self, hit: Hit) -> bool:
        return is_flame(self.game, hit.weapon)

    def pierces(self, hit: Hit) -> bool:
        """Whether a hit may go to armored Teams."""
        return hit.weapon.at is not None or self.flame(hit)

    def suits(self, hit: Hit, share: Share) -> bool:
        """hof.firing.small-arms-unarmored-only: whether a kind of Team may be dealt a kind of hit."""
        return not share.armored or self.pierces(hit)

    def takes(self, hit: Hit, share: Share) -> bool:
        """hof.firing.one-hit-per-order, hof.optional.flame-fire: whether it may be dealt this hit now."""
        if not self.suits(hit, share) or (share.hits and not share.vehicle):
            return False
        return not (self.flame(hit) and any(self.flame(each) for each in share.hits))

    def flank(self, row: int, share: Share) -> bool:
        key = (row, share.number)
        if key not in self.flanks:
            self.flanks[key] = is_flank(self.game, self.table.rows[row], self.table.target_bodies[share.number])
        return self.flanks[key]

    def across(self, hit: Hit, share: Share) -> bool:
        return bool(self.marks[hit.row][share.number] & concealing.SHELTER)

    def effect(self, hit: Hit, share: Share) -> Effect:
        """What a hit would mean to a Team, so that hits which mean the same need not be told apart."""
        weapon = hit.weapon
        if self.flame(hit):
            return ("flame",)
        if not share.vehicle:
            return (weapon.fp, self.across(hit, share), self.blast(hit, share))
        if not weapon.at and not share.armored:
            return (weapon.fp,)
        return (weapon.at, armor(share.team, self.flank(hit.row, share)), weapon.fp, "rfps-only" in weapon.keywords)

    def blast(self, hit: Hit, share: Share) -> int | None:
        """hof.special-rules.bunker-buster: what tells such a hit from others; also whose it is, at a Vehicle."""
        if "bunker-buster" not in hit.weapon.keywords:
            return None
        if share.team.role == "bunker":
            return hit.weapon.at
        return hit.row if self.table.targets[0][1].kind.vehicle else -1

    def sort(self, hits: Sequence[Hit], shares: Sequence[Share]) -> list[list[Hit]]:
        """Hits by kind: those of one kind mean the same to every Team that might take them."""
        kinds: dict[object, list[Hit]] = {}
        for hit in hits:
            key = tuple(self.effect(hit, share) if self.suits(hit, share) else None for share in shares)
            kinds.setdefault(key, []).append(hit)
        return list(kinds.values())

    def give(self, hit: Hit, share: Share) -> None:
        self.pool.remove(hit)
        share.hits.append(hit)

    # The first hit.

    def target_first(self) -> Flow[None]:
        """hof.firing.target-hit-first, unless the target may not take it or is a Small Team among others."""
        target = next((share for share in self.shares if share.number == 0), None)
        if target is None:
            return
        if target.small and any(self.takes(hit, s) for s in self.shares if not s.small for hit in self.pool):
            self.rules.append("hof.firing.small-teams-last")
            return
        fitting = [hit for hit in self.pool if self.takes(hit, target)]
        if len(fitting) < len(self.pool):
            self.rules.append("hof.firing.small-arms-unarmored-only")
        if not fitting:
            return
        self.rules.append("hof.firing.target-hit-first")
        kinds = self.sort(fitting, self.shares)
        kind = kinds[0]
        if len(kinds) > 1 and (len(self.shares) > 1 or not target.vehicle):
            options = [Option(str(n), self.words(hits[0], target)) for n, hits in enumerate(kinds)]
            options.sort(key=lambda option: self.harm(kinds[int(option.id)][0], target))
            rules = ("hof.firing.target-hit-first", "hof.firing.one-hit-per-order")
            words = f"Which hit does {team_label(target.unit, target.team)} take?"
            answer = yield Ask(self.attacked, Choose("which-hit", words, options, rules=rules, step="reply"))
            kind = kinds[int(answer)]
        self.give(kind[0], target)

    def words(self, hit: Hit, share: Share) -> str:
        weapon = hit.weapon
        at = "" if weapon.at is None else f", AT {weapon.at}"
        way = ", across the obstacle" if self.across(hit, share) else ""
        return f"{weapon.name} of {team_name(self.table.members[hit.row][1])}{at}, FP {weapon.fp}{way}"

    def harm(self, hit: Hit, share: Share) -> float:
        """How bad a hit is for a Team: what its owner would rather not take."""
        weapon = hit.weapon
        if not share.vehicle or self.flame(hit):
            return weapon.fp + (0.0 if self.across(hit, share) else 0.5)
        ar = armor(share.team, self.flank(hit.row, share))
        at = weapon.at or 0
        return weapon.fp * (0.1 if ineffective(at, ar) else 0.5 if at <= ar else 1.0 + at - ar)

    # The firing player's rights.

    def split(self) -> Flow[tuple[list[Hit], list[Hit]]]:
        """hof.firing.at-hits-split-by-firer: the hits for armored Teams, and those for the others."""
        hard = [share for share in self.shares if share.armored]
        soft = [share for share in self.shares if not share.armored]
        to_armor: list[Hit] = []
        piercing = [hit for hit in self.pool if self.pierces(hit)]
        spoken_for = len(self.pool) - len(piercing)
        for kind in self.sort(piercing, self.shares):
            for_hard = [hit for hit in kind if any(self.takes(hit, share) for share in hard)]
            if not any(self.takes(kind[0], share) for share in soft):
                to_armor += for_hard
            elif for_hard and any(self.matters(kind[0], share) for share in hard):
                least = self.before_small(kind, hard, soft, len(to_armor), spoken_for)
                count = len(kind) if least == len(kind) else (yield from self.ask_split(kind, hard, least))
                to_armor += kind[:count]
                spoken_for += len(kind) - count
        return to_armor, [hit for hit in self.pool if hit not in to_armor]

    def before_small(self, kind: list[Hit], hard: list[Share], soft: list[Share], armor_has: int, soft_has: int) -> int:
        """hof.firing.small-teams-last: how many hits armor must take before a Small Team may take one."""
        grown = [share for share in soft if not share.small]
        if len(grown) == len(soft):
            return 0
        room = max(0, sum(not share.hits for share in grown) - soft_has)
        unhit = max(0, sum(not share.hits and self.matters(kind[0], share) for share in hard) - armor_has)
        least = max(0, min(len(kind) - room, unhit))
        if least:
            self.rules.append("hof.firing.small-teams-last")
        return least

    def matters(self, hit: Hit, share: Share) -> bool:
        """Whether a hit does anything to an armored Team or to whoever rides on it."""
        if self.flame(hit) or riding.riders_on(self.game, share.team):
            return True
        return not ineffective(hit.weapon.at or 0, armor(share.team, self.flank(hit.row, share)))

    def ask_split(self, kind: list[Hit], hard: list[Share], least: int) -> Flow[int]:
        best = max(self.harm(kind[0], share) for share in hard) >= 1.0
        numbers = range(len(kind), least - 1, -1) if best else range(least, len(kind) + 1)
        options = [Option(str(number), f"{number} of {len(kind)} at armored Teams") for number in numbers]
        rule = "hof.firing.at-hits-split-by-firer"
        words = f"How many hits of the {kind[0].weapon.name} go to armored Teams?"
        facts = {"unit": self.act.unit.id, "hits": len(kind)}
        question = Choose("split-at-hits", words, options, rules=(rule,), facts=facts, step="detail")
        answer = yield Ask(self.act.side, question)
        self.rules.append(rule)
        return int(answer)

    def rank(self) -> None:
        """How well each Team is protected against those who hit: by Hard Cover, or by armor."""
        here = board(self.game)
        rows = sorted({hit.row for hit in self.pool})
        table = here.ground.table
        solid = table.hard & ~table.line
        bodies = [self.table.target_bodies[share.number] for share in self.shares]
        inside = here.ground.terrain.inside(here.where(bodies)) & solid
        for share, body, cover in zip(self.shares, bodies, np.asarray(inside.any(axis=1)).tolist(), strict=True):
            if share.armored:
                share.protected = min(armor(share.team, self.flank(row, share)) for row in rows)
            else:
                behind = not share.team.exposed and all(
                    self.marks[row][share.number] & concealing.SHELTER for row in rows
                )
                dug_in = share.team.dug_in or here.host(body).dug_in
                share.protected = int(dug_in or cover or behind)

    def vulnerable_first(self, shares: list[Share], count: int) -> Flow[list[Share]]:
        """hof.firing.vulnerable-first: the firing player may demand it; asked once, where it matters."""
        lowest = min(share.protected for share in shares)
        weaker = [share for share in shares if share.protected == lowest]
        if len(weaker) == len(shares) or count >= len(shares):
            return shares
        rule = "hof.firing.vulnerable-first"
        if self.demand is None:
            words = "Do you demand that the more vulnerable Teams are hit first?"
            self.demand = yield from decide(
                self.act.side, "vulnerable-first", words, DEMAND, LEAVE, rules=(rule,), step="detail"
            )
        if not self.demand:
            return shares
        self.rules.append(rule)
        return weaker

    # The attacked player's choice.

    def spread(self, hits: list[Hit], shares: list[Share]) -> Flow[None]:
        """hof.firing.spill-to-neighbours: one hit to each Team in turn, Small Teams last, Vehicles again after that.

        When all have been hit, a new round begins with the target.
        """
        while hits:
            fit = [share for share in shares if any(self.takes(hit, share) for hit in hits)]
            if not fit:
                break
            if len(fit) == 1 and fit[0].vehicle:
                self.heap(hits, fit[0])
                break
            fewest = min(len(share.hits) for share in fit)
            turn = [share for share in fit if len(share.hits) == fewest]
            if fewest and turn[0].number == 0:
                turn = turn[:1]
            grown = [share for share in turn if not share.small]
            if grown and len(grown) < len(turn):
                self.rules.append("hof.firing.small-teams-last")
            turn = yield from self.vulnerable_first(grown or turn, len(hits))
            chosen = yield from self.pick(hits, turn)
            for share, hit in chosen:
                hits.remove(hit)
                self.give(hit, share)
                if share.number:
                    self.rules.append("hof.firing.spill-to-neighbours")

    def heap(self, hits: list[Hit], share: Share) -> None:
        """The only Team left is a Vehicle: it takes whatever it may take."""
        for hit in hits:
            if self.takes(hit, share):
                self.give(hit, share)

    def pick(self, hits: list[Hit], turn: list[Share]) -> Flow[list[tuple[Share, Hit]]]:
        """Which of some Teams take a hit now, and which hit, as the attacked player chooses."""
        kinds = self.sort(hits, turn)
        if len(kinds) == 1:
            teams = turn
            if len(hits) < len(turn):
                teams = yield from self.ask_teams(turn, len(hits))
            return [(share, hit) for share, hit in zip(teams, hits, strict=False) if self.takes(hit, share)]
        return (yield from self.ask_kinds(kinds, turn, min(len(hits), len(turn))))

    def ask_teams(self, turn: list[Share], count: int) -> Flow[list[Share]]:
        by_worth = sorted(turn, key=lambda share: (-share.protected, share.team.rfps == 0, share.small))
        options = [team_option(share.unit, share.team) for share in by_worth]
        words = f"Which {'Team takes a hit' if count == 1 else f'{count} Teams take a hit each'}?"
        rules = ("hof.firing.spill-to-neighbours",)
        facts = {"target": self.table.targets[0][1].id, "alike": alike(turn)}
        question = ChooseSome("allocate", words, options, count, count, rules=rules, facts=facts, step="reply")
        answer = yield Ask(self.attacked, question)
        return [share for share in turn if share.team.id in answer]

    def ask_kinds(self, kinds: list[list[Hit]], turn: list[Share], count: int) -> Flow[list[tuple[Share, Hit]]]:
        """hof.firing.one-hit-per-order: with hits of several kinds the attacked player says who takes which."""
        items: dict[str, list[Option]] = {}
        for share in turn:
            fitting = [n for n, hits in enumerate(kinds) if self.takes(hits[0], share)]
            fitting.sort(key=lambda n: self.harm(kinds[n][0], share))
            items[share.team.id] = [Option(str(n), self.words(kinds[n][0], share)) for n in fitting]
        default = self.match(kinds, items)
        count = min(count, len(default))

        def legal(answer: dict[str, str]) -> Refusal | None:
            if len(answer) != count:
                message = f"hits for {several(len(answer), 'Team')}."
                return illegal("hof.firing.spill-to-neighbours", message, field="allocate", legal=f"Name {count}.")
            for number, hits in enumerate(kinds):
                if list(answer.values()).count(str(number)) > len(hits):
                    message = f"there is no more than {several(len(hits), 'hit')} of that kind."
                    return Refusal("illegal", message, field="allocate", legal=self.words(hits[0], turn[0]))
            return None

        def chance(random: Random) -> dict[str, str]:
            names = list(items)
            random.shuffle(names)
            found = self.match(kinds, {name: items[name] for name in names})
            return {name: found[name] for name in list(found)[:count]}

        first = {name: default[name] for name in list(default)[:count]}
        question = Assign(
            "allocate",
            f"Who takes which hit? One each for {several(count, 'Team')}.",
            items,
            rules=("hof.firing.spill-to-neighbours", "hof.firing.one-hit-per-order"),
            facts={"target": self.table.targets[0][1].id, "alike": alike(turn)},
            legal=legal,
            proposals=lambda most: [first],
            chance=chance,
            step="reply",
        )
        answer: dict[str, str] = yield Ask(self.attacked, question)
        left = [list(hits) for hits in kinds]
        return [(share, left[int(answer[share.team.id])].pop()) for share in turn if share.team.id in answer]

    @staticmethod
    def match(kinds: list[list[Hit]], items: dict[str, list[Option]]) -> dict[str, str]:
        """To each Team in turn the first of its options that is left."""
        left = {str(number): len(hits) for number, hits in enumerate(kinds)}
        found: dict[str, str] = {}
        for name, options in items.items():
            for option in options:
                if left[option.id]:
                    left[option.id] -= 1
                    found[name] = option.id
                    break
        return found


def alike(shares: Sequence[Share]) -> bool:
    """Whether it is all one which of some Teams is hit: the same kind, in the same state, equally protected."""
    states = {
        (share.unit.id, share.team.profile, share.team.role, share.protected, share.team.rfps, share.team.suppressed)
        for share in shares
    }
    return len(states) == 1
