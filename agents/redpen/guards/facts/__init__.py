"""Read the typed facts of a text and decide whether they are allowed."""
