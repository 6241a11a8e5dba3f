"""`redpen cassettes check`: findings and the commands that repair them."""

from __future__ import annotations

import dataclasses
import json

import pytest

from redpen_evals.cassettes.digest import digest_of
from redpen_evals.cassettes.encoding import JsonBody, RawBody
from redpen_evals.cassettes.file import CallFailure
from redpen_evals.evaluation import Evaluator
from redpen_evals.versions import installed_versions

APPROVE = "self-critique/approve"
SCRIPTED = f"cassettes/scripted/{APPROVE}.json"
LIVE = f"cassettes/gpt/{APPROVE}.json"
EDITS = "an edit of it would not be noticed: it is of an older release, or the line was deleted"
RECORD = f"pytest --record=all --model gpt -k '[{APPROVE}]'"


def _relative(done, stocked):
    assert done.stderr.splitlines()[-1:] or done.exit_code == 2
    return done.stdout.replace(f"{stocked.stock.root}/", "").splitlines()


def test_valid_cassettes_have_no_findings(stocked, cassettes):
    stocked.put()
    done = cassettes("check")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "3 cassettes, 0 faults, 0 notes\n"
    assert cassettes("check", "--replay").exit_code == 0


def test_folder_without_cassettes_has_no_findings(library, cassettes, monkeypatch):
    monkeypatch.chdir(library.root)
    library.add(APPROVE, library.self_critique())
    library.layout.cassettes.mkdir()
    done = cassettes("check")
    assert (done.exit_code, done.stderr) == (0, "0 cassettes, 0 faults, 0 notes\n")


def test_missing_folder_exits_2(library, cassettes, monkeypatch):
    monkeypatch.chdir(library.root)
    library.add(APPROVE, library.self_critique())
    done = cassettes("check")
    assert done.exit_code == 2
    assert "no such folder; set it with `redpen --cassettes DIR`" in done.stderr


def test_cassette_without_scenario_is_orphaned(stocked, cassettes):
    stocked.put(scenario="self-critique/gone")
    stocked.write(stocked.root / "scripted" / "reflection" / "gone.json", "{")
    done = cassettes("check")
    assert done.exit_code == 1
    assert _relative(done, stocked) == [
        "cassettes/gpt/self-critique/gone.json: its scenario is gone; redpen cassettes prune --live",
        "cassettes/scripted/reflection/gone.json: its scenario is gone; redpen cassettes prune",
    ]


def test_cassette_of_scenario_without_model_calls_is_unused(stocked, cassettes):
    stocked.stock.add("guarded-policy/filed", stocked.stock.filed_plan())
    stocked.put(scenario="guarded-policy/filed", model="scripted")
    assert _relative(cassettes("check"), stocked) == [
        "cassettes/scripted/guarded-policy/filed.json: its scenario calls no model; redpen cassettes prune"
    ]


def test_cassette_of_broken_scenario_is_no_fault(stocked, cassettes):
    stocked.stock.add(APPROVE, stocked.stock.self_critique(titel="x"))
    assert cassettes("check").exit_code == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("{", "the file is truncated or damaged"),
        ("[]", "is not a cassette"),
        ('{"redpen_cassette": 99}', "has format version 99"),
    ],
)
def test_unreadable_cassette_is_named_with_record_command(stocked, cassettes, text, problem):
    stocked.write(stocked.stock.root / LIVE, text)
    done = cassettes("check")
    (line,) = _relative(done, stocked)
    assert done.exit_code == 1
    assert line.startswith(f"{LIVE}: ")
    assert line.endswith(f"; {RECORD}")
    assert problem in line


def test_edited_live_recording_is_named_and_errors_its_run(stocked, cassettes):
    content = stocked.content()
    stocked.put(sha256=digest_of(content.calls, "live"), version=2)
    assert cassettes("check").stdout == ""
    stocked.put(sha256=digest_of(content.calls[:1], "live"), version=2)
    (line,) = _relative(cassettes("check"), stocked)
    problem = f"{LIVE}: was edited after it was recorded: restore it (git restore), or record it again"
    assert line == f"{problem}; {RECORD}"
    (finding,) = json.loads(cassettes("check", "--json").stdout)["findings"]
    assert finding["sort"] == "edited"
    result = Evaluator(layout=stocked.stock.layout, model="gpt", root=stocked.stock.root).evaluate(APPROVE)
    assert (result.outcome, result.reasons) == ("errored", (problem,))


