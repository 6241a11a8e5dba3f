"""Redpen's harness: scenarios, cassettes, verdicts and the pytest plugin."""
