"""What people see and choose: `views`, `display`, `lookout`, `outcomes` and `options`."""

from sandtable.rulesets.hof.page.display import DISPLAY
from sandtable.rulesets.hof.page.options import MUSTER, switched
from sandtable.rulesets.hof.page.words import PAGE

__all__ = ["DISPLAY", "MUSTER", "PAGE", "switched"]
