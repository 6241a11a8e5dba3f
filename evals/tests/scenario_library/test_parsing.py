"""Errors in scenario files read `file:line: field: problem`, with the nearest match."""

from __future__ import annotations

import re

import pytest

from redpen.context import IncidentContext
from redpen.yaml_files.problem import FileError
from redpen_evals.scenario_library.loading import load_case, load_context


@pytest.fixture
def faults_of(library, monkeypatch):
    """Give a function that returns the errors of a scenario as lines."""
    monkeypatch.chdir(library.root)

    def lines(scenario, name=None):
        agent = scenario.get("agent")
        folder = agent if agent in {"reflection", "guarded-policy"} else "self-critique"
        with pytest.raises(FileError) as caught:
            library.case(name or f"{folder}/broken", scenario)
        return str(caught.value).splitlines()

    return lines


def _line_of(library, needle):
    path = next((library.layout.scenarios).glob("*/broken.yaml"))
    lines = path.read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if needle in line)


DRAFT = {"phase": "draft", "json": {"draft": "Checkout is degraded."}}

UNKNOWN_KEYS = {
    "at the top": ({"tagz": ["a"]}, "tagz", "tagz", "unknown key (did you mean `tags`?)"),
    "with nothing near": ({"qqqq": 1}, "qqqq", "qqqq", "unknown key"),
    "in expect": (
        {"expect": {"status": "ok", "outcom": "x"}},
        "outcom",
        "expect.outcom",
        "unknown key (did you mean `outcome`?)",
    ),
    "in a reply": (
        {"replies": [DRAFT, {**DRAFT, "delay_sec": 1}]},
        "delay_sec",
        "replies[1].delay_sec",
        "unknown key `delay_sec` (did you mean `delay_s`?)",
    ),
    "in a reply's error": (
        {"replies": [{"status": 500, "error": {"mesage": "x"}}]},
        "mesage",
        "replies[0].error.mesage",
        "unknown key (did you mean `message`?)",
    ),
    "in a reply's usage": (
        {"replies": [{**DRAFT, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "tokens": 2}}]},
        " tokens",
        "replies[0].usage.tokens",
        "unknown key (did you mean `prompt_tokens`?)",
    ),
    "in the policy": (
        {"policy": {"max_drft_chars": 5}},
        "max_drft_chars",
        "policy.max_drft_chars",
        "unknown key (did you mean `max_draft_chars`?)",
    ),
    "of another place": (
        {"stop_reason": "success"},
        "stop_reason",
        "stop_reason",
        "does not belong here",
    ),
    "of another agent's policy": (
        {"policy": {"max_actions": 3}},
        "max_actions",
        "policy.max_actions",
        "does not belong here",
    ),
    "of another agent": ({"approver": "reject"}, "approver", "approver", "does not belong here"),
}


@pytest.mark.parametrize(
    ("change", "needle", "where"),
    [(change, needle, f"{field}: {problem}") for change, needle, field, problem in UNKNOWN_KEYS.values()],
    ids=list(UNKNOWN_KEYS),
)
def test_unknown_key_error_has_line_and_field(library, faults_of, change, needle, where):
    faults = faults_of(library.self_critique(**change))
    line = _line_of(library, needle)
    assert faults == [f"scenarios/self-critique/broken.yaml:{line}: {where}"]


def test_long_list_of_errors_is_truncated_and_counted(faults_of, library):
    faults = faults_of(library.self_critique(**{f"key{number}": 1 for number in range(3_000)}))
    assert len(faults) == 51
    assert faults[-1].endswith(": and 2950 more faults")


def test_error_with_hostile_key_is_one_printable_line(faults_of, library):
    (fault,) = faults_of(library.self_critique(**{"\x85\u202ekey" + "x" * 100_000: 1}))
    assert fault.isprintable()
    assert len(fault) < 1_000


def test_unknown_key_of_tool_has_line_and_field(library, faults_of):
    tools = {"send_status_update": {"falt": "hang"}}
    assert faults_of(library.guarded_policy(tools=tools)) == [
        (
            f"scenarios/guarded-policy/broken.yaml:{_line_of(library, 'falt')}: "
            "tools.send_status_update.falt: unknown key (did you mean `fault`?)"
        )
    ]


