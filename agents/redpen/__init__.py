"""Redpen: agents that write to customers, and the deterministic gateway that checks their output.

Names are imported on first use, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redpen.agents.guarded_policy import run_guarded_policy_agent
    from redpen.agents.reflection import run_reflection_agent
    from redpen.agents.resume import decide_review, resume_run
    from redpen.agents.self_critique import run_self_critique_agent
    from redpen.context import build_incident_context, build_request

DISTRIBUTION = "redpen-evals"
"""The distribution that installs this package; on the package index, ``redpen`` is another project."""

_MODULES = {
    "build_incident_context": "redpen.context",
    "build_request": "redpen.context",
    "decide_review": "redpen.agents.resume",
    "resume_run": "redpen.agents.resume",
    "run_guarded_policy_agent": "redpen.agents.guarded_policy",
    "run_reflection_agent": "redpen.agents.reflection",
    "run_self_critique_agent": "redpen.agents.self_critique",
}

__all__ = [
    "build_incident_context",
    "build_request",
    "decide_review",
    "resume_run",
    "run_guarded_policy_agent",
    "run_reflection_agent",
    "run_self_critique_agent",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
