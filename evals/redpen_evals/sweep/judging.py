"""The chunk function: rows in, verdicts out; the same for every engine."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from redpen.text.json_values import parse_json, printable
from redpen.types import JsonObject
from redpen_evals.checking.inputs import Contexts
from redpen_evals.checking.row import BadLineError, row_context, row_fields, row_identity, row_text
from redpen_evals.errors import TimeIsOver
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.sweep.judges import FIELDS, Judge, Judging, Text, judge_of, without_new_statements
from redpen_evals.sweep.sources import Row
from redpen_evals.sweep.tally import Tally

_VERDICT_KEYS: Final = ("file", "line", "ok", "error", "violations", "concerns", "pack")
"""Keys of a verdict; columns with these names are not copied to the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Rows of one file that are judged together."""

    file: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Verdicts on a chunk: a JSON line per row, in their order, and their counts."""

    lines: bytes
    tally: Tally


def judge_chunk(judging: Judging, chunk: Chunk) -> Judged:
    """Judge the rows of a chunk; a row that cannot be judged gets a line with ``error``."""
    # Each step runs over all rows before the next, which keeps its code in the processor's cache.
    read = [_read(row, judging) for row in chunk.rows]
    verdicts = _verdicts(judging, [text for _, text in read if text is not None])
    records = []
    for row, (fields, text) in zip(chunk.rows, read, strict=True):
        place = {"file": chunk.file, "line": row.line}
        if text is None:
            records.append(place | fields)
        else:
            kept = text.kept() if judging.keep_texts else {}
            records.append({**fields, **place, **kept, **next(verdicts)})
    return judged(records)


def check_judging(judging: Judging) -> None:
    """Raise RedpenError if guards or context do not exist, before any row is judged."""
    if judging.context is not None:
        _contexts(judging.layout).named(judging.context)
    if judging.interpreter is None:
        judge_of(judging)


def unjudged(chunk: Chunk, problem: str) -> Judged:
    """Return the verdicts on a chunk that could not be judged."""
    return judged([{"file": chunk.file, "line": row.line, "error": problem} for row in chunk.rows])


def judged(records: Iterable[dict[str, Any]]) -> Judged:
    """Return records as lines."""
    tally = Tally()
    lines = []
    for record in records:
        tally.add(record)
        lines.append(_line(record))
    return Judged(lines=b"".join(lines), tally=tally)


def joined(parts: Sequence[Judged]) -> Judged:
    """Return the merged verdicts on some chunks."""
    tally = Tally()
    for part in parts:
        tally.merge(part.tally)
    return Judged(lines=b"".join(part.lines for part in parts), tally=tally)


def _line(record: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(printable(record), ensure_ascii=False)
    # File names and messages of guards may hold characters that UTF-8 cannot encode.
    return text.encode(errors="replace") + b"\n"


def _verdicts(judging: Judging, texts: list[Text]) -> Iterator[Mapping[str, Any]]:
    if judging.interpreter:
        return _ask_interpreter(judging, texts) if texts else iter(())
    judge = judge_of(judging)
    with importable(judging.paths):
        return iter([_verdict(judge, text, judging.row_timeout_s) for text in texts])


def _ask_interpreter(judging: Judging, texts: list[Text]) -> Iterator[Mapping[str, Any]]:
    """Yield the verdicts of the Redpen of another environment, through its command ``check --jsonl``."""
    command = [str(judging.interpreter), "-m", "redpen_evals", "check", "--jsonl", "-"]
    command += ["--claims", judging.claims]
    rows = b"".join(json.dumps(text.kept(), ensure_ascii=False).encode() + b"\n" for text in texts)
    try:
        answer = subprocess.run(  # noqa: S603 - the interpreter that the user named
            command, input=rows, capture_output=True, check=False, timeout=judging.row_timeout_s * len(texts)
        )
        verdicts = [row_fields(line) for line in answer.stdout.splitlines()]
        problem = answer.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no verdict"]
    except (OSError, subprocess.SubprocessError, BadLineError) as error:
        verdicts, problem = [], [str(error)]
    by_line: dict[Any, dict[str, Any]] = {verdict.pop("line", None): dict(verdict) for verdict in verdicts}
    for line, text in enumerate(texts, start=1):
        verdict = by_line.get(line, {"error": f"{judging.interpreter}: {problem[0]}"[:500]})
        yield verdict if "error" in verdict else without_new_statements(verdict, text)


def _verdict(judge: Judge, text: Text, limit_s: float) -> Mapping[str, Any]:
    try:
        with _time_limit(limit_s):
            return judge(text)
    except _RowTimeoutError:
        return {"error": f"took longer than {limit_s:g} s"}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - any crash, even `sys.exit`, only costs this row
        return {"error": f"{type(error).__name__}: {error}"[:500]}


class _RowTimeoutError(TimeIsOver):
    """A row took too long."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise ``_RowTimeoutError`` if the block takes longer; needs a Unix system and the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> None:
    raise _RowTimeoutError


def _read(row: Row, judging: Judging) -> tuple[dict[str, Any], Text | None]:
    """Return the copied columns of a row and its text; ``error`` and None if it cannot be judged."""
    try:
        return _fields_and_text(row, judging)
    except BadLineError as error:
        return {"error": str(error)}, None


def _fields_and_text(row: Row, judging: Judging) -> tuple[dict[str, Any], Text]:
    if row.problem:
        raise BadLineError(row.problem)
    fields = row_fields(row.data, is_first=row.line == 1)
    if judging.columns:
        mapped = {name: fields[column] for name, column in judging.columns if column in fields}
        fields = {name: value for name, value in fields.items() if name not in judging.read_columns} | mapped
    known = ((name, fields.pop(name, None)) for name in FIELDS)
    inputs: JsonObject = {name: value for name, value in known if value is not None}
    if ("revised" in inputs) == ("text" in inputs):
        problem = "give one, not both" if "text" in inputs else "missing; `--map text=COLUMN` names another"
        raise BadLineError(f"revised, text: {problem}")
    text = Text(
        original=row_text(inputs, "original") if "original" in inputs else "",
        has_original="original" in inputs,
        revised=row_text(inputs, "revised" if "revised" in inputs else "text"),
        context=_context(inputs, judging),
    )
    for name in _VERDICT_KEYS:
        fields.pop(name, None)
    return {**row_identity(inputs), **fields}, text


def _context(inputs: JsonObject, judging: Judging) -> JsonObject:
    if "context" in inputs and "context_id" in inputs:
        raise BadLineError("context, context_id: give one, not both")
    value = inputs.get("context", inputs.get("context_id", judging.context))
    if value is None:
        raise BadLineError("context: missing; give `context`, `context_id`, or --context NAME for all rows")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = parse_json(value)
        except ValueError as error:
            raise BadLineError(f"context: is not valid JSON: {error}") from error
    return row_context(value, _contexts(judging.layout))


@lru_cache(maxsize=8)
def _contexts(layout: Layout) -> Contexts:
    return Contexts(layout=layout)
