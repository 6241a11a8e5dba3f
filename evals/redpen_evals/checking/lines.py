"""Verdicts on JSON lines, one at a time: a line is read, judged and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any, BinaryIO

from redpen.errors import InvalidInputError, RedpenError
from redpen.guards import RevisionRules, check_revision
from redpen.text.json_values import parse_json
from redpen.types import JsonObject, JsonValue
from redpen_evals.checking.inputs import MAX_BYTES, Contexts

_REQUIRED = ("original", "revised", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """What is said of one line.

    Attributes:
        line: its number in the file, from 1.
        record: what is printed for it, as JSON values.
        ok: whether it was judged and nothing blocks.
        error: why it could not be judged; empty when it was.
        end: bytes from the start of the file to the end of the line.
    """

    line: int
    record: dict[str, Any]
    ok: bool = False
    error: str = ""
    end: int


class BadLineError(ValueError):
    """A line that cannot be judged; the message says why."""


def judge_lines(
    file: BinaryIO, *, rules: RevisionRules, contexts: Contexts, keep_texts: bool = False
) -> Iterator[LineVerdict]:
    """Judge each line of a file as it comes.

    Args:
        file: UTF-8 lines of at most ``MAX_BYTES`` bytes, each an object with ``original``, ``revised``,
            ``context`` (an object, or a name in the library) and perhaps ``id`` (a text or an integer).
            Other keys are passed over, blank lines too.
        rules: what the revisions are held to.
        contexts: where a named context is found.
        keep_texts: whether a verdict holds original, revised text and context as well.

    Yields:
        A verdict a line, in their order; for a line that cannot be judged its error.

    Raises:
        InvalidInputError: the file cannot be read on.
    """
    end = 0
    for number, (data, size) in enumerate(_lines(file), start=1):
        end += size
        if data is not None and not data.strip():
            continue
        try:
            record = _judge(data, is_first=number == 1, rules=rules, contexts=contexts, keep_texts=keep_texts)
        except BadLineError as error:
            said = str(error)
            yield LineVerdict(line=number, record={"line": number, "error": said}, error=said, end=end)
        else:
            yield LineVerdict(line=number, record={"line": number, **record}, ok=record["ok"], end=end)


def _lines(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield each line with its size in bytes; None for one that is too long, which is read past."""
    while data := _read(file, MAX_BYTES + 2):
        size = len(data)
        if len(data.removesuffix(b"\n")) <= MAX_BYTES:
            yield data, size
            continue
        while not data.endswith(b"\n") and (data := _read(file, MAX_BYTES)):
            size += len(data)
        yield None, size


def _read(file: BinaryIO, most: int) -> bytes:
    try:
        return file.readline(most)
    except OSError as error:
        raise InvalidInputError(f"the lines cannot be read on: {error.strerror or error}") from error


def _judge(
    data: bytes | None, *, is_first: bool, rules: RevisionRules, contexts: Contexts, keep_texts: bool
) -> dict[str, Any]:
    fields = _fields(data, is_first=is_first)
    original, revised = _text(fields, "original"), _text(fields, "revised")
    context = _context(fields["context"], contexts)
    report = check_revision(original=original, revised=revised, context=context, rules=rules)
    texts = {"original": original, "revised": revised, "context": context} if keep_texts else {}
    return _identity(fields) | texts | report.to_dict()


def _fields(data: bytes | None, *, is_first: bool) -> JsonObject:
    if data is None:
        raise BadLineError(f"longer than {MAX_BYTES} bytes")
    try:
        value = parse_json(data.decode("utf-8-sig" if is_first else "utf-8"))
    except UnicodeDecodeError as error:
        raise BadLineError(f"not UTF-8 at byte {error.start + 1}") from error
    except JSONDecodeError as error:
        # Its own message counts lines within the line.
        raise BadLineError(f"no JSON: {error.msg} at character {error.pos + 1}") from error
    except ValueError as error:
        raise BadLineError(f"no JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadLineError("has to hold an object")
    if missing := [key for key in _REQUIRED if key not in value]:
        raise BadLineError(f"missing: {', '.join(missing)}")
    return value


def _text(fields: JsonObject, key: str) -> str:
    value = fields[key]
    if not isinstance(value, str):
        raise BadLineError(f"{key}: has to be a text")
    return value


def _identity(fields: JsonObject) -> dict[str, Any]:
    if "id" not in fields:
        return {}
    value = fields["id"]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadLineError("id: has to be a text or an integer")
    return {"id": value}


def _context(value: JsonValue, contexts: Contexts) -> JsonObject:
    match value:
        case dict():
            return value
        case str():
            try:
                return contexts.named(value)
            except RedpenError as error:
                raise BadLineError(f"context: {error}") from error
        case _:
            raise BadLineError("context: has to be an object or a name in the library")
