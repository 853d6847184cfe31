"""What people see and choose: `views`, `display`, `lookout`, `outcomes` and `options`."""

from sandtable.rulesets.hof.page.display import DISPLAY
from sandtable.rulesets.hof.page.options import HABITS, MUSTER, SWITCHES, switched

__all__ = ["DISPLAY", "HABITS", "MUSTER", "SWITCHES", "switched"]
