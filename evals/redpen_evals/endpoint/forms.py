"""Pydantic models of the nine forms of a scripted reply."""

from __future__ import annotations

import base64
import math
import re
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from redpen.chat.replies import Phase

MAX_DEPTH: Final = 100
"""Maximum nesting of a value in a scenario file; deeper JSON is written as text."""

MAX_NODES: Final = 100_000
"""Maximum number of items of a value: with YAML aliases a short file can expand without limit."""

_Location: TypeAlias = tuple[str | int, ...]


def check_json_value(value: object) -> Any:
    """Return a value unchanged if it is valid JSON.

    Raises:
        ValidationError: lists everything that is not JSON: a non-finite number, a key that is not text, a
            date or another type, nesting beyond ``MAX_DEPTH`` or more than ``MAX_NODES`` items.
    """
    problems: dict[_Location, str] = {}
    pending: list[tuple[_Location, object]] = [((), value)]
    nodes = 0
    while pending:
        location, item = pending.pop()
        nodes += 1
        if nodes > MAX_NODES:
            problems[()] = f"the value has more than {MAX_NODES} items"
            break
        if len(location) > MAX_DEPTH:
            problems[location] = (
                f"the value nests deeper than {MAX_DEPTH} levels; write such JSON as text under `content`"
            )
        elif isinstance(item, dict):
            for key in item:
                if not isinstance(key, str):
                    problems[*location, str(key)] = f"the key {key!r} is not text; put it in quotes"
            pending.extend(((*location, str(key)), part) for key, part in reversed(item.items()))
        elif isinstance(item, list):
            pending.extend(((*location, index), item[index]) for index in reversed(range(len(item))))
        elif problem := _scalar_problem(item):
            problems[location] = problem
    if problems:
        details = [
            InitErrorDetails(type=PydanticCustomError("json_value", problem), loc=location, input=None)
            for location, problem in problems.items()
        ]
        raise ValidationError.from_exception_data("JSON value", details)
    return value


def _scalar_problem(item: object) -> str | None:
    if isinstance(item, float) and not math.isfinite(item):
        return f"{item} is not a JSON number; write such a reply as text under `content`"
    if item is None or isinstance(item, bool | int | float | str):
        return None
    return f"a {type(item).__name__} is not a JSON value; put it in quotes to make it text"


CheckedJson = Annotated[JsonValue, BeforeValidator(check_json_value)]
"""Any JSON value; errors name the location inside the value."""


FinishReason = Literal["stop", "length", "content_filter", "tool_calls"]
Fault = Literal["drop", "reset", "truncate", "malformed_chunks", "refuse_headers", "garbage", "hang"]

MAX_DELAY_S: Final = 60.0
MAX_TIMES: Final = 1000

_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]{0,4000}")
_FRAMING_HEADERS: Final = frozenset({"connection", "content-length", "transfer-encoding"})
BODILESS_STATUSES: Final = frozenset({204, 304})