def test_live_recording_without_digest_is_a_note_and_with_strict_a_fault(stocked, cassettes):
    stocked.put(sha256="", version=1)
    done = cassettes("check")
    (line,) = _relative(done, stocked)
    assert line == f"{LIVE}: note: has no digest (sha256), so {EDITS}; {RECORD}"
    assert (done.exit_code, done.stderr) == (0, "3 cassettes, 0 faults, 1 note\n")
    assert cassettes("check", "--strict").exit_code == 1


def test_record_command_names_variant_and_sample(stocked, cassettes):
    path = stocked.put(variant="critique=v1,temperature=0.5", sample=2)
    path.write_text("")
    lines = _relative(cassettes("check"), stocked)
    assert f"--variants temperature=0.5 --samples 2 -k '[{APPROVE}]'" in lines[0]


class TestPlaces:
    def test_misplaced_cassette_has_move_command(self, stocked, cassettes):
        content = stocked.content()
        stocked.write(stocked.root / "scripted" / "reflection" / "other.json", content)
        stocked.stock.add("reflection/other", stocked.stock.reflection())
        (stocked.stock.root / SCRIPTED).unlink()
        (line,) = _relative(cassettes("check"), stocked)
        assert line == (
            f"cassettes/scripted/reflection/other.json: belongs to scenario '{APPROVE}', its path says "
            f"'reflection/other'; mv cassettes/scripted/reflection/other.json {SCRIPTED}"
        )

    def test_misplaced_cassette_with_taken_location_is_to_be_deleted(self, stocked, cassettes):
        stocked.write(stocked.root / "scripted" / f"{APPROVE}~2.json", stocked.content())
        (line,) = _relative(cassettes("check"), stocked)
        assert line.endswith(f"{SCRIPTED} exists already; delete one of them")

    def test_cassette_under_unknown_name_has_move_command(self, stocked, cassettes):
        content = dataclasses.replace(stocked.content(), kind="live", model="org/name")
        stocked.write(stocked.root / "my model" / "-x.json", content)
        stocked.write(stocked.root / "loose.json", content)
        assert _relative(cassettes("check"), stocked) == [
            f"cassettes/{name}: is a cassette with a name that no replay uses; "
            f"mv {quoted} cassettes/org%2Fname/{APPROVE}.json"
            for name, quoted in (
                ("loose.json", "cassettes/loose.json"),
                ("my model/-x.json", "'cassettes/my model/-x.json'"),
            )
        ]

    def test_cassette_of_renamed_scenario_is_to_be_recorded_again(self, stocked, cassettes):
        content = dataclasses.replace(stocked.content(), scenario="self-critique/before")
        stocked.write(stocked.stock.root / SCRIPTED, content)
        stocked.write(stocked.root / "loose.json", content)
        assert [line.split("; ")[1] for line in _relative(cassettes("check"), stocked)] == [
            "delete it",
            f"pytest --record=all -k '[{APPROVE}]'",
        ]

    def test_traffic_of_wrong_kind_is_to_be_recorded_again(self, stocked, cassettes):
        stocked.write(stocked.stock.root / LIVE, dataclasses.replace(stocked.content(), model="gpt"))
        (line,) = _relative(cassettes("check"), stocked)
        assert line == f"{LIVE}: holds scripted traffic in the folder of live traffic; {RECORD}"

    def test_moved_cassette_of_existing_scenario_is_not_orphaned(self, stocked, cassettes):
        stocked.write(stocked.root / "scripted" / "self-critique" / "renamed.json", stocked.content())
        (line,) = _relative(cassettes("check"), stocked)
        assert "exists already" in line
        assert cassettes("prune").stdout == ""

    def test_file_that_is_no_cassette_is_named(self, stocked, cassettes):
        stocked.write(stocked.root / "notes.txt", "hello")
        stocked.write(stocked.root / "scripted" / "data.json", "[1]")
        stocked.write(stocked.root / ".gitattributes", "* text")
        stocked.write(stocked.root / "README.md", "# Recordings")
        assert _relative(cassettes("check"), stocked) == [
            "cassettes/notes.txt: is not a cassette; move it elsewhere",
            "cassettes/scripted/data.json: its scenario is gone; redpen cassettes prune",
        ]

    def test_leftover_of_killed_recording_is_named(self, stocked, cassettes):
        name = "cassettes/scripted/self-critique/.approve.json.0123456789ab.redpen-tmp"
        stocked.write(stocked.stock.root / name, "{")
        (line,) = _relative(cassettes("check"), stocked)
        assert line.startswith(f"{name}: a temporary file of a recording that was killed")

    def test_links_are_reported_and_not_followed(self, stocked, cassettes, tmp_path):
        outside = tmp_path / "elsewhere"
        stocked.write(outside / "self-critique" / "gone.json", "{")
        (stocked.root / "linked").symlink_to(outside, target_is_directory=True)
        (stocked.root / "scripted" / "self-critique" / "link.json").symlink_to(outside)
        lines = _relative(cassettes("check"), stocked)
        assert [line.split(": is a ")[0] for line in lines] == [
            "cassettes/linked",
            "cassettes/scripted/self-critique/link.json",
        ]

    def test_control_characters_in_file_name_are_escaped(self, stocked, cassettes):
        stocked.write(stocked.root / "a\x1b[2J\u202e.txt", "")
        done = cassettes("check")
        assert "a\\x1b[2J\\u202e.txt: is not a cassette" in done.stdout


