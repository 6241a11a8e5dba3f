"""Adapters for users' own guards: calls by parameter names, verdicts in one form."""
