"""A plugin for sessions of recipes: closes the network of the process, and says what tried to reach it."""

from __future__ import annotations

import atexit
import os
from pathlib import Path

from redpen_evals.network import NetworkGuard

# A recording asks the scripted endpoint, which stands on loopback; a replay asks nothing at all.
_GUARD = NetworkGuard(allow_loopback=os.environ["EXAMPLES_NETWORK"] == "loopback")


def _tell() -> None:
    Path(os.environ["EXAMPLES_ATTEMPTS"]).write_text(
        "".join(f"{attempt.event} {attempt.target}\n" for attempt in _GUARD.attempts), encoding="utf-8"
    )


# Before any framework is imported, so that it comes after all that they do at the end.
atexit.register(_tell)
_GUARD.__enter__()