class TestContents:
    def test_key_is_found_in_any_recording_and_not_shown(self, stocked, cassettes, answering, completion):
        key = "sk-" + "proj-a1B2c3D4e5F6g7H8"
        calls = answering(stocked.content().calls, completion(f"Use {key}."), None)
        stocked.put(calls=calls)
        stocked.put(scenario="self-critique/gone", calls=calls)
        done = cassettes("check")
        assert "holds an sk- key in calls[0].response.body; revoke it" in done.stdout
        assert done.stdout.count("revoke it") == 2
        assert key not in done.output

    def test_key_in_use_is_found(self, stocked, cassettes, monkeypatch, answering, completion):
        stocked.put(calls=answering(stocked.content().calls, completion("blue-horse-77"), None))
        assert cassettes("check").exit_code == 0
        monkeypatch.setenv("OPENAI_API_KEY", "blue-horse-77")
        done = cassettes("check")
        assert "holds the key in use" in done.stdout
        assert "blue-horse-77" not in done.output

    @pytest.mark.parametrize(
        ("answer", "problem"),
        [
            (429, "got HTTP 429 Too Many Requests"),
            (500, "got HTTP 500 Internal Server Error"),
            (599, "got HTTP 599"),
            (CallFailure(failure="ReadTimeout", message="too slow"), "failed: ReadTimeout"),
            ({"choices": []}, "got no answer"),
            ({"choices": [{"message": {"content": None, "refusal": "I cannot."}}]}, "was refused"),
            (
                {"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]},
                "was filtered",
            ),
        ],
    )
    def test_recorded_errors_are_faults_only_in_live_recordings(
        self, stocked, cassettes, answering, answer, problem
    ):
        calls = answering(stocked.content().calls, None, answer)
        stocked.put(calls=calls)
        stocked.put(model="scripted", calls=calls)
        done = cassettes("check")
        assert done.exit_code == 1
        assert _relative(done, stocked) == [
            f"{LIVE}: was recorded with errors: call 2 of 2 (critique) {problem}; {RECORD}"
        ]

    @pytest.mark.parametrize(
        ("url", "answer"),
        [
            ("https://api.anthropic.com/v1/messages", {"content": [{"type": "text", "text": "Hello."}]}),
            ("https://shop.example/orders/81", {"sent": True}),
            ("https://shop.example/orders/81", 404),
        ],
    )
    def test_answers_of_other_apis_and_tools_are_no_faults(self, stocked, cassettes, answering, url, answer):
        first, second = answering(stocked.content().calls, None, answer)
        second = dataclasses.replace(second, request=dataclasses.replace(second.request, url=url))
        stocked.put(calls=(first, second))
        assert _relative(cassettes("check"), stocked) == []

    def test_html_page_instead_of_answer_is_fault(self, stocked, cassettes):
        first, second = stocked.content().calls
        page = dataclasses.replace(first.response, body=RawBody(b"<html>Sign in</html>"))
        stocked.put(calls=(dataclasses.replace(first, response=page), second))
        assert "call 1 of 2 (draft) got no answer" in cassettes("check").stdout

    def test_truncated_answer_is_no_fault(self, stocked, cassettes, answering):
        cut = {"choices": [{"message": {"content": '{"dra'}, "finish_reason": "length"}]}
        stocked.put(calls=answering(stocked.content().calls, cut, None))
        assert cassettes("check").exit_code == 0


class TestRepeats:
    def test_variant_with_same_calls_as_base_is_redundant(self, stocked, cassettes):
        stocked.put()
        stocked.put(variant="policy.max_draft_chars=600")
        stocked.put(variant="policy.max_draft_chars=600", sample=2)
        lines = _relative(cassettes("check"), stocked)
        assert lines[0] == (
            f"cassettes/gpt+policy.max_draft_chars=600/{APPROVE}.json: has the same calls as its base, "
            "which a replay uses instead; redpen cassettes prune --live"
        )
        # The base has no second sample that could replace this one.
        assert not any("~2" in line for line in lines)

    def test_variant_with_different_calls_is_not_redundant(self, stocked, cassettes, answering, completion):
        stocked.put()
        calls = answering(stocked.content().calls, completion("Other words."), None)
        stocked.put(variant="policy.max_draft_chars=600", calls=calls)
        assert cassettes("check").exit_code == 0

    def test_live_sample_that_is_copy_is_fault(self, stocked, cassettes):
        stocked.put()
        stocked.put(sample=2)
        done = cassettes("check")
        assert done.exit_code == 1
        (line,) = _relative(done, stocked)
        assert line == (
            f"cassettes/gpt/{APPROVE}~2.json: has the same calls as {LIVE}, so it is not independent; "
            f"pytest --record=all --model gpt --samples 2 -k '[{APPROVE}]'"
        )

    def test_live_samples_with_same_answers_are_noted(self, stocked, cassettes, answering, completion):
        calls = stocked.content().calls
        for sample, words in ((1, "One."), (2, "Two."), (3, "Two."), (4, "One.")):
            answers = [completion(words, number=f"{sample}{call}") for call in range(2)]
            stocked.put(sample=sample, calls=answering(calls, *answers))
        done = cassettes("check")
        assert (done.exit_code, done.stderr) == (0, "6 cassettes, 0 faults, 1 note\n")
        (line,) = _relative(done, stocked)
        assert line.startswith("cassettes/gpt: note: 2 samples answer word for word like another one")

    def test_scripted_samples_are_one_note(self, stocked, cassettes):
        for sample in (2, 3):
            stocked.put(model="scripted", sample=sample)
        done = cassettes("check")
        assert done.exit_code == 0
        assert "cassettes/scripted: note: 2 samples answer like the script" in done.stdout

    def test_scenarios_may_have_same_calls(self, stocked, cassettes):
        stocked.stock.add("self-critique/twin", stocked.stock.self_critique())
        stocked.put(scenario="self-critique/twin", model="scripted")
        assert cassettes("check").exit_code == 0


class TestNotes:
    def test_older_releases_are_one_note_per_folder(self, stocked, cassettes):
        recorded = {"at": "2026-03-06T10:00:00Z", "redpen": "source", "openai": "1.2.3", "vcrpy": "9999.1"}
        stocked.put(recorded=recorded)
        stocked.put(scenario="reflection/escalate", source="reflection/escalate", recorded=recorded)
        done = cassettes("check")
        assert (done.exit_code, done.stderr) == (0, "4 cassettes, 0 faults, 1 note\n")
        (line,) = _relative(done, stocked)
        assert line == (
            "cassettes/gpt: note: 2 cassettes were recorded with openai 1.2.3, "
            f"{installed_versions()['openai']} is installed; pytest --record=all --model gpt"
        )

    @pytest.mark.parametrize("release", ["source", "", "next", None, 3])
    def test_invalid_release_is_not_reported_as_old(self, stocked, cassettes, release):
        stocked.put(recorded={"openai": release})
        assert cassettes("check").stdout == ""

    def test_older_patch_release_is_not_reported(self, stocked, cassettes):
        major, minor, *_ = installed_versions()["openai"].split(".")
        stocked.put(recorded={"openai": f"{major}.{minor}.0"})
        assert cassettes("check").stdout == ""

    def test_variant_that_no_run_can_have_is_noted(self, stocked, cassettes, tmp_path):
        stocked.put(variant="critique=v99")
        done = cassettes("check")
        assert done.exit_code == 0
        assert "cassettes/gpt+critique=v99: note: no run has this variant: " in done.stdout
        prompts = tmp_path / "prompts"
        prompts.mkdir()
        front = "---\nphase: critique\nversion: v99\n---\n"
        (prompts / "critique.v99.md").write_text(f"{front}Judge the draft.", encoding="utf-8")
        (tmp_path / "redpen.toml").write_text('prompts = "prompts"\n', encoding="utf-8")
        assert cassettes("check").stdout == ""

    def test_variant_equal_to_base_is_noted(self, stocked, cassettes, answering, completion):
        calls = answering(stocked.content().calls, completion("Other words."), None)
        stocked.put(variant="critique=v1", calls=calls)
        done = cassettes("check")
        assert done.exit_code == 0
        assert "critique=v1: note: no run has this variant: it is the same as the base; " in done.stdout


class TestReplay:
    def _with_a_call_too_many(self, stocked):
        content = stocked.content()
        extra = dataclasses.replace(
            content.calls[1],
            phase="revise",
            request=dataclasses.replace(content.calls[1].request, body=JsonBody({"never": "asked"})),
        )
        return stocked.put(model="scripted", calls=(*content.calls, extra))

    def test_unused_calls_are_found_only_with_replay(self, stocked, cassettes):
        self._with_a_call_too_many(stocked)
        assert cassettes("check").exit_code == 0
        done = cassettes("check", "--replay")
        assert done.exit_code == 1
        assert _relative(done, stocked) == [
            f"{SCRIPTED}: its run makes 2 of the 3 recorded calls; pytest --record=all -k '[{APPROVE}]'"
        ]

    def test_stale_run_reports_no_unused_calls(self, stocked, cassettes):
        stocked.stock.add(APPROVE, stocked.stock.self_critique(goal="Another goal."))
        assert cassettes("check", "--replay").exit_code == 0

    def test_replay_check_writes_nothing(self, stocked, cassettes):
        self._with_a_call_too_many(stocked)
        before = stocked.stock.cassettes()
        cassettes("check", "--replay")
        assert stocked.stock.cassettes() == before


class TestCommand:
    def test_json_lists_findings(self, stocked, cassettes):
        stocked.put(scenario="self-critique/gone", recorded={"openai": "1.0.0"})
        done = cassettes("check", "--json")
        assert done.exit_code == 1
        value = json.loads(done.stdout)
        assert value["cassettes"] == 3
        assert [(item["level"], item["sort"]) for item in value["findings"]] == [
            ("fault", "orphaned"),
            ("note", "old_version"),
        ]
        assert value["findings"][0]["mend"] == "redpen cassettes prune --live"

    def test_missing_library_exits_2(self, stocked, cassettes):
        stocked.stock.layout.scenarios.rename(stocked.stock.root / "moved")
        done = cassettes("check")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "scenarios: no such folder" in done.stderr

    def test_empty_library_exits_2_and_keeps_cassettes(self, stocked, cassettes):
        for path in stocked.stock.layout.scenarios.rglob("*.yaml"):
            path.unlink()
        for command in (("check",), ("prune",), ("prune", "--yes")):
            done = cassettes(*command)
            assert (done.exit_code, done.stdout) == (2, "")
            assert "has no scenario" in done.stderr
        assert len(stocked.stock.cassettes()) == 2
