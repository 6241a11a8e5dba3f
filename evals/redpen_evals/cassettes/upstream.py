"""The way to a live model while recording: the connection pool that every run of the process shares."""

from __future__ import annotations

import httpx2

from redpen.chat.pool import shared_http_client


class SharedUpstream(httpx2.BaseTransport):
    """Sends requests over the process's HTTP client, with its TLS context and its proxies.

    Closing it closes nothing: the client outlives every recording.
    """

    keeps_deadlines = True
    """The client's connections do; see ``redpen.chat.pool.keeps_deadlines``."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request and return the response, its body unread.

        Raises:
            httpx2.TransportError: the server could not be reached or did not answer in time.
        """
        return shared_http_client().send(request, stream=True)
