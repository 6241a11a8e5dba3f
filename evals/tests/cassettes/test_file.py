"""Reading and writing cassette files, and rejection of invalid ones."""

from __future__ import annotations

import dataclasses
import json
import os
import stat

import pytest

from redpen_evals.cassettes import file
from redpen_evals.cassettes.encoding import RawBody
from redpen_evals.cassettes.file import FAILURES, CallFailure
from redpen_evals.errors import CassetteError


def _changed(text, change):
    document = json.loads(text)
    change(document)
    return json.dumps(document)


def test_cassette_file_round_trips(cassette_file, tmp_path):
    text = file.dump(cassette_file)
    again = file.parse(text, path=tmp_path / "x.json")
    assert again == cassette_file
    assert file.dump(again) == text
    assert text.endswith("}\n")
    assert list(json.loads(text)) == [
        "redpen_cassette",
        "kind",
        "scenario",
        "model",
        "base_url",
        "recorded",
        "calls",
    ]


@pytest.mark.parametrize("name", FAILURES)
def test_failure_round_trips(cassette_file, call, tmp_path, name):
    failed = dataclasses.replace(call({}), response=CallFailure(failure=name, message="timed out"))
    cassette = dataclasses.replace(cassette_file, calls=(failed,))
    assert file.parse(file.dump(cassette), path=tmp_path) == cassette


def test_non_json_body_round_trips(cassette_file, call, tmp_path):
    good = call({})
    cassette = dataclasses.replace(
        cassette_file,
        calls=(
            dataclasses.replace(good, response=dataclasses.replace(good.response, body=RawBody(b"\xff\x00"))),
            dataclasses.replace(good, request=dataclasses.replace(good.request, body=RawBody(b"a=1\n"))),
        ),
    )
    assert file.parse(file.dump(cassette), path=tmp_path) == cassette


def test_truncated_file_is_refused(cassette_file, tmp_path):
    text = file.dump(cassette_file)
    for length in range(len(text.rstrip())):
        with pytest.raises(CassetteError) as caught:
            file.parse(text[:length], path=tmp_path / "x.json", mend="pytest --record=all")
        assert caught.value.kind in {"torn", "empty"}
        assert "pytest --record=all" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "kind", "problem"),
    [
        (lambda top: top.pop("redpen_cassette"), "shape", "redpen_cassette"),
        (lambda top: top.update(redpen_cassette=3), "version", "version 3"),
        (lambda top: top.update(redpen_cassette=True), "version", "version"),
        (lambda top: top.update(extra=1), "shape", "unknown 'extra'"),
        (lambda top: top.pop("base_url"), "shape", "missing 'base_url'"),
        (lambda top: top.update(kind="recorded"), "shape", "kind"),
        (lambda top: top.update(model=1), "shape", "model: must be a string"),
        (lambda top: top.update(recorded=[]), "shape", "recorded"),
        (lambda top: top.update(calls={}), "shape", "calls: must be a list"),
        (lambda top: top["calls"].append(1), "shape", r"calls\[2\]: must be an object"),
        (lambda top: top["calls"][1].pop("phase"), "shape", r"calls\[1\]: missing 'phase'"),
        (lambda top: top["calls"][1]["request"].update(url=1), "shape", r"request\.url: must be a string"),
        (lambda top: top["calls"][0]["response"].update(status=99), "shape", r"calls\[0\]\.response\.status"),
        (lambda top: top["calls"][0]["response"].update(status=True), "shape", r"response\.status"),
        (lambda top: top["calls"][0]["response"].update(headers={"a": 1}), "shape", r"headers\.a"),
        (lambda top: top["calls"][0]["response"].update(body={"$odd": 1}), "shape", r"\$odd"),
        (lambda top: top["calls"][0]["response"].update(body=[{"$text": "x"}]), "shape", "whole body"),
        (lambda top: top["calls"][0].update(phase={"$base64": ""}), "shape", "whole body"),
        (
            lambda top: top["calls"][0].update(response={"failure": "ValueError", "message": ""}),
            "shape",
            r"calls\[0\]\.response\.failure",
        ),
    ],
)
def test_invalid_file_is_refused_with_location(cassette_file, tmp_path, change, kind, problem):
    text = _changed(file.dump(cassette_file), change)
    with pytest.raises(CassetteError, match=problem) as caught:
        file.parse(text, path=tmp_path / "x.json", mend="the command")
    assert caught.value.kind == kind
    assert caught.value.path == tmp_path / "x.json"
    assert caught.value.mend == "the command"


