"""Asks a model whether a text fulfils the required changes that quote no phrase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from redpen.guards import Finding, Report
from redpen.guards.text import read
from redpen.judges.answers import Span, find_quote, read_answers
from redpen.types import JsonObject, JsonValue

_PHASE: Final = "check"


def unfulfilled_changes(
    changes: Sequence[str],
    *,
    original: str,
    revised: str,
    ask: Callable[[JsonObject], Mapping[str, JsonValue]],
) -> Report:
    """Ask whether each required change is fulfilled.

    A yes has to quote the words of the revised text that fulfil the change; for a removal, the words of the
    original that were removed.

    Args:
        changes: the required changes, in order; if there are none, the model is not asked.
        original: the text that was revised.
        revised: the revised text.
        ask: sends a payload to the model and returns its reply.

    Returns:
        A violation ``required_changes_not_applied`` for each change that is not fulfilled.

    Raises:
        Stop: ``invalid_judgement:*`` for an invalid answer, or a quote that occurs in neither text; any
            stop of ``ask``.
    """
    if not changes:
        return Report()
    before, after = read(original), read(revised, original)
    end = len(revised)

    def find(quote: str) -> Span | None:
        if span := find_quote(after, quote):
            return span
        return (end, end) if find_quote(before, quote) else None

    ids = [f"change-{number}" for number in range(1, len(changes) + 1)]
    asked: list[JsonValue] = [
        {"id": name, "change": change} for name, change in zip(ids, changes, strict=True)
    ]
    reply = ask({"draft": before.text, "text": after.text, "required_changes": asked})
    answers = read_answers(reply, ids, phase=_PHASE, find=find)
    return Report(
        violations=tuple(
            Finding(
                code="required_changes_not_applied",
                family="change",
                span=(end, end),
                text="",
                reading=f"{change!r} is not fulfilled",
                reason="the model that was asked found no words that fulfil it",
            )
            for name, change in zip(ids, changes, strict=True)
            if not answers[name].yes
        )
    )
