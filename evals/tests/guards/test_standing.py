"""Standing text of a project is never a finding, and hides nothing that is said beside it."""

from __future__ import annotations

import pytest

from redpen import build_incident_context
from redpen.guards import check_revision

ORIGINAL = "Payments in the US are degraded and about 27% of checkouts are affected."
STANDING = {
    "greetings": ["Hi {name}", "Dear customers"],
    "sign_offs": ["Best regards,\nMarta from Harwick Mail"],
    "headings": ["Timeline", "Fixed"],
    "links": ["https://status.harwick.example"],
    "product_names": ["Recovery Codes", "Pro 365", "Guaranteed Delivery"],
}


def codes(revised, *, standing=STANDING, **more):
    context = {**build_incident_context(), **more}
    if standing is not None:
        context["standing"] = standing
    report = check_revision(original=ORIGINAL, revised=revised, context=context)
    return [finding.code for finding in (*report.violations, *report.concerns)]


@pytest.mark.parametrize(
    "revised",
    [
        f"Hi Ana,\n{ORIGINAL}",
        f"Hi Ana Ruiz,\n{ORIGINAL}",
        f"Hi Ana! {ORIGINAL}",
        f"Dear customers,\n{ORIGINAL}",
        f"{ORIGINAL}\n\nBest regards,\nMarta from Harwick Mail",
        f"Fixed:\n{ORIGINAL}",
        f"## Timeline\n{ORIGINAL}",
        f"{ORIGINAL} See https://status.harwick.example.",
        f"{ORIGINAL} See status.harwick.example/ for more.",
        f"{ORIGINAL} Sign in with Recovery Codes as usual.",
        f"{ORIGINAL} This page also covers Guaranteed Delivery and Pro 365 users.",
    ],
)
def test_standing_text_is_no_finding(revised):
    assert codes(revised) == []


@pytest.mark.parametrize(
    "revised",
    [
        f"{ORIGINAL} See https://status.harwick.example.",
        f"{ORIGINAL} This page also covers Guaranteed Delivery and Pro 365 users.",
    ],
)
def test_text_is_a_finding_without_standing_texts(revised):
    assert codes(revised, standing=None)


@pytest.mark.parametrize(
    ("revised", "code"),
    [
        (f"Hi Ana, all is back to normal. {ORIGINAL}", "restricted_claims"),
        (f"Hi Everything Fixed,\n{ORIGINAL}", "restricted_claims"),
        (f"{ORIGINAL} Recovery Codes is back to normal.", "restricted_claims"),
        (f"{ORIGINAL} We offer guaranteed delivery.", "restricted_claims"),
        (f"{ORIGINAL} See status.harwick.example.evil.net.", "no_new_facts"),
        (f"{ORIGINAL} See https://status.harwick.example/refunds.", "no_new_facts"),
        (f"{ORIGINAL} About 365 customers of Pro 365 are affected.", "no_new_facts"),
    ],
)
def test_standing_text_hides_nothing_beside_it(revised, code):
    assert code in codes(revised)


def test_finding_next_to_standing_text_shows_the_original_text():
    revised = f"Hi Ana,\n{ORIGINAL} Recovery Codes and payments are back to normal."
    context = {**build_incident_context(), "standing": STANDING}
    (found,) = check_revision(original=ORIGINAL, revised=revised, context=context).violations
    assert found.text == revised[slice(*found.span)] == "are back to normal"


@pytest.mark.parametrize(
    "standing",
    [None, "good", 5, [], {}, {"greetings": 5}, {"links": [5, "", "x" * 400]}, {"product_names": {"a": 1}}],
)
def test_invalid_standing_texts_are_ignored(standing):
    assert codes(f"{ORIGINAL} See https://status.harwick.example.", standing=standing) == ["no_new_facts"]


def test_standing_key_with_other_content_is_a_fact():
    assert codes(f"{ORIGINAL} 14 accounts are locked.", standing={"locked_accounts": 14}) == []


def labels(text, severity="SEV1", **context):
    incident = {**build_incident_context()["incident"], "severity": severity}
    found = codes(f"{ORIGINAL} {text}", incident=incident, **context)
    return [code for code in found if code == "new_severity_label"]


@pytest.mark.parametrize("text", ["This is SEV1.", "This is a sev-1.", "We handle it as SEV 1."])
def test_severity_of_the_incident_is_known(text):
    assert labels(text, severities=["SEV1", "SEV2"]) == []


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("This is a SEV2.", ["SEV1", "SEV2"]),
        ("This is a sev-2 now.", ["SEV1", "SEV2"]),
        ("This is Sev B now.", ["Sev A", "Sev B"]),
        ("We rate it RED.", ["RED", "AMBER"]),
        ("It is a Tier 2 case.", ["Tier 1", "Tier 2"]),
    ],
)
def test_any_other_label_of_the_scale_is_new(text, scale):
    assert labels(text, severity=scale[0] if scale[0] != "RED" else "AMBER", severities=scale) == [
        "new_severity_label"
    ]


def test_severity_words_in_another_sense_are_not_labels():
    scale = ["critical", "major", "minor"]
    assert labels("A minor part of the text is new.", severity="major", severities=scale) == []
    assert labels("The red line is a chart.", severity="AMBER", severities=["RED", "AMBER"]) == []


def test_label_of_the_original_is_known():
    context = {**build_incident_context(), "severities": ["SEV1", "SEV2"]}
    original = f"{ORIGINAL} It was a SEV2 at first."
    assert check_revision(original=original, revised=f"Update. {original}", context=context).ok
