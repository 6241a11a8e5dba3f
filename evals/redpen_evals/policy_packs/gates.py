"""The gate of a pack: a function of the project's own that decides on actions as well."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redpen.agents.consulting import Gate
from redpen.policy.packs import PolicyPack
from redpen_evals.errors import TargetError
from redpen_evals.targets.isolation import isolated
from redpen_evals.targets.loading import load_callable
from redpen_evals.targets.tools import ToolSettings

_FIELD = "policy"


@contextmanager
def open_gate(pack: PolicyPack, settings: ToolSettings) -> Iterator[Gate | None]:
    """Give the gate of a pack for one run; None where it names none.

    Args:
        pack: that is in force.
        settings: folders from which the project's own code is imported.

    Raises:
        TargetError: it cannot be imported, or is nothing that can be called.
    """
    if pack.gate is None:
        yield None
        return
    with isolated(paths=settings.paths):
        try:
            gate = load_callable(pack.gate, {}, root=settings.root)
        except TargetError as error:
            raise TargetError(_FIELD, f"{pack.place_of('gate')}: gate: {error}") from error
        yield gate
