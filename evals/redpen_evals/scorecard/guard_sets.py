"""Guard sets: whatever judges a revised text, asked in one way and answering in one form."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from redpen.errors import ConfigurationError

if TYPE_CHECKING:
    from redpen_evals.scenario_library.drafts import LabelledDraft, Split
    from redpen_evals.scorecard.score import Scored

GUARD_ERROR = "guard_error"
UNREAD = "unread_language"
REDPEN, REGEX = "redpen", "regex"


class Guards(Protocol):
    """A callable that judges a revised text.

    It returns an object with ``violations`` (and ``concerns``, if it has any), an iterable of codes,
    one code, or whether it blocks.
    """

    def __call__(self, *, original: str, revised: str, context: Mapping[str, Any]) -> object:
        """Judge a revised text against its original and the incident context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a guard set made of one text.

    Attributes:
        blocked: whether it blocks.
        codes: its reasons in its own order; may be empty when it says no more than that it blocks.
        concerned: whether it has a concern, other than that it could not read the language.
        unread: whether it says that a part of the text is in a language that it does not read.
        spans: start and end (exclusive) in the revised text of what it blocks for, where it says so.
        error: the exception that it raised, in words; None if it judged. Then it blocks.
    """

    blocked: bool
    codes: tuple[str, ...] = ()
    concerned: bool = False
    unread: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    error: str | None = None


class AskedGuards(Protocol):
    """Guards that ask a model, which is paid draft by draft: they judge labelled drafts alone."""

    def drafts(self, split: Split, drafts: Sequence[LabelledDraft]) -> tuple[LabelledDraft, ...]:
        """Return what they are asked about, of the library's drafts of a split and of their own."""

    def judge_all(self, drafts: Sequence[LabelledDraft]) -> tuple[Judgement, ...]:
        """Judge drafts; raises RedpenError where what the model answers cannot be had."""

    def notes(self, scored: Sequence[Scored], behind: Sequence[Scored]) -> list[str]:
        """Return what else is to be said, of what they and Redpen's guards made of a split."""

    def reached(self, scored: Sequence[Scored]) -> dict[str, Any]:
        """Return ``judge``, ``model`` and what was ``measured``, as JSON values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSet:
    """A named guard set.

    Attributes:
        name: what it is called in the scorecard and in the thresholds.
        guards: what judges.
        recorded: whether its figures are kept as thresholds when the scorecard is updated.
        asked: set where it asks a model; it then stands in the place of ``guards``.
    """

    name: str
    guards: Guards
    recorded: bool = True
    asked: AskedGuards | None = None

    def judge(self, *, original: str, revised: str, context: Mapping[str, Any]) -> Judgement:
        """Judge one text; guards that raise, or answer in no known form, block with ``guard_error``."""
        try:
            answer = self.guards(original=original, revised=revised, context=context)
            return _read(answer, len(revised))
        except Exception as error:  # noqa: BLE001 - what cannot be judged is blocked, whatever the crash
            text = f"{type(error).__name__}: {error}".splitlines()[0]
            return Judgement(blocked=True, codes=(GUARD_ERROR,), error=text)


def built_in_guard_sets() -> tuple[GuardSet, ...]:
    """Return the guards of Redpen, and the patterns that they are compared with."""
    from redpen.guards import check_revision
    from redpen_evals.scorecard.baseline import check_with_patterns

    return (
        GuardSet(name=REDPEN, guards=check_revision),
        GuardSet(name=REGEX, guards=check_with_patterns, recorded=False),
    )


def load_guard_set(place: str) -> GuardSet:
    """Return the guard set that ``module:name`` names.

    Raises:
        ConfigurationError: there is no such module or name, or it cannot be called.
    """
    module_name, colon, attribute = place.partition(":")
    if not (colon and module_name and attribute):
        raise ConfigurationError(f"--guards {place!r}: write module:name, such as my_guards:check")
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:
        hint = "; its folder has to be on pytest's `pythonpath`" if _is_missing(error, module_name) else ""
        raise ConfigurationError(f"--guards {place!r}: {type(error).__name__}: {error}{hint}") from error
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:
            raise ConfigurationError(f"--guards {place!r}: {error}") from error
    if not callable(found):
        raise ConfigurationError(f"--guards {place!r}: {type(found).__name__} cannot be called")
    return GuardSet(name=place, guards=found)


def check_names(guard_sets: Iterable[GuardSet]) -> tuple[GuardSet, ...]:
    """Return the guard sets as a tuple; raises ConfigurationError if two have one name."""
    sets = tuple(guard_sets)
    names = [guard_set.name for guard_set in sets]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"two guard sets are named {twice[0]!r}")
    return sets


def _read(answer: object, length: int) -> Judgement:
    if isinstance(answer, bool):
        return Judgement(blocked=answer)
    if isinstance(answer, str):
        return Judgement(blocked=True, codes=(answer,))
    violations = getattr(answer, "violations", answer)
    if not isinstance(violations, Iterable):
        raise TypeError(f"guards answered {type(answer).__name__}: no violations, no codes, no bool")
    found = tuple(violations)
    codes = tuple(item if isinstance(item, str) else str(getattr(item, "code", "unknown")) for item in found)
    spans = tuple(span for item in found if (span := _span(item, length)) is not None)
    concerns = [getattr(item, "code", item) for item in getattr(answer, "concerns", ())]
    crashes = [item for item, code in zip(found, codes, strict=True) if code == GUARD_ERROR]
    return Judgement(
        blocked=bool(found),
        codes=codes,
        concerned=any(code != UNREAD for code in concerns),
        unread=UNREAD in (*codes, *concerns),
        spans=spans,
        error=str(getattr(crashes[0], "reading", GUARD_ERROR)) if crashes else None,
    )


def _span(item: object, length: int) -> tuple[int, int] | None:
    match getattr(item, "span", None):
        case (int(start), int(end)) if 0 <= start < end <= length:
            return start, end
        case _:
            return None


def _is_missing(error: Exception, module_name: str) -> bool:
    return isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]
