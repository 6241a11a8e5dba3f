"""One model call: a prompt and a payload in, a JSON object or a stop out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from redpen.chat.failures import stop_of
from redpen.chat.pool import shared_http_client
from redpen.chat.replies import Phase, read_completion
from redpen.chat.settings import ChatSettings, read_settings
from redpen.types import JsonObject, JsonValue

if TYPE_CHECKING:
    import httpx2


class Chat(Protocol):
    """What an agent needs of a model."""

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        """Ask once.

        Args:
            phase: what the call is for.
            prompt: the system message.
            payload: the user message, sent as JSON.

        Returns:
            The JSON object of the answer.

        Raises:
            Stop: the call failed, for one of the ``llm_*`` reasons.
        """
        ...


class ChatClient:
    """The real ``openai`` client over the process's one connection pool.

    Args:
        settings: key, address, model, timeout and retries.
        http_client: another HTTP client than the shared one, e.g. one bound to a cassette.
        on_call: called with the phase just before each model call.
    """

    def __init__(
        self,
        settings: ChatSettings,
        *,
        http_client: httpx2.Client | None = None,
        on_call: Callable[[Phase], None] | None = None,
    ) -> None:
        from openai import OpenAI

        self._settings = settings
        self._on_call = on_call
        self._secret = settings.api_key.get_secret_value()
        self._openai = OpenAI(
            api_key=self._secret,
            base_url=settings.base_url,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
            http_client=http_client or shared_http_client(),
        )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> ChatClient:
        """Return a client for what ``OPENAI_*`` says; raises ConfigurationError as ``read_settings``."""
        return cls(read_settings(environ))

    def complete(self, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
        """Ask the model once; see ``Chat.complete``. HTTP retries happen inside."""
        import httpx2

        if self._on_call is not None:
            self._on_call(phase)
        body = {
            "model": self._settings.model,
            "messages": [
                {"role": "system", "content": prompt},
                {"role": "user", "content": json.dumps(payload, ensure_ascii=False)},
            ],
            "temperature": 0,
            "response_format": {"type": "json_object"},
        }
        try:
            # The typed method walks every message against its TypedDicts, which is two thirds of a
            # call's cost, and reads a broken body without a word; the plain one does neither.
            response = self._openai.post("/chat/completions", body=body, cast_to=httpx2.Response)
            completion = json.loads(response.content)
        except Exception as error:
            raise stop_of(error, secret=self._secret) from error
        return read_completion(completion, secret=self._secret)
