"""``redpen review`` and ``redpen resume``: output and exit codes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from fault_campaigns.review_runs import DRAFT, Outbox, act, reflect
from redpen.review import Decision, open_reviews
from redpen.types import LONGEST_EDIT
from redpen_evals.cli import main

APPROVE = Decision(kind="approve", by="ann")


def redpen(*args, text=None):
    return CliRunner().invoke(main, args, input=text, catch_exceptions=False)


@pytest.fixture
def queue(tmp_path, monkeypatch):
    """Return the queue of a project and run the commands in its folder."""
    (tmp_path / "redpen.toml").write_text('reviews = "sqlite:///waiting/reviews.db"\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.chdir(tmp_path)
    queue = open_reviews("sqlite:///waiting/reviews.db")
    yield queue
    queue.close()


@pytest.fixture
def text_id(queue):
    return reflect(queue).review_id


@pytest.fixture
def action_id(queue):
    return act(queue).review_id


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file and returns its name."""

    def write(content, name="edit.txt"):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    return write


def test_list_shows_pending_reviews_and_filters(queue, text_id, action_id):
    done = redpen("review", "list")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == ["id", text_id[:8], action_id[:8]]
    queue.decide(text_id, APPROVE)
    assert text_id[:8] not in redpen("review", "list").output
    shown = redpen("review", "list", "--status", "all", "--agent", "reflection", "--json")
    (listed,) = map(json.loads, shown.output.splitlines())
    assert (listed["id"], listed["status"], listed["decision"]["by"]) == (text_id, "approved", "ann")


def test_empty_list_prints_message(queue):
    assert queue.reviews() == []
    assert redpen("review", "list").output == "no review is pending\n"


@pytest.mark.usefixtures("queue")
def test_missing_queue_exits_2_and_is_not_created(tmp_path):
    done = redpen("review", "list", "--queue", "sqlite:///other.db")
    assert (done.exit_code, "there is no such database" in done.stderr) == (2, True)
    assert not (tmp_path / "other.db").exists()
    done = redpen("review", "list", "--queue", "mysql://root:secret@host/reviews")
    assert (done.exit_code, "secret" in done.stderr) == (2, False)


def test_show_prints_text_reason_context_and_diff(text_id, action_id):
    shown = redpen("review", "show", text_id[:6]).output
    for part in (DRAFT, "A person should look.", "inc_payments_20260305", "approve publishes it"):
        assert part in shown
    shown = redpen("review", "show", action_id).output
    assert '"audience_segment": "[-all_customers-]{+enterprise_active+}"' in shown
    assert json.loads(redpen("review", "show", action_id, "--json").output)["code"] == "policy.mass_broadcast"


def test_show_escapes_control_characters(queue):
    stopped = reflect(queue, replies=({"draft": "A \x1b[31mred\u202e draft."}, _escalation("\x1b]0;x\x07")))
    done = redpen("review", "show", stopped.review_id)
    assert not {"\x1b", "\x07", "\u202e"} & set(done.output)


def _escalation(reason):
    return {"decision": "escalate", "issues": [], "fix_plan": [], "reason": reason}


def test_approved_run_resumes_and_publishes(text_id):
    done = redpen("review", "approve", text_id[:8], "--by", "ann")
    assert (done.exit_code, f"review {text_id[:8]} was approved by ann at 20" in done.output) == (0, True)
    assert redpen("review", "approve", text_id, "--by", "ann").exit_code == 0
    refused = redpen("review", "reject", text_id, "--by", "bob", "--reason", "no")
    assert (refused.exit_code, "approved by ann" in refused.stderr) == (1, True)
    resumed = redpen("resume", text_id)
    result = json.loads(resumed.stdout)
    assert (resumed.exit_code, result["outcome"], result["answer"]) == (0, "approved_by_reviewer", DRAFT)
    assert json.loads(redpen("resume", text_id).stdout) == result
    assert "approved by ann" in redpen("review", "show", text_id).output.replace(
        "status approved", "approved"
    )


def test_resume_of_rejected_run_exits_1(text_id):
    assert redpen("review", "reject", text_id, "--by", "ann", "--reason", "no").exit_code == 0
    resumed = redpen("resume", text_id)
    assert (resumed.exit_code, json.loads(resumed.stdout)["stop_reason"]) == (1, "review_rejected")


def test_reject_and_override_without_reason_exit_2(text_id, file):
    assert redpen("review", "reject", text_id, "--by", "ann").exit_code == 2
    done = redpen("review", "edit", text_id, file("x"), "--by", "ann", "--override", "no_new_facts")
    assert (done.exit_code, "--override needs a --reason" in done.stderr) == (2, True)


def test_edit_with_new_number_needs_override(text_id, file):
    edit = ("review", "edit", text_id, file(f"{DRAFT} We expect 90 minutes.\n"), "--by", "ann")
    done = redpen(*edit)
    assert done.exit_code == 1
    assert "1. no_new_facts (duration) '90 minutes'" in done.stderr
    assert "the run would stop: patch_violation:no_new_facts" in done.stderr
    assert redpen("resume", text_id).exit_code == 1
    done = redpen(*edit, "--override", "no_new_facts", "--reason", "said on the phone")
    assert done.exit_code == 0
    assert "lets no_new_facts stand: said on the phone" in redpen("review", "show", text_id).output
    assert json.loads(redpen("resume", text_id).stdout)["answer"].endswith("90 minutes.")


