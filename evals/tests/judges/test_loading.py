"""Loading of judges from files, and errors with their place."""

from __future__ import annotations

import json

import pytest

from redpen.errors import ConfigurationError
from redpen.judges import load_judge

HEAD = "---\nname: tone\nversion: v1\n"
QUESTIONS = "questions:\n  - {id: promise, ask: Does it promise a thing?, on_yes: concern}\n"


def test_shipped_judge_has_questions_gate_and_hash():
    judge = load_judge("promises")
    assert {question.id for question in judge.questions} >= {"commitment", "guarantee"}
    assert all(question.ask in judge.prompt for question in judge.questions)
    assert judge.gate is not None
    assert len(judge.hash) == 12


def test_own_judge_overrides_the_shipped_one(judge_folder):
    (judge_folder / "promises.md").write_text(
        f"{HEAD}{QUESTIONS}---\nMine.\n".replace("tone", "promises"), encoding="utf-8"
    )
    assert load_judge("promises", folder=judge_folder).text == "Mine."
    assert load_judge("tone", folder=judge_folder).samples == 1


def test_version_is_loaded_by_its_suffix(judge_folder):
    text = f"{HEAD}{QUESTIONS}---\nOther words.\n".replace("v1", "v2")
    (judge_folder / "tone.v2.md").write_text(text, encoding="utf-8")
    assert load_judge("tone.v2", folder=judge_folder).version == "v2"


def test_measured_rates_apply_only_to_their_model(judge_folder):
    rate = {"hits": 1, "total": 1, "low": 60.0, "high": 100.0}
    judge = load_judge("tone", folder=judge_folder)
    reached = {"judge": judge.hash, "catch": rate, "false_alarms": {**rate, "low": 0.0, "high": 3.0}}
    content = {"redpen_measured": 1, "models": {"some-model": reached}}
    (judge_folder / "tone.measured.json").write_text(json.dumps(content), encoding="utf-8")
    assert load_judge("tone", folder=judge_folder, model="some-model").may_block
    assert not load_judge("tone", folder=judge_folder, model="another").may_block


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("You judge.\n", "tone.md:1: a judge starts with its front matter"),
        (f"{HEAD}{QUESTIONS}---\n \n", "tone.md:6: there is no text below the front matter"),
        (f"{HEAD}questons: []\n---\nX\n", "tone.md:4: questons: unknown key (did you mean `questions`?)"),
        (f"{HEAD}---\nX\n", "tone.md:2: questions: is missing"),
        (f"{HEAD}{QUESTIONS}samples: 0\n---\nX\n", "tone.md:6: samples: "),
        (
            f"{HEAD}{QUESTIONS.replace('concern', 'blok')}---\nX\n",
            "tone.md:5: questions[0].on_yes: 'blok' is not one of block, concern (did you mean `block`?)",
        ),
        (
            f"{HEAD}{QUESTIONS.replace('concern', 'block')}---\nX\n",
            "needs a `gate: {catch: …, false_alarms: …}`",
        ),
        (
            f"{HEAD}{QUESTIONS}{QUESTIONS.partition(chr(10))[2]}---\nX\n",
            "two questions have the id 'promise'",
        ),
        (
            f"{HEAD.replace('tone', 'tune')}{QUESTIONS}---\nX\n",
            "tone.md:2: name: 'tune' is not the name of the",
        ),
        (f"{HEAD}{QUESTIONS}notes: [\n---\nX\n", "not valid YAML"),
        (f"{HEAD}{QUESTIONS}name: tone\n---\nX\n", "tone.md:6: key 'name' appears twice"),
    ],
)
def test_invalid_judge_file_is_reported_with_place(tmp_path, text, message):
    (tmp_path / "tone.md").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_judge("tone", folder=tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ton", "no judge 'ton' (did you mean `tone`?); there is promises, tone in"),
        ("../tone", "is not a valid name"),
    ],
)
def test_unknown_judge_is_reported_with_suggestion(judge_folder, name, message):
    with pytest.raises(ConfigurationError) as caught:
        load_judge(name, folder=judge_folder)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["{", '{"models": {"m": {}}}', '{"modles": {}}', "[]"])
def test_damaged_measured_file_is_refused(judge_folder, text):
    (judge_folder / "tone.measured.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"tone\.measured\.json:[12]: "):
        load_judge("tone", folder=judge_folder, model="m")
