"""Read quantifiers: words that say how many are affected without a number."""
