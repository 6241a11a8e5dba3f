"""Outcomes of scenarios, and the exit codes of the command and of pytest with the plugin."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple, get_args

Outcome = Literal["passed", "failed", "stale", "errored"]
"""``failed``: the agent did not meet its expectation. ``stale``: the recording does not match the requests
any more. ``errored``: an error in harness, cassette or scenario."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 2
EXIT_NOTHING: Final = 5
EXIT_ERRORED: Final = 10
"""An error in harness, cassette or scenario: no verdict on the agent."""
EXIT_STALE: Final = 11
"""Recordings are stale: no verdict on the agent until they are made again."""


def exit_code(
    pytest_code: int,
    outcomes: Collection[Outcome],
    *,
    other_failures: bool,
    regressed: int,
    fail_on: str,
    gone: int = 0,
) -> int:
    """Return the exit code of a session.

    Args:
        pytest_code: pytest's own exit code.
        outcomes: outcomes of the scenarios that ran.
        other_failures: whether a test failed that is not a scenario, or outside of its run.
        regressed: number of scenarios that pass in the baseline and failed in this run.
        fail_on: ``failed``, ``regressed``, or ``gone`` for failed and gone.
        gone: number of scenarios and tests with accepted outcomes that no longer exist.

    Returns:
        1 if something failed or regressed, else 10 if something errored, else 11 if something is stale;
        pytest's own code for anything else (interrupted, usage, internal error, nothing collected).
    """
    if pytest_code not in {EXIT_OK, EXIT_FAILED}:
        return pytest_code
    failed = regressed > 0 if fail_on == "regressed" else "failed" in outcomes
    if other_failures or failed or (fail_on == "gone" and gone > 0):
        return EXIT_FAILED
    if "errored" in outcomes:
        return EXIT_ERRORED
    return EXIT_STALE if "stale" in outcomes else EXIT_OK


class ExitCode(NamedTuple):
    """One exit code.

    Attributes:
        code: the number.
        command: its meaning for ``redpen``; empty if the command does not use it.
        plugin: its meaning for ``pytest``; empty if pytest does not use it.
    """

    code: int
    command: str
    plugin: str


EXIT_CODES: Final = (
    ExitCode(0, "done, and nothing was found", "all passed"),
    ExitCode(
        1,
        "done, and something was found: faults, violations, a regression, a run that stopped",
        "something failed or regressed: the agent got worse",
    ),
    ExitCode(
        2,
        "an option, setting or file that cannot be used, or one that holds nothing to judge",
        "interrupted (pytest's own)",
    ),
    ExitCode(3, "", "internal error (pytest's own)"),
    ExitCode(4, "", "usage: an option, setting or file that cannot be used (pytest's own)"),
    ExitCode(5, "", "no test was collected (pytest's own)"),
    ExitCode(6, "", "more warnings than --max-warnings (pytest's own, of newer releases)"),
    ExitCode(
        10,
        "fuzz: nothing could be tried, so there is no verdict on the guard",
        "scenario, cassette or harness is broken, a gate is missing, or nothing was tested: no verdict",
    ),
    ExitCode(
        11,
        "fuzz: model calls of the guard are not recorded: no verdict; review, resume: what a run was started "
        "with has changed",
        "recordings are stale or missing: no verdict",
    ),
)
"""Sorted by number; the help of each command lists those that it uses."""
