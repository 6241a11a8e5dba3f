"""Training the claims detector on a team's own labelled edits."""
