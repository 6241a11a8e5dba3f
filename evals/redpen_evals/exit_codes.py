"""Outcomes of scenarios, and the exit codes of the command and of pytest with the plugin."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple, get_args

Outcome = Literal["passed", "failed", "stale", "errored"]
"""``failed``: the agent did something else than it should. ``stale``: the recording does not fit the
request any more. ``errored``: harness, cassette or scenario is broken."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


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


class ExitCode(NamedTuple):
    """One exit code.

    Attributes:
        code: the number.
        command: what it means of ``redpen``; empty where the command never ends with it.
        plugin: what it means of ``pytest``; empty where pytest never ends with it.
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
"""By number; a command's own help says which of them it has."""
