"""What stands in the place of HTTP libraries' functions while runs are active, for the whole process.

vcrpy knows where each library sends its requests; one patch of its making hands every request to the router,
which finds the run that it belongs to. Nothing is patched while no run is active.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from types import FunctionType, ModuleType
from typing import Any, Final
from unittest import mock

import vcr.patch as vcr_patch  # type: ignore[import-untyped]
import vcr.stubs as vcr_stubs  # type: ignore[import-untyped]
from vcr.cassette import Cassette  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]
from vcr.stubs import httpx_stubs

from redpen.errors import RedpenError
from redpen_evals.cassettes.encoding import body_bytes
from redpen_evals.cassettes.file import CallFailure, CallResult
from redpen_evals.model_calls.events import split_events
from redpen_evals.traffic import threads
from redpen_evals.traffic.bodies import MAX_RESPONSE_BYTES
from redpen_evals.traffic.libraries import Raiser, named_failure, of_aiohttp, of_http_client, of_httpx
from redpen_evals.traffic.router import ROUTER, Seen
from redpen_evals.traffic.scope import CURRENT, Unrecorded

Place = tuple[Any, str, Any]
"""An object, the name of its attribute, and what is put there."""

_HTTPX_GROUPS: Final = ("httpx", "httpx2")
_AIOHTTP_GROUPS: Final = ("aiohttp",)
_EVENT_STREAM: Final = "text/event-stream"
_CHUNK_BYTES: Final = 65_536
_DECISION: Final = "redpen_decision"

_PENDING: ContextVar[Seen | None] = ContextVar("redpen_pending_request", default=None)
"""The request whose real answer is being waited for and recorded."""


class UnrecordableError(RedpenError):
    """A response that cannot be recorded: it does not end, or is too large."""


class _Dispatch(Cassette):  # type: ignore[misc]
    """What vcrpy's stubs of one kind of library take for their cassette."""

    def __init__(self, failure: Raiser, groups: tuple[str, ...]) -> None:
        super().__init__("redpen", record_mode=RecordMode.ALL)
        self.skip_patchers = tuple(name for name in vcr_patch.PATCHER_NAMES if name not in groups)
        self._failure = failure

    @property
    def write_protected(self) -> bool:
        """Never: what may not be sent is answered."""
        return False

    def can_play_response_for(self, request: Any) -> bool:
        """Decide once what becomes of a request; some stubs ask twice."""
        if _DECISION not in request.__dict__:
            request.__dict__[_DECISION] = decision = ROUTER.answer(request)
            _PENDING.set(decision if isinstance(decision, Seen) else None)
        return isinstance(request.__dict__[_DECISION], tuple)

    def play_response(self, request: Any) -> dict[str, Any]:
        """Give the answer, or raise the failure in its place."""
        if not self.can_play_response_for(request):
            raise UnrecordableError(f"{request.method} {request.uri}: a redirect was not recorded")
        result: CallResult = request.__dict__[_DECISION][0]
        if isinstance(result, CallFailure):
            raise self._failure(result)
        return {
            "status": {"code": result.status, "message": http.client.responses.get(result.status, "")},
            "headers": {name: list(values) for name, values in result.headers.items()},
            "body": {"string": body_bytes(result.body)},
        }

    def append(self, request: Any, response: Any) -> None:
        """Record a real answer."""
        decision = request.__dict__.get(_DECISION)
        if decision is None and _DECISION not in request.__dict__:
            # A redirect that the library followed by itself.
            decision = ROUTER.answer(request)
        if isinstance(decision, Seen):
            _PENDING.set(None)
            ROUTER.record(decision, response)

    def find_requests_with_most_matches(self, _request: Any) -> list[Any]:
        """Leave the search to the run's own cassette."""
        return []

    def __len__(self) -> int:
        return 1

    def __contains__(self, request: object) -> bool:
        return self.can_play_response_for(request)


