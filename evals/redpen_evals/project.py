"""A project as the ``redpen`` command sees it: its root and settings, found as pytest finds them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen_evals.settings import (
    KNOWN,
    PREFIX,
    ProjectSettings,
    find_redpen_toml,
    line_of,
    refuse_unknown,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project(ProjectSettings):
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

    def setting(self, name: str) -> object:
        """Return the value of a setting as it was read, or its default."""
        return self.values.get(name, KNOWN[name].default)

    def is_set(self, name: str) -> bool:
        """Return whether the project sets a setting."""
        return name in self.values

    def text(self, name: str) -> str:
        """Return a setting of one line; raises ConfigurationError for any other value."""
        value = self.setting(name)
        if not isinstance(value, str):
            raise self._unfit(name, "has to be a string")
        return value

    def lines(self, name: str) -> list[str]:
        """Return the non-empty lines of a setting; raises as ``text``."""
        return self._lines(name, self.setting(name))

    def _lines(self, name: str, value: object) -> list[str]:
        if isinstance(value, str):
            return [line.strip() for line in value.splitlines() if line.strip()]
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return list(value)
        raise self._unfit(name, "has to be a list of strings")

    def folders(self, name: str) -> list[Path]:
        """Return a setting of pytest with folders, relative to its file; raises as ``text``."""
        value = self.values.get(name, "")
        try:
            named = shlex.split(value) if isinstance(value, str) else self._lines(name, value)
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
        return root / self.text(name)

    def root_of(self, name: str) -> Path:  # noqa: ARG002 - the same for every setting
        """Return the folder, absolute, to which the value of a setting is relative."""
        return self.root

    @property
    def import_paths(self) -> tuple[Path, ...]:
        """The folders from which the project's own agents are imported, its root first."""
        return (self.root, *self.folders("pythonpath"))

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
    import pytest

    try:
        root, config, values, *_ = locate_config(start, [start])
    except pytest.UsageError as error:
        raise ConfigurationError(f"the pytest settings cannot be read: {error}") from None
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"the pytest settings of {start} cannot be read: {error}") from None
    except (pytest.fail.Exception, ValueError, TypeError, AttributeError) as error:
        # pytest raises these where a value should be a table.
        raise ConfigurationError(f"the pytest settings of {start} cannot be used: {error}") from None
    # From pytest 9.0 on a value comes with its origin.
    return root, config, {name: getattr(value, "value", value) for name, value in values.items()}


def _origins(config: Path | None, values: Mapping[str, object]) -> dict[str, str]:
    """Return where each of Redpen's settings is given; raises ConfigurationError for an unknown one."""
    ours = [name for name in values if name.startswith(PREFIX)]
    if config is None or not ours:
        return {}
    text = config.read_text(encoding="utf-8", errors="replace")
    origins = {}
    for name in ours:
        line = line_of(text, name)
        origins[name] = f"{config}:{line}" if line else str(config)
        refuse_unknown(name, origins[name], KNOWN)
    return origins
