"""Retries model calls after transient failures: back-off with full jitter, Retry-After, circuit breaker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from redpen.chat.breaker import CircuitBreaker
from redpen.chat.budget import MIN_ATTEMPT_S, CallBudget, CallStats
from redpen.chat.retry_after import requested_pause_s

if TYPE_CHECKING:
    from openai import APIStatusError
    from tenacity import RetryCallState

FIRST_PAUSE_S = 0.5
"""Maximum pause before the second attempt, in seconds; it doubles with every further attempt."""

MAX_PAUSE_S = 8.0
"""Maximum pause that the server did not request, in seconds."""

MAX_REQUESTED_PAUSE_S = 120.0
"""Maximum requested pause, in seconds; if a server requests more, the call fails without a retry."""

_TRANSIENT_STATUSES = frozenset({408, 409, 429})
_FIRST_SERVER_ERROR = 500

ResponseT = TypeVar("ResponseT")


def send_with_retries(
    send: Callable[[int, float], ResponseT],
    *,
    retries: int,
    timeout_s: float,
    breaker: CircuitBreaker,
    budget: CallBudget | None,
    stats: CallStats,
) -> ResponseT:
    """Send an HTTP request, and repeat it while its failure is transient and there is time left.

    Args:
        send: makes one attempt; takes its number, from 0, and its time limit, in seconds.
        retries: maximum number of attempts after the first.
        timeout_s: time limit of one attempt, in seconds.
        breaker: circuit breaker of the server.
        budget: budget of the run, if any; no pause or attempt exceeds it.
        stats: records attempts and pauses.

    Returns:
        The value that ``send`` returned.

    Raises:
        CircuitOpen: the circuit breaker does not admit an attempt.
        Exception: the exception of the last attempt.
    """
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

    jitter = wait_random_exponential(multiplier=FIRST_PAUSE_S, max=MAX_PAUSE_S)

    def once() -> ResponseT:
        admission = breaker.admit()
        stats.tries += 1
        if admission == "half_open":
            stats.breaker = admission
        limit_s = timeout_s if budget is None else min(timeout_s, budget.left_s())
        try:
            response = send(stats.tries - 1, limit_s)
        except BaseException as error:
            breaker.record(admission, healthy=_is_healthy(error, had_full_time=limit_s >= timeout_s))
            raise
        breaker.record(admission, healthy=True)
        return response

    def pause(state: RetryCallState) -> float:
        requested = _requested_pause_s(_failure(state))
        return jitter(state) if requested is None else requested

    def is_too_late(state: RetryCallState) -> bool:
        left_s = float("inf") if budget is None else budget.deadline - time.monotonic()
        return state.upcoming_sleep + MIN_ATTEMPT_S > left_s

    def record_pause(state: RetryCallState) -> None:
        stats.waited_s += state.upcoming_sleep

    retrying = Retrying(
        # If this failure opened the circuit, report the failure rather than CircuitOpen.
        retry=retry_if_exception(lambda error: _is_transient(error) and not breaker.is_open),
        wait=pause,
        stop=lambda state: stop_after_attempt(retries + 1)(state) or is_too_late(state),
        before_sleep=record_pause,
        reraise=True,
    )
    return retrying(once)


def _failure(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _is_transient(error: BaseException) -> bool:
    import openai

    match error:
        case openai.APIStatusError():
            return _is_transient_status(error)
        case openai.APIConnectionError():
            return True
        case _:
            return False


def _is_transient_status(error: APIStatusError) -> bool:
    if (_requested_pause_s(error) or 0) > MAX_REQUESTED_PAUSE_S or error.code == "insufficient_quota":
        return False
    # A non-standard header of OpenAI's servers.
    header = error.response.headers.get("x-should-retry")
    if header in {"true", "false"}:
        return header == "true"
    return error.status_code in _TRANSIENT_STATUSES or error.status_code >= _FIRST_SERVER_ERROR


def _requested_pause_s(error: BaseException | None) -> float | None:
    import openai

    return requested_pause_s(error.response.headers) if isinstance(error, openai.APIStatusError) else None


def _is_healthy(error: BaseException, *, had_full_time: bool) -> bool | None:
    import openai

    match error:
        case openai.APIStatusError():
            return error.status_code < _FIRST_SERVER_ERROR
        case openai.APITimeoutError():
            return False if had_full_time else None
        case openai.APIConnectionError():
            return False
        case _:
            return None