class FileModel(BaseModel):
    """A part of a scenario file; unknown keys and values of another type are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Usage(FileModel):
    """Token counts of a reply, under the names of chat completions; the total is their sum."""

    prompt_tokens: int = Field(ge=0, description="Tokens of the request.")
    completion_tokens: int = Field(ge=0, description="Tokens of the reply.")


class ErrorObject(FileModel):
    """The ``error`` object of a failed call; defaults follow from the status."""

    message: str | None = Field(default=None, description="Text for people.")
    type: str | None = Field(
        default=None,
        description="Kind of error; by default what the API says of the status, e.g. `api_error`.",
    )
    code: str | None = Field(
        default=None, description="Stable code, e.g. `rate_limit_exceeded`; Anthropic has none."
    )
    param: str | None = Field(default=None, description="Request parameter at fault; Anthropic has none.")


class ToolCall(FileModel):
    """One tool call of the model."""

    name: str = Field(min_length=1, description="Name of the tool.")
    args: Annotated[dict[str, JsonValue], BeforeValidator(check_json_value)] = Field(
        default_factory=dict, description="Arguments by name, e.g. `{id: 81}`."
    )
    id: str | None = Field(
        default=None,
        min_length=1,
        description=(
            "What the tool's result refers to; by default `call_1_2` for the second tool call of reply 1."
        ),
    )

    @model_validator(mode="before")
    @classmethod
    def _check_form(cls, value: Any) -> Any:
        if isinstance(value, dict) and "function" in value:
            message = "a tool call is `name` and `args`; a raw message is given under `choices`"
            raise PydanticCustomError("tool_call", message)
        return value


class ReplyBase(FileModel):
    """Fields of all forms of replies."""

    phase: Phase | None = Field(default=None, description="Label of the call that this reply answers.")
    times: int = Field(default=1, ge=1, le=MAX_TIMES, description="How often in a row the reply is served.")
    delay_s: float = Field(
        default=0.0,
        ge=0.0,
        le=MAX_DELAY_S,
        allow_inf_nan=False,
        description="Seconds to wait before answering.",
    )


class HttpReply(ReplyBase):
    """A reply that is a complete HTTP response."""

    headers: dict[str, str | int] = Field(
        default_factory=dict,
        description="Response headers, e.g. `Retry-After: 1`. They replace the usual ones of the same name.",
    )

    @field_validator("headers")
    @classmethod
    def _check_headers(cls, headers: dict[str, str | int]) -> dict[str, str | int]:
        for name, value in headers.items():
            if not _HEADER_NAME.fullmatch(name):
                raise PydanticCustomError("header", f"{name!r} is not a valid header name")
            if name.lower() in _FRAMING_HEADERS:
                raise PydanticCustomError("header", f"{name} is set by the server; use `fault` to break it")
            if not _HEADER_VALUE.fullmatch(str(value)):
                raise PydanticCustomError(
                    "header", f"{name}: a value must be printable ASCII without line breaks"
                )
        return headers


class CompletionReply(HttpReply):
    """A complete answer of a model."""

    finish_reason: FinishReason | None = Field(
        default=None,
        description=(
            "Why the model stopped, as chat completions name it; the other APIs get their own name for it. "
            "By default `tool_calls` with tool calls, else `stop`."
        ),
    )
    tool_calls: list[ToolCall] | None = Field(
        default=None,
        min_length=1,
        description="Calls of tools that the model asks for, beside what it says.",
    )
    usage: Usage | None = Field(
        default=None, description="Token counts; estimated from the texts if left out."
    )


class JsonReply(CompletionReply):
    """An answer whose text is a JSON value."""

    # The name `json` would shadow a method of the base class.
    json_value: CheckedJson = Field(
        alias="json", description="The text as a value: what the model is meant to answer."
    )


class ContentReply(CompletionReply):
    """An answer with the given text."""

    content: str | None = Field(description="The text, valid JSON or not; null for none.")


class RefusalReply(CompletionReply):
    """An answer in which the model refuses."""

    refusal: str = Field(min_length=1, description="What the model says in place of an answer.")


class ToolCallsReply(CompletionReply):
    """An answer of tool calls only."""

    tool_calls: list[ToolCall] = Field(min_length=1, description="Calls of tools that the model asks for.")


class ChoicesReply(HttpReply):
    """A chat completion with a raw list of choices; other APIs have no such list."""

    choices: list[CheckedJson] | None = Field(
        description="The raw `choices` of a chat completion: may be empty or null."
    )
    usage: Usage | None = Field(
        default=None, description="Token counts; estimated from the texts if left out."
    )


class _RawReply(HttpReply):
    @field_validator("body", check_fields=False)
    @classmethod
    def _check_body(cls, body: str | None) -> str | None:
        try:
            (body or "").encode()
        except UnicodeEncodeError as error:
            message = "not UTF-8 text; give the bytes under `body_base64`"
            raise PydanticCustomError("body", message) from error
        return body

    @field_validator("body_base64", check_fields=False)
    @classmethod
    def _check_base64(cls, text: str | None) -> str | None:
        if text is None:
            return None
        compact = "".join(text.split())
        try:
            base64.b64decode(compact, validate=True)
        except ValueError as error:
            raise PydanticCustomError("base64", "not Base64: {problem}", {"problem": str(error)}) from error
        return compact


class StatusReply(_RawReply):
    """An answer with any status, usually an error."""

    status: int = Field(ge=200, le=599, description="HTTP status.")
    error: ErrorObject | None = Field(
        default=None, description="Error object; from 400 on there is one by default."
    )
    body: str | None = Field(default=None, description="Raw response text instead of an error object.")
    body_base64: str | None = Field(
        default=None, description="Raw response bytes instead of an error object."
    )

    @model_validator(mode="after")
    def _check_one_body(self) -> Self:
        given = [key for key in ("error", "body", "body_base64") if getattr(self, key) is not None]
        if len(given) > 1:
            raise PydanticCustomError("status_body", f"give only one of {', '.join(given)}")
        if given and self.status in BODILESS_STATUSES:
            raise PydanticCustomError("status_body", f"status {self.status} has no body: drop `{given[0]}`")
        return self


class BodyReply(_RawReply):
    """Status 200 with a raw text as response body."""

    body: str = Field(description="Raw response text, served as application/json unless `headers` say else.")


class BytesReply(_RawReply):
    """Status 200 with raw bytes as response body."""

    body_base64: str = Field(description="Raw response bytes in Base64, e.g. such as are no UTF-8.")


class FaultReply(ReplyBase):
    """A call that breaks below HTTP."""

    fault: Fault = Field(
        description=(
            "drop: closed before any byte. reset: connection reset in the middle of the body. "
            "truncate: body shorter than Content-Length. malformed_chunks: chunked body with a broken chunk. "
            "refuse_headers: closed in the middle of the headers. garbage: bytes that are no HTTP. "
            "hang: no byte until the client or the server gives up."
        )
    )
