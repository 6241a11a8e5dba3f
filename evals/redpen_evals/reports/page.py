"""The report as one HTML page that carries everything it needs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from markupsafe import Markup

from redpen_evals.comparison import Key
from redpen_evals.outcome import Outcome
from redpen_evals.records import ScenarioResult
from redpen_evals.reports.costs import Spending, model_of
from redpen_evals.reports.heatmap import heat_maps
from redpen_evals.reports.history import History, read_histories
from redpen_evals.reports.names import scenario_anchor, variant_name
from redpen_evals.reports.packing import Packer
from redpen_evals.reports.prompts import prompt_changes, prompt_uses
from redpen_evals.reports.rows import Row, RunView, rows, side_by_side, view_run
from redpen_evals.reports.subject import Subject, count, grouped
from redpen_evals.reports.templating import environment, source
from redpen_evals.reports.timelines import Timelines
from redpen_evals.reports.transcripts import Transcripts
from redpen_evals.scorecard.wilson import Rate

STATIC_RESULTS: Final = 1_000
"""Of so many results the details stand in the page as they are, so that it needs no script."""

STATIC_OF_MORE: Final = 200
"""Of more results, so many that did not pass; a browser parses the others when they are opened."""

_MOST_NOTABLE = 100
_MOST_LISTED = 100
_MOST_DEAR = 15
_MOST_TAGS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The results of one agent or variant.

    Attributes:
        name: of it.
        counts: results by outcome.
        total: results.
        rate: of those that passed.
        spending: of all of them.
        model: whose recordings they used.
    """

    name: str
    counts: dict[Outcome, int]
    total: int
    rate: Rate
    spending: Spending
    model: str


def render_page(subject: Subject) -> Iterator[str]:
    """Yield the page of a run piece by piece."""
    templates = environment()
    style, script = _style(subject), source("report.js")
    packer = Packer()
    told = _Told(
        transcripts=Transcripts(subject.layout, subject.record) if subject.layout else None,
        timelines=Timelines(subject.record),
        histories=read_histories(subject.record, subject.runs) if subject.runs else {},
    )
    listed = list(rows(subject))
    notable = subject.notable()
    spent = subject.spending()
    yield from templates.get_template("page.html").generate(
        style=Markup(style),  # noqa: S704 - a file of ours; the policy below admits it by its hash
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
        notable=notable[:_MOST_NOTABLE],
        more_notable=sum(len(one.results) for one in notable[_MOST_NOTABLE:]),
        listed=_MOST_LISTED,
        gone=subject.gone()[:_MOST_NOTABLE],
        maps=[one for card in subject.record.scorecards for one in heat_maps(card)],
        prompts=prompt_uses(subject.record),
        prompt_changes=prompt_changes(subject.record, subject.previous),
        dearest=_dearest(listed),
        tags=sorted({tag for row in listed for tag in row.tags})[:_MOST_TAGS],
        kinds=list(dict.fromkeys(kind for row in listed for kind in row.kinds)),
        total_rows=len(listed),
        rows=_rendered(subject, listed, packer, told, priced=spent.priced),
        packs=packer.packs,
        anchor=scenario_anchor,
        priced=spent.priced,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What else is known of results."""

    transcripts: Transcripts | None
    timelines: Timelines
    histories: Mapping[Key, History]

    def view(self, result: ScenarioResult, subject: Subject) -> RunView:
        transcript = self.transcripts.of(result) if self.transcripts else None
        return view_run(
            result,
            subject,
            transcript=transcript,
            timeline=self.timelines.of(result),
            history=self.histories.get(result.key),
        )


def _rendered(
    subject: Subject, listed: list[Row], packer: Packer, told: _Told, *, priced: bool
) -> Iterator[Markup]:
    templates = environment()
    row_template, body_template = templates.get_template("row.html"), templates.get_template("runs.html")
    static = _static(listed, len(subject.results))
    agent = None
    for row in listed:
        views = [told.view(result, subject) for result in row.results]
        body = body_template.render(
            row=row,
            runs=views,
            side_by_side=side_by_side(views),
            against=subject.against,
            priced=priced,
        )
        place = None if row.anchor in static else packer.add(body)
        yield Markup(  # noqa: S704 - rendered by templates that escape
            row_template.render(
                row=row,
                heading=row.agent if row.agent != agent else None,
                place=place,
                body=Markup(body) if place is None else None,  # noqa: S704 - likewise
                samples=subject.record.start.samples,
                compared=subject.compared,
                priced=priced,
            )
        )
        agent = row.agent
    packer.close()


def _static(listed: list[Row], total: int) -> set[str]:
    """Return the anchors of the scenarios whose details stand in the page as they are."""
    if total <= STATIC_RESULTS:
        return {row.anchor for row in listed}
    static = set[str]()
    left = STATIC_OF_MORE
    for row in listed:
        if row.outcome != "passed" and len(row.results) <= left:
            left -= len(row.results)
            static.add(row.anchor)
    return static


def _groups(subject: Subject, by: Any) -> list[Group]:
    groups = grouped(subject.results, by)
    order = subject.agents if by == "agent" else subject.variants
    found = []
    for name in order:
        results = groups.get(name, [])
        counts = count(results)
        found.append(
            Group(
                name=name if by == "agent" else variant_name(name),
                counts=counts,
                total=len(results),
                rate=Rate(hits=counts["passed"], total=len(results)),
                spending=subject.spending(results),
                model=model_of(subject.record.start, "" if by == "agent" else name),
            )
        )
    return found


def _dearest(listed: list[Row]) -> list[Row]:
    ordered = sorted(
        listed, key=lambda row: (-(row.spending.usd or Decimal(0)), -row.spending.tokens, row.scenario)
    )
    return [row for row in ordered[:_MOST_DEAR] if row.spending.tokens]


def _style(subject: Subject) -> str:
    # No element may carry a style of its own, so what depends on the run stands in the sheet.
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
