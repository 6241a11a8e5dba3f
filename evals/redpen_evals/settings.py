"""The settings of a project, and where the ``redpen`` command finds everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from redpen.errors import ConfigurationError
from redpen_evals.scenario_library.layout import Layout

PREFIX: Final = "redpen_"
_ON: Final = frozenset(("true", "yes", "on", "1"))
_OFF: Final = frozenset(("false", "no", "off", "0"))
_SHOWN_CHARS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting of a project.

    Attributes:
        name: in pytest's configuration; ``redpen.toml`` has it without ``redpen_``.
        about: what it sets.
        default: its value where a project does not say: a text, or lines.
    """

    name: str
    about: str
    default: str | tuple[str, ...]

    @property
    def key(self) -> str:
        """Its name in ``redpen.toml``."""
        return self.name.removeprefix(PREFIX)

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off: ``true`` or ``false``."""
        return self.default in ("true", "false")


SETTINGS: Final = (
    Setting(name="redpen_scenarios", about="folder of the scenario library", default="scenarios"),
    Setting(name="redpen_cassettes", about="folder of the cassettes", default="cassettes"),
    Setting(name="redpen_runs", about="folder of the run records", default=".redpen/runs"),
    Setting(name="redpen_baseline", about="folder of the accepted outcomes", default="baseline"),
    Setting(name="redpen_prompts", about="folder of your own versions of the prompts", default=""),
    Setting(
        name="redpen_judges",
        about="folder of your own judges, and of what judges have reached on labelled drafts",
        default="judges",
    ),
    Setting(
        name="redpen_agents",
        about="short names of your own agents, a line each: mailer = support.mailer:write_reply",
        default=(),
    ),
    Setting(
        name="redpen_tools",
        about="module:factory that makes the tools of guarded-policy, in place of the canned ones",
        default="",
    ),
    Setting(
        name="redpen_policy",
        about="file with a policy pack, or folder of several; the default may be missing",
        default="redpen.policy.yaml",
    ),
    Setting(
        name="redpen_volatile",
        about="what differs in requests from run to run, a line each: $.metadata.user_id, $.messages[*].id, "
        "header:x-request-id",
        default=(),
    ),
    Setting(
        name="redpen_telemetry",
        about="telemetry services that agents may report to while they run, a line each: langsmith",
        default=(),
    ),
    Setting(
        name="redpen_model_variables",
        about="environment variables from which your own agents read the name of their model, a line each",
        default=("OPENAI_MODEL",),
    ),
    Setting(
        name="redpen_redact",
        about="true: replace personal data and organisation ids that a live model answers, in its recordings",
        default="false",
    ),
    Setting(
        name="redpen_events",
        about="where runs tell what happens in them: jsonl:PATH or sqlite:///PATH; nowhere by default",
        default="",
    ),
    Setting(
        name="redpen_events_texts",
        about="false: events hold no texts, only names, codes, numbers and hashes",
        default="true",
    ),
    Setting(name="redpen_prices", about="price table, for the cost of recordings", default="prices.toml"),
    Setting(
        name="redpen_scorecard",
        about="thresholds file of the scorecard",
        default="evals/suites/scorecard.toml",
    ),
    Setting(
        name="redpen_fuzz_profile",
        about="how the properties are tried: quick, ci, dev or nightly; ci with -m fuzz, else quick",
        default="",
    ),
)
"""Every setting, in the order in which they are shown."""

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {setting.name: setting.default for setting in SETTINGS if isinstance(setting.default, str)}
)
"""Settings of one line, and what they are where a project does not say."""


def read_switch(name: str, value: object) -> bool:
    """Return a setting that is on or off.

    Args:
        name: of the setting, for the error.
        value: a truth value, or a word for one: ``true``, ``yes``, ``on``, ``1`` or their opposites.

    Raises:
        ConfigurationError: it is neither.
    """
    said = str(value).strip().lower()
    if said in _ON:
        return True
    if said in _OFF:
        return False
    raise ConfigurationError(f"{name}: {said[:_SHOWN_CHARS]!r} is neither `true` nor `false`")


MODEL_VARIABLES: Final = ("OPENAI_MODEL",)
"""From which a project's own agents read the name of their model, where it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The folders of a project.

    Attributes:
        layout: of the scenario library and its cassettes.
        runs: holds the run records.
        baseline: holds a baseline for each model.
    """

    layout: Layout
    runs: Path
    baseline: Path