def test_edited_action_is_read_from_json_file(action_id, file):
    args = {"channel": "status_page", "audience_segment": "enterprise_active"}
    action = {"id": "a3", "tool": "send_status_update", "args": {**args, "max_recipients": 12}}
    assert redpen("review", "edit", action_id, file("no object"), "--by", "ann").exit_code == 2
    other = file({**action, "id": "a4"}, "action.json")
    done = redpen("review", "edit", action_id, other, "--by", "ann")
    assert (done.exit_code, "must keep its id 'a3'" in done.stderr) == (2, True)
    assert redpen("review", "edit", action_id, file(action, "action.json"), "--by", "ann").exit_code == 0
    resumed = redpen("resume", action_id)
    assert "built-in tools are canned" in resumed.stderr
    assert json.loads(resumed.stdout)["executed_plan"][1]["args"]["max_recipients"] == 12


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("review", "show", "ffff"), 2, "no review has an id that begins with 'ffff'"),
        (("review", "approve", "ffff", "--by", "ann"), 2, "no review has an id"),
        (("resume", "ffff"), 2, "no review has an id"),
        (("review", "approve", "ID"), 2, "--by"),
        (("review", "approve", "ID", "--by", " "), 2, "by: "),
        (("review", "approve", "ID", "--by", "x" * 300), 2, "by: "),
        (("review", "edit", "ID", "missing.txt", "--by", "ann"), 2, "missing.txt"),
        (("review", "edit", "ID", "long.txt", "--by", "ann"), 2, "the limit is 20,000"),
        (("review", "edit", "ID", "latin.txt", "--by", "ann"), 2, "not UTF-8"),
        (("resume", "ID"), 1, "is pending: decide it first"),
        (("resume", "ID", "--policy", "strict"), 2, "there is no policy pack 'strict'"),
    ],
)
def test_invalid_command_exits_with_message_and_keeps_review_pending(text_id, tmp_path, args, code, message):
    (tmp_path / "long.txt").write_text("x" * (LONGEST_EDIT + 1))
    (tmp_path / "latin.txt").write_bytes("größer".encode("latin-1"))
    done = redpen(*[text_id if arg == "ID" else arg for arg in args])
    assert (done.exit_code, message in done.stderr) == (code, True), done.stderr
    assert redpen("review", "list").output.count(text_id[:8]) == 1


def test_changed_policy_pack_exits_11(queue, text_id, tmp_path):
    (tmp_path / "redpen.policy.yaml").write_text("pack: ours\nlimits: {max_answer_chars: 100}\n")
    done = redpen("review", "approve", text_id, "--by", "ann", "--policy", "ours")
    assert (done.exit_code, "the policy has changed since the run stopped" in done.stderr) == (11, True), (
        done.stderr
    )
    queue.decide(text_id, APPROVE)
    assert redpen("resume", text_id, "--policy", "ours").exit_code == 11
    assert redpen("resume", text_id).exit_code == 0


def test_changed_project_prompt_exits_11(text_id, tmp_path):
    with (tmp_path / "redpen.toml").open("a") as settings:
        settings.write('prompts = "prompts"\n')
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "draft.md").write_text("---\nphase: draft\nversion: v1\n---\nBe kind.")
    done = redpen("review", "approve", text_id, "--by", "ann")
    assert (done.exit_code, "the prompt `draft` has changed" in done.stderr) == (11, True)


def test_resume_with_project_tools_needs_tools_factory(queue, tmp_path):
    stopped = act(queue, tools=Outbox(tmp_path / "sent.jsonl").tools(keyed=True))
    queue.decide(stopped.review_id, APPROVE)
    done = redpen("resume", stopped.review_id)
    assert (done.exit_code, "--tools module:factory" in done.stderr) == (2, True)
    (tmp_path / "support_tools.py").write_text(
        "from redpen.agents.tools import builtin_tools\ndef make():\n    return builtin_tools()\n"
    )
    done = redpen("resume", stopped.review_id, "--tools", "support_tools:make")
    assert (done.exit_code, "canned" in done.stderr) == (0, False)


def test_run_with_review_option_waits_in_queue_and_resumes(queue, monkeypatch, traffic):
    endpoint = traffic.serve({"json": {"draft": DRAFT}}, {"json": _escalation("A person should look.")})
    monkeypatch.setenv("OPENAI_API_KEY", "k-1")
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
    done = redpen("run", "reflection", "--review")
    result = json.loads(done.stdout)
    assert (done.exit_code, result["stop_reason"]) == (1, "pending_review")
    assert queue.get(result["review_id"]).shown == DRAFT
    assert redpen("review", "approve", result["review_id"], "--by", "ann").exit_code == 0
    resumed = redpen("resume", result["review_id"], "--events", "jsonl:events.jsonl")
    assert (resumed.exit_code, len(endpoint.requests)) == (0, 2)
    kinds = [
        line.split()[4] for line in redpen("events", "events.jsonl").output.splitlines() if "-" in line[:8]
    ]
    assert kinds == ["resumed", "decided", "published"]


def test_list_reports_damaged_rows_and_shows_others(queue, text_id, action_id):
    queue._database.execute("UPDATE redpen_reviews SET review = '{' WHERE id = :id", {"id": text_id})
    done = redpen("review", "list")
    assert (done.exit_code, action_id[:8] in done.stdout) == (1, True)
    assert "row 1 of redpen_reviews: is damaged" in done.stderr


def test_schema_command_prints_review_schema():
    schema = json.loads(redpen("review", "schema").output)
    assert schema["properties"]["schema_version"]["const"] == 1
