"""The chat client: sends a prompt and a payload to a model, and returns a JSON object or raises a stop."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from redpen.chat.breaker import CircuitBreaker, shared_breaker
from redpen.chat.budget import CallStats, current_budget
from redpen.chat.failures import stop_of
from redpen.chat.pool import keeps_deadlines, shared_http_client
from redpen.chat.replies import Phase, read_completion
from redpen.chat.secret_logs import redact, redacted_logs
from redpen.chat.settings import ChatSettings, read_settings
from redpen.errors import Stop
from redpen.types import JsonObject, JsonValue

if TYPE_CHECKING:
    import httpx2


class Chat(Protocol):
    """The interface through which agents call a model.

    An implementation with its own network client should observe ``current_budget().left_s()``: a run calls it
    in a thread, and does not wait longer than that.
    """

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        """Call the model once.

        Args:
            phase: purpose of the call.
            prompt: the system message.
            payload: the user message, sent as JSON.

        Returns:
            The JSON object that the model answered.

        Raises:
            Stop: the call failed; the reason is one of ``llm_*``.
        """
        ...


class ChatClient:
    """Calls a model with the ``openai`` client, through the connection pool of the process.

    A call respects the remaining time of its run, and keeps the API key out of all logs. With retries,
    transient failures are retried, and a circuit breaker blocks requests to a failing server; without
    retries, a call makes exactly one HTTP attempt.

    Args:
        settings: key, address, model, timeout and retries.
        http_client: an HTTP client instead of the shared one, e.g. one that replays a cassette.
        on_call: called with the phase before each model call.
        breaker: a circuit breaker instead of the one that the process shares for this address and model.
    """

    def __init__(
        self,
        settings: ChatSettings,
        *,
        http_client: httpx2.Client | None = None,
        on_call: Callable[[Phase], None] | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        from openai import OpenAI

        self._settings = settings
        self._on_call = on_call
        self._breaker = breaker
        self._secret = settings.api_key.get_secret_value()
        client = http_client or shared_http_client()
        self.keeps_deadlines = keeps_deadlines(client)
        """Whether every request of the HTTP client ends by the deadline of its call."""
        self._openai = OpenAI(
            api_key=self._secret,
            base_url=settings.base_url,
            timeout=settings.timeout_s,
            max_retries=0,
            http_client=client,
        )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ChatClient:
        """Return a client configured by ``OPENAI_*``; raises ConfigurationError as ``read_settings`` does."""
        return cls(read_settings(environ))

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._settings.model

    def redacted(self, text: str) -> str:
        """Return a text with the API key redacted."""
        return redact(text, self._secret)

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        """Call the model once, with HTTP retries; see ``Chat.complete``."""
        if self._on_call is not None:
            self._on_call(phase)
        body: JsonObject = {
            "model": self._settings.model,
            "messages": [
                {"role": "system", "content": prompt},
                {"role": "user", "content": json.dumps(payload, ensure_ascii=False)},
            ],
            "temperature": self._settings.temperature,
            "response_format": {"type": "json_object"},
        }
        budget = current_budget()
        stats = CallStats()
        try:
            with redacted_logs(self._secret):
                return self._ask(body, stats)
        except Stop:
            raise
        except Exception as error:
            raise stop_of(error, secret=self._secret, stats=stats) from error
        finally:
            if budget is not None:
                budget.add(stats)

    def _ask(self, body: JsonObject, stats: CallStats) -> JsonObject:
        response: httpx2.Response | None = None
        try:
            response = self._send(body, stats)
            return read_completion(json.loads(response.content), secret=self._secret)
        except Exception as error:
            # With a wrong Content-Length, the rest of the body is still on the connection and would be read
            # as the response to the next request.
            _disconnect(response or getattr(error, "response", None))
            raise

    def _send(self, body: JsonObject, stats: CallStats) -> httpx2.Response:
        settings = self._settings
        budget = current_budget()
        if not settings.retries:
            stats.tries = 1
            limit_s = settings.timeout_s if budget is None else min(settings.timeout_s, budget.left_s())
            return self._send_once(body, 0, limit_s)

        from redpen.chat.retrying import send_with_retries

        return send_with_retries(
            lambda number, limit_s: self._send_once(body, number, limit_s),
            retries=settings.retries,
            timeout_s=settings.timeout_s,
            breaker=self._breaker or shared_breaker(settings.base_url, settings.model),
            budget=budget,
            stats=stats,
        )

    def _send_once(self, body: JsonObject, number: int, limit_s: float) -> httpx2.Response:
        import httpx2

        from redpen.chat.deadline import within

        with within(limit_s):
            # The typed method validates every message, which is two thirds of a call's cost, and silently
            # accepts a malformed response body; `post` does neither.
            return self._openai.post(
                "/chat/completions",
                body=body,
                cast_to=httpx2.Response,
                options={
                    "timeout": limit_s,
                    "follow_redirects": False,
                    # The header that the client sends for its own retries; in a recording, a retry replaces
                    # the previous attempt.
                    "headers": {"x-stainless-retry-count": str(number)},
                },
            )


def _disconnect(response: httpx2.Response | None) -> None:
    connection = response.extensions.get("network_stream") if response is not None else None
    if connection is not None:
        with suppress(OSError):
            connection.close()
