"""Long prompts: stored once per folder, expanded when a cassette is read, never lost."""

from __future__ import annotations

import dataclasses
import json
import os
import signal

import pytest

from fault_campaigns.forked import can_fork, in_child
from redpen_evals.cassettes import file
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.store import CassetteLocation, list_locations, load, rewrite, save, settle
from redpen_evals.errors import CassetteError

PROMPT = "You write updates for customers.\n" + "Every sentence of it is friendly, short and true.\n" * 10
CHANGED = PROMPT.replace("friendly", "warm", 1)
OTHER = PROMPT.replace("updates", "refusals").replace("true", "polite")


def rewrite_until_killed(root, stop_at):
    """Write every cassette again with another prompt; the process is killed after so many writes."""
    writes, fsync = 0, os.fsync

    def killed(descriptor):
        nonlocal writes
        writes += 1
        if writes > stop_at:
            os.kill(os.getpid(), signal.SIGKILL)
        fsync(descriptor)

    os.fsync = killed
    for location in list_locations(root):
        text = file.dump(load(location)).replace("friendly, short", "kind, short")
        save(location, file.parse(text, path=location.path))
    settle(root)


@pytest.fixture
def root(tmp_path):
    """Give the folder of all cassettes."""
    return tmp_path / "cassettes"


@pytest.fixture
def record(root, call):
    """Give a function that saves a scripted cassette with one call, as a recording does."""

    def save_one(name="a", prompt=PROMPT, *, body=None, model="scripted", at="2026-03-06", phase="draft"):
        location = CassetteLocation(root=root, model=model, scenario=f"support/{name}")
        asked = body or {
            "messages": [{"role": "system", "content": prompt}, {"role": "user", "content": name}]
        }
        tokens = 50 + -(-len(prompt.encode()) // 4)
        usage = {"prompt_tokens": tokens, "completion_tokens": 7, "total_tokens": tokens + 7}
        cassette = file.CassetteFile(
            kind=location.kind,
            scenario=location.scenario,
            model=model,
            base_url="http://scripted.invalid/v1",
            recorded={"at": at},
            calls=(call(asked, {"id": 1, "usage": usage}, phase=phase),),
        )
        save(location, cassette)
        return location, cassette

    return save_one


def contents(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.json"))}


def prompt_of(location):
    return load(location).calls[0].request.body.value["messages"][0]["content"]


def test_prompt_is_stored_once_and_expanded_when_read(root, record):
    saved = [record(name) for name in "abc"]
    settle(root)
    assert [name for name in contents(root) if "_prompts" in name] == ["scripted/_prompts/support.draft.json"]
    for location, cassette in saved:
        assert load(location) == cassette
        written = location.path.read_text()
        assert '"$prompt": "support.draft"' in written
        assert "friendly" not in written
    assert [location.scenario for location in list_locations(root)] == ["support/a", "support/b", "support/c"]


def test_changed_word_changes_one_file(root, record):
    for name in "abc":
        record(name)
    settle(root)
    before = contents(root)
    for name in "abc":
        location, _ = record(name, CHANGED, at="2026-04-01")
        # Before settling, both texts exist, and every cassette refers to its own.
        assert prompt_of(location) == CHANGED
    assert prompt_of(location) == CHANGED
    settle(root)
    after = contents(root)
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name]] == ["scripted/_prompts/support.draft.json"]
    usage = load(location).calls[0].response.body.value["usage"]
    # The scripted server's token count follows from the text, which is four bytes shorter.
    assert usage["prompt_tokens"] == 50 + -(-len(CHANGED.encode()) // 4)


def test_prompt_text_in_use_is_kept_next_to_new_one(root, record):
    old, _ = record("a")
    settle(root)
    new, _ = record("b", CHANGED)
    settle(root)
    assert (prompt_of(old), prompt_of(new)) == (PROMPT, CHANGED)
    names = [name for name in contents(root) if "_prompts" in name]
    assert names == ["scripted/_prompts/support.draft-2.json", "scripted/_prompts/support.draft.json"]
    record("a", CHANGED)
    settle(root)
    assert prompt_of(old) == CHANGED
    assert len([name for name in contents(root) if "_prompts" in name]) == 1


def test_new_texts_replace_the_most_similar_ones(root, record):
    first, _ = record("a")
    second, _ = record("b", OTHER)
    settle(root)
    before = {item.path: item.path.read_bytes() for item in (first, second)}
    record("b", OTHER.replace("friendly", "calm", 1))
    record("a", CHANGED)
    settle(root)
    assert {path: path.read_bytes() for path in before} == before


def test_new_answer_and_new_metadata_are_written(root, record):
    location, cassette = record("a")
    settle(root)
    save(location, dataclasses.replace(cassette, recorded={"at": "2026-05-05"}))
    assert load(location).recorded == {"at": "2026-05-05"}
    call = cassette.calls[0]
    other = dataclasses.replace(call, response=dataclasses.replace(call.response, body=JsonBody({"id": 2})))
    save(location, dataclasses.replace(cassette, recorded={"at": "2026-06-06"}, calls=(other,)))
    assert (load(location).recorded, load(location).calls) == ({"at": "2026-06-06"}, (other,))


def test_live_cassette_refers_to_exact_prompt_text(root, record):
    location, cassette = record("a", model="gpt")
    settle(root)
    (name,) = [name for name in contents(root) if "_prompts" in name]
    assert "@" in name
    assert load(location) == cassette
    # A live model's own count is kept as it is.
    assert "$beside_prompts" not in location.path.read_text()


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ({"messages": [{"role": "developer", "content": [{"type": "text", "text": PROMPT}]}]}, 1),
        ({"system": PROMPT, "messages": [{"role": "user", "content": PROMPT}]}, 1),
        ({"system": [{"type": "text", "text": PROMPT}, {"type": "text", "text": OTHER}], "messages": []}, 2),
        ({"instructions": PROMPT, "input": [{"role": "system", "content": OTHER}]}, 2),
        ({"systemInstruction": {"parts": [{"text": PROMPT}]}, "contents": []}, 1),
        ({"messages": [{"role": "system", "content": "short"}, {"role": "user", "content": PROMPT}]}, 0),
        ({"messages": [{"role": "system", "content": None}, "x", {"role": "system"}], "system": 3}, 0),
        ({"$prompt": "support.draft", "system": {"$prompt": "x"}}, 0),
        ([PROMPT], 0),
        (PROMPT, 0),
    ],
)
def test_every_request_shape_round_trips(root, record, body, count):
    location, cassette = record("a", body=body)
    settle(root)
    assert load(location) == cassette
    assert len([name for name in contents(root) if "_prompts" in name]) == count


