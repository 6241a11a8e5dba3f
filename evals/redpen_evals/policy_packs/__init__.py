"""Policy packs in the harness: which one is in force, and how it decides."""
