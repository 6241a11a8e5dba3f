"""What finds claims only beside certain words finds none where all of these are taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redpen.guards.claims.blame import BLAME_CUES, find_blame
from redpen.guards.claims.blame_taken import BLAME_TAKEN_CUES, find_blame_taken
from redpen.guards.claims.finding import claims_in
from redpen.guards.claims.found import Claim
from redpen.guards.claims.harmless import HARMLESS_CUES, find_harmless
from redpen.guards.claims.kept_safe import SAFETY_CUES, find_kept_safe
from redpen.guards.claims.phrases import PHRASES
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.sure_promises import PROMISE_CUES, find_sure_promises

Find = Callable[[Sentence], Iterable[Claim]]
FINDERS: tuple[tuple[Find, frozenset[str], str], ...] = (
    (find_blame, BLAME_CUES, "We mishandled the migration."),
    (find_blame_taken, BLAME_TAKEN_CUES, "For that we alone answer."),
    (find_sure_promises, PROMISE_CUES, "Your next payment will go through the first time."),
    (find_harmless, HARMLESS_CUES, "The delay makes no difference to your treatment."),
    (find_kept_safe, SAFETY_CUES, "Your files came through without a scratch."),
)
TEXTS = (
    *(text for phrase in PHRASES for text in (phrase.blocks, phrase.passes)),
    *(text for *_, text in FINDERS),
)


@pytest.mark.parametrize(("find", "text"), [(find, text) for find, _, text in FINDERS])
def test_a_claim_beside_a_cue_is_found(find: Find, text: str) -> None:
    (sentence,) = own_sentences(text)
    found = list(find(sentence))
    assert found
    assert {claim.family for claim in found} <= {claim.family for claim in claims_in(sentence)[0]}


@pytest.mark.parametrize(("find", "cues"), [(find, cues) for find, cues, _ in FINDERS])
@given(parts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3))
def test_without_its_cues_nothing_is_found(find: Find, cues: frozenset[str], parts: list[str]) -> None:
    said = " ".join(text.rstrip(".!?") for text in parts)
    for sentence in own_sentences(" ".join(word for word in said.split() if word.lower() not in cues)):
        assume(cues.isdisjoint(sentence.vocabulary))
        assert not list(find(sentence))
