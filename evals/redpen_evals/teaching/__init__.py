"""Teaching the claims detector with a team's own labelled edits."""
