"""Words that say how many are hit without a number."""
