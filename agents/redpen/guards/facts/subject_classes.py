"""Nouns that are counted, by the group of things that they belong to."""

from __future__ import annotations

from redpen.guards.data import word_map

CLASSES = word_map("subject_classes", "classes")
"""Groups of things that are counted; what is in one group is not what is in another."""
