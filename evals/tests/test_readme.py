"""The examples, commands and file names of the README."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from redpen.policy.pack_loading import load_packs
from redpen_evals.cli import main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_python_example_prints_shown_output():
    example = next(block for block in _blocks("python") if "check_revision" in block)
    done = subprocess.run(  # noqa: S603 - the README's own example
        [sys.executable, "-c", example],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT / "agents",
    )
    assert done.stdout == _blocks("text")[0]


def test_run_command_of_readme_works_offline(monkeypatch):
    monkeypatch.chdir(ROOT)
    command = next(line for block in _blocks("sh") for line in block.splitlines() if " run " in line)
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    assert '"status": "ok"' in result.stdout


def test_each_setup_command_does_everything_from_a_fresh_checkout():
    commands = [line for block in _blocks("sh") for line in block.splitlines() if "venv" in line]
    assert len(commands) == 2
    for command in commands:
        assert re.fullmatch(
            r"python3 -m venv \.venv && \.venv/bin/pip install -e (\.|'\.\[dev\]')"
            r" && \.venv/bin/pytest( evals/suites -m \"not fuzz\" --report=\S+| evals/tests -n auto)",
            command,
        )


@pytest.mark.parametrize("option", ["--record", "--model", "--guards"])
def test_option_is_documented_and_exists(option, pytestconfig):
    assert option in README
    assert pytestconfig.getoption(option) is not None


def test_files_named_in_readme_exist():
    for name in re.findall(r"`((?:agents|evals|scenarios|cassettes)/[\w/.-]*)`", README):
        assert (ROOT / name.rstrip("/")).exists() or "NAME" in name, name


def test_policy_pack_example_is_valid(tmp_path):
    (text,) = (block for block in _blocks("yaml") if block.startswith("pack:"))
    path = tmp_path / "redpen.policy.yaml"
    path.write_text(text, encoding="utf-8")
    pack = load_packs(path).named("acme-bank")
    assert pack.guarded.risk.escalate_at == 40
    assert pack.self_critique.restricted_phrases[0].phrases[-1] == "~refund"
