"""Whom a Fire order may name, and why not another; and whom its hits may be dealt to."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choices, Choose, LaterDict, Option, Refusal, Why, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.sightlines import why_hidden
from sandtable.rulesets.hof.core.acts import Activation, Order
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import PAGE, full_name, label, team_label
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Team, Unit, teams_of
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.firing.fire_lines import SPILL, FireTable, Marks, enemies_of, kept_table
from sandtable.rulesets.hof.firing.vehicles import armor, is_flank
from sandtable.rulesets.hof.firing.weapons import direct_weapons, weapons_of, withheld
from sandtable.rulesets.hof.kernels import concealing
from sandtable.rulesets.hof.terrain import CONCEALED
from sandtable.table import distance as measure

NO_FIRE, INSTEAD = PAGE.names["no-fire"], PAGE.names["instead-of-fire"]
"""What is said of a Team that may not fire, by what keeps it from that, and what would be right."""


def able_to_fire(game: Battle, act: Activation, members: Sequence[Member]) -> set[str]:
    """Those of some Teams who may be ordered to fire at somebody; the activation keeps the table of their fire.

    A Team may join the others against armor that it cannot hurt itself, but not fire at it alone.
    """
    table = act.table = FireTable(game, act.side, members, leader=act.leader)
    if table.idle:
        return set()
    return {team.id for (_, team), may in zip(table.members, table.able, strict=True) if may}


def who_may_fire(game: Battle, side: str, members: Sequence[Member], target: Member) -> list[str]:
    """Those of some Teams who, each alone, may be ordered to fire at one enemy Team."""
    table = FireTable(game, side, members, targets=[target])
    if table.idle:
        return []
    return [team.id for (_, team), useful in zip(table.members, table.gain[:-1, 0].tolist(), strict=True) if useful]


def why_no_target(game: Battle, unit: Unit, team: Team) -> Refusal:
    """Why a Team cannot be given a Fire order: what keeps it from the nearest enemy."""
    if not weapons_of(game, unit, team):
        return why_unarmed(game, (unit, team), team.id)
    enemies = enemies_of(game, unit.side)
    place = standpoint(game, team)
    if not enemies or place is None:
        return illegal("hof.firing.los-requirement", f"{team_label(unit, team)} has nobody to fire at.", field=team.id)
    here = board(game)
    gaps = measure.distances(here.of([place]), here.of([standpoint(game, enemy) or enemy for _, enemy in enemies]))
    return why_no_fire(game, unit.side, (unit, team), enemies[int(gaps[0].argmin())], team.id)


def table_of(game: Battle, act: Activation, members: Sequence[Member]) -> FireTable:
    """What some Teams of an activation can fire at now."""
    kept = kept_table(game, act)
    if kept is not None:
        return kept.only(members)
    return FireTable(game, act.side, members, leader=act.leader)


def worthy_targets(game: Battle, act: Activation, members: Sequence[Member]) -> list[str]:
    """The enemy Teams that a Fire order to some Teams might name."""
    table = table_of(game, act, members)
    return (
        [] if table.idle else [team.id for (_, team), worthy in zip(table.targets, table.worthy, strict=True) if worthy]
    )


def may_split(game: Battle, act: Activation, one: Sequence[Member], two: Sequence[Member]) -> bool:
    """hof.activation.split-combinations: whether two Fire orders could name two targets."""
    first, second = worthy_targets(game, act, one), worthy_targets(game, act, two)
    return first != second or len(first) != 1


def spoken_for(game: Battle, act: Activation, order: Order) -> list[str]:
    """hof.activation.split-combinations: what the other Fire order names, or the only target that it could."""
    taken: list[str] = []
    for each in act.orders:
        if each is not order and each.kind == "fire":
            left = [each.target] if each.target else worthy_targets(game, act, each.members)
            taken += left if len(left) == 1 else []
    return taken


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    """hof.firing.single-target: one enemy Team for the whole order, the most promising offered first."""
    table = table_of(game, act, order.members)
    if table.idle:
        return
    taken = spoken_for(game, act, order) if len(act.orders) > 1 else []
    worthy = table.worthy
    names = [table.targets[number][1].id for number, may in enumerate(worthy) if may]
    names = [name for name in names if name not in taken] if taken else names
    if not names:
        return
    order.target = names[0]
    if len(names) > 1:
        numbers = LaterDict(lambda: {team.id: number for number, (_, team) in enumerate(table.targets)})

        def why_not(member: Member) -> Why:
            unit, team = member
            if unit.side == act.side:
                return illegal("hof.firing.single-target", f"{team_label(unit, team)} is a friend.", field=team.id)
            if team.id in taken:
                message = f"{team_label(unit, team)} is the target of the other Fire order."
                legal = "Two Fire orders name two targets."
                return illegal("hof.activation.split-combinations", message, field=team.id, legal=legal)
            if worthy[numbers[team.id]]:
                return None
            return lambda: why_no_fire(game, act.side, order.members[0], member, team.id, act.leader)

        # Nothing tells a hidden enemy's name from a wrong one: only whoever is on the table looks like a target.
        choices = Choices(
            LaterDict(lambda: {team.id: (unit, team) for unit, team in [*table.targets, *friends(game, act.side)]}),
            lambda member: target_option(table, numbers[member[1].id]),
            why_not,
            quick=lambda: names,
            hint=lambda member: -promise(act, table, numbers[member[1].id]),
        )
        rules = ("hof.firing.single-target", "hof.firing.los-requirement", "hof.activation.declare-specifics")
        facts = {"unit": act.unit.id, "order": order.name}
        words = f"At whom does {label(act.unit)} fire?"
        question = Choose("target", words, choices, rules=rules, facts=facts, step="whom", about=(act, order))
        order.target = yield Ask(act.side, question)


def friends(game: Battle, side: str) -> list[Member]:
    return [member for member in teams_of(game.state, side) if standpoint(game, member[1]) is not None]


def target_option(table: FireTable, number: int) -> Option:
    unit, team = table.targets[number]
    nearest = measure.distances(table.rows, table.target_rows[number : number + 1]).min()
    return Option(team.id, f"{full_name(unit, team)}, {several(round(nearest), 'inch', 'inches')}", pieces=(team.id,))


def promise(act: Activation, table: FireTable, number: int) -> float:
    """How much fire at a target promises: dice, range, armor. A hint: only the order of choices hangs on it."""
    team = table.targets[number][1]
    kind = team.kind
    worth = 0.0
    for row, able in enumerate(table.can[:, number].tolist()):
        if not able:
            continue
        gap = table.gap[row, table.aim[row, number]]
        weapons = table.weapons[row]
        main = weapons[0]
        chances = (2 if gap > main.range else 3) - int(table.unseen[row, number])
        if not kind.armored:
            worth += chances * (main.rof * min(main.fp, 2) + len(weapons) - 1)
        elif main.at is not None:
            over = main.at - armor(team, is_flank(table.game, table.rows[row], team))
            worth += chances * main.rof * (1.5 + over if over > 0 else 0.3 * (main.at > -over))
    if act.unit.id in team.hit_by and act.paid != "hero":
        worth *= 0.2
    if kind.small:
        worth *= 0.6
    return worth * (0.9 if team.rfps else 1.0)


# Why not.


def why_unarmed(game: Battle, member: Member, field: str) -> Refusal:
    """Why a Team has nothing to fire with; `field` is the part of the answer that is wrong."""
    unit, team = member
    for weapon in direct_weapons(team.profile, game.setup.options.flame):
        rule = withheld(game, unit, team, weapon)
        if rule:
            return illegal(rule, f"{team_label(unit, team)} may not fire its {weapon.name} now.", field=field)
    # No weapon, no Rate of Fire.
    return illegal("hof.firing.fire-dice", f"{team_label(unit, team)} has nothing to fire directly with.", field=field)


def why_unseen(here: Board, row: Rows, target: Rows) -> str:
    """The rule that hides a target: the kind of terrain without which it would be seen."""
    ground = here.ground
    table = ground.table
    veil = concealing.veil(ground.terrain, table.veils, table.thick, row, target, TOUCH)
    if ((veil & concealing.NARROWED) != 0).any():
        return "hof.terrain.thick-bocage-arc"
    kinds = (
        ("hof.artillery.smoke-los", table.smoke),
        ("hof.terrain.tall-linear-blocks", table.line),
        ("hof.terrain.area-sight", table.area),
    )
    return why_hidden(ground.terrain, ground.opacity, row, target, kinds, TOUCH) or "hof.terrain.line-of-sight"


def why_no_fire(
    game: Battle, side: str, member: Member, target: Member, field: str, leader: Team | None = None
) -> Refusal:
    """Why a Team may not fire at an enemy, by the first rule that stands in its way.

    `field` is the part of the answer that is wrong.
    """
    enemy = target[1]
    table = FireTable(game, side, [member], leader=leader)
    if not table.members:
        return why_unarmed(game, member, field)
    number = next(n for n, (_, each) in enumerate(table.targets) if each is enemy)
    who, whom = team_label(*member), team_label(*target)
    if table.can[0, number]:
        message = f"nothing that {who} fires does anything to {whom}."
        return illegal("hof.vehicles.only-at-affects-armor", message, field=field)
    rule = table.hindrance(0, number)
    if rule == "hof.firing.los-requirement":
        rule = why_unseen(board(game), table.rows, table.stand(number))
    gap = measure.distances(table.rows, table.target_rows)[0, number]
    known = rule if rule in NO_FIRE else ""
    told = {"who": who, "whom": whom, "gap": gap, "reach": table.firing[0, 2], "spill": SPILL}
    message, legal = NO_FIRE[known].format(**told), INSTEAD.get(known, "").format(**told)
    return illegal(rule, message, field=field, legal=legal)


# Who may be hit.


def takers(act: Activation, table: FireTable, reach: dict[int, float], marks: Marks) -> tuple[list[int], list[str]]:
    """Who may be dealt hits: the target, seen or not, and Teams within 4 inches of it in sight and range of some Team
    that fires. And the rules that had a say.
    """
    found: list[int] = []
    rules: list[str] = []
    sees, gaps = table.sees.tolist(), table.gap.tolist()
    for number, (unit, team) in enumerate(table.targets):
        seen = [row for row, far in reach.items() if sees[row][number] and measure.within(gaps[row][number], far)]
        if number and not seen:
            continue
        if act.unit.id in team.hit_by and team.id not in act.hit:
            # Hit by an earlier activation of this Unit; Hero Points lift that.
            if act.paid != "hero":
                rules.append("hof.firing.no-second-dose")
                continue
            rules.append("hof.firing.hero-fire-lifts-limit")
        if team.role == "fo" and not table.near_enemy(number) and all(marks[row][number] & CONCEALED for row in seen):
            rules.append("hof.artillery.fo-targeting")
            continue
        found.append(number)
        if unit.id != table.targets[0][0].id:
            rules.append("hof.firing.spill-crosses-units")
    return found, rules
