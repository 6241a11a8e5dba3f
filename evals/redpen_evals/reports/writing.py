"""Writing a report to a file atomically."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

from redpen.text.suggestion import suggestion
from redpen_evals.atomic_write import replace_file
from redpen_evals.errors import ReportError
from redpen_evals.reports.subject import Subject

# The module of a format is imported when it is used.
_RENDERERS: Final = {
    ".html": ("page", "render_page"),
    ".md": ("markdown", "render_markdown"),
    ".json": ("document", "render_document"),
}

SUFFIXES: Final = tuple(_RENDERERS)
"""Suffixes of the supported formats."""


def check_suffix(path: Path) -> None:
    """Raise ReportError unless a file's suffix names a format."""
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        hint = suggestion(path.suffix.lower(), SUFFIXES)
        raise ReportError(f"{path}: no report has the suffix {path.suffix!r}{hint}; supported are {known}")


def write_report(subject: Subject, path: Path) -> None:
    """Write the report of a run; an existing file is replaced when the new one is complete.

    Raises:
        ReportError: the suffix (``.html``, ``.md`` or ``.json``) names no format, or it cannot be written.
    """
    check_suffix(path)
    module, name = _RENDERERS[path.suffix.lower()]
    render = getattr(import_module(f"redpen_evals.reports.{module}"), name)
    content = "".join(render(subject)).encode("utf-8")
    try:
        replace_file(path, content)
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror or error}") from error
