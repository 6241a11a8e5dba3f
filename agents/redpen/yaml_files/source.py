"""Reads a YAML file and records the line of every value.

Only JSON values are accepted, with JSON's types: ``no``, dates and ``12:30`` are strings. Anchors, aliases,
tags and repeated keys are rejected, because they make a file mean something other than it appears to.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from redpen.plain_file import UnreadableFileError, read_plain_file
from redpen.yaml_files.problem import FileError, problem_in

MAX_BYTES = 1_000_000
MAX_DEPTH = 60
MAX_VALUES = 50_000

Location = tuple[str | int, ...]

# Every value except the outermost needs one of these marks. This many marks are harmless for the composer's
# recursion depth and memory, and far more than a normal file has.
_HARMLESS_MARKS = 5_000
_VALUE_MARKS = "[{-?:,"
_MAX_DIRECTIVES = 100

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PREFIX = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,300})")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9]{1,300}\.[0-9]{0,300}|\.[0-9]{1,300}|[0-9]{1,300})(?:[eE][-+]?[0-9]{1,5})?"
)
_SPECIAL_FLOATS = frozenset({".nan", ".inf", "+.inf", "-.inf"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """A parsed file; compared by identity, because parses of the same text are cached.

    Attributes:
        path: the file.
        value: the content as JSON values; it is shared by parses of the same text and must not be modified.
        lines: line of each value, from 1, by its location.
    """

    path: Path
    value: Any
    lines: dict[Location, int]

    def line_of(self, location: Location) -> int:
        """Return the line of a value, or of the nearest enclosing one."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)


def read_source(path: Path, *, stream: bool = False) -> Source:
    """Read a YAML file.

    Args:
        path: a file of at most ``MAX_BYTES`` bytes, UTF-8.
        stream: whether a pipe or a device is accepted too, e.g. one named on the command line; reading it may
            block.

    Raises:
        FileError: the file cannot be read, is not valid YAML, or contains a value that is not JSON.
    """
    text = read_text(path, stream=stream)
    return source_of(path, text) if stream else _parse_once(path, text)


def source_of(path: Path, text: str) -> Source:
    """Parse YAML text.

    Args:
        path: the file to name in errors.
        text: all of the file, or its beginning.

    Raises:
        FileError: it is not valid YAML, or contains a value that is not JSON.
    """
    try:
        _check_extent(path, text)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        if "maximum nesting depth" in (error.problem or ""):
            # The scanner of newer libyaml gives up before the parser has counted to ``MAX_DEPTH``.
            raise problem_in(path, f"nested deeper than {MAX_DEPTH}", line=line) from error
        message = ", ".join(filter(None, (error.context, error.problem)))
        raise problem_in(path, f"not valid YAML: {message}", line=line) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise problem_in(path, f"not valid YAML: {str(error).splitlines()[0]}") from error
    if node is None:
        raise problem_in(path, "the file is empty")
    reader = _Reader(path=path)
    return Source(path=path, value=reader.value(node, ()), lines=reader.lines)


# A session parses a scenario for its run and again for checks of the whole library. The cache key is the
# text, because a file can change within the resolution of its modification time.
_parse_once = functools.lru_cache(maxsize=4096)(source_of)


def _check_extent(path: Path, text: str) -> None:
    # The composer recurses in C, where deep nesting crashes the process, and needs about 1,000 bytes a value;
    # the parser needs neither. Only large files are parsed twice.
    if text.count("\n%") > _MAX_DIRECTIVES:
        # The parser compares each directive with all earlier ones.
        raise problem_in(path, f"more than {_MAX_DIRECTIVES} directives")
    if sum(map(text.count, _VALUE_MARKS)) <= _HARMLESS_MARKS:
        return
    depth = values = 0
    events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        if depth > MAX_DEPTH:
            raise problem_in(path, f"nested deeper than {MAX_DEPTH}", line=event.start_mark.line + 1)
        if values > MAX_VALUES:
            raise problem_in(path, f"more than {MAX_VALUES} values", line=event.start_mark.line + 1)


def read_text(path: Path, *, stream: bool = False) -> str:
    """Return the text of a file; raises FileError if it is too large, no UTF-8, or contains a NUL."""
    try:
        data = _read_stream(path) if stream else read_plain_file(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise problem_in(path, f"cannot be read: {error.strerror or error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise problem_in(path, "not UTF-8: save the file in that encoding", line=line) from error
    if "\0" in text:
        raise problem_in(path, "holds a NUL character", line=text[: text.index("\0")].count("\n") + 1)
    return text


def _read_stream(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UnreadableFileError(f"it is larger than {MAX_BYTES:,} bytes")
    return data


@dataclass(slots=True, kw_only=True)
class _Reader:
    path: Path
    lines: dict[Location, int] = field(default_factory=dict)
    nodes: set[Any] = field(default_factory=set)

    def value(self, node: Any, location: Location) -> Any:
        self._check(node, location)
        self.lines.setdefault(location, node.start_mark.line + 1)
        match node:
            case yaml.ScalarNode():
                return self._scalar(node)
            case yaml.SequenceNode(tag="tag:yaml.org,2002:seq"):
                return [self.value(item, (*location, at)) for at, item in enumerate(node.value)]
            case yaml.MappingNode(tag="tag:yaml.org,2002:map"):
                return self._mapping(node, location)
            case _:
                raise self._unread_tag(node)

    def _check(self, node: Any, location: Location) -> None:
        # The composer represents an alias by the node object of its anchor.
        if node in self.nodes:
            raise self._problem(node, "anchors and aliases are not read: write the value out")
        self.nodes.add(node)
        if len(self.nodes) > MAX_VALUES:
            raise self._problem(node, f"more than {MAX_VALUES} values")
        if len(location) > MAX_DEPTH:
            raise self._problem(node, f"nested deeper than {MAX_DEPTH}")
        if not node.tag.startswith(_PREFIX):
            raise self._unread_tag(node)

    def _mapping(self, node: Any, location: Location) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, item in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._problem(key_node, "a key has to be a plain text")
            self._check(key_node, location)
            key = key_node.value
            if key in result:
                raise self._problem(key_node, f"key {key!r} appears twice")
            self.lines[(*location, key)] = key_node.start_mark.line + 1
            result[key] = self.value(item, (*location, key))
        return result

    def _scalar(self, node: Any) -> bool | int | float | str | None:
        text: str = node.value
        match node.tag.removeprefix(_PREFIX):
            case "null":
                return None
            case "bool" if text.lower() in {"true", "false"}:
                return text.lower() == "true"
            case "int" if _INTEGER.fullmatch(text):
                return int(text)
            case "float" if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
                return number
            case "float" if _FLOAT.fullmatch(text) or text.lower() in _SPECIAL_FLOATS:
                raise self._problem(node, f"{text} is not a JSON number: put it in quotes to make it text")
            case "bool" | "int" | "float" | "timestamp" | "str" | "value" | "merge":
                return text
            case _:
                raise self._unread_tag(node)

    def _unread_tag(self, node: Any) -> FileError:
        tag = node.tag.replace(_PREFIX, "!!")
        return self._problem(node, f"tag {tag} is not read: write a plain value")

    def _problem(self, node: Any, text: str) -> FileError:
        return problem_in(self.path, text, line=node.start_mark.line + 1)
