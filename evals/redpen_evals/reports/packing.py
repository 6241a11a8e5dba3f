"""Parts of a page that are carried compressed until somebody opens them."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from typing import Final

_PARTS: Final = 50
_LEVEL: Final = 6


@dataclass(kw_only=True, slots=True)
class Packer:
    """Collects fragments of HTML and compresses them, so many together.

    Attributes:
        packs: the packs that are full, as base64 of zlib's format; in the page their number is their place.
    """

    packs: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def add(self, fragment: str) -> str:
        """Take a fragment, one element at its top; return its place, ``PACK:PLACE``, both from 0."""
        place = f"{len(self.packs)}:{len(self._open)}"
        self._open.append(fragment)
        if len(self._open) == _PARTS:
            self.close()
        return place

    def close(self) -> None:
        """Compress what is left over."""
        if self._open:
            # A lone surrogate is shown as its code point, so that none can be here.
            packed = zlib.compress("".join(self._open).encode("utf-8"), _LEVEL)
            self.packs.append(base64.b64encode(packed).decode("ascii"))
            self._open.clear()


def unpack(pack: str) -> str:
    """Return the fragments of a pack, joined."""
    return zlib.decompress(base64.b64decode(pack)).decode("utf-8")
