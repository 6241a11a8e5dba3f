"""Every exit code of the command and of pytest with Redpen's plugin, in one table."""

from __future__ import annotations

from typing import Final, NamedTuple


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
