"""How an agent of somebody's own is called: in this process, as a command, or over HTTP."""

from __future__ import annotations

from redpen_evals.targets.kinds import Call
from redpen_evals.targets.run import Run


def run_own_agent(call: Call) -> Run:
    """Make a run.

    Raises:
        TargetError: the agent cannot be loaded, or not called with this input.
        UnshownResultError: what it returned cannot be shown as JSON.
    """
    if call.scenario.command is not None:
        from redpen_evals.targets.command import run_command

        return run_command(call)
    if call.scenario.url is not None:
        from redpen_evals.targets.url import run_url

        return run_url(call)
    from redpen_evals.targets.function import run_function

    return run_function(call)
