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
from redpen_evals.traffic.scope import CURRENT, Unrecorded

_MODULES: Final = {"httpx": "_Httpx", "httpx2": "_Httpx2"}
"""Each with what the names begin with under which vcrpy keeps its functions."""

_EVENT_STREAM: Final = "text/event-stream"


def httpx_places() -> Iterator[Place]:
    """Yield what takes the place of the transports' functions, of those that are installed."""
    for name, prefix in _MODULES.items():
        with contextlib.suppress(ImportError):
            yield from _places(__import__(name), prefix)


def _places(module: ModuleType, prefix: str) -> Iterator[Place]:
    dispatch = Dispatch(of_httpx(module), ())
    streams = _stream_classes(module)
    # As they were when vcrpy was imported: a cassette of the user's own may be in their place now.
    send = getattr(vcr_patch, f"{prefix}HttpTransport_handle_request")
    send_async = getattr(vcr_patch, f"{prefix}AsyncHttpTransport_handle_async_request")

    def bounded(self: Any, request: Any) -> Any:
        response = send(self, request)
        response.stream = streams.bounded(response.stream)
        return response

    async def bounded_async(self: Any, request: Any) -> Any:
        response = await send_async(self, request)
        response.stream = streams.bounded(response.stream)
        return response

    recorded = httpx_stubs.vcr_handle_request(dispatch, bounded, module)
    recorded_async = httpx_stubs.vcr_handle_async_request(dispatch, bounded_async, module)

    @functools.wraps(send)
    def handle_request(self: Any, request: Any) -> Any:
        if _belongs_to_no_run():
            return send(self, request)
        try:
            return streams.in_events(recorded(self, request))
        except module.TransportError as error:
            note_failure(error)
            raise

    @functools.wraps(send_async)
    async def handle_async_request(self: Any, request: Any) -> Any:
        if _belongs_to_no_run():
            return await send_async(self, request)
        try:
            return streams.in_events(await recorded_async(self, request))
        except module.TransportError as error:
            note_failure(error)
            raise

    yield module.HTTPTransport, "handle_request", handle_request
    yield module.AsyncHTTPTransport, "handle_async_request", handle_async_request


def _belongs_to_no_run() -> bool:
    return isinstance(CURRENT.get(), Unrecorded) or ROUTER.belongs_to_no_run


class _Streams:
    """The response streams of one of the modules: bounded while recording, event by event in replay."""

    def __init__(self, bounded: Callable[[Any], Any], events: Callable[[bytes], Any]) -> None:
        self.bounded = bounded
        self._events = events

    def in_events(self, response: Any) -> Any:
        """Return a response; a stream of events arrives one after another, as from a server."""
        if _EVENT_STREAM in response.headers.get("content-type", "") and not response.headers.get(
            "content-encoding"
        ):
            response.stream = self._events(b"".join(response.stream))
        return response


def _stream_classes(module: ModuleType) -> _Streams:  # noqa: C901 - two small classes on another's bases
    class Bounded(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[name-defined, misc]
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for chunk in self._stream:
                size += len(chunk)
                within_bounds(size)
                yield chunk

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._stream:
                size += len(chunk)
                within_bounds(size)
                yield chunk

        def close(self) -> None:
            self._stream.close()

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Events(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[name-defined, misc]
        def __init__(self, content: bytes) -> None:
            self._events = split_events(content)

        def __iter__(self) -> Iterator[bytes]:
            yield from self._events

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in self._events:
                yield event

    return _Streams(Bounded, Events)
