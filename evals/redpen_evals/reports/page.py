"""The report as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Literal

from markupsafe import Markup

from redpen_evals.records import Record
from redpen_evals.reports.heatmap import heat_maps
from redpen_evals.reports.history import read_histories
from redpen_evals.reports.marking import Piece, compared, view_texts
from redpen_evals.reports.rows import Row, differences, rows, side_by_side, value_text
from redpen_evals.reports.steps import view_steps
from redpen_evals.reports.subject import WEIGHT, Subject, count, variant_name
from redpen_evals.reports.templating import environment, run_anchor, scenario_anchor, source
from redpen_evals.reports.timelines import read_timelines
from redpen_evals.reports.transcripts import Transcripts
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.scorecard.wilson import Rate
from redpen_evals.second_process import SecondProcess

_KEPT_LINES = 2
_MAX_CHARS = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """The difference between two texts of a prompt.

    Attributes:
        before: run or variant of the old text, and its version.
        after: variants of the new text, and its version.
        notes: of the new text.
        pieces: the changes, with long unchanged stretches cut.
    """

    name: str
    before: str
    after: str
    notes: str
    pieces: tuple[Piece, ...]


def prompt_uses(record: Record) -> dict[tuple[str, str], list[str]]:
    """Return the variants that used each prompt, by its name and the hash of its text, sorted by name."""
    users: dict[tuple[str, str], list[str]] = {}
    for variant, hashes in record.start.prompts.items():
        for prompt in hashes.items():
            users.setdefault(prompt, []).append(variant_name(variant))
    return dict(sorted(users.items(), key=lambda use: use[0][0]))


def _uses_prompts(subject: Subject) -> bool:
    # The record's prompts are those of the built-in agents; those of a user's own are in their code or files.
    return not subject.results or any(result.agent in BUILT_IN_AGENTS for result in subject.results)


def prompt_changes(record: Record, previous: Record | None) -> tuple[PromptChange, ...]:
    """Return how prompts differ: from the previous run, and each variant's from the first variant's."""
    uses = list(record.start.prompts.items())
    texts = dict(record.prompts)
    pairs = [(variant_name(uses[0][0]), uses[0][1], *use) for use in uses[1:]]
    if previous is not None:
        texts = {**previous.prompts, **texts}
        before, origin = previous.start.prompts, f"run {previous.start.id}"
        pairs = [*((origin, before.get(variant, {}), variant, hashes) for variant, hashes in uses), *pairs]
    changes: dict[tuple[str, str, str, str], list[str]] = {}
    for origin, hashes, variant, new_hashes in pairs:
        for name, new in new_hashes.items():
            if (old := hashes.get(name, new)) != new:
                changes.setdefault((name, origin, old, new), []).append(variant_name(variant))
    return tuple(
        PromptChange(
            name=name,
            before=f"{origin}, {texts[old].version}",
            after=f"{', '.join(variants)}, {texts[new].version}",
            notes=texts[new].notes,
            pieces=tuple(_shortened(compared(texts[old].text, texts[new].text, most=_MAX_CHARS))),
        )
        for (name, origin, old, new), variants in changes.items()
        if old in texts and new in texts
    )


def _shortened(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Yield the pieces without the middle of long unchanged stretches."""
    for at, piece in enumerate(pieces):
        lines = piece.text.split("\n")
        head = _KEPT_LINES if at else 0
        tail = _KEPT_LINES if at < len(pieces) - 1 else 0
        left_out = len(lines) - head - tail
        if piece.state != "same" or left_out <= 2:
            yield piece
            continue
        if head:
            yield replace(piece, text="\n".join(lines[:head]))
        yield Piece(text=f"{left_out}", state="left out")
        if tail:
            yield replace(piece, text="\n".join(lines[-tail:]))


_PARTS: Final = 50
_LEVEL: Final = 6


@dataclass(kw_only=True, slots=True)
class Packer:
    """Collects fragments of HTML in packs of ``_PARTS``; full ones are base64 of zlib's format."""

    packs: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def add(self, fragment: str) -> str:
        """Add a fragment, one top-level element; return its place, ``PACK:PLACE``, both from 0."""
        place = f"{len(self.packs)}:{len(self._open)}"
        self._open.append(fragment)
        if len(self._open) == _PARTS:
            self.close()
        return place

    def close(self) -> None:
        """Compress the last pack."""
        if self._open:
            # Rendering has replaced lone surrogates by their code points.
            packed = zlib.compress("".join(self._open).encode("utf-8"), _LEVEL)
            self.packs.append(base64.b64encode(packed).decode("ascii"))
            self._open.clear()


STATIC_RESULTS: Final = 1_000
"""Up to this number of results the details are plain HTML, so that the page needs no script."""

STATIC_OF_MORE: Final = 200
"""Number of failures that are plain HTML in a larger run; a script unpacks the others."""

_MIN_SHARED: Final = 100
"""Number of rows from which a second process is worth its start."""

_MAX_NOTABLE = 100
_MAX_LISTED = 100
_MAX_EXPENSIVE = 15
_MAX_TAGS = 400


