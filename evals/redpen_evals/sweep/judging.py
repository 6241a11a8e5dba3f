"""The chunk function: rows in, verdicts out; the same for every engine."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.guards import check_revision
from redpen.guards.language import UnreadRule
from redpen.guards.revision import ClaimRule
from redpen.policy.packs import PolicyPack
from redpen.text.json_values import parse_json, printable
from redpen.types import JsonObject
from redpen_evals.checking.inputs import Contexts, rules_from
from redpen_evals.checking.row import BadLineError, row_context, row_fields, row_identity, row_text
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.guard_sets import REDPEN, built_in_guard_sets, load_guard_set
from redpen_evals.sweep.policy import HeldTo, rules_under, under_pack, with_floor
from redpen_evals.sweep.sources import Row
from redpen_evals.sweep.tally import Tally

FIELDS: Final[tuple[str, ...]] = ("id", "original", "revised", "text", "context", "context_id")
"""Columns that mean something; all others are carried through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What judges the rows, and how they are read; equal ones judge equally.

    Attributes:
        layout: library that contexts are named in.
        guards: ``module:name`` of a guard, or ``regex``; None for Redpen's.
        paths: folders that its module is imported from.
        interpreter: of an environment with another version of Redpen, whose guards judge.
        columns: pairs of one of ``FIELDS`` and the column that it is read from.
        context: name of the context of rows that give none.
        claims: which claims are allowed.
        unread_language: what a sentence is that is not mostly English.
        policy: packs that rows are held to; None for none. Another interpreter's verdicts know of none.
        keep_texts: whether a verdict holds original, revised text and context.
        row_timeout_s: seconds that a row may take; needs a Unix system.
    """

    layout: Layout
    guards: str | None = None
    paths: tuple[Path, ...] = ()
    interpreter: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    context: str | None = None
    claims: ClaimRule = "hint"
    unread_language: UnreadRule = "concern"
    policy: HeldTo | None = field(default=None, hash=False)
    keep_texts: bool = True
    row_timeout_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Rows of one file that are judged together.

    Attributes:
        file: where they come from.
        rows: as stored.
    """

    file: str
    rows: tuple[Row, ...]

    def single(self) -> Iterator[Chunk]:
        """Yield each row as a chunk of its own."""
        for row in self.rows:
            yield Chunk(file=self.file, rows=(row,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Verdicts on a chunk.

    Attributes:
        lines: a JSON line a row, in their order.
        tally: what they come to.
    """

    lines: bytes
    tally: Tally


class _RowTimeoutError(BaseException):
    """A row took too long; no ``Exception``, so that no guard takes it for its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """What a row asks to judge."""

    original: str
    has_original: bool
    revised: str
    context: JsonObject


_Judge = Callable[[_Text], Mapping[str, Any]]
_Ask = Callable[[_Text, PolicyPack | None], Mapping[str, Any]]


def judge_chunk(judging: Judging, chunk: Chunk) -> Judged:
    """Judge the rows of a chunk; one that cannot be judged costs one line with ``error``."""
    records: list[dict[str, Any]] = []
    waiting: list[tuple[int, _Text]] = []
    judge = None if judging.interpreter else _judge_of(judging)
    for row in chunk.rows:
        place = {"file": chunk.file, "line": row.line}
        try:
            fields, text = _read(row, judging)
        except BadLineError as error:
            records.append({**place, "error": str(error)})
            continue
        kept = asdict(text) if judging.keep_texts else {}
        kept.pop("has_original", None)
        records.append({**fields, **place, **kept})
        if judge is None:
            waiting.append((len(records) - 1, text))
        else:
            with importable(judging.paths):
                records[-1] |= _with_limit(judge, text, judging.row_timeout_s)
    if waiting and judging.interpreter:
        verdicts = _ask_interpreter(judging, [text for _, text in waiting])
        for (place_of, _), verdict in zip(waiting, verdicts, strict=True):
            records[place_of] |= verdict
    return judged(records)


def check_judging(judging: Judging) -> None:
    """Raise RedpenError where guards or context do not exist, before anything is begun with them."""
    if judging.context is not None:
        _contexts(judging.layout).named(judging.context)
    if judging.interpreter is None:
        _judge_of(judging)


def unjudged(chunk: Chunk, problem: str) -> Judged:
    """Return the verdicts on a chunk that nothing could judge."""
    return judged([{"file": chunk.file, "line": row.line, "error": problem} for row in chunk.rows])


def judged(records: list[dict[str, Any]]) -> Judged:
    """Return records as lines."""
    tally = Tally()
    for record in records:
        tally.add(record)
    return Judged(lines=b"".join(map(_line, records)), tally=tally)


def _line(record: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(printable(record), ensure_ascii=False)
    return text.encode() + b"\n"


def _read(row: Row, judging: Judging) -> tuple[dict[str, Any], _Text]:
    if row.problem:
        raise BadLineError(row.problem)
    fields = row_fields(row.data, is_first=row.line == 1)
    given = {name: fields.pop(column) for name, column in judging.columns if column in fields}
    fields |= given
    taken = ((name, fields.pop(name, None)) for name in FIELDS)
    meant: JsonObject = {name: value for name, value in taken if value is not None}
    if ("revised" in meant) == ("text" in meant):
        problem = "give one, not both" if "text" in meant else "missing; `--map text=COLUMN` names another"
        raise BadLineError(f"revised, text: {problem}")
    text = _Text(
        original=row_text(meant, "original") if "original" in meant else "",
        has_original="original" in meant,
        revised=row_text(meant, "revised" if "revised" in meant else "text"),
        context=_context(meant, judging),
    )
    return {**row_identity(meant), **fields}, text


def _context(meant: JsonObject, judging: Judging) -> JsonObject:
    if "context" in meant and "context_id" in meant:
        raise BadLineError("context, context_id: give one, not both")
    value = meant.get("context", meant.get("context_id", judging.context))
    if value is None:
        raise BadLineError("context: missing; give `context`, `context_id`, or --context NAME for all rows")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = parse_json(value)
        except ValueError as error:
            raise BadLineError(f"context: no JSON: {error}") from error
    return row_context(value, _contexts(judging.layout))


@lru_cache(maxsize=8)
def _contexts(layout: Layout) -> Contexts:
    return Contexts(layout=layout)


@lru_cache(maxsize=8)
def _judge_of(judging: Judging) -> _Judge:
    policy = judging.policy
    ask = _redpen(judging) if judging.guards in {None, REDPEN} else _own(judging.guards, judging.paths)
    if policy is None:
        return lambda text: ask(text, None)

    def ask_under(text: _Text) -> Mapping[str, Any]:
        pack = policy.pack(text.context)
        return under_pack(pack, ask(text, pack))

    return ask_under


def _own(place: str, paths: tuple[Path, ...]) -> _Ask:
    from redpen_evals.options import JUDGE_PREFIX

    if place.startswith(JUDGE_PREFIX):
        raise ConfigurationError(
            f"--guards {place}: a judge asks a model of every text, which a sweep does not; "
            f"`pytest evals/suites -k scorecard --guards {place}` scores it"
        )
    built_in = {guards.name: guards for guards in built_in_guard_sets()}
    with importable(paths):
        guards = built_in.get(place) or load_guard_set(place)

    def ask(text: _Text, pack: PolicyPack | None) -> Mapping[str, Any]:
        found = guards.judge(original=text.original, revised=text.revised, context=text.context)
        if found.error is not None:
            return {"error": f"{guards.name}: {found.error}"}
        spans = [*found.spans, *([None] * len(found.codes))]
        violations = [
            {"code": code, **({"span": span, "text": text.revised[slice(*span)]} if span else {})}
            for code, span in zip(found.codes or ("blocked",) * found.blocked, spans, strict=False)
        ]
        concerns = [{"code": "concern"}] if found.concerned else []
        verdict = {"ok": not found.blocked, "violations": violations, "concerns": concerns}
        return with_floor(pack, verdict, revised=text.revised, context=text.context) if pack else verdict

    return ask


def _redpen(judging: Judging) -> _Ask:
    plain = rules_from(
        claims=judging.claims, max_chars=None, min_similarity=None, unread_language=judging.unread_language
    )

    def ask(text: _Text, pack: PolicyPack | None) -> Mapping[str, Any]:
        rules = rules_under(pack, plain, text.context) if pack else plain
        report = check_revision(
            original=text.original, revised=text.revised, context=text.context, rules=rules
        )
        return _without_news(report.to_dict(), text)

    return ask


def _without_news(verdict: dict[str, Any], text: _Text) -> Mapping[str, Any]:
    if text.has_original:
        return verdict
    # Without an original every statement is new: that is no news. What was not read is.
    kept = [item for item in verdict["concerns"] if item["code"] == "unread_language"]
    return {**verdict, "concerns": kept}


def _with_limit(judge: _Judge, text: _Text, seconds: float) -> Mapping[str, Any]:
    try:
        with _time_limit(seconds):
            return judge(text)
    except _RowTimeoutError:
        return {"error": f"took longer than {seconds:g} s"}
    except Exception as error:  # noqa: BLE001 - one row costs one line, whatever the crash
        return {"error": f"{type(error).__name__}: {error}"[:500]}


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: object) -> None:
        raise _RowTimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ask_interpreter(judging: Judging, texts: list[_Text]) -> Iterator[Mapping[str, Any]]:
    """Yield the verdicts of the Redpen of another environment, asked as anybody would: ``check --jsonl``."""
    command = [str(judging.interpreter), "-m", "redpen_evals", "check", "--jsonl", "-"]
    command += ["--claims", judging.claims]
    asked = b"".join(
        _line({"original": text.original, "revised": text.revised, "context": text.context}) for text in texts
    )
    try:
        answer = subprocess.run(  # noqa: S603 - the interpreter that the user named
            command, input=asked, capture_output=True, check=False, timeout=judging.row_timeout_s * len(texts)
        )
        found = [row_fields(line) for line in answer.stdout.splitlines()]
        problem = answer.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no verdict"]
    except (OSError, subprocess.SubprocessError, BadLineError) as error:
        found, problem = [], [str(error)]
    by_line: dict[Any, dict[str, Any]] = {one.pop("line", None): dict(one) for one in found}
    for line, text in enumerate(texts, start=1):
        verdict = by_line.get(line, {"error": f"{judging.interpreter}: {problem[0]}"[:500]})
        yield verdict if "error" in verdict else _without_news(verdict, text)
