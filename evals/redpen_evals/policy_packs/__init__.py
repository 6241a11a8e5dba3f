"""Policy packs in the harness: which one is in force, and what it decides."""
