"""Fingerprints of results: a digest of everything that a result depends on."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from redpen.errors import RedpenError
from redpen.policy.packs import DEFAULT_PACK
from redpen_evals.cassettes.store import AGENTS_OWN_MODEL, CassetteLocation
from redpen_evals.evaluation.subject import with_fewer_knobs
from redpen_evals.options import Options
from redpen_evals.project_files import SOURCES, project_files
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.versions import installed_versions

if TYPE_CHECKING:
    from redpen_evals.records.model import ScenarioResult
    from redpen_evals.scenario_library.layout import Layout
    from redpen_evals.variants import Variant

_PROMPT_NAME: Final = re.compile(rb'("\$prompt": "[^"@\n]{1,200})@[0-9a-f]{8,64}"')
"""The name of a prompt in a cassette; it has a hash until the end of the recording session."""
_DIGITS: Final = 24
_MAX_FILES: Final = 20_000
_MAX_BYTES: Final = 200_000_000
_SETTINGS: Final = ("redpen_agents", "redpen_volatile", "redpen_telemetry", "redpen_model_variables")


class _TooLargeError(Exception):
    """A project has too many files to read them in each session."""


class Fingerprints:
    """Fingerprints of the results of one session; equal fingerprints mean equal inputs.

    They depend on scenario, context or plan, recordings, knobs, prompts and policy, settings, the code of
    Redpen and the versions of its dependencies; for users' own agents also on the project's sources and the
    installed packages.

    Args:
        options: the options of the session.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._contents: dict[Path, bytes | None] = {}
        self._policies: dict[str | None, list[str]] = {}

    def of(self, result: ScenarioResult, *, is_call: bool) -> str:
        """Return the fingerprint of a result; empty if it cannot be computed, which never matches.

        Args:
            result: the result; its scenario, context, variant, sample and test are used.
            is_call: whether a test starts the run itself, without a scenario file.
        """
        try:
            files, values = self._inputs(result, is_call=is_call)
        except (RedpenError, OSError, KeyError, _TooLargeError):
            return ""
        digest = hashlib.sha256(json.dumps(values, sort_keys=True, default=repr).encode())
        for path in files:
            content = self._content(path)
            _add(digest, path.name.encode(errors="surrogateescape"))
            _add(digest, None if content is None else _PROMPT_NAME.sub(rb'\1"', content))
        kind = "call" if is_call else "scenario"
        return f"{kind}-{digest.hexdigest()[:_DIGITS]}"

    def is_current(self, result: ScenarioResult) -> bool:
        """Return whether a result of an earlier session has the same inputs now."""
        is_call = result.fingerprint.startswith("call-")
        return bool(result.fingerprint) and self.of(result, is_call=is_call) == result.fingerprint

    def _content(self, path: Path) -> bytes | None:
        # Cached: code is loaded once per session, and hundreds of results share a judge.
        is_shared = path.suffix == ".py" or path in self._judges
        if not is_shared or path not in self._contents:
            content = path.read_bytes() if path.is_file() else None
            if not is_shared:
                return content
            self._contents[path] = content
        return self._contents[path]

    @functools.cached_property
    def _layout(self) -> Layout:
        return self._options.layout

    @functools.cached_property
    def _judges(self) -> tuple[Path, ...]:
        return () if self._layout.judges is None else tuple(sorted(self._layout.judges.glob("*")))

    def _inputs(self, result: ScenarioResult, *, is_call: bool) -> tuple[list[Path], dict[str, Any]]:
        """Return the files whose names and contents are hashed, even if missing, and all other inputs."""
        layout = self._layout
        is_own = is_call or result.scenario.split("/", maxsplit=1)[0] not in BUILT_IN_AGENTS
        variant = self._variants[is_own][result.variant]
        files = list(_test_files(self._options.config.rootpath, result.test.partition("::")[0]))
        if not is_call:
            files.append(layout.scenario_path(result.scenario))
        if result.context is not None:
            named = (find(result.context) for find in (layout.context_path, layout.plan_path))
            files += [path for path in named if path is not None]
        if not is_own:
            files += self._judges
        files += self._cassettes(result, variant, is_own=is_own)
        values = {"variant": _knobs(variant, is_own=is_own), "redpen": redpen_code(), **_versions()}
        pack = result.policy.pack if result.policy else None
        if pack not in self._policies:
            self._policies[pack] = self._policy(pack)
        values["policy"] = self._policies[pack]
        if is_own:
            values["settings"] = [self._options.setting(name) for name in _SETTINGS]
            values["project"], values["installed"] = self._project, _installed()
        return files, values

    def _policy(self, name: str | None) -> list[str]:
        # Which pack applies depends on the scenario's files and on the match keys of all packs.
        packs = self._options.packs
        pack = packs.named(name) if name else DEFAULT_PACK
        return [pack.hash, packs.hash, self._project if pack.gate else ""]

    def _cassettes(self, result: ScenarioResult, variant: Variant, *, is_own: bool) -> Iterator[Path]:
        models = (variant.model, AGENTS_OWN_MODEL) if is_own else (variant.model,)
        for model in models:
            location = CassetteLocation(
                root=self._layout.cassettes,
                model=model,
                scenario=result.scenario,
                variant=variant.cassette_label,
                sample=result.sample,
            )
            yield location.path
            yield from (fewer.path for fewer in with_fewer_knobs(location))

    @functools.cached_property
    def _variants(self) -> Mapping[bool, Mapping[str, Variant]]:
        return {
            is_own: {variant.label: variant for variant in self._options.variants_of(is_own=is_own)}
            for is_own in (False, True)
        }

    @functools.cached_property
    def _project(self) -> str:
        options, layout = self._options, self._layout
        root = Path(options.config.rootpath)
        written = [options.path(name) for name in ("redpen_runs", "redpen_baseline")]
        written += [Path(name).absolute() for name in options["--report"]]
        # Contexts are included, since a test may name one.
        scenarios = (
            [layout.scenarios / folder for folder in layout.folders()] if layout.scenarios.is_dir() else []
        )
        excluded = {path.resolve() for path in (layout.cassettes, *scenarios, *written)}
        further = map(Path, options.config.getini("pythonpath"))
        return digest_of_files((root, *(path for path in further if not path.is_relative_to(root))), excluded)


