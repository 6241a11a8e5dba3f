"""Tries a model call again after a passing failure: back-off with full jitter, Retry-After, breaker."""

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
"""Longest pause that nobody asked for."""

LONGEST_ASKED_PAUSE_S = 120.0
"""A server that asks for more counts as failed: no run waits that long."""

_PASSING_STATUSES = frozenset({408, 409, 429})
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
    """Make one HTTP request, and again as long as its failure may pass and there is time.

    Args:
        send: makes one try; takes its number from 0 and the time it may take, in seconds.
        retries: tries after the first.
        timeout_s: time of one try, in seconds.
        breaker: of the server.
        budget: of the run, if the call is made for one; no pause or try goes beyond it.
        effort: where tries and pauses are noted.

    Returns:
        What ``send`` returned.

    Raises:
        CircuitOpen: the server is being left alone.
        Exception: whatever the last try raised.
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
        # A failure that opened the circuit is the call's own; a try more would only hide it.
        retry=retry_if_exception(lambda error: _may_pass(error) and not breaker.is_open),
        wait=pause,
        stop=lambda state: stop_after_attempt(retries + 1)(state) or is_too_late(state),
        before_sleep=note,
        reraise=True,
    )
    return retrying(once)


def _failure(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _may_pass(error: BaseException) -> bool:
    import openai

    match error:
        case openai.APIStatusError():
            return _status_may_pass(error)
        case openai.APIConnectionError():
            return True
        case _:
            return False


def _status_may_pass(error: APIStatusError) -> bool:
    if (_asked_pause_s(error) or 0) > LONGEST_ASKED_PAUSE_S or error.code == "insufficient_quota":
        return False
    # No standard header, but OpenAI's servers say so themselves.
    told = error.response.headers.get("x-should-retry")
    if told in {"true", "false"}:
        return told == "true"
    return error.status_code in _PASSING_STATUSES or error.status_code >= _FIRST_SERVER_ERROR


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
