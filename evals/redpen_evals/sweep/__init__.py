"""Judging years of texts: many files, all cores or a cluster, resumable, two versions side by side."""
