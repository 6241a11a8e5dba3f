"""Checks that decide whether a run met its expectation.

Nothing here imports the gateway or the guards: the checks must not depend on the code under test.
"""
