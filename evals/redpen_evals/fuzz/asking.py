"""Asking a guard: once for the same texts, in bounded time, its model calls recorded or replayed."""

from __future__ import annotations

import json
import time
import tracemalloc
from dataclasses import dataclass, field
from hashlib import sha256

from redpen_evals.fuzz.case import Case
from redpen_evals.guard_adapters.recording import GuardTraffic
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.targets.calling import TIMED_OUT, call
from redpen_evals.targets.run import Raised

TIMEOUT_S = 5.0
"""How long a guard may take for one text, in seconds."""

MODEL_TIMEOUT_S = 120.0
"""How long where it may ask a model that takes its time."""

MOST_TIMEOUTS = 3
"""After so many texts without an answer in time a guard is asked no more."""

_TIMES = 3
"""How often a text is judged to find out how long that takes: the shortest time counts."""


class TooSlowError(Exception):
    """The guard has given too many texts no verdict in time, and is asked no more."""


class NotRecordedError(Exception):
    """The guard asked a model something that is not recorded, so that what it said is no verdict."""


@dataclass(slots=True, kw_only=True)
class Asking:
    """A guard under test.

    Attributes:
        guard_set: what judges.
        traffic: the model calls that it makes; None where nobody records them.
        timeout_s: how long it may take for one text, in seconds.
        is_program: whether it runs in a process of its own.
        asked: how often it was asked.
        overdue: how often it gave no verdict in time.
    """

    guard_set: GuardSet
    traffic: GuardTraffic | None = None
    timeout_s: float = TIMEOUT_S
    is_program: bool = False
    asked: int = field(default=0, init=False)
    overdue: int = field(default=0, init=False)
    _known: dict[bytes, Judgement] = field(default_factory=dict, init=False)

    def verdict(self, case: Case) -> Judgement:
        """Return what it makes of a case; of the same texts it is asked once; raises NotRecordedError."""
        key = sha256(
            json.dumps([case.original, case.revised, case.context], sort_keys=True).encode()
        ).digest()
        if key not in self._known:
            self._known[key] = self.again(case)
        return self._known[key]

    def again(self, case: Case) -> Judgement:
        """Ask it anew, whatever it has said of the same texts; raises NotRecordedError, TooSlowError."""
        if self.overdue >= MOST_TIMEOUTS:
            raise TooSlowError
        self.asked += 1

        def judge() -> Judgement:
            return self.guard_set.judge(original=case.original, revised=case.revised, context=case.context)

        answer = call(judge, timeout_s=self.timeout_s, root=None)
        if self.traffic is not None and self.traffic.missed():
            raise NotRecordedError
        if isinstance(answer, Raised):
            self.overdue += answer.stop_reason == TIMED_OUT
            said = f"{answer.names[0] if answer.names else answer.stop_reason}: {answer.message}"
            return Judgement(blocked=True, error=said)
        judged: Judgement = answer
        return judged

    def seconds(self, case: Case) -> float:
        """Return how long it takes for a text, in seconds: of the processor, unless it is a program."""
        clock = time.perf_counter if self.is_program else time.process_time
        taken = []
        for _ in range(_TIMES):
            before = clock()
            self.again(case)
            taken.append(clock() - before)
        return min(taken)

    def peak_bytes(self, case: Case) -> int:
        """Return how much memory it takes for a text, in bytes, beyond what it held before."""
        tracemalloc.start()
        try:
            self.again(case)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    @property
    def asks_model(self) -> bool:
        """Whether it has asked a model so far."""
        return self.traffic is not None and (self.traffic.calls > 0 or bool(self.traffic.misses))
