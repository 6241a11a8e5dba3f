"""Fixtures of the policy tests: packs from texts, a scenario of an agent, and the command."""

from __future__ import annotations

import sys

import pytest

from redpen.policy.pack_loading import load_packs

BANK = """\
pack: bank
match: {tenant: acme, role: [support, sales]}
restricted_phrases:
  - {code: legal.compensation, phrases: [compensation, "~refund"]}
concerns: {new_statement: escalate}
grounding: enforce
severity_budget: {high: escalate}
limits:
  max_recipients_per_send: 20000
  max_answer_chars: 950
rules:
  - {code: policy.long_eta, when: {snapshot.eta_minutes: {gt: 120}}, then: escalate, reason: long outage}
risk: {points: {policy.long_eta: 30}, escalate_at: 40}
tools: {execute: [fetch_incident_snapshot]}
patch: {mode: lines, max_changed_lines: 3}
"""
AGENT = "def reply(text):\n    return text\n"


@pytest.fixture
def bank_text():
    """Return the text of a pack that uses most sections."""
    return BANK


@pytest.fixture
def packs(tmp_path, monkeypatch):
    """Return a function that writes texts to the files `a.yaml`, `b.yaml`, … and loads them as packs."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "packs"

    def read(*texts):
        folder.mkdir(exist_ok=True)
        for number, text in enumerate(texts):
            (folder / f"{'abcdef'[number]}.yaml").write_text(text, encoding="utf-8")
        return load_packs(folder)

    return read


@pytest.fixture
def replies(library, monkeypatch):
    """Return a function that adds a scenario of an agent that returns its input text."""
    monkeypatch.syspath_prepend(library.root)
    name = f"answering_{library.root.name.replace('-', '_')}"
    (library.root / f"{name}.py").write_text(AGENT, encoding="utf-8")

    def add(text, **changes):
        scenario = {
            "agent": f"{name}:reply",
            "context": "payments",
            "input": {"text": text},
            "invariants": [],
            **changes,
        }
        return library.add("support/reply", scenario)

    yield add
    sys.modules.pop(name, None)
