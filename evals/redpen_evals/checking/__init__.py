"""Judging texts from the command line: one text explained, or one verdict a line."""
