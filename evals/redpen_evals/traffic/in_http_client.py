"""The standard library's connections, below urllib.request, urllib3, requests, httplib2 and botocore."""

from __future__ import annotations

import contextlib
import functools
import http.client
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final
from unittest import mock

import vcr.patch as vcr_patch  # type: ignore[import-untyped]
import vcr.stubs as vcr_stubs  # type: ignore[import-untyped]

from redpen_evals.traffic.dispatch import PENDING, Dispatch, Place, note_failure, within_bounds
from redpen_evals.traffic.libraries import of_http_client, of_urllib3

_GROUPS: Final = (
    (of_http_client, ("httplib", "httplib2", "tornado")),
    (of_urllib3, ("requests", "boto3", "urllib3")),
)
_CHUNK_BYTES: Final = 65_536


def http_client_places(removers: list[Any]) -> Iterator[Place]:
    """Yield the replacements of connections.

    Context managers that remove vcrpy's connections from pools are added to ``removers``.
    """
    for failure, groups in _GROUPS:
        for patcher in vcr_patch.CassettePatcherBuilder(Dispatch(failure, groups)).build():
            if not isinstance(patcher, mock._patch):
                removers.append(patcher)
                continue
            owner, stub = patcher.getter(), patcher.new
            yield owner, patcher.attribute, _sparing_subclasses(stub) if owner is http.client else stub
    yield http.client.HTTPResponse, "read", _bounded_read(http.client.HTTPResponse.read)
    yield vcr_stubs.VCRConnection, "getresponse", _noting(vcr_stubs.VCRConnection.getresponse)
    # The stubs remove the whole patch to make one connection, while other threads need it.
    yield vcr_patch, "force_reset", contextlib.nullcontext
    yield http.client.HTTPSConnection, "__init__", _bound_to_itself(http.client.HTTPSConnection)


def _sparing_subclasses(stub: Any) -> Any:
    # Earlier subclasses of the real class, as of `httplib2`, call it by its name in the module.
    real, base = stub._baseclass, vcr_stubs.VCRConnection

    def spared(name: str) -> Callable[..., Any]:
        ours = getattr(stub, name)

        @functools.wraps(ours)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = getattr(stub if isinstance(self, base) else real, name)
            return found(self, *args, **kwargs)

        return method

    names = [
        name for name, value in vars(base).items() if isinstance(value, FunctionType) and hasattr(real, name)
    ]
    return type(stub.__name__, (stub,), {name: spared(name) for name in names})


def _bound_to_itself(owner: type) -> Callable[..., None]:
    # In some versions of Python the constructor looks up its class by name, and would find the stub.
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
        if amt is not None or PENDING.get() is None:
            return original(self, amt)
        content = bytearray()
        # A stream may send little data and never end.
        while chunk := self.read1(_CHUNK_BYTES):
            content += chunk
            within_bounds(len(content))
        if self.length:
            # Reading in pieces does not notice a broken connection.
            raise http.client.IncompleteRead(bytes(content), self.length)
        return bytes(content)

    return read
