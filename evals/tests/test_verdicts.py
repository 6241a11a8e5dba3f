"""The exit code of a session: what got worse, what broke and what is stale are told apart."""

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
def test_the_weightiest_outcome_decides(outcomes, code):
    assert exit_code(1, outcomes, other_failures=False, regressed=0, fail_on="failed") == code


def test_a_test_of_the_users_own_that_fails_is_a_failure():
    assert exit_code(1, ("stale",), other_failures=True, regressed=0, fail_on="failed") == EXIT_FAILED


def test_known_failures_pass_where_only_regressions_count():
    assert exit_code(1, ("failed",), other_failures=False, regressed=0, fail_on="regressed") == EXIT_OK
    assert exit_code(1, ("failed",), other_failures=False, regressed=1, fail_on="regressed") == EXIT_FAILED


def test_a_regression_fails_a_run_whose_tests_all_passed():
    assert exit_code(0, (), other_failures=False, regressed=1, fail_on="regressed") == EXIT_FAILED


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_codes_of_pytest_stay(code):
    assert exit_code(code, ("stale",), other_failures=False, regressed=1, fail_on="failed") == code
