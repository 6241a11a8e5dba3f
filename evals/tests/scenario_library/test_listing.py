"""The printed list of scenarios, and cassettes without a scenario."""

from __future__ import annotations

from redpen_evals.scenario_library.listing import list_scenarios, orphaned_cassettes


def _fill(library):
    library.add("self-critique/approve", library.self_critique(tags=["base", "audit"]))
    library.add("reflection/escalate", library.reflection())
    library.add("guarded-policy/plan", library.guarded_policy(tags=["base"]))


def test_each_scenario_is_one_aligned_line(library):
    _fill(library)
    assert list(list_scenarios(library.layout)) == [
        "guarded-policy/plan    ok                 base",
        "reflection/escalate    policy_escalation",
        "self-critique/approve  approved_direct    base audit",
    ]


def test_list_filters_by_agent_and_tag(library):
    _fill(library)
    assert list(list_scenarios(library.layout, agent="reflection")) == [
        "reflection/escalate  policy_escalation"
    ]
    assert [line.split()[0] for line in list_scenarios(library.layout, tag="base")] == [
        "guarded-policy/plan",
        "self-critique/approve",
    ]
    assert list(list_scenarios(library.layout, agent="reflection", tag="base")) == []


def test_broken_scenario_is_listed_with_its_error(library, monkeypatch):
    monkeypatch.chdir(library.root)
    _fill(library)
    library.add("self-critique/broken", library.self_critique(titel="x"))
    (line,) = (line for line in list_scenarios(library.layout) if "broken" in line)
    assert line.split(maxsplit=2)[1:] == [
        "broken",
        "scenarios/self-critique/broken.yaml:24: titel: unknown key (did you mean `title`?)",
    ]
    assert len(list(list_scenarios(library.layout, tag="base"))) == 2


def test_orphaned_cassettes_are_found_for_every_model(library):
    _fill(library)
    for model in ("scripted", "gpt-4.1-mini", "org/name"):
        library.record("self-critique/approve")
        path = library.cassette("self-critique/gone", model.replace("/", "%2F"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    assert [
        path.relative_to(library.layout.cassettes).parts[0] for path in orphaned_cassettes(library.layout)
    ] == [
        "gpt-4.1-mini",
        "org%2Fname",
        "scripted",
    ]


def test_no_cassettes_give_no_orphans(library):
    _fill(library)
    assert orphaned_cassettes(library.layout) == ()
