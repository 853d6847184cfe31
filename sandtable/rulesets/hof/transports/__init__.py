"""Transports: loading, unloading, the rear, and bailing out."""

from sandtable.rulesets.hof.morale.morale import WHEN_LOST
from sandtable.rulesets.hof.transports import transports

WHEN_LOST.join(transports.when_lost)
