"""What a session comes to: its exit code."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from redpen_evals.outcome import Outcome

EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_NOTHING: Final = 5
EXIT_ERRORED: Final = 10
"""Harness, cassette or scenario is broken: no verdict on the agent."""
EXIT_STALE: Final = 11
"""Recordings do not fit any more: no verdict on the agent before they are made again."""


def exit_code(
    pytest_code: int, outcomes: Collection[Outcome], *, other_failures: bool, regressed: int, fail_on: str
) -> int:
    """Return the exit code of a session.

    Args:
        pytest_code: what pytest would exit with.
        outcomes: of the scenarios that ran.
        other_failures: whether a test failed that is no scenario, or outside of its run.
        regressed: how many scenarios the baseline has as passing and this run as failed.
        fail_on: ``failed`` or ``regressed``.

    Returns:
        1 where something failed or regressed, else 10 where something is broken, else 11 where something is
        stale; pytest's own code for all else (interrupted, usage, internal error, nothing collected).
    """
    if pytest_code not in {EXIT_OK, EXIT_FAILED}:
        return pytest_code
    failed = "failed" in outcomes if fail_on == "failed" else regressed > 0
    if other_failures or failed:
        return EXIT_FAILED
    if "errored" in outcomes:
        return EXIT_ERRORED
    return EXIT_STALE if "stale" in outcomes else EXIT_OK
