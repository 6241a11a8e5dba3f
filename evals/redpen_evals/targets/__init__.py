"""What a scenario can run: the built-in agents, and agents of somebody's own, each behind the same call."""
