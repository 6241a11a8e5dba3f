"""One situation for an agent of somebody's own: a callable, a command or an endpoint."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, Self, get_args
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator, model_validator

from redpen.types import AgentName
from redpen_evals.checks.paths import is_path
from redpen_evals.endpoint.forms import CheckedJson
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.scenario_library.fields import (
    FileModel,
    JsonMapping,
    LiveField,
    LiveOwes,
    Name,
    OwnInvariant,
    Text,
    fault,
)
from redpen_evals.scenario_library.review_script import ReviewField

DEFAULT_TIMEOUT_S: Final = 30.0
_MAX_TIMEOUT_S: Final = 600.0
_MAX_PATTERN_CHARS: Final = 500
_CALLABLE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
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
    contains: list[Text] = Field(default_factory=list, description="Texts that the published text holds.")
    matches: list[Text] = Field(
        default_factory=list, description="Regular expressions that the published text matches somewhere."
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
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
        return patterns

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        for field in ("fields", "absent"):
            for path in getattr(self, field):
                if not is_path(path):
                    raise fault(
                        field, f"{path!r} is no path: keys joined by dots, list positions in brackets"
                    )
        if self.raises is not None and (self.fields or self.contains or self.matches):
            raise fault("raises", "goes without `fields`, `contains` and `matches`: nothing is answered")
        return self


class ExpectedTool(FileModel):
    """One tool call that the model is to ask for."""

    name: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="Name of the tool.")
    args: JsonMapping = Field(default_factory=dict, description="Arguments of the call.")


class ToolExpectation(FileModel):
    """Which tools the model has to ask for."""

    match: Match = Field(
        default="exact",
        description="How `calls` stand to those made: `exact`: the same in the same order. `unordered`: the "
        "same in any order. `subset`: they are among those made. `superset`: none is made beyond them.",
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
    tools: ToolExpectation | None = Field(default=None, description="Tools that this turn has to ask for.")


class OwnPolicy(FileModel):
    """What an agent of your own is held to."""

    pack: Name | None = Field(
        default=None,
        description="Name of the policy pack that its answers are held to; by default `tenant` and `role` of "
        "its context decide.",
    )


def _add_what_models_check(schema: dict[str, Any]) -> None:
    # What validators say in Python, for editors: one agent, and none of the built-in ones.
    schema["oneOf"] = [{"required": [name]} for name in ("agent", "command", "url")]
    named = {"type": "string", "pattern": f"^(?:{_CALLABLE.pattern}|{_SHORT_NAME.pattern})$"}
    agent = schema["properties"]["agent"]
    agent["anyOf"] = [{**named, "not": {"enum": list(get_args(AgentName))}}, {"type": "null"}]


class OwnAgentScenario(FileModel):
    """A situation for an agent of your own."""

    model_config = ConfigDict(json_schema_extra=_add_what_models_check)

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
    policy: OwnPolicy = Field(default=OwnPolicy(), description="What its answers are held to.")
    input: JsonMapping = Field(default_factory=dict, description="Arguments by name.")
    turns: list[UserTurn] = Field(
        default_factory=list, max_length=100, description="A conversation, instead of `input` alone."
    )
    publishes: str | list[str] | None = Field(
        default=None,
        description="Path or paths of what a customer reads; by default the text itself, else `answer`, "
        "`final_output`, `output` or `text`.",
    )
    original: Text | None = Field(
        default=None, description="A draft that the answer revises; else the context alone is what is known."
    )
    replies: list[ScriptedReply] = Field(
        default_factory=list,
        description="What the scripted model answers, call by call; without it recording asks a real model.",
    )
    expect: OwnExpectation = Field(default=OwnExpectation(), description="What the agent has to answer.")
    tools: ToolExpectation | None = Field(
        default=None, description="Which tools the model has to ask for in the whole run."
    )
    invariants: list[OwnInvariant] | None = Field(
        default=None,
        description="What must hold for any model; by default no_personal_data and calls_stay_bounded, and "
        "grounded_in_context where there is a context or an original.",
    )
    review: ReviewField = None
    live: LiveField = None
    never_publishes: list[Text] = Field(
        default_factory=list,
        description="Phrases that no answer may hold, whatever the model; case does not count.",
    )
    max_calls: int = Field(
        default=20, ge=0, le=1000, description="Most model calls that a run may make (calls_stay_bounded)."
    )
    passthrough: list[str] = Field(
        default_factory=list,
        description="Hosts, `name` or `name:port`, whose traffic is neither recorded nor replayed.",
    )
    timeout_s: float = Field(
        default=DEFAULT_TIMEOUT_S, gt=0, le=_MAX_TIMEOUT_S, description="Time of the whole run, in seconds."
    )

    @field_validator("passthrough")
    @classmethod
    def _are_hosts(cls, hosts: list[str]) -> list[str]:
        for host in hosts:
            if not _HOST.fullmatch(host):
                raise ValueError(f"{host!r} is no host: write name or name:port")
        return hosts

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        given = [name for name in ("agent", "command", "url") if getattr(self, name) is not None]
        if not given:
            raise fault("agent", "is missing: give `agent`, `command` or `url`")
        if len(given) > 1:
            raise fault(given[1], f"excludes `{given[0]}`: a scenario has one agent")
        if self.agent is not None and not (
            _CALLABLE.fullmatch(self.agent) or _SHORT_NAME.fullmatch(self.agent)
        ):
            raise fault("agent", f"{self.agent!r} is neither module:callable nor a short name")
        if self.url is not None and not (
            urlsplit(self.url).scheme in {"http", "https"} and urlsplit(self.url).hostname
        ):
            raise fault("url", f"{self.url!r} is no http or https address")
        if self.url is not None and self.replies:
            raise fault("replies", "do not go with `url`: a deployed agent asks its own model")
        for path in self.published_paths or ():
            if not is_path(path):
                raise fault(
                    "publishes", f"{path!r} is no path: keys joined by dots, list positions in brackets"
                )
        if isinstance(self.live, LiveOwes) and self.live.may_stop and self.live.may_stop != ["raises"]:
            raise fault(
                "live", "may_stop", "an agent of your own has one way to stop: `raises` (an exception)"
            )
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
        """Name of the policy pack that its answers are held to; None where tenant and role decide."""
        return self.policy.pack

    @property
    def live_requirement(self) -> Literal["no"] | LiveOwes:
        """What a live model owes: what the file says, else an answer, or what the script raises."""
        if self.live is not None:
            return self.live
        return LiveOwes(may_stop=["raises"]) if self.expect.raises is not None else LiveOwes(status="ok")

    @property
    def name(self) -> str:
        """How the agent is named in results."""
        if self.agent is not None:
            return self.agent
        return self.url if self.url is not None else " ".join(self.command or ())

    @property
    def published_paths(self) -> tuple[str, ...] | None:
        """Paths of what a customer reads; None where the usual places are looked at."""
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
