"""The cassette file format: fields, writing, parsing and the errors of a file that does not load."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from redpen.plain_file import read_plain_file
from redpen.types import JsonObject, JsonValue
from redpen_evals.cassettes.encoding import (
    Body,
    RawBody,
    TokensBesidePrompts,
    dump_file,
    encode_body,
    parse_file,
    to_body,
)
from redpen_evals.cassettes.prompts import (
    PromptError,
    prompt_tokens,
    prompts_folder,
    read_prompt,
    substitute,
)
from redpen_evals.errors import CassetteError, CassetteProblem
from redpen_evals.strict_json import change_leaves

FIRST_VERSION: Final = 1
SEALED_VERSION: Final = 2
"""Format version of recordings that cannot be without their digest."""

MAX_BYTES: Final = 32_000_000
"""Maximum size of a file that is read or written."""

_SHOWN_CHARS: Final = 400
_VERSION_KEY: Final = "redpen_cassette"
_TOP_KEYS: Final = frozenset({_VERSION_KEY, "kind", "scenario", "model", "base_url", "recorded", "calls"})
_OPTIONAL_KEYS: Final = frozenset({"variant", "sample", "sha256"})
_CALL_KEYS: Final = frozenset({"phase", "request", "response"})
_REQUEST_KEYS: Final = frozenset({"method", "url", "body"})
_RESPONSE_KEYS: Final = frozenset({"status", "headers", "body"})
_FAILURE_KEYS: Final = frozenset({"failure", "message"})
_PROMPT_COUNTS: Final = frozenset({"prompt_tokens", "input_tokens", "total_tokens"})
_REFERENCE: Final = '"$prompt"'
_MISPLACEABLE: Final = ("$text", "$base64", "$beside_prompts")
_MIN_STATUS, _MAX_STATUS = 100, 599

_KINDS: Final[dict[type, str]] = {str: "a string", dict: "an object", list: "a list"}
_T = TypeVar("_T")

CassetteKind = Literal["scripted", "live"]

# The transport failures that a replay raises again, by the name of their class in httpx2.
FAILURES: Final = tuple(
    "ConnectTimeout ReadTimeout WriteTimeout PoolTimeout TimeoutException ConnectError ReadError WriteError "
    "CloseError NetworkError ProxyError UnsupportedProtocol LocalProtocolError RemoteProtocolError "
    "ProtocolError TransportError".split()
)


def failure_name(error: BaseException) -> str | None:
    """Return the name in `FAILURES` of an exception's class or base class, or None."""
    return next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in FAILURES), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """The request of a call; headers are never recorded."""

    method: str
    url: str
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResponse:
    """The server's response; header names are in lower case."""

    status: int
    headers: Mapping[str, tuple[str, ...]]
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFailure:
    """How a call failed before its response was complete; `failure` is one of `FAILURES`."""

    failure: str
    message: str


CallResult: TypeAlias = CallResponse | CallFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a run; `phase` is the agent's name for it."""

    phase: str
    request: CallRequest
    response: CallResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CassetteFile:
    """The content of one cassette; only `recorded` may differ between two recordings of the same traffic.

    `sha256` is the digest of the calls when they were recorded. It is empty for scripted recordings whose
    replies are all compared with the scenario, and for older ones, which have the first `version`.
    """

    kind: CassetteKind
    scenario: str
    model: str
    base_url: str
    recorded: JsonObject
    calls: tuple[Call, ...]
    variant: str = ""
    sample: int = 1
    sha256: str = ""
    version: int = FIRST_VERSION

    @property
    def latencies_ms(self) -> list[float | None]:
        """How long each call took when it was recorded, in milliseconds; None if unknown."""
        recorded = self.recorded.get("latency_ms")
        values = recorded if isinstance(recorded, list) else []
        known = [float(value) if isinstance(value, (int, float)) else None for value in values]
        return [*known, *[None] * len(self.calls)][: len(self.calls)]


def dump(cassette: CassetteFile, *, name_of: Callable[[str, str], str] | None = None) -> str:
    """Serialize a cassette; equal content gives equal text.

    `name_of` stores a long instruction in its own file and returns its name, given the phase of its call and
    its text; None leaves instructions in the bodies.
    """
    document: JsonObject = {
        _VERSION_KEY: cassette.version,
        "kind": cassette.kind,
        "scenario": cassette.scenario,
        "model": cassette.model,
        # Left out at their defaults, which keeps older recordings unchanged.
        **({"variant": cassette.variant} if cassette.variant else {}),
        **({"sample": cassette.sample} if cassette.sample > 1 else {}),
        "base_url": cassette.base_url,
        "recorded": cassette.recorded,
        **({"sha256": cassette.sha256} if cassette.sha256 else {}),
        "calls": [_dump_call(call, cassette.kind, name_of) for call in cassette.calls],
    }
    return dump_file(document)


