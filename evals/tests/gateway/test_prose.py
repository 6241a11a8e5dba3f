"""Prose in action arguments is checked up to fixed limits, and removed beyond them."""

from __future__ import annotations

import pytest

from redpen.gateway.prose import MAX_CHARS, MAX_TEXTS, REMOVED, without_ungrounded_prose

KNOWN = {"request": {"region": "US"}, "snapshot": {"severity": "P1"}}
CLAIM = "Everything is back to normal."


def test_prose_beyond_count_limit_is_removed_but_names_are_kept():
    names = [f"order-{number}" for number in range(MAX_TEXTS * 3)]
    texts = [f"please look at order {name}" for name in "abc" * MAX_TEXTS]
    read = without_ungrounded_prose({"names": names, "texts": texts}, KNOWN)
    assert read["names"] == names
    assert read["texts"] == texts[:MAX_TEXTS] + [REMOVED] * (len(texts) - MAX_TEXTS)


def test_prose_beyond_character_limit_is_removed():
    text = "We look into the queue. " * 20
    fit = MAX_CHARS // len(text)
    assert without_ungrounded_prose({"texts": [text] * 60}, KNOWN)["texts"] == [text] * fit + [REMOVED] * (
        60 - fit
    )


@pytest.mark.parametrize(
    "text",
    [
        CLAIM,
        " ".join(["It is b a c k t o n o r m a l."] * 100),
        "backtonormal" * 100,
        "x" * (MAX_CHARS + 1),
    ],
    ids=["a claim", "spaced letters", "no blanks", "too long"],
)
def test_unsupported_or_unreadable_prose_is_removed(text):
    assert without_ungrounded_prose({"a": {"b": [text]}}, KNOWN) == {"a": {"b": [REMOVED]}}


@pytest.mark.parametrize("name", ["incident_p1_v2", "4b2b17c5-5194-476e-8c82-e97b082ad75c", "0f" * 200])
def test_name_is_not_treated_as_prose(name):
    assert without_ungrounded_prose({"a": name}, KNOWN) == {"a": name}
