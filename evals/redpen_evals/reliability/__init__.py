"""Campaigns of real faults (killed processes, full disks, hostile files) against Redpen itself, counted."""

from redpen_evals.reliability.tally import Tally

__all__ = ["Tally"]
