"""Parse a guard's answer into a judgement: bools, findings, objects, dicts and verdict words."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from redpen.errors import ConfigurationError
from redpen.screen import shortened
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
_WORD_KEYS: Final = ("verdict", "outcome", "decision", "action", "result")
_PASSING_WORDS: Final = frozenset(
    ["pass", "passed", "ok", "allow", "allowed", "safe", "valid", "approve", "approved"]
)
_BLOCKING_WORDS: Final = frozenset(
    ["block", "blocked", "fail", "failed", "deny", "denied", "unsafe", "invalid", "reject", "rejected"]
)
_MISSING: Final = object()
_NO_LISTS: Final = (str, bytes, bytearray, memoryview)
_SHOWN_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The judgement of a guard set on one text.

    Attributes:
        blocked: whether it blocks.
        codes: its reasons in its own order; may be empty if it gives none.
        concerned: whether it has a concern, other than about the language.
        unread: whether a part of the text is in a language that it does not read.
        spans: start and end (exclusive) of the violations in the revised text, if it gives them.
        error: description of the exception that it raised, which blocks; None if it judged.
    """

    blocked: bool
    codes: tuple[str, ...] = ()
    concerned: bool = False
    unread: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    error: str | None = None


def crashed(error: BaseException) -> Judgement:
    """Return the judgement of a guard that raised or gave an invalid answer: it blocks."""
    message = f"{type(error).__name__}: {error}".splitlines()[0]
    return Judgement(blocked=True, codes=(GUARD_ERROR,), error=message)


def read_verdict(answer: object, length: int) -> Judgement:
    """Parse a guard's answer.

    Args:
        answer: whether it blocks; a verdict word, or a code; findings; or an object or a dict with findings
            (``violations``), a bool (``blocked``, ``ok``, ``passed`` …) or a word (``outcome`` …). Of several
            bools and words one that blocks is enough; together they take precedence over the findings.
        length: length of the revised text.

    Raises:
        TypeError: the answer has none of these forms, or has an ``error``.
    """
    if isinstance(answer, bool):
        return Judgement(blocked=answer)
    if isinstance(answer, str):
        return _from_word(answer)
    if error := _attribute(answer, "error", None):
        raise TypeError(
            f"guards returned an error instead of a verdict: {shortened(repr(error), _SHOWN_CHARS)}"
        )
    findings = _all_findings(answer)
    decided = _from_decision(answer)
    if findings is _MISSING and decided is not None:
        return decided
    if findings is _MISSING:
        findings = answer
        if isinstance(answer, Mapping):
            raise TypeError(
                f"guards returned a dict of {', '.join(map(repr, answer)) or 'nothing'}: no verdict"
            )
    if not isinstance(findings, Iterable) or isinstance(findings, _NO_LISTS):
        raise TypeError(f"guards returned {type(answer).__name__}: no violations, no codes, no bool")
    read = _from_findings(tuple(findings), answer, length)
    if decided is not None and decided.blocked != read.blocked:
        # The decision takes precedence; the findings may only be concerns.
        return Judgement(blocked=decided.blocked, codes=read.codes if decided.blocked else ())
    return read


def _from_word(word: str) -> Judgement:
    lower = word.strip().lower()
    if lower in _PASSING_WORDS:
        return Judgement(blocked=False)
    return Judgement(blocked=True, codes=() if lower in _BLOCKING_WORDS else (word,))


def _from_decision(answer: object) -> Judgement | None:
    decisions = [
        value is blocks
        for names, blocks in ((_BLOCKS, True), (_PASSES, False))
        for value in _values(answer, names)
        if isinstance(value, bool)
    ]
    words = [word.strip().lower() for word in _values(answer, _WORD_KEYS) if isinstance(word, str)]
    decisions += [word in _BLOCKING_WORDS for word in words if word in _PASSING_WORDS | _BLOCKING_WORDS]
    return Judgement(blocked=any(decisions)) if decisions else None


def _all_findings(answer: object) -> object:
    """Return the findings of all keys together; ``_MISSING`` without such a key, another value unchanged."""
    found = list(_values(answer, _FINDINGS))
    given = [value for value in found if value] if len(found) > 1 else found
    if len(given) < 2:
        return next(iter(given or found), _MISSING)
    unread = [value for value in given if not isinstance(value, Iterable) or isinstance(value, _NO_LISTS)]
    return unread[0] if unread else [item for value in given if isinstance(value, Iterable) for item in value]


