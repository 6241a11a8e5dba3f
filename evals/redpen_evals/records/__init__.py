"""Run records: what a run of the suite found, one JSON line a fact, written as it goes.

A record holds what the harness concluded, in lines that are equal for equal files, since comparison and
`--resume` go by that; what happened in a run, and when, differs each time and stands in its events alone
(``redpen.events``). So a record names the store of events and each run's id in it, and repeats nothing.
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
