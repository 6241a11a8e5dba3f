"""The stale map: changed calls, the calls that follow them, and the cost of recording again."""

from __future__ import annotations

from decimal import Decimal

import pytest

from redpen_evals.prices import ModelPrice, Prices
from redpen_evals.records.model import ScenarioResult, StaleCall, StaleCalls
from redpen_evals.stale.report import change_name, stale_lines

TOKENS = "900 calls, 270,000 prompt and 36,000 completion tokens as recorded before"
PROMPT = "messages[0].content"
PRICES = Prices(
    models={"gpt": ModelPrice(input_usd_per_million=Decimal("0.4"), output_usd_per_million=Decimal("1.6"))}
)


def _call(position, phase, what="", excerpt="", *, why=None, tokens=(300, 40)):
    prompt_tokens, completion_tokens = tokens
    return StaleCall(
        position=position,
        phase=phase,
        why=why or ("changed" if what else "follows"),
        what=what,
        excerpt=excerpt,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def _passed(number):
    return ScenarioResult(scenario=f"self-critique/p{number}", agent="self-critique", outcome="passed")


def _stale(number, *calls, missing=False, **changes):
    return ScenarioResult(
        scenario=f"self-critique/s{number}",
        agent="self-critique",
        outcome="stale",
        stale=StaleCalls(calls=calls, missing=missing),
        **changes,
    )


def _lines(results, *, model="scripted", **options):
    return stale_lines(results, model=model, prices=PRICES, **options)


@pytest.fixture
def one_prompt():
    """Give the results of 600 scenarios, half of them with a revision, after one change to a prompt."""
    critique = _call(2, "critique", PROMPT, "… ⏎Judge the draft {+strictly +}against …")
    stale = [_stale(n, critique, *([_call(3, "revise")] if n % 2 else [])) for n in range(600)]
    return [*stale, *map(_passed, range(55))]


class TestLines:
    def test_changed_prompt_is_summarized_over_scenarios(self, one_prompt):
        assert _lines(one_prompt, model="gpt") == [
            "600 of 655 scenarios are stale",
            "  critique prompt  600 calls in 600 scenarios  critique changed → revise 300",
            "    … ⏎Judge the draft {+strictly +}against …",
            f"  to record again  {TOKENS}, $0.17",
            "  pytest --record=stale --model gpt",
        ]

    def test_scripted_replies_are_free(self, one_prompt):
        assert _lines(one_prompt)[-2:] == [
            f"  to record again  {TOKENS}, free: the replies are scripted",
            "  pytest --record=stale",
        ]

    def test_missing_price_shows_lines_to_add(self, one_prompt):
        lines = _lines(one_prompt, model="gtp")
        assert "$" not in "".join(lines)
        assert lines[-5:] == [
            "    prices.toml: no price for model 'gtp', there is no such file (did you mean `gpt`?); add",
            "      [models.gtp]",
            "      input_usd_per_million = …   # a number, for a million tokens of requests",
            "      output_usd_per_million = …  # likewise of answers",
            "  pytest --record=stale --model gtp",
        ]

    def test_no_stale_results_give_no_lines(self):
        assert _lines([_passed(1)]) == []
        assert _lines([]) == []

    def test_columns_are_aligned_and_largest_change_is_first(self):
        changed = _call(1, "draft", "messages[1].content → goal", "[-a-] {+b+}")
        lines = _lines(
            [
                _stale(1, _call(2, "critique", PROMPT)),
                *(_stale(n, changed, _call(2, "critique"), _call(3, "revise")) for n in range(10, 20)),
            ]
        )
        assert lines[1:4] == [
            "  draft payload goal  10 calls in 10 scenarios  draft changed → critique 10, revise 10",
            "    [-a-] {+b+}",
            "  critique prompt     1 call in 1 scenario",
        ]

    def test_different_wordings_are_one_change(self):
        lines = _lines(
            [_stale(n, _call(1, "draft", "messages[1].content → goal", f"{{+{n}+}}")) for n in range(9)]
        )
        assert lines[2] == "    {+0+}  (and 8 other wordings)"
        assert len(lines) == 5

    def test_changes_beyond_the_limit_are_counted(self):
        results = [_stale(n, _call(1, "draft", f"messages[1].content → field_{n}")) for n in range(12)]
        lines = _lines(results, limit=3)
        assert sum("payload field_" in line for line in lines) == 3
        assert "  and 9 more changes of 9 calls" in lines
        assert "12 calls" in lines[-2]

    def test_long_excerpt_is_truncated(self):
        lines = _lines([_stale(1, _call(1, "draft", PROMPT, "word " * 80))])
        assert len(lines[2]) < 170
        assert lines[2].endswith(" …")

    def test_control_characters_are_escaped(self):
        lines = _lines([_stale(1, _call(1, "dra\x1bft", PROMPT, "\x1b[2J\u202eabc"))])
        assert not any(char in "".join(lines) for char in "\x1b\u202e")

    def test_missing_recordings_have_unknown_cost(self):
        assert _lines([_stale(1, missing=True), _stale(2, missing=True)], model="gpt") == [
            "2 of 2 scenarios are stale",
            "  never recorded   2 runs",
            "  to record again  2 runs with an unknown number of calls",
            "  pytest --record=stale --model gpt",
        ]

    def test_uncounted_calls_are_named_beside_the_cost(self):
        changed = _call(1, "draft", "temperature", "[-0-] {+0.7+}", tokens=(None, None))
        lines = _lines([_stale(1, changed, _call(2, "critique")), _stale(2, missing=True)], model="gpt")
        assert lines[-2].endswith(
            "at least $0.00018 (not included: 1 call without token counts, 1 run never recorded)"
        )

    def test_variants_and_samples_are_counted_as_runs(self):
        changed = _call(1, "draft", PROMPT)
        results = [_stale(1, changed, variant="critique=v2", sample=n) for n in (1, 2)]
        assert _lines([*results, _stale(1, changed), _passed(2)])[0] == (
            "1 of 2 scenarios is stale, in 3 of 4 runs"
        )


class TestChanges:
    def test_later_call_is_assigned_to_nearest_change_before_it(self):
        calls = [_call(1, "draft", PROMPT), _call(2, "shorten"), _call(3, "critique", PROMPT)]
        lines = _lines([_stale(1, *calls, _call(4, "revise"), _call(5, "revise"))])
        assert lines[1:3] == [
            "  critique prompt  1 call in 1 scenario  critique changed → revise 2",
            "  draft prompt     1 call in 1 scenario  draft changed → shorten 1",
        ]
        assert "5 calls, " in lines[3]

    def test_report_does_not_depend_on_order_of_results(self):
        results = [
            _stale(n, _call(1, "draft", f"messages[1].content → f{n % 3}", str(n % 5)), _call(2, "critique"))
            for n in range(30)
        ]
        assert _lines(results) == _lines(results[::-1]) == _lines(results[15:] + results[:15])

    def test_two_calls_of_a_scenario_count_as_one_scenario(self):
        lines = _lines([_stale(1, _call(2, "revise", PROMPT), _call(3, "revise", PROMPT))])
        assert lines[1] == "  revise prompt    2 calls in 1 scenario"

    def test_new_call_is_a_change(self):
        lines = _lines([_stale(1, _call(3, "revise", why="new", tokens=(None, None)))], model="gpt")
        assert lines[1] == "  revise call that is new  1 call in 1 scenario"
        assert "1 call without token counts" in lines[2]

    def test_calls_after_a_new_one_follow_from_a_call_that_is_new(self):
        new = _call(1, "get", why="new", what="new call GET http://shop.invalid/81")
        lines = _lines([_stale(1, new, _call(2, "chat", why="follows"))])
        assert lines[1].endswith("  1 call in 1 scenario  get is new → chat 1")

    def test_stale_result_without_details_is_counted(self):
        bare = ScenarioResult(scenario="a/b", agent="a", outcome="stale")
        assert _lines([bare])[:2] == [
            "1 of 1 scenario is stale",
            "  to record again  0 runs with an unknown number of calls",
        ]

    def test_variant_is_priced_by_its_own_model(self):
        call = _call(1, "draft", PROMPT, tokens=(1_000_000, 0))
        mixed = [_stale(1, call), _stale(2, call, variant="critique=v2,model=gpt")]
        assert _lines(mixed)[2].endswith("as recorded before, $0.40")
        unknown = _lines([*mixed, _stale(3, call, variant="model=other")])
        assert unknown[2].endswith("as recorded before")
        assert "no price for model 'other'" in unknown[3]

    def test_commands_name_scenario_variants_and_samples(self):
        changed = _call(1, "draft", PROMPT)
        assert _lines([_stale(1, changed)])[-1] == "  pytest --record=stale -k '[self-critique/s1]'"
        many = [_stale(1, changed), _stale(2, changed, variant="draft=v2,temperature=1", sample=3)]
        assert _lines(many, model="a b")[-2:] == [
            "  pytest --record=stale --model 'a b'",
            "  pytest --record=stale --model 'a b' --variants draft=v2 --variants temperature=1 --samples 3",
        ]


@pytest.mark.parametrize(
    ("what", "name"),
    [
        (PROMPT, "draft prompt"),
        ("messages[1].content", "draft payload"),
        ("messages[1].content → incident.eta_minutes", "draft payload incident.eta_minutes"),
        ("messages[2].role", "draft message 3"),
        ("temperature", "draft parameter temperature"),
        ("response_format.type", "draft parameter response_format.type"),
        ("(url)", "draft URL"),
        ("repeated", "draft call repeated"),
        ("extra", "draft call that is new"),
        ("empty", "draft call without a recording"),
        ("", "draft call that is new"),
        ("the scenario's reply has changed", "draft: the scenario's reply has changed"),
    ],
)
def test_change_name_is_readable(what, name):
    assert change_name("draft", what) == name
