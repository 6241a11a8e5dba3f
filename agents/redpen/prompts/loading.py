"""Prompts from their files: ``<name>.md`` is the base, ``<name>.<anything>.md`` a variant of it."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from redpen.errors import ConfigurationError
from redpen.prompts.model import PHASES, PROMPT_NAMES, Prompt, PromptName, PromptSet
from redpen.text.suggestion import suggestion

_FOLDER = Path(__file__).parent
_FENCE = "---"
_MAX_BYTES = 200_000


class FrontMatter(BaseModel):
    """What stands between the two ``---`` lines at the top of a prompt's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: StrictStr
    version: StrictStr = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")
    notes: StrictStr = ""


@functools.cache
def base_prompts() -> PromptSet:
    """Return the prompts that come with the agents."""
    return load_prompts()


def load_prompts(choices: Mapping[str, str] | None = None, *, folder: Path | None = None) -> PromptSet:
    """Read the prompts of a run.

    Args:
        choices: version by name of the prompt, for those that are not to be the base.
        folder: holds more versions; a ``<name>.md`` in it takes the place of the agents' own base.

    Raises:
        ConfigurationError: there is no such prompt, version or folder, or a file has a fault.
    """
    choices = choices or {}
    for name in choices:
        if name not in PROMPT_NAMES:
            raise ConfigurationError(f"no prompt {name!r}{suggestion(name, PROMPT_NAMES)}")
    versions = _versions(_FOLDER)
    if folder is not None:
        own = _versions(folder)
        versions = {name: _merged(versions[name], own[name]) for name in PROMPT_NAMES}
    return PromptSet(
        prompts={name: _choose(name, versions[name], choices.get(name)) for name in PROMPT_NAMES}
    )


def read_prompt(path: Path) -> Prompt:
    """Read one file.

    Raises:
        ConfigurationError: it is no UTF-8 text, its front matter has a fault, or it holds no text.
    """
    name = _name_of(path)
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(content) > _MAX_BYTES:
        raise ConfigurationError(f"{path}: is longer than {_MAX_BYTES:,} bytes")
    try:
        lines = content.decode("utf-8-sig").splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is no UTF-8 at byte {error.start}") from error
    fences = [at for at, line in enumerate(lines) if line.rstrip() == _FENCE]
    if not fences or fences[0] != 0 or len(fences) == 1:
        raise ConfigurationError(
            f"{path}:1: a prompt starts with its front matter: phase and version between two lines ---"
        )
    matter = _front_matter(path, "".join(lines[1 : fences[1]]))
    text = "".join(lines[fences[1] + 1 :]).strip()
    if not text:
        raise ConfigurationError(f"{path}:{fences[1] + 1}: there is no text below the front matter")
    if matter.phase != PHASES[name]:
        raise ConfigurationError(
            f"{path}: phase: {name} is asked in phase {PHASES[name]!r}, not {matter.phase!r}"
        )
    return Prompt(name=name, version=matter.version, notes=matter.notes, text=text, path=path)


def _name_of(path: Path) -> PromptName:
    name = path.name.split(".", maxsplit=1)[0]
    for known in PROMPT_NAMES:
        if name == known:
            return known
    raise ConfigurationError(f"{path}: no prompt is named {name!r}{suggestion(name, PROMPT_NAMES)}")


def _front_matter(path: Path, text: str) -> FrontMatter:
    import yaml

    try:
        value = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        problem = getattr(error, "problem", None) or "cannot be read"
        raise ConfigurationError(f"{path}:{line}: front matter: {problem}") from error
    try:
        return FrontMatter.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "front matter"
        raise ConfigurationError(f"{path}: {field}: {first['msg']}") from error


def _versions(folder: Path) -> dict[PromptName, dict[str, Prompt]]:
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: there is no such folder of prompts")
    found: dict[PromptName, dict[str, Prompt]] = {name: {} for name in PROMPT_NAMES}
    # The base first, so that it is the first of its versions.
    for path in sorted(folder.glob("*.md"), key=lambda path: (path.name.count("."), path.name)):
        prompt = read_prompt(path)
        known = found[prompt.name]
        if prompt.version in known:
            raise ConfigurationError(
                f"{path}: version {prompt.version!r} of {prompt.name} stands in {known[prompt.version].path.name} too"
            )
        known[prompt.version] = prompt
    return found


def _merged(builtin: Mapping[str, Prompt], own: Mapping[str, Prompt]) -> dict[str, Prompt]:
    has_base = any(prompt.path.name == f"{prompt.name}.md" for prompt in own.values())
    return (
        {**own, **{key: value for key, value in builtin.items() if key not in own}}
        if has_base
        else {**builtin, **own}
    )


def _choose(name: PromptName, versions: Mapping[str, Prompt], version: str | None) -> Prompt:
    if version is None:
        return next(iter(versions.values()))
    if version not in versions:
        known = ", ".join(versions)
        raise ConfigurationError(
            f"prompt {name} has no version {version!r}{suggestion(version, versions)}; there is {known}"
        )
    return versions[version]
