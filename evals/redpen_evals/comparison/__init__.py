"""Comparison of runs, of variants, or of a run with its baseline."""
