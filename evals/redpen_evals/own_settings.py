"""What a project says of its own agents, from the texts of its settings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redpen_evals.evaluation.own import OwnSettings


def read_own_settings(
    *,
    root: Path,
    pythonpath: Iterable[Path],
    agents: Iterable[str],
    volatile: Iterable[str],
    telemetry: Iterable[str],
    model_variables: Iterable[str],
    redact: bool = False,
    tools: str = "",
) -> OwnSettings:
    """Return the settings of a project's own agents.

    Args:
        root: folder of the project.
        pythonpath: further folders from which agents are imported.
        agents: lines of the setting ``redpen_agents``.
        volatile: lines of ``redpen_volatile``.
        telemetry: lines of ``redpen_telemetry``.
        model_variables: lines of ``redpen_model_variables``.
        redact: the setting ``redpen_redact``.
        tools: the setting ``redpen_tools``.

    Raises:
        ConfigurationError: one of the lines cannot be used.
    """
    from redpen_evals.cassettes.volatile import read_volatile
    from redpen_evals.evaluation.own import OwnSettings
    from redpen_evals.targets.environment import secret_values
    from redpen_evals.targets.loading import read_agent_names
    from redpen_evals.targets.tools import check_tool_factory
    from redpen_evals.traffic.telemetry import check_telemetry_names

    return OwnSettings(
        names=read_agent_names(list(agents)),
        paths=(root, *pythonpath),
        volatile=read_volatile(list(volatile)),
        telemetry=check_telemetry_names(map(str.strip, telemetry)),
        secrets=secret_values(),
        model_variables=tuple(map(str.strip, model_variables)),
        redact=redact,
        tools=check_tool_factory(tools),
    )
