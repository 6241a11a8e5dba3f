"""Fixtures: a small library with recordings, and helpers that add more."""

from __future__ import annotations

import dataclasses
import shutil

import pytest

from redpen_evals.cassettes import file
from redpen_evals.cassettes.digest import digest_of
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import CallResponse
from redpen_evals.cassettes.store import CassetteLocation, load

APPROVE = "self-critique/approve"
ESCALATE = "reflection/escalate"


class Stocked:
    """A library whose two scenarios are recorded."""

    def __init__(self, library):
        self.stock = library
        self.root = library.layout.cassettes
        library.add(APPROVE, library.self_critique())
        library.add(ESCALATE, library.reflection())
        library.record(APPROVE)
        library.record(ESCALATE)
        # Prompts are inlined so that one cassette can be moved without the others.
        for path in sorted(self.root.glob("scripted/[a-z]*/*.json")):
            self.write(path, file.read(path))
        shutil.rmtree(self.root / "scripted" / "_prompts")

    def content(self, scenario=APPROVE):
        """Return the scripted recording of a scenario."""
        return load(CassetteLocation(root=self.root, model="scripted", scenario=scenario))

    def put(self, *, scenario=APPROVE, model="gpt", variant="", sample=1, source=APPROVE, **changes):
        """Write a cassette to its location and return the path; it is live unless the model is "scripted".

        The content is not checked, so it may contain a key.
        """
        location = CassetteLocation(
            root=self.root, model=model, scenario=scenario, variant=variant, sample=sample
        )
        content = dataclasses.replace(
            self.content(source),
            kind=location.kind,
            model=model,
            scenario=scenario,
            variant=variant,
            sample=sample,
        )
        content = dataclasses.replace(content, **changes)
        if "sha256" not in changes and (digest := digest_of(content.calls, location.kind)):
            content = dataclasses.replace(content, sha256=digest, version=file.SEALED_VERSION)
        return self.write(location.path, content)

    @staticmethod
    def write(path, content):
        """Write a cassette's content, or any text, to any path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else file.dump(content), encoding="utf-8")
        return path

    def paths(self):
        """Return all paths below the cassettes folder, relative to it, without following links."""
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))


@pytest.fixture
def stocked(library, monkeypatch):
    """Give a library with two recorded scenarios, in the working folder."""
    monkeypatch.chdir(library.root)
    return Stocked(library)


@pytest.fixture
def cassettes(redpen):
    """Give a function that runs `redpen cassettes` with arguments in this process."""
    return lambda *args: redpen("cassettes", *args)


@pytest.fixture
def answering():
    """Give a function that changes the answers of calls: each to a body, a failure or a status."""

    def change(calls, *answers):
        return tuple(
            dataclasses.replace(call, response=_response(call.response, answer))
            for call, answer in zip(calls, answers, strict=True)
        )

    return change


def _response(before, answer):
    match answer:
        case None:
            return before
        case int():
            return dataclasses.replace(before, status=answer, body=JsonBody({"error": {"message": "No."}}))
        case dict():
            return CallResponse(status=200, headers=before.headers, body=JsonBody(answer))
        case _:
            return answer


@pytest.fixture
def completion():
    """Give a function that makes the body of a chat completion."""

    def make(content, *, number="1", **message):
        return {
            "id": f"chatcmpl-{number}",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content, "refusal": None, **message},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234},
        }

    return make
