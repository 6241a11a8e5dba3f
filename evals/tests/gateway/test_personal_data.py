"""Personal data in arguments, found by field name and by value format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.gateway.personal_data import MAX_CHARS, SHAPES, Shape, find_personal_data

FIELDS = (
    "email", "Email", "e-mail", "e_mail", "E-Mail", "emails", "emailAddress", "email_address",
    "customer_email", "customerEmail", "CUSTOMER_EMAIL", "contact email", "recipient_emails", "to_email",
    "phone", "phone_number", "phoneNumber", "mobile", "mobile_phone", "telephone", "contact-phone",
    "card", "card_number", "cardNumber", "Card Number", "credit_card", "credit_card_number", "card_last4",
    "credit_card_last4", "payment_last4", "cvv", "pan", "account_number", "accountNumber", "account_no",
    "bank_account", "bank_account_number", "iban", "IBAN", "ssn", "passport_number", "date_of_birth",
    "first_name", "customer_name", "billing_address",
)  # fmt: skip
HARMLESS = (
    "channel", "external_email", "status_page", "template_id", "audience_segment", "max_recipients",
    "region", "report_date", "incident_id", "severity", "card_error_rate", "failed_payment_rate",
    "email_template", "email_delivery_delay_minutes", "accounts_affected", "phone_support_hours", "name",
    "mobile_app_version", "accounting", "discard", "cardinal", "panel", "all_customers", "reason", "payload",
)  # fmt: skip
VALUES = (
    "anna@example.com", "write to anna.k+x@mail.example.co.uk today", "ａｎｎａ＠example.com",
    "anna@exa\u200bmple.com", "anna&#64;example.com", "anna [at] example[.]com", "an<b></b>na@example.com",
    "\u0430nna@example.com", "anna [at] example.com", "+49 30 1234567", "+1 (555) 123-4567", "0049301234567",
    "555-123-4567", "(555) 123-4567", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111111",
    "3782 822463 10005", "1234 5678 9012 3456", "account number 12345678", "acct: 000-123-456",
    "DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "GB29NWBK60161331926819", "email, country",
)  # fmt: skip
PLAIN = (
    "", "US", "2026-03-06", "14:30", "inc_payments_20260306", "upd_20260306_001", "27%", "120,000",
    "45 minutes", "P1", "incident_p1_v2", "We are fully recovered.", "1.234.567", "version 10.20.30",
    "customers @ 14:30", "2026-03-06T14:30:00Z", "a reason in plain words", "account review 3",
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=[shape.name for shape in SHAPES])
def test_format_matches_only_the_blocked_example(shape: Shape) -> None:
    assert shape.pattern.search(shape.blocks)
    assert not shape.pattern.search(shape.passes)
    assert find_personal_data({"note": shape.blocks})
    assert find_personal_data({"note": shape.passes}) is None


@pytest.mark.parametrize("name", FIELDS)
def test_personal_field_is_found_by_name(name: str) -> None:
    assert find_personal_data({name: None})
    assert find_personal_data({"fields": ["country", name]})
    assert find_personal_data({"a": [{"b": {name: 1}}]})
    assert find_personal_data({"columns": f"country, {name.replace(' ', '_')}"})
    assert find_personal_data({"channel": name}, names=False) is None


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_field_names_pass(name: str) -> None:
    assert find_personal_data({name: 1, "list": [name]}) is None


@pytest.mark.parametrize("value", VALUES)
def test_personal_values_are_found_at_any_depth(value: str) -> None:
    assert find_personal_data({"note": value})
    assert find_personal_data({"a": [{"b": [value]}]})


@pytest.mark.parametrize("value", VALUES[:-1])
def test_personal_values_are_found_in_keys_when_names_are_ignored(value: str) -> None:
    assert find_personal_data({value: 1}, names=False)


@pytest.mark.parametrize("value", PLAIN)
def test_plain_values_pass(value: str) -> None:
    assert find_personal_data({"note": value}) is None


@pytest.mark.parametrize("value", [4111111111111111, 4111111111111111.0])
def test_numeric_card_number_is_found(value: float) -> None:
    assert find_personal_data({"n": value})


@pytest.mark.parametrize(
    "value", [True, None, 0, 50_000, 120_000, 20260306, 1e300, 0.034, float("inf"), float("nan")]
)
def test_other_numbers_pass(value: float | None) -> None:
    assert find_personal_data({"n": value}) is None


def test_finding_does_not_contain_the_value() -> None:
    assert "anna" not in str(find_personal_data({"note": "anna@example.com"}))


def test_overlong_text_counts_as_personal_data() -> None:
    assert find_personal_data({"note": "a" * MAX_CHARS}) is None
    assert find_personal_data({"note": "a" * (MAX_CHARS + 1)})


@pytest.mark.parametrize("piece", ["1 ", "1", "a.", "a@", "+1", "(", "GB29 ", "account ", "éa", "1-"])
def test_repetitive_text_does_not_crash(piece: str) -> None:
    find_personal_data({"note": (piece * MAX_CHARS)[:MAX_CHARS]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_any_json_does_not_crash(value: object) -> None:
    found = find_personal_data(value)  # type: ignore[arg-type]
    assert found is None or found