WRONG = {
    "a number": ({"seconds_a_look": "fast"}, "seconds_a_look", "input should be a valid number, not 'fast'"),
    "a text for true": ({"goal": True}, "goal", "input should be a valid string, not True"),
    "no list": ({"tags": "a"}, "tags", "input should be a valid list, not 'a'"),
    "no mapping": (
        {"context_changes": [1]},
        "context_changes",
        "has to be a mapping of keys to values, not [1]",
    ),
    "a reply that is none": (
        {"replies": ["hello"]},
        "replies[0]",
        (
            "a reply must be a mapping with one of `json`, `content`, `refusal`, `tool_calls`, `choices`, "
            "`status`, `body`, `body_base64`, `fault`"
        ),
    ),
    "a count as text": (
        {"replies": [{**DRAFT, "times": "2"}]},
        "replies[0].times",
        "input should be a valid integer, not '2'",
    ),
    "a blank goal": ({"goal": "  "}, "goal", "string should match pattern '\\S'"),
    "a literal": (
        {"invariants": ["calls_stay_bound"]},
        "invariants[0]",
        (
            "'calls_stay_bound' is not one of result_is_well_formed, calls_stay_bounded, "
            "stopped_runs_publish_nothing, high_risk_is_never_published, answers_stay_within_limits, "
            "numbers_come_from_the_context, removed_phrases_stay_out (did you mean `calls_stay_bounded`?)"
        ),
    ),
    "a literal of a reply": (
        {"replies": [{**DRAFT, "phase": "drft"}]},
        "replies[0].phase",
        (
            "'drft' is not one of draft, shorten, critique, review, revise, check, judge, plan "
            "(did you mean `draft`?)"
        ),
    ),
    "an agent": (
        {"agent": "self-critic"},
        "agent",
        (
            "'self-critic' is not one of self-critique, reflection, guarded-policy (did you mean "
            "`self-critique`?)"
        ),
    ),
    "a stop reason": (
        {"expect": {"status": "stopped", "stop_reason": "policy_escalate"}},
        "expect.stop_reason",
        "the self-critique agent has no stop reason 'policy_escalate' (did you mean `policy_escalation`?)",
    ),
    "another agent's stop reason": (
        {"expect": {"status": "stopped", "stop_reason": "invalid_plan:actions"}},
        "expect.stop_reason",
        (
            "the self-critique agent has no stop reason 'invalid_plan:actions' (did you mean "
            "`invalid_answer:too_long`?)"
        ),
    ),
    "a status without its stop reason": (
        {"expect": {"status": "stopped"}},
        "expect",
        "status stopped does not go with stop_reason 'success'",
    ),
    "an answer of a stopped run": (
        {"expect": {"status": "stopped", "stop_reason": "llm_timeout", "answer": "x"}},
        "expect",
        "a run that stopped has no answer and no outcome",
    ),
    "a phase of a run that is ok": (
        {"expect": {"status": "ok", "phase": "draft"}},
        "expect",
        "a run that is ok has no phase",
    ),
    "a path": (
        {"expect": {"status": "ok", "fields": {"trace[x].ok": True}}},
        "expect.fields",
        "'trace[x].ok' is not a path: keys joined by dots, list positions in brackets",
    ),
    "an absent path": (
        {"expect": {"status": "ok", "absent": [""]}},
        "expect.absent",
        "'' is not a path: keys joined by dots, list positions in brackets",
    ),
    "a policy value": (
        {"policy": {"max_risks": -1}},
        "policy.max_risks",
        "input should be greater than or equal to 0, not -1",
    ),
    "a context": (
        {"context": "payment"},
        "context",
        "there is no contexts/payment.yaml (did you mean `payments`?)",
    ),
    "a context elsewhere": (
        {"context": "../plans/sound"},
        "context",
        "string should match pattern '^[a-z0-9]+(-[a-z0-9]+)*$'",
    ),
}


@pytest.mark.parametrize(("change", "field", "problem"), WRONG.values(), ids=list(WRONG))
def test_invalid_value_error_has_line_and_field(library, faults_of, change, field, problem):
    (fault,) = faults_of(library.self_critique(**change))
    place = re.fullmatch(r"scenarios/self-critique/broken.yaml:(\d+): ([^:]*): (.*)", fault)
    assert place is not None, fault
    assert (place[2], place[3]) == (field, problem)
    last = re.split(r"[.\[]", field.rstrip("]"))[-1]
    if not last.isdigit():
        assert int(place[1]) == _line_of(library, f"{last}:")


@pytest.mark.parametrize("field", ["title", "goal", "context", "replies", "expect", "invariants", "agent"])
def test_missing_field_is_reported(library, faults_of, field):
    scenario = library.self_critique()
    del scenario[field]
    assert faults_of(scenario) == [f"scenarios/self-critique/broken.yaml:2: {field}: is missing"]


