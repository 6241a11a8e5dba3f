"""Calls of a model, read from their HTTP traffic: what was asked, what was answered, which tools it wants."""
