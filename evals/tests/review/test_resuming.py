"""Runs that stop for a person and go on: what goes on, what is held to the guards, and what is stale."""

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
from redpen.chat.budget import Effort, current_budget
from redpen.context import build_request
from redpen.errors import InvalidInputError
from redpen.events import open_events
from redpen.events.places import find_store
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


def finish(queue, result, decision, **means):
    outcome = decide_review(queue, result.review_id, decision)
    assert outcome.state == "decided"
    return resume_run(queue, result.review_id, **means)


class TestTexts:
    @pytest.mark.parametrize("run", [reflect, criticise])
    def test_an_approved_text_is_published_and_no_model_is_asked_again(self, queue, run):
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

    def test_a_rejected_text_is_not_published(self, queue):
        result = finish(queue, reflect(queue), Decision(kind="reject", by="ann", reason="no"))
        assert (result.stop_reason, result.phase, result.answer) == ("review_rejected", "review", None)
        assert [(one["decision"], one["by"], one["reason"]) for one in result.reviews] == [
            ("reject", "ann", "no")
        ]

    def test_an_expired_review_ends_the_run(self, open_queue, clock):
        queue = open_queue(expire_after_s=60)
        stopped = reflect(queue)
        clock.move(minutes=2)
        assert resume_run(queue, stopped.review_id).stop_reason == "review_expired"

    @pytest.mark.parametrize("run", [reflect, criticise])
    def test_a_new_number_needs_an_override_which_is_kept(self, queue, run, tmp_path):
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
        assert [one["code"] for one in result.reviews[0]["overrides"]] == list(codes)
        store = find_store(f"sqlite:///{tmp_path}/events.db")
        told = [entry.content for entry in store.read()]
        store.close()
        (decided,) = [event for event in told if event.kind == "decided"]
        assert (decided.by, decided.decision, decided.codes) == ("ann", "edit", codes)
        assert [event.seq for event in told] == list(range(1, len(told) + 1))
        assert [event.kind for event in told if event.seq >= 7] == [
            "review_asked",
            "stopped",
            "resumed",
            "decided",
            "published",
        ]

    def test_an_override_lets_findings_of_its_code_stand_alone(self, queue):
        stopped = reflect(queue)
        with pytest.raises(RefusedDecisionError) as caught:
            decide_review(queue, stopped.review_id, edit(f"{NEW_FACT} Europe too.", "no_new_facts"))
        assert caught.value.stop_reason == "patch_violation:new_region"

    @pytest.mark.parametrize("text", ["", " \n", "x" * 1_000])
    def test_no_override_lets_an_empty_or_too_long_text_stand(self, queue, text):
        codes = ("empty", "too_long", "too_large_edit", "no_new_facts", "restricted_claims")
        with pytest.raises(RefusedDecisionError, match="invalid_revised:"):
            decide_review(queue, reflect(queue).review_id, edit(text, *codes))

    def test_a_revision_with_a_concern_is_shown_with_it(self, queue):
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

    def test_an_edit_is_held_to_the_changes_that_a_critique_asked_for(self, queue):
        replies = ({"draft": DRAFT}, critique_of("revise", required_changes=['ADD "For now."']))
        stopped = criticise(queue, replies=replies, policy=RAISED)
        assert queue.get(stopped.review_id).code == "policy.severity_budget"
        with pytest.raises(RefusedDecisionError, match="required_changes_not_applied"):
            decide_review(queue, stopped.review_id, edit(f"{DRAFT} Sorry."))
        result = finish(queue, stopped, edit(f"{DRAFT} For now."))
        assert result.answer == f"{DRAFT} For now."

    def test_what_is_published_is_held_to_the_policy_whoever_approves_it(self, queue):
        policy = {"disclaimers": [{"must_include": "We will write again.", "code": "disclaimer.again"}]}
        stopped = reflect(queue, policy=policy)
        with pytest.raises(RefusedDecisionError) as caught:
            decide_review(queue, stopped.review_id, APPROVE)
        assert caught.value.stop_reason == "missing_disclaimer:disclaimer.again"
        result = finish(queue, stopped, edit(f"{DRAFT} Sorry.", "disclaimer.again"))
        assert result.status == "ok"

    def test_a_judge_and_what_calls_took_come_from_the_journal(self, queue):
        class Slow(Model):
            def complete(self, *, phase, prompt, payload):
                current_budget().add(Effort(tries=3, waited_s=1.25))
                return super().complete(phase=phase, prompt=prompt, payload=payload)

        judge = load_judge("promises")
        answers = [{"id": one.id, "answer": "no", "quote": ""} for one in judge.questions]
        answers[0] = {"id": judge.questions[0].id, "answer": "yes", "quote": "degraded"}
        replies = [
            {"draft": DRAFT},
            review_of("revise", issues=[{"type": "scope_leak", "note": "x"}], fix_plan=['Add "For now."']),
            {"revised_answer": f"{DRAFT} For now."},
            *[{"answers": answers}] * judge.samples,
        ]
        means = {"judge": judge, "policy": {"concerns": "escalate"}}
        stopped = reflect(queue, chat=Slow(*replies), **means)
        assert stopped.stop_reason == "pending_review"
        result = finish(queue, stopped, APPROVE)
        whole = reflect(lambda _: APPROVE, chat=Slow(*replies), **means)
        assert comparable(result)["trace"] == comparable(whole)["trace"]
        assert result.trace[0]["attempts"] == 3

    def test_a_run_that_was_resumed_gives_its_result_again_and_does_nothing(self, queue):
        stopped = reflect(queue)
        first = finish(queue, stopped, APPROVE)
        assert resume_run(queue, stopped.review_id[:9], chat=Model()) == first
        assert decide_review(queue, stopped.review_id, APPROVE).state == "repeated"

    def test_a_pending_review_is_not_resumed(self, queue):
        with pytest.raises(NotDecidedError, match="is pending"):
            resume_run(queue, reflect(queue).review_id)

    def test_a_run_without_a_need_for_a_person_stores_nothing(self, queue):
        result = reflect(queue, replies=({"draft": DRAFT}, review_of("approve")))
        assert (result.outcome, queue.reviews()) == ("approved_direct", [])

    def test_an_address_does_as_well_as_a_queue(self, open_queue, database_address):
        stopped = reflect(database_address)
        assert open_queue().get(stopped.review_id).run_id == stopped.run_id

    def test_what_is_no_queue_is_refused(self):
        with pytest.raises(InvalidInputError, match="review: has to be a queue"):
            reflect(7)

    def test_a_reviewer_that_crashes_approves_nothing(self):
        def crash(_question):
            raise LookupError("no idea")

        assert reflect(crash).stop_reason == "review_rejected"


