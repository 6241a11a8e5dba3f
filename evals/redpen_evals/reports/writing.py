"""Writing a report into a file, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from redpen.text.suggestion import suggestion
from redpen_evals.comparison import Comparison
from redpen_evals.errors import ReportError
from redpen_evals.records import Record
from redpen_evals.records.places import RunFolder
from redpen_evals.reports.costs import PriceList
from redpen_evals.reports.subject import Subject, subject_of
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.whole_file import replace_file

_Format: TypeAlias = Callable[[Subject], Iterator[str]]


def _html(subject: Subject) -> Iterator[str]:
    from redpen_evals.reports.page import render_page

    return render_page(subject)


def _markdown(subject: Subject) -> Iterator[str]:
    from redpen_evals.reports.markdown import render_markdown

    return iter([render_markdown(subject)])


def _json(subject: Subject) -> Iterator[str]:
    from redpen_evals.reports.document import render_document

    return render_document(subject)


_FORMATS: Mapping[str, _Format] = {".html": _html, ".md": _markdown, ".json": _json}

SUFFIXES: Final = tuple(_FORMATS)
"""Suffixes of the files that can be written, each of them one format."""


def check_suffix(path: Path) -> None:
    """Raise ReportError unless a file's suffix names a format."""
    if path.suffix.lower() not in _FORMATS:
        known = ", ".join(SUFFIXES)
        hint = suggestion(path.suffix.lower(), SUFFIXES)
        raise ReportError(f"{path}: no report has the suffix {path.suffix!r}{hint}; there is {known}")


def write_report(
    record: Record,
    path: Path,
    *,
    comparison: Comparison | None = None,
    prices: PriceList | None = None,
    previous: Record | None = None,
    layout: Layout | None = None,
    runs: RunFolder | None = None,
) -> None:
    """Write the report of a run; an older file stays until the new one is complete.

    Args:
        record: of the run.
        path: the file; its suffix (``.html``, ``.md`` or ``.json``) says the format.
        comparison: of its results with those of the previous run, or without one with the baseline.
        prices: what models cost.
        previous: a run before it, with whose prompts a page compares this one's.
        layout: where recordings and scenarios are, for the conversations of a page; None for none.
        runs: where other runs are, for the history of each scenario; None for none.

    Raises:
        ReportError: the suffix names no format, or the file cannot be written.
    """
    check_suffix(path)
    subject = subject_of(
        record, comparison=comparison, prices=prices, previous=previous, layout=layout, runs=runs
    )
    content = "".join(_FORMATS[path.suffix.lower()](subject)).encode("utf-8")
    try:
        replace_file(path, content)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error
