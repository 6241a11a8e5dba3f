"""Findings of claims: span, reading, and the most influential words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.report import Code, Finding, part_of_text
from redpen.guards.words import stem
from redpen.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redpen.guards.claims.clauses import Clause
    from redpen.guards.claims.detector import Weighed
    from redpen.guards.claims.features import Feature
    from redpen.guards.claims.phrases import Hit
    from redpen.text.views import View

_MOST_WORDS = 3
_LONGEST = 160
_OF_CLAUSE = frozenset(("w", "s", "b", "k", "N", "O", "NO", "new", "nw", "put", "lw"))
"""Feature groups of the clause's own words."""
_NO_WORDS = frozenset(
    "a an the of to in on at by for from with and or so but it its this that # % ^ $".split()
)


def of_phrase(view: View, clause: Clause, hit: Hit, *, sure: bool) -> Finding:
    """Return the finding for a phrase of the floor: a violation if ``sure``, otherwise a concern."""
    family = hit.phrase.family
    return _finding(
        view,
        clause.span(tokenize(view.text), hit.start, hit.end),
        code="restricted_claims" if sure else "new_statement",
        family=family,
        claim=f"{'a plain' if sure else 'next to a'} claim of {family}",
        reason=f"no approved action says this ({family}), and nothing else allows it",
    )


def of_clause(
    view: View, clause: Clause, weighed: Weighed, influence: Mapping[Feature, float], *, sure: bool
) -> Finding:
    """Return the finding for a clause above a bound of the detector.

    Args:
        view: the revision.
        clause: a clause of it.
        weighed: its scores.
        influence: the contributions of its features, see ``Detector.influence``.
        sure: whether it is a violation; otherwise a concern.
    """
    family = weighed.family
    code: Code
    if family == "scope":
        code, claim = "no_new_facts", "said of other things, of more or of worse than is known"
        reason = "context and original say this of something else, of fewer or of less"
        doubt = "this may be said of something else, of more or of worse than context and original do"
    else:
        code, claim = "restricted_claims", f"a claim of {family}"
        reason = f"no approved action says this ({family}), and nothing else allows it"
        doubt = f"this may be a claim of {family} that nothing known allows"
    claim = f"{claim}, {weighed.probability:.0%} likely"
    words = ", ".join(f"'{word}'" for word in influential_words(clause, influence))
    return _finding(
        view,
        clause.span(tokenize(view.text), 0, len(clause.words)),
        code=code if sure else "new_statement",
        family=family,
        claim=f"{claim}, most by {words}" if words else claim,
        reason=reason if sure else doubt,
    )


def of_opposite(view: View, clause: Clause) -> Finding:
    """Return the finding for a clause that turns a known statement into its opposite."""
    return _finding(
        view,
        clause.span(tokenize(view.text), 0, len(clause.words)),
        code="no_new_facts",
        family="scope",
        claim="the opposite of what is known",
        reason="context and original say the opposite of this",
    )


def span_of(view: View, clause: Clause) -> tuple[int, int]:
    """Return the span of a clause in the text as given."""
    return view.span(*clause.span(tokenize(view.text), 0, len(clause.words)))


def _finding(
    view: View, place: tuple[int, int], *, code: Code, family: str, claim: str, reason: str
) -> Finding:
    said = " ".join(view.text[slice(*place)].split())[:_LONGEST]
    span = view.span(*place)
    return part_of_text(code, view.given, span, f"'{said}' = {claim}", reason, family=family)


def influential_words(clause: Clause, influence: Mapping[Feature, float]) -> list[str]:
    """Return the most influential words of a clause, strongest first."""
    shares = dict.fromkeys(clause.words, 0.0)
    for (group, *parts), share in influence.items():
        if group in _OF_CLAUSE:
            for word in shares:
                if word in parts or stem(word) in parts:
                    shares[word] += share / len(parts)
    ordered = sorted(shares, key=lambda word: (-shares[word], word))
    return [word for word in ordered if shares[word] > 0 and word not in _NO_WORDS][:_MOST_WORDS]
