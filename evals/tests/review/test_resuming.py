"""Resuming of built-in runs after a review: texts, actions, stale runs and unknown tool outcomes."""

from __future__ import annotations

import pytest

from fault_campaigns.review_runs import (
    DRAFT,
    Model,
    Outbox,
    act,
    comparable,
    criticise,
    critique_of,
    reflect,
    review_of,
)
from redpen import decide_review, resume_run, run_guarded_policy_agent
from redpen.agents.tools import builtin_tools
from redpen.chat.budget import CallStats, current_budget
from redpen.context import build_request
from redpen.errors import InvalidInputError
from redpen.events import open_events
from redpen.events.address import find_store
from redpen.judges import load_judge
from redpen.policy import SEND
from redpen.prompts import load_prompts
from redpen.review import (
    BusyRunError,
    Decision,
    NotDecidedError,
    Override,
    RefusedDecisionError,
    StaleRunError,
)

APPROVE = Decision(kind="approve", by="ann", reason="fine")
NEW_FACT = f"{DRAFT} We expect 90 minutes."
RAISED = {"severity_budget": {"medium": "escalate"}}
SPANISH = f"{DRAFT} El equipo trabaja en ello y pide disculpas a todos."


def edit(text, *codes):
    overrides = tuple(Override(code=code, reason="said on the phone") for code in codes)
    return Decision(kind="edit", by="ann", text=text, overrides=overrides)


def edit_action(*codes, id="a3", tool=SEND, **args):  # noqa: A002 - as an action has it
    sent = {
        "channel": "status_page",
        "audience_segment": "enterprise_active",
        "template_id": "incident_p2_v1",
        "max_recipients": 12,
        **args,
    }
    overrides = tuple(Override(code=code, reason="the board agrees") for code in codes)
    action = {"id": id, "tool": tool, "args": sent}
    return Decision(kind="edit", by="ann", action=action, overrides=overrides)


def finish(queue, result, decision, **options):
    outcome = decide_review(queue, result.review_id, decision)
    assert outcome.state == "decided"
    return resume_run(queue, result.review_id, **options)


