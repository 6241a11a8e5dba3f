"""Checks of drafts, answers and revisions, and the order of the checks."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.context import build_incident_context
from redpen.errors import Stop
from redpen.gateway.texts import check_answer, check_brief, check_draft, revision_stop
from redpen.guards import Finding, Report, RequiredPhrases, RevisionRules, check_revision
from redpen.stop_reasons import find_stop_reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "invalid_draft:empty"),
        (" \n", "invalid_draft:empty"),
        ("\u200b\u00ad", "invalid_draft:empty"),
        ("abcdef", "invalid_draft:too_long"),
        ("a  bcd", "invalid_draft:too_long"),
        ("abcde", None),
        ("  abcde \n", None),
    ],
)
def test_blank_or_overlong_draft_is_rejected(text: str, reason: str | None) -> None:
    assert _reason(lambda: check_draft(text, max_chars=5)) == (reason and (reason, "draft"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "invalid_answer:empty"), ("abcdef", "invalid_answer:too_long"), ("  abcde ", None)],
)
def test_blank_or_overlong_answer_is_rejected(text: str, reason: str | None) -> None:
    assert _reason(lambda: check_answer(text, max_chars=5)) == (reason and (reason, "finalize"))


def _reason(check: Any) -> tuple[str, str | None] | None:
    try:
        check()
    except Stop as stop:
        return stop.reason, stop.phase
    return None


DRAFT = (
    "Payments in the US are degraded. About 27% of checkouts are affected. "
    "We monitor failures every 15 minutes."
)
RULES = RevisionRules(
    max_chars=150,
    must_differ=True,
    min_similarity=0.4,
    max_length_increase_pct=20,
    phrases=RequiredPhrases(include=("Please wait",)),
)


def stop_reason_of(revised: str, rules: RevisionRules = RULES) -> str | None:
    context = build_incident_context()
    report = check_revision(original=DRAFT, revised=revised, context=context, rules=rules)
    stop = revision_stop(report, phrases_reason="required_changes_not_applied")
    return stop.reason if stop else None


# Each text fails the check of its row and most of the later ones.
ROWS = [
    (" \n ", "invalid_revised:empty"),
    ("In Canada 90% of tills in inc_other_7 are down. " * 4, "invalid_revised:too_long"),
    (f" {DRAFT.replace('. ', '.   ')}", "invalid_revised:no_changes"),
    ("In Canada 90% of tills for inc_other_7 are down.", "patch_violation:too_large_edit"),
    (f"{DRAFT} In Canada 90% of tills are down.", "patch_violation:length_increase_limit"),
    (DRAFT.replace("27%", "90%").replace("the US", "Canada"), "patch_violation:no_new_facts"),
    (DRAFT.replace("Payments", "inc_other_7: Payments"), "patch_violation:new_incident_id"),
    (DRAFT.replace("degraded", "degraded (P0)"), "patch_violation:new_severity_label"),
    (DRAFT.replace("the US", "Canada"), "patch_violation:new_region"),
    (DRAFT.replace("are degraded", "are fully recovered"), "patch_violation:restricted_claims"),
    (DRAFT.replace("About", "Roughly"), "patch_violation:required_changes_not_applied"),
    (f"{DRAFT} Please wait.", None),
]


@pytest.mark.parametrize(("revised", "reason"), ROWS, ids=[reason or "passes" for _, reason in ROWS])
def test_first_failed_check_gives_stop_reason(revised: str, reason: str | None) -> None:
    assert stop_reason_of(revised) == reason
    if reason is not None:
        assert find_stop_reason("self-critique", reason) is not None


@pytest.mark.parametrize(
    ("rules", "revised", "reason"),
    [
        (RevisionRules(max_chars=len(DRAFT) + 7), f"  {DRAFT} Wait... ", "invalid_revised:too_long"),
        (RevisionRules(max_chars=len(DRAFT) + 8), f"  {DRAFT} Wait... ", None),
        # The limit is inclusive; white space is collapsed first.
        (RevisionRules(max_length_increase_pct=0), DRAFT.replace(" ", "  "), None),
        (RevisionRules(max_length_increase_pct=0), f"{DRAFT}!", "patch_violation:length_increase_limit"),
        (RevisionRules(max_length_increase_pct=-1), DRAFT, "patch_violation:length_increase_limit"),
    ],
)
def test_length_limits_are_inclusive(rules: RevisionRules, revised: str, reason: str | None) -> None:
    assert stop_reason_of(revised, rules) == reason


def test_stop_reason_for_missing_phrase_is_chosen_by_agent() -> None:
    finding = Finding(
        code="required_changes_not_applied", family="phrase", span=(0, 0), text="", reading="x", reason="y"
    )
    stop = revision_stop(Report(violations=(finding,)), phrases_reason="fix_plan_not_applied")
    assert stop is not None
    assert (stop.reason, stop.phase) == ("patch_violation:fix_plan_not_applied", "revise")


def test_guard_error_has_its_stop_reason() -> None:
    finding = Finding(code="guard_error", family="facts", span=(0, 1), text="a", reading="x", reason="y")
    stop = revision_stop(Report(violations=(finding,)), phrases_reason="fix_plan_not_applied")
    assert stop is not None
    assert stop.reason == "guard_error:facts"
    assert find_stop_reason("reflection", stop.reason) is not None


class TestCrash:
    """A crashing guard blocks revisions and briefs."""

    @pytest.fixture(autouse=True)
    def crash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def raises(**_: Any) -> Any:
            raise RuntimeError

        monkeypatch.setattr("redpen.guards.revision.find_new_facts", raises)

    def test_revision_is_blocked(self) -> None:
        report = check_revision(original="We are on it.", revised="We work on it.", context={})
        assert [(item.code, item.family) for item in report.violations] == [("guard_error", "facts")]

    def test_brief_is_not_published(self) -> None:
        with pytest.raises(Stop) as caught:
            check_brief("Payments are degraded, and we work on it.", {"status": "degraded"})
        assert caught.value.reason == "invalid_answer:ungrounded"
        assert [item["code"] for item in caught.value.details["violations"]] == ["guard_error"]


def test_max_chars_of_rules_applies_below_global_limit() -> None:
    rules = RevisionRules(max_chars=5)
    for text, codes in (("abcde", []), ("abcdef", ["too_long"])):
        report = check_revision(original=text, revised=text, context={}, rules=rules)
        assert [item.code for item in report.violations] == codes
