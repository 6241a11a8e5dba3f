"""Training of the claims detector on labelled edits: for those who work on the guards, or teach them."""
