"""Assaults: the charge, close combat, and breaking off."""