def note_failure(error: BaseException) -> None:
    """Record that the pending request failed."""
    seen = _PENDING.get()
    _PENDING.set(None)
    if seen is None or isinstance(error, UnrecordableError):
        return
    if failure := named_failure(error):
        ROUTER.record_failure(seen, failure)


def within_bounds(size: int) -> None:
    """Check the response that is being recorded; raises UnrecordableError if it is too large or too slow."""
    seen = _PENDING.get()
    if seen is None:
        return
    problem = ""
    if size > MAX_RESPONSE_BYTES:
        problem = f"is larger than {MAX_RESPONSE_BYTES:,} bytes"
    elif seen.scope.is_overdue:
        problem = "had not ended when the run's time was over"
    if problem:
        said = f"unrecordable: the response of {seen.request.method} {seen.request.uri} {problem}"
        seen.scope.report(said)
        raise UnrecordableError(said)


class TrafficPatch:
    """The patch of this process: put in place with the first run, taken away after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._places: list[Place] | None = None
        self._removers: list[Any] = []
        self._before: list[tuple[Any, str, Any, bool]] = []

    def __enter__(self) -> None:
        """Put it in place, unless it is."""
        with self._lock:
            self._users += 1
            if not self._before:
                self._install()

    def __exit__(self, *_: object) -> None:
        """Take it away with the last run, unless threads of runs, or telemetry, may still send something."""
        with self._lock:
            self._users -= 1
            if not self._users and not ROUTER.seen_telemetry and not threads.run_threads_alive():
                self._uninstall()

    def _install(self) -> None:
        if self._places is None:
            self._places = list(self._build())
        for owner, name, value in self._places:
            own = name in vars(owner)
            self._before.append((owner, name, vars(owner)[name] if own else None, own))
            setattr(owner, name, value)

    def _uninstall(self) -> None:
        for owner, name, value, own in reversed(self._before):
            if own:
                setattr(owner, name, value)
            else:
                delattr(owner, name)
        self._before.clear()
        for remover in self._removers:
            remover.__exit__(None, None, None)

    def _build(self) -> Iterator[Place]:
        plain = tuple(name for name in vcr_patch.PATCHER_NAMES if name not in (*_HTTPX_GROUPS, *_AIOHTTP_GROUPS))
        for dispatch in (_Dispatch(of_http_client, plain), _Dispatch(of_aiohttp, _AIOHTTP_GROUPS)):
            for patcher in vcr_patch.CassettePatcherBuilder(dispatch).build():
                if isinstance(patcher, mock._patch):
                    owner = patcher.getter()
                    stub = patcher.new
                    yield owner, patcher.attribute, _sparing_subclasses(stub) if owner is http.client else stub
                else:
                    self._removers.append(patcher)
        yield from _aiohttp_bounds()
        for name in _HTTPX_GROUPS:
            with contextlib.suppress(ImportError):
                yield from _httpx_places(__import__(name))
        yield http.client.HTTPResponse, "read", _bounded_read(http.client.HTTPResponse.read)
        yield vcr_stubs.VCRConnection, "getresponse", _noting(vcr_stubs.VCRConnection.getresponse)
        # The stubs take the whole patch away to make one connection, under the feet of all other threads.
        yield vcr_patch, "force_reset", contextlib.nullcontext
        yield http.client.HTTPSConnection, "__init__", _bound_to_itself(http.client.HTTPSConnection)
        yield threading.Thread, "start", threads.thread_start(threading.Thread.start)
        yield ThreadPoolExecutor, "submit", threads.pool_submit(ThreadPoolExecutor.submit)


def _sparing_subclasses(stub: Any) -> Any:
    # Subclasses of the real class that were made before call it by its name in the module: `httplib2` does.
    real, base = stub._baseclass, vcr_stubs.VCRConnection

    def spared(name: str) -> Callable[..., Any]:
        ours = getattr(stub, name)

        @functools.wraps(ours)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = getattr(stub if isinstance(self, base) else real, name)
            return found(self, *args, **kwargs)

        return method

    names = [name for name, value in vars(base).items() if isinstance(value, FunctionType) and hasattr(real, name)]
    return type(stub.__name__, (stub,), {name: spared(name) for name in names})


def _bound_to_itself(owner: type) -> Callable[..., None]:
    # In some versions of Python the constructor looks its own class up by name, and would find the stub there.
    made: Any = vars(owner)["__init__"]
    names = {**made.__globals__, owner.__name__: owner}
    bound = FunctionType(made.__code__, names, made.__name__, made.__defaults__, made.__closure__)
    bound.__kwdefaults__ = made.__kwdefaults__
    return bound


def _noting(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def getresponse(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(self, *args, **kwargs)
        except Exception as error:
            note_failure(error)
            raise

    return getresponse


def _bounded_read(original: Callable[..., bytes]) -> Callable[..., bytes]:
    @functools.wraps(original)
    def read(self: Any, amt: int | None = None) -> bytes:
        if amt is not None or _PENDING.get() is None:
            return original(self, amt)
        content = bytearray()
        # What is there already counts: a stream may say little, and never end.
        while chunk := self.read1(_CHUNK_BYTES):
            content += chunk
            within_bounds(len(content))
        return bytes(content)

    return read


def _aiohttp_bounds() -> Iterator[Place]:
    try:
        import aiohttp
    except ImportError:
        return
    original_read = aiohttp.ClientResponse.read
    original_request = vcr_patch._AiohttpClientSessionRequest

    @functools.wraps(original_read)
    async def read(self: Any) -> Any:
        if self._body is not None or _PENDING.get() is None:
            return await original_read(self)
        content = bytearray()
        async for chunk in self.content.iter_any():
            content += chunk
            within_bounds(len(content))
        self._body = bytes(content)
        return self._body

    @functools.wraps(original_request)
    async def request(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return await original_request(self, *args, **kwargs)
        except Exception as error:
            note_failure(error)
            raise

    from vcr.stubs.aiohttp_stubs import vcr_request  # type: ignore[import-untyped]

    yield aiohttp.ClientResponse, "read", read
    yield aiohttp.ClientSession, "_request", vcr_request(_Dispatch(of_aiohttp, ()), request)


def _httpx_places(module: ModuleType) -> Iterator[Place]:
    dispatch = _Dispatch(of_httpx(module), ())
    streams = _stream_classes(module)
    send, send_async = module.HTTPTransport.handle_request, module.AsyncHTTPTransport.handle_async_request

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
        if _is_nobodys():
            return send(self, request)
        try:
            return streams.in_events(recorded(self, request))
        except module.TransportError as error:
            note_failure(error)
            raise

    @functools.wraps(send_async)
    async def handle_async_request(self: Any, request: Any) -> Any:
        if _is_nobodys():
            return await send_async(self, request)
        try:
            return streams.in_events(await recorded_async(self, request))
        except module.TransportError as error:
            note_failure(error)
            raise

    yield module.HTTPTransport, "handle_request", handle_request
    yield module.AsyncHTTPTransport, "handle_async_request", handle_async_request


def _is_nobodys() -> bool:
    scope = CURRENT.get()
    return isinstance(scope, Unrecorded) or (scope is None and not ROUTER.active)


class _Streams:
    """The response streams of ``httpx`` or ``httpx2``: bounded while recording, event by event in replay."""

    def __init__(self, bounded: Callable[[Any], Any], events: Callable[[bytes], Any]) -> None:
        self.bounded = bounded
        self._events = events

    def in_events(self, response: Any) -> Any:
        """Return a response; a stream of events arrives one after another, as from a server."""
        if _EVENT_STREAM in response.headers.get("content-type", ""):
            content = b"".join(response.stream)
            response.stream = self._events(content)
        return response


def _stream_classes(module: ModuleType) -> _Streams:
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


PATCH: Final = TrafficPatch()
"""The patch of this process."""
