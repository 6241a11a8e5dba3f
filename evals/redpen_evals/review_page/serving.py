"""Serves the page on this machine."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from typing import Final

from redpen.errors import ConfigurationError
from redpen.review import ReviewQueue
from redpen_evals.review_page.app import LOOPBACK, Decide, review_app

_TOKEN_BYTES: Final = 24


def serve(queue: ReviewQueue, *, port: int, decide: Decide, announce: Callable[[str], None]) -> None:
    """Serve the page until interrupted.

    Args:
        queue: whose reviews are shown.
        port: of the loopback address; 0 for one that is free.
        decide: stores a decision after what it would let through was checked.
        announce: is told the address of the page, once.

    Raises:
        ConfigurationError: the port is taken.
    """
    import uvicorn

    token = secrets.token_urlsafe(_TOKEN_BYTES)
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
        except (OSError, OverflowError) as error:
            message = getattr(error, "strerror", None) or error
            raise ConfigurationError(f"port {port}: {message}; name another one with --port") from error
        # Whoever opens the address at once is served as soon as the server is up.
        listener.listen()
        announce(f"http://{LOOPBACK}:{listener.getsockname()[1]}/{token}/")
        # A log of requests would hold the secret.
        config = uvicorn.Config(
            review_app(queue, token=token, decide=decide),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=2,
        )
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()