class TestActions:
    def test_an_approved_action_is_carried_out_and_nothing_before_it_is_again(self, queue, tmp_path):
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
        keys = [one["key"] for one in outbox.sent]
        assert len(set(keys)) == 2
        assert all(key.startswith(f"{result.run_id}:") for key in keys)

    def test_an_edited_action_passes_the_gate_again(self, queue):
        stopped = act(queue)
        with pytest.raises(RefusedDecisionError, match="policy_escalation_rejected"):
            decide_review(queue, stopped.review_id, edit_action(channel="sms"))
        result = finish(queue, stopped, edit_action())
        assert result.executed_plan[1]["args"]["max_recipients"] == 12
        assert result.reviews[0]["decision"] == "edit"

    def test_the_table_rewrites_an_edit_unless_that_is_let_stand(self, queue):
        result = finish(queue, act(queue), edit_action(max_recipients=90_000))
        assert result.executed_plan[1]["args"]["max_recipients"] == 50_000
        result = finish(queue, act(queue), edit_action("policy.rewrite", max_recipients=90_000))
        assert result.executed_plan[1]["args"]["max_recipients"] == 90_000

    def test_a_broadcast_can_be_let_stand_and_a_denial_of_the_table_cannot(self, queue):
        broadcast = {"channel": "external_email", "audience_segment": "all_customers"}
        stopped = act(queue)
        with pytest.raises(RefusedDecisionError):
            decide_review(queue, stopped.review_id, edit_action(**broadcast))
        result = finish(queue, stopped, edit_action("policy.mass_broadcast", **broadcast))
        assert result.executed_plan[1]["args"]["channel"] == "external_email"
        with pytest.raises(RefusedDecisionError):
            finish(queue, act(queue), edit_action("policy.unknown_channel", channel="sms"))

    def test_a_rule_risk_and_a_gate_can_be_let_stand_by_their_codes(self, queue):
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
        # Without the gate it is asked when the run goes on.
        refused = finish(queue, stopped, edit_action(), gate=gate)
        assert (refused.stop_reason, refused.policy_code) == (
            "policy_escalation_rejected",
            "team.few",
        )
        result = finish(queue, act(queue, gate=gate), edit_action("team.few"), gate=gate)
        assert result.stop_reason == "success"

    def test_an_edit_keeps_id_and_tool(self, queue):
        stopped = act(queue)
        for other in ({"id": "a9"}, {"tool": "export_customer_data"}):
            with pytest.raises(InvalidInputError, match="keeps its id 'a3' and its tool"):
                decide_review(queue, stopped.review_id, edit_action(**other))
        with pytest.raises(InvalidInputError, match="an edit of this one has 'action'"):
            decide_review(queue, stopped.review_id, edit("A text."))

    def test_a_run_asks_as_often_as_it_needs_to(self, queue):
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
        assert [one["by"] for one in last.reviews] == ["ann", "bob"]
        assert len(asked) == 1
        assert resume_run(queue, first.review_id).review_id == second.review_id

    def test_the_time_of_the_run_begins_anew_with_the_decision(self, queue):
        looks = iter(range(0, 1_000_000, 6))
        stopped = act(queue, clock=lambda: next(looks))
        assert stopped.stop_reason == "pending_review"
        assert finish(queue, stopped, APPROVE, clock=lambda: next(looks)).stop_reason == "success"

    def test_an_approver_and_a_review_do_not_go_together(self, queue):
        with pytest.raises(InvalidInputError, match="give one of both"):
            act(queue, approver=lambda action, reason: {"approved": True, "action": action, "reason": reason})

    def test_tools_and_gate_of_its_own_are_needed_again(self, queue, tmp_path):
        stopped = act(
            queue, tools=Outbox(tmp_path / "sent").tools(keyed=True), gate=lambda *_: {"decision": "allow"}
        )
        decide_review(queue, stopped.review_id, APPROVE)
        with pytest.raises(InvalidInputError, match="tools of its own: give them again"):
            resume_run(queue, stopped.review_id)
        with pytest.raises(InvalidInputError, match="gate of its own: give them again"):
            resume_run(queue, stopped.review_id, tools=builtin_tools())
        assert queue.get(stopped.review_id).resumed == "no"


