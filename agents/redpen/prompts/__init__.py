"""The system messages of the agents, one file per version."""

from redpen.prompts.loading import base_prompts, load_prompts, read_prompt
from redpen.prompts.model import PHASES, PROMPT_NAMES, Prompt, PromptName, PromptSet

__all__ = [
    "PHASES",
    "PROMPT_NAMES",
    "Prompt",
    "PromptName",
    "PromptSet",
    "base_prompts",
    "load_prompts",
    "read_prompt",
]
