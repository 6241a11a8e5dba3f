"""The review queue of one run, with decisions from its scenario."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, assert_never

from redpen.agents.resume import decide_review
from redpen.databases.sqlite import SqliteDatabase
from redpen.errors import InvalidInputError
from redpen.review import Decision, Override, RefusedDecisionError, ReviewQueue
from redpen.review.tables import TABLES
from redpen.text.json_values import copy_json, printable
from redpen.types import JsonObject, JsonValue
from redpen_evals.errors import TargetError
from redpen_evals.scenario_library.review_script import (
    ReviewEdit,
    ReviewScript,
    ScriptedDecision,
    decisions_of,
)

BY: Final = "scenario"
"""Name of the reviewer in decisions."""
_EXPIRE_AFTER_S: Final = 86_400.0
_START: Final = datetime(2026, 3, 6, 12, tzinfo=UTC)
"""The fixed time at which a queue begins, so that results are reproducible."""


@dataclass(slots=True, kw_only=True)
class ScriptedReviews:
    """The reviews of a run, its scripted decisions, and the messages on those that were refused."""

    queue: ReviewQueue
    unused: deque[ScriptedDecision]
    refused: list[JsonObject] = field(default_factory=list)
    time: datetime = _START

    def decide(self, review_id: str, **arguments: Any) -> bool:
        """Apply the scenario's next decision; if it is refused, the one after it, and so on.

        Returns:
            Whether the review is decided; else there is no decision left.

        Raises:
            TargetError: a decision does not fit the review.
        """
        while self.unused:
            scripted = self.unused.popleft()
            if scripted == "expire":
                self.time += timedelta(seconds=_EXPIRE_AFTER_S)
                return True
            try:
                decide_review(self.queue, review_id, _decision(scripted), **arguments)
            except RefusedDecisionError as error:
                findings: JsonValue = printable(copy_json(error.findings))
                refused: JsonObject = {"decision": "edit", "stop_reason": error.stop_reason}
                self.refused.append({**refused, "findings": findings})
            except InvalidInputError as error:
                # Without the review's id, which differs in each run.
                raise TargetError("review", str(error).partition(": ")[2]) from error
            else:
                return True
        return False

    def decisions(self) -> list[JsonObject]:
        """Return the decisions in order, in the form of results."""
        return [
            {
                "decision": decision.kind,
                "by": decision.by,
                "reason": decision.reason,
                "overrides": [override.model_dump() for override in decision.overrides],
            }
            for review in self.queue.reviews()
            if (decision := review.decision) is not None
        ]

    def refusals(self) -> dict[str, Any]:
        """Return the field of a result that lists the refused edits; nothing if there are none."""
        return {"refused_decisions": self.refused} if self.refused else {}


@contextmanager
def open_scripted_reviews(script: ReviewScript) -> Iterator[ScriptedReviews]:
    """Open the queue of one run in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="redpen-reviews-") as folder:
        database = SqliteDatabase(Path(folder) / "reviews.db", TABLES, is_temporary=True)
        queue = ReviewQueue(database, expire_after_s=_EXPIRE_AFTER_S, now=lambda: reviews.time)
        reviews = ScriptedReviews(queue=queue, unused=deque(decisions_of(script)))
        try:
            yield reviews
        finally:
            queue.close()


def _decision(scripted: ScriptedDecision) -> Decision:
    match scripted:
        case "approve" | "reject" | "expire":
            return Decision(kind=scripted, by=BY)
        case ReviewEdit(edit=edit, reason=reason):
            overrides = tuple(Override(code=code, reason=reason) for code in scripted.codes)
            text, action = (edit, None) if isinstance(edit, str) else (None, edit)
            return Decision(kind="edit", by=BY, reason=reason, text=text, action=action, overrides=overrides)
        case _:
            assert_never(scripted)