class TestStaleRuns:
    @pytest.fixture
    def stopped(self, queue):
        return reflect(queue)

    def test_a_changed_policy(self, queue, stopped):
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

    def test_a_changed_prompt(self, queue, stopped, tmp_path):
        matter = "---\nphase: review\nversion: v9\n---\nBe kind."
        (tmp_path / "review.md").write_text(matter)
        prompts = load_prompts(folder=tmp_path)
        match = r"the prompt of `review` has changed since the run stopped \(v\d+ \w+ -> v9 \w+\)"
        with pytest.raises(StaleRunError, match=match):
            decide_review(queue, stopped.review_id, APPROVE, prompts=prompts)

    def test_a_changed_judge(self, queue, stopped):
        with pytest.raises(StaleRunError, match="the judge has changed"):
            decide_review(queue, stopped.review_id, APPROVE, judge=load_judge("promises"))

    def test_a_changed_request(self, queue, stopped, monkeypatch):
        # What a newer release would ask otherwise.
        monkeypatch.setattr("redpen.agents.writing.sorted", lambda items: [*items][:1], raising=False)
        with pytest.raises(StaleRunError, match="what is asked with `review` has changed since the run"):
            decide_review(queue, stopped.review_id, APPROVE)

    def test_a_run_that_does_not_come_to_its_question_any_more(self, queue, stopped, monkeypatch):
        monkeypatch.setattr("redpen.agents.writing.check_draft", _too_long)
        with pytest.raises(StaleRunError, match="ends with invalid_draft:too_long; start the run again"):
            decide_review(queue, stopped.review_id, APPROVE)

    def test_a_stale_run_can_still_be_rejected(self, queue, stopped):
        rejected = Decision(kind="reject", by="ann")
        assert (
            decide_review(queue, stopped.review_id, rejected, policy={"max_draft_chars": 8}).state
            == "decided"
        )