class TestTexts:
    @pytest.mark.parametrize("run", [reflect, criticise])
    def test_approved_text_is_published_without_model_calls(self, queue, run):
        stopped = run(queue)
        assert (stopped.stop_reason, stopped.status) == ("pending_review", "stopped")
        review = queue.get(stopped.review_id)
        assert (review.shown, review.reason, review.code) == (
            DRAFT,
            "A person should look.",
            "policy_escalation",
        )
        model = Model()
        result = finish(queue, stopped, APPROVE, chat=model)
        assert (result.outcome, result.answer, result.run_id) == (
            "approved_by_reviewer",
            DRAFT,
            stopped.run_id,
        )
        assert model.asked == []
        assert result.trace[:2] == stopped.trace
        assert (result.trace[2]["phase"], result.history[2]["by"]) == ("human_review", "ann")
        assert type(result) is type(stopped)

    def test_rejected_text_is_not_published(self, queue):
        result = finish(queue, reflect(queue), Decision(kind="reject", by="ann", reason="no"))
        assert (result.stop_reason, result.phase, result.answer) == ("review_rejected", "review", None)
        assert [(review["decision"], review["by"], review["reason"]) for review in result.reviews] == [
            ("reject", "ann", "no")
        ]

    def test_expired_review_stops_the_run(self, open_queue, clock):
        queue = open_queue(expire_after_s=60)
        stopped = reflect(queue)
        clock.move(minutes=2)
        assert resume_run(queue, stopped.review_id).stop_reason == "review_expired"

    @pytest.mark.parametrize("run", [reflect, criticise])
    def test_edit_with_new_number_needs_override_which_is_recorded(self, queue, run, tmp_path):
        events = open_events(f"sqlite:///{tmp_path}/events.db")
        stopped = run(queue, events=events)
        codes = ("no_new_facts", "length_increase_limit") if run is criticise else ("no_new_facts",)
        with pytest.raises(RefusedDecisionError, match="the run would stop") as caught:
            decide_review(queue, stopped.review_id, edit(NEW_FACT, *codes[1:]))
        assert caught.value.stop_reason == "patch_violation:no_new_facts"
        assert [finding["text"] for finding in caught.value.findings] == ["90 minutes"]
        assert queue.get(stopped.review_id).status == "pending"
        result = finish(queue, stopped, edit(NEW_FACT, *codes), events=events)
        assert (result.outcome, result.answer) == ("edited_by_reviewer", NEW_FACT)
        assert [review["code"] for review in result.reviews[0]["overrides"]] == list(codes)
        store = find_store(f"sqlite:///{tmp_path}/events.db")
        reported = [entry.content for entry in store.read()]
        store.close()
        (decided,) = [event for event in reported if event.kind == "decided"]
        assert (decided.by, decided.decision, decided.codes) == ("ann", "edit", codes)
        assert [event.seq for event in reported] == list(range(1, len(reported) + 1))
        assert [event.kind for event in reported if event.seq >= 7] == [
            "review_asked",
            "stopped",
            "resumed",
            "decided",
            "published",
        ]

    def test_override_accepts_only_findings_of_its_code(self, queue):
        stopped = reflect(queue)
        with pytest.raises(RefusedDecisionError) as caught:
            decide_review(queue, stopped.review_id, edit(f"{NEW_FACT} Europe too.", "no_new_facts"))
        assert caught.value.stop_reason == "patch_violation:new_region"

    @pytest.mark.parametrize("text", ["", " \n", "x" * 1_000])
    def test_override_never_accepts_empty_or_too_long_text(self, queue, text):
        codes = ("empty", "too_long", "too_large_edit", "no_new_facts", "restricted_claims")
        with pytest.raises(RefusedDecisionError, match="invalid_revised:"):
            decide_review(queue, reflect(queue).review_id, edit(text, *codes))

    def test_revision_with_concern_is_shown_with_its_finding(self, queue):
        plan = ['Add "El equipo trabaja en ello y pide disculpas a todos."']
        issue = {"type": "missing_uncertainty", "note": "No word of regret."}
        replies = (
            {"draft": DRAFT},
            review_of("revise", issues=[issue], fix_plan=plan),
            {"revised_answer": SPANISH},
        )
        stopped = reflect(queue, replies=replies, policy={"concerns": "escalate"})
        review = queue.get(stopped.review_id)
        assert (review.original, review.shown, review.code) == (DRAFT, SPANISH, "unread_language")
        assert SPANISH[slice(*review.findings[0]["span"])].startswith("El equipo")
        result = finish(queue, stopped, APPROVE)
        assert (result.answer, result.outcome) == (SPANISH, "approved_by_reviewer")
        assert result.concerns

    def test_edit_must_apply_required_changes_of_critique(self, queue):
        replies = ({"draft": DRAFT}, critique_of("revise", required_changes=['ADD "For now."']))
        stopped = criticise(queue, replies=replies, policy=RAISED)
        assert queue.get(stopped.review_id).code == "policy.severity_budget"
        with pytest.raises(RefusedDecisionError, match="required_changes_not_applied"):
            decide_review(queue, stopped.review_id, edit(f"{DRAFT} Sorry."))
        result = finish(queue, stopped, edit(f"{DRAFT} For now."))
        assert result.answer == f"{DRAFT} For now."

    def test_approved_text_is_checked_against_policy(self, queue):
        policy = {"disclaimers": [{"must_include": "We will write again.", "code": "disclaimer.again"}]}
        stopped = reflect(queue, policy=policy)
        with pytest.raises(RefusedDecisionError) as caught:
            decide_review(queue, stopped.review_id, APPROVE)
        assert caught.value.stop_reason == "missing_disclaimer:disclaimer.again"
        result = finish(queue, stopped, edit(f"{DRAFT} Sorry.", "disclaimer.again"))
        assert result.status == "ok"

    def test_judge_answers_and_call_stats_are_replayed_from_journal(self, queue):
        class Slow(Model):
            def complete(self, *, phase, prompt, payload):
                current_budget().add(CallStats(tries=3, waited_s=1.25))
                return super().complete(phase=phase, prompt=prompt, payload=payload)

        judge = load_judge("promises")
        answers = [{"id": question.id, "answer": "no", "quote": ""} for question in judge.questions]
        answers[0] = {"id": judge.questions[0].id, "answer": "yes", "quote": "degraded"}
        replies = [
            {"draft": DRAFT},
            review_of("revise", issues=[{"type": "scope_leak", "note": "x"}], fix_plan=['Add "For now."']),
            {"revised_answer": f"{DRAFT} For now."},
            *[{"answers": answers}] * judge.samples,
        ]
        options = {"judge": judge, "policy": {"concerns": "escalate"}}
        stopped = reflect(queue, chat=Slow(*replies), **options)
        assert stopped.stop_reason == "pending_review"
        result = finish(queue, stopped, APPROVE)
        whole = reflect(lambda _: APPROVE, chat=Slow(*replies), **options)
        assert comparable(result)["trace"] == comparable(whole)["trace"]
        assert result.trace[0]["attempts"] == 3

    def test_second_resume_returns_the_stored_result(self, queue):
        stopped = reflect(queue)
        first = finish(queue, stopped, APPROVE)
        assert resume_run(queue, stopped.review_id[:9], chat=Model()) == first
        assert decide_review(queue, stopped.review_id, APPROVE).state == "repeated"

    def test_resume_of_pending_review_raises(self, queue):
        with pytest.raises(NotDecidedError, match="is pending"):
            resume_run(queue, reflect(queue).review_id)

    def test_run_without_escalation_stores_no_review(self, queue):
        result = reflect(queue, replies=({"draft": DRAFT}, review_of("approve")))
        assert (result.outcome, queue.reviews()) == ("approved_direct", [])

    def test_review_accepts_database_address(self, open_queue, database_address):
        stopped = reflect(database_address)
        assert open_queue().get(stopped.review_id).run_id == stopped.run_id

    def test_review_of_wrong_type_is_rejected(self):
        with pytest.raises(InvalidInputError, match="review: must be a queue"):
            reflect(7)

    def test_crashing_reviewer_rejects_text(self):
        def crash(_question):
            raise LookupError("no idea")

        assert reflect(crash).stop_reason == "review_rejected"


