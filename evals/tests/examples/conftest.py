"""Recipes, each copied to a folder of its own and run there as a user would, without a key or a network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

EXAMPLES = Path(__file__).resolve().parents[3] / "agents" / "examples"
_HERE = Path(__file__).resolve().parent
_THEIRS = ("ANTHROPIC_", "LANGCHAIN_", "LANGSMITH_", "OPENAI_", "PYTEST_", "PYTHON")
_PATIENCE_S = 120


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Not everybody has installed the extra `examples`, and without it these tests fail: they never pass unseen.
    """
    asked = "examples" in str(config.getoption("-m")) or any("tests/examples" in name for name in config.args)
    return None if asked else True


class Recipe:
    """A copy of a recipe.

    Attributes:
        folder: where it lies.
        attempts: to reach a network in the last session.
    """

    def __init__(self, name, folder):
        self.folder = folder / name
        self.attempts = ""
        ignored = shutil.ignore_patterns(".redpen", "__pycache__")
        shutil.copytree(EXAMPLES / name, self.folder, ignore=ignored)

    def pytest(self, *options, network="none"):
        """Run its tests in a process of their own; return exit code and output."""
        attempts = self.folder / "attempts.txt"
        environment = environment_without_keys() | {
            "EXAMPLES_ATTEMPTS": str(attempts),
            "EXAMPLES_NETWORK": network,
            "PYTHONPATH": str(_HERE),
        }
        # The plugins of Hypothesis and LangSmith cost half a second of every run each.
        plugins = ("closed_network", "no:cacheprovider", "no:hypothesispytest", "no:langsmith_plugin")
        command = [sys.executable, "-m", "pytest", *(part for name in plugins for part in ("-p", name))]
        done = subprocess.run(  # noqa: S603 - pytest itself
            [*command, *options],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE_S,
        )
        self.attempts = attempts.read_text(encoding="utf-8")
        return done.returncode, done.stdout + done.stderr

    def results(self):
        """Return what the last session says of each scenario: outcome, answer and the whole value."""
        (record,) = (self.folder / ".redpen" / "runs").glob("*.jsonl")
        lines = map(json.loads, record.read_text(encoding="utf-8").splitlines())
        found = {
            line["scenario"]: (line["outcome"], line["answer"], line["detail"].get("value"))
            for line in lines
            if line["type"] == "result"
        }
        shutil.rmtree(record.parent)
        return found

    def replace(self, name, old, new):
        """Change a text in one of its files; it has to be there."""
        path = self.folder / name
        before = path.read_text(encoding="utf-8")
        assert old in before
        path.write_text(before.replace(old, new), encoding="utf-8")

    def recordings(self):
        """Return the content of all cassettes by path, but for when and with what each was recorded."""
        found = {
            path: json.loads(path.read_text(encoding="utf-8"))
            for path in self.folder.glob("cassettes/**/*.json")
        }
        for cassette in found.values():
            del cassette["recorded"]
        return found

    def forget_recordings(self):
        """Remove all cassettes."""
        shutil.rmtree(self.folder / "cassettes")


def environment_without_keys():
    """Return the environment of a shell that has no key and no address of a model."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_THEIRS)}


@pytest.fixture
def recipe(tmp_path):
    """Copy recipes by their names."""
    return lambda name: Recipe(name, tmp_path)


@pytest.fixture
def deploy():
    """Start the service of a recipe before a scripted model; its scenario then names that address."""
    with ExitStack() as stack:

        def start(recipe):
            script = recipe.folder / "scenarios" / "service" / "in-process.yaml"
            replies = parse_replies(yaml.safe_load(script.read_text(encoding="utf-8"))["replies"])
            model = stack.enter_context(ScriptedEndpoint(replies, loop=True))
            # A socket that listens already: what is sent before the service is up waits for it.
            listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            environment = environment_without_keys()
            environment |= {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "any"}
            command = [sys.executable, "-m", "uvicorn", "service:app", "--fd", str(listening.fileno())]
            server = subprocess.Popen(  # noqa: S603 - the recipe's own service
                [*command, "--log-level", "warning"],
                cwd=recipe.folder,
                env=environment,
                pass_fds=[listening.fileno()],
            )
            stack.callback(server.wait)
            stack.callback(server.terminate)
            port = listening.getsockname()[1]
            recipe.replace("scenarios/service/deployed.yaml", "127.0.0.1:8080", f"127.0.0.1:{port}")

        yield start