def read(path: Path, *, mend: str = "", without_prompts: bool = False) -> CassetteFile:
    """Read a cassette; `mend` is the command that an error message suggests.

    With `without_prompts`, prompts in files of their own are read as empty texts.

    Raises:
        CassetteError: the file is missing, unreadable, empty, truncated, or of another version or shape.
    """
    try:
        text = read_plain_file(path, max_bytes=MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        raise CassetteError(path, "there is no recording", kind="missing", mend=mend) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CassetteError(path, f"cannot be read: {reason}", kind="unreadable", mend=mend) from error
    except UnicodeDecodeError as error:
        raise CassetteError(
            path, f"is not valid UTF-8 at byte {error.start}", kind="unreadable", mend=mend
        ) from error
    return parse(text, path=path, mend=mend, without_prompts=without_prompts)


def parse(text: str, *, path: Path, mend: str = "", without_prompts: bool = False) -> CassetteFile:
    """Parse the text of a cassette; its path is for messages and to find the prompts that it names.

    Raises:
        CassetteError: the text is empty, truncated, or of another version or shape.
    """
    try:
        folder = prompts_folder(path) if _REFERENCE in text and not without_prompts else None
        return _parse(text, lambda name: "" if without_prompts else read_prompt(folder, name))
    except _Flaw as flaw:
        problem, kind = str(flaw), flaw.kind
    except PromptError as error:
        problem, kind = str(error), "prompt"
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        problem = f"{where}: invalid JSON ({error.msg}); the file is truncated or damaged"
        kind = "torn"
    except ValueError as error:
        problem, kind = str(error), "shape"
    if len(problem) > _SHOWN_CHARS:
        problem = problem[:_SHOWN_CHARS] + "…"
    raise CassetteError(path, problem, kind=kind, mend=mend)


class _Flaw(ValueError):  # noqa: N818 - never leaves this module
    def __init__(self, where: str, problem: str, kind: CassetteProblem = "shape") -> None:
        self.kind: CassetteProblem = kind
        super().__init__(f"{where}: {problem}" if where else problem)


def _parse(text: str, prompt: Callable[[str], str]) -> CassetteFile:
    if not text.strip():
        raise _Flaw("", "the file is empty", "empty")
    top = parse_file(text, prompt=prompt)
    if any(form in text for form in _MISPLACEABLE):
        _reject_misplaced(top)
    if not isinstance(top, dict) or _VERSION_KEY not in top:
        raise _Flaw("", f"is not a cassette: the key {_VERSION_KEY!r} is missing")
    version = top[_VERSION_KEY]
    if type(version) is not int or not FIRST_VERSION <= version <= SEALED_VERSION:
        versions = f"format version {str(version)[:20]}, this release reads versions up to {SEALED_VERSION}"
        raise _Flaw("", f"has {versions}", "version")
    _check_keys(top, _TOP_KEYS, optional=_OPTIONAL_KEYS)
    kind = top["kind"]
    if kind not in ("scripted", "live"):
        raise _Flaw("kind", "must be 'scripted' or 'live'")
    sample = top.get("sample", 1)
    if type(sample) is not int or sample < 1:
        raise _Flaw("sample", "must be an integer of at least 1")
    calls = _typed(top, "calls", list)
    return CassetteFile(
        kind=kind,
        scenario=_typed(top, "scenario", str),
        model=_typed(top, "model", str),
        base_url=_typed(top, "base_url", str),
        recorded=_typed(top, "recorded", dict),
        calls=tuple(_parse_call(call, f"calls[{index}]") for index, call in enumerate(calls)),
        variant=_typed(top, "variant", str) if "variant" in top else "",
        sample=sample,
        sha256=_typed(top, "sha256", str) if "sha256" in top else "",
        version=version,
    )


def _reject_misplaced(value: object, *, body_allowed: bool = False, in_response: bool = False) -> None:
    # Raw bodies have no JSON value that could replace them inside another value.
    if isinstance(value, RawBody) and not body_allowed:
        raise _Flaw("", "$text and $base64 are only allowed as a whole body")
    if isinstance(value, TokensBesidePrompts) and not in_response:
        raise _Flaw("", "$beside_prompts is only allowed in a response")
    if isinstance(value, dict):
        for key, item in value.items():
            _reject_misplaced(item, body_allowed=key == "body", in_response=in_response or key == "response")
    if isinstance(value, list):
        for item in value:
            _reject_misplaced(item, in_response=in_response)


def _parse_call(item: object, where: str) -> Call:
    call = _object(item, _CALL_KEYS, where)
    place = f"{where}.request"
    value = _object(call["request"], _REQUEST_KEYS, place)
    request = CallRequest(
        method=_typed(value, "method", str, place),
        url=_typed(value, "url", str, place),
        body=to_body(value["body"]),
    )
    tokens = prompt_tokens(request.body)

    def with_prompts(value: object) -> object:
        return value.count + tokens if isinstance(value, TokensBesidePrompts) else value

    response = _parse_response(change_leaves(call["response"], with_prompts), f"{where}.response")
    return Call(phase=_typed(call, "phase", str, where), request=request, response=response)


def _parse_response(item: object, where: str) -> CallResult:
    if isinstance(item, dict) and "failure" in item:
        failure = _object(item, _FAILURE_KEYS, where)
        if failure["failure"] not in FAILURES:
            raise _Flaw(f"{where}.failure", "unknown transport failure")
        return CallFailure(
            failure=_typed(failure, "failure", str, where), message=_typed(failure, "message", str, where)
        )
    response = _object(item, _RESPONSE_KEYS, where)
    status = response["status"]
    if type(status) is not int or not _MIN_STATUS <= status <= _MAX_STATUS:
        raise _Flaw(f"{where}.status", f"must be an integer from {_MIN_STATUS} to {_MAX_STATUS}")
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in _typed(response, "headers", dict, where).items():
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise _Flaw(f"{where}.headers.{name}", "must be a string or a list of strings")
        headers[name] = tuple(values)
    return CallResponse(status=status, headers=headers, body=to_body(response["body"]))


def _object(item: object, keys: frozenset[str], where: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise _Flaw(where, "must be an object")
    _check_keys(item, keys, where)
    return item


def _check_keys(
    item: Mapping[str, object],
    keys: frozenset[str],
    where: str = "",
    *,
    optional: frozenset[str] = frozenset(),
) -> None:
    given = item.keys() - optional
    if given != keys:
        parts = (("missing", sorted(keys - given)), ("unknown", sorted(given - keys)))
        problem = "; ".join(f"{what} {', '.join(map(repr, names))}" for what, names in parts if names)
        raise _Flaw(where, problem)


def _typed(item: Mapping[str, Any], key: str, kind: type[_T], where: str = "") -> _T:
    value = item[key]
    if not isinstance(value, kind):
        raise _Flaw(f"{where}.{key}".lstrip("."), f"must be {_KINDS[kind]}")
    return value


def _dump_call(call: Call, kind: CassetteKind, name_of: Callable[[str, str], str] | None) -> JsonObject:
    request: JsonObject = {
        "method": call.request.method,
        "url": call.request.url,
        "body": encode_body(call.request.body),
    }
    if name_of is not None:
        substitute(request["body"], call.request.body, lambda text: name_of(call.phase, text))
    response: JsonObject
    if isinstance(call.response, CallFailure):
        response = {"failure": call.response.failure, "message": call.response.message}
    else:
        response = {
            "status": call.response.status,
            "headers": {name: _dump_header(values) for name, values in sorted(call.response.headers.items())},
            "body": encode_body(call.response.body),
        }
        # The scripted endpoint's counts follow from the request; a model's own are part of its answer.
        if name_of is not None and kind == "scripted":
            _subtract_prompt_tokens(response["body"], prompt_tokens(call.request.body))
    return {"phase": call.phase, "request": request, "response": response}


def _subtract_prompt_tokens(encoded: JsonValue, tokens: int) -> None:
    usage = encoded.get("usage") if isinstance(encoded, dict) else None
    if not tokens or not isinstance(usage, dict):
        return
    for name in _PROMPT_COUNTS & usage.keys():
        count = usage[name]
        if type(count) is int and count >= tokens:
            usage[name] = {"$beside_prompts": count - tokens}


def _dump_header(values: tuple[str, ...]) -> JsonValue:
    return values[0] if len(values) == 1 else list(values)