class TestActions:
    def test_approved_action_runs_and_earlier_calls_are_not_repeated(self, queue, tmp_path):
        outbox = Outbox(tmp_path / "sent.jsonl")
        fetched = []

        def fetch(**args):
            fetched.append(args)
            return builtin_tools()["fetch_incident_snapshot"](**args)

        tools = {**outbox.tools(keyed=True), "fetch_incident_snapshot": fetch}
        stopped = act(queue, tools=tools)
        review = queue.get(stopped.review_id)
        assert (review.kind, review.code, stopped.policy_code) == ("action", *["policy.mass_broadcast"] * 2)
        assert review.original["args"]["audience_segment"] == "all_customers"
        assert review.shown["args"]["audience_segment"] == "enterprise_active"
        result = finish(queue, stopped, APPROVE, tools=tools)
        assert (result.stop_reason, result.outcome) == ("success", "policy_guarded_success")
        assert result.history[2]["human"]["by"] == "ann"
        assert len(fetched) == 1
        keys = [item["key"] for item in outbox.sent]
        assert len(set(keys)) == 2
        assert all(key.startswith(f"{result.run_id}:") for key in keys)

    def test_edited_action_is_checked_by_the_gateway(self, queue):
        stopped = act(queue)
        with pytest.raises(RefusedDecisionError, match="policy_escalation_rejected"):
            decide_review(queue, stopped.review_id, edit_action(channel="sms"))
        result = finish(queue, stopped, edit_action())
        assert result.executed_plan[1]["args"]["max_recipients"] == 12
        assert result.reviews[0]["decision"] == "edit"

    def test_policy_rewrites_edited_action_unless_overridden(self, queue):
        result = finish(queue, act(queue), edit_action(max_recipients=90_000))
        assert result.executed_plan[1]["args"]["max_recipients"] == 50_000
        result = finish(queue, act(queue), edit_action("policy.rewrite", max_recipients=90_000))
        assert result.executed_plan[1]["args"]["max_recipients"] == 90_000

    def test_broadcast_can_be_overridden_but_unknown_channel_cannot(self, queue):
        broadcast = {"channel": "external_email", "audience_segment": "all_customers"}
        stopped = act(queue)
        with pytest.raises(RefusedDecisionError):
            decide_review(queue, stopped.review_id, edit_action(**broadcast))
        result = finish(queue, stopped, edit_action("policy.mass_broadcast", **broadcast))
        assert result.executed_plan[1]["args"]["channel"] == "external_email"
        with pytest.raises(RefusedDecisionError):
            finish(queue, act(queue), edit_action("policy.unknown_channel", channel="sms"))

    def test_rule_risk_and_gate_are_overridden_by_their_codes(self, queue):
        rule = {"code": "legal.few", "when": {"args.max_recipients": {"lt": 100}}, "then": "deny"}
        policy = {
            "rules": [{**rule, "reason": "too few"}],
            "risk": {"points": {"legal.few": 5}, "deny_at": 5},
        }
        stopped = act(queue, policy=policy)
        with pytest.raises(RefusedDecisionError):
            decide_review(queue, stopped.review_id, edit_action("policy.risk"))
        with pytest.raises(RefusedDecisionError):
            decide_review(queue, stopped.review_id, edit_action("legal.many"))
        assert finish(queue, stopped, edit_action("legal.few", "policy.risk")).stop_reason == "success"

        def gate(action, _situation):
            few = action["args"].get("max_recipients") == 12
            return {"decision": "deny", "code": "team.few"} if few else {"decision": "allow"}

        stopped = act(queue, gate=gate)
        with pytest.raises(RefusedDecisionError):
            decide_review(queue, stopped.review_id, edit_action(), gate=gate)
        # A decision made without the gate is checked by it when the run resumes.
        refused = finish(queue, stopped, edit_action(), gate=gate)
        assert (refused.stop_reason, refused.policy_code) == (
            "policy_escalation_rejected",
            "team.few",
        )
        result = finish(queue, act(queue, gate=gate), edit_action("team.few"), gate=gate)
        assert result.stop_reason == "success"

    def test_edited_action_keeps_id_and_tool(self, queue):
        stopped = act(queue)
        for other in ({"id": "a9"}, {"tool": "export_customer_data"}):
            with pytest.raises(InvalidInputError, match="must keep its id 'a3' and its tool"):
                decide_review(queue, stopped.review_id, edit_action(**other))
        with pytest.raises(InvalidInputError, match="an edit of this action needs 'action'"):
            decide_review(queue, stopped.review_id, edit("A text."))

    def test_run_asks_for_several_reviews_in_turn(self, queue):
        send = {"channel": "external_email", "audience_segment": "all_customers"}
        incident = build_request()["request"]
        plan = {
            "actions": [
                {"id": "a1", "tool": "fetch_incident_snapshot", "args": incident},
                {"id": "a2", "tool": SEND, "args": send},
                {"id": "a3", "tool": SEND, "args": send},
            ]
        }
        asked = []

        def planner(goal, request):
            asked.append((goal, request))
            return plan

        first = act(queue, planner=planner)
        second = finish(queue, first, APPROVE)
        assert second.stop_reason == "pending_review"
        assert second.review_id != first.review_id
        last = finish(queue, second, Decision(kind="reject", by="bob"))
        assert (last.stop_reason, last.run_id) == ("review_rejected", first.run_id)
        assert [review["by"] for review in last.reviews] == ["ann", "bob"]
        assert len(asked) == 1
        assert resume_run(queue, first.review_id).review_id == second.review_id

    def test_time_limit_restarts_with_the_decision(self, queue):
        readings = iter(range(0, 1_000_000, 6))
        stopped = act(queue, clock=lambda: next(readings))
        assert stopped.stop_reason == "pending_review"
        assert finish(queue, stopped, APPROVE, clock=lambda: next(readings)).stop_reason == "success"

    def test_approver_and_review_together_are_rejected(self, queue):
        with pytest.raises(InvalidInputError, match="cannot be combined"):
            act(queue, approver=lambda action, reason: {"approved": True, "action": action, "reason": reason})

    def test_resume_needs_custom_tools_and_gate_again(self, queue, tmp_path):
        stopped = act(
            queue, tools=Outbox(tmp_path / "sent").tools(keyed=True), gate=lambda *_: {"decision": "allow"}
        )
        decide_review(queue, stopped.review_id, APPROVE)
        with pytest.raises(InvalidInputError, match="a custom `tools`: pass it again"):
            resume_run(queue, stopped.review_id)
        with pytest.raises(InvalidInputError, match="a custom `gate`: pass it again"):
            resume_run(queue, stopped.review_id, tools=builtin_tools())
        assert queue.get(stopped.review_id).resumed == "no"