def _too_long(*_args, **_options):
    from redpen.gateway.texts import check_draft

    check_draft("x" * 5_000, max_chars=10)


class TestUnknownOutcomes:
    """A tool without a key that was called when the run was killed."""

    @pytest.fixture
    def unknown(self, queue, tmp_path):
        """Give a run that was interrupted within a call, and what it sent."""
        outbox = Outbox(tmp_path / "sent.jsonl")
        tools = outbox.tools(keyed=False)
        stopped = act(queue, tools=tools)
        decide_review(queue, stopped.review_id, APPROVE)
        resume_and_interrupt(queue, stopped.review_id, tools)
        result = resume_run(queue, stopped.review_id, tools=tools)
        return result, tools, outbox

    def test_a_person_is_asked(self, queue, unknown):
        result, _tools, outbox = unknown
        assert result.stop_reason == "tool_outcome_unknown:send_status_update"
        review = queue.get(result.review_id)
        assert (review.kind, review.shown["tool"], len(outbox.sent)) == ("call", SEND, 1)

    def test_approve_makes_the_call(self, queue, unknown):
        result, tools, outbox = unknown
        ended = finish(queue, result, APPROVE, tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("success", 3)

    def test_an_answer_stands_for_the_call_that_was_made(self, queue, unknown):
        result, tools, outbox = unknown
        answer = {"delivery_id": "upd_7", "queued_recipients": 12}
        ended = finish(queue, result, Decision(kind="edit", by="bob", answer=answer), tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("success", 2)
        assert ended.history[2]["observation"] == answer
        assert [one["by"] for one in ended.reviews] == ["ann", "bob"]

    def test_reject_ends_the_run(self, queue, unknown):
        result, tools, outbox = unknown
        ended = finish(queue, result, Decision(kind="reject", by="bob"), tools=tools)
        assert (ended.stop_reason, len(outbox.sent)) == ("review_rejected", 1)

    def test_a_word_to_make_it_counts_once(self, queue, unknown):
        result, tools, outbox = unknown
        decide_review(queue, result.review_id, APPROVE)
        resume_and_interrupt(queue, result.review_id, tools)
        again = resume_run(queue, result.review_id, tools=tools)
        assert again.stop_reason == result.stop_reason
        assert again.review_id != result.review_id
        assert len(outbox.sent) == 2


def resume_and_interrupt(queue, review_id, tools):
    """Resume a run as where the process is killed: a call is made, and nothing after it happens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(queue), "finish_entry", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            resume_run(queue, review_id, tools=tools)


def _interrupt(*_):
    raise KeyboardInterrupt


def test_one_process_resumes_a_run_at_a_time(queue):
    stopped = reflect(queue)
    queue.decide(stopped.review_id, APPROVE)
    held = queue.claim(stopped.review_id)
    with pytest.raises(BusyRunError, match=r"another process resumes its run \(process \d+\)"):
        resume_run(queue, stopped.review_id)
    queue.release(held)
    assert resume_run(queue, stopped.review_id).status == "ok"
    with pytest.raises(BusyRunError, match="has taken over its run"):
        queue.complete(held, {})


def test_a_run_of_another_machine_is_taken_over_when_its_lease_is_up(queue, clock, monkeypatch):
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


def test_what_a_run_holds_it_to_is_stored_and_needs_not_be_given(queue):
    policy = {"max_recipients_per_send": 70, "clock": {"zone": "Europe/Berlin"}}
    stopped = run_guarded_policy_agent(goal="Tell.", request=build_request(), policy=policy, review=queue)
    result = finish(queue, stopped, APPROVE)
    assert result.executed_plan[1]["args"]["max_recipients"] == 70
