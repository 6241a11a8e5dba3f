"""Variants: the same scenarios run with other values of knobs."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError, InvalidInputError
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy, load_policy
from redpen.policy.packs import PolicyPacks
from redpen.prompts import PROMPT_NAMES, PromptSet, base_prompts, load_prompts
from redpen.text.json_values import parse_json
from redpen.text.suggestion import suggestion
from redpen_evals.targets.environment import is_secret_name

ARGUMENT: Final = "arg."
ENVIRONMENT: Final = "env."
ATTRIBUTE: Final = "attr."
OWN_KNOBS: Final = (ARGUMENT, ENVIRONMENT, ATTRIBUTE)

_FILE: Final = "file:"
_MAX_FILE_BYTES: Final = 1_000_000
_FORMS: Final = {
    ARGUMENT: (re.compile(r"[^\W\d]\w*"), "arg.NAME=a,b, NAME being a parameter of the agent"),
    ENVIRONMENT: (re.compile(r"[A-Za-z_][A-Za-z0-9_]*"), "env.NAME=a,b"),
    ATTRIBUTE: (
        re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*"),
        "attr.package.module:NAME=a,b",
    ),
}


def _is_own_knob(name: str) -> bool:
    """Return whether only the user's own agents have a knob."""
    return name.startswith(OWN_KNOBS)


def _check_own_knob(name: str) -> None:
    kind = next(kind for kind in OWN_KNOBS if name.startswith(kind))
    form, example = _FORMS[kind]
    if not form.fullmatch(name.removeprefix(kind)):
        raise ConfigurationError(f"--variants {name}: write {example}")
    if kind == ENVIRONMENT and is_secret_name(name):
        raise ConfigurationError(
            f"--variants {name}: variants name folders and appear in reports, no place for a key"
        )


def _own_values(name: str, values: list[str]) -> list[str]:
    """Return the values of a knob as labels show them; if the first is a file, the others are files too."""
    if name.startswith(ENVIRONMENT) or not values[0].startswith(_FILE):
        return values
    return [value if value.startswith(_FILE) else f"{_FILE}{value}" for value in values]


def _read_own_value(name: str, text: str, root: Path) -> Any:
    """Return JSON if it is valid JSON, the text of a file with ``file:PATH``, else the text itself.

    An environment variable is always the text itself.
    """
    if not text.isprintable():
        raise ConfigurationError(f"--variants {name}={text!r}: values can hold only printable characters")
    if name.startswith(ENVIRONMENT):
        return text
    if text.startswith(_FILE):
        return _read_file(name, text.removeprefix(_FILE), root)
    try:
        return parse_json(text)
    except ValueError:
        if text.startswith(("[", "{")):
            raise ConfigurationError(
                f"--variants {name}={text}: commas separate the values, so a value cannot be a list or object"
            ) from None
        return text


def _read_file(name: str, written: str, root: Path) -> str:
    path = root / written
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise ConfigurationError(f"--variants {name}: {written} is larger than {_MAX_FILE_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigurationError(f"--variants {name}: {written} is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"--variants {name}: {written}: {reason}{_nearest_file(written, root)}"
        ) from None


def _nearest_file(written: str, root: Path) -> str:
    folder = (root / written).parent
    try:
        known = [(Path(written).parent / file.name).as_posix() for file in folder.iterdir() if file.is_file()]
    except (OSError, ValueError):
        return ""
    return suggestion(written, known)