class TestStaleRuns:
    @pytest.fixture
    def stopped(self, queue):
        return reflect(queue)

    def test_changed_policy_raises_stale_run(self, queue, stopped):
        changed = {"max_draft_chars": 800}
        with pytest.raises(
            StaleRunError, match=r"the policy has changed since the run stopped \(\w+ -> \w+\)"
        ):
            decide_review(queue, stopped.review_id, APPROVE, policy=changed)
        assert queue.get(stopped.review_id).status == "pending"
        queue.decide(stopped.review_id, APPROVE)
        with pytest.raises(StaleRunError, match="start the run again"):
            resume_run(queue, stopped.review_id, policy=changed)
        assert resume_run(queue, stopped.review_id, policy={}).status == "ok"

    def test_changed_prompt_raises_stale_run(self, queue, stopped, tmp_path):
        matter = "---\nphase: review\nversion: v9\n---\nBe kind."
        (tmp_path / "review.md").write_text(matter)
        prompts = load_prompts(folder=tmp_path)
        match = r"the prompt `review` has changed since the run stopped \(v\d+ \w+ -> v9 \w+\)"
        with pytest.raises(StaleRunError, match=match):
            decide_review(queue, stopped.review_id, APPROVE, prompts=prompts)

    def test_changed_judge_raises_stale_run(self, queue, stopped):
        with pytest.raises(StaleRunError, match="the judge has changed"):
            decide_review(queue, stopped.review_id, APPROVE, judge=load_judge("promises"))

    def test_changed_request_raises_stale_run(self, queue, stopped, monkeypatch):
        # Simulates a newer release that builds a different request.
        monkeypatch.setattr("redpen.agents.text_steps.sorted", lambda items: [*items][:1], raising=False)
        with pytest.raises(StaleRunError, match="the payload of `review` has changed since the run"):
            decide_review(queue, stopped.review_id, APPROVE)

    def test_run_that_no_longer_asks_for_review_raises_stale_run(self, queue, stopped, monkeypatch):
        monkeypatch.setattr("redpen.agents.text_steps.check_draft", _too_long)
        with pytest.raises(StaleRunError, match="ends with invalid_draft:too_long; start the run again"):
            decide_review(queue, stopped.review_id, APPROVE)

    def test_stale_run_can_still_be_rejected(self, queue, stopped):
        rejected = Decision(kind="reject", by="ann")
        assert (
            decide_review(queue, stopped.review_id, rejected, policy={"max_draft_chars": 8}).state
            == "decided"
        )


