"""How far a command has come, on standard error while somebody watches."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TextIO

_WIDTH = 30
_PAUSE_S = 0.1
_CLEAR = "\r\x1b[K"


@dataclass(slots=True, kw_only=True)
class ProgressLine:
    """A line that is redrawn in place, at most ten times a second.

    Attributes:
        out: where it is drawn; nothing is written unless that is a terminal.
    """

    out: TextIO
    _drawn_at: float | None = field(default=None, init=False)
    _on_screen: bool = field(default=False, init=False)

    def make_way(self) -> None:
        """Take the line off the screen before something else is printed."""
        if self._on_screen:
            self._write(_CLEAR)
            self._on_screen = False

    def draw(self, text: str) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        now = time.monotonic()
        if not self.out.isatty() or (self._drawn_at is not None and now - self._drawn_at < _PAUSE_S):
            return
        self._drawn_at, self._on_screen = now, True
        self._write(_CLEAR + text)

    def leave(self, text: str) -> None:
        """Leave a last text on the screen, on a line of its own."""
        if self.out.isatty():
            self._write(f"{_CLEAR}{text}\n")
            self._on_screen = False

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()


class Progress:
    """How much of a stream of lines is done.

    Args:
        out: where it is drawn; nothing is written unless that is a terminal.
        total_bytes: size of the file; None when nobody knows, then lines alone are counted.
    """

    def __init__(self, *, out: TextIO, total_bytes: int | None) -> None:
        self._line = ProgressLine(out=out)
        self._total_bytes = total_bytes

    def make_way(self) -> None:
        """Take the line off the screen before something else is printed."""
        self._line.make_way()

    def show(self, *, line: int, done_bytes: int) -> None:
        """Draw the line, unless it was drawn a moment ago.

        Args:
            line: number of the last line that was judged, from 1.
            done_bytes: bytes of the file up to its end.
        """
        self._line.draw(self._text(line, done_bytes))

    def finish(self, *, line: int, done_bytes: int) -> None:
        """Leave the last state on the screen, on a line of its own; arguments as of ``show``."""
        self._line.leave(self._text(line, done_bytes))

    def _text(self, line: int, done_bytes: int) -> str:
        count = f"{line} line{'' if line == 1 else 's'}"
        if not self._total_bytes:
            return count
        share = min(done_bytes / self._total_bytes, 1)
        full = int(share * _WIDTH)
        return f"[{'#' * full}{'-' * (_WIDTH - full)}] {int(share * 100)}%  {count}"
