"""Accepts results of a run into a baseline: the changes, and the results that are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from redpen.text.suggestion import suggestion
from redpen_evals.comparison.baseline import Baseline, UnknownSideError
from redpen_evals.comparison.changes import Behaviour, Change, Key, compare, display_id
from redpen_evals.exit_codes import Outcome

AcceptedClass: TypeAlias = Literal["changed", "behaviour", "wording", "cost", "improved", "regressed", "new"]
"""What can be accepted by itself; ``behaviour``, ``wording`` and ``cost`` are the parts of ``changed``."""

ACCEPTED_CLASSES: tuple[AcceptedClass, ...] = get_args(AcceptedClass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """What came of accepting a run.

    Attributes:
        baseline: with what was accepted.
        accepted: what changed in it.
        left_out: number of results by their outcome that were selected but may not be accepted.
        dropped: keys that are in it no more.
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
) -> Acceptance:
    """Return a baseline with the results of a run merged into it.

    Args:
        baseline: what is accepted so far; what the run did not run stays in it.
        results: of the run.
        only: classes to accept; none for all.
        ids: scenarios, or display ids of single results; none for all.
        failing: whether failed results are accepted too. Stale and errored ones never are.

    Raises:
        UnknownSideError: the run holds no result of an id.
    """
    chosen = _chosen(results, ids)
    accepted: dict[Key, Change] = {}
    left_out: Counter[Outcome] = Counter()
    before = {key: baseline.accepted[key] for key in chosen.keys() & baseline.accepted.keys()}
    for change in compare(before, chosen).changes:
        after = change.after
        if after is None or change.before == after or not _asked_for(change, only):
            continue
        if after.decided and (failing or after.outcome == "passed"):
            accepted[change.key] = change
        else:
            left_out[after.outcome] += 1
    merged = {**baseline.accepted, **{key: chosen[key] for key in accepted}}
    return Acceptance(
        baseline=Baseline(model=baseline.model, accepted=merged),
        accepted=tuple(accepted.values()),
        left_out=left_out,
    )


def class_of(change: Change) -> AcceptedClass:
    """Return the narrowest class of a change that is accepted."""
    match change.kind:
        case "improved" | "regressed" | "new":
            return change.kind
        case _:
            # The same but for tokens that one side did not count is of cost.
            return change.aspect or "cost"


def gone_from(baseline: Baseline, scenario_ids: Collection[str]) -> tuple[Key, ...]:
    """Return the keys of a baseline whose scenario is in the library no more, sorted."""
    known = frozenset(scenario_ids)
    return tuple(sorted(key for key in baseline.accepted if key[0] not in known))


def drop(acceptance: Acceptance, keys: Collection[Key]) -> Acceptance:
    """Return what came of accepting a run with some keys taken out of the baseline."""
    kept = {key: one for key, one in acceptance.baseline.accepted.items() if key not in keys}
    return Acceptance(
        baseline=Baseline(model=acceptance.baseline.model, accepted=kept),
        accepted=acceptance.accepted,
        left_out=acceptance.left_out,
        dropped=tuple(sorted(keys)),
    )


def select_keys(keys: Collection[Key], ids: Collection[str]) -> tuple[Key, ...]:
    """Return the keys that ids mean, sorted.

    Args:
        keys: to choose from.
        ids: a scenario means all its variants and samples, a display id such as ``a/b [critique=v2]`` one.

    Raises:
        UnknownSideError: an id means none of them.
    """
    wanted = frozenset(ids)
    # The bare id of a scenario is also the display id of its base; the wider meaning counts.
    found = {key: {key[0], display_id(key)} & wanted for key in keys}
    missing = wanted.difference(*found.values())
    if missing:
        name = min(missing)
        hint = suggestion(name, {display_id(key) for key in keys})
        raise UnknownSideError(f"no result of {name!r}{hint}")
    return tuple(sorted(key for key, names in found.items() if names))


def _chosen(results: Mapping[Key, Behaviour], ids: Collection[str]) -> Mapping[Key, Behaviour]:
    return {key: results[key] for key in select_keys(results.keys(), ids)} if ids else results


def _asked_for(change: Change, only: Collection[AcceptedClass]) -> bool:
    if not only or change.kind == "undecided":
        return True
    found = class_of(change)
    return found in only or (change.kind == "changed" and "changed" in only)
