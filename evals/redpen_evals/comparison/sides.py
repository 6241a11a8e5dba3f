"""The two sides of a comparison: run records or baselines, resolved from their names and paired."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from redpen.policy.pack_file import DEFAULT
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.comparison.baseline import SUFFIX, UnknownSideError, baseline_path, load_baseline
from redpen_evals.comparison.changes import Behaviour, Comparison, Key, behaviours
from redpen_evals.comparison.statistics import MeanDifference, PairedTable, mean_difference
from redpen_evals.errors import RecordError
from redpen_evals.records.model import BASE_VARIANT
from redpen_evals.records.places import RunFolder
from redpen_evals.records.reading import Record, read_record
from redpen_evals.text_diff import word_diff

BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison: a run or a baseline, or one variant of it.

    Attributes:
        name: as the user wrote it.
        model: the model whose recordings were used.
        record: of the run; None for a baseline.
        variant: label of the selected variant; None if all are compared.
    """

    name: str
    path: Path
    model: str
    behaviours: Mapping[Key, Behaviour]
    record: Record | None = None
    variant: str | None = None

    @property
    def policies(self) -> tuple[str, ...]:
        """The policy packs of its runs, with hashes and what they loosen; empty for a baseline."""
        results = self.record.results if self.record else ()
        selected = (result for result in results if self.variant in {None, result.variant})
        return tuple(sorted({result.policy.shown if result.policy else DEFAULT for result in selected}))

    @property
    def not_run(self) -> frozenset[str]:
        """Ids of existing scenarios and tests that the run left out."""
        return frozenset(self.record.end.not_run if self.record and self.record.end else ())

    @property
    def variants(self) -> tuple[str, ...]:
        """The variant labels of its results, the base first."""
        return tuple(sorted({variant for _, variant, _ in self.behaviours}))


def read_sides(first_name: str, second_name: str, *, runs: RunFolder, baselines: Path) -> tuple[Side, Side]:
    """Read the two sides of a comparison.

    A name is ``baseline`` (that of the other side's model), the path of a baseline file (``.json``), or a run
    record as for ``RunFolder.find``; the suffix ``@LABEL`` selects a variant, ``@`` alone the base. If either
    name selects a variant, both sides are reduced to one variant under the base's label, so that variants
    compare; without a suffix that is the base, or else the only variant there.

    Raises:
        UnknownSideError: a name cannot be resolved.
        RecordError: a run record cannot be loaded.
        BaselineError: a baseline cannot be loaded.
    """
    names = [_split(name, runs) for name in (first_name, second_name)]
    sides: list[Side | None] = [None if base == BASELINE else _read(base, runs) for base, _ in names]
    model = next((side.model for side in sides if side is not None), SCRIPTED_MODEL)
    first, second = (
        replace(side or _read_baseline(baseline_path(baselines, model), model), name=name)
        for side, name in zip(sides, (first_name, second_name), strict=True)
    )
    labels = [label for _, label in names]
    if labels == [None, None]:
        return first, second
    return _choose(first, labels[0]), _choose(second, labels[1])


def read_run(path: Path) -> Side:
    """Load a run record as a side; raises RecordError."""
    record = read_record(path)
    return Side(
        name=path.name,
        path=path,
        model=record.start.model,
        behaviours=behaviours(record.results),
        record=record,
    )


def _split(name: str, runs: RunFolder) -> tuple[str, str | None]:
    """Split a name into record or baseline and variant label; None for no label."""
    if name == BASELINE or _is_file(name):
        return name, None
    ends = [index for index, char in enumerate(name) if char == "@"]
    # A path or a label may contain "@" too; the shortest name that resolves wins.
    for end in ends:
        base, label = name[:end], name[end + 1 :]
        if base == BASELINE or _is_file(base) or _is_run(base, runs):
            return base, label
    return (name[: ends[0]], name[ends[0] + 1 :]) if ends else (name, None)


def _is_run(name: str, runs: RunFolder) -> bool:
    try:
        runs.find(name)
    except RecordError:
        return False
    return True


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:
        # The name is too long for the file system.
        return False


def _read(name: str, runs: RunFolder) -> Side:
    if name.endswith(SUFFIX) and _is_file(name):
        return _read_baseline(Path(name), None)
    return read_run(runs.find(name))


def _read_baseline(path: Path, model: str | None) -> Side:
    baseline = load_baseline(path, model=model)
    if baseline is None:
        raise UnknownSideError(
            f"{path}: there is no baseline yet; run the suite, then `redpen baseline accept`"
        )
    return Side(name=BASELINE, path=path, model=baseline.model, behaviours=baseline.accepted)


