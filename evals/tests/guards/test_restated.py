"""What the original says in a plain sentence may be said again in another order."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

CONTEXT = {"policy_hints": {"avoid_absolute_guarantees": True}}
ORIGINAL = (
    "Nine branches are offline, and about 1,500 holds are delayed. "
    "The lights are on a list of works. The lift is not running."
)


def _families(revised: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    return [found.family for found in report.violations]


def test_words_of_a_sentence_without_a_claim_make_none() -> None:
    assert not _families("There are nine branches offline and about 1,500 delayed holds.")


@pytest.mark.parametrize(
    "revised",
    [
        "Nine branches are offline. The lights are on again.",
        "Nine branches are offline. The lift is running.",
        "Nine branches are offline and no longer stopped.",
    ],
)
def test_change_and_denial_make_news_of_known_words(revised: str) -> None:
    assert _families(revised) == ["resolution"]
