"""Run records: what a run of the suite found, one JSON line a fact, written as it goes."""

from redpen_evals.errors import RecordError
from redpen_evals.records.model import (
    BASE_VARIANT,
    RecordedCall,
    RecordedPrompt,
    RunEnd,
    RunStart,
    ScenarioResult,
    ScorecardResult,
    StaleCall,
    StaleCalls,
)
from redpen_evals.records.places import RecordWriter
from redpen_evals.records.reading import Record, read_lines, read_record

__all__ = [
    "BASE_VARIANT",
    "Record",
    "RecordError",
    "RecordWriter",
    "RecordedCall",
    "RecordedPrompt",
    "RunEnd",
    "RunStart",
    "ScenarioResult",
    "ScorecardResult",
    "StaleCall",
    "StaleCalls",
    "read_lines",
    "read_record",
]