@pytest.mark.parametrize("text", ["", " \n", "[]", "null", '"text"', "<<<<<<< ours\n{}", "a: yaml\n"])
def test_other_files_are_refused(text, tmp_path):
    with pytest.raises(CassetteError) as caught:
        file.parse(text, path=tmp_path)
    assert caught.value.kind in {"empty", "shape", "torn"}


def test_repeated_key_is_refused(cassette_file, tmp_path):
    text = file.dump(cassette_file).replace('"kind"', '"model": "x", "kind"')
    with pytest.raises(CassetteError, match="'model' appears twice"):
        file.parse(text, path=tmp_path)


def test_missing_folder_and_non_utf8_files_have_own_errors(tmp_path):
    with pytest.raises(CassetteError) as caught:
        file.read(tmp_path / "none.json", mend="record it")
    assert (caught.value.kind, caught.value.mend) == ("missing", "record it")
    with pytest.raises(CassetteError) as caught:
        file.read(tmp_path)
    assert caught.value.kind == "unreadable"
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    with pytest.raises(CassetteError, match="not valid UTF-8 at byte 7") as caught:
        file.read(tmp_path / "latin.json")
    assert caught.value.kind == "unreadable"


def test_file_without_permission_is_unreadable(tmp_path, monkeypatch):
    path = tmp_path / "closed.json"
    path.write_text("{}")
    path.chmod(0)

    # Root can read every file, so the refusal is simulated.
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    if os.access(path, os.R_OK):
        monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CassetteError, match="Permission denied") as caught:
        file.read(path)
    assert caught.value.kind == "unreadable"
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)


BOMBS = {
    "JSON texts in one another": '{"$json":{"a":' * 40 + r'"\""' + "}}" * 40,
    "JSON texts beside one another": "["
    + ", ".join(['{"$json":{"a":' * 12 + r'"\"\"\"\""' + "}}" * 12] * 2_000)
    + "]",
    "JSON texts far to the right": (
        f'{{"$json": {"[" * 60}{"1," * 200_000}1{"]" * 60}, "$style": "indent-4"}}'
    ),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=list(BOMBS))
def test_small_file_with_huge_expansion_is_refused(cassette_file, tmp_path, bomb):
    text = file.dump(cassette_file).replace('"recorded": {', f'"recorded": {{"bomb": {bomb},')
    with pytest.raises(CassetteError, match="expands to over 32,000,000 characters"):
        file.parse(text, path=tmp_path)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[" * 900 + "]" * 900, "nested too deep"),
        ('{"$text": "x"}', "whole body"),
        (r'["\ud800"]', "lone surrogate"),
        (r'{"\udfff": 1}', "lone surrogate"),
        ("9" * 400, "out of range"),
        ("[" + "1," * 1_000_000 + "1]", "more than 1,000,000 values"),
    ],
)
def test_excessive_json_is_refused(cassette_file, tmp_path, value, problem):
    text = file.dump(cassette_file).replace('"recorded": {', f'"recorded": {{"odd": {value},')
    with pytest.raises(CassetteError, match=problem) as caught:
        file.parse(text, path=tmp_path)
    assert caught.value.kind == "shape"


def test_long_problem_is_truncated(cassette_file, tmp_path):
    text = _changed(file.dump(cassette_file), lambda top: top.update({f"key{n}": 1 for n in range(5_000)}))
    with pytest.raises(CassetteError) as caught:
        file.parse(text, path=tmp_path)
    assert len(caught.value.problem) < 500


def test_pipe_or_oversized_file_is_unreadable(tmp_path):
    (tmp_path / "large.json").touch()
    os.truncate(tmp_path / "large.json", 10**11)
    os.mkfifo(tmp_path / "pipe.json")
    for name, problem in (("large", "it is larger than 32,000,000 bytes"), ("pipe", "it is a pipe")):
        with pytest.raises(CassetteError, match=f"cannot be read: {problem}") as caught:
            file.read(tmp_path / f"{name}.json")
        assert caught.value.kind == "unreadable"
