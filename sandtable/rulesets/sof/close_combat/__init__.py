"""Close combat: assault moves, closing fire, rounds of blows, breaking off and consolidation."""

from sandtable.rulesets.sof.close_combat.assault import assault, why_no_assault
