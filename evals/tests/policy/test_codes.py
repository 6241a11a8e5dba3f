"""The list of decision codes is complete and has no duplicates."""

from __future__ import annotations

from collections import Counter
from typing import get_args

from redpen.agents.text_steps import SEVERITY_BUDGET
from redpen.gateway import gate
from redpen.gateway.action_policy import TableCode
from redpen.guards.report import Code
from redpen.policy.codes import (
    BUDGET_CODES,
    CONCERN,
    DECISION_CODES,
    FINDING_CODES,
    PACK_CODES,
    STOP_CODES,
    TABLE_CODES,
)
from redpen.policy.rules import GateAnswer
from redpen.stop_reasons import STOP_REASONS


def _rows_of(rows, codes):
    return {code: [row.code for row in rows if row.covers(code)] for code in codes}


def test_every_guard_finding_code_is_listed():
    assert {row.code for row in FINDING_CODES} == set(get_args(Code))


def test_every_gateway_code_is_listed():
    assert {row.code for row in TABLE_CODES} == set(get_args(TableCode))
    own = {gate.RISK, gate.RULE_CONFLICT, gate.GATE_ERROR, GateAnswer(decision="deny").code}
    assert {row.code for row in PACK_CODES} == own
    assert [row.code for row in BUDGET_CODES] == [SEVERITY_BUDGET]
    assert gate.CONCERN == CONCERN


def test_every_stop_reason_is_listed_once():
    found = _rows_of(STOP_CODES, {row.code for row in STOP_REASONS})
    assert {code: rows for code, rows in found.items() if len(rows) != 1} == {}


def test_every_listed_stop_code_covers_a_stop_reason():
    assert [row.code for row in STOP_CODES if not any(row.covers(item.code) for item in STOP_REASONS)] == []


def test_codes_are_unique_per_source():
    counts = Counter((row.giver, row.code) for row in DECISION_CODES)
    assert [key for key, count in counts.items() if count > 1] == []


def test_every_code_has_meaning_and_example():
    assert all(row.meaning and row.example for row in DECISION_CODES)
