"""Compiled forms of what this game asks again and again, each beside the function that says what it computes.

fire      who could fire at which group of bases, and all that a volley rests on
marches   units shifted together, kept together, and looked at on their way
"""
