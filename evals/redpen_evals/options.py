"""The harness's command-line options and settings, and the objects made of them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from redpen_evals.project import Project, project_fields
from redpen_evals.settings import SETTINGS

if TYPE_CHECKING:
    from redpen.events import EventLog
    from redpen_evals.evaluation import Evaluator
    from redpen_evals.fingerprints import Fingerprints
    from redpen_evals.records.places import RunFolder
    from redpen_evals.scorecard.guard_sets import GuardSet
    from redpen_evals.variants import Variant

RECORD_MODES = ("none", "missing", "stale", "all")
ONLY = ("failed", "stale", "changed", "regressed")
SCRIPTED = "scripted"
LAST = "last"
JUDGE_PREFIX = "judge:"
"""Prefix of a judge's name in ``--guards judge:NAME``."""

_OPTIONS = pytest.StashKey["Options"]()


def add_options(parser: pytest.Parser) -> None:
    """Add the options and settings of the harness."""
    group = parser.getgroup("redpen", "scenarios of agents that write to customers")
    _add_run_options(group)
    _add_selection_options(group)
    _add_scorecard_options(group)
    for setting in SETTINGS:
        if setting.is_switch:
            parser.addini(setting.name, setting.about, type="bool", default=setting.default == "true")
        elif isinstance(setting.default, str):
            parser.addini(setting.name, setting.about, default=setting.default)
        else:
            parser.addini(setting.name, setting.about, type="linelist", default=list(setting.default))


def _add_run_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--record",
        choices=RECORD_MODES,
        default="none",
        help="which cassettes to record: none (replay offline, the default), missing, stale "
        "(missing or no longer matching, from the first stale call on), all",
    )
    group.addoption(
        "--allow-hosts",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="hosts that tests may reach under --record=none, outside of runs (repeatable, or joined by "
        "commas); this machine's own addresses are always allowed",
    )
    group.addoption(
        "--model",
        metavar="NAME",
        default=SCRIPTED,
        help="whose recordings to use, a folder of the cassettes: scripted (the default; recorded from the "
        "scenarios' own replies, without a key), or a model's name (recorded with OPENAI_API_KEY and "
        "OPENAI_BASE_URL; scripted replies and their expectations are ignored: such runs are judged by "
        "invariants and `live:` alone)",
    )
    group.addoption(
        "--prompts",
        action="append",
        default=[],
        metavar="NAME=VERSION",
        help="run with another version of a prompt, such as critique=v2 (repeatable, or joined by commas)",
    )
    group.addoption(
        "--policy",
        metavar="NAME",
        help="judge every run by this policy pack (redpen_policy), whatever its scenario says",
    )
    group.addoption(
        "--variants",
        action="append",
        default=[],
        metavar="KNOB=A,B",
        help="run with each value of a knob: critique=v1,v2, temperature=0,0.7 or "
        "policy.max_draft_chars=600,900 of the built-in agents; arg.tone=warm,dry, "
        "env.PROMPT_FILE=a.md,b.md or attr.support.mailer:PROMPT=file:a.md,b.md of your own; model=a,b and "
        "policy=a,b of all (repeatable: all combinations)",
    )
    group.addoption(
        "--samples",
        type=_positive,
        default=1,
        metavar="N",
        help="number of independent answers per scenario, each with its own recording",
    )
    group.addoption(
        "--report",
        action="append",
        default=[],
        metavar="FILE",
        help="write a report of the run: .html, .md or .json (repeatable)",
    )
    group.addoption(
        "--events",
        metavar="URL",
        help="write the events of runs to jsonl:PATH, sqlite:///PATH or postgresql://… (redpen_events)",
    )
    group.addoption(
        "--resume",
        nargs="?",
        const=LAST,
        metavar="RUN",
        help="resume a run that was killed or interrupted (the last one, or a record's file or id)",
    )
    group.addoption(
        "--fail-on",
        choices=("failed", "regressed", "gone"),
        default="failed",
        help="which scenarios fail the run: all that fail, only those that pass in the baseline, or all that "
        "fail and those of the baseline that no longer exist",
    )


def _add_selection_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--allow-empty",
        action="store_true",
        help="pass a run that finds no scenario to test, instead of exit code 10",
    )
    group.addoption(
        "--only",
        action="append",
        default=[],
        choices=ONLY,
        help="only scenarios that were failed (or errored), stale, changed or regressed in the last run",
    )
    for name, what in (
        ("agent", "only scenarios of this agent"),
        ("tag", "only scenarios with this tag"),
        ("context", "only scenarios in this context, or with this plan"),
        ("family", "score only labelled drafts of this family"),
    ):
        group.addoption(f"--{name}", action="append", default=[], metavar="NAME", help=f"{what} (repeatable)")


def _add_scorecard_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--guards",
        action="append",
        default=[],
        metavar="MODULE:NAME",
        help="score these guards too (repeatable): a callable of the keywords original, revised and context "
        "that returns an object with violations, an iterable of codes, or whether it blocks; or judge:NAME, "
        "a judge that asks a model",
    )
    group.addoption(
        "--scorecard-dev",
        action="store_true",
        help="print the scorecard of the split dev too, and which of its items are judged wrongly",
    )
    group.addoption(
        "--update-scorecard",
        nargs="?",
        choices=("raise", "lower"),
        const="raise",
        help="record the figures of the scorecard as its thresholds where they are stricter (raise, the "
        "default), or whatever they are (lower)",
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"a number from 1 to 1000, not {text!r}")
    return int(text)


