"""What players may know, how a battle is drawn, and what a page shows beside the picture."""

from sandtable.rulesets.tr14.page.display import DISPLAY
from sandtable.rulesets.tr14.page.views import guards, invariants, scene, score, summary, view, worth
from sandtable.rulesets.tr14.page.words import PAGE

__all__ = ["DISPLAY", "PAGE", "guards", "invariants", "scene", "score", "summary", "view", "worth"]