@pytest.mark.parametrize("phase", ["", "Über/../x", "a" * 300, "-2", "CON", "x\n"])
def test_any_phase_makes_a_file_name(root, record, phase):
    location, cassette = record("a", phase=phase)
    settle(root)
    assert load(location) == cassette
    assert len(list((root / "scripted" / "_prompts").iterdir())) == 1


def test_missing_or_changed_prompt_file_is_error(root, record):
    location, _ = record("a")
    settle(root)
    path = root / "scripted" / "_prompts" / "support.draft.json"
    content = path.read_text()
    path.write_text(content.replace("friendly", "hostile", 1))
    with pytest.raises(CassetteError, match=r"support\.draft\.json was edited") as raised:
        load(location)
    assert (raised.value.kind, raised.value.path) == ("prompt", location.path)
    assert raised.value.mend == "pytest --record=all -k '[support/a]'"
    path.write_text(content[:100])
    with pytest.raises(CassetteError, match=r"support\.draft\.json is damaged"):
        load(location)
    path.unlink()
    with pytest.raises(CassetteError, match=r"prompt 'support\.draft' is missing: there is no _prompts/"):
        load(location)
    # Recording again restores the text.
    record("a")
    assert prompt_of(location) == PROMPT


def test_prompt_name_cannot_leave_folder(root, record, tmp_path):
    location, _ = record("a")
    settle(root)
    (tmp_path / "secret.json").write_text("{}")
    written = location.path.read_text()
    for name in ("../../../secret", "..", "", "x/y"):
        location.path.write_text(written.replace('"support.draft"', json.dumps(name)))
        with pytest.raises(CassetteError, match="is not a valid prompt name"):
            load(location)


def test_prompt_token_count_outside_response_is_refused(record):
    location, _ = record("a")
    written = json.loads(location.path.read_text())
    written["recorded"] = {"at": {"$beside_prompts": 3}}
    location.path.write_text(json.dumps(written))
    with pytest.raises(CassetteError, match="only allowed in a response"):
        load(location)


def test_old_cassettes_still_load_and_are_rewritten(root, record):
    location, cassette = record("a")
    location.path.write_text(file.dump(cassette))
    settle(root)
    assert not (root / "scripted" / "_prompts").exists()
    assert load(location) == cassette
    assert rewrite(location)
    settle(root)
    assert load(location) == cassette
    assert "friendly" not in location.path.read_text()
    assert not rewrite(location)


@pytest.mark.skipif(not can_fork(), reason="a forked process is killed")
def test_every_cassette_has_its_prompt_when_writer_is_killed(root, record):
    for name in "ab":
        record(name)
    record("c", OTHER)
    settle(root)
    whole = contents(root)
    kinds = set()
    for stop_at in range(30):
        for path, content in whole.items():
            (root / path).write_bytes(content)
        code = in_child(lambda: rewrite_until_killed(root, stop_at))  # noqa: B023 - called at once
        for location in list_locations(root):
            kinds.add("kind, short" in prompt_of(location))
        settle(root)
        assert all("short" in prompt_of(location) for location in list_locations(root))
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert code == 0
    assert kinds == {True, False}
    assert contents(root).keys() == whole.keys()
