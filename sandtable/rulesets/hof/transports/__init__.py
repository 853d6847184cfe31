"""Transports: loading, unloading, the rear, bailing out (`transports`); seats and setting down (`setting_down`)."""

from sandtable.rulesets.hof.morale import WHEN_LOST
from sandtable.rulesets.hof.morale import odds as morale_odds
from sandtable.rulesets.hof.transports import transports
from sandtable.rulesets.hof.transports.setting_down import choose_seats

WHEN_LOST.join(transports.when_lost)
morale_odds.ALSO_LOST.join(transports.bailed_out)
