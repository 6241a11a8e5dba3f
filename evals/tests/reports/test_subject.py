"""A run in numbers: verdict, headline, what to look at, what it took."""

from decimal import Decimal

import pytest

from redpen_evals.comparison import behaviour, compare
from redpen_evals.prices import Prices
from redpen_evals.records import RecordedCall, ScorecardResult
from redpen_evals.reports.subject import model_of, subject_of


class Table:
    """A price list of a dollar a token of one model."""

    def cost_usd(self, model, prompt_tokens, completion_tokens):
        return Decimal(prompt_tokens + completion_tokens) if model == "cheap" else None


def of(record, **more):
    return subject_of(record, **more)


def compared(record, before):
    accepted = {one.key: behaviour(one) for one in before}
    return compare(accepted, {one.key: behaviour(one) for one in record.results})


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
    def test_the_worst_outcome_says_it(self, make_record, result, outcomes, verdict, headline):
        results = [result(f"self-critique/s{at}", outcome=one) for at, one in enumerate(outcomes)]
        subject = of(make_record(results))
        assert (subject.verdict, subject.headline) == (verdict, headline)

    def test_a_killed_run_is_incomplete(self, make_record, result):
        subject = of(make_record([result()], ended=False))
        assert subject.verdict == "incomplete"
        assert subject.headline == "The one result passed; the run did not end"

    def test_a_guard_under_its_thresholds_is_named(self, make_record, result):
        card = ScorecardResult(
            name="t", measured=(), lines=(), breaches=("one fell", "  in these texts", "two fell")
        )
        subject = of(make_record([result(outcome="failed")], scorecards=[card]))
        assert subject.headline == "1 failed of 1 result; the scorecard is under 2 thresholds"

    def test_what_regressed_comes_first(self, make_record, result):
        record = make_record([result(outcome="failed")])
        subject = of(record, comparison=compared(record, [result()]))
        assert subject.headline == "1 regressed; 1 failed of 1 result"

    def test_the_exit_code_decides_of_a_run_that_may_fail(self, make_record, result):
        record = make_record([result(), result("self-critique/known", outcome="failed")])
        lenient = record.end.model_copy(update={"exit_code": 0})
        assert (
            of(
                type(record)(path=record.path, start=record.start, results=record.results, end=lenient)
            ).verdict
            == "passed"
        )


class TestNotable:
    def test_the_weightiest_stand_first_and_reasons_together(self, make_record, result):
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
        subject = of(record, comparison=compared(record, before))
        assert [
            (one.kind, one.outcome, one.reason, [result.scenario[-1] for result in one.results])
            for one in subject.notable()
        ] == [
            ("regressed", "failed", "worse", ["f"]),
            ("new", "failed", "wrong", ["d", "e"]),
            ("new", "errored", "broken file", ["c"]),
            ("new", "stale", "prompt changed", ["b"]),
            ("improved", "passed", "", ["a"]),
        ]
        assert subject.kinds == {"regressed": 1, "improved": 1, "new": 4, "gone": 1}
        assert [key[0] for key in subject.gone()] == ["self-critique/gone"]

    def test_what_changed_is_the_reason_of_a_change(self, make_record, result):
        record = make_record(
            [result(answer="New."), result("self-critique/b", decision="approve", answer="New.")]
        )
        before = [result(answer="Old."), result("self-critique/b", decision="revise", answer="New.")]
        assert [one.reason for one in of(record, comparison=compared(record, before)).notable()] == [
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

    def test_tokens_and_dollars_add_up(self, make_record, result):
        record = make_record([self.run(result, "a"), self.run(result, "b")], model="cheap")
        spent = of(record, prices=Table()).spending()
        assert (spent.runs, spent.calls, spent.tokens, spent.usd) == (2, 2, 10, Decimal(10))

    def test_a_variant_of_another_model_has_that_ones_price(self, make_record, result):
        record = make_record([self.run(result, "a", "critique=v2,model=cheap")], model="dear")
        assert of(record, prices=Table()).spending().usd == Decimal(5)
        assert model_of(record.start, "") == "dear"

    def test_a_model_without_a_price_leaves_the_sum_open(self, make_record, result):
        record = make_record([self.run(result, "a"), self.run(result, "b", "model=cheap")], model="dear")
        spent = of(record, prices=Table()).spending()
        assert (spent.usd, spent.unpriced) == (None, ("dear",))

    def test_a_model_that_was_not_asked_needs_no_price(self, make_record, result):
        record = make_record([result()], model="dear")
        assert of(record, prices=Table()).spending().usd == Decimal(0)

    def test_what_costs_nothing_is_worth_no_column(self, make_record, result):
        assert of(make_record([self.run(result, "a")], model="cheap"), prices=Table()).spending().priced
        assert not of(make_record([self.run(result, "a")], model="dear"), prices=Table()).spending().priced
        assert not of(make_record([self.run(result, "a")]), prices=Prices()).spending().priced

    def test_without_a_price_list_nothing_is_missing(self, make_record, result):
        spent = of(make_record([self.run(result, "a")], model="dear")).spending()
        assert (spent.usd, spent.unpriced) == (None, ())
