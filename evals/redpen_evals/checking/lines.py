"""Judge JSON lines one at a time, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules, check_revision
from redpen_evals.checking.inputs import MAX_BYTES, Contexts
from redpen_evals.checking.row import BadLineError, row_context, row_fields, row_identity, row_text

_REQUIRED = ("original", "revised", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """The verdict on one line, which is numbered from 1.

    Attributes:
        record: the printed verdict, as JSON values.
        ok: whether it was judged and nothing blocks.
        error: why it could not be judged, or empty.
        end: offset of the end of the line in the file, in bytes.
    """

    line: int
    record: dict[str, Any]
    ok: bool = False
    error: str = ""
    end: int


def judge_lines(
    file: BinaryIO, *, rules: RevisionRules, contexts: Contexts, keep_texts: bool = False
) -> Iterator[LineVerdict]:
    """Yield a verdict, or an error, for each line of a file or stream.

    Args:
        file: UTF-8 lines of at most ``MAX_BYTES`` bytes, each an object with ``original``, ``revised``,
            ``context`` (an object, or a name in the library) and optionally ``id`` (a text or an integer).
            Other keys and blank lines are ignored.
        rules: the rules for the revisions.
        contexts: the contexts of the library.
        keep_texts: whether a verdict contains original, revised text and context as well.

    Raises:
        InvalidInputError: the file cannot be read.
    """
    end = 0
    for number, (data, size) in enumerate(bounded_lines(file), start=1):
        end += size
        if data is not None and not data.strip():
            continue
        try:
            record = _judge(data, is_first=number == 1, rules=rules, contexts=contexts, keep_texts=keep_texts)
        except BadLineError as error:
            message = str(error)
            yield LineVerdict(line=number, record={"line": number, "error": message}, error=message, end=end)
        else:
            yield LineVerdict(line=number, record={"line": number, **record}, ok=record["ok"], end=end)


def bounded_lines(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield each line with its size in bytes; None for a line that is too long, which is skipped."""
    while data := _read(file, MAX_BYTES + 2):
        size = len(data)
        if len(data.removesuffix(b"\n")) <= MAX_BYTES:
            yield data, size
            continue
        while not data.endswith(b"\n") and (data := _read(file, MAX_BYTES)):
            size += len(data)
        yield None, size


def _read(file: BinaryIO, max_bytes: int) -> bytes:
    try:
        return file.readline(max_bytes)
    except OSError as error:
        raise InvalidInputError(f"the lines cannot be read: {error.strerror or error}") from error


def _judge(
    data: bytes | None, *, is_first: bool, rules: RevisionRules, contexts: Contexts, keep_texts: bool
) -> dict[str, Any]:
    fields = row_fields(data, is_first=is_first)
    if missing := [key for key in _REQUIRED if key not in fields]:
        raise BadLineError(f"missing: {', '.join(missing)}")
    original, revised = row_text(fields, "original"), row_text(fields, "revised")
    context = row_context(fields["context"], contexts)
    report = check_revision(original=original, revised=revised, context=context, rules=rules)
    texts = {"original": original, "revised": revised, "context": context} if keep_texts else {}
    return row_identity(fields) | texts | report.to_dict()
