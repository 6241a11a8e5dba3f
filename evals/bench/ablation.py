"""What each layer of the guards brings on unseen writers: `python evals/bench/ablation.py --writers f1,f6`.

Trains a detector without the edits of some writers (or takes `--weights` that were trained so), judges a
sample of these edits, then takes out one layer at a time and judges them anew: the detector, each family of
the floor, the reading of polarity, what is known of claims, layers of the facts, each group of features.
What brings nothing on several groups of writers can go.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "agents"), str(HERE.parent)]

from redpen.guards import RevisionRules, check_revision  # noqa: E402
from redpen.guards.claims import floor, phrases  # noqa: E402
from redpen.guards.claims.detector import Detector, Weighed, read_detector  # noqa: E402
from redpen.training.edits import LabelledEdit, read_edits  # noqa: E402
from redpen.training.examples import examples_of, numbering  # noqa: E402
from redpen.training.fitting import Recipe, fit  # noqa: E402
from redpen.training.weights import weights_of  # noqa: E402

PAIRED = ("new", "few", "together", "lost", "turned", "borrowed", "far", "swap")
GROUPS = (
    ("words", ("w",)),
    ("stems", ("s",)),
    ("pairs of words", ("b", "k")),
    ("shapes of clauses", ("d", "t")),
    ("classes of words", ("ck", "cn")),
    ("labels", ("lw", "label", "al")),
    ("mood", ("mood", "N", "O", "NO", "turn")),
    ("clauses around", ("pb", "pa", "ps")),
    ("sentence before", ("first", "aq", "q")),
    ("what is new", ("new", "nw", "news", "newo", "newr")),
    ("what is lost", ("lost", "lst")),
    ("what is put in", ("put",)),
    ("likeness to what is known", ("kn", "same", "kind", "unaligned", "inh", "kni")),
    ("pairs of known words", tuple(mark + name for mark in "pP" for name in PAIRED)),
    ("steps told as done", ("done",)),
    ("length", ("len", "n", "pl", "cl")),
)
LAYERS: tuple[tuple[str, str, Callable[..., object]], ...] = (
    ("polarity", "redpen.guards.claims.floor.affirms", lambda *_: True),
    ("what is known of claims", "redpen.guards.claims.floor._verdict", lambda *_: "new"),
    ("facts: other words", "redpen.guards.facts.entailment.says_no_more", lambda *_: False),
    ("facts: displaced", "redpen.guards.facts.entailment.displaced_by", lambda *_: None),
    ("facts: respelt", "redpen.guards.facts.entailment._is_respelt", lambda *_: False),
)


class _Without(Detector):
    """A detector that does not see some groups of features."""

    def __init__(self, inner: Detector, groups: Sequence[str]) -> None:
        self._inner, self._groups = inner, frozenset(groups)
        self.bounds = inner.bounds

    def weigh(self, clauses):  # type: ignore[no-untyped-def]
        seen = [[feature for feature in one if feature[0] not in self._groups] for one in clauses]
        return self._inner.weigh(seen)

    def influence(self, clause):  # type: ignore[no-untyped-def]
        return self._inner.influence(clause)


class _Silent(_Without):
    """A detector that finds nothing."""

    def weigh(self, clauses):  # type: ignore[no-untyped-def]
        return [Weighed(log_odds=-99.0, family="resolution", news=-99.0, fact=0.0) for _ in clauses]


@contextmanager
def _replaced(place: str, instead: object) -> Iterator[None]:
    """Put something in the place of a layer, with nothing kept from before or after."""
    with mock.patch(place, instead):
        _forget()
        yield
    _forget()


def _forget() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("redpen.guards"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and value.cache_parameters()["maxsize"] not in (1, None):
                    value.cache_clear()


def _rates(edits: list[LabelledEdit], detector: Detector) -> tuple[float, float]:
    rules = RevisionRules(detector=detector)
    hits = {"block": [0, 0], "pass": [0, 0]}
    for edit in edits:
        report = check_revision(
            original=edit.original, revised=edit.revised, context=edit.context, rules=rules
        )
        hits[edit.label][0] += not report.ok
        hits[edit.label][1] += 1
    (caught, claims), (alarms, honest) = hits.values()
    return 100 * caught / max(1, claims), 100 * alarms / max(1, honest)


def _trained_without(writers: frozenset[str], edits: list[LabelledEdit]) -> Detector:
    numbers, recipe = numbering(), Recipe()
    examples = examples_of((edit for edit in edits if edit.writer not in writers), numbers)
    return Detector(weights_of(fit(examples, numbers, recipe), recipe))


def main() -> None:
    """Judge, take a layer out, judge again, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=Path, default=Path("scenarios/training"))
    parser.add_argument("--weights", type=Path, help="weights that were trained without the writers")
    parser.add_argument("--writers", required=True, help="whose edits are judged, parted by commas")
    parser.add_argument("--sample", type=int, default=1500)
    options = parser.parse_args()
    writers = frozenset(options.writers.split(","))
    every = list(read_edits(options.edits))
    whole = read_detector(options.weights) if options.weights else _trained_without(writers, every)
    edits = [edit for edit in every if edit.writer in writers]
    random.Random(1).shuffle(edits)  # noqa: S311
    edits = edits[: options.sample]
    base = _rates(edits, whole)
    print(f"{len(edits)} edits of {', '.join(sorted(writers))}")  # noqa: T201
    print(f"{'whole':<36} catch {base[0]:5.1f}   false alarms {base[1]:5.2f}")  # noqa: T201

    def show(name: str, rates: tuple[float, float]) -> None:
        catch, alarms = rates[0] - base[0], rates[1] - base[1]
        print(f"{'without ' + name:<36} catch {catch:+5.1f}   false alarms {alarms:+5.2f}")  # noqa: T201

    show("the detector", _rates(edits, _Silent(whole, ())))
    for family in ("all", *phrases.FAMILIES):
        rows = tuple(row for row in floor.floor().rows if family not in (row.family, "all"))
        thinner = phrases.Floor(rows)
        with _replaced("redpen.guards.claims.floor.floor", lambda thinner=thinner: thinner):
            show(f"floor: {family}", _rates(edits, whole))
    for title, groups in GROUPS:
        show(f"features: {title}", _rates(edits, _Without(whole, groups)))
    for name, place, instead in LAYERS:
        with _replaced(place, instead):
            show(name, _rates(edits, whole))


if __name__ == "__main__":
    main()
