"""What people see and choose: `views`, `display`, `lookout`, `outcomes` and `options`; and what a position is worth."""

from sandtable.rulesets.hof.page.display import DISPLAY
from sandtable.rulesets.hof.page.options import MUSTER, switched
from sandtable.rulesets.hof.page.views import PAGE
from sandtable.rulesets.hof.page.worth import WORTH
