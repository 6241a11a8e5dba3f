"""A deployed agent: one HTTP call, recorded and replayed as such."""

from __future__ import annotations

import functools
import os
import re
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from redpen.screen import shortened, shown
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.encoding import body_bytes
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult
from redpen_evals.errors import TargetError
from redpen_evals.targets.binding import Call
from redpen_evals.targets.calling import TIMED_OUT, timed_out
from redpen_evals.targets.calling import call as call_in_time
from redpen_evals.targets.environment import PLACEHOLDER
from redpen_evals.targets.run import Raised, Run
from redpen_evals.targets.turns import converse
from redpen_evals.targets.values import as_json, read_answer
from redpen_evals.traffic.bodies import without_credentials
from redpen_evals.traffic.exchange import Exchange

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_HEADER_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}")
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e]*")
_SENT: Final = "sent as JSON"
_MIN_SECRET_CHARS: Final = 8
_SHOWN_CHARS: Final = 300
_TRANSIENT: Final = frozenset({407, 408, 429})


def run_url(call: Call) -> Run:
    """Call the endpoint, once or once per turn, and return the run; raises as ``run_own_agent``."""
    parts = urlsplit(call.scenario.url or "")
    if parts.username is not None or parts.password is not None:
        raise TargetError("url", "contains credentials: send them in `headers`, as ${VARIABLE}")
    ends = min(time.monotonic() + call.scenario.timeout_s, call.scope.deadline_s)
    headers, secrets = _headers(call)
    with closing(Exchange(call.scope)) as exchange:

        def ask(given: Mapping[str, Any]) -> Any:
            url, content = _address(call, {**call.arguments, **given})
            request = functools.partial(
                exchange.ask, call.scenario.method, url, headers=tuple(headers.items()), content=content
            )
            result = call_in_time(request, timeout_s=max(ends - time.monotonic(), 0.001), root=None)
            if isinstance(result, Raised) and result.stop_reason != TIMED_OUT:
                return result
            # Recorded failures do not depend on the time.
            is_over = not call.scope.cassette.is_replay and time.monotonic() >= ends
            if isinstance(result, Raised) or (isinstance(result, CallFailure) and is_over):
                return timed_out("answered", call.scenario.timeout_s)
            _check_recording(call, result, secrets)
            return _answer(result)

        run = converse(call, ask)
    if not isinstance(run.returned, Raised):
        return run
    kind = run.returned.stop_reason.partition(":")[0]
    message = run.returned.message
    return replace(run, problem=message if kind == "status" else f"{kind}: {message}")


def _address(call: Call, arguments: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return URL and body of a call; without a body the input is in the query."""
    url = call.scenario.url or ""
    if call.scenario.method != "GET":
        return url, as_json(arguments, _SENT).encode("ascii")
    texts = {
        name: value if isinstance(value, str) else as_json(value, _SENT) for name, value in arguments.items()
    }
    if query := urlencode(texts):
        parts = urlsplit(url)
        url = parts._replace(query=f"{parts.query}&{query}" if parts.query else query).geturl()
    return url, b""


def _headers(call: Call) -> tuple[dict[str, str], dict[str, str]]:
    """Return the headers to send, and the environment variables in them with their values."""
    headers = {"accept": "*/*", "user-agent": "redpen"}
    if call.scenario.method != "GET":
        headers["content-type"] = "application/json"
    used: dict[str, str] = {}
    for name, form in call.scenario.headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise TargetError("headers", f"{name!r} is not a header name")
        if call.scope.cassette.is_replay:
            # A replay sends nothing, and needs no key.
            continue
        for variable in _VARIABLE.findall(form):
            used[variable] = _variable(variable)
        value = _VARIABLE.sub(lambda match: _variable(match[1]), form)
        if not _HEADER_VALUE.fullmatch(value):
            raise TargetError("headers", f"{name}: its value has a character that is invalid in headers")
        headers[name.lower()] = value
    return headers, used


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if value is None or value == PLACEHOLDER:
        hint = suggestion(name, os.environ)
        raise TargetError("headers", f"the environment variable {name} is not set{hint}")
    return value


def _check_recording(call: Call, result: CallResult, secrets: Mapping[str, str]) -> None:
    """Report why an answer must not be recorded: failures, and answers with a secret."""
    if call.scope.cassette.is_replay:
        return
    url = without_credentials(call.scenario.url or "")
    if isinstance(result, CallFailure):
        call.scope.report(f"{url} gave no answer: {result.failure}")
        return
    if result.status >= 500 or result.status in _TRANSIENT:
        call.scope.report(f"{url} gave no answer: status {result.status}")
    content = body_bytes(result.body).decode("utf-8", "replace")
    for variable, value in secrets.items():
        if len(value) >= _MIN_SECRET_CHARS and value in content:
            call.scope.report(f"the answer of {url} contains the value of the variable {variable}")


def _answer(result: CallResult) -> Any:
    if isinstance(result, CallFailure):
        return Raised(stop_reason="no_answer", names=(result.failure, "no_answer"), message=result.failure)
    content = body_bytes(result.body)
    if result.status >= 300:
        reason = f"status:{result.status}"
        return Raised(stop_reason=reason, names=(reason, "status"), message=_status(result, content))
    return read_answer(content, "the answer")


def _status(result: CallResponse, content: bytes) -> str:
    status = result.status
    if status < 400:
        place = ", ".join(result.headers.get("location", ())) or "elsewhere"
        return f"status {status}: a redirect to {shown(place[:_SHOWN_CHARS])}, which is not followed"
    text = content.decode("utf-8", "replace").strip()
    return f"status {status}: {shown(shortened(text, _SHOWN_CHARS))}" if text else f"status {status}"
