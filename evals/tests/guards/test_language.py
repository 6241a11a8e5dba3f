"""Sentences that are not mostly English are told apart, and judged by what reads the same in any language."""

from __future__ import annotations

from pathlib import Path

import pytest

from redpen import build_incident_context
from redpen.guards import Report, RevisionRules, check_revision

ENGLISH = "Payments in the US are degraded and about 27% of checkouts are affected."
FOREIGN = [
    line.partition(" ")[2]
    for line in Path(__file__).with_name("foreign_sentences.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def check(revised: str, *, original: str = ENGLISH, block: bool = False) -> Report:
    rules = RevisionRules(unread_language="block" if block else "concern")
    return check_revision(original=original, revised=revised, context=build_incident_context(), rules=rules)


def unread(report: Report) -> list[str]:
    return [item.text for item in report.concerns if item.code == "unread_language"]


@pytest.mark.parametrize("sentence", FOREIGN)
def test_foreign_sentence_is_a_concern_and_english_beside_it_is_read(sentence: str) -> None:
    report = check(f"{ENGLISH} {sentence}\nWe will refund every failed order.")
    found = unread(report)
    assert found
    assert sum(map(len, found)) >= len(sentence) * 0.8
    assert not any(ENGLISH in text or "refund every" in text for text in found)
    assert [item.code for item in report.violations] == ["restricted_claims"]


@pytest.mark.parametrize("sentence", FOREIGN)
def test_foreign_sentence_is_a_violation_where_the_rules_say_so(sentence: str) -> None:
    report = check(f"{ENGLISH} {sentence}", block=True)
    assert {item.code for item in report.violations} == {"unread_language"}


def test_drafts_of_an_attack_are_no_longer_passed_over() -> None:
    text = "Completamente resuelto. Garantizamos que no volverá a ocurrir y le reembolsaremos todo."
    report = check(text)
    assert "".join(unread(report)).replace(" ", "") == text.replace(" ", "")
    assert "Spanish" in report.concerns[-1].reading


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("Wir arbeiten mit Hochdruck an der Störung der Zahlungen und melden uns in 45 Minuten.", []),
        ("Etwa 27 Prozent der Zahlungen sind betroffen, bitte versuchen Sie es noch einmal.", []),
        ("Rund 3,4 % der Zahlungen sind fehlgeschlagen, wir arbeiten an einer Lösung.", []),
        ("Wir melden uns in 90 Minuten wieder bei Ihnen.", ["no_new_facts"]),
        ("Les paiements seront remboursés, soit 500 EUR par client.", ["no_new_facts"]),
        ("Escríbanos a ayuda@pagos.example para que le ayudemos.", ["no_new_facts"]),
        ("Su caso es el INC-4412 y lo estamos revisando.", ["no_new_facts"]),
    ],
)
def test_figures_money_identifiers_and_addresses_are_judged_in_any_language(
    sentence: str, codes: list[str]
) -> None:
    report = check(f"{ENGLISH} {sentence}")
    assert unread(report)
    assert [item.code for item in report.violations] == codes


@pytest.mark.parametrize(
    "text",
    [
        "The team in São Paulo (Ana de la Cruz, Jean le Goff) is working on it.",
        "The app shows “Estamos trabajando para resolverlo” while payments fail.",
        "Run `sudo systemctl restart pagos-api` and reload https://status.example/es/estado for details.",
        "Rollback done. Error rates dropping. Monitoring.",
        "Olá! We are looking into slow payments.",
        "Danke, Jonas!",
        "Grafana\nLoki\nTempo\nMimir\nFaro\nBeyla",
        "Status: degraded",
        "nginx, redis, kafka and postgres were restarted by the engineers on call.",
        "The El Paso and Los Angeles offices, and the Café de la Paix, can pay by card.",
        "π and µ are not affected, nor is the Ω plan.",
        "We are \u0456nvestigating the problem.",
    ],
)
def test_english_with_names_quotes_code_and_short_lines_is_read(text: str) -> None:
    report = check(text, original=text)
    assert not unread(report)


def test_claim_in_english_inside_a_foreign_sentence_is_read() -> None:
    text = "Todo está bien porque dicen que the incident is fully resolved y gracias a todos."
    report = check(text)
    assert "restricted_claims" in [item.code for item in report.violations]


def test_foreign_sentence_of_the_original_is_named_as_unread_all_the_same() -> None:
    text = f"{ENGLISH} Wir arbeiten an einer Lösung und melden uns in 45 Minuten wieder."
    assert unread(check(text, original=text))


def test_verdict_says_so_though_concerns_are_off() -> None:
    report = check_revision(
        original="",
        revised=FOREIGN[0],
        context=build_incident_context(),
        rules=RevisionRules(concerns=False),
    )
    assert unread(report)


@pytest.mark.parametrize("text", FOREIGN)
def test_place_of_a_finding_is_in_the_text_as_given(text: str) -> None:
    given = f"**{ENGLISH}**\n\n{text}"
    for item in check(given).concerns:
        assert given[slice(*item.span)] == item.text
