"""The prompts a run used and the differences between them."""

import pytest

from redpen_evals.records import RecordedPrompt
from redpen_evals.reports.page import prompt_changes, prompt_uses


def prompt(text, name="critique", version="v1", notes=""):
    return RecordedPrompt(
        hash=f"{hash(text) & 0xFFFFFFFFFFFF:012x}",
        name=name,
        phase=name,
        version=version,
        notes=notes,
        text=text,
    )


OLD = prompt("Judge the draft.\n" + "A line that stays.\n" * 8 + "Give a reason.")
NEW = prompt(
    "Judge the draft strictly.\n" + "A line that stays.\n" * 8 + "Give a reason.",
    version="v2",
    notes="stricter",
)
DRAFT = prompt("Write.", name="draft")


@pytest.fixture
def varied(make_record):
    used = {"": {"critique": OLD.hash, "draft": DRAFT.hash}}
    used |= {
        label: {"critique": NEW.hash, "draft": DRAFT.hash} for label in ("critique=v2", "critique=v2,model=a")
    }
    return make_record([], variants=tuple(used), prompts=[OLD, NEW, DRAFT], used=used)


def test_prompt_uses_list_variants_of_each_text(varied):
    assert list(prompt_uses(varied).items()) == [
        (("critique", OLD.hash), ["base"]),
        (("critique", NEW.hash), ["critique=v2", "critique=v2,model=a"]),
        (("draft", DRAFT.hash), ["base", "critique=v2", "critique=v2,model=a"]),
    ]


def test_change_shared_by_variants_is_listed_once(varied):
    (change,) = prompt_changes(varied, None)
    assert (change.before, change.after) == ("base, v1", "critique=v2, critique=v2,model=a, v2")
    assert change.notes == "stricter"
    assert [(piece.state, piece.text) for piece in change.pieces if piece.state != "same"] == [
        ("added", " strictly"),
        ("left out", "8"),
    ]


def test_prompts_are_compared_with_previous_run(make_record):
    before = make_record([], prompts=[OLD], id="one")
    after = make_record([], prompts=[NEW], id="two")
    (change,) = prompt_changes(after, before)
    assert (change.before, change.after) == ("run one, v1", "base, v2")


def test_identical_prompts_have_no_changes(make_record):
    record = make_record([], prompts=[OLD])
    assert prompt_changes(record, record) == ()


def test_prompt_text_missing_from_record_is_listed_by_hash(make_record):
    record = make_record([], variants=("", "b=2"), used={"": {"draft": "aaa"}, "b=2": {"draft": "bbb"}})
    assert list(prompt_uses(record)) == [("draft", "aaa"), ("draft", "bbb")]
    assert prompt_changes(record, None) == ()