def test_all_errors_of_a_file_are_reported(library, faults_of):
    scenario = library.self_critique(
        tagz=[], seconds_a_look=-1, replies=[{"jsn": {}}, {"times": 0, "json": 1}]
    )
    fields = [fault.split(": ")[1] for fault in faults_of(scenario)]
    assert sorted(fields) == ["replies[0]", "replies[1].times", "seconds_a_look", "tagz"]


@pytest.mark.parametrize("text", ["[1, 2]", "hello", "--- null"])
def test_file_that_is_no_mapping_is_refused(library, text):
    library.write("self-critique/broken.yaml", text)
    with pytest.raises(FileError, match=r"broken\.yaml:1: has to be a mapping of keys to values, not "):
        load_case(library.layout, "self-critique/broken")


def test_plan_planner_and_replies_have_to_match(library, faults_of):
    (fault,) = faults_of(library.guarded_policy(plan="sound"))
    assert fault.endswith(": plan: goes with planner `file`, and only with it")
    (fault,) = faults_of(library.guarded_policy(planner="fixed"))
    assert fault.endswith(": replies: go with planner `model`, and only with it")
    (fault,) = faults_of(library.guarded_policy(planner="file", plan="soud", replies=[]))
    assert fault.endswith(": plan: there is no plans/soud.yaml (did you mean `sound`?)")


def test_scenario_in_folder_of_another_agent_is_refused(library, faults_of):
    assert faults_of(library.self_critique(), "reflection/broken") == [
        (
            f"scenarios/reflection/broken.yaml:{_line_of(library, 'agent:')}: "
            "agent: 'self-critique' does not belong in the folder 'reflection'"
        )
    ]


def test_request_changes_cannot_remove_the_request(library, faults_of):
    (fault,) = faults_of(library.guarded_policy(request_changes={"request": None}))
    assert fault.endswith(": request_changes: does not leave an object `request`")


CONTEXTS = {
    "unknown key": ({"policyhints": {}}, "policyhints", "unknown key (did you mean `policy_hints`?)"),
    "region": ({"region": 5}, "region", "input should be a valid string, not 5"),
    "no date": ({"report_date": "soon"}, "report_date", "Invalid isoformat string: 'soon'"),
    "another form": ({"report_date": "20260306"}, "report_date", "a date is written YYYY-MM-DD"),
    "severity": (
        {"incident": {"incident_id": "inc_1", "severity": "P9", "status": "x"}},
        "incident.severity",
        "'P9' is not one of P0, P1, P2, P3, P4, P5; define a scale of your own under `severities`",
    ),
    "off its scale": (
        {"severities": ["SEV1", "SEV2"]},
        "incident.severity",
        "'P1' is not one of SEV1, SEV2",
    ),
    "long standing text": (
        {"standing": {"greetings": ["x" * 301]}},
        "standing.greetings[0]",
        "string should have at most 300 characters",
    ),
    "standing text misspelt": (
        {"standing": {"greeting": ["Hi"]}},
        "standing.greeting",
        "unknown key (did you mean `greetings`?)",
    ),
    "missing": ({"incident": {"severity": "P1", "status": "x"}}, "incident.incident_id", "is missing"),
    "actions": ({"approved_actions": "wait"}, "approved_actions", "input should be a valid list, not 'wait'"),
}


@pytest.mark.parametrize(("change", "field", "problem"), CONTEXTS.values(), ids=list(CONTEXTS))
def test_invalid_context_is_reported_with_field(library, change, field, problem):
    path = library.write("contexts/broken.yaml", library.context(**change))
    with pytest.raises(FileError) as caught:
        load_context(path)
    assert str(caught.value).split(": ", maxsplit=1)[1] == f"{field}: {problem}"


def test_context_accepts_extra_facts_severities_and_standing_texts(library):
    own = {
        "weather": {"wind_kmh": 90},
        "tickets": 12,
        "severities": ["P1", "SEV 2"],
        "standing": {"greetings": ["Hi {name}"], "product_names": ["Recovery Codes"]},
    }
    context = library.context(**own)
    path = library.write("contexts/more.yaml", context)
    assert load_context(path) == context
    assert IncidentContext.model_validate(context).model_dump(mode="json", include=set(own)) == own | {
        "standing": {"headings": [], "links": [], "sign_offs": [], **own["standing"]}
    }


def test_incident_accepts_extra_facts(library):
    incident = {**library.context()["incident"], "failed_logins": 12, "regions_affected": ["EU", "UK"]}
    path = library.write("contexts/more.yaml", library.context(incident=incident))
    assert load_context(path)["incident"] == incident
