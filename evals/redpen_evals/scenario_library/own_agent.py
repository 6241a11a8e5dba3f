"""Scenarios for the user's own agents: a callable, a command or an endpoint."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, StringConstraints, field_validator, model_validator

from redpen.types import AgentName
from redpen_evals.endpoint.forms import CheckedJson, FileModel
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.scenario_library.fields import (
    JsonMapping,
    LiveField,
    LiveRequirement,
    Name,
    OwnInvariant,
    Text,
    check_paths,
    fault,
)
from redpen_evals.scenario_library.review_script import ReviewField

DEFAULT_TIMEOUT_S: Final = 30.0
_MAX_TIMEOUT_S: Final = 600.0
_MAX_PATTERN_CHARS: Final = 500
_CALLABLE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
GuardPlace = Annotated[str, StringConstraints(pattern=f"^{_CALLABLE.pattern}$")]
_SHORT_NAME: Final = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")
_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](?::[0-9]{1,5})?")

Match = Literal["exact", "unordered", "subset", "superset"]
ArgumentMatch = Literal["exact", "subset", "ignore"]
Method = Literal["GET", "POST", "PUT", "PATCH"]


class OwnExpectation(FileModel):
    """What the agent has to answer."""

    fields: dict[str, CheckedJson] = Field(
        default_factory=dict, description="Exact values in the result by path, e.g. `email.subject: Hello`."
    )
    contains: list[Text] = Field(default_factory=list, description="Texts that the published text contains.")
    matches: list[Text] = Field(
        default_factory=list,
        description="Regular expressions that the published text matches somewhere; an empty text may not.",
    )
    absent: list[str] = Field(default_factory=list, description="Paths that the result must not have.")
    raises: str | None = Field(
        default=None, description="Class of the exception that the agent raises instead of an answer."
    )
    calls: int | None = Field(default=None, ge=0, description="Model calls made, exactly.")

    @field_validator("matches")
    @classmethod
    def _compile(cls, patterns: list[str]) -> list[str]:
        for pattern in patterns:
            if len(pattern) > _MAX_PATTERN_CHARS:
                raise ValueError(f"a pattern has at most {_MAX_PATTERN_CHARS} characters")
            try:
                compiled = re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
            if compiled.search(""):
                raise ValueError(
                    f"{pattern!r} matches the empty text too: add what the text has to say, such as `.+`; "
                    "what it must not say belongs in `never_publishes`"
                )
        return patterns

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        check_paths("fields", self.fields)
        check_paths("absent", self.absent)
        if self.raises is not None and self.reads_answer:
            raise fault(
                "raises", "goes without `fields`, `contains`, `matches` and `absent`: nothing is answered"
            )
        return self

    @property
    def reads_answer(self) -> bool:
        """Whether it expects anything of the answer itself."""
        return bool(self.fields or self.contains or self.matches or self.absent)


class ExpectedTool(FileModel):
    """One tool call that the model has to make."""

    name: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="Name of the tool.")
    args: JsonMapping = Field(default_factory=dict, description="Arguments of the call.")


class ToolExpectation(FileModel):
    """The tools that the model has to call."""

    match: Match = Field(
        default="exact",
        description="How `calls` and the calls made compare: `exact`: the same in the same order. "
        "`unordered`: the same in any order. `subset`: they are among those made. `superset`: no other is "
        "made.",
    )
    arguments: ArgumentMatch = Field(
        default="exact",
        description="`exact`: the same arguments. `subset`: those listed, and maybe more. `ignore`: any.",
    )
    calls: list[ExpectedTool] = Field(default_factory=list, description="Tool calls.")


class UserTurn(FileModel):
    """One turn of a conversation."""

    user: Text = Field(description="What the user says.")
    expect: OwnExpectation = Field(default=OwnExpectation(), description="What this turn has to answer.")
    tools: ToolExpectation | None = Field(default=None, description="Tools that this turn has to call.")

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if self.expect.raises is not None:
            problem = "is read only in the `expect` of the scenario: write it there"
            raise fault("expect", "raises", problem)
        return self


class OwnPolicy(FileModel):
    """The policy for an agent of your own."""

    pack: Name | None = Field(
        default=None,
        description="Name of the policy pack that judges its answers; by default `tenant` and `role` of its "
        "context decide.",
    )


def _add_validators(schema: dict[str, Any]) -> None:
    # The validators' rules, for editors: one agent, and none of the built-in ones.
    schema["oneOf"] = [{"required": [name]} for name in ("agent", "command", "url")]
    named = {"type": "string", "pattern": f"^(?:{_CALLABLE.pattern}|{_SHORT_NAME.pattern})$"}
    agent = schema["properties"]["agent"]
    agent["anyOf"] = [{**named, "not": {"enum": list(get_args(AgentName))}}, {"type": "null"}]


class OwnAgentScenario(FileModel):
    """A situation for an agent of your own."""

    model_config = ConfigDict(json_schema_extra=_add_validators)

    title: Annotated[str, Field(max_length=160)] = Field(default="", description="What the scenario shows.")
    tags: list[Name] = Field(default_factory=list, description="Labels to select scenarios by.")
    agent: str | None = Field(
        default=None,
        description="`module:callable`, or a short name from the setting `redpen_agents`: a function, an "
        "async function, a class, a method, an instance or a partial.",
    )
    command: list[Text] | None = Field(
        default=None,
        min_length=1,
        description="Program and arguments: `input` comes as JSON on standard input, the answer is JSON or "
        "text on standard output.",
    )
    url: str | None = Field(
        default=None, description="Address of a deployed agent: `input` is the JSON body."
    )
    method: Method = Field(default="POST", description="HTTP method for `url`.")
    headers: dict[str, str] = Field(default_factory=dict, description="Request headers for `url`.")
    context: Name | None = Field(
        default=None, description="Name of a file in `contexts/`: facts that the guards read."
    )
    context_changes: JsonMapping = Field(
        default_factory=dict, description="JSON merge patch on that context; null removes a key."
    )
    policy: OwnPolicy = Field(default=OwnPolicy(), description="The policy for its answers.")
    input: JsonMapping = Field(default_factory=dict, description="Arguments by name.")
    turns: list[UserTurn] = Field(
        default_factory=list, max_length=100, description="A conversation, instead of `input` alone."
    )
    publishes: str | list[str] | None = Field(
        default=None,
        description="Path or paths of the texts that a customer reads; by default the text itself, else "
        "`answer`, `final_output`, `output` or `text`, or the last answer in a list of chat messages.",
    )
    original: Text | None = Field(
        default=None, description="A draft that the answer revises; without it only the context is known."
    )
    replies: list[ScriptedReply] = Field(
        default_factory=list,
        description="What the scripted model answers, call by call; without it recording calls a real model.",
    )
    expect: OwnExpectation = Field(default=OwnExpectation(), description="What the agent has to answer.")
    tools: ToolExpectation | None = Field(
        default=None, description="The tools that the model has to call in the whole run."
    )
    invariants: list[OwnInvariant] | None = Field(
        default=None,
        description="What must hold for any model; by default no_personal_data and calls_stay_bounded, and "
        "grounded_in_context if there is a context or an original.",
    )
    guards: list[GuardPlace] = Field(
        default_factory=list,
        description="Guards of your own, `module:callable`, that must not block an answer, for any model.",
    )
    review: ReviewField = None
    live: LiveField = None
    never_publishes: list[Text] = Field(
        default_factory=list,
        description="Phrases that no answer of any model may contain; case, spaces and markup are ignored.",
    )
    max_calls: int = Field(
        default=20, ge=0, le=1000, description="Maximum number of model calls of a run (calls_stay_bounded)."
    )
    passthrough: list[str] = Field(
        default_factory=list,
        description="Hosts, `name` or `name:port`, whose traffic is neither recorded nor replayed.",
    )
    timeout_s: float = Field(
        default=DEFAULT_TIMEOUT_S, gt=0, le=_MAX_TIMEOUT_S, description="Time of the whole run, in seconds."
    )

    @field_validator("invariants", mode="before")
    @classmethod
    def _are_no_guards(cls, names: Any) -> Any:
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str) and _CALLABLE.fullmatch(name):
                raise ValueError(f"{name!r} is a guard of your own: list it under `guards`")
        return names

    @field_validator("passthrough")
    @classmethod
    def _are_hosts(cls, hosts: list[str]) -> list[str]:
        for host in hosts:
            if not _HOST.fullmatch(host):
                raise ValueError(f"{host!r} is not a host: write name or name:port")
        return hosts

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        kinds = [name for name in ("agent", "command", "url") if getattr(self, name) is not None]
        if not kinds:
            raise fault("agent", "is missing: give `agent`, `command` or `url`")
        if len(kinds) > 1:
            raise fault(kinds[1], f"excludes `{kinds[0]}`: a scenario has one agent")
        if self.agent is not None and not (
            _CALLABLE.fullmatch(self.agent) or _SHORT_NAME.fullmatch(self.agent)
        ):
            raise fault("agent", f"{self.agent!r} is neither module:callable nor a short name")
        if self.url is not None and not (
            urlsplit(self.url).scheme in {"http", "https"} and urlsplit(self.url).hostname
        ):
            raise fault("url", f"{self.url!r} is not an http or https address")
        if self.url is not None and self.replies:
            raise fault("replies", "do not go with `url`: a deployed agent calls its own model")
        if self.published_paths == ():
            raise fault("publishes", "is empty: name a path, or leave it out for the usual places")
        check_paths("publishes", self.published_paths or ())
        if isinstance(self.live, LiveRequirement) and self.live.may_stop and self.live.may_stop != ["raises"]:
            raise fault("live", "may_stop", "an agent of your own can only stop by `raises` (an exception)")
        if self.expect.raises is not None and self.turns and self.turns[-1].expect.reads_answer:
            problem = "the last turn raises, so that it answers nothing: expect `calls` alone"
            raise fault("turns", len(self.turns) - 1, "expect", problem)
        if self.context_changes and self.context is None:
            raise fault("context_changes", "goes with `context`")
        return self

    @model_validator(mode="after")
    def _can_be_called_again(self) -> Self:
        others = [name for name in ("turns", "command", "url") if getattr(self, name)]
        if self.review is not None and others:
            raise fault("review", f"does not go with `{others[0]}`: the callable of `agent` is called again")
        return self

    @property
    def pack(self) -> str | None:
        """Name of the policy pack that judges its answers; None if tenant and role decide."""
        return self.policy.pack

    @property
    def live_requirement(self) -> Literal["no"] | LiveRequirement:
        """The requirement of a live model: from the file, else an answer, or an exception if expected."""
        if self.live is not None:
            return self.live
        if self.expect.raises is not None:
            return LiveRequirement(may_stop=["raises"])
        return LiveRequirement(status="ok")

    @property
    def name(self) -> str:
        """The agent's name in results."""
        if self.agent is not None:
            return self.agent
        return self.url if self.url is not None else " ".join(self.command or ())

    @property
    def published_paths(self) -> tuple[str, ...] | None:
        """Paths of the texts that a customer reads; None for the usual paths."""
        if self.publishes is None:
            return None
        return (self.publishes,) if isinstance(self.publishes, str) else tuple(self.publishes)

    @property
    def held_invariants(self) -> tuple[OwnInvariant, ...]:
        """The invariants that are checked."""
        if self.invariants is not None:
            return tuple(self.invariants)
        is_grounded = self.context is not None or self.original is not None
        grounding: tuple[OwnInvariant, ...] = ("grounded_in_context",) if is_grounded else ()
        return (*grounding, "no_personal_data", "calls_stay_bounded")
