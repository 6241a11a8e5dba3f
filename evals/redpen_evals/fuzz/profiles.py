"""How long and how reproducibly the properties are tried: four named settings of hypothesis."""

from __future__ import annotations

from typing import Literal

from hypothesis import HealthCheck, Phase, settings

ProfileName = Literal["quick", "ci", "dev", "nightly"]

_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


def profile(name: ProfileName) -> settings:
    """Return the settings of a profile.

    Args:
        name: ``quick`` and ``ci`` try the same 25 or 100 examples each time and keep no database, ``dev``
            tries 200 fresh ones and keeps what fails, ``nightly`` tries 5,000 fresh ones.
    """
    # Derandomize is said each time, because hypothesis takes its default from whether it runs in CI. No
    # deadline: a busy machine is no fault of the guards. No explain phase: it reruns what failed with
    # tracing on, and says nothing of a verdict.
    phases = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
    match name:
        case "quick" | "ci":
            return settings(
                max_examples=25 if name == "quick" else 100,
                derandomize=True,
                database=None,
                deadline=None,
                phases=phases,
                suppress_health_check=_SLOW,
                stateful_step_count=8,
                print_blob=False,
            )
        case "dev":
            return settings(
                max_examples=200,
                derandomize=False,
                deadline=None,
                phases=phases,
                suppress_health_check=_SLOW,
                stateful_step_count=12,
            )
        case "nightly":
            return settings(
                max_examples=5_000,
                derandomize=False,
                deadline=None,
                phases=phases,
                suppress_health_check=_SLOW,
                stateful_step_count=20,
            )
