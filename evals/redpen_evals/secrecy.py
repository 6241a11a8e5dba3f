"""Keeping the key of a live model out of results and logs, whoever gives it back."""

from __future__ import annotations

from redpen.chat.secret_logs import SHORTEST, strike, struck_from_logs
from redpen.text.keys import STRUCK
from redpen_evals.records.model import ScenarioResult
from redpen_evals.spellings import holds, strike_spellings, walk

__all__ = ["STRUCK", "strike", "strike_from_result", "struck_from_logs"]


def strike_from_result(result: ScenarioResult, secret: str) -> ScenarioResult:
    """Return a result without a secret in any of its texts, in whatever spelling."""
    if len(secret) < SHORTEST:
        return result
    texts: list[str] = []

    def look(text: str) -> str:
        texts.append(text)
        return text

    content = result.model_dump()
    walk(content, look)
    if not holds("\n".join(texts), secret):
        return result
    return ScenarioResult.model_validate(walk(content, lambda text: strike_spellings(text, secret, STRUCK)))