def _from_findings(findings: tuple[object, ...], answer: object, length: int) -> Judgement:
    codes = tuple(
        item if isinstance(item, str) else str(_value(item, "code", "unknown")) for item in findings
    )
    spans = tuple(span for item in findings if (span := _span(item, length)) is not None)
    concerned = _value(answer, "concerns", ())
    concerns = [_value(item, "code", item) for item in concerned] if isinstance(concerned, Iterable) else []
    crashes = [item for item, code in zip(findings, codes, strict=True) if code == GUARD_ERROR]
    return Judgement(
        blocked=bool(findings),
        codes=codes,
        concerned=any(code != UNREAD for code in concerns),
        unread=UNREAD in (*codes, *concerns),
        spans=spans,
        error=str(_value(crashes[0], "reading", GUARD_ERROR)) if crashes else None,
    )


def _values(answer: object, names: Iterable[str]) -> Iterator[object]:
    for name in names:
        value = _attribute(answer, name, _MISSING)
        if value is not _MISSING:
            yield value


def _attribute(answer: object, name: str, default: object) -> object:
    value = _value(answer, name, default)
    return default if callable(value) else value


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
"""Parameter names of each role."""

_METHODS: Final = ("validate", "check")
"""Methods that judge, of an object that is not a function."""

Ask = Callable[[str, str, Mapping[str, Any]], object]
"""Calls a guard with original, revised text and context; returns its answer."""


def adapt_guard(guard: object, *, name: str = "") -> Ask:
    """Return a function that calls a guard with the arguments that its parameters' names select.

    Args:
        guard: a function, plain or async, a callable object, or one with a method ``validate`` or
            ``check``. Each parameter without a default must have a name of ``NAMES``; a single parameter
            may have any name, and gets the revised text.
        name: its name in messages.

    Raises:
        ConfigurationError: it cannot be called, or a parameter's name is unknown.
    """
    target = _callable_of(guard, name)
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError):
        # Some callables written in C have no signature.
        parameters = inspect.signature(lambda text: text).parameters
    roles = _roles(parameters, name or _name_of(target))

    def call(original: str, revised: str, context: Mapping[str, Any]) -> object:
        values: dict[Role, Any] = {"original": original, "revised": revised}
        if "context" in roles.values():
            # A guard that changes its context must not affect the next one.
            values["context"] = copy.deepcopy(dict(context))
        positional = [values[role] for name, role in roles.items() if _is_positional(parameters.get(name))]
        named = {
            name: values[role] for name, role in roles.items() if not _is_positional(parameters.get(name))
        }
        answer = target(*positional, **named)
        return LOOPS.get().run_until_complete(answer) if inspect.isawaitable(answer) else answer

    return call


def _callable_of(guard: object, name: str) -> Callable[..., Any]:
    instance = guard
    if inspect.isclass(guard):
        try:
            instance = guard()
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            raise ConfigurationError(
                f"{name or guard.__name__}: cannot be created without arguments: {message}"
            ) from error
    if not inspect.isroutine(instance):
        for name_of_method in _METHODS:
            method: Callable[..., Any] | None = getattr(instance, name_of_method, None)
            if callable(method):
                return method
    if not callable(instance):
        raise ConfigurationError(f"{name}: {type(instance).__name__} cannot be called")
    return instance


def _roles(parameters: Mapping[str, inspect.Parameter], name: str) -> dict[str, Role]:
    """Return the role of each parameter, by its name."""
    named = {
        item.name: item
        for item in parameters.values()
        if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
    }
    roles: dict[str, Role] = {}
    for parameter in named:
        if (role := _role(parameter)) and role not in roles.values():
            roles[parameter] = role
    if any(item.kind is item.VAR_KEYWORD for item in parameters.values()):
        roles |= {role: role for role in NAMES if role not in roles.values()}
    missing = [key for key in named if named[key].default is inspect.Parameter.empty and key not in roles]
    if "revised" not in roles.values():
        # ``guard(draft)`` judges that draft, and a single parameter of any name gets the text.
        candidates = [key for key, role in roles.items() if role == "original"] or missing[:1]
        if candidates:
            roles[candidates[0]] = "revised"
            missing = [key for key in missing if key != candidates[0]]
    if missing or "revised" not in roles.values():
        allowed = "; ".join(f"{role}: {', '.join(names)}" for role, names in NAMES.items())
        problem = f"unknown parameter {missing[0]!r}" if missing else "it has no parameter for the text"
        raise ConfigurationError(f"{name}: {problem}; use these names ({allowed}), or give it a default")
    return roles


def _role(name: str) -> Role | None:
    lower = name.lower()
    for role, names in NAMES.items():
        if lower in names:
            return role
    words = lower.split("_")
    return next((role for role, names in NAMES.items() if any(word in words for word in names)), None)


def _is_positional(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and parameter.kind is parameter.POSITIONAL_ONLY


def _name_of(target: object) -> str:
    return str(getattr(target, "__qualname__", None) or type(target).__name__)
