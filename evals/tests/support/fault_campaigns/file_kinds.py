"""Every kind of file in a repository: its path, a valid text, and the function that reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from fault_campaigns.small_library import write_library
from redpen.prompts import load_prompts
from redpen_evals.cassettes.store import CassetteLocation, load
from redpen_evals.comparison.baseline import read_baseline
from redpen_evals.prices import read_prices
from redpen_evals.records.reading import read_record
from redpen_evals.scenario_library.drafts import load_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_case
from redpen_evals.scorecard.thresholds import read_thresholds

Format = Literal["yaml", "json", "toml", "prompt"]

VALUE: Final = "@value@"
"""Placeholder in a valid text for any value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """One kind of file.

    Attributes:
        name: in words.
        format: its syntax.
        place: its path below the project.
        text: a valid text, with ``VALUE`` in place of a value.
        value: a valid value for that place.
        read: reads it as the harness does, in the project's folder.
        may_lead_out: whether a link to a file elsewhere is followed, because users name the file themselves.
        allows_torn_end: whether an incomplete last line is ignored, as a killed process leaves it.
        allows: names of hostile texts that are valid in it, such as keys of any name.
    """

    name: str
    format: Format
    place: str
    text: str
    value: str
    read: Callable[[Path], object]
    may_lead_out: bool = False
    allows_torn_end: bool = False
    allows: frozenset[str] = frozenset()

    @property
    def valid(self) -> str:
        """The text of a valid file."""
        return self.text.replace(VALUE, self.value)


def write_project(project: Path) -> None:
    """Write a valid file of each kind, and the files that they refer to."""
    write_library(layout_of(project), goal="Tell customers.")
    for kind in FILE_KINDS:
        path = project / kind.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(kind.valid, encoding="utf-8")
    filed = project / "scenarios/guarded-policy/filed.yaml"
    filed.parent.mkdir(parents=True, exist_ok=True)
    filed.write_text(json.dumps(_FILED), encoding="utf-8")


def layout_of(project: Path) -> Layout:
    """Return the folders of a project's library."""
    return Layout(scenarios=project / "scenarios", cassettes=project / "cassettes")


_CONTEXT: Final = {
    "report_date": "2026-03-06",
    "region": "US",
    "incident": {
        "incident_id": "inc_payments_20260306",
        "severity": "P1",
        "status": "degraded",
        "more": VALUE,
    },
}
_SCENARIO: Final = {
    "title": "A run.",
    "agent": "reflection",
    "goal": "Tell customers.",
    "context": "odd",
    "context_changes": {"more": VALUE},
    "replies": [{"json": {"draft": "Checkout is degraded."}}],
    "expect": {"status": "stopped", "stop_reason": "policy_escalation"},
    "invariants": ["result_is_well_formed"],
}
_FILED: Final = {
    "title": "A plan of a file.",
    "agent": "guarded-policy",
    "goal": "Tell customers.",
    "planner": "file",
    "plan": "odd",
    "expect": {"status": "ok"},
    "invariants": ["result_is_well_formed"],
}
_DRAFTS: Final = {
    "context": "odd",
    "context_changes": {"more": VALUE},
    "original": "Checkout is degraded.",
    "items": [{"id": "one", "revised": "It is.", "label": "pass", "family": "share", "split": "dev"}],
}
_CASSETTE: Final = {
    "redpen_cassette": 1,
    "kind": "scripted",
    "scenario": "reflection/odd",
    "model": "scripted",
    "base_url": "http://scripted.invalid/v1",
    "recorded": {"more": VALUE},
    "calls": [],
}
_START: Final = {
    "type": "start",
    "redpen_record": 1,
    "id": "odd",
    "started": "2026-03-06T10:00:00Z",
    "model": "scripted",
    "record": "none",
    "samples": 1,
    "variants": [""],
    "prompts": {},
    "versions": {},
}
_RESULT: Final = {
    "type": "result",
    "scenario": "reflection/odd",
    "agent": "reflection",
    "outcome": "passed",
    "detail": {"more": VALUE},
}
_BASELINE: Final = {
    "redpen_baseline": 1,
    "model": "scripted",
    "accepted": [{"scenario": "reflection/odd", "outcome": "passed", "answer": VALUE}],
}


def _text(value: dict[str, Any]) -> str:
    # YAML reads JSON.
    return json.dumps(value).replace(f'"{VALUE}"', VALUE)


def _load_scenario(project: Path) -> object:
    return load_case(layout_of(project), "reflection/odd")


def _load_filed(project: Path) -> object:
    return load_case(layout_of(project), "guarded-policy/filed")


def _load_drafts(project: Path) -> object:
    return load_drafts(layout_of(project), project / "scenarios/drafts/odd.yaml")


def _load_cassette(project: Path) -> object:
    return load(CassetteLocation(root=project / "cassettes", model="scripted", scenario="reflection/odd"))


FILE_KINDS: Final = (
    FileKind(
        name="scenario",
        format="yaml",
        place="scenarios/reflection/odd.yaml",
        text=_text(_SCENARIO),
        value="1",
        read=_load_scenario,
    ),
    FileKind(
        name="context",
        format="yaml",
        place="scenarios/contexts/odd.yaml",
        text=_text(_CONTEXT),
        value="1",
        read=_load_scenario,
        allows=frozenset({"unknown keys"}),
    ),
    FileKind(
        name="plan",
        format="yaml",
        place="scenarios/plans/odd.yaml",
        text=_text({"title": "A plan.", "actions": VALUE}),
        value="[]",
        read=_load_filed,
    ),
    FileKind(
        name="drafts",
        format="yaml",
        place="scenarios/drafts/odd.yaml",
        text=_text(_DRAFTS),
        value="1",
        read=_load_drafts,
    ),
    FileKind(
        name="cassette",
        format="json",
        place="cassettes/scripted/reflection/odd.json",
        text=_text(_CASSETTE),
        value="1",
        read=_load_cassette,
    ),
    FileKind(
        name="run record",
        format="json",
        place="runs/odd.jsonl",
        text=f"{_text(_START)}\n{_text(_RESULT)}\n",
        value="1",
        read=lambda project: read_record(project / "runs/odd.jsonl"),
        may_lead_out=True,
        allows_torn_end=True,
    ),
    FileKind(
        name="baseline",
        format="json",
        place="baseline/scripted.json",
        text=_text(_BASELINE),
        value='["Checkout is degraded."]',
        read=lambda project: read_baseline(project / "baseline/scripted.json"),
    ),
    FileKind(
        name="price table",
        format="toml",
        place="prices.toml",
        text=f"[models.odd]\ninput_usd_per_million = {VALUE}\noutput_usd_per_million = 1.0\n",
        value="0.4",
        read=lambda project: read_prices(project / "prices.toml"),
        may_lead_out=True,
    ),
    FileKind(
        name="scorecard thresholds",
        format="toml",
        place="scorecard.toml",
        text=f"[redpen.overall]\ncatch = {VALUE}\n",
        value="99.5",
        read=lambda project: read_thresholds(project / "scorecard.toml"),
        may_lead_out=True,
    ),
    FileKind(
        name="prompt",
        format="prompt",
        place="prompts/critique.odd.md",
        text=f"---\nphase: critique\nversion: odd\nnotes: {VALUE}\n---\nBe strict.\n",
        value="a note",
        read=lambda project: load_prompts({"critique": "odd"}, folder=project / "prompts"),
    ),
)
"""All kinds."""
