"""The database tables of the review queue, and the parsing of their rows."""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

from pydantic import BaseModel, ValidationError

from redpen.databases import Tables
from redpen.review.errors import ReviewError
from redpen.review.model import SCHEMA_VERSION, JournalEntry, Review
from redpen.text.json_values import MAX_INTEGER_DIGITS

ModelT = TypeVar("ModelT", bound=BaseModel)

TABLES: Final = Tables(
    name="reviews",
    version=1,
    # Decisions and started calls must survive a power failure.
    durable=True,
    statements=(
        """CREATE TABLE IF NOT EXISTS redpen_reviews (
            number {id}, id {text} NOT NULL UNIQUE, run_id {text} NOT NULL, step BIGINT NOT NULL,
            attempt BIGINT NOT NULL, agent {text} NOT NULL, status {text} NOT NULL,
            resumed {text} NOT NULL, created {text} NOT NULL, expires {text}, owner {text}, lease {text},
            review TEXT NOT NULL, decision TEXT, result TEXT, UNIQUE (run_id, step, attempt))""",
        "CREATE INDEX IF NOT EXISTS redpen_reviews_status ON redpen_reviews (status)",
        """CREATE TABLE IF NOT EXISTS redpen_reviews_journal (
            number {id}, run_id {text} NOT NULL, step BIGINT NOT NULL, state {text} NOT NULL,
            entry TEXT NOT NULL, UNIQUE (run_id, step))""",
    ),
)
REVIEW_COLUMNS: Final = "number, status, resumed, decision, review"
_COLUMN_FIELDS: Final = {"status", "resumed", "decision"}
_ID_NAMESPACE: Final = UUID("8d1f6c1e-3f0b-5c43-9a36-2f0c1f0f7a51")


def review_id(run_id: str, step: int, attempt: int) -> str:
    """Return the id of the review of a run's question, which is the same on each replay."""
    return uuid5(_ID_NAMESPACE, f"{run_id}/{step}/{attempt}").hex


def as_text(model: BaseModel) -> str:
    """Return a model as JSON from which it can be restored, including infinite numbers."""
    excluded = _COLUMN_FIELDS if isinstance(model, Review) else None
    return json.dumps(model.model_dump(exclude=excluded), separators=(",", ":"))


def read_review(row: tuple[Any, ...], *, shown: str) -> Review:
    """Return the review in a row of ``REVIEW_COLUMNS``; raises ReviewError if the row is damaged."""
    number, status, resumed, decision, review = row
    place = f"{shown}: row {number} of redpen_reviews"
    content = _content(review, place)
    version = content.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        message = f"has schema version {version}; this Redpen reads up to {SCHEMA_VERSION}: use a newer one"
        raise ReviewError(f"{place}: {message}")
    decided = None if decision is None else _content(decision, place)
    columns = {"status": status, "resumed": resumed, "decision": decided}
    return _validate(Review, {**content, **columns}, place)


def read_entry(number: int, text: str, *, shown: str) -> JournalEntry:
    """Return the journal entry in a row; raises ReviewError if the row is damaged."""
    place = f"{shown}: row {number} of redpen_reviews_journal"
    return _validate(JournalEntry, _content(text, place), place)


def _content(text: object, place: str) -> dict[str, Any]:
    try:
        content = json.loads(text, parse_int=_integer) if isinstance(text, str) else None
    except (ValueError, RecursionError) as error:
        raise ReviewError(f"{place}: is damaged: {error}") from error
    if not isinstance(content, dict):
        raise ReviewError(f"{place}: is damaged: not a JSON object")
    return content


def _integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_DIGITS + 1:
        raise ValueError(f"an integer has more than {MAX_INTEGER_DIGITS} digits")
    return int(digits)


def _validate(kind: type[ModelT], content: dict[str, Any], place: str) -> ModelT:
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "row"
        raise ReviewError(f"{place}: {field}: {first['msg']}") from error
