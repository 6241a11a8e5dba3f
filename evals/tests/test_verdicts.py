"""The exit code of a session for each combination of outcomes and regressions."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_FAILED, EXIT_OK, EXIT_STALE, exit_code


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ((), EXIT_OK),
        (("stale",), EXIT_STALE),
        (("stale", "errored"), EXIT_ERRORED),
        (("stale", "errored", "failed"), EXIT_FAILED),
        (("failed",), EXIT_FAILED),
    ],
)
def test_exit_code_is_that_of_the_most_severe_outcome(outcomes, code):
    assert exit_code(1, outcomes, other_failures=False, regressed=0, fail_on="failed") == code


def test_failure_of_another_test_exits_1():
    assert exit_code(1, ("stale",), other_failures=True, regressed=0, fail_on="failed") == EXIT_FAILED


def test_fail_on_regressed_ignores_known_failures():
    assert exit_code(1, ("failed",), other_failures=False, regressed=0, fail_on="regressed") == EXIT_OK
    assert exit_code(1, ("failed",), other_failures=False, regressed=1, fail_on="regressed") == EXIT_FAILED


def test_regression_fails_a_run_with_no_failed_test():
    assert exit_code(0, (), other_failures=False, regressed=1, fail_on="regressed") == EXIT_FAILED


@pytest.mark.parametrize(("outcomes", "gone", "code"), [((), 1, 1), (("failed",), 0, 1), ((), 0, 0)])
def test_fail_on_gone_fails_for_failed_and_gone(outcomes, gone, code):
    assert exit_code(0, outcomes, other_failures=False, regressed=0, fail_on="gone", gone=gone) == code


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_other_pytest_exit_codes_are_kept(code):
    assert exit_code(code, ("stale",), other_failures=False, regressed=1, fail_on="failed") == code
