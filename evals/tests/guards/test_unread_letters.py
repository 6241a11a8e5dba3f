"""Words in letters that stand for Latin ones are facts nobody has read; other languages are not."""

from __future__ import annotations

import pytest

from redpen.guards.facts.reading import read_facts
from redpen.guards.facts.unread_letters import unread_words
from redpen.guards.text import read


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It is яesolved.", "яesolved"),
        ("It is ᖇᗴᔕOᒪᐯᗴᗪ.", "ᖇᗴᔕOᒪᐯᗴᗪ"),
        ("It is ꭱꭼꜱꮻꮮꮩꭼꭰ.", "ꭱꭼsꮻꮮꮩꭼꭰ"),
        ("It is ɹǝsoʌlǝp.", "ɹǝsoʌlǝp"),
        ("It is ᚱᛖᛋᛟᛚᚢᛖᛞ.", "ᚱᛖᛋᛟᛚᚢᛖᛞ"),
    ],
)
def test_non_latin_look_alikes_are_a_residue(text: str, word: str) -> None:
    view = read(text)
    assert [fact.text for fact in unread_words(view.text)] == [word]
    assert ("residue", word) in [(fact.kind, fact.text) for fact in read_facts(view.text)]


@pytest.mark.parametrize(
    "text",
    [
        "Zürich, naïve, São Paulo and Łódź",
        "Мы работаем над этим",
        "東京 と 大阪",
        "5 µs at 20 °C",
        "σ and π",
        "rеsоlvеd",
        "don't",
    ],
)
def test_words_of_languages_and_words_that_are_read_are_none(text: str) -> None:
    assert list(unread_words(read(text).text)) == []
