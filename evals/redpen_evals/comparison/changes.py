"""The compared behaviour of a run, and the changes between two sets of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from redpen_evals.exit_codes import Outcome
from redpen_evals.records.model import ScenarioResult

Key: TypeAlias = tuple[str, str, int]
"""Scenario, variant and sample, which identify a result."""

Field: TypeAlias = str
"""Name of a field of ``Behaviour``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """The compared part of the result of one run of one scenario; fields are as in ``ScenarioResult``.

    Attributes:
        broken: names of the invariants and expectations that failed, sorted.
        calls: number of model calls.
        tokens: of requests and answers; None if no server counted them.
    """

    outcome: Outcome
    status: Literal["ok", "stopped"] | None = None
    stop_reason: str | None = None
    phase: str | None = None
    result: str | None = None
    decision: str | None = None
    violations: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    answer: str | None = None
    calls: int = 0
    tokens: int | None = 0

    def __post_init__(self) -> None:
        """Sort the failed checks, whose order says nothing about the agent."""
        object.__setattr__(self, "broken", tuple(sorted(self.broken)))

    @property
    def decided(self) -> bool:
        """Whether the agent was judged; stale and errored runs are not."""
        return self.outcome in {"passed", "failed"}


def behaviour(result: ScenarioResult) -> Behaviour:
    """Return the compared part of a result."""
    # Failed calls have no token counts; if no call has one, the server does not count tokens.
    counted = not result.calls or any(
        call.prompt_tokens is not None or call.completion_tokens is not None for call in result.calls
    )
    shared = {name: getattr(result, name) for name in FIELDS if name not in _COST}
    return Behaviour(**shared, calls=len(result.calls), tokens=result.tokens if counted else None)


def behaviours(results: Iterable[ScenarioResult]) -> dict[Key, Behaviour]:
    """Return the compared parts of results by scenario, variant and sample."""
    return {result.key: behaviour(result) for result in results}


Kind: TypeAlias = Literal["same", "changed", "improved", "regressed", "new", "gone", "not run", "undecided"]
"""``changed``: same outcome, other differences. ``improved``: failed before and passes now; ``regressed``
the reverse. ``new``, ``gone``: only on one side. ``not run``: likewise, and left out by the other side.
``undecided``: stale or errored on one side."""

Aspect: TypeAlias = Literal["behaviour", "wording", "cost"]
"""Which part of a result changed: behaviour, only wording, or only calls and tokens."""

KINDS: tuple[Kind, ...] = get_args(Kind)
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
FIELDS: tuple[Field, ...] = tuple(field.name for field in dataclass_fields(Behaviour))

_COST: frozenset[Field] = frozenset({"calls", "tokens"})
_WORDING: frozenset[Field] = frozenset({"answer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One scenario, variant and sample on both sides.

    `fields` are the differing fields, in the order of ``FIELDS``: none if a side is missing, and only the
    outcome for ``undecided``. `before` is None for ``new``, `after` for ``gone``.
    """

    key: Key
    kind: Kind
    fields: tuple[Field, ...] = ()
    before: Behaviour | None = None
    after: Behaviour | None = None

    @property
    def aspect(self) -> Aspect | None:
        """The most important part of a ``changed`` result; None for every other kind."""
        if self.kind != "changed":
            return None
        if _COST.issuperset(self.fields):
            return "cost"
        return "wording" if self.rewords and (_COST | _WORDING).issuperset(self.fields) else "behaviour"

    @property
    def rewords(self) -> bool:
        """Whether both sides published, with different texts."""
        if self.before is None or self.after is None:
            return False
        texts = {self.before.answer, self.after.answer}
        return len(texts) > 1 and None not in texts


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two sets of results, compared: a change for every key of either side, sorted, unchanged ones too."""

    changes: tuple[Change, ...]

    @cached_property
    def counts(self) -> Mapping[Kind, int]:
        """Number of changes of every kind, zeros included."""
        return {**dict.fromkeys(KINDS, 0), **Counter(change.kind for change in self.changes)}

    @cached_property
    def aspects(self) -> Mapping[Aspect, int]:
        """Number of ``changed`` results by aspect, zeros included."""
        aspects = Counter(change.aspect for change in self.changes if change.aspect is not None)
        return {**dict.fromkeys(ASPECTS, 0), **aspects}


def compare(
    before: Mapping[Key, Behaviour],
    after: Mapping[Key, Behaviour],
    *,
    not_run: tuple[Collection[str], Collection[str]] = ((), ()),
) -> Comparison:
    """Compare two sets of results; `not_run` are for each side the ids of scenarios that it left out."""
    keys = sorted(before.keys() | after.keys())
    return Comparison(changes=tuple(_change(key, before.get(key), after.get(key), not_run) for key in keys))


def compare_run(
    before: Mapping[Key, Behaviour], after: Mapping[Key, Behaviour], gone: Collection[str]
) -> Comparison:
    """Compare the results of a run, which may cover only a part of the library, with earlier ones.

    `gone` are the scenarios and tests that no longer exist; others that the run left out are not compared.
    """
    return compare({key: old for key, old in before.items() if key in after or key[0] in gone}, after)


def differing_fields(before: Behaviour, after: Behaviour) -> tuple[Field, ...]:
    """Return the fields that differ; tokens only if both sides counted them."""
    return tuple(
        name
        for name in FIELDS
        if (old := getattr(before, name)) != (new := getattr(after, name))
        and not (name == "tokens" and None in {old, new})
    )


def _change(
    key: Key,
    before: Behaviour | None,
    after: Behaviour | None,
    not_run: tuple[Collection[str], Collection[str]],
) -> Change:
    kind: Kind
    if before is None or after is None:
        kind = "new" if before is None else "gone"
        if key[0] in not_run[0 if before is None else 1]:
            kind = "not run"
        return Change(key=key, kind=kind, before=before, after=after)
    fields = differing_fields(before, after)
    if not (before.decided and after.decided):
        kind, fields = "undecided", fields[:1] if "outcome" in fields else ()
    elif before.outcome == after.outcome:
        kind = "changed" if fields else "same"
    else:
        kind = "improved" if after.outcome == "passed" else "regressed"
    return Change(key=key, kind=kind, fields=fields, before=before, after=after)
