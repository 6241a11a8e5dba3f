"""A review as lines of a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from redpen.review import Review
from redpen.screen import shown
from redpen_evals.text_diff import hunks

_MAX_CHARS: Final = 20_000
_HOW: Final = {
    "text": "approve publishes it; edit ID FILE publishes the text in FILE; reject ends the run",
    "action": "approve carries it out; edit ID FILE carries out the action in FILE; reject ends the run",
    "call": "approve makes the call now, if it was NOT made; edit ID FILE if it was, with the data that it "
    "answered in FILE; reject ends the run",
}


def review_lines(review: Review) -> Iterator[str]:
    """Yield the lines of a review: what is proposed, why it waits, the facts, and the decision."""
    yield f"review {review.id}"
    yield shown(f"run    {review.run_id} of {review.agent}, phase {review.phase}")
    until = "" if review.expires is None else f", expires {review.expires}"
    yield f"asked  {review.created}{until}"
    yield shown(f"why    {review.reason}{f' [{review.code}]' if review.code else ''}")
    yield from _decision_lines(review)
    if review.risk is not None:
        yield shown(f"risk   {json.dumps(review.risk, ensure_ascii=False)}")
    if review.rules:
        yield shown(f"rules  {', '.join(review.rules)}")
    yield ""
    if review.proposed is None:
        yield from _titled(_TITLES[review.kind], as_text(review.original))
    else:
        yield from _titled(_ORIGINALS[review.kind], as_text(review.original))
        changed = changes(as_text(review.original), as_text(review.proposed))
        yield from _titled(f"{_TITLES[review.kind]}, [-removed-] {{+added+}}", changed)
    if review.findings:
        yield "found"
        yield from finding_lines(review.findings)
        yield ""
    if review.context is not None:
        yield from _titled("facts", as_text(review.context))
    if review.status == "pending":
        yield _HOW[review.kind]


def finding_lines(findings: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each finding: its code, its words, its reason."""
    for number, finding in enumerate(findings, start=1):
        code = finding.get("code") or finding.get("type") or "finding"
        family = finding.get("family")
        words = finding.get("text")
        message = finding.get("reason") or finding.get("note") or finding.get("reading") or ""
        about = f" ({family})" if family else ""
        quoted = f" {words!r}:" if words else ":"
        yield shown(f"  {number}. {code}{about}{quoted} {message}")


def changes(before: str, after: str) -> str:
    """Return the new text, with removed words as ``[-…-]`` and added ones as ``{+…+}``."""
    pieces: list[str] = []
    for hunk in hunks(before[:_MAX_CHARS], after[:_MAX_CHARS]):
        old, new = before[slice(*hunk.old)], after[slice(*hunk.new)]
        if hunk.same:
            pieces.append(new)
            continue
        pieces.append(f"[-{old}-]" if old else "")
        pieces.append(f"{{+{new}+}}" if new else "")
    return "".join(pieces)


def as_text(value: object) -> str:
    """Return a string unchanged, and any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


_TITLES: Final = {"text": "to publish", "action": "to carry out", "call": "the call"}
_ORIGINALS: Final = {"text": "draft", "action": "as proposed", "call": "the call"}


def _decision_lines(review: Review) -> Iterator[str]:
    decision = review.decision
    if decision is None:
        yield f"status {review.status}"
        return
    reason = f": {decision.reason}" if decision.reason else ""
    yield shown(f"status {review.status} by {decision.by} at {decision.time}{reason}")
    for override in decision.overrides:
        yield shown(f"       lets {override.code} stand: {override.reason}")
    yield f"run    {_RUN[review.resumed]}"


_RUN: Final = {
    "no": "waits for `redpen resume`",
    "running": "is continuing",
    "done": "has continued",
}


def _titled(title: str, text: str) -> Iterator[str]:
    yield title
    for line in text[:_MAX_CHARS].split("\n"):
        yield f"  {shown(line)}"
    if len(text) > _MAX_CHARS:
        yield f"  [{len(text) - _MAX_CHARS:,} more characters are not shown]"
    yield ""
