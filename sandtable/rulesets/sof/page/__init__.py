"""What players are shown: the view, the picture, and what a position is worth."""

from sandtable.rulesets.sof.page.views import DISPLAY, invariants, scene, score, summary, view, worth

__all__ = ["DISPLAY", "invariants", "scene", "score", "summary", "view", "worth"]
