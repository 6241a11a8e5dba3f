"""Output of all commands, with control and invisible characters escaped.

Commands escape untrusted text themselves; this is a second line of defence.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO

import click

from redpen.screen import fit, hidden, json_text, shown

_PLAIN: Final = re.compile(r"[\n\t -~]*")
_ISOLATES: Final = frozenset("\u2068\u2069")
"""Inserted around right-to-left text to isolate it from its neighbours."""

_TERMINAL_CODE: Final = re.compile(r"\r|\x1b\[[0-9;?]{0,20}[A-Za-z]")
"""Colours and cursor moves of a progress line, but no codes that set titles or the clipboard."""


class SafeStream:
    """A text stream that writes invisible and control characters as JSON escapes such as ``\\u202e``.

    Colours and cursor moves within a line are kept for a terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its number of characters."""
        self._stream.write(safe(text, codes=self._stream.isatty()))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the stream."""
        return getattr(self._stream, name)


def safe(text: str, *, codes: bool = False) -> str:
    """Return a text with invisible and control characters escaped.

    With ``codes``, colours and cursor moves are kept.
    """
    if _PLAIN.fullmatch(text):
        return text
    if not codes:
        return _escaped(text)
    parts, end = [], 0
    for match in _TERMINAL_CODE.finditer(text):
        parts += [_escaped(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _escaped(text[end:])])


@contextmanager
def safe_output() -> Iterator[None]:
    """Make standard output and standard error safe while a command runs."""
    before = sys.stdout, sys.stderr
    streams: tuple[Any, Any] = SafeStream(sys.stdout), SafeStream(sys.stderr)
    sys.stdout, sys.stderr = streams
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _escaped(text: str) -> str:
    return "".join(
        json.dumps(char)[1:-1] if not_seen and char not in _ISOLATES else char
        for char, not_seen in zip(text, hidden(text), strict=True)
    )


def print_line(line: str) -> None:
    """Print a line, with characters that the output's encoding lacks replaced; colours only on a terminal."""
    click.echo(fit(line, sys.stdout.encoding))


def print_lines(lines: Iterable[str]) -> None:
    """Print each line as ``print_line`` does."""
    for line in lines:
        print_line(line)


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()
) -> None:
    """Print a table that fits the terminal; arguments as of ``table_lines``."""
    from redpen_evals.tables import table_lines
    from redpen_evals.terminal import screen_of

    print_lines(table_lines(header, rows, right=right, screen=screen_of(sys.stdout)))


def print_json(value: Mapping[str, Any]) -> None:
    """Print a JSON object, indented, in the output's encoding."""
    click.echo(json_text(value, encoding=sys.stdout.encoding, indent=2))


def warn(text: str) -> None:
    """Print a warning on standard error."""
    click.echo(f"redpen: {shown(text)}", err=True)
