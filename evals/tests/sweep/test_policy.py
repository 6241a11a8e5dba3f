"""Sweeps under a policy: rows are judged by a pack, and violations are counted by rule."""

from __future__ import annotations

import json

import pytest

PACKS = """\
pack: bank
match: {tenant: acme}
restricted_phrases:
  - {code: brand.name, phrases: [FooPay], use: AcmePay, when: always}
concerns: {unread_language: escalate}
limits: {max_answer_chars: 80}
"""
LOOSE = """\
pack: loose
allowed_phrases: [everything works]
loosens: [allowed_phrases]
"""
ORIGINAL = "Checkout is slow."
GUARD = "def never(text):\n    return False\n"


@pytest.fixture
def policies(tmp_path):
    """Write a folder with two packs and return it."""
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "bank.yaml").write_text(PACKS)
    (folder / "loose.yaml").write_text(LOOSE)
    (tmp_path / "redpen.toml").write_text('policy = "packs"\n')
    return folder


def row(number, added, **context):
    return {"id": number, "original": ORIGINAL, "revised": f"{ORIGINAL} {added}", "context": context}


ROWS = (
    row(1, "FooPay is fine."),
    row(2, "FooPay is not hit.", tenant="acme"),
    row(3, "Nous travaillons sur le problème depuis ce matin.", request={"tenant": "acme"}),
    row(4, "We look into it. " * 5, tenant="acme"),
    row(5, "We look into it.", tenant="acme"),
)


def rules(verdicts):
    return [[item["rule"] for item in verdict["violations"] if "rule" in item] for verdict in verdicts]


@pytest.mark.usefixtures("policies")
def test_rows_are_judged_by_the_pack_of_their_tenant(sweep, rows, verdicts):
    result = sweep(rows(*ROWS))
    found = verdicts()
    assert [item["pack"] for item in found] == ["default", "bank", "bank", "bank", "bank"]
    assert rules(found) == [[], ["brand.name"], ["concerns.unread_language"], ["limits.max_answer_chars"], []]
    assert [item["ok"] for item in found[1:]] == [False, False, False, True]
    assert found[2]["violations"][0]["measure"] == "escalate"
    assert "policy: by tenant and role" in result.stdout
    assert "brand.name" in result.stdout


@pytest.mark.usefixtures("policies")
def test_policy_option_applies_to_every_row_and_own_guards(sweep, rows, verdicts, tmp_path, monkeypatch):
    (tmp_path / "mild_guards.py").write_text(GUARD)
    monkeypatch.syspath_prepend(tmp_path)
    result = sweep(rows(*ROWS), "--guards", "mild_guards:never", "--policy", "bank")
    assert result.exit_code == 0
    assert {verdict["pack"] for verdict in verdicts()} == {"bank"}
    assert rules(verdicts()) == [["brand.name"], ["brand.name"], [], ["limits.max_answer_chars"], []]


def test_rows_without_packs_are_judged_by_guards_only(sweep, rows, verdicts, tmp_path):
    sweep(rows(*ROWS))
    assert not any("pack" in verdict for verdict in verdicts())
    sweep("rows.jsonl", "--policy", "default", "--out", "default")
    assert [verdict["violations"] for verdict in verdicts("default")] == [
        verdict["violations"] for verdict in verdicts()
    ]
    manifests = [
        json.loads((tmp_path / f"{at}/manifest.json").read_text()) for at in (".redpen/sweep", "default")
    ]
    assert [manifest["policy"] for manifest in manifests] == [None, "default"]


def test_resume_with_changed_pack_exits_2(sweep, rows, policies):
    rows(*ROWS)
    assert sweep("rows.jsonl").exit_code == 0
    assert sweep("rows.jsonl", "--resume").exit_code == 0
    (policies / "bank.yaml").write_text(PACKS.replace("FooPay", "BarPay"))
    again = sweep("rows.jsonl", "--resume")
    assert again.exit_code == 2
    assert "policy hash: was " in again.stderr


@pytest.mark.usefixtures("policies")
def test_allowed_phrases_apply_and_loosening_is_reported(sweep, rows, verdicts):
    rows(row(1, "Everything works."))
    assert "loosens allowed_phrases" in sweep("rows.jsonl", "--policy", "loose").stdout
    sweep("rows.jsonl", "--policy", "default", "--out", "default")
    assert [verdicts(folder)[0]["ok"] for folder in (".redpen/sweep", "default")] == [True, False]


@pytest.mark.usefixtures("policies")
def test_diff_counts_changes_by_rule(sweep, rows):
    rows(*ROWS)
    sweep("rows.jsonl", "--policy", "default", "--out", "before")
    sweep("rows.jsonl", "--policy", "bank", "--out", "after")
    lines = [line.split() for line in sweep("diff", "before", "after").stdout.splitlines()]
    assert ["brand.name", "0", "2", "0", "2"] in lines
    assert ["concerns.unread_language", "0", "1", "0", "1"] in lines


@pytest.mark.usefixtures("policies")
@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (("--policy", "bnak"), "did you mean `bank`"),
        (("--policy", "bank", "--against", "redpen@python3"), "leave out --policy"),
    ],
)
def test_unusable_policy_exits_2(sweep, rows, tmp_path, args, problem):
    rows(*ROWS)
    result = sweep("rows.jsonl", *args)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert not (tmp_path / ".redpen/sweep").exists()
