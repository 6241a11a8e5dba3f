"""Summary of a run: verdict, headline, notable results and costs."""

from decimal import Decimal

import pytest

from redpen_evals.comparison.changes import behaviour, compare
from redpen_evals.prices import Prices
from redpen_evals.records import RecordedCall, ScorecardResult
from redpen_evals.reports.subject import Subject, model_of


class Table(Prices):
    """A price list that charges one dollar per token for the model "cheap" alone."""

    def cost_usd(self, model, prompt_tokens, completion_tokens):
        return Decimal(prompt_tokens + completion_tokens) if model == "cheap" else None


def compare_with(record, before):
    accepted = {item.key: behaviour(item) for item in before}
    return compare(accepted, {result.key: behaviour(result) for result in record.results})


class TestVerdict:
    @pytest.mark.parametrize(
        ("outcomes", "verdict", "headline"),
        [
            (["passed"], "passed", "The one result passed"),
            (["passed", "passed"], "passed", "All 2 results passed"),
            (["passed", "failed"], "failed", "1 failed of 2 results"),
            (["errored", "stale", "failed"], "failed", "1 failed, 1 errored, 1 stale of 3 results"),
            (["errored", "stale"], "errored", "1 errored, 1 stale of 2 results"),
            (["stale"], "stale", "1 stale of 1 result"),
            ([], "empty", "No scenario ran"),
        ],
    )
    def test_worst_outcome_decides_verdict_and_headline(
        self, make_record, result, outcomes, verdict, headline
    ):
        results = [result(f"self-critique/s{at}", outcome=one) for at, one in enumerate(outcomes)]
        subject = Subject(make_record(results))
        assert (subject.verdict, subject.headline) == (verdict, headline)

    def test_killed_run_is_incomplete(self, make_record, result):
        subject = Subject(make_record([result()], ended=False))
        assert subject.verdict == "incomplete"
        assert subject.headline == "The one result passed; the run did not end"

    def test_headline_counts_scorecard_threshold_breaches(self, make_record, result):
        card = ScorecardResult(
            name="t", measured=(), lines=(), breaches=("one fell", "  in these texts", "two fell")
        )
        subject = Subject(make_record([result(outcome="failed")], scorecards=[card]))
        assert subject.headline == "1 failed of 1 result; the scorecard is under 2 thresholds"

    def test_headline_starts_with_regressions(self, make_record, result):
        record = make_record([result(outcome="failed")])
        subject = Subject(record, comparison=compare_with(record, [result()]))
        assert subject.headline == "1 regressed; 1 failed of 1 result"

    def test_verdict_is_passed_when_exit_code_is_zero_despite_failures(self, make_record, result):
        record = make_record([result(), result("self-critique/known", outcome="failed")])
        lenient = record.end.model_copy(update={"exit_code": 0})
        assert (
            Subject(
                type(record)(path=record.path, start=record.start, results=record.results, end=lenient)
            ).verdict
            == "passed"
        )


class TestNotable:
    def test_notable_sorts_by_severity_and_groups_by_reason(self, make_record, result):
        def made(name, outcome, *reasons):
            return result(f"self-critique/{name}", outcome=outcome, reasons=reasons)

        record = make_record(
            [
                made("a", "passed"),
                made("b", "stale", "prompt changed"),
                made("c", "errored", "broken file"),
                made("d", "failed", "wrong\nmore of it"),
                made("e", "failed", "wrong"),
                made("f", "failed", "worse"),
                made("g", "passed"),
            ]
        )
        before = [made("a", "failed"), made("f", "passed"), made("gone", "passed"), made("g", "passed")]
        subject = Subject(record, comparison=compare_with(record, before))
        assert [
            (item.kind, item.outcome, item.reason, [result.scenario[-1] for result in item.results])
            for item in subject.notable()
        ] == [
            ("regressed", "failed", "worse", ["f"]),
            ("new", "failed", "wrong", ["d", "e"]),
            ("new", "errored", "broken file", ["c"]),
            ("new", "stale", "prompt changed", ["b"]),
            ("improved", "passed", "", ["a"]),
        ]
        assert subject.kinds == {"regressed": 1, "improved": 1, "new": 4, "gone": 1}
        assert [key[0] for key in subject.gone()] == ["self-critique/gone"]

    def test_changed_fields_are_reason_of_change(self, make_record, result):
        record = make_record(
            [result(answer="New."), result("self-critique/b", decision="approve", answer="New.")]
        )
        before = [result(answer="Old."), result("self-critique/b", decision="revise", answer="New.")]
        assert [
            item.reason for item in Subject(record, comparison=compare_with(record, before)).notable()
        ] == [
            "behaviour: decision",
            "wording: answer",
        ]


class TestSpending:
    @staticmethod
    def run(result, name, variant="", tokens=(3, 2)):
        call = RecordedCall(
            phase="draft", state="replayed", prompt_tokens=tokens[0], completion_tokens=tokens[1]
        )
        return result(f"self-critique/{name}", variant=variant, calls=(call,))

    def test_spending_sums_tokens_and_dollars(self, make_record, result):
        record = make_record([self.run(result, "a"), self.run(result, "b")], model="cheap")
        spent = Subject(record, prices=Table()).spending()
        assert (spent.calls, spent.tokens, spent.usd) == (2, 10, Decimal(10))

    def test_variant_is_priced_by_its_own_model(self, make_record, result):
        record = make_record([self.run(result, "a", "critique=v2,model=cheap")], model="dear")
        assert Subject(record, prices=Table()).spending().usd == Decimal(5)
        assert model_of(record.start, "") == "dear"

    def test_total_is_none_when_a_model_has_no_price(self, make_record, result):
        record = make_record([self.run(result, "a"), self.run(result, "b", "model=cheap")], model="dear")
        spent = Subject(record, prices=Table()).spending()
        assert (spent.usd, spent.unpriced) == (None, ("dear",))

    def test_model_without_calls_needs_no_price(self, make_record, result):
        record = make_record([result()], model="dear")
        assert Subject(record, prices=Table()).spending().usd == Decimal(0)

    def test_spending_is_priced_only_when_a_cost_is_known(self, make_record, result):
        assert Subject(make_record([self.run(result, "a")], model="cheap"), prices=Table()).spending().priced
        assert (
            not Subject(make_record([self.run(result, "a")], model="dear"), prices=Table()).spending().priced
        )
        assert not Subject(make_record([self.run(result, "a")]), prices=Prices()).spending().priced

    def test_no_model_is_unpriced_without_price_list(self, make_record, result):
        spent = Subject(make_record([self.run(result, "a")], model="dear")).spending()
        assert (spent.usd, spent.unpriced) == (None, ())