def _too_long(*_args, **_options):
    from redpen.gateway.texts import check_draft

    check_draft("x" * 5_000, max_chars=10)


class TestUnknownOutcomes:
    """The run was killed during the call of a tool without idempotency key."""

    @pytest.fixture
    def unknown(self, queue, tmp_path):
        """Return a run that was interrupted during a call, its tools and its outbox."""
        outbox = Outbox(tmp_path / "sent.jsonl")
        tools = outbox.tools(keyed=False)
        stopped = act(queue, tools=tools)
        decide_review(queue, stopped.review_id, APPROVE)
        resume_and_interrupt(queue, stopped.review_id, tools)
        result = resume_run(queue, stopped.review_id, tools=tools)
        return result, tools, outbox

    def test_unknown_outcome_asks_for_review(self, queue, unknown):
        result, _tools, outbox = unknown
        assert result.stop_reason == "tool_outcome_unknown:send_status_update"
        review = queue.get(result.review_id)
        assert (review.kind, review.shown["tool"], len(outbox.sent)) == ("call", SEND, 1)

    def test_approval_repeats_the_call(self, queue, unknown):
        result, tools, outbox = unknown
        ended = finish(queue, result, APPROVE, tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("success", 3)

    def test_edited_answer_replaces_the_call(self, queue, unknown):
        result, tools, outbox = unknown
        answer = {"delivery_id": "upd_7", "queued_recipients": 12}
        ended = finish(queue, result, Decision(kind="edit", by="bob", answer=answer), tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("success", 2)
        assert ended.history[2]["observation"] == answer
        assert [review["by"] for review in ended.reviews] == ["ann", "bob"]

    def test_rejection_stops_the_run(self, queue, unknown):
        result, tools, outbox = unknown
        ended = finish(queue, result, Decision(kind="reject", by="bob"), tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("review_rejected", 1)

    def test_approval_allows_only_one_more_call(self, queue, unknown):
        result, tools, outbox = unknown
        decide_review(queue, result.review_id, APPROVE)
        resume_and_interrupt(queue, result.review_id, tools)
        again = resume_run(queue, result.review_id, tools=tools)
        assert again.stop_reason == result.stop_reason
        assert again.review_id != result.review_id
        assert len(outbox.sent) == 2


def resume_and_interrupt(queue, review_id, tools):
    """Resume a run and interrupt it right after its first call, as a killed process would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(queue), "finish_entry", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            resume_run(queue, review_id, tools=tools)


def _interrupt(*_):
    raise KeyboardInterrupt


def test_run_is_resumed_by_one_process_at_a_time(queue):
    stopped = reflect(queue)
    queue.decide(stopped.review_id, APPROVE)
    held = queue.claim(stopped.review_id)
    with pytest.raises(BusyRunError, match=r"another process is resuming its run \(process \d+\)"):
        resume_run(queue, stopped.review_id)
    queue.release(held)
    assert resume_run(queue, stopped.review_id).status == "ok"
    with pytest.raises(BusyRunError, match="has taken over its run"):
        queue.complete(held, {})


def test_run_of_another_machine_is_taken_over_after_its_lease(queue, clock, monkeypatch):
    stopped = reflect(queue)
    queue.decide(stopped.review_id, APPROVE)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("redpen.review.owner._machine", lambda: "another machine")
        held = queue.claim(stopped.review_id)
    clock.move(seconds=599)
    with pytest.raises(BusyRunError):
        resume_run(queue, stopped.review_id)
    clock.move(seconds=2)
    assert resume_run(queue, stopped.review_id).status == "ok"
    with pytest.raises(BusyRunError, match="taken over"):
        queue.complete(held, {})


def test_policy_of_run_is_stored_and_used_on_resume(queue):
    policy = {"max_recipients_per_send": 70, "clock": {"zone": "Europe/Berlin"}}
    stopped = run_guarded_policy_agent(goal="Tell.", request=build_request(), policy=policy, review=queue)
    result = finish(queue, stopped, APPROVE)
    assert result.executed_plan[1]["args"]["max_recipients"] == 70
