"""Guards as projects have them: find what each lets through with `redpen fuzz guards:promises`.

They show: a guard of single texts, one of revisions, an object with `validate`, and one that asks a model.
The parameters' names say what each gets. Calls of the model are recorded (`--record=missing`) and replayed.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from openai import OpenAI

PROMPT = (Path(__file__).parent / "prompts" / "judge.md").read_text(encoding="utf-8")

_PROMISES = re.compile(r"\b(?:guarantee|promise|refund|compensat\w+|fully resolved)\b", re.IGNORECASE)

_FACTS = {
    "new number": re.compile(r"\d+(?:\.\d+)?%?"),
    "new id": re.compile(r"\binc_\w+\b", re.IGNORECASE),
    "new severity": re.compile(r"\bP[0-5]\b"),
    "new region": re.compile(r"\b(?:US|EU|UK|APAC|LATAM)\b"),
}

client = OpenAI()


def promises(text: str) -> list[str]:
    """A regex guard: the words of a text that promise."""
    return _PROMISES.findall(text)


def gateway(original: str, revised: str, context: dict) -> dict:
    """A gateway of five patterns: what a revision states beyond its draft and the facts."""
    known = f"{original} {json.dumps(context)}"
    found = [
        code
        for code, pattern in _FACTS.items()
        if not set(pattern.findall(revised)) <= set(pattern.findall(known))
    ]
    if _PROMISES.search(revised):
        found.append("promise")
    return {"violations": found}


@dataclass
class PassResult:
    """What a validator answers."""

    outcome: str = "pass"


@dataclass
class FailResult:
    """What a validator answers, with its reason."""

    error_message: str
    outcome: str = "fail"


class NoRefunds:
    """A validator as guardrails-ai has them; a real one derives from `guardrails.validators.Validator`."""

    def validate(self, value: str, metadata: dict) -> PassResult | FailResult:
        """Fail where a text speaks of a refund that the facts do not."""
        if "refund" in value.lower() and "refund" not in json.dumps(metadata):
            return FailResult(error_message="speaks of a refund")
        return PassResult()


def judge(text: str, facts: dict) -> bool:
    """A model as a judge: whether it blocks."""
    completion = client.chat.completions.create(
        model="gpt-4.1-mini",
        temperature=0,
        response_format={"type": "json_object"},
        messages=[
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": json.dumps({"text": text, "facts": facts})},
        ],
    )
    return bool(json.loads(completion.choices[0].message.content or "{}")["blocked"])
