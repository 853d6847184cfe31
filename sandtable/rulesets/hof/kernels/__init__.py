"""Compiled forms of what this game asks again and again, each beside the function that says what it computes.

ground_sight   who sees whom past smoke, hills and thick hedges; bases set down
concealment    what half hides a base from another
fire           who can fire at whom, and what each aims at
ways           whom bases meet on their ways, and how near to terrain they come
places         where bases have room, far from eyes or hidden from them
near           what is near of all bases on a table
"""
