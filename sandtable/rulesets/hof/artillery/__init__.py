"""Artillery: `batteries` and their observers, fire `missions`, `barrages` and smoke."""

from sandtable.rulesets.hof.artillery import missions
from sandtable.rulesets.hof.core.acts import WHEN_ACTED

WHEN_ACTED.join(missions.after_activation)
