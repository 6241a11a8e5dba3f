"""How a scripted fault breaks a connection."""

from __future__ import annotations

import os
import socket
import struct
from typing import TYPE_CHECKING, Final, assert_never

from redpen_evals.endpoint.wire import encode_chunk

if TYPE_CHECKING:
    import asyncio

    from redpen_evals.endpoint.forms import Fault
    from redpen_evals.endpoint.wire import Response

# A linger time of zero makes the kernel answer with a reset in place of an orderly end; the fields of the
# option are shorts on Windows and ints elsewhere.
_RESET_ON_CLOSE: Final = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


def reset_on_close(connection: socket.socket) -> None:
    """Have a connection end with a reset when it is closed."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)


async def break_connection(
    fault: Fault, *, response: Response, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Send what is left of a response under a fault; the caller then closes the connection.

    Args:
        fault: kind of fault.
        response: what would have been sent; a stream breaks in the middle of its events.
        reader: stream from the client; a ``hang`` ends when the client closes it.
        writer: stream to the client.
    """
    head, _, body = response.encode().partition(b"\r\n\r\n")
    part = head + b"\r\n\r\n" + body[: len(body) // 2]
    match fault:
        case "drop":
            pass
        case "truncate":
            writer.write(part)
        case "reset":
            writer.write(part)
            await writer.drain()
            reset_on_close(writer.get_extra_info("socket"))
        case "malformed_chunks":
            start = f"HTTP/1.1 200 OK\r\nContent-Type: {response.content_type}\r\n"
            writer.write(start.encode("ascii") + b"Transfer-Encoding: chunked\r\n\r\n")
            writer.write(encode_chunk(response.body[: len(response.body) // 2]) + b"not a size\r\n" + body)
        case "refuse_headers":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: appl")
        case "garbage":
            writer.write(b"\x00\xff\xfe this is no HTTP\r\n\r\n")
        case "hang":
            while await reader.read(65536):
                pass
        case _:
            assert_never(fault)
