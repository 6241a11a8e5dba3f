"""Agents that are commands: input, output, turns, exit status, timeouts and start errors."""

from __future__ import annotations

import fcntl
import json

PLACE = "scenarios/mine/one.yaml:2"
ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
# Blocks forever: nothing is ever written into this pipe.
HANG = "import os; os.read(os.pipe()[0], 1)"


def test_input_is_one_json_object_and_json_answer_is_parsed(project):
    command = project.program(ECHO)
    given = {"ticket": "Где заказ 81?", "urgent": True}
    result = project.run({"command": command, "input": given, "invariants": []})
    assert (result.outcome, result.reasons) == ("passed", ())
    assert result.detail["value"] == {"ticket": "Где заказ 81?", "urgent": True}


def test_context_is_added_to_input_unless_it_has_that_key(project):
    scenario = {"command": project.program(ECHO), "context": "payments", "invariants": []}
    given = project.run({**scenario, "input": {"ticket": "Hello"}}).detail["value"]
    assert given["ticket"] == "Hello"
    assert given["context"]["region"] == "US"
    assert project.run({**scenario, "input": {"context": 7}}).detail["value"] == {"context": 7}


def test_answer_that_is_no_json_is_text(project):
    command = project.program("print('Order 81 is on its way.')")
    result = project.run({"command": command, "expect": {"contains": ["order 81".capitalize()]}})
    assert (result.outcome, result.answer) == ("passed", "Order 81 is on its way.")


def test_bare_number_and_truncated_object_are_text(project):
    assert project.run({"command": project.program("print(81)")}).answer == "81"
    assert project.run({"command": project.program("print('{half')")}).answer == "{half"


def test_command_runs_in_project_root(project):
    (project.root / "prompt.md").write_text("Be kind.", encoding="utf-8")
    assert project.run({"command": project.program("print(open('prompt.md').read())")}).answer == "Be kind."


def test_each_turn_starts_the_command_with_the_conversation(project):
    script = (
        "import json, sys; got = json.load(sys.stdin); print(len(got['messages']), got['message'], got['as'])"
    )
    turns = [{"user": "Where is it?", "expect": {"contains": ["1 Where"]}}, {"user": "And now?"}]
    result = project.run({"command": project.program(script), "input": {"as": "Ann"}, "turns": turns})
    assert (result.outcome, result.reasons) == ("passed", ())
    assert [turn["answer"] for turn in result.detail["turns"]] == ["1 Where is it? Ann", "3 And now? Ann"]


def test_earlier_answers_are_in_the_conversation(project):
    command = project.program("import json, sys; print(json.dumps(json.load(sys.stdin)['messages'][:2]))")
    result = project.run({"command": command, "turns": [{"user": "a"}, {"user": "b"}]})
    assert result.detail["value"] == [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": '[{"role": "user", "content": "a"}]'},
    ]


def test_large_unread_input_is_ignored(project):
    result = project.run({"command": project.program("print('done')"), "input": {"text": "x" * 500_000}})
    assert (result.outcome, result.answer) == ("passed", "done")


def test_nonzero_status_fails_with_last_lines_of_stderr(project):
    script = (
        "import sys\nfor n in range(40): print('line', n, file=sys.stderr)\nprint('an answer')\nsys.exit(3)"
    )
    result = project.run({"command": project.program(script)})
    assert result.outcome == "failed"
    assert result.stop_reason == "exited:3"
    first, *lines = result.reasons[0].splitlines()
    assert first == "exited: status 3"
    assert lines == [f"  line {n}" for n in range(28, 40)]
    assert result.detail["stderr"].splitlines()[-1] == "line 39"
    assert result.answer is None


def test_stderr_has_relative_paths_and_is_absent_on_success(project):
    result = project.run({"command": [*project.program("raise KeyError('x')")]})
    assert "KeyError: 'x'" in result.reasons[0]
    assert str(project.root) not in result.reasons[0]
    good = project.run({"command": project.program("import sys; print('1', file=sys.stderr); print('ok')")})
    assert good.outcome == "passed"
    assert "stderr" not in good.detail


def test_exit_status_can_be_expected(project):
    command = project.program("raise SystemExit(3)")
    assert project.run({"command": command, "expect": {"raises": "exited:3"}}).outcome == "passed"
    assert project.run({"command": command, "expect": {"raises": "exited:4"}}).outcome == "failed"


