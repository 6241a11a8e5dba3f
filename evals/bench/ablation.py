"""What each layer of the guards brings on labelled edits: `python evals/bench/ablation.py --edits FOLDER`.

Takes out one layer at a time (the detector, each family of the floor, what is known of claims, some layers
of the facts, each group of features) and judges a sample of edits anew. With `--writer` only the edits of one
writer count, and with `--weights` a detector that was trained without that writer: what a layer brings on
text that nobody has seen.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "agents"), str(HERE.parent)]

from redpen.guards import RevisionRules, check_revision  # noqa: E402
from redpen.guards.claims import phrases  # noqa: E402
from redpen.guards.claims.detector import Detector, Weighed, read_detector, shipped_detector  # noqa: E402
from redpen.training.edits import LabelledEdit, read_edits  # noqa: E402

GROUPS = (
    "w",
    "s",
    "b",
    "t",
    "k",
    "new",
    "nw",
    "lost",
    "lst",
    "put",
    "pb",
    "pa",
    "ps",
    "fnew",
    "fknown",
    "fopen",
)


class _Without(Detector):
    """A detector that does not see some groups of features."""

    def __init__(self, inner: Detector, group: str) -> None:
        self._inner, self._group = inner, f"{group}:"
        self.block, self.concern = inner.block, inner.concern

    def weigh(self, clauses):  # type: ignore[no-untyped-def]
        return self._inner.weigh([[f for f in one if not f.startswith(self._group)] for one in clauses])

    def influence(self, clause):  # type: ignore[no-untyped-def]
        return self._inner.influence(clause)


class _Silent(_Without):
    """A detector that finds nothing."""

    def weigh(self, clauses):  # type: ignore[no-untyped-def]
        return [Weighed(log_odds=-99.0, family="resolution") for _ in clauses]


@contextmanager
def _without_rows(family: str) -> Iterator[None]:
    rows = tuple(row for row in phrases.floor().rows if family not in (row.family, "all"))
    thinner = phrases.Floor(rows)
    with mock.patch("redpen.guards.claims.floor.floor", return_value=thinner):
        sys.modules["redpen.guards.claims.floor"].spoken.cache_clear()  # type: ignore[attr-defined]
        yield
    sys.modules["redpen.guards.claims.floor"].spoken.cache_clear()  # type: ignore[attr-defined]


def _rates(edits: list[LabelledEdit], rules: RevisionRules) -> tuple[float, float]:
    hits = {"block": [0, 0], "pass": [0, 0]}
    for edit in edits:
        report = check_revision(
            original=edit.original, revised=edit.revised, context=edit.context, rules=rules
        )
        hits[edit.label][0] += not report.ok
        hits[edit.label][1] += 1
    return tuple(100 * part / max(1, whole) for part, whole in hits.values())  # type: ignore[return-value]


def main() -> None:
    """Judge, take a layer out, judge again, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=Path, default=Path("scenarios/training"))
    parser.add_argument("--weights", type=Path, help="weights that were trained without the writer")
    parser.add_argument("--writer", help="only the edits of this writer")
    parser.add_argument("--sample", type=int, default=1500)
    options = parser.parse_args()
    edits = [edit for edit in read_edits(options.edits) if options.writer in (None, edit.writer)]
    random.Random(1).shuffle(edits)  # noqa: S311
    edits = edits[: options.sample]
    whole = read_detector(options.weights) if options.weights else shipped_detector()
    base = _rates(edits, RevisionRules(detector=whole))
    print(f"{'whole':<28} catch {base[0]:5.1f}   false alarms {base[1]:5.2f}")  # noqa: T201

    def show(name: str, rates: tuple[float, float]) -> None:
        catch, alarms = rates[0] - base[0], rates[1] - base[1]
        print(f"{'without ' + name:<28} catch {catch:+5.1f}   false alarms {alarms:+5.2f}")  # noqa: T201

    show("the detector", _rates(edits, RevisionRules(detector=_Silent(whole, ""))))
    for family in ("all", *phrases.FAMILIES):
        with _without_rows(family):
            show(f"floor: {family}", _rates(edits, RevisionRules(detector=whole)))
    for group in GROUPS:
        show(f"features: {group}", _rates(edits, RevisionRules(detector=_Without(whole, group))))
    layers: tuple[tuple[str, str, Callable[..., object]], ...] = (
        ("facts: other words", "redpen.guards.facts.entailment.says_no_more", lambda *_: False),
        ("facts: lacking", "redpen.guards.facts.entailment.is_lack", lambda *_: False),
        ("facts: displaced", "redpen.guards.facts.entailment.displaced_by", lambda *_: None),
        ("facts: respelt", "redpen.guards.facts.entailment._is_respelt", lambda *_: False),
        ("claims: what is known", "redpen.guards.claims.floor.is_known", lambda *_: "new"),
    )
    for name, place, instead in layers:
        with mock.patch(place, instead):
            show(name, _rates(edits, RevisionRules(detector=whole)))


if __name__ == "__main__":
    main()
