"""The Redpen of another environment as the judge of rows."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from redpen_evals.checking.row import BadLineError, row_fields
from redpen_evals.sweep.judges import Judging, Text, without_new_statements


def ask_interpreter(judging: Judging, texts: list[Text]) -> Iterator[Mapping[str, Any]]:
    """Yield the verdicts of the Redpen of another environment, through its command ``check --jsonl``."""
    command = [str(judging.interpreter), "-m", "redpen_evals", "check", "--jsonl", "-"]
    command += ["--claims", judging.claims]
    rows = b"".join(json.dumps(text.kept(), ensure_ascii=False).encode() + b"\n" for text in texts)
    try:
        answer = subprocess.run(  # noqa: S603 - the interpreter that the user named
            command, input=rows, capture_output=True, check=False, timeout=judging.row_timeout_s * len(texts)
        )
        verdicts = [row_fields(line) for line in answer.stdout.splitlines()]
        problem = answer.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no verdict"]
    except (OSError, subprocess.SubprocessError, BadLineError) as error:
        verdicts, problem = [], [str(error)]
    by_line: dict[Any, dict[str, Any]] = {verdict.pop("line", None): dict(verdict) for verdict in verdicts}
    for line, text in enumerate(texts, start=1):
        verdict = by_line.get(line, {"error": f"{judging.interpreter}: {problem[0]}"[:500]})
        yield verdict if "error" in verdict else without_new_statements(verdict, text)
