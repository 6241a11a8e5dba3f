"""The order of a script: which reply is next, and how many are left."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redpen_evals.endpoint.replies import ScriptedReply


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One served reply.

    Attributes:
        call: number of the call that it answers, from 1.
        reply: the reply.
    """

    call: int
    reply: ScriptedReply


class Script:
    """Replies that are served strictly in order, each as often as it says. Thread-safe."""

    def __init__(self, replies: Sequence[ScriptedReply], *, loop: bool = False, skip: int = 0) -> None:
        """Start at the first reply.

        Args:
            replies: in the order of the calls; may be empty.
            loop: start again when all are served.
            skip: how many calls count as answered already.
        """
        self._replies = tuple(reply for reply in replies for _ in range(reply.times))
        self._loop = loop
        self._served = min(skip, len(self._replies))
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many calls the script answers in one round."""
        return len(self._replies)

    @property
    def remaining(self) -> int:
        """How many calls are left, in a looping script in this round."""
        with self._lock:
            if self._loop and self._replies:
                return len(self._replies) - self._served % len(self._replies)
            return len(self._replies) - self._served

    def take(self) -> Turn | None:
        """Return the next turn, or None when the script is used up."""
        with self._lock:
            position = self._served
            if self._loop and self._replies:
                position %= len(self._replies)
            if position >= len(self._replies):
                return None
            self._served += 1
            return Turn(call=self._served, reply=self._replies[position])
