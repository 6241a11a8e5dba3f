"""Keeping the key of a live model out of results and logs, whoever gives it back."""

from __future__ import annotations

import json

from redpen.chat.secret_logs import SHORTEST, STRUCK, strike, struck_from_logs
from redpen_evals.records.model import ScenarioResult

__all__ = ["STRUCK", "strike", "strike_from_result", "struck_from_logs"]


def strike_from_result(result: ScenarioResult, secret: str) -> ScenarioResult:
    """Return a result without a secret in any of its texts."""
    content = result.model_dump_json()
    # As JSON writes it, should the secret hold a quote or a backslash.
    written = json.dumps(secret, ensure_ascii=False)[1:-1]
    if len(secret) < SHORTEST or written not in content:
        return result
    return ScenarioResult.model_validate_json(content.replace(written, STRUCK))
