"""Which calls of a recording a script answers; nothing else vouches for the replies to all the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call
from redpen_evals.endpoint.dialects import dialect_of
from redpen_evals.endpoint.dialects.dialect import Dialect, find_problem


def scripted_call(call: Call) -> tuple[Dialect, Mapping[str, Any]] | None:
    """Return API and body of a recorded call that a script answers; None for any other, such as of a tool."""
    dialect = dialect_of(urlsplit(call.request.url).path) if call.request.method == "POST" else None
    body = call.request.body.value if isinstance(call.request.body, JsonBody) else None
    if dialect is None or not isinstance(body, dict) or find_problem(dialect, body) is not None:
        return None
    return dialect, body
