"""Sessions of aiohttp."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import vcr.patch as vcr_patch  # type: ignore[import-untyped]

from redpen_evals.traffic.dispatch import PENDING, Dispatch, Place, note_failure, within_bounds
from redpen_evals.traffic.libraries import of_aiohttp
from redpen_evals.traffic.router import ROUTER


def aiohttp_places() -> Iterator[Place]:
    """Yield the replacements of a session's functions; none if aiohttp is not installed."""
    try:
        import aiohttp
    except ImportError:
        return
    from vcr.stubs.aiohttp_stubs import vcr_request  # type: ignore[import-untyped]

    original_read = aiohttp.ClientResponse.read
    original_request = vcr_patch._AiohttpClientSessionRequest

    @functools.wraps(original_read)
    async def read(self: Any) -> Any:
        if self._body is not None or PENDING.get() is None:
            return await original_read(self)
        content = bytearray()
        try:
            async for chunk in self.content.iter_any():
                content += chunk
                within_bounds(len(content))
        except BaseException:
            # The client has not received this response and cannot close it.
            self.close()
            raise
        self._body = bytes(content)
        return self._body

    @functools.wraps(original_request)
    async def noted(self: Any, *args: Any, **kwargs: Any) -> Any:
        return await original_request(self, *args, **kwargs)

    routed = vcr_request(Dispatch(of_aiohttp, ()), noted)

    @functools.wraps(original_request)
    async def request(self: Any, method: str, str_or_url: Any, **kwargs: Any) -> Any:
        if ROUTER.ignores_current_code:
            return await original_request(self, method, str_or_url, **kwargs)
        try:
            # The stub does not apply the base address of a session.
            return await routed(self, method, self._build_url(str_or_url), **kwargs)
        except Exception as error:
            note_failure(error)
            raise

    yield aiohttp.ClientResponse, "read", read
    yield aiohttp.ClientSession, "_request", request
