"""One run of an agent of somebody's own, as it is to be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redpen.types import JsonObject
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.traffic.scope import RunScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One run to be made.

    Attributes:
        scenario: what is asked.
        target: called in place of what the scenario names; None for that.
        arguments: the input; values of any kind where a test gives them.
        context: facts; None where there are none.
        scope: the run's traffic.
        names: short names of agents, and what they stand for.
        root: folder of the project.
        model: that the agent is to ask; None where it chooses by itself.
    """

    scenario: OwnAgentScenario
    target: Callable[..., Any] | None
    arguments: Mapping[str, Any]
    context: JsonObject | None
    scope: RunScope
    names: Mapping[str, str]
    root: Path
    model: str | None = None
