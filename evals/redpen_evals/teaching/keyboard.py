"""Keys as they are typed, one after another, without a line end; from a pipe as well."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_ESCAPED = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~]|.)?", re.DOTALL)
"""What an arrow or a function key sends, whose letters are no keys of their own."""
_END = "\x04"
_ENDS = re.compile(f"[{_END}\0]")
"""Control-D, and what a terminal makes of one that was typed ahead."""
_MOST_AT_ONCE = 64


def keys_of(file: int) -> Iterator[str]:
    """Yield the keys that come from a file descriptor, in small letters, until its end or control-D."""
    while True:
        try:
            read = os.read(file, _MOST_AT_ONCE)
        except OSError:
            # The other side of a terminal is gone.
            return
        typed, *after = _ENDS.split(_ESCAPED.sub("", read.decode("ascii", "ignore")).lower(), maxsplit=1)
        yield from typed
        if after or not read:
            return


@contextmanager
def keyboard() -> Iterator[Iterator[str]]:
    """Give the keys of standard input, which as a terminal sends each at once until the end of the block.

    Keys that were typed ahead count: the mode is changed once, and drops none of them.
    """
    if sys.stdin is None or sys.stdin.closed:
        yield iter(())
        return
    file = sys.stdin.fileno()
    if not os.isatty(file):
        yield keys_of(file)
        return
    if sys.platform == "win32":
        import click

        yield iter(click.getchar, _END)
        return
    import termios
    import tty

    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file, termios.TCSADRAIN)
        yield keys_of(file)
    finally:
        # A terminal that is gone has no mode to go back to.
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)
