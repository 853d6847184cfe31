"""Transports: loading, unloading, the rear, bailing out (`transports`), and `setting_down` whoever gets out."""

from sandtable.rulesets.hof.morale import WHEN_LOST
from sandtable.rulesets.hof.transports import transports

WHEN_LOST.join(transports.when_lost)
