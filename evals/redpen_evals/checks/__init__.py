"""What decides whether a run met its expectation.

Nothing here imports the gateway or the guards: the judge does not ask the judged.
"""
