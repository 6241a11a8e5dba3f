"""The server of the page, on this machine."""

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
        port: of the loopback address; 0 for any free one.
        decide: checks and stores a decision.
        announce: called once with the address of the page.

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
        # A browser that opens the address at once waits until the server is up.
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
