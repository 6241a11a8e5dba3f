"""Policy packs in pytest sessions: reports, resuming, variants and usage errors."""

from __future__ import annotations

import json

import pytest

from redpen_evals.cli import main
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder

pytestmark = pytest.mark.usefixtures("project")

APPROVE = "self-critique/approve"
STRICT = """\
pack: strict
restricted_phrases:
  - {code: brand.name, phrases: [cloud]}
allowed_phrases: [fully managed]
loosens: [allowed_phrases]
"""


@pytest.fixture
def project(pytester, start_project):
    """Return a recorded library in a project with a pack."""
    library = start_project()
    (pytester.path / "redpen.policy.yaml").write_text(STRICT, encoding="utf-8")
    library.add(APPROVE, library.self_critique())
    library.record(APPROVE)
    return library


def _record(pytester):
    path = RunFolder(path=pytester.path / ".redpen" / "runs").find("last")
    return path, read_record(path)


def test_policy_pack_is_named_in_summary_reports_and_compare(pytester, capsys):
    pytester.runpytest_inprocess()
    result = pytester.runpytest_inprocess(
        "--policy=strict", "--report=a.md", "--report=a.html", "--junitxml=a.xml"
    )
    result.assert_outcomes(passed=1)
    (found,) = _record(pytester)[1].results
    message = f"1 run under the policy pack strict ({found.policy.hash}), which loosens allowed_phrases"
    result.stdout.fnmatch_lines([message.replace("[", "[[]")])
    for name in ("a.md", "a.html"):
        assert message in (pytester.path / name).read_text(encoding="utf-8")
    assert message.partition("pack ")[2] in (pytester.path / "a.xml").read_text(encoding="utf-8")
    first, second = sorted((pytester.path / ".redpen" / "runs").glob("*.jsonl"))
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["compare", f"{first}@", f"{second}@policy=strict", "--json"])
    reported = json.loads(capsys.readouterr().out)
    assert reported["a"]["policies"] == ["default"]
    assert reported["b"]["policies"] == [f"strict ({found.policy.hash}), which loosens allowed_phrases"]


def test_resume_reruns_results_of_a_changed_pack(pytester):
    pytester.runpytest_inprocess("--policy=strict")
    path = _record(pytester)[0]

    def resumed():
        kept = [line for line in path.read_text(encoding="utf-8").splitlines() if '"type":"end"' not in line]
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")
        return pytester.runpytest_inprocess("--policy=strict", f"--resume={path}")

    resumed().assert_outcomes(deselected=1)
    changed = STRICT.replace("cloud", "checkout")
    (pytester.path / "redpen.policy.yaml").write_text(changed, encoding="utf-8")
    resumed().assert_outcomes(failed=1)


def test_policy_packs_are_variants(pytester):
    (pytester.path / "redpen.policy.yaml").write_text(STRICT.replace("cloud", "checkout"), encoding="utf-8")
    result = pytester.runpytest_inprocess("--variants=policy=default,strict")
    result.assert_outcomes(passed=1, failed=1)
    outcomes = {result.variant: result.stop_reason for result in _record(pytester)[1].results}
    assert outcomes == {
        "policy=default": "success",
        "policy=strict": "invalid_answer:restricted_phrase",
    }


@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        (STRICT, ["--policy=strickt"], "there is no policy pack 'strickt'*(did you mean `strict`[?])*"),
        ("pack: a\nlimit: {}\n", [], "*redpen.policy.yaml:2: limit: unknown key (did you mean `limits`[?])"),
        (
            STRICT,
            ["-o", "redpen_policy=nowhere.yaml"],
            "*nowhere.yaml: there is no such policy file*",
        ),
    ],
    ids=["no such pack", "a faulty pack", "no such file"],
)
def test_invalid_pack_is_a_usage_error(pytester, text, args, message):
    (pytester.path / "redpen.policy.yaml").write_text(text, encoding="utf-8")
    result = pytester.runpytest_inprocess(*args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*ERROR: {message}"])


def test_redpen_marker_selects_the_pack(pytester):
    pytester.makepyfile(
        test_agents="""
        import pytest

        @pytest.mark.redpen(policy={"pack": "strict"})
        def test_with_pack(redpen):
            redpen.run(lambda: "It runs in the cloud.")

        def test_without_pack(redpen):
            redpen.run(lambda: "It runs in the cloud.")
        """
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*policy: restricted_phrase: 'cloud'*(strict, redpen.policy.yaml:3)*"])


def test_changed_pack_is_reported_until_it_is_accepted(pytester, capsys):
    def run(text):
        (pytester.path / "redpen.policy.yaml").write_text(text, encoding="utf-8")
        return pytester.runpytest_inprocess("--policy=strict").stdout.str()

    def accept(*arguments):
        with pytest.raises(SystemExit):
            main(["baseline", "accept", *arguments])

    run(STRICT)
    accept()
    was = _record(pytester)[1].results[0].policy.hash
    assert "policy changed" not in run(STRICT)
    output = run(STRICT.replace("cloud", "moon"))
    now = _record(pytester)[1].results[0].policy.hash
    assert f"policy changed since the baseline: strict ({was} → {now}); `redpen baseline accept`" in output
    accept("--only=behaviour")
    assert "policy changed" in run(STRICT.replace("cloud", "moon"))
    accept()
    assert "policy changed" not in run(STRICT.replace("cloud", "moon"))
    path = pytester.path / "baseline" / "scripted.json"
    older = json.loads(path.read_text(encoding="utf-8"))
    del older["policies"]
    path.write_text(json.dumps(older, indent=2), encoding="utf-8")
    output = run(STRICT)
    assert "same 1" in output
    assert "policy changed" not in output
    # A part of the library does not tell the packs of the rest.
    older["accepted"].append({**older["accepted"][0], "scenario": "self-critique/other"})
    path.write_text(json.dumps(older, indent=2), encoding="utf-8")
    accept()
    assert "policies" not in json.loads(path.read_text(encoding="utf-8"))
    del older["accepted"][1]
    path.write_text(json.dumps(older, indent=2), encoding="utf-8")
    accept()
    assert list(json.loads(path.read_text(encoding="utf-8"))["policies"]) == ["strict"]
    capsys.readouterr()