@dataclass(frozen=True, kw_only=True)
class Options(Project):
    """The options and settings of a session; ``Options.of`` returns them.

    Attributes:
        config: pytest's configuration.
    """

    config: pytest.Config

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """Return the options of a session, which are read once; raises ConfigurationError."""
        if _OPTIONS not in config.stash:
            fields = project_fields(Path(config.rootpath), config.inipath, _values(config))
            config.stash[_OPTIONS] = cls(config=config, **fields)
        return config.stash[_OPTIONS]

    def __getitem__(self, name: str) -> Any:
        """Return the value of an option, such as ``--record``."""
        return self.config.getoption(name)

    @property
    def runs(self) -> RunFolder:
        """The folder of the run records."""
        from redpen_evals.records.places import RunFolder

        return RunFolder(path=self.path("redpen_runs"))

    @property
    def has_knobs(self) -> bool:
        """Whether an option sets a knob, so that variants have labels."""
        return bool(self["--prompts"] or self["--variants"] or self["--policy"])

    @property
    def has_built_in(self) -> bool:
        """Whether the library holds scenarios of built-in agents, or does not exist."""
        from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS

        if not self.layout.scenarios.is_dir():
            return True
        return not set(BUILT_IN_AGENTS).isdisjoint(self.layout.folders())

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants of all agents in the library; raises ConfigurationError if one cannot run."""
        from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS

        requested = self.requested_variants
        if not self.has_knobs or not self.layout.scenarios.is_dir():
            return requested
        kinds = sorted({folder not in BUILT_IN_AGENTS for folder in self.layout.folders()})
        by_label = {variant.label: variant for is_own in kinds for variant in self.variants_of(is_own=is_own)}
        return tuple(by_label.values()) or requested

    def variants_of(self, *, is_own: bool) -> tuple[Variant, ...]:
        """Return the variants that agents of a kind run in, without the knobs that they lack.

        Args:
            is_own: of the user's own agents, not of the built-in ones.

        Raises:
            ConfigurationError: a variant cannot run.
        """
        from redpen_evals.variants import variants_of_agents

        return variants_of_agents(self.requested_variants, is_own=is_own)

    @cached_property
    def variants_by_label(self) -> Mapping[str, Variant]:
        """The variants of agents of both kinds; raises as ``variants_of``."""
        kinds = (self.variants_of(is_own=is_own) for is_own in (False, True))
        return {variant.label: variant for variants in kinds for variant in variants}

    @property
    def live_models(self) -> list[str]:
        """The live models that built-in agents are recorded with, sorted."""
        # The user's own agents read their keys themselves, and maybe others.
        if self["--record"] == "none" or not self.has_built_in:
            return []
        return sorted({variant.model for variant in self.variants()} - {SCRIPTED})

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator of the session's runs."""
        from redpen.chat.settings import read_settings
        from redpen_evals.evaluation import Evaluator

        return Evaluator(
            layout=self.layout,
            model=self["--model"],
            record=self["--record"],
            live=read_settings() if self.live_models else None,
            root=self.config.rootpath,
            own=self.own_agents,
            packs=self.packs,
            events=self.events,
        )

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """The fingerprints of the session's results."""
        from redpen_evals.fingerprints import Fingerprints

        return Fingerprints(self)

    @cached_property
    def requested_variants(self) -> tuple[Variant, ...]:
        """The variants as requested, also with knobs that no agent has; raises as ``variants``."""
        from redpen_evals.variants import read_variants

        return read_variants(
            model=self["--model"],
            prompts=self["--prompts"],
            variants=self["--variants"],
            folder=self.prompts,
            root=Path(self.config.rootpath),
            pack=self["--policy"],
            packs=self.packs,
        )

    def guard_sets(self) -> tuple[GuardSet, ...]:
        """Return the guard sets to score beside the built-in ones.

        Raises:
            ConfigurationError: a guard set cannot be loaded.
        """
        from contextlib import ExitStack

        from redpen_evals.guard_adapters.importing import importable
        from redpen_evals.scorecard.guard_sets import load_guard_set

        if self["--guards"]:
            # Guards may import more of the project when they run.
            session = ExitStack()
            session.enter_context(importable(self.own_agents.paths))
            self.config.add_cleanup(session.close)
        return tuple(
            self._judge_guards(place) if place.startswith(JUDGE_PREFIX) else load_guard_set(place)
            for place in self["--guards"]
        )

    def _judge_guards(self, place: str) -> GuardSet:
        from redpen.chat.settings import read_settings
        from redpen_evals.judges.guard_set import load_judge_guards, named_judge
        from redpen_evals.judges.judging import JudgeRuns

        judge = named_judge(place, folder=self.layout.judges, model=self["--model"])
        records = self["--record"] != "none" and self["--model"] != SCRIPTED
        runs = JudgeRuns(
            judge=judge,
            cassettes=self.layout.cassettes,
            record=self["--record"],
            live=read_settings() if records else None,
            redact=self.redact,
        )
        return load_judge_guards(place, runs, layout=self.layout, prices=self.prices())

    @cached_property
    def events(self) -> EventLog | None:
        """The log of the runs' events, if one is set; raises ConfigurationError."""
        log = self.open_events(self["--events"])
        if log is not None:
            self.config.add_cleanup(log.close)
        return log

    @property
    def import_paths(self) -> tuple[Path, ...]:
        """The folders from which the project's own agents are imported, its root first."""
        return (self.config.rootpath, *map(Path, self.config.getini("pythonpath")))


def _values(config: pytest.Config) -> dict[str, object]:
    """Return the settings of pytest's file and of the option ``-o``, without defaults."""
    # `inicfg` became private in pytest 9, where a value comes with its origin.
    given: Mapping[str, object] = config._inicfg if hasattr(config, "_inicfg") else config.inicfg
    values = {name: getattr(value, "value", value) for name, value in given.items()}
    for override in config.getoption("override_ini", None) or ():
        name, _, value = override.partition("=")
        values[name] = value
    return values
