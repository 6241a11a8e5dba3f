"""The models of the nine forms of a scripted reply."""

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
"""Deepest nesting of a value in a scenario file; a deeper one is written as text."""

MAX_NODES: Final = 100_000
"""Most items of one value: YAML aliases let a short file stand for an endless one."""

_Place: TypeAlias = tuple[str | int, ...]


def check_json_value(value: object) -> Any:
    """Return a value as it is if JSON can hold it.

    Args:
        value: what a YAML or JSON reader made of a file.

    Returns:
        The same object.

    Raises:
        ValidationError: naming every place that JSON cannot hold: a non-finite number, a key that is no
            text, a date or another type, nesting beyond ``MAX_DEPTH`` or more than ``MAX_NODES`` items.
    """
    problems: dict[_Place, str] = {}
    pending: list[tuple[_Place, object]] = [((), value)]
    nodes = 0
    while pending:
        place, item = pending.pop()
        nodes += 1
        if nodes > MAX_NODES:
            problems[()] = f"the value has more than {MAX_NODES} items"
            break
        if len(place) > MAX_DEPTH:
            problems[place] = (
                f"the value nests deeper than {MAX_DEPTH} levels; write such JSON as text under `content`"
            )
        elif isinstance(item, dict):
            for key in item:
                if not isinstance(key, str):
                    problems[*place, str(key)] = f"the key {key!r} is not text; put it in quotes"
            pending.extend(((*place, str(key)), part) for key, part in reversed(item.items()))
        elif isinstance(item, list):
            pending.extend(((*place, index), item[index]) for index in reversed(range(len(item))))
        elif problem := _scalar_problem(item):
            problems[place] = problem
    if problems:
        title = "JSON value"
        raise ValidationError.from_exception_data(
            title,
            [
                InitErrorDetails(type=PydanticCustomError("json_value", problem), loc=place, input=None)
                for place, problem in problems.items()
            ],
        )
    return value


def _scalar_problem(item: object) -> str | None:
    if isinstance(item, float) and not math.isfinite(item):
        return f"{item} is not a JSON number; write such a reply as text under `content`"
    if item is None or isinstance(item, bool | int | float | str):
        return None
    return f"a {type(item).__name__} is not a JSON value; put it in quotes to make it text"


CheckedJson = Annotated[JsonValue, BeforeValidator(check_json_value)]
"""Any JSON value; an error names the place inside the value."""


FinishReason = Literal["stop", "length", "content_filter", "tool_calls"]
Fault = Literal["drop", "reset", "truncate", "malformed_chunks", "refuse_headers", "garbage", "hang"]

MAX_DELAY_S: Final = 60.0
MAX_TIMES: Final = 1000

_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]{0,4000}")
_FRAMING_HEADERS: Final = frozenset({"connection", "content-length", "transfer-encoding"})
_BODILESS_STATUSES: Final = frozenset({204, 304})


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Usage(_Model):
    """Token counts of a reply, under the names of chat completions; the total is their sum."""

    prompt_tokens: int = Field(ge=0, description="Tokens of the request.")
    completion_tokens: int = Field(ge=0, description="Tokens of the reply.")


class ErrorObject(_Model):
    """The ``error`` object of a refused call; what is left out follows from the status."""

    message: str | None = Field(default=None, description="Text for people.")
    type: str | None = Field(
        default=None,
        description="Kind of error; by default what the API says of the status, e.g. `api_error`.",
    )
    code: str | None = Field(
        default=None, description="Stable code, e.g. `rate_limit_exceeded`; Anthropic has none."
    )
    param: str | None = Field(default=None, description="Request parameter at fault; Anthropic has none.")


class ToolCall(_Model):
    """One call of a tool that the model asks for."""

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


class ReplyBase(_Model):
    """What every form of reply can say."""

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
    """A reply that is a whole HTTP response."""

    headers: dict[str, str | int] = Field(
        default_factory=dict,
        description="Response headers, e.g. `Retry-After: 1`. They replace the usual ones of the same name.",
    )

    @field_validator("headers")
    @classmethod
    def _check_headers(cls, headers: dict[str, str | int]) -> dict[str, str | int]:
        for name, value in headers.items():
            if not _HEADER_NAME.fullmatch(name):
                raise PydanticCustomError("header", f"{name!r} is no header name")
            if name.lower() in _FRAMING_HEADERS:
                raise PydanticCustomError("header", f"{name} is the server's own; use `fault` to break it")
            if not _HEADER_VALUE.fullmatch(str(value)):
                raise PydanticCustomError("header", f"{name}: a value is printable ASCII without line breaks")
        return headers


class CompletionReply(HttpReply):
    """A whole answer of a model."""

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

    # `json` itself would hide a method of the base class.
    json_value: CheckedJson = Field(
        alias="json", description="The text as a value: what the model is meant to answer."
    )


class ContentReply(CompletionReply):
    """An answer whose text is given word for word."""

    content: str | None = Field(description="The text, valid JSON or not; null for none.")


class RefusalReply(CompletionReply):
    """An answer in which the model refuses."""

    refusal: str = Field(min_length=1, description="What the model says in place of an answer.")


class ToolCallsReply(CompletionReply):
    """An answer of tool calls alone."""

    tool_calls: list[ToolCall] = Field(min_length=1, description="Calls of tools that the model asks for.")


class ChoicesReply(HttpReply):
    """A chat completion whose list of choices is given as it is; no other API has such a list."""

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
        if body is not None and not _is_encodable(body):
            raise PydanticCustomError("body", "no UTF-8 text; give the bytes under `body_base64`")
        return body

    @field_validator("body_base64", check_fields=False)
    @classmethod
    def _check_base64(cls, text: str | None) -> str | None:
        if text is None:
            return None
        packed = "".join(text.split())
        try:
            base64.b64decode(packed, validate=True)
        except ValueError as error:
            raise PydanticCustomError("base64", "no Base64: {problem}", {"problem": str(error)}) from error
        return packed


class StatusReply(_RawReply):
    """An answer with any status, as a rule an error."""

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
        if given and self.status in _BODILESS_STATUSES:
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


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
