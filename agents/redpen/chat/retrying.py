"""Retries a model call after a transient failure: back-off with full jitter, Retry-After, circuit breaker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from redpen.chat.breaker import CircuitBreaker
from redpen.chat.budget import LEAST_TRY_S, CallBudget, Effort
from redpen.chat.retry_after import asked_pause_s

if TYPE_CHECKING:
    from openai import APIStatusError
    from tenacity import RetryCallState

FIRST_PAUSE_S = 0.5
"""Longest pause before the second try; it doubles with every try after."""

LONGEST_PAUSE_S = 8.0
"""Longest pause that the server did not request."""

LONGEST_ASKED_PAUSE_S = 120.0
"""Longest requested pause; a server that requests more counts as failed."""

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
    effort: Effort,
) -> ResponseT:
    """Make one HTTP request, and repeat it while its failure is transient and time is left.

    Args:
        send: makes one try; takes its number from 0 and its time limit in seconds.
        retries: tries after the first.
        timeout_s: time limit of one try, in seconds.
        breaker: circuit breaker of the server.
        budget: budget of the run, if any; no pause or try exceeds it.
        effort: records tries and pauses.

    Returns:
        The value that ``send`` returned.

    Raises:
        CircuitOpen: the circuit breaker does not admit a try.
        Exception: the exception of the last try.
    """
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

    jitter = wait_random_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S)

    def once() -> ResponseT:
        admission = breaker.admit()
        effort.tries += 1
        if admission == "half_open":
            effort.breaker = admission
        limit_s = timeout_s if budget is None else min(timeout_s, budget.left_s())
        try:
            response = send(effort.tries - 1, limit_s)
        except BaseException as error:
            breaker.settle(admission, healthy=_is_healthy(error, had_its_time=limit_s >= timeout_s))
            raise
        breaker.settle(admission, healthy=True)
        return response

    def pause(state: RetryCallState) -> float:
        asked = _asked_pause_s(_failure(state))
        return jitter(state) if asked is None else asked

    def is_too_late(state: RetryCallState) -> bool:
        left_s = float("inf") if budget is None else budget.deadline - time.monotonic()
        return state.upcoming_sleep + LEAST_TRY_S > left_s

    def note(state: RetryCallState) -> None:
        effort.waited_s += state.upcoming_sleep

    retrying = Retrying(
        # If this call's failure opened the circuit, report the failure, not CircuitOpen of a further try.
        retry=retry_if_exception(lambda error: _is_transient(error) and not breaker.is_open),
        wait=pause,
        stop=lambda state: stop_after_attempt(retries + 1)(state) or is_too_late(state),
        before_sleep=note,
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
    if (_asked_pause_s(error) or 0) > LONGEST_ASKED_PAUSE_S or error.code == "insufficient_quota":
        return False
    # A non-standard header of OpenAI's servers.
    header = error.response.headers.get("x-should-retry")
    if header in {"true", "false"}:
        return header == "true"
    return error.status_code in _TRANSIENT_STATUSES or error.status_code >= _FIRST_SERVER_ERROR


def _asked_pause_s(error: BaseException | None) -> float | None:
    import openai

    return asked_pause_s(error.response.headers) if isinstance(error, openai.APIStatusError) else None


def _is_healthy(error: BaseException, *, had_its_time: bool) -> bool | None:
    import openai

    match error:
        case openai.APIStatusError():
            return error.status_code < _FIRST_SERVER_ERROR
        case openai.APITimeoutError():
            return False if had_its_time else None
        case openai.APIConnectionError():
            return False
        case _:
            return None
