"""A report for people: the judged text with its marks, and under it what each mark says."""

from __future__ import annotations

from collections.abc import Iterator

import click

from redpen.guards.report import Finding, Report
from redpen.screen import shown
from redpen_evals.checking.marking import OF_THE_WHOLE, marked, numbered

_MAX_QUOTE_CHARS = 200


def explain(text: str, report: Report, *, colour: bool) -> str:
    """Return a text with its findings marked and explained, safe to show.

    Args:
        text: the judged text.
        report: the guards' verdict on it.
        colour: whether it is meant for a terminal that shows colours.

    Returns:
        Lines: the marked text, an explanation a finding, and the count of both sorts.
    """
    blocks = [marked(text, report, colour=colour)]
    for number, finding in numbered(report):
        blocks.append("\n".join(_explanation(number, finding, report, colour=colour)))
    blocks.append(_verdict(report, colour=colour))
    return "\n\n".join(block for block in blocks if block)


def _explanation(number: int, finding: Finding, report: Report, *, colour: bool) -> Iterator[str]:
    is_violation = number <= len(report.violations)
    sort = "violation" if is_violation else "concern"
    head = f"{number}. {sort}: {finding.code} ({shown(finding.family)})"
    yield f"{_painted(head, blocks=is_violation) if colour else head}, {_place(finding)}"
    yield f"   read: {_quote(finding.reading)}"
    yield f"   why: {_quote(finding.reason)}"
    for fact in finding.nearest:
        yield f"   nearest allowed: {_quote(fact.reading)}, from {_quote(fact.path)}"


def _place(finding: Finding) -> str:
    start, end = finding.span
    if finding.code in OF_THE_WHOLE:
        return "the whole text"
    if end <= start:
        return f"at character {start}"
    return f'characters {start} to {end}: "{_quote(finding.text)}"'


def _quote(text: str) -> str:
    if len(text) <= _MAX_QUOTE_CHARS:
        return shown(text)
    return f"{shown(text[:_MAX_QUOTE_CHARS])}..."


def _verdict(report: Report, *, colour: bool) -> str:
    found = f"{_count(report.violations, 'violation')}, {_count(report.concerns, 'concern')}"
    unread = sum(item.code == "unread_language" for _, item in numbered(report))
    if unread:
        found += (
            f"; {unread} {'sentence is' if unread == 1 else 'sentences are'} not in English, and not judged"
        )
    return _painted(found, blocks=True) if colour and report.violations else found


def _count(findings: tuple[Finding, ...], noun: str) -> str:
    return f"{len(findings)} {noun}{'' if len(findings) == 1 else 's'}"


def _painted(text: str, *, blocks: bool) -> str:
    return click.style(text, fg="red" if blocks else "yellow", bold=blocks)
