"""Tables for a terminal, drawn by rich: columns aligned and fitted to the width, cells safe to show.

rich is imported with the first table: a session that prints none does not load it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from redpen.screen import shown
from redpen_evals.terminal import PLAIN, Screen

if TYPE_CHECKING:
    from rich.console import Console
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text

_GAP: Final = 2
_ROW: Final = "row"
_UNBOUNDED: Final = 100_000
_HEADER_STYLE: Final = "bold"


def table_lines(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: frozenset[int] = frozenset(),
    screen: Screen = PLAIN,
    styles: Mapping[str, str] | None = None,
    below: Sequence[str] = (),
) -> list[str]:
    """Return a table as lines, without the columns that are empty in every row.

    Args:
        header: one name per column, over several lines if it has line breaks; empty for no header.
        rows: each as long as the header, and as the others; any text.
        right: numbers of the right-aligned columns, from 0.
        screen: where the lines are shown; on a plain one, a row is one line without colours.
        styles: styles of rich by the text of a cell, such as ``{"failed": "red"}``.
        below: a line of its own below each row, indented, unless it is empty.
    """
    filled = filled_columns(header, rows)
    if not filled:
        return []
    table = _table([header[at] for at in filled] if any(header) else [], filled, right, screen)
    for number, row in enumerate(rows):
        table.add_row(*(_cell(row[at], number, styles or {}) for at in filled))
    lines: list[str] = []
    notes = dict(enumerate(below))
    row_before = -1
    for line in _console(screen).render_lines(table, pad=False):
        styled = [segment.style.meta for segment in line if segment.style is not None]
        row_here = max((meta[_ROW] for meta in styled if _ROW in meta), default=row_before)
        if row_here > row_before and (note := notes.pop(row_before, "")):
            lines.append(f"    {shown(note)}")
        lines.append(_rendered(line, screen))
        row_before = row_here
    return lines + [f"    {shown(note)}" for note in notes.values() if note]


def filled_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the columns, from 0, that have a value in any row."""
    count = max((len(header), *map(len, rows)))
    return [at for at in range(count) if any(row[at] for row in rows)]


def _table(header: Sequence[str], filled: Sequence[int], right: frozenset[int], screen: Screen) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), show_header=bool(header))
    for at, column in enumerate(filled):
        name = "\n".join(map(shown, header[at].split("\n"))) if header else ""
        table.add_column(
            Text(name, style=_HEADER_STYLE),
            justify="right" if column in right else "left",
            vertical="top",
            overflow="fold",
            # Numbers are never broken over lines.
            no_wrap=screen.width is None or column in right,
        )
        table.columns[-1].header_style = _HEADER_STYLE
    return table


def _cell(text: str, number: int, styles: Mapping[str, str]) -> Text:
    from rich.style import Style
    from rich.text import Text

    # Marks the segments of a row, which may take several lines, through rich's layout.
    style = Style(meta={_ROW: number})
    if text in styles:
        style = Style.parse(styles[text]) + style
    return Text(shown(text), style=style)


def _console(screen: Screen) -> Console:
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=screen.width or _UNBOUNDED,
        color_system="standard" if screen.colour else None,
        force_terminal=screen.colour,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )


def _rendered(line: Sequence[Segment], screen: Screen) -> str:
    if not screen.colour:
        return "".join(segment.text for segment in line).rstrip()
    from rich.color import ColorSystem

    kept = list(line)
    while kept and not kept[-1].text.strip():
        kept.pop()
    pieces = []
    for at, segment in enumerate(kept, start=1):
        text = segment.text.rstrip() if at == len(kept) else segment.text
        style = segment.style
        pieces.append(style.render(text, color_system=ColorSystem.STANDARD) if style else text)
    return "".join(pieces)
