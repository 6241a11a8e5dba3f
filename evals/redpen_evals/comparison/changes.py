"""What changed between two sets of results, scenario by scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from redpen_evals.comparison.behaviours import Behaviour, Field, Key

Kind: TypeAlias = Literal["same", "changed", "improved", "regressed", "new", "gone", "undecided"]
"""``changed``: judged alike, but not the same. ``improved``: failed before and passes now; ``regressed``
the reverse. ``new``, ``gone``: only on one side. ``undecided``: stale or errored on one side."""

Aspect: TypeAlias = Literal["behaviour", "wording", "cost"]
"""What a change is of: what the agent did, only how it put it, or only calls and tokens."""

KINDS: tuple[Kind, ...] = get_args(Kind)
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
FIELDS: tuple[Field, ...] = get_args(Field)

_COST: frozenset[Field] = frozenset({"calls", "tokens"})
_WORDING: frozenset[Field] = frozenset({"answer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One scenario, variant and sample on both sides.

    Attributes:
        key: scenario, variant and sample.
        kind: the class of it.
        fields: that differ, in the order of ``FIELDS``; none where a side is missing. Of undecided ones the
            outcome alone is compared.
        before: None for ``new``.
        after: None for ``gone``.
    """

    key: Key
    kind: Kind
    fields: tuple[Field, ...] = ()
    before: Behaviour | None = None
    after: Behaviour | None = None

    @property
    def aspect(self) -> Aspect | None:
        """What a ``changed`` one is of, the weightiest; None for every other kind."""
        if self.kind != "changed":
            return None
        if _COST.issuperset(self.fields):
            return "cost"
        return "wording" if self.rewords and (_COST | _WORDING).issuperset(self.fields) else "behaviour"

    @property
    def rewords(self) -> bool:
        """Whether both sides published, but not the same text."""
        if self.before is None or self.after is None:
            return False
        texts = {self.before.answer, self.after.answer}
        return len(texts) > 1 and None not in texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two sets of results, compared.

    Attributes:
        changes: one for every key of either side, sorted by it; the same ones included.
        counts: of every kind, zeros included.
        aspects: of the ``changed`` ones, likewise.
    """

    changes: tuple[Change, ...]
    counts: Mapping[Kind, int]
    aspects: Mapping[Aspect, int]


def compare(before: Mapping[Key, Behaviour], after: Mapping[Key, Behaviour]) -> Comparison:
    """Compare two sets of results.

    Args:
        before: by scenario, variant and sample.
        after: likewise; what is to be judged.

    Returns:
        The comparison; linear in time, but for sorting the keys.
    """
    changes = tuple(
        _change(key, before.get(key), after.get(key)) for key in sorted(before.keys() | after.keys())
    )
    kinds = Counter(change.kind for change in changes)
    aspects = Counter(change.aspect for change in changes)
    return Comparison(
        changes=changes,
        counts={kind: kinds[kind] for kind in KINDS},
        aspects={aspect: aspects[aspect] for aspect in ASPECTS},
    )


def differing_fields(before: Behaviour, after: Behaviour) -> tuple[Field, ...]:
    """Return the fields that differ; tokens that a side did not count do not."""
    return tuple(
        name
        for name in FIELDS
        if (one := getattr(before, name)) != (other := getattr(after, name))
        and not (name == "tokens" and None in {one, other})
    )


def _change(key: Key, before: Behaviour | None, after: Behaviour | None) -> Change:
    if before is None or after is None:
        return Change(key=key, kind="new" if before is None else "gone", before=before, after=after)
    kind: Kind
    fields = differing_fields(before, after)
    if not (before.decided and after.decided):
        kind, fields = "undecided", fields[:1] if "outcome" in fields else ()
    elif before.outcome == after.outcome:
        kind = "changed" if fields else "same"
    else:
        kind = "improved" if after.outcome == "passed" else "regressed"
    return Change(key=key, kind=kind, fields=fields, before=before, after=after)