def _choose(side: Side, label: str | None) -> Side:
    variants = side.variants
    if label is None:
        if BASE_VARIANT not in variants and len(variants) > 1:
            raise UnknownSideError(
                f"{side.name}: holds {_listed(variants)}; select one, as in {side.name}@{variants[0]}"
            )
        label = BASE_VARIANT if BASE_VARIANT in variants or not variants else variants[0]
    elif label not in variants:
        raise UnknownSideError(
            f"{side.name}: no results of variant {label!r}{suggestion(label, variants)}; it has "
            + _listed(variants)
        )
    selected = {
        (scenario, BASE_VARIANT, sample): behaviour
        for (scenario, variant, sample), behaviour in side.behaviours.items()
        if variant == label
    }
    return replace(side, behaviours=selected, variant=label)


def _listed(labels: tuple[str, ...]) -> str:
    return ", ".join(label or "the base" for label in labels) or "no results"


NUMBERS: Mapping[str, Callable[[Behaviour], int | None]] = {
    "tokens": lambda result: result.tokens,
    "calls": lambda result: result.calls,
    "answer chars": lambda result: None if result.answer is None else len(result.answer),
}
"""The numbers that are compared; a pair is left out if either result has None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedStatistics:
    """Statistics of the paired results of a comparison; `numbers` are by name as in ``NUMBERS``.

    The unit is the scenario: several answers to one scenario are correlated, and counting them one by one
    would overstate the significance. A scenario passes on a side if all its paired results pass there; its
    number is the mean over them. Only results that were judged on both sides are paired.
    """

    table: PairedTable
    numbers: Mapping[str, MeanDifference]
    results: int


def paired_statistics(comparison: Comparison) -> PairedStatistics:
    """Return the statistics of a comparison."""
    scenarios: dict[str, list[tuple[Behaviour, Behaviour]]] = defaultdict(list)
    for change in comparison.changes:
        before, after = change.before, change.after
        if before is not None and after is not None and before.decided and after.decided:
            scenarios[change.key[0]].append((before, after))
    pairs = list(scenarios.values())
    return PairedStatistics(
        table=_table(pairs),
        numbers={name: _difference(pairs, number) for name, number in NUMBERS.items()},
        results=sum(map(len, pairs)),
    )


def _table(scenarios: Sequence[Sequence[tuple[Behaviour, Behaviour]]]) -> PairedTable:
    counts = Counter(
        tuple(all(pair[side].outcome == "passed" for pair in pairs) for side in (0, 1)) for pairs in scenarios
    )
    return PairedTable(
        both_passed=counts[True, True],
        regressed=counts[True, False],
        improved=counts[False, True],
        both_failed=counts[False, False],
    )


def _difference(
    scenarios: Sequence[Sequence[tuple[Behaviour, Behaviour]]], number: Callable[[Behaviour], int | None]
) -> MeanDifference:
    before: list[Fraction] = []
    after: list[Fraction] = []
    for pairs in scenarios:
        numbers = [
            (first, second)
            for first, second in ((number(before), number(after)) for before, after in pairs)
            if first is not None and second is not None
        ]
        if numbers:
            before.append(Fraction(sum(first for first, _ in numbers), len(numbers)))
            after.append(Fraction(sum(second for _, second in numbers), len(numbers)))
    return mean_difference(before, after)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """A prompt that differs between the sides.

    Attributes:
        variant: label of the variant on both sides; empty for the base, or if variants were selected.
        before: its version on side A, else its hash; None if that side has no such prompt.
        after: likewise on side B.
        diff: word diff around the first change; empty if a text is not known.
    """

    name: str
    variant: str
    before: str | None
    after: str | None
    diff: str


def changed_prompts(before: Side, after: Side) -> tuple[PromptChange, ...]:
    """Return the prompts that differ, by name; none if a side is a baseline, which holds no prompts.

    A change that several variants share is reported once.
    """
    if before.record is None or after.record is None:
        return ()
    prompts, others = before.record.start.prompts, after.record.start.prompts
    if before.variant is not None and after.variant is not None:
        labels = [(before.variant, after.variant, "")]
    else:
        labels = [(label, label, label) for label in sorted(prompts.keys() & others.keys())]
    changes: dict[tuple[str, str | None, str | None], PromptChange] = {}
    for label, other_label, shown in labels:
        hashes, other_hashes = prompts.get(label, {}), others.get(other_label, {})
        for name in sorted(hashes.keys() | other_hashes.keys()) if hashes and other_hashes else ():
            digest, other_digest = hashes.get(name), other_hashes.get(name)
            key = name, digest, other_digest
            if digest == other_digest or key in changes:
                continue
            old = before.record.prompts.get(digest or "")
            new = after.record.prompts.get(other_digest or "")
            changes[key] = PromptChange(
                name=name,
                variant=shown,
                before=old.version if old else digest,
                after=new.version if new else other_digest,
                diff=word_diff(old.text, new.text) if old and new else "",
            )
    return tuple(sorted(changes.values(), key=lambda change: (change.name, change.variant)))