MODEL, TEMPERATURE, POLICY = "model", "temperature", "policy."
PACK = "policy"
_COMMON_KNOBS = (f"{MODEL}=", f"{PACK}=")
_POLICIES = (SelfCritiquePolicy, ReflectionPolicy, GuardedPolicy)
_PLACEHOLDERS = {POLICY: "FIELD", ARGUMENT: "NAME", ENVIRONMENT: "NAME", ATTRIBUTE: "MODULE:NAME"}
_MAX_VARIANTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One combination of the knobs' values.

    Attributes:
        label: the changed knobs, e.g. ``critique=v2,temperature=0.7``; empty for the base.
        model: whose recordings are used.
        temperature: of the model's sampling.
        policy: fields of the policy, for the scenarios whose agent has them.
        arguments: of the user's own agents, which override a scenario's input.
        environment: variables that are set for such agents.
        attributes: values that ``module:NAME`` has for such agents.
        pack: name of the policy pack that judges every run; None if scenarios decide.
        prompts: of the built-in agents.
    """

    label: str
    model: str
    temperature: int | float = 0
    policy: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    pack: str | None = None
    prompts: PromptSet

    @property
    def cassette_label(self) -> str:
        """The label without the model, which has cassettes of its own."""
        return split_model(self.label)[1]

    def of_agent(self, *, is_own: bool) -> Variant:
        """Return the variant with only the knobs that an agent has.

        Args:
            is_own: whether it is the user's own agent: it has ``arg.``, ``env.`` and ``attr.``; the built-in
                ones have prompts, temperature and fields of their policy, and all have the model and the
                policy pack.
        """
        knobs = self.label.split(",") if self.label else []
        kept = [knob for knob in knobs if knob.startswith(_COMMON_KNOBS) or _is_own_knob(knob) == is_own]
        if kept == knobs:
            return self
        label = ",".join(kept)
        if is_own:
            return replace(self, label=label, temperature=0, policy={}, prompts=base_prompts())
        return replace(self, label=label, arguments={}, environment={}, attributes={})

    def policy_of(self, limits: SelfCritiquePolicy | ReflectionPolicy | GuardedPolicy) -> Any:
        """Return a scenario's policy with the values of this variant for its fields."""
        changes = {name: value for name, value in self.policy.items() if name in type(limits).model_fields}
        if not changes:
            return limits
        return load_policy(type(limits), {**limits.model_dump(), **changes})


def split_model(label: str) -> tuple[str, str]:
    """Return the model that a variant's label names, or an empty text, and the label without it."""
    knobs = label.split(",")
    named = [knob for knob in knobs if knob.startswith(f"{MODEL}=")]
    model = named[-1].removeprefix(f"{MODEL}=") if named else ""
    return model, ",".join(knob for knob in knobs if knob not in named)


def base_variant(model: str) -> Variant:
    """Return the variant in which every knob has its default."""
    return Variant(label="", model=model, prompts=base_prompts())


def read_variants(
    *,
    model: str,
    prompts: Sequence[str] = (),
    variants: Sequence[str] = (),
    folder: Path | None = None,
    root: Path | None = None,
    pack: str | None = None,
    packs: PolicyPacks | None = None,
) -> tuple[Variant, ...]:
    """Return the variants that a command line requests.

    Args:
        model: whose recordings are used unless a variant names another.
        prompts: ``critique=v2`` each, or several joined by commas, for every variant.
        variants: an axis each, ``critique=v1,v2``, ``model=a,b``, ``temperature=0,0.7``,
            ``policy.max_draft_chars=600,900``, ``arg.tone=warm,dry``, ``env.PROMPT_FILE=a.md,b.md`` or
            ``attr.support.mailer:PROMPT=file:a.md,b.md``; the variants are all their combinations.
        folder: of the user's own prompts.
        root: folder of the project, to which files in values are relative; by default the working one.
        pack: name of the policy pack that judges every variant.
        packs: the project's policy packs.

    Raises:
        ConfigurationError: there is no such knob, or a value cannot be used.
    """
    fixed = _fixed(prompts, pack)
    axes: dict[str, list[str]] = {}
    for text in variants:
        name, values = _split(text, "--variants", "critique=v1,v2")
        if _is_own_knob(name):
            _check_own_knob(name)
        elif not name.startswith(POLICY):
            _check_name(name, (*PROMPT_NAMES, MODEL, TEMPERATURE, PACK), "--variants")
        if name in fixed:
            option = "--policy" if name == PACK else "--prompts"
            raise ConfigurationError(f"--variants {text!r}: {option} sets {name} already")
        stripped = [value.strip() for value in values.split(",")]
        axes.setdefault(name, []).extend(_own_values(name, stripped) if _is_own_knob(name) else stripped)
    for name in filter(None, (*axes.get(PACK, ()), fixed.get(PACK))):
        (packs or PolicyPacks()).named(name)
    if any(not value for values in axes.values() for value in values):
        raise ConfigurationError("--variants: a value is empty; write critique=v1,v2")
    combined = list(itertools.islice(itertools.product(*axes.values()), _MAX_VARIANTS + 1))
    if len(combined) > _MAX_VARIANTS:
        raise ConfigurationError(f"--variants: more than {_MAX_VARIANTS} combinations")
    base = load_prompts(folder=folder)
    created = [
        _variant({**fixed, **dict(zip(axes, chosen, strict=True))}, model, base, folder, root or Path())
        for chosen in combined
    ]
    return _unique(created)


