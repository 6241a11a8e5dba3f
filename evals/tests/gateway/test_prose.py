"""Prose in the arguments of an action is read as far as there is time, and what is not read goes."""

from __future__ import annotations

import pytest

from redpen.gateway.prose import MAX_CHARS, MAX_TEXTS, REMOVED, grounded

KNOWN = {"request": {"region": "US"}, "snapshot": {"severity": "P1"}}
CLAIM = "Everything is back to normal."


def test_only_so_many_texts_are_read_and_names_are_none():
    names = [f"order-{number}" for number in range(MAX_TEXTS * 3)]
    texts = [f"please look at order {name}" for name in "abc" * MAX_TEXTS]
    read = grounded({"names": names, "texts": texts}, KNOWN)
    assert read["names"] == names
    assert read["texts"] == texts[:MAX_TEXTS] + [REMOVED] * (len(texts) - MAX_TEXTS)


def test_only_so_many_characters_are_read():
    text = "We look into the queue. " * 20
    fit = MAX_CHARS // len(text)
    assert grounded({"texts": [text] * 60}, KNOWN)["texts"] == [text] * fit + [REMOVED] * (60 - fit)


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
def test_what_cannot_be_read_does_not_go_out(text):
    assert grounded({"a": {"b": [text]}}, KNOWN) == {"a": {"b": [REMOVED]}}


@pytest.mark.parametrize("name", ["incident_p1_v2", "4b2b17c5-5194-476e-8c82-e97b082ad75c", "0f" * 200])
def test_a_name_is_no_prose(name):
    assert grounded({"a": name}, KNOWN) == {"a": name}
