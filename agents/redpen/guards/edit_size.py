"""How much a revision changes its original: not nothing, not too much, not too much longer."""

from __future__ import annotations

from redpen.guards.report import Finding, whole_text
from redpen.text.normal import collapse
from redpen.text.similarity import length_increase_pct, similarity


def judge_edit(
    original: str,
    revised: str,
    *,
    must_differ: bool,
    min_similarity: float | None,
    max_length_increase_pct: float | None,
) -> tuple[Finding, ...]:
    """Return what is wrong with the size of an edit.

    Args:
        original: the text that was to be revised.
        revised: the revision.
        must_differ: whether one that changes white space at most is a violation.
        min_similarity: least similarity of the two, 0 to 1, by words.
        max_length_increase_pct: how much longer the collapsed text may be, in percent.
    """
    if not must_differ and min_similarity is None and max_length_increase_pct is None:
        return ()
    before, after = collapse(original), collapse(revised)
    found = []
    if must_differ and before == after:
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
    if max_length_increase_pct is not None:
        increase = length_increase_pct(before, after)
        # Compared without a division: 7 characters more on 100 are 7 percent, not a hair over it.
        if (len(after) - len(before)) * 100 > max_length_increase_pct * len(before):
            reading = f"{increase:.2f} % longer"
            reason = f"at most {max_length_increase_pct:g} % is allowed"
            found.append(whole_text("length_increase_limit", revised, reading, reason))
    return tuple(found)
