"""Property-based tests of guards: generated texts and contexts with the verdicts that they must get.

Importing the package does not import hypothesis.
"""
