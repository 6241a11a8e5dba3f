"""Words that tie a trouble to the cause after them."""

from __future__ import annotations

from redpen.guards.claims.causes_linked import CAUSES_LINKED
from redpen.guards.claims.causes_named import CAUSES_NAMED

CAUSES_AFTER = (*CAUSES_LINKED, *CAUSES_NAMED)
