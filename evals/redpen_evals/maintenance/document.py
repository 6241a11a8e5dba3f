"""A cassette as JSON values, for programs."""

from __future__ import annotations

from typing import Any

from redpen_evals.cassettes.encoding import Body, JsonBody, encode_body
from redpen_evals.cassettes.file import Call, CallFailure, CassetteFile
from redpen_evals.maintenance.conversation import latencies_ms
from redpen_evals.model_calls.reading import tokens_of


def cassette_values(cassette: CassetteFile) -> dict[str, Any]:
    """Return a cassette as JSON values; a body that is no JSON stands as in the file, ``{"$text": …}``."""
    latencies = latencies_ms(cassette)
    return {
        "scenario": cassette.scenario,
        "model": cassette.model,
        "kind": cassette.kind,
        "variant": cassette.variant,
        "sample": cassette.sample,
        "base_url": cassette.base_url,
        "recorded": cassette.recorded,
        "calls": [_call(call, latency) for call, latency in zip(cassette.calls, latencies, strict=True)],
    }


def _call(call: Call, latency_ms: float | None) -> dict[str, Any]:
    prompt_tokens, completion_tokens = tokens_of(call)
    values: dict[str, Any] = {
        "phase": call.phase,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "latency_ms": latency_ms,
        "request": _body(call.request.body),
    }
    if isinstance(call.response, CallFailure):
        return {**values, "failure": call.response.failure, "message": call.response.message}
    return {**values, "status": call.response.status, "response": _body(call.response.body)}


def _body(body: Body) -> Any:
    return body.value if isinstance(body, JsonBody) else encode_body(body)
