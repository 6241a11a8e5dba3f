"""The JSON report."""

import json

import pytest

from redpen_evals.comparison.changes import behaviour, compare
from redpen_evals.prices import Prices
from redpen_evals.reports.document import render_document
from redpen_evals.reports.subject import Subject


def render(record, **more):
    return json.loads("".join(render_document(Subject(record, **more))))


KEYS = {
    "": "prompts redpen_report results run scorecards summary",
    "run": "duration_s ended exit_code id model number prompts record resumed samples scripted started "
    "variants versions warnings",
    "summary": "against agents breaches changes counts gone headline judging live spent variants verdict",
}


def test_document_has_documented_shape(make_record, everything):
    value = render(make_record(everything), prices=Prices())
    assert {name: " ".join(sorted(value[name] if name else value)) for name in KEYS} == KEYS
    assert value["redpen_report"] == 1
    assert value["summary"]["counts"] == {"passed": 4, "failed": 1, "stale": 2, "errored": 1}
    assert value["summary"]["agents"]["guarded-policy"]["passed"] == 1
    assert value["summary"]["verdict"] == "failed"
    assert value["run"]["scripted"]
    assert [item["scenario"] for item in value["results"]] == sorted(item.scenario for item in everything)


def test_result_equals_recorded_result(make_record, samples):
    result = samples.revised()
    value = render(make_record([result]))
    (result_json,) = value["results"]
    line = json.loads(
        result.model_dump_json(exclude={"type", "test", "runs", "expected", "fingerprint", "run_id"})
    )
    assert {name: result_json[name] for name in line} == line
    assert result_json["spent"] == {
        "calls": 3,
        "prompt_tokens": result.prompt_tokens,
        "completion_tokens": result.completion_tokens,
        "usd": None,
        "unpriced": [],
    }


def test_change_holds_accepted_behaviour(make_record, result):
    record = make_record([result(outcome="failed", answer=None), result("self-critique/same")])
    before = [result(answer="All is well."), result("self-critique/same"), result("self-critique/away")]
    comparison = compare(
        {item.key: behaviour(item) for item in before},
        {result.key: behaviour(result) for result in record.results},
    )
    document = render(record, comparison=comparison)
    change = document["results"][0]["change"]
    assert (change["kind"], change["fields"]) == ("regressed", ["outcome", "answer"])
    assert change["before"]["answer"] == "All is well."
    assert document["results"][1]["change"]["kind"] == "same"
    assert document["summary"]["changes"] == {"regressed": 1, "gone": 1}
    assert document["summary"]["gone"] == ["self-critique/away"]


def test_document_without_comparison_has_no_changes(make_record, result):
    document = render(make_record([result()], ended=False))
    assert document["results"][0]["change"] is None
    assert (document["summary"]["changes"], document["summary"]["against"]) == (None, None)
    assert (document["run"]["ended"], document["run"]["exit_code"]) == (False, None)
    assert len(document["run"]["warnings"]) == 1


def test_hostile_record_yields_ascii_json(hostile_record, hostile_text):
    text = "".join(render_document(Subject(hostile_record)))
    assert text.isascii()
    assert json.loads(text)["results"][0]["title"] == hostile_text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_non_finite_number_is_written_as_string(make_record, result, number):
    record = make_record([result()])
    made = result(detail={"deep": [{"number": number}]})
    text = "".join(
        render_document(Subject(type(record)(path=record.path, start=record.start, results=(made,))))
    )
    assert json.loads(text)["results"][0]["detail"]["deep"][0]["number"] == str(number)


def test_each_result_is_on_one_line(make_record, bulk):
    text = "".join(render_document(Subject(make_record(list(bulk(12))))))
    assert sum(line.startswith('{"display_id"') for line in text.split("\n")) == 12
