"""Whether a run over a live model came to what its scenario says such a model owes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from redpen_evals.scenario_library.live import NOT_ASKED, said
from redpen_evals.scenario_library.scenario import BuiltInScenario, owed_live


def check_live(scenario: BuiltInScenario, result: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a live model owes and the run has not, one line each.

    Args:
        scenario: what was asked.
        result: of the run, as JSON values.
    """
    owed = owed_live(scenario)
    if owed == NOT_ASKED:
        return
    if result.get("status") == "ok":
        answer = result.get("answer")
        if not (isinstance(answer, str) and answer.strip()):
            yield "live: the run is ok, but has published nothing"
        return
    stop_reason = str(result.get("stop_reason"))
    if not owed.allows(stop_reason):
        yield f"live: a live model owes {said(owed)}, got the stop {stop_reason}"
