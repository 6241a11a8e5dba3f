"""From what a guard answers to a judgement: bools, findings, objects, dicts and words of verdict."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from redpen.errors import ConfigurationError
from redpen_evals.targets.calling import LOOPS

GUARD_ERROR: Final = "guard_error"
UNREAD: Final = "unread_language"

_FINDINGS: Final = ("violations", "findings", "issues")
_BLOCKS: Final = ("blocked", "block", "flagged", "violated", "unsafe", "is_unsafe")
_PASSES: Final = (
    "ok",
    "passed",
    "allowed",
    "valid",
    "safe",
    "is_ok",
    "is_valid",
    "is_safe",
    "validation_passed",
)
_WORDED: Final = ("verdict", "outcome", "decision", "action", "result")
_PASSING_WORDS: Final = frozenset(
    ["pass", "passed", "ok", "allow", "allowed", "safe", "valid", "approve", "approved"]
)
_BLOCKING_WORDS: Final = frozenset(
    ["block", "blocked", "fail", "failed", "deny", "denied", "unsafe", "invalid", "reject", "rejected"]
)
_MISSING: Final = object()


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


def crashed(error: BaseException) -> Judgement:
    """Return the judgement of a guard that raised, or answered in no known form: it blocks."""
    message = f"{type(error).__name__}: {error}".splitlines()[0]
    return Judgement(blocked=True, codes=(GUARD_ERROR,), error=message)


def read_verdict(answer: object, length: int) -> Judgement:
    """Return what a guard's answer means.

    Args:
        answer: whether it blocks; a word of verdict, or a code; findings; or an object or a dict with
            findings (``violations``), a bool (``blocked``, ``ok``, ``passed`` …) or a word (``outcome`` …).
        length: characters of the revised text.

    Raises:
        TypeError: the answer has none of these forms.
    """
    if isinstance(answer, bool):
        return Judgement(blocked=answer)
    if isinstance(answer, str):
        return _of_word(answer)
    findings = _first(answer, _FINDINGS)
    decided = _decided(answer)
    if findings is _MISSING and decided is not None:
        return decided
    if findings is _MISSING:
        findings = answer
        if isinstance(answer, Mapping):
            raise TypeError(
                f"guards answered a dict of {', '.join(map(repr, answer)) or 'nothing'}: no verdict"
            )
    if not isinstance(findings, Iterable) or isinstance(findings, str):
        raise TypeError(f"guards answered {type(answer).__name__}: no violations, no codes, no bool")
    read = _of_findings(tuple(findings), answer, length)
    if decided is not None and decided.blocked != read.blocked:
        # What it decides counts; what it found may be no more than a concern.
        return Judgement(blocked=decided.blocked, codes=read.codes if decided.blocked else ())
    return read


def _of_word(word: str) -> Judgement:
    low = word.strip().lower()
    if low in _PASSING_WORDS:
        return Judgement(blocked=False)
    return Judgement(blocked=True, codes=() if low in _BLOCKING_WORDS else (word,))


def _decided(answer: object) -> Judgement | None:
    for names, blocks in ((_BLOCKS, True), (_PASSES, False)):
        found = _first(answer, names)
        if isinstance(found, bool):
            return Judgement(blocked=found is blocks)
    word = _first(answer, _WORDED)
    if isinstance(word, str) and word.strip().lower() in _PASSING_WORDS | _BLOCKING_WORDS:
        return _of_word(word)
    return None


def _of_findings(found: tuple[object, ...], answer: object, length: int) -> Judgement:
    codes = tuple(item if isinstance(item, str) else str(_value(item, "code", "unknown")) for item in found)
    spans = tuple(span for item in found if (span := _span(item, length)) is not None)
    concerned = _value(answer, "concerns", ())
    concerns = [_value(item, "code", item) for item in concerned] if isinstance(concerned, Iterable) else []
    crashes = [item for item, code in zip(found, codes, strict=True) if code == GUARD_ERROR]
    return Judgement(
        blocked=bool(found),
        codes=codes,
        concerned=any(code != UNREAD for code in concerns),
        unread=UNREAD in (*codes, *concerns),
        spans=spans,
        error=str(_value(crashes[0], "reading", GUARD_ERROR)) if crashes else None,
    )


def _first(answer: object, names: Iterable[str]) -> object:
    for name in names:
        found = _value(answer, name, _MISSING)
        if found is not _MISSING and not callable(found):
            return found
    return _MISSING


def _value(item: object, name: str, default: object) -> object:
    return item.get(name, default) if isinstance(item, Mapping) else getattr(item, name, default)


def _span(item: object, length: int) -> tuple[int, int] | None:
    match _value(item, "span", None):
        case (int(start), int(end)) | [int(start), int(end)] if 0 <= start < end <= length:
            return start, end
        case _:
            return None


Role = Literal["original", "revised", "context"]

NAMES: Final[Mapping[Role, tuple[str, ...]]] = {
    "original": ("original", "draft", "before", "old", "source"),
    "revised": (
        "revised", "revision", "text", "output", "answer", "response", "reply", "message", "value", "content",
        "after", "new", "candidate", "completion",
    ),
    "context": ("context", "facts", "metadata", "incident", "ctx"),
}  # fmt: skip
"""Names of parameters, and what they get."""

_METHODS: Final = ("validate", "check")
"""Of an object that is no function: the method that judges."""

Ask = Callable[[str, str, Mapping[str, Any]], object]
"""Takes original, revised text and context; returns the guard's own answer."""


