"""What the harness concludes of one scenario."""

from __future__ import annotations

from typing import Literal, get_args

Outcome = Literal["passed", "failed", "stale", "errored"]
"""``failed``: the agent did something else than it should. ``stale``: the recording does not fit the
request any more. ``errored``: harness, cassette or scenario is broken."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
