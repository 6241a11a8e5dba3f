"""The word that somebody may have meant (see `redpen.text.suggestion`)."""

from redpen.text.suggestion import suggestion

__all__ = ["suggestion"]
