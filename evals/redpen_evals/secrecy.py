"""Redaction of a live model's key in results and logs."""

from __future__ import annotations

from redpen.chat.secret_logs import MIN_SECRET_CHARS, redact, redacted_logs
from redpen.text.keys import REDACTED
from redpen_evals.records.model import ScenarioResult
from redpen_evals.spellings import holds, redact_spellings, strings_in, walk

__all__ = ["REDACTED", "redact", "redact_result", "redacted_logs"]


def redact_result(result: ScenarioResult, secret: str) -> ScenarioResult:
    """Return a result with a secret redacted in all of its texts, in any spelling."""
    if len(secret) < MIN_SECRET_CHARS:
        return result
    content = result.model_dump()
    if not holds("\n".join(strings_in(content)), secret):
        return result
    return ScenarioResult.model_validate(walk(content, lambda text: redact_spellings(text, secret, REDACTED)))
