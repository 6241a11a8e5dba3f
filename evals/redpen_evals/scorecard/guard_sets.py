"""Guard sets: anything that judges a revised text, behind one interface."""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TimeIsOver
from redpen_evals.guard_adapters.verdicts import Ask, Judgement, adapt_guard, crashed, read_verdict
from redpen_evals.targets.environment import placeholders_for

if TYPE_CHECKING:
    from redpen_evals.judges.guard_set import JudgeGuards

MIN_SIMILARITY = 0.4

_FACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("no_new_facts", re.compile(r"\b\d{1,15}(?:\.\d{1,15})?%?\b")),
    ("new_incident_id", re.compile(r"\binc_\w{1,80}\b", re.IGNORECASE)),
    ("new_severity_label", re.compile(r"\bP[0-5]\b", re.IGNORECASE)),
    ("new_region", re.compile(r"\b(?:US|EU|UK|UA|APAC|LATAM|GLOBAL)\b")),
)
_CLAIMS: tuple[re.Pattern[str], ...] = (
    re.compile(r"\b(?:fully|completely) (?:resolved|recovered|restored)\b", re.IGNORECASE),
    re.compile(r"\b(?:we )?(?:guarantee|promise)\b", re.IGNORECASE),
    re.compile(r"\bwill (?:definitely|certainly)\b", re.IGNORECASE),
    re.compile(r"\b(?:incident|issue) (?:is|has been) (?:resolved|fixed|closed)\b", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternMatch:
    """A match of a pattern: its code, and start and end (exclusive) in the revised text."""

    code: str
    span: tuple[int, int]


def check_with_patterns(
    *, original: str, revised: str, context: Mapping[str, Any]
) -> tuple[PatternMatch, ...]:
    """Return the matches of the patterns in a revised text, in the order of the checks."""
    allowed = f"{json.dumps(context, ensure_ascii=False)}\n{original}"
    matches = []
    if SequenceMatcher(None, original, revised).ratio() < MIN_SIMILARITY:
        matches.append(PatternMatch(code="too_large_edit", span=(0, len(revised))))
    for code, pattern in _FACTS:
        known = {match.casefold() for match in pattern.findall(allowed)}
        matches += [
            PatternMatch(code=code, span=match.span())
            for match in pattern.finditer(revised)
            if match.group().casefold() not in known
        ]
    hints = context.get("policy_hints")
    strict = isinstance(hints, Mapping) and bool(hints.get("avoid_absolute_guarantees"))
    matches += [
        PatternMatch(code="restricted_claims", span=match.span())
        for pattern in _CLAIMS
        if strict or not pattern.search(allowed)
        for match in pattern.finditer(revised)
    ]
    return tuple(matches)


REDPEN, REGEX = "redpen", "regex"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSet:
    """A named guard set.

    Attributes:
        name: its name in the scorecard and in the thresholds.
        guards: the callable that judges, called by the names of its parameters: see
            ``guard_adapters.verdicts``.
        recorded: whether an update of the scorecard records its figures as thresholds.
        model_guards: judges labelled drafts instead of ``guards``, if it asks a model, which costs money.

    Raises:
        ConfigurationError: it cannot be called, or a parameter has an unknown name.
    """

    name: str
    guards: Any
    recorded: bool = True
    model_guards: JudgeGuards | None = None
    _ask: Ask = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the parameters of the guards."""
        object.__setattr__(self, "_ask", adapt_guard(self.guards, name=self.name))

    def judge(self, *, original: str, revised: str, context: Mapping[str, Any]) -> Judgement:
        """Judge one text; guards that raise, or answer in an unknown form, block with ``guard_error``."""
        try:
            return read_verdict(self._ask(original, revised, context), len(revised))
        except (KeyboardInterrupt, TimeIsOver):
            raise
        except BaseException as error:  # noqa: BLE001 - any crash blocks, also `sys.exit` and `pytest.skip`
            return crashed(error)


def built_in_guard_sets() -> tuple[GuardSet, ...]:
    """Return the guards of Redpen, and the regular expressions that they are compared with."""
    from redpen.guards import check_revision

    return (
        GuardSet(name=REDPEN, guards=check_revision),
        GuardSet(name=REGEX, guards=check_with_patterns, recorded=False),
    )


def load_guard_set(place: str, *, option: str = "--guards") -> GuardSet:
    """Load the guard set at ``module:name``.

    Args:
        option: name of the option or argument, for messages.

    Raises:
        ConfigurationError: there is no such module or name, or it cannot be called.
    """
    module_name, colon, attribute = place.partition(":")
    if not (colon and module_name and attribute):
        raise ConfigurationError(f"{option} {place!r}: write module:name, such as my_guards:check")
    module = None
    try:
        module = _imported(module_name)
        target = attrgetter(attribute)(module)
    except AttributeError as error:
        hint = suggestion(attribute, [name for name, value in vars(module).items() if callable(value)])
        raise ConfigurationError(f"{option} {place!r}: {error}{hint}") from error
    except (KeyboardInterrupt, TimeIsOver):
        raise
    except BaseException as error:
        is_missing = isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]
        hint = "; its folder has to be the project's, or on its `pythonpath`" if is_missing else ""
        raise ConfigurationError(f"{option} {place!r}: {type(error).__name__}: {error}{hint}") from error
    try:
        return GuardSet(name=place, guards=target)
    except ConfigurationError as error:
        raise ConfigurationError(f"{option} {error}") from error


def _imported(module_name: str) -> Any:
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        # A module may create a client on import, even for guards that ask no model.
        with placeholders_for(str(error)) as are_set:
            if are_set:
                return importlib.import_module(module_name)
        raise


def check_names(guard_sets: Iterable[GuardSet]) -> tuple[GuardSet, ...]:
    """Return the guard sets as a tuple; raises ConfigurationError if two have one name."""
    sets = tuple(guard_sets)
    counts = Counter(guard_set.name for guard_set in sets)
    if duplicates := sorted(name for name, count in counts.items() if count > 1):
        raise ConfigurationError(f"two guard sets are named {duplicates[0]!r}")
    return sets
