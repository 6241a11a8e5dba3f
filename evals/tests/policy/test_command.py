"""``redpen policy``: the commands check, codes, explain and diff."""

from __future__ import annotations

import json

import pytest

APPROVE = "self-critique/approve"


@pytest.fixture
def project(library, monkeypatch, bank_text):
    """Return a library in the working folder, with a pack in the default policy file."""
    monkeypatch.chdir(library.root)
    (library.root / "redpen.policy.yaml").write_text(bank_text, encoding="utf-8")
    return library


@pytest.mark.usefixtures("project")
def test_check_lists_packs(redpen):
    done = redpen("policy", "check")
    assert done.exit_code == 0, done.output
    assert "tenant acme, role support or sales" in done.stdout
    assert "1 pack, 0 faults" in done.stderr


def test_check_reports_every_problem_and_exits_2(project, redpen):
    path = project.root / "redpen.policy.yaml"
    path.write_text("pack: bank\nlimit: {}\nconcerns: escalat\n", encoding="utf-8")
    done = redpen("policy", "check")
    assert done.exit_code == 2
    assert "redpen.policy.yaml:2: limit: unknown key (did you mean `limits`?)" in done.stderr
    assert "redpen.policy.yaml:3: concerns" in done.stderr
    assert "(did you mean `escalate`?)" in done.stderr


def test_check_rejects_phrase_that_no_text_can_contain(project, redpen):
    path = project.root / "redpen.policy.yaml"
    path.write_text(
        "pack: bank\nrestricted_phrases:\n- code: a.b\n  phrases:\n  - ~refund\n  - all good. bye\n",
        encoding="utf-8",
    )
    done = redpen("policy", "check")
    assert done.exit_code == 2
    assert "redpen.policy.yaml:6: restricted_phrases: 'all good. bye' matches no text" in done.stderr
    assert "refund" not in done.stderr


@pytest.mark.usefixtures("project")
def test_check_of_missing_file_exits_2(redpen):
    done = redpen("policy", "check", "nowhere.yaml")
    assert (done.exit_code, "nowhere.yaml: there is no such policy file" in done.stderr) == (2, True)


def test_check_without_policy_file_lists_built_in_pack(library, monkeypatch, redpen):
    monkeypatch.chdir(library.root)
    done = redpen("policy", "check")
    assert (done.exit_code, done.stdout.splitlines()[1].split()[0]) == (0, "default")


def test_codes_command_lists_codes_and_families(redpen):
    listed = json.loads(redpen("policy", "codes", "--json").stdout)["codes"]
    assert {"policy.mass_broadcast", "execution.tool_denied", "no_new_facts", "llm_*"} <= {
        row["code"] for row in listed
    }
    (family,) = [row for row in listed if row["code"] == "llm_*"]
    assert "llm_timeout" in family["members"]
    assert "policy.mass_broadcast" in redpen("policy", "codes").stdout


@pytest.mark.usefixtures("project")
def test_explain_text_shows_the_deciding_line(redpen, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("We will pay compensation.", encoding="utf-8")
    done = redpen("policy", "explain", "--pack", "bank", "--text", text, "--context", "payments")
    assert done.exit_code == 1
    first, second = done.stdout.splitlines()[:2]
    assert first == "blocks: restricted_phrase (legal.compensation)"
    assert second.strip() == "decided by redpen.policy.yaml:4"


@pytest.mark.usefixtures("project")
def test_explain_takes_a_text_of_several_words(redpen):
    done = redpen("policy", "explain", "--pack", "bank", "--text", "We will pay compensation.")
    assert done.exit_code == 1
    assert done.stdout.startswith("blocks: restricted_phrase (legal.compensation)")


@pytest.mark.usefixtures("project")
def test_explain_text_that_passes_exits_0(redpen, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("Checkout in the US is degraded.", encoding="utf-8")
    done = redpen("policy", "explain", "--pack", "bank", "--text", text, "--context", "payments", "--json")
    assert (done.exit_code, json.loads(done.stdout)["passes"]) == (0, True)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "give either --action or --text"),
        (("--pack", "bnak", "--text", "x"), "there is no policy pack 'bnak'"),
        (
            ("--text", "nowhere.txt"),
            "nowhere.txt: cannot be read: No such file or directory; give a file, or a text of several words",
        ),
        (("--text", "-", "--context", "paymnts"), "no context 'paymnts'"),
    ],
)
def test_explain_with_invalid_arguments_exits_2(redpen, args, message):
    done = redpen("policy", "explain", *args)
    assert (done.exit_code, message in done.stderr) == (2, True), done.output


