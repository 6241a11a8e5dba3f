"""Stale recordings: the changes that made them stale, and the cost to record them again."""
