"""Accept results of a run into a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from redpen.text.suggestion import suggestion
from redpen_evals.comparison.baseline import Baseline, UnknownSideError
from redpen_evals.comparison.changes import Behaviour, Change, Key, compare
from redpen_evals.exit_codes import Outcome
from redpen_evals.records.model import display_id

AcceptedClass: TypeAlias = Literal["changed", "behaviour", "wording", "cost", "improved", "regressed", "new"]
"""Classes that can be selected; ``behaviour``, ``wording`` and ``cost`` are the parts of ``changed``."""

ACCEPTED_CLASSES: tuple[AcceptedClass, ...] = get_args(AcceptedClass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The baseline with the accepted changes.

    `left_out` counts selected results that may not be accepted, by outcome; `dropped` are the removed keys.
    """

    baseline: Baseline
    accepted: tuple[Change, ...] = ()
    left_out: Mapping[Outcome, int]
    dropped: tuple[Key, ...] = ()


def accept(
    baseline: Baseline,
    results: Mapping[Key, Behaviour],
    *,
    only: Collection[AcceptedClass] = (),
    ids: Collection[str] = (),
    failing: bool = False,
    policies: Mapping[str, str] | None = None,
) -> Acceptance:
    """Return a baseline with the results of a run merged into it; what the run does not cover is kept.

    Args:
        only: classes to accept; empty for all.
        ids: scenarios, or display ids of single results; empty for all.
        failing: whether failed results are accepted too. Stale and errored ones never are.
        policies: hashes of the policy packs of the run, by name; None if they are not known.

    Raises:
        UnknownSideError: the run has no result for an id.
    """
    selected = {key: results[key] for key in select_keys(results.keys(), ids)} if ids else results
    accepted: dict[Key, Change] = {}
    left_out: Counter[Outcome] = Counter()
    before = {key: baseline.accepted[key] for key in selected.keys() & baseline.accepted.keys()}
    for change in compare(before, selected).changes:
        after = change.after
        if after is None or change.before == after or not _is_selected(change, only):
            continue
        if after.decided and (failing or after.outcome == "passed"):
            accepted[change.key] = change
        else:
            left_out[after.outcome] += 1
    merged = {**baseline.accepted, **{key: selected[key] for key in accepted}}
    in_part = bool(only or ids or left_out)
    return Acceptance(
        baseline=replace(
            baseline,
            accepted=merged,
            policies=_accepted_policies(baseline, policies, selected, in_part=in_part)
            if merged and policies is not None
            else baseline.policies,
        ),
        accepted=tuple(accepted.values()),
        left_out=left_out,
    )


def class_of(change: Change) -> AcceptedClass:
    """Return the narrowest class of an accepted change."""
    match change.kind:
        case "improved" | "regressed" | "new":
            return change.kind
        case _:
            # A result that differs only in uncounted tokens has no aspect.
            return change.aspect or "cost"


def drop(acceptance: Acceptance, keys: Collection[Key]) -> Acceptance:
    """Return an acceptance with some keys removed from the baseline."""
    kept = {key: value for key, value in acceptance.baseline.accepted.items() if key not in keys}
    baseline = replace(acceptance.baseline, accepted=kept)
    return replace(acceptance, baseline=baseline, dropped=tuple(sorted(keys)))


def select_keys(keys: Collection[Key], ids: Collection[str]) -> tuple[Key, ...]:
    """Return the keys that ids select, sorted; raises UnknownSideError for an id that selects none.

    A scenario id selects all its variants and samples, a display id like ``a/b [critique=v2]`` one.
    """
    wanted = frozenset(ids)
    # The id of a scenario is also the display id of its base; it selects all variants.
    matches = {key: {key[0], display_id(key)} & wanted for key in keys}
    missing = wanted.difference(*matches.values())
    if missing:
        name = min(missing)
        hint = suggestion(name, {display_id(key) for key in keys})
        raise UnknownSideError(f"no result of {name!r}{hint}")
    return tuple(sorted(key for key, names in matches.items() if names))


def _accepted_policies(
    baseline: Baseline, policies: Mapping[str, str], results: Collection[Key], *, in_part: bool
) -> Mapping[str, str] | None:
    """Return the accepted policy packs; a part of a run does not change those that were accepted before."""
    known = baseline.policies
    if known is None:
        # The packs of older outcomes are known only if all of them are accepted anew.
        is_whole = not baseline.accepted or (not in_part and baseline.accepted.keys() <= set(results))
        return policies if is_whole else None
    return {**policies, **known} if in_part else {**known, **policies}


def _is_selected(change: Change, only: Collection[AcceptedClass]) -> bool:
    if not only or change.kind == "undecided":
        return True
    return class_of(change) in only or (change.kind == "changed" and "changed" in only)
