"""A project as the ``redpen`` command sees it: its root and settings, found as pytest finds them."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from redpen.errors import ConfigurationError
from redpen_evals.settings import (
    DEFAULTS,
    MODEL_VARIABLES,
    PREFIX,
    SETTINGS,
    find_redpen_toml,
    line_of,
    read_switch,
    refuse_unknown,
)

if TYPE_CHECKING:
    from redpen.policy.packs import PolicyPacks
    from redpen_evals.evaluation.own import OwnSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project's root and pytest settings.

    Attributes:
        root: its folder, absolute.
        config: the file with its pytest settings; None where it has none.
        values: the settings, of that file or of ``redpen.toml``.
        origins: ``file:line`` of Redpen's settings.
        invoked_in: the folder that relative paths of messages start from.
    """

    root: Path
    config: Path | None
    values: Mapping[str, object]
    invoked_in: Path
    origins: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """Return a setting of one line; raises ConfigurationError for any other value."""
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise self._unfit(name, "has to be a string")
        return value

    def lines(self, name: str, default: Sequence[str] = ()) -> list[str]:
        """Return the non-empty lines of a setting; raises as ``text``."""
        value = self.values.get(name, list(default))
        if isinstance(value, str):
            return [line.strip() for line in value.splitlines() if line.strip()]
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return list(value)
        raise self._unfit(name, "has to be a list of strings")

    def folders(self, name: str) -> list[Path]:
        """Return a setting of folders, relative to the file that names them; raises as ``text``."""
        value = self.values.get(name, "")
        try:
            named = shlex.split(value) if isinstance(value, str) else self.lines(name)
        except ValueError as error:
            raise self._unfit(name, str(error)) from None
        return [(self.config.parent if self.config else self.root) / folder for folder in named]

    def path(self, name: str) -> Path:
        """Return the file or folder that a setting names, or its default: below the root.

        Raises:
            ConfigurationError: the setting is not a string.
        """
        # In messages a path is easier to read, and to copy, as its user would write it.
        root = Path() if self.root == self.invoked_in else self.root
        return root / self.text(name, DEFAULTS[name])

    @property
    def prompts(self) -> Path | None:
        """The folder of the project's own versions of the built-in prompts, if it has one."""
        return self.path("redpen_prompts") if self.text("redpen_prompts") else None

    @property
    def packs(self) -> PolicyPacks:
        """The policy packs; raises ConfigurationError or FileError where they cannot be used."""
        from redpen_evals.policy_packs.in_force import read_packs

        return read_packs(self.path("redpen_policy"), is_given="redpen_policy" in self.values)

    @property
    def agents(self) -> tuple[tuple[str, str], ...]:
        """Short names of the project's own agents, with the places that they name."""
        from redpen_evals.targets.loading import read_agent_names

        return tuple(read_agent_names(self.lines("redpen_agents")).items())

    @property
    def own_agents(self) -> OwnSettings:
        """The settings of the project's own agents; raises ConfigurationError where they cannot be used."""
        from redpen_evals.settings import read_own_settings

        return read_own_settings(
            root=self.root,
            pythonpath=self.folders("pythonpath"),
            agents=self.lines("redpen_agents"),
            volatile=self.lines("redpen_volatile"),
            telemetry=self.lines("redpen_telemetry"),
            model_variables=self.lines("redpen_model_variables", MODEL_VARIABLES),
            tools=self.text("redpen_tools"),
            redact=read_switch("redpen_redact", self.values.get("redpen_redact", "false")),
        )

    def _unfit(self, name: str, problem: str) -> ConfigurationError:
        return ConfigurationError(f"{self.config}: {name}: {problem}")


def find_project(folder: Path | None = None) -> Project:
    """Return the project that a folder belongs to, as pytest would when it is started there.

    Args:
        folder: the working folder by default.

    Raises:
        ConfigurationError: a file with settings cannot be read.
    """
    start = Path.cwd() if folder is None else folder.absolute()
    root, config, values = _pytest_settings(start)
    toml = find_redpen_toml(root or start, above=config is None)
    if config is None and toml.path is not None:
        root = toml.path.parent
    if root is None:
        with_setup = (above for above in (start, *start.parents) if (above / "setup.py").is_file())
        root = next(with_setup, start)
    origins = _origins(config, values)
    return Project(
        root=root,
        config=config or toml.path,
        values={**toml.values, **values},
        invoked_in=start,
        origins={**toml.origins, **origins},
    )


def _pytest_settings(start: Path) -> tuple[Path | None, Path | None, dict[str, object]]:
    """Return root, file and settings as pytest finds them; none if pytest is not installed."""
    try:
        # Private, but the only function that knows which file and which of its tables count.
        from _pytest.config.findpaths import locate_config
    except ModuleNotFoundError:
        return None, None, {}
    with _as_configuration_error(start):
        root, config, values, *_ = locate_config(start, [start])
    # From pytest 9.0 on a value comes with its origin.
    return root, config, {name: getattr(value, "value", value) for name, value in values.items()}


def _origins(config: Path | None, values: Mapping[str, object]) -> dict[str, str]:
    """Return where each of Redpen's settings is given; raises ConfigurationError for an unknown one."""
    ours = [name for name in values if name.startswith(PREFIX)]
    if config is None or not ours:
        return {}
    text = config.read_text(encoding="utf-8", errors="replace")
    origins = {}
    known = {setting.name: setting for setting in SETTINGS}
    for name in ours:
        line = line_of(text, name)
        origins[name] = f"{config}:{line}" if line else str(config)
        refuse_unknown(name, origins[name], known)
    return origins


@contextlib.contextmanager
def _as_configuration_error(start: Path) -> Iterator[None]:
    import pytest

    try:
        yield
    except pytest.UsageError as error:
        raise ConfigurationError(f"the pytest settings cannot be read: {error}") from None
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"the pytest settings of {start} cannot be read: {error}") from None
    except (pytest.fail.Exception, ValueError, TypeError, AttributeError) as error:
        # pytest raises these where a value should be a table.
        raise ConfigurationError(f"the pytest settings of {start} cannot be used: {error}") from None