def test_signal_is_named_in_failure(project):
    result = project.run(
        {"command": project.program("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")}
    )
    assert (result.outcome, result.reasons) == ("failed", ("exited: killed by signal 9",))


def test_hanging_command_is_stopped_with_its_children(project):
    held = project.root / "held"
    child = f"import fcntl; f = open('held', 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); {HANG}"
    script = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        f"child.stdout.readline()\nprint('half an answer', flush=True)\n{HANG}"
    )
    result = project.run({"command": project.program(script), "timeout_s": 1.5})
    assert (result.outcome, result.stop_reason) == ("failed", "timed_out")
    assert result.reasons == ("timed_out: it had not ended after 1.5 s",)
    with held.open("a") as file:
        # Waits until no process holds the lock.
        fcntl.flock(file, fcntl.LOCK_EX)


def test_leftover_children_of_command_are_stopped(project):
    held = project.root / "held"
    child = f"import fcntl; f = open('held', 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); {HANG}"
    script = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\nprint('an answer')"
    )
    result = project.run({"command": project.program(script)})
    assert (result.outcome, result.answer) == ("passed", "an answer")
    with held.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


def test_recording_of_hanging_command_is_not_saved(project):
    result = project.run({"command": project.program(HANG), "timeout_s": 0.3}, record="all")
    assert result.outcome == "errored"
    assert result.reasons == ("nothing was saved: timed_out: it had not ended after 0.3 s",)
    assert project.scenario_library.cassettes() == {}


def test_too_much_output_is_errored(project):
    result = project.run({"command": project.program("while True: print('x' * 10_000)")})
    assert result.outcome == "errored"
    assert result.reasons == (
        "scenarios/mine/one.yaml:2: it writes more than 1,000,000 bytes to standard output",
    )


def test_large_stderr_is_truncated(project):
    script = "import sys\nfor _ in range(300): sys.stderr.write('x' * 10_000 + '\\n')\nsys.exit(2)"
    result = project.run({"command": project.program(script)})
    assert result.outcome == "failed"
    assert len(result.reasons[0]) < 5_000


def test_non_utf8_output_is_errored(project):
    result = project.run({"command": project.program("import sys; sys.stdout.buffer.write(b'\\xff')")})
    assert result.outcome == "errored"
    assert result.reasons == (f"{PLACE}: standard output is not UTF-8 text: at byte 0",)


def test_missing_program_is_errored_with_suggestion(project, monkeypatch):
    programs = project.root / "programs"
    programs.mkdir()
    (programs / "mailer").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(programs))
    result = project.run({"title": "A title.", "command": ["mailr", "x"]})
    assert result.outcome == "errored"
    assert result.reasons == (
        "scenarios/mine/one.yaml:3: there is no program 'mailr' on PATH (did you mean `mailer`?)",
    )


def test_missing_project_script_is_errored_with_suggestion(project):
    project.program("", name="agent.sh")
    result = project.run({"command": ["./agnt.sh"]})
    message = "there is no file './agnt.sh' in the project (did you mean `agent.sh`?)"
    assert result.reasons == (f"scenarios/mine/one.yaml:2: {message}",)


def test_file_without_execute_permission_is_errored(project):
    project.program("print(1)", name="agent.sh")
    result = project.run({"command": ["./agent.sh"]})
    assert result.outcome == "errored"
    assert result.reasons == ("scenarios/mine/one.yaml:2: './agent.sh' cannot be started: Permission denied",)


def test_program_with_missing_interpreter_is_errored(project):
    project.program("#!/nowhere/python\n", name="agent.sh")
    (project.root / "agent.sh").chmod(0o755)
    message = "'./agent.sh' cannot be started: the program in its first line does not exist"
    assert project.run({"command": ["./agent.sh"]}).reasons == (f"scenarios/mine/one.yaml:2: {message}",)


def test_publishes_path_selects_text_of_answer(project):
    command = project.program(f"print({json.dumps(json.dumps({'email': {'body': 'Order 81.'}}))})")
    scenario = {
        "command": command,
        "publishes": "email.body",
        "expect": {"fields": {"email.body": "Order 81."}},
    }
    assert project.run(scenario).answer == "Order 81."
    other = project.run({**scenario, "publishes": "email.text"})
    assert other.outcome == "failed"
    assert "publishes: email.text leads to nothing" in other.reasons[0]