def render_page(subject: Subject) -> Iterator[str]:
    """Yield the page of a run in pieces."""
    templates = environment()
    style, script = _style(subject), source("report.js")
    packer = Packer()
    listed = list(rows(subject))
    notable = subject.notable()
    spent = subject.spending()
    yield from templates.get_template("page.html").generate(
        style=Markup(style),  # noqa: S704 - our own file, which the policy below allows by its hash
        script=Markup(script),  # noqa: S704 - likewise
        policy=_policy(style, script),
        subject=subject,
        start=subject.record.start,
        end=subject.record.end,
        agents=_groups(subject, "agent"),
        variants=_groups(subject, "variant"),
        all_spending=spent,
        judging=subject.judging(),
        notes=list(dict.fromkeys(note for card in subject.record.scorecards for note in card.notes)),
        notable=notable[:_MAX_NOTABLE],
        more_notable=sum(len(rest.results) for rest in notable[_MAX_NOTABLE:]),
        listed=_MAX_LISTED,
        gone=subject.gone()[:_MAX_NOTABLE],
        maps=[heat_map for card in subject.record.scorecards for heat_map in heat_maps(card)],
        prompts=prompt_uses(subject.record) if _uses_prompts(subject) else {},
        prompt_changes=prompt_changes(subject.record, subject.previous),
        most_expensive=_most_expensive(listed),
        tags=sorted({tag for row in listed for tag in row.tags})[:_MAX_TAGS],
        kinds=list(dict.fromkeys(kind for row in listed for kind in row.kinds)),
        total_rows=len(listed),
        rows=_rendered(subject, listed, packer, priced=spent.priced),
        packs=packer.packs,
        anchor=scenario_anchor,
        priced=spent.priced,
    )


def _rendered(subject: Subject, listed: list[Row], packer: Packer, *, priced: bool) -> Iterator[Markup]:
    row_template = environment().get_template("row.html")
    static = _static(listed, len(subject.results))
    agent = None
    for row, body in zip(listed, _bodies(subject, listed, priced=priced), strict=True):
        place = None if row.anchor in static else packer.add(body)
        yield Markup(  # noqa: S704 - rendered by templates that escape
            row_template.render(
                row=row,
                heading=row.agent if row.agent != agent else None,
                place=place,
                body=Markup(body) if place is None else None,  # noqa: S704 - likewise
                subject=subject,
                worst_first=WEIGHT,
                priced=priced,
            )
        )
        agent = row.agent
    packer.close()


def _bodies(subject: Subject, listed: list[Row], *, priced: bool) -> Iterator[str]:
    """Yield the details of each row; a second process renders the later half of many rows."""
    template = environment().get_template("runs.html")
    transcripts = Transcripts(subject.layout, subject.record) if subject.layout else None
    timelines = read_timelines(subject.record)
    histories = read_histories(subject.record, subject.runs) if subject.runs else {}

    def body(row: Row) -> str:
        return template.render(
            row=row,
            transcripts=transcripts,
            timelines=timelines,
            histories=histories,
            side_by_side=side_by_side(row.results),
            subject=subject,
            priced=priced,
            anchor=run_anchor,
            compared=compared,
            differences=differences,
            steps=view_steps,
            texts=view_texts,
            value_text=value_text,
        )

    # All that the process sends is in memory at once.
    is_shared = len(listed) >= _MIN_SHARED and len(subject.results) <= STATIC_RESULTS
    half = len(listed) // 2
    later = SecondProcess.begin(lambda: [[body(row) for row in listed[half:]]]) if is_shared else None
    if later is None:
        yield from map(body, listed)
        return
    try:
        yield from map(body, listed[:half])
        yield from later.take() or map(body, listed[half:])
    finally:
        later.end()


def _static(listed: list[Row], total: int) -> set[str]:
    """Return the anchors of the scenarios whose details are plain HTML."""
    if total <= STATIC_RESULTS:
        return {row.anchor for row in listed}
    static = set[str]()
    available = STATIC_OF_MORE
    for row in listed:
        if row.outcomes[0] != "passed" and len(row.results) <= available:
            available -= len(row.results)
            static.add(row.anchor)
    return static


def _groups(subject: Subject, by: Literal["agent", "variant"]) -> list[dict[str, Any]]:
    """Return what the tables by agent or by variant show of each."""
    return [
        {
            "name": name,
            "counts": (counts := count(results)),
            "total": len(results),
            "rate": Rate(hits=counts["passed"], total=len(results)),
            "spending": subject.spending(results),
        }
        for name, results in subject.groups(by).items()
    ]


def _most_expensive(listed: list[Row]) -> list[Row]:
    ordered = sorted(
        listed, key=lambda row: (-(row.spending.usd or Decimal(0)), -row.spending.tokens, row.scenario)
    )
    return [row for row in ordered[:_MAX_EXPENSIVE] if row.spending.tokens]


def _style(subject: Subject) -> str:
    # The policy forbids style attributes, so what depends on the run is in the style sheet.
    knobs = [knob for variant in subject.variants for knob in variant_name(variant).split(",")]
    width = min(max(6.0, 0.5 * max(map(len, knobs))), 10.0)
    return f"{source('report.css')}:root {{ --variants: {len(subject.variants)}; --cell: {width:g}rem }}\n"


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
