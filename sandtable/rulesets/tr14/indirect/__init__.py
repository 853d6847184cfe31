"""Indirect fire: barrages, smoke, and those who observe for them."""

from sandtable.rulesets.tr14.indirect.batteries import close_obstacles, may_barrage
from sandtable.rulesets.tr14.indirect.odds import barrage_odds
from sandtable.rulesets.tr14.indirect.shells import barrage
from sandtable.rulesets.tr14.indirect.smoke import remove_smoke
