"""Generated texts, contexts and plans, and the properties' own tools: what the guards must hold for all of them.

Nothing here imports hypothesis before a module that needs it is asked for.
"""
