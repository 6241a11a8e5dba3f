"""Counting the steps of a call, so that its cost can be judged without a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def count_steps(work: Callable[[], object]) -> int:
    """Return how many functions are called in the course of a call, those written in C included.

    A pattern's own backtracking is no step: the bound that guards keep on repeats is for their own tests.
    """
    steps = 0

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal steps
        if event in ("call", "c_call"):
            steps += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return steps
