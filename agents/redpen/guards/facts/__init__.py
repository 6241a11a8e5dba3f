"""The facts of a text, typed, and whether they are allowed."""
