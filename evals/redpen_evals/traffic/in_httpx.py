"""Transports of httpx and of its fork httpx2, below the SDKs of OpenAI and Anthropic."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any, Final

import vcr.patch as vcr_patch  # type: ignore[import-untyped]
from vcr.stubs import httpx_stubs  # type: ignore[import-untyped]

from redpen_evals.model_calls.reading import split_events
from redpen_evals.traffic.dispatch import Dispatch, Place, note_failure, within_bounds
from redpen_evals.traffic.libraries import of_httpx
from redpen_evals.traffic.router import ROUTER

_MODULES: Final = {"httpx": "_Httpx", "httpx2": "_Httpx2"}
"""Modules, with the prefix of the names under which vcrpy keeps their original functions."""

_EVENT_STREAM: Final = "text/event-stream"


def httpx_places() -> Iterator[Place]:
    """Yield the replacements of the transports' functions, for the installed modules."""
    for name, prefix in _MODULES.items():
        with contextlib.suppress(ImportError):
            yield from _places(__import__(name), prefix)


def _places(module: ModuleType, prefix: str) -> Iterator[Place]:
    dispatch = Dispatch(of_httpx(module), ())
    bounded_stream, event_stream = _stream_classes(module)
    # The original functions: at this time another vcrpy cassette, of the user, may have replaced them.
    send = getattr(vcr_patch, f"{prefix}HttpTransport_handle_request")
    send_async = getattr(vcr_patch, f"{prefix}AsyncHttpTransport_handle_async_request")

    def bounded(self: Any, request: Any) -> Any:
        response = send(self, request)
        response.stream = bounded_stream(response.stream)
        return response

    async def bounded_async(self: Any, request: Any) -> Any:
        response = await send_async(self, request)
        response.stream = bounded_stream(response.stream)
        return response

    recorded = httpx_stubs.vcr_handle_request(dispatch, bounded, module)
    recorded_async = httpx_stubs.vcr_handle_async_request(dispatch, bounded_async, module)

    @functools.wraps(send)
    def handle_request(self: Any, request: Any) -> Any:
        if ROUTER.ignores_current_code:
            return send(self, request)
        try:
            return _in_events(recorded(self, request), event_stream)
        except module.TransportError as error:
            note_failure(error)
            raise

    @functools.wraps(send_async)
    async def handle_async_request(self: Any, request: Any) -> Any:
        if ROUTER.ignores_current_code:
            return await send_async(self, request)
        try:
            return _in_events(await recorded_async(self, request), event_stream)
        except module.TransportError as error:
            note_failure(error)
            raise

    yield module.HTTPTransport, "handle_request", handle_request
    yield module.AsyncHTTPTransport, "handle_async_request", handle_async_request


def _in_events(response: Any, event_stream: Callable[[bytes], Any]) -> Any:
    # The events of a stream arrive one after another, as from a server.
    headers = response.headers
    if _EVENT_STREAM in headers.get("content-type", "") and not headers.get("content-encoding"):
        response.stream = event_stream(b"".join(response.stream))
    return response


def _stream_classes(module: ModuleType) -> tuple[Callable[[Any], Any], Callable[[bytes], Any]]:  # noqa: C901
    """Return the streams of a module: one bounded while recording, and one that replays event by event."""

    class Bounded(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[name-defined, misc]
        def __init__(self, stream: Any) -> None:
            self._stream = stream
            self._size = 0

        def _counted(self, chunk: bytes) -> bytes:
            self._size += len(chunk)
            within_bounds(self._size)
            return chunk

        def __iter__(self) -> Iterator[bytes]:
            return map(self._counted, self._stream)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in self._stream:
                yield self._counted(chunk)

        def close(self) -> None:
            self._stream.close()

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Events(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[name-defined, misc]
        def __init__(self, content: bytes) -> None:
            self._events = split_events(content)

        def __iter__(self) -> Iterator[bytes]:
            return iter(self._events)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in self._events:
                yield event

    return Bounded, Events
