"""Fuzzing: generated texts, contexts and plans, the verdicts that they must get, and machines that attack.

Nothing here imports hypothesis before a module that needs it is asked for.
"""
