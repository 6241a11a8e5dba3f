"""Pure functions on text: hashes, similarity, phrases, quotations, tokens and views without disguises."""
