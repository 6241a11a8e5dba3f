"""The resources that a run needs to continue: policy, prompts, judge, gate and tools of its project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, get_args

from redpen.agents.callbacks import Gate
from redpen.errors import ConfigurationError
from redpen.gateway.execution import Tool
from redpen.judges import Judge, load_judge
from redpen.policy.model import PolicyModel
from redpen.policy.packs import PolicyPack
from redpen.prompts import PromptSet, load_prompts
from redpen.review import Review, RunStart
from redpen.types import AgentName
from redpen_evals.policy_packs.in_force import situation_of
from redpen_evals.project import Project
from redpen_evals.targets.isolation import isolated
from redpen_evals.targets.tools import ToolSettings, check_tool_factory, make_tools, open_gate

_AGENTS = get_args(AgentName)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResources:
    """The resources of a project for a run that continues.

    Attributes:
        policy: that is in force; None for the one that the run started with.
        prompts: the project's, in the versions that the run started with.
        judge: of the run.
        gate: of the policy pack.
        tools: of the run, if it had its own.
    """

    policy: PolicyModel | None = None
    prompts: PromptSet | None = None
    judge: Judge | None = None
    gate: Gate | None = None
    tools: dict[str, Tool] | None = None

    @property
    def decision_arguments(self) -> dict[str, Any]:
        """Keyword arguments for ``redpen.decide_review``."""
        return {"policy": self.policy, "prompts": self.prompts, "judge": self.judge, "gate": self.gate}

    @property
    def resume_arguments(self) -> dict[str, Any]:
        """Keyword arguments for ``redpen.resume_run``."""
        return {**self.decision_arguments, "tools": self.tools}


@contextmanager
def run_resources(
    project: Project,
    review: Review,
    *,
    pack_name: str | None = None,
    factory: str | None = None,
    has_tools: bool = False,
) -> Iterator[RunResources]:
    """Provide the resources of a project for the run of a review.

    Args:
        project: of the working folder.
        review: of the run.
        pack_name: policy pack that the run started with; by default the one in force for its context, if the
            project has packs.
        factory: ``module:factory`` of its tools; by default the setting ``redpen_tools``.
        has_tools: whether the tools are needed.

    Raises:
        ConfigurationError: pack, prompts or judge cannot be used.
        TargetError: gate or tools cannot be imported.
    """
    start = review.start
    if start.agent not in _AGENTS:
        yield RunResources()
        return
    pack = _pack(project, start, pack_name)
    has_pack = pack_name is not None or project.packs.path is not None
    own = project.own_agents
    settings = ToolSettings(paths=own.paths, root=project.root)
    spec = check_tool_factory(project.text("redpen_tools") if factory is None else factory)
    with ExitStack() as stack:
        needs_gate = "gate" in start.own
        gate = stack.enter_context(open_gate(pack, settings)) if needs_gate else None
        tools = None
        if has_tools and spec and "tools" in start.own:
            stack.enter_context(isolated(paths=settings.paths))
            tools = make_tools(spec, project.root)
        yield RunResources(
            policy=pack.policies[_AGENTS.index(start.agent)] if has_pack else None,
            prompts=_prompts(project, start),
            judge=_judge(project, start),
            gate=gate,
            tools=tools,
        )


def _pack(project: Project, start: RunStart, name: str | None) -> PolicyPack:
    if name is not None:
        return project.packs.named(name)
    subject = start.given.get("incident_context") or start.given.get("request")
    return project.packs.matching(situation_of(subject if isinstance(subject, dict) else None))


def _prompts(project: Project, start: RunStart) -> PromptSet | None:
    if start.prompts is None:
        return None
    try:
        versions = {name: prompt["version"] for name, prompt in start.prompts.items()}
        return load_prompts(versions, folder=project.prompts)
    except ConfigurationError:
        # The run itself reports that the version has changed.
        return load_prompts(folder=project.prompts)


def _judge(project: Project, start: RunStart) -> Judge | None:
    if start.judge is None:
        return None
    return load_judge(start.judge["name"], folder=project.path("redpen_judges"), model=start.model or "")
