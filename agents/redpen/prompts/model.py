"""A prompt with its version, and the set of prompts that a run asks with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from redpen.text.normal import exact_hash

PromptName = Literal[
    "draft",
    "shorten",
    "critique",
    "review",
    "revise",
    "revise_strict",
    "revise_fix_plan",
    "check_changes",
    "plan",
]

PROMPT_NAMES: tuple[PromptName, ...] = get_args(PromptName)

PHASES: Mapping[PromptName, str] = {
    **{name: name for name in PROMPT_NAMES},
    "revise_strict": "revise",
    "revise_fix_plan": "revise",
    "check_changes": "check",
}
"""The phase of a run that asks with each prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One version of a prompt.

    Attributes:
        name: what it is for, e.g. ``revise_strict``.
        version: as its front matter says, e.g. ``v2``.
        notes: as its front matter says.
        text: the system message.
        path: its file.
    """

    name: PromptName
    version: str
    notes: str
    text: str
    path: Path

    @property
    def phase(self) -> str:
        """The phase of a run that asks with it."""
        return PHASES[self.name]

    @property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of its text."""
        return exact_hash(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSet:
    """One prompt for every name: what the agents of a run ask with.

    Attributes:
        prompts: by name, all of them.
        left_out: faults of files in their folders that this run does not ask with.
    """

    prompts: Mapping[PromptName, Prompt]
    left_out: tuple[str, ...] = ()

    def __getitem__(self, name: PromptName) -> Prompt:
        """Return the prompt of a name."""
        return self.prompts[name]

    def __iter__(self) -> Iterator[Prompt]:
        """Iterate over the prompts in the order of their names' list."""
        return (self.prompts[name] for name in PROMPT_NAMES)
