"""Judges in the scorecard: called on labelled drafts, recorded, replayed, and compared with their gate."""
