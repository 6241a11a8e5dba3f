"""The system messages, one file a phase, loaded by name."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Literal

PromptName = Literal[
    "draft", "shorten", "critique", "review", "revise", "revise_strict", "revise_fix_plan", "plan"
]


@lru_cache(maxsize=16)
def load_prompt(name: PromptName) -> str:
    """Return the text of a prompt, without white space at its ends."""
    return resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
