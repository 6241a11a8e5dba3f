"""Fitting of what the features of a clause weigh, on labelled edits; for those who work on the guards."""
