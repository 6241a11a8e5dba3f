"""A comparison written for a terminal, or as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redpen_evals.checking.screen import shown
from redpen_evals.comparison.report import ComparisonReport
from redpen_evals.comparison.sections import Section, sections
from redpen_evals.tables import held_columns, table_blocks
from redpen_evals.terminal import PLAIN, Screen

_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&#])")
_WORDING = "in words"
_STYLES: Final = {"regressed": "red", "improved": "green", "undecided": "yellow"}


def as_text(report: ComparisonReport, *, with_all: bool = False, screen: Screen = PLAIN) -> str:
    """Return a comparison as aligned lines, safe to show; changed texts stand under their row.

    Args:
        report: to write.
        with_all: whether to list the same ones too, and all of the others.
        screen: where it is shown.
    """
    return "\n\n".join("\n".join(_text(section, screen)) for section in sections(report, with_all=with_all))


def as_markdown(report: ComparisonReport, *, with_all: bool = False) -> str:
    """Return a comparison as Markdown with tables, all of its content escaped; arguments as ``as_text``."""
    return "\n\n".join("\n".join(_markdown(section)) for section in sections(report, with_all=with_all))


def _text(section: Section, screen: Screen) -> Iterator[str]:
    if section.title:
        yield shown(section.title)
    yield from map(shown, section.lines)
    if section.rows:
        header, *rows = table_blocks(
            section.header, section.rows, right=section.right, screen=screen, styles=_STYLES
        )
        yield from header
        wordings = section.wordings or ("",) * len(rows)
        for row, wording in zip(rows, wordings, strict=True):
            yield from row
            if wording:
                yield f"    {shown(wording)}"
    yield from map(shown, section.notes)


def _markdown(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {_escaped(section.title)}"
        yield ""
    for line in section.lines:
        yield f"{_escaped(line)}  "
    if section.rows:
        yield from _markdown_table(section)
    if section.notes:
        yield ""
        yield from (f"{_escaped(note)}  " for note in section.notes)


def _markdown_table(section: Section) -> Iterator[str]:
    wordings = section.wordings or ("",) * len(section.rows)
    header = (*section.header, _WORDING)
    rows = [(*row, wording) for row, wording in zip(section.rows, wordings, strict=True)]
    held = held_columns(header, rows)
    yield _line([header[at] for at in held])
    yield f"|{'|'.join('--:' if at in section.right else '---' for at in held)}|"
    for row in rows:
        yield _line([row[at] for at in held])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", shown(text))
