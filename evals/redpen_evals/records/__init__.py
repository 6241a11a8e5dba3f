"""Run records: the results of a run of the suite as JSON lines, written as they come in.

A record holds the harness's conclusions, in lines that are equal for equal files, since comparison and
`--resume` rely on that. What happened in a run, and when, differs each time and is only in its events
(``redpen.events``): a record names their store and each run's id in it.
"""

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
from redpen_evals.records.reading import Record, read_record

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
    "read_record",
]
