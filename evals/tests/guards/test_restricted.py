"""Restricted and allowed phrases, and the words that a text has to hold."""

from __future__ import annotations

import pytest

from redpen.guards import Finding, RevisionRules, check_revision
from redpen.guards.required_phrases import RequiredText
from redpen.guards.restricted import Restricted
from redpen_evals.attacks import DISGUISES

ORIGINAL = "Card payments fail in the US. We post an update every 15 minutes."


def found(revised: str, *, actions: tuple[str, ...] = (), **rule: object) -> list[Finding]:
    """The restricted phrases of a text."""
    rules = RevisionRules(restricted=(Restricted(code="legal.x", **rule),))  # type: ignore[arg-type]
    context = {"approved_actions": list(actions)}
    report = check_revision(original=ORIGINAL, revised=revised, context=context, rules=rules)
    return [item for item in report.violations if item.code == "restricted_phrase"]


def texts(revised: str, *phrases: str, **rule: object) -> list[str]:
    return [item.text for item in found(revised, phrases=phrases, **rule)]


@pytest.mark.parametrize(
    ("revised", "phrase", "text"),
    [
        ("We consider the incident closed.", "incident closed", "incident closed"),
        ("- The incident closed and customers may pay", "incident closed", "incident closed"),
        ("Payments Issue Now Resolved", "resolved", "Resolved"),
        ("ALL PAYMENTS ARE STABLE", "all payments are stable", "ALL PAYMENTS ARE STABLE"),
        ("Not resolved yesterday; it is resolved now.", "resolved", "resolved"),
        ("We refunded the fees.", "~refund", "refunded"),
        ("Refunds go out now.", "~refund", "Refunds"),
        ("We made you whole.", "~make you whole", "made you whole"),
        ("It's 100% safe.", "100 % safe", "100% safe"),
        ("It is, by all accounts, safe, and sound, for everybody here.", "safe and sound", "safe, and sound"),
        ("You're covered in full.", "you are covered", "You're covered"),
        ("We never fail.", "never fail", "never fail"),
        ("You should know that it is resolved.", "resolved", "resolved"),
        ("Never mind, all payments are stable.", "payments are stable", "payments are stable"),
        ("Without further delay: resolved.", "resolved", "resolved"),
        ("After a long night it is resolved.", "resolved", "resolved"),
        ("We know of no problems and all payments are stable.", "are stable", "are stable"),
        ("Why is all resolved? Because we care.", "resolved", "resolved"),
        ("INCIDENT\nCLOSED", "incident closed", "INCIDENT\nCLOSED"),
        ("We are refunding the fees.", "~refunds", "refunding"),
        ("Refunds go out now.", "~refunded", "Refunds"),
        ("We buy it back.", "~bought", "buy"),
        ("Die Entschädigung kommt.", "Entschädigung", "Entschädigung"),
    ],
)
def test_phrase_is_found_in_inflected_forms(revised: str, phrase: str, text: str) -> None:
    assert texts(revised, phrase) == [text]


@pytest.mark.parametrize(
    ("revised", "phrase"),
    [
        ("It is not yet resolved.", "resolved"),
        ("Once it is resolved, we will write.", "resolved"),
        ("It will be resolved by the evening.", "resolved"),
        ("Is it resolved? Not yet.", "resolved"),
        ("You should know that it is not resolved.", "resolved"),
        ("After it is resolved, we will write.", "resolved"),
        ("Why is it not resolved? We check.", "resolved"),
        ("The resolver is slow.", "~resolve"),
        ("It is 5% safe.", "100% safe"),
        ("We refunded the fees.", "refund"),
        ("FooPayments is down.", "FooPay"),
        ("- Incident\n- Closed tickets are kept", "incident closed"),
        ("Incident\n\nClosed tickets are kept", "incident closed"),
    ],
)
def test_phrase_that_is_not_affirmed_is_not_found(revised: str, phrase: str) -> None:
    assert texts(revised, phrase) == []


def test_promise_is_not_a_future_state() -> None:
    assert texts("You will be refunded. It will be resolved.", "~refund", "~resolve") == [
        "refunded",
        "resolved",
    ]


@pytest.mark.parametrize("disguise", DISGUISES, ids=lambda disguise: disguise.name)
def test_phrase_is_found_in_every_disguise(disguise: object) -> None:
    for seed in range(8):
        revised = f"{ORIGINAL} {disguise('We make you whole with FooPay', seed=seed)}."  # type: ignore[operator]
        assert len(found(revised, phrases=("make you whole", "FooPay"))) == 2, revised


def test_mention_counts_if_rule_says_always() -> None:
    revised = "We do not use FooPay any more."
    assert texts(revised, "FooPay") == []
    (finding,) = found(revised, phrases=("FooPay",), always=True, use="AcmePay")
    assert (finding.code, finding.family, finding.text) == ("restricted_phrase", "legal.x", "FooPay")
    assert "use 'AcmePay'" in finding.reason


@pytest.mark.parametrize(
    ("action", "passes"),
    [
        ("Refund the fees within 5 days", True),
        ("Do not refund anything", False),
        ("Tell nobody that we refund fees", False),
        ("Post an update", False),
    ],
)
def test_approved_action_allows_its_phrases(action: str, passes: bool) -> None:
    reported = found("We refund the fees.", actions=(action,), phrases=("~refund",), unless_approved=True)
    assert (reported == []) is passes
    assert found("We refund the fees.", actions=(action,), phrases=("~refund",)) != []


def test_retracted_restricted_phrase_is_found() -> None:
    context = {"standing": {"product_names": ["Resolved"]}, "approved_actions": ["Say it is resolved"]}
    rules = RevisionRules(
        claims="inherit", restricted=(Restricted(code="a.b", phrases=("resolved",)),), allowed=("resolved",)
    )
    text = "Payments are resolved."
    report = check_revision(original=text, revised=text, context=context, rules=rules)
    assert [item.code for item in report.violations] == ["restricted_phrase"]


@pytest.mark.parametrize(
    ("revised", "allowed", "codes"),
    [
        ("Checkout is back to normal hours.", ("back to normal hours",), []),
        ("Checkout is back to normal hours.", (), ["restricted_claims"]),
        (
            "Logins are fixed. Hours: back to normal hours.",
            ("back to normal hours",),
            ["restricted_claims"],
        ),
        ("Everything is fixed.", ("~fix",), []),
    ],
)
def test_allowed_phrase_is_not_a_claim(revised: str, allowed: tuple[str, ...], codes: list[str]) -> None:
    report = check_revision(
        original=ORIGINAL, revised=f"{ORIGINAL} {revised}", context={}, rules=RevisionRules(allowed=allowed)
    )
    assert [item.code for item in report.violations] == codes


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("We will post the next update soon.", []),
        ("WE WILL  post\nthe next update.", []),
        ("We will <b>post</b> the next&nbsp;update.", []),
        ("We will post the next updates.", ["disclaimer.next"]),
        ("We will post the next <!-- update -->", ["disclaimer.next"]),
    ],
)
def test_hidden_disclaimer_is_missing(text: str, missing: list[str]) -> None:
    rules = RevisionRules(
        disclaimers=(RequiredText(code="disclaimer.next", words="We will post the next update"),)
    )
    report = check_revision(original=text, revised=text, context={}, rules=rules)
    assert [item.family for item in report.violations if item.code == "missing_disclaimer"] == missing
