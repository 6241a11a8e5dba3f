"""Pure functions on text: hashes, similarity, phrases, quotations, tokens and reading views."""
