"""What people see and choose: `views`, `display`, `lookout` and `outcomes`; and what a position is worth."""

from sandtable.rulesets.hof.core.labels import PAGE
from sandtable.rulesets.hof.page.display import DISPLAY
from sandtable.rulesets.hof.page.worth import WORTH
