"""What players may know, how a battle is drawn, and what a page shows beside the picture."""

from sandtable.rulesets.tr14.page.display import DISPLAY
from sandtable.rulesets.tr14.page.views import (
    guards,
    imagine,
    invariants,
    result,
    scene,
    summary,
    turn,
    view,
    worth,
)

__all__ = ["DISPLAY", "guards", "imagine", "invariants", "result", "scene", "summary", "turn", "view", "worth"]
