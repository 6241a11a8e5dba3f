"""Limits on the size of an edit: it has to change something, but not too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.report import Finding, whole_text
from redpen.text.normal import collapse
from redpen.text.similarity import length_increase_pct, similarity

if TYPE_CHECKING:
    from redpen.guards.revision import RevisionRules


def judge_edit(original: str, revised: str, rules: RevisionRules) -> tuple[Finding, ...]:
    """Return the violations of the limits that some rules set on an edit.

    Args:
        original: the text before the revision.
        revised: the revision.
        rules: of these, ``must_differ``, ``min_similarity`` and ``max_length_increase_pct`` count.
    """
    min_similarity, max_increase = rules.min_similarity, rules.max_length_increase_pct
    if not rules.must_differ and min_similarity is None and max_increase is None:
        return ()
    before, after = collapse(original), collapse(revised)
    found = []
    if rules.must_differ and before == after:
        found.append(
            whole_text("no_changes", revised, "the text of the original", "a revision has to differ")
        )
    if min_similarity is not None:
        share = similarity(before, after)
        if share < min_similarity:
            reading = f"similarity {share:.3f}"
            found.append(
                whole_text("too_large_edit", revised, reading, f"at least {min_similarity} is asked")
            )
    if max_increase is not None:
        increase = length_increase_pct(before, after)
        # Compared without a division, which would round: 7 more characters on 100 are exactly 7 percent.
        if (len(after) - len(before)) * 100 > max_increase * len(before):
            reading = f"{increase:.2f} % longer"
            reason = f"at most {max_increase:g} % is allowed"
            found.append(whole_text("length_increase_limit", revised, reading, reason))
    return tuple(found)
