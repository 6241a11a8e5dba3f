"""The judge of a sweep's rows, and its input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from redpen.errors import ConfigurationError
from redpen.guards import check_revision
from redpen.guards.language import UnreadRule
from redpen.guards.revision import ClaimRule
from redpen.types import JsonObject
from redpen_evals.checking.inputs import rules_from
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.scenario_library.layout import Layout

# Each worker imports this module, and these imports, which most sweeps do not need, double the time.
if TYPE_CHECKING:
    from redpen.policy.packs import PolicyPack
    from redpen_evals.sweep.policy import SweepPolicy

FIELDS: Final[tuple[str, ...]] = ("id", "original", "revised", "text", "context", "context_id")
"""Columns with a meaning; all others are copied to the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """The judge and how it reads rows; equal values give equal verdicts.

    Attributes:
        layout: library with the named contexts.
        guards: ``module:name`` of a guard, or ``regex``; None for Redpen's.
        interpreter: Python of the environment whose version of Redpen judges.
        columns: pairs of one of ``FIELDS`` and the column that it is read from.
        context: name of the context for rows without one.
        policy: packs that judge rows, if any; another interpreter does not support them.
        keep_texts: whether a verdict contains original, revised text and context.
        row_timeout_s: time limit of a row in seconds; needs a Unix system.
    """

    layout: Layout
    guards: str | None = None
    paths: tuple[Path, ...] = ()
    interpreter: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    context: str | None = None
    claims: ClaimRule = "hint"
    unread_language: UnreadRule = "concern"
    policy: SweepPolicy | None = field(default=None, hash=False)
    keep_texts: bool = True
    row_timeout_s: float = 30.0

    @property
    def read_columns(self) -> frozenset[str]:
        """Columns that fields are read from."""
        return frozenset(column for _, column in self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The judge's input from a row."""

    original: str
    has_original: bool
    revised: str
    context: JsonObject

    def kept(self) -> JsonObject:
        """Return it as fields of a verdict."""
        return {"original": self.original, "revised": self.revised, "context": self.context}


Judge = Callable[[Text], Mapping[str, Any]]
_Ask = Callable[[Text, "PolicyPack | None"], Mapping[str, Any]]
_REDPEN: Final = "redpen"


@lru_cache(maxsize=8)
def judge_of(judging: Judging) -> Judge:
    """Return the function that judges a text; raises RedpenError if there are no such guards."""
    policy = judging.policy
    guards = judging.guards or _REDPEN
    ask = _redpen(judging) if guards == _REDPEN else _own(guards, judging.paths)
    if policy is None:
        return lambda text: ask(text, None)
    from redpen_evals.sweep.policy import under_pack

    def ask_under(text: Text) -> Mapping[str, Any]:
        pack = policy.pack(text.context)
        return under_pack(pack, ask(text, pack))

    return ask_under


def _own(place: str, paths: tuple[Path, ...]) -> _Ask:
    from redpen_evals.options import JUDGE_PREFIX
    from redpen_evals.scorecard.guard_sets import built_in_guard_sets, load_guard_set
    from redpen_evals.sweep.policy import with_floor

    if place.startswith(JUDGE_PREFIX):
        raise ConfigurationError(
            f"--guards {place}: a judge calls a model for every text, which a sweep does not; "
            f"`pytest evals/suites -k scorecard --guards {place}` scores it"
        )
    built_in = {guards.name: guards for guards in built_in_guard_sets()}
    with importable(paths):
        guards = built_in.get(place) or load_guard_set(place)

    def ask(text: Text, pack: PolicyPack | None) -> Mapping[str, Any]:
        judgement = guards.judge(original=text.original, revised=text.revised, context=text.context)
        if judgement.error is not None:
            return {"error": f"{guards.name}: {judgement.error}"}
        spans = [*judgement.spans, *([None] * len(judgement.codes))]
        violations = [
            {"code": code, **({"span": span, "text": text.revised[slice(*span)]} if span else {})}
            for code, span in zip(judgement.codes or ("blocked",) * judgement.blocked, spans, strict=False)
        ]
        concerns = [{"code": "concern"}] if judgement.concerned else []
        verdict = {"ok": not judgement.blocked, "violations": violations, "concerns": concerns}
        return with_floor(pack, verdict, revised=text.revised, context=text.context) if pack else verdict

    return ask


def _redpen(judging: Judging) -> _Ask:
    plain = rules_from(
        claims=judging.claims, max_chars=None, min_similarity=None, unread_language=judging.unread_language
    )

    def ask(text: Text, pack: PolicyPack | None) -> Mapping[str, Any]:
        rules = plain
        if pack:
            from redpen_evals.sweep.policy import rules_under

            rules = rules_under(pack, plain, text.context)
        report = check_revision(
            original=text.original, revised=text.revised, context=text.context, rules=rules
        )
        return without_new_statements(report.to_dict(), text)

    return ask


def without_new_statements(verdict: dict[str, Any], text: Text) -> Mapping[str, Any]:
    """Return a verdict without the concerns that a text without an original always has."""
    if text.has_original:
        return verdict
    # Without an original every statement is new, so such concerns are dropped; unread text is not.
    kept = [item for item in verdict["concerns"] if item["code"] == "unread_language"]
    return {**verdict, "concerns": kept}
