"""Judges in the scorecard: asked about labelled drafts, recorded, replayed, held to their gate."""
