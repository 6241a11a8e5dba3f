"""What a revision may state: the same facts in any spelling and disguise, and nothing else."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.report import Finding
from redpen.guards.text import read

ROWS = yaml.load(Path(__file__).with_name("fact_rows.yaml").read_bytes(), yaml.CSafeLoader)
SITUATIONS = {name: (item["context"], item["original"]) for name, item in ROWS["situations"].items()}
PASS = [(row["situation"], row["text"]) for row in ROWS["pass"]]
BLOCK = [(row["situation"], row["text"], row["code"], row["family"]) for row in ROWS["block"]]
FAMILIES = sorted({row[3] for row in BLOCK})
EMPTY: dict[str, Any] = {}


def judge(revised: str, original: str = "", context: dict[str, Any] | None = None) -> tuple[Finding, ...]:
    return find_new_facts(
        revised=read(revised), original=read(original), context=known_context(context or EMPTY)
    )


@pytest.mark.parametrize("situation", SITUATIONS)
def test_allowed_statements_pass(situation: str) -> None:
    context, original = SITUATIONS[situation]
    found = {text: judge(text, original, context) for name, text in PASS if name == situation}
    assert {text: findings for text, findings in found.items() if findings} == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_new_statements_are_found_unless_the_original_says_them(family: str) -> None:
    missed = []
    for situation, text, code, of_family in BLOCK:
        if of_family == family:
            context, original = SITUATIONS[situation]
            found = [(finding.code, finding.family) for finding in judge(text, original, context)]
            if (code, family) not in found or judge(f"{text} We are sorry.", text, context):
                missed.append((situation, text, found))
    assert missed == []


@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: "".join(f"&#{ord(char)};" if char.isalnum() else char for char in text),
        "\u200b".join,
        lambda text: text.replace("e", "е").replace("o", "о"),
        lambda text: text.translate({ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}),
        lambda text: text.replace("s ", "s\u0336 "),
        lambda text: f"**{text}**",
    ],
    ids=["entities", "zero width", "look-alikes", "full width digits", "overlay", "emphasis"],
)
def test_disguise_does_not_change_the_verdict(disguise: Any) -> None:
    for situation, text in [*PASS[:40], *((row[0], row[1]) for row in BLOCK[-60:])]:
        context, original = SITUATIONS[situation]
        plain = [finding.code for finding in judge(text, original, context)]
        assert [finding.code for finding in judge(disguise(text), original, context)] == plain, text


def test_finding_has_reading_span_reason_and_nearest_fact() -> None:
    context, original = SITUATIONS["PAYMENTS"]
    revised = "Recovery takes about <b>9</b>0 minutes."
    (found,) = judge(revised, original, context)
    assert found.reading == "90 minutes = duration 5400 s"
    assert revised[slice(*found.span)] == found.text == "9</b>0 minutes"
    assert found.nearest[0].path == "incident.eta_minutes"
    assert found.nearest[0].reading == "45 = duration 2700 s"


def test_number_with_another_unit_is_explained() -> None:
    context, original = SITUATIONS["PAYMENTS"]
    (found,) = judge("We count 45 customers.", original, context)
    assert found.reason == "45 is allowed as duration (incident.eta_minutes), not as count"


@given(st.integers(min_value=2, max_value=998), st.sampled_from(["minutes", "hours", "seconds", "days"]))
def test_changed_value_or_unit_is_blocked(value: int, unit: str) -> None:
    context = {f"eta_{unit}": value}
    assert judge(f"It takes {value} {unit}.", context=context) == ()
    assert judge(f"It takes {value + 1} {unit}.", context=context)
    assert judge(f"It takes {value} {'weeks' if unit == 'days' else 'days'}.", context=context)
    assert judge(f"It takes {value}%.", context=context)


@given(st.integers(min_value=1, max_value=9999))
def test_share_may_be_rewritten_and_rounded_to_fewer_decimals(parts: int) -> None:
    context = {"error_rate": parts / 10000}
    percent = Fraction(parts, 100)
    exact = f"{float(percent):.2f}"
    for text in (f"{exact}%", f"{exact} percent", f"a share of {parts / 10000}"):
        assert judge(f"About {text} of them.", context=context) == ()
    assert judge(f"About {float(percent + 2):.2f}% of them.", context=context)


def test_share_moved_to_another_subject_is_blocked() -> None:
    context = {"late_orders_pct": 12, "lost_parcel_rate": 0.03}
    assert judge("12% of orders are late, 3% of parcels are lost.", context=context) == ()
    assert len(judge("3% of orders are late, 12% of parcels are lost.", context=context)) == 2


@given(
    st.lists(st.sampled_from([word for row in BLOCK for word in row[1].split()]), max_size=20).map(" ".join)
)
def test_unchanged_text_states_nothing_new(text: str) -> None:
    assert judge(f"{text} ", text) == ()


@given(st.text(max_size=120), st.text(max_size=40))
def test_any_text_can_be_judged(revised: str, original: str) -> None:
    for finding in judge(revised, original):
        start, end = finding.span
        assert 0 <= start <= end <= len(revised)


def test_moved_sentence_of_the_original_states_nothing_new() -> None:
    kept = "Our partner AT&T is looking into this."
    assert judge(f"{kept} Cards still fail.", f"Cards fail. {kept} We wait.") == ()