def test_diff_lists_changed_decisions_with_texts(project, redpen):
    project.add(APPROVE, project.self_critique())
    project.record(APPROVE)
    strict = "pack: strict\nrestricted_phrases:\n  - {code: brand.name, phrases: [checkout]}\n"
    (project.root / "redpen.policy.yaml").write_text(strict, encoding="utf-8")
    done = redpen("policy", "diff", "default", "strict")
    assert done.exit_code == 1, done.output
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[:3] == [
        APPROVE,
        "default ok success approve",
        "strict stopped invalid_answer:restricted_phrase approve",
    ]
    assert lines[3].endswith("(redpen.policy.yaml:3)")
    assert "text Checkout in the US is degraded for 27% of attempts." in lines
    assert lines[-1] == "1 of 1 decisions change from default to strict"


def test_diff_of_equivalent_packs_exits_0(project, redpen):
    project.add(APPROVE, project.self_critique())
    project.record(APPROVE)
    done = redpen("policy", "diff", "default", "default")
    assert (done.exit_code, done.stdout.strip()) == (0, "0 of 1 decisions change from default to default")


def test_run_applies_policy_pack(project, redpen):
    project.add(APPROVE, project.self_critique())
    project.record(APPROVE)
    strict = "pack: strict\nrestricted_phrases: [{code: brand.name, phrases: [checkout]}]\n"
    (project.root / "redpen.policy.yaml").write_text(strict, encoding="utf-8")
    plain = redpen("run", "--scenario", APPROVE, "--replay")
    strict_run = redpen("run", "--scenario", APPROVE, "--replay", "--policy", "strict")
    assert (plain.exit_code, strict_run.exit_code) == (0, 1)
    assert strict_run.stderr.startswith("redpen: policy pack strict (")
    assert json.loads(strict_run.stdout)["stop_reason"] == "invalid_answer:restricted_phrase"
    assert redpen("run", "--scenario", APPROVE, "--replay", "--policy", "strickt").exit_code == 2


def test_scenarios_check_reports_unknown_pack(project, redpen):
    project.add(APPROVE, project.self_critique(policy={"max_risks": 2, "pack": "bnak"}))
    done = redpen("scenarios", "check")
    assert done.exit_code == 1
    (fault,) = [line for line in done.stdout.splitlines() if "approve.yaml" in line]
    assert "policy.pack: there is no policy pack 'bnak'" in fault
    assert "(did you mean `bank`?)" in fault
    lines = project.layout.scenario_path(APPROVE).read_text(encoding="utf-8").splitlines()
    assert f"approve.yaml:{lines.index('  pack: bnak') + 1}:" in fault


def test_run_with_pack_for_own_agent_exits_2(project, redpen):
    project.add("support/reply", {"agent": "support.mailer:reply"})
    done = redpen("run", "--scenario", "support/reply", "--policy", "bank")
    assert (done.exit_code, "`pytest --policy` applies it to your own" in done.stderr) == (2, True)


def test_explain_uses_the_pack_that_matches_the_context(project, redpen, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("We will pay compensation.", encoding="utf-8")
    project.write("contexts/acme.yaml", {**project.context(), "tenant": "acme", "role": "sales"})
    found = [
        json.loads(redpen("policy", "explain", "--text", text, "--context", name, "--json").stdout)["pack"]
        for name in ("payments", "acme")
    ]
    assert found == ["default", "bank"]


@pytest.mark.usefixtures("project")
def test_explain_action_lists_rules_and_risk_terms(redpen, tmp_path):
    action = tmp_path / "action.json"
    args = {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"}
    action.write_text(json.dumps({"tool": "fetch_incident_snapshot", "args": args}), encoding="utf-8")
    facts = tmp_path / "facts.json"
    facts.write_text(json.dumps({"snapshot": {"eta_minutes": 180}}), encoding="utf-8")
    options = ("--pack", "bank", "--action", action, "--context", facts)
    reported = json.loads(redpen("policy", "explain", *options, "--json").stdout)
    assert (reported["decision"], reported["code"]) == ("escalate", "policy.long_eta")
    assert reported["decided_by"] == "redpen.policy.yaml:12"
    assert reported["rules"] == [{"code": "policy.long_eta", "place": "redpen.policy.yaml:12"}]
    assert reported["risk"] == {"total": 30, "terms": {"policy.long_eta": 30}}
    done = redpen("policy", "explain", *options)
    assert done.exit_code == 1
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "escalate: policy.long_eta (long outage)"
    assert "risk 30, escalates at 40" in lines
    assert "policy.long_eta 30 redpen.policy.yaml:13" in lines


@pytest.mark.usefixtures("project")
def test_explain_of_invalid_action_exits_2(redpen, tmp_path):
    action = tmp_path / "action.json"
    action.write_text('{"tool": 3}', encoding="utf-8")
    done = redpen("policy", "explain", "--action", action)
    assert (done.exit_code, "invalid_action:tool: an action must be an object" in done.stderr) == (2, True)