def how_to_ask(guard: object, *, name: str = "") -> Ask:
    """Return what calls a guard.

    Args:
        guard: a function, plain or async, an object that can be called, or one with a method ``validate`` or
            ``check``. Each parameter that has no default must have a name of ``NAMES``; a single parameter
            may have any name, and gets the revised text.
        name: how it is called in messages.

    Raises:
        ConfigurationError: it cannot be called, or a parameter's name says nothing.
    """
    target = _callable_of(guard, name)
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError):
        # Some callables written in C tell nothing of their parameters.
        parameters = inspect.signature(lambda text: text).parameters
    roles = _roles(parameters, name or _named(target))

    def ask(original: str, revised: str, context: Mapping[str, Any]) -> object:
        given: dict[Role, Any] = {"original": original, "revised": revised}
        if "context" in roles.values():
            # A guard that changes what it is given must not change what the next one sees.
            given["context"] = copy.deepcopy(dict(context))
        positional = [given[role] for one, role in roles.items() if _by_place(parameters.get(one))]
        named = {one: given[role] for one, role in roles.items() if not _by_place(parameters.get(one))}
        answer = target(*positional, **named)
        return LOOPS.get().run_until_complete(answer) if inspect.isawaitable(answer) else answer

    return ask


def _callable_of(guard: object, name: str) -> Callable[..., Any]:
    called = guard
    if inspect.isclass(guard):
        try:
            called = guard()
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            raise ConfigurationError(
                f"{name or guard.__name__}: cannot be made without arguments: {message}"
            ) from error
    if not inspect.isroutine(called):
        for method in _METHODS:
            found: Callable[..., Any] | None = getattr(called, method, None)
            if callable(found):
                return found
    if not callable(called):
        raise ConfigurationError(f"{name}: {type(called).__name__} cannot be called")
    return called


def _roles(parameters: Mapping[str, inspect.Parameter], name: str) -> dict[str, Role]:
    """Return what each parameter gets, by its name."""
    plain = {
        one.name: one for one in parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }
    found: dict[str, Role] = {}
    for one in plain:
        if (role := _role(one)) and role not in found.values():
            found[one] = role
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        found |= {role: role for role in NAMES if role not in found.values()}
    needed = [one for one in plain if plain[one].default is inspect.Parameter.empty and one not in found]
    if "revised" not in found.values():
        # ``guard(draft)`` judges that draft; what has one parameter that says nothing judges that.
        alone = [one for one, role in found.items() if role == "original"] or needed[:1]
        if alone:
            found[alone[0]] = "revised"
            needed = [one for one in needed if one != alone[0]]
    if needed or "revised" not in found.values():
        known = "; ".join(f"{role}: {', '.join(names)}" for role, names in NAMES.items())
        problem = f"what is {needed[0]!r} to get?" if needed else "it has no parameter for the text"
        raise ConfigurationError(f"{name}: {problem} Name its parameters so ({known}), or give it a default")
    return found


def _role(name: str) -> Role | None:
    low = name.lower()
    for role, names in NAMES.items():
        if low in names:
            return role
    words = low.split("_")
    return next((role for role, names in NAMES.items() if any(one in words for one in names)), None)


def _by_place(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and parameter.kind is parameter.POSITIONAL_ONLY


def _named(target: object) -> str:
    return str(getattr(target, "__qualname__", None) or type(target).__name__)
