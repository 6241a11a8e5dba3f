"""The hint at `redpen_volatile` when a request differs only in an id or time."""

from __future__ import annotations

import pytest

from redpen_evals.cassettes.mismatch import Change, Mismatch
from redpen_evals.stale.calls import volatile_hint

ONE, TWO = "175865f1a1e64ff59c881016e85c411f", "d2751efbd55a44c1950e0623c7da3384"


def _mismatch(*changes):
    made = [Change(path=path, before=before, after=after, excerpt="") for path, before, after in changes]
    return Mismatch(reason="changed", call=1, total=1, phase="", request="", nearest=1, changes=tuple(made))


@pytest.mark.parametrize(
    ("path", "before", "after", "place"),
    [
        ("prompt_cache_key", f"sdk:run:{ONE}", f"sdk:run:{TWO}", "$.prompt_cache_key"),
        ("input[3].id", ONE, TWO, "$.input[*].id"),
        ("metadata.sent_at", "2026-04-12T10:00:00Z", "2026-04-13T11:22:33.5+02:00", "$.metadata.sent_at"),
        (
            "user",
            "6f1d9ac0-3a4e-4c0b-9d52-0a7b1c2d3e4f",
            "0a7b1c2d-3a4e-4c0b-9d52-6f1d9ac03e4f",
            "$.user",
        ),
    ],
)
def test_changed_id_or_time_gives_hint_with_path(path, before, after, place):
    assert volatile_hint(_mismatch((path, before, after))).endswith(f"redpen_volatile = {place}")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("model", "gpt-4.1-mini", "gpt-4.1"),
        ("messages[0].content", f"The run {ONE} starts.", f"The run {TWO} starts."),
        ("messages[0].content \u2192 id", ONE, TWO),
        ("user", f"one:{ONE}", f"two:{TWO}"),
        ("seed", 1, 2),
    ],
)
def test_other_changes_give_no_hint(path, before, after):
    assert volatile_hint(_mismatch((path, before, after))) == ""


def test_hint_needs_every_change_to_be_volatile():
    changes = [("prompt_cache_key", ONE, TWO), ("instructions", "Be kind.", "Be short.")]
    assert volatile_hint(_mismatch(*changes)) == ""
