"""Sentences that no rule objects to: they state no fact of an incident and make no claim."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

BENIGN: tuple[str, ...] = (
    "We are sorry for the inconvenience.",
    "We apologise for the inconvenience caused.",
    "Thank you for your patience.",
    "Thank you for bearing with us.",
    "Our team is investigating.",
    "Our engineers are working on it.",
    "We will share another update here.",
    "Please contact us if you need help.",
    "Some customers may see slow responses.",
    "Several customers have written to us.",
    "We are looking into the cause.",
    "The cause is under investigation.",
    "We do not yet know the cause.",
    "It is too early to call it resolved.",
    "We cannot guarantee a time.",
    "This is not a promise.",
    "The incident has not been resolved yet.",
    "We will confirm when it is resolved.",
    "Mitigation is in progress.",
    "We are working to restore payments.",
    "We are checking whether data was affected.",
    "The estimate may change.",
    "One of our teams is looking into this.",
    "We will keep you informed.",
    "The next update will follow shortly.",
    "Please check this page for news.",
)
"""Each is one whole sentence of an update."""


@cache
def benign_sentences(*, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Return a strategy of distinct benign sentences, at most so many."""
    return st.lists(st.sampled_from(BENIGN), max_size=most, unique=True).map(tuple)
