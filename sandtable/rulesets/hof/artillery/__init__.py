"""Artillery: `batteries` and their observers, fire `missions`, `barrages` and smoke."""

from sandtable.rulesets.hof.artillery import missions
from sandtable.rulesets.hof.artillery.barrages import (
    LEAST_GUNS,
    MOST_ARMOR,
    deviate,
    guns_of,
    mortars_fire,
    radius_of,
    rfps_of,
    shower,
    tell,
)
from sandtable.rulesets.hof.core.acts import WHEN_ACTED

WHEN_ACTED.join(missions.after_activation)