@functools.lru_cache(maxsize=1024)
def _test_files(root: Path, test_file: str) -> tuple[Path, ...]:
    """Return a test file and its conftest files."""
    file = root / test_file
    folders = [*itertools.takewhile(lambda folder: folder != root, file.parents)]
    if root in file.parents:
        folders.append(root)
    return (file, *(folder / "conftest.py" for folder in folders))


@functools.cache
def redpen_code() -> str:
    """Return a digest of the code and data of Redpen, including prompts and guards."""
    import redpen
    import redpen_evals

    packages = (Path(str(package.__file__)).parent for package in (redpen, redpen_evals))
    return digest_of_files(packages, (), suffixes=None)


def digest_of_files(
    folders: Iterable[Path], excluded: Collection[Path], *, suffixes: Collection[str] | None = SOURCES
) -> str:
    """Return a digest of the names and contents of the files below some folders.

    Hidden folders, virtual environments, caches, package metadata and links to folders are left out.

    Args:
        folders: the folders.
        excluded: files and folders to leave out, resolved.
        suffixes: suffixes of the files to include; None for all.
    """
    digest, read, number = hashlib.sha256(), 0, 0
    for folder in folders:
        for path in project_files(folder, excluded=excluded):
            if (suffixes is not None and path.suffix not in suffixes) or path.suffix == ".pyc":
                continue
            content = path.read_bytes()
            read, number = read + len(content), number + 1
            if number > _MAX_FILES or read > _MAX_BYTES:
                raise _TooLargeError
            _add(digest, path.relative_to(folder).as_posix().encode(errors="surrogateescape"))
            _add(digest, content)
    return digest.hexdigest()


def _knobs(variant: Variant, *, is_own: bool) -> dict[str, Any]:
    knobs: dict[str, Any] = {"label": variant.label, "model": variant.model}
    if is_own:
        return knobs | {
            "arguments": dict(variant.arguments),
            "environment": dict(variant.environment),
            "attributes": dict(variant.attributes),
        }
    prompts = sorted((prompt.name, prompt.phase, prompt.hash) for prompt in variant.prompts)
    return knobs | {"temperature": variant.temperature, "policy": dict(variant.policy), "prompts": prompts}


@functools.cache
def _versions() -> dict[str, Any]:
    return {"versions": installed_versions(), "python": list(sys.version_info[:3])}


@functools.cache
def _installed() -> tuple[str, ...]:
    names: set[str] = set()
    for folder in filter(os.path.isdir, sys.path):
        names.update(path.name for path in Path(folder).glob("*.dist-info"))
    return tuple(sorted(names))


def _add(digest: Any, content: bytes | None) -> None:
    # Prefixed with its length, so that the boundaries between parts are unambiguous.
    digest.update(f"{-1 if content is None else len(content)}:".encode())
    digest.update(content or b"")