def _fixed(prompts: Sequence[str], pack: str | None) -> dict[str, str]:
    """Return the knobs that every variant has, by name."""
    fixed: dict[str, str] = {}
    for text in prompts:
        for choice in text.split(","):
            name, value = _split(choice, "--prompts", "critique=v2")
            _check_name(name, PROMPT_NAMES, "--prompts")
            if fixed.setdefault(name, value) != value:
                raise ConfigurationError(f"--prompts: {name} is set twice, to {fixed[name]!r} and {value!r}")
    return fixed if pack is None else {**fixed, PACK: pack}


def variants_of_agents(variants: Iterable[Variant], *, is_own: bool) -> tuple[Variant, ...]:
    """Return variants with only the knobs that agents of a kind have, without duplicates."""
    return _unique(variant.of_agent(is_own=is_own) for variant in variants)


def _unique(variants: Iterable[Variant]) -> tuple[Variant, ...]:
    return tuple({variant.label: variant for variant in variants}.values())


def _variant(
    knobs: Mapping[str, str], model: str, base: PromptSet, folder: Path | None, root: Path
) -> Variant:
    choices: dict[str, str] = {name: value for name, value in knobs.items() if name in PROMPT_NAMES}
    chosen = load_prompts(choices, folder=folder) if choices else base
    label: dict[str, str] = {
        prompt.name: prompt.version for prompt in chosen if prompt.version != base[prompt.name].version
    }
    temperature = _temperature(knobs[TEMPERATURE]) if TEMPERATURE in knobs else 0
    if temperature:
        label[TEMPERATURE] = f"{temperature:g}"
    if knobs.get(MODEL, model) != model:
        label[MODEL] = knobs[MODEL]
    if PACK in knobs:
        label[PACK] = knobs[PACK]
    policy = {}
    for name, value in knobs.items():
        if name.startswith(POLICY):
            policy[name.removeprefix(POLICY)] = _policy_value(name.removeprefix(POLICY), value)
            label[name] = value
    own = {name: _read_own_value(name, value, root) for name, value in knobs.items() if _is_own_knob(name)}
    label |= {name: knobs[name] for name in own}
    return Variant(
        label=",".join(f"{name}={value}" for name, value in label.items()),
        model=knobs.get(MODEL, model),
        temperature=temperature,
        policy=policy,
        arguments=_of_kind(ARGUMENT, own),
        environment=_of_kind(ENVIRONMENT, own),
        attributes=_of_kind(ATTRIBUTE, own),
        pack=knobs.get(PACK),
        prompts=chosen,
    )


def _of_kind(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(kind): value for name, value in values.items() if name.startswith(kind)}


def _split(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise ConfigurationError(f"{option} {text!r}: write {example}")
    return name.strip(), value.strip()


def _check_name(name: str, known: Iterable[str], option: str) -> None:
    names = tuple(known)
    if name not in names:
        prefixes = (POLICY, ARGUMENT, ENVIRONMENT, ATTRIBUTE) if TEMPERATURE in names else ()
        listed = (*names, *(f"{prefix}{_PLACEHOLDERS[prefix]}" for prefix in prefixes))
        near = suggestion(name, names) or suggestion(f"{name.partition('.')[0]}.", prefixes)
        raise ConfigurationError(f"{option}: no knob {name!r}{near}; known knobs are {', '.join(listed)}")


def _temperature(text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise ConfigurationError(f"--variants temperature={text}: a temperature is a number from 0 to 2")
    return int(value) if value.is_integer() else value


def _policy_value(name: str, text: str) -> Any:
    kinds = [kind for kind in _POLICIES if name in kind.model_fields]
    if not kinds:
        known = sorted({field for kind in _POLICIES for field in kind.model_fields})
        raise ConfigurationError(
            f"--variants: no agent's policy has a field {name!r}{suggestion(name, known)}"
        )
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    try:
        for kind in kinds:
            load_policy(kind, {name: value})
    except InvalidInputError as error:
        raise ConfigurationError(f"--variants {POLICY}{name}={text}: {error}") from error
    return value
