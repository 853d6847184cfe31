"""The battle round the rules, which is ours: deployment, objectives and an end."""

from sandtable.rulesets.tr14.battle.deploying import ACROSS, deployment
from sandtable.rulesets.tr14.battle.objectives import end_of_round, points_held
