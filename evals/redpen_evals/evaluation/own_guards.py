"""Guards of a project, which a scenario names, as checks of what its agent publishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen.screen import shortened, shown
from redpen_evals.evaluation.subject import Subject
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.scorecard.guard_sets import load_guard_set

_SHOWN_CHARS = 200


def guard_breaches(subject: Subject, texts: Sequence[str], paths: Sequence[Path]) -> Iterator[str]:
    """Yield a line for each published text that a guard of the scenario blocks.

    It raises ConfigurationError if a guard cannot be loaded.
    """
    own, context = subject.own, subject.case.subject or {}
    if own is None or not own.guards:
        return
    with importable(paths):
        for place in own.guards:
            try:
                guard = load_guard_set(place, option="guards:")
            except ConfigurationError as error:
                raise ConfigurationError(f"{subject.case.place('guards')}: {error}") from None
            for text in texts:
                judged = guard.judge(original=own.original or "", revised=text, context=context)
                if judged.blocked:
                    reason = judged.error or ", ".join(judged.codes)
                    blocks = f"{place} blocks" + (f" ({reason})" if reason else "")
                    yield shown(f"guards: {blocks}: {shortened(text, _SHOWN_CHARS)!r}")
