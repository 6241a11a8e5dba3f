"""A project: its root, its settings, and the objects made of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redpen.errors import ConfigurationError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.settings import KNOWN, PREFIX, find_redpen_toml, line_of, read_switch, refuse_unknown

if TYPE_CHECKING:
    from redpen.events import EventLog
    from redpen.policy.packs import PolicyPacks
    from redpen_evals.evaluation.own import OwnSettings
    from redpen_evals.prices import Prices


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project's root and settings.

    Its properties and methods raise ConfigurationError for a setting that cannot be used.

    Attributes:
        root: its folder, absolute.
        settings_file: the file with its pytest settings, else its ``redpen.toml``; None where it has neither.
        values: the settings, of pytest's configuration or of ``redpen.toml``.
        origins: ``file:line`` of Redpen's settings.
        invoked_in: folder from which paths in messages start; None for absolute paths.
    """

    root: Path
    settings_file: Path | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    invoked_in: Path | None = None

    def setting(self, name: str) -> object:
        """Return the value of a setting as it was read, or its default."""
        return self.values.get(name, KNOWN[name].default)

    def text(self, name: str) -> str:
        """Return a setting of one line."""
        value = self.setting(name)
        if not isinstance(value, str):
            raise self._unfit(name, "has to be a string")
        return value

    def lines(self, name: str) -> list[str]:
        """Return the non-empty lines of a setting."""
        return self._lines(name, self.setting(name))

    def _lines(self, name: str, value: object) -> list[str]:
        if isinstance(value, str):
            return [line.strip() for line in value.splitlines() if line.strip()]
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return list(value)
        raise self._unfit(name, "has to be a list of strings")

    def folders(self, name: str) -> list[Path]:
        """Return a setting of pytest with folders, relative to its file."""
        value = self.values.get(name, "")
        try:
            named = shlex.split(value) if isinstance(value, str) else self._lines(name, value)
        except ValueError as error:
            raise self._unfit(name, str(error)) from None
        parent = self.settings_file.parent if self.settings_file else self.root
        return [parent / folder for folder in named]

    def path(self, name: str) -> Path:
        """Return the file or folder that a setting names, or its default: below the root."""
        # In messages a path is easier to read, and to copy, as its user would write it.
        root = Path() if self.root == self.invoked_in else self.root
        return root / self.text(name)

    @property
    def import_paths(self) -> tuple[Path, ...]:
        """The folders from which the project's own agents are imported, its root first."""
        return (self.root, *self.folders("pythonpath"))

    @property
    def prompts(self) -> Path | None:
        """The folder of the project's own versions of the built-in prompts, if it has one."""
        return self.path("redpen_prompts") if self.text("redpen_prompts") else None

    @property
    def agents(self) -> tuple[tuple[str, str], ...]:
        """Short names of the project's own agents, with the places that they name."""
        from redpen_evals.targets.loading import read_agent_names

        return tuple(read_agent_names(self.lines("redpen_agents")).items())

    @property
    def layout(self) -> Layout:
        """The folders of the scenario library."""
        return Layout(
            scenarios=self.path("redpen_scenarios"),
            cassettes=self.path("redpen_cassettes"),
            agents=self.agents,
            judges=self.path("redpen_judges"),
            root=self.root,
        )

    @cached_property
    def packs(self) -> PolicyPacks:
        """The policy packs; raises FileError too."""
        from redpen_evals.policy_packs.in_force import read_packs

        return read_packs(self.path("redpen_policy"), is_given="redpen_policy" in self.values)

    @property
    def own_agents(self) -> OwnSettings:
        """The settings of the project's own agents."""
        from redpen_evals.cassettes.matching import read_volatile
        from redpen_evals.evaluation.own import OwnSettings
        from redpen_evals.targets.environment import secret_values
        from redpen_evals.targets.tools import check_tool_factory
        from redpen_evals.traffic.telemetry import check_telemetry_names

        return OwnSettings(
            names=dict(self.agents),
            paths=self.import_paths,
            volatile=read_volatile(self.lines("redpen_volatile")),
            telemetry=check_telemetry_names(map(str.strip, self.lines("redpen_telemetry"))),
            secrets=secret_values(),
            model_variables=tuple(map(str.strip, self.lines("redpen_model_variables"))),
            redact=self.redact,
            tools=check_tool_factory(self.text("redpen_tools")),
        )

    @property
    def redact(self) -> bool:
        """Whether personal data in recordings of a live model is replaced."""
        return read_switch("redpen_redact", self.setting("redpen_redact"))

    def prices(self) -> Prices:
        """Return the price table."""
        from redpen_evals.prices import read_prices

        return read_prices(self.path("redpen_prices"))

    def open_events(self, place: str | None) -> EventLog | None:
        """Open the log of the runs' events; None if neither option nor setting names one.

        Args:
            place: as given by an option; None takes it from the settings.
        """
        root = self.root if place is None else Path.cwd()
        place = self.text("redpen_events") if place is None else place
        if not place:
            return None
        from redpen_evals.run_events import open_project_events

        return open_project_events(place, texts=self.setting("redpen_events_texts"), root=root)

    def _unfit(self, name: str, problem: str) -> ConfigurationError:
        return ConfigurationError(f"{self.settings_file}: {name}: {problem}")


def find_project(folder: Path | None = None) -> Project:
    """Return the project that a folder belongs to, as pytest would when it is started there.

    Args:
        folder: the working folder by default.

    Raises:
        ConfigurationError: a file with settings cannot be read.
    """
    start = Path.cwd() if folder is None else folder.absolute()
    root, config, values = _pytest_settings(start)
    found = project_fields(root or start, config, values)
    if root is None and found["settings_file"] is None:
        with_setup = (above for above in (start, *start.parents) if (above / "setup.py").is_file())
        found["root"] = next(with_setup, start)
    return Project(invoked_in=start, **found)


def project_fields(root: Path, config: Path | None, values: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of a project: pytest's settings, and those of ``redpen.toml``.

    Args:
        root: where ``redpen.toml`` is searched, in the folders above as well if pytest has no settings.
        config: the file with pytest's settings; None where it has none.
        values: pytest's settings.

    Raises:
        ConfigurationError: ``redpen.toml`` cannot be used, or a setting is unknown.
    """
    toml = find_redpen_toml(root, above=config is None)
    return {
        "root": toml.path.parent if config is None and toml.path is not None else root,
        "settings_file": config or toml.path,
        "values": {**toml.values, **values},
        "origins": {**toml.origins, **_origins(config, values)},
    }


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
    names = [name for name in values if name.startswith(PREFIX)]
    text = config.read_text(encoding="utf-8", errors="replace") if config is not None and names else ""
    origins = {}
    for name in names:
        line = line_of(text, name)
        origins[name] = f"{config}:{line}" if line else str(config or "-o")
        refuse_unknown(name, origins[name], KNOWN)
    return origins
