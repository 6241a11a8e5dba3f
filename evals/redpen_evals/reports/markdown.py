"""The report as Markdown, for a comment on a pull request or the summary of a CI step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from redpen.screen import shortened
from redpen_evals.exit_codes import OUTCOMES
from redpen_evals.live_figures import HEADER, LiveFigures
from redpen_evals.prices import format_usd
from redpen_evals.records.model import display_id
from redpen_evals.reports.heatmap import OVERALL, Cell, HeatMap, heat_maps
from redpen_evals.reports.subject import Notable, Spending, Subject, count
from redpen_evals.reports.templating import plain

MAX_BYTES: Final = 60_000
"""Length of the report in UTF-8; GitHub refuses comments of more than 65,536 characters."""

_MAX_CELL_CHARS = 160
_MAX_NAMES = 3
_FIXED_PART_BYTES = 30_000
_ACTIVE = re.compile(r"[&<>|\\`*~$@]|(?<!\w)_|_(?!\w)|\[(?=\^)|\](?=[(\[:])|www\.|://|\n")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ⏎ ", "www.": "www&#46;", "://": "&#58;//"}
_ORIGIN = "<sub>A replay asks no model and costs nothing; tokens are those of the recordings.</sub>"
_SIGNS = {"passed": "✅", "failed": "❌", "stale": "🔁", "errored": "⚠️", "incomplete": "⚠️", "empty": "⚠️"}


def render_markdown(subject: Subject) -> str:
    """Return the report as GitHub's Markdown, at most ``MAX_BYTES`` long.

    Texts of the record are rendered as code with all active characters of Markdown and HTML escaped, so they
    contain no link, mention or markup. What does not fit is counted.
    """
    opening = [*_opening(subject), "", *_counts(subject)]
    closing = _bounded([*_scorecards(subject), *_spending(subject), "", _ORIGIN], _FIXED_PART_BYTES // 2)
    opening = _bounded(opening, _FIXED_PART_BYTES // 2)
    available = MAX_BYTES - sum(map(_size, [*opening, *closing])) - 200
    return "\n".join([*opening, *_notable(subject, available), *closing]).strip() + "\n"


def quoted(text: str, most: int = _MAX_CELL_CHARS) -> str:
    """Return a text as Markdown code, escaped and shortened."""
    kept = plain(shortened(text, most)).strip()
    return f"<code>{_ACTIVE.sub(_entity, kept)}</code>" if kept else ""


def _entity(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0]) or f"&#{ord(match[0])};"


def _opening(subject: Subject) -> Iterator[str]:
    yield f"### {_SIGNS[subject.verdict]} Redpen: {subject.headline}"
    yield ""
    start = subject.record.start
    model = "**scripted, not a real model**" if subject.scripted else f"model {quoted(start.model)}"
    facts = [f"run {quoted(start.id)}", model, f"recording: {start.record}"]
    if len(subject.variants) > 1:
        facts.append(f"{len(subject.variants)} variants")
    if start.samples > 1:
        facts.append(f"{start.samples} samples")
    yield " · ".join(facts)
    if message := subject.canned:
        yield f"\n> {message}"
    if subject.policy:
        yield f"\n> {quoted(subject.policy, 400)}"
    for warning in subject.record.warnings:
        yield f"\n> {quoted(warning, 400)}"


def _counts(subject: Subject) -> Iterator[str]:
    yield from _count_table(subject, "agent")
    if len(subject.variants) > 1:
        yield ""
        yield from _count_table(subject, "variant")
    if figures := subject.live:
        yield ""
        yield from _table(HEADER, map(_live_cells, figures), budget=_FIXED_PART_BYTES // 8)
    if subject.compared:
        kinds = ", ".join(f"{number} {kind}" for kind, number in subject.kinds.items())
        against = quoted(subject.against) if subject.previous else subject.against
        yield f"\nAgainst {against}: {kinds or 'nothing changed'}."
    yield ""


def _live_cells(figures: LiveFigures) -> list[str]:
    name, *numbers, why = figures.cells
    return [quoted(name, 80), *numbers, quoted(why, 200)]


def _count_table(subject: Subject, by: Literal["agent", "variant"]) -> Iterator[str]:
    rows = []
    for name, group in subject.groups(by).items():
        counts = count(group)
        rows.append(
            [quoted(name, 80), *(str(counts[outcome] or "") for outcome in OUTCOMES), str(len(group))]
        )
    if by == "agent" and len(rows) != 1:
        totals = [*subject.counts.values(), len(subject.results)]
        rows.append(["**all**", *(f"**{number}**" for number in totals)])
    yield from _table([by, *OUTCOMES, "all"], rows, budget=_FIXED_PART_BYTES // 4)


def _notable(subject: Subject, budget: int) -> Iterator[str]:
    rows = [_notable_row(notable) for notable in subject.notable()]
    rows += [["gone", quoted(display_id(key)), ""] for key in subject.gone()]
    if not rows:
        return
    rest = "… and {} more rows; the report as HTML or JSON has them all"
    yield from _table(["what", "scenario", "reason"], rows, budget=budget, left=3, rest=rest)
    yield ""


def _notable_row(notable: Notable) -> list[str]:
    kind, outcome = notable.kind, notable.outcome
    what = f"**{kind}**, {outcome}" if kind == "regressed" else kind or outcome
    if kind in {"improved", "changed", "new"} and outcome != "passed":
        what = f"{outcome}, {kind}"
    names = [quoted(result.shown) for result in notable.results[:_MAX_NAMES]]
    if len(notable.results) > _MAX_NAMES:
        names.append(f"and {len(notable.results) - _MAX_NAMES} more")
    return [what, "<br>".join(names), quoted(notable.reason)]


def _scorecards(subject: Subject) -> Iterator[str]:
    maps = [heat_map for card in subject.record.scorecards for heat_map in heat_maps(card)]
    for breach in subject.breaches[:20]:
        yield f"- under its threshold: {quoted(breach, 300)}"
    for note in dict.fromkeys(note for card in subject.record.scorecards for note in card.notes[:20]):
        yield f"- {quoted(note, 300)}"
    for heat_map in filter(lambda heat_map: heat_map.rows, maps):
        yield from ["", f"**{heat_map.title}**, percent with 95 % intervals", "", *_overall(heat_map), ""]
        yield from [f"<details><summary>by {heat_map.corner}</summary>", ""]
        yield from [*_by_group(heat_map), "", "</details>"]


def _overall(heat_map: HeatMap) -> Iterator[str]:
    cells = iter(dict(heat_map.rows)[OVERALL])
    measures = list(dict.fromkeys(name for _, columns in heat_map.guards for name in columns))
    rows = []
    for guards, columns in heat_map.guards:
        cell_of = dict(zip(columns, cells, strict=False))
        rows.append([quoted(guards, 60), *(_rate(cell_of.get(name)) for name in measures)])
    yield from _table(["guards", *measures], rows, budget=4_000)


def _by_group(heat_map: HeatMap) -> Iterator[str]:
    columns = [f"{quoted(name, 60)} {column}" for name, columns in heat_map.guards for column in columns]
    header = [heat_map.corner, *columns]
    rows = [[quoted(name, 60), *map(_rate, cells)] for name, cells in heat_map.rows if name != OVERALL]
    yield from _table(header, rows, budget=6_000)


def _rate(cell: Cell | None) -> str:
    return "" if cell is None else cell.text


def _spending(subject: Subject) -> Iterator[str]:
    priced = subject.spending().priced
    agents = subject.groups("agent")
    rows = [_spent(quoted(name, 80), subject.spending(group), priced) for name, group in agents.items()]
    rows.append(_spent("**all**", subject.spending(), priced))
    if (judging := subject.judging()).calls:
        rows.append(_spent("of which judges", judging, priced))
    header = ["tokens as recorded", "calls", "requests", "answers", *(["cost"] if priced else [])]
    yield ""
    yield from _table(header, rows, budget=4_000)
    if unpriced := subject.spending().unpriced:
        yield f"\nNo price for {', '.join(quoted(model, 80) for model in unpriced[:10])}."


def _spent(name: str, spent: Spending, priced: bool) -> list[str]:
    cells = [name, f"{spent.calls:,}", f"{spent.prompt_tokens:,}", f"{spent.completion_tokens:,}"]
    if priced:
        cells.append(
            "–" if spent.usd is None else format_usd(spent.usd).replace("$", "&#36;").replace("<", "&lt;")
        )
    return cells


def _table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    budget: int,
    left: int = 1,
    rest: str = "… and {} more",
) -> Iterator[str]:
    """Yield a table with as many rows as fit into ``budget`` bytes; ``rest`` counts those left out.

    All but the first ``left`` columns are aligned to the right.
    """
    rule = ["---"] * left + ["---:"] * (len(header) - left)
    first, second, *lines = (f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))
    available = budget - _size(first) - _size(second) - _size(rest) - 16
    kept = 0
    while kept < len(lines) and (available := available - _size(lines[kept])) > 0:
        kept += 1
    if kept:
        yield from [first, second, *lines[:kept]]
    if kept < len(lines):
        yield from ["", rest.format(len(lines) - kept)]


def _bounded(lines: Iterable[str], most: int) -> list[str]:
    """Return the lines up to ``most`` bytes, cut only between sections of HTML."""
    kept: list[str] = []
    safe = 0
    used = depth = 0
    for line in lines:
        used += _size(line)
        if used > most:
            return [*kept[:safe], "", "… the rest does not fit here"]
        depth += line.count("<details>") - line.count("</details>")
        kept.append(line)
        safe = len(kept) if not depth else safe
    return kept


def _size(line: str) -> int:
    return len(line.encode("utf-8")) + 1
