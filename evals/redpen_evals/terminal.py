"""Where lines are printed: its width, and whether it shows colours."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import Final, TextIO

import pytest

from redpen.screen import shows_colour

_MIN_WIDTH: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The screen that tables are fitted to.

    Attributes:
        width: columns, 40 at least; None for a pipe or a file, where a row is one line however long.
        colour: whether colours are shown.
    """

    width: int | None = None
    colour: bool = False


PLAIN: Final = Screen()
"""A pipe or a file."""


def screen_of(out: TextIO) -> Screen:
    """Return the screen of a stream; plain unless it is a terminal."""
    if not out.isatty():
        return PLAIN
    return Screen(width=max(shutil.get_terminal_size().columns, _MIN_WIDTH), colour=shows_colour(out))


def screen_of_session(terminal: pytest.TerminalReporter) -> Screen:
    """Return the screen of pytest's terminal; its option ``--color`` decides about colours."""
    writer = terminal.config.get_terminal_writer()
    width = max(writer.fullwidth, _MIN_WIDTH) if terminal.isatty else None
    return Screen(width=width, colour=writer.hasmarkup)
