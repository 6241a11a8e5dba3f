"""Campaigns of real faults (killed processes, full disks, hostile files) against Redpen itself, counted."""

from fault_campaigns.tally import Tally

__all__ = ["Tally"]
